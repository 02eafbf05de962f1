"""``pbem tick``: everything that can be done without the referee, for a timer to run."""

import os
import shutil
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from pbem.chain.sources import source_of
from pbem.clock import now
from pbem.commands.arguments import Roots
from pbem.commands.fetch import account_document as fetched_document
from pbem.commands.fetch import where_it_is
from pbem.commands.receive import OUTCOMES, usable, words
from pbem.commands.resolve import row_of
from pbem.commands.send import WORDS, account_document
from pbem.disk.folder import GameFolder
from pbem.disk.games import refuse_no_folder
from pbem.disk.home import Home
from pbem.disk.journal import Kept, LastTick, hold_tick, read_ticked, write_ticked
from pbem.engine.row import all_of
from pbem.errors import BadInput, PbemError
from pbem.result import Result
from pbem.services.resolve.result import Resolved
from pbem.services.session.folders import COPY, open_games, undecided_yet
from pbem.services.session.keys import the_home
from pbem.services.session.session import Session
from pbem.services.session.worklist import not_ticking
from pbem.transport.scheduler import ways
from pbem.transport.tick import Ticked, tick

AGAIN = timedelta(days=1)  #: after which the same trouble is told once more
EMPTY = "game/none"  #: of a folder in which nothing of a game lies
#: the ways that are shown on a system
USUAL = {"darwin": ("launchd",), "win32": ("windows",)}
NOTHING = {"held"}  #: of a message with which nothing happened


def run(
    roots: Roots,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Say which orders would be played and which waiting emails sent. It does not look "
            "into the mailbox, and changes nothing.",
        ),
    ] = False,
    install: Annotated[
        bool, typer.Option("--install", help="Show how to run this every 5 minutes.")
    ] = False,
) -> Result:
    """Fetch email, play the orders that have waited for 10 minutes, and send the reports.

    It says nothing if nothing happened. Once a day it backs up your games in PBEM_HOME/backups.
    """
    if install:
        return _install(roots)
    home = the_home()
    if dry_run:
        return _run(home, roots, dry_run)
    with hold_tick(home) as free:
        return _run(home, roots, dry_run) if free else Result(_document(Ticked()), "")


def _run(home: Home, roots: list[Path], dry_run: bool) -> Result:
    time = now()
    lines = not_ticking(home, time)
    games, notes = open_games(roots, time)
    empty = [root for root, one in games if isinstance(one, PbemError) and one.code == EMPTY]
    quiet = [f"there is no game in {root} yet" for root in empty]
    copies = [one for _, one in games if isinstance(one, PbemError) and one.code == COPY]
    quiet += [f"passed over: {one.line()}" for one in copies]
    sessions, failed = usable(
        [row for row in games if row[0] not in empty and row[1] not in copies], notes
    )
    if failed and not sessions and not quiet:
        raise failed[0]
    folders = [GameFolder(root) for root, one in games if _may_send(one)]
    full = [root for root in roots if root not in empty]
    done = tick(home, full, folders, sessions, time, dry_run, failed)
    waits = [undecided_yet(one.folder.root).line() for one in sessions if one.undecided]
    bad = [
        f"{root}: not resolved: {one.line()}"
        for root, one in done.resolved
        if isinstance(one, PbemError)
    ]
    trouble = [*bad, *done.trouble, *notes, *done.notes]
    told = [*trouble, *quiet] if dry_run else _new(home, trouble, quiet, time, done)
    lines += [*_of_games(done), *_of_accounts(done), *told, *waits]
    trouble += waits
    marks = {came.mark for account in done.fetched for came in account.came}
    untaken = marks & {Kept.NEW, Kept.BROKEN}
    return Result(_document(done, trouble, quiet), "\n".join(lines), int(bool(trouble or untaken)))


def _may_send(game: Session | PbemError) -> bool:
    """Whether its outbox is looked at: not where it is told already why it does not act."""
    if isinstance(game, PbemError):
        return not game.code.startswith("folder/")
    return not (game.undecided or game.handed_over)


