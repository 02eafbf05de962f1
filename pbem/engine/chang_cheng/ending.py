"""The end: the Mongol attack, events that pay, and who has won. Source: CC-40 to CC-43, CC-61."""

from pbem.engine.chang_cheng import rewards
from pbem.engine.chang_cheng.play import Play, put
from pbem.engine.chang_cheng.state import Public
from pbem.engine.decision import Outcome
from pbem.engine.event import ALL, event, plain_event
from pbem.engine.hidden import seen


def end(play: Play, ruling: str) -> None:
    """The game is over by this ruling (CC-40 or CC-41): attack, then the last word."""
    table = play.table
    play.log.append(event("over", ruling))
    for region, place in enumerate(table.threat):
        if place >= 0:
            _attack(play, region)
    rewards.pay(play)
    table.stage, table.ended_by = "over", ruling
    result = outcome(table)
    if result is not None:  # it has just ended
        play.log.append(event("won", "CC-43", {"winners": ",".join(result.winners)}))


def _attack(play: Play, region: int) -> None:
    """A region's counter is turned up; the colours with most unbroken walls there lose (CC-42)."""
    table = play.table
    place, names = table.threat[region], table.rules.colours
    value = seen(play.threat[place])
    squares = table.layout.region_set[region]
    count = table.unbroken(squares)
    most = max(count)
    hit = [c for c, number in enumerate(count) if number == most and most > 0]
    safe = [c for c in hit if table.tower[c] & squares]
    losers = [c for c in hit if c not in safe and c != table.rules.neutral]
    facts = (
        ("region", table.layout.regions[region]),
        ("counter", str(value)),
        ("counts", ",".join([f"{names[c]}:{n}" for c, n in enumerate(count) if n]) or "-"),
        ("safe", ",".join([names[c] for c in safe]) or "-"),
        ("losers", ",".join([names[c] for c in losers]) or "nobody"),
    )
    points = tuple([(table.rules.owner[c], -value) for c in losers])
    face_up = table.turned[place] is not None  # CC-53: all know it already
    opens = () if face_up else ((ALL, table.rules.slot("threat", place)),)
    play.log.append(plain_event("attack", "CC-42", facts, points, opens))
    for colour in losers:
        table.scores = put(table.scores, colour, table.scores[colour] - value)
    table.turned = put(table.turned, place, value)


def seat_scores(public: Public) -> tuple[tuple[str, int], ...]:
    """Points by seat: the sum of the seat's colours."""
    totals = [0] * len(public.rules.seats)
    for seat, colours in enumerate(public.rules.own):
        totals[seat] = sum([public.scores[colour] for colour in colours])
    return tuple(zip(public.rules.seats, totals, strict=True))


def outcome(public: Public) -> Outcome | None:
    """Most points win, all tied win (CC-43); None before the end.

    Of players with two colours, the one with the best single colour wins a tie (CC-61).
    """
    if not public.ended_by:
        return None
    scores, own = seat_scores(public), public.rules.own
    rank = [
        (points, max(public.scores[colour] for colour in colours))
        for (_, points), colours in zip(scores, own, strict=True)
    ]
    best = max(rank)
    winners = tuple(seat for (seat, _), place in zip(scores, rank, strict=True) if place == best)
    return Outcome(scores, winners, public.ended_by)
