"""Taking one message under the lock: whose it is, what of it counts, keeping it, the receipt.

What lives here: owner, take. What must never be here: reading files, printing.
Laws: received and durable comes before the receipt (P8); the same mail again changes nothing.
Source: design.md section 6; construction.md "Intake".
"""

from typing import TYPE_CHECKING

from pbem.errors import BadInput, PbemError, Refused

if TYPE_CHECKING:
    from pbem.commands.reading_mail import Sent
    from pbem.commands.session import Session
    from pbem.files.sheet import Sheet
    from pbem.moderator.hand import Hand
    from pbem.moderator.intake import Taken

UNFINISHED = "receive/unfinished"  #: the orders are durably kept, what comes after is not yet


def owner(sessions: list["Session"], sent: "Sent") -> tuple["Session", str, int] | None:
    """Whose codes these are: one seat of one game, else BadInput; None if nobody's.

    The last is how many of the seat's questions were answered since the newest of the codes.
    """
    from pbem.moderator.codes import owner_of

    found: dict[tuple[str, str], tuple[Session, str, int]] = {}
    for session in sessions:
        if not session.codes_secret:
            continue
        for code in sent.codes:
            owner = owner_of(
                code, session.codes_secret, session.link.game, dict(session.link.answered)
            )
            if owner is not None:
                old = found.get((session.link.game, owner.seat))
                age = min(owner.age, old[2]) if old else owner.age
                found[session.link.game, owner.seat] = (session, owner.seat, age)
    if len(found) > 1:
        raise BadInput(
            "mail/two-codes",
            "it carries the codes of two different questions",
            "answer one report at a time, in its own mail",
        )
    return next(iter(found.values()), None)


def take(
    session: "Session", seat: str, data: bytes, sent: "Sent"
) -> "tuple[Taken, Sheet, bool, str] | None":
    """Under the lock: judge, keep, then write the receipt; None for what came before.

    Gives what was taken, what was read, whether it was stale, and the receipt's name.
    """
    from pbem.commands.reading_mail import sheet_of
    from pbem.commands.settling import write_receipt
    from pbem.crypto.encoding import b64
    from pbem.files.sheet import Sheet
    from pbem.moderator import intake

    hand = session.hands[seat]
    if _came_before(hand, sent):
        return None
    _check_claims(session, seat, sent)
    mine = owner([session], sent)  # looked up again: the lock is held only now
    age = mine[2] if mine else len(hand.done) + 1
    stale = age > len(hand.done)  # what was forced leaves an earlier code good
    if (stale or sent.unique) and _forgotten(session, seat, sent):
        return None
    game, view = session.game, session.game.view(session.position.state, seat)
    since = hand.done[-age:] if age and not stale else ()
    asked = intake.Asked(view, bool(game.legal(view)), b64(session.position.head), since)
    sheet = sheet_of(sent, game)
    answers_old = stale and _answers(sheet)
    judged = Sheet() if answers_old else sheet._replace(unread=()) if stale else sheet
    taken = intake.take(game, asked, hand, judged, () if stale else _below(session, seat, sent))
    stale = answers_old
    session.folder.keep_mail(f"{sent.digest[:32]}.eml", sent.storable or data)
    receipt = _receipt(session, seat, taken, stale)
    session.put_hand(seat, intake.handled(taken.hand, sent.digest, receipt))
    try:
        number = write_receipt(session, seat, session.hands[seat])
    except PbemError as error:
        hint = "see to that and run the command again: it writes what is missing"
        raise Refused(
            UNFINISHED, f"the mail is taken, but its receipt is not written: {error.message}", hint
        ) from error
    return taken, sheet, stale, number


def _answers(sheet: "Sheet") -> bool:
    """Whether it answers a question, or may: standing orders and `help` are tied to none."""
    return bool(sheet.suspects) or any(not line.when for line in sheet.first)


def _came_before(hand: "Hand", sent: "Sent") -> bool:
    """Whether these bytes were taken already. A mail is one of its kind; the same words without a
    mail's id may be meant once more, when other orders came in between.
    """
    if sent.unique:
        return sent.digest in dict(hand.handled)
    return bool(hand.handled) and hand.handled[-1][0] == sent.digest


def _forgotten(session: "Session", seat: str, sent: "Sent") -> bool:
    """Whether a mail came so long ago that its receipt is forgotten. Fed again it changes nothing:
    an old `withdraw` must not take new orders back.
    """
    from pbem.moderator.hand import MOST_HANDLED

    full = len(session.hands[seat].handled) >= MOST_HANDLED
    return full and session.folder.mail(f"{sent.digest[:32]}.eml") is not None


def _below(session: "Session", seat: str, sent: "Sent") -> tuple[str, ...]:
    """Orders found only below the cut line; what our report says itself is not meant."""
    from pbem.commands.reading_mail import below_of

    if not sent.below:
        return ()
    report = session.folder.report(session.link.n, f"{seat}.txt") or b""
    return below_of(sent, session.game, report.decode())


def _check_claims(session: "Session", seat: str, sent: "Sent") -> None:
    """What a move file says of itself must be so; its code has been found good."""
    if sent.game is not None and sent.game != session.link.game:
        raise BadInput(
            "move/game",
            "the move file names another game than its code",
            "take both from the same report",
        )
    if sent.seat is not None and sent.seat != seat:
        raise BadInput(
            "move/seat",
            "the move file names another seat than its code",
            "take both from the same report",
        )


def _receipt(session: "Session", seat: str, taken: "Taken", stale: bool) -> str:
    """The receipt: subject, time (and whether the report goes out again), text.

    It is kept with the orders so that it cannot be lost.
    """
    from pbem.commands.clock import now
    from pbem.commands.settling import rulebook
    from pbem.moderator import receipts
    from pbem.render import render

    code = session.code(seat)
    player = session.link.player(seat).name
    kind, folders = session.game.kind, session.templates

    def told(what: str) -> str:
        return render("help.txt", *folders, kind=kind, what=what).rstrip("\n")

    answers = receipts.answers(taken.asks, rulebook(session, whole=True), told)
    values = receipts.values(session.label, seat, player, code, taken, stale, answers)
    what = "not kept" if stale or not taken.accepted else "received"
    subject = f"[pbem {code}] {session.label}: {what}"
    resend = " resend" if stale or "resend" in taken.asks else ""
    return f"{subject}\n{now()}{resend}\n{render('receipt.txt', *folders, **values)}"
