"""Whose a message is: of the games that are open here, the one whose code it carries.

What lives here: Games, Owned, the codes of one game. What must never be here: whether a message is
the player's (authentication.py), or what it is worth.
Law: each code is made once, however many messages come, and none that nobody asks for: a message
costs the same among a thousand games as among two.
Source: docs/DESIGN.md "The way of an email"; decision 0015.
"""

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from pbem.errors import BadInput, PbemError
from pbem.play.reply_codes import (
    Coded,
    Owner,
    codes_before_deal,
    codes_of,
    found_in,
    void_codes,
)
from pbem.report.message_ids import answered_code, ours
from pbem.services.amend.consent import codes_of_askings
from pbem.services.receive.message import Incoming
from pbem.services.session.session import Session


class Owned(NamedTuple):
    """A message's game and seat."""

    session: Session
    seat: str
    age: int  #: how many of the seat's questions were answered since the newest of the codes


def owner(games: Iterable[Session], message: Incoming) -> Owned | None:
    """One seat of one game, else BadInput ``mail/two-codes``; None if nobody's."""
    found: dict[tuple[str, str], Owned] = {}
    for session in games:
        if not session.codes_secret:
            continue
        for named in owners(session, message.codes).values():
            key = session.link.game, named.seat
            age = min(named.age, found[key].age) if key in found else named.age
            found[key] = Owned(session, named.seat, age)
    if len(found) > 1:
        why = "it carries the codes of two different questions"
        raise BadInput("mail/two-codes", why, "answer each report in an email of its own")
    return next(iter(found.values()), None)


def owners(session: Session, codes: tuple[str, ...]) -> dict[str, Owner]:
    """Those of the codes that are of this game, and whose each is."""
    return found_in(_coded(session), codes)


def _coded(session: Session) -> Coded:
    """Every code of a game, those of the newest questions first."""
    record, secret = session.link, session.codes_secret
    if not record.dealt:
        yield from codes_before_deal(secret, record.game, record.setup.seats, record.phase)
        return
    answered = dict(record.answered)
    yield from codes_of(secret, record.game, answered)
    yield from codes_of_askings(session)
    yield from void_codes(session.former_codes, record.game, answered)


def _answers(message: Incoming) -> str:
    """The ids of the emails that it answers, the nearest one last."""
    return f"{message.headers.references} {message.headers.in_reply_to}"


class Games:
    """The games that messages may be for, each as the last message left it."""

    def __init__(self, sessions: Iterable[Session], whole: bool = True) -> None:
        self.whole = whole  #: False where another game is here that cannot be read
        self._sessions: dict[str, list[Session]] = {}  # by game: a folder may be there twice
        self._known: dict[str, set[str]] = {}  # by code: the games that it is of
        self._more: deque[tuple[str, Coded]] = deque()  # of each game, the codes not made yet
        self._secrets: list[bytes] = []  # of the codes of all desks, once they were needed
        self._odd: set[str] = set()  # games whose desks are damaged: nobody knows all their codes
        for session in sessions:
            self._sessions.setdefault(session.link.game, []).append(session)
            self._learn(session)

    @property
    def all(self) -> list[Session]:
        """Every one of them."""
        return [session for copies in self._sessions.values() for session in copies]

    def coded(self, message: Incoming) -> Incoming:
        """The message; if it has no code, with that of our email which it answers."""
        if message.codes:
            return message
        code = answered_code(_answers(message), self._every_secret())
        return message._replace(codes=(code,)) if code else message

    def answers_ours(self, message: Incoming) -> bool:
        """Whether it answers an email of one of these games, with a code or without."""
        return ours(_answers(message), self._every_secret())

    def _every_secret(self) -> list[bytes]:
        if not self._secrets:
            self._secrets = [secret for one in self.all for secret in one.known_codes]
        return self._secrets

    def owner(self, message: Incoming) -> Owned | None:
        """As `owner` among all of them."""
        names = {name for code in message.codes for name in self._of(code)}
        return owner((one for name in sorted(names) for one in self._sessions[name]), message)

    def replace(self, old: Session, new: Session) -> None:
        """What a game has become; its newer codes are asked first."""
        copies = self._sessions[old.link.game]
        copies[copies.index(old)] = new
        if (new.newest.raw, new.codes_secret) != (old.newest.raw, old.codes_secret):
            self._learn(new)

    def _learn(self, session: Session) -> None:
        self._secrets = []
        if session.codes_secret:
            self._more.appendleft((session.link.game, _coded(session)))

    def _of(self, code: str) -> set[str]:
        """The games that a code may be of. In turn each game makes its next one, until it is found:
        mostly it is of a newest question.
        """
        while code not in self._known and self._more:
            name, coded = self._more.popleft()
            try:
                one = next(coded, None)
            except PbemError:
                self._odd.add(name)
                continue
            if one is not None:
                self._known.setdefault(one[0], set()).add(name)
                self._more.append((name, coded))
        return self._known.get(code, self._odd)
