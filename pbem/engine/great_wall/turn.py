"""The course of a turn: examine, second action, third action; then the next seat, or the end.

What lives here: what an order does, sites won and opened, the end; playing on from a View.
Source: GW-2 to GW-4, GW-10, GW-11, GW-14, GW-20 to GW-22, GW-30 to GW-33.
"""

from pbem.engine.decision import ALL, Event, Outcome, Step, event
from pbem.engine.great_wall.legal import now_asked
from pbem.engine.great_wall.parts import KINDS, NAMES, PAIR, Card, new_site, one_card, reckoning
from pbem.engine.great_wall.spelling import Order, order_of
from pbem.engine.great_wall.state import Play, Public, State, View, view_of
from pbem.engine.hidden import Unseen, seen
from pbem.engine.table import put


def apply(state: State, line: str) -> Step:
    """Carry out a legal order of the seat asked. Unseen where an imagined State has a hole."""
    play = Play(state)
    order = order_of(line)
    if order is not None:  # None cannot be: it has been found legal
        _carry_out(play, order)
    play.table.asked = now_asked(play.table)
    return Step(play.state(), tuple(play.log))


def _carry_out(play: Play, order: Order) -> None:
    table = play.table
    if order.word == "take":
        do_take(play, order)
        _examined(play, order.site + 1)
        return
    if order.word == "draw":
        do_draw(play)
    else:
        do_cards(play, order)
    if order.word != "horseman":  # GW-21: besides the action
        if table.stage == "third":
            end_of_turn(play)
            return
        table.stage = "third"
    _stop_if_out(play)


def _examined(play: Play, first: int) -> None:
    """Go on examining; then the actions, or in the last examination the next seat (GW-31)."""
    table = play.table
    if not examine(play, first):
        if no_free_marker(play):
            end(play, "GW-30")
    elif table.stage == "final":
        end_of_turn(play)
    else:
        table.stage = "second"
        _stop_if_out(play)


def _stop_if_out(play: Play) -> None:
    """With hand and deck both empty no action is possible: the turn ends there (GW-22)."""
    if play.table.out_of_cards(play.table.seat):
        end_of_turn(play)


def end_of_turn(play: Play) -> None:
    """The next seat examines; after the last turn once more from the caller on (GW-31).

    The first player whose hand and deck are both empty calls the last turn.
    """
    table = play.table
    if table.caller < 0 and table.out_of_cards(table.seat):
        table.caller = table.seat
        play.log.append(event("called", "GW-31", {"seat": table.rules.seats[table.seat]}))
    following = (table.seat + 1) % len(table.rules.seats)
    if following == table.caller:
        if table.stage == "final":
            end(play, "GW-31")
            return
        table.stage = "final"
    elif table.stage != "final":
        table.stage = "examine"
    table.seat = following
    table.turns += 1
    _examined(play, 0)  # a turn begins with the examination (GW-10)


def do_cards(play: Play, order: Order) -> None:
    """The cards leave the hand and lie on the site, after those there; all see which they are.

    Their slots stay sealed: a place in the deck would tell when the card was drawn (P5).
    """
    table = play.table
    colour, at = table.seat, order.site
    site = table.sites[at]
    first = len(site.cards) + 1
    facts = [
        ("seat", table.rules.seats[colour]),
        ("site", NAMES[at]),
        ("kind", KINDS[order.kind]),
        ("number", str(order.number)),
        ("first", str(first)),
    ]
    if order.card >= 0:
        covered = site.cards[order.card]
        facts += [
            ("over", str(order.card + 1)),
            ("owner", table.rules.seats[covered.colour]),
            ("covered", KINDS[covered.kind]),
        ]
    if order.word == "horseman":  # the action is still to come
        play.log.append(Event("horseman", "GW-21", tuple(facts)))
    else:
        play.log.append(Event("played", "GW-20", tuple(facts)))
    taken = order.number * one_card(order.kind)
    play.hands = put(play.hands, colour, seen(play.hands[colour]) - taken)
    table.held = put(table.held, colour, table.held[colour] - order.number)
    table.played = put(table.played, colour, table.played[colour] + taken)
    laid = (Card(colour, order.kind, order.card),) * order.number
    table.sites = put(table.sites, at, site.with_cards(laid))


def do_draw(play: Play) -> None:
    """Draw it: the seat alone learns which it is."""
    table = play.table
    colour = table.seat
    deck = play.decks[colour]
    place = len(deck) - table.decks[colour]
    seat, slot = table.rules.seats[colour], table.rules.slot(table.rules.deck(colour), place)
    play.log.append(Event("drew", "GW-20", (("seat", seat), ("slot", slot)), opens=((seat, slot),)))
    play.hands = put(play.hands, colour, seen(play.hands[colour]) + one_card(seen(deck[place])))
    table.decks = put(table.decks, colour, table.decks[colour] - 1)
    table.held = put(table.held, colour, table.held[colour] + 1)


def do_take(play: Play, order: Order) -> None:
    """Put it there; from now on its value counts against its owner at this site (GW-10)."""
    table = play.table
    site = table.sites[order.site]
    facts = (
        ("seat", table.rules.seats[table.seat]),
        ("site", NAMES[order.site]),
        ("marker", str(order.marker)),
        ("card", str(order.card + 1)),
        ("kind", KINDS[site.cards[order.card].kind]),
        ("made", reckoning(site, table.rules.seats)),
    )
    play.log.append(Event("took", "GW-11", facts))
    table.sites = put(table.sites, order.site, site.with_marker_on(order.marker, order.card))
    table.site = -1


