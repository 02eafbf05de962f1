"""A bid is laid down; with the last one all are opened and the lot is sold.

What lives here: what an order does to a State. What must never be here: words for people.
Law: a bid is hidden, in a slot of its own, from the order that lays it until all are opened. The
last one is opened by the very order that lays it: it is never hidden, and needs no slot.
Source: NM-4 to NM-9.
"""

from night_market import bidding, scoring
from night_market.state import State, view_of
from pbem.engine.decision import ALL, Event, Step, event
from pbem.engine.hidden import seen


def apply(state: State, seat: str, line: str, link: int) -> Step:
    """Carry out an order; BadInput ``order/illegal``. Unseen where an imagined State has a hole."""
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
    """All see that the seat has bid; what, it alone knows (NM-4)."""
    public = state.public
    number = len(public.sold) * len(public.seats) + at + 1  # no two bids of a game have the same
    slot = f"{link}/bid/{number:02d}"
    slots = (*public.slots[:at], slot, *public.slots[at + 1 :])
    seat = public.seats[at]
    facts = {"seat": seat, "lot": public.lot, "slot": slot}
    laid = event("bid", "NM-4", facts, opens=((seat, slot),))
    return Step(state._replace(public=public._replace(slots=slots)), (laid,))


def _open_all(state: State, log: tuple[Event, ...]) -> Step:
    """The highest bid that nobody else made takes the lot (NM-6); the tokens are gone (NM-7)."""
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
    left = zip(public.tokens, bids, strict=True)
    public = public._replace(
        sold=(*public.sold, at),
        tokens=tuple(tuple(t for t in tokens if t != bid) for tokens, bid in left),
        slots=("",) * len(public.seats),
    )
    state = State(public, state.goods, (None,) * len(public.seats))
    return _end(state, log) if public.over else turn_up(state, log)


def winner(bids: tuple[int, ...]) -> int:
    """The place of the highest bid that stands alone; -1 if there is none (NM-6)."""
    alone = [bid for bid in bids if bids.count(bid) == 1]
    return bids.index(max(alone)) if alone else -1


def turn_up(state: State, log: tuple[Event, ...]) -> Step:
    """The next of the goods, for all to see (NM-2)."""
    public = state.public
    place = len(public.goods)
    worth = seen(state.goods[place])
    facts = {"lot": public.lot, "worth": str(worth)}
    opens = ((ALL, public.goods_slot(place)),)
    public = public._replace(goods=(*public.goods, worth))
    return Step(state._replace(public=public), (*log, event("turned", "NM-2", facts, opens=opens)))


def _end(state: State, log: tuple[Event, ...]) -> Step:
    """The last lot is sold (NM-9)."""
    winners = ",".join(scoring.leaders(state.public))
    return Step(state, (*log, event("over", "NM-9", {"winners": winners})))
