"""A whole game through real files: the post between bots and moderator.

What must never be here: a rule, a State in the hands of a bot, printing.
Laws: what ``pbem receive`` and ``pbem resolve`` run is run here, on files; a bot gets its own mails
and nothing else; the same Chances with a ``start`` give the same files, byte for byte.
Source: docs/DESIGN.md "Command line" (``pbem demo``).
"""

import os
from collections.abc import Callable, Iterator
from email.utils import parseaddr
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.bots.mails import subject_of
from pbem.bots.player import NAMED, Bot
from pbem.crypto.encoding import digest, pae
from pbem.crypto.keys import new_root
from pbem.crypto.secret import new_secret
from pbem.crypto.tokens import Words
from pbem.disk import whole
from pbem.disk.folder import Mark
from pbem.disk.home import Home
from pbem.disk.system import make_with_parents
from pbem.engine.hidden import Chance
from pbem.errors import OurFault
from pbem.mail.compose import mail_date
from pbem.services.lock import writing
from pbem.services.open.new_game import Secrets, open_game_in
from pbem.services.receive.find_game import Games
from pbem.services.receive.receive import take_file
from pbem.services.resolve.resolve import resolve_now
from pbem.services.session.keys import keep_keys

if TYPE_CHECKING:
    from pbem.engine.game import Game

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")
STEP = (
    7800  # seconds from one mail to the next, where the clock is a value: two hours and ten minutes
)
START = 1793606400  # 2 November 2026, eight in the morning
CLOCK = "SOURCE_DATE_EPOCH"


class Chances(NamedTuple):
    """All that is left to chance in a demonstration."""

    roots: dict[str, bytes]  #: of the acting and the recovery key
    secrets: Secrets
    bots: bytes
    start: int | None  #: seconds since 1970; None: the real clock


#: a moment in seconds since 1970, as a state has it; of None the present
Moment = Callable[[int | None], str]


def fresh() -> Chances:
    """As in a real game: nobody can know it."""
    roots = {"acting": new_root(), "recovery": new_root()}
    return Chances(roots, Secrets(new_secret(), new_secret()), new_secret(), None)


def from_seed(seed: int) -> Chances:
    """Everything from one number: anybody who knows it knows the deal. For demonstrations alone."""
    one = {what: digest(pae("pbem/1/demo", what, seed)) for what in
           ("acting", "recovery", "secret", "codes", "wraps", "bots")}  # fmt: skip
    given = os.environ.get(CLOCK, "")
    start = int(given) if given.isascii() and given.isdecimal() else START
    roots = {name: one[name] for name in ("acting", "recovery")}
    secrets = Secrets(one["secret"], one["codes"], one["wraps"])
    return Chances(roots, secrets, one["bots"], start)


class Wanted(NamedTuple):
    """What game is to be shown: how many play, its options, how the bots choose."""

    players: int
    options: dict[str, str]
    bots: str = "random"


class DemoGame:
    """A game played by bots in ``root``: home/ (keys), the game's folder, inbox/ (answers)."""

    def __init__(
        self, root: Path, game: "Game", wish: Wanted, chances: Chances, moment: Moment
    ) -> None:
        self.game = game
        self.inbox = root / "inbox"
        self.home = Home((root / "home").resolve())
        self.verdicts: dict[str, int] = {}
        self.receipts: dict[str, str] = {}  #: the first receipt of each verdict
        self._clock, self._moment = chances.start, moment
        self._carried: set[str] = set()
        make_with_parents(self.inbox)
        keep_keys(self.home, chances.roots)
        people = dict(zip(game.seats[: wish.players], NAMES, strict=False))
        wanted: dict[str, Any] = {
            "game": game.kind,
            "players": {seat: f"{name},{_address(name)}" for seat, name in people.items()},
            "options": wish.options,
            "referee": "Robin,referee@example.org",
        }
        folder, time = root / game.kind, self._time()
        self.session = open_game_in(folder, wanted, self.home, chances.secrets, time)
        draws = Words(chances.bots)
        self._bots = {
            _address(name): (seat, Bot(game, seat, Chance(draws, seat).below, NAMED[wish.bots]))
            for seat, name in people.items()
        }

    def play(self) -> Iterator[None]:
        """Play to the end; comes back after every answer that was dealt with."""
        over = self._resolve()
        while not over:
            sent: set[str] = set()
            for name in self._new_mails():
                if _seat_of(name) in sent:  # who has just written reads on another day
                    self._carried.discard(name)
                    continue
                answer = self._carry(name)
                if answer is not None:
                    sent.add(_seat_of(name))
                    over = self._hand_in(answer)
                    yield
            if not sent and not over:
                raise OurFault("demo/stuck", "no bot has anything to say, and the game waits")

    def _new_mails(self) -> list[str]:
        """What nobody has read yet; of several reports for one player he reads the newest."""
        found = [
            name for name in self.session.folder.messages(Mark.WAITING) if name not in self._carried
        ]
        self._carried.update(found)
        newest = {_seat_of(name): name for name in sorted(found) if not _is_receipt(name)}
        read = (name for name in found if _is_receipt(name) or newest[_seat_of(name)] == name)
        return sorted(read, key=lambda name: not _is_receipt(name))  # as they were written

    def _carry(self, name: str) -> Path | None:
        """Bring one mail to its bot; the file of its answer, if it writes one."""
        data = self.session.folder.message(Mark.WAITING, name)
        if data is None:  # a newer one has taken its place
            return None
        seat, bot = self._bots[parseaddr(subject_of(data)[0])[1]]
        answer = bot.answer(data, mail_date(self._time(STEP)))
        if answer is None:
            return None
        if self._clock is not None:
            self._clock += STEP
        path = self.inbox / f"{sum(self.verdicts.values()) + 1:04d}-{seat}{answer.ending}"
        whole.write(path, answer.data)
        return path

    def _hand_in(self, path: Path) -> bool:
        """Take one answer and play on; whether the game is over."""
        games = Games([self.session.replace(time=self._time())])
        found = take_file(games, str(path)).document()
        self.session = games.all[0]
        verdict = str(found["verdict"])
        self.verdicts[verdict] = self.verdicts.get(verdict, 0) + 1
        self.receipts.setdefault(verdict, str(found.get("receipt", "")))
        return self._resolve()

    def _resolve(self) -> bool:
        with writing(self.session.replace(time=self._time())) as session:
            found = resolve_now(session)
        self.session = found.session
        return found.over

    def _time(self, later: int = 0) -> str:
        """The time of this game: the real one, or ours."""
        return self._moment(None if self._clock is None else self._clock + later)


def _is_receipt(mail: str) -> bool:
    return mail.startswith("receipt-")


def _seat_of(mail: str) -> str:
    """Whose mail it is, by its name: ``0005-red``, ``receipt-red-0003``."""
    if _is_receipt(mail):
        return mail.removeprefix("receipt-").rpartition("-")[0]
    return mail.partition("-")[2]


def _address(name: str) -> str:
    return f"{name.lower()}@example.org"
