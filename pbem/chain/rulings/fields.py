"""The facts of a public position: how one is found and changed by its path, what it is called.

``turn`` is a key; ``squares.A5`` a row, "square A5"; ``colours.red.hand`` one word of a row. What
must never be here: the rules of a game, a hidden value that is not open to all; the titles, which
a game brings (``field_titles``), by the key of the position, with ``*`` for a row and the word
behind it, and the names that a referee may type for the words of a row (``field_names``).
Source: docs/SPECIFICATION.md section 9 ("Field"); docs/NEW-GAME.md section 10.
"""

import copy
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.chain.rows import number
from pbem.engine import optional_parts
from pbem.engine.optional_parts import field_names, field_titles
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.engine.game import Game

SHOWN = 60  #: letters of a part of a state
LONG = 10  #: digits that are no place of anything
SHORT = 3  #: words of a row, with its name, that are told whole


def edited(public: Mapping[str, Any], field: str, new: str) -> tuple[dict[str, Any], str]:
    """The position with one fact changed, and what it was before; BadInput ``correct/field``.

    ``turn`` is a key; ``squares.A5`` the row that begins with A5 (``squares.3``: the row at place
    3), where "" takes it away and a new one may be added; ``colours.red.hand`` one word of a row:
    what stands behind ``hand=``, or, by its number, any word of it.
    """
    if new and not all(new.split(" ")):
        raise BadInput("correct/blanks", f"{field[:60]} has single blanks alone", "take them out")
    key, *path = field.split(".")
    changed = copy.deepcopy(dict(public))
    value: Any = changed.get(key)
    if _texts(value) and 1 <= len(path) <= 2:
        changed[key], old = _in_rows(field, list(value), path, new)
    elif path or isinstance(value, (list, dict, bool)) or value is None:
        raise _no_field(field)
    else:
        changed[key], old = _like(value, new, field), str(value)
    return changed, old


def _like(value: Any, new: str, field: str) -> Any:
    if not isinstance(value, int):
        return new
    try:
        return number(new)
    except ValueError:
        raise BadInput("correct/number", f"{field} is a number", f"for example {field}=3") from None


def _in_rows(field: str, rows: list[str], path: list[str], new: str) -> tuple[list[str], str]:
    at = _place(rows, path[0])
    if len(path) == 2:
        if at is None:
            raise _no_field(field)
        rows[at], old = _in_row(field, rows[at], path[1], new)
        return rows, old
    old = rows[at] if at is not None else ""
    by_number = _index(path[0]) is not None
    if at is None and (not new or by_number):
        raise _no_field(field)
    named = by_number or not new or new.partition(" ")[0] == path[0]
    row = new if named else f"{path[0]} {new}"
    if at is None:
        rows.append(row)
    elif row:
        rows[at] = row
    else:
        del rows[at]
    return rows, old if by_number else old.partition(" ")[2] or old


def _index(name: str) -> int | None:
    """A part of a path that is a place, from 0; None where it is a name."""
    return int(name) if re.fullmatch("0|[1-9][0-9]{0,5}", name) else None


def _place(rows: list[str], name: str) -> int | None:
    if (number := _index(name)) is not None:
        return number if number < len(rows) else None
    found = [at for at, row in enumerate(rows) if row.partition(" ")[0] == name]
    return found[0] if len(found) == 1 else None


def _in_row(field: str, row: str, name: str, new: str) -> tuple[str, str]:
    words = row.split(" ")
    if not new or " " in new:
        raise _no_field(field)
    for at, word in enumerate(words):
        key, sign, old = word.partition("=")
        if sign and key == name:
            words[at] = f"{key}={new}"
            return " ".join(words), old
    number = _index(name)
    if number is None or number >= len(words):
        raise _no_field(field)
    old, words[number] = words[number], new
    return " ".join(words), old


