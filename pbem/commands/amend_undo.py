"""``pbem amend DIR undo``: the game goes back, if those agree who learned something since."""

from typing import Annotated, Any, NamedTuple

import typer

from pbem.clock import now
from pbem.errors import BadInput, Refused
from pbem.moderator.chain.ruling import reason_of
from pbem.moderator.ruling.amendment import Basis
from pbem.moderator.ruling.consent import Consent
from pbem.moderator.ruling.undo import Undo, learned_by_others
from pbem.result import Result
from pbem.services.post.undone import told_of
from pbem.services.ruling.consent import ask, open_consent, refuse_no, still_waits, withdraw
from pbem.services.ruling.ruling import Directory, DryRun, Reason, answer, carry_out
from pbem.services.ruling.undo import basis_of, hands_after, plan_of
from pbem.services.session.acting import check_acting
from pbem.services.session.newest import not_dealt
from pbem.services.session.older import at, older
from pbem.services.session.session import Session, open_session
from pbem.services.writing import writing


def run(
    directory: Directory,
    to: Annotated[int | None, typer.Option("--to", metavar="K", help="Go back to state K.")] = None,
    orders: Annotated[
        int | None,
        typer.Option("--orders", metavar="N", help="Take back so many orders; else the last one."),
    ] = None,
    reason: Reason = "",
    drop: Annotated[
        bool, typer.Option("--drop", help="Ask the players no longer: nothing is undone.")
    ] = False,
    dry_run: DryRun = False,
) -> Result:
    """Take orders back: a new state with the position of an older one.

    Orders that were played together fall together: where that is more than you named, nothing is
    done, and you are told which they are.

    If other players learned something hidden from these orders, they are asked by mail and must
    all answer `yes`; the same command again, or `pbem resolve`, then carries it out.
    """
    if to is not None and orders is not None:
        raise BadInput(
            "undo/either", "either --to or --orders, not both", "--orders 1 takes back the last"
        )
    session = open_session(directory, now())
    if not session.link.dealt:
        raise not_dealt(session.link)
    if dry_run:
        return _dry(session, to, orders, reason)
    with writing(session) as session:
        return withdraw(session) if drop else _undo(session, to, orders, reason)


def _dry(session: Session, to: int | None, orders: int | None, reason: str) -> Result:

    check_acting(session)
    wanted = plan_of(session, to, orders)
    why, must = reason_of(reason), learned_by_others(wanted)
    if orders is not None or not must:  # it answers as the command itself would
        _refuse_more(session, wanted, to, orders)
    names = ", ".join(f"{session.position.name(seat)} ({seat})" for seat in must)
    also = [*_orders(session, wanted), *([f"  {names} would be asked first"] if must else [])]
    basis = basis_of(session, wanted, why)
    found = answer(session, basis, dry_run=True, also=tuple(also), short=_short(basis))
    return Result({**found.data, "orders": _told(wanted), "asks": list(must)}, found.text)


def _undo(session: Session, to: int | None, orders: int | None, reason: str) -> Result:

    asked = open_consent(session)
    if asked is not None and to is None and orders is None:
        to, reason = asked.to, reason or asked.reason
    wanted = plan_of(session, to, orders)
    why = reason_of(reason)
    must = learned_by_others(wanted)
    if orders is not None or not must:
        _refuse_more(session, wanted, to, orders)
    if must:
        if asked is None or asked.to != wanted.to:
            return _asked(session, wanted, ask(session, wanted, must, why))
        refuse_no(session, asked)
        if not asked.complete:
            return _asked(session, wanted, asked)
        why = asked.reason
    also, basis = tuple(_orders(session, wanted)), basis_of(session, wanted, why)
    session = carry_out(session, basis, hands_after(session, wanted))
    found = answer(session, basis, dry_run=False, also=also, short=_short(basis))
    return Result({**found.data, "orders": _told(wanted), "asks": []}, found.text)


