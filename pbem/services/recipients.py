"""Who gets which report by email, and which states it tells: ``plan``.

What lives here: desk/mailed, the newest report that was emailed to each seat; the older states that
a report tells; which emails that wait or were refused a newer one makes needless. What must never
be here: what a report says (report/), an email.
Laws: what is not delivered was not told; whether a seat gets one, and from which state on, hangs on
that seat alone (P2); a row is on the drive before its email, and what waits is taken out of the
outbox when the newer report is complete: a kill may tell something twice, and leaves nothing out
(P8). Source: docs/decisions/0018-who-gets-what.md, decision 0029; FORMAT.md section 5.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from pbem.chain.signed_state import head_of
from pbem.chain.state_record import DEAL, config_of
from pbem.crypto.encoding import b64
from pbem.disk.folder import Mark
from pbem.errors import BadInput, Missing
from pbem.formats import state_file
from pbem.formats.desk_rows import are_numbers, read_rows, write_rows
from pbem.report.frequency import Known, due, says_more
from pbem.report.report import Chapter, Reader
from pbem.services.session.history import at, older
from pbem.services.session.session import Session, values_kept

MAILED = "mailed"  #: file of a desk
NONE = "-"


class Mailed(NamedTuple):
    """The newest report that was emailed to a seat: a line of the file."""

    seat: str
    first: int  #: it tells of the states from this one ..
    n: int  #: .. to this one
    head: str  #: the beginning of the head of that state
    receipts: int  #: how many emails its player had been answered then
    alone: bool  #: it says what no later report can say
    id: str  #: its Message-ID, when it went out first
    follows: str  #: that of the report before it; "-" for none


class Plan(NamedTuple):
    """What becomes of the report of the newest state for one reader."""

    mailed: bool
    first: int  #: the first state that it tells
    before: tuple[Chapter, ...]  #: the older states that it tells, oldest first
    turn: int  #: in which the newest state was made
    row: Mailed | None  #: of the one before it; or its own, where it was emailed already


def file_name(n: int, name: str) -> str:
    """What the email with a report is called, in the outbox and elsewhere."""
    return f"{n:04d}-{name}"


def head_in_short(session: Session) -> str:
    """What tells the newest state from another of its number, once the game went on from older."""
    return b64(head_of(session.newest.raw))[:8]


def rows(session: Session) -> dict[str, Mailed]:
    """By seat; without those of a state that was given up."""
    good = [
        Mailed(row[0], int(row[1]), int(row[2]), row[3], int(row[4]), row[5] == "1", row[6], row[7])
        for row in read_rows(session.folder.desk_file(MAILED), len(Mailed._fields))
        if are_numbers((row[1], row[2], row[4], row[5]))
    ]
    n, head = session.link.n, head_in_short(session)
    return {row.seat: row for row in good if row.n < n or (row.n, row.head) == (n, head)}


def with_rows(session: Session, fresh: Sequence[Mailed]) -> dict[str, bytes]:
    """The file, by its name, with these in place of those of their seats."""
    if not fresh:
        return {}
    every = {**rows(session), **{row.seat: row for row in fresh}}.values()
    return {MAILED: write_rows((*row[:5], int(row.alone), *row[6:]) for row in every)}


def last_id(session: Session, seat: str) -> str:
    """The Message-ID of the newest report that was emailed to a seat; "" if none is known of."""
    row = rows(session).get(seat)
    return row.id if row else ""


def last_report(session: Session, seat: str) -> str:
    """Its text, or that of the newest report."""
    row = rows(session).get(seat)
    n = row.n if row else session.link.n
    return (session.folder.report(n, f"{seat}.txt") or b"").decode()


def plans(session: Session, readers: Sequence[Reader], anyway: bool) -> dict[str, Plan]:
    """What becomes of the reports of these readers; ``anyway``: they are emailed, due or not. One
    that is not emailed tells the newest state alone, as that of spectators does.
    """
    n, every, found = session.link.n, rows(session), dict[str, Plan]()
    for reader in readers:
        row = every.get(reader.name)
        goes = anyway or not session.link.dealt or (row is not None and row.n == n)
        if reader.seat and (goes or _is_due(session, reader, row)):
            found[reader.name] = Plan(True, _first(session, reader, row), (), 0, row)
        else:
            found[reader.name] = Plan(False, n, (), 0, row)
    told, turn = _chapters(session, min(plan.first for plan in found.values()))
    here = told[0].position.record.n if told else n
    for name, plan in found.items():
        first = max(plan.first, here)
        if plan.first < here and plan.row and plan.first <= plan.row.n < n:
            first = max(plan.row.n + 1, here)  # what waits says more than can be said again
        before = tuple(one for one in told if one.position.record.n >= first)
        found[name] = plan._replace(first=first, before=before, turn=turn)
    return found


def _first(session: Session, reader: Reader, row: Mailed | None) -> int:
    """From which state on a report tells, if all states are here."""
    n = session.link.n
    if row is None or not session.link.dealt:
        return n
    if row.n == n:
        return row.first
    told_again = is_refused(session, row) or _needless(session, reader, row)
    first = row.first if told_again else row.n + 1
    return max(first, session.link.player(row.seat).since, DEAL)


def is_refused(session: Session, row: Mailed) -> bool:
    """Whether the email of a row was refused, and has not gone out since."""
    return session.folder.message(Mark.FAILED, file_name(row.n, row.seat)) is not None


def _needless(session: Session, reader: Reader, row: Mailed) -> bool:
    """Whether the email of a row waits, and a newer one can say all that it says."""
    if row.alone or reader.hand.receipts != row.receipts:
        return False
    return session.folder.message(Mark.WAITING, file_name(row.n, row.seat)) is not None


def _is_due(session: Session, reader: Reader, row: Mailed | None) -> bool:
    known = None
    if row is not None and (data := session.folder.report(row.n, f"{row.seat}.view.toml")):
        try:
            document, game = state_file.parse(data), session.game
            view = game.decode_view(config_of(session.link), document["view"])
            known = Known(document["code"], view)
        except (BadInput, LookupError):  # it was changed: as if it were not there
            known = None
    return due(session.position, reader, known)


def _chapters(session: Session, first: int) -> tuple[list[Chapter], int]:
    """The older states from ``first`` on, oldest first, but those behind one that is lost; and the
    turn in which the newest was made.
    """
    if first == session.link.n:
        return [], 0
    records = {session.link.n: session.link}
    with suppress(Missing):
        for n in range(session.link.n - 1, max(first - 1, DEAL) - 1, -1):
            records[n] = older(session, n)
    game, turns, told = session.game, dict[int, int](), list[Chapter]()
    for n, record in sorted(records.items()):
        # that of the state before it: the game is in the turn that comes next
        turns[n + 1] = game.turn(game.watch(config_of(record), record.position))
        if first <= n < session.link.n:
            had = values_kept(session.folder, n) or {}
            opened = at(session, record), session.seals_of(record)
            told.append(Chapter(*opened, had, turns.get(n, 0)))
    return told, turns.get(session.link.n, 0)


def row_of(session: Session, reader: Reader, plan: Plan, message_id: str, renew: bool) -> Mailed:
    """The row of a report that goes out: the one it has; ``renew``: not its Message-ID."""
    row, n = plan.row, session.link.n
    if row is not None and row.n == n and not renew:
        return row
    alone = not session.link.dealt or says_more(session.position, reader)
    follows = NONE if row is None else row.follows if plan.first <= row.n else row.id
    head, receipts = head_in_short(session), reader.hand.receipts
    return Mailed(reader.name, plan.first, n, head, receipts, alone, message_id, follows)


def take_out(session: Session, before: Sequence[Mailed] = ()) -> None:
    """Takes what waits and is told by a newer report out of the outbox: that is complete. Of the
    rows ``before`` also what was refused, unless no later report can say it.
    """
    every = rows(session)
    for row in every.values():
        for n in range(row.first, row.n) if row.n == session.link.n else ():
            session.folder.take_out(file_name(n, row.seat))
    for row in before:
        if not row.alone and every[row.seat].first <= row.n < session.link.n:
            session.folder.take_out(file_name(row.n, row.seat), Mark.FAILED)
