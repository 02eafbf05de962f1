"""The State of a game of Chang Cheng, its public part, and the View of one seat.

Not allowed here: a rule.
Law: Public has nothing that a spectator at the table could not see. A View is made of Public and of
what its own seat knows, and of nothing else.
A colour is a number, its place in ``Rules.colours``. A set of squares, kinds, provinces or counters
is a whole number: bit i is set if i is in the set. Neutral walls have a colour that no player has
(CC-28).
Source: CC-7.
"""

from functools import lru_cache
from typing import NamedTuple

from pbem.engine.chang_cheng.editions import Edition
from pbem.engine.chang_cheng.layout import NO_PLACEMENTS, PILE_SIZE, Board, Layout, Placements, members
from pbem.engine.decision import Event, Question
from pbem.engine.table import Facts, MutableFacts, new_tuple, replace_item


@lru_cache(maxsize=256)
def _slot(deal_state_number: int, pile: str, place: int) -> str:
    return f"{deal_state_number}/{pile}/{place:02d}"


class Rules(NamedTuple):
    """What stays the same during a game."""

    seats: tuple[str, ...]  #: in turn order
    colours: tuple[str, ...]  #: in the order of the seats; ``neutral`` is the last, CC-60
    seat_of: tuple[int, ...]  #: by colour: the number of its seat, -1 for neutral
    owners: tuple[str, ...]  #: by colour: the name of its seat, "" for neutral
    colours_by_seat: tuple[tuple[int, ...], ...]  #: by seat: its one or two colours (CC-61)
    unknown_hands: tuple[None, ...]  #: the hands in a View that knows none of them
    wall_counts: tuple[int, ...]  #: by colour: the number of its single walls, CC-1 and CC-60
    neutral_colour: int  #: the number of the neutral colour, -1 in a game without
    max_boards: int  #: the largest number of boards on the table, CC-30
    deal_state_number: int  #: the number of the state of the deal, part of the piles' slots
    edition: Edition
    events: str  #: letters of the events in play, CC-50 to CC-53
    reputation: tuple[str, ...]  #: all reputation counters of the box, not in the order drawn
    threat: tuple[str, ...]  #: all threat counters of the box, not in the order drawn

    def slot(self, pile: str, place: int) -> str:
        return _slot(self.deal_state_number, pile, place)


class Card(NamedTuple):
    """A face-down card, as everybody sees it."""

    slot: str
    colour: int
    province: int


class NeutralZone(NamedTuple):
    """The provinces where the neutral wall of this turn may go (CC-60)."""

    is_inside: bool  #: whether it must go into ``provinces``; if not, it may go anywhere but there
    provinces: int  #: a set


#: at the start of a turn, and after a skipped one
ANYWHERE = NeutralZone(is_inside=False, provinces=0)


class TurnedCard(NamedTuple):
    """A card that is turned up and not resolved yet."""

    kind: int
    colour: int


class Scoring(NamedTuple):
    """A province while it is scored (CC-21)."""

    province: int
    cards: tuple[TurnedCard, ...]  #: the cards still to resolve, in this order
    added_value: int  #: what cards have added to the province's value
    extra_walls: tuple[int, ...]  #: by colour: walls that cards have added to the majority count

    def with_added_value(self, amount: int) -> "Scoring":
        """Return a copy in which ``amount`` (which may be negative) is added to the province's value."""
        return self._replace(added_value=self.added_value + amount)

    def with_added_walls(self, colour: int, walls: int) -> "Scoring":
        """Return a copy in which more walls count for a colour."""
        return self._replace(extra_walls=replace_item(self.extra_walls, colour, self.extra_walls[colour] + walls))


class OpenQuestion(NamedTuple):
    """The open question and its answers, as everybody can see them.

    It is derived once, when the question comes up, and is not stored in state files. Reason: code
    that lists, refuses or carries out orders needs it, and deriving it each time took a third of
    the time of a step.
    """

    seat: int  #: the seat that has to choose, -1 when the game is over
    questions: tuple[Question, ...]
    placements: Placements  #: where an action may place something; cards also depend on the hand
    lines: tuple[str, ...]  #: the legal orders of any other question; () for an action


NO_QUESTION = OpenQuestion(-1, (), NO_PLACEMENTS, ())


