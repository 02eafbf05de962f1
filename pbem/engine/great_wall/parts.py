"""The parts of Great Wall of China: colours, cards, markers, and a site as it lies.

What must never be here: a decision. Cards are counted from 0 here and from 1 in orders; a site
never loses a card, so a card keeps its number. A hand is a whole number with three bits a kind
(there are at most seven cards of one), so that lists of orders can be kept by hand.
Source: GW-0 to GW-2, GW-10, GW-12, GW-23 to GW-26; docs/NOTATION.md.
"""

import functools
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

COLOURS: Final = ("blue", "green", "red", "yellow", "grey")  # GW-0

KINDS: Final = ("wall", "gate", "watchtower", "guard", "horseman", "noble", "dragon")
WALL, GATE, WATCHTOWER, GUARD, HORSEMAN, NOBLE, DRAGON = range(7)
DECK_COUNTS: Final = (7, 3, 1, 5, 2, 1, 1)  # of each kind, GW-1
WORTH_BY_KIND: Final = (1, 2, 3, 0, 2, 1, 1)  # GW-1; guards by their number: worth_of_guards
DECK: Final = tuple(kind for kind, number in zip(KINDS, DECK_COUNTS, strict=True) for _ in range(number))
FIRST_HAND_SIZE: Final = 5  # GW-1

#: value of a marker to how many there are, GW-2
MARKER_COUNTS: Final = {1: 2, 2: 6, 3: 7, 4: 7, 5: 8, 7: 4, 8: 2}
RESERVE_MARKERS: Final = tuple(str(value) for value, number in MARKER_COUNTS.items() for _ in range(number))

PAIR_SIZE: Final = 2  # markers of a site, both free or one of them on a card
#: players to sites, GW-2
SITE_COUNT: Final = {2: 2, 3: 3, 4: 4, 5: 4}
SITE_NAMES: Final = ("S1", "S2", "S3", "S4")

#: the first words of orders (docs/NOTATION.md)
WORDS: Final = frozenset(("take", "draw", "play", "horseman"))

BITS_PER_KIND: Final = 3  # of a hand, for each kind
KIND_MASK: Final = (1 << BITS_PER_KIND) - 1


PLURALS: Final = {"horseman": "horsemen"}


def count_text(number: int, noun: str) -> str:
    """``1 wall``, ``2 horsemen``."""
    return f"{number} {noun if number == 1 else PLURALS.get(noun, f'{noun}s')}"


def one_card(kind: int) -> int:
    """One card of a kind, to be added to a hand or taken from it."""
    return 1 << BITS_PER_KIND * kind


def count_in_hand(hand: int, kind: int) -> int:
    """How many cards of a kind are in a hand."""
    return hand >> BITS_PER_KIND * kind & KIND_MASK


def hand_of(kinds: Iterable[int]) -> int:
    return sum(one_card(kind) for kind in kinds)


def hand_size(hand: int) -> int:
    return len(cards_of(hand))


def cards_of(hand: int) -> tuple[int, ...]:
    """The cards in a hand, in the order of the deck list (GW-1)."""
    return tuple(kind for kind in range(len(KINDS)) for _ in range(count_in_hand(hand, kind)))


#: all twenty cards of a colour
WHOLE_DECK: Final = hand_of(KINDS.index(kind) for kind in DECK)


#: cards in play: (colour, kind) each
CardsInPlay = list[tuple[int, int]]


def worth_beside_noble(in_play: CardsInPlay) -> int:
    """What each card in play is worth while a noble is among them, anyone's; 0 without (GW-24).

    Guards do not rise then. Two nobles do no more than one, and a covered one does nothing. A cover
    stays, a dragon may still cover, a horseman is still free.
    """
    return int(any(kind == NOBLE for _, kind in in_play))


def worth_of_guards(guards: int) -> int:
    """Guards of one colour in play at one site: the first is worth 1, the second 2, … (GW-23)."""
    return guards * (guards + 1) // 2


def influence(in_play: CardsInPlay, owner: int, marker: int, colour_count: int) -> tuple[int | None, ...]:
    """By colour; None for one that has no card in play (GW-12).

    ``owner`` is the colour that has placed ``marker`` on a card of its own, -1 for none.
    """
    totals: list[int | None] = [None] * colour_count
    fixed_worth = worth_beside_noble(in_play)
    guards = [0] * colour_count
    for colour, kind in in_play:
        totals[colour] = (totals[colour] or 0) + (fixed_worth or WORTH_BY_KIND[kind])
        if kind == GUARD and not fixed_worth:
            guards[colour] += 1
    for colour, number in enumerate(guards):
        if number:
            totals[colour] = (totals[colour] or 0) + worth_of_guards(number)
    if owner >= 0:
        totals[owner] = (totals[owner] or 0) - marker
    return tuple(totals)


