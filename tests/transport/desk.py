"""A referee's desk with an account: a new game of two in a folder, the clock in the test's hand."""

import io
import os
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from disk import killer
from durability import games

from pbem.cli import run
from pbem.disk.home import Home
from pbem.disk.journal import AccountJournal, EmailStatus
from transport.servers import PASSWORD

START = 1_790_000_000  #: in September 2026
ADDRESS = "ref@example.org"  #: of the referee of `games.WANTED`


class Desk:
    """One game and one home."""

    def __init__(self, place: games.Place) -> None:
        self.place, self.seconds = place, START

    @property
    def game(self) -> Path:
        return self.place.game

    def later(self, minutes: int) -> None:
        """The clock goes on."""
        self.seconds += 60 * minutes

    def account(self, fetch: str = "none", send: str = "none", **more: str) -> None:
        """The one account, `club`, which serves all."""
        rows = {"address": f'"Ref <{ADDRESS}>"', "fetch": f'"{fetch}"', "send": f'"{send}"'}
        rows |= {"secret": f'["printf", "%s", "{PASSWORD}"]', **more}
        path = self.place.home / "post.toml"
        path.write_text("[club]\n" + "".join(f"{key} = {row}\n" for key, row in rows.items()))
        path.chmod(0o600)

    def run(self, *words: str) -> games.Said:
        """A command line in this process, at the clock's time; `GAME` is the game's folder."""
        out = io.StringIO()
        os.environ.update(self._env())
        with redirect_stdout(out), redirect_stderr(out):
            code = run(self._words(words))
        return games.Said(code, out.getvalue())

    def done(self, *words: str) -> str:
        said = self.run(*words)
        assert said.code == 0, said.text
        return said.text

    def call(self, *words: str) -> Callable[[], None]:
        """The same, for a child that is struck."""

        def call() -> None:
            os.environ.update(self._env())
            raise SystemExit(run(self._words(words)))

        return call

    def killed(self, k: int, *words: str) -> int:
        """The exit code of a command that is killed before its ``k``-th operation on files."""
        return killer.fork_killed(self.call(*words), k, "before").code

    def steps(self, *words: str) -> int:
        """How many operations on files a command does, which a child carries out."""
        return len(killer.fork_killed(self.call(*words), 0, "before").steps)

    def _env(self) -> dict[str, str]:
        return {"PBEM_HOME": str(self.place.home), "SOURCE_DATE_EPOCH": str(self.seconds)}

    def _words(self, words: tuple[str, ...]) -> list[str]:
        return [str(self.game) if word == "GAME" else word for word in words]

    def asked(self) -> str:
        return games.asked(self.place)

    def order(self) -> str:
        """A legal order of the seat that is asked."""
        return self.others()[0]

    def others(self) -> tuple[str, ...]:
        """All its legal orders."""
        session, seat = self.place.session(), self.asked()
        return tuple(session.game.legal(session.game.view(session.position.state, seat)))

    def mail(self, text: str, name: str = "m1", subject: str = "", head: str = "") -> bytes:
        """A mail of the player who is asked, with the code in its subject."""
        code = self.place.session().code(self.asked())
        subject = subject or f"Re: [pbem {code}] your turn"
        who = {"red": "ann", "blue": "bob"}[self.asked()]
        rows = [f"From: {who}@example.org", f"To: {ADDRESS}", f"Subject: {subject}"]
        rows += ["Date: Mon, 21 Sep 2026 14:13:20 +0000", f"Message-ID: <{name}@mail.example>"]
        return "\n".join([*rows, *([head] if head else []), "", text, ""]).encode()

    def lines(self) -> list[str]:
        """All waiting orders."""
        return [line for lines in self.place.hands().values() for line in lines]

    def receipts(self) -> list[str]:
        folder = self.game / "desk" / "receipts"
        return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []

    def kept(self, mark: EmailStatus) -> list[bytes]:
        """The bytes of all mails of this mark in the journal."""
        journal = AccountJournal(Home(self.place.home), "club")
        return [journal.email_path(mark, name).read_bytes() for name in journal.list_emails(mark)]

    def marked(self, mark: str) -> list[str]:
        """The names of the messages of the desk with this mark."""
        folder = self.game / "desk" / mark
        return sorted(path.stem for path in folder.iterdir()) if folder.is_dir() else []

    def log(self) -> list[str]:
        """The events in desk/post.log, in order."""
        path = self.game / "desk" / "post.log"
        return [line.split(" ")[1] for line in path.read_text().splitlines()] if path.exists() else []
