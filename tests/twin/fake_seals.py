"""Seals whose tokens and commitments tell nothing: random-looking, by link and slot alone.

What lives here: Book (what one world's tokens hold), FakeSeals, and ``faked``, which puts them in
the place of the real ones wherever the commands make them. The lengths are those of the real ones.
Source: docs/DESIGN.md P2.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import shake_256
from typing import Any
from unittest.mock import patch

from pbem.chain.seals import Seals
from pbem.crypto.encoding import b64
from pbem.crypto.tokens import ORDER_SIZE, VALUE_SIZE

SALT = "twin"
BESIDE = 12 + 16  # nonce and tag of a real token


class Book:
    """What the tokens of one world hold: nothing else tells its worlds apart."""

    def __init__(self, values: dict[tuple[int, str], str | bytes] | None = None) -> None:
        self.values = values or {}
        self.of: dict[str, str] = {}  #: every hidden value there ever was, by slot

    def copy(self) -> "Book":
        """A book for another world with the same past."""
        other = Book(dict(self.values))
        other.of = dict(self.of)
        return other


class _Open:
    book = Book()


def open_book(book: Book) -> None:
    """From now on tokens are sealed into, and opened from, this book."""
    _Open.book = book


class FakeSeals:
    """The interface of chain/state_record.py."""

    def __init__(self, secret: bytes, game: str, n: int, prev: bytes) -> None:
        self._n, self._book = n, _Open.book

    def seal(self, slot: str, value: str) -> str:
        if len(value.encode()) > VALUE_SIZE:
            raise ValueError("too long to be sealed")
        self._book.values[self._n, slot] = value
        self._book.of[slot] = value
        return b64(_bytes(VALUE_SIZE + BESIDE, "token", self._n, slot))

    def open(self, slot: str, token: str) -> str:
        return str(self._opened(slot, token, VALUE_SIZE))

    def seal_order(self, slot: str, value: bytes) -> str:
        if len(value) > ORDER_SIZE:
            raise ValueError("too long to be sealed")
        self._book.values[self._n, slot] = value
        return b64(_bytes(ORDER_SIZE + BESIDE, "token", self._n, slot))

    def open_order(self, slot: str, token: str) -> bytes:
        value = self._opened(slot, token, ORDER_SIZE)
        assert isinstance(value, bytes)
        return value

    def _opened(self, slot: str, token: str, size: int) -> str | bytes:
        assert token == b64(_bytes(size + BESIDE, "token", self._n, slot)), slot
        return self._book.values[self._n, slot]

    def commit(self, slot: str, value: str | bytes, head_before: bytes) -> tuple[bytes, bytes]:
        if isinstance(value, str):
            self._book.of[slot] = value
        return _bytes(32, "k", slot), _bytes(32, "commitment", slot)


def _bytes(size: int, *of: str | int) -> bytes:
    return shake_256("\n".join(map(str, (SALT, *of))).encode()).digest(size)


@contextmanager
def everywhere(real: Any, other: Any) -> Iterator[None]:
    """In place of a function wherever a module of pbem has it by its own name."""
    named = str(real.__name__)
    with ExitStack() as stack:
        for name, module in [*sys.modules.items()]:
            if name.startswith("pbem.") and getattr(module, named, None) is real:
                stack.enter_context(patch.object(module, named, other))
        yield


@contextmanager
def faked() -> Iterator[None]:
    """While this lasts every command seals with FakeSeals, and waits for no drive."""
    with everywhere(Seals, FakeSeals), patch.object(os, "fsync", lambda fd: None):
        yield
