"""A correction only puts things in other places: no pile gets what it was never made of.

What lives here: what the piles of a position hold, and the comparison. What must never be here: a
rule of one game (it says itself what its piles hold and what cannot be out of its box:
engine/optional_parts.py); a hidden value in a message.
Law: before and after a correction each pile holds the same things, as often as before; what is too
many at one place was taken from another; and no place on the table shows what another one has.
Source: docs/SPECIFICATION.md section 9; found by a review: all threat counters were corrected to 2.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.optional_parts import misfit, piles_now
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
        hint = f"swap two of its things: {slot}=… and the place that has what you put there"
        raise Refused(
            "correct/pile",
            f"the pile {name} {_made_of(piles.get(name))}, and would not be that any more",
            hint if slot else "correct with it the hidden place where the other one is",
        )


def _refuse_misfit(position: "Position", state: Any) -> None:
    """The words are of public facts alone: an audit tells them to everybody."""
    wrong = misfit(position.game, state)
    if wrong:
        raise Refused("correct/box", wrong, "pbem show DIR --json has what lies where")


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
