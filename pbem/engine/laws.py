"""Laws for every game. Each is a function that returns how a game breaks the law, or None.

The docstring of such a function states its law.

Not allowed here: a rule of one game. A game's own tests run ``random_play.walk``;
tests/engine/test_laws_catch.py shows what each law finds.
Source: docs/DESIGN.md "Promises", "Words", "Laws of the house"; decision 0001.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine import optional_parts
from pbem.engine.decision import Step
from pbem.engine.hidden import Below
from pbem.engine.settings import Config, odd_texts

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: a sentence that says how a law is broken; None if it is kept
Violation = str | None


class LawContext(NamedTuple):
    """A position to test, and what the laws need for it."""

    game: "Game"
    config: Config
    state: Any
    below: Below
    sample_lines: tuple[str, ...] = ()  #: orders that are legal in other positions

    def viewers(self) -> tuple[str | None, ...]:
        """Return every seat, and None for a spectator."""
        return (*self.config.seats, None)

    def view(self, seat: str | None) -> Any:
        """Return the View of a seat, or of a spectator (None)."""
        return self.game.view(self.state, seat)

    def views(self) -> Iterator[tuple[str | None, Any]]:
        """Yield every viewer with their View."""
        return ((seat, self.view(seat)) for seat in self.viewers())


class Move(NamedTuple):
    """An order to test."""

    seat: str
    line: str
    state_number: int


def written_and_read(context: LawContext) -> Violation:
    """decode(encode(state)) == state, and the public part is enough for a spectator's View."""
    game, config, state = context.game, context.config, context.state
    encoded = game.encode(state)
    values = {slot: hidden.for_sealing() for slot, hidden in encoded.hidden.items()}
    decoded = game.decode(config, encoded.public, values)
    if decoded != state:
        return "decode(encode(state)) is another state"
    if game.encode(decoded) != encoded:
        return "encode(decode(encode(state))) is another position"
    if game.watch(config, encoded.public) != context.view(None):
        return "watch(public) is not the spectator's View"
    return None


def views_written_and_read(context: LawContext) -> Violation:
    """decode_view(encode_view(view)) == view, for every viewer."""
    for seat, view in context.views():
        data = context.game.encode_view(view)
        if context.game.decode_view(context.config, data) != view:
            return f"decode_view(encode_view) of {seat or 'a spectator'} is another View"
    return None


def same_questions(context: LawContext) -> Violation:
    """Everybody sees the same questions, and there are none exactly when the game is over."""
    questions = context.game.questions(context.view(None))
    for seat in context.config.seats:
        if context.game.questions(context.view(seat)) != questions:
            return f"{seat} sees other questions than a spectator"
    is_over = context.game.outcome(context.view(None)) is not None
    if is_over == bool(questions):
        return f"the game is {'over' if is_over else 'not over'} and asks {len(questions)} questions"
    return None


def answerable(context: LawContext) -> Violation:
    """A seat with a question has legal orders, each listed once. Any other seat has none."""
    asked_seats = {question.seat for question in context.game.questions(context.view(None))}
    for seat, view in context.views():
        lines = context.game.legal(view)
        if bool(lines) != (seat in asked_seats):
            return f"{seat} is {'' if seat in asked_seats else 'not '}asked and has {len(lines)} orders"
        if len(set(lines)) != len(lines):
            return f"{seat} has the same order twice in the list"
    return None


def listed_is_allowed(context: LawContext) -> Violation:
    """check(view, line) is None exactly when the line is in legal(view)."""
    for seat, view in context.views():
        legal = set(context.game.legal(view))
        for line in (*context.sample_lines, *legal):
            if (context.game.check(view, line) is None) != (line in legal):
                return f"{seat}: check and legal disagree about {line!r}"
    return None


def check_never_raises(context: LawContext) -> Violation:
    """check never raises on any text, and refuses every text that is not in the list."""
    for seat, view in context.views():
        legal = context.game.legal(view)
        for text in odd_texts(context.game.words, context.sample_lines):
            try:
                refusal = context.game.check(view, text)
            except Exception as error:  # noqa: BLE001 - the law forbids every exception
                return f"{seat}: check({text!r}) raises {error!r}"
            if (refusal is None) != (text in legal):
                return f"{seat}: check and legal disagree about {text!r}"
    return None


def completed(context: LawContext) -> Violation:
    """complete leaves a legal line unchanged, and turns any other line into a legal one or leaves it, too."""
    for seat, view in context.views():
        legal = set(context.game.legal(view))
        for line in (*context.sample_lines, *legal, *odd_texts(context.game.words, context.sample_lines)):
            completion = context.game.complete(view, line)
            if completion != line and (line in legal or completion not in legal):
                return f"{seat}: {line!r} is completed to {completion!r}"
    return None


