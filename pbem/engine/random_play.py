"""Whole games at random, every position and every step of them under the laws.

What lives here: ``walk``, for the tests of any game. What must never be here: a rule of one game.
Source: laws.py, laws_of_secrecy.py.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.engine.decision import Event, Step
from pbem.engine.game import Game
from pbem.engine.hidden import Below, mixed
from pbem.engine.laws import OF_MOVES, OF_POSITIONS, OF_STEPS, Broken, Move, Nevers, Place
from pbem.engine.laws_of_secrecy import (
    Ledger,
    as_opened,
    forced_is_public,
    same_after_the_twin,
    same_for_the_twin,
    seen_by_its_audience,
)
from pbem.engine.row import Row
from pbem.engine.rulebook import numbers
from pbem.engine.settings import SEATS, Config, is_seat, odd_texts
from pbem.errors import OurFault

#: what rows of a game say, as ``pbem.services.sentences.said``
Say = Callable[[Game, Sequence[Mapping[str, Any]], str], list[str]]

KEPT = 60  # lines from earlier positions that are tried again


class Walked(NamedTuple):
    """How it went: orders given, the broken law by name and in words; twins met and unlike."""

    orders: int
    law: str = ""
    broken: str = ""
    twins: int = 0
    unlike: int = 0


class _Stop(Exception):  # a law is broken: the walk ends
    def __init__(self, law: str, broken: str) -> None:
        super().__init__(law, broken)
        self.law, self.broken = law, broken


def all_written(game: object) -> Broken:
    """Every name of the protocol is there, the game's own or inherited."""
    parts = [vars(part) for part in Game.__mro__ if part.__module__ == Game.__module__]
    names = {name for part in parts for name in (*part, *part.get("__annotations__", ()))}
    lacking = sorted(name for name in names if name[0] != "_" and not hasattr(game, name))
    return f"the game lacks {', '.join(lacking)}" if lacking else None


def seats_named(game: Game) -> Broken:
    """Seats are called by small letters, digits and `-`, and none means another than a player."""
    odd = [seat for seat in game.seats if not is_seat(seat)]
    return f"no seat can be called {odd[0]!r}" if odd else None


def seats_drawn(game: Game, config: Config) -> Broken:
    """Whoever offers the option ``SEATS`` has a pile of them to be drawn from (R-3)."""
    drawn = {**dict(config.options), SEATS.name: "drawn"}
    if SEATS not in game.options or any(
        pile.name == "seats"
        for pile in game.piles(game.configure(config.seats, drawn, config.rulings))
    ):
        return None
    return 'with seats=drawn nothing is drawn: piles has no Pile("seats", config.seats)'


def in_the_rules(place: Place, events: Sequence[Event], rules: str) -> Broken:
    """Every number of a rule that is cited has its paragraph in RULES.md."""
    game, view = place.game, place.view(None)
    texts = (*place.lines[::6], *odd_texts(game.words, place.lines[:1]))
    refused = [game.check(view, text) for _, view in place.views() for text in texts]
    cited = {one.ruling for one in refused if one} | {one.ruling for one in game.questions(view)}
    cited |= {one.ruling for one in events} | {one.ruling for one in game.options}
    if outcome := game.outcome(view):
        cited.add(outcome.ended_by)
    lacking = sorted(cited.difference(numbers(rules)))
    return f"RULES.md has no paragraph {', '.join(lacking)}" if lacking else None


def told_in_words(place: Place, events: Sequence[Event], say: Say) -> Broken:
    """Every row that anybody reads has a macro in words.txt that makes one line of it."""
    for of, rows in _rows(place, events).items():
        try:
            lines = say(place.game, [row.plain() for row in rows], of)
        except OurFault as error:
            return error.message
        if len(lines) != len(rows) or not all(line.strip() for line in lines):
            kinds = ", ".join(sorted({f"{of}_{row.kind}" for row in rows}))
            return f"{kinds} of words.txt do not make one line each: {lines}"
    return None


def _rows(place: Place, events: Sequence[Event]) -> dict[str, list[Row]]:
    """Each row that anybody reads, by what the name of its macro begins with."""
    game, views = place.game, [view for _, view in place.views()]
    asked = [one for view in views if (one := game.ask(view))]
    return {
        "event": [game.event_row(happened, view) for happened in events for view in views],
        "source": [Row(one.kind.replace("-", "_"), {"points": 1}) for one in events if one.points],
        "question": [Row(one.kind, one.facts) for one in asked],
        "hint": [one.hint for one in asked if one.hint],
        "soon": [one.row for view in views for one in game.soon(view)],
        "notice": list(game.notices(place.config)),
    }


