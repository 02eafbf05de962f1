"""``pbem amend DIR note``, ``close``, ``player``: rulings that leave the position as it is."""

from typing import Annotated

import typer

from pbem.clock import now
from pbem.moderator.chain.ruling import Ruling, reason_of, ruling_words
from pbem.moderator.ruling.amendment import closed, seated, standing
from pbem.moderator.ruling.player import Wanted, changed, counting_anew, people, replaced, ruling_of
from pbem.result import Result
from pbem.services.resolve.rounds import close_round
from pbem.services.ruling.early import no_note, reach
from pbem.services.ruling.reseat import check_seat, keep
from pbem.services.ruling.ruling import Directory, DryRun, Planned, Reason, kept, ruled, void
from pbem.services.session.session import Session, open_session


def run_note(
    directory: Directory,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What all players shall read.")],
    dry_run: DryRun = False,
) -> Result:
    """Tell all players something, in the chain: pbem amend DIR note TEXT."""
    way = f'pbem amend {directory} note "The next turn waits until Monday"'
    ruling = Ruling("note", (), reason_of(text, "a note needs its text", way))
    session = open_session(directory, now())
    if not session.link.dealt:
        raise no_note(session)
    return ruled(session, lambda s: (s, standing(s.position, ruling), kept(s.hands)), dry_run)


def run_close(directory: Directory, reason: Reason = "", dry_run: DryRun = False) -> Result:
    """Close a game for good and open its secret, so that all can check it."""
    ruling = Ruling("close", (), reason_of(reason))
    session = open_session(directory, now())
    if not session.link.dealt and not dry_run:
        data, text = close_round(session, ruling.reason)
        return Result({**data, "rulings": [ruling_words(ruling)]}, text)

    def plan(session: Session) -> Planned:
        return session, closed(session.position, ruling), kept(session.hands)

    return ruled(session, plan, dry_run)


def run_player(
    directory: Directory,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="Whose place it is.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="Who plays there from now on.")] = "",
    address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="His mail address (shown to nobody).")
    ] = "",
    language: Annotated[str, typer.Option(metavar="CODE", help="Of his mails, such as en.")] = "",
    known: Annotated[
        str, typer.Option(metavar="HOW", help="How he is known: reply, password, typed or key.")
    ] = "",
    key: Annotated[
        str, typer.Option(metavar="KEY", help="His public key (with --known key).")
    ] = "",
    reason: Reason = "",
    dry_run: DryRun = False,
) -> Result:
    """Change who plays at a seat, or how he is reached and known; told to all but the address.

    Before the deal address and language can change, and a password; nobody is told then.
    """
    wanted = Wanted(seat.lower(), name, address, language, known.lower(), key)
    session = open_session(directory, now())
    if not session.link.dealt:
        return reach(session, wanted, dry_run)
    why = reason_of(reason)

    def plan(session: Session) -> Planned:
        check_seat(session, wanted.seat)
        what = changed(session.link, wanted)
        one = replaced(session.link, wanted, what)
        _warn(session, wanted, one.known)
        if not dry_run:
            session = keep(session, people(session.players, wanted, one), wanted)
        new = frozenset({wanted.seat} if one.since == session.link.n + 1 else ())
        hands = void(session, new)
        if one.key != session.link.player(wanted.seat).key:
            hands[wanted.seat] = counting_anew(hands[wanted.seat])
        return session, seated(session.position, one, ruling_of(wanted, what, why)), hands

    return ruled(session, plan, dry_run)


def _warn(session: Session, wanted: "Wanted", known: str) -> None:
    """What the referee must still do, so that the new player can play and the old one cannot."""
    if wanted.name and not wanted.known and known in ("password", "key"):
        session.notes.append(
            f"{wanted.seat} is still known by the {known} of the player before; if {wanted.name} "
            f"is somebody else: pbem amend {session.folder.root} player {wanted.seat} "
            '--known reply (or password) --reason "…"'
        )
    if wanted.known == "password":
        session.notes.append(
            f"the new password stands in desk/outbox/password-{wanted.seat}.eml and nowhere else: "
            "send that mail, then delete it"
        )
