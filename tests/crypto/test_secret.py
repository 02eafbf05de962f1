"""S comes back from its wrap for its recipient alone; what cannot be a recipient is refused."""

import pytest

from pbem.crypto import secret
from pbem.crypto.keys import RefereeKey
from pbem.crypto.tokens import commit_secret
from pbem.errors import BadInput

from . import oracle

REFEREE, OTHER = RefereeKey(bytes(range(32))), RefereeKey(bytes(32))
S = bytes(range(64, 96))


def test_a_wrap_opens_for_its_recipient_alone() -> None:
    wrapped = secret.new_wrap(S, REFEREE.wrap_public)
    assert len(wrapped) == 80
    assert secret.unwrap(wrapped, REFEREE.wrapping) == S
    with pytest.raises(BadInput) as caught:
        secret.unwrap(wrapped, OTHER.wrapping)
    assert caught.value.code == "secret/does-not-unwrap"


def test_two_wraps_of_one_secret_differ() -> None:
    assert secret.new_wrap(S, REFEREE.wrap_public) != secret.new_wrap(S, REFEREE.wrap_public)


def test_of_a_given_ephemeral_key_a_wrap_is_the_same_and_opens() -> None:
    """Made by our own lines, opened by the library's."""
    seed = bytes(range(7, 39))
    wrapped = secret.new_wrap(S, REFEREE.wrap_public, seed)
    info = oracle.pae(b"pbem/1/wrap", b"game secret", REFEREE.wrap_public)
    assert wrapped == oracle.hpke_seal(seed, REFEREE.wrap_public, info, S)
    assert secret.unwrap(wrapped, REFEREE.wrapping) == S


@pytest.mark.parametrize("place", range(0, 80, 7))
def test_a_changed_wrap_is_refused(place: int) -> None:
    wrapped = bytearray(secret.new_wrap(S, REFEREE.wrap_public))
    wrapped[place] ^= 1
    with pytest.raises(BadInput):
        secret.unwrap(bytes(wrapped), REFEREE.wrapping)


@pytest.mark.parametrize("public", [b"", bytes(32), b"\x01" + bytes(31), bytes(33)])
def test_what_is_no_recipient_is_refused(public: bytes) -> None:
    with pytest.raises(BadInput) as caught:
        secret.new_wrap(S, public)
    assert caught.value.code == "secret/recipient"


def test_new_secrets_are_new() -> None:
    made = {secret.new_secret() for _ in range(5)}
    assert len(made) == 5
    assert {len(s) for s in made} == {32}


def test_a_secret_of_another_length_is_our_bug() -> None:
    for wrong in (b"", S[:-1]):
        with pytest.raises(ValueError, match="32 bytes"):
            secret.new_wrap(wrong, REFEREE.wrap_public)
        with pytest.raises(ValueError, match="32 bytes"):
            commit_secret(wrong)
