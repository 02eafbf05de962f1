"""Carries out an order and its consequences, up to the next question or the end of the game.

A turn is an examination of the sites, then two actions.
Source: GW-2 to GW-4, GW-10, GW-11, GW-14, GW-20 to GW-22, GW-30 to GW-33.
"""

from pbem.engine.decision import ALL, Event, Outcome, Step, event
from pbem.engine.great_wall.legal import derive_question
from pbem.engine.great_wall.parts import KINDS, PAIR_SIZE, SITE_NAMES, Card, format_reckoning, new_site, one_card
from pbem.engine.great_wall.spelling import Order, parse_order
from pbem.engine.great_wall.state import Play, Public, State, View, view_of
from pbem.engine.hidden import Unseen, seen
from pbem.engine.table import replace_item


def apply(state: State, line: str) -> Step:
    """Carry out a legal order of the seat with the question.

    Raise Unseen if an imagined State does not know a value that this needs.
    """
    play = Play(state)
    order = parse_order(line)
    if order is not None:  # never None, because the line is legal
        _carry_out(play, order)
    play.table.asked = derive_question(play.table)
    return Step(play.state(), tuple(play.log))


def _carry_out(play: Play, order: Order) -> None:
    """Carry out an order, and continue the turn up to the next question."""
    table = play.table
    if order.word == "take":
        take_marker(play, order)
        _continue_examination(play, order.site + 1)
        return
    if order.word == "draw":
        draw_card(play)
    else:
        play_cards(play, order)
    if order.word != "horseman":  # a horseman is not an action (GW-21)
        if table.stage == "third":
            end_turn(play)
            return
        table.stage = "third"
    _end_turn_if_out_of_cards(play)


def _continue_examination(play: Play, first: int) -> None:
    """Examine the sites from ``first`` on. Then continue with the actions or the next seat, or end the game."""
    table = play.table
    if not examine(play, first):
        if is_no_marker_free(play):
            end_game(play, "GW-30")
    elif table.stage == "final":
        end_turn(play)
    else:
        table.stage = "second"
        _end_turn_if_out_of_cards(play)


def _end_turn_if_out_of_cards(play: Play) -> None:
    """End the turn if hand and deck are empty, so that no action is possible (GW-22)."""
    if play.table.out_of_cards(play.table.seat):
        end_turn(play)


def end_turn(play: Play) -> None:
    """Continue with the next seat, or with the last examination, or end the game (GW-31).

    The first player whose hand and deck are both empty calls the last turn. When the turn comes back
    to them, the last examination begins.
    """
    table = play.table
    if table.caller < 0 and table.out_of_cards(table.seat):
        table.caller = table.seat
        play.log.append(event("called", "GW-31", {"seat": table.rules.seats[table.seat]}))
    next_seat = (table.seat + 1) % len(table.rules.seats)
    if next_seat == table.caller:
        if table.stage == "final":
            end_game(play, "GW-31")
            return
        table.stage = "final"
    elif table.stage != "final":
        table.stage = "examine"
    table.seat = next_seat
    table.turns += 1
    _continue_examination(play, 0)  # a turn begins with the examination (GW-10)


def play_cards(play: Play, order: Order) -> None:
    """Move cards from the hand to a site. Everybody sees their kind.

    Their slots stay hidden, because a slot has the place in the deck, which would tell when the card
    was drawn (P5).
    """
    table = play.table
    colour, site_number = table.seat, order.site
    site = table.sites[site_number]
    first_number = len(site.cards) + 1
    facts = [
        ("seat", table.rules.seats[colour]),
        ("site", SITE_NAMES[site_number]),
        ("kind", KINDS[order.kind]),
        ("number", str(order.number)),
        ("first", str(first_number)),
    ]
    if order.card >= 0:
        covered = site.cards[order.card]
        facts += [
            ("over", str(order.card + 1)),
            ("owner", table.rules.seats[covered.colour]),
            ("covered", KINDS[covered.kind]),
        ]
    if order.word == "horseman":
        play.log.append(Event("horseman", "GW-21", tuple(facts)))
    else:
        play.log.append(Event("played", "GW-20", tuple(facts)))
    played_cards = order.number * one_card(order.kind)
    play.hands = replace_item(play.hands, colour, seen(play.hands[colour]) - played_cards)
    table.hand_sizes = replace_item(table.hand_sizes, colour, table.hand_sizes[colour] - order.number)
    table.played_cards = replace_item(table.played_cards, colour, table.played_cards[colour] + played_cards)
    new_cards = (Card(colour, order.kind, order.card),) * order.number
    table.sites = replace_item(table.sites, site_number, site.with_cards(new_cards))


