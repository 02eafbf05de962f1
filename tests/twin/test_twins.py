"""P2: two worlds that a seat cannot tell apart give it, byte for byte, the same everything."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sizes import drawn, seeds

from pbem import catalog
from pbem.engine.random_play import deal_piles

from .trial import Tally, trial
from .worlds import KIND, ByCommands, World, chance

Say = Callable[[str, str], None]


def _tried(seats: int, seed: int, kind: type[World], tallies: list[Tally]) -> None:
    with tempfile.TemporaryDirectory() as root:
        tallies.append(trial(Path(root) / "t", seats, seed, kind, timed=seed % 2 == 1))


def _summary(what: str, tallies: list[Tally]) -> str:
    stages = {stage: sum(t.stage == stage for t in tallies) for stage in sorted({t.stage for t in tallies})}
    hidden = [t for t in tallies if t.hidden]
    unlike = sum(t.unlike for t in hidden)
    links, still = sum(t.links for t in tallies), sum(t.still_unlike for t in tallies)
    return (
        f"{what}: {len(tallies)} pairs at {stages}; the first twin drawn differed in {unlike} of "
        f"{len(hidden)} with anything hidden; {links} links played on, {still} of them with truths "
        f"that differ; {sum(t.parted for t in tallies)} parted by a reveal; "
        f"{sum(t.compared for t in tallies)} things compared"
    )


@pytest.mark.attack(
    "learn hidden items of another seat from reports, receipts, refusals or shared files, in Chang Cheng",
    by="not possible: two games that differ only in hidden items give the player the same bytes",
    who="player",
)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_seat_cannot_tell_its_twin(seats: int, say: Say) -> None:
    tallies: list[Tally] = []

    for seed in seeds("twins of Chang Cheng"):
        _tried(seats, seed, World, tallies)
    say("twins", _summary(f"{seats} players", tallies))
    assert all(tally.compared for tally in tallies)  # a leak is raised by the trial itself


def test_nor_by_the_commands_themselves(say: Say) -> None:
    tallies: list[Tally] = []

    for seed in seeds("twins by commands"):
        _tried(2 + seed % 3, seed, ByCommands, tallies)
    say("twins", _summary("by receive, resolve, report, orders", tallies))
    assert all(tally.compared for tally in tallies)


@pytest.mark.parametrize("seed", drawn("worlds of use", [28, 100, 302]))
def test_worlds_that_once_were_of_use(seed: int) -> None:
    """Seeds in which a planted leak showed late."""
    tallies: list[Tally] = []
    _tried(2 + seed % 3, seed, World, tallies)
    assert all(tally.compared for tally in tallies)


def test_nearly_every_twin_drawn_is_another_truth(say: Say) -> None:
    """Else the twin test would compare a world with itself."""
    game = catalog.load(KIND)
    drawn = unlike = 0
    for seed in range(8):
        below = chance("draws", seed)
        config = game.configure(game.seats[: 2 + seed % 3], {})
        state: Any = game.setup(config, deal_piles(game, config, below), 2).state
        while asked := game.questions(game.view(state, None)):
            for seat in (*config.seats, None):
                if any(seat not in one.audience for one in game.encode(state).hidden.values()):
                    drawn += 1
                    unlike += game.guess(game.view(state, seat), below) != state
            legal = game.legal(game.view(state, asked[0].seat))
            state = game.apply(state, asked[0].seat, legal[below(len(legal))], 3).state
    say("twins", f"drawn freely: {unlike} of {drawn} differ from the truth")
    assert unlike > 0.9 * drawn
