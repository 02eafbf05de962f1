"""``pbem status``: a table of games, with what each needs from the referee and its players."""

import os
from collections import Counter
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

from pbem.chain.clock import HOUR, WAIT, epoch_seconds, format_instant
from pbem.chain.clock_words import absence_in_prose, instant_in_prose
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
from pbem.services.session.worklist import count_referee_messages, find_late_tick, find_tick_problems

DAY = 24 * HOUR
EMPTY_CELL = "\N{EN DASH}"
ONE_FAILED, SOME_FAILED = "1 email could not be sent", "{number} emails could not be sent"
OTHER_STATE_SEEN, LATER_STATE_SEEN = "this machine has seen another state {n}", "this machine has seen state {n}"
PROPOSAL_SENT = "{player}: email held, proposal sent"
AWAY = "{player} is away {days}"
NOT_CLEAR = "{player}: email held, waiting for clear orders"
HEADINGS = ("game", "waits for", "since", "due", "ready", "messages", "outbox")
GAME_COLUMN, WAITS_COLUMN = 0, 1  #: the columns that may be shortened
MIN_WIDTH = 12  #: characters that such a column keeps


class Trouble(NamedTuple):
    """What is wrong with a game, and what to do about it."""

    fact: str
    mend: str

    def as_text(self) -> str:
        return f"{self.fact}; {self.mend}"


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
    """The lines of ``pbem status``."""

    lines: list[str]
    colours: dict[int, str]  #: of some lines, by index


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
    notes += find_late_tick(home, time) + find_tick_problems(home)
    table = build_table(games, time)
    text = "\n".join([*table.lines, *(f"note: {note}" for note in notes)])
    rows = [game.document for game in games]
    has_errors = any("error" in row for row in rows)
    return Result({"games": rows, "notes": notes}, text, 1 if has_errors else 0, colours=table.colours)


def _table_row(folder: GameFolder, home: Home, message_counts: Counter[str], time: str) -> TableRow:
    """Return the row of a game. If the game cannot be read, its document has ``error`` and ``why``."""
    root = str(folder.root)
    try:
        needs = read_needs(folder, home, message_counts)
        details = "; ".join(filter(None, _details(needs, root, time)))
        return TableRow({"dir": root} | _needs_document(needs), details, needs.record.clock.zone)
    except PbemError as error:
        return TableRow({"dir": root, "error": error.code, "why": error.as_line()})


def _needs_document(needs: GameNeeds) -> dict[str, Any]:
    """Return the game's document for ``--json``. It has ``behind`` if this machine has seen a newer state."""
    record, progress = needs.record, needs.progress
    behind_document = {} if needs.newer_number is None else {"behind": needs.newer_number}
    return behind_document | {
        "game": record.game,
        "kind": record.setup.kind,
        "n": record.n,
        "since": record.time,
        "waits_for": progress.waits,
        "over": progress.is_over,
        "closed": record.phase == CLOSED,
        "winners": list(progress.outcome.winners) if progress.outcome else [],
        "scores": {standing.seat: standing.points for standing in progress.standings if standing.points is not None},
        "ready": progress.is_ready,
        "unsent": needs.unsent,
        "unsure": needs.maybe_sent,
        "failed": needs.failed,
        "messages": needs.referee_messages,
        "unreached": needs.unreached_seats,
        "held": [{"seat": seat, "proposed": was_proposed} for seat, was_proposed in needs.held_emails.items()],
        "away": [
            {"seat": seat, "first": absence.first.isoformat(), "last": absence.last.isoformat()}
            for seat, absences in needs.absences.items()
            for absence in absences
        ],
        "handed_over": needs.was_handed_over,
        "elsewhere": [
            {"seat": seat, "from": sender, "time": time}
            for seat, (sender, time, _) in needs.unregistered_senders.items()
        ],
    }


