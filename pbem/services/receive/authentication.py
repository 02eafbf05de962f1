"""Whether a message is its player's: by their key, their password, its code, or the referee's word.

What must never be here: what it is worth; whether an order is legal; keeping anything.
Laws: what a player is identified by is in the state and nowhere else; a seat with a key is played
by nothing else; before a message is shown to be the player's the answer is fixed, and what it says
has no effect (P6).
Source: docs/DESIGN.md P6; docs/SPECIFICATION.md section 9; decision 0005.
"""

from typing import NamedTuple

from pbem.chain.sources import BY_REFEREE, REPLIED, SIGNED, WITH_PASSWORD
from pbem.crypto.keys import is_password
from pbem.engine.row import Sentence, say
from pbem.errors import Refused
from pbem.notation.asks import VOTES
from pbem.notation.move_file import OrderSignatures
from pbem.play.consent import vote_of
from pbem.play.pending_orders import Signature
from pbem.play.sentences import UNSIGNED_ANSWER
from pbem.play.signed_orders import prove, signed_form
from pbem.services.amend.consent import about_undo, asked_of, open_consent
from pbem.services.receipts import receipt_for
from pbem.services.receive.submission import Case, Judged
from pbem.services.session.session import Session


class Known(NamedTuple):
    """How a mail was shown to be the player's; ``source`` "" where it was not, and ``why``."""

    source: str
    why: str = ""  #: for the referee alone
    signed: OrderSignatures | None = None
    lines: tuple[Signature, ...] = ()  #: all of them genuine
    fault: Sentence | None = None  #: signed by the player, and yet not as he sent it
    vote: str = ""  #: the signature of a `yes` or `no` to an undo
    opponent: str = ""  #: by its code alone, from the address of this other player
    silent: bool = False  #: it is another person's: today's player is told nothing


def known_by(case: Case) -> Known:
    """What the state says this player is identified by, and whether the email shows it."""
    seat = case.seat
    one = case.session.link.player(seat)
    way = one.way
    if way.key:
        return _by_key(case)
    if case.typed:
        return Known(BY_REFEREE.name)
    if way.password:
        return by_password(case)
    if way.code:
        return by_code(case)
    return Known("", f"you type the orders of {one.shown}: --typed {seat}")


def _by_key(case: Case) -> Known:
    record, sheet, message = case.session.link, case.sheet, case.message
    if case.asking is not None and case.asking.open and (said := vote_of(sheet)):
        return _by_vote(case, said)
    alone = {*sheet.asks} <= {*VOTES} and not sheet.first and not sheet.later
    asked = not message.signed and about_undo(case.asking, sheet)
    if alone and (sheet.asks or asked):
        return Known(REPLIED.name)
    lines = [line for _, line in signed_form(sheet)]
    key = record.player(case.seat).key
    proof = prove(message.signed, record.game, case.seat, record.setup.rulings, key, lines)
    if not proof.known:
        return Known("", str(proof.fault or ""))
    signs = tuple(Signature(*sign, of=len(lines)) for sign in proof.signs)
    return Known(SIGNED.name, "", message.signed[0], signs, proof.fault)


def _by_vote(case: Case, said: str) -> Known:
    """An answer to an open asking: it stands in the state of the ruling, so it must be signed."""
    session, seat, asked = case.session, case.seat, open_consent(case.session)
    for given in case.message.signed:
        if asked is None:
            break
        told = asked_of(session, asked, seat)
        if (given.game, given.seat, given.head) == (told.game, seat, told.head):
            key = session.link.player(seat).key
            for _, sig in given.signs:
                if given.nr == 0 and told.genuine(said, sig, key):
                    return Known(SIGNED.name, vote=sig)
    return Known(REPLIED.name, fault=say(UNSIGNED_ANSWER, seat=seat))


def by_code(case: Case) -> Known:
    """Its code, but from an opponent's address; where an account is strict, from the player's own
    address alone.
    """
    if case.opponent:
        shown = case.session.link.player(case.opponent).shown
        return Known("", f"it came from the address of {shown}", opponent=shown)
    if case.message.strict and case.elsewhere:
        return Known("", f"it came from {case.elsewhere}, and the account takes no such orders")
    return Known(REPLIED.name)


def by_password(case: Case) -> Known:
    """One of its lines `password …` has that of its seat."""
    kept, tried = case.session.players.seats[case.seat].password, case.message.tried
    if not kept:
        return Known("", f"no password is kept for {case.seat}: desk/players.toml is not as it was")
    if not tried:
        return Known("", "no password was found in it")
    if not password_in(case):
        return Known("", "its password is not that of the seat")
    return Known(WITH_PASSWORD.name)


def password_in(case: Case) -> str:
    """The password of its seat as the message gives it; "" if it does not. Secret."""
    kept = case.session.players.seats[case.seat].password
    return next((one for one in case.message.tried if is_password(one, kept)), "")


def refuse_typed(session: Session, seat: str) -> None:
    """Refused ``typed/key``: nobody plays for a player who signs, not even the referee."""
    one = session.link.player(seat)
    if one.way.key:
        why = f"{one.shown} plays with a key: only orders that its player signed count"
        raise Refused("typed/key", why, "they type: pbem orders sign VIEW FILE")


def fixed_answer(case: Case, known: Known) -> Judged:
    """P6: one fixed answer, to the registered address alone; it says nothing of mail or game."""
    session, seat = case.session, case.seat
    why = f"ignored: {known.why}"
    if known.silent:
        return Judged(case.hand, "not known", why, exit_code=1, why=known.why)
    way, dealt = session.link.player(seat).identified, session.link.dealt
    strict = bool(case.message.strict and case.elsewhere)
    values = {"kind": session.game.kind, "way": way, "dealt": dealt, "strict": strict}
    values["opponent"] = known.opponent
    code = session.code(seat)
    receipt = receipt_for(session, seat, code, "your email was ignored", "not_known.txt", values)
    return Judged(case.hand, "not known", why, receipt, exit_code=1, why=known.why)
