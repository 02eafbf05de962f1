"""Correcting what a state says: one fact of the public position, or one hidden value.

What lives here: finding a fact by its path, putting another in its place, the rulings that say so.
What must never be here: files; a hidden value in a ruling, a message or a report.
Laws: what cannot be a position of the game is refused, and what makes another pile of a pile
(fields.py); a hidden value gets a slot of the new link, its old commitment stays, and nothing
is dealt again.
Source: docs/SPECIFICATION.md section 9 (rulings); decision 0005.
"""

import copy
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pbem.engine import laws
from pbem.engine.settings import EncodedState
from pbem.errors import BadInput, PbemError, Refused
from pbem.moderator.chain.position import Position
from pbem.moderator.chain.ruling import Ruling
from pbem.moderator.ruling.amendment import Basis, corrected
from pbem.moderator.ruling.fields import nearest, path_of, pile_of, refuse_others

MOST = 200  #: characters of a fact
MOST_NAMES = 8  #: that are told where there is no such fact
KIND = "corrected"


class Change(NamedTuple):
    """One correction asked for: the path of a public fact, or a hidden slot, and what it is to be.

    Secrecy: ``new`` of a hidden slot is the moderator's alone.
    """

    field: str
    new: str


def change_of(text: str) -> Change:
    """``FIELD=NEW`` as the referee types it; BadInput ``correct/shape``."""
    field, sign, new = text.partition("=")
    field, new = field.strip(), " ".join(new.split())
    if not sign or not field or len(new) > MOST or not (new + field).isprintable() or " " in field:
        raise BadInput(
            "correct/shape",
            "a correction is FIELD=NEW on one line",
            'for example "squares.A5=red single", "turn=7" or "2/threat/07=3"',
        )
    return Change(field, new)


def correction_basis(position: Position, changes: Iterable[Change], reason: str) -> Basis:
    """What the link of these corrections is made of; Refused or BadInput ``correct/…``."""
    wanted = tuple(changes)
    hidden = position.game.encode(position.state).hidden
    values = {slot: thing.for_sealing() for slot, thing in hidden.items()}
    public, rulings, replaced = position.link.position, list[Ruling](), dict[str, str]()
    for change in wanted:
        if change.field in values:
            if change.field in replaced or values[change.field] == change.new:
                raise _nothing(change.field)
            _in_its_pile(position, change)
            values[change.field] = change.new
            stand_in = f"{position.link.n + 1}/{KIND}/{len(replaced) + 1}"
            told = (("slot", change.field), ("old", position.link.stands_for(change.field)))
            rulings.append(Ruling("correct", (*told, ("new", stand_in)), reason))
            replaced[change.field] = stand_in
        else:
            field = path_of(position.game, change.field)
            public, old = _edited(position, public, field, change)
            if old == change.new:
                raise _nothing(change.field)
            told = (("field", field), ("old", old))
            rulings.append(Ruling("correct", (*told, ("new", change.new)), reason))
    state = _state(position, public, values)
    _check(position, state, public, values)
    refuse_others(position, state, replaced)
    return corrected(position, state, tuple(rulings), replaced)


def _edited(
    position: Position, public: Mapping[str, Any], field: str, change: Change
) -> tuple[dict[str, Any], str]:
    """The same as ``edited``; where there is no such fact, it says which are near."""
    try:
        return edited(public, field, change.new)
    except BadInput as error:
        if error.code != "correct/field" or field.partition(".")[0] not in public:
            raise
        near = nearest(position.game, public, change.field)
        there = ", ".join(near[:MOST_NAMES]) + (", …" if len(near) > MOST_NAMES else "")
        raise BadInput(
            error.code,
            error.message,
            f"for example {there}; `pbem show DIR --json` has the position",
        ) from None


def _in_its_pile(position: Position, change: Change) -> None:
    """What was drawn from a pile is one of the things it was made of."""
    kind = pile_of(change.field)
    for pile in position.game.piles(position.config):
        if pile.name == kind and change.new not in pile.items:
            raise Refused(
                "correct/not-in-pile",
                f"the pile {kind} has no such thing",
                f"it has {', '.join(sorted(set(pile.items)))}",
            )


