"""Let bots play a whole game through real files, for ``pbem demo``.

Not allowed here: a rule; a State for a bot; printing.
Laws: it runs the code of ``pbem receive`` and ``pbem resolve``; a bot gets only its own emails; the
same seed gives the same files, byte for byte.
Source: docs/DESIGN.md "Command line" (``pbem demo``).
"""

import os
from collections.abc import Callable, Iterator
from email.utils import parseaddr
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.bots.mails import recipient_and_subject
from pbem.bots.player import STRATEGIES, Bot
from pbem.crypto.encoding import digest, pae
from pbem.crypto.keys import new_root
from pbem.crypto.secret import new_secret
from pbem.crypto.tokens import DealWords
from pbem.disk import whole
from pbem.disk.folder import MessageStatus
from pbem.disk.home import Home
from pbem.disk.system import make_with_parents
from pbem.engine.hidden import Chance
from pbem.errors import OurFault
from pbem.mail.compose import format_mail_date
from pbem.services.lock import open_for_writing
from pbem.services.open.new_game import Secrets, create_game
from pbem.services.receive.find_game import Games
from pbem.services.receive.receive import receive_file
from pbem.services.resolve.resolve import resolve_now
from pbem.services.session.keys import write_new_keys

if TYPE_CHECKING:
    from pbem.engine.game import Game

BOT_NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")
SECONDS_BETWEEN_MAILS = 7800  #: two hours and ten minutes, in a demonstration with a seed
DEFAULT_START_TIME = 1793606400  #: 2 November 2026, eight in the morning
START_TIME_VARIABLE = "SOURCE_DATE_EPOCH"  #: environment variable with another start time


class DemoRandomness(NamedTuple):
    """Everything that is random in a demonstration."""

    key_roots: dict[str, bytes]  #: of the acting and the recovery key
    secrets: Secrets
    bot_seed: bytes
    start_time: int | None  #: seconds since 1970; None for the real clock


#: formats seconds since 1970, or the present for None, as states write a time
TimeFormatter = Callable[[int | None], str]


def draw_randomness() -> DemoRandomness:
    """Draw secrets that nobody can predict, as in a real game."""
    key_roots = {"acting": new_root(), "recovery": new_root()}
    return DemoRandomness(key_roots, Secrets(new_secret(), new_secret()), new_secret(), None)


def randomness_from_seed(seed: int) -> DemoRandomness:
    """Derive everything from a number. Anyone who knows the number can work out the deal."""
    purposes = ("acting", "recovery", "secret", "codes", "wraps", "bots")
    derived_bytes = {purpose: digest(pae("pbem/1/demo", purpose, seed)) for purpose in purposes}
    start_text = os.environ.get(START_TIME_VARIABLE, "")
    start_time = int(start_text) if start_text.isascii() and start_text.isdecimal() else DEFAULT_START_TIME
    key_roots = {name: derived_bytes[name] for name in ("acting", "recovery")}
    secrets = Secrets(derived_bytes["secret"], derived_bytes["codes"], derived_bytes["wraps"])
    return DemoRandomness(key_roots, secrets, derived_bytes["bots"], start_time)


class DemoSettings(NamedTuple):
    """Which game to show."""

    player_count: int
    options: dict[str, str]
    bot_kind: str = "random"