def list_summands(in_play: CardsInPlay, colour: int) -> list[tuple[int, int, int]]:
    """How a colour's cards add up: (kind, how many, what they are worth together) for each kind."""
    fixed_worth = worth_beside_noble(in_play)
    kinds = [kind for owner, kind in in_play if owner == colour]
    summands = []
    for kind in sorted(set(kinds)):
        number = kinds.count(kind)
        is_guard_sum = kind == GUARD and not fixed_worth
        worth = worth_of_guards(number) if is_guard_sum else number * (fixed_worth or WORTH_BY_KIND[kind])
        summands.append((kind, number, worth))
    return summands


def parse_reckoning(text: str) -> list[dict[str, Any]]:
    """A ``reckoning`` for a row: by seat its total, and what that is made of."""
    rows = []
    for part in [] if text == "-" else text.split(","):
        seat, _, summands = part.partition(":")
        fields = [summand.split(".") for summand in summands.split("+")]
        summand_rows = [{"kind": kind, "number": int(n), "worth": int(worth)} for kind, n, worth in fields]
        rows.append({"seat": seat, "total": sum(int(worth) for _, _, worth in fields), "made": summand_rows})
    return rows


def has_noble(reckoning_text: str) -> bool:
    """Whether a noble is in play where this was reckoned, so that each card counts 1 (GW-24)."""
    return "noble." in reckoning_text


class Card(NamedTuple):
    """A card played on a site."""

    colour: int
    kind: int
    covered_card: int = -1  #: the card that this dragon covers, -1 for none (GW-25)


class Site(NamedTuple):
    """A site as it lies on the table. Made by ``site_of``: the last two follow from the others."""

    free_markers: tuple[int, ...]  #: its markers still free; none: the site is closed (GW-3)
    cards: tuple[Card, ...]
    marked_card: int  #: the card that carries a marker, -1 for none
    marker: int  #: that marker's value
    covered_cards: int  #: covered cards, a set (bit i)
    influence: tuple[int | None, ...]  #: by colour; None: not in play here (GW-12)

    def coverable_cards(self) -> tuple[int, ...]:
        """Cards a dragon may go over: without a marker, no dragon, not covered (GW-25)."""
        return tuple(
            i
            for i, card in enumerate(self.cards)
            if card.kind != DRAGON and i != self.marked_card and not self.covered_cards >> i & 1
        )

    def cards_in_play(self, colour: int) -> tuple[int, ...]:
        """The cards of a colour that are in play, oldest first (GW-12)."""
        return tuple(
            i for i, card in enumerate(self.cards) if card.colour == colour and not self.covered_cards >> i & 1
        )

    def is_ahead(self, colour: int) -> bool:
        """Whether a colour is strictly ahead of every other one in play (GW-11 to GW-13)."""
        own = self.influence[colour]
        others = (*self.influence[:colour], *self.influence[colour + 1 :])
        return own is not None and all(other is None or other < own for other in others)

    def with_cards(self, cards: tuple[Card, ...]) -> "Site":
        """The site with more cards, each after the ones before it (GW-20)."""
        all_cards = self.cards + cards
        return make_site(self.free_markers, all_cards, self.marked_card, self.marker, len(self.influence))

    def with_marker_on(self, marker: int, card: int) -> "Site":
        """The site with one of its two markers put on a card (GW-11)."""
        remaining = list(self.free_markers)
        remaining.remove(marker)
        return make_site(tuple(remaining), self.cards, card, marker, len(self.influence))


def make_site(
    free_markers: tuple[int, ...], cards: tuple[Card, ...], marked_card: int, marker: int, colour_count: int
) -> Site:
    """A site, with what is covered and how each colour stands worked out."""
    covered_cards = 0
    for card in cards:
        if card.covered_card >= 0:
            covered_cards |= 1 << card.covered_card
    in_play = [(card.colour, card.kind) for i, card in enumerate(cards) if not covered_cards >> i & 1]
    owner = cards[marked_card].colour if marked_card >= 0 else -1
    return Site(
        free_markers, cards, marked_card, marker, covered_cards, influence(in_play, owner, marker, colour_count)
    )


def new_site(pair: tuple[int, ...], colour_count: int) -> Site:
    """A pair of markers and no cards; without a pair the site is closed (GW-2, GW-3)."""
    return Site(pair, (), -1, 0, 0, (None,) * colour_count)


@functools.lru_cache(64)  # an order changes one site or two
def format_reckoning(site: Site, seats: tuple[str, ...]) -> str:
    """How each colour's influence comes about, as one fact of an event; ``-`` for nobody in play.

    ``blue:wall.2.2+gate.1.2+marker.1.-4,green:guard.2.3``: kind, how many, what they are worth
    together (GW-10, P10).
    """
    in_play = [(card.colour, card.kind) for i, card in enumerate(site.cards) if not site.covered_cards >> i & 1]
    owner = site.cards[site.marked_card].colour if site.marked_card >= 0 else -1
    colour_texts = []
    for colour, seat in enumerate(seats):
        if site.influence[colour] is None:
            continue
        summands = [f"{KINDS[kind]}.{n}.{worth}" for kind, n, worth in list_summands(in_play, colour)]
        if colour == owner:
            summands.append(f"marker.1.{-site.marker}")
        colour_texts.append(f"{seat}:{'+'.join(summands)}")
    return ",".join(colour_texts) or "-"
