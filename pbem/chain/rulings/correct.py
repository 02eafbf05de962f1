"""The ruling by which what a state says is another: one public fact, or one hidden thing.

What lives here: CORRECT; what the link of some corrections is made of, and whether the game can go
on from it. What must never be here: files; a hidden value in a ruling, a message or a report.
Laws: what cannot be a position of the game is refused, and what makes another pile of a pile; a
hidden thing gets a slot of the new link, its old commitment stays, and nothing is dealt again.
Source: docs/SPECIFICATION.md section 9 (rulings); docs/DESIGN.md P5, P10; decision 0005.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.chain.loaded_game import LoadedGame, Seals, hidden_values
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.fields import (
    allowed,
    differing,
    edited,
    field_words,
    nearest,
    path_of,
    same,
    slot_words,
)
from pbem.chain.rulings.kind import Basis, Kind, PositionAt, Sight, commitments, stale
from pbem.chain.rulings.piles import pile_of, refuse_others
from pbem.chain.state_record import StateRecord
from pbem.engine.settings import EncodedState
from pbem.errors import BadInput, PbemError, Refused

KIND = "corrected"  #: of the slots of what lies there after a correction
MOST = 200  #: characters of a fact
MOST_NAMES = 8  #: that are told where there is no such fact


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
        hint = 'for example "squares.A5=red single", "turn=7" or "2/threat/07=3"'
        raise BadInput("correct/shape", "a correction is FIELD=NEW on one line", hint)
    return Change(field, new)


def corrects_hidden(ruling: Ruling) -> bool:
    """Whether it corrects a hidden value: then its operands are slots alone."""
    return ruling.name == CORRECT.name and bool(ruling.operand("slot"))


def corrections(record: StateRecord) -> list[str]:
    """What a link corrected, as all may read it."""
    return [CORRECT.says(ruling) for ruling in record.rulings if ruling.name == CORRECT.name]


def correction_basis(position: LoadedGame, changes: Iterable[Change], reason: str) -> Basis:
    """What the link of these corrections is made of; Refused or BadInput ``correct/…``."""
    changes = tuple(changes)
    values = hidden_values(position.game, position.state)
    public, rulings, replaced = position.record.position, list[Ruling](), dict[str, str]()
    for change in changes:
        if change.field in values:
            if change.field in replaced or values[change.field] == change.new:
                raise _nothing(change.field)
            _in_its_pile(position, change)
            values[change.field] = change.new
            stand_in = f"{position.record.n + 1}/{KIND}/{len(replaced) + 1}"
            lay_in = position.record.stands_for(change.field)
            told = ("slot", change.field), ("old", lay_in), ("new", stand_in)
            replaced[change.field] = stand_in
        else:
            field = path_of(position.game, change.field)
            public, old = _edited(position, public, field, change)
            if old == change.new:
                raise _nothing(change.field)
            told = ("field", field), ("old", old), ("new", change.new)
        rulings.append(CORRECT.ruling(reason, *told))
    try:
        state = _borne(position.game.decode, position.config, public, values)
        _check(position, state, public, values)
    except Refused as error:
        fields = (change.field for change in changes if change.field not in values)
        may = "; ".join(filter(None, (allowed(position.game, public, x) for x in fields)))
        way = f"what is allowed: {may}; {WAY}" if may else WAY
        raise Refused(error.code, error.message, way) from None
    refuse_others(position, state, replaced)
    return corrected(position, state, tuple(rulings), replaced)


def corrected(
    position: LoadedGame, state: Any, rulings: tuple[Ruling, ...], replaced: Mapping[str, str]
) -> Basis:
    """Another State; ``replaced``: the game's slots whose value is another, to their new slots."""
    now = stale(position.record)
    rows = dict(now.replaced) | dict(replaced)
    return Basis(now._replace(replaced=tuple(sorted(rows.items()))), state, rulings)


def _edited(
    position: LoadedGame, public: Mapping[str, Any], field: str, change: Change
) -> tuple[dict[str, Any], str]:
    """The same as ``edited``; where there is no such fact, it says which are near."""
    try:
        return edited(public, field, change.new)
    except BadInput as error:
        if error.code != "correct/field":
            raise
        key, *path = field.split(".")
        near = nearest(position.game, public, change.field) if key in public else []
        there = ", ".join(near[:MOST_NAMES]) + (", …" if len(near) > MOST_NAMES else "")
        hint = f"for example {there}; `pbem show DIR --json` has the position"
        if not near and key in public:
            hint = f"it has none now; {allowed(position.game, public, '.'.join([key, *path[:1]]))}"
        elif not near:
            named = (f"{key} ({field_words(position.game, public, key)})" for key in public)
            hint = f"there are {', '.join(named)}; `pbem show DIR --secret` has the hidden slots"
        raise BadInput(error.code, error.message, hint) from None


