"""``pbem amend DIR undo``: the game goes back, if those agree who learned something since."""

from typing import Annotated, Any

import typer

from pbem.chain.rulings.kinds import ruling_words
from pbem.clock import now
from pbem.commands.amend.ruling import WHY, facts, notes, told
from pbem.commands.arguments import Directory, DryRun
from pbem.errors import BadInput
from pbem.notation.asks import YES
from pbem.result import Result
from pbem.services.amend.consent import withdraw
from pbem.services.amend.undo import Undone, undo_orders, would_undo
from pbem.services.session.history import Told
from pbem.services.session.newest import not_dealt
from pbem.services.session.session import Session, open_session


def run(
    directory: Directory,
    to: Annotated[int | None, typer.Option("--to", metavar="K", help="Go back to state K.")] = None,
    orders: Annotated[
        int | None,
        typer.Option(
            "--orders", metavar="N", help="Undo this many orders; without it, the last order."
        ),
    ] = None,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help=f"{WHY} Required, except once all have agreed.")
    ] = "",
    drop: Annotated[
        bool, typer.Option("--drop", help="Stop asking the players. Nothing is undone.")
    ] = False,
    dry_run: DryRun = False,
) -> Result:
    """Undo orders: a new state has the position of an older one.

    Orders that were played together can only be undone together. If you named fewer, nothing is
    done, and you see which they are.

    If anyone saw something hidden in these orders, pbem names it and asks the other players by
    email. When all have answered `yes`, the same command or `pbem resolve` carries it out.
    """
    if to is not None and orders is not None:
        why = "choose either --to or --orders"
        raise BadInput("undo/either", why, "leave both out to undo the last order")
    session = open_session(directory, now())
    if not session.link.dealt:
        raise not_dealt(session.link)
    if drop and not dry_run:
        return _dropped(withdraw(session))
    if dry_run:
        return _told(would_undo(session, to, orders, reason))
    return _told(undo_orders(session, to, orders, reason))


def _told(found: Undone) -> Result:
    """The ruling without the orders, which stand below it, a line for each."""
    if found.ruled is None:
        return _asked(found)
    names = ", ".join(f"{found.session.position.name(seat)} ({seat})" for seat in found.asks)
    also = [*_lines(found.told), *([f"  {names} would be asked first"] if found.asks else [])]
    short = tuple(ruling_words(one) for one in found.ruled.basis.rulings)
    answer = told(found.ruled, tuple(also), short)
    return Result(answer.data | _about(found), answer.text)


def _about(found: Undone) -> dict[str, Any]:
    """Which orders fall, what they showed, and who must agree first."""
    orders = [{"seat": seat, "order": words} for seat, words in found.wanted.orders]
    return {"orders": orders, "seen": list(found.told.seen), "asks": list(found.asks)}


def _lines(back: Told) -> list[str]:
    """What falls, for the referee's screen: as all may read it."""
    lines = [f"  undone: {line}" for line in back.back]
    lines += [f"  counts again: {line}" for line in back.again]
    return lines + [f"  seen: {line}" for line in back.seen]


def _asked(found: Undone) -> Result:
    """Nothing is undone yet: who agrees, and whose answer is missing."""
    session, asked = found.session, found.asked
    lines = [
        f"{session.label}: not undone yet: players saw something hidden, so others must agree",
        *_lines(found.told),
    ]
    if asked is not None:
        names = {seat: f"  {session.position.name(seat)} ({seat})" for seat, _ in asked.answers}
        lines += [f"{names[seat]} agrees" for seat in asked.given(YES)]
        lines += [f"{names[seat]} is asked by email" for seat in asked.given("")]
        lines.append(f"  when all have said yes: pbem amend {session.folder.root} undo")
    text = "\n".join([*lines, *notes(session)])
    return Result(facts(session, session.link.n) | _about(found), text, 1)


def _dropped(session: Session) -> Result:
    data = {**facts(session, session.link.n), "orders": [], "seen": [], "asks": []}
    return Result(data, f"{session.label}: nothing is undone, and nobody is asked")
