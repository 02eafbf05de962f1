"""The end: the Mongol attack, and who has won. Source: CC-40 to CC-43."""

from pbem.engine.chang_cheng.log import Log, put
from pbem.engine.chang_cheng.state import Public, State
from pbem.engine.decision import Outcome
from pbem.engine.event import ALL, event
from pbem.engine.hidden import seen


def end(state: State, ruling: str, log: Log) -> State:
    """The game is over by this ruling (CC-40 or CC-41): attack, then the last word."""
    log.append(event("over", ruling))
    for region in range(len(state.public.layout.regions)):
        if state.public.threat[region] >= 0:
            state = state._replace(public=_attack(state, region, log))
    public = state.public._replace(stage="over", ended_by=ruling)
    result = outcome(public)
    if result is None:  # cannot be: it has just ended
        return state
    facts = {"winners": ",".join(result.winners)}
    log.append(event("won", "CC-43", facts))
    return state._replace(public=public)


def _attack(state: State, region: int, log: Log) -> Public:
    """One region's counter is turned up; the colours with most unbroken walls there lose (CC-42)."""
    public = state.public
    place, names = public.threat[region], public.rules.colours
    value = seen(state.threat[place])
    squares = public.layout.region_set[region]
    count = [(public.standing(c) & squares).bit_count() for c in range(len(names))]
    most = max(count)
    hit = [c for c, number in enumerate(count) if number == most and most > 0]
    losers = [c for c in hit if not public.tower[c] & squares]
    facts: dict[str, str | int] = {
        "region": public.layout.regions[region],
        "counter": value,
        "counts": ",".join(f"{names[c]}:{number}" for c, number in enumerate(count) if number) or "-",
        "safe": ",".join(names[c] for c in hit if c not in losers) or "-",
        "losers": ",".join(names[c] for c in losers) or "nobody",
    }
    slot = public.rules.slot("threat", place)
    points = tuple((names[c], -value) for c in losers)
    log.append(event("attack", "CC-42", facts, points=points, opens=((ALL, slot),)))
    scores = public.scores
    for colour in losers:
        scores = put(scores, colour, scores[colour] - value)
    return public._replace(scores=scores, turned=put(public.turned, place, value))


def seat_scores(public: Public) -> tuple[tuple[str, int], ...]:
    """Points by seat: the sum of the seat's colours."""
    totals = [0] * len(public.rules.seats)
    for colour, seat in enumerate(public.rules.seat_of):
        totals[seat] += public.scores[colour]
    return tuple(zip(public.rules.seats, totals, strict=True))


def outcome(public: Public) -> Outcome | None:
    """Most points win, all tied win (CC-43); None before the end."""
    if not public.ended_by:
        return None
    scores = seat_scores(public)
    best = max(points for _, points in scores)
    winners = tuple(seat for seat, points in scores if points == best)
    return Outcome(scores, winners, public.ended_by)
