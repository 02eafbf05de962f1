"""A message to a game that is over or closed: its player is told so, and how it ended.

What lives here: whether a message comes too late, and its receipt. What must never be here: a
change of the game, or of orders in hand.
Law: what is said is a function of the public record, so it is said before anybody asks whether the
mail is the player's (P2, P6).
Source: docs/DESIGN.md "Email"; P8 (durable comes before the receipt).
"""

from pbem.engine.decision import Outcome
from pbem.moderator.chain.link import CLOSED
from pbem.render import render
from pbem.services.intake.case import Case, Judged
from pbem.services.intake.consent import answers_open
from pbem.services.intake.known import Known
from pbem.services.intake.message import sheet_of
from pbem.services.post.receipts import KeptReceipt
from pbem.services.session.session import Session


def too_late(case: Case) -> bool:
    """Whether a mail comes too late for anything it may want.

    While a game that is over is not closed, `rules …` and its like are still answered, and what
    answers the mail that asks whether orders may be undone counts: the last turn may be undone too.
    """
    session = case.session
    if session.link.phase == CLOSED:
        return True
    if _outcome(session) is None or answers_open(session, case.seat, case.message.codes):
        return False
    sheet = sheet_of(case.message, session.game)
    return not sheet.asks or bool(sheet.first or sheet.later or sheet.suspects)


def known(case: Case) -> Known:  # noqa: ARG001  (all may know how it ended)
    """Nobody need be known."""
    return Known("anybody")


def judge(case: Case, _: Known) -> Judged:
    """How it ended."""
    how = "closed" if case.session.link.phase == CLOSED else "over"
    said = f"not kept: the game is {how}; its player is told so, and gets the last report again"
    return Judged(case.hand, "ended", said, _receipt(case.session, case.seat), exit_code=1)


def _receipt(session: Session, seat: str) -> KeptReceipt:
    """How it ended; the report goes out again."""
    link, outcome = session.link, _outcome(session)
    closed = link.phase == CLOSED
    values = {
        "label": session.label,
        "player": link.player(seat).name,
        "seat": seat,
        "closed": link.rulings[0].reason if closed else "",
        "result": _result(session, outcome),
        "n": link.n,
        "time": link.time,
    }
    text = render("ended.txt", *session.templates, **values)
    what = "the game is over" if outcome else "the game is closed"
    return KeptReceipt("", f"{session.label}: {what}", session.time, resend=True, text=text)


def _outcome(session: Session) -> Outcome | None:
    game = session.game
    return game.outcome(game.view(session.position.state, None))


def _result(session: Session, outcome: Outcome | None) -> str:
    """Who has won, for all to know."""
    if outcome is None:
        return "It was closed before its end, so nobody has won."
    points = dict(outcome.scores)
    names = [f"{session.position.name(s)} ({s}, {points[s]} points)" for s in outcome.winners]
    return f"{' and '.join(names) or 'Nobody'} won."
