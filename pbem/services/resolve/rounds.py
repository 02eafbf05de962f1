"""Before the deal: records who plays, deals, or cancels the round.

A round is one attempt to open a game. Players answer an invitation; those with a key also seal a
contribution to the shuffle. The roster is the list of their answers. Then each player opens theirs.
Not allowed here: the cryptography of a state (play/joining/opening.py); reading answers.
Laws: there is no deal without every sealed contribution. A cancelled round publishes its secret. A state
is saved before anybody is told about it (P4, P8).
Source: decision 0005.
"""

from pbem.chain.people import OPENED_ROW, RosterEntry
from pbem.chain.ruling_row import check_reason
from pbem.chain.signed_state import state_hash_of
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import unb64
from pbem.engine.row import join_with_and
from pbem.errors import BadInput, Refused
from pbem.play.joining import contribution, opening
from pbem.play.joining.opening import list_unanswered_seats, roster_of, seats_sharing_key
from pbem.play.waiting import list_awaited_seats
from pbem.services.lock import complete_last_save, hold_lock, open_for_writing
from pbem.services.reports import write_reports
from pbem.services.resolve.result import ResolveResult, format_waiting_seats
from pbem.services.session.folders import record_restore_decision
from pbem.services.session.session import Session


def resolve_round(session: Session, missed_seats: frozenset[str], dry_run: bool) -> ResolveResult:
    """Close the roster once everybody has answered, and deal once every contribution is opened.

    The caller holds the lock unless it is a ``dry_run``.
    """
    if session.record.phase == CLOSED:
        problem = "this round was cancelled before its deal"
        raise Refused("game/given-up", problem, f"pbem new NEW --after {session.folder.root}")
    answer_by_seat = {seat: pending.joining_row for seat, pending in session.pending_by_seat.items()}
    _refuse_missed(session, answer_by_seat, missed_seats)
    if any(pending.decline_line for pending in session.pending_by_seat.values()):
        return _declined_result(session, dry_run)
    if unanswered_seats := list_unanswered_seats(session.record, answer_by_seat):
        return _waiting_result(session, unanswered_seats, "nothing to do yet", dry_run)
    roster = None if session.record.n else roster_of(session.record, answer_by_seat)
    if seats_with_one_key := seats_sharing_key(roster or ()):
        names = join_with_and([session.record.player(seat).label for seat in seats_with_one_key])
        hint = "ask one of them to make another with `pbem orders join` on another machine"
        raise Refused("roster/one-key", f"{names} sent the same key", hint)
    key_seats = tuple(row.seat for row in roster or () if row.is_sealed)
    if dry_run:
        headline = "would deal"
        if roster is not None:
            headline = "would settle who plays" if key_seats else "would settle who plays and deal"
        return _waiting_result(session, key_seats, headline, dry_run)
    if roster is not None:
        session = _close_roster(session, roster)
        if key_seats:
            return _waiting_result(session, key_seats, "it is settled who plays; emails are in desk/outbox", dry_run)
    session = _deal(session)
    return _dealt_result(session, "dealt" if roster is None else "it is settled who plays; the game is dealt")


def _refuse_missed(session: Session, answer_by_seat: dict[str, str], missed_seats: frozenset[str]) -> None:
    """Refuse to go on without a player: nobody plays unasked, and no sealed contribution is left out (P4)."""
    record = session.record
    for seat in sorted(missed_seats):
        player_text = record.player(seat).label
        vacant_seat = seat
        if record.n:  # the roster is closed
            problem = f"{player_text} may have sealed an addition to the shuffle, and there is no deal without it"
            code = "missed/opening"
            vacant_seat = ""
        elif answer_by_seat.get(seat):
            raise Refused("missed/answered", f"{player_text} has answered", "leave --missed out")
        elif session.pending_by_seat[seat].decline_line:
            code = "missed/declined"
            problem = f"{player_text} has declined, which is not a missed answer"
        else:
            code = "missed/invitation"
            problem = f"{player_text} has not said yes, and nobody plays unasked"
        raise Refused(code, problem, opening.next_round_hint(session.folder.root, vacant_seat))


