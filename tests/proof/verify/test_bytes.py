"""Each byte of a state changed, taken out, or put in: refused, and nothing of it is parsed. P1."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from durability import games
from sizes import size

from pbem.chain.signed_state import read_self_signed_record, read_verified_record
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.keys import RefereeKey
from pbem.errors import BadInput, Refused
from pbem.formats import state_file
from pbem.proof.verify.verify import check_chain

KEY = RefereeKey(games.ACTING)
WHICH = [0, 1, 2, -1]
STEP = size("bytes of a state")


def chosen(states: dict[int, bytes], which: int) -> tuple[int, bytes]:
    n = max(states) if which < 0 else which
    return n, states[n]


def structural(raw: bytes) -> set[int]:
    """Where a change could be mistaken for form: line ends, quotes, first line, the whole tail."""
    tail = len(raw) - 139
    return {i for i, byte in enumerate(raw) if byte in b'\n"=[] ' or i < 10 or i >= tail - 3}


def refused(call: Callable[[], object]) -> None:
    with pytest.raises((BadInput, Refused)):
        call()


def each_way(n: int, states: dict[int, bytes], changed: bytes) -> Iterator[Callable[[], object]]:
    """Every function that takes a state's bytes."""
    yield lambda: read_verified_record(changed, KEY.public)
    if n == 0:
        yield lambda: read_self_signed_record(changed)
        yield lambda: check_chain({0: changed}, None, None)
    yield lambda: check_chain({n: changed}, KEY.public, None)


@pytest.mark.attack("change a byte of a state", by="verify", who="carrier")
@pytest.mark.parametrize("which", WHICH)
def test_every_byte_changed(states: dict[int, bytes], which: int, verified_only: list[int]) -> None:
    """One changed value at each position, by itself and in its chain."""
    n, raw = chosen(states, which)
    for i, byte in enumerate(raw):
        changed = raw[:i] + bytes([byte ^ (1 << i % 7)]) + raw[i + 1 :]
        for call in each_way(n, states, changed):
            refused(call)
    assert verified_only == [0]
    read_verified_record(raw, KEY.public)
    assert verified_only == [1]


@pytest.mark.parametrize("which", WHICH)
def test_bytes_put_in_and_taken_out(states: dict[int, bytes], which: int, verified_only: list[int]) -> None:
    """At every structural place, and at every k-th other one."""
    n, raw = chosen(states, which)
    places = sorted(structural(raw) | set(range(0, len(raw), STEP)))
    for i in places:
        for new in (b"\n", b" ", b"a", b"\0"):
            refused(partial(read_verified_record, raw[:i] + new + raw[i:], KEY.public))
        for changed in (raw[:i] + raw[i + 1 :], raw[:i] + raw[i : i + 1] + raw[i:]):
            for call in each_way(n, states, changed):
                refused(call)
    assert verified_only == [0]


@pytest.mark.parametrize("which", WHICH)
def test_cut_off_anywhere(states: dict[int, bytes], which: int, verified_only: list[int]) -> None:
    """Each length at both ends of the file, and every k-th between."""
    n, raw = chosen(states, which)
    lengths = {*range(200), *range(len(raw) - 300, len(raw)), *range(0, len(raw), STEP)}
    for length in sorted(one for one in lengths if 0 <= one < len(raw)):
        for call in each_way(n, states, raw[:length]):
            refused(call)
        refused(partial(read_verified_record, raw[len(raw) - length :], KEY.public))
    assert verified_only == [0]


@pytest.mark.parametrize("which", WHICH)
def test_more_at_either_end(states: dict[int, bytes], which: int, verified_only: list[int]) -> None:
    """Line ends changed, marks of editors, a second state or tail, junk."""
    n, raw = chosen(states, which)
    body, tail = raw[:-139], raw[-139:]
    changed = [raw + more for more in (b"\n", b" ", b"\0", b"# a note\n", b"x = 1\n", tail, raw, states[1])]
    changed += [more + raw for more in (b"\n", b" ", b"\xef\xbb\xbf", b"pbem = 1\n", body, raw)]
    changed += [raw.replace(b"\n", b"\r\n"), raw.replace(b"\n", b"\r"), raw.replace(b"\n", b"\n\n")]
    changed += [body + tail + tail, body + b"\n" + tail, body.rstrip() + tail, body, tail, b""]
    changed += [raw.decode().encode("utf-16"), raw.upper(), raw.replace(b" = ", b"=")]
    for one in changed:
        for call in each_way(n, states, one):
            refused(call)
    assert verified_only == [0]


def test_signatures_of_other_states_do_not_fit(states: dict[int, bytes]) -> None:
    """Every body with every other state's tail."""
    for n, raw in states.items():
        for m, other in states.items():
            if n != m:
                refused(partial(read_verified_record, raw[:-139] + other[-139:], KEY.public))


def test_a_signature_spelt_otherwise_is_none(states: dict[int, bytes]) -> None:
    """Spare bits, other alphabets and a signature plus the group's order are refused."""
    raw = states[2]
    cut = state_file.split(raw)
    order = 2**252 + 27742317777372353535851937790883648493
    sig = unb64(cut.sig, 64)
    s = int.from_bytes(sig[32:], "little") + order
    again = b64(sig[:32] + s.to_bytes(32, "little"))
    refused(lambda: read_verified_record(state_file.join(cut.body, cut.key, again), KEY.public))
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for field in (cut.key, cut.sig):
        last = letters.index(field[-1])
        for spare in range(1, 16):
            other = field[:-1] + letters[last ^ spare]
            changed = raw.replace(field.encode(), other.encode())
            refused(partial(read_verified_record, changed, KEY.public))
