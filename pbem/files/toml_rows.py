"""The TOML that pbem itself writes, read five times as fast as any TOML.

What lives here: ``read_rows``, for documents of texts, whole numbers, flags, lists of texts and
tables one or two deep, each spelt the one way the writer spells it. What must never be here: a
spelling that TOML does not have, an error message: whatever looks otherwise is left to tomllib.
Law: what is read here, tomllib reads the same (tests/files/test_toml_rows.py).
Reason: every command reads states, and `verify` reads all of them: 0.8 ms each by tomllib.
"""

import re
from typing import Any

# No control character and no backslash but in `\n` and `\"`: to unescape is to replace two pairs.
_BARE = r'[^"\\\x00-\x1f\x7f]*'
_TEXT = rf'"{_BARE}(?:\\[n"]{_BARE})*"'
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
    return text.replace("\\n", "\n").replace('\\"', '"') if "\\" in text else text