def concerned(context: LawContext) -> Violation:
    """why_never never rules out the subject of an open question."""
    game = context.game
    for question in game.questions(context.view(None)):
        view, name = context.view(question.seat), question.about
        if not name:
            continue
        if game.concerns(view, name) and game.why_never(view, name):
            return f"the question is about {name!r}, and none can be"
    return None


def asked_ahead(context: LawContext) -> Violation:
    """soon proposes only well-formed orders, and only for questions that can come."""
    for seat, view in context.views():
        for upcoming in context.game.soon(view):
            for order in upcoming.orders:
                if context.game.spell(tuple(order.lower().split())) != order or order.split()[0] != upcoming.word:
                    return f"{seat}: {order!r} is proposed and is not an order that answers it"
            if context.game.why_never(view, upcoming.name):
                return f"{seat}: asked ahead about {upcoming.name!r}, which no question can be about"
    return None


def default_is_legal(context: LawContext) -> Violation:
    """The order for a missed turn is one of the legal orders."""
    for question in context.game.questions(context.view(None)):
        view = context.view(question.seat)
        line = context.game.default(view)
        if line not in context.game.legal(view):
            return f"the default {line!r} of {question.seat} is not legal"
        if not context.game.fits(view, line):
            return f"the default {line!r} does not fit the question"
    return None


def spelled(context: LawContext) -> Violation:
    """spell turns the words of a canonical line into that line, and the game lists all of them."""
    known_words = context.game.words | context.game.vocabulary
    for question in context.game.questions(context.view(None)):
        for line in context.game.legal(context.view(question.seat)):
            tokens = tuple(line.lower().split())
            if context.game.spell(tokens) != line:
                return f"spell does not find {line!r} again"
            if tokens[0] not in context.game.words:
                return f"{tokens[0]!r} is not among the game's words"
            for token in tokens[1:]:
                is_name_or_number = context.game.is_name(token) or token.lstrip("+-").isdigit()
                if not is_name_or_number and token not in known_words:
                    return f"{token!r} is not in the game's vocabulary"
    return None


def put_in_words(context: LawContext) -> Violation:
    """A seat with a question gets it in words, with all choices and a legal example. Any other seat gets none."""
    for seat, view in context.views():
        if not all(isinstance(line, str) for line in context.game.board_text(context.game.describe(view))):
            return f"{seat or 'a spectator'}: board_text gives something else than lines"
        asking, lines = context.game.ask(view), context.game.legal(view)
        if bool(asking) != bool(lines):
            return f"{seat or 'a spectator'}: the question in words and the list disagree"
        if asking is None:
            continue
        if asking.example[0] not in lines:
            return f"{seat}: the example {asking.example[0]!r} is not legal"
        listed_lines = {f"{choice.order} {ending}".strip() for choice in asking.choices for ending in choice.rest}
        if listed_lines != set(lines):
            return f"{seat}: the choices and the legal orders are not the same"
        if not _is_plain_row(asking.kind, asking.facts):
            return f"{seat}: the question is not plain data"
    return None


def _is_plain_row(kind: str, facts: Any) -> bool:
    """Return whether a row's kind can be part of a macro's name, and its facts are plain data."""

    def is_plain_value(value: Any) -> bool:
        if isinstance(value, dict):
            return all(isinstance(name, str) and is_plain_value(part) for name, part in value.items())
        if isinstance(value, list | tuple):
            return all(is_plain_value(part) for part in value)
        return value is None or isinstance(value, str | int)

    is_macro_name = kind.replace("_", "a").isalnum()
    return is_macro_name and is_plain_value(facts)


def repeatable(context: LawContext, move: Move) -> Violation:
    """The same order on the same state gives the same result and leaves the state unchanged."""
    game, state = context.game, context.state
    before = game.encode(state)
    first = game.apply(state, move.seat, move.line, move.state_number)
    if game.encode(state) != before:
        return f"{move.line!r} changed the state it was applied to"
    if game.apply(state, move.seat, move.line, move.state_number) != first:
        return f"{move.line!r} gave two results"
    return None


def points_add_up(context: LawContext, step: Step) -> Violation:
    """The scores change by the sum of the events' points."""
    expected_scores = dict(context.game.scores(context.view(None)))
    for event in step.events:
        for seat, number in event.points:
            expected_scores[seat] += number
    if dict(context.game.scores(context.game.view(step.state, None))) != expected_scores:
        return "the scores are not what the events' points add up to"
    return None


