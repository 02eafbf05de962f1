"""Before the deal: closing the roster, dealing, giving the round up.

What lives here: what `resolve` and `amend close` do to a game that is not dealt yet. What must
never be here: the cryptography of a link (moderator/opening/opening.py), reading of answers.
Laws: no deal without every contribution that was committed to; a round given up opens its secret;
each step is a saved state before anybody is told (P4, P8). Source: decision 0005.
"""

from typing import TYPE_CHECKING, Any

from pbem.errors import BadInput, Refused
from pbem.moderator.chain.link import CLOSED
from pbem.moderator.chain.people import Joined
from pbem.moderator.chain.ruling import reason_of
from pbem.moderator.opening import opening, rounds
from pbem.moderator.opening.rounds import one_key, roster_of, waited_for
from pbem.services.deal import close_roster, deal
from pbem.services.post import write_reports
from pbem.services.session.session import Session
from pbem.services.writing import settle

if TYPE_CHECKING:
    from pbem.services.resolve.playing import Told


def resolve_round(session: Session, missed: frozenset[str], dry_run: bool) -> "Told":
    """Close the roster if all have answered (or are ``missed``), deal if all is opened.

    The caller holds the game (writing.py), but for ``dry_run``.
    """
    if session.link.phase == CLOSED:
        raise Refused(
            "game/given-up",
            "this round was given up before its deal",
            f"pbem new NEW --after {session.folder.root} begins the next one",
        )
    given = {seat: one.answer for seat, one in session.hands.items()}
    _check_missed(session, given, missed)
    if any(one.declined for one in session.hands.values()):
        return _declined(session, dry_run)
    waits = tuple(x for x in waited_for(session.link, given) if x not in missed)
    if waits:
        _name_all(session, waits, missed)
        return _told(session, waits, "nothing to do yet", dry_run)
    roster = None if session.link.n else roster_of(session.link, given, missed)
    _check_keys(session, roster or ())
    keys = tuple(one.seat for one in roster or () if one.gave == "key")
    if dry_run:
        what = (
            "would deal" if roster is None else "would close the roster" + " and deal" * (not keys)
        )
        return _told(session, keys, what, dry_run)
    if roster is not None:
        session = close_roster(session, roster)
        if keys:
            return _told(session, keys, "the roster is closed, mails are in desk/outbox", dry_run)
    session = deal(session)
    return _dealt(session, "dealt" if roster is None else "the roster is closed, and dealt")


def _name_all(session: Session, waits: tuple[str, ...], missed: frozenset[str]) -> None:
    """`--missed` is not kept: it counts in the command that closes the roster."""
    if missed and not any(session.link.player(seat).known == "key" for seat in waits):
        ways = "".join(f" --missed {s}" for s in session.link.setup.seats if s in {*missed, *waits})
        session.notes.append(
            "--missed counts for one command alone; to close the roster without all who are "
            f"silent: pbem resolve {session.folder.root}{ways}"
        )


def _check_missed(session: Session, given: dict[str, str], missed: frozenset[str]) -> None:
    """Who has answered missed nothing; who has committed cannot be passed over (P4)."""
    link = session.link
    twice = one_key(roster_of(link, given, frozenset())) if not link.n else ()
    for seat in sorted(missed):
        who = f"{link.player(seat).name} ({seat})"
        if link.n:
            raise Refused(
                "missed/opening",
                f"there is no deal without what {who} may have sealed",
                rounds.anew(session.folder.root),
            )
        if link.player(seat).known == "key":
            raise Refused(
                "missed/key",
                f"{who} plays with a key, and nobody could play the seat without one",
                rounds.anew(session.folder.root),
            )
        if session.hands[seat].declined:
            raise Refused(
                "missed/declined",
                f"{who} has declined: that is no missed answer",
                rounds.anew(session.folder.root, seat),
            )
        if given.get(seat) and seat not in twice:
            raise Refused("missed/answered", f"{who} has answered", "leave --missed out for it")


def _check_keys(session: Session, roster: tuple[Joined, ...]) -> None:
    twice = one_key(roster)
    if twice:
        names = " and ".join(f"{session.link.player(s).name} ({s})" for s in twice)
        raise Refused(
            "roster/one-key",
            f"{names} sent the same key",
            "let one of them join again, or count one as having given nothing: --missed SEAT",
        )


def close_round(session: Session, reason: str) -> "Told":
    """`pbem amend DIR close` before the deal: the round is given up, and its secret open to all.

    Also where newer states from before the deal are lost: there is no other way on.
    """
    why = reason_of(reason)
    with session.folder.lock():
        session = session.reread()
        if session.link.dealt or session.link.phase == CLOSED:
            raise BadInput(
                "round/over",
                "only a round that is not dealt and not closed can be given up",
                "pbem status says how it stands",
            )
        session = settle(session)
        raw = opening.give_up(
            session.link, session.newest.raw, session.secret, why, session.key, session.time
        )
        session = session.saved_before_play(raw, force_mark=True)
        write_reports(session)
    hint = f"  The next round: pbem new NEW --after {session.folder.root}"
    data, text = _told(session, (), "the round is given up, its secret is open to all", False)
    return data, f"{text}\n{hint}"


def _told(session: Session, waits: tuple[str, ...], what: str, dry_run: bool) -> "Told":
    """What `resolve` answers while there is no position."""
    link, data = session.link, _data(session, waits, dry_run)
    lines = [f"{session.label}: {what}{' (nothing was changed)' * dry_run}"]
    lines += [] if what.startswith("would") else [f"  {rounds.waits(link, waits)}."]
    lines += [f"  note: {note}" for note in session.notes]
    return data, "\n".join(lines)


def _data(session: Session, waits: tuple[str, ...], dry_run: bool) -> dict[str, Any]:
    link = session.link
    return {
        "dir": str(session.folder.root),
        "game": link.game,
        "n": link.n,
        "dry_run": dry_run,
        "orders": [],
        "events": [],
        "waits_for": list(waits),
        "over": link.phase == CLOSED,
        "notes": list(session.notes),
    }


def _declined(session: Session, dry_run: bool) -> "Told":
    """Somebody does not play: nobody is seated who said so. No error, for the other games' sake."""
    said = {seat: one.declined for seat, one in session.hands.items() if one.declined}
    lines = [f"{session.label}: no deal{' (nothing was changed)' * dry_run}"]
    lines += [f"  {line}" for line in rounds.declined(session.link, said)]
    lines += [
        f"  {rounds.anew(session.folder.root, next(iter(said)))}; or the player answers again"
    ]
    lines += [f"  note: {note}" for note in session.notes]
    return _data(session, tuple(said), dry_run), "\n".join(lines)


def _dealt(session: Session, what: str) -> "Told":
    game, position = session.game, session.position
    waits = tuple(one.seat for one in game.questions(game.view(position.state, None)))
    names = ", ".join(f"{position.name(seat)} ({seat})" for seat in waits)
    lines = [f"{session.label}: {what}; reports and mails are in {session.folder.root / 'desk'}"]
    lines += [f"  It waits for {names}.", *(f"  note: {note}" for note in session.notes)]
    return _data(session, waits, dry_run=False), "\n".join(lines)