def same(public: Mapping[str, Any], wanted: Mapping[str, Any], before: Mapping[str, Any]) -> bool:
    """Whether a position is the one that is ``wanted``; only where a new row stands is the game's.

    Rows that were there ``before`` stay in their order, which may mean something.
    """
    keys = public.keys() == wanted.keys()
    return keys and all(_same(public[key], wanted[key], before.get(key)) for key in wanted)


def _same(value: Any, wanted: Any, before: Any) -> bool:
    if value == wanted or not (_texts(value) and _texts(wanted) and _texts(before)):
        return bool(value == wanted)
    new = Counter(wanted) - Counter(before)
    old = ([row for row in rows if row not in new] for rows in (value, wanted))
    return sorted(value) == sorted(wanted) and next(old) == next(old)


def _texts(rows: Any) -> bool:
    return isinstance(rows, list) and all(isinstance(row, str) for row in rows)


def _no_field(field: str) -> BadInput:
    hint = "see the fields with `pbem show DIR --json`, hidden slots with `--secret`"
    return BadInput("correct/field", f"there is no {field[:60]!r} in this position", hint)


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


def slot_words(game: "Game | None", public: Mapping[str, Any], slot: str) -> str:
    """A hidden thing in words: by the game itself where it names its slots, else by its place."""
    if named := optional_parts.slot_words(game, public, slot):
        return named
    maker, _, rest = slot.partition("/")
    kind, _, place = rest.rpartition("/")
    short = place.isascii() and place.isdecimal() and len(place) < LONG
    number = int(place) + (kind != "order") if short else place
    return f"{kind.replace('/', ' ') or slot} {number} of state {maker}"[:SHOWN]


def field_words(game: object, public: Mapping[str, Any], field: str) -> str:
    """The fact at ``field`` in words; the path itself where the game has none for it."""
    titles = field_titles(game)
    key, *path = field.split(".")
    row = _words_at(public.get(key), path[0]) if path else []
    for pattern, rest in _patterns(key, path, row):
        try:
            return titles[pattern].format(*row) + rest
        except LookupError:  # no such title, or one that needs more of the row
            continue
    return field


def allowed(game: object, public: Mapping[str, Any], field: str) -> str:
    """What may be written at ``field``, in words, where the game says so."""
    titles, (key, *path) = field_titles(game), path_of(game, field).split(".")
    row = _words_at(public.get(key), path[0]) if path else []
    may = next((titles[f"{x}="] for x, _ in _patterns(key, path, row) if f"{x}=" in titles), "")
    what = field_words(game, public, ".".join([key, *path]))
    return f"{field} ({what}) can be {may.format(*row)}" if may else ""


def differing(
    game: object, public: Mapping[str, Any], field: str, old: str, new: str
) -> list[tuple[str, str, str]]:
    """(fact in words, old, new) of each word of a row that is another; [] where it is no such row.

    Only where every one of these words has a title of its own: else the rows are told whole.
    """
    titles = field_titles(game)
    key, *path = field.split(".")
    if len(path) != 1 or _index(path[0]) is not None:
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


def _words_at(rows: Any, name: str) -> list[str]:
    """The words of the row that a path names; of a new one, its name."""
    texts = [str(text) for text in rows] if isinstance(rows, list) else []
    if (at := _index(name)) is not None:
        return texts[at].split(" ") if at < len(texts) else [name]
    return next((text.split(" ") for text in texts if text.partition(" ")[0] == name), [name])


def _patterns(key: str, path: list[str], row: list[str]) -> Iterator[tuple[str, str]]:
    """Titles that would do, the closest first, and what each leaves unsaid."""
    if len(path) == 2:
        name = path[1]
        if (at := _index(name)) is not None and at < len(row) and "=" in row[at]:
            name = row[at].partition("=")[0]
        yield f"{key}.*.{name}", ""
        yield f"{key}.*", ""
    elif path:
        yield f"{key}.*", ""
    yield key, f" ({'.'.join(path)})" if path else ""
