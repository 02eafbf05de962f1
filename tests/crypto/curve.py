"""Edwards25519 from its equation alone: the small-order encodings, and forgeries under them.

An oracle for the tests: it shares no line and no constant with pbem. Slow, and never for real keys.
Source: RFC 8032 section 5.1.
"""

import hashlib

P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int]
ZERO: Point = (0, 1)


def add(a: Point, b: Point) -> Point:
    """Add two points of -x^2 + y^2 = 1 + d x^2 y^2."""
    (x1, y1), (x2, y2) = a, b
    t = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + t, P - 2, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - t, P - 2, P)
    return x % P, y % P


def times(k: int, point: Point) -> Point:
    """Give k times a point."""
    total = ZERO
    while k:
        if k & 1:
            total = add(total, point)
        point, k = add(point, point), k >> 1
    return total


def small_points() -> list[Point]:
    """Give the eight points of order 1, 2, 4 and 8: multiples of one found by clearing order L."""
    order = 2**252 + 27742317777372353535851937790883648493
    y = 1
    while True:
        y += 1
        x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
        x = pow(x2, (P + 3) // 8, P)
        if x * x % P != x2:
            x = x * pow(2, (P - 1) // 4, P) % P
        if x * x % P != x2:
            continue
        eighths = [times(k, times(order, (x, y))) for k in range(8)]
        if len(set(eighths)) == len(eighths):
            return eighths


def encode(point: Point) -> bytes:
    """Give the one proper encoding of a point."""
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def all_encodings(point: Point) -> set[bytes]:
    """Give every 32 bytes that a lenient decoder takes for a point, improper ones included."""
    x, y = point
    signs = {x & 1} if x else {0, 1}
    heights = [height for height in (y, y + P) if height < 2**255]
    return {(h | sign << 255).to_bytes(32, "little") for h in heights for sign in signs}


def forge(public: bytes, point: Point, message: bytes) -> bytes | None:
    """Give a signature of ``message`` under the small-order key, made without any private key.

    With S = 0 the check is R = -[k]A, where k depends on R: try the eight R. None if none fits.
    """
    for r_point in small_points_once():
        r = encode(r_point)
        k = int.from_bytes(hashlib.sha512(r + public + message).digest(), "little")
        x, y = times(k % 8, point)
        if encode((-x % P, y)) == r:
            return r + bytes(32)
    return None


ORDER = 2**252 + 27742317777372353535851937790883648493
BASE: Point = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
)


def beside(seed: bytes, message: bytes) -> tuple[bytes, bytes]:
    """A key, and a signature whose R is off by a point of order 8: good by a factor 8 alone."""
    half = bytearray(hashlib.sha512(seed).digest()[:32])
    half[0] &= 248
    half[31] = half[31] & 127 | 64
    secret, r = int.from_bytes(half, "little"), 7
    public = encode(times(secret, BASE))
    off = next(point for point in small_points_once() if times(4, point) != ZERO)
    start = encode(add(times(r, BASE), off))
    k = int.from_bytes(hashlib.sha512(start + public + message).digest(), "little") % ORDER
    return public, start + ((r + k * secret) % ORDER).to_bytes(32, "little")


_KNOWN: list[Point] = []


def small_points_once() -> list[Point]:
    """Give small_points, computed once."""
    if not _KNOWN:
        _KNOWN.extend(small_points())
    return _KNOWN
