"""TOML as text, both ways: the one reader and the one writer of TOML in pbem.

What must never be here: what the keys mean.
Law: nothing but text, whole numbers, flags, lists and tables is written; keys keep their order.
Source: TOML 1.0; FORMAT.md section 1; docs/DESIGN.md P9 (same document, same bytes).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

import tomli_w

from pbem.errors import BadInput, OurFault

# No control character, and of the escapes those that we write ourselves.
_BARE = r'[^"\\\x00-\x1f\x7f]*+'
_TEXT = rf'"{_BARE}(?:\\[n"\\]{_BARE})*+"'
_LINE = re.compile(
    rf"([A-Za-z0-9_-]+) = (?:({_TEXT})|\[\n((?:    {_TEXT},\n)++)\]|(\[\])|(0|-?[1-9][0-9]{{0,17}})"
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
            outer = document if inner is None else document.setdefault(name, {})
            last = inner or name
            # A table after one inside it, `[a.b]` and then `[a]`, is TOML, and left to tomllib.
            if type(outer) is not dict or last in outer:
                return None
            table = outer[last] = {}
        elif key in table:
            return None
        elif key is not None:
            if rows is not None:
                found_rows = rows[5:-3].split(_BETWEEN)
                table[key] = [*map(_unescaped, found_rows)] if "\\" in rows else found_rows
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
    # no control character stands in a text as it is read
    text = text.replace("\\\\", "\0").replace("\\n", "\n").replace('\\"', '"')
    return text.replace("\0", "\\")


AGAIN = "get the file again from where it came"


class TableReader:
    """Reads one table of a document. Ask for every key, then call ``done``.

    ``where`` opens each error, e.g. ``state 12``. All methods raise BadInput ``document/…``.
    """

    def __init__(self, doc: object, where: str, path: str = "") -> None:
        self._where, self._path = where, path
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
            raise self._error("range", key, f"expected {low} to {high}, found {_shown(value)}")
        return value

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self._take(key)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false", value)
        return value

    def rows(self, key: str) -> list[str]:
        """A list of texts."""
        rows = self._list(key, "texts")
        if not {*map(type, rows)} <= {str}:
            number, odd = next(one for one in enumerate(rows, 1) if type(one[1]) is not str)
            raise self._wrong(f"{key}[{number}]", "a text", odd)
        return list(rows)

    def numbers(self, key: str, low: int, high: int) -> list[int]:
        """A list of whole numbers from low to high, both allowed."""
        rows = {str(n): row for n, row in enumerate(self._list(key, "whole numbers"), 1)}
        inside = TableReader(rows, self._where, self._full(key))
        return [inside.number(place, low, high) for place in rows]

    def table(self, key: str) -> "TableReader":
        """A table, as a TableReader of its own; call its ``done`` too."""
        return TableReader(self._take(key), self._where, self._full(key))

    def tables(self, key: str) -> list["TableReader"]:
        """A list of tables, each as a TableReader of its own."""
        name, rows = self._full(key), self._list(key, "tables")
        return [TableReader(row, self._where, f"{name}[{n}]") for n, row in enumerate(rows, 1)]

    def maybe_text(self, key: str) -> str | None:
        """As ``text``; None if the key is absent. So for the next three."""
        return self.text(key) if self._present(key) else None

    def maybe_number(self, key: str, low: int, high: int) -> int | None:
        return self.number(key, low, high) if self._present(key) else None

    def maybe_rows(self, key: str) -> list[str] | None:
        return self.rows(key) if self._present(key) else None

    def maybe_table(self, key: str) -> "TableReader | None":
        return self.table(key) if self._present(key) else None

    def done(self) -> None:
        """Refuse every key that nobody asked for."""
        unknown = self.keys()
        if unknown:
            expected = ", ".join(sorted(self._asked)) or "nothing"
            problem = f"unknown key; expected {expected[:160]}"
            raise self._error("unknown-key", _shown(unknown[0]), problem)

    def _present(self, key: str) -> bool:
        self._asked.add(key)
        return key in self._doc

    def _take(self, key: str) -> object:
        self._asked.add(key)
        if key not in self._doc:
            raise self._error("missing", key, "expected this key, found nothing")
        return cast("object", self._doc[key])

    def _list(self, key: str, what: str) -> list[Any]:
        value = self._take(key)
        if not isinstance(value, list):
            raise self._wrong(key, f"a list of {what}", value)
        return value

    def _full(self, key: str) -> str:
        return ".".join(part for part in (self._path, key) if part)

    def _wrong(self, key: str, expected: str, value: object) -> BadInput:
        return self._error("type", key, f"expected {expected}, found {_kind(value)}")

    def _error(self, code: str, key: str, problem: str) -> BadInput:
        place = ": ".join(part for part in (self._where, self._full(key)) if part)
        return BadInput(f"document/{code}", f"{place}: {problem}", AGAIN)


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
FOREIGN = 64 * 1024  #: letters of a document that is written otherwise than ours
_PART = r"""(?:(?<![\w-])[\w-]++|"[^"\n]*"|'[^'\n]*')[ \t]*+\.[ \t]*+"""
_DEEP = re.compile(f"(?:{_PART}){{16}}", re.ASCII)
_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_DEEPEST = 8