def turns_go_on(context: LawContext, step: Step) -> Violation:
    """The number of the turn never decreases, whoever looks at it."""
    for seat in context.viewers():
        before = context.game.turn(context.view(seat))
        after = context.game.turn(context.game.view(step.state, seat))
        if after < before:
            return f"{seat or 'a spectator'}: turn {before} is followed by turn {after}"
    return None


def every_event_told(context: LawContext, step: Step) -> Violation:
    """Every event has a rule, facts without blanks, and a row for every viewer."""
    for seat in context.viewers():
        view = context.game.view(step.state, seat)
        for event in step.events:
            row = context.game.event_row(event, view)
            if not _is_plain_row(row.kind, row.facts) or not event.ruling:
                return f"the event {event.kind!r} has no proper row: {row!r}"
            for fact in event.facts:
                if len("=".join(fact).split()) != 1:
                    return f"the event {event.kind!r} has a blank in its fact {fact}"
    return None


def foreseen(context: LawContext, move: Move) -> Violation:
    """What a seat foresees of its own order comes true.

    Questions, legal orders, scores, outcome and turn are the same in the foreseen View and in the
    real one. The real View may have more rows, but it lacks none. Like ``foresee``, this law plays
    the order as state 0.
    """
    game = context.game
    imagined = game.foresee(context.view(move.seat), move.line)
    if imagined is None:
        return None
    actual = game.view(game.apply(context.state, move.seat, move.line, 0).state, move.seat)
    for query in (game.questions, game.legal, game.scores, game.outcome, game.turn):
        if query(imagined) != query(actual):
            return f"{move.line!r}: {query.__name__} was foreseen otherwise"
    difference = _find_difference(game.encode_view(imagined), game.encode_view(actual))
    return f"{move.line!r}: {difference} was foreseen and is not so" if difference else None


def _find_difference(expected: Any, actual: Any, name: str = "the View") -> Violation:
    """Return the name of a part that differs, or None. A list may have more rows in ``actual``, but not fewer."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        if expected.keys() != actual.keys():
            return name
        differences = (_find_difference(value, actual[key], key) for key, value in expected.items())
        return next((difference for difference in differences if difference), None)
    if isinstance(expected, list) and isinstance(actual, list):
        return None if all(row in actual for row in expected) else name
    return None if expected == actual else name


class TurnOrders(NamedTuple):
    """The orders of one seat in one turn."""

    turn: int
    first_view: Any  #: the seat's View before the first of them
    lines: list[str]


class OrderHistory:
    """By seat, the orders that ``never`` has ruled out, and the orders given in the current turn."""

    def __init__(self) -> None:
        self.ruled_out_by_seat: dict[str, set[str]] = {}
        self.turn_by_seat: dict[str, TurnOrders] = {}

    def never_again(self, context: LawContext) -> Violation:
        """A text that ``never`` has ruled out does not become legal later."""
        game = context.game
        for seat in context.config.seats:
            view = context.view(seat)
            legal = game.legal(view)
            ruled_out = self.ruled_out_by_seat.setdefault(seat, set())
            texts = {*legal, *context.sample_lines, *odd_texts(game.words, context.sample_lines)} - ruled_out
            ruled_out |= {text for text in texts if optional_parts.never(game, view, text)}
            for line in ruled_out:
                if legal and game.complete(view, line) in legal:
                    return f"{line!r} is legal for {seat}, which was never to be"
        return None

    def room_for_all(self, context: LawContext, move: Move) -> Violation:
        """``too_many`` does not refuse orders that a seat then gives in one turn."""
        game, view = context.game, context.view(move.seat)
        turn = game.turn(view)
        orders = self.turn_by_seat.get(move.seat)
        if orders is None or orders.turn != turn:
            orders = self.turn_by_seat[move.seat] = TurnOrders(turn, view, [])
        orders.lines.append(move.line)
        is_refused = optional_parts.too_many(game, orders.first_view, orders.lines)
        return f"{orders.lines} are too many" if is_refused else None


#: laws of a position; reports call a law by the name of its function
POSITION_LAWS: tuple[Callable[[LawContext], Violation], ...] = (
    written_and_read,
    views_written_and_read,
    same_questions,
    answerable,
    listed_is_allowed,
    check_never_raises,
    completed,
    concerned,
    asked_ahead,
    default_is_legal,
    spelled,
    put_in_words,
)
#: laws of an order, before it is carried out
MOVE_LAWS: tuple[Callable[[LawContext, Move], Violation], ...] = (repeatable, foreseen)
#: laws of the step that an order leads to
STEP_LAWS: tuple[Callable[[LawContext, Step], Violation], ...] = (points_add_up, turns_go_on, every_event_told)
