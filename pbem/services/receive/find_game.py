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
from pbem.play.reply_codes import CodeOwner, OwnedCodes, codes_before_deal, codes_of, match_codes, void_codes
from pbem.report.message_ids import has_our_id, read_answered_code
from pbem.services.amend.consent import list_consent_codes
from pbem.services.receive.message import ReceivedEmail
from pbem.services.session.session import Session


class EmailOwner(NamedTuple):
    """A message's game and seat."""

    session: Session
    seat: str
    age: int  #: how many of the seat's questions were answered since the newest of the codes


def find_owner(games: Iterable[Session], email: ReceivedEmail) -> EmailOwner | None:
    """One seat of one game, else BadInput ``mail/two-codes``; None if nobody's."""
    owners_by_seat: dict[tuple[str, str], EmailOwner] = {}
    for session in games:
        if not session.codes_secret:
            continue
        for code_owner in find_code_owners(session, email.codes).values():
            key = session.record.game, code_owner.seat
            age = min(code_owner.age, owners_by_seat[key].age) if key in owners_by_seat else code_owner.age
            owners_by_seat[key] = EmailOwner(session, code_owner.seat, age)
    if len(owners_by_seat) > 1:
        why = "it carries the codes of two different questions"
        raise BadInput("mail/two-codes", why, "answer each report in an email of its own")
    return next(iter(owners_by_seat.values()), None)


def find_code_owners(session: Session, codes: tuple[str, ...]) -> dict[str, CodeOwner]:
    """Those of the codes that are of this game, and whose each is."""
    return match_codes(_list_codes(session), codes)


def _list_codes(session: Session) -> OwnedCodes:
    """Every code of a game, those of the newest questions first."""
    record, secret = session.record, session.codes_secret
    if not record.is_dealt:
        yield from codes_before_deal(secret, record.game, record.setup.seats, record.phase)
        return
    answered = dict(record.answer_counts)
    yield from codes_of(secret, record.game, answered)
    yield from list_consent_codes(session)
    yield from void_codes(session.former_codes, record.game, answered)


def _answered_ids(email: ReceivedEmail) -> str:
    """The ids of the emails that it answers, the nearest one last."""
    return f"{email.headers.references} {email.headers.in_reply_to}"


class Games:
    """The games that messages may be for, each as the last message left it."""

    def __init__(self, sessions: Iterable[Session], is_complete: bool = True) -> None:
        self.is_complete = is_complete  #: False where another game is here that cannot be read
        self._sessions: dict[str, list[Session]] = {}  # by game: a folder may be there twice
        self._games_by_code: dict[str, set[str]] = {}  # by code: the games that it is of
        self._code_iterators: deque[tuple[str, OwnedCodes]] = deque()  # of each game, the codes not made yet
        self._code_secrets: list[bytes] = []  # of the codes of all desks, once they were needed
        self._damaged_games: set[str] = set()  # games whose desks are damaged: nobody knows all their codes
        for session in sessions:
            self._sessions.setdefault(session.record.game, []).append(session)
            self._add_codes(session)

    @property
    def sessions(self) -> list[Session]:
        """Every one of them."""
        return [session for copies in self._sessions.values() for session in copies]

    def with_code(self, email: ReceivedEmail) -> ReceivedEmail:
        """The message; if it has no code, with that of our email which it answers."""
        if email.codes:
            return email
        code = read_answered_code(_answered_ids(email), self._all_secrets())
        return email._replace(codes=(code,)) if code else email

    def answers_our_email(self, email: ReceivedEmail) -> bool:
        """Whether it answers an email of one of these games, with a code or without."""
        return has_our_id(_answered_ids(email), self._all_secrets())

    def _all_secrets(self) -> list[bytes]:
        if not self._code_secrets:
            self._code_secrets = [secret for session in self.sessions for secret in session.known_codes]
        return self._code_secrets

    def find_owner(self, email: ReceivedEmail) -> EmailOwner | None:
        """As `owner` among all of them."""
        game_ids = {game_id for code in email.codes for game_id in self._games_of_code(code)}
        return find_owner((session for game_id in sorted(game_ids) for session in self._sessions[game_id]), email)

    def replace(self, old_session: Session, new_session: Session) -> None:
        """What a game has become; its newer codes are asked first."""
        copies = self._sessions[old_session.record.game]
        copies[copies.index(old_session)] = new_session
        if (new_session.newest.raw, new_session.codes_secret) != (old_session.newest.raw, old_session.codes_secret):
            self._add_codes(new_session)

    def _add_codes(self, session: Session) -> None:
        self._code_secrets = []
        if session.codes_secret:
            self._code_iterators.appendleft((session.record.game, _list_codes(session)))

    def _games_of_code(self, code: str) -> set[str]:
        """The games that a code may be of. In turn each game makes its next one, until it is found:
        mostly it is of a newest question.
        """
        while code not in self._games_by_code and self._code_iterators:
            game_id, codes = self._code_iterators.popleft()
            try:
                code_and_owner = next(codes, None)
            except PbemError:
                self._damaged_games.add(game_id)
                continue
            if code_and_owner is not None:
                self._games_by_code.setdefault(code_and_owner[0], set()).add(game_id)
                self._code_iterators.append((game_id, codes))
        return self._games_by_code.get(code, self._damaged_games)