def edited(public: Mapping[str, Any], field: str, new: str) -> tuple[dict[str, Any], str]:
    """The position with one fact changed, and what it was before; BadInput ``correct/field``.

    ``turn`` is a key; ``squares.A5`` the row that begins with A5 (``squares.3``: the row at place
    3), where "" takes it away and a new one may be added; ``colours.red.hand`` one word of a row:
    what stands behind ``hand=``, or, by its number, any word of it.
    """
    key, *path = field.split(".")
    changed = copy.deepcopy(dict(public))
    value = changed.get(key)
    if isinstance(value, list) and _texts(value) and 1 <= len(path) <= 2:
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
        return int(new)
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
    row = new if by_number or not new else _row(path[0], new)
    if at is None:
        rows.append(row)
    elif row:
        rows[at] = row
    else:
        del rows[at]
    return rows, old if by_number else old.partition(" ")[2] or old


def _index(name: str) -> int | None:
    """A part of a path that is a place, from 0; None where it is a name."""
    return int(name) if re.fullmatch("[0-9]{1,6}", name) else None


def _row(name: str, rest: str) -> str:
    return rest if rest.partition(" ")[0] == name else f"{name} {rest}"


def _place(rows: list[str], name: str) -> int | None:
    number = _index(name)
    if number is not None:
        return number if number < len(rows) else None
    found = [at for at, row in enumerate(rows) if row.partition(" ")[0] == name]
    return found[0] if len(found) == 1 else None


def _in_row(field: str, row: str, name: str, new: str) -> tuple[str, str]:
    words = row.split(" ")
    for at, word in enumerate(words):
        key, sign, old = word.partition("=")
        if sign and key == name:
            words[at] = f"{key}={new}"
            return " ".join(words), old
    number = _index(name)
    if number is None or number >= len(words) or not new:
        raise _no_field(field)
    old, words[number] = words[number], new
    return " ".join(words), old


def same(public: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two positions say the same; in which order rows of a list stand is the game's."""
    if public.keys() != other.keys():
        return False
    return all(_sorted(public[key]) == _sorted(other[key]) for key in public)


def _sorted(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) and _texts(value) else value


def _texts(rows: list[Any]) -> bool:
    return all(isinstance(row, str) for row in rows)


def _state(position: Position, public: Mapping[str, Any], values: Mapping[str, str]) -> Any:
    try:
        return position.game.decode(position.config, public, values)
    except (PbemError, ValueError, LookupError, TypeError, AttributeError):
        raise Refused(
            "correct/no-position", "that would not be a position of this game", WAY
        ) from None


WAY = "correct all that belongs together at once: FIELD=NEW FIELD=NEW …"


def _check(
    position: Position, state: Any, public: Mapping[str, Any], values: Mapping[str, str]
) -> None:
    """It is what was asked for, and the game can go on from it."""
    again = _encoded(position, state)
    hidden = {slot: thing.for_sealing() for slot, thing in again.hidden.items()}
    if hidden != values:
        raise Refused("correct/hidden", "other things would be hidden then", WAY)
    if not same(again.public, public):
        raise Refused("correct/no-position", "the position would contradict itself", WAY)

    place = laws.Place(position.game, position.config, state, _first)
    for law in laws.OF_POSITIONS:
        if _broken(law, place):
            raise Refused("correct/laws", "the game could not go on from that position", WAY)


def _first(bound: int) -> int:
    """The laws of one position draw nothing; they want to be able to."""
    return 0 * bound


def _encoded(position: Position, state: Any) -> EncodedState:
    try:
        return position.game.encode(state)
    except (PbemError, ValueError, LookupError, TypeError, AttributeError):
        raise Refused(
            "correct/no-position", "that would not be a position of this game", WAY
        ) from None


def _broken(law: Any, place: Any) -> bool:
    """What a law found is not told: it may quote what is hidden."""
    try:
        return law(place) is not None
    except Exception:  # noqa: BLE001  (a position that a game cannot bear is no position)
        return True


def _no_field(field: str) -> BadInput:
    return BadInput(
        "correct/field",
        f"there is no {field[:60]!r} in this position",
        "see the fields with `pbem show DIR --json`, hidden slots with `--secret`",
    )


def _nothing(field: str) -> BadInput:
    return BadInput(
        "correct/nothing", f"{field} would not change, or is named twice", "leave it out"
    )
