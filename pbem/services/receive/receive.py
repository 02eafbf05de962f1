"""Taking a message: read, whose it is, and under the lock: gate, known, judge, keep, receipt.

What lives here: the one way of every message, whatever the phase of its game; the phase (before the
deal, play, over, a message that cannot be read) chooses only how it is judged; keeping it. What
must never be here: how it is judged (before_deal.py, play.py, unreadable.py), printing.
Laws: received and durable comes before the receipt (P8); the same message again changes nothing;
what is not shown to be the player's has no effect, and gets one fixed answer (P6); a message with a
good code never gets silence, but where the same words changed nothing before; of one that cannot be
read nothing is kept but its headers (P11).
Source: docs/DESIGN.md "Email"; docs/SPECIFICATION.md section 9.
"""

from collections.abc import Callable
from typing import NamedTuple

from pbem.catalog import fault, traceback_wanted
from pbem.chain.sources import REPLIED, SIGNED, WITH_PASSWORD
from pbem.crypto.encoding import digest
from pbem.disk.whole import read_beginning, read_input
from pbem.errors import BadInput, PbemError, Refused
from pbem.mail.parsed import MAIL_LIMIT
from pbem.report.message_ids import ours
from pbem.services.amend.consent import keep_answer
from pbem.services.lock import writing
from pbem.services.receipts import send_again, write_receipt
from pbem.services.receive import before_deal, play
from pbem.services.receive.absences import note_away
from pbem.services.receive.authentication import Known, fixed_answer, refuse_typed
from pbem.services.receive.bounces import heard_from, note_bounce, note_elsewhere, tell_opponent
from pbem.services.receive.find_game import Games, Owned
from pbem.services.receive.message import Incoming, read_message
from pbem.services.receive.result import KEYS, Received, of_nobody
from pbem.services.receive.submission import (
    COPIED,
    REPEATED,
    Case,
    Judged,
    came_before,
    is_same,
    kept_letter,
    kept_of,
    mail_name,
    under_lock,
)
from pbem.services.receive.unreadable import advise, case_of, judge_unread, known_unread, unread
from pbem.services.session.newest import seat_of
from pbem.services.session.session import Session

UNKNOWN = Refused(
    "mail/unknown",
    "it has no code of a game",
    "give the whole email with its subject; a code looks like [pbem K7Q2-9F3A]. If you typed it "
    "for a player, use --typed SEAT",
)
ELSEWHERE = Refused(
    UNKNOWN.code,
    "its code is of no game here",
    "name the folder of that game, or compare the code with that of the report",
)
ASKED_NOTHING = Refused(
    UNKNOWN.code,
    "it answers an email that asks for nothing, such as the last one of a game",
    "read it yourself; nothing in it is for pbem",
)
NOT_FOR_US = (ASKED_NOTHING.message, ELSEWHERE.message)
OWN = BadInput(
    "mail/own",
    "pbem or the referee wrote this email, not a player",
    "nothing to do; to enter a player's orders, use --typed SEAT",
)
UNFINISHED = "receive/unfinished"  #: the orders are durably kept, what comes after is not yet
TOO_LARGE = "an email may have at most 1 MiB; send the orders alone, without pictures"


class Phase(NamedTuple):
    """How messages are judged: how each is shown to be the player's, and what it is worth."""

    known: Callable[[Case], Known]
    judge: Callable[[Case, Known], Judged]


BEFORE_DEAL = Phase(before_deal.known, before_deal.judge)
PLAY = Phase(play.known, play.judge)
OVER = Phase(lambda _: Known("anybody"), play.judge_late)  # all may know how it ended
UNREADABLE = Phase(known_unread, judge_unread)


def take_file(
    games: Games,
    name: str,
    secret: bool = False,
    typed: str = "",
    arrival: str = "",
    given: bytes | None = None,
    strict: bool = False,
) -> Received:
    """One file, from the drive to its receipt; raises nothing (but under PBEM_TRACEBACK=1).

    ``games``: all that it may be for; the one that it is for is replaced by what it has become.
    ``secret``: hidden orders stand in the verdict. ``typed``: the seat the referee typed it for.
    ``arrival``: when it came, where a server tells. ``given``: its bytes, where they were read.
    ``strict``: a code counts from its player's own address alone.
    """
    data = b""
    try:
        try:
            data = read_input(name, MAIL_LIMIT) if given is None else given
            message = read_message(data)._replace(arrival=arrival, strict=strict)
            received = take(games, name, message, secret, typed)
        except PbemError as error:
            received = _failed(Games(()) if typed else games, name, data, error, strict)
        try:
            if arrival and not typed and received.facts.get("why") not in NOT_FOR_US:
                advise(games, data, received)
        except PbemError as error:  # it comes again
            received = of_nobody(name, "unfinished", error)
        return received
    except Exception as error:
        if traceback_wanted():
            raise
        again = "keep the file, run `PBEM_TRACEBACK=1 pbem receive` with it alone"
        return of_nobody(name, "unreadable", fault(error, again))


