"""P2 for Great Wall: cards played open from hidden hands, and leaks that this test must find."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from sizes import drawn, size

from pbem import catalog
from pbem.engine import great_wall
from pbem.engine.decision import Event, Step
from pbem.engine.great_wall import GreatWall
from pbem.engine.great_wall.parts import KINDS
from pbem.engine.great_wall.state import State, View
from pbem.engine.row import Row

from .real_seals import look
from .sorts import GREAT_WALL
from .told import Leak
from .trial import Tally, trial
from .worlds import ByCommands, World

Say = Callable[[str, str], None]


def _tried(root: Path, seats: int, seeds: range, world: type[World] = World) -> list[Tally]:
    return [trial(root / str(seed), seats, seed, world, GREAT_WALL, timed=seed % 2 == 1) for seed in seeds]


@pytest.mark.attack(
    "learn hidden items of another seat from anything that pbem sends or shares, in Great Wall",
    by="not possible: two games that differ only in hidden items give the player the same bytes",
    who="player",
)
@pytest.mark.parametrize("seats", drawn("numbers of players of other twins", [2, 3, 4, 5]))
def test_a_seat_cannot_tell_its_twin(seats: int, say: Say, tmp_path: Path) -> None:
    found = _tried(tmp_path, seats, range(size("twins of Great Wall")))
    unlike, links = sum(one.unlike for one in found), sum(one.links for one in found)
    still, parted = sum(one.still_unlike for one in found), sum(one.parted for one in found)
    stages = sorted({one.stage for one in found})
    say(
        "twins",
        f"Great Wall, {seats} players: {unlike} of {len(found)} twins differ, at {stages}; {links} "
        f"links played on, {still} with truths that differ; {parted} parted by a reveal; "
        f"{sum(one.compared for one in found)} things compared",
    )
    assert unlike > len(found) // 2
    assert still > 0


def test_nor_by_the_commands_themselves(tmp_path: Path) -> None:
    _tried(tmp_path, 3, range(size("twins by commands")), ByCommands)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_real_seals_hide_lengths_and_links(seats: int) -> None:
    for seed in range(3):
        assert look(catalog.load("great-wall"), seats, seed) > 60


class Knowing(GreatWall):
    """A game whose every method can look at the truth last seen. That is the mistake."""

    truth: State

    def view(self, state: State, seat: str | None) -> View:
        self.truth = state
        return super().view(state, seat)


class NextCardShown(GreatWall):
    """A slice of the deck one too long: a seat sees what it draws next."""

    def view(self, state: State, seat: str | None) -> View:
        view = super().view(state, seat)
        if view.seat is None:
            return view
        more = state.decks[view.seat][: len(view.drawn_kinds) + 1]
        return view._replace(drawn_kinds=more)  # type: ignore[arg-type]  # that is the mistake


class PlayedFromItsPlace(GreatWall):
    """The event of a card played names its place in the deck: all learn when it was drawn."""

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        step = super().apply(state, seat, line, link)
        deck = state.decks[state.public.rules.seats.index(seat)]
        return step._replace(events=tuple(_with_place(one, deck) for one in step.events))


def _with_place(happened: Event, deck: tuple[int | None, ...]) -> Event:
    if happened.kind not in ("played", "horseman"):
        return happened
    place = deck.index(KINDS.index(dict(happened.facts)["kind"]))
    return happened._replace(facts=(*happened.facts, ("place", str(place))))


class DrawnIsTold(Knowing):
    """The sentence about a card drawn names it to everybody."""

    def event_row(self, happened: Event, view: View) -> Row:
        row = super().event_row(happened, view)
        if happened.kind != "drew":
            return row
        colour = view.public.rules.seats.index(dict(happened.facts)["seat"])
        place = int(dict(happened.facts)["slot"].rpartition("/")[2])
        card = KINDS[self.truth.decks[colour][place] or 0]
        return row._replace(facts={**row.facts, "cards": [card]})


class HandsWeighed(Knowing):
    """The table's description says how good the others' hands are."""

    def describe(self, view: View) -> dict[str, Any]:
        total = sum(hand or 0 for hand in self.truth.hands)
        return {**super().describe(view), "strength": total}


#: with the seed that found it last time
LEAKS = ((NextCardShown, 0), (PlayedFromItsPlace, 7), (DrawnIsTold, 0), (HandsWeighed, 1))


@pytest.mark.parametrize(("game", "first"), drawn("leaks planted in Great Wall", LEAKS))
def test_a_planted_leak_is_found(game: type[GreatWall], first: int, say: Say, tmp_path: Path) -> None:
    with patch.object(great_wall, "GAME", game()):
        for seed in (first, *range(size("tries to find a planted leak"))):
            try:
                _tried(tmp_path, 2 + seed % 4, range(seed, seed + 1))
            except Leak as leak:
                name = f"Great Wall: {game.__name__}"
                say("planted", f"{name:<55} twins, trial {seed}: {leak.what}")
                return
    pytest.fail(f"nothing tells of it: {game.__name__}")
