"""The whole truth of a game of Great Wall, what all may see of it, and what one seat may see.

What must never be here: a rule.
Law: Public holds nothing that a spectator at the table could not see; State and View keep the rest
apart from it, so that a View is made of Public and of what its own seat knows, and of nothing else.
A colour is a number, its seat's place in ``Rules.seats``; so is a kind of card (parts.KINDS).
Source: GW-5.
"""

from typing import NamedTuple

from pbem.engine.decision import Event, Question
from pbem.engine.great_wall.parts import WHOLE_DECK, Site, hand_size
from pbem.engine.table import Facts, MutableFacts, new_tuple


class Rules(NamedTuple):
    """What stays the same in one game: seats in turn order, what the standing shows."""

    seats: tuple[str, ...]  #: by colour, in turn order (GW-4)
    open_scores: bool  #: GW-33
    deal_state_number: int  #: the link of the deal; it stands in the slots of the piles

    def slot(self, pile: str, place: int) -> str:
        return f"{self.deal_state_number}/{pile}/{place:02d}"

    def deck_name(self, colour: int) -> str:
        """The name of a colour's deck among the piles."""
        return f"deck/{self.seats[colour]}"


class OpenQuestion(NamedTuple):
    """Who has to choose what. All can see it; which cards a seat could play stands in its View."""

    seat: int  #: the seat that has to choose, -1 when the game is over
    questions: tuple[Question, ...]
    lines: tuple[str, ...]  #: the legal orders, when a marker is to be taken


NO_QUESTION = OpenQuestion(-1, (), ())


class Public(Facts):
    """What everybody sees. Frozen: ``draft`` gives a copy to change."""

    rules: Rules
    sites: tuple[Site, ...]  #: in number order
    deck_sizes: tuple[int, ...]  #: by colour: cards still to be drawn
    hand_sizes: tuple[int, ...]  #: by colour: cards in hand
    played_cards: tuple[int, ...]  #: by colour: all cards ever played, as a hand (parts.one_card)
    won_markers: tuple[tuple[int, ...], ...]  #: by colour: markers face down before it (GW-33)
    drawn_markers: int  #: markers that have left the reserve
    reserve_size: int  #: markers still in it
    discarded_pairs: tuple[int, ...]  #: a value for every pair that went out of the game (GW-3)
    seat: int  #: whose turn it is
    turns: int  #: turns begun, the first is 1
    stage: str  #: examine, second or third action; final: the last examination; over
    site: int  #: the site whose marker is to be taken, -1 for none
    caller: int  #: who has called the last turn, -1 for nobody (GW-31)
    ended_by: str  #: the ruling that ended the game, "" before
    asked: OpenQuestion  #: the question now open (derived)

    def draft(self) -> "Draft":
        """A copy that can be changed, for one order to be carried out on it."""
        return self.copied(Draft)

    def out_of_cards(self, colour: int) -> bool:
        """Whether a colour's hand and deck are both empty (GW-22, GW-31)."""
        return not (self.hand_sizes[colour] or self.deck_sizes[colour])

    def known_hand(self, colour: int) -> int | None:
        """What everybody knows a colour to hold: with its deck drawn, all it has not played.

        None where nobody else can tell.
        """
        if not self.hand_sizes[colour]:
            return 0
        unplayed = WHOLE_DECK - self.played_cards[colour]
        return None if self.deck_sizes[colour] or hand_size(unplayed) != self.hand_sizes[colour] else unplayed


class Draft(MutableFacts, Public):
    """A Public while one order is carried out."""

    def frozen(self) -> Public:
        """The facts as they are now; what happens to the draft after that changes them no more."""
        return self.copied(Public)


class State(NamedTuple):
    """The whole truth. Never leaves the moderator. None stands in an imagined State only."""

    public: Public
    decks: tuple[tuple[int | None, ...], ...]  #: by colour: the whole deck in the order drawn
    hands: tuple[int | None, ...]  #: by colour: what of it is in hand (parts.one_card)
    reserve: tuple[int | None, ...]  #: markers still to be drawn, the next one first


class View(NamedTuple):
    """What one seat may know: all that is public, and its own cards."""

    public: Public
    seat: int | None  #: None: a spectator
    hand: int  #: the seat's own hand (parts.one_card)
    drawn_kinds: tuple[int, ...]  #: the kinds of all cards the seat has drawn, first drawn first


class Play:
    """The table as it is being changed, what is hidden, and what has happened so far."""

    __slots__ = ("decks", "hands", "log", "reserve", "table")

    def __init__(self, state: State) -> None:
        self.table = state.public.draft()
        _, self.decks, self.hands, self.reserve = state
        self.log: list[Event] = []

    def state(self) -> State:
        """The State that came of it; the table cannot be changed any more."""
        return State(self.table.frozen(), self.decks, self.hands, self.reserve)


def view_of(state: State, seat: int | None) -> View:
    """The View of a seat, or of a spectator (None), who sees what all see and nothing else.

    Field by field, from nothing: what is not copied here by name is invisible (GW-5).
    """
    public = state.public
    if seat is None:
        return new_tuple(View, (public, None, 0, ()))
    deck = state.decks[seat]
    drawn_kinds = deck[: len(deck) - public.deck_sizes[seat]]
    return new_tuple(View, (public, seat, state.hands[seat] or 0, drawn_kinds))
