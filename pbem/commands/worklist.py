"""The table of `pbem status`: a line for each game, what needs the referee first."""

import os
from typing import Any, NamedTuple

from pbem.chain.clock import HOUR, epoch_seconds, format_instant
from pbem.chain.clock_words import instant_in_prose
from pbem.result import RED, YELLOW, on_terminal

DAY = 24 * HOUR
EMPTY_CELL = "\N{EN DASH}"
HEADINGS = ("game", "waits for", "since", "due", "ready", "messages", "outbox")
GAME_COLUMN, WAITS_COLUMN = 0, 1  #: columns that may be shortened
MIN_WIDTH = 12  #: letters that are left of them


class TableRow(NamedTuple):
    """A game in the table."""

    document: dict[str, Any]  #: as ``--json`` has it
    details: str = ""  #: what stands below its line
    zone: str = ""  #: whose clocks its times are told by


def build_table(games: list[TableRow], time: str) -> tuple[list[str], dict[int, str]]:
    """The lines, and the colours of some: red where something is wrong or late, yellow where the
    referee has something to do.
    """
    now_seconds = epoch_seconds(time)
    readable_games = (game for game in games if "error" not in game.document)
    ranked_games = sorted(readable_games, key=lambda game: _rank(game.document, now_seconds))
    unreadable_rows = (game.document for game in games if "error" in game.document)
    lines = [f"{row['dir']}: cannot be read: {row['why']}" for row in unreadable_rows]
    colours = dict.fromkeys(range(len(lines)), RED)
    cells = [HEADINGS, *(_row_cells(game, now_seconds) for game in ranked_games)] if ranked_games else []
    for game, line in zip([None, *ranked_games], _format_columns(cells), strict=False):
        if game is not None and _rank(game.document, now_seconds)[0] < len(_RANK_COLOURS):
            colours[len(lines)] = _RANK_COLOURS[_rank(game.document, now_seconds)[0]]
        lines.append(line)
        lines += [f"  {detail}" for detail in _detail_lines(game)] if game else []
    return lines, colours


_RANK_COLOURS = (RED, YELLOW, RED)


def _rank(row: dict[str, Any], now_seconds: int) -> tuple[int, str]:
    """What is wrong, what the referee can do, who is late, who is waited for, what is over."""
    if "behind" in row or row["failed"] or row["unreached"]:
        rank = 0
    elif row["ready"] or row["messages"] or row["unsent"] or row["unsure"]:
        rank = 1
    elif row["over"] or row["closed"]:
        rank = 4
    else:
        rank = 2 if any(wait["due"] and epoch_seconds(wait["due"]) < now_seconds for wait in row["waits_for"]) else 3
    return rank, row["dir"]


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
    """``late 5 h``, or when it will be, on the clocks of the game."""
    lateness = now_seconds - epoch_seconds(deadline)
    return (
        f"late {_age_text(lateness)}" if lateness > 0 else instant_in_prose(deadline, zone, format_instant(now_seconds))
    )


def _detail_lines(game: TableRow) -> list[str]:
    """What stands below a game's line."""
    row, details = game.document, [game.details] if game.details else []
    if "behind" in row:
        other = "another " * (row["behind"] == row["n"])
        details.append(f"BEHIND: this machine has seen {other}state {row['behind']}, so put the newest files back")
    return details


def _format_columns(cells: list[tuple[str, ...]]) -> list[str]:
    """In columns, as wide as the terminal; a file gets all of it."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    excess = sum(widths) + 2 * (len(widths) - 1) - _columns() if cells and on_terminal() else 0
    for index in (WAITS_COLUMN, GAME_COLUMN):
        cut = min(max(excess, 0), max(widths[index] - MIN_WIDTH, 0)) if cells else 0
        if cut:
            widths[index], excess = widths[index] - cut, excess - cut
    rows = []
    for row in cells:
        short_texts = [_shorten(text, width) for text, width in zip(row, widths, strict=True)]
        rows.append("  ".join(t.ljust(w) for t, w in zip(short_texts, widths, strict=True)).rstrip())
    return rows


def _shorten(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}\N{HORIZONTAL ELLIPSIS}"


def _columns() -> int:
    try:
        return os.get_terminal_size(1).columns
    except OSError:
        return 80