def draw_card(play: Play) -> None:
    """Draw a card. Only the seat learns its kind."""
    table = play.table
    colour = table.seat
    deck = play.decks[colour]
    place = len(deck) - table.deck_sizes[colour]
    seat, slot = table.rules.seats[colour], table.rules.slot(table.rules.deck_name(colour), place)
    play.log.append(Event("drew", "GW-20", (("seat", seat), ("slot", slot)), opens=((seat, slot),)))
    play.hands = replace_item(play.hands, colour, seen(play.hands[colour]) + one_card(seen(deck[place])))
    table.deck_sizes = replace_item(table.deck_sizes, colour, table.deck_sizes[colour] - 1)
    table.hand_sizes = replace_item(table.hand_sizes, colour, table.hand_sizes[colour] + 1)


def take_marker(play: Play, order: Order) -> None:
    """Put a marker on a card. Its value now counts against the card's owner there (GW-10)."""
    table = play.table
    site = table.sites[order.site]
    facts = (
        ("seat", table.rules.seats[table.seat]),
        ("site", SITE_NAMES[order.site]),
        ("marker", str(order.marker)),
        ("card", str(order.card + 1)),
        ("kind", KINDS[site.cards[order.card].kind]),
        ("made", format_reckoning(site, table.rules.seats)),
    )
    play.log.append(Event("took", "GW-11", facts))
    table.sites = replace_item(table.sites, order.site, site.with_marker_on(order.marker, order.card))
    table.site = -1


def examine(play: Play, first: int) -> bool:
    """Examine the sites from ``first`` on, in the order of their numbers.

    Return True if all have been examined. Return False if the seat has to choose a marker (at
    ``table.site``), or if no free marker is left. A site that is won here gets a new pair and no
    cards, so nobody is ahead there (GW-14).
    """
    table = play.table
    for number in range(first, len(table.sites)):
        site = table.sites[number]
        if not site.free_markers or not site.is_ahead(table.seat):
            continue
        if len(site.free_markers) == PAIR_SIZE:
            table.site = number
            return False
        _win_site(play, number)
        if is_no_marker_free(play):
            return False
    return True


def is_no_marker_free(play: Play) -> bool:
    """Return whether all sites are closed (GW-30)."""
    return not any(site.free_markers for site in play.table.sites)


def _win_site(play: Play, number: int) -> None:
    """Let the current seat win a site's free marker, and the owner of the marked card that marker (GW-11)."""
    table = play.table
    site = table.sites[number]
    winner = table.seat
    other = site.cards[site.marked_card].colour
    names = table.rules.seats
    facts = (
        ("seat", names[winner]),
        ("site", SITE_NAMES[number]),
        ("marker", str(site.free_markers[0])),
        ("other", names[other]),
        ("placed", str(site.marker)),
        ("made", format_reckoning(site, names)),
    )
    points = ((names[winner], site.free_markers[0]), (names[other], site.marker))
    play.log.append(Event("won", "GW-11", facts, points))
    for colour, marker in ((winner, site.free_markers[0]), (other, site.marker)):
        table.won_markers = replace_item(table.won_markers, colour, (*table.won_markers[colour], marker))
    open_site(play, number)


