"""``pbem amend DIR undo``: returns to an older position. Players may have to agree first."""

from typing import Annotated, Any

from typer import Option

from pbem.chain.rulings.kinds import describe_ruling
from pbem.clock import now
from pbem.commands.amend.ruling import REASON_HELP, amend_result, base_document, note_lines
from pbem.commands.arguments import Directory, DryRun
from pbem.errors import BadInput
from pbem.notation.asks import YES
from pbem.result import Result
from pbem.services.amend.consent import withdraw
from pbem.services.amend.undo import UndoResult, preview_undo, undo_orders
from pbem.services.session.history import UndoEffects
from pbem.services.session.newest import not_dealt_error
from pbem.services.session.session import Session, open_session


def run(
    directory: Directory,
    target_number: Annotated[int | None, Option("--to", metavar="K", help="Go back to state K.")] = None,
    order_count: Annotated[
        int | None, Option("--orders", metavar="N", help="How many orders. Default: the last.")
    ] = None,
    reason: Annotated[str, Option(metavar="TEXT", help=f"{REASON_HELP} Required, except once all have agreed.")] = "",
    drop: Annotated[bool, Option("--drop", help="Stop asking the players. Nothing is undone.")] = False,
    dry_run: DryRun = False,
) -> Result:
    """Undo orders: a new state has the position of an older one.

    Orders that were played together can only be undone together. If you name fewer, pbem lists them
    and undoes nothing.

    If anyone saw something hidden because of these orders, pbem names it and asks the other players
    by email. When all have answered `yes`, the next `pbem tick` or `pbem resolve` undoes the orders.
    """
    if target_number is not None and order_count is not None:
        message = "choose either --to or --orders"
        raise BadInput("undo/either", message, "leave both out to undo the last order")
    if drop and (dry_run or reason or target_number is not None or order_count is not None):
        message = "--drop takes no other option: it only stops asking the players, and undoes nothing"
        raise BadInput("undo/drop", message, f"pbem amend {directory} undo --drop")
    session = open_session(directory, now())
    if not session.record.is_dealt:
        raise not_dealt_error(session.record)
    if drop:
        return _withdrawn_result(withdraw(session))
    if dry_run:
        return _undo_result(preview_undo(session, target_number, order_count, reason))
    return _undo_result(undo_orders(session, target_number, order_count, reason))


def _undo_result(undo: UndoResult) -> Result:
    """Return the result of an undo that was made, or that others must agree to first."""
    if undo.ruling_result is None:
        return _not_agreed_result(undo)
    names = ", ".join(f"{undo.session.position.player_name(seat)} ({seat})" for seat in undo.seats_to_agree)
    extra_lines = _undone_lines(undo.effects)
    extra_lines += [f"  {names} would be asked first"] if undo.seats_to_agree else []
    short_rulings = tuple(describe_ruling(ruling) for ruling in undo.ruling_result.basis.rulings)
    result = amend_result(undo.ruling_result, tuple(extra_lines), short_rulings)
    return Result(result.data | _undo_document(undo), result.text)


def _undo_document(undo: UndoResult) -> dict[str, Any]:
    """Return the undone orders, what they revealed, and who must agree first, for ``--json``."""
    orders = [{"seat": seat, "order": order_text} for seat, order_text in undo.undo.orders]
    return {"orders": orders, "seen": list(undo.effects.seen), "asks": list(undo.seats_to_agree)}


def _undone_lines(effects: UndoEffects) -> list[str]:
    """Return the undone orders and what they revealed, as all players may read it."""
    lines = [f"  undone: {line}" for line in effects.back]
    lines += [f"  counts again: {line}" for line in effects.again]
    return lines + [f"  seen: {line}" for line in effects.seen]


def _not_agreed_result(undo: UndoResult) -> Result:
    """Return the result while players are asked: who agreed, and whose answer is missing."""
    session, consent = undo.session, undo.request
    lines = [
        f"{session.label}: not undone yet: players saw something hidden, so others must agree",
        *_undone_lines(undo.effects),
    ]
    if consent is not None:
        names = {seat: f"  {session.position.player_name(seat)} ({seat})" for seat, _ in consent.answers}
        lines += [f"{names[seat]} agrees" for seat in consent.seats_answering(YES)]
        lines += [f"{names[seat]} is asked by email" for seat in consent.seats_answering("")]
        lines.append("  when all have said yes, the next `pbem tick` or `pbem resolve` undoes it")
    text = "\n".join([*lines, *note_lines(session)])
    return Result(base_document(session, session.record.n) | _undo_document(undo), text, 1)


def _withdrawn_result(session: Session) -> Result:
    data = {**base_document(session, session.record.n), "orders": [], "seen": [], "asks": []}
    return Result(data, f"{session.label}: the players are no longer asked, and nothing is undone")
