"""What the time makes necessary in a game: reminders, missed turns, rulings for failures of ours.

What lives here: carrying out what play/deadlines/due.py finds. What must never be here: when
something is due; a clock of the day.
Laws: each act is done once, whoever runs when: a reminder is noted before its email, a missed turn
and a ruling are states. Email that waits for its regret is played before any turn is missed.
Source: docs/CLOCK.md.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.chain.clock import WAIT, seconds, written
from pbem.chain.clock_words import in_prose
from pbem.chain.rulings.clock import EXTEND
from pbem.chain.state_record import DEAL
from pbem.disk.folder import CONSENT, Mark
from pbem.engine.row import all_of, say
from pbem.errors import OurFault
from pbem.formats.desk_rows import are_numbers, read_rows, write_rows
from pbem.play.deadlines.due import (
    AWAY,
    NEVER,
    REFUSED,
    SILENT,
    UNSENT,
    Act,
    Desk,
    Extend,
    Miss,
    Remind,
    Silence,
    due,
)
from pbem.play.pending_orders import NOW, hand_lines
from pbem.report.game_rows import question
from pbem.report.render import render
from pbem.services import sentences
from pbem.services.amend.clock import longest, plan_extension
from pbem.services.amend.ruling import carry_out
from pbem.services.html import RESEND
from pbem.services.lock import writing
from pbem.services.outbox import send_of, to_seat
from pbem.services.recipients import file_name, is_refused, rows
from pbem.services.resolve.resolve import resolve_ripe
from pbem.services.resolve.result import Resolved
from pbem.services.session.history import older
from pbem.services.session.session import Session
from pbem.services.session.timing import away, zone_for
from pbem.services.session.worklist import asked_since

REMINDED = "reminded"  #: file of a desk: a line ``SEAT DUE HOURS`` for each seat that was reminded
#: the reasons of the rulings that pbem makes by itself
MOVED = {SILENT: sentences.SILENT, UNSENT: sentences.UNSENT, AWAY: sentences.AWAY}
MOVED |= {REFUSED: sentences.REFUSED}
HELD = (
    "the turn of {} is over, but the email that asks has not gone out: send it, or file it with "
    "`pbem sent` if you sent it by hand"
)
MOST_ACTS = 100  #: in one run: more than any game has seats
NOT_OUT = (Mark.WAITING, Mark.SENDING)


class Listened(NamedTuple):
    """What is known of the time before now."""

    silence: Silence | None = None
    heard: bool = True  #: whether all email was fetched
    #: a game, a seat and the Message-ID of its newest report: when that went out; "" if unknown
    sent: Callable[[Session, str, str], str] = lambda *_: ""


def keep_time(
    session: Session, minutes: int, listened: Listened, dry_run: bool
) -> tuple[Resolved, int]:
    """Play what may be played, then do what is due; and when there is something to do again, in
    seconds since 1970. ``minutes``: for which orders may be replaced.
    """
    came, following = resolve_ripe(session, minutes, dry_run), NEVER
    said, orders, acted = [came.said] if came.orders else [], [*came.orders], False
    stuck = set[Act]()  # what cannot be done now holds up nobody else
    waits = False  # an order that may still be replaced
    for _ in range(MOST_ACTS):
        session = came.session
        acts, following = _due(session, listened, stuck)
        acted = acted or bool(acts)
        if dry_run:
            said += [_would(session, act) for act in acts]
        if dry_run or not acts:
            break
        with writing(session) as session:
            acts, following = _due(session, listened, stuck)  # another command may have been faster
            if not acts:
                came = _told(session)
                break
            came, what = _act(session, acts[0], minutes)
        said += [what] if what else []
        orders += came.orders
        if isinstance(acts[0], Extend):  # a silence is made good once
            listened = listened._replace(silence=None)
        if not what:
            stuck.add(acts[0])
            waits = waits or isinstance(acts[0], Miss)
    following = min(following, seconds(session.time)) if waits else following
    told = "; ".join(said) or came.said
    return came._replace(said=told, orders=tuple(orders), acted=acted and bool(said)), following


def _due(
    session: Session, listened: Listened, stuck: Collection[Act]
) -> tuple[tuple[Act, ...], int]:
    """What ``due`` finds, but for what cannot be done."""
    if not session.link.clock.on or not session.link.dealt or session.folder.desk_file(CONSENT):
        return (), NEVER
    seats = {row.seat for row in session.link.clock.seats if row.due}
    since = asked_since(session.folder, session.link, seats) if seats else {}
    reminded, emailed = _reminded(session), rows(session)
    found, gone = dict[str, Desk](), away(session)
    clock, now = session.link.clock, seconds(session.time)
    for seat in seats:
        row, sent, unsent, refused = emailed.get(seat), "", False, False
        if row is not None:
            name = file_name(row.n, seat)
            unsent = any(session.folder.message(mark, name) is not None for mark in NOT_OUT)
            refused = is_refused(session, row) and not _stopped(session, seat)
            sent = listened.sent(session, seat, row.id)
        of_due = session.link.clock.of(seat).due
        hours = reminded.get((seat, of_due), 0)
        went, days = seconds(sent) if sent else 0, gone.get(seat, ())
        found[seat] = Desk(seconds(since[seat]), hours, unsent, went, days, refused)
        if unsent and clock.missed != WAIT and now >= clock.missed_at(seat):
            _note(session, HELD.format(session.link.player(seat).shown))
    acts, following = due(session.link, found, now, listened.silence, listened.heard)
    return tuple(act for act in acts if act not in stuck), following


def _about(session: Session, seats: Sequence[str], text: str) -> str:
    """A sentence about the players at these seats, for all."""
    return str(say(text, players=all_of([session.link.player(seat).shown for seat in seats])))


def _stopped(session: Session, seat: str) -> bool:
    """Whether the clock of this question was stopped already, since emails are refused."""
    reason, record = _about(session, [seat], MOVED[REFUSED]), session.link
    now = dict(record.answered)
    while dict(record.answered)[seat] == now[seat]:
        if any((it.name, it.reason) == (EXTEND.name, reason) for it in record.rulings):
            return True
        if record.n == DEAL or not session.folder.has_state(record.n - 1):
            return record.n != DEAL  # it is lost: nobody can tell, and it does not stop twice
        record = older(session, record.n - 1)
    return False


def _act(session: Session, act: Act, minutes: int) -> tuple[Resolved, str]:
    """Under the lock: what became of it, and what is said."""
    if isinstance(act, Remind):
        return _remind(session, act)
    if isinstance(act, Extend):
        return _extend(session, act)
    # what waits for its regret goes before
    came = resolve_ripe(session, minutes, dry_run=False, missed=frozenset({act.seat}))
    return came, came.said if came.orders else ""


def _note(session: Session, text: str) -> None:
    """What the referee should know, once."""
    if text not in session.notes:
        session.notes.append(text)


def _would(session: Session, act: Act) -> str:
    """What would be done, for the referee."""
    if isinstance(act, Extend):
        who = " and ".join(session.link.player(seat).shown for seat in act.seats)
        return f"would give {who} {act.hours} hours more"
    who = session.link.player(act.seat).shown
    if isinstance(act, Remind):
        return f"would remind {who}"
    return f"would play the missed turn of {who}"


def _told(session: Session) -> Resolved:
    return Resolved(session, False, "")


def _remind(session: Session, act: Remind) -> tuple[Resolved, str]:
    """Note it, then write it: who is not reminded once is not hurt, who is reminded twice is."""
    row, code = session.link.clock.of(act.seat), session.code(act.seat)
    noted = {**_reminded(session), (act.seat, row.due): act.hours}
    dues = {(one.seat, one.due) for one in session.link.clock.seats}
    left = ((*whose, hours) for whose, hours in noted.items() if whose in dues)
    session.folder.put_desk_file(REMINDED, write_rows(left))
    report, due = rows(session).get(act.seat), _by_their_clocks(session, act.seat, row.due)
    asked = _asked(session, act.seat)
    text, about = _reminder(session, act.seat, asked, due), f"{session.label}: reminder, by {due}"
    offered = (*asked["choices"], *RESEND)
    called = f"{session.link.n:04d}.{act.seat}.due.{act.hours}.{seconds(row.due)}"
    hand = session.hands[act.seat]
    if hand.proposal:  # a `yes` to the reminder confirms it too
        session = session.with_hand(act.seat, hand._replace(shown=(*hand.shown, called)))
    message = to_seat(
        session,
        act.seat,
        text,
        about,
        file=f"{session.link.n:04d}-{act.seat}-reminder-{act.hours}",
        called=called,
        code=code,
        follows=report.id if report else "",
        offered=offered,
    )
    send_of(session, message)
    return _told(session), f"{session.link.player(act.seat).shown} is reminded"


def _by_their_clocks(session: Session, seat: str, time: str) -> str:
    return in_prose(time, zone_for(session, seat), session.time)


def _asked(session: Session, seat: str) -> dict[str, Any]:
    """The question of a seat that has a deadline. For that seat."""
    asked = session.game.ask(session.game.view(session.position.state, seat))
    waits = [part for part in session.hands[seat].parts if part.name == NOW]
    if asked is None:
        raise OurFault("clock/asked", f"{seat} has a deadline, and nothing is asked", "")
    return question(asked, hand_lines(waits))


def _reminder(session: Session, seat: str, asked: Mapping[str, Any], due: str) -> str:
    """Its text: what is asked, until when, what happens then, and how to answer. For that seat."""
    record = session.link
    values = {
        "label": session.label,
        "title": session.game.title,
        "kind": session.game.kind,
        "names": {one.seat: one.name for one in record.people},
        "code": session.code(seat),
        "player": record.player(seat).name,
        "seat": seat,
        "way": record.player(seat).identified,
        "question": asked,
        "due": due,
        "missed": record.clock.missed,
        "proposal": list(_proposal(session, seat)),
        "last": _by_their_clocks(session, seat, written(record.clock.missed_at(seat))),
    }
    return render("reminder.txt", *session.templates, **values)


def _proposal(session: Session, seat: str) -> tuple[str, ...]:
    """What was proposed for an email that is held at the seat's question."""
    hand = session.hands[seat]
    return hand.proposal if hand.held == session.position.answered(seat) + 1 else ()


