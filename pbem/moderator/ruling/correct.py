"""The ruling by which what a state says is another: one public fact, or one hidden thing.

What lives here: CORRECT; finding a fact by its path, putting another in its place; what facts and
slots are called, for players: ``squares.A5`` is "square A5". What must never be here: the rules of
a game (correction.py), a hidden value that is not open to all; the titles; a game brings its own
(``field_titles``), by the key of the position, with ``*`` for a row and the word behind it.
Laws: a hidden thing gets a slot of the new link, its old commitment stays, and nothing is dealt
again; a fact of the position is called as its game calls it.
Source: docs/SPECIFICATION.md section 9 (rulings, and "Field");
docs/NEW-GAME.md section 10; docs/DESIGN.md P5, P10; decision 0005.
"""

import copy
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.engine import optional_parts
from pbem.engine.optional_parts import field_titles
from pbem.errors import BadInput, PbemError, Refused
from pbem.moderator.chain.link import Link, Ruling
from pbem.moderator.chain.position import Position, Seals
from pbem.moderator.chain.rows import number
from pbem.moderator.ruling.kind import Basis, Kind, PositionAt, Sight, commitments, stale

if TYPE_CHECKING:
    from pbem.engine.game import Game


KIND = "corrected"  #: of the slots of what lies there after a correction


def corrects_hidden(ruling: Ruling) -> bool:
    """Whether it corrects a hidden value: then its operands are slots alone."""
    return ruling.name == CORRECT.name and bool(ruling.operand("slot"))


def corrections(link: Link) -> list[str]:
    """What a link corrected, as all may read it."""
    return [CORRECT.says(ruling) for ruling in link.rulings if ruling.name == CORRECT.name]


def corrected(
    position: Position, state: Any, rulings: tuple[Ruling, ...], replaced: Mapping[str, str]
) -> Basis:
    """Another State; ``replaced``: the game's slots whose value is another, to their new slots."""
    now = stale(position.link)
    rows = dict(now.replaced) | dict(replaced)
    return Basis(now._replace(replaced=tuple(sorted(rows.items()))), state, rulings)


def _words(ruling: Ruling) -> str:
    field, old, new = (ruling.operand(name) for name in ("field", "old", "new"))
    if corrects_hidden(ruling):
        return f"what lies hidden in {ruling.operand('slot')} is corrected (from now on: {new})"
    return f"{field} is corrected from `{old or 'nothing'}` to `{new or 'nothing'}`"


def _in_full(ruling: Ruling, before: Link, _: Link, sight: Sight) -> str:
    if not corrects_hidden(ruling):
        field, values = ruling.operand("field"), (ruling.operand("old"), ruling.operand("new"))
        if parts := differing(sight.game, before.position, field, *values):
            return "; ".join(f"{what}: corrected from `{a}` to `{b}`" for what, a, b in parts)
        old, new = (f"`{value}`" if value else "nothing" for value in values)
        what = field_words(sight.game, before.position, field)
        return f"{what}: corrected from {old} to {new}"
    slot = ruling.operand("slot")
    what, n = slot_words(sight.game, before.position, slot), before.n
    old, new = sight.value(n, slot), sight.value(n + 1, slot)
    if old and new:
        return f"{what}, which lay hidden: corrected from {old} to {new}"
    places = f"in the states: {slot}, from now on {ruling.operand('new')}"
    return f"{what} is corrected; it lies hidden, its values are shown at the end ({places})"


def _after(before: Link, ruling: Ruling) -> Link:
    """Rows that several corrections take away or add are named as each of them finds them."""
    try:
        position, _ = edited(before.position, ruling.operand("field"), ruling.operand("new"))
    except PbemError:  # it is no public fact, or there is none such
        return before
    return before._replace(position=position)


def _carry(newest: Position, link: Link, _: PositionAt, seals: Seals) -> Basis | None:
    """A hidden value as it is now sealed; whether it is right, only the referee can say.

    That its pile is still made of the same things, ``correction_basis`` looks at.
    """
    from pbem.moderator.ruling.correction import Change, correction_basis

    tokens = {sealed.slot: sealed.token for sealed in link.sealed}
    changes = []
    try:
        for ruling in link.rulings:
            field, new = ruling.operand("field"), ruling.operand("new")
            if corrects_hidden(ruling):
                field, new = ruling.operand("slot"), seals.open(new, tokens[new])
            changes.append(Change(field, new))
    except (PbemError, KeyError, UnicodeDecodeError):
        return None
    return correction_basis(newest, changes, link.rulings[0].reason)


def _wrong(link: Link, before: Link, _: Mapping[int, Link]) -> str:
    """The fields it names and no others; a hidden value by a new slot, made in this state."""
    position: Mapping[str, Any] = before.position
    replaced, sealed, new = dict(before.replaced), commitments(before), dict(link.commits)
    for ruling in link.rulings:
        if corrects_hidden(ruling):
            slot, old, other = (ruling.operand(key) for key in ("slot", "old", "new"))
            named = other == f"{link.n}/{KIND}/{len(link.commits) - len(new) + 1}" and other in new
            if before.stands_for(slot) != old or old not in sealed or not named:
                return f"corrects {slot} otherwise than it says"
            replaced[slot] = other
            del sealed[old]
            sealed[other] = new.pop(other)
            continue
        field, was = ruling.operand("field"), position
        try:
            position, old = edited(position, field, ruling.operand("new"))
        except PbemError:
            return f"corrects {field}, which there is not"
        if old != ruling.operand("old"):
            return f"corrects {field} and says wrongly what it was"
        if position == was:
            return f"corrects {field}, and it is as it was"
    if new or commitments(link) != sealed or link.replaced != tuple(sorted(replaced.items())):
        return "replaces another hidden value than it says"
    kept = same(link.position, position, before.position)
    return "" if kept else "corrects more than it says"


CORRECT = Kind(
    "correct",
    words=_words,
    carry=_carry,
    ways=("field old new", "slot old new"),
    in_full=_in_full,
    wrong=_wrong,
    after=_after,
    anew=lambda ruling, _: not corrects_hidden(ruling),
    several=True,
    voids=True,
    moved=True,
)


def out_of_order(before: Position, state: Any, rulings: Sequence[Ruling]) -> str:
    """What a pile or the box cannot be after the corrections among ``rulings``; "" if all can."""
    from pbem.moderator.ruling.correction import refuse_others

    corrected = [one for one in rulings if one.name == CORRECT.name]
    slots = [one.operand("slot") for one in corrected if corrects_hidden(one)]
    try:
        if corrected:
            refuse_others(before, state, slots)
    except Refused as error:
        return error.message
    return ""


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


SHOWN = 60  #: letters of a part of a state
LONG = 10  #: digits that are no place of anything
SHORT = 3  #: words of a row, with its name, that are told whole


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
