"""A read that fails while `pbem tick` runs stops the one game that needs it, and says so.

Two games: each has orders that are played in this run, and an email that is answered. Struck: every
read of the first game, or of the home. The other game is as without the fault; after the next run
the same is signed and sent as without it, nothing twice.
"""

import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from disk import killer
from durability import games
from sizes import every

from pbem.disk.home import Home
from pbem.services.open.new_game import Secrets, create_game
from transport.desk import Desk
from transport.test_fetch_files import put

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks")

HOWS = ("read-EIO", "read-EMFILE", "read-EACCES")
#: what a run notes of itself, and what the next one writes again
ITS_OWN = re.compile(r"post[.]log|home/(post|backups|heads)/|desk/(mails|hands?)/|[.]pbem-tmp-")
OUTBOX = re.compile(r"desk/(outbox|sending|sent)/")


class Run(NamedTuple):
    """What a run said and left, and what it handed over for sending."""

    code: int
    said: str
    files: dict[str, bytes]
    sent: list[bytes]
    steps: int

    def of(self, game: str) -> tuple[dict[str, bytes], list[bytes]]:
        """What it left in the folder of a game, and sent for it, unless sending was stopped: an
        email went whose mark could not be changed.
        """
        begin, about = f"games/{game}/", f"Subject: {game}:".encode()
        files = {name: data for name, data in self.files.items() if name.startswith(begin)}
        if "not sent" in self.said:
            return {name: files[name] for name in files if not OUTBOX.search(name)}, []
        return files, [mail for mail in self.sent if about in mail]

    def like(self, struck: "Run") -> "Run":
        return self._replace(said=struck.said)

    def signed(self) -> dict[str, bytes]:
        return {name: data for name, data in self.files.items() if "/states/" in name}

    def ids(self) -> list[bytes]:
        return [re.findall(b"(?im)^message-id: .*$", mail)[0] for mail in self.sent]


class Club:
    """Two games, a home, a Maildir and a program that takes emails, all in one place."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.root, self.maildir = path / "games", path / "Maildir"

    def desk(self, name: str, minutes: int = 0) -> Desk:
        """One of the games."""

        class Place(games.Place):
            @property
            def game(self) -> Path:
                return self.path / "games" / name

        desk = Desk(Place(self.path))
        desk.later(minutes)
        return desk

    def opened(self) -> "Club":
        place = games.fresh(self.path)
        for below in ("new", "cur", "tmp"):
            (self.maildir / below).mkdir(parents=True)
        (self.path / "sent").mkdir()
        os.environ.update(place.env())
        self.root.mkdir()
        for name in ("first", "other"):
            secrets = Secrets(name.encode().ljust(32), name.encode().ljust(32, b"c"), games.WRAPS)
            create_game(self.root / name, games.WANTED, Home(place.home), secrets, "2026-09-21T14:00:00Z")
        return self

    def account(self) -> None:
        program = self.path / "carrier"
        program.write_text(f'#!/bin/sh\ncat > "{self.path}/sent/$$"\n')
        program.chmod(0o755)
        self.desk("first").account(fetch=f"maildir:{self.maildir}", send=f"sendmail:{program}")

    def tick(self, k: int = 0, how: str = HOWS[0], below: str = "", minutes: int = 11) -> Run:
        desk, sent = self.desk("first", minutes), self.path / "sent"
        within = str(self.path / below)
        done = killer.fork_killed(desk.call("tick", str(self.root)), k, how, within)
        mails = sorted(one.read_bytes() for one in sent.iterdir())
        shutil.rmtree(sent)
        sent.mkdir()
        found = games.tree(self.path)
        files = {n: found[n] for n in found if not ITS_OWN.search(n)}
        return Run(done.code, done.output, files, mails, len(done.steps))

    def copied(self, to: Path) -> "Club":
        shutil.copytree(self.path, to)
        club = Club(to)
        club.account()
        return club


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Club:
    club = Club(tmp_path_factory.mktemp("club") / "one").opened()
    club.account()
    club.tick(minutes=0)
    for name in ("first", "other"):
        desk = club.desk(name)
        put(club.maildir, desk.mail(desk.order(), f"{name}-1"), f"{name}1.a.host")
    club.tick(minutes=1)
    for name in ("first", "other"):
        desk = club.desk(name)
        about = f"Re: [pbem {desk.place.session().code('blue')}] your turn"
        mail = desk.mail("help", f"{name}-2", about).replace(b"From: ann", b"From: bob")
        put(club.maildir, mail, f"{name}2.a.host")
    return club


def test_codes_that_cannot_be_read_stop_no_other_game(ready: Club, tmp_path: Path) -> None:
    """Found by the long suite in 2026-11: one account served both games, and fetched for neither."""
    place = tmp_path / "place"
    peace = ready.copied(place).tick()
    shutil.rmtree(place)
    struck = ready.copied(place).tick(1, "read-EACCES", "games/first/desk/codes.former")
    assert "cannot read" in struck.said
    assert games.difference(struck.of("other")[0], peace.of("other")[0]) == [], struck.said
    assert struck.of("other") == peace.like(struck).of("other")


@pytest.mark.parametrize("below", ["games/first", "home"])
def test_a_read_that_fails_stops_no_other_game(ready: Club, tmp_path: Path, below: str) -> None:
    place = tmp_path / "place"
    peace = ready.copied(place).tick(0, HOWS[0], below)
    shutil.rmtree(place)
    assert peace.code == 0, peace.said
    assert len(peace.sent) >= 4
    wrong = []
    for at in every("reads of a tick struck", 0, len(HOWS) * peace.steps - 1):
        k, how = at // len(HOWS) + 1, HOWS[at % len(HOWS)]
        club = ready.copied(place)
        struck = club.tick(k, how, below)
        after = club.tick()
        shutil.rmtree(place)
        told = struck.code or "cannot " in struck.said
        silent = not told and (struck.files, struck.sent) != (peace.files, peace.sent)
        other = below != "home" and struck.of("other") != peace.like(struck).of("other")
        states = games.difference(after.signed(), peace.signed())
        ids = struck.ids() + after.ids()
        if "not sent" in struck.said:  # the one that went and could not be marked goes once more
            ids = [*set(ids)]
        if silent or other or states or sorted(ids) != sorted(peace.ids()):
            wrong.append(f"{how} {k}: {silent=} {other=} {states=} {ids} {struck.said[-300:]}")
        assert struck.code in (0, 1, 2), struck.said
    assert not wrong, "\n".join(wrong)
