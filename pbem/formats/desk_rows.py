"""Files of the desk that are rows: a line for each, its words apart by one blank, the first a seat.

What must never be here: what a row says; that stands beside its reader, which checks its words.
Law: whatever is in such a file, a line that is no row is passed over, and gone when it is written.
Source: FORMAT.md "Marks of a message".
"""

import re
from collections.abc import Iterable

_NUMBER = re.compile("[0-9]{1,7}")  # a longer one is none of ours


def read_rows(data: bytes | None, word_count: int) -> list[list[str]]:
    """The rows of so many words; none, where there is no file."""
    lines = (data or b"").decode("ascii", "replace").splitlines()
    return [row for line in lines if len(row := line.split(" ")) == word_count]


def write_rows(rows: Iterable[Iterable[object]]) -> bytes:
    """The file of these rows."""
    return "".join(f"{' '.join(map(str, row))}\n" for row in rows).encode()


def are_numbers(words: Iterable[str]) -> bool:
    """Whether each of these words is a number as one is written."""
    return all(map(_NUMBER.fullmatch, words))
