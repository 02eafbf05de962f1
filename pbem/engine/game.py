"""The protocol that every game implements.

Not allowed here: a rule of one game. A game is an object without state of its own; pbem
finds it by the entry point ``pbem.games``.

How the moderator plays a game:

    config = game.configure(seats, options)          # raises BadInput if a seat or option is wrong
    deal   = {pile.name: shuffled(pile.items) for pile in game.piles(config)}
    step   = game.setup(config, deal, link=2)
    while questions := game.questions(game.view(state, None)):  # a spectator's View has them too
        view  = game.view(state, question.seat)      # only what that seat may know
        line  = one of the lines of game.legal(view)
        step  = game.apply(state, question.seat, line, link)
    game.outcome(game.view(state, None))

A game in which several seats decide at once returns several questions. Its State holds each answer
as a hidden value until the last one arrives.

A game needs all six parts below. optional_parts.py has defaults and optional methods, laws.py the
laws that every game must obey, docs/NEW-GAME.md a walkthrough.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pbem.engine.decision import Event, Outcome, Question, Refusal, Soon, Step
from pbem.engine.row import Asking, Row
from pbem.engine.settings import Config, EncodedState, Option, Pile, Script
from pbem.engine.standings import Standings


class Rules(Protocol):
    """The rules: who must answer which question, which orders are legal, what an order does."""

    kind: str
    title: str
    credits: str
    rulings: tuple[str, ...]  #: versions of the rules, newest first; each game is bound to one
    players: tuple[int, int]  #: the fewest and the most players
    seats: tuple[str, ...]  #: the names that a seat can have
    options: tuple[Option, ...]

    def configure(self, seats: Sequence[str], options: Mapping[str, str], rulings: str = "") -> Config:
        """Check seats and options and fill in defaults; raise BadInput that says what is wrong.

        ``rulings`` is one of the versions above, or "" for the newest.
        """

    def piles(self, config: Config) -> tuple[Pile, ...]:
        """Return the piles that pbem shuffles for the deal."""

    def setup(self, config: Config, deal: Mapping[str, Sequence[str]], link: int) -> Step:
        """Return the first State and the events that lead to it.

        ``deal`` has every pile of ``piles`` in the order drawn; ``link`` is the number of the state.
        """

    def view(self, state: Any, seat: str | None) -> Any:
        """Return what one seat may know (None: a spectator). Name each value in it, so that no secret slips in."""

    def questions(self, view: Any) -> tuple[Question, ...]:
        """Return the open questions, the same in every seat's View; () when the game is over."""

    def legal(self, view: Any) -> tuple[str, ...]:
        """Return every legal order of the View's seat, in canonical form; () without a question."""

    def check(self, view: Any, line: str) -> Refusal | None:
        """Return why the View's seat may not give this order now; None if it may. ``line`` is any text."""

    def complete(self, view: Any, line: str) -> str:
        """Return the canonical legal line that a well-formed line means, or the line itself.

        For example, the player may omit a default, or may name something that leaves no choice.
        """

    def default(self, view: Any) -> str:
        """Return the order that pbem plays for a missed turn (R-2), one of ``legal``."""

    def apply(self, state: Any, seat: str, line: str, link: int) -> Step:
        """Carry out a legal order; raise BadInput ``order/illegal`` if it is not legal.

        ``link`` is the number of the state that the order leads to.
        """

    def outcome(self, view: Any) -> Outcome | None:
        """Return how the game ended; None while it continues."""

    def scores(self, view: Any) -> tuple[tuple[str, int], ...]:
        """Return the current points by seat, as far as this View may know them."""

    def turn(self, view: Any) -> int:
        """Return the number of the turn. It never decreases.

        When it grows, pbem drops what is left of the pending orders for the turn before.

        Where several seats decide at once, a seat that has answered may count one turn more than
        the others. pbem then refuses a second line of its email at once.
        """


class Positions(Protocol):
    """Converts States and Views to plain data and back, for state files and view files."""

    def encode(self, state: Any) -> EncodedState:
        """Return the State as plain data."""

    def decode(self, config: Config, public: Mapping[str, Any], values: Mapping[str, str]) -> Any:
        """Return the State of an EncodedState: its public part, and the value of each hidden slot."""

    def watch(self, config: Config, public: Mapping[str, Any]) -> Any:
        """Return the spectator's View. The public part of an EncodedState is enough for it."""

    def encode_view(self, view: Any) -> dict[str, Any]:
        """Return the View as plain data, for a view file. It is as secret as the View."""

    def decode_view(self, config: Config, data: Mapping[str, Any]) -> Any:
        """Return the View of a view file; raise BadInput if the data is not a View."""


