"""``pbem tick``: does everything that does not need the referee. A timer runs it."""

import os
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from typer import Option

from pbem.chain.clock_words import count_text
from pbem.chain.sources import source_of
from pbem.clock import now
from pbem.commands.arguments import Roots
from pbem.commands.fetch import account_document as fetched_document
from pbem.commands.fetch import location_line
from pbem.commands.receive import OUTCOMES, result_text, select_usable_games
from pbem.commands.resolve import outcome_row
from pbem.commands.send import OUTCOME_WORDS, account_document
from pbem.disk.folder import GameFolder
from pbem.disk.games import refuse_no_folder
from pbem.disk.home import Home
from pbem.disk.journal import EmailStatus, LastTick, hold_tick, read_last_tick, write_last_tick
from pbem.disk.system import is_file
from pbem.engine.row import join_with_and
from pbem.errors import BadInput, PbemError
from pbem.result import Result
from pbem.services.resolve.result import ResolveResult
from pbem.services.session.folders import FOLDER_IS_COPY, open_games, restore_undecided_error
from pbem.services.session.keys import open_home
from pbem.services.session.session import Session
from pbem.services.session.worklist import find_late_tick
from pbem.transport.scheduler import REMOVE_COMMANDS, schedule_commands
from pbem.transport.send import MessageResult
from pbem.transport.tick import TickResult, tick

REPEAT_AFTER = timedelta(days=1)  #: when the same trouble is shown again
NO_GAME_CODE = "game/none"  #: the error of a folder without a game
#: the schedulers that are shown, by system
USUAL_SCHEDULERS = {"darwin": ("launchd",), "win32": ("windows",)}
SILENT_OUTCOMES = {"held"}  #: outcomes of sending that are not shown


def run(
    roots: Roots,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Show which orders would be played and which emails sent. It fetches nothing.")
    ] = False,
    install: Annotated[bool, Option("--install", help="Show how to run this every 5 minutes.")] = False,
    uninstall: Annotated[bool, Option("--uninstall", help="Show how to stop running this.")] = False,
) -> Result:
    """Fetch email, play the orders that have waited for 10 minutes, and send the reports.

    It prints nothing if nothing happened. Once a day it backs up your games in PBEM_HOME/backups.
    """
    if uninstall and (install or dry_run):
        raise BadInput("tick/options", "--uninstall takes no other option", "leave the others out")
    if install:
        return _install_result(roots)
    if uninstall:
        return _scheduler_result(REMOVE_COMMANDS, [])
    home = open_home()
    if dry_run:
        return _run_tick(home, roots, dry_run)
    with hold_tick(home) as is_free:
        return _run_tick(home, roots, dry_run) if is_free else Result(_tick_document(TickResult()), "")


def _run_tick(home: Home, roots: list[Path], dry_run: bool) -> Result:
    """Run a tick. Trouble is shown once a day and sets the exit code; other notes are shown once."""
    time = now()
    lines = find_late_tick(home, time)
    games, notes = open_games(roots, time)
    empty_roots = [root for root, game in games if isinstance(game, PbemError) and game.code == NO_GAME_CODE]
    copy_errors = {root: game for root, game in games if isinstance(game, PbemError) and game.code == FOLDER_IS_COPY}
    quiet_notes = [f"there is no game in {root} yet" for root in empty_roots]
    quiet_notes += [f"skipped: {error.as_line()}" for error in copy_errors.values()]
    active_games = [row for row in games if row.root not in {*empty_roots, *copy_errors}]
    sessions, notes, failed = select_usable_games(active_games, notes)
    if failed and not sessions and not quiet_notes:
        raise failed[0]
    folders = [GameFolder(root) for root, game in games if _may_send(game)]
    game_roots = [root for root in roots if root not in empty_roots]
    outcome = tick(home, game_roots, folders, sessions, time, dry_run, failed)
    trouble = [*_resolve_failures(outcome), *outcome.problems, *notes, *outcome.notes]
    new_notes = [*trouble, *quiet_notes] if dry_run else _record_run(home, trouble, quiet_notes, time, outcome)
    undecided_roots = [session.folder.root for session in sessions if session.restore_undecided]
    undecided_notes = [restore_undecided_error(root).as_line() for root in undecided_roots]
    lines += [*_game_lines(outcome), *_account_lines(outcome), *new_notes, *undecided_notes]
    trouble += undecided_notes
    statuses = {email.status for account in outcome.fetch_results for email in account.emails}
    has_trouble = bool(trouble or statuses & {EmailStatus.NEW, EmailStatus.BROKEN})
    return Result(_tick_document(outcome, trouble, quiet_notes), "\n".join(lines), int(has_trouble))


def _resolve_failures(outcome: TickResult) -> list[str]:
    return [
        f"{root}: not resolved: {resolution.as_line()}"
        for root, resolution in outcome.resolve_results
        if isinstance(resolution, PbemError)
    ]


def _may_send(game: Session | PbemError) -> bool:
    """Return whether to send a game's emails. If not, another line already says why the game must not act."""
    if isinstance(game, PbemError):
        return not game.code.startswith("folder/")
    return not (game.restore_undecided or game.was_handed_over)


def _record_run(home: Home, trouble: list[str], quiet_notes: list[str], time: str, outcome: TickResult) -> list[str]:
    """Record this run for the next one. Return the lines to show, or [] if they were shown before.

    Lines with trouble are shown again after a day.
    """
    lines = [*trouble, *quiet_notes]
    report_hash = sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()
    last_tick = read_last_tick(home)
    reported_at = last_tick.reported_at if last_tick.report_hash == report_hash else ""
    try:
        day_ago = datetime.fromisoformat(time) - REPEAT_AFTER
        must_report = not reported_at or (bool(trouble) and datetime.fromisoformat(reported_at) <= day_ago)
    except ValueError:  # a damaged record of the last run
        must_report = True
    reported_at, problems = time if must_report else reported_at, "\t".join(outcome.problems)
    write_last_tick(home, LastTick(time, report_hash, reported_at, *outcome.run_history, problems))
    return lines if must_report else []


