"""Events that pay at the end, after the Mongol attack. Neutral walls take no part in them.

Source: CC-50 to CC-52. The fourth event, CC-53, shows counters while the game goes on: looking.py.
"""

from pbem.engine.chang_cheng.play import Play, put
from pbem.engine.chang_cheng.state import Public
from pbem.engine.event import Event

#: what diplomacy pays (CC-50), and an action card never played (CC-52)
FOR_MOST_PROVINCES, FOR_A_CARD = 4, 2


def pay(play: Play) -> None:
    """Each event in play pays, in the order A B C."""
    rules = play.table.rules
    if "A" in rules.events:
        _pay(play, "diplomacy", "CC-50", *_diplomacy(play.table))
    if "B" in rules.events:
        _pay(play, "dominance", "CC-51", *_dominance(play.table))
    if "C" in rules.events:
        held = play.table.held
        _pay(play, "reward", "CC-52", held, tuple(FOR_A_CARD * number for number in held))


#: by colour: what was counted, and the points it brings
Paid = tuple[tuple[int, ...], tuple[int, ...]]


def _diplomacy(public: Public) -> Paid:
    """The colours with an unbroken wall in most provinces."""
    there = [public.unbroken(squares) for squares in public.layout.province_set]
    count = tuple(sum(1 for walls in there if walls[c]) for c in _colours(public))
    return count, tuple(FOR_MOST_PROVINCES if n == max(count) > 0 else 0 for n in count)


def _dominance(public: Public) -> Paid:
    """The longest unbroken run along the chain: each colour's, or the longest of all alone."""
    runs = tuple(
        _longest(public.single[c] | public.double[c] | public.tower[c], public.broken)
        for c in _colours(public)
    )
    if public.rules.edition.only_longest:
        return runs, tuple(n if n == max(runs) else 0 for n in runs)
    return runs, runs


def _longest(squares: int, broken: int) -> int:
    """How many squares lie side by side at most."""
    run, left = 0, squares & ~broken
    while left:
        left &= left >> 1
        run += 1
    return run


def _colours(public: Public) -> range:
    """The colours that belong to somebody."""
    return range(len(public.rules.colours) - (public.rules.neutral >= 0))


def _pay(
    play: Play, kind: str, ruling: str, count: tuple[int, ...], points: tuple[int, ...]
) -> None:
    table = play.table
    names, owner = table.rules.colours, table.rules.owner
    counts = ",".join(f"{names[c]}:{count[c]}" for c in _colours(table) if count[c])
    paid = [c for c in _colours(table) if points[c]]
    facts = (
        ("counts", counts or "-"),
        ("points", ",".join(f"{names[c]}:{points[c]}" for c in paid) or "-"),
    )
    play.log.append(Event(kind, ruling, facts, tuple((owner[c], points[c]) for c in paid)))
    for colour in paid:
        table.scores = put(table.scores, colour, table.scores[colour] + points[colour])
