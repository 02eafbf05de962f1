"""The whole truth of a game of Chang Cheng, what all may see of it, and what one seat may see.

What must never be here: a rule.
Law: Public holds nothing that a spectator at the table could not see; State and View keep the rest
apart from it, so that a View is made of Public and of what its own seat knows, and of nothing else.
Colours are numbers (their place in ``Rules.colours``), sets of squares, kinds, provinces and
counters are whole numbers (bit i). Neutral walls are a colour that belongs to nobody (CC-28).
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
    """What stays the same in one game: seats in turn order, their colours, how it is played."""

    seats: tuple[str, ...]
    colours: tuple[str, ...]  #: seat by seat; ``neutral`` comes last, CC-60
    seat_of: tuple[int, ...]  #: the seat each colour belongs to, -1 for neutral
    owners: tuple[str, ...]  #: the same by name, "" for neutral
    colours_by_seat: tuple[tuple[int, ...], ...]  #: by seat: its colours, one or two (CC-61)
    unknown_hands: tuple[None, ...]  #: by colour: what nobody knows
    wall_counts: tuple[int, ...]  #: by colour: how many single walls there are, CC-1 and CC-60
    neutral_colour: int  #: the number of the neutral colour, -1 without
    max_boards: int  #: boards that may lie on the table in the end, CC-30
    deal_state_number: int  #: the link of the deal; it stands in the slots of the piles
    edition: Edition
    events: str  #: letters of the events in play, CC-50 to CC-53
    reputation: tuple[str, ...]  #: every counter there is, in no order
    threat: tuple[str, ...]

    def slot(self, pile: str, place: int) -> str:
        return _slot(self.deal_state_number, pile, place)


class Card(NamedTuple):
    """A card lying face down: its slot, and what all see of it."""

    slot: str
    colour: int
    province: int


class NeutralZone(NamedTuple):
    """Where the neutral wall of this turn may go (CC-60)."""

    is_inside: bool  #: in these provinces only; else anywhere but in them
    provinces: int


#: at the start of a turn, and after a skipped one
ANYWHERE = NeutralZone(is_inside=False, provinces=0)


class Scoring(NamedTuple):
    """A province being scored: cards still to resolve, the first of them now (CC-21)."""

    province: int
    cards: tuple[tuple[int, int], ...]  #: (kind, colour), rising priority
    added_value: int  #: added to its value by cards
    extra_walls: tuple[int, ...]  #: walls added in the majority count, by colour

    def with_added_value(self, amount: int) -> "Scoring":
        """The province is worth more by so much."""
        return self._replace(added_value=self.added_value + amount)

    def with_added_walls(self, colour: int, walls: int) -> "Scoring":
        """A colour counts so many walls more."""
        return self._replace(extra_walls=replace_item(self.extra_walls, colour, self.extra_walls[colour] + walls))


class OpenQuestion(NamedTuple):
    """Who has to choose what. All can see it; which cards a seat could lay stands in its View.

    Worked out once, when the question comes up, from what all see: no state file holds it. Reason:
    listing, refusing, ``forced`` and carrying out all need it; worked out each time it was a third
    of the cost of a step.
    """

    seat: int  #: the seat that has to choose, -1 when the game is over
    questions: tuple[Question, ...]
    placements: Placements  #: what may be placed, when an action is asked for
    lines: tuple[str, ...]  #: the legal orders, when a card or a board is asked about


NO_QUESTION = OpenQuestion(-1, (), NO_PLACEMENTS, ())


class Public(Facts):
    """What everybody sees. Frozen: ``draft`` gives a copy to change."""

    rules: Rules
    layout: Layout
    box: tuple[Board, ...]  #: boards still to come, in their order (CC-6)
    single: tuple[int, ...]  #: by colour: squares of single walls, broken ones too
    double: tuple[int, ...]
    tower: tuple[int, ...]
    broken: int
    reserve: tuple[int, ...]  #: by colour: the square its tower reserves (CC-15)
    keepers: tuple[int, ...]  #: colours whose tower may reserve, in its order (CC-15, unnamed)
    occupied: int
    scores: tuple[int, ...]  #: by colour
    hand_sizes: tuple[int, ...]  #: by colour: how many cards are in hand
    kinds_out: tuple[int, ...]  #: by colour: kinds that were turned up and left the game
    cards: tuple[Card, ...]
    reputation: tuple[int, ...]  #: by province, face up
    threat_places: tuple[int, ...]  #: by region: place of its counter in the pile, -1 once it is gone
    face_up_threats: tuple[int | None, ...]  #: by place in the pile: the value once face up for all
    looked: tuple[int, ...]  #: by seat: counters it has looked at (who placed where, all saw)
    scored_provinces: int  #: provinces with an Emperor, now or before
    emperors: int  #: since the last board joined
    seat: int  #: whose turn it is
    colour: int  #: the colour that is played this turn
    turns: int  #: turns begun, the first is 1
    stage: str  #: what is asked: colour, action, second, card, board, neutral; over
    first_step: str  #: after the first step of an action: wall or card, else ""
    first_province: int  #: the province of that step, else -1
    neutral_zone: NeutralZone | None  #: None: no neutral wall can be placed in this turn (any more)
    scoring: Scoring | None
    queue: tuple[int, ...]  #: provinces filled and still to be scored
    skips: int  #: turns skipped in a row (CC-41)
    ended_by: str  #: the ruling that ended the game, "" before
    asked: OpenQuestion  #: the question now open (derived)

    def draft(self) -> "Draft":
        """A copy that can be changed, for one order to be carried out on it."""
        return self.copied(Draft)

    def supply(self, colour: int) -> int:
        """Single walls a colour still has."""
        return self.rules.wall_counts[colour] - self.single[colour].bit_count()

    def reputation_in_draw_order(self) -> tuple[int, ...]:
        """Reputation counters in the order drawn: boards by letter, not by place (CC-3)."""
        letters = [name[0] for name in self.layout.provinces]
        order = sorted(range(len(letters)), key=lambda i: (letters[i], i))
        return tuple(self.reputation[i] for i in order)

    def count_unbroken(self, squares: int) -> list[int]:
        """By colour, how many of these squares its unbroken walls hold; a tower 1, a double 2."""
        squares &= ~self.broken
        return [
            ((single | double | tower) & squares).bit_count()
            for single, double, tower in zip(self.single, self.double, self.tower)
        ]


class Draft(MutableFacts, Public):
    """A Public while one order is carried out."""

    def frozen(self) -> Public:
        """The facts as they are now; what happens to the draft after that changes them no more."""
        return self.copied(Public)


class State(NamedTuple):
    """The whole truth. Never leaves the moderator. None stands in an imagined State only."""

    public: Public
    kinds: tuple[int | None, ...]  #: of each card in Public.cards
    threat: tuple[int | None, ...]  #: the pile of threat counters, in the order drawn
    reputation: tuple[int | None, ...]  #: the pile of reputation counters, in the order drawn
    hands: tuple[int | None, ...]  #: by colour: the kinds in hand


class View(NamedTuple):
    """What one seat may know: all that is public, and what it alone has seen."""

    public: Public
    seat: int | None  #: None: a spectator
    hands: tuple[int | None, ...]  #: by colour: the kinds in hand, where it is the seat's own
    kinds: tuple[int | None, ...]  #: of each card in Public.cards, where it is the seat's own
    threat: tuple[int | None, ...]  #: by place in the pile: what the seat has looked at, or all

    def hand(self) -> int:
        """The kinds that the seat holds of the colour now played; 0 where it is not its own."""
        return self.hands[self.public.colour] or 0


def view_of(state: State, seat: int | None) -> View:
    """The View of a seat, or of a spectator (None), who sees what all see and nothing else.

    Field by field, from nothing: what is not copied here by name is invisible (CC-7, CC-17).
    """
    public = state.public
    known_threats = public.face_up_threats
    if seat is None:
        return new_tuple(View, (public, None, public.rules.unknown_hands, (None,) * len(public.cards), known_threats))
    own_colours = public.rules.colours_by_seat[seat]
    kinds = [kind if card.colour in own_colours else None for card, kind in zip(public.cards, state.kinds)]
    hands, blank = state.hands, public.rules.unknown_hands
    first, end = own_colours[0], own_colours[-1] + 1  # the colours of a seat stand side by side
    own_hands = blank[:first] + hands[first:end] + blank[end:]
    if public.looked[seat]:  # threat counters that it alone knows, besides those turned up for all
        counters, threat = list(known_threats), state.threat
        for place in members(public.looked[seat]):
            counters[place] = threat[place]
        known_threats = tuple(counters)
    return new_tuple(View, (public, seat, own_hands, tuple(kinds), known_threats))


#: a pile of which nothing is known
UNKNOWN_PILE: tuple[int | None, ...] = (None,) * PILE_SIZE


class Play:
    """The table as it is being changed, what is hidden, and what has happened so far."""

    __slots__ = ("hands", "kinds", "link", "log", "reputation", "table", "threat")

    def __init__(self, state: State, link: int) -> None:
        self.table = state.public.draft()
        _, self.kinds, self.threat, self.reputation, self.hands = state
        self.link = link
        self.log: list[Event] = []
