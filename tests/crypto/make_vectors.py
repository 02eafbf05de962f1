"""Writes tests/vectors/crypto: real cases, and next to each its faults, one a file.

Run from the root: ``python -m tests.crypto.make_vectors``. Deterministic: a rerun changes nothing,
and test_vectors.py says so. Faults are written by hand here; a good case takes what pbem gives, and
test_vectors.py holds that to the oracle.
"""

from collections.abc import Iterator
from pathlib import Path

from . import curve
from .case import Case
from .cases_hidden import hidden_cases
from .cases_public import public_cases
from .oracle import pae
from .vector_file import outcome, read, write

FOLDER = Path(__file__).resolve().parents[1] / "vectors" / "crypto"


def build() -> dict[str, str]:
    """Give every vector: file name, text."""
    texts: dict[str, str] = {}
    for name, comment, fields, expect in [*public_cases(), *hidden_cases(), *small_order_cases(), *factor_case()]:
        wanted = outcome(read(write(comment, fields, ""))) if expect is None else expect
        assert f"{name}.txt" not in texts, name
        texts[f"{name}.txt"] = write(comment, fields, wanted)
    return texts


def small_order_cases() -> Iterator[Case]:
    """Give, for each of the 14 encodings, a signature that holds by the equation of RFC 8032."""
    found = [(public, point) for point in curve.small_points_once() for public in curve.all_encodings(point)]
    for number, (public, point) in enumerate(sorted(found), start=1):
        text, signature = _forged(public, point)
        fields = [
            ("op", "verify"),
            ("kind", "state"),
            ("part", f"text {text}"),
            ("public", public.hex()),
            ("signature", signature.hex()),
        ]
        name = f"verify-fault-small-order-{number:02}"
        yield name, "a key of small order signs without a private key: refused", fields, "false"


def factor_case() -> Iterator[Case]:
    """Give a signature that holds by the equation with a factor 8, and not without."""
    public, signature = curve.beside(b"s" * 32, pae(b"pbem/1/state", b"off by a point"))
    fields = [("op", "verify"), ("kind", "state"), ("part", "text off by a point")]
    fields += [("public", public.hex()), ("signature", signature.hex())]
    yield "verify-fault-factor-8", "R is off by a point of order 8: refused", fields, "false"


def _forged(public: bytes, point: curve.Point) -> tuple[str, bytes]:
    number = 0
    while True:
        text = f"forged {number}"
        signature = curve.forge(public, point, pae(b"pbem/1/state", text.encode()))
        if signature is not None:
            return text, signature
        number += 1


def main() -> None:
    """Write the folder anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, text in build().items():
        (FOLDER / name).write_bytes(text.encode("utf-8"))


if __name__ == "__main__":
    main()