def _details(needs: GameNeeds, root: str, time: str) -> list[str]:
    """Return what the referee should know about the game, for the line below its row."""
    record = needs.record
    if needs.was_handed_over:
        return ["handed over to another referee; move it out of the folder of your games"]
    lines = [_progress_text(needs, root, time) if record.is_dealt else _joining_text(needs)]
    lines += [trouble.as_text() for trouble in _unsent_emails(needs, root)]
    for seat, was_proposed in needs.held_emails.items():
        lines.append((PROPOSAL_SENT if was_proposed else NOT_CLEAR).format(player=record.player(seat).label))
    is_ended = needs.progress.is_over or record.phase == CLOSED
    for seat, absences in () if is_ended else needs.absences.items():
        coming = [absence for absence in absences if absence.last.isoformat() >= time[:10]]
        days = join_with_and([absence_in_prose(absence, time) for absence in coming])
        lines += [AWAY.format(player=record.player(seat).label, days=days)] if days else []
    for seat, (sender, *_) in needs.unregistered_senders.items():
        lines.append(f"an email for {record.player(seat).label} came from {sender}, and counts")
    return lines


def _progress_text(needs: GameNeeds, root: str, time: str) -> str:
    """Return what the game is at after its deal, or "" if there is nothing to say.

    That is an undo that players are asked about, the end, or seats and turns that need the referee.
    """
    record, outcome = needs.record, needs.progress.outcome
    if outcome is None and record.phase == CLOSED:
        closed_at = instant_in_prose(record.time, record.clock.zone)
        return f"closed by the referee on {closed_at}: {record.rulings[0].reason}"
    if needs.undo_consent is not None:
        from pbem.play.consent import describe_consent  # rarely needed

        names = dict(zip(record.setup.seats, record.names, strict=True))
        return describe_consent(needs.undo_consent, names, root)
    if outcome is not None:
        winners = join_with_and([record.player(seat).label for seat in outcome.winners])
        return f"won by {winners}" if winners else "won by nobody"
    awaited_seats = {wait["seat"] for wait in needs.progress.waits}
    pause_text = _pause_text(record, time) if awaited_seats else ""
    troubles = [*_vacant_seats(record, root), *_overdue_turns(record, awaited_seats, time, root)]
    return "; ".join(filter(None, [*(trouble.as_text() for trouble in troubles), pause_text]))


def _joining_text(needs: GameNeeds) -> str:
    """Return what a game before its deal waits for, or who declined to play."""
    from pbem.play.joining import opening  # only before the deal

    record, declined_seats = needs.record, needs.progress.declined_by_seat
    waiting_text = opening.describe_waiting(record, tuple(wait["seat"] for wait in needs.progress.waits))
    if declined_seats:
        return f"{'; '.join(opening.describe_declined(record, declined_seats))}: no deal"
    return waiting_text[0].lower() + waiting_text[1:]


def list_troubles(needs: GameNeeds, root: str, time: str) -> Iterator[Trouble]:
    """Yield what is wrong with a game, so that it cannot go on as it should."""
    record = needs.record
    if needs.was_handed_over:
        return
    if needs.newer_number is not None:
        yield _behind(record.n, needs.newer_number)
    yield from _unsent_emails(needs, root)
    if record.is_dealt and not needs.progress.is_over and record.phase != CLOSED:
        yield from _vacant_seats(record, root)
        yield from _overdue_turns(record, {wait["seat"] for wait in needs.progress.waits}, time, root)


def _behind(number: int, newer_number: int) -> Trouble:
    is_other = newer_number == number  # a different state of the same number
    return Trouble(
        (OTHER_STATE_SEEN if is_other else LATER_STATE_SEEN).format(n=newer_number), "put the newest files back"
    )


def _unsent_emails(needs: GameNeeds, root: str) -> Iterator[Trouble]:
    """Yield which emails could not be sent, or whose emails come back."""
    if needs.failed and not needs.unreached_seats:
        way = f"read why in {root}/desk/post.log; to try again, move them from desk/failed to desk/outbox"
        yield Trouble((ONE_FAILED if needs.failed == 1 else SOME_FAILED).format(number=needs.failed), way)
    for seat in needs.unreached_seats:
        yield Trouble(
            f"email to {needs.record.player(seat).label} comes back",
            f"ask for another address, then `pbem amend {root} player {seat} --address ADDRESS --reason …` sends it; "
            f"`pbem amend {root} extend --player {seat} --by 7d --reason …` gives time",
        )


