"""Rows of a state: one description of each kind of row both writes and reads it.

Not allowed here: a particular row. Each is described beside the type of its values, in the
words of the table in docs/SPECIFICATION.md section 5.
Law: a row has one spelling. Its parts are separated by one blank; numbers have no sign and no
leading zero.
Source: docs/SPECIFICATION.md section 5 (document).
"""

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from pbem.crypto.encoding import b64, unb64
from pbem.errors import BadInput
from pbem.formats.state_file import FORBIDDEN_CHARACTER

GET_AGAIN_HINT = "get the file again from where it came"
Value = TypeVar("Value")


def check_one_line(text: str) -> str:
    """Return ``text``; ValueError if it is empty or could pass for several lines."""
    if not text or FORBIDDEN_CHARACTER.search(text):
        raise ValueError("control characters")
    return text


def check_words(text: str) -> str:
    """Return ``text``; ValueError unless it is one line of words separated by single blanks."""
    if not all(text.split(" ")):
        raise ValueError("blanks")
    return check_one_line(text)


def is_row_part(text: str) -> bool:
    """Whether ``text`` can be a part of a row other than the last."""
    return bool(text) and " " not in text and not FORBIDDEN_CHARACTER.search(text)


_NUMBER = re.compile("0|[1-9][0-9]{0,17}")


def parse_number(text: str) -> int:
    """Return a number that is spelled in the one allowed way; ValueError for any other spelling."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


class Cell(NamedTuple):
    """One column of a row: how it is written and read. Reading raises ValueError or BadInput."""

    write: Callable[[Any], str] = str
    read: Callable[[str], Any] | None = None  #: None: the text is the value
    takes_rest: bool = False  #: whether it takes the rest of the row, including blanks


def choice_cell(names: Iterable[str]) -> Cell:
    """A column that holds one of these words."""
    choices = {name: name for name in names}
    return Cell(read=choices.__getitem__)


def bytes_cell(size: int | None) -> Cell:
    """A column of ``size`` bytes in base64url, cached since a chain often repeats a value."""
    cached = functools.lru_cache(4096)
    return Cell(cached(b64), cached(functools.partial(unb64, length=size)))


def optional_cell(cell: Cell, empty: Any) -> Cell:
    """A column that may hold ``-``, which stands for the value ``empty``."""

    def read(text: str) -> Any:
        if not text:
            raise ValueError("nothing")
        return empty if text == "-" else cell.read(text) if cell.read else text

    return Cell(lambda value: cell.write(value) or "-", read)


WORD, NUMBER, TEXT = Cell(), Cell(read=parse_number), Cell(read=check_words, takes_rest=True)
BYTES_32, BYTES_64, NAME = bytes_cell(32), bytes_cell(64), Cell(read=check_words, takes_rest=True)


class RowFormat(Generic[Value]):
    """The rows of one key: their columns and the type of their values. ``check`` tells whether a
    value is consistent. ``field`` names the field of a StateRecord that holds the values, where its
    name differs from the key.
    """

    def __init__(
        self,
        key: str,
        row_type: type[Value],
        *columns: tuple[str, Cell],
        check: Callable[[Value], bool] = bool,
        field: str = "",
    ) -> None:
        self.key, self.check = key, check
        self.field = field or key
        # bypasses the constructor of a NamedTuple, which takes twice as long
        self.make: Callable[[Iterable[Any]], Value] = functools.partial(tuple.__new__, row_type)  # type: ignore[type-var]
        self.names, self.cells = [name for name, _ in columns], [cell for _, cell in columns]
        self.writers = [cell.write for cell in self.cells]
        # a chain repeats most rows in state after state
        self._read_cached = functools.lru_cache(8)(self._read_columns)
        self._write_cached = functools.lru_cache(8)(self._write_columns)
        self.max_splits = len(columns) - 1 if self.cells[-1].takes_rest else -1

    def __str__(self) -> str:
        """The columns as the specification names them."""
        return " ".join(self.names) + ("…" if self.cells[-1] is TEXT else "")

    def write_row(self, value: Iterable[Any]) -> str:
        """Return the row of a value."""
        return " ".join([write(part) for write, part in zip(self.writers, value, strict=True)])

    def write_rows(self, values: Sequence[Iterable[Any]]) -> list[str]:
        """Return the rows of many values. Working by columns is faster than by rows."""
        return [*self._write_cached(tuple(values))] if values else []

    def _write_columns(self, values: tuple[Iterable[Any], ...]) -> tuple[str, ...]:
        columns = zip(self.writers, zip(*values, strict=True), strict=True)
        return tuple(map(" ".join, zip(*[map(write, parts) for write, parts in columns], strict=True)))

    def read_row(self, row: str) -> Value:
        """Return the value of a row; ValueError, LookupError or BadInput if it is not one."""
        return self._read_columns((row,))[0]

    def read_rows(self, rows: Sequence[str], where: str) -> tuple[Value, ...]:
        """Return the values of rows; BadInput ``document/row`` names the faulty row and column."""
        try:
            return self._read_cached(tuple(rows)) if rows else ()
        except (ValueError, LookupError, BadInput):
            faults = (self._find_fault(number, row) for number, row in enumerate(rows, 1))
            fault = next(filter(None, faults), f"{self.key}: a row contradicts itself")
            raise BadInput("document/row", f"{where}: {fault}", GET_AGAIN_HINT) from None

    def _read_columns(self, rows: tuple[str, ...]) -> tuple[Value, ...]:
        parts_by_column = tuple(zip(*[row.split(" ", self.max_splits) for row in rows], strict=True))
        if any("" in parts for parts in parts_by_column):
            raise ValueError(self.key)
        columns = zip(self.cells, parts_by_column, strict=True)
        values_by_column = [map(cell.read, parts) if cell.read else parts for cell, parts in columns]
        values = tuple(map(self.make, zip(*values_by_column, strict=True)))
        if not all(map(self.check, values)):
            raise ValueError(self.key)
        return values

    def _find_fault(self, number: int, row: str) -> str:
        """Describe what is wrong with a row; "" if nothing."""
        expectation = f"{self.key}[{number}]: expected `{self}`"
        parts = row.split(" ", self.max_splits)
        if len(parts) != len(self.cells):
            return f"{expectation}, found {len(parts)} parts"
        for name, cell, part in zip(self.names, self.cells, parts, strict=True):
            try:
                _ = cell.read and cell.read(part)
                if not part:
                    raise ValueError(name)
            except (ValueError, LookupError, BadInput):
                return f"{expectation}, and its {name} is none"
        return ""
