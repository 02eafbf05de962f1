"""What ``pbem resolve`` does to games: pending orders are played.

What must never be here: the rules of play (pbem/play); a game before its deal (rounds.py).
Laws: nothing is played while players are asked about an undo; a state is saved before anybody is told
about it.
Source: docs/DESIGN.md "One turn"; docs/JSON.md "resolve".
"""

import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem import __version__
from pbem.catalog import is_traceback_wanted, unexpected_fault
from pbem.chain.clock import BOT, WAIT, epoch_seconds, format_instant
from pbem.chain.clock_words import instant_in_prose
from pbem.chain.sources import BY_BOT, source_of
from pbem.chain.state_record import CLOSED
from pbem.disk.folder import CONSENT_FILE, MessageStatus
from pbem.errors import BadInput, PbemError, Refused
from pbem.play.resolution import MissedTurnPolicy, Resolution, choose_default_order, make_next_state, play_out
from pbem.play.waiting import awaited_rows, list_awaited_seats
from pbem.report.game_rows import event_rows, to_plain
from pbem.services import sentences
from pbem.services.lock import open_for_writing
from pbem.services.reports import write_reports
from pbem.services.resolve.result import GameResult, ResolveResult, format_waiting_seats
from pbem.services.session.folders import open_games
from pbem.services.session.newest import find_seat
from pbem.services.session.session import Session
from pbem.services.session.timing import next_clock, refuse_bots

TOO_EARLY = "it is not yet time"  #: pending orders may still be replaced

if TYPE_CHECKING:
    from pbem.engine.game import Game
    from pbem.services.amend.undo import UndoDecision


def resolve_all(
    roots: Sequence[Path], missed_players: frozenset[str], dry_run: bool, time: str
) -> tuple[list[GameResult], list[str]]:
    """Resolve every game in these folders. Returns results, and notes on the folders.

    An error in one game does not stop the others. If there is only one game, its error is raised.
    """
    games, notes = open_games(roots, time)
    is_only_root = [opened.root for opened in games] == [roots[0]]
    for root, game in games:
        try:
            if isinstance(game, Session):
                _missed_seats(game, missed_players)
        except PbemError as error:
            raise error if is_only_root else _error_with_folder(error, root) from error

    def act(game: Session) -> ResolveResult:
        return _resolve_game(game, _missed_seats(game, missed_players), dry_run)

    results = [GameResult(root, try_act(root, game, act)) for root, game in games]
    root, result = results[0]
    if len(results) == 1 and isinstance(result, PbemError):
        raise result if is_only_root else _error_with_folder(result, root)
    return results, notes


def _error_with_folder(error: PbemError, root: Path) -> PbemError:
    """The error, with the folder of its game."""
    if re.search(rf"(?<!\S){re.escape(str(root))}(?![\w/.-])", error.message):  # as a whole word
        return error
    return type(error)(error.code, f"{root}: {error.message}", error.hint)


def try_act(
    root: Path, game: Session | PbemError, act: Callable[[Session], ResolveResult]
) -> ResolveResult | PbemError:
    """What became of a game; any error becomes a result, so that other games go on."""
    if isinstance(game, PbemError):
        return game
    try:
        return act(game)
    except PbemError as error:
        return error
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        return BadInput("file/unusable", reason, "check the permissions and the disk")
    except Exception as error:  # the other games are still reported
        if is_traceback_wanted():
            raise
        return unexpected_fault(error, f"run `PBEM_TRACEBACK=1 pbem resolve {root}`")


def _resolve_game(session: Session, missed_seats: frozenset[str], dry_run: bool) -> ResolveResult:
    with nullcontext(session) if dry_run else open_for_writing(session, allow_closed=True) as session:
        _refuse_repeated_miss(session, missed_seats)
        return resolve_now(session, missed_seats, dry_run)


