"""The HTML face of an email: a report drawn anew, or a text in the same frame; with links.

What must never be here: what an email says (its text says it too), headers, files.
Law: made of what its text is made of, and of the referee's address (P2).
Source: docs/decisions/0022-faces.md.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.chain.sources import REPLY
from pbem.notation.asks import VOTES
from pbem.play.half_action import half_way
from pbem.play.pending_orders import Hand
from pbem.report.game_rows import question
from pbem.report.mailto import tapping
from pbem.report.render import begun, render
from pbem.services.session.session import Session


def _words(*words: str) -> tuple[Mapping[str, Any], ...]:
    """Fixed answers, as the choices of a question."""
    return tuple({"order": word, "plain": [], "groups": []} for word in words)


#: what an email offers: one of two words, the newest report again
YES_OR_NO, RESEND = _words(*VOTES), _words("resend")


def report(session: Session, values: dict[str, Any]) -> Callable[[], str]:
    """A report's HTML, from what its text is made of; begun, not waited for."""
    link = _link(session, values["seat"], values["code"])
    return begun("report.html", *session.templates, **values, link=link)


def framed(
    session: Session,
    seat: str,
    text: str,
    about: str,
    code: str,
    offered: Sequence[Mapping[str, Any]] = (),
) -> str:
    """The HTML of an email that is its text alone, with links for the choices that are offered."""
    values: dict[str, Any] = {"text": text, "title": about, "code": code, "offered": list(offered)}
    way = session.link.player(seat).identified if seat else ""
    values |= {"way": way, "link": _link(session, seat, code)}
    return render("mail.html", *session.templates, **values)


def half(session: Session, seat: str, hand: Hand) -> dict[str, Any]:
    """What half an action that waits is to be gone on with: a question, or {} where it is whole.

    {} also where an email of its player could not go on with it; no ``kind`` where it is not known.
    """
    way = session.link.player(seat).way
    if not session.link.dealt or not (way.code or way.password):
        return {}
    game = session.game
    if any(kept.sig for part in hand.parts for kept in part.rows):
        return {}
    found = half_way(game, game.view(session.position.state, seat), hand)
    asked = game.ask(found.view) if found else None
    if found is None or asked is None:
        return {}
    # after a draw its words are of the question before it, and too many orders are asked for
    return {**question(asked, []), "kind": asked.kind if found.known else ""}


def _link(session: Session, seat: str, code: str) -> dict[str, str]:
    """How an order of this seat becomes a link."""
    if not seat:  # of spectators nothing is asked
        return tapping("", "", "", REPLY)
    record, address = session.link, session.players.referee.address
    return tapping(address, session.label, code, record.player(seat).way, record.dealt)
