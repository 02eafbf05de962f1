"""``pbem resolve``: plays the pending orders of games, that is, the orders received and not yet played.

Not allowed here: the rules of play (pbem/play); a game before its deal (rounds.py).
Laws: nothing is played while players are asked about an undo. A state is saved before anybody is told
about it.
Source: docs/DESIGN.md "One turn"; docs/json.schema.json.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem import __version__
from pbem.catalog import is_traceback_wanted, unexpected_fault
from pbem.chain.clock import BOT, WAIT, epoch_seconds, format_instant
from pbem.chain.clock_words import count_text, instant_in_prose
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

TOO_EARLY = "it is not yet time"  #: the summary while pending orders may still be replaced

if TYPE_CHECKING:
    from pbem.engine.game import Game
    from pbem.services.amend.undo import UndoDecision


def resolve_all(
    roots: Sequence[Path], missed_players: frozenset[str], dry_run: bool, time: str
) -> tuple[list[GameResult], list[str]]:
    """Resolve every game in these folders. Return results, and notes on the folders.

    ``missed_players``: the players, by name or seat, whose turn the referee declares missed. An error in
    one game does not stop the others. If there is only one game, its error is raised.
    """
    games, notes = open_games(roots, time)
    is_only_root = [opened.root for opened in games] == [roots[0]]
    for root, game in games:  # check all of them before any is played
        try:
            if isinstance(game, Session):
                _find_missed_seats(game, missed_players)
        except PbemError as error:
            raise error if is_only_root else _error_with_folder(error, root) from error

    def act(game: Session) -> ResolveResult:
        return _resolve_game(game, _find_missed_seats(game, missed_players), dry_run)

    results = [GameResult(root, try_act(root, game, act)) for root, game in games]
    root, result = results[0]
    if len(results) == 1 and isinstance(result, PbemError):
        raise result if is_only_root else _error_with_folder(result, root)
    return results, notes


def _error_with_folder(error: PbemError, root: Path) -> PbemError:
    """Return the error with the folder of its game in the message, unless the message names it already."""
    if re.search(rf"(?<!\S){re.escape(str(root))}(?![\w/.-])", error.message):  # as a whole word
        return error
    return type(error)(error.code, f"{root}: {error.message}", error.hint)


def try_act(
    root: Path, game: Session | PbemError, act: Callable[[Session], ResolveResult]
) -> ResolveResult | PbemError:
    """Return the result of ``act`` on a game. An error is returned too, so that other games go on."""
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
    """Resolve a game, unless orders that would be played are less than ``grace_minutes`` old.

    Before the deal, any recent email counts. ``missed_seats``: seats that have missed their turn.
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
    """Refuse another missed turn of a seat before it was asked: the command may have been typed twice."""
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
    """Play the pending orders and save the new state. The caller holds the lock unless it is a ``dry_run``."""
    if session.record.phase == CLOSED:
        summary = f"skipped: it was closed in state {session.record.n}"
        if not session.record.is_dealt:
            summary = f"skipped: it was cancelled before its deal in state {session.record.n}"
        return ResolveResult(session, dry_run, summary, is_over=True)
    if not session.record.is_dealt:
        from pbem.services.resolve.rounds import resolve_round  # once in a game

        return resolve_round(session, missed_seats, dry_run)
    session, undo_decision = _undo_if_agreed(session, dry_run)
    if undo_decision and not undo_decision.may_play:  # the game waits for answers about an undo
        state = undo_decision.state or session.position.state
        return _make_result(session, Resolution(state, (), (), session.pending_by_seat, {}), dry_run, undo_decision)
    _check_is_asked(session, missed_seats)
    choose_for_absent: MissedTurnPolicy = choose_default_order
    if missed_seats and session.record.clock.missed == BOT:
        choose_for_absent = _make_bot_chooser(session)
    resolution = play_out(session.position, session.pending_by_seat, missed_seats, missed_turn_policy=choose_for_absent)
    if resolution.played_orders and not dry_run:
        keys = (session.secret, session.key)
        clock_update = next_clock(session, resolution.played_orders)
        signed_state = make_next_state(session.position, resolution, *keys, session.time, clock_update)
        session = session.save(signed_state, resolution.pending_by_seat)
        write_reports(session)
    elif not dry_run:
        session = _report_dropped_lines(session, resolution)
    return _make_result(session, resolution, dry_run, undo_decision)