def resolve_unless_recent(
    session: Session, grace_minutes: int, dry_run: bool, missed_seats: frozenset[str] = frozenset()
) -> ResolveResult:
    """Resolve a game unless a player whose orders would be played sent them less than
    ``grace_minutes`` ago. Before the deal, any player counts.

    ``missed_seats``: seats that have missed their turn.
    """
    with nullcontext(session) if dry_run else open_for_writing(session, allow_closed=True) as session:
        preview = resolve_now(session, missed_seats, dry_run=True)
        pending_by_seat = session.pending_by_seat
        playing_seats = {order.seat for order in preview.orders} if session.record.is_dealt else {*pending_by_seat}
        cutoff = epoch_seconds(session.time) - 60 * grace_minutes
        arrival_times = [pending_by_seat[seat].last_answered_at for seat in playing_seats]
        if any(epoch_seconds(time) > cutoff for time in arrival_times if time):
            return ResolveResult(session, dry_run, TOO_EARLY, is_over=preview.is_over)
        return preview if dry_run else resolve_now(session, missed_seats)


def _refuse_repeated_miss(session: Session, missed_seats: frozenset[str]) -> None:
    """Refuse to play a missed turn before its question was sent: the command may have been typed
    twice.
    """
    state_number, folder = session.record.n, session.folder
    already_missed = {entry.seat for entry in session.record.entries if source_of(entry.source).answered_for_player}
    for seat in sorted(missed_seats & already_missed):
        email_name = f"{state_number:04d}-{seat}"
        if session.completed_interrupted_save or folder.read_message(MessageStatus.WAITING, email_name) is not None:
            player_text = session.record.player(seat).label
            problem = f"state {state_number} has played a missed turn of {player_text}, and nothing more was played"
            hint = f"send {email_name}.eml and take it out of the outbox; then {player_text} can miss another"
            raise Refused("missed/again", problem, hint)


def resolve_now(session: Session, missed_seats: frozenset[str] = frozenset(), dry_run: bool = False) -> ResolveResult:
    """Play what is pending and save it. The caller holds the lock unless it is a ``dry_run``."""
    if session.record.phase == CLOSED:
        ending = "closed" if session.record.is_dealt else "cancelled before its deal"
        summary = f"skipped: it was {ending} in state {session.record.n}"
        return ResolveResult(session, dry_run, summary, is_over=True)
    if not session.record.is_dealt:
        from pbem.services.resolve.rounds import resolve_round  # once in a game

        return resolve_round(session, missed_seats, dry_run)
    session, undo_decision = _settle_undo(session, dry_run)
    if undo_decision and not undo_decision.may_play:  # the game waits for answers about an undo
        state = undo_decision.state or session.position.state
        return _make_result(session, Resolution(state, (), (), session.pending_by_seat, {}), dry_run, undo_decision)
    _check_is_asked(session, missed_seats)
    choose_for_absent: MissedTurnPolicy = choose_default_order
    if missed_seats and session.record.clock.missed == BOT:
        choose_for_absent = _make_bot_chooser(session)
    course = play_out(session.position, session.pending_by_seat, missed_seats, missed_turn_policy=choose_for_absent)
    if course.played_orders and not dry_run:
        keys = (session.secret, session.key)
        clock_update = next_clock(session, course.played_orders)
        signed_state = make_next_state(session.position, course, *keys, session.time, clock_update)
        session = session.save(signed_state, course.pending_by_seat)
        write_reports(session)
    elif not dry_run:
        session = _report_dropped_lines(session, course)
    return _make_result(session, course, dry_run, undo_decision)


def _make_bot_chooser(session: Session) -> MissedTurnPolicy:
    """A bot that plays missed turns, where the game's clock asks for one.

    Its random choices come from the game's secret. Nobody can pick them, and an audit repeats them
    (docs/SPECIFICATION.md section 9).
    """
    from pbem.bots.player import choose_sensibly  # few games ever need one
    from pbem.play.resolution import BOT_NAME, make_bot_draws

    game_id = session.record.game

    def choose(game: "Game", seat: str, view: Any, answer_count: int) -> tuple[str, str]:
        refuse_bots(session, [seat])
        draw_below = make_bot_draws(session.secret, game_id, seat, answer_count)
        line = choose_sensibly(game, seat, view, draw_below)
        return f"{BY_BOT.name}:{BOT_NAME}:{__version__}", line

    return choose


def _settle_undo(session: Session, dry_run: bool) -> "tuple[Session, UndoDecision | None]":
    """Decide about an undo, if players are or were asked about one."""
    if not session.folder.read_desk_file(CONSENT_FILE):
        return session, None
    from pbem.services.amend.undo import decide_undo  # few games ever need it

    return decide_undo(session, dry_run)