def _in_its_pile(position: LoadedGame, change: Change) -> None:
    """What was drawn from a pile is one of the things it was made of."""
    kind = pile_of(change.field)
    for pile in position.game.piles(position.config):
        if pile.name == kind and change.new not in pile.items:
            hint = f"it has {', '.join(sorted(set(pile.items)))}"
            raise Refused("correct/not-in-pile", f"the pile {kind} has no such thing", hint)


WAY = "correct all that belongs together at once: FIELD=NEW FIELD=NEW …"


def _check(
    position: LoadedGame, state: Any, public: Mapping[str, Any], values: Mapping[str, str]
) -> None:
    """It is what was asked for, and the game can go on from it."""
    again: EncodedState = _borne(position.game.encode, state)
    hidden = {slot: thing.for_sealing() for slot, thing in again.hidden.items()}
    if hidden != values:
        raise Refused("correct/hidden", "other things would be hidden then", WAY)
    if not same(again.public, public, position.record.position):
        raise Refused("correct/no-position", "the position would contradict itself", WAY)

    from pbem.engine import laws

    # the laws of one position draw nothing; they want to be able to
    place = laws.Place(position.game, position.config, state, lambda bound: 0 * bound)
    if any(_broken(law, place) for law in laws.OF_POSITIONS):
        raise Refused("correct/laws", "the game could not go on from that position", WAY)


def _borne(make: Callable[..., Any], *given: Any) -> Any:
    """What a game makes of it, if it can."""
    try:
        return make(*given)
    except (PbemError, ValueError, LookupError, TypeError, AttributeError):
        text = "that would not be a position of this game"
        raise Refused("correct/no-position", text, WAY) from None


def _broken(law: Any, place: Any) -> bool:
    """What a law found is not told: it may quote what is hidden."""
    try:
        return law(place) is not None
    except Exception:  # noqa: BLE001  (a position that a game cannot bear is no position)
        return True


def _nothing(field: str) -> BadInput:
    wrong = f"{field} would not change, or is named twice"
    return BadInput("correct/nothing", wrong, "leave it out")


def _words(ruling: Ruling) -> str:
    field, old, new = (ruling.operand(name) for name in ("field", "old", "new"))
    if corrects_hidden(ruling):
        return f"what lies hidden in {ruling.operand('slot')} is corrected (from now on: {new})"
    return f"{field} is corrected from `{old or 'nothing'}` to `{new or 'nothing'}`"


def _in_full(ruling: Ruling, before: StateRecord, _: StateRecord, sight: Sight) -> str:
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


def _after(before: StateRecord, ruling: Ruling) -> StateRecord:
    """Rows that several corrections take away or add are named as each of them finds them."""
    try:
        position, _ = edited(before.position, ruling.operand("field"), ruling.operand("new"))
    except PbemError:  # it is no public fact, or there is none such
        return before
    return before._replace(position=position)


def _carry(newest: LoadedGame, record: StateRecord, _: PositionAt, seals: Seals) -> Basis | None:
    """A hidden value as it is now sealed; whether it is right, only the referee can say.

    That its pile is still made of the same things, ``correction_basis`` looks at.
    """
    tokens = {sealed.slot: sealed.token for sealed in record.sealed}
    changes = []
    try:
        for ruling in record.rulings:
            field, new = ruling.operand("field"), ruling.operand("new")
            if corrects_hidden(ruling):
                field, new = ruling.operand("slot"), seals.open(new, tokens[new])
            changes.append(Change(field, new))
    except (PbemError, KeyError, UnicodeDecodeError):
        return None
    return correction_basis(newest, changes, record.rulings[0].reason)


def _wrong(record: StateRecord, before: StateRecord, _: Mapping[int, StateRecord]) -> str:
    """The fields it names and no others; a hidden value by a new slot, made in this state."""
    position: Mapping[str, Any] = before.position
    replaced, sealed, new = dict(before.replaced), commitments(before), dict(record.commits)
    for ruling in record.rulings:
        if corrects_hidden(ruling):
            slot, old, other = (ruling.operand(key) for key in ("slot", "old", "new"))
            named = (
                other == f"{record.n}/{KIND}/{len(record.commits) - len(new) + 1}" and other in new
            )
            mine = before.stands_for(slot) == old and slot not in dict(before.replaced).values()
            if not mine or old not in sealed or not named:
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
    if new or commitments(record) != sealed or record.replaced != tuple(sorted(replaced.items())):
        return "replaces another hidden value than it says"
    kept = same(record.position, position, before.position)
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
    plays=True,
    moved=True,
)


def out_of_order(before: LoadedGame, state: Any, rulings: Sequence[Ruling]) -> str:
    """What a pile or the box cannot be after the corrections among ``rulings``; "" if all can."""
    corrected = [one for one in rulings if one.name == CORRECT.name]
    slots = [one.operand("slot") for one in corrected if corrects_hidden(one)]
    try:
        if corrected:
            refuse_others(before, state, slots)
    except Refused as error:
        return error.message
    return ""
