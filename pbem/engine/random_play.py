"""Plays whole games at random (``walk``) and tests every position and step by the laws.

Some laws are here, because they need a whole game. As in laws.py, their docstrings state them.
Not allowed here: a rule of one game.
Source: laws.py, laws_of_secrecy.py.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.engine.decision import Event, Step
from pbem.engine.game import Game
from pbem.engine.hidden import Below, shuffle_with
from pbem.engine.laws import MOVE_LAWS, POSITION_LAWS, STEP_LAWS, LawContext, Move, OrderHistory, Violation
from pbem.engine.laws_of_secrecy import (
    Ledger,
    as_opened,
    forced_is_public,
    same_after_the_twin,
    same_for_the_twin,
    seen_by_its_audience,
)
from pbem.engine.row import Row
from pbem.engine.rulebook import list_rule_numbers
from pbem.engine.settings import SEATS, Config, is_seat_name, odd_texts
from pbem.errors import OurFault

#: turns rows of a game into sentences, like ``pbem.services.sentences.said``
RowRenderer = Callable[[Game, Sequence[Mapping[str, Any]], str], list[str]]

MAX_SAMPLE_LINES = 60  # lines from earlier positions to try in later ones


class WalkResult(NamedTuple):
    """The result of a random game."""

    orders: int  #: the number of orders played
    law: str = ""  #: the name of the broken law; "" if all were kept
    broken: str = ""  #: a sentence that says how it is broken
    twins: int = 0  #: the number of twins tried
    unlike: int = 0  #: how many of them differ from the true State


class _LawBroken(Exception):  # ends the random game
    def __init__(self, law: str, broken: str) -> None:
        super().__init__(law, broken)
        self.law, self.broken = law, broken


def all_written(game: object) -> Violation:
    """The game has every name of the protocol in game.py, its own or inherited."""
    parts = [vars(part) for part in Game.__mro__ if part.__module__ == Game.__module__]
    names = {name for part in parts for name in (*part, *part.get("__annotations__", ()))}
    missing_names = sorted(name for name in names if name[0] != "_" and not hasattr(game, name))
    return f"the game lacks {', '.join(missing_names)}" if missing_names else None


def seats_named(game: Game) -> Violation:
    """Names of seats consist of lower-case letters, digits and `-`, and none is a reserved name."""
    invalid_seats = [seat for seat in game.seats if not is_seat_name(seat)]
    return f"no seat can be called {invalid_seats[0]!r}" if invalid_seats else None


def seats_drawn(game: Game, config: Config) -> Violation:
    """A game that offers the option ``SEATS`` has a pile from which seats are drawn (R-3)."""
    if SEATS not in game.options:
        return None
    options = {**dict(config.options), SEATS.name: "drawn"}
    drawn_config = game.configure(config.seats, options, config.rulings)
    if any(pile.name == "seats" for pile in game.piles(drawn_config)):
        return None
    return 'with seats=drawn nothing is drawn: piles has no Pile("seats", config.seats)'


def in_the_rules(context: LawContext, events: Sequence[Event], rules: str) -> Violation:
    """Every rule number that the game cites has a paragraph in RULES.md."""
    game, view = context.game, context.view(None)
    texts = (*context.sample_lines[::6], *odd_texts(game.words, context.sample_lines[:1]))
    refusals = [game.check(view, text) for _, view in context.views() for text in texts]
    cited_rules = {refusal.ruling for refusal in refusals if refusal}
    cited_rules |= {question.ruling for question in game.questions(view)}
    cited_rules |= {event.ruling for event in events} | {option.ruling for option in game.options}
    if outcome := game.outcome(view):
        cited_rules.add(outcome.ended_by)
    missing_rules = sorted(cited_rules.difference(list_rule_numbers(rules)))
    return f"RULES.md has no paragraph {', '.join(missing_rules)}" if missing_rules else None


def told_in_words(context: LawContext, events: Sequence[Event], say: RowRenderer) -> Violation:
    """Every row that anybody reads has a macro in words.txt, which turns it into one line."""
    for prefix, rows in _rows_by_macro_prefix(context, events).items():
        try:
            lines = say(context.game, [row.plain() for row in rows], prefix)
        except OurFault as error:
            return error.message
        if len(lines) != len(rows) or not all(line.strip() for line in lines):
            macros = ", ".join(sorted({f"{prefix}_{row.kind}" for row in rows}))
            return f"{macros} of words.txt do not make one line each: {lines}"
    return None


def _rows_by_macro_prefix(context: LawContext, events: Sequence[Event]) -> dict[str, list[Row]]:
    """Return all rows that anybody reads, by the first part of their macro's name."""
    game, views = context.game, [view for _, view in context.views()]
    askings = [asking for view in views if (asking := game.ask(view))]
    return {
        "event": [game.event_row(event, view) for event in events for view in views],
        "source": [Row(event.kind.replace("-", "_"), {"points": 1}) for event in events if event.points],
        "question": [Row(asking.kind, asking.facts) for asking in askings],
        "hint": [asking.hint for asking in askings if asking.hint],
        "soon": [upcoming.row for view in views for upcoming in game.soon(view)],
        "notice": list(game.notices(context.config)),
    }