def _close_roster(session: Session, roster: tuple[RosterEntry, ...]) -> Session:
    """Save the state that says who plays, and tell everybody."""
    _, raw = opening.close_roster(session.record, session.newest.raw, roster, session.key, session.time)
    session = session.save_before_play(raw)
    write_reports(session)
    return session


def _deal(session: Session) -> Session:
    """Deal, save the first state of play, and tell everybody."""
    answers = (pending.joining_row for pending in session.pending_by_seat.values())
    openings = tuple(OPENED_ROW.read_row(row) for row in answers if row)
    state_hashes = unb64(session.record.previous_hash, 32), state_hash_of(session.newest.raw)
    fault = contribution.find_openings_fault(*state_hashes, openings, session.record.roster)
    if fault:
        raise BadInput("deal/openings", f"the deal {fault}", "desk/hand/1 was changed; put it back from a backup")
    record, raw, key = session.record, session.newest.raw, session.key
    raw = opening.deal(record, raw, openings, session.game, key, session.secret, session.time)
    session = session.save_before_play(raw)
    write_reports(session)
    return session


def close_round(session: Session, reason: str) -> ResolveResult:
    """Cancel a round before its deal, even if newer states are lost."""
    reason_text = check_reason(reason)
    if session.record.phase == CLOSED:  # opening it completes this command, if it was interrupted
        with open_for_writing(session, allow_closed=True, allow_undecided=True):
            pass
    with hold_lock(session, allow_undecided=True) as session:
        if session.record.is_dealt or session.record.phase == CLOSED:
            problem = "you can only cancel a round that is neither dealt nor cancelled"
            raise BadInput("round/over", problem, "pbem status")
        session = complete_last_save(session)
        raw = opening.give_up_round(
            session.record, session.newest.raw, session.secret, reason_text, session.key, session.time
        )
        session = session.save_before_play(raw, force_mark=True)
        write_reports(session)
        record_restore_decision(session)
    return _waiting_result(session, (), "the round is cancelled, and its secret is open to all", False)


def _waiting_result(
    session: Session, unanswered_seats: tuple[str, ...], headline: str, dry_run: bool, extra_lines: tuple[str, ...] = ()
) -> ResolveResult:
    """Return the result while there is no deal. ``extra_lines``: replace the line that says who must answer."""
    record = session.record
    lines = extra_lines
    if not lines and not headline.startswith("would"):
        lines = (f"{opening.describe_waiting(record, unanswered_seats)}.",)
    summary = f"{headline} (nothing was changed)" if dry_run else headline
    waiting_rows = opening.list_awaited_before_deal(record, unanswered_seats)
    return ResolveResult(session, dry_run, summary, lines, waits_for=waiting_rows, is_over=record.phase == CLOSED)


def _declined_result(session: Session, dry_run: bool) -> ResolveResult:
    """Return the result if a player declined. It is not an error, so that other games go on."""
    refusal_by_seat = {
        seat: pending.decline_line for seat, pending in session.pending_by_seat.items() if pending.decline_line
    }
    new_round_hint = opening.next_round_hint(session.folder.root, next(iter(refusal_by_seat)))
    extra_lines = (
        *opening.describe_declined(session.record, refusal_by_seat),
        f"{new_round_hint}; or the player answers again",
    )
    return _waiting_result(session, tuple(refusal_by_seat), "no deal", dry_run, extra_lines)


def _dealt_result(session: Session, headline: str) -> ResolveResult:
    game, position = session.game, session.position
    waiting_rows = list_awaited_seats(session.record, game.questions(game.view(position.state, None)))
    summary = f"{headline}; reports and emails are in {session.folder.root / 'desk'}"
    lines = (f"It waits for {format_waiting_seats(waiting_rows)}.",)
    return ResolveResult(session, False, summary, lines, waits_for=waiting_rows)
