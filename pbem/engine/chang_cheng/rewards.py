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
        facts, points = _paid(play, _dominance(play.table))
        tower = play.table.rules.edition.tower_in_run
        if tower > 1:  # then what was counted is not what is paid
            facts = (*facts, ("tower", str(tower)))
        play.log.append(plain_event("dominance", "CC-51", facts, points))
    if "C" in events:
        play.log.append(plain_event("reward", "CC-52", *_paid(play, _reward(play.table))))


def _diplomacy(public: Public) -> Paid:
    """The colours with an unbroken wall in most provinces."""
    there = [public.unbroken(squares) for squares in public.layout.province_set]
    count = tuple(sum(1 for walls in there if walls[c]) for c in _colours(public))
    return count, tuple(FOR_MOST_PROVINCES if n == max(count) > 0 else 0 for n in count)


def _dominance(public: Public) -> Paid:
    """The longest unbroken run along the chain: each colour's, or the longest of all alone."""
    edition = public.rules.edition
    found = [_longest(public, colour, edition.tower_in_run - 1) for colour in _colours(public)]
    counted = tuple(run for run, _ in found)
    best = max(counted) if edition.only_longest else 0
    return counted, tuple(squares if run >= best else 0 for run, squares in found)


def _reward(public: Public) -> Paid:
    """Cards still in hand; one that lies face down was played."""
    return public.held, tuple(FOR_A_CARD * number for number in public.held)


def _longest(public: Public, colour: int, more: int) -> tuple[int, int]:
    """A colour's longest unbroken run as it is counted, a tower for so much more; its squares."""
    tower = public.tower[colour]
    left = (public.single[colour] | public.double[colour] | tower) & ~public.broken
    best = (0, 0)
    while left:
        after = left + (left & -left)  # carries through the first run, into the gap behind it
        run = left & ~after
        squares = run.bit_count()
        best = max(best, (squares + more * bool(run & tower), squares))
        left &= after
    return best


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