def _report_dropped_lines(session: Session, course: Resolution) -> Session:
    """Nothing could be played, but a pending order was illegal: tell its player once.

    The pending orders stay as they are, so that the result does not depend on how often pbem tried.
    """
    for seat, new_pending in course.pending_by_seat.items():
        old_pending = session.pending_by_seat[seat]
        if new_pending.notes and old_pending.newest_email_number > old_pending.noted_email_number:
            noted_pending = old_pending._replace(
                notes=(*old_pending.notes, *new_pending.notes), noted_email_number=old_pending.newest_email_number
            )
            session = session.store_pending(seat, noted_pending)
            write_reports(session, repeat_reader=seat)
    return session


def _missed_seats(session: Session, missed_players: frozenset[str]) -> frozenset[str]:
    """The seats of these players. Refused if the game does not play missed turns, or it is too early."""
    seats = frozenset(find_seat(session.record, name) for name in missed_players)
    if missed_players and session.record.is_dealt and session.record.clock.missed == WAIT:
        problem = "this game was opened without --option missed=default, so pbem plays no missed turns"
        command = f"pbem amend {session.folder.root} clock missed=default --reason …"
        raise Refused("missed/wait", problem, f"wait for the player's orders, or type `{command}`")
    clock = session.record.clock
    for seat in sorted(seats):
        due_seconds = clock.missed_at(seat) if clock.has_deadlines and clock.for_seat(seat).deadline else 0
        if epoch_seconds(session.time) < due_seconds:
            until_text = instant_in_prose(format_instant(due_seconds), clock.zone, session.time)
            problem = f"{session.record.player(seat).label} has time until {until_text}"
            raise Refused("missed/early", problem, "wait until then")
    return seats


def _check_is_asked(session: Session, missed_seats: frozenset[str]) -> None:
    """Refuse to play a missed turn of somebody for whom the game does not wait (R-2)."""
    public_view = session.game.view(session.position.state, None)
    asked_seats = {question.seat for question in session.game.questions(public_view)}
    for seat in sorted(missed_seats - asked_seats):
        names = {player.seat: player.label for player in session.record.people}
        waiting_text = f"it waits for {', '.join(names[asked_seat] for asked_seat in sorted(asked_seats))}"
        problem = f"the game does not wait for {names[seat]}: {waiting_text if asked_seats else 'it is over'}"
        raise Refused("missed/not-asked", problem, "pbem status")


def _make_result(
    session: Session, course: Resolution, dry_run: bool, undo_decision: "UndoDecision | None" = None
) -> ResolveResult:
    game, position = session.game, session.position
    undo_headline = undo_decision.summary if undo_decision else ""
    public_view = game.view(course.state, None)
    waiting_rows = list_awaited_seats(session.record, game.questions(public_view))
    if undo_decision and undo_decision.status_text:
        waiting_rows = awaited_rows(session.record, undo_decision.unanswered_seats, "undo")
    is_over = game.outcome(public_view) is not None
    events = to_plain(event_rows(game, course.events, public_view))
    headlines = [undo_headline] if undo_headline else []
    headlines += [_headline(session, course, dry_run)] if course.played_orders or not undo_headline else []
    lines = []
    for order in course.played_orders:
        source_text = source_of(order.source).screen_label
        source_note = f"  ({source_text})" if source_text else ""
        lines.append(f"{position.player_name(order.seat)} ({order.seat}): {order.public_words}{source_note}")
    lines += [f"  {text}" for text in sentences.render_sentences(game, events)] if dry_run else []
    undo_status = undo_decision.status_text if undo_decision else ""
    lines.append(
        undo_status or ("The game is over." if is_over else f"It waits for {format_waiting_seats(waiting_rows)}.")
    )
    return ResolveResult(
        session, dry_run, "; ".join(headlines), tuple(lines), course.played_orders, tuple(events), waiting_rows, is_over
    )


def _headline(session: Session, course: Resolution, dry_run: bool) -> str:
    if not course.played_orders:
        return "nothing to resolve"
    order_count = len(course.played_orders)
    orders = f"{order_count} order{'s' if order_count > 1 else ''}"
    if dry_run:
        return f"{orders} would be played (nothing was changed)"
    desk = session.folder.root / "desk"
    return f"{orders} played, state {session.record.n}, reports and emails in {desk}"