def _make_bot_chooser(session: Session) -> MissedTurnPolicy:
    """Return a function that lets a bot play a missed turn. Some games choose that by their clock options.

    The bot's random choices come from the game's secret. So nobody can influence them, and an audit can
    repeat them (docs/SPECIFICATION.md section 9).
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


def _undo_if_agreed(session: Session, dry_run: bool) -> "tuple[Session, UndoDecision | None]":
    """Carry out an undo to which all have agreed. The decision is None if players were never asked about one."""
    if not session.folder.read_desk_file(CONSENT_FILE):
        return session, None
    from pbem.services.amend.undo import undo_if_agreed  # imported late: few games ever need it

    return undo_if_agreed(session, dry_run)


def _report_dropped_lines(session: Session, resolution: Resolution) -> Session:
    """Tell players once about illegal pending orders, although nothing could be played.

    The pending orders stay as they are, so that the result does not depend on how often pbem tried.
    """
    for seat, new_pending in resolution.pending_by_seat.items():
        old_pending = session.pending_by_seat[seat]
        if new_pending.notes and old_pending.newest_email_number > old_pending.noted_email_number:
            noted_pending = old_pending._replace(
                notes=(*old_pending.notes, *new_pending.notes), noted_email_number=old_pending.newest_email_number
            )
            session = session.store_pending(seat, noted_pending)
            write_reports(session, repeat_reader=seat)
    return session


def _find_missed_seats(session: Session, missed_players: frozenset[str]) -> frozenset[str]:
    """Return the seats of these players. Raises Refused if their turns cannot be missed, or not yet."""
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
    """Refuse to play a missed turn of a player for whom the game does not wait (rule R-2)."""
    public_view = session.game.view(session.position.state, None)
    asked_seats = {question.seat for question in session.game.questions(public_view)}
    for seat in sorted(missed_seats - asked_seats):
        names = {player.seat: player.label for player in session.record.people}
        waiting_text = f"it waits for {', '.join(names[asked_seat] for asked_seat in sorted(asked_seats))}"
        problem = f"the game does not wait for {names[seat]}: {waiting_text if asked_seats else 'it is over'}"
        raise Refused("missed/not-asked", problem, "pbem status")


def _make_result(
    session: Session, resolution: Resolution, dry_run: bool, undo_decision: "UndoDecision | None" = None
) -> ResolveResult:
    """Return the result of a game: what was or would be played, and for whom the game waits now."""
    game, position = session.game, session.position
    public_view = game.view(resolution.state, None)
    is_over = game.outcome(public_view) is not None
    if undo_decision and undo_decision.status_text:
        waiting_rows = awaited_rows(session.record, undo_decision.unanswered_seats, "undo")
        status_text = undo_decision.status_text
    else:
        waiting_rows = list_awaited_seats(session.record, game.questions(public_view))
        status_text = "The game is over." if is_over else f"It waits for {format_waiting_seats(waiting_rows)}."
    events = to_plain(event_rows(game, resolution.events, public_view))
    headlines = [undo_decision.summary] if undo_decision and undo_decision.summary else []
    if resolution.played_orders or not headlines:
        headlines.append(_headline(session, resolution, dry_run))
    lines = []
    for order in resolution.played_orders:
        source_text = source_of(order.source).screen_label
        source_note = f"  ({source_text})" if source_text else ""
        lines.append(f"{position.player_name(order.seat)} ({order.seat}): {order.public_words}{source_note}")
    if dry_run:
        lines += [f"  {text}" for text in sentences.render_sentences(game, events)]
    lines.append(status_text)
    return ResolveResult(
        session,
        dry_run,
        summary="; ".join(headlines),
        lines=tuple(lines),
        orders=resolution.played_orders,
        events=tuple(events),
        waits_for=waiting_rows,
        is_over=is_over,
    )


def _headline(session: Session, resolution: Resolution, dry_run: bool) -> str:
    if not resolution.played_orders:
        return "nothing to resolve"
    orders = count_text(len(resolution.played_orders), "order")
    if dry_run:
        return f"{orders} would be played (nothing was changed)"
    desk = session.folder.root / "desk"
    return f"{orders} played, state {session.record.n}, reports and emails in {desk}"
