"""What a fact of a position is called, for players: ``squares.A5`` is "square A5".

What lives here: ``field_words``. What must never be here: the titles; a game brings its own
(``field_titles``), by the key of the position, with ``*`` for a row and the word behind it.
Source: FORMAT.md "Rulings" for the path of a fact; docs/NEW-GAME.md section 10.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any


def field_words(game: object, public: Mapping[str, Any], field: str) -> str:
    """The fact at ``field`` in words; the path itself where the game has none for it."""
    titles: Mapping[str, str] = getattr(game, "field_titles", {})
    key, *path = field.split(".")
    row = _row(public.get(key), path[0]) if path else []
    for pattern, rest in _patterns(key, path, row):
        try:
            return titles[pattern].format(*row) + rest
        except LookupError:  # no such title, or one that needs more of the row
            continue
    return field


def _row(rows: Any, name: str) -> list[str]:
    """The words of the row that a path names; of a new one, its name."""
    texts = [str(one) for one in rows] if isinstance(rows, list) else []
    if re.fullmatch("[0-9]{1,6}", name):
        at = int(name)
        return texts[at].split(" ") if at < len(texts) else [name]
    return next((one.split(" ") for one in texts if one.partition(" ")[0] == name), [name])


def _patterns(key: str, path: list[str], row: list[str]) -> Iterator[tuple[str, str]]:
    """Titles that would do, the closest first, and what each leaves unsaid."""
    if len(path) == 2:
        name = path[1]
        if re.fullmatch("[0-9]{1,6}", name) and int(name) < len(row) and "=" in row[int(name)]:
            name = row[int(name)].partition("=")[0]
        yield f"{key}.*.{name}", ""
        yield f"{key}.*", ""
    elif path:
        yield f"{key}.*", ""
    yield key, f" ({'.'.join(path)})" if path else ""
