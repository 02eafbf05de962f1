"""Facts of a public position: finding and changing one by its path, and naming it in words.

A path is a key (``turn``), a row (``squares.A5``), or a word of a row (``colours.red.hand``). A
game brings titles (``field_titles``) by the same paths, with ``*`` for the row, and names for the
words of a row (``field_names``).
Not allowed here: the rules of a game; a hidden value that is not public.
Source: docs/SPECIFICATION.md section 9 ("Field"); docs/NEW-GAME.md section 10.
"""

import copy
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.rows import parse_number
from pbem.engine import optional_parts
from pbem.engine.optional_parts import field_names, field_titles
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.engine.game import Game

MAX_WORDS_LENGTH = 60  #: characters of a slot in words
MAX_INDEX_DIGITS = 10  #: a number with so many digits is not an index
SHORT_ROW = 3  #: rows of at most so many words, with the name, are shown whole


def edit_fact(public: Mapping[str, Any], field: str, new_text: str) -> tuple[dict[str, Any], str]:
    """Return the position with one fact changed, and the old text of that fact. ``squares.A5`` is
    the row that begins with A5; ``squares.3`` is the row at index 3. An empty ``new_text`` removes
    a row; a name that has no row adds one. ``colours.red.hand`` is what follows ``hand=`` in a row;
    a number names any word of it. Raises BadInput ``correct/…``.
    """
    if new_text and not all(new_text.split(" ")):
        raise BadInput("correct/blanks", f"{field[:60]} has single blanks alone", "take them out")
    key, *path = field.split(".")
    position = copy.deepcopy(dict(public))
    value: Any = position.get(key)
    if _is_list_of_texts(value) and 1 <= len(path) <= 2:
        position[key], old_text = _edit_rows(field, list(value), path, new_text)
    elif path or isinstance(value, (list, dict, bool)) or value is None:
        raise _no_field_error(field)
    else:
        position[key], old_text = _convert_like(value, new_text, field), str(value)
    return position, old_text


def _convert_like(value: Any, text: str, field: str) -> Any:
    if not isinstance(value, int):
        return text
    try:
        return parse_number(text)
    except ValueError:
        raise BadInput("correct/number", f"{field} is a number", f"for example {field}=3") from None


def _edit_rows(field: str, rows: list[str], path: list[str], new_text: str) -> tuple[list[str], str]:
    index = _find_row_index(rows, path[0])
    if len(path) == 2:
        if index is None:
            raise _no_field_error(field)
        rows[index], old_text = _edit_row(field, rows[index], path[1], new_text)
        return rows, old_text
    old_text = rows[index] if index is not None else ""
    is_by_index = _parse_index(path[0]) is not None
    if index is None and (not new_text or is_by_index):
        raise _no_field_error(field)
    is_complete = is_by_index or not new_text or new_text.partition(" ")[0] == path[0]
    row = new_text if is_complete else f"{path[0]} {new_text}"
    if index is None:
        rows.append(row)
    elif row:
        rows[index] = row
    else:
        del rows[index]
    return rows, old_text if is_by_index else old_text.partition(" ")[2] or old_text


def _parse_index(name: str) -> int | None:
    """Return a part of a path as an index from 0; None if it is a name."""
    return int(name) if re.fullmatch("0|[1-9][0-9]{0,5}", name) else None


def _find_row_index(rows: list[str], name: str) -> int | None:
    if (index := _parse_index(name)) is not None:
        return index if index < len(rows) else None
    matches = [row_index for row_index, row in enumerate(rows) if row.partition(" ")[0] == name]
    return matches[0] if len(matches) == 1 else None


def _edit_row(field: str, row: str, name: str, new_word: str) -> tuple[str, str]:
    words = row.split(" ")
    if not new_word or " " in new_word:
        raise _no_field_error(field)
    for word_index, word in enumerate(words):
        key, separator, old_word = word.partition("=")
        if separator and key == name:
            words[word_index] = f"{key}={new_word}"
            return " ".join(words), old_word
    index = _parse_index(name)
    if index is None or index >= len(words):
        raise _no_field_error(field)
    old_word, words[index] = words[index], new_word
    return " ".join(words), old_word


def is_same_position(public: Mapping[str, Any], expected: Mapping[str, Any], previous: Mapping[str, Any]) -> bool:
    """Whether a position equals ``expected``, apart from where the game puts a new row. Rows that
    ``previous`` had must stay in order, since their order may matter.
    """
    has_same_keys = public.keys() == expected.keys()
    return has_same_keys and all(_is_same_value(public[key], expected[key], previous.get(key)) for key in expected)


def _is_same_value(value: Any, expected: Any, previous: Any) -> bool:
    if not all(map(_is_list_of_texts, (value, expected, previous))):
        return bool(value == expected)
    added_rows = Counter(expected) - Counter(previous)
    old_rows, expected_old_rows = ([row for row in rows if row not in added_rows] for rows in (value, expected))
    return sorted(value) == sorted(expected) and old_rows == expected_old_rows


def _is_list_of_texts(rows: Any) -> bool:
    return isinstance(rows, list) and all(isinstance(row, str) for row in rows)


def _no_field_error(field: str) -> BadInput:
    hint = "see the fields with `pbem show DIR --json`, hidden slots with `--secret`"
    return BadInput("correct/field", f"there is no {field[:60]!r} in this position", hint)