def take(
    games: Games, name: str, message: Incoming, secret: bool = False, typed: str = ""
) -> Received:
    """One message that could be read."""
    message = games.coded(message)
    found = games.owner(message)
    if typed:
        found = _typed_for(games, found, typed)
        # the same words typed once more in another state are not the same message: it has no code
        typed_in = f"{found.session.link.n} {message.digest}".encode()
        message = message._replace(digest=digest(typed_in).hex())
    if found is None:
        why = ASKED_NOTHING if games.answers_ours(message) else UNKNOWN
        return of_nobody(name, "unknown", ELSEWHERE if message.codes else why)
    if not typed and _is_referees(found, message):
        raise OWN
    case = Case(found.session, found.seat, message, typed=bool(typed), secret=secret)
    return _under_lock(games, name, case)


def _failed(games: Games, name: str, data: bytes, error: PbemError, strict: bool) -> Received:
    """A message that was not read, or not taken; its player is told, where its subject says who."""
    try:
        if error.code == "mail/automatic" and (came := note_bounce(games.all, data)):
            return _of_bounce(name, *came)
        if error.code == "file/too-large":
            error = type(error)(error.code, error.message, TOO_LARGE)
            data = read_beginning(name)
        case = case_of(games, data, error)
        if case is not None:
            case = case._replace(message=case.message._replace(strict=strict))
            return _under_lock(games, name, case)
    except PbemError as other:
        error = other
    return of_nobody(name, "unfinished" if error.code == UNFINISHED else "unreadable", error)


def _of_bounce(file: str, session: Session, seat: str, status: str) -> Received:
    """What a server says: the email to a player came back."""
    record, why = session.link, f"email to them comes back{f' ({status})' * bool(status)}"
    facts = {"dir": str(session.folder.root), "game": record.game, "seat": seat, "why": why}
    who = f"{session.label}, {record.player(seat).shown}"
    return Received(file, "bounced", f"{why}; ask for another address", 0, facts, who=who)


def _typed_for(games: Games, found: Owned | None, given: str) -> Owned:
    """The game of what the referee typed: among several, the one whose code the words carry."""
    if found is None and len(games.all) == 1:
        found = Owned(games.all[0], seat_of(games.all[0].link, given), 0)
    if found is None:
        why = f"it carries no code, and there are {len(games.all)} games here"
        way = "give one game's folder, or add the line `[pbem CODE]` of the player's report"
        raise BadInput("typed/games", why, way)
    record, seat = found.session.link, seat_of(found.session.link, given)
    if found.seat != seat:
        one, two = record.player(found.seat).shown, record.player(seat).shown
        why = f"it carries the code of {one}, and you typed it for {two}"
        raise BadInput("typed/other-seat", why, "leave --typed out for emails that players sent")
    refuse_typed(found.session, seat)
    return Owned(found.session, seat, 0)


def _under_lock(games: Games, name: str, case: Case) -> Received:
    """The game as it is now; what the message is worth in it, kept and answered."""
    with writing(case.session, closed=not case.typed) as session:
        games.replace(case.session, session)
        case = under_lock(case, session)
        judged = _judged(case)
        receipt = keep(case, judged)
        if judged.receipt is not None and _is_players(case, judged):
            heard_from(session, case.seat)
    facts = {
        "dir": str(session.folder.root),
        "game": session.link.game,
        "seat": case.seat,
        "lines": [line.plain() for line in judged.lines],
        "asks": list(judged.asks),
        "why": judged.why,
        "receipt": receipt,
    }
    if case.error is not None:
        facts |= case.error.document()
    more = judged.more
    if "notes" in KEYS[judged.kind]:
        facts["notes"] = list(session.notes)
        more = (*more, *(f"  note: {note}" for note in session.notes))
        session.notes.clear()
    who = f"{session.label}, {session.link.player(case.seat).shown}"
    return Received(name, judged.kind, judged.said, judged.exit_code, facts, more, who)


def _judged(case: Case) -> Judged:
    """Gate, then whether it is the player's, then what it is worth."""
    phase = PLAY if case.session.link.dealt else BEFORE_DEAL
    if case.late:
        phase = OVER
    elif case.error is not None:
        phase = UNREADABLE
    if came_before(case, final=phase is OVER or (phase is PLAY and case.stale)):
        folder, names = case.session.folder, [mail_name(case, known) for known in (True, False)]
        if not any(map(folder.mail, names)):  # killed before it was kept
            worth = _worth(case, phase, counted=True)
            folder.keep_mail(mail_name(case, worth.proven), kept_of(case, worth))
        return Judged(case.hand, "repeated", REPEATED if is_same(case) else COPIED)
    return _worth(case, phase)


