"""``play S1 guard guard``: one or more cards of one kind on one site.

What lives here: what every card does that is played from a hand, a horseman besides and a dragon
over another card too. Source: GW-20, GW-22.
"""

from pbem.engine.decision import Event, Refusal
from pbem.engine.great_wall import parts, sentences
from pbem.engine.great_wall.spelling import Order, no_site
from pbem.engine.great_wall.state import Play, Public
from pbem.engine.hidden import seen
from pbem.engine.row import say
from pbem.engine.table import put


def cards_refused(public: Public, order: Order, hand: int) -> Refusal | None:
    """Why these cards may not be played there now; None if they may."""
    if order.site >= len(public.sites):
        return Refusal("GW-2", no_site(public, parts.NAMES[order.site]))
    if not public.sites[order.site].free:
        return Refusal("GW-22", say(sentences.CLOSED, site=parts.NAMES[order.site]))
    has = parts.number_of(hand, order.kind)
    if has < order.number:
        word = parts.KINDS[order.kind]
        few = say(sentences.TOO_FEW, cards=parts.counted(has, word), number=order.number)
        return Refusal("GW-20", few if has else say(sentences.NONE_IN_HAND, kind=word))
    if order.card >= 0:
        return dragon_refused(public, order)
    return None


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
        ("site", parts.NAMES[at]),
        ("kind", parts.KINDS[order.kind]),
        ("number", str(order.number)),
        ("first", str(first)),
    ]
    if order.card >= 0:
        covered = site.cards[order.card]
        facts += [
            ("over", str(order.card + 1)),
            ("owner", table.rules.seats[covered.colour]),
            ("covered", parts.KINDS[covered.kind]),
        ]
    if order.word == "horseman":  # the action is still to come
        play.log.append(Event("horseman", "GW-21", tuple(facts)))
    else:
        play.log.append(Event("played", "GW-20", tuple(facts)))
    taken = order.number * parts.one_card(order.kind)
    play.hands = put(play.hands, colour, seen(play.hands[colour]) - taken)
    table.held = put(table.held, colour, table.held[colour] - order.number)
    table.played = put(table.played, colour, table.played[colour] + taken)
    laid = (parts.Card(colour, order.kind, order.card),) * order.number
    table.sites = put(table.sites, at, site.with_cards(laid))


def dragon_refused(public: Public, order: Order) -> Refusal | None:
    """Why it may not cover that card; None if it may. The rest has been looked at (py)."""
    site = public.sites[order.site]
    if order.card in site.coverable():
        return None
    if order.card >= len(site.cards):
        text = sentences.NO_CARD
    elif order.card == site.marked:
        text = sentences.HAS_MARKER
    elif site.cards[order.card].kind == parts.DRAGON:
        text = sentences.IS_DRAGON
    else:
        text = sentences.COVERED_ALREADY
    return Refusal("GW-25", say(text, card=order.card + 1, site=parts.NAMES[order.site]))


def do_draw(play: Play) -> None:
    """Draw it: the seat alone learns which it is."""
    table = play.table
    colour = table.seat
    deck = play.decks[colour]
    place = len(deck) - table.decks[colour]
    seat, slot = table.rules.seats[colour], table.rules.slot(table.rules.deck(colour), place)
    play.log.append(Event("drew", "GW-20", (("seat", seat), ("slot", slot)), opens=((seat, slot),)))
    play.hands = put(
        play.hands, colour, seen(play.hands[colour]) + parts.one_card(seen(deck[place]))
    )
    table.decks = put(table.decks, colour, table.decks[colour] - 1)
    table.held = put(table.held, colour, table.held[colour] + 1)


def do_take(play: Play, order: Order) -> None:
    """Put it there; from now on its value counts against its owner at this site (GW-10)."""
    table = play.table
    site = table.sites[order.site]
    facts = (
        ("seat", table.rules.seats[table.seat]),
        ("site", parts.NAMES[order.site]),
        ("marker", str(order.marker)),
        ("card", str(order.card + 1)),
        ("kind", parts.KINDS[site.cards[order.card].kind]),
        ("made", parts.reckoning(site, table.rules.seats)),
    )
    play.log.append(Event("took", "GW-11", facts))
    table.sites = put(table.sites, order.site, site.with_marker_on(order.marker, order.card))
    table.site = -1