def canonical_path(game: object, field: str) -> str:
    """Return the path of a fact as a ruling has it, with the number of a word in place of its name."""
    key, *path = field.split(".")
    names = field_names(game)
    word_number = names.get(f"{key}.*.{path[1]}") if len(path) == 2 else None
    return f"{key}.{path[0]}.{word_number}" if word_number else field


def find_similar_paths(game: object, public: Mapping[str, Any], field: str) -> list[str]:
    """Return paths that exist, the closest to one that does not."""
    key, *path = field.split(".")
    rows = public.get(key)
    if not isinstance(rows, list):
        return [key]
    word_lists = [str(row).split(" ") for row in rows]
    row = next((words for words in word_lists if path and words[0] == path[0]), None)
    if row is None:
        return [f"{key}.{words[0]}" for words in word_lists]
    names = field_names(game)
    row_names = (name.removeprefix(f"{key}.*.") for name in names if name.startswith(f"{key}.*."))
    suggested_names = [*row_names, *(word.partition("=")[0] for word in row if "=" in word)]
    return [f"{key}.{row[0]}.{name}" for name in suggested_names] or [f"{key}.{row[0]}"]


def describe_slot(game: "Game | None", public: Mapping[str, Any], slot: str) -> str:
    """Return a hidden value's slot in words: by the game if it names its slots, else by number."""
    if game_text := optional_parts.slot_words(game, public, slot):
        return game_text
    state_number, _, slot_path = slot.partition("/")
    kind, _, index_text = slot_path.rpartition("/")
    has_short_index = index_text.isascii() and index_text.isdecimal() and len(index_text) < MAX_INDEX_DIGITS
    label = int(index_text) + (kind != "order") if has_short_index else index_text
    return f"{kind.replace('/', ' ') or slot} {label} of state {state_number}"[:MAX_WORDS_LENGTH]


def describe_fact(game: object, public: Mapping[str, Any], field: str) -> str:
    """Return the title of the fact at ``field``; the path itself if the game gives it none."""
    titles = field_titles(game)
    key, *path = field.split(".")
    row_words = _find_row_words(public.get(key), path[0]) if path else []
    for pattern, suffix in _title_patterns(key, path, row_words):
        try:
            return titles[pattern].format(*row_words) + suffix
        except LookupError:  # there is no such title, or it needs more words than the row has
            continue
    return field


def describe_allowed(game: object, public: Mapping[str, Any], field: str) -> str:
    """Describe the values that ``field`` can have; "" if the game does not say."""
    titles, (key, *path) = field_titles(game), canonical_path(game, field).split(".")
    row_words = _find_row_words(public.get(key), path[0]) if path else []
    allowed_text = next(
        (titles[f"{pattern}="] for pattern, _ in _title_patterns(key, path, row_words) if f"{pattern}=" in titles), ""
    )
    title = describe_fact(game, public, ".".join([key, *path]))
    return f"{field} ({title}) can be {allowed_text.format(*row_words)}" if allowed_text else ""


class WordChange(NamedTuple):
    """A word of a row that a correction changes: its title, and the word before and after."""

    title: str
    old_word: str
    new_word: str


def list_differing_words(
    game: object, public: Mapping[str, Any], field: str, old_text: str, new_text: str
) -> list[WordChange]:
    """Return each word of a row that differs. Returns [] if the path is not
    such a row, or if one of these words has no title of its own: then the rows are shown whole.
    """
    titles = field_titles(game)
    key, *path = field.split(".")
    if len(path) != 1 or _parse_index(path[0]) is not None:
        return []
    old_words, new_words = [path[0], *old_text.split(" ")], [path[0], *new_text.split(" ")]
    if new_words[1:2] == [path[0]]:  # the name of the row was typed again
        del new_words[1]
    if len(old_words) != len(new_words) or len(old_words) <= SHORT_ROW:
        return []
    differences = []
    for index, (old_word, new_word) in enumerate(zip(old_words, new_words, strict=True)):
        if old_word == new_word:
            continue
        name, separator, _ = old_word.partition("=")
        word_name = name if separator and new_word.startswith(f"{name}=") else str(index)
        if f"{key}.*.{word_name}" not in titles:
            return []
        title = describe_fact(game, public, f"{field}.{index}")
        prefix_length = len(name) + 1 if word_name == name else 0
        differences.append(WordChange(title, old_word[prefix_length:], new_word[prefix_length:]))
    return differences


def _find_row_words(rows: Any, name: str) -> list[str]:
    """Return the words of the row that a path names; for a new row, its name."""
    texts = [str(text) for text in rows] if isinstance(rows, list) else []
    if (index := _parse_index(name)) is not None:
        return texts[index].split(" ") if index < len(texts) else [name]
    return next((text.split(" ") for text in texts if text.partition(" ")[0] == name), [name])


def _title_patterns(key: str, path: list[str], row: list[str]) -> Iterator[tuple[str, str]]:
    """Yield keys of titles that fit, the closest first, each with what the title leaves out."""
    if len(path) == 2:
        name = path[1]
        if (index := _parse_index(name)) is not None and index < len(row) and "=" in row[index]:
            name = row[index].partition("=")[0]
        yield f"{key}.*.{name}", ""
        yield f"{key}.*", ""
    elif path:
        yield f"{key}.*", ""
    yield key, f" ({'.'.join(path)})" if path else ""
