"""What every game must keep, as functions over the protocol: the broken law in words, or None.

What must never be here: a rule of one game. A game's own tests run ``random_play.walk``;
tests/engine/test_laws_catch.py shows what each catches.
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

#: the broken law in words, or None
Broken = str | None


class Place(NamedTuple):
    """A position under the laws, and what they need besides."""

    game: "Game"
    config: Config
    state: Any
    below: Below
    lines: tuple[str, ...] = ()  #: orders that are legal somewhere, to be refused elsewhere

    def seats(self) -> tuple[str | None, ...]:
        """Everybody who looks: each seat, and a spectator."""
        return (*self.config.seats, None)

    def view(self, seat: str | None) -> Any:
        """What that seat sees here."""
        return self.game.view(self.state, seat)

    def views(self) -> Iterator[tuple[str | None, Any]]:
        """Everybody who looks, each with what that seat sees here."""
        return ((seat, self.view(seat)) for seat in self.seats())


class Move(NamedTuple):
    """One order under the laws."""

    seat: str
    line: str
    link: int


def written_and_read(place: Place) -> Broken:
    """decode(encode(state)) == state, and a spectator's View needs the public part alone."""
    game, config, state = place.game, place.config, place.state
    position = game.encode(state)
    values = {slot: hidden.for_sealing() for slot, hidden in position.hidden.items()}
    again = game.decode(config, position.public, values)
    if again != state:
        return "decode(encode(state)) is another state"
    if game.encode(again) != position:
        return "encode(decode(encode(state))) is another position"
    if game.watch(config, position.public) != place.view(None):
        return "watch(public) is not the spectator's View"
    return None


def views_written_and_read(place: Place) -> Broken:
    """decode_view(encode_view(view)) == view, for every seat and a spectator."""
    for seat, view in place.views():
        data = place.game.encode_view(view)
        if place.game.decode_view(place.config, data) != view:
            return f"decode_view(encode_view) of {seat or 'a spectator'} is another View"
    return None


def same_questions(place: Place) -> Broken:
    """Everybody sees the same questions; none exactly when the game is over."""
    asked = place.game.questions(place.view(None))
    for seat in place.config.seats:
        if place.game.questions(place.view(seat)) != asked:
            return f"{seat} sees other questions than a spectator"
    over = place.game.outcome(place.view(None)) is not None
    if over == bool(asked):
        return f"the game is {'over' if over else 'not over'} and asks {len(asked)} questions"
    return None


def answerable(place: Place) -> Broken:
    """Who is asked has a legal order, each listed once; who is not asked has none."""
    asked = {question.seat for question in place.game.questions(place.view(None))}
    for seat, view in place.views():
        lines = place.game.legal(view)
        if bool(lines) != (seat in asked):
            return f"{seat} is {'' if seat in asked else 'not '}asked and has {len(lines)} orders"
        if len(set(lines)) != len(lines):
            return f"{seat} has the same order twice in the list"
    return None


def listed_is_allowed(place: Place) -> Broken:
    """check(view, line) is None exactly when the line is in legal(view)."""
    for seat, view in place.views():
        legal = set(place.game.legal(view))
        for line in (*place.lines, *legal):
            if (place.game.check(view, line) is None) != (line in legal):
                return f"{seat}: check and legal disagree about {line!r}"
    return None


def check_never_raises(place: Place) -> Broken:
    """check never raises on any text, and refuses it unless it stands in the list."""
    for seat, view in place.views():
        legal = place.game.legal(view)
        for text in odd_texts(place.game.words, place.lines):
            try:
                refusal = place.game.check(view, text)
            except Exception as error:  # noqa: BLE001  (whichever it is, it is one too many)
                return f"{seat}: check({text!r}) raises {error!r}"
            if (refusal is None) != (text in legal):
                return f"{seat}: check and legal disagree about {text!r}"
    return None


def completed(place: Place) -> Broken:
    """complete leaves a legal line alone, and makes of another a legal one or nothing else."""
    for seat, view in place.views():
        legal = set(place.game.legal(view))
        for line in (*place.lines, *legal, *odd_texts(place.game.words, place.lines)):
            meant = place.game.complete(view, line)
            if meant != line and (line in legal or meant not in legal):
                return f"{seat}: {line!r} is completed to {meant!r}"
    return None