class _Walk:
    """One game on its way."""

    def __init__(self, game: Game, config: Config, below: Below, only: str) -> None:
        self.game, self.config, self.below, self.only = game, config, below, only
        self.rules = ""
        self.say: Say | None = None
        self.ledger, self.nevers = Ledger(), Nevers()
        self.lines: list[str] = []
        self.orders = self.twins = self.unlike = 0

    def hold(self, law: Callable[..., Broken], *what: Any) -> None:
        broken = law(*what)
        if broken is not None and self.only in ("", law.__name__):
            raise _Stop(law.__name__, broken)

    def look(
        self, place: Place, events: Sequence[Event], extra: Sequence[Callable[[Any], Broken]]
    ) -> None:
        """Every law of a position, and of what is told of the events before it."""
        for law in (*OF_POSITIONS, forced_is_public, seen_by_its_audience):
            self.hold(law, place)
        self.hold(as_opened, place, self.ledger)
        self.hold(self.nevers.never_again, place)
        if self.rules:
            self.hold(in_the_rules, place, events, self.rules)
        if self.say:
            self.hold(told_in_words, place, events, self.say)
        for own in extra:
            self.hold(own, place.state)

    def meet_twins(self, place: Place, move: Move | None) -> None:
        """A twin for one seat (or the spectator), before and after the order."""
        seats = place.seats()
        seat = seats[self.below(len(seats))]
        twin = self.game.guess(place.view(seat), self.below)
        self.twins += 1
        self.unlike += twin != place.state
        self.hold(same_for_the_twin, place, seat, twin)
        if move is not None:
            self.hold(same_after_the_twin, place, move, seat, twin)

    def step(self, place: Place, move: Move) -> Step:
        """Carry out an order under every law of moves and steps."""
        for of_move in OF_MOVES:
            self.hold(of_move, place, move)
        self.hold(self.nevers.room_for_all, place, move)
        step = self.game.apply(place.state, move.seat, move.line, move.link)
        for of_step in OF_STEPS:
            self.hold(of_step, place, step)
        before, after = (self.game.encode(state).hidden for state in (place.state, step.state))
        self.hold(self.ledger.enter, step.events, before, after, move.link)
        return step

    def choose(self, place: Place) -> Move:
        """Any legal order of any seat that is asked; all lines are kept to be tried elsewhere."""
        questions = self.game.questions(place.view(None))
        seat = questions[self.below(len(questions))].seat
        lines = self.game.legal(place.view(seat))
        self.lines = [*lines, *self.lines][:KEPT]
        return Move(seat, lines[self.below(len(lines))], self.orders + 2)


def dealt(game: Game, config: Config, below: Below) -> dict[str, tuple[str, ...]]:
    """Every pile of a game in a drawn order."""
    return {pile.name: mixed(pile.items, below) for pile in game.piles(config)}


def walk(
    game: Game,
    seats: Sequence[str],
    below: Below,
    *,
    options: Mapping[str, str] | None = None,
    bound: int = 2000,
    only: str = "",
    extra: Sequence[Callable[[Any], Broken]] = (),
    rules: str = "",
    say: Say | None = None,
) -> Walked:
    """Play a random game to its end, or to the first broken law.

    ``extra`` are a game's own laws of its State (pieces conserved, say); ``bound`` is the number of
    orders after which a game must be over; ``only`` names the one law that is held, "" all of them.
    ``rules``: the text of its RULES.md; ``say``: ``pbem.services.sentences.said``. Without them
    what is cited, and what its templates make of rows, is not looked at.
    """
    if lacking := all_written(game):
        return Walked(0, all_written.__name__, lacking)
    config = game.configure(seats, options or {})
    walking = _Walk(game, config, below, only)
    walking.rules, walking.say = rules, say
    try:
        walking.hold(seats_named, game)
        walking.hold(seats_drawn, game, config)
        _go(walking, game.setup(config, dealt(game, config, below), 1), bound, extra)
    except _Stop as stop:
        return Walked(walking.orders, stop.law, stop.broken, walking.twins, walking.unlike)
    return Walked(walking.orders, "", "", walking.twins, walking.unlike)


def _go(walking: _Walk, step: Step, bound: int, extra: Sequence[Callable[[Any], Broken]]) -> None:
    game = walking.game
    walking.hold(walking.ledger.enter, step.events, {}, game.encode(step.state).hidden, 1)
    while True:
        lines = tuple(walking.lines)
        place = Place(game, walking.config, step.state, walking.below, lines)
        walking.look(place, step.events, extra)
        if not game.questions(place.view(None)):
            walking.meet_twins(place, None)
            return
        if walking.orders >= bound:
            raise _Stop("ends", f"the game is not over after {bound} orders")
        move = walking.choose(place)
        walking.meet_twins(place, move)
        step = walking.step(place, move)
        walking.orders += 1