def utf8(data: bytes, kind: str, hint: str) -> str:
    """The text of these bytes. BadInput ``<kind>/not-utf8``, with the line."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{kind}/not-utf8", f"line {line} is not UTF-8", hint) from None


def load(text: str, kind: str) -> dict[str, Any]:
    """The document in this text. BadInput ``<kind>/toml``, with the line, if it is none."""
    document = read_rows(text)
    if document is not None:
        return document
    # Spelt by people, so not long; and tomllib takes the square of a key's length.
    if len(text) > FOREIGN:
        why = f"is not as pbem writes it, and it has over {FOREIGN} letters"
        raise BadInput(f"{kind}/toml", f"the file {why}", AGAIN)
    if deep := _DEEP.search(text):
        number = text.count("\n", 0, deep.start()) + 1
        raise BadInput(f"{kind}/toml", f"line {number} is not TOML: a key in too many parts", AGAIN)
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
    line = "".join(text.split("\n")[number - 1 : number])
    curly = any(quote in line for quote in "“”„«»‘’")
    hint = 'use straight quotes: "' if curly else "texts stand in straight quotes, lists in [ ]"
    # without what quotes the file: a state may hold anything
    short = re.sub(r"['\"].*", "", _AT_LINE.sub("", problem).split("\n", 1)[0]).strip(" :(.")
    reason = short[:1].lower() + short[1:80] or "unreadable"
    return BadInput(f"{kind}/toml", f"line {number} is not TOML: {reason}", hint)


def dump(document: dict[str, Any]) -> str:
    """The document as TOML, LF, one newline at the end. OurFault if a type is not allowed."""
    if fault := _fault(document):
        raise OurFault("document/type", f"document{fault[0]}: {fault[1]}")
    return tomli_w.dumps(document).rstrip("\n") + "\n"


def _fault(value: object, depth: int = 0) -> tuple[str, str] | None:
    """The place below a value of what cannot be written, and why; None where all can be."""
    if depth > _DEEPEST:
        return "", "nested too deeply to be written"
    if isinstance(value, str):
        return None if _writable(value) else ("", "text that UTF-8 cannot hold")
    rows: Iterable[tuple[object, object]]
    if isinstance(value, dict):
        if not all(isinstance(key, str) and key and _writable(key) for key in value):
            return "", "a key is not plain text"
        rows, place = value.items(), ".{}"
    elif isinstance(value, list):
        rows, place = enumerate(value), "[{}]"
    elif isinstance(value, int) and _LOWEST <= value <= _HIGHEST:
        return None
    else:
        return "", f"cannot write this ({type(value).__name__})"
    for key, inner in rows:
        if fault := _fault(inner, depth + 1):
            return place.format(key) + fault[0], fault[1]
    return None


def _writable(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text)
