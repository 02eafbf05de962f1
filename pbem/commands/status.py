"""``pbem status``: what each game needs, of the referee and of its players."""

from collections import Counter
from pathlib import Path
from typing import Any

from pbem.chain.clock import WAIT, epoch_seconds
from pbem.chain.clock_words import instant_in_prose
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.clock import now
from pbem.commands.arguments import OptionalRoots
from pbem.commands.worklist import TableRow, build_table
from pbem.disk.folder import GameFolder
from pbem.disk.games import NO_GAMES_HINT, SEARCH_DEPTH, find_games
from pbem.disk.home import Home
from pbem.engine.row import join_with_and
from pbem.errors import BadInput, PbemError
from pbem.result import Result
from pbem.services.session.keys import open_home
from pbem.services.session.needs import GameNeeds, read_needs
from pbem.services.session.worklist import count_referee_messages, find_late_tick

UNREACHED_TEXT = (
    "email to {who} comes back; ask for another address, then `{act} player {seat} --address "
    "ADDRESS --reason …` sends it; `{act} extend --player {seat} --by 7d --reason …` gives time"
)


def run(roots: OptionalRoots = None) -> Result:
    """Say what each game needs, what needs you first. It needs no key.

    `ready`: orders wait to be played. `messages`: emails of players that wait to be read. `outbox`:
    emails that are not sent. It looks for games 4 folders deep.
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
    lines, colours = build_table(games, time)
    text = "\n".join([*lines, *(f"note: {note}" for note in notes)])
    rows = [game.document for game in games]
    has_errors = any("error" in row for row in rows)
    return Result({"games": rows, "notes": notes}, text, 1 if has_errors else 0, colours=colours)


def _table_row(folder: GameFolder, home: Home, message_counts: Counter[str], time: str) -> TableRow:
    root = str(folder.root)
    try:
        needs = read_needs(folder, home, message_counts)
        details = "; ".join(filter(None, _detail_lines(needs, root, time)))
        return TableRow({"dir": root} | _needs_document(needs), details, needs.record.clock.zone)
    except PbemError as error:
        return TableRow({"dir": root, "error": error.code, "why": error.as_line()})


def _needs_document(needs: GameNeeds) -> dict[str, Any]:
    """As ``--json`` has it."""
    record, course = needs.record, needs.progress
    behind_row = {} if needs.newer_number is None else {"behind": needs.newer_number}
    return behind_row | {
        "game": record.game,
        "kind": record.setup.kind,
        "n": record.n,
        "since": record.time,
        "waits_for": course.waits,
        "over": course.is_over,
        "closed": record.phase == CLOSED,
        "winners": list(course.outcome.winners) if course.outcome else [],
        "scores": {standing.seat: standing.points for standing in course.standings if standing.points is not None},
        "standing": {standing.seat: standing.text for standing in course.standings},
        "ready": course.is_ready,
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


def _detail_lines(needs: GameNeeds, root: str, time: str) -> list[str]:
    """What stands below a game's line."""
    record = needs.record
    if needs.was_handed_over:
        return ["handed over to another referee; take it out of the folder of your games"]
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
    record, outcome, text = needs.record, needs.progress.outcome, ""
    if needs.undo_consent is not None:
        from pbem.play.consent import describe_consent  # few games ever have one

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
        text = "; ".join(filter(None, [_open_seats_text(record, root), clock_text]))
    return text


def _joining_text(needs: GameNeeds) -> str:
    """Whose answers are missing."""
    from pbem.play.joining import opening  # once in a game

    record, declined_seats = needs.record, needs.progress.declined_by_seat
    waiting_text = opening.describe_waiting(record, tuple(wait["seat"] for wait in needs.progress.waits))
    return (
        f"{'; '.join(opening.describe_declined(record, declined_seats))}: no deal"
        if declined_seats
        else waiting_text[0].lower() + waiting_text[1:]
    )


def _open_seats_text(record: StateRecord, root: str) -> str:
    """Whose seats others may have, by turns that were missed in a row, and how they get one."""
    open_seats = [row.seat for row in record.clock.seats if record.clock.is_seat_open(row)]
    if not open_seats:
        return ""
    player_names = join_with_and([record.player(seat).label for seat in open_seats])
    command = f"pbem amend {root} player {open_seats[0]} --name NAME --address ADDRESS --reason …"
    return (
        f"missed {record.clock.strikes} turns in a row, so the seat is open: {player_names}; "
        f"`{command}` seats another player"
    )


def _clock_text(record: StateRecord, seats: set[str], time: str, root: str) -> str:
    """A pause, or turns that are over and were not played."""
    clock, now_seconds = record.clock, epoch_seconds(time)
    if clock.remaining_pause(time):
        return f"paused until {instant_in_prose(clock.paused, clock.zone, time)}"
    overdue = [seat_clock.seat for seat_clock in clock.seats if seat_clock.seat in seats and seat_clock.deadline]
    overdue = [seat for seat in overdue if now_seconds >= clock.missed_at(seat)]
    if not overdue or not clock.has_deadlines or clock.missed == WAIT:
        return ""
    player_names = join_with_and([record.player(seat).label for seat in overdue])
    return (
        f"the turn of {player_names} is over: `pbem tick {root}` plays it, or says why not; "
        f"`pbem resolve {root} --missed {overdue[0]}` plays it in any case"
    )