class DemoGame:
    """A game that bots play in the folder ``root``, with home/ (keys), the game and inbox/ (the bots' answers)."""

    def __init__(
        self, root: Path, game: "Game", settings: DemoSettings, randomness: DemoRandomness, format_time: TimeFormatter
    ) -> None:
        self.game = game
        self.inbox = root / "inbox"
        self.home = Home((root / "home").resolve())
        self.verdict_counts: dict[str, int] = {}
        self.first_receipts: dict[str, str] = {}  #: by verdict
        self._clock_seconds = randomness.start_time
        self._format_time = format_time
        self._delivered_mails: set[str] = set()
        make_with_parents(self.inbox)
        write_new_keys(self.home, randomness.key_roots)
        name_by_seat = dict(zip(game.seats[: settings.player_count], BOT_NAMES, strict=False))
        plan: dict[str, Any] = {
            "game": game.kind,
            "players": {seat: f"{name},{_address(name)}" for seat, name in name_by_seat.items()},
            "options": settings.options,
            "referee": "Robin,referee@example.org",
        }
        folder = root / game.kind
        time = self._current_time()
        self.session = create_game(folder, plan, self.home, randomness.secrets, time)
        random_words = DealWords(randomness.bot_seed)
        self._bots = {
            _address(name): (seat, Bot(game, seat, Chance(random_words, seat).below, STRATEGIES[settings.bot_kind]))
            for seat, name in name_by_seat.items()
        }

    def play(self) -> Iterator[None]:
        """Play to the end. Yields after each answer. Raises OurFault ``demo/stuck`` if the game waits for no bot."""
        is_over = self._resolve()
        while not is_over:
            answered_seats: set[str] = set()
            for name in self._list_unread_mails():
                if _seat_of(name) in answered_seats:  # the bot has just answered, so it reads this email later
                    self._delivered_mails.discard(name)
                    continue
                answer = self._deliver(name)
                if answer is not None:
                    answered_seats.add(_seat_of(name))
                    is_over = self._submit(answer)
                    yield
            if not answered_seats and not is_over:
                raise OurFault("demo/stuck", "no bot has anything to say, and the game waits")

    def _list_unread_mails(self) -> list[str]:
        """List the emails that no bot has read yet, receipts first, and mark them as delivered.

        Of several reports to one seat, only the newest is listed.
        """
        mails = [
            name
            for name in self.session.folder.list_messages(MessageStatus.WAITING)
            if name not in self._delivered_mails
        ]
        self._delivered_mails.update(mails)
        newest_reports = {_seat_of(name): name for name in sorted(mails) if not _is_receipt(name)}
        mails_to_read = (name for name in mails if _is_receipt(name) or newest_reports[_seat_of(name)] == name)
        return sorted(mails_to_read, key=lambda name: not _is_receipt(name))

    def _deliver(self, name: str) -> Path | None:
        """Give an email to its bot. Returns the file with its answer; None if it does not answer."""
        data = self.session.folder.read_message(MessageStatus.WAITING, name)
        if data is None:  # a newer email replaced it
            return None
        seat, bot = self._bots[parseaddr(recipient_and_subject(data).recipient)[1]]
        answer = bot.answer(data, format_mail_date(self._current_time(SECONDS_BETWEEN_MAILS)))
        if answer is None:
            return None
        if self._clock_seconds is not None:
            self._clock_seconds += SECONDS_BETWEEN_MAILS
        path = self.inbox / f"{sum(self.verdict_counts.values()) + 1:04d}-{seat}{answer.file_suffix}"
        whole.write(path, answer.data)
        return path

    def _submit(self, path: Path) -> bool:
        """Receive one answer and resolve. Returns whether the game is over."""
        games = Games([self.session.replace(time=self._current_time())])
        result = receive_file(games, str(path)).document()
        self.session = games.sessions[0]
        verdict = str(result["verdict"])
        self.verdict_counts[verdict] = self.verdict_counts.get(verdict, 0) + 1
        self.first_receipts.setdefault(verdict, str(result.get("receipt", "")))
        return self._resolve()

    def _resolve(self) -> bool:
        """Play the orders that are pending. Returns whether the game is over."""
        with open_for_writing(self.session.replace(time=self._current_time())) as session:
            result = resolve_now(session)
        self.session = result.session
        return result.is_over

    def _current_time(self, seconds_later: int = 0) -> str:
        """Return the real time, or the time of a demonstration with a seed."""
        return self._format_time(None if self._clock_seconds is None else self._clock_seconds + seconds_later)


def _is_receipt(mail: str) -> bool:
    return mail.startswith("receipt-")


def _seat_of(mail: str) -> str:
    """Return the seat in an email's name: ``red`` for ``0005-red`` and for ``receipt-red-0003``."""
    if _is_receipt(mail):
        return mail.removeprefix("receipt-").rpartition("-")[0]
    return mail.partition("-")[2]


def _address(name: str) -> str:
    return f"{name.lower()}@example.org"
