"""Find the game and seat of an email by the reply code that it carries.

Each question to a seat has a reply code, and so has each question about an undo.
Not allowed here: authentication or validation of the email.
Law: each code is computed at most once, and only when it is needed, so finding the game is as quick
among a thousand games as among two.
Source: docs/DESIGN.md "The way of an email"; decision 0015.
"""

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from pbem.errors import BadInput, CannotRead, PbemError
from pbem.play.reply_codes import CodeOwner, OwnedCodes, codes_before_deal, codes_of, match_codes, void_codes
from pbem.report.message_ids import has_our_id, read_answered_code
from pbem.services.amend.consent import list_consent_codes
from pbem.services.receive.message import ReceivedEmail
from pbem.services.session.session import Session


class EmailOwner(NamedTuple):
    """The game and seat that an email is for."""

    session: Session
    seat: str
    age: int  #: how many questions the seat has answered since the newest of the email's codes


def find_owner(games: Iterable[Session], email: ReceivedEmail) -> EmailOwner | None:
    """Return the seat whose codes an email carries, or None. Raises BadInput ``mail/two-codes`` if several."""
    owners_by_seat: dict[tuple[str, str], EmailOwner] = {}
    for session in games:
        if not session.codes_secret:
            continue
        for code_owner in find_code_owners(session, email.codes).values():
            key = session.record.game, code_owner.seat
            known_owner = owners_by_seat.get(key)
            age = code_owner.age if known_owner is None else min(code_owner.age, known_owner.age)
            owners_by_seat[key] = EmailOwner(session, code_owner.seat, age)
    if len(owners_by_seat) > 1:
        why = "it carries the codes of two different questions"
        raise BadInput("mail/two-codes", why, "answer each report in an email of its own")
    return next(iter(owners_by_seat.values()), None)


def find_code_owners(session: Session, codes: tuple[str, ...]) -> dict[str, CodeOwner]:
    """Return the owners of those codes that belong to this game, by code."""
    return match_codes(_list_codes(session), codes)


def _list_codes(session: Session) -> OwnedCodes:
    """Yield every code of a game with its owner, the newest questions first."""
    record, secret = session.record, session.codes_secret
    if not record.is_dealt:
        yield from codes_before_deal(secret, record.game, record.setup.seats, record.phase)
        return
    answered = dict(record.answer_counts)
    yield from codes_of(secret, record.game, answered)
    yield from list_consent_codes(session)
    yield from void_codes(session.former_codes, record.game, answered)


def _answered_ids(email: ReceivedEmail) -> str:
    """Return the Message-IDs of the emails that this one answers. It answers the last one directly."""
    return f"{email.headers.references} {email.headers.in_reply_to}"


class Games:
    """The games that emails may be for, each as the last received email left it."""

    def __init__(self, sessions: Iterable[Session], is_complete: bool = True) -> None:
        self.is_complete = is_complete  #: False if some game, or its codes, cannot be read
        self._sessions: dict[str, list[Session]] = {}  # by game, which may have several folders
        self._games_by_code: dict[str, set[str]] = {}  # the games that have this code
        self._code_iterators: deque[tuple[str, OwnedCodes]] = deque()  # game and what computes its next code
        self._code_secrets: list[bytes] = []  # from which all games derive their codes; filled when needed
        self._damaged_games: set[str] = set()  # their private folders are damaged, so any code may be theirs
        for session in sessions:
            self._sessions.setdefault(session.record.game, []).append(session)
            self._add_codes(session)

    @property
    def sessions(self) -> list[Session]:
        """All games."""
        return [session for copies in self._sessions.values() for session in copies]

    def with_code(self, email: ReceivedEmail) -> ReceivedEmail:
        """Return the email. If it has no code, it gets the code of our email that it answers."""
        if email.codes:
            return email
        code = read_answered_code(_answered_ids(email), self._all_secrets())
        return email._replace(codes=(code,)) if code else email

    def answers_our_email(self, email: ReceivedEmail) -> bool:
        """Return whether this email answers an email of one of these games, even one without a code."""
        return has_our_id(_answered_ids(email), self._all_secrets())

    def _all_secrets(self) -> list[bytes]:
        """Return the secrets of all games' codes, except of games whose codes cannot be read."""
        if not self._code_secrets:
            for session in self.sessions:
                try:
                    self._code_secrets += session.known_codes
                except CannotRead:
                    self.is_complete = False  # an email without an owner may be for this game, so it waits
        return self._code_secrets

    def find_owner(self, email: ReceivedEmail) -> EmailOwner | None:
        """Find the game and seat that an email is for. None and BadInput as in the function ``find_owner``."""
        game_ids = {game_id for code in email.codes for game_id in self._games_of_code(code)}
        return find_owner((session for game_id in sorted(game_ids) for session in self._sessions[game_id]), email)

    def replace(self, old_session: Session, new_session: Session) -> None:
        """Replace a game by the changed one. Its new codes are tried first."""
        copies = self._sessions[old_session.record.game]
        copies[copies.index(old_session)] = new_session
        if (new_session.newest.raw, new_session.codes_secret) != (old_session.newest.raw, old_session.codes_secret):
            self._add_codes(new_session)

    def _add_codes(self, session: Session) -> None:
        self._code_secrets = []
        if session.codes_secret:
            self._code_iterators.appendleft((session.record.game, _list_codes(session)))

    def _games_of_code(self, code: str) -> set[str]:
        """Return the games that may have this code.

        The games compute their next codes in turn until one matches. Newest questions come first.
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