def _new(home: Home, trouble: list[str], quiet: list[str], time: str, done: Ticked) -> list[str]:
    """What is wrong, unless a run of the last day said the very same; what is not, once."""
    lines = [*trouble, *quiet]
    mark = sha256("\n".join(lines).encode("utf-8", "replace")).hexdigest()
    last = read_ticked(home)
    told = last.told if last.mark == mark else ""
    try:
        day_ago = datetime.fromisoformat(time) - AGAIN
        again = not told or (bool(trouble) and datetime.fromisoformat(told) <= day_ago)
    except ValueError:
        again = True
    write_ticked(home, LastTick(time, mark, time if again else told, *done.listened))
    return lines if again else []


def _of_games(done: Ticked) -> list[str]:
    """A line for each game in which something happened."""
    parts = dict[str, list[str]]()
    came = [one.received for account in done.fetched for one in account.came]
    for folder in dict.fromkeys(one.facts["dir"] for one in came if "dir" in one.facts):
        kinds = [OUTCOMES.get(x.kind, "ignored") for x in came if x.facts.get("dir") == folder]
        parts[folder] = [f"{_number(kinds.count(k))} {k}" for k in dict.fromkeys(kinds)]
    for root, one in done.resolved:
        if not isinstance(one, PbemError):
            parts.setdefault(str(root), []).extend([_played(one.said), *_missed(one)])
    told = [row for account in done.sent for row in account.told if row.what not in NOTHING]
    for folder in dict.fromkeys(row.dir for row in told):
        whats = [row.what for row in told if row.dir == folder]
        for what in dict.fromkeys(whats):
            said = WORDS[what].format(
                next(r.said for r in told if (r.dir, r.what) == (folder, what))
            )
            parts.setdefault(folder, []).append(f"{_number(whats.count(what))} {said}")
    return [f"{folder}: {'; '.join(found)}" for folder, found in parts.items()]


def _missed(came: Resolved) -> list[str]:
    """Whose turn was missed in what was played, and whose seat that opens."""
    record = came.session.link
    seats = dict.fromkeys(one.seat for one in came.orders if source_of(one.source).missed)
    open_now = [row.seat for row in record.clock.seats if record.clock.opened(row)]
    lines = (
        [f"turn missed: {all_of([record.player(seat).shown for seat in seats])}"] if seats else []
    )
    gone = [record.player(seat).shown for seat in open_now if seat in seats]
    return [*lines, *([f"the seat is open: {all_of(gone)}"] if gone else [])]


def _played(said: str) -> str:
    """Without where everything lies."""
    return said.partition(", reports and emails in ")[0].partition("; reports and emails")[0]


def _number(count: int) -> str:
    return "1 email" if count == 1 else f"{count} emails"


def _of_accounts(done: Ticked) -> list[str]:
    lines = []
    for account in done.fetched:
        came = [one for one in account.came if "dir" not in one.received.facts]
        lines += [f"{account.account}: {words(one.received)}{where_it_is(one)}" for one in came]
        lines += [f"{account.account}: {note}" for note in account.notes]
    return lines


def _document(
    done: Ticked, trouble: Sequence[str] = (), quiet: Sequence[str] = ()
) -> dict[str, object]:
    return {
        "fetched": [fetched_document(account) for account in done.fetched],
        "resolved": [row_of(root, came)[0] for root, came in done.resolved],
        "sent": [account_document(account) for account in done.sent],
        "backups": [str(path) for path in done.backups],
        "trouble": [*trouble],
        "notes": [*quiet],
    }


def _install(roots: list[Path]) -> Result:
    """What to paste, on the screen for this system alone."""
    for root in (root for root in roots if root.exists()):
        refuse_no_folder(root, "pbem status")
    program = shutil.which(sys.argv[0]) or shutil.which("pbem")
    start = [str(Path(program).absolute())] if program else [sys.executable, "-m", "pbem"]
    line = [*start, "tick", *(str(root.resolve()) for root in roots)]
    if any(not word.isprintable() for word in line):
        raise BadInput("file/name", "the name of a folder cannot be printed", "rename it")
    found = ways(line, os.environ.get("PBEM_HOME", ""))
    names = USUAL.get(sys.platform, ("systemd", "cron"))
    missing = [f"# there is no folder {root} yet: make it" for root in roots if not root.exists()]
    shown = (f"# {name}: paste this into a terminal\n{found[name]}" for name in names)
    text = "\n".join([*missing, *shown])
    return Result({"ways": found}, text)
