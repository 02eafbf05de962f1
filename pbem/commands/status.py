"""``pbem status``: a table of games, with what each needs from the referee and its players."""

import os
from collections import Counter
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

from pbem.chain.clock import HOUR, WAIT, epoch_seconds, format_instant
from pbem.chain.clock_words import instant_in_prose
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.clock import now
from pbem.commands.arguments import OptionalRoots
from pbem.disk.folder import GameFolder
from pbem.disk.games import NO_GAMES_HINT, SEARCH_DEPTH, find_games
from pbem.disk.home import Home
from pbem.engine.row import join_with_and
from pbem.errors import BadInput, PbemError
from pbem.result import RED, YELLOW, Result, on_terminal
from pbem.services.session.keys import open_home
from pbem.services.session.needs import GameNeeds, read_needs
from pbem.services.session.worklist import count_referee_messages, find_late_tick

DAY = 24 * HOUR
EMPTY_CELL = "\N{EN DASH}"
HEADINGS = ("game", "waits for", "since", "due", "ready", "messages", "outbox")
GAME_COLUMN, WAITS_COLUMN = 0, 1  #: the columns that may be shortened
MIN_WIDTH = 12  #: to this many characters
UNREACHED_TEXT = (
    "email to {who} comes back; ask for another address, then `{act} player {seat} --address "
    "ADDRESS --reason …` sends it; `{act} extend --player {seat} --by 7d --reason …` gives time"
)


class Urgency(IntEnum):
    """Why a game is where it is in the table. Games with the lowest value come first."""

    TROUBLE = 0  #: emails failed, or files are missing
    REFEREE = 1  #: the referee has something to do
    LATE = 2  #: a player is late
    WAITING = 3
    OVER = 4


URGENCY_COLOURS = {Urgency.TROUBLE: RED, Urgency.REFEREE: YELLOW, Urgency.LATE: RED}


class TableRow(NamedTuple):
    """A game in the table."""

    document: dict[str, Any]  #: for ``--json``
    details: str = ""  #: the line below its row
    zone: str = ""  #: the time zone in which its deadline is shown


class Table(NamedTuple):
    """The table of ``pbem status``."""

    lines: list[str]
    colours: dict[int, str]  #: of some lines, by number


def run(roots: OptionalRoots = None) -> Result:
    """Show what each game needs, most urgent first. It needs no key.

    `ready`: pending orders can be played. `messages`: messages to you that you have not read.
    `outbox`: emails that are not sent. It looks for games up to 4 folders deep.
    """
    home, time = open_home(), now()
    games: list[TableRow] = []
    notes: list[str] = []
    message_counts = count_referee_messages(home)
    for root in roots or [Path()]:
        folders, folder_notes = find_games(root)
        games += [_table_row(folder, home, message_counts, time) for folder in folders]
        notes += folder_notes
    if not games:
        places = ", ".join(map(str, roots or ())) or "this folder"
        message = f"there is no game in {places} ({SEARCH_DEPTH} folders deep)"
        raise BadInput("game/none", message, NO_GAMES_HINT)
    notes += find_late_tick(home, time)
    table = build_table(games, time)
    text = "\n".join([*table.lines, *(f"note: {note}" for note in notes)])
    rows = [game.document for game in games]
    has_errors = any("error" in row for row in rows)
    return Result({"games": rows, "notes": notes}, text, 1 if has_errors else 0, colours=table.colours)


def _table_row(folder: GameFolder, home: Home, message_counts: Counter[str], time: str) -> TableRow:
    root = str(folder.root)
    try:
        needs = read_needs(folder, home, message_counts)
        details = "; ".join(filter(None, _details(needs, root, time)))
        return TableRow({"dir": root} | _needs_document(needs), details, needs.record.clock.zone)
    except PbemError as error:
        return TableRow({"dir": root, "error": error.code, "why": error.as_line()})


def _needs_document(needs: GameNeeds) -> dict[str, Any]:
    """The game for ``--json``."""
    record, progress = needs.record, needs.progress
    behind_row = {} if needs.newer_number is None else {"behind": needs.newer_number}
    return behind_row | {
        "game": record.game,
        "kind": record.setup.kind,
        "n": record.n,
        "since": record.time,
        "waits_for": progress.waits,
        "over": progress.is_over,
        "closed": record.phase == CLOSED,
        "winners": list(progress.outcome.winners) if progress.outcome else [],
        "scores": {standing.seat: standing.points for standing in progress.standings if standing.points is not None},
        "standing": {standing.seat: standing.text for standing in progress.standings},
        "ready": progress.is_ready,
        "unsent": needs.unsent,
        "unsure": needs.maybe_sent,
        "failed": needs.failed,
        "messages": needs.referee_messages,
        "unreached": needs.unreached_seats,
        "held": [{"seat": seat, "proposed": was_proposed} for seat, was_proposed in needs.held_emails.items()],
        "handed_over": needs.was_handed_over,
        "elsewhere": [
            {"seat": seat, "from": sender, "time": time}
            for seat, (sender, time, _) in needs.unregistered_senders.items()
        ],
    }


