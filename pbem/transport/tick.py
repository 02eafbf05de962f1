"""One run of `pbem tick`: fetch, resolve, send, and once a day a backup.

Not allowed here: how to fetch, resolve or send; printing.
Laws: one game, email or account in trouble does not stop the others; pbem does nothing that the
referee could not do with other commands; a backup gets its name only after it was unpacked and verified.
Source: docs/decisions/0014-the-post.md.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeVar

from pbem import __version__
from pbem.chain.clock import epoch_seconds
from pbem.disk import system, whole
from pbem.disk.backup import pack, unpack
from pbem.disk.folder import GameFolder
from pbem.disk.games import find_games
from pbem.disk.home import Home
from pbem.disk.idle import fingerprint_of, read_idle, write_idle
from pbem.disk.journal import read_last_tick
from pbem.errors import PbemError
from pbem.play.deadlines.due import NEVER, find_outage, record_run
from pbem.services.resolve.deadlines import MailKnowledge, act_on_deadlines
from pbem.services.resolve.resolve import TOO_EARLY, try_act
from pbem.services.resolve.result import GameResult, ResolveResult
from pbem.services.session.newest import read_newest, trusted_key
from pbem.services.session.session import HANDED_OVER, Session
from pbem.services.session.worklist import find_late_tick
from pbem.transport.accounts import load_accounts
from pbem.transport.backends import send_to_self
from pbem.transport.fetch import FetchResult, fetch_all
from pbem.transport.log import BY_HAND as FILED
from pbem.transport.log import RESENDING, SENDING, SENT, OutboxLog
from pbem.transport.send import SendResult, send_all
from pbem.transport.server_errors import as_pbem_error

_T = TypeVar("_T")
BACKUPS_TO_KEEP = 7
_UNCHECKED = "unchecked"  #: name of a backup that is not verified yet
ALARM = "pbem: no run for a day"  #: subject of the email to the referee
BY_HAND = "post/no-way"  #: error code of an account that fetches or sends nothing


class TickResult(NamedTuple):
    """What one run did."""

    fetch_results: Sequence[FetchResult] = ()
    send_results: Sequence[SendResult] = ()
    resolve_results: Sequence[GameResult] = ()
    backups: Sequence[Path] = ()
    notes: Sequence[str] = ()  #: about games
    problems: Sequence[str] = ()
    run_history: tuple[str, str] = ("", "")  #: for the journal: when email was fetched, and the intervals between runs


def tick(
    home: Home,
    roots: Sequence[Path],
    folders: list[GameFolder],
    games: list[Session],
    time: str,
    dry_run: bool,
    failures: Sequence[PbemError] = (),
) -> TickResult:
    """Do everything that can be done now in these games. Return what was done.

    ``roots``: the folders that the referee named. ``folders``: all games in them, also those that
    cannot be opened; their outboxes are sent. ``failures``: why games cannot be opened.
    """
    problems = list[str]()
    has_accounts = False
    try:
        has_accounts = bool(load_accounts(home))
    except PbemError as error:
        problems.append(error.as_line())
    fetch_results = list[FetchResult]()
    send_results = list[SendResult]()
    if has_accounts and not dry_run:
        _collect(fetch_results, fetch_all(home, games, time, failures=failures), problems)
    fetched_all = not problems and not any(result.error for result in fetch_results if not _is_by_hand(result.error))
    if has_accounts and not dry_run:
        problems += _send_alarm(home, time)
    last_tick = read_last_tick(home)
    # a time in which pbem did not run, and so fetched no email
    outage = find_outage(last_tick.fetched_at, last_tick.intervals, time) if fetched_all else None
    mail_knowledge = MailKnowledge(silence=outage, is_all_fetched=fetched_all, find_sent_time=_time_sent)
    ready_games = [game for game in games if not game.restore_undecided]
    resolve_results = _resolve_all(home, ready_games, time, dry_run, mail_knowledge)
    if has_accounts:
        _collect(send_results, send_all(home, folders, time, dry_run), problems)
    backups = [] if dry_run else _back_up_all(home, roots, time, problems)
    problems += [_describe_failure("fetched", result.account, result.error) for result in fetch_results if result.error]
    problems += [_describe_failure("sent", result.account, result.error) for result in send_results if result.error]
    problems = [line for line in problems if line]
    notes = [f"{game.label}: {note}" for game in games for note in game.notes]
    run_history = last_tick.fetched_at, last_tick.intervals
    if fetched_all:
        run_history = record_run(*run_history, time)
    return TickResult(fetch_results, send_results, resolve_results, backups, notes, problems, run_history)


def _send_alarm(home: Home, time: str) -> Iterator[str]:
    """Email the referee if no tick has run for a day. Yield what went wrong.

    The email is sent only once, since the next run sees that this one ran.
    """
    for line in find_late_tick(home, time):
        senders = [account for account in load_accounts(home).values() if account.send_url.scheme != "none"]
        for account in senders[:1]:
            try:
                send_to_self(account, "alarm", ALARM, {"line": line}, time)
            except PbemError as error:
                yield f"{account.name}: no email to you: {error.as_line()}"


def _time_sent(game: Session, _: str, message_id: str) -> str:
    """Return when an email was sent, or when sending it began, or "" if the log does not say."""
    rows = OutboxLog(game.folder).rows_of(message_id)
    sent_events = (SENT, FILED, SENDING, RESENDING)
    return next((row.time for row in reversed(rows) if row.event in sent_events), "")


def _is_by_hand(error: PbemError | None) -> bool:
    """Return whether the error only says that the referee fetches or sends by hand."""
    return error is not None and error.code == BY_HAND


def _describe_failure(action: str, account: str, error: PbemError) -> str:
    """Return a line about a failure, or "" if the account is meant to be used by hand."""
    if _is_by_hand(error):
        return ""
    return f"{account}: not {action}: {error.as_line()}" if account else f"not {action}: {error.as_line()}"


def _collect(results: list[_T], items: Iterable[_T], problems: list[str]) -> None:
    """Append all items to the results. An error ends the items and becomes a problem."""
    try:
        for item in items:
            results.append(item)
    except Exception as error:  # noqa: BLE001 - an error does not stop the rest of the run
        problems.append(as_pbem_error(error).as_line())


def _resolve_all(
    home: Home, games: list[Session], time: str, dry_run: bool, mail_knowledge: MailKnowledge
) -> list[GameResult]:
    """Play what is due in these games. Return only those that failed or changed.

    An idle game is skipped until its files change, the day ends, or its next deadline comes.
    """
    last_idle = read_idle(home, time[:10])
    results = list[GameResult]()
    idle = {**last_idle.idle_until}  # lines about other folders stay
    now_seconds = epoch_seconds(time)
    for game in games:
        state_digest = sha256(game.newest.raw).hexdigest()
        root = game.folder.root
        fingerprint = fingerprint_of(game.folder, game.record.n, state_digest, __version__)
        idle_until = last_idle.idle_until.get(fingerprint.digest, 0) if fingerprint is not None else 0
        if idle_until > now_seconds and not game.notes and mail_knowledge.silence is None:
            continue
        next_times = list[int]()
        resolve_game = partial(_resolve, dry_run=dry_run, mail_knowledge=mail_knowledge, next_times=next_times)
        result = try_act(root, game, resolve_game)
        if isinstance(result, PbemError) and result.code == HANDED_OVER:
            continue  # the referee handed it over, and knows
        if not isinstance(result, ResolveResult) or _has_news(game, result):
            results.append(GameResult(root, result))
        elif result.summary != TOO_EARLY and not game.notes and fingerprint and fingerprint.is_old_enough(last_idle):
            idle[fingerprint.digest] = min(next_times, default=NEVER)
    with suppress(PbemError):  # the next run looks at the game again
        if not dry_run:
            write_idle(home, time[:10], idle)
    return results


def _resolve(game: Session, dry_run: bool, mail_knowledge: MailKnowledge, next_times: list[int]) -> ResolveResult:
    """Play what is due in a game. Append to ``next_times`` when something will be due again."""
    result, next_time = act_on_deadlines(game, game.record.clock.replace_minutes, mail_knowledge, dry_run)
    next_times.append(next_time)
    return result


def _has_news(game: Session, result: ResolveResult) -> bool:
    """Return whether something happened in a game, or would happen without ``--dry-run``."""
    would_change = result.dry_run and result.summary.startswith("would")
    return bool(result.orders or would_change or result.has_acted or result.session.record.n != game.record.n)


def _back_up_all(home: Home, roots: Sequence[Path], time: str, problems: list[str]) -> list[Path]:
    """Back up each folder. Return the new backups. An error becomes a problem."""
    backups = list[Path]()
    for root in roots:
        try:
            file = back_up_today(home, root, time)
        except Exception as error:  # noqa: BLE001 - a backup does not stop the others
            problems.append(f"no backup of {root}: {as_pbem_error(error).as_line()}")
        else:
            backups += [file] if file else []
    return backups


def back_up_today(home: Home, root: Path, time: str) -> Path | None:
    """Back up a folder of games, or a game. Return the file, or None if there is one of today already."""
    folder = home.make_folder("backups")
    suffix = f"-{_backup_name(root)}.tar.gz"
    file = folder / f"{time[:10]}{suffix}"
    new_file = folder / f"{_UNCHECKED}.tar.gz"
    unpacked = folder / _UNCHECKED
    _remove(unpacked)  # left by an interrupted run
    _remove(new_file)
    if system.stat_or_none(file):
        return None
    try:
        pack(root, new_file)
        unpack(new_file, unpacked)
        games, _ = find_games(unpacked)
        for game in games:
            read_newest(game, trusted_key(game, home))
        whole.move(new_file, file)
    finally:
        _remove(unpacked)
        _remove(new_file)
    backups = [name for name in system.list_names(folder) if name.endswith(suffix)]
    for name in backups[:-BACKUPS_TO_KEEP]:  # the oldest
        _remove(folder / name)
    return file


def _backup_name(root: Path) -> str:
    """Return the folder's name with a hash, which differs for folders of the same name."""
    path = str(root.resolve())
    plain = re.sub("[^a-z0-9]+", "-", root.resolve().name.lower()).strip("-")[:40]
    return f"{plain or 'games'}-{sha256(path.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _remove(path: Path) -> None:
    with system.os_errors("delete", path):
        system.remove_tree(path)
