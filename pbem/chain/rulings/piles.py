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

MAX_ITEMS_LISTED = 12  #: sorts of things in a pile


def check_piles(position: LoadedGame, state: Any, slots: Iterable[str]) -> None:
    """Refused ``correct/pile`` where a pile of ``state`` is no rearrangement of what it was, and
    ``correct/box`` where the table has what the box has not.

    ``slots`` are those that were corrected; the hint names one of the pile, and no value.
    """
    if message := misfit(position.game, state):  # of public facts alone: an audit tells it to all
        raise Refused("correct/box", message, "`pbem show DIR --json` says what is where")
    old_piles, new_piles = pile_contents(position, position.state), pile_contents(position, state)
    piles: Mapping[str, Pile] = {p.name: p for p in position.game.piles(position.config)}
    for name in sorted(old_piles.keys() | new_piles.keys()):
        if old_piles.get(name) == new_piles.get(name):
            continue
        slot = next((changed_slot for changed_slot in slots if pile_of(changed_slot) == name), "")
        hint = f"swap two things: {slot}=… and the place that holds what you put there"
        hint = hint if slot else "correct the hidden place of the other thing as well"
        problem = f"the pile {name} {_describe_contents(piles.get(name))}, and that would change"
        raise Refused("correct/pile", problem, hint)


def pile_contents(position: LoadedGame, state: Any) -> dict[str, Counter[str]]:
    """What every pile holds in a State: by the game itself, else by the slots that are hidden.

    Secrecy: the moderator's alone.
    """
    names = {pile.name for pile in position.game.piles(position.config)}
    contents_by_pile: dict[str, Counter[str]] = {}
    for slot, hidden_value in position.game.encode(state).hidden.items():
        pile = pile_of(slot)
        if pile in names:
            contents_by_pile.setdefault(pile, Counter())[hidden_value.for_sealing()] += 1
    full_piles = piles_now(position.game, state)
    return contents_by_pile | {name: Counter(things) for name, things in full_piles.items()}


def pile_of(slot: str) -> str:
    """The pile that a slot of the deal belongs to, if it is one of the deal."""
    return slot.partition("/")[2].rpartition("/")[0]


def _describe_contents(pile: Pile | None) -> str:
    if pile is None:
        return "has each of its things once"
    item_counts = Counter(pile.items)
    if len(item_counts) > MAX_ITEMS_LISTED:
        return f"was made of {len(pile.items)} things"
    count_words = {1: "once", 2: "twice"}
    items_text = (f"{item} ({count_words.get(count, f'{count} times')})" for item, count in sorted(item_counts.items()))
    return f"was made of {', '.join(items_text)}"