def _reminded(session: Session) -> dict[tuple[str, str], int]:
    """By seat and deadline the last reminder of it, in hours before it."""
    found = read_rows(session.folder.desk_file(REMINDED), 3)
    return {(seat, at): int(hours) for seat, at, hours in found if are_numbers([hours])}


def _extend(session: Session, act: Extend) -> tuple[Resolved, str]:
    """A ruling, as the referee's own ones."""
    asked = {row.seat for row in session.link.clock.seats if row.due}
    reason = _about(session, act.seats, MOVED[act.why])
    whole, before = asked <= {*act.seats}, session.link.n
    for seat in ("",) if whole else act.seats:
        operands = [("seat", seat)] if seat else []
        session = _extended(session, operands, act.hours, reason)
    if session.link.n == before:
        _note(session, _about(session, act.seats, sentences.NO_FARTHER))
        return _told(session), ""
    return _told(session), f"deadlines moved: {reason}"


def _extended(
    session: Session, operands: list[tuple[str, str]], hours: int, reason: str
) -> Session:
    """As far as may be without anybody's consent."""
    hours = min(hours, longest(session))
    if not hours:
        return session
    ruling = EXTEND.ruling(reason, *operands, ("hours", str(hours)))
    session, basis, hands = plan_extension(session, ruling)
    return carry_out(session, basis, hands)
