"""The whole truth of a game of Chang Cheng, what all may see of it, and what one seat may see.

What lives here: Rules, Public, State, View; all frozen. What must never be here: a rule.
Law: Public holds nothing that a spectator at the table could not see; State and View keep the rest
apart from it, so that a View is made of Public and of what its own seat knows, and of nothing else.
Colours are numbers (their place in ``Rules.colours``), sets of squares, kinds, provinces and
counters are whole numbers (bit i). Source: CC-7.
"""

from typing import NamedTuple

from pbem.engine.chang_cheng.layout import Layout
from pbem.engine.chang_cheng.parts import ALL_KINDS, SINGLES, Board


class Rules(NamedTuple):
    """What stays the same in one game: seats in turn order, their colours, boards allowed in all."""

    seats: tuple[str, ...]
    colours: tuple[str, ...]
    seat_of: tuple[int, ...]  #: the seat each colour belongs to
    boards: int  #: boards that may lie on the table in the end, CC-30
    dealt: int  #: the link of the deal; it stands in the slots of the piles

    def slot(self, pile: str, place: int) -> str:
        """The slot of one counter of a pile."""
        return f"{self.dealt}/{pile}/{place:02d}"


class Card(NamedTuple):
    """A card lying face down: its slot, and what all see of it."""

    slot: str
    colour: int
    province: int


class Scoring(NamedTuple):
    """A province being scored: cards still to resolve, the first of them now (CC-21)."""

    province: int
    cards: tuple[tuple[int, int], ...]  #: (kind, colour), rising priority
    value: int  #: added to its value by cards
    extra: tuple[int, ...]  #: walls added in the majority count, by colour


class Public(NamedTuple):
    """What everybody sees."""

    rules: Rules
    layout: Layout
    box: tuple[Board, ...]  #: boards still to come, in their order (CC-6)
    single: tuple[int, ...]  #: by colour: squares of single walls, broken ones too
    double: tuple[int, ...]
    tower: tuple[int, ...]
    broken: int
    reserve: tuple[int, ...]  #: by colour: the square its tower reserves (CC-15)
    taken: int
    scores: tuple[int, ...]  #: by colour
    held: tuple[int, ...]  #: by colour: how many cards are in hand
    out: tuple[int, ...]  #: by colour: kinds that were turned up and left the game
    cards: tuple[Card, ...]
    reputation: tuple[int, ...]  #: by province, face up
    threat: tuple[int, ...]  #: by region: place of its counter in the pile, -1 once it is gone
    turned: tuple[int, ...]  #: by place in the pile: the value once face up for all, else -1
    looked: tuple[int, ...]  #: by seat: counters it has looked at (who placed where, all saw)
    scored: int  #: provinces with an Emperor, now or before
    emperors: int  #: since the last board joined
    seat: int  #: whose turn it is
    turns: int  #: turns begun, the first is 1
    stage: str  #: what is asked: action, second, card, board; over
    first: str  #: after the first step of an action: wall or card, else ""
    where: int  #: the province of that step, else -1
    scoring: Scoring | None
    queue: tuple[int, ...]  #: provinces filled and still to be scored
    skips: int  #: turns skipped in a row (CC-41)
    ended_by: str  #: the ruling that ended the game, "" before

    def supply(self, colour: int) -> int:
        """Single walls a colour still has."""
        return SINGLES - self.single[colour].bit_count()

    def pieces(self, colour: int) -> int:
        """All squares a colour holds, broken walls too."""
        return self.single[colour] | self.double[colour] | self.tower[colour]

    def standing(self, colour: int) -> int:
        """The squares of a colour's unbroken walls."""
        return self.pieces(colour) & ~self.broken

    def active(self) -> int:
        """The colour that is played this turn."""
        return self.rules.seat_of.index(self.seat)


class State(NamedTuple):
    """The whole truth. Never leaves the moderator."""

    public: Public
    kinds: tuple[int | None, ...]  #: of each card in Public.cards; None in an imagined State
    threat: tuple[int | None, ...]  #: the pile of threat counters, in the order drawn
    reputation: tuple[int | None, ...]  #: the pile of reputation counters, in the order drawn


class View(NamedTuple):
    """What one seat may know: all that is public, and what it alone has seen."""

    public: Public
    seat: int | None  #: None: a spectator
    hand: int  #: kinds in the seat's own hand
    kinds: tuple[int | None, ...]  #: of each card in Public.cards, where it is the seat's own
    threat: tuple[int | None, ...]  #: by place in the pile: what the seat has looked at, or all


def hand_of(state: State, colour: int) -> int:
    """The kinds a colour still holds: all six but those played (CC-1)."""
    gone = state.public.out[colour]
    for card, kind in zip(state.public.cards, state.kinds, strict=True):
        if card.colour == colour and kind is not None:
            gone |= 1 << kind
    return ALL_KINDS & ~gone
