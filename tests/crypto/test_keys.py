"""A key file says what is wrong and never what is in it; one root gives two separate keys."""

import pytest

from pbem.crypto import keys
from pbem.crypto.encoding import b64
from pbem.errors import BadInput

ROOT = bytes(range(1, 33))
TEXT = keys.format_key(ROOT)


def test_one_root_gives_the_same_referee_and_another_root_another() -> None:
    one, same, other = (keys.RefereeKey(r) for r in (ROOT, ROOT, bytes(32)))
    assert (one.public, one.wrap_public, one.id) == (same.public, same.wrap_public, same.id)
    assert len({one.public, one.wrap_public, other.public, other.wrap_public}) == 4


def test_a_new_root_is_new_and_comes_back_from_its_text() -> None:
    root = keys.new_root()
    assert root != keys.new_root()
    assert keys.parse_key(keys.format_key(root)) == root


def test_any_one_letter_mistyped_is_noticed() -> None:
    for place, letter in enumerate(TEXT.rstrip("\n")):
        mistyped = TEXT[:place] + ("B" if letter != "B" else "C") + TEXT[place + 1 :]
        with pytest.raises(BadInput):
            keys.parse_key(mistyped)


def test_any_two_neighbours_swapped_are_noticed() -> None:
    for place in range(len(TEXT) - 2):
        a, b = TEXT[place], TEXT[place + 1]
        if a != b:
            with pytest.raises(BadInput):
                keys.parse_key(TEXT[:place] + b + a + TEXT[place + 2 :])


def test_a_copy_cut_anywhere_is_noticed_and_never_quoted() -> None:
    pieces = [b64(ROOT)[i : i + 8] for i in range(36)]
    for length in range(len(TEXT) - 1):
        front, back = TEXT[:length], TEXT[length + 1 :]
        for text in (front, back, front + back, front.replace("\n", "")):
            with pytest.raises(BadInput) as caught:
                keys.parse_key(text)
            assert not any(piece in caught.value.as_line() for piece in pieces)
            assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_referee_prints_as_nothing() -> None:
    referee = keys.RefereeKey(ROOT)
    for shape in (ROOT.hex(), repr(ROOT), b64(ROOT)):
        assert shape not in repr(referee)


def test_a_root_of_another_length_is_our_bug() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        keys.RefereeKey(ROOT[:-1])
    with pytest.raises(ValueError, match="32 bytes"):
        keys.format_key(ROOT + b"\0")