def _more(wanted: Undo, to: int | None, orders: int | None) -> bool:
    """Whether more orders fall than were named: a state is taken back whole, or not at all."""
    return to is None and len(wanted.orders) > (1 if orders is None else orders)


def _refuse_more(session: Session, wanted: Undo, to: int | None, orders: int | None) -> None:
    """Before anything is done: exactly which orders of whom fall, or are to be asked about."""
    if not _more(wanted, to, orders):
        return

    back = told_of(session, wanted, "").back
    number = len(wanted.orders)
    raise Refused(
        "undo/together",
        f"nothing is undone: {number} orders fall together: {'; '.join(back)}",
        f"--orders {number} takes all of them back",
    )


class Decided(NamedTuple):
    """What ``resolve`` does about an undo: goes on or not, its headline, the state it comes to."""

    goes_on: bool
    said: str = ""
    state: Any = None
    waits: tuple[str, ...] = ()  #: the seats whose answer to the undo is missing
    about: str = ""  #: the same in a sentence, or what else is to be done about it


def decided(session: Session, dry_run: bool = False) -> tuple[Session, Decided]:
    """For ``resolve``, under the lock: an undo that all agree to is carried out first.

    It does not go on while an answer is missing: the game waits, and a note says so. With
    ``dry_run`` nothing is carried out, and it does not go on either.
    """
    from pbem.moderator.ruling.consent import NO, about

    asked = open_consent(session)
    if asked is None:
        return session, Decided(True)
    if asked.complete and dry_run:
        said = f"the undo would be done, back to state {asked.to} (nothing was changed)"
        return session, Decided(False, said, at(session, older(session, asked.to)).state)
    if asked.complete:
        wanted = plan_of(session, asked.to, None)
        basis = basis_of(session, wanted, asked.reason)
        session = carry_out(session, basis, hands_after(session, wanted))
        session.notes.append(f"all agreed: the game went back to state {asked.to}")
        return session, Decided(True, f"the undo is done, back to state {asked.to}")
    where, names = session.folder.root, {one.seat: one.name for one in session.link.people}
    said = about(asked, names, str(where))
    if asked.given(NO):
        return session, Decided(False, about=f"{said}; nothing is played before that.")
    session.notes.append(
        "players are asked about an undo, nothing is played before they have answered: "
        f"pbem amend {where} undo says who has; pbem amend {where} undo --drop asks no longer"
    )
    return session, Decided(False, waits=asked.given(""), about=f"It {said}.")


def _asked(session: Session, wanted: Undo, asked: Consent) -> Result:
    """Nothing is undone yet: players are asked."""
    seats = [seat for seat, _ in asked.answers]
    data: dict[str, Any] = {
        "dir": str(session.folder.root),
        "game": session.link.game,
        "n": session.link.n,
        "dry_run": False,
        "rulings": [],
        "notes": list(session.notes),
        "orders": _told(wanted),
        "asks": seats,
    }
    lines = [
        f"{session.label}: not undone yet: others learned something hidden, so they must agree",
        *_orders(session, wanted),
        *still_waits(session, asked),
        *(f"  note: {note}" for note in session.notes),
    ]
    return Result(data, "\n".join(lines), 1)


def _told(wanted: Undo) -> list[dict[str, str]]:
    return [{"seat": seat, "order": words} for seat, words in wanted.orders]


def _orders(session: Session, wanted: Undo) -> list[str]:
    """What falls, for the referee's screen: as all may read it."""
    told = told_of(session, wanted, "")
    back = [f"  taken back: {line}" for line in told.back]
    return [*back, *(f"  counts again: {line}" for line in told.again)]


def _short(basis: Basis) -> tuple[str, ...]:
    """The ruling without the orders, which stand below it, a line for each."""
    from pbem.moderator.chain.ruling import ruling_words

    return tuple(ruling_words(one) for one in basis.rulings)
