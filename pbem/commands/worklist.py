"""The table of `pbem status`: a line for each game, what needs the referee first."""

import os
from typing import Any, NamedTuple

from pbem.chain.clock import HOUR, seconds, written
from pbem.chain.clock_words import in_prose
from pbem.result import RED, YELLOW, on_terminal

DAY = 24 * HOUR
NONE = "\N{EN DASH}"
HEADS = ("game", "waits for", "since", "due", "ready", "letters", "post")
GAME, WAITS = 0, 1  #: columns that may be shortened
LEAST = 12  #: letters that are left of them


class Shown(NamedTuple):
    """A game in the table."""

    row: dict[str, Any]  #: as ``--json`` has it
    said: str = ""  #: what stands below its line
    zone: str = ""  #: whose clocks its times are told by


def table(games: list[Shown], time: str) -> tuple[list[str], dict[int, str]]:
    """The lines, and the colours of some: red where something is wrong or late, yellow where the
    referee has something to do.
    """
    now = seconds(time)
    good = (one for one in games if "error" not in one.row)
    ranked = sorted(good, key=lambda one: _rank(one.row, now))
    unread = (one.row for one in games if "error" in one.row)
    lines = [f"{row['dir']}: cannot be read: {row['why']}" for row in unread]
    colours = dict.fromkeys(range(len(lines)), RED)
    cells = [HEADS, *(_cells(one, now) for one in ranked)] if ranked else []
    for one, line in zip([None, *ranked], _laid_out(cells), strict=False):
        if one is not None and _rank(one.row, now)[0] < len(_COLOURS):
            colours[len(lines)] = _COLOURS[_rank(one.row, now)[0]]
        lines.append(line)
        lines += [f"  {told}" for told in _told(one)] if one else []
    return lines, colours


_COLOURS = (RED, YELLOW, RED)


def _rank(row: dict[str, Any], now: int) -> tuple[int, str]:
    """What is wrong, what the referee can do, who is late, who is waited for, what is over."""
    if "behind" in row or row["failed"] or row["unreached"]:
        rank = 0
    elif row["ready"] or row["letters"] or row["unsent"] or row["unsure"]:
        rank = 1
    elif row["over"] or row["closed"]:
        rank = 4
    else:
        rank = 2 if any(one["due"] and seconds(one["due"]) < now for one in row["waits_for"]) else 3
    return rank, row["dir"]


def _cells(shown: Shown, now: int) -> tuple[str, ...]:
    row = shown.row
    waits = ", ".join(f"{one['player']} ({one['seat']})" for one in row["waits_for"])
    begun = min((one["since"] for one in row["waits_for"]), default=row["since"])
    ended = "closed for " * row["closed"] or "over for " * row["over"]
    due = min((one["due"] for one in row["waits_for"] if one["due"]), default="")
    post = [
        f"{row[key]} {word}"
        for key, word in (("failed", "FAILED"), ("unsure", "unsure"), ("unsent", "unsent"))
        if row[key]
    ]
    if not post and row["over"] and not row["closed"]:
        post = ["archive it?"]
    return (
        row["dir"],
        waits or NONE,
        f"{ended}{_age(now - seconds(begun))}",
        _due(due, now, shown.zone) if due else NONE,
        "yes" if row["ready"] else NONE,
        str(row["letters"] or NONE),
        ", ".join(post) or NONE,
    )


def _age(passed: int) -> str:
    """``12 d``, ``3 h``, ``5 min``."""
    if passed >= 2 * DAY:
        return f"{passed // DAY} d"
    return f"{passed // HOUR} h" if passed >= HOUR else f"{max(passed, 0) // 60} min"


def _due(due: str, now: int, zone: str) -> str:
    """``late 5 h``, or when it will be, on the clocks of the game."""
    late = now - seconds(due)
    return f"late {_age(late)}" if late > 0 else in_prose(due, zone, written(now))


def _told(shown: Shown) -> list[str]:
    """What stands below a game's line."""
    row, said = shown.row, [shown.said] if shown.said else []
    if "behind" in row:
        other = "another " * (row["behind"] == row["n"])
        said.append(
            f"BEHIND: this machine has seen {other}state {row['behind']}, so put the newest files "
            "back"
        )
    return said


def _laid_out(cells: list[tuple[str, ...]]) -> list[str]:
    """In columns, as wide as the terminal; a file gets all of it."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    over = sum(widths) + 2 * (len(widths) - 1) - _columns() if cells and on_terminal() else 0
    for at in (WAITS, GAME):
        less = min(max(over, 0), max(widths[at] - LEAST, 0)) if cells else 0
        if less:
            widths[at], over = widths[at] - less, over - less
    rows = []
    for row in cells:
        short = [_short(text, width) for text, width in zip(row, widths, strict=True)]
        rows.append("  ".join(t.ljust(w) for t, w in zip(short, widths, strict=True)).rstrip())
    return rows


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}\N{HORIZONTAL ELLIPSIS}"


def _columns() -> int:
    try:
        return os.get_terminal_size(1).columns
    except OSError:
        return 80
