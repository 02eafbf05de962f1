"""Commitments: what a hidden value was, said in public on the day it was dealt, and shown later.

What lives here: the opening key k of a slot, the commitment C, and the check anyone can make.
What must never be here: the secret S in anything that is handed out; a key shared by two slots.
The law it keeps: an opening proves one value for one slot of one game, and says nothing of another.
Source: docs/SPECIFICATION.md section 7 (slots and commitments).
"""

from __future__ import annotations

from pbem.crypto.encoding import DIGEST_SIZE, digest, exactly, pae, prf

Value = str | bytes


def opening_key(secret: bytes, game: str, slot: str, head_before: bytes, value: Value) -> bytes:
    """Give k, 32 bytes: the blinding of one slot's commitment. For whoever may know the value.

    ``head_before`` is the head of the link before the one that created the slot, 32 bytes. The
    value goes in, so that two histories that differ in it never share a k.
    """
    head = exactly(head_before, DIGEST_SIZE, "a head")
    return prf(secret, "pbem/1/open", game, slot, head, value)


def commit(game: str, slot: str, k: bytes, value: Value) -> bytes:
    """Give C, 32 bytes, public: it binds the value and, while k is unknown, hides it.

    A str value counts as its UTF-8 bytes; bytes are for the values of orders.
    """
    return digest(
        pae("pbem/1/commit", game, slot, exactly(k, DIGEST_SIZE, "an opening key"), value)
    )


def check_opening(c: bytes, game: str, slot: str, k: bytes, value: Value) -> bool:
    """Tell whether (slot, value, k) opens the commitment ``c``; False for a k of another length."""
    return len(k) == DIGEST_SIZE and commit(game, slot, k, value) == c