def open_site(play: Play, site: int) -> None:
    """Lay a new pair at a site, or close it if the reserve is empty (GW-3)."""
    table = play.table
    pair: tuple[int, ...] = ()
    while table.reserve_size >= PAIR_SIZE and not pair:
        pair = _draw_pair(play, site)
    if not pair:
        play.log.append(Event("closed", "GW-3", (("site", SITE_NAMES[site]),)))
    table.sites = replace_item(table.sites, site, new_site(pair, len(table.rules.seats)))


def _draw_pair(play: Play, site: int) -> tuple[int, ...]:
    """Draw two markers and return them. With two players an equal pair leaves the game: return () (GW-3)."""
    table = play.table
    slot = table.rules.slot
    first, other = (seen(value) for value in play.reserve[:PAIR_SIZE])
    opens = tuple((ALL, slot("reserve", table.drawn_markers + i)) for i in range(PAIR_SIZE))
    play.reserve = play.reserve[PAIR_SIZE:]
    table.drawn_markers += PAIR_SIZE
    table.reserve_size -= PAIR_SIZE
    if first == other and len(table.rules.seats) == 2:
        table.discarded_pairs = (*table.discarded_pairs, first)
        facts: tuple[tuple[str, str], ...] = (("site", SITE_NAMES[site]), ("value", str(first)))
        play.log.append(Event("discarded", "GW-3", facts, opens=opens))
        return ()
    facts = (("site", SITE_NAMES[site]), ("one", str(first)), ("other", str(other)))
    play.log.append(Event("pair", "GW-2", facts, opens=opens))
    return (first, other)


def end_game(play: Play, ruling: str) -> None:
    """End the game by this rule (GW-30 or GW-31). Markers on cards are lost (GW-32)."""
    table = play.table
    table.stage = "over"
    table.site = -1
    table.ended_by = ruling
    seats = table.rules.seats
    marked_sites = [site for site in table.sites if site.marked_card >= 0]
    lost_markers = [f"{seats[site.cards[site.marked_card].colour]}:{site.marker}" for site in marked_sites]
    play.log.append(event("over", ruling, {"lost": ",".join(lost_markers) or "-"}))
    result = outcome(table)
    if result is not None:  # never None, because the game is over
        points = ",".join(f"{seat}:{number}" for seat, number in result.scores)
        facts = {"winners": ",".join(result.winners), "points": points}
        play.log.append(event("winners", "GW-32", facts))


def scores(public: Public) -> tuple[tuple[str, int], ...]:
    """Return by seat the sum of the markers that it has won, which everybody has seen (GW-32)."""
    return tuple((seat, sum(won)) for seat, won in zip(public.rules.seats, public.won_markers, strict=True))


def outcome(public: Public) -> Outcome | None:
    """Return the outcome: the seats with most points win (GW-32). Return None before the end."""
    if not public.ended_by:
        return None
    points_by_seat = scores(public)
    best = max(points for _, points in points_by_seat)
    winners = tuple(seat for seat, points in points_by_seat if points == best)
    return Outcome(points_by_seat, winners, public.ended_by)


def imagine(view: View) -> State:
    """Return the State as this seat knows it, with None for unknown values."""
    public = view.public
    decks: list[tuple[int | None, ...]] = []
    hands: list[int | None] = []
    for colour, deck_size in enumerate(public.deck_sizes):
        unknown_cards = (None,) * deck_size
        if colour == view.seat:
            decks.append((*view.drawn_kinds, *unknown_cards))
            hands.append(view.hand)
        else:
            decks.append(unknown_cards)
            hands.append(None)
    return State(public, tuple(decks), tuple(hands), (None,) * public.reserve_size)


def foresee(view: View, line: str) -> View | None:
    """Return the seat's View after its own legal order; None after a draw, and where a new pair is laid."""
    try:
        return view_of(apply(imagine(view), line).state, view.seat)
    except Unseen:
        return None
