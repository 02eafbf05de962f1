"""Find out what a game needs from its players and its referee. Needs no key and writes nothing.

Not allowed here: text for people (commands/status.py).
Source: docs/decisions/0014-the-post.md.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pbem.chain.referees import keys_in_force
from pbem.chain.signed_state import state_hash_of
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.crypto.encoding import b64
from pbem.disk.folder import CONSENT_FILE, GameFolder, MessageStatus
from pbem.disk.home import Home
from pbem.engine.decision import Outcome
from pbem.engine.standings import SeatStanding
from pbem.errors import BadInput
from pbem.notation.absence import Absence
from pbem.play.waiting import AwaitedRow, awaited_rows, list_awaited_seats
from pbem.services.session.desk import read_noted_absences
from pbem.services.session.keys import own_public_key
from pbem.services.session.newest import read_newest, spectators_view, trusted_key
from pbem.services.session.worklist import (
    ELSEWHERE_FILE,
    count_messages_in,
    find_asked_since,
    find_held_emails,
    find_unreached,
    is_ready,
    read_notes,
)

if TYPE_CHECKING:
    from pbem.play.consent import Consent


class GameProgress(NamedTuple):
    """The players whom a game waits for, or how it ended."""

    waits: tuple[AwaitedRow, ...]  #: with the times "since" and "due"
    is_ready: bool  #: whether `resolve` has something to do
    is_over: bool
    outcome: Outcome | None = None
    standings: tuple[SeatStanding, ...] = ()
    declined_by_seat: Mapping[str, str] = MappingProxyType({})  #: before the deal: by seat, what the player wrote


class GameNeeds(NamedTuple):
    """Everything that one game needs from its referee and players."""

    record: StateRecord
    undo_consent: "Consent | None"  #: the undo about which players are asked
    newer_number: int | None  #: a newer or different state that this machine has seen
    progress: GameProgress
    unsent: int  #: emails in the outbox
    maybe_sent: int  #: emails that may have been sent
    failed: int
    referee_messages: int
    unreached_seats: list[str]  #: seats whose email bounces
    unregistered_senders: dict[str, list[str]]  #: by seat, an unknown address from which an email counted, and when
    held_emails: dict[str, bool]  #: by seat with a held email, whether a proposal was sent
    absences: Mapping[str, Sequence[Absence]]  #: by seat, the days on which its player is away, also past ones
    was_handed_over: bool  #: to another referee, and only that referee can continue it


def read_needs(folder: GameFolder, home: Home, messages_by_sender: Counter[str]) -> GameNeeds:
    """Return what one game needs. ``messages_by_sender``: how many unread messages came from each address."""
    newest_state = read_newest(folder, trusted_key(folder, home))
    record, seats = newest_state.record, newest_state.record.setup.seats
    consent = _open_consent(folder, newest_state.raw, seats)
    progress = _progress_in_play(folder, record, consent) if record.is_dealt else _progress_before_deal(folder, record)
    is_handed_over = _was_handed_over(home, record)
    if is_handed_over:
        progress = progress._replace(waits=(), is_ready=False)
    return GameNeeds(
        record,
        consent,
        newer_number=_newer_number_seen(home, record, newest_state.raw),
        progress=progress,
        unsent=len(folder.list_messages(MessageStatus.WAITING)),
        maybe_sent=len(folder.list_messages(MessageStatus.SENDING)),
        failed=len(folder.list_messages(MessageStatus.FAILED)),
        referee_messages=count_messages_in(folder, seats, messages_by_sender),
        unreached_seats=find_unreached(folder, seats),
        unregistered_senders={seat: row for seat, row in read_notes(folder, ELSEWHERE_FILE).items() if seat in seats},
        held_emails=find_held_emails(folder, record),
        absences={seat: days for seat, days in read_noted_absences(folder).items() if seat in seats},
        was_handed_over=is_handed_over,
    )


def _was_handed_over(home: Home, record: StateRecord) -> bool:
    """Return whether the key of this home was in force once, and another key signs the next state."""
    own_key = own_public_key(home) if home.read_key("acting") is not None else b""
    acting_key = keys_in_force(record.referees, record.n + 1).acting
    return acting_key != own_key and any(row.acting == own_key for row in record.referees)


def _newer_number_seen(home: Home, record: StateRecord, raw: bytes) -> int | None:
    """Return the number of a newer or different state that this machine has seen; None if it saw none."""
    mark = None
    with suppress(BadInput):  # commands that write will report a damaged mark
        mark = home.read_mark(record.game)
    current_mark = (record.n, b64(state_hash_of(raw)))
    if mark is None or mark == current_mark:
        return None
    seen_number, _ = mark
    return seen_number if seen_number >= record.n else None


def _open_consent(folder: GameFolder, raw: bytes, seats: tuple[str, ...]) -> "Consent | None":
    """Return the undo that players are asked about, or None. A player's copy of a game does not show it."""
    data = folder.read_desk_file(CONSENT_FILE)
    if not data:
        return None
    from pbem.play.consent import read_current_consent  # few games ever need it

    return read_current_consent(data, raw, seats)


def _progress_in_play(folder: GameFolder, record: StateRecord, consent: "Consent | None") -> GameProgress:
    """Return whom a dealt game waits for, or how it ended. ``consent``: an undo that players are asked about."""
    game, view = spectators_view(record)
    outcome = game.outcome(view)
    questions = game.questions(view)
    waits = () if record.phase == CLOSED else list_awaited_seats(record, questions)
    seats = {wait["seat"] for wait in waits}
    if consent is not None:
        waits = awaited_rows(record, consent.seats_answering(""), "undo")
        since = dict.fromkeys((wait["seat"] for wait in waits), record.time)
    else:
        since = find_asked_since(folder, record, seats)
    deadlines = {row.seat: row.deadline for row in record.clock.seats}
    rows = [wait | {"since": since[wait["seat"]], "due": deadlines.get(wait["seat"], "")} for wait in waits]
    ready = consent is None and is_ready(folder, record, seats)
    return GameProgress(tuple(rows), ready, outcome is not None, outcome, game.standings(view).seats)


def _progress_before_deal(folder: GameFolder, record: StateRecord) -> GameProgress:
    """Return who has not answered an invitation or roster. Without a desk, nobody seems to have answered."""
    from pbem.play.joining import opening  # once in a game

    is_over = record.phase == CLOSED
    answers = folder.read_pending(record.n)
    declined = opening.read_declined(answers, record)
    answers_by_seat = opening.read_answers(answers, record) | declined
    seats = () if is_over else opening.list_unanswered_seats(record, answers_by_seat)
    waits = [wait | {"since": record.time, "due": ""} for wait in opening.list_awaited_before_deal(record, seats)]
    return GameProgress(tuple(waits), not (is_over or seats or declined), is_over, declined_by_seat=declined)
