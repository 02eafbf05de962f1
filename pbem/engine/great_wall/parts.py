"""The parts of Great Wall of China: colours, cards, markers, sites, and influence at a site.

Not allowed here: who may do what, and when.
Cards of a site are numbered from 0 here and from 1 in orders. A site loses its cards only all at
once, so numbers never change. A hand is a whole number with three bits for each kind (a deck has at
most seven cards of a kind), so lists of orders can be cached by hand. A *reckoning* is how the
influence of each colour at a site adds up. A card is *in play* unless a dragon covers it.
Source: GW-0 to GW-2, GW-10, GW-12, GW-23 to GW-26; FORMAT.md "Notation".
"""

import functools
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

COLOURS: Final = ("blue", "green", "red", "yellow", "grey")  # GW-0

KINDS: Final = ("wall", "gate", "watchtower", "guard", "horseman", "noble", "dragon")
WALL, GATE, WATCHTOWER, GUARD, HORSEMAN, NOBLE, DRAGON = range(7)
DECK_COUNTS: Final = (7, 3, 1, 5, 2, 1, 1)  # of each kind, GW-1
WORTH_BY_KIND: Final = (1, 2, 3, 0, 2, 1, 1)  # GW-1; 0 for guards: see worth_of_guards
DECK: Final = tuple(kind for kind, number in zip(KINDS, DECK_COUNTS, strict=True) for _ in range(number))
FIRST_HAND_SIZE: Final = 5  # GW-1

#: by value: the number of markers, GW-2
MARKER_COUNTS: Final = {1: 2, 2: 6, 3: 7, 4: 7, 5: 8, 7: 4, 8: 2}
RESERVE_MARKERS: Final = tuple(str(value) for value, number in MARKER_COUNTS.items() for _ in range(number))

PAIR_SIZE: Final = 2  # markers of a site, both free or one of them on a card
#: by number of players: the number of sites, GW-2
SITE_COUNT: Final = {2: 2, 3: 3, 4: 4, 5: 4}
SITE_NAMES: Final = ("S1", "S2", "S3", "S4")

#: the first words of orders (FORMAT.md "Notation")
WORDS: Final = frozenset(("take", "draw", "play", "horseman"))

BITS_PER_KIND: Final = 3  # in a hand
KIND_MASK: Final = (1 << BITS_PER_KIND) - 1


def one_card(kind: int) -> int:
    """Return a hand of one card, to add to a hand or subtract from it."""
    return 1 << BITS_PER_KIND * kind


def count_in_hand(hand: int, kind: int) -> int:
    """Return the number of cards of a kind in a hand."""
    return hand >> BITS_PER_KIND * kind & KIND_MASK


def hand_of(kinds: Iterable[int]) -> int:
    return sum(one_card(kind) for kind in kinds)


def hand_size(hand: int) -> int:
    return len(cards_of(hand))


def cards_of(hand: int) -> tuple[int, ...]:
    """Return the kinds of the cards in a hand, in the order of the deck list (GW-1)."""
    return tuple(kind for kind in range(len(KINDS)) for _ in range(count_in_hand(hand, kind)))


#: all twenty cards of a colour
WHOLE_DECK: Final = hand_of(KINDS.index(kind) for kind in DECK)


class Card(NamedTuple):
    """A card on a site."""

    colour: int
    kind: int
    covered_card: int = -1  #: the card that this dragon covers, -1 for none (GW-25)


class Summand(NamedTuple):
    """What a colour's cards of one kind add to its influence."""

    kind: int
    number: int  #: of cards
    worth: int  #: of all of them together


def worth_beside_noble(in_play: list[Card]) -> int:
    """Return 1, the worth of every card in play, if there is a noble among them; else 0 (GW-24).

    A noble has no other effect: covered cards stay covered, and dragons and horsemen act as usual.
    """
    return int(any(card.kind == NOBLE for card in in_play))


def worth_of_guards(guards: int) -> int:
    """Return what one colour's guards at a site are worth: 1 for the first, 2 for the second, … (GW-23)."""
    return guards * (guards + 1) // 2


def influence(in_play: list[Card], owner: int, marker: int, colour_count: int) -> tuple[int | None, ...]:
    """Return the influence by colour; None for a colour without a card in play (GW-12).

    ``owner`` is the colour whose card carries ``marker``, -1 for none.
    """
    totals: list[int | None] = [None] * colour_count
    fixed_worth = worth_beside_noble(in_play)
    guards = [0] * colour_count
    for colour, kind, _ in in_play:
        totals[colour] = (totals[colour] or 0) + (fixed_worth or WORTH_BY_KIND[kind])
        if kind == GUARD and not fixed_worth:
            guards[colour] += 1
    for colour, number in enumerate(guards):
        if number:
            totals[colour] = (totals[colour] or 0) + worth_of_guards(number)
    if owner >= 0:
        totals[owner] = (totals[owner] or 0) - marker
    return tuple(totals)


