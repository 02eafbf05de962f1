"""The lines of signed blocks in a text that mail programs have handled: where each begins, and the
fields that reports and receipts share.

What must never be here: what a block says (block.py, receipt_block.py).
Source: docs/SPECIFICATION.md section 10; P7.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple, TypeVar
from unicodedata import category

from pbem.crypto.encoding import unb64
from pbem.errors import BadInput
from pbem.mail.identity import GAME_ID, without_words

T = TypeVar("T")
_NUMBER = re.compile("0|[1-9][0-9]{0,5}")  # of a state: document.MOST_LINKS


class Damaged(NamedTuple):
    """What begins as a block does, and is none; ``error`` says so."""

    text: str
    error: BadInput


def each_block(
    text: str, begins: str, whole: re.Pattern[str], read: Callable[[list[str]], T]
) -> list[T | Damaged]:
    """Every block that ``begins`` so, its first line ``whole``, as ``read`` has it from the lines
    up to the next one.
    """
    found: list[T | Damaged] = []
    for lines in _begun(text, begins, whole):
        try:
            found.append(read(lines))
        except BadInput as error:
            found.append(Damaged("\n".join(lines), error))
    return found


def _begun(text: str, begins: str, whole: re.Pattern[str]) -> list[list[str]]:
    """The lines from the first of each block to that of the next; one that names a game, and says
    nothing else that the first one of a block does, begins one that cannot be read (an empty line
    stands before it).
    """
    clean, starts, good = _lines_of(text), list[int](), set[int]()
    for i, line in enumerate(clean):
        if line.startswith(begins):
            joined = line if whole.fullmatch(line) else " ".join(clean[i : i + 2])
            if whole.fullmatch(joined):
                good.add(i)
            elif not re.match(rf"{begins} {GAME_ID}\b", joined):
                continue
            starts.append(i)
    ends = pairwise([*starts, len(clean)])
    return [[*([] if i in good else [""]), *clean[i:j]] for i, j in ends]


def _lines_of(text: str) -> list[str]:
    """Without what mail programs put before, behind and between the words of a line, and without
    what people wrote.
    """
    if not text.isascii():
        text = "".join(c for c in text if category(c) != "Cf")
    return [" ".join(line.split()).lstrip("> ") for line in without_words(text).split("\n")]


def shown_of(text: str) -> str:
    """A text as its lines are read, where a block begins or not."""
    return "\n".join(_lines_of(text))


def field(line: str, word: str) -> str:
    """What stands behind the first word of a line, which is ``word``; else ValueError."""
    found, value = line.split(" ")
    if found != word:
        raise ValueError(word)
    return value


def number_of(text: str) -> int:
    """The number of a state; ValueError where it is none."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def restore_in(line: str) -> bytes:
    """The head in the line `restore`; b"" where it is another line."""
    return unb64(field(line, "restore"), 32) if line.startswith("restore ") else b""
