"""Order a player's emails: by the time when each was received, then by its header Date.

Not allowed here: headers of a mail server; signed orders, which are ordered by their numbers.
Law: an email never replaces a newer one, in whatever order pbem receives them.
Source: docs/decisions/0014-the-post.md "In".
"""

from collections.abc import Iterable

from pbem.notation.asks import WITHDRAW
from pbem.play.pending_orders import LATER, NOW, WHEN, PendingOrders

ALL_GROUPS = "*"  #: all groups of pending orders, which `withdraw` alone changes
#: what else an email may change: a vote on an undo, the answer to an invitation, which reports its player gets
VOTE, ANSWER, CHOICE = "vote", "answer", "mails"


def format_arrival(arrival: str, date: str, now: str) -> str:
    """Return the time when an email was received, and its Date, as pending orders note them. ``arrival`` is "" without
    a time from the server. Then the Date counts, unless it is in the future.
    """
    date = date if date <= now else ""
    return f"{min(arrival or date or now, now)} {date or '-'}"


def list_changed_groups(before: PendingOrders, after: PendingOrders, commands: Iterable[str]) -> set[str]:
    """Return the groups that an email changes or withdraws, and ``CHOICE`` if it chooses reports."""
    names = {group.name for group in {*before.groups} ^ {*after.groups} if not group.is_leftover}
    for command in commands:
        word, _, name = command.partition(" ")
        if word == WITHDRAW and not name:
            names.add(ALL_GROUPS)
        elif word == WITHDRAW:
            names.add(name if name in (NOW, LATER) else f"{WHEN}{name}")
        elif word == CHOICE:
            names.add(CHOICE)
    return names


def is_overtaken(pending: PendingOrders, group_names: set[str], arrival: str, now: str) -> bool:
    """Return whether a newer email has already changed one of these groups. A noted time in the future does not count:
    the clock of this machine was wrong then.
    """
    noted_arrivals = {
        name: noted_arrival for name, noted_arrival in _read_arrivals(pending).items() if noted_arrival <= f"{now}~"
    }
    affected_names = {
        name for name in noted_arrivals if name in group_names or (_is_group(name) and ALL_GROUPS in group_names)
    }
    if any(map(_is_group, group_names)):
        affected_names |= {*noted_arrivals} & {ALL_GROUPS}
    return any(_is_later(noted_arrivals[name], arrival) for name in affected_names)


def note_arrival(pending: PendingOrders, group_names: set[str], arrival: str) -> PendingOrders:
    """Return the pending orders with this arrival noted for these groups."""
    arrivals = {
        group_name: noted_arrival
        for group_name, noted_arrival in _read_arrivals(pending).items()
        if ALL_GROUPS not in group_names or not _is_group(group_name)
    }
    arrivals |= dict.fromkeys(group_names, arrival)
    return pending._replace(arrivals=tuple(f"{stamp} {name}" for name, stamp in sorted(arrivals.items())))


def _is_group(name: str) -> bool:
    return name not in (VOTE, ANSWER, CHOICE)


def _read_arrivals(pending: PendingOrders) -> dict[str, str]:
    rows = [row.split(" ", 2) for row in pending.arrivals]
    return {row[2]: f"{row[0]} {row[1]}" for row in rows if len(row) == 3}


def _is_later(arrival: str, other_arrival: str) -> bool:
    """Return whether an arrival is later than the other. In the same second the Dates decide, if both have one."""
    arrival_time, date = arrival.split(" ")
    other_time, other_date = other_arrival.split(" ")
    if arrival_time != other_time:
        return arrival_time > other_time
    return "-" not in (date, other_date) and date > other_date
