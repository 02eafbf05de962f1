"""A site: its markers, the cards played there, and what each colour's influence comes to.

What lives here: Card and Site, two values, and what can be seen of them. What must never be here:
a decision. Cards are counted from 0 here and from 1 in orders; a site never loses a card, so a
card keeps its number.
Source: GW-10, GW-12, GW-23 to GW-26; docs/NOTATION.md ("a card at a site by its number").
"""

from typing import Any, NamedTuple

from pbem.engine.great_wall.parts import DRAGON, GUARD, KINDS, NOBLE, WORTH

#: cards in play: (colour, kind) each
InPlay = list[tuple[int, int]]


def each_beside_noble(in_play: InPlay) -> int:
    """What each card in play is worth while a noble is among them, anyone's; 0 without (GW-24).

    Guards do not rise then. Two nobles do no more than one, and a covered one does nothing. A cover
    stays, a dragon may still cover, a horseman is still free.
    """
    for _, kind in in_play:
        if kind == NOBLE:
            return 1
    return 0


def worth_of_guards(guards: int) -> int:
    """Guards of one colour in play at one site: the first is worth 1, the second 2, … (GW-23)."""
    return guards * (guards + 1) // 2


def influence(in_play: InPlay, owner: int, marker: int, colours: int) -> tuple[int | None, ...]:
    """By colour; None for one that has no card in play (GW-12).

    ``owner`` is the colour that has placed ``marker`` on a card of its own, -1 for none.
    """
    found: list[int | None] = [None] * colours
    each = each_beside_noble(in_play)
    guards = [0] * colours
    for colour, kind in in_play:
        found[colour] = (found[colour] or 0) + (each or WORTH[kind])
        if kind == GUARD and not each:
            guards[colour] += 1
    for colour, number in enumerate(guards):
        if number:
            found[colour] = (found[colour] or 0) + worth_of_guards(number)
    if owner >= 0:
        found[owner] = (found[owner] or 0) - marker
    return tuple(found)


def made_of(in_play: InPlay, colour: int) -> tuple[tuple[int, int, int], ...]:
    """How a colour's cards add up: (kind, how many, what they are worth together) for each kind."""
    each = each_beside_noble(in_play)
    kinds = [kind for whose, kind in in_play if whose == colour]
    return tuple(
        (kind, kinds.count(kind), _together(kind, kinds.count(kind), each))
        for kind in sorted(set(kinds))
    )


def _together(kind: int, number: int, each: int) -> int:
    if kind == GUARD and not each:
        return worth_of_guards(number)
    return number * (each or WORTH[kind])


def reckoned(made: str) -> list[dict[str, Any]]:
    """A ``reckoning`` for a row: by seat its total, and what that is made of."""
    return [] if made == "-" else [_colour(part) for part in made.split(",")]


def _colour(part: str) -> dict[str, Any]:
    seat, _, summands = part.partition(":")
    made = []
    for summand in summands.split("+"):
        kind, number, worth = summand.split(".")
        made.append({"kind": kind, "number": int(number), "worth": int(worth)})
    return {"seat": seat, "total": sum(part["worth"] for part in made), "made": made}


def beside_noble(made: str) -> bool:
    """Whether a noble is in play where this was reckoned, so that each card counts 1 (GW-24)."""
    return "noble." in made


class Card(NamedTuple):
    """A card played on a site."""

    colour: int
    kind: int
    over: int = -1  #: the card that this dragon covers, -1 for none (GW-25)


class Site(NamedTuple):
    """A site as it lies on the table. Made by ``site_of``: the last two follow from the others."""

    free: tuple[int, ...]  #: its markers still free; none: the site is closed (GW-3)
    cards: tuple[Card, ...]
    marked: int  #: the card that carries a marker, -1 for none
    marker: int  #: that marker's value
    covered: int  #: covered cards, a set (bit i)
    influence: tuple[int | None, ...]  #: by colour; None: not in play here (GW-12)

    def coverable(self) -> tuple[int, ...]:
        """Cards a dragon may go over: without a marker, no dragon, not covered (GW-25)."""
        return tuple(
            i
            for i, card in enumerate(self.cards)
            if card.kind != DRAGON and i != self.marked and not self.covered >> i & 1
        )

    def in_play(self, colour: int) -> tuple[int, ...]:
        """The cards of a colour that are in play, oldest first (GW-12)."""
        return tuple(
            i
            for i, card in enumerate(self.cards)
            if card.colour == colour and not self.covered >> i & 1
        )

    def ahead(self, colour: int) -> bool:
        """Whether a colour is strictly ahead of every other one in play (GW-11 to GW-13)."""
        own = self.influence[colour]
        if own is None:
            return False
        for other, theirs in enumerate(self.influence):
            if theirs is not None and theirs >= own and other != colour:
                return False
        return True

    def with_cards(self, cards: tuple[Card, ...]) -> "Site":
        """The site with more cards, each after the ones before it (GW-20)."""
        more = self.cards + cards
        return site_of(self.free, more, self.marked, self.marker, len(self.influence))

    def with_marker_on(self, marker: int, card: int) -> "Site":
        """The site with one of its two markers put on a card (GW-11)."""
        left = list(self.free)
        left.remove(marker)
        return site_of(tuple(left), self.cards, card, marker, len(self.influence))


def site_of(
    free: tuple[int, ...], cards: tuple[Card, ...], marked: int, marker: int, colours: int
) -> Site:
    """A site, with what is covered and how each colour stands worked out."""
    covered = 0
    for card in cards:
        if card.over >= 0:
            covered |= 1 << card.over
    in_play = (
        [(card.colour, card.kind) for i, card in enumerate(cards) if not covered >> i & 1]
        if covered
        else [(card.colour, card.kind) for card in cards]
    )
    owner = cards[marked].colour if marked >= 0 else -1
    return Site(free, cards, marked, marker, covered, influence(in_play, owner, marker, colours))


def new_site(pair: tuple[int, ...], colours: int) -> Site:
    """A pair of markers and no cards; without a pair the site is closed (GW-2, GW-3)."""
    return Site(pair, (), -1, 0, 0, (None,) * colours)


def reckoning(here: Site, seats: tuple[str, ...]) -> str:
    """How each colour's influence comes about, as one fact of an event; ``-`` for nobody in play.

    ``blue:wall.2.2+gate.1.2+marker.1.-4,green:guard.2.3``: kind, how many, what they are worth
    together (GW-10, P10).
    """
    in_play = [
        (card.colour, card.kind) for i, card in enumerate(here.cards) if not here.covered >> i & 1
    ]
    owner = here.cards[here.marked].colour if here.marked >= 0 else -1
    parts = []
    for colour, seat in enumerate(seats):
        if here.influence[colour] is None:
            continue
        made = [f"{KINDS[kind]}.{n}.{worth}" for kind, n, worth in made_of(in_play, colour)]
        if colour == owner:
            made.append(f"marker.1.{-here.marker}")
        parts.append(f"{seat}:{'+'.join(made)}")
    return ",".join(parts) or "-"
