"""A signature holds for one key, one type, one list of parts; small-order keys for nothing."""

import pytest

from pbem.crypto import signing

from . import curve

PRIVATE = signing.private_key(bytes(range(32)))
PUBLIC = signing.public_key(PRIVATE)


def test_each_kind_verifies_as_itself_alone() -> None:
    for kind in signing.SIGNATURE_KINDS:
        signature = signing.sign(PRIVATE, kind, "a", 1)
        holds = {k for k in signing.SIGNATURE_KINDS if signing.verify(PUBLIC, k, signature, "a", 1)}
        assert holds == {kind}


@pytest.mark.parametrize("kind", ["", "states", "State", "pbem/1/state"])
def test_another_kind_is_our_bug(kind: str) -> None:
    with pytest.raises(ValueError, match="no signature"):
        signing.sign(PRIVATE, kind)
    with pytest.raises(ValueError, match="no signature"):
        signing.verify(PUBLIC, kind, bytes(64))


@pytest.mark.parametrize("place", range(64))
def test_a_bit_flipped_anywhere_is_false(place: int) -> None:
    signature = bytearray(signing.sign(PRIVATE, "state", "body"))
    signature[place] ^= 1
    assert signing.verify(PUBLIC, "state", bytes(signature), "body") is False


@pytest.mark.parametrize("public", [b"", b"\x02" + bytes(31), b"\xff" * 32, bytes(33)])
def test_no_key_at_all_is_false(public: bytes) -> None:
    assert signing.verify(public, "state", bytes(64), "body") is False


def test_the_list_is_the_curves() -> None:
    points = curve.small_points_once()
    found = set().union(*(curve.all_encodings(point) for point in points))
    assert len(points) == 8
    assert len(found) == 14
    assert found == signing.SMALL_ORDER


def test_the_keys_that_nothing_is_wrapped_to_are_all_there_are() -> None:
    """X25519 with one of these gives 0 for whatever secret; it takes each in several spellings."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

    p = 2**255 - 19
    assert len(signing.WEAK_WRAP_KEYS) == 5
    for u in {*signing.WEAK_WRAP_KEYS, p, p + 1}:
        for public in (u.to_bytes(32, "little"), (u | 1 << 255).to_bytes(32, "little")):
            assert not signing.is_safe_wrap_key(public)
            with pytest.raises(ValueError, match="shared key"):
                X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(public))


def test_a_key_to_wrap_to_has_one_spelling() -> None:
    """Found by an attack of 2026-11: with its top bit set the acting key passed for another."""
    u = bytes(range(32))
    assert signing.is_safe_wrap_key(u)
    assert not signing.is_safe_wrap_key(u[:31] + bytes([u[31] | 0x80]))
    assert not signing.is_safe_wrap_key((2**255 - 19 + 9).to_bytes(32, "little"))


def test_keys_print_as_nothing() -> None:
    assert bytes(range(32)).hex() not in repr(PRIVATE)
