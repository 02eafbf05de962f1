"""Is a mail the player's? By his key, his password, his mail's code, or the referee's word.

What lives here: Known and how it is found out; whether signed orders are in time. What must never
be here: whether an order is legal, an answer in words to anybody but the referee.
Laws: how a player is known stands in the state and nowhere else; a seat with a key is played by
nothing else; what a mail that is not shown to be the player's says has no effect (P6).
Source: docs/SPECIFICATION.md section 9; docs/DESIGN.md P6; decision 0005.
"""

import re
from typing import NamedTuple

from pbem.crypto.encoding import b64
from pbem.crypto.hashing import digest
from pbem.crypto.passwords import is_password
from pbem.errors import Refused
from pbem.files import state_file
from pbem.files.orders.reserved import ask_in
from pbem.files.orders.sheet import Sheet
from pbem.files.orders.signed_lines import OrderSignatures, write_signatures
from pbem.moderator.chain.link import read_link
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.turn.hand import Signature
from pbem.moderator.turn.signatures import prove, signed_form
from pbem.services.intake.reading import Sent
from pbem.services.session.session import Session

_PREV = re.compile(rb'\nprev = "([A-Za-z0-9_-]{43})"\n')


class Known(NamedTuple):
    """How a mail was shown to be the player's; ``source`` "" where it was not, and ``why``."""

    source: str
    why: str = ""  #: for the referee alone
    signed: OrderSignatures | None = None
    lines: tuple["Signature", ...] = ()  #: all of them genuine
    fault: str = ""  #: signed by the player, and yet not as he sent it


def known_by(
    session: Session,
    seat: str,
    sent: Sent,
    sheet: Sheet,
    typed: bool = False,
    asked: bool = False,
) -> Known:
    """How the state says this player is known, and whether the mail shows it.

    ``asked``: it answers the mail that asks whether orders may be undone.
    """
    how = session.link.player(seat).known
    # consent to an undo stands in no state: a signature of it could prove nothing to anybody
    alone = {*sheet.asks} <= {"yes", "no"} and not sheet.first and not sheet.later
    if how == "key" and alone and (sheet.asks or (asked and not sent.signed)):
        return Known("reply")
    if how == "key":
        return _by_key(session, seat, sent, sheet)
    if typed:
        return Known("typed")
    if how == "password":
        return by_password(session, seat, sent)
    if how == "typed":
        return Known("", f"the orders of {seat} are typed by you: --typed {seat}")
    return Known("reply")


def asks_rules(sheet: Sheet) -> bool:
    """Whether a mail asks for what stands in the rules and for nothing else: no proof is needed."""
    words = [ask.partition(" ")[0] for ask in sheet.asks]
    other = sheet.first or sheet.later or sheet.suspects
    return bool(words) and {*words} <= {"help", "rules"} and not other


def free_ask(sent: Sent) -> str:
    """The same before the deal: what the first line that says anything asks for, if that is all
    that may be answered without proof; else "". Nothing else of such a mail may count.
    """
    said = next((line.text for line in sent.lines if line.text.strip()), "")
    ask = ask_in(said.strip().lower()) or ""
    return ask if ask.partition(" ")[0] in ("help", "rules") else ""


def refuse_typed(session: Session, seat: str) -> None:
    """Refused ``typed/key``: nobody plays for a player who signs, the referee neither."""
    if session.link.player(seat).known == "key":
        raise Refused(
            "typed/key",
            f"{seat} plays with a key: only orders that its player signed count",
            "he types: pbem orders sign VIEW FILE",
        )


def _by_key(session: Session, seat: str, sent: Sent, sheet: Sheet) -> Known:

    link = session.link
    lines = [line for _, line in signed_form(sheet)]
    key = link.player(seat).key
    proof = prove(sent.signed, link.game, seat, link.setup.rulings, key, lines)
    if not proof.known:
        return Known("", proof.fault)
    signs = tuple(Signature(*one) for one in proof.signs)
    return Known("signed", "", sent.signed[0], signs, proof.fault)


def by_password(session: Session, seat: str, sent: Sent) -> Known:

    kept = session.players.seats[seat].password
    if not kept:
        return Known("", f"no password is kept for {seat}: desk/players.toml is not as it was")
    if not sent.tried:
        return Known("", "no password was found in it")
    if not any(is_password(one, kept) for one in sent.tried):
        return Known("", "its password is not that of the seat")
    return Known("password")


class Quoted(NamedTuple):
    """The state that orders were written for: how long ago, for the seat; or why not in time."""

    age: int = 0  #: questions of the seat answered since
    late: str = ""


NEVER = "they answer a report that is not of this game as it went: take your newest report"
BEFORE = (
    "they were written before something was taken back or changed: take your newest report, "
    "and sign them again"
)


def quoted(session: Session, seat: str, head: str) -> Quoted:
    """Find the state with this head, from the newest back: each hash vouches for the one before."""
    link = session.link
    if head == b64(session.position.head):
        return Quoted(late=BEFORE if link.n < link.player(seat).since else "")
    n, prev = link.n - 1, link.prev
    while n > 1:
        raw = session.folder.state(n)
        if raw is None or b64(head_of(raw)) != prev:
            break  # lost: whatever is older cannot be told
        if prev == head:
            if n < link.player(seat).since:
                return Quoted(late=BEFORE)
            then = read_link(state_file.parse(state_file.split(raw).body))
            return Quoted(session.position.answered(seat) - dict(then.answered).get(seat, 0))
        found = _PREV.search(raw)
        n, prev = n - 1, found[1].decode() if found else ""
    return Quoted(late=NEVER)


def mark_of(signed: OrderSignatures, sheet: Sheet) -> str:
    """What tells these signed orders from any others: the same in another mail are the same."""
    lines = "\n".join(line for _, line in signed_form(sheet))
    return digest(f"{write_signatures(signed)}\n{lines}".encode()).hex()


def replayed(nr: int, seen: int) -> str:
    """Why signed orders with a number that came already are refused."""
    if nr == seen:
        return f"number {nr} came before with other orders: sign them anew, with a new number"
    return f"these are orders number {nr}, and number {seen} came already: an older mail again?"