def examine(play: Play, first: int) -> bool:
    """Go through the sites from ``first`` on, in number order; whether that is done.

    Not done: the seat has to choose a marker (``table.site``), or no free marker is left.
    A site completed here gets a pair without cards: nobody is ahead there (GW-14).
    """
    table = play.table
    for number in range(first, len(table.sites)):
        site = table.sites[number]
        if not site.free or not site.ahead(table.seat):
            continue
        if len(site.free) == PAIR:
            table.site = number
            return False
        _win(play, number)
        if no_free_marker(play):
            return False
    return True


def no_free_marker(play: Play) -> bool:
    """Every site closed, and so the reserve empty (GW-30)."""
    return not any(site.free for site in play.table.sites)


def _win(play: Play, number: int) -> None:
    """The last free marker is won, and so is the one on a card; a new pair is drawn (GW-11)."""
    table = play.table
    site = table.sites[number]
    winner, other = table.seat, site.cards[site.marked].colour
    names = table.rules.seats
    facts = (
        ("seat", names[winner]),
        ("site", NAMES[number]),
        ("marker", str(site.free[0])),
        ("other", names[other]),
        ("placed", str(site.marker)),
        ("made", reckoning(site, names)),
    )
    points = ((names[winner], site.free[0]), (names[other], site.marker))
    play.log.append(Event("won", "GW-11", facts, points))
    for colour, marker in ((winner, site.free[0]), (other, site.marker)):
        table.won = put(table.won, colour, (*table.won[colour], marker))
    open_site(play, number)


def open_site(play: Play, site: int) -> None:
    """Lay a new pair at a site, face up; with the reserve empty the site is closed (GW-3)."""
    table = play.table
    pair: tuple[int, ...] = ()
    while table.left >= PAIR and not pair:
        pair = _draw_pair(play, site)
    if not pair:
        play.log.append(Event("closed", "GW-3", (("site", NAMES[site]),)))
    table.sites = put(table.sites, site, new_site(pair, len(table.rules.seats)))


def _draw_pair(play: Play, site: int) -> tuple[int, ...]:
    """Two markers from the reserve; with two players an equal pair goes out of the game (GW-3)."""
    table = play.table
    slot = table.rules.slot
    first, other = (seen(value) for value in play.reserve[:PAIR])
    opens = tuple((ALL, slot("reserve", table.drawn + i)) for i in range(PAIR))
    play.reserve = play.reserve[PAIR:]
    table.drawn += PAIR
    table.left -= PAIR
    if first == other and len(table.rules.seats) == 2:
        table.discarded = (*table.discarded, first)
        facts: tuple[tuple[str, str], ...] = (("site", NAMES[site]), ("value", str(first)))
        play.log.append(Event("discarded", "GW-3", facts, opens=opens))
        return ()
    facts = (("site", NAMES[site]), ("one", str(first)), ("other", str(other)))
    play.log.append(Event("pair", "GW-2", facts, opens=opens))
    return (first, other)


def end(play: Play, ruling: str) -> None:
    """The game is over by this ruling (GW-30 or GW-31); markers on cards are lost (GW-32)."""
    table = play.table
    table.stage, table.site, table.ended_by = "over", -1, ruling
    seats = table.rules.seats
    lying = [site for site in table.sites if site.marked >= 0]
    lost = [f"{seats[site.cards[site.marked].colour]}:{site.marker}" for site in lying]
    play.log.append(event("over", ruling, {"lost": ",".join(lost) or "-"}))
    result = outcome(table)
    if result is not None:  # it has just ended
        points = ",".join(f"{seat}:{number}" for seat, number in result.scores)
        facts = {"winners": ",".join(result.winners), "points": points}
        play.log.append(event("winners", "GW-32", facts))


def scores(public: Public) -> tuple[tuple[str, int], ...]:
    """The markers face down before each seat, added up (GW-32). All saw each of them won."""
    return tuple((seat, sum(won)) for seat, won in zip(public.rules.seats, public.won, strict=True))


def outcome(public: Public) -> Outcome | None:
    """Most points win, all tied win (GW-32); None before the end."""
    if not public.ended_by:
        return None
    found = scores(public)
    best = max(points for _, points in found)
    winners = tuple(seat for seat, points in found if points == best)
    return Outcome(found, winners, public.ended_by)


def imagine(view: View) -> State:
    """The State as this seat knows it, with holes."""
    public = view.public
    decks: list[tuple[int | None, ...]] = []
    hands: list[int | None] = []
    for colour, left in enumerate(public.decks):
        own = colour == view.seat
        decks.append((*(view.drawn if own else ()), *(None,) * left))
        hands.append(view.hand if own else None)
    return State(public, tuple(decks), tuple(hands), (None,) * public.left)


def foresee(view: View, line: str) -> View | None:
    """The seat's View after its own legal order; None where it cannot tell.

    It can not after a draw, and not where a new pair is laid.
    """
    try:
        return view_of(apply(imagine(view), line).state, view.seat)
    except Unseen:
        return None