class _Walker:
    """A random game in progress, with what the laws need to know of its past."""

    def __init__(self, game: Game, config: Config, below: Below, only_law: str) -> None:
        self.game, self.config, self.below, self.only_law = game, config, below, only_law
        self.rules = ""
        self.say: RowRenderer | None = None
        self.ledger, self.order_history = Ledger(), OrderHistory()
        self.sample_lines: list[str] = []
        self.order_count = self.twin_count = self.unlike_count = 0

    def check_law(self, law: Callable[..., Violation], *arguments: Any) -> None:
        """Raise _LawBroken if the game breaks this law and it is to be tested."""
        broken = law(*arguments)
        if broken is not None and self.only_law in ("", law.__name__):
            raise _LawBroken(law.__name__, broken)

    def check_position(
        self, context: LawContext, events: Sequence[Event], extra_laws: Sequence[Callable[[Any], Violation]]
    ) -> None:
        """Test the laws of a position, and of reports about the events that led to it."""
        for law in (*POSITION_LAWS, forced_is_public, seen_by_its_audience):
            self.check_law(law, context)
        self.check_law(as_opened, context, self.ledger)
        self.check_law(self.order_history.never_again, context)
        if self.rules:
            self.check_law(in_the_rules, context, events, self.rules)
        if self.say:
            self.check_law(told_in_words, context, events, self.say)
        for extra_law in extra_laws:
            self.check_law(extra_law, context.state)

    def check_twins(self, context: LawContext, move: Move | None) -> None:
        """Test the laws of twins for a random viewer, before the order and, if there is one, after it."""
        seats = context.viewers()
        seat = seats[self.below(len(seats))]
        twin = self.game.guess(context.view(seat), self.below)
        self.twin_count += 1
        self.unlike_count += twin != context.state
        self.check_law(same_for_the_twin, context, seat, twin)
        if move is not None:
            self.check_law(same_after_the_twin, context, move, seat, twin)

    def carry_out(self, context: LawContext, move: Move) -> Step:
        """Carry out an order, test the laws of orders and steps, and return the step."""
        for move_law in MOVE_LAWS:
            self.check_law(move_law, context, move)
        self.check_law(self.order_history.room_for_all, context, move)
        step = self.game.apply(context.state, move.seat, move.line, move.state_number)
        for step_law in STEP_LAWS:
            self.check_law(step_law, context, step)
        before, after = (self.game.encode(state).hidden for state in (context.state, step.state))
        self.check_law(self.ledger.enter, step.events, before, after, move.state_number)
        return step

    def choose_move(self, context: LawContext) -> Move:
        """Return a random legal order of a random seat with a question. Keep its orders as later samples."""
        questions = self.game.questions(context.view(None))
        seat = questions[self.below(len(questions))].seat
        lines = self.game.legal(context.view(seat))
        self.sample_lines = [*lines, *self.sample_lines][:MAX_SAMPLE_LINES]
        return Move(seat, lines[self.below(len(lines))], self.order_count + 2)  # the deal makes state 1


def deal_piles(game: Game, config: Config, below: Below) -> dict[str, tuple[str, ...]]:
    """Return every pile of a game, shuffled by ``below``."""
    return {pile.name: shuffle_with(pile.items, below) for pile in game.piles(config)}


def walk(
    game: Game,
    seats: Sequence[str],
    below: Below,
    *,
    options: Mapping[str, str] | None = None,
    bound: int = 2000,
    only: str = "",
    extra: Sequence[Callable[[Any], Violation]] = (),
    rules: str = "",
    say: RowRenderer | None = None,
) -> WalkResult:
    """Play a random game to its end, or to the first broken law. Return the result.

    ``bound``: the number of orders after which the game must be over.
    ``only``: the name of the only law to test, "" for all.
    ``extra``: the game's own laws of its State, for example that no piece gets lost.
    ``rules``: the text of its RULES.md, to test the rule numbers that it cites.
    ``say``: ``pbem.services.sentences.said``, to test its templates.
    """
    if broken := all_written(game):
        return WalkResult(0, all_written.__name__, broken)
    config = game.configure(seats, options or {})
    walker = _Walker(game, config, below, only)
    walker.rules, walker.say = rules, say
    try:
        walker.check_law(seats_named, game)
        walker.check_law(seats_drawn, game, config)
        _play_to_end(walker, game.setup(config, deal_piles(game, config, below), 1), bound, extra)
    except _LawBroken as stopped:
        return WalkResult(walker.order_count, stopped.law, stopped.broken, walker.twin_count, walker.unlike_count)
    return WalkResult(walker.order_count, "", "", walker.twin_count, walker.unlike_count)


def _play_to_end(walker: _Walker, step: Step, bound: int, extra_laws: Sequence[Callable[[Any], Violation]]) -> None:
    """Play random orders from the deal (``step``) to the end; raise _LawBroken at the first broken law."""
    game = walker.game
    walker.check_law(walker.ledger.enter, step.events, {}, game.encode(step.state).hidden, 1)
    while True:
        lines = tuple(walker.sample_lines)
        context = LawContext(game, walker.config, step.state, walker.below, lines)
        walker.check_position(context, step.events, extra_laws)
        if not game.questions(context.view(None)):
            walker.check_twins(context, None)
            return
        if walker.order_count >= bound:
            raise _LawBroken("ends", f"the game is not over after {bound} orders")
        move = walker.choose_move(context)
        walker.check_twins(context, move)
        step = walker.carry_out(context, move)
        walker.order_count += 1
