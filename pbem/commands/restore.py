"""``pbem restore``: restores a backup, and records what was lost."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pbem.chain.clock_words import count_text
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

FETCH_AGAIN = "Unless a player has a later report, fetch them again: pbem fetch {target} --since {day}"
OTHERS_HINT = "emails that it has not imported: {hint}"
UNSENT_EMAIL = (
    "1 email waits to be sent, as when the backup was made. `pbem send` sends again what you have "
    "sent since. To prevent that, file it first: pbem sent DIR FILE..."
)
UNSENT_EMAILS = (
    "{number} emails wait to be sent, as when the backup was made. `pbem send` sends again what you have "
    "sent since. To prevent that, file it first: pbem sent DIR FILE..."
)
FOLDER_PLACEHOLDER = Path("DIR")  #: the folder in a hint for several games


def run(
    file: Annotated[Path | None, Argument(metavar="[FILE]", help="A file that `pbem backup` wrote.")] = None,
    target: Annotated[
        Path | None, Option("--to", metavar="NEW", help="A new folder. Default: the file's name.")
    ] = None,
    go_on_directory: Annotated[
        Path | None, Option("--go-on", metavar="DIR", help="Continue without newer states.")
    ] = None,
    complete_directory: Annotated[
        Path | None, Option("--nothing-lost", metavar="DIR", help="Continue: no state is lost.")
    ] = None,
    unseen: Annotated[bool, Option(help="With --go-on: a player saw the lost states, this machine did not.")] = False,
    emails_lost: Annotated[bool, Option("--emails", help="With --go-on: only emails are lost, and no states.")] = False,
    reason: Annotated[str, Option(metavar="TEXT", help="Why, for all players to read. Required with --go-on.")] = "",
) -> Result:
    """Restore a backup into a new folder. From then on the game is played there.

    pbem fetches, plays and sends nothing until you say whether newer states are lost. Use
    --nothing-lost, or --go-on, which makes a ruling that all players read.
    """
    is_file_given = file is not None or target is not None
    if is_file_given + (go_on_directory is not None) + (complete_directory is not None) > 1:
        message = "choose one of a file to restore, --go-on and --nothing-lost"
        raise BadInput("restore/either", message, "restore the file first, then continue in its folder")
    if go_on_directory is not None:
        if emails_lost:
            return _rule_emails_lost(go_on_directory, reason, unseen, now())
        return _continue_from_backup(go_on_directory, reason, unseen, now())
    if reason or unseen or emails_lost:
        given_options = {"--reason": reason, "--unseen": unseen, "--emails": emails_lost}
        option = next(name for name, value in given_options.items() if value)
        raise BadInput("restore/reason", f"{option} goes only with --go-on", "leave it out")
    if complete_directory is not None:
        return _continue_complete(complete_directory, now())
    if file is None:
        raise BadInput("restore/file", "no backup was named", "pbem restore FILE")
    refuse_dash(file, "a backup", "pbem restore FILE")
    return _restore_file(file, target or Path(file.name.partition(".")[0] or "restored"), now())


def _restore_file(file: Path, target: Path, time: str) -> Result:
    """Restore a backup. Each game that cannot be opened becomes a note and does not stop the others."""
    games, notes = restore_backup(file, target, time)
    count = count_text(len(games), "game")
    lines = [f"{count} restored to {target}." if games else f"the backup is restored to {target}."]
    restored_games = dict[Path, RestoredGame]()
    for root, game in games:
        if isinstance(game, PbemError):
            notes.append(f"{root}: {game.as_line()}")
            continue
        restored_games[root] = game
        lines += [f"  {root}: state {game.state_number}", *adoption_lines(game.adopted_game)]
    notes += _lost_state_notes(restored_games)
    try:
        notes += _email_notes(target, [*restored_games.values()])
    except CannotRead as error:
        notes.append(error.as_line())
    lines += [f"note: {note}" for note in notes]
    rows = [{"dir": str(root)} | game.adopted_game._asdict() for root, game in restored_games.items()]
    data = {"to": str(target), "games": [str(root) for root, _ in games], "notes": notes}
    return Result(data | {"adopted": rows}, "\n".join(lines))


def _lost_state_notes(games: dict[Path, RestoredGame]) -> list[str]:
    """Return what the referee must decide, game by game. A note on several games is given only once."""
    notes = list[str]()
    roots_by_hint = dict[str, list[Path]]()
    for root, game in games.items():
        roots_by_hint.setdefault(decision_hint(FOLDER_PLACEHOLDER), []).append(root)
        if game.newest_seen > game.state_number:
            notes.append(
                f"{root}: this machine has seen state {game.newest_seen}. "
                f"If that state is lost: {restore_command(root)}"
            )
        else:
            roots_by_hint.setdefault(lost_emails_note(FOLDER_PLACEHOLDER), []).append(root)
    for hint, roots in roots_by_hint.items():
        if len(roots) > 1:
            notes.append(f"each of {len(roots)} games: {hint}")
        else:
            notes += [f"{root}: {hint.replace(str(FOLDER_PLACEHOLDER), str(root))}" for root in roots]
    return notes


def _email_notes(target: Path, games: list[RestoredGame]) -> list[str]:
    """Return how to recover emails that arrived after the backup, and how many might be sent twice."""
    home = open_home()
    day = max((game.time[:10] for game in games), default="")  # of the newest state in the backup
    if not day:
        return []
    fetch_hint = FETCH_AGAIN.format(target=target, day=day)
    manual_hint = f"Save them from your mailbox, and type `pbem receive {target} FILE...`"
    missing = f"emails that arrived after this backup (its newest state is of {day}) are not in it"
    received_count = 0 if read_accounts(home) is None else count_received_since(home, day)
    if read_accounts(home) is None:
        notes = [f"{missing}. {manual_hint}"]
    elif received_count:
        emails = count_text(received_count, "email")
        received_text = f"This machine has imported {emails} since that day, and fetches none twice"
        notes = [f"{missing}. {received_text}. {manual_hint}", OTHERS_HINT.format(hint=fetch_hint)]
    else:
        notes = [f"{missing}. {fetch_hint}"]
    unsent_count = sum(game.unsent_count for game in games)
    if unsent_count:
        notes.append((UNSENT_EMAIL if unsent_count == 1 else UNSENT_EMAILS).format(number=unsent_count))
    return notes


def _continue_complete(directory: Path, time: str) -> Result:
    session = confirm_newest_state(directory, time)
    return _decision_result(directory, session, [f"continues from state {session.record.n}; nothing was lost."])


def _rule_emails_lost(directory: Path, reason: str, unseen: bool, time: str) -> Result:
    if unseen:
        hint = "--unseen says that states were lost, so their emails were lost too"
        raise BadInput("restore/either", "choose either --emails or --unseen", hint)
    session = rule_emails_lost(directory, check_reason(reason), time)
    sentence = f"state {session.record.n} says that pending orders were lost; all players read it."
    return _decision_result(directory, session, [sentence])


def _continue_from_backup(directory: Path, reason: str, unseen: bool, time: str) -> Result:
    session, restored_number = continue_from_older_state(directory, check_reason(reason), time, unseen)
    n = restored_number + 1  # a state that says that pending orders were lost may follow it
    lines = [
        f"continues from state {restored_number} as state {n}; all players read it.",
        "Anyone who has a report of a lost state sees that it is no longer in the log.",
    ]
    return _decision_result(directory, session, lines, n)


def _decision_result(directory: Path, session: Session, sentences: list[str], n: int | None = None) -> Result:
    """Return what the referee decided. ``n``: the state with the ruling; None for the newest state."""
    notes, record = session.notes, session.record
    lines = [f"{session.label}: {sentences[0]}", *sentences[1:], *(f"note: {note}" for note in notes)]
    data = {"dir": str(directory), "game": record.game, "n": record.n if n is None else n, "notes": notes}
    return Result(data, "\n".join(lines))
