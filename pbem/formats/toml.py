"""TOML text to documents and back: the one TOML reader and writer of pbem.

Not allowed here: what the keys mean.
Law: pbem writes only texts, whole numbers, flags, lists and tables; keys keep their order.
Source: TOML 1.0; FORMAT.md section 1; docs/DESIGN.md P9 (same document, same bytes).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

import tomli_w

from pbem.errors import BadInput, OurFault

# no control characters, and only the escapes that pbem writes
_PLAIN_CHARACTERS = r'[^"\\\x00-\x1f\x7f]*+'
_TEXT = rf'"{_PLAIN_CHARACTERS}(?:\\[n"\\]{_PLAIN_CHARACTERS})*+"'
# a line ``key = value`` (text, list of texts, number or flag), an empty line, ``[name]`` or ``[name.inner]``
_LINE = re.compile(
    rf"([A-Za-z0-9_-]+) = (?:({_TEXT})|\[\n((?:    {_TEXT},\n)++)\]|(\[\])|(0|-?[1-9][0-9]{{0,17}})"
    r"|(true|false))\n|\n|\[([A-Za-z0-9_-]+)(?:\.([A-Za-z0-9_-]+))?\]\n"
)
_ROW_SEPARATOR = '",\n    "'


def parse_own_spelling(text: str) -> dict[str, Any] | None:
    """Return the document in a text that is spelled as pbem spells it; None for any other text."""
    document: dict[str, Any] = {}
    table = document
    offset, end = 0, len(text)
    while offset < end:
        match = _LINE.match(text, offset)
        if match is None:
            return None
        offset = match.end()
        key, quoted, rows, empty, number, flag, name, inner = match.groups()
        if name is not None:
            outer = document if inner is None else document.setdefault(name, {})
            last = inner or name
            # TOML allows `[a]` after `[a.b]`: leave that to tomllib
            if type(outer) is not dict or last in outer:
                return None
            table = outer[last] = {}
        elif key in table:
            return None
        elif key is not None:  # None on a blank line
            if rows is not None:
                row_texts = rows[5:-3].split(_ROW_SEPARATOR)  # without the first `    "` and the last `",` and LF
                table[key] = [*map(_unescape, row_texts)] if "\\" in rows else row_texts
            elif quoted is not None:
                table[key] = _unescape(quoted[1:-1])
            elif number is not None:
                table[key] = int(number)
            else:
                table[key] = [] if empty else flag == "true"
    return document


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    # NUL can mark a backslash, since the text has no control characters
    text = text.replace("\\\\", "\0").replace("\\n", "\n").replace('\\"', '"')
    return text.replace("\0", "\\")


GET_AGAIN_HINT = "get the file again from where it came"


class TableReader:
    """Reads a table strictly. Read every key, then call ``refuse_unknown_keys``. Each error begins with
    ``where``, for example ``state 12``. All methods raise BadInput ``document/…``.
    """

    def __init__(self, document: object, where: str, path: str = "") -> None:
        self._where, self._path = where, path
        if not isinstance(document, Mapping):
            raise self._type_error("", "a table", document)
        self._document: Mapping[str, Any] = document
        self._read_keys: set[str] = set()

    def unread_keys(self) -> tuple[str, ...]:
        """Return the keys not read yet, in order. This is for tables whose keys are names."""
        return tuple(key for key in self._document if key not in self._read_keys)

    def has_key(self, key: str) -> bool:
        """Return whether the key is present, without counting it as read."""
        return key in self._document

    def text(self, key: str) -> str:
        """Return a text."""
        value = self._read_value(key)
        if not isinstance(value, str):
            raise self._type_error(key, "a text", value)
        return value

    def number(self, key: str, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``, both included."""
        value = self._read_value(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._type_error(key, "a whole number", value)
        if not low <= value <= high:
            raise self._error("range", key, f"expected {low} to {high}, found {_shorten(value)}")
        return value

    def flag(self, key: str) -> bool:
        """Return true or false."""
        value = self._read_value(key)
        if not isinstance(value, bool):
            raise self._type_error(key, "true or false", value)
        return value

    def rows(self, key: str) -> list[str]:
        """Return a list of texts."""
        rows = self._read_list(key, "texts")
        if set(map(type, rows)) - {str}:  # fast, since lists may be long
            number, odd_row = next((n, row) for n, row in enumerate(rows, 1) if type(row) is not str)
            raise self._type_error(f"{key}[{number}]", "a text", odd_row)
        return list(rows)

    def numbers(self, key: str, low: int, high: int) -> list[int]:
        """Return a list of whole numbers from ``low`` to ``high``, both included."""
        rows = {str(n): row for n, row in enumerate(self._read_list(key, "whole numbers"), 1)}
        reader = TableReader(rows, self._where, self._full_path(key))  # so that errors name the place
        return [reader.number(place, low, high) for place in rows]

    def table(self, key: str) -> "TableReader":
        """Return a table as a TableReader, on which ``refuse_unknown_keys`` must be called too."""
        return TableReader(self._read_value(key), self._where, self._full_path(key))

    def tables(self, key: str) -> list["TableReader"]:
        """Return a list of tables, each as a TableReader."""
        name, rows = self._full_path(key), self._read_list(key, "tables")
        return [TableReader(row, self._where, f"{name}[{n}]") for n, row in enumerate(rows, 1)]

    def maybe_text(self, key: str) -> str | None:
        """Return a text, or None if the key is absent. The next three methods do the same for their types."""
        return self.text(key) if self._read_presence(key) else None

    def maybe_number(self, key: str, low: int, high: int) -> int | None:
        return self.number(key, low, high) if self._read_presence(key) else None

    def maybe_rows(self, key: str) -> list[str] | None:
        return self.rows(key) if self._read_presence(key) else None

    def maybe_table(self, key: str) -> "TableReader | None":
        return self.table(key) if self._read_presence(key) else None

    def refuse_unknown_keys(self) -> None:
        """Raise BadInput if the table has a key that was not read."""
        unknown_keys = self.unread_keys()
        if unknown_keys:
            expected = ", ".join(sorted(self._read_keys)) or "nothing"
            problem = f"unknown key; expected {expected[:160]}"
            raise self._error("unknown-key", _shorten(unknown_keys[0]), problem)

    def _read_presence(self, key: str) -> bool:
        """Count a key as read, and return whether it is present."""
        self._read_keys.add(key)
        return key in self._document

    def _read_value(self, key: str) -> object:
        self._read_keys.add(key)
        if key not in self._document:
            raise self._error("missing", key, "expected this key, found nothing")
        return cast("object", self._document[key])

    def _read_list(self, key: str, item_kind: str) -> list[Any]:
        value = self._read_value(key)
        if not isinstance(value, list):
            raise self._type_error(key, f"a list of {item_kind}", value)
        return value

    def _full_path(self, key: str) -> str:
        return ".".join(part for part in (self._path, key) if part)

    def _type_error(self, key: str, expected: str, value: object) -> BadInput:
        return self._error("type", key, f"expected {expected}, found {_type_in_words(value)}")

    def _error(self, code: str, key: str, problem: str) -> BadInput:
        place = ": ".join(part for part in (self._where, self._full_path(key)) if part)
        return BadInput(f"document/{code}", f"{place}: {problem}", GET_AGAIN_HINT)


def _type_in_words(value: object) -> str:
    """Return a value's type in words, and its content only if that cannot be secret."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"the number {_shorten(value)}"
    names = {str: "a text", list: "a list", dict: "a table", float: "a decimal fraction"}
    return names.get(type(value), "a date or something else")


def _shorten(value: object) -> str:
    # Python refuses to write out numbers with too many digits.
    if isinstance(value, int) and value.bit_length() > 128:
        return "a huge number"
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return text if len(text) <= 40 else text[:39] + "…"


_AT_LINE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)\s*$")
FOREIGN_LIMIT = 64 * 1024  #: characters in a document not in pbem's own spelling
_KEY_PART = r"""(?:(?<![\w-])[\w-]++|"[^"\n]*"|'[^'\n]*')[ \t]*+\.[ \t]*+"""
_DEEP_KEY = re.compile(f"(?:{_KEY_PART}){{16}}", re.ASCII)
_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_MOST_NESTED = 8


def utf8(data: bytes, kind: str, hint: str) -> str:
    """Decode bytes. Raise BadInput ``<kind>/not-utf8``, which names the line."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput(f"{kind}/not-utf8", f"line {line} is not UTF-8", hint) from None


def load(text: str, kind: str) -> dict[str, Any]:
    """Parse a document. Raise BadInput ``<kind>/toml``, which names the line that is not TOML."""
    document = parse_own_spelling(text)
    if document is not None:
        return document
    # Then a person wrote it, so it is short. tomllib takes quadratic time for long keys.
    if len(text) > FOREIGN_LIMIT:
        problem = f"is not as pbem writes it, and it has over {FOREIGN_LIMIT} letters"
        raise BadInput(f"{kind}/toml", f"the file {problem}", GET_AGAIN_HINT)
    if deep_key := _DEEP_KEY.search(text):
        number = text.count("\n", 0, deep_key.start()) + 1
        raise BadInput(f"{kind}/toml", f"line {number} is not TOML: a key in too many parts", GET_AGAIN_HINT)
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        hint = "is it the right file?"
        raise BadInput(f"{kind}/toml", "lists or tables nested too deeply", hint) from None
    except ValueError as error:  # TOMLDecodeError, or int() of a million digits
        raise _toml_error(str(error), text, kind) from None


def _toml_error(problem: str, text: str, kind: str) -> BadInput:
    """Return the error for a ``problem`` that tomllib found, with the number of its line."""
    match = _AT_LINE.search(problem)
    number = int(match[1]) if match and match[1] else text.count("\n") + 1
    line = "".join(text.split("\n")[number - 1 : number])
    has_curly_quotes = any(quote in line for quote in "“”„«»‘’")
    hint = 'use straight quotes: "' if has_curly_quotes else "texts stand in straight quotes, lists in [ ]"
    # remove quotations from the file, which may hold anything
    summary = re.sub(r"['\"].*", "", _AT_LINE.sub("", problem).split("\n", 1)[0]).strip(" :(.")
    reason = summary[:1].lower() + summary[1:80] or "unreadable"
    return BadInput(f"{kind}/toml", f"line {number} is not TOML: {reason}", hint)


def dump(document: dict[str, Any]) -> str:
    """Return the document as TOML with LF and a newline at the end. Raise OurFault if it cannot be written."""
    if fault := _find_unwritable(document):
        raise OurFault("document/type", f"document{fault.place}: {fault.reason}")
    return tomli_w.dumps(document).rstrip("\n") + "\n"


class _Unwritable(NamedTuple):
    place: str  #: ``.players[2]``; "" for the value itself
    reason: str


def _find_unwritable(value: object, depth: int = 0) -> _Unwritable | None:
    """Return the first part of a value that cannot be written; None if all of it can be."""
    if depth > _MOST_NESTED:
        return _Unwritable("", "nested too deeply to be written")
    if isinstance(value, str):
        return None if _is_writable(value) else _Unwritable("", "text that UTF-8 cannot hold")
    rows: Iterable[tuple[object, object]]
    if isinstance(value, dict):
        if not all(isinstance(key, str) and key and _is_writable(key) for key in value):
            return _Unwritable("", "a key is not plain text")
        rows, place = value.items(), ".{}"
    elif isinstance(value, list):
        rows, place = enumerate(value), "[{}]"
    elif isinstance(value, int) and _LOWEST <= value <= _HIGHEST:
        return None
    else:
        return _Unwritable("", f"cannot write this ({type(value).__name__})")
    for key, member in rows:
        if fault := _find_unwritable(member, depth + 1):
            return fault._replace(place=place.format(key) + fault.place)
    return None


def _is_writable(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text)
