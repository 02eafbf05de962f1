"""What lies in a game's piles and its box, before a correction and after it.

What must never be here: a value in a message, but for those that a pile was made of.
Law: what makes another pile of a pile is refused.
Source: docs/SPECIFICATION.md section 9 (rulings); decision 0005.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.chain.loaded_game import LoadedGame
from pbem.engine.optional_parts import misfit, piles_now
from pbem.engine.settings import Pile
from pbem.errors import Refused

MOST_SHOWN = 12  #: sorts of things in a pile


def refuse_others(position: LoadedGame, state: Any, slots: Iterable[str]) -> None:
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


def held(position: LoadedGame, state: Any) -> dict[str, Counter[str]]:
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


def _made_of(pile: Pile | None) -> str:
    if pile is None:
        return "has each of its things once"
    counted = Counter(pile.items)
    if len(counted) > MOST_SHOWN:
        return f"was made of {len(pile.items)} things"
    often = {1: "once", 2: "twice"}
    told = (f"{thing} ({often.get(n, f'{n} times')})" for thing, n in sorted(counted.items()))
    return f"was made of {', '.join(told)}"