def _details(needs: GameNeeds, root: str, time: str) -> list[str]:
    """What the referee should know about the game, for the line below its row."""
    record = needs.record
    if needs.was_handed_over:
        return ["handed over to another referee; move it out of the folder of your games"]
    lines = [_progress_text(needs, root, time) if record.is_dealt else _joining_text(needs)]
    for seat in needs.unreached_seats:
        player_name, command = record.player(seat).label, f"pbem amend {root}"
        lines.append(UNREACHED_TEXT.format(who=player_name, act=command, seat=seat))
    for seat, was_proposed in needs.held_emails.items():
        proposal = "proposal sent" if was_proposed else "waiting for clear orders"
        lines.append(f"{record.player(seat).label}: email held, {proposal}")
    for seat, (sender, *_) in needs.unregistered_senders.items():
        lines.append(f"an email for {record.player(seat).label} came from {sender}, and counts")
    return lines


def _progress_text(needs: GameNeeds, root: str, time: str) -> str:
    """An undo that players are asked about, the result, or turns that are not played in time."""
    record, outcome, text = needs.record, needs.progress.outcome, ""
    if needs.undo_consent is not None:
        from pbem.play.consent import describe_consent  # rarely needed

        names = dict(zip(record.setup.seats, record.names, strict=True))
        text = describe_consent(needs.undo_consent, names, root)
    if outcome is not None:
        winners = join_with_and([record.player(seat).label for seat in outcome.winners])
        text = text or f"won by {winners or 'nobody'}"
    elif record.phase == CLOSED:
        closed_at = instant_in_prose(record.time, record.clock.zone)
        text = f"closed by the referee on {closed_at}: {record.rulings[0].reason}"
    if not text:
        seats = {wait["seat"] for wait in needs.progress.waits}
        clock_text = _clock_text(record, seats, time, root) if seats else ""
        text = "; ".join(filter(None, [_vacant_seats_text(record, root), clock_text]))
    return text


def _joining_text(needs: GameNeeds) -> str:
    from pbem.play.joining import opening  # only before the deal

    record, declined_seats = needs.record, needs.progress.declined_by_seat
    waiting_text = opening.describe_waiting(record, tuple(wait["seat"] for wait in needs.progress.waits))
    if declined_seats:
        return f"{'; '.join(opening.describe_declined(record, declined_seats))}: no deal"
    return waiting_text[0].lower() + waiting_text[1:]


def _vacant_seats_text(record: StateRecord, root: str) -> str:
    """The seats that other players may get, because of missed turns in a row. "" if there are none."""
    vacant_seats = [row.seat for row in record.clock.seats if record.clock.is_seat_open(row)]
    if not vacant_seats:
        return ""
    player_names = join_with_and([record.player(seat).label for seat in vacant_seats])
    command = f"pbem amend {root} player {vacant_seats[0]} --name NAME --address ADDRESS --reason …"
    return (
        f"missed {record.clock.missed_turn_limit} turns in a row, so the seat is vacant: {player_names}; "
        f"`{command}` gives it to another player"
    )


def _clock_text(record: StateRecord, seats: set[str], time: str, root: str) -> str:
    """A pause, or turns that are over but not played yet. "" if there is neither."""
    clock, now_seconds = record.clock, epoch_seconds(time)
    if clock.remaining_pause(time):
        return f"paused until {instant_in_prose(clock.paused_until, clock.zone, time)}"
    overdue = [seat_clock.seat for seat_clock in clock.seats if seat_clock.seat in seats and seat_clock.deadline]
    overdue = [seat for seat in overdue if now_seconds >= clock.missed_at(seat)]
    if not overdue or not clock.has_deadlines or clock.missed == WAIT:
        return ""
    player_names = join_with_and([record.player(seat).label for seat in overdue])
    return (
        f"the turn of {player_names} is over: `pbem tick {root}` plays it, or says why not; "
        f"`pbem resolve {root} --missed {overdue[0]}` plays it in any case"
    )


