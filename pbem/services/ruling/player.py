"""What ``pbem amend`` can do before the deal: no ruling has a place there, the desk has.

What lives here: another address, language or password of a player who is invited; why a note is
refused. What must never be here: giving the round up (rounds.py); a change of a state.
Laws: no choice is left after the genesis, so who plays and how he is known stay; a ruling stands in
a dealt state or in the one that closes. Source: docs/SPECIFICATION.md section 5 (genesis;
`rulings`: dealt, closed).
"""

from typing import Any

from pbem.errors import Refused
from pbem.moderator.chain.link import CLOSED
from pbem.moderator.ruling.player import Wanted
from pbem.result import Result
from pbem.services.post.reports import write_reports
from pbem.services.ruling.reseat import check_seat, keep
from pbem.services.session.authority import check_acting
from pbem.services.session.newest import not_dealt
from pbem.services.session.session import Session
from pbem.services.writing import writing


def no_note(session: Session) -> Refused:
    """A note stands in a state of its own, and before the deal there can be none."""
    if session.link.phase == CLOSED:
        return not_dealt(session.link)
    return Refused(
        "note/not-dealt",
        "before the deal there is no state that could hold a note",
        "write to the players yourself, or wait for the deal",
    )


def reach(session: Session, wanted: Wanted, dry_run: bool) -> Result:
    """Another way to reach a player who is invited; his mail goes out to him again."""
    from pbem.moderator.ruling.player import changed, people

    check_acting(session)
    check_seat(session, wanted.seat)
    what = changed(session.link, wanted)
    _refuse_settled(session, wanted)
    before = session.players.seats[wanted.seat].address
    found = people(session.players, wanted, session.link.player(wanted.seat))
    if not dry_run:
        with writing(session) as session:
            session = keep(session, found, wanted)
            if wanted.address:
                digits = "".join(c for c in session.time if c.isdigit())
                write_reports(session, again=wanted.seat, mark=digits)
    _notes(session, wanted, before)
    return _answer(session, wanted, what, dry_run)


def _refuse_settled(session: Session, wanted: Wanted) -> None:
    """The name, and how he is known, stand in the genesis."""
    link, where = session.link, session.folder.root
    again = wanted.known == "password" == link.player(wanted.seat).known
    if not wanted.name and (not wanted.known or again):
        return
    raise Refused(
        "player/settled",
        "who plays, and how each is known, is settled in the invitation until the deal",
        f"pbem amend {where} close --reason TEXT, then pbem new NEW --after {where} with another "
        "--player or --known; or change it when it is dealt",
    )


def _notes(session: Session, wanted: Wanted, before: str) -> None:
    """What the referee must still know, or do."""
    seat, moved = wanted.seat, wanted.address and before not in ("", wanted.address)
    if moved:
        session.notes.append(
            f"the mail that went to {before} is still good: whoever has it can answer for {seat}"
        )
    if wanted.known:
        session.notes.append(
            f"the new password stands in desk/outbox/password-{seat}.eml and nowhere else: send "
            "that mail, then delete it"
        )
    elif moved and session.link.player(seat).known == "password":
        session.notes.append("its password went there too: --known password makes another")


def _answer(session: Session, wanted: Wanted, what: tuple[str, ...], dry_run: bool) -> Result:
    who = f"{session.link.player(wanted.seat).name} ({wanted.seat})"
    changed = " and ".join("password" if one == "known" else one for one in what)
    done = "would be another (nothing was changed)" if dry_run else "is another now, in desk/ alone"
    lines = [f"{session.label}: the {changed} of {who} {done}; nobody else is told"]
    if wanted.address and not dry_run:
        lines.append(f"  the mail to {who} is in desk/outbox again")
    data: dict[str, Any] = {
        "dir": str(session.folder.root),
        "game": session.link.game,
        "n": session.link.n,
        "dry_run": dry_run,
        "rulings": [],
        "notes": list(session.notes),
    }
    return Result(data, "\n".join([*lines, *(f"  note: {note}" for note in session.notes)]))
