"""PAE can be read back, so it is injective; the PRF takes keys of one length."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.crypto.encoding import pae, prf, require_length

LISTS = st.lists(st.binary(max_size=20), max_size=6)


def read_back(data: bytes) -> list[bytes]:
    """Read a PAE by section 1 of the specification; what is left over is a fault."""
    count, data = int.from_bytes(data[:8], "little"), data[8:]
    found = []
    for _ in range(count):
        size = int.from_bytes(data[:8], "little")
        found.append(data[8 : 8 + size])
        data = data[8 + size :]
    assert data == b""
    return found


@settings(max_examples=60, deadline=None)
@given(LISTS)
def test_pae_can_be_read_back(parts: list[bytes]) -> None:
    assert read_back(pae(*parts)) == parts


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([b"", b"a", b"\0" * 8]), max_size=5), LISTS)
def test_pae_tells_two_lists_apart(one: list[bytes], other: list[bytes]) -> None:
    assert (pae(*one) == pae(*other)) == (one == other)
    assert pae(*one) != pae(*one, b"")


def test_a_number_is_its_decimal_text() -> None:
    assert pae(41, "ü") == pae("41", b"\xc3\xbc")


@pytest.mark.parametrize("part", [True, False, None, 1.5, bytearray(b"a")])
def test_other_types_are_our_bug(part: object) -> None:
    with pytest.raises(TypeError):
        pae(part)  # type: ignore[arg-type]


def test_a_negative_number_is_our_bug() -> None:
    with pytest.raises(ValueError, match="never negative"):
        pae(-1)


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_key_has_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        prf(bytes(size), "label")


def test_text_is_not_taken_for_a_head() -> None:
    with pytest.raises(ValueError, match="a head"):
        require_length("x" * 32, 32, "a head")  # type: ignore[arg-type]
