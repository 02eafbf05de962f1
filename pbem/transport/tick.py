"""One run of `pbem tick`: fetch, resolve, send, and once a day a backup.

What must never be here: how any of these is done; what is printed.
Laws: one game, email or account in trouble stops nothing else; nothing is done that the referee
could not do by hand with the same commands.
Source: docs/decisions/0014-the-post.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeVar

from pbem import __version__
from pbem.chain.clock import epoch_seconds
from pbem.disk.folder import GameFolder
from pbem.disk.home import Home
from pbem.disk.idle import fingerprint_of, read_idle, write_idle
from pbem.disk.journal import read_last_tick
from pbem.errors import PbemError
from pbem.play.deadlines.due import NEVER, find_outage, record_run
from pbem.services.resolve.deadlines import MailKnowledge, act_on_deadlines
from pbem.services.resolve.resolve import TOO_EARLY, try_act
from pbem.services.resolve.result import GameResult, ResolveResult
from pbem.services.session.session import HANDED_OVER, Session
from pbem.services.session.worklist import find_late_tick
from pbem.transport.accounts import load_accounts
from pbem.transport.fetch import FetchResult, fetch_all
from pbem.transport.log import BY_HAND as FILED
from pbem.transport.log import RESENDING, SENDING, SENT, OutboxLog
from pbem.transport.nightly_backup import back_up_today
from pbem.transport.send import SendResult, send_all
from pbem.transport.server_errors import as_pbem_error
from pbem.transport.to_referee import send_to_self

_T = TypeVar("_T")
ALARM = "pbem: no run for a day"  #: a subject
BY_HAND = "post/no-way"  #: of an account that fetches, or sends, nothing


class TickResult(NamedTuple):
    """What came of it; of resolving, what changed a game or failed."""

    fetch_results: Sequence[FetchResult] = ()
    send_results: Sequence[SendResult] = ()
    resolve_results: Sequence[GameResult] = ()
    backups: Sequence[Path] = ()
    notes: Sequence[str] = ()  #: of games
    problems: Sequence[str] = ()
    run_history: tuple[str, str] = ("", "")  #: as the next run should know of this one


def tick(
    home: Home,
    roots: Sequence[Path],
    folders: list[GameFolder],
    games: list[Session],
    time: str,
    dry_run: bool,
    failures: Sequence[PbemError] = (),
) -> TickResult:
    """Everything that can be done now in these games. ``roots``: where they lie; ``folders``: of
    all that lie there, also of those that cannot be opened: what waits in them is sent.
    """
    problems, has_accounts = list[str](), False
    try:
        has_accounts = bool(load_accounts(home))
    except PbemError as error:
        problems.append(error.as_line())
    fetch_results, send_results, backups = list[FetchResult](), list[SendResult](), list[Path]()
    if has_accounts and not dry_run:
        _collect(fetch_results, fetch_all(home, games, time, failures=failures), problems)
    fetched_all = not problems and not any(result.error for result in fetch_results if not _is_by_hand(result.error))
    problems += _send_alarm(home, time) if has_accounts and not dry_run else ()
    last_tick = read_last_tick(home)
    silence = find_outage(last_tick.fetched_at, last_tick.intervals, time) if fetched_all else None
    listening = MailKnowledge(silence, fetched_all, _time_sent)
    ready_games = [game for game in games if not game.restore_undecided]
    resolve_results = _resolve_all(home, ready_games, time, dry_run, listening)
    if has_accounts:
        _collect(send_results, send_all(home, folders, time, dry_run), problems)
    for root in () if dry_run else roots:
        try:
            backup_file = back_up_today(home, root, time)
        except Exception as error:
            problems.append(f"no backup of {root}: {as_pbem_error(error).as_line()}")
        else:
            backups += [backup_file] if backup_file else []
    problems += [_describe_failure("fetched", result.account, result.error) for result in fetch_results if result.error]
    problems += [_describe_failure("sent", result.account, result.error) for result in send_results if result.error]
    problems = [line for line in problems if line]
    notes = [f"{game.label}: {note}" for game in games for note in game.notes]
    run_history = (
        (last_tick.fetched_at, last_tick.intervals)
        if not fetched_all
        else record_run(last_tick.fetched_at, last_tick.intervals, time)
    )
    return TickResult(fetch_results, send_results, resolve_results, backups, notes, problems, run_history)


def _send_alarm(home: Home, time: str) -> Iterator[str]:
    """An email to the referee where nothing ran for a day; what went wrong with it.

    It goes once, unless this run is cut short: the next one knows that this one ran.
    """
    for line in find_late_tick(home, time):
        senders = [sender for sender in load_accounts(home).values() if sender.send_url.scheme != "none"]
        for account in senders[:1]:
            try:
                send_to_self(account, "alarm", ALARM, {"line": line}, time)
            except PbemError as error:
                yield f"{account.name}: no email to you: {error.as_line()}"


def _time_sent(game: Session, _: str, message_id: str) -> str:
    """When a message of a game went out, or was begun with; "" where its log does not say."""
    rows, sent_events = (OutboxLog(game.folder).rows_of(message_id), (SENT, FILED, SENDING, RESENDING))
    return next((row.time for row in reversed(rows) if row.event in sent_events), "")


def _is_by_hand(error: PbemError | None) -> bool:
    return error is not None and error.code == BY_HAND


def _describe_failure(action: str, account: str, error: PbemError) -> str:
    """Empty where the referee wants it to be done by hand."""
    if _is_by_hand(error):
        return ""
    return f"{account}: not {action}: {error.as_line()}" if account else f"not {action}: {error.as_line()}"


def _collect(results: list[_T], items: Iterable[_T], problems: list[str]) -> None:
    """All of them; what stops them is told, and the rest of the run goes on."""
    try:
        for item in items:
            results.append(item)
    except Exception as error:
        problems.append(as_pbem_error(error).as_line())


def _resolve_all(
    home: Home, games: list[Session], time: str, dry_run: bool, listening: MailKnowledge
) -> list[GameResult]:
    """What became of those in which something happened. A game in which nothing did is looked at
    again when the drive says that anything of it is another, and on every day: what comes by time
    alone comes with a day, or to orders that wait.
    """
    last_idle, results = read_idle(home, time[:10]), list[GameResult]()
    idle = {**last_idle.idle_until}  # of other folders too; a line that is out of date fits no game
    now_seconds = epoch_seconds(time)
    for game in games:
        state_digest, root = sha256(game.newest.raw).hexdigest(), game.folder.root
        signs = fingerprint_of(game.folder, game.record.n, state_digest, __version__)
        idle_until = last_idle.idle_until.get(signs.digest, 0) if signs is not None else 0
        if idle_until > now_seconds and not game.notes and listening.silence is None:
            continue
        next_times = list[int]()
        resolve_game = partial(_resolve, dry_run=dry_run, listening=listening, next_times=next_times)
        result = try_act(root, game, resolve_game)
        if isinstance(result, PbemError) and result.code == HANDED_OVER:
            continue  # said when it was, and to be said each time its players write
        if not isinstance(result, ResolveResult) or _has_news(game, result):
            results.append((root, result))
        elif result.summary != TOO_EARLY and not game.notes and signs and signs.is_old_enough(last_idle):
            idle[signs.digest] = min(next_times, default=NEVER)
    with suppress(PbemError):  # what is not noted is looked at once more
        if not dry_run:
            write_idle(home, time[:10], idle)
    return results


def _resolve(game: Session, dry_run: bool, listening: MailKnowledge, next_times: list[int]) -> ResolveResult:
    """``next_times`` gets the one at which there is something to do again."""
    result, next_time = act_on_deadlines(game, game.record.clock.replace_minutes, listening, dry_run)
    next_times.append(next_time)
    return result


def _has_news(game: Session, result: ResolveResult) -> bool:
    """Whether there is something to tell."""
    would_change = result.dry_run and result.summary.startswith("would")
    return bool(result.orders or would_change or result.has_acted or result.session.record.n != game.record.n)
