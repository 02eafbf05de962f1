"""Correcting what a state says: one fact of the public position, or one hidden value.

What lives here: what the link of some corrections is made of, and whether the game can go on from
it. What must never be here: files; a hidden value in a ruling, a message or a report.
Laws: what cannot be a position of the game is refused, and what makes another pile of a pile
(fields.py); a hidden value gets a slot of the new link, its old commitment stays, and nothing
is dealt again.
Source: docs/SPECIFICATION.md section 9 (rulings); decision 0005.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pbem.engine import laws
from pbem.engine.settings import EncodedState
from pbem.errors import BadInput, PbemError, Refused
from pbem.moderator.chain.link import Ruling
from pbem.moderator.chain.position import Position
from pbem.moderator.ruling.correct import corrected, edited, of_fact, of_slot, same
from pbem.moderator.ruling.fields import nearest, path_of, pile_of, refuse_others
from pbem.moderator.ruling.kind import Basis

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
            lay_in = position.link.stands_for(change.field)
            rulings.append(of_slot(change.field, lay_in, stand_in, reason))
            replaced[change.field] = stand_in
        else:
            field = path_of(position.game, change.field)
            public, old = _edited(position, public, field, change)
            if old == change.new:
                raise _nothing(change.field)
            rulings.append(of_fact(field, old, change.new, reason))
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


def _nothing(field: str) -> BadInput:
    return BadInput(
        "correct/nothing", f"{field} would not change, or is named twice", "leave it out"
    )
