"""P2 for Night Market: two worlds that a seat cannot tell apart give it the same bytes everywhere.

The scaffolding is that of tests/twin; here is what it must know of this game, and two leaks to show
that it finds them.
"""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from sizes import drawn, size
from twin import real_seals, sorts, told, worlds
from twin.trial import trial

from pbem.play import resolution
from pbem.report import build
from pbem.report.report import AwaitedPlayer

Rows = dict[str, Any]


def _stage(public: Rows) -> str:
    """Nobody has bid for the lot that is for sale, somebody has, or it is over."""
    if len(public["sold"]) == public["lots"]:
        return "over"
    return "some bid" if public["bids"] else "nobody bid"


def _spellable(public: Rows) -> tuple[str, ...]:
    return (*(f"bid {token}" for token in range(public["lots"] + 2)), "bid high", "bid low")


def _idle(public: Rows) -> tuple[tuple[str, str], ...]:
    """A token that nobody ever had, for a lot to come."""
    return tuple((f"L{lot}", f"bid {50 + lot}") for lot in range(5, public["lots"] + 1))


@pytest.fixture(scope="module")
def sort(game: Any) -> Any:
    return sorts.Sort(
        kind="night-market",
        stages=(("some bid", 14), ("nobody bid", 8), ("some bid", 6), ("over", 12)),
        stage=_stage,
        spellable=_spellable,
        idle=_idle,
        slips=("bd 4", "bid on L2"),
        never="bid 44",
        later=("when L6: bid 41", "when L5: bid 42"),
        now="bid 2",
    )


def _tried(root: Path, sort: Any, seats: int, seeds: range, world: Any) -> list[Any]:
    return [trial(root / str(seed), seats, seed, world, sort) for seed in seeds]


@pytest.mark.parametrize("seats", drawn("numbers of players of other twins", [2, 3, 4]))
def test_a_seat_cannot_tell_its_twin(seats: int, sort: Any, tmp_path: Path, record_property: Any) -> None:
    found = _tried(tmp_path, sort, seats, range(size("twins of a plug-in")), worlds.World)
    unlike = sum(one.unlike for one in found)
    assert unlike > len(found) // 2
    assert sum(one.compared for one in found) > 100 * len(found)
    record_property("unlike", f"{unlike} of {len(found)}")


def test_nor_by_the_commands_themselves(sort: Any, tmp_path: Path) -> None:
    _tried(tmp_path, sort, 3, range(size("twins by commands")), worlds.ByCommands)


def test_the_real_seals_hide_it(game: Any) -> None:
    for seats in (2, 3, 4):
        assert real_seals.look(game, seats, seats) > 12


def _waits_for_low_ones(real: Any) -> Any:
    """A report that says how many bids are high: the waiting tells what is sealed."""

    def leaky(position: Any) -> Any:
        high = sum((bid or 0) > 3 for bid in position.state.bids)
        return [*real(position), *(AwaitedPlayer("", "", "", "") for _ in range(high))]

    return leaky


def _words_in_clear(real: Any) -> Any:
    def leaky(self: Any, order: Any) -> None:
        with patch.object(type(self.game), "public_words", lambda _, text: text):
            real(self, order)

    return leaky


@pytest.mark.parametrize(
    ("where", "name", "leak"),
    [(build, "list_awaited_players", _waits_for_low_ones), (resolution._ResolutionRun, "apply", _words_in_clear)],
    ids=["a report that weighs sealed bids", "an entry with the bid in clear"],
)
def test_a_planted_leak_is_found(where: Any, name: str, leak: Any, sort: Any, tmp_path: Path) -> None:
    with patch.object(where, name, leak(getattr(where, name))), pytest.raises(told.Leak):
        _tried(tmp_path, sort, 3, range(size("tries to find a planted leak")), worlds.World)