def build_table(games: list[TableRow], time: str) -> Table:
    """The games in columns, the most urgent first. Games that cannot be read come before all others."""
    now_seconds = epoch_seconds(time)
    unreadable_rows = (game.document for game in games if "error" in game.document)
    lines = [f"{row['dir']}: cannot be read: {row['why']}" for row in unreadable_rows]
    colours = dict.fromkeys(range(len(lines)), RED)
    urgencies = {
        game.document["dir"]: _urgency(game.document, now_seconds) for game in games if "error" not in game.document
    }
    readable_games = [game for game in games if "error" not in game.document]
    readable_games.sort(key=lambda game: (urgencies[game.document["dir"]], game.document["dir"]))
    if not readable_games:
        return Table(lines, colours)
    cells = [HEADINGS, *(_row_cells(game, now_seconds) for game in readable_games)]
    heading, *rows = _format_columns(cells)
    lines.append(heading)
    for game, row in zip(readable_games, rows, strict=True):
        urgency = urgencies[game.document["dir"]]
        if urgency in URGENCY_COLOURS:
            colours[len(lines)] = URGENCY_COLOURS[urgency]
        lines += [row, *(f"  {detail}" for detail in _lines_below(game))]
    return Table(lines, colours)


def _urgency(row: dict[str, Any], now_seconds: int) -> Urgency:
    """Return how soon the referee has to act in this game. A game that is over is never late."""
    is_older_copy = "behind" in row
    if is_older_copy or row["failed"] or row["unreached"]:
        return Urgency.TROUBLE
    if row["ready"] or row["messages"] or row["unsent"] or row["unsure"]:
        return Urgency.REFEREE
    if row["over"] or row["closed"]:
        return Urgency.OVER
    is_late = any(wait["due"] and epoch_seconds(wait["due"]) < now_seconds for wait in row["waits_for"])
    return Urgency.LATE if is_late else Urgency.WAITING


def _row_cells(game: TableRow, now_seconds: int) -> tuple[str, ...]:
    row = game.document
    waiting_players = ", ".join(f"{wait['player']} ({wait['seat']})" for wait in row["waits_for"])
    waiting_since = min((wait["since"] for wait in row["waits_for"]), default=row["since"])
    ended_prefix = "closed for " * row["closed"] or "over for " * row["over"]
    deadline = min((wait["due"] for wait in row["waits_for"] if wait["due"]), default="")
    outbox_notes = [
        f"{row[key]} {word}"
        for key, word in (("failed", "FAILED"), ("unsure", "unsure"), ("unsent", "unsent"))
        if row[key]
    ]
    if not outbox_notes and row["over"] and not row["closed"]:
        outbox_notes = ["archive it?"]
    return (
        row["dir"],
        waiting_players or EMPTY_CELL,
        f"{ended_prefix}{_age_text(now_seconds - epoch_seconds(waiting_since))}",
        _deadline_text(deadline, now_seconds, game.zone) if deadline else EMPTY_CELL,
        "yes" if row["ready"] else EMPTY_CELL,
        str(row["messages"] or EMPTY_CELL),
        ", ".join(outbox_notes) or EMPTY_CELL,
    )


def _age_text(age: int) -> str:
    """``12 d``, ``3 h``, ``5 min``."""
    if age >= 2 * DAY:
        return f"{age // DAY} d"
    return f"{age // HOUR} h" if age >= HOUR else f"{max(age, 0) // 60} min"


def _deadline_text(deadline: str, now_seconds: int, zone: str) -> str:
    """``late 5 h``, or the time of the deadline in the game's time zone."""
    lateness = now_seconds - epoch_seconds(deadline)
    return (
        f"late {_age_text(lateness)}" if lateness > 0 else instant_in_prose(deadline, zone, format_instant(now_seconds))
    )


def _lines_below(game: TableRow) -> list[str]:
    row, details = game.document, [game.details] if game.details else []
    if "behind" in row:
        other = "another " * (row["behind"] == row["n"])
        details.append(f"BEHIND: this machine has seen {other}state {row['behind']}, so put the newest files back")
    return details


def _format_columns(cells: list[tuple[str, ...]]) -> list[str]:
    """One line per row, in columns. On a terminal, long cells are shortened to its width."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    excess = sum(widths) + 2 * (len(widths) - 1) - _terminal_width() if on_terminal() else 0
    for index in (WAITS_COLUMN, GAME_COLUMN):
        cut = min(max(excess, 0), max(widths[index] - MIN_WIDTH, 0))
        widths[index] -= cut
        excess -= cut
    return [
        "  ".join(_shorten(text, width).ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def _shorten(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}\N{HORIZONTAL ELLIPSIS}"


def _terminal_width() -> int:
    try:
        return os.get_terminal_size(1).columns
    except OSError:
        return 80