def concerned(place: Place) -> Broken:
    """What an open question concerns, a question can concern."""
    game = place.game
    for question in game.questions(place.view(None)):
        view, name = place.view(question.seat), question.about
        if not name:
            continue
        if game.concerns(view, name) and game.why_never(view, name):
            return f"the question is about {name!r}, and none can be"
    return None


def asked_ahead(place: Place) -> Broken:
    """An answer proposed to a question to come is an order, about something that can come."""
    for seat, view in place.views():
        for soon in place.game.soon(view):
            if place.game.spell(tuple(soon.order.lower().split())) != soon.order:
                return f"{seat}: {soon.order!r} is proposed and is no order"
            if place.game.why_never(view, soon.name):
                return f"{seat}: asked ahead about {soon.name!r}, which no question can be about"
    return None


def default_is_legal(place: Place) -> Broken:
    """The order for a missed turn is one of the legal orders."""
    for question in place.game.questions(place.view(None)):
        view = place.view(question.seat)
        line = place.game.default(view)
        if line not in place.game.legal(view):
            return f"the default {line!r} of {question.seat} is not legal"
        if not place.game.fits(view, line):
            return f"the default {line!r} does not fit the question"
    return None


def spelled(place: Place) -> Broken:
    """Words of a canonical line come back as that line; all are known words."""
    known = place.game.words | place.game.vocabulary
    for question in place.game.questions(place.view(None)):
        for line in place.game.legal(place.view(question.seat)):
            tokens = tuple(line.lower().split())
            if place.game.spell(tokens) != line:
                return f"spell does not find {line!r} again"
            if tokens[0] not in place.game.words:
                return f"{tokens[0]!r} is not among the game's words"
            for token in tokens[1:]:
                numbered = place.game.is_name(token) or token.lstrip("+-").isdigit()
                if not numbered and token not in known:
                    return f"{token!r} is not in the game's vocabulary"
    return None


def put_in_words(place: Place) -> Broken:
    """Who is asked gets a question in words, with an example that is legal; others get none."""
    for seat, view in place.views():
        if not all(isinstance(x, str) for x in place.game.board_text(place.game.describe(view))):
            return f"{seat or 'a spectator'}: board_text gives something else than lines"
        asked, lines = place.game.ask(view), place.game.legal(view)
        if bool(asked) != bool(lines):
            return f"{seat or 'a spectator'}: the question in words and the list disagree"
        if asked is None:
            continue
        if asked.example[0] not in lines:
            return f"{seat}: the example {asked.example[0]!r} is not legal"
        listed = {
            f"{choice.order} {rest}".strip() for choice in asked.choices for rest in choice.rest
        }
        if listed != set(lines):
            return f"{seat}: the choices and the legal orders are not the same"
        if not _plain(asked.kind, asked.facts):
            return f"{seat}: the question is not plain data"
    return None


def _plain(kind: str, facts: Any) -> bool:
    """Whether a row has a name that a macro can have, and facts that any face can be drawn from."""

    def plain(value: Any) -> bool:
        if isinstance(value, dict):
            return all(isinstance(name, str) and plain(part) for name, part in value.items())
        if isinstance(value, list | tuple):
            return all(plain(part) for part in value)
        return value is None or isinstance(value, str | int)

    return kind.replace("_", "a").isalnum() and plain(facts)


def repeatable(place: Place, move: Move) -> Broken:
    """The same order on the same state gives the same result, and the state stays as it was."""
    game, state = place.game, place.state
    before = game.encode(state)
    first = game.apply(state, move.seat, move.line, move.link)
    if game.encode(state) != before:
        return f"{move.line!r} changed the state it was applied to"
    if game.apply(state, move.seat, move.line, move.link) != first:
        return f"{move.line!r} gave two results"
    return None


def points_add_up(place: Place, step: Step) -> Broken:
    """What the scores changed by is the sum of the events' points."""
    owed = dict(place.game.scores(place.view(None)))
    for happened in step.events:
        for who, number in happened.points:
            owed[who] += number
    if dict(place.game.scores(place.game.view(step.state, None))) != owed:
        return "the scores are not what the events' points add up to"
    return None


