"""Carrying a ruling out: what every ``pbem amend`` has in common.

What lives here: opening, older states, the one way to save a ruling, what is answered. What must
never be here: what one ruling means (moderator/ruling/amendment.py).
Laws: one ruling, one link; ``--dry-run`` changes nothing; orders in hand that count no more are
gone with the link, and their player's report says so.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.moderator.ruling.amendment import Basis, made
from pbem.moderator.turn.hand import Hand
from pbem.result import Result
from pbem.services.post.reports import write_reports
from pbem.services.session.acting import check_acting
from pbem.services.session.older import in_full
from pbem.services.session.session import Session, open_session
from pbem.services.writing import writing

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="A game's folder.")]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="Why, for all players to read.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")
]
#: told to a seat whose orders in hand are gone
VOID = "A ruling of the referee came: your orders in hand count no more. Write them again."

#: the game as the ruling finds it, what becomes of it, and of the orders in hand
Planned = tuple[Session, Basis, dict[str, Hand]]


def rule(directory: Path, now: str, plan: Callable[[Session], Planned], dry_run: bool) -> Result:
    """Open, plan, save, report: a ruling from the command line to its state."""
    return ruled(open_session(directory, now), plan, dry_run)


def ruled(session: Session, plan: Callable[[Session], Planned], dry_run: bool) -> Result:
    """The same in a game that was opened already."""
    if dry_run:
        check_acting(session)
        session, basis, _ = plan(session)
        return answer(session, basis, dry_run=True)
    with writing(session) as session:
        session, basis, hands = plan(session)
        session = carry_out(session, basis, hands)
    return answer(session, basis, dry_run=False)


def carry_out(
    session: Session,
    basis: Basis,
    hands: dict[str, Hand],
    then: Callable[[Session], object] = write_reports,
) -> Session:
    """Under the lock: the state of a ruling, and the reports that tell it."""
    found = made(session.position, basis, session.secret, session.key, session.time)
    session = session.saved(found, hands)
    then(session)
    return session


def answer(
    session: Session,
    basis: Basis,
    dry_run: bool,
    also: tuple[str, ...] = (),
    short: tuple[str, ...] = (),
) -> Result:
    """What the referee is told; ``short``: the rulings in other words, for what ``also`` says of
    them at length.
    """
    n = session.link.n + 1 if dry_run else session.link.n
    told = _told(session, basis, dry_run)
    data: dict[str, Any] = {
        "dir": str(session.folder.root),
        "game": session.link.game,
        "n": n,
        "dry_run": dry_run,
        "rulings": told,
        "notes": list(session.notes),
    }
    head = (
        f"{session.label}: would be state {n} (nothing was changed)"
        if dry_run
        else f"{session.label}: state {n}; all players are told, reports and mails in "
        f"{session.folder.root / 'desk'}"
    )
    notes = [f"  note: {note}" for note in session.notes]
    return Result(data, "\n".join([head, *(f"  {text}" for text in short or told), *also, *notes]))


def _told(session: Session, basis: Basis, dry_run: bool) -> list[str]:
    """The rulings in full, as the reports tell them."""
    link = session.link
    if dry_run:  # the state to come, as far as its rulings go
        link = basis.before._replace(n=link.n + 1, rulings=basis.rulings)

    return list(in_full(session, link))


def kept(hands: Mapping[str, Hand]) -> dict[str, Hand]:
    """The orders in hand as they are; what the last link's reports said is said."""
    return {seat: one._replace(notes=()) for seat, one in hands.items()}


def void(session: Session, seats: frozenset[str]) -> dict[str, Hand]:
    """Without the orders in hand of these seats; each is told of its own."""
    found, answered = kept(session.hands), dict(session.link.answered)
    for seat in seats:
        notes = (VOID,) if found[seat].lines else ()
        empty = found[seat]._replace(first=(), later=(), stopped=-1, done=(), notes=notes)
        found[seat] = empty._replace(ruled=answered[seat] + 1)
    return found
