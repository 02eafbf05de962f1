"""Correcting what a state says: one fact of the public position, or one hidden value.

What lives here: what the link of some corrections is made of, and whether the game can go on from
it; the names that a referee may type for the words of a row (a game brings them: ``field_names``).
What must never be here: files; a hidden value in a ruling, a message or a report.
Law: what cannot be a position of the game is refused, and what makes another pile of a pile.
Source: docs/SPECIFICATION.md section 9 (rulings); decision 0005.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from pbem.engine import laws
from pbem.engine.optional_parts import field_names, misfit, piles_now
from pbem.engine.settings import EncodedState, Pile
from pbem.errors import BadInput, PbemError, Refused
from pbem.moderator.chain.link import Ruling
from pbem.moderator.chain.position import Position, hidden_values
from pbem.moderator.ruling.correct import CORRECT, KIND, corrected, edited, same
from pbem.moderator.ruling.kind import Basis

MOST = 200  #: characters of a fact
MOST_NAMES = 8  #: that are told where there is no such fact
MOST_SHOWN = 12  #: sorts of things in a pile


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


def correction_basis(position: Position, changes: Iterable[Change], reason: str) -> Basis:
    """What the link of these corrections is made of; Refused or BadInput ``correct/…``."""
    values = hidden_values(position.game, position.state)
    public, rulings, replaced = position.link.position, list[Ruling](), dict[str, str]()
    for change in changes:
        if change.field in values:
            if change.field in replaced or values[change.field] == change.new:
                raise _nothing(change.field)
            _in_its_pile(position, change)
            values[change.field] = change.new
            stand_in = f"{position.link.n + 1}/{KIND}/{len(replaced) + 1}"
            lay_in = position.link.stands_for(change.field)
            told = ("slot", change.field), ("old", lay_in), ("new", stand_in)
            replaced[change.field] = stand_in
        else:
            field = path_of(position.game, change.field)
            public, old = _edited(position, public, field, change)
            if old == change.new:
                raise _nothing(change.field)
            told = ("field", field), ("old", old), ("new", change.new)
        rulings.append(CORRECT.ruling(reason, *told))
    state = _borne(position.game.decode, position.config, public, values)
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
        hint = f"for example {there}; `pbem show DIR --json` has the position"
        raise BadInput(error.code, error.message, hint) from None


def _in_its_pile(position: Position, change: Change) -> None:
    """What was drawn from a pile is one of the things it was made of."""
    kind = pile_of(change.field)
    for pile in position.game.piles(position.config):
        if pile.name == kind and change.new not in pile.items:
            hint = f"it has {', '.join(sorted(set(pile.items)))}"
            raise Refused("correct/not-in-pile", f"the pile {kind} has no such thing", hint)


WAY = "correct all that belongs together at once: FIELD=NEW FIELD=NEW …"


def _check(
    position: Position, state: Any, public: Mapping[str, Any], values: Mapping[str, str]
) -> None:
    """It is what was asked for, and the game can go on from it."""
    again: EncodedState = _borne(position.game.encode, state)
    hidden = {slot: thing.for_sealing() for slot, thing in again.hidden.items()}
    if hidden != values:
        raise Refused("correct/hidden", "other things would be hidden then", WAY)
    if not same(again.public, public, position.link.position):
        raise Refused("correct/no-position", "the position would contradict itself", WAY)

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


def held(position: Position, state: Any) -> dict[str, Counter[str]]:
    """What every pile holds in a State: by the game itself, else by the slots that are hidden.

    Secrecy: the moderator's alone.
    """
    names = {pile.name for pile in position.game.piles(position.config)}
    found: dict[str, Counter[str]] = {}
    for slot, thing in position.game.encode(state).hidden.items():
        pile = pile_of(slot)
        if pile in names:
            found.setdefault(pile, Counter())[thing.for_sealing()] += 1
    whole = piles_now(position.game, state)
    return found | {name: Counter(things) for name, things in whole.items()}


def pile_of(slot: str) -> str:
    """The pile that a slot of the deal belongs to, if it is one of the deal."""
    return slot.partition("/")[2].rpartition("/")[0]


def refuse_others(position: Position, state: Any, slots: Iterable[str]) -> None:
    """Refused ``correct/pile`` where a pile of ``state`` is no rearrangement of what it was, and
    ``correct/box`` where the table has what the box has not.

    ``slots`` are those that were corrected; the hint names one of the pile, and no value.
    """
    if wrong := misfit(position.game, state):  # of public facts alone: an audit tells it to all
        raise Refused("correct/box", wrong, "`pbem show DIR --json` says what is where")
    before, after = held(position, position.state), held(position, state)
    piles: Mapping[str, Pile] = {p.name: p for p in position.game.piles(position.config)}
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) == after.get(name):
            continue
        slot = next((corrected for corrected in slots if pile_of(corrected) == name), "")
        hint = f"swap two things: {slot}=… and the place that holds what you put there"
        hint = hint if slot else "correct the hidden place of the other thing as well"
        what = f"the pile {name} {_made_of(piles.get(name))}, and that would change"
        raise Refused("correct/pile", what, hint)


def _made_of(pile: Pile | None) -> str:
    if pile is None:
        return "has each of its things once"
    counted = Counter(pile.items)
    if len(counted) > MOST_SHOWN:
        return f"was made of {len(pile.items)} things"
    often = {1: "once", 2: "twice"}
    told = (f"{thing} ({often.get(n, f'{n} times')})" for thing, n in sorted(counted.items()))
    return f"was made of {', '.join(told)}"