class Public(Facts):
    """What everybody sees. It is frozen; ``draft`` makes a copy that can change."""

    rules: Rules
    layout: Layout
    box: tuple[Board, ...]  #: boards that have not joined, in their order (CC-6)
    single: tuple[int, ...]  #: by colour: squares of its single walls, broken ones too
    double: tuple[int, ...]  #: by colour: squares of its double wall
    tower: tuple[int, ...]  #: by colour: the square of its tower
    broken: int  #: squares of broken walls
    reserve: tuple[int, ...]  #: by colour: the square that its tower reserves, as a set (CC-15)
    #: colours whose towers may reserve a square, in the order placed. Only in editions in which
    #: players do not name the square; else ()
    keepers: tuple[int, ...]
    occupied: int  #: squares that are not empty
    scores: tuple[int, ...]  #: by colour
    hand_sizes: tuple[int, ...]  #: by colour: the number of cards in hand
    kinds_out: tuple[int, ...]  #: by colour: the kinds of its cards that have left the game, a set
    cards: tuple[Card, ...]  #: the face-down cards
    reputation: tuple[int, ...]  #: by province: its counter
    threat_places: tuple[int, ...]  #: by region: the place of its counter in the pile, or -1 if gone
    face_up_threats: tuple[int | None, ...]  #: by place in the pile: the value, if it is face up
    looked: tuple[int, ...]  #: by seat: places of the threat counters that it has looked at, a set
    scored_provinces: int  #: a set
    emperors: int  #: provinces scored since the last board joined
    seat: int  #: whose turn it is
    colour: int  #: the colour that is played this turn
    turns: int  #: turns begun, the first is 1
    stage: str  #: the kind of question: colour, action, second, card, board, neutral; or over
    first_step: str  #: the first step of the action, wall or card; "" before it
    first_province: int  #: the province of that step, or -1
    neutral_zone: NeutralZone | None  #: None if no neutral wall can follow in this turn
    scoring: Scoring | None
    queue: tuple[int, ...]  #: complete provinces that are not scored yet
    skips: int  #: turns skipped in a row (CC-41)
    ended_by: str  #: the number of the rule that ended the game, "" before
    asked: OpenQuestion  #: the open question (derived)

    def draft(self) -> "Draft":
        """Return a copy that can change while one order is carried out."""
        return self.copied(Draft)

    def supply(self, colour: int) -> int:
        """Return the number of single walls that a colour has not placed."""
        return self.rules.wall_counts[colour] - self.single[colour].bit_count()

    def reputation_in_draw_order(self) -> tuple[int, ...]:
        """Return the reputation counters in the order drawn: by the letter of their board (CC-3)."""
        letters = [name[0] for name in self.layout.provinces]
        order = sorted(range(len(letters)), key=lambda i: (letters[i], i))
        return tuple(self.reputation[i] for i in order)

    def count_unbroken(self, squares: int) -> list[int]:
        """Return, by colour, on how many of these squares it has an unbroken wall, its double or its tower."""
        squares &= ~self.broken
        return [
            ((single | double | tower) & squares).bit_count()
            for single, double, tower in zip(self.single, self.double, self.tower)  # noqa: B905
        ]


class Draft(MutableFacts, Public):
    """A Public while one order is carried out."""

    def frozen(self) -> Public:
        """Return a frozen copy of the facts as they are now."""
        return self.copied(Public)


class State(NamedTuple):
    """A whole position, for the moderator only. In a State imagined from a View, unknown values are None."""

    public: Public
    kinds: tuple[int | None, ...]  #: the kind of each card in Public.cards
    threat: tuple[int | None, ...]  #: the pile of threat counters, in the order drawn
    reputation: tuple[int | None, ...]  #: the pile of reputation counters, in the order drawn
    hands: tuple[int | None, ...]  #: by colour: the kinds in hand, a set


class View(NamedTuple):
    """What one seat may know: what is public, and what only it has seen."""

    public: Public
    seat: int | None  #: None: a spectator
    hands: tuple[int | None, ...]  #: by colour: the kinds in hand, None if it is not the seat's colour
    kinds: tuple[int | None, ...]  #: the kind of each card in Public.cards, None if it is not the seat's
    threat: tuple[int | None, ...]  #: by place in the pile: the value, if this seat knows it

    def hand(self) -> int:
        """Return the kinds in hand of the colour whose turn it is; 0 if that is not the seat's colour."""
        return self.hands[self.public.colour] or 0


def view_of(state: State, seat: int | None) -> View:
    """Return the View of a seat, or of a spectator (None).

    A spectator sees only what is public. A seat also sees its own hands and face-down cards, and the
    threat counters that it has looked at (CC-7, CC-17). ``new_tuple(View, …)`` is a faster
    ``View(…)``, with the fields in the order of the class.
    """
    public = state.public
    known_threats = public.face_up_threats
    if seat is None:
        return new_tuple(View, (public, None, public.rules.unknown_hands, (None,) * len(public.cards), known_threats))
    own_colours = public.rules.colours_by_seat[seat]
    kinds = [kind if card.colour in own_colours else None for card, kind in zip(public.cards, state.kinds)]  # noqa: B905 - strict costs a third more
    hands, unknown = state.hands, public.rules.unknown_hands
    first, end = own_colours[0], own_colours[-1] + 1  # a seat's colours have consecutive numbers
    own_hands = unknown[:first] + hands[first:end] + unknown[end:]
    if public.looked[seat]:
        own_threats = list(known_threats)
        for place in members(public.looked[seat]):
            own_threats[place] = state.threat[place]
        known_threats = tuple(own_threats)
    return new_tuple(View, (public, seat, own_hands, tuple(kinds), known_threats))


#: a pile of counters none of which is known
UNKNOWN_PILE: tuple[int | None, ...] = (None,) * PILE_SIZE


class Play:
    """The State while one order is carried out, and the events that the order has caused so far."""

    __slots__ = ("hands", "kinds", "link", "log", "reputation", "table", "threat")

    def __init__(self, state: State, link: int) -> None:
        self.table = state.public.draft()
        self.kinds = state.kinds
        self.threat = state.threat
        self.reputation = state.reputation
        self.hands = state.hands
        self.link = link  #: the number of the state that the order leads to
        self.log: list[Event] = []