def _game_lines(outcome: TickResult) -> list[str]:
    """Return a line for each game in which something happened."""
    parts = defaultdict[str, list[str]](list)  # by game folder
    results = [email.result for account in outcome.fetch_results for email in account.emails]
    for folder in dict.fromkeys(result.facts["dir"] for result in results if "dir" in result.facts):
        kinds = [OUTCOMES.get(result.kind, "ignored") for result in results if result.facts.get("dir") == folder]
        counts = [f"{count} {kind}" for kind, count in Counter(kinds).items()]
        outcomes = ", ".join(counts) if len(kinds) > 1 else kinds[0]
        parts[folder].append(f"{count_text(len(kinds), 'email')} received: {outcomes}")
    for root, resolution in outcome.resolve_results:
        if not isinstance(resolution, PbemError):
            parts[str(root)] += [_without_paths(resolution.summary), *_missed_lines(resolution)]
    sent_by_folder = defaultdict[str, list[MessageResult]](list)
    for row in (row for account in outcome.send_results for row in account.results):
        if row.outcome not in SILENT_OUTCOMES:
            sent_by_folder[row.game_dir].append(row)
    for folder, rows in sent_by_folder.items():
        parts[folder] += _sent_lines(rows)
    return [f"{folder}: {'; '.join(folder_parts)}" for folder, folder_parts in parts.items()]


def _sent_lines(rows: list[MessageResult]) -> list[str]:
    """Count the emails of a game by outcome. Each line has the explanation of the first email."""
    explanations = dict[str, str]()
    for row in rows:
        explanations.setdefault(row.outcome, row.explanation)
    counts = Counter(row.outcome for row in rows)
    return [
        f"{count_text(count, 'email')} {OUTCOME_WORDS[outcome].format(explanations[outcome])}"
        for outcome, count in counts.items()
    ]


def _missed_lines(resolved: ResolveResult) -> list[str]:
    """Return whose turns were missed, and which of their seats are vacant now."""
    record = resolved.session.record
    seats = dict.fromkeys(order.seat for order in resolved.orders if source_of(order.source).for_missed_turn)
    vacant_seats = [row.seat for row in record.clock.seats if record.clock.is_seat_open(row) and row.seat in seats]
    lines = [f"missed turn: {join_with_and([record.player(seat).label for seat in seats])}"] if seats else []
    if vacant_seats:
        lines.append(f"the seat is vacant: {join_with_and([record.player(seat).label for seat in vacant_seats])}")
    return lines


def _without_paths(text: str) -> str:
    """Return the summary of `pbem resolve` without the paths of reports and emails."""
    return text.partition(", reports and emails in ")[0].partition("; reports and emails")[0]


def _account_lines(outcome: TickResult) -> list[str]:
    lines = []
    for account in outcome.fetch_results:
        unassigned = [email for email in account.emails if "dir" not in email.result.facts]
        lines += [f"{account.account}: {result_text(email.result)}{location_line(email)}" for email in unassigned]
        lines += [f"{account.account}: {note}" for note in account.notes]
    return lines


def _tick_document(
    outcome: TickResult, trouble: Sequence[str] = (), quiet_notes: Sequence[str] = ()
) -> dict[str, object]:
    return {
        "fetched": [fetched_document(account) for account in outcome.fetch_results],
        "resolved": [outcome_row(root, resolution).document for root, resolution in outcome.resolve_results],
        "sent": [account_document(account) for account in outcome.send_results],
        "backups": [str(path) for path in outcome.backups],
        "trouble": [*trouble],
        "notes": [*quiet_notes],
    }


def _install_result(roots: list[Path]) -> Result:
    """Return the lines to paste for a timer. The screen shows only those for this system."""
    for root in (root for root in roots if root.exists()):
        refuse_no_folder(root, "pbem status")
    command = [*_program_words(), "tick", *(str(root.resolve()) for root in roots)]
    if any(not word.isprintable() for word in command):
        raise BadInput("file/name", "the name of a folder cannot be printed", "rename it")
    texts_by_scheduler = schedule_commands(
        command, os.environ.get("PBEM_HOME", ""), str(Path.home() / "Library" / "Logs" / "pbem.log")
    )
    missing = [f"# the folder {root} does not exist yet, so make it" for root in roots if not root.exists()]
    return _scheduler_result(texts_by_scheduler, missing)


def _scheduler_result(texts_by_scheduler: Mapping[str, str], first_lines: list[str]) -> Result:
    names = USUAL_SCHEDULERS.get(sys.platform, ("systemd", "cron"))
    sections = (f"# {name}: paste this into a terminal\n{texts_by_scheduler[name]}" for name in names)
    return Result({"ways": dict(texts_by_scheduler)}, "\n".join([*first_lines, *sections]))


def _program_words() -> list[str]:
    """Return the beginning of a command line that starts this pbem."""
    if os.name == "nt":  # pbem.exe would show a window at each run
        windowless = Path(sys.executable).with_name("pythonw.exe")
        return [str(windowless if is_file(windowless) else sys.executable), "-m", "pbem"]
    program = shutil.which(sys.argv[0]) or shutil.which("pbem")
    return [str(Path(program).absolute())] if program else [sys.executable, "-m", "pbem"]
