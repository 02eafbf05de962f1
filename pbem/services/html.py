"""The HTML face of an email: a report drawn anew, or a text in the same frame; with links.

What must never be here: what an email says (its text says it too), headers, files.
Law: made of what its text is made of, and of the referee's address (P2).
Source: docs/decisions/0022-faces.md.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.chain.sources import REPLY
from pbem.notation.asks import VOTES
from pbem.play.half_action import find_unfinished_turn
from pbem.play.pending_orders import PendingOrders
from pbem.report.game_rows import question_row
from pbem.report.mailto import answer_link_ends
from pbem.report.render import render
from pbem.services.session.session import Session


def _word_choices(*words: str) -> tuple[Mapping[str, Any], ...]:
    """Fixed answers, as the choices of a question."""
    return tuple({"order": word, "plain": [], "groups": []} for word in words)


#: what an email offers: one of two words, the newest report again
YES_OR_NO, RESEND = _word_choices(*VOTES), _word_choices("resend")


def render_report_html(session: Session, values: dict[str, Any]) -> str:
    """A report's HTML, from the values that its text is rendered from."""
    reply_link = _reply_link(session, values["seat"], values["code"])
    return render("report.html", *session.templates, **values, link=reply_link)


def render_mail_html(
    session: Session, seat: str, text: str, subject: str, code: str, choices: Sequence[Mapping[str, Any]] = ()
) -> str:
    """The HTML of an email that is its text alone, with links for the choices that are offered."""
    values: dict[str, Any] = {"text": text, "title": subject, "code": code, "offered": list(choices)}
    auth_method = session.record.player(seat).method_name if seat else ""
    values |= {"way": auth_method, "link": _reply_link(session, seat, code)}
    return render("mail.html", *session.templates, **values)


def half_action_question(session: Session, seat: str, pending: PendingOrders) -> dict[str, Any]:
    """What half an action that waits is to be gone on with: a question, or {} where it is whole.

    {} also where an email of its player could not go on with it; no ``kind`` where it is not known.
    """
    auth_method = session.record.player(seat).method
    if not session.record.is_dealt or not (auth_method.code or auth_method.password):
        return {}
    game = session.game
    if any(order.signature for group in pending.parts for order in group.orders):
        return {}
    half_action = find_unfinished_turn(game, game.view(session.position.state, seat), pending)
    open_question = game.ask(half_action.view) if half_action else None
    if half_action is None or open_question is None:
        return {}
    # after a draw its words are of the question before it, and too many orders are asked for
    return {**question_row(open_question, []), "kind": open_question.kind if half_action.is_certain else ""}


def _reply_link(session: Session, seat: str, code: str) -> dict[str, str]:
    """How an order of this seat becomes a link."""
    if not seat:  # of spectators nothing is asked
        return answer_link_ends("", "", "", REPLY)
    record, address = session.record, session.players.referee.address
    return answer_link_ends(address, session.label, code, record.player(seat).method, record.is_dealt)