def list_summands(in_play: list[Card], colour: int) -> list[Summand]:
    """Return what a colour's cards in play add to its influence, kind by kind."""
    fixed_worth = worth_beside_noble(in_play)
    kinds = [card.kind for card in in_play if card.colour == colour]
    summands = []
    for kind in sorted(set(kinds)):
        number = kinds.count(kind)
        is_guard_sum = kind == GUARD and not fixed_worth
        worth = worth_of_guards(number) if is_guard_sum else number * (fixed_worth or WORTH_BY_KIND[kind])
        summands.append(Summand(kind, number, worth))
    return summands


def parse_reckoning(text: str) -> list[dict[str, Any]]:
    """Read what ``format_reckoning`` writes: for each seat, its total and its summands (``made``)."""
    rows = []
    for part in [] if text == "-" else text.split(","):
        seat, _, summands = part.partition(":")
        fields = [summand.split(".") for summand in summands.split("+")]
        summand_rows = [{"kind": kind, "number": int(n), "worth": int(worth)} for kind, n, worth in fields]
        rows.append({"seat": seat, "total": sum(int(worth) for _, _, worth in fields), "made": summand_rows})
    return rows


def has_noble(reckoning_text: str) -> bool:
    """Return whether a noble is in play in this reckoning, so that each card counts 1 (GW-24)."""
    return "noble." in reckoning_text


class Site(NamedTuple):
    """A site on the table. ``make_site`` derives the last two fields from the others."""

    free_markers: tuple[int, ...]  #: () if the site is closed (GW-3)
    cards: tuple[Card, ...]  #: oldest first
    marked_card: int  #: the card that carries a marker, -1 for none
    marker: int  #: that marker's value, 0 for none
    covered_cards: int  #: a set (bit i)
    influence: tuple[int | None, ...]  #: by colour; None without a card in play (GW-12)

    def visible_cards(self) -> list[Card]:
        """Return the cards that are not covered."""
        return [card for i, card in enumerate(self.cards) if not self.covered_cards >> i & 1]

    def coverable_cards(self) -> tuple[int, ...]:
        """Return the numbers of cards without a marker that are neither dragons nor covered (GW-25)."""
        return tuple(
            i
            for i, card in enumerate(self.cards)
            if card.kind != DRAGON and i != self.marked_card and not self.covered_cards >> i & 1
        )

    def cards_in_play(self, colour: int) -> tuple[int, ...]:
        """Return the numbers of a colour's cards in play, oldest first (GW-12)."""
        return tuple(
            i for i, card in enumerate(self.cards) if card.colour == colour and not self.covered_cards >> i & 1
        )

    def is_ahead(self, colour: int) -> bool:
        """Return whether a colour has more influence than every other colour in play (GW-11 to GW-13)."""
        own = self.influence[colour]
        others = (*self.influence[:colour], *self.influence[colour + 1 :])
        return own is not None and all(other is None or other < own for other in others)

    def with_cards(self, cards: tuple[Card, ...]) -> "Site":
        """Return the site with these cards added (GW-20)."""
        all_cards = self.cards + cards
        return make_site(self.free_markers, all_cards, self.marked_card, self.marker, len(self.influence))

    def with_marker_on(self, marker: int, card: int) -> "Site":
        """Return the site with one of its two free markers moved to a card (GW-11)."""
        remaining = list(self.free_markers)
        remaining.remove(marker)
        return make_site(tuple(remaining), self.cards, card, marker, len(self.influence))


def make_site(
    free_markers: tuple[int, ...], cards: tuple[Card, ...], marked_card: int, marker: int, colour_count: int
) -> Site:
    """Make a site, with its covered cards and each colour's influence."""
    covered_cards = 0
    for card in cards:
        if card.covered_card >= 0:
            covered_cards |= 1 << card.covered_card
    in_play = [card for i, card in enumerate(cards) if not covered_cards >> i & 1]
    owner = cards[marked_card].colour if marked_card >= 0 else -1
    influences = influence(in_play, owner, marker, colour_count)
    return Site(free_markers, cards, marked_card, marker, covered_cards, influences)


def new_site(pair: tuple[int, ...], colour_count: int) -> Site:
    """Return a site with a pair of markers and no cards. With () for the pair it is closed (GW-2, GW-3)."""
    return make_site(pair, (), marked_card=-1, marker=0, colour_count=colour_count)


@functools.lru_cache(64)  # an order changes only one or two sites
def format_reckoning(site: Site, seats: tuple[str, ...]) -> str:
    """Write how each colour's influence adds up, as one fact of an event; ``-`` without cards in play.

    For example, ``blue:wall.2.2+gate.1.2+marker.1.-4,green:guard.2.3``. The parts of a summand are
    the kind, the number of cards and their worth (GW-10, P10).
    """
    in_play = site.visible_cards()
    owner = site.cards[site.marked_card].colour if site.marked_card >= 0 else -1
    colour_texts = []
    for colour, seat in enumerate(seats):
        if site.influence[colour] is None:
            continue
        summands = [f"{KINDS[part.kind]}.{part.number}.{part.worth}" for part in list_summands(in_play, colour)]
        if colour == owner:
            summands.append(f"marker.1.{-site.marker}")
        colour_texts.append(f"{seat}:{'+'.join(summands)}")
    return ",".join(colour_texts) or "-"
