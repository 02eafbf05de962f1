"""``pbem restore``: bring a backup back."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.chain.ruling_row import check_reason
from pbem.clock import now
from pbem.commands.adopt import adoption_lines, decision_hint
from pbem.disk.journal import count_received_since, read_accounts
from pbem.disk.whole import refuse_dash
from pbem.errors import BadInput, CannotRead, PbemError
from pbem.result import Result
from pbem.services.amend.restore import (
    RestoredGame,
    confirm_newest_state,
    continue_from_older_state,
    restore_backup,
    rule_emails_lost,
)
from pbem.services.session.folders import lost_emails_note, restore_command
from pbem.services.session.keys import open_home
from pbem.services.session.session import Session

FOLDER_PLACEHOLDER = Path("DIR")  #: stands for the folder of each game


def run(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A file that `pbem backup` wrote.")] = None,
    target: Annotated[
        Path | None,
        typer.Option("--to", metavar="NEW", help="A new folder; without it, the file's name in this folder."),
    ] = None,
    go_on_directory: Annotated[
        Path | None,
        typer.Option("--go-on", metavar="FOLDER_PLACEHOLDER", help="Go on, although newer states are lost."),
    ] = None,
    complete_directory: Annotated[
        Path | None,
        typer.Option("--nothing-lost", metavar="FOLDER_PLACEHOLDER", help="Go on; no report is of a later state."),
    ] = None,
    unseen: Annotated[
        bool, typer.Option(help="With --go-on: this machine never saw the lost states; a player did.")
    ] = False,
    emails_lost: Annotated[
        bool,
        typer.Option(
            "--emails", help="With --go-on: no state is lost, but emails that were answered since the backup."
        ),
    ] = False,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why, for all players to read. Required with --go-on.")
    ] = "",
) -> Result:
    """Bring a backup back into a new folder. From then on the game is played there.

    Nothing of it is fetched, played or sent before you say whether newer states are lost: with
    --nothing-lost, or with --go-on, which tells all players by a ruling.
    """
    if (file is not None or target is not None) + (go_on_directory is not None) + bool(complete_directory) > 1:
        message = "choose one of a file to restore, --go-on and --nothing-lost"
        raise BadInput("restore/either", message, "restore the file first, then go on with its folder")
    if go_on_directory is not None:
        return (_report_lost_emails if emails_lost else _go_on)(go_on_directory, reason, unseen, now())
    if reason or unseen or emails_lost:
        option = "--reason" if reason else "--unseen" if unseen else "--emails"
        raise BadInput("restore/reason", f"{option} goes only with --go-on", "leave it out")
    if complete_directory is not None:
        return _nothing_lost(complete_directory, now())
    if file is None:
        raise BadInput("restore/file", "no backup was named", "pbem restore FILE")

    refuse_dash(file, "a backup", "pbem restore FILE")
    return _bring_back(file, target, now())


def _bring_back(file: Path, directory: Path | None, time: str) -> Result:
    target = directory or Path(file.name.partition(".")[0] or "restored")
    games, notes = restore_backup(file, target, time)
    roots_by_hint = dict[str, list[Path]]()  # what is said of many games, once
    count_text = f"{len(games)} game{'s' if len(games) != 1 else ''}" if games else "the backup is"
    lines = [f"{count_text} restored to {target}."]
    for root, game in games:
        if isinstance(game, PbemError):
            notes.append(f"{root}: {game.as_line()}")
            continue
        lines.append(f"  {root}: state {game.state_number}")
        roots_by_hint.setdefault(decision_hint(FOLDER_PLACEHOLDER), []).append(root)
        lines += adoption_lines(game.adopted_game)
        if game.newest_seen > game.state_number:
            notes.append(
                f"{root}: this machine has seen state {game.newest_seen}. If that is lost for good: "
                f"{restore_command(root)}"
            )
        else:
            roots_by_hint.setdefault(lost_emails_note(FOLDER_PLACEHOLDER), []).append(root)
    for hint, roots in roots_by_hint.items():
        single_note = f"{roots[0]}: {hint.replace(str(FOLDER_PLACEHOLDER), str(roots[0]))}"
        notes.append(f"each of {len(roots)} games: {hint}" if len(roots) > 1 else single_note)
    restored_games = [(root, game) for root, game in games if not isinstance(game, PbemError)]
    try:
        notes += _email_notes(target, [game for _, game in restored_games])
    except CannotRead as error:
        notes.append(error.as_line())
    lines += [f"note: {note}" for note in notes]
    rows = [{"dir": str(root)} | game.adopted_game._asdict() for root, game in restored_games]
    data = {"to": str(target), "games": [str(root) for root, _ in games], "notes": notes}
    return Result(data | {"adopted": rows}, "\n".join(lines))


def _email_notes(target: Path, games: list[RestoredGame]) -> list[str]:
    """What became of emails since the backup, which nobody can see in it."""
    home, day = open_home(), max((game.time[:10] for game in games), default="")
    if not day:
        return []
    fetch_hint = f"unless a player has a later report, fetch them again: pbem fetch {target} --since {day}"
    manual_hint = f"save those from your mailbox, and type `pbem receive {target} FILE...`"
    missing = f"emails that came after this backup (its newest state is of {day}) are not in it"
    if read_accounts(home) is None:
        notes = [f"{missing}; {manual_hint}"]
    elif received_count := count_received_since(home, day):
        received_text = f"of those since that day this machine has taken {received_count}, and fetches none twice"
        notes = [f"{missing}; {received_text}: {manual_hint}", f"those it has not taken: {fetch_hint}"]
    else:
        notes = [f"{missing}; {fetch_hint}"]
    if unsent := sum(game.unsent_count for game in games):
        count_text = "1 email waits" if unsent == 1 else f"{unsent} emails wait"
        notes.append(
            f"{count_text} to be sent, as when the backup was made. What you have sent since goes once "
            f"more with `pbem send`, unless you file it first: pbem sent DIR FILE..."
        )
    return notes


def _nothing_lost(directory: Path, time: str) -> Result:
    session = confirm_newest_state(directory, time)
    return _decision_result(directory, session, [f"goes on from state {session.record.n}; nothing was lost."])


def _report_lost_emails(directory: Path, reason: str, unseen: bool, time: str) -> Result:
    if unseen:
        hint = "--unseen says that states were lost, and their emails with them"
        raise BadInput("restore/either", "choose either --emails or --unseen", hint)
    session = rule_emails_lost(directory, check_reason(reason), time)
    n = session.record.n
    sentence = f"state {n} says that waiting orders were lost; all players read it."
    return _decision_result(directory, session, [sentence])


def _go_on(directory: Path, reason: str, unseen: bool, time: str) -> Result:
    session, restored_number = continue_from_older_state(directory, check_reason(reason), time, unseen)
    n = restored_number + 1  # after it there may be a state that waiting orders were lost
    lines = [
        f"goes on from state {restored_number} as state {n}; all players read it.",
        "Anyone who has a report of a lost state sees that it is no longer in this chain.",
    ]
    return _decision_result(directory, session, lines, n)


def _decision_result(directory: Path, session: Session, sentences: list[str], n: int = -1) -> Result:
    """``n``: of the state with the ruling, if it is not the newest."""
    notes, record = session.notes, session.record
    lines = [f"{session.label}: {sentences[0]}", *sentences[1:], *(f"note: {note}" for note in notes)]
    data = {"dir": str(directory), "game": record.game, "n": record.n if n < 0 else n, "notes": notes}
    return Result(data, "\n".join(lines))
