"""The protocol a game offers.

What must never be here: a rule of one game. A game is a module-like object without state of its
own, found by the entry point ``pbem.games``.

The life of a game, as the moderator sees it:

    config = game.configure(seats, options)          # checks; explains what is wrong
    deal   = {pile.name: shuffled(pile.items) for pile in game.piles(config)}
    step   = game.setup(config, deal, link=2)
    while questions := game.questions(game.view(state, None)):
        view  = game.view(state, question.seat)      # only what that seat may know
        line  = one of game.legal(view)
        step  = game.apply(state, question.seat, line, link)
    game.outcome(game.view(state, None))

Games in which several seats decide at once return several questions; they keep an early answer in
their State, as a hidden value, until the last one is in.

All six parts must be there. What a game need not write itself, and what it may offer besides, is
in optional_parts.py.
Laws that every game must keep are in laws.py; docs/NEW-GAME.md is the long way round.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pbem.engine.decision import Event, Outcome, Question, Refusal, Soon, Step
from pbem.engine.row import Asking, Row
from pbem.engine.settings import Config, EncodedState, Option, Pile, Script


class Rules(Protocol):
    """What is played: who is asked what, which orders are legal, what an order does."""

    kind: str
    title: str
    credits: str
    rulings: tuple[str, ...]  #: versions it can be played by, newest first; one is pinned in a game
    players: tuple[int, int]  #: fewest and most
    seats: tuple[str, ...]  #: names a seat can have
    options: tuple[Option, ...]

    def configure(self, seats: Sequence[str], options: Mapping[str, str], rulings: str = "") -> Config:
        """Check seats and options and fill in defaults; BadInput says what is wrong.

        ``rulings`` is one of the versions above, "" for the newest.
        """

    def piles(self, config: Config) -> tuple[Pile, ...]:
        """What is shuffled at the deal."""

    def setup(self, config: Config, deal: Mapping[str, Sequence[str]], link: int) -> Step:
        """The first State. ``deal`` has every pile of ``piles`` in the order drawn."""

    def view(self, state: Any, seat: str | None) -> Any:
        """What one seat may know (None: a spectator). Built field by field from nothing."""

    def questions(self, view: Any) -> tuple[Question, ...]:
        """Who is asked what now; the same from every seat's View. Empty when the game is over."""

    def legal(self, view: Any) -> tuple[str, ...]:
        """Every legal order of the View's seat, canonical; empty when it is not asked."""

    def check(self, view: Any, line: str) -> Refusal | None:
        """Why the View's seat may not give this order now, any text; None if it is legal."""

    def complete(self, view: Any, line: str) -> str:
        """The canonical legal line that this well-formed line means, if it means one.

        A default left out, say, or said although there is no choice. Else the line itself.
        """

    def default(self, view: Any) -> str:
        """The order given for a missed turn (R-2), one of ``legal``."""

    def apply(self, state: Any, seat: str, line: str, link: int) -> Step:
        """Carry out a legal order in the link being made; BadInput ``order/illegal`` otherwise."""

    def outcome(self, view: Any) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def scores(self, view: Any) -> tuple[tuple[str, int], ...]:
        """The points as they stand, by seat, as this View may know them."""

    def turn(self, view: Any) -> int:
        """The number of the turn; what is left of a mail's first part lives as long as this.

        It never goes back. Where several are asked at once, a seat that has answered may count one
        further than the others: a second line of its mail is then refused at once.
        """


class Positions(Protocol):
    """States and Views as plain data, for state files and view files."""

    def encode(self, state: Any) -> EncodedState:
        """The State as plain data."""

    def decode(self, config: Config, public: Mapping[str, Any], values: Mapping[str, str]) -> Any:
        """The State of an EncodedState, from its public part and the value of each hidden slot."""

    def watch(self, config: Config, public: Mapping[str, Any]) -> Any:
        """The spectator's View from the public part of an EncodedState: no secret is needed."""

    def encode_view(self, view: Any) -> dict[str, Any]:
        """The View as plain data, for a view file. Whoever may have the View may have this."""

    def decode_view(self, config: Config, data: Mapping[str, Any]) -> Any:
        """The View of a view file; BadInput where the data is not one."""


class Orders(Protocol):
    """What players write, and when it is due."""

    words: frozenset[str]  #: the first words of its orders
    vocabulary: frozenset[str]  #: all other words that orders may have: known, they may be quoted

    def spell(self, tokens: tuple[str, ...]) -> str | None:
        """Lower-case words to the canonical line, if they are an order of this game at all."""

    def is_name(self, token: str) -> bool:
        """Whether a lower-case word has the shape of one of the game's names (a square, a site)."""

    def fits(self, view: Any, line: str) -> bool:
        """Whether a line is of the sort that the question now put to the View's seat wants.

        A standing order of another sort waits; one of this sort that is illegal is dropped.
        """

    def concerns(self, view: Any, name: str) -> bool:
        """Whether the question put to the View's seat is about ``name`` (for ``when NAME:``)."""

    def why_never(self, view: Any, name: str) -> str:
        """Why no question can be about ``name``, now or later, in words; "" where one can.

        As far as the View can tell.
        """

    def public_words(self, line: str) -> str:
        """The order as all may read it: hidden parts as ``?``."""


class Words(Protocol):
    """What players read: rows, whose sentences are in the game's ``words.txt``."""

    def event_row(self, event: Event, view: Any) -> Row:
        """An event as this View's seat may hear it: ``event_KIND``, its kind with "_" for "-".

        A report counts equal rows that follow one another in ``times``, where they have that fact.
        """

    def ask(self, view: Any) -> Asking | None:
        """The question for the View's seat (``question_KIND``); None where it is not asked."""

    def soon(self, view: Any) -> tuple[Soon, ...]:
        """Questions that the View's seat may be asked before its next turn, soonest first.

        A report asks whether he will answer now: each wait of a game by mail costs a day.
        """

    def describe(self, view: Any) -> Mapping[str, Any]:
        """The board, the hand and what the seat alone knows, as plain data.

        ``standing``, if it is there, has by seat what is shown in place of its points.
        """

    def board_text(self, described: Mapping[str, Any]) -> list[str]:
        """The board drawn in lines, from what ``describe`` gave: what everybody may read."""

    def notices(self, config: Config) -> tuple[Row, ...]:
        """House rulings and inferred data to be named in the first report (``notice_KIND``)."""


class Foresight(Protocol):
    """Playing on from what a seat knows: for mails of several lines, for bots, for the laws."""

    def foresee(self, view: Any, line: str) -> Any | None:
        """The seat's View after its own legal order, or None where nobody at that seat can tell."""

    def guess(self, view: Any, below: Any) -> Any:
        """A State that gives the View's seat this very View, drawn by ``below(bound)``.

        Drawn from *all* such States: bots look ahead in one, and the twin test (P2) compares what a
        seat is told in the true State and in a guessed one.
        """

    def prospects(self, view: Any) -> int:
        """How well the View's seat stands, for bots that look ahead: points, and what they expect.

        Only compared with other Views of the same seat in the same game.
        """


class Scripts(Protocol):
    """Whole games as facts and orders (docs/SCRIPT.md)."""

    def from_script(self, document: Mapping[str, Any]) -> Script:
        """Read a script; BadInput says where it is wrong."""

    def to_script(self, config: Config, deal: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        """The facts of a game as a script without orders."""


class Game(Rules, Positions, Orders, Words, Foresight, Scripts, Protocol):
    """All that a game must offer. ``Any`` stands for the game's own State and View types."""
