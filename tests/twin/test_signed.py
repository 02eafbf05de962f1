"""P2 where all have keys: what is answered to signed orders tells no twin from the other."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from sizes import drawn, seeds

from .fake_seals import faked
from .signing import Signing, all_with_keys
from .test_twins import Say
from .told import letter
from .trial import Tally, trial
from .worlds import opened_world


@pytest.mark.parametrize("seats", drawn("numbers of players of other twins", [2, 4]))
def test_a_seat_cannot_tell_its_twin_by_signed_orders(seats: int, say: Say) -> None:
    tallies: list[Tally] = []

    for seed in (1, *seeds("twins with keys")):  # the first goes on for four links
        with tempfile.TemporaryDirectory() as root, all_with_keys():
            tallies.append(trial(Path(root) / "t", seats, seed, Signing, timed=seed % 2 == 1))
    links, compared = sum(t.links for t in tallies), sum(t.compared for t in tallies)
    say("twins", f"{seats} players with keys: {links} links, {compared} things compared")
    assert links


def test_these_worlds_do_take_and_refuse_signed_orders(tmp_path: Path) -> None:
    """Else the test above would compare one fixed answer with itself."""
    said: set[str] = set()
    sources: set[str] = set()
    with faked(), all_with_keys():
        world = opened_world(tmp_path / "w", 2, 1, world_of=Signing)
        for number in range(40):
            seat = (world.asked() or ("red",))[0]
            lines = world.session.game.legal(world.view(seat))
            mail = letter(world.session.code(seat), lines[number % len(lines)], f"Hi {number}")
            said.add(_first(world.receive, mail))
            world.resolve()
            sources |= {one.source for one in world.session.record.entries}
    assert sources <= {"signed", "forced"}
    assert "signed" in sources
    assert {"kept", "not known", "refused"} <= said


def _first(receive: Callable[[bytes], object], data: bytes) -> str:
    found = receive(data)
    assert isinstance(found, tuple)
    return str(found[0]["verdict"]) if isinstance(found[0], dict) else str(found[0])
