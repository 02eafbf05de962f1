"""Two commands at once on one game, real processes: one waits for the other, nothing is lost."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from sizes import size

from pbem.chain.signed_state import read_verified_record
from pbem.services.lock import open_for_writing
from pbem.services.session.folders import sign_changed_players as addresses

from . import games
from .games import Place, copied, one_line

pytestmark = pytest.mark.skipif(os.name != "posix", reason="starts many processes")
ROUNDS = size("rounds of commands at once")


def finish(running: "Sequence[subprocess.Popen[str]]") -> list[games.Said]:
    said = []
    for one in running:
        text, _ = one.communicate(timeout=120)
        said.append(games.Said(one.returncode, text))
    return said


def started(place: Place, random: Random, *commands: Sequence[str]) -> list[games.Said]:
    """The commands, each in a process of its own, begun within some milliseconds of each other."""
    running = []
    for words in commands:
        running.append(place.process(*words))
        time.sleep(random.random() * 0.06)
    return finish(running)


def asked(place: Place) -> tuple[str, list[str]]:
    session = place.session()
    view = session.game.view(session.position.state, None)
    seat = session.game.questions(view)[0].seat
    return seat, list(session.game.legal(session.game.view(session.position.state, seat)))


def used(place: Place, since: int) -> list[str]:
    """The orders used in the states after ``since``, in the words of the log."""
    session = place.session()
    found = []
    for n in place.numbers():
        if n > since:
            raw = session.folder.read_state(n)
            assert raw is not None
            record = read_verified_record(raw, session.key.public)
            found += [f"{one.seat} {one.public_words}" for one in record.entries]
    return found


def check_chain(place: Place) -> None:
    assert place.run("verify", "GAME").code == 0
    assert place.numbers() == list(range(place.numbers()[-1] + 1))
    assert place.session().folder.read_newest() == place.newest()
    assert not list(place.game.rglob(".pbem-tmp-*"))


@pytest.mark.attack("two commands run at once", by="each order counts once", who="machine")
def test_two_resolves(dealt: Place, tmp_path: Path) -> None:
    """The orders are played once."""
    random = Random(1)
    for i in range(ROUNDS):
        place = copied(dealt, tmp_path / str(i))
        seat, lines = asked(place)
        place.done("receive", "GAME", place.mail(seat, random.choice(lines)))
        said = started(place, random, *[("resolve", "GAME")] * 3)
        assert [one.code for one in said] == [0, 0, 0], said
        assert sorted("1 order played" in one.text for one in said) == [False, False, True]
        assert place.numbers() == [0, 1, 2, 3]
        assert not any(place.hands().values())
        check_chain(place)
        shutil.rmtree(place.path)


def test_resolve_with_receive(dealt: Place, tmp_path: Path) -> None:
    """An order received beside a resolve is played by it, or still in hand after it."""
    random = Random(2)
    outcomes = set()
    for i in range(ROUNDS):
        place = copied(dealt, tmp_path / str(i))
        seat, lines = asked(place)
        other = next(one for one in ("red", "blue") if one != seat)
        place.done("receive", "GAME", place.mail(seat, lines[0], "first.eml"))
        mail = place.mail(other, f"later:\n{lines[5]}")
        commands = [("resolve", "GAME"), ("receive", "GAME", mail)]
        random.shuffle(commands)
        said = started(place, random, *commands)
        assert [one.code for one in said] == [0, 0], said
        known = [f"{other} {lines[5]}"] if place.hands()[other] == [] else []
        assert used(place, 2) == [f"{seat} {lines[0]}", *known]
        assert place.hands() == {seat: [], other: [] if known else [lines[5]]}
        outcomes.add(bool(known))
        receipts = place.game / "desk" / "receipts"
        assert sorted(one.name for one in receipts.iterdir()) == sorted([f"{seat}-0001.txt", f"{other}-0001.txt"])
        place.done("resolve", "GAME")
        assert used(place, 2) == [f"{seat} {lines[0]}", f"{other} {lines[5]}"]
        check_chain(place)
        shutil.rmtree(place.path)


def test_the_same_mail_twice_at_once(dealt: Place, tmp_path: Path) -> None:
    """One is kept, the other one is told that it came before; one receipt."""
    random = Random(3)
    for i in range(ROUNDS):
        place = copied(dealt, tmp_path / str(i))
        seat, lines = asked(place)
        words = ("receive", "GAME", place.mail(seat, lines[0]))
        said = started(place, random, words, words, words)
        assert [one.code for one in said] == [0, 0, 0], said
        assert sum("came before" in one.text for one in said) == 2
        assert place.hands()[seat] == [lines[0]]
        assert len(list((place.game / "desk" / "receipts").iterdir())) == 1
        check_chain(place)
        shutil.rmtree(place.path)


def test_different_mails_at_once(dealt: Place, tmp_path: Path) -> None:
    """Each has its receipt; of one player's mails one stands whole, another player's beside it."""
    random = Random(4)
    for i in range(ROUNDS):
        place = copied(dealt, tmp_path / str(i))
        seat, lines = asked(place)
        other = next(one for one in ("red", "blue") if one != seat)
        mails = [
            place.mail(seat, f"{lines[0]}\nlater:\n{lines[3]}", "a.eml"),
            place.mail(seat, f"{lines[1]}\nlater:\n{lines[4]}", "b.eml"),
            place.mail(other, f"later:\n{lines[5]}", "c.eml"),
        ]
        random.shuffle(mails)
        said = started(place, random, *[("receive", "GAME", mail) for mail in mails])
        assert [one.code for one in said] == [0, 0, 0], said
        hands = place.hands()
        assert hands[other] == [lines[5]]
        assert hands[seat] in ([lines[0], lines[3]], [lines[1], lines[4]])
        names = sorted(one.stem for one in (place.game / "desk" / "receipts").iterdir())
        assert names == sorted([f"{seat}-0001", f"{seat}-0002", f"{other}-0001"])
        last = (place.game / "desk" / "receipts" / f"{seat}-0002.txt").read_text()
        standing = re.search(
            r"Your pending orders:\n(.*?)\n(?:Your orders for|Changed your mind|`withdraw`|\n)", last, re.DOTALL
        )
        assert standing is not None
        assert [one for one in standing[1].splitlines() if one != "later:"] == hands[seat]
        check_chain(place)
        shutil.rmtree(place.path)


def test_two_openings_of_one_folder(tmp_path: Path) -> None:
    """One game is there and whole; the other `new` changed nothing of it."""
    random = Random(5)
    for i in range(ROUNDS):
        place = games.fresh(tmp_path / str(i))
        words = ["new", "GAME", "--deal", "--game", "chang-cheng"]
        words += ["--player", "red=Ann,ann@example.org", "--player", "blue=Bob,bob@example.org"]
        said = started(place, random, words, words)
        assert sorted(min(one.code, 1) for one in said) == [0, 1], said
        one_line(next(one for one in said if one.code))
        check_chain(place)
        seat, lines = asked(place)
        place.done("receive", "GAME", place.mail(seat, lines[0]))
        assert "1 order played" in place.done("resolve", "GAME")
        shutil.rmtree(place.path)


def test_what_another_command_changed_meanwhile_is_read_under_the_lock(dealt: Place, tmp_path: Path) -> None:
    """Found by reading the code: a `receive` that had looked at codes and addresses went on with
    them, so that codes counted which a `restore --go-on` had just made void.
    """
    place = games.copied(dealt, tmp_path / "one")
    session = place.session()
    seat = asked(place)[0]
    old = session.codes_secret, session.players.seats[seat].address
    with open_for_writing(place.session()) as other:
        fresh, files = other.make_new_codes()
        people = other.players.seats
        people = {**people, seat: people[seat]._replace(address="new@example.org")}
        changed = addresses(other, other.players._replace(seats=people))
        other.folder.stage_desk_changes(other.record.n, {**files, "players.toml": changed})
    with open_for_writing(session) as now:
        assert (now.codes_secret, now.players.seats[seat].address) != old
        assert now.codes_secret == fresh.codes_secret
        assert now.players.seats[seat].address == "new@example.org"
