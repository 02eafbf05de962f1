"""The HTML of an email: a report drawn again, or a text in the same frame; with links that write an answer.

What must never be here: what an email says (its text says it too), headers, files.
Laws: made of what its text is made of, and of the referee's address (P2). Nothing in a link can
end it, or add a header to the email that it writes.
Source: docs/decisions/0022-faces.md; RFC 6068.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.chain.sources import REPLY, IdentificationMethod
from pbem.notation.asks import VOTES
from pbem.play.half_action import find_unfinished_turn
from pbem.play.pending_orders import PendingOrders
from pbem.report.game_rows import ChoiceRow, question_row, to_plain
from pbem.report.render import render
from pbem.report.report import Report, template_values
from pbem.services.session.session import Session

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_MAX_LABEL_LETTERS = 24  #: of the game's name, because it is in each link


def _word_choices(*words: str) -> tuple[Mapping[str, Any], ...]:
    """Fixed answers, as the choices of a question."""
    return tuple(to_plain(ChoiceRow(word, [], [])) for word in words)


#: choices that an email without a question offers
YES_OR_NO, RESEND = _word_choices(*VOTES), _word_choices("resend")


def render_report_html(session: Session, report: Report) -> str:
    """A report's HTML. For its reader alone."""
    reply_link = _reply_link(session, report.recipient.seat, report.recipient.code)
    return render("report.html", *session.templates, **template_values(report), link=reply_link)


def render_mail_html(
    session: Session, seat: str, text: str, subject: str, code: str, choices: Sequence[Mapping[str, Any]] = ()
) -> str:
    """The HTML of an email that is its text alone, with links for the ``choices``."""
    values: dict[str, Any] = {"text": text, "title": subject, "code": code, "offered": list(choices)}
    auth_method = session.record.player(seat).method_name if seat else ""
    values |= {"way": auth_method, "link": _reply_link(session, seat, code)}
    return render("mail.html", *session.templates, **values)


def half_action_question(session: Session, seat: str, pending: PendingOrders) -> dict[str, Any]:
    """The question that completes a pending half action; {} where nothing is incomplete.

    {} also where an email of the player could not complete it. ``kind`` is "" where the question is
    not known yet.
    """
    auth_method = session.record.player(seat).method
    if not session.record.is_dealt or not (auth_method.code or auth_method.password):
        return {}
    game = session.game
    if any(order.signature for group in pending.groups for order in group.orders):
        return {}
    half_action = find_unfinished_turn(game, game.view(session.position.state, seat), pending)
    open_question = game.ask(half_action.view) if half_action else None
    if half_action is None or open_question is None:
        return {}
    # after a draw the kind would be that of the question before it, which asks for too many orders
    kind = open_question.kind if half_action.is_certain else ""
    return {**to_plain(question_row(open_question, [])), "kind": kind}


def _reply_link(session: Session, seat: str, code: str) -> dict[str, str]:
    """How an order of this seat becomes a link; spectators answer nothing."""
    if not seat:
        return answer_link_ends("", "", "", REPLY)
    record, address = session.record, session.players.referee.address
    return answer_link_ends(address, session.label, code, record.player(seat).method, record.is_dealt)


def answer_link_ends(
    address: str, label: str, code: str, methods: IdentificationMethod, is_dealt: bool = True
) -> dict[str, str]:
    """``begins`` and ``ends``: what is before and behind an order, percent-encoded, in a ``mailto:`` link.

    ``address`` is the referee's. Both are "" where an answer by link would not count, or no answer
    is expected. Before the deal the referee types for nobody, so every method but a key has links.
    """
    can_answer_by_link = methods.code or methods.password or not (methods.key or is_dealt)
    if not (address and code and can_answer_by_link):
        return {"begins": "", "ends": ""}
    user, _, host = address.rpartition("@")
    subject = _percent_encode(f"{label[:_MAX_LABEL_LETTERS]} [pbem {code}]")
    begins = f"mailto:{_percent_encode(user)}@{_percent_encode(host)}?subject={subject}&body="
    return {"begins": begins, "ends": _percent_encode("\r\npassword ") if methods.password else ""}


def _percent_encode(text: str) -> str:
    return "".join(chr(b) if b in _UNRESERVED else f"%{b:02X}" for b in text.encode("utf-8", "replace"))
