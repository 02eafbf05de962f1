"""Render the HTML of an email, with links that begin an answer.

Not allowed here: what an email says (its text says the same), headers, files.
Laws: the HTML is made only of the values behind the text, and of the referee's address (P2). No text
in a link can end it, or add a header to the email that it begins.
Source: docs/decisions/0022-faces.md; RFC 6068.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.chain.sources import REPLY, IdentificationMethod
from pbem.notation.asks import VOTES
from pbem.play.half_action import find_unfinished_turn, list_orders_for_now, list_safe_choices
from pbem.play.pending_orders import PendingOrders
from pbem.report.game_rows import ChoiceRow, question_row, to_plain
from pbem.report.render import render
from pbem.report.report import Report, template_values
from pbem.services.session.session import Session

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_MAX_LABEL_LETTERS = 24  #: how much of the game's name is in each link


def _word_choices(*words: str) -> tuple[Mapping[str, Any], ...]:
    """Return fixed answers as the choices of a question."""
    return tuple(to_plain(ChoiceRow(word, [], [])) for word in words)


#: choices in an email without a question from the game
YES_OR_NO, RESEND = _word_choices(*VOTES), _word_choices("resend")


#: a style for pages, which are not emails: from 900 px on, board and actions stand side by side
WIDE = (
    "@media (min-width:900px){.wd{max-width:1180px!important}.two{display:flex;align-items:flex-start}"
    ".two>div{flex:1;min-width:0}}\n"
)


def render_report_html(session: Session, report: Report) -> str:
    """Render a report as HTML. Only its reader may see it."""
    reply_link = _reply_link(session, report.recipient.seat, report.recipient.code)
    return render("report.html", *session.templates, **template_values(report), link=reply_link)


def render_mail_html(
    session: Session, seat: str, text: str, subject: str, code: str, choices: Sequence[Mapping[str, Any]] = ()
) -> str:
    """Render the HTML of an email that is only text, with links for the ``choices``."""
    values: dict[str, Any] = {"text": text, "title": subject, "code": code, "offered": list(choices)}
    auth_method = session.record.player(seat).method_name if seat else ""
    values |= {"way": auth_method, "link": _reply_link(session, seat, code)}
    return render("mail.html", *session.templates, **values)


def half_action_question(session: Session, seat: str, pending: PendingOrders) -> dict[str, Any]:
    """Return the question that completes the pending orders of a turn; {} if nothing is missing.

    Returns {} too if the player cannot answer by a link. ``kind`` is "" if chance decides what the
    question will be. ``choices`` are the orders that are legal whatever the player does not know.
    """
    auth_method = session.record.player(seat).method
    if not session.record.is_dealt or not (auth_method.code or auth_method.password):
        return {}
    game = session.game
    if any(order.signature for group in pending.groups for order in group.orders):
        return {}
    half_action = find_unfinished_turn(game, game.view(session.position.state, seat), pending)
    question = game.ask(half_action.view) if half_action else None
    if half_action is None or question is None:
        return {}
    choices = list_safe_choices(game, seat, half_action)
    # after a draw, the kind known here is that of the question before the draw, which asks for too many orders
    kind = question.kind if half_action.is_certain else ""
    return {**to_plain(question_row(question._replace(choices=choices), [])), "kind": kind}


def open_question(session: Session, seat: str, pending: PendingOrders) -> dict[str, Any]:
    """Return the question of a seat that has no orders for now; {} if there is none, or no link may answer it."""
    auth_method, game = session.record.player(seat).method, session.game
    if not session.record.is_dealt or not (auth_method.code or auth_method.password):
        return {}
    view = game.view(session.position.state, seat)
    question = None if list_orders_for_now(game, view, pending) else game.ask(view)
    return to_plain(question_row(question, [])) if question else {}


def _reply_link(session: Session, seat: str, code: str) -> dict[str, str]:
    """Return the ends of a link with which this seat answers. Spectators ("") have no links."""
    if not seat:
        return answer_link_ends("", "", "", REPLY)
    record, address = session.record, session.players.referee.address
    return answer_link_ends(address, session.label, code, record.player(seat).method, record.is_dealt)


def answer_link_ends(
    address: str, label: str, code: str, methods: IdentificationMethod, is_dealt: bool = True
) -> dict[str, str]:
    """Return what precedes an order in a ``mailto:`` link (``begins``) and what follows it (``ends``).

    ``address`` is the referee's. Both are "" if an answer by link would not count, or none is expected.
    Before the deal the referee types no player's answer, so links work for every method except a key.
    """
    needs_only_code_now = not methods.key and not is_dealt
    can_answer_by_link = methods.code or methods.password or needs_only_code_now
    if not (address and code and can_answer_by_link):
        return {"begins": "", "ends": ""}
    user, _, host = address.rpartition("@")
    subject = _percent_encode(f"{label[:_MAX_LABEL_LETTERS]} [pbem {code}]")
    begins = f"mailto:{_percent_encode(user)}@{_percent_encode(host)}?subject={subject}&body="
    return {"begins": begins, "ends": _percent_encode("\r\npassword ") if methods.password else ""}


def _percent_encode(text: str) -> str:
    return "".join(chr(b) if b in _UNRESERVED else f"%{b:02X}" for b in text.encode("utf-8", "replace"))
