"""A value has one spelling, and a refusal never repeats the text."""

import hashlib
from base64 import b32decode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.crypto.encoding import b64, game_id, unb64
from pbem.errors import BadInput


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=70))
def test_unb64_undoes_b64(data: bytes) -> None:
    assert unb64(b64(data)) == data
    assert unb64(b64(data), len(data)) == data


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="AB-_+/= \nä8", max_size=9))
def test_what_decodes_is_what_b64_writes(text: str) -> None:
    try:
        data = unb64(text)
    except BadInput:
        return
    assert b64(data) == text


@pytest.mark.parametrize("text", ["SECRETSECRET=", "SECRETSECRETä", "SECRETSECRET"])
def test_a_refusal_does_not_quote(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        unb64(text, 32)
    assert "SECRET" not in caught.value.as_line()
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_game_id_is_the_front_of_the_hash() -> None:
    name = game_id(b"genesis")
    assert len(name) == 26
    assert name == name.lower()
    assert b32decode(name.upper() + "A" * 6)[:16] == hashlib.sha256(b"genesis").digest()[:16]
