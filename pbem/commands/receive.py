"""``pbem receive``: imports players' emails and writes receipts."""

from pathlib import Path
from typing import Annotated, NamedTuple

from typer import Argument, Option

from pbem.chain.clock import format_instant
from pbem.chain.clock_words import count_text
from pbem.clock import now
from pbem.commands.arguments import Root
from pbem.disk.games import NO_GAMES_HINT
from pbem.disk.mailboxes import read_saved_emails
from pbem.errors import BadInput, PbemError
from pbem.result import Result
from pbem.services.receive.authentication import refuse_typed_orders
from pbem.services.receive.find_game import Games
from pbem.services.receive.receive import receive_file
from pbem.services.receive.result import ReceiveResult, result_without_seat
from pbem.services.session.folders import OpenResult, open_games, restore_undecided_error
from pbem.services.session.newest import find_seat
from pbem.services.session.session import Session

OTHER_REFEREE_CODE = "state/other-key"  #: the error of another referee's game
#: what happened to an email, by verdict; any other verdict means "ignored"
OUTCOMES = {"kept": "accepted", "answered": "without orders", "refused": "refused", "unfinished": "unfinished"}
#: the errors of a folder without a game
NO_GAME_CODES = ("game/none", "game/no-states")


def run(
    root: Root,
    files: Annotated[
        list[str], Argument(metavar="FILE...", help="Emails, move files, mailboxes or folders. - is standard input.")
    ],
    show_secret: Annotated[bool, Option("--secret", help="Also show hidden orders: cards and plans.")] = False,
    typed: Annotated[str, Option(metavar="SEAT", help="You typed these orders for the player at SEAT.")] = "",
) -> Result:
    """Import players' emails. The code in each email says which game and seat it is for.

    pbem accepts all lines of an email, or none. Each player gets a receipt, in desk/outbox.
    """
    sessions, notes, _ = open_usable_games([root])
    if typed and len(sessions) == 1:  # before reading: one error, not one for each email
        refuse_typed_orders(sessions[0], find_seat(sessions[0].record, typed))
    games = Games(sessions)
    results = [result for name in files for result in _receive_saved(games, name, show_secret, typed)]
    if not results:
        raise BadInput("receive/none", f"there is no email in {', '.join(files)}", "pbem status")
    notes += [f"{session.label}: {note}" for session in sessions for note in session.notes]
    lines = [*map(result_text, results), *(f"note: {note}" for note in notes)]
    if len(results) > 1:
        lines.append(_counts_line(results))
    text = "\n".join(lines)
    data = {"files": [result.document() for result in results], "notes": notes}
    return Result(data, text, max(result.exit_code for result in results))


def _receive_saved(games: Games, name: str, show_secret: bool, typed: str) -> list[ReceiveResult]:
    """Import the emails in a file, mailbox or folder. If it cannot be read, return one result with the error."""
    try:
        emails = read_saved_emails(name)
    except PbemError as error:
        return [result_without_seat(name, "unreadable", error)]
    results = list[ReceiveResult]()
    for email_name, data, delivered_at in emails:
        arrival = "" if delivered_at is None else format_instant(delivered_at)
        results.append(receive_file(games, email_name, show_secret, typed, arrival, data))
    return results


def result_text(result: ReceiveResult) -> str:
    """Return what happened to one email, in words for the referee."""
    parts = (result.file or repr(result.file), result.player_label, result.summary)
    return "\n".join([": ".join(part for part in parts if part), *result.extra_lines])


def _counts_line(results: list[ReceiveResult]) -> str:
    """Return a line such as ``3 emails: 2 accepted, 1 ignored``."""
    outcomes = [OUTCOMES.get(result.kind, "ignored") for result in results]
    counts = [f"{outcomes.count(outcome)} {outcome}" for outcome in dict.fromkeys(outcomes)]
    return f"{len(results)} emails: {', '.join(counts)}"


class UsableGames(NamedTuple):
    """The games in some folders."""

    sessions: list[Session]  #: those that could be opened
    notes: list[str]  #: what the referee should know; a line for each other game
    failed: list[PbemError]  #: why the others could not be opened


def open_usable_games(roots: list[Path]) -> UsableGames:
    """Open all games in these folders. Raise an error if none of them can receive emails."""
    games, notes = open_games(roots, now())
    sessions, notes, failed = select_usable_games(games, notes)
    if sessions and all(session.restore_undecided for session in sessions):
        raise restore_undecided_error(sessions[0].folder.root)
    notes += [
        restore_undecided_error(session.folder.root).as_line() for session in sessions if session.restore_undecided
    ]
    if not sessions and failed[0].code in NO_GAME_CODES:
        raise BadInput("game/none", f"there is no game in {', '.join(map(str, roots))}", NO_GAMES_HINT)
    if not sessions:
        raise failed[0]
    return UsableGames(sessions, notes, failed)


def select_usable_games(games: list[OpenResult], notes: list[str]) -> UsableGames:
    """Separate the open games from those that failed. Return them with ``notes`` and more notes about them."""
    notes = [*notes]
    sessions = list[Session]()
    failed = list[PbemError]()
    for folder, game in games:
        try:
            if isinstance(game, PbemError):
                raise game
            has_codes = bool(game.codes_secret)  # reads the private folder, which may fail
        except PbemError as error:
            failed.append(error)
            if error.code != OTHER_REFEREE_CODE:
                notes.append(f"{folder.name}: {error.as_line()}")
            continue
        sessions.append(game)
        if not has_codes:
            notes.append(
                f"{game.label}: its reply codes are lost, so its emails do not count. "
                f"`pbem resolve {folder}` makes new codes"
            )
    other_referees = sum(error.code == OTHER_REFEREE_CODE for error in failed)
    if other_referees and sessions:
        notes.append(f"pbem skipped {count_text(other_referees, 'game')} of another referee")
    return UsableGames(sessions, notes, failed)