def _worth(case: Case, phase: Phase, counted: bool = False) -> Judged:
    """``counted``: the hand has its marks already."""
    known = phase.known(case)
    judged = phase.judge(case, known) if known.source else fixed_answer(case, known)
    record = case.session.link
    signs = (
        record.dealt and record.player(case.seat).way.key
    )  # others may have a code of such a seat
    sources = (SIGNED.name,) if signs else PROVEN
    judged = judged._replace(proven=known.source in sources and known.fault is None)
    nothing = judged.kind in NOTHING_NEW and not counted
    if nothing and not (judged.again or judged.asks or case.sheet.asks):
        mark = words_mark(case, judged)
        if mark in dict(case.hand.handled):
            return Judged(case.hand, "repeated", ANSWERED)
        judged = judged._replace(marks=(*judged.marks, mark))
    if judged.receipt is not None and known.source in PROVEN:
        answering = judged.receipt._replace(answers=case.message.known_as)
        judged = judged._replace(receipt=answering)
    return unread(case, judged) if phase is UNREADABLE else judged


#: kinds of verdicts that another machine may get without end, for what it writes
NOTHING_NEW = ("answered", "refused", "stale", "ended", "not known")
ANSWERED = "the same words were answered before; nothing changed, and no receipt goes out"


def words_mark(case: Case, judged: Judged) -> str:
    """By what an email that changes nothing is known, so that two machines do not answer each other
    for ever: the state, what waits, and the player's own words; of a list the state alone. Of what
    waits nobody but its player may notice anything.
    """
    message, error = case.message, case.error.code if case.error else ""
    lines = (*message.lines, *message.between, *message.signature)
    words = [line.text.strip() for line in lines] + [str(message.signed)]
    waits = [kept.line for kept in case.hand.lines] if judged.proven else []
    words = ["mass"] if message.headers.mass else [judged.kind, error, *waits, *words]
    return digest("\n".join([str(case.session.link.n), *words]).encode("utf-8", "replace")).hex()


def _is_referees(found: Owned, message: Incoming) -> bool:
    """Whether it is an email of ours that came back, or one that the referee wrote."""
    session, sender = found.session, message.headers.sender
    if ours(message.headers.message_id, session.known_codes):
        return True
    people = session.players
    return bool(sender) and people.referee.has(sender) and not people.seats[found.seat].has(sender)


#: sources of an email that is shown to be the player's: its Message-ID is no stranger's text
PROVEN = (REPLIED.name, SIGNED.name, WITH_PASSWORD.name)


def _is_players(case: Case, judged: Judged) -> bool:
    """Whether the player wrote it, as far as it was shown."""
    return judged.kind != "not known" and not case.typed


def keep(case: Case, judged: Judged) -> str:
    """A vote, the hand, what was understood of the message; then the receipt, whose name comes
    back; "" if there is none. The message is kept when it counts, and not before: a file of it says
    that it came (case.py), so a kill between the two would lose its orders.

    Raises Refused ``receive/unfinished`` where all is kept but the receipt.
    """
    session, message = case.session, case.message
    if judged.again:  # as a mail of its own: nothing else changes
        send_again(session, case.seat, judged.again, message.digest, message.known_as)
        session.with_hand(case.seat, case.hand.knowing(judged.again, message.digest))
    if judged.receipt is None:
        return ""
    file = mail_name(case, judged.proven)
    session.folder.mail(file)  # where it will be kept is no link to elsewhere
    if judged.letter and not message.guarded:
        letter = kept_letter(case, judged.letter)
        session.folder.put_letter(letter.name, letter.encode())
    note_away(session, case.seat, judged.away)
    if judged.votes:
        keep_answer(session, case.seat, judged.votes, judged.signature)
    if _is_players(case, judged):  # before it counts: a command may be killed
        note_elsewhere(case, counts=judged.kind == "kept" or bool(judged.votes))
    elif case.opponent and session.link.player(case.seat).way.code:
        tell_opponent(case)
    number = judged.hand.receipts + 1
    hand = judged.hand.knowing(number, message.digest, *judged.marks)
    hand = hand._replace(receipts=number, receipt=judged.receipt.encode(), taken=session.time)
    session = session.with_hand(case.seat, hand)
    try:
        session.folder.keep_mail(file, kept_of(case, judged))
        return write_receipt(session, case.seat, session.hands[case.seat])
    except PbemError as error:
        hint = "see to that and run the command again: it writes what is missing"
        why = f"the email is kept, but its receipt is not written: {error.message}"
        raise Refused(UNFINISHED, why, hint) from error
