"""A token opens in its place and nowhere else, whole or not at all; a refusal tells nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.crypto.encoding import b64, unb64
from pbem.crypto.tokens import Sealer, state_key
from pbem.errors import BadInput

KN = state_key(bytes(range(32)), "game", 7, bytes(32))
SEALER = Sealer(KN, "game", 7)
SIZES = st.sampled_from([32, 256])


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=32), SIZES, st.text(max_size=12))
def test_open_undoes_seal(value: bytes, size: int, slot: str) -> None:
    value = value.rstrip(b"\0")
    token = SEALER.seal(slot, value, size)
    assert len(token) == {32: 80, 256: 379}[size]
    assert SEALER.open(slot, token, size) == value


@pytest.mark.parametrize("size", [32, 256])
def test_a_bit_flipped_at_any_byte_is_refused(size: int) -> None:
    raw = unb64(SEALER.seal("2/threat/07", b"+2", size))
    for place in range(len(raw)):
        for bit in (1, 128):
            changed = raw[:place] + bytes([raw[place] ^ bit]) + raw[place + 1 :]
            with pytest.raises(BadInput, match="2/threat/07"):
                SEALER.open("2/threat/07", b64(changed), size)


def test_a_token_cut_anywhere_is_refused() -> None:
    token = SEALER.seal("s", b"+2")
    for length in range(len(token)):
        with pytest.raises(BadInput) as caught:
            SEALER.open("s", token[:length])
        assert caught.value.code == "token/does-not-open"


@pytest.mark.parametrize(
    ("kn", "game", "n", "slot"),
    [(bytes(32), "game", 7, "s"), (KN, "other", 7, "s"), (KN, "game", 8, "s"), (KN, "game", 7, "t")],
)
def test_another_place_is_refused(kn: bytes, game: str, n: int, slot: str) -> None:
    """Game and link are bound by the token itself, even under one Kn."""
    token = SEALER.seal("s", b"guard")
    with pytest.raises(BadInput) as caught:
        Sealer(kn, game, n).open(slot, token)
    assert caught.value.code == "token/does-not-open"
    assert "guard" not in caught.value.as_line()
    assert token not in caught.value.as_line()


def test_a_link_key_hangs_on_everything_in_it() -> None:
    keys = {
        KN,
        state_key(bytes(32), "game", 7, bytes(32)),
        state_key(bytes(range(32)), "other", 7, bytes(32)),
        state_key(bytes(range(32)), "game", 8, bytes(32)),
        state_key(bytes(range(32)), "game", 7, b"h" * 32),
    }
    assert len(keys) == 5


@pytest.mark.parametrize("value", [b"GUARD\0", b"\0", b"GUARD" * 7])
def test_a_value_that_cannot_be_sealed_is_our_bug(value: bytes) -> None:
    with pytest.raises(ValueError, match=r"does not fit|ends in NUL") as caught:
        SEALER.seal("s", value)
    assert "GUARD" not in str(caught.value)


def test_two_sizes_and_no_other() -> None:
    for size in (0, 31, 64):
        with pytest.raises(ValueError, match="a token holds"):
            SEALER.seal("s", b"", size)
        with pytest.raises(ValueError, match="a token holds"):
            SEALER.open("s", "", size)


def test_tokens_of_one_value_differ_by_slot_and_link() -> None:
    other = Sealer(state_key(bytes(range(32)), "game", 8, bytes(32)), "game", 8)
    tokens = [SEALER.seal("s", b"+2"), SEALER.seal("t", b"+2"), other.seal("s", b"+2")]
    assert len(set(tokens)) == 3
    assert len({token[:16] for token in tokens}) == 3
    assert SEALER.seal("s", b"+2") == tokens[0]


def test_two_values_in_one_slot_never_share_a_nonce() -> None:
    assert SEALER.seal("s", b"+2")[:16] != SEALER.seal("s", b"+3")[:16]
