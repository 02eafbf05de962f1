"""A small typed reader of documents: each key asked for once, by type; the rest is refused.

What lives here: text, number, flag, rows, table out of a parsed TOML document.
What must never be here: TOML, bytes, or what a key means to a game.
Law: an error names the path of the key, what was expected and what was found; it never quotes a
text (it might be a secret), and no number longer than 40 characters.
Source: docs/decisions/0001 "Typed documents"; docs/DESIGN.md P11.
"""

from collections.abc import Mapping
from typing import Any

from pbem.errors import BadInput

AGAIN = "take the file again from where it came"


class Reader:
    """Reads one table of a document. Ask for every key, then call ``done``.

    ``where`` opens each error, e.g. ``state 12``; ``hint`` is its way out. All methods raise
    BadInput ``document/…``.
    """

    def __init__(self, doc: object, where: str, path: str = "", hint: str = AGAIN) -> None:
        self._where = where
        self._hint = hint
        self._path = path
        if not isinstance(doc, Mapping):
            raise self._wrong("", "a table", doc)
        self._doc: Mapping[str, Any] = doc
        self._asked: set[str] = set()

    def keys(self) -> tuple[str, ...]:
        """The keys not asked for yet, in order: for tables whose keys are names."""
        return tuple(key for key in self._doc if key not in self._asked)

    def has(self, key: str) -> bool:
        """Whether the key is there; does not count as asking for it."""
        return key in self._doc

    def text(self, key: str) -> str:
        """A text."""
        value = self._take(key)
        if not isinstance(value, str):
            raise self._wrong(key, "a text", value)
        return value

    def number(self, key: str, low: int, high: int) -> int:
        """A whole number from low to high, both allowed."""
        value = self._take(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._wrong(key, "a whole number", value)
        if not low <= value <= high:
            found = _shown(value)
            raise self._error("range", key, f"expected {low} to {high}, found {found}")
        return value

    def flag(self, key: str) -> bool:
        """true or false."""
        value = self._take(key)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false", value)
        return value

    def rows(self, key: str) -> list[str]:
        """A list of texts."""
        value = self._take(key)
        if not isinstance(value, list):
            raise self._wrong(key, "a list of texts", value)
        for number, row in enumerate(value, 1):
            if not isinstance(row, str):
                raise self._wrong(f"{key}[{number}]", "a text", row)
        return list(value)

    def shown(self, key: str) -> list[str]:
        """A list of texts that people are shown parts of: nothing in them moves a cursor."""
        rows = self.rows(key)
        for number, row in enumerate(rows, 1):
            if not row.isprintable():
                problem = "expected signs that can be printed, found others"
                raise self._error("signs", f"{key}[{number}]", problem)
        return rows

    def numbers(self, key: str, low: int, high: int) -> list[int]:
        """A list of whole numbers from low to high, both allowed."""
        value = self._take(key)
        if not isinstance(value, list):
            raise self._wrong(key, "a list of whole numbers", value)
        inside = Reader(
            {str(n): row for n, row in enumerate(value, 1)}, self._where, self._full(key)
        )
        places = inside.keys()
        return [inside.number(place, low, high) for place in places]

    def table(self, key: str) -> "Reader":
        """A table, as a Reader of its own; call its ``done`` too."""
        return Reader(self._take(key), self._where, self._full(key))

    def tables(self, key: str) -> list["Reader"]:
        """A list of tables, each as a Reader of its own."""
        value = self._take(key)
        if not isinstance(value, list):
            raise self._wrong(key, "a list of tables", value)
        name = self._full(key)
        return [Reader(row, self._where, f"{name}[{n}]") for n, row in enumerate(value, 1)]

    def maybe_text(self, key: str) -> str | None:
        """A text, or None if the key is absent."""
        return self.text(key) if self._present(key) else None

    def maybe_number(self, key: str, low: int, high: int) -> int | None:
        """A whole number from low to high, or None if the key is absent."""
        return self.number(key, low, high) if self._present(key) else None

    def maybe_rows(self, key: str) -> list[str] | None:
        """A list of texts, or None if the key is absent."""
        return self.rows(key) if self._present(key) else None

    def maybe_table(self, key: str) -> "Reader | None":
        """A table as a Reader, or None if the key is absent."""
        return self.table(key) if self._present(key) else None

    def done(self) -> None:
        """Refuse every key that nobody asked for."""
        unknown = self.keys()
        if unknown:
            expected = ", ".join(sorted(self._asked)) or "nothing"
            key = _shown(unknown[0])
            raise self._error("unknown-key", key, f"unknown key; expected {expected[:160]}")

    def _present(self, key: str) -> bool:
        self._asked.add(key)
        return key in self._doc

    def _take(self, key: str) -> object:
        self._asked.add(key)
        if key not in self._doc:
            raise self._error("missing", key, "expected this key, found nothing")
        value: object = self._doc[key]
        return value

    def _full(self, key: str) -> str:
        return ".".join(part for part in (self._path, key) if part)

    def _wrong(self, key: str, expected: str, value: object) -> BadInput:
        return self._error("type", key, f"expected {expected}, found {_kind(value)}")

    def _error(self, code: str, key: str, problem: str) -> BadInput:
        place = ": ".join(part for part in (self._where, self._full(key)) if part)
        return BadInput(f"document/{code}", f"{place}: {problem}", self._hint)


def _kind(value: object) -> str:
    """The type of a value in words; of its content only what cannot be a secret."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"the number {_shown(value)}"
    names = {str: "a text", list: "a list", dict: "a table", float: "a decimal fraction"}
    return names.get(type(value), "a date or something else")


def _shown(value: object) -> str:
    # A number past the interpreter's digit limit cannot even be written out.
    if isinstance(value, int) and value.bit_length() > 128:
        return "a huge number"
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return text if len(text) <= 40 else text[:39] + "…"
