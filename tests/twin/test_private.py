"""P2 where the desks differ: passwords, votes and orders of all other seats tell a seat nothing.

States are compared in which all seats' standing orders and passwords differ. There is no press yet
(`message` is a reserved word that is refused). Source: docs/DESIGN.md P2.
"""

import tempfile
from pathlib import Path

import pytest
from sizes import drawn, seeds

from pbem.disk.folder import CONSENT_FILE
from pbem.play import consent

from .fake_seals import faked
from .private import Private, Worded, all_with_passwords
from .test_twins import Say
from .told import letter
from .trial import Tally, trial
from .worlds import World, opened_world


@pytest.mark.parametrize("kind", [Private, Worded])
@pytest.mark.parametrize("seats", drawn("numbers of players of other twins", [2, 4]))
def test_a_seat_cannot_tell_its_twin_by_the_desk(seats: int, kind: type[World], say: Say) -> None:
    tallies: list[Tally] = []

    for seed in seeds("twins with unlike desks"):
        with tempfile.TemporaryDirectory() as root, all_with_passwords(kind is Worded):
            tallies.append(trial(Path(root) / "t", seats, seed, kind, timed=seed % 2 == 1))
    links, compared = sum(t.links for t in tallies), sum(t.compared for t in tallies)
    what = "passwords, votes and orders" if kind is Worded else "votes and orders"
    say("twins", f"{seats} players, {what} differing: {links} links, {compared} things compared")
    assert compared


def desks(root: Path, kind: type[Private]) -> list[Private]:
    """Two desks as a trial makes them, of the seat red."""
    found: list[Private] = []
    for mark in ("one", "other"):
        world = opened_world(root / mark, 3, 1, world_of=kind)
        assert isinstance(world, Private)
        world.keep_private("red", mark)
        found.append(world)
    return found


def test_the_desks_do_differ(tmp_path: Path) -> None:
    """Else the test above would compare a desk with itself."""
    with faked(), all_with_passwords():
        one, other = desks(tmp_path, Worded)
        votes, words, hands = [], [], []
        for world in (one, other):
            session = world.session
            votes.append(dict(consent.decode(session.folder.read_desk_file(CONSENT_FILE) or b"").answers))
            words.append({seat: x.password for seat, x in session.players.seats.items()})
            hands.append({seat: (x.receipt_count, x.orders) for seat, x in session.pending_by_seat.items()})
    assert votes[0].pop("red") == votes[1].pop("red") == ""
    assert words[0].pop("red") == words[1].pop("red")
    assert hands[0].pop("red") == hands[1].pop("red") == (0, ())
    for pair in (votes, words):
        assert all(pair[0][seat] != pair[1][seat] for seat in ("green", "blue"))
    assert hands[0] != hands[1]


def test_these_worlds_take_and_refuse_passwords(tmp_path: Path) -> None:
    """Else the test above would compare one fixed answer with itself."""
    with faked(), all_with_passwords():
        world, _ = desks(tmp_path, Worded)
        code = world.session.code("red")
        mails = [letter(code, f"wall A{number}") for number in range(1, 30)]
        said = {world.receive(mail)[0]["verdict"] for mail in mails}
    assert said == {"kept", "not known", "refused"}


def test_these_worlds_take_votes(tmp_path: Path) -> None:
    with faked():
        world, _ = desks(tmp_path, Private)
        assert world.receive(letter(world.asking_code("red"), "yes"))[0]["verdict"] == "answered"
        vote = consent.decode(world.session.folder.read_desk_file(CONSENT_FILE) or b"")
    assert dict(vote.answers)["red"] == "yes"