def turns_go_on(place: Place, step: Step) -> Broken:
    """The number of the turn never goes back, for anybody."""
    for seat in place.seats():
        before = place.game.turn(place.view(seat))
        after = place.game.turn(place.game.view(step.state, seat))
        if after < before:
            return f"{seat or 'a spectator'}: turn {before} is followed by turn {after}"
    return None


def every_event_told(place: Place, step: Step) -> Broken:
    """Every event has a row for everybody."""
    for seat in place.seats():
        view = place.game.view(step.state, seat)
        for happened in step.events:
            row = place.game.event_row(happened, view)
            if not _plain(row.kind, row.facts) or not happened.ruling:
                return f"the event {happened.kind!r} has no proper row: {row!r}"
            for fact in happened.facts:
                if len("=".join(fact).split()) != 1:
                    return f"the event {happened.kind!r} has a blank in its fact {fact}"
    return None


def foreseen(place: Place, move: Move) -> Broken:
    """What a seat foresees of its own order comes true, apart from what the order shows it.

    Played in link 0, as foreseeing does: nothing foreseen is missing from the View after, and what
    is asked and legal then is the same.
    """
    game = place.game
    imagined = game.foresee(place.view(move.seat), move.line)
    if imagined is None:
        return None
    real = game.view(game.apply(place.state, move.seat, move.line, 0).state, move.seat)
    for answer in (game.questions, game.legal, game.scores, game.outcome, game.turn):
        if answer(imagined) != answer(real):
            return f"{move.line!r}: {answer.__name__} was foreseen otherwise"
    wrong = _not_in(game.encode_view(imagined), game.encode_view(real))
    return f"{move.line!r}: {wrong} was foreseen and is not so" if wrong else None


def _not_in(part: Any, whole: Any, name: str = "the View") -> Broken:
    """What of ``part`` is not in ``whole``: values must be equal, rows of a list must be there."""
    if isinstance(part, dict) and isinstance(whole, dict):
        if part.keys() != whole.keys():
            return name
        found = (_not_in(value, whole[key], key) for key, value in part.items())
        return next((wrong for wrong in found if wrong), None)
    if isinstance(part, list) and isinstance(whole, list):
        return None if all(row in whole for row in part) else name
    return None if part == whole else name


class Nevers:
    """The orders of which a game has said, to each seat, that they can never be legal; and those
    of each seat's turn, with the View that it began with.
    """

    def __init__(self) -> None:
        self.said: dict[str, set[str]] = {}
        self.turns: dict[str, tuple[int, Any, list[str]]] = {}

    def never_again(self, place: Place) -> Broken:
        """What was said of an order at any time, of any text, is so to the end of the game."""
        game = place.game
        for seat in place.config.seats:
            view, said = place.view(seat), self.said.setdefault(seat, set())
            legal = game.legal(view)
            texts = {*legal, *place.lines, *odd_texts(game.words, place.lines)} - said
            said |= {text for text in texts if optional_parts.never(game, view, text)}
            for line in said if legal else ():
                if game.complete(view, line) in legal:
                    return f"{line!r} is legal for {seat}, which was never to be"
        return None

    def room_for_all(self, place: Place, move: Move) -> Broken:
        """Orders that are given in one turn were never too many for it."""
        game, view = place.game, place.view(move.seat)
        turn = game.turn(view)
        if self.turns.get(move.seat, (-1,))[0] != turn:
            self.turns[move.seat] = turn, view, []
        _, first, lines = self.turns[move.seat]
        lines.append(move.line)
        return f"{lines} are too many" if optional_parts.too_many(game, first, lines) else None


#: laws of a position, with the names by which they are reported
OF_POSITIONS: tuple[Callable[[Place], Broken], ...] = (
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
#: laws of an order that is going to be carried out
OF_MOVES: tuple[Callable[[Place, Move], Broken], ...] = (repeatable, foreseen)
#: laws of what came of it
OF_STEPS: tuple[Callable[[Place, Step], Broken], ...] = (
    points_add_up,
    turns_go_on,
    every_event_told,
)
