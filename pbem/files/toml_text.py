"""TOML as text, both ways: the one reader and the one writer of TOML in pbem.

What lives here: tomllib with errors in one line (toml_rows.py first, for what we wrote ourselves),
tomli_w with a narrow set of types.
What must never be here: what the keys mean.
Law: nothing but text, whole numbers, flags, lists and tables is written; keys keep their order.
Source: TOML 1.0; FORMAT.md section 1; docs/DESIGN.md P9 (same document, same bytes).
"""

import re
from typing import Any

import tomli_w

from pbem.errors import BadInput, OurFault
from pbem.files.toml_rows import read_rows

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
        raise BadInput(
            f"{kind}/toml", "lists or tables nested too deeply", "is it the right file?"
        ) from None
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
        return all(_key(key) and _plain(inner, depth + 1) for key, inner in rows)
    return kind is bool or (kind is int and _LOWEST <= value <= _HIGHEST)  # type: ignore[operator]


def _key(key: object) -> bool:
    return type(key) is str and key != "" and _writable(key)


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
