"""Carries out a bid. The last bid opens all of them and sells the lot.

Not allowed here: words for people.
Law: a bid is hidden in its own slot until all bids are opened. The last bid is opened at once, so it
needs no slot.
Source: NM-4 to NM-9.
"""

from night_market import bidding, scoring
from night_market.state import State, view_of
from pbem.engine.decision import ALL, Event, Step, event
from pbem.engine.hidden import seen


def apply(state: State, seat: str, line: str, link: int) -> Step:
    """Carry out an order; BadInput ``order/illegal``. Unseen if the State lacks a value it needs."""
    refusal = bidding.check(view_of(state, seat), line)
    if refusal is not None:
        raise refusal.error(line)
    at, bid = state.public.seats.index(seat), int(line.split()[1])
    bids = (*state.bids[:at], bid, *state.bids[at + 1 :])
    if len(bidding.questions(state.public)) == 1:
        facts = {"seat": seat, "lot": state.public.lot}
        return _open_all(state._replace(bids=bids), (event("bid", "NM-4", facts),))
    return _lay(state._replace(bids=bids), at, link)


def _lay(state: State, at: int, link: int) -> Step:
    """Record a sealed bid. Everybody sees that the seat has bid, only the seat knows what (NM-4)."""
    public = state.public
    number = len(public.sold) * len(public.seats) + at + 1  # different for all bids of a game
    slot = f"{link}/bid/{number:02d}"
    slots = (*public.slots[:at], slot, *public.slots[at + 1 :])
    seat = public.seats[at]
    facts = {"seat": seat, "lot": public.lot, "slot": slot}
    laid = event("bid", "NM-4", facts, opens=((seat, slot),))
    return Step(state._replace(public=public._replace(slots=slots)), (laid,))


def _open_all(state: State, log: tuple[Event, ...]) -> Step:
    """Open all bids. The highest unique bid gets the lot (NM-6); all these tokens are used (NM-7)."""
    public = state.public
    bids = tuple(seen(bid) for bid in state.bids)
    at, worth = winner(bids), public.goods[-1]
    facts = {
        "lot": public.lot,
        "worth": str(worth),
        "bids": ",".join(f"{seat}:{bid}" for seat, bid in zip(public.seats, bids, strict=True)),
        "winner": "nobody" if at < 0 else public.seats[at],
    }
    points = () if at < 0 else ((public.seats[at], worth),)
    opens = tuple((ALL, slot) for slot in public.slots if slot)
    log = (*log, event("sold", "NM-6", facts, points, opens))
    tokens_and_bids = zip(public.tokens, bids, strict=True)
    public = public._replace(
        sold=(*public.sold, at),
        tokens=tuple(tuple(t for t in tokens if t != bid) for tokens, bid in tokens_and_bids),
        slots=("",) * len(public.seats),
    )
    state = State(public, state.goods, (None,) * len(public.seats))
    return _end(state, log) if public.over else turn_up(state, log)


def winner(bids: tuple[int, ...]) -> int:
    """The place of the highest unique bid; -1 if there is none (NM-6)."""
    unique_bids = [bid for bid in bids if bids.count(bid) == 1]
    return bids.index(max(unique_bids)) if unique_bids else -1


def turn_up(state: State, log: tuple[Event, ...]) -> Step:
    """Turn up the next of the goods for everybody (NM-2)."""
    public = state.public
    place = len(public.goods)
    worth = seen(state.goods[place])
    facts = {"lot": public.lot, "worth": str(worth)}
    opens = ((ALL, public.goods_slot(place)),)
    public = public._replace(goods=(*public.goods, worth))
    return Step(state._replace(public=public), (*log, event("turned", "NM-2", facts, opens=opens)))


def _end(state: State, log: tuple[Event, ...]) -> Step:
    """End the game after the last lot (NM-9)."""
    winners = ",".join(scoring.leaders(state.public))
    return Step(state, (*log, event("over", "NM-9", {"winners": winners})))