def _vacant_seats(record: StateRecord, root: str) -> Iterator[Trouble]:
    """Yield which seats are vacant because of missed turns in a row, if any is."""
    vacant_seats = [row.seat for row in record.clock.seats if record.clock.is_seat_open(row)]
    if not vacant_seats:
        return
    player_names = join_with_and([record.player(seat).label for seat in vacant_seats])
    command = f"pbem amend {root} player {vacant_seats[0]} --name NAME --address ADDRESS --reason …"
    yield Trouble(
        f"missed {record.clock.missed_turn_limit} turns in a row, so the seat is vacant: {player_names}",
        f"`{command}` gives it to another player",
    )


def _pause_text(record: StateRecord, time: str) -> str:
    """Return until when the game is paused, or "" if it is not."""
    clock = record.clock
    if not clock.remaining_pause(time):
        return ""
    return f"paused until {instant_in_prose(clock.paused_until, clock.zone, time)}"


def _overdue_turns(record: StateRecord, seats: set[str], time: str, root: str) -> Iterator[Trouble]:
    """Yield which turns of these seats are over but not played yet, if any is."""
    clock, now_seconds = record.clock, epoch_seconds(time)
    if clock.remaining_pause(time):
        return
    overdue = [seat_clock.seat for seat_clock in clock.seats if seat_clock.seat in seats and seat_clock.deadline]
    overdue = [seat for seat in overdue if now_seconds >= clock.missed_at(seat)]
    if not overdue or not clock.has_deadlines or clock.missed == WAIT:
        return
    player_names = join_with_and([record.player(seat).label for seat in overdue])
    yield Trouble(
        f"the turn of {player_names} is over",
        f"`pbem tick {root}` plays it, or says why not; "
        f"`pbem resolve {root} --missed {overdue[0]}` plays it in any case",
    )


def build_table(games: list[TableRow], time: str) -> Table:
    """Put the games in columns, the most urgent first. Games that cannot be read come before all others."""
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
    """Return the cells of a game's row, in the order of HEADINGS."""
    row = game.document
    waiting_players = ", ".join(f"{wait['player']} ({wait['seat']})" for wait in row["waits_for"])
    waiting_since = min((wait["since"] for wait in row["waits_for"]), default=row["since"])
    ended_prefix = ""
    if row["closed"]:
        ended_prefix = "closed for "
    elif row["over"]:
        ended_prefix = "over for "
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
        f"{ended_prefix}{age_text(now_seconds - epoch_seconds(waiting_since))}",
        _deadline_text(deadline, now_seconds, game.zone) if deadline else EMPTY_CELL,
        "yes" if row["ready"] else EMPTY_CELL,
        str(row["messages"] or EMPTY_CELL),
        ", ".join(outbox_notes) or EMPTY_CELL,
    )


def age_text(age: int) -> str:
    """Return seconds as ``12 d``, ``3 h`` or ``5 min``."""
    if age >= 2 * DAY:
        return f"{age // DAY} d"
    return f"{age // HOUR} h" if age >= HOUR else f"{max(age, 0) // 60} min"


def _deadline_text(deadline: str, now_seconds: int, zone: str) -> str:
    """Return ``late 5 h``, or the time of a deadline that has not passed in the game's time zone."""
    lateness = now_seconds - epoch_seconds(deadline)
    if lateness > 0:
        return f"late {age_text(lateness)}"
    return instant_in_prose(deadline, zone, format_instant(now_seconds))


def _lines_below(game: TableRow) -> list[str]:
    row = game.document
    details = [game.details] if game.details else []
    if "behind" in row:
        details.append(f"BEHIND: {_behind(row['n'], row['behind']).as_text()}")
    return details


def _format_columns(cells: list[tuple[str, ...]]) -> list[str]:
    """Return one line per row, in columns. On a terminal, shorten the cells of long columns to fit."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    line_width = sum(widths) + 2 * (len(widths) - 1)
    excess = line_width - _terminal_width() if on_terminal() else 0
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
