"""Events that pay at the end, after the Mongol attack. Neutral walls take no part in them.

Source: CC-50 to CC-52. The fourth event, CC-53, shows counters while the game goes on: look.py.
"""

from pbem.engine.chang_cheng.play import Play, put
from pbem.engine.chang_cheng.state import Public
from pbem.engine.event import plain_event

#: what diplomacy pays (CC-50), and an action card never played (CC-52)
FOR_MOST_PROVINCES, FOR_A_CARD = 4, 2


#: by colour: what was counted, and the points it brings
Paid = tuple[tuple[int, ...], tuple[int, ...]]


def pay(play: Play) -> None:
    """Each event in play pays, in the order A B C."""
    events = play.table.rules.events
    if "A" in events:
        play.log.append(plain_event("diplomacy", "CC-50", *_paid(play, _diplomacy(play.table))))
    if "B" in events:
        play.log.append(plain_event("dominance", "CC-51", *_paid(play, _dominance(play.table))))
    if "C" in events:
        play.log.append(plain_event("reward", "CC-52", *_paid(play, _reward(play.table))))


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


def _reward(public: Public) -> Paid:
    """Cards still in hand; one that lies face down was played."""
    return public.held, tuple(FOR_A_CARD * number for number in public.held)


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


def _paid(
    play: Play, paid: Paid
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, int], ...]]:
    """Add the points; the facts and points of the event."""
    table = play.table
    names, owner = table.rules.colours, table.rules.owner
    count, points = paid
    counted = [f"{names[c]}:{count[c]}" for c in _colours(table) if count[c]]
    gained = [c for c in _colours(table) if points[c]]
    for colour in gained:
        table.scores = put(table.scores, colour, table.scores[colour] + points[colour])
    facts = (
        ("counts", ",".join(counted) or "-"),
        ("points", ",".join([f"{names[c]}:{points[c]}" for c in gained]) or "-"),
    )
    return facts, tuple((owner[c], points[c]) for c in gained)
