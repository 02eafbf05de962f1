"""TOML as text, both ways: the one reader and the one writer of TOML in pbem.

What lives here: tomllib with errors in one line (``read_rows`` first, for what we wrote ourselves),
tomli_w with a narrow set of types.
What must never be here: what the keys mean.
Law: nothing but text, whole numbers, flags, lists and tables is written; keys keep their order.
Source: TOML 1.0; FORMAT.md section 1; docs/DESIGN.md P9 (same document, same bytes).
"""

import re
from collections.abc import Mapping
from typing import Any

import tomli_w

from pbem.errors import BadInput, OurFault

# No control character, and of the escapes those that we write ourselves.
_BARE = r'[^"\\\x00-\x1f\x7f]*'
_TEXT = rf'"{_BARE}(?:\\[n"\\]{_BARE})*"'
_LINE = re.compile(
    rf"([A-Za-z0-9_-]+) = (?:({_TEXT})|\[\n((?:    {_TEXT},\n)+)\]|(\[\])|(0|-?[1-9][0-9]{{0,17}})"
    r"|(true|false))\n|\n|\[([A-Za-z0-9_-]+)(?:\.([A-Za-z0-9_-]+))?\]\n"
)
_BETWEEN = '",\n    "'


def read_rows(text: str) -> dict[str, Any] | None:
    """The document in this text; None if anything in it is spelt in another way."""
    document: dict[str, Any] = {}
    table = document
    place, end = 0, len(text)
    while place < end:
        found = _LINE.match(text, place)
        if found is None:
            return None
        place = found.end()
        key, quoted, rows, empty, number, flag, name, inner = found.groups()
        if name is not None:
            outer, last = (
                (document, name) if inner is None else (document.setdefault(name, {}), inner)
            )
            # A table after one inside it, `[a.b]` and then `[a]`, is TOML, and left to tomllib.
            if type(outer) is not dict or last in outer:
                return None
            table = outer[last] = {}
        elif key is not None:
            if key in table:
                return None
            if rows is not None:
                table[key] = [_unescaped(row) for row in rows[5:-3].split(_BETWEEN)]
            elif quoted is not None:
                table[key] = _unescaped(quoted[1:-1])
            elif number is not None:
                table[key] = int(number)
            else:
                table[key] = [] if empty else flag == "true"
    return document


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)


AGAIN = "get the file again from where it came"


class TableReader:
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
        inside = TableReader(
            {str(n): row for n, row in enumerate(value, 1)}, self._where, self._full(key)
        )
        places = inside.keys()
        return [inside.number(place, low, high) for place in places]

    def table(self, key: str) -> "TableReader":
        """A table, as a TableReader of its own; call its ``done`` too."""
        return TableReader(self._take(key), self._where, self._full(key))

    def tables(self, key: str) -> list["TableReader"]:
        """A list of tables, each as a TableReader of its own."""
        value = self._take(key)
        if not isinstance(value, list):
            raise self._wrong(key, "a list of tables", value)
        name = self._full(key)
        return [TableReader(row, self._where, f"{name}[{n}]") for n, row in enumerate(value, 1)]

    def maybe_text(self, key: str) -> str | None:
        """A text, or None if the key is absent."""
        return self.text(key) if self._present(key) else None

    def maybe_number(self, key: str, low: int, high: int) -> int | None:
        """A whole number from low to high, or None if the key is absent."""
        return self.number(key, low, high) if self._present(key) else None

    def maybe_rows(self, key: str) -> list[str] | None:
        """A list of texts, or None if the key is absent."""
        return self.rows(key) if self._present(key) else None

    def maybe_table(self, key: str) -> "TableReader | None":
        """A table as a TableReader, or None if the key is absent."""
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


_AT_LINE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)\s*$")
_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_DEEPEST = 8


def load(text: str, kind: str) -> dict[str, Any]:
    """The document in this text. BadInput ``<kind>/toml``, with the line, if it is none."""
    document = read_rows(text)
    if document is not None:
        return document
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        hint = "is it the right file?"
        raise BadInput(f"{kind}/toml", "lists or tables nested too deeply", hint) from None
    except ValueError as error:  # TOMLDecodeError, and int() of a million digits
        raise _told(str(error), text, kind) from None


def _told(problem: str, text: str, kind: str) -> BadInput:
    match = _AT_LINE.search(problem)
    number = int(match[1]) if match and match[1] else text.count("\n") + 1
    what = _AT_LINE.sub("", problem)
    lines = text.split("\n")
    line = lines[number - 1] if number <= len(lines) else ""
    curly = any(quote in line for quote in "“”„«»‘’")
    hint = 'use straight quotes: "' if curly else "texts stand in straight quotes, lists in [ ]"
    reason = _reason(what)
    return BadInput(f"{kind}/toml", f"line {number} is not TOML: {reason}", hint)


def _reason(what: str) -> str:
    """tomllib's reason without the part that quotes the file: a state may hold anything."""
    short = re.sub(r"['\"].*", "", what.split("\n", 1)[0]).strip(" :(.")
    return (short[:1].lower() + short[1:80]) or "unreadable"


def dump(document: dict[str, Any]) -> str:
    """The document as TOML, LF, one newline at the end. OurFault if a type is not allowed."""
    if not _plain(document, 0):
        _check(document, "document", 0)  # says where
    return tomli_w.dumps(document).rstrip("\n") + "\n"


def _plain(value: object, depth: int) -> bool:
    """Whether ``_check`` would be content; without the names of the places, which cost most."""
    kind = type(value)
    if kind is str:
        return value.isascii() or _writable(value)  # type: ignore[attr-defined,arg-type]
    if kind is list:
        return depth < _DEEPEST and all(_plain(inner, depth + 1) for inner in value)  # type: ignore[attr-defined]
    if kind is dict and depth < _DEEPEST:
        rows = value.items()  # type: ignore[attr-defined]
        return all(
            key and type(key) is str and _plain(key, depth) and _plain(inner, depth + 1)
            for key, inner in rows
        )
    return kind is bool or (kind is int and _LOWEST <= value <= _HIGHEST)  # type: ignore[operator]


def _check(value: object, path: str, depth: int) -> None:
    if depth > _DEEPEST:
        raise OurFault("document/type", f"{path}: nested too deeply to be written")
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str) or not key or not _writable(key):
                raise OurFault("document/type", f"{path}: a key is not plain text")
            _check(inner, f"{path}.{key}", depth + 1)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            _check(inner, f"{path}[{number}]", depth + 1)
    elif isinstance(value, str):
        if not _writable(value):
            raise OurFault("document/type", f"{path}: text that UTF-8 cannot hold")
    elif not isinstance(value, int) or not _LOWEST <= value <= _HIGHEST:
        found = type(value).__name__
        raise OurFault("document/type", f"{path}: cannot write this ({found})")


def _writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
