"""What a fact of a position is called, for players: ``squares.A5`` is "square A5".

What lives here: a fact in words, the names that a referee may type for the words of a row, what
of a row is another. What must never be here: the titles; a game brings its own (``field_titles``),
by the key of the position, with ``*`` for a row and the word behind it, and names of words
(``field_names``).
Source: FORMAT.md "Rulings" for the path of a fact; docs/NEW-GAME.md section 10.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.optional_parts import field_names, field_titles, misfit, piles_now
from pbem.errors import Refused

if TYPE_CHECKING:
    from pbem.engine.settings import Pile
    from pbem.moderator.chain.position import Position

MOST_SHOWN = 12
#: by pile, how often each thing is in it
Held = dict[str, Counter[str]]


def held(position: "Position", state: Any) -> Held:
    """What every pile holds in a State: by the game itself, else by the slots that are hidden.

    Secrecy: the moderator's alone.
    """
    names = {pile.name for pile in position.game.piles(position.config)}
    found: Held = {}
    for slot, thing in position.game.encode(state).hidden.items():
        pile = pile_of(slot)
        if pile in names:
            found.setdefault(pile, Counter())[thing.for_sealing()] += 1
    whole = piles_now(position.game, state)
    return found | {name: Counter(things) for name, things in whole.items()}


def pile_of(slot: str) -> str:
    """The pile that a slot of the deal belongs to, if it is one of the deal."""
    return slot.partition("/")[2].rpartition("/")[0]


def refuse_others(position: "Position", state: Any, slots: Iterable[str]) -> None:
    """Refused ``correct/pile`` where a pile of ``state`` is no rearrangement of what it was, and
    ``correct/box`` where the table has what the box has not.

    ``slots`` are those that were corrected; the hint names one of the pile, and no value.
    """
    _refuse_misfit(position, state)
    before, after = held(position, position.state), held(position, state)
    piles: Mapping[str, Pile] = {p.name: p for p in position.game.piles(position.config)}
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) == after.get(name):
            continue
        slot = next((corrected for corrected in slots if pile_of(corrected) == name), "")
        hint = f"swap two things: {slot}=… and the place that holds what you put there"
        raise Refused(
            "correct/pile",
            f"the pile {name} {_made_of(piles.get(name))}, and that would change",
            hint if slot else "correct the hidden place of the other thing as well",
        )


def _refuse_misfit(position: "Position", state: Any) -> None:
    """The words are of public facts alone: an audit tells them to everybody."""
    wrong = misfit(position.game, state)
    if wrong:
        raise Refused("correct/box", wrong, "`pbem show DIR --json` says what is where")


def _made_of(pile: "Pile | None") -> str:
    if pile is None:
        return "has each of its things once"
    counted = Counter(pile.items)
    if len(counted) > MOST_SHOWN:
        return f"was made of {len(pile.items)} things"
    things = ", ".join(f"{thing} ({_times(n)})" for thing, n in sorted(counted.items()))
    return f"was made of {things}"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


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
