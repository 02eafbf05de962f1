"""Before the deal: closing the roster, dealing, giving the round up.

What lives here: what `resolve` and `amend close` do to a game that is not dealt yet. What must
never be here: the cryptography of a link (play/joining/opening.py), reading of answers.
Laws: no deal without every contribution that was committed to; a round given up opens its secret;
each step is a saved state before anybody is told (P4, P8). Source: decision 0005.
"""

from pbem.chain.contributions import OPENED_ROW, Joined
from pbem.chain.ruling_row import reason_of
from pbem.chain.signed_state import head_of
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import unb64
from pbem.errors import BadInput, Refused
from pbem.play.joining import contribution, opening
from pbem.play.joining.opening import one_key, roster_of, waited_for
from pbem.play.waiting import waits_for
from pbem.services.lock import held, settle, writing
from pbem.services.reports import write_reports
from pbem.services.resolve.result import Resolved, named
from pbem.services.session.folders import decided
from pbem.services.session.session import Session


def resolve_round(session: Session, missed: frozenset[str], dry_run: bool) -> Resolved:
    """Close the roster if all have answered, deal if all is opened.

    The caller holds the game (lock.py), but for ``dry_run``.
    """
    if session.link.phase == CLOSED:
        why = "this round was cancelled before its deal"
        raise Refused("game/given-up", why, f"pbem new NEW --after {session.folder.root}")
    given = {seat: hand.answer for seat, hand in session.hands.items()}
    _refuse_missed(session, given, missed)
    if any(hand.declined for hand in session.hands.values()):
        return _declined(session, dry_run)
    if waits := waited_for(session.link, given):
        return _told(session, waits, "nothing to do yet", dry_run)
    roster = None if session.link.n else roster_of(session.link, given)
    if twice := one_key(roster or ()):
        names = " and ".join(session.link.player(s).shown for s in twice)
        way = "ask one of them to make another with `pbem orders join` on another machine"
        raise Refused("roster/one-key", f"{names} sent the same key", way)
    keys = tuple(row.seat for row in roster or () if row.sealed)
    if dry_run:
        closing = "would settle who plays" + " and deal" * (not keys)
        return _told(session, keys, "would deal" if roster is None else closing, dry_run)
    if roster is not None:
        session = _close_roster(session, roster)
        if keys:
            return _told(
                session, keys, "it is settled who plays; emails are in desk/outbox", dry_run
            )
    session = _deal(session)
    return _dealt(
        session, "dealt" if roster is None else "it is settled who plays; the game is dealt"
    )


def _refuse_missed(session: Session, given: dict[str, str], missed: frozenset[str]) -> None:
    """Nobody is seated who did not say yes; who has committed cannot be passed over (P4)."""
    record = session.link
    for seat in sorted(missed):
        who, other = record.player(seat).shown, seat
        if record.n:
            why = f"{who} may have sealed a contribution, and there is no deal without it"
            code, other = "missed/opening", ""
        elif given.get(seat):
            raise Refused("missed/answered", f"{who} has answered", "leave --missed out")
        elif session.hands[seat].declined:
            code, why = "missed/declined", f"{who} has declined, which is not a missed answer"
        else:
            code, why = "missed/invitation", f"{who} has not said yes, and nobody plays unasked"
        raise Refused(code, why, opening.anew(session.folder.root, other))


def _close_roster(session: Session, roster: tuple[Joined, ...]) -> Session:
    """The roster, saved and told to all."""
    _, raw = opening.close_roster(
        session.link, session.newest.raw, roster, session.key, session.time
    )
    session = session.saved_before_play(raw)
    write_reports(session)
    return session


def _deal(session: Session) -> Session:
    """The deal, saved and told to all."""
    given = (hand.answer for hand in session.hands.values())
    opened = tuple(OPENED_ROW.one(row) for row in given if row)
    heads = unb64(session.link.prev, 32), head_of(session.newest.raw)
    wrong = contribution.wrong_openings(*heads, opened, session.link.roster)
    if wrong:
        why = f"the deal {wrong}"
        raise BadInput("deal/openings", why, "desk/hand/1 was changed; put it back from a backup")
    record, raw, key = session.link, session.newest.raw, session.key
    raw = opening.deal(record, raw, opened, session.game, key, session.secret, session.time)
    session = session.saved_before_play(raw)
    write_reports(session)
    return session


def close_round(session: Session, reason: str) -> Resolved:
    """`pbem amend DIR close` before the deal: the round is given up, and its secret open to all.

    Also where newer states from before the deal are lost: there is no other way on.
    """
    why = reason_of(reason)
    if session.link.phase == CLOSED:  # this very command may have been cut short
        with writing(session, closed=True, undecided=True):
            pass
    with held(session, undecided=True) as session:
        if session.link.dealt or session.link.phase == CLOSED:
            message = "you can only cancel a round that is neither dealt nor cancelled"
            raise BadInput("round/over", message, "pbem status")
        session = settle(session)
        raw = opening.give_up(
            session.link, session.newest.raw, session.secret, why, session.key, session.time
        )
        session = session.saved_before_play(raw, force_mark=True)
        write_reports(session)
        decided(session)
    return _told(session, (), "the round is cancelled, and its secret is open to all", False)


def _told(
    session: Session, waits: tuple[str, ...], what: str, dry_run: bool, also: tuple[str, ...] = ()
) -> Resolved:
    """What `resolve` answers while there is no position."""
    record = session.link
    lines = also or (() if what.startswith("would") else (f"{opening.waits(record, waits)}.",))
    said = f"{what}{' (nothing was changed)' * dry_run}"
    asked = opening.waits_for(record, waits)
    return Resolved(session, dry_run, said, lines, waits_for=asked, over=record.phase == CLOSED)


def _declined(session: Session, dry_run: bool) -> Resolved:
    """Somebody does not play: nobody is seated who said so. No error, for the other games' sake."""
    no = {seat: hand.declined for seat, hand in session.hands.items() if hand.declined}
    anew = opening.anew(session.folder.root, next(iter(no)))
    also = (*opening.declined(session.link, no), f"{anew}; or the player answers again")
    return _told(session, tuple(no), "no deal", dry_run, also)


def _dealt(session: Session, what: str) -> Resolved:
    game, position = session.game, session.position
    waits = waits_for(session.link, game.questions(game.view(position.state, None)))
    said = f"{what}; reports and emails are in {session.folder.root / 'desk'}"
    lines = (f"It waits for {named(waits)}.",)
    return Resolved(session, False, said, lines, waits_for=waits)
