"""Four commands at a time on many games, half of them killed: nothing lost, nothing twice.

Players answer each question once. Whatever was killed, in the end each of their mails has one
receipt, and the orders in the chain are theirs, each once, in the order of their questions.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Lock

import pytest
from sizes import size

from pbem.chain.signed_state import read_verified_record
from pbem.chain.sources import REPLIED
from pbem.clock import now
from pbem.disk.folder import GameFolder
from pbem.disk.home import Home
from pbem.errors import PbemError
from pbem.services.open.new_game import Secrets, create_game
from pbem.services.session.session import Session, open_session

from . import games

pytestmark = pytest.mark.skipif(os.name != "posix", reason="starts and kills many processes")
HANDS = 4
SEED = 2026


class Club:
    """Many games in one folder, and the mails that their players sent so far."""

    def __init__(self, path: Path, number: int) -> None:
        self.place = games.fresh(path)
        os.environ.update(self.place.env())
        self.root, self.mails = path / "games", path / "mails"
        self.root.mkdir()
        self.mails.mkdir()
        #: (game's folder, seat, number of its question) → the order sent; in the order of sending
        self.sent: dict[tuple[str, str, int], str] = {}
        self._lock = Lock()
        random = Random(SEED)
        for i in range(number):
            secrets = Secrets(*(random.randbytes(32) for _ in range(3)))
            home = Home(self.place.home)
            wanted = games.WANTED | {"options": {"turn": "3d"} if i % 2 else {}}
            create_game(self.root / f"g{i:02d}", wanted, home, secrets, now())

    def session(self, name: str) -> Session:
        return open_session(self.root / name, now(), Home(self.place.home))

    def mail(self, name: str, random: Random) -> str | None:
        """The answer to what is asked now, as it was sent; the first time it is written."""
        with self._lock:
            try:
                session = self.session(name)
                questions = session.game.questions(session.game.view(session.position.state, None))
            except PbemError:  # another command is just saving
                return None
            if not questions:
                return None
            seat = questions[0].seat
            number = dict(session.record.answer_counts)[seat]
            path = self.mails / f"{name}-{seat}-{number}.eml"
            if not path.exists():
                legal = session.game.legal(session.game.view(session.position.state, seat))
                line = random.choice([one for one in legal if one.startswith("wall")] or legal)
                self.sent[name, seat, number] = line
                path.write_text(
                    f"From: {seat} <{seat}@example.org>\nMessage-ID: <{path.stem}@example.org>\n"
                    f"Subject: Re: [pbem {session.code(seat)}]\n\n{line}\n"
                )
            return str(path)

    def words(self, random: Random) -> list[str]:
        """A command that a referee may type at any time."""
        name = random.choice(sorted(one.name for one in self.root.iterdir()))
        kind = random.random()
        if kind < 0.6 and (mail := self.mail(name, random)):
            return ["receive", str(self.root if kind < 0.4 else self.root / name), mail]
        if kind < 0.65:
            return ["amend", str(self.root / name), "extend", "--by", "1h", "--reason", f"{kind}"]
        if kind < 0.75:
            return ["tick", str(self.root)]
        return ["resolve", str(self.root if kind > 0.95 else self.root / name)]

    def hand(self, seed: int, until: float) -> int:
        """One pair of hands at work; how many commands were killed."""
        random, killed = Random(seed), 0
        while time.monotonic() < until:
            command = [sys.executable, "-P", "-m", "pbem", *self.words(random)]
            with subprocess.Popen(
                command, env=self.place.process_env(),
                text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            ) as one:  # fmt: skip
                try:
                    wait = random.random() * 0.5 if random.random() < 0.5 else 120
                    said, _ = one.communicate(timeout=wait)
                except subprocess.TimeoutExpired:
                    one.kill()
                    killed += 1
                    continue
            assert one.returncode in (0, 1, 2), said
            assert "our fault" not in said, said
            assert "Traceback" not in said, said
        return killed


@pytest.mark.attack(
    "four commands run on many games, and half of them are killed",
    by="no order or email is lost or counted twice",
    who="machine",
)
def test_nothing_is_lost_and_nothing_comes_twice(tmp_path: Path) -> None:
    club = Club(tmp_path / "club", size("games under strain"))
    until = time.monotonic() + size("seconds of strain")
    with ThreadPoolExecutor(HANDS) as pool:
        killed = sum(pool.map(lambda seed: club.hand(seed, until), range(HANDS)))
    assert killed
    club.place.run("receive", str(club.root), *sorted(map(str, club.mails.iterdir())))
    club.place.run("resolve", str(club.root))
    for folder in sorted(club.root.iterdir()):
        check(club, folder)


def check(club: Club, root: Path) -> None:
    said = club.place.run("verify", str(root))
    assert said.code == 0, said.text
    folder = GameFolder(root)
    assert folder.list_state_numbers() == tuple(range(folder.list_state_numbers()[-1] + 1))
    assert not list(root.rglob(".pbem-tmp-*"))
    mine = {key[1:]: line for key, line in club.sent.items() if key[0] == root.name}
    receipts = [one.stem for one in (root / "desk" / "receipts").glob("*.txt")]
    assert len(receipts) == len(mine), (root, receipts, mine)
    key = club.session(root.name).key.public
    answered, used = dict[str, int](), dict[tuple[str, int], str]()
    for n in folder.list_state_numbers()[2:]:
        for entry in read_verified_record(folder.read_state(n) or b"", key).entries:
            number = answered.get(entry.seat, 0)
            answered[entry.seat] = number + 1
            if entry.source == REPLIED.name:
                used[entry.seat, number] = entry.public_words
    assert used.keys() == mine.keys(), (root, used, mine)
    walls = {at: line for at, line in mine.items() if line.startswith("wall")}
    assert {at: used[at] for at in walls} == walls
