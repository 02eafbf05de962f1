"""Is a mail the player's? By his key, his password, his mail's code, or the referee's word.

What lives here: Known and how it is found out. What must never be here: whether an order is legal,
an answer in words to anybody but the referee.
Laws: how a player is known stands in the state and nowhere else; a seat with a key is played by
nothing else; what a mail that is not shown to be the player's says has no effect (P6).
Source: docs/SPECIFICATION.md section 9; docs/DESIGN.md P6; decision 0005.
"""

from typing import NamedTuple

from pbem.crypto.passwords import is_password
from pbem.errors import BadInput, OurFault, Refused
from pbem.files.orders.lines import Sheet, ask_in
from pbem.files.orders.move_file import OrderSignatures
from pbem.moderator.turn.codes import (
    Owner,
    owner_before_deal,
    owner_of,
    owner_of_void_code,
    prove,
    signed_form,
)
from pbem.moderator.turn.hand import Signature
from pbem.services.intake.consent import owner_of_asking
from pbem.services.intake.message import Message
from pbem.services.session.session import Session


class Owned(NamedTuple):
    """A message's game and seat."""

    session: Session
    seat: str
    age: int  #: how many of the seat's questions were answered since the newest of the codes


def owner(games: list[Session], message: Message) -> Owned | None:
    """One seat of one game, else BadInput ``mail/two-codes``; None if nobody's."""
    found: dict[tuple[str, str], Owned] = {}
    for session in games:
        if not session.codes_secret:
            continue
        for code in message.codes:
            named = _owner_of(session, code)
            if named is not None:
                key = session.link.game, named.seat
                age = min(named.age, found[key].age) if key in found else named.age
                found[key] = Owned(session, named.seat, age)
    if len(found) > 1:
        raise BadInput(
            "mail/two-codes",
            "it carries the codes of two different questions",
            "answer one report at a time, in its own mail",
        )
    return next(iter(found.values()), None)


def _owner_of(session: Session, code: str) -> Owner | None:
    """Whose code this is in this game."""
    link, secret = session.link, session.codes_secret
    if not link.dealt:
        return owner_before_deal(code, secret, link.game, link.setup.seats, link.phase)
    answered = dict(link.answered)
    found = owner_of(code, secret, link.game, answered) or owner_of_asking(session, code)
    return found or owner_of_void_code(code, session.former_codes, link.game, answered)


class Known(NamedTuple):
    """How a mail was shown to be the player's; ``source`` "" where it was not, and ``why``."""

    source: str
    why: str = ""  #: for the referee alone
    signed: OrderSignatures | None = None
    lines: tuple["Signature", ...] = ()  #: all of them genuine
    fault: str = ""  #: signed by the player, and yet not as he sent it
    silent: bool = False  #: it is another person's: today's player is told nothing


def known_by(
    session: Session,
    seat: str,
    message: Message,
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
    if how == "key" and alone and (sheet.asks or (asked and not message.signed)):
        return Known("reply")
    if how == "key":
        return _by_key(session, seat, message, sheet)
    if typed:
        return Known("typed")
    if how == "password":
        return by_password(session, seat, message)
    if how == "typed":
        return Known("", f"the orders of {seat} are typed by you: --typed {seat}")
    if how == "reply":
        return Known("reply")
    raise OurFault("known/way", f"nobody can tell who is known by {how}")


def asks_rules(sheet: Sheet) -> bool:
    """Whether a mail asks for what stands in the rules and for nothing else: no proof is needed."""
    words = [ask.partition(" ")[0] for ask in sheet.asks]
    other = sheet.first or sheet.later or sheet.suspects
    return bool(words) and {*words} <= {"help", "rules"} and not other


def free_ask(message: Message) -> str:
    """The same before the deal: what the first line that says anything asks for, if that is all
    that may be answered without proof; else "". Nothing else of such a mail may count.
    """
    said = next((line.text for line in message.lines if line.text.strip()), "")
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


def _by_key(session: Session, seat: str, message: Message, sheet: Sheet) -> Known:
    link = session.link
    lines = [line for _, line in signed_form(sheet)]
    key = link.player(seat).key
    proof = prove(message.signed, link.game, seat, link.setup.rulings, key, lines)
    if not proof.known:
        return Known("", proof.fault)
    signs = tuple(Signature(*one) for one in proof.signs)
    return Known("signed", "", message.signed[0], signs, proof.fault)


def by_password(session: Session, seat: str, message: Message) -> Known:
    kept = session.players.seats[seat].password
    if not kept:
        return Known("", f"no password is kept for {seat}: desk/players.toml is not as it was")
    if not message.tried:
        return Known("", "no password was found in it")
    if not any(is_password(one, kept) for one in message.tried):
        return Known("", "its password is not that of the seat")
    return Known("password")
