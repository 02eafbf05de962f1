"""A receipt in words: what became of a mail, what was asked for, the orders now, the signed block.

What lives here: ``receipt_text``. What must never be here: judging a mail; writing the receipt.
Law: a function of the seat's own View and lines and of the rules (P2); where the mail was not shown
to be the player's, of the rules alone. Source: docs/DESIGN.md "Email"; FORMAT.md "Signed receipts".
"""

from pbem.moderator.report import receipt_block
from pbem.moderator.report.receipt import judged_lines, receipt_values, replies_to
from pbem.moderator.report.receipt_block import write_receipt_block
from pbem.render import render
from pbem.services.intake.answered import Answer
from pbem.services.intake.asking import headline
from pbem.services.post.reports import rulebook
from pbem.services.session.clock import now
from pbem.services.session.session import Session


def receipt_text(session: Session, seat: str, answer: Answer) -> str:
    """The receipt: subject, time (and whether the report goes out again), text.

    It is kept with the orders so that it cannot be lost.
    """
    taken, stale, time, asking = answer.taken, answer.stale, now(), answer.asking
    code = asking.code if asking and asking.open else session.code(seat)
    player, folders = session.link.player(seat), session.templates
    who = {"kind": session.game.kind, "known": player.known, "seat": seat}

    def told(what: str) -> str:
        return render("help.txt", *folders, what=what, **who).rstrip("\n")

    answers = replies_to(taken.asks, rulebook(session, whole=True), told, taken.accepted)
    name, ruled = player.name, answer.ruled
    before = session.hands[seat]
    values = receipt_values(session.label, seat, name, code, taken, stale, answers, before, ruled)
    values |= {"known": player.known, "proven": answer.proven}
    if asking is not None:
        values["headline"] = headline(values["headline"], answer)
    values["block"] = _block(session, seat, answer, time)
    what = "not kept" if stale or not taken.accepted else "received"
    subject = f"[pbem {code}] {session.label}: {what}"
    resend = " resend" if stale or "resend" in taken.asks else ""
    return f"{subject}\n{time}{resend}\n{render('receipt.txt', *folders, **values)}"


def _block(session: Session, seat: str, answer: Answer, time: str) -> str:

    taken, before = answer.taken, session.hands[seat]
    receipt = receipt_block.Receipt(
        session.link.game,
        seat,
        answer.nr or (taken.hand.nr if taken.changed else 0),
        time,
        session.position.head,
        before.nr if taken.changed and before.lines else 0,
        () if answer.stale else judged_lines(answer.sheet, taken, signed=bool(answer.nr)),
    )
    return write_receipt_block(receipt, session.key.signing, session.key.public)
