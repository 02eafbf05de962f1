"""What a fact of a position is called, for players: ``squares.A5`` is "square A5".

What lives here: a fact in words, the names that a referee may type for the words of a row, what
of a row is another. What must never be here: the titles; a game brings its own (``field_titles``),
by the key of the position, with ``*`` for a row and the word behind it, and names of words
(``field_names``).
Source: FORMAT.md "Rulings" for the path of a fact; docs/NEW-GAME.md section 10.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.optional_parts import field_names, field_titles

SHORT = 3  #: words of a row, with its name, that are told whole


def field_words(game: object, public: Mapping[str, Any], field: str) -> str:
    """The fact at ``field`` in words; the path itself where the game has none for it."""
    titles = field_titles(game)
    key, *path = field.split(".")
    row = _row(public.get(key), path[0]) if path else []
    for pattern, rest in _patterns(key, path, row):
        try:
            return titles[pattern].format(*row) + rest
        except LookupError:  # no such title, or one that needs more of the row
            continue
    return field


def path_of(game: object, field: str) -> str:
    """The path of a fact as a ruling has it: a name that the game gives to a word is its number."""
    key, *path = field.split(".")
    names = field_names(game)
    number = names.get(f"{key}.*.{path[1]}") if len(path) == 2 else None
    return f"{key}.{path[0]}.{number}" if number else field


def nearest(game: object, public: Mapping[str, Any], field: str) -> list[str]:
    """Some paths that there are, the closest to one that there is not."""
    key, *path = field.split(".")
    rows = public.get(key)
    if not isinstance(rows, list):
        return [key]
    texts = [str(row).split(" ") for row in rows]
    row = next((words for words in texts if path and words[0] == path[0]), None)
    if row is None:
        return [f"{key}.{words[0]}" for words in texts]
    names = field_names(game)
    mine = (name.removeprefix(f"{key}.*.") for name in names if name.startswith(f"{key}.*."))
    known = [*mine, *(word.partition("=")[0] for word in row if "=" in word)]
    return [f"{key}.{row[0]}.{name}" for name in known] or [f"{key}.{row[0]}"]


def differing(
    game: object, public: Mapping[str, Any], field: str, old: str, new: str
) -> list[tuple[str, str, str]]:
    """(fact in words, old, new) of each word of a row that is another; [] where it is no such row.

    Only where every one of these words has a title of its own: else the rows are told whole.
    """
    titles = field_titles(game)
    key, *path = field.split(".")
    if len(path) != 1 or re.fullmatch("[0-9]{1,6}", path[0]):
        return []
    before, after = [path[0], *old.split(" ")], [path[0], *new.split(" ")]
    if after[1:2] == [path[0]]:  # the name of the row was typed once more
        del after[1]
    if len(before) != len(after) or len(before) <= SHORT:
        return []
    found = []
    for at, (was, other) in enumerate(zip(before, after, strict=True)):
        if was == other:
            continue
        name, sign, _ = was.partition("=")
        named = name if sign and other.startswith(f"{name}=") else str(at)
        if f"{key}.*.{named}" not in titles:
            return []
        said = field_words(game, public, f"{field}.{at}")
        cut = len(name) + 1 if named == name else 0
        found.append((said, was[cut:], other[cut:]))
    return found


def _row(rows: Any, name: str) -> list[str]:
    """The words of the row that a path names; of a new one, its name."""
    texts = [str(text) for text in rows] if isinstance(rows, list) else []
    if re.fullmatch("[0-9]{1,6}", name):
        at = int(name)
        return texts[at].split(" ") if at < len(texts) else [name]
    return next((text.split(" ") for text in texts if text.partition(" ")[0] == name), [name])


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
