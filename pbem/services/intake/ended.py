"""A mail to a game that is over or closed: its player is told so, and how it ended.

What lives here: the receipt of such a mail. What must never be here: a change of the game, or of
orders in hand.
Laws: a mail that carries a good code never gets silence; what is said is a function of the public
record, so it is said before anybody asks whether the mail is the player's (P2, P6).
Source: docs/DESIGN.md "Email"; P8 (durable comes before the receipt).
"""

from pbem.engine.decision import Outcome
from pbem.moderator.chain.link import CLOSED
from pbem.render import render
from pbem.services.intake.answered import Answered, again, who
from pbem.services.intake.asking import answers_open
from pbem.services.intake.judging import put
from pbem.services.intake.reading import Sent, sheet_of
from pbem.services.intake.taking import came_before, forgotten, guarded
from pbem.services.session.session import Session


def ended(session: Session, seat: str, sent: Sent) -> bool:
    """Whether a mail comes too late for anything it may want.

    While a game that is over is not closed, `rules …` and its like are still answered, and what
    answers the mail that asks whether orders may be undone counts: the last turn may be undone too.
    """
    if session.link.phase == CLOSED:
        return True
    if _outcome(session) is None or answers_open(session, seat, sent):
        return False
    sheet = sheet_of(sent, session.game)
    return not sheet.asks or bool(sheet.first or sheet.later or sheet.suspects)


def answer_ended(session: Session, seat: str, name: str, data: bytes, sent: Sent) -> Answered:
    """Under the lock: keep the mail, write the receipt; then what the referee reads."""
    hand, sent = session.hands[seat], guarded(session, seat, sent)
    if came_before(hand, sent) or forgotten(session, seat, sent):
        return again(session, seat, name)
    number = put(session, seat, data, sent, hand, _receipt(session, seat))
    how = "closed" if session.link.phase == CLOSED else "over"
    said = f"not kept: the game is {how}; its player is told so, and gets the last report again"
    found = {
        "file": name,
        "verdict": "ended",
        "dir": str(session.folder.root),
        "game": session.link.game,
        "seat": seat,
        "lines": [],
        "asks": [],
        "receipt": number,
        "notes": list(session.notes),
    }
    lines = [f"{name}: {who(session, seat)}: {said}"]
    lines += [f"  note: {note}" for note in session.notes]
    session.notes.clear()
    return found, "\n".join(lines), 1


def _receipt(session: Session, seat: str) -> str:
    """Subject, time (and that the report goes out again), text: kept with the hand."""
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
    return f"{session.label}: {what}\n{session.time} resend\n{text}"


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
