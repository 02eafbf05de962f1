"""Worlds whose desks differ in what is nobody else's business: passwords, votes, orders in hand,
which reports the others get.

What lives here: Private, Worded, and how each of the two desks of a pair is made unlike the other.
Not allowed here: a comparison. Source: docs/DESIGN.md "One game's folder" (desk/), P2.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from pbem.chain.people import SeatedPlayer
from pbem.chain.state_record import StateRecord
from pbem.crypto import keys
from pbem.crypto.encoding import b64, digest, spoken_words
from pbem.crypto.keys import password_hash
from pbem.disk.folder import CONSENT_FILE
from pbem.notation.asks import MAILS
from pbem.play import consent
from pbem.play.consent import Consent
from pbem.services.lock import open_for_writing
from pbem.services.receive.find_game import find_owner
from pbem.services.receive.message import grammar_of, parse_orders, read_message
from pbem.services.session.folders import sign_changed_players

from .sorts import CHANG_CHENG
from .told import letter
from .trial import idle
from .worlds import World, chance

VOTES = ("yes", "no", "")


class Private(World):
    """Its desk holds other votes, and other orders of the others, than that of its twin."""

    def keep_private(self, seat: str | None, mark: str) -> None:
        below = chance(mark, seat, self.session.record.n)
        with self.here(), open_for_writing(self.now()):
            self.session.folder.put_desk_file(CONSENT_FILE, self._votes(seat, mark))
        for who in self.session.record.setup.seats:
            if who != seat:
                self._orders_of(who, below(4))
                self.receive(letter(self.session.code(who), f"mails {MAILS[below(len(MAILS))]}"))
        self._session = None

    def resolve(self, missed: frozenset[str] = frozenset()) -> Any:
        """The referee asks about the undo no longer: else nothing would be played."""
        self.session.folder.put_desk_file(CONSENT_FILE, b"")
        return super().resolve(missed)

    def receive(self, data: bytes) -> Any:
        """A `yes` or `no` carries, two times of three, the code of the mail that asks for it."""
        sent = read_message(data)
        found = find_owner([self.session], sent)
        if found is None or not {*parse_orders(sent, grammar_of(self.session.game)).commands} & {"yes", "no"}:
            return super().receive(data)
        seat = found.seat
        if (
            self.session.folder.read_desk_file(CONSENT_FILE)
            and digest(f"{seat} {self.session.record.n}".encode())[0] % 3
        ):
            old, new = self.session.code(seat), self.asking_code(seat)
            data = data.replace(old.encode(), new.encode())
        return super().receive(data)

    def asking_code(self, seat: str) -> str:
        """The code of the mail by which a seat is asked about the undo."""
        session = self.session
        asked = consent.decode(session.folder.read_desk_file(CONSENT_FILE) or b"")
        return consent.undo_code(asked.id, session.codes_secret, session.record.game, seat)

    def _votes(self, seat: str | None, mark: str) -> bytes:
        """All are asked about an undo; the seat itself has not answered, in neither world."""
        head = b64(self.session.position.state_hash)
        turn = {"one": 0, "other": 1}[mark]
        rows = [
            (who, "" if who == seat else VOTES[(turn + i) % 3]) for i, who in enumerate(self.session.record.setup.seats)
        ]
        return consent.encode(Consent(2, head, "a slip of the pen", tuple(rows)))

    def _orders_of(self, who: str, number: int) -> None:
        """Mails of another player: kept for later (and never used), refused, asking, none."""
        code, kept = self.session.code(who), idle(self, who, CHANG_CHENG)
        for lines in (("later:", *kept[:2]), ("wall Q9", "nonsense A1"), ("help",))[:number]:
            self.receive(letter(code, *lines))


def word_of(seat: str, mark: str) -> str:
    return " ".join(spoken_words(digest(f"{seat} {mark}".encode())[:8]))


@contextmanager
def all_with_passwords(really: bool = True) -> Iterator[None]:
    """Every seat is known by a password; hashing one takes no time."""
    real = StateRecord.player

    def player(record: StateRecord, seat: str) -> SeatedPlayer:
        one = real(record, seat)
        return one._replace(method_name="password", key=b"") if really else one

    with patch.object(StateRecord, "player", player), patch.object(keys, "PASSWORD_N", 2):
        yield


class Worded(Private):
    """Each player writes his password, or forgets it, or writes a wrong one."""

    mark = "before"

    def word(self, seat: str) -> str:
        return word_of(seat, "own" if seat == self.own else self.mark)

    own: str | None = None  #: the seat whose password is the same in both worlds

    def keep_private(self, seat: str | None, mark: str) -> None:
        self.own, self.mark = seat, mark
        self._keep_passwords()
        super().keep_private(seat, mark)

    def _keep_passwords(self) -> None:
        given = self.session.players
        found = {
            seat: one._replace(password=password_hash(self.word(seat), digest(seat.encode())[:16]))
            for seat, one in given.seats.items()
        }
        with self.here(), open_for_writing(self.now()):
            data = sign_changed_players(self.session, given._replace(seats=found))
            self.session.folder.put_desk_file("players.toml", data)
        self._session = None

    def receive(self, data: bytes) -> Any:
        if self.mark == "before" and not any(one.password for one in self.session.players.seats.values()):
            self._keep_passwords()
        found = find_owner([self.session], read_message(data))
        return super().receive(self._proven(data, found.seat) if found else data)

    def _proven(self, data: bytes, seat: str) -> bytes:
        """With a line for the password: a function of what all see of the mail."""
        session = self.session
        sheet = parse_orders(read_message(data), grammar_of(session.game))
        looks = [session.game.public_words(line.order) for line in sheet.now]
        turn = digest(f"{seat} {session.record.n} {looks} {sheet.commands}".encode())[0] % 6
        turn = 5 if "withdraw" in sheet.commands else turn  # what one desk alone holds is taken back
        lines = {0: "", 1: "password lusab babad lusab babad\n"}
        line = lines.get(turn, f"password {self.word(seat)}\n")
        text = data.decode()
        at = text.rindex("\n", 0, text.rindex("[pbem")) + 1
        return f"{text[:at]}{line}{text[at:]}".encode()
