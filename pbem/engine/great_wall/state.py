"""The State of a game of Great Wall, its public part, and the View of one seat.

Not allowed here: a rule.
Law: Public has nothing that a spectator at the table could not see. A View is made of Public and of
what its own seat knows, and of nothing else.
A colour is a number, its seat's place in ``Rules.seats``. So is a kind of card (parts.KINDS).
Source: GW-5.
"""

from typing import NamedTuple

from pbem.engine.decision import Event, Question
from pbem.engine.great_wall.parts import WHOLE_DECK, Site, hand_size
from pbem.engine.table import Facts, MutableFacts, new_tuple


class Rules(NamedTuple):
    """What stays the same during a game."""

    seats: tuple[str, ...]  #: by colour, in turn order (GW-4)
    open_scores: bool  #: everybody sees all points (GW-33)
    deal_state_number: int  #: the number of the state of the deal, part of the piles' slots

    def slot(self, pile: str, place: int) -> str:
        return f"{self.deal_state_number}/{pile}/{place:02d}"

    def deck_name(self, colour: int) -> str:
        """Return the name that the pile of a colour's deck has."""
        return f"deck/{self.seats[colour]}"


class OpenQuestion(NamedTuple):
    """The open question, as everybody can see it."""

    seat: int  #: the seat that has to choose, -1 when the game is over
    questions: tuple[Question, ...]
    lines: tuple[str, ...]  #: the legal orders if a marker must be taken; () for actions, which depend on the hand


NO_QUESTION = OpenQuestion(-1, (), ())


class Public(Facts):
    """What everybody sees. It is frozen; ``draft`` makes a copy that can change."""

    rules: Rules
    sites: tuple[Site, ...]  #: by number
    deck_sizes: tuple[int, ...]  #: by colour: cards in the deck
    hand_sizes: tuple[int, ...]  #: by colour: cards in hand
    played_cards: tuple[int, ...]  #: by colour: all cards ever played, in the form of a hand (parts.py)
    won_markers: tuple[tuple[int, ...], ...]  #: by colour: the markers that it has won (GW-33)
    drawn_markers: int  #: number of markers that have left the reserve
    reserve_size: int  #: number of markers in the reserve
    discarded_pairs: tuple[int, ...]  #: the value of each pair that left the game (GW-3)
    seat: int  #: whose turn it is
    turns: int  #: turns begun, the first is 1
    #: ``examine`` the sites; ``second`` or ``third``, the first or second action; ``final``, the last
    #: examination; ``over``
    stage: str
    site: int  #: the site where a marker must be taken, -1 for none
    caller: int  #: the colour that called the last turn, -1 for none (GW-31)
    ended_by: str  #: the number of the rule that ended the game, "" before
    asked: OpenQuestion  #: the open question (derived)

    def draft(self) -> "Draft":
        """Return a copy that can change while one order is carried out."""
        return self.copied(Draft)

    def out_of_cards(self, colour: int) -> bool:
        """Return whether a colour's hand and deck are both empty (GW-22, GW-31)."""
        return not (self.hand_sizes[colour] or self.deck_sizes[colour])

    def known_hand(self, colour: int) -> int | None:
        """Return a colour's hand if everybody can know it: the cards not played, once its deck is empty. Else None."""
        if not self.hand_sizes[colour]:
            return 0
        unplayed = WHOLE_DECK - self.played_cards[colour]
        is_known = not self.deck_sizes[colour] and hand_size(unplayed) == self.hand_sizes[colour]
        return unplayed if is_known else None


class Draft(MutableFacts, Public):
    """A Public while one order is carried out."""

    def frozen(self) -> Public:
        """Return a frozen copy of the facts as they are now."""
        return self.copied(Public)


class State(NamedTuple):
    """A whole position, for the moderator only. In a State imagined from a View, unknown values are None."""

    public: Public
    decks: tuple[tuple[int | None, ...], ...]  #: by colour: its whole deck in the order drawn
    hands: tuple[int | None, ...]  #: by colour: its hand (parts.one_card)
    reserve: tuple[int | None, ...]  #: markers to be drawn, in this order


class View(NamedTuple):
    """What one seat may know: what is public, and its own cards."""

    public: Public
    seat: int | None  #: None: a spectator
    hand: int  #: the seat's own hand (parts.one_card)
    drawn_kinds: tuple[int, ...]  #: the kinds of all cards that it has drawn, in this order


class Play:
    """The State while one order is carried out, and the events that the order has caused so far."""

    __slots__ = ("decks", "hands", "log", "reserve", "table")

    def __init__(self, state: State) -> None:
        self.table = state.public.draft()
        self.decks = state.decks
        self.hands = state.hands
        self.reserve = state.reserve
        self.log: list[Event] = []

    def state(self) -> State:
        """Return the State as it is now, frozen."""
        return State(self.table.frozen(), self.decks, self.hands, self.reserve)


def view_of(state: State, seat: int | None) -> View:
    """Return the View of a seat, or of a spectator (None).

    A spectator sees only what is public. A seat also sees its hand and the cards that it has drawn
    (GW-5). ``new_tuple(View, …)`` is a faster ``View(…)``, with the fields in the order of the class.
    """
    public = state.public
    if seat is None:
        return new_tuple(View, (public, None, 0, ()))
    deck = state.decks[seat]
    drawn_kinds = deck[: len(deck) - public.deck_sizes[seat]]
    return new_tuple(View, (public, seat, state.hands[seat] or 0, drawn_kinds))
