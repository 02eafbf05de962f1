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
from pbem.mail.identity import GAME_ID, blank_barred_lines

T = TypeVar("T")
_NUMBER = re.compile("0|[1-9][0-9]{0,5}")  # of a state: document.MOST_LINKS


class DamagedBlock(NamedTuple):
    """What begins as a block does, and is none; ``error`` says so."""

    text: str
    error: BadInput


def parse_each_block(
    text: str, prefix: str, first_line_pattern: re.Pattern[str], parse: Callable[[list[str]], T]
) -> list[T | DamagedBlock]:
    """Every block that ``prefix`` so, its first line ``first_line_pattern``, as ``parse`` has it from the lines
    up to the next one.
    """
    blocks: list[T | DamagedBlock] = []
    for lines in _split_blocks(text, prefix, first_line_pattern):
        try:
            blocks.append(parse(lines))
        except BadInput as error:
            blocks.append(DamagedBlock("\n".join(lines), error))
    return blocks


def _split_blocks(text: str, prefix: str, first_line_pattern: re.Pattern[str]) -> list[list[str]]:
    """The lines from the first of each block to that of the next; one that names a game, and says
    nothing else that the first one of a block does, begins one that cannot be read (an empty line
    stands before it).
    """
    lines, starts, complete_starts = _normalize_lines(text), list[int](), set[int]()
    for index, line in enumerate(lines):
        if line.startswith(prefix):
            joined = line if first_line_pattern.fullmatch(line) else " ".join(lines[index : index + 2])
            if first_line_pattern.fullmatch(joined):
                complete_starts.add(index)
            elif not re.match(rf"{prefix} {GAME_ID}\b", joined):
                continue
            starts.append(index)
    ends = pairwise([*starts, len(lines)])
    return [[*([] if start in complete_starts else [""]), *lines[start:end]] for start, end in ends]


def _normalize_lines(text: str) -> list[str]:
    """Without what mail programs put before, behind and between the words of a line, and without
    what people wrote.
    """
    if not text.isascii():
        text = "".join(c for c in text if category(c) != "Cf")
    return [" ".join(line.split()).lstrip("> ") for line in blank_barred_lines(text).split("\n")]


def normalize_text(text: str) -> str:
    """A text as its lines are read, where a block begins or not."""
    return "\n".join(_normalize_lines(text))


def field_value(line: str, keyword: str) -> str:
    """What stands behind the first word of a line, which is ``keyword``; else ValueError."""
    first_word, value = line.split(" ")
    if first_word != keyword:
        raise ValueError(keyword)
    return value


def parse_state_number(text: str) -> int:
    """The number of a state; ValueError where it is none."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def parse_restore_line(line: str) -> bytes:
    """The head in the line `restore`; b"" where it is another line."""
    return unb64(field_value(line, "restore"), 32) if line.startswith("restore ") else b""