class Orders(Protocol):
    """Reads what players write, and says which question it answers."""

    words: frozenset[str]  #: the first words of its orders
    vocabulary: frozenset[str]  #: all other words of its orders; error messages may quote them

    def spell(self, tokens: tuple[str, ...]) -> str | None:
        """Return the canonical line of these lower-case words; None if they are not an order."""

    def is_name(self, token: str) -> bool:
        """Return whether a lower-case word has the form of a name in this game (a square, a site)."""

    def fits(self, view: Any, line: str) -> bool:
        """Return whether a line is the kind of order that the question for the View's seat asks for.

        A pending order of another kind stays pending. An illegal one of this kind is dropped.
        """

    def concerns(self, view: Any, name: str) -> bool:
        """Return whether the question for the View's seat is about ``name``.

        Players write ``when NAME:`` above orders that answer such a question.
        """

    def why_never(self, view: Any, name: str) -> str:
        """Return a sentence that says why no question can ever be about ``name``; "" if one can.

        "Ever" is now or later, as far as the View can tell.
        """

    def public_words(self, line: str) -> str:
        """Return the order as everybody may read it, with ``?`` for each hidden part."""


class Words(Protocol):
    """What players read: rows, which the game's ``words.txt`` turns into sentences."""

    def event_row(self, event: Event, view: Any) -> Row:
        """Return the facts of an event that this View's seat may know, for the macro ``event_KIND``.

        KIND is the event's kind with "_" for "-". If equal rows follow one another and have the
        fact ``times``, a report shows one row with their number in it.
        """

    def ask(self, view: Any) -> Asking | None:
        """Return the question for the View's seat (macro ``question_KIND``); None if it has none."""

    def soon(self, view: Any) -> tuple[Soon, ...]:
        """Return questions that may come to the View's seat before its next turn, soonest first.

        A report offers to answer them now, because each wait in a game by email costs a day.
        """

    def describe(self, view: Any) -> Mapping[str, Any]:
        """Return the board, the hand and what only this seat knows, as plain data."""

    def standings(self, view: Any) -> Standings:
        """Return the position at a glance: points, what is left, who leads where, what happens if nothing changes.

        Made from the View alone. Rows have plain data that TOML can hold, for the macros
        ``holding_KIND``, ``place_KIND`` and ``outlook_KIND``.
        """

    def board_text(self, described: Mapping[str, Any]) -> list[str]:
        """Return the lines of the public board, from the result of ``describe``."""

    def notices(self, config: Config) -> tuple[Row, ...]:
        """Return rows for the first report: house rules and guessed data (macro ``notice_KIND``)."""


class Foresight(Protocol):
    """Plays on from what a seat knows: for emails of several lines, for bots and for the laws."""

    def foresee(self, view: Any, line: str) -> Any | None:
        """Return the seat's View after its own legal order; None if that seat cannot know it."""

    def guess(self, view: Any, below: Any) -> Any:
        """Return a State in which the View's seat has exactly this View, with all unknown values drawn.

        ``below(bound)`` draws a number. Every State that agrees with the View must be possible. Bots
        look ahead in such a State. The twin test (P2) compares what pbem tells a seat in the true
        State and in a drawn one.
        """

    def prospects(self, view: Any) -> int:
        """Return, for bots, how good the position of the View's seat is: points, and expected points.

        Bots compare it only with other Views of the same seat in the same game.
        """


class Scripts(Protocol):
    """Converts whole games, facts and orders, to scripts and back (FORMAT.md "Scripts")."""

    def from_script(self, document: Mapping[str, Any]) -> Script:
        """Read a script; raise BadInput that says where it is wrong."""

    def to_script(self, config: Config, deal: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        """Return the facts of a game as a script without orders."""


class Game(Rules, Positions, Orders, Words, Foresight, Scripts, Protocol):
    """A complete game. ``Any`` stands for its own State and View types."""
