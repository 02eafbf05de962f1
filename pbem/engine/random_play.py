"""Whole games at random, every position and every step of them under the laws.

What lives here: ``walk``, for the tests of any game. What must never be here: a rule of one game.
Source: laws.py, laws_of_secrecy.py.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.decision import Step
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
from pbem.engine.settings import Config

if TYPE_CHECKING:
    from pbem.engine.game import Game

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


class _Walk:
    """One game on its way."""

    def __init__(self, game: "Game", config: Config, below: Below, only: str) -> None:
        self.game, self.config, self.below, self.only = game, config, below, only
        self.ledger, self.nevers = Ledger(), Nevers()
        self.lines: list[str] = []
        self.orders = self.twins = self.unlike = 0

    def hold(self, law: Callable[..., Broken], *what: Any) -> None:
        broken = law(*what)
        if broken is not None and self.only in ("", law.__name__):
            raise _Stop(law.__name__, broken)

    def look(self, place: Place, extra: Sequence[Callable[[Any], Broken]]) -> None:
        for law in (*OF_POSITIONS, forced_is_public, seen_by_its_audience):
            self.hold(law, place)
        self.hold(as_opened, place, self.ledger)
        self.hold(self.nevers.never_again, place)
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
        step = self.game.apply(place.state, move.seat, move.line, move.link)
        for of_step in OF_STEPS:
            self.hold(of_step, place, step)
        before, after = (self.game.encode(state).hidden for state in (place.state, step.state))
        self.hold(self.ledger.enter, step.events, before, after)
        return step

    def choose(self, place: Place) -> Move:
        """Any legal order of any seat that is asked; all lines are kept to be tried elsewhere."""
        questions = self.game.questions(place.view(None))
        seat = questions[self.below(len(questions))].seat
        lines = self.game.legal(place.view(seat))
        self.lines = [*lines, *self.lines][:KEPT]
        return Move(seat, lines[self.below(len(lines))], self.orders + 2)


def dealt(game: "Game", config: Config, below: Below) -> dict[str, tuple[str, ...]]:
    """Every pile of a game in a drawn order."""
    return {pile.name: mixed(pile.items, below) for pile in game.piles(config)}


def walk(
    game: "Game",
    seats: Sequence[str],
    below: Below,
    *,
    options: Mapping[str, str] | None = None,
    bound: int = 2000,
    only: str = "",
    extra: Sequence[Callable[[Any], Broken]] = (),
) -> Walked:
    """Play a random game to its end, or to the first broken law.

    ``extra`` are a game's own laws of its State (pieces conserved, say); ``bound`` is the number of
    orders after which a game must be over; ``only`` names the one law that is held, "" all of them.
    """
    config = game.configure(seats, options or {})
    walking = _Walk(game, config, below, only)
    try:
        _go(walking, game.setup(config, dealt(game, config, below), 1), bound, extra)
    except _Stop as stop:
        return Walked(walking.orders, stop.law, stop.broken, walking.twins, walking.unlike)
    return Walked(walking.orders, "", "", walking.twins, walking.unlike)


def _go(walking: _Walk, step: Step, bound: int, extra: Sequence[Callable[[Any], Broken]]) -> None:
    game = walking.game
    walking.hold(walking.ledger.enter, step.events, {}, game.encode(step.state).hidden)
    while True:
        lines = tuple(walking.lines)
        place = Place(game, walking.config, step.state, walking.below, lines)
        walking.look(place, extra)
        if not game.questions(place.view(None)):
            walking.meet_twins(place, None)
            return
        if walking.orders >= bound:
            raise _Stop("ends", f"the game is not over after {bound} orders")
        move = walking.choose(place)
        walking.meet_twins(place, move)
        step = walking.step(place, move)
        walking.orders += 1
