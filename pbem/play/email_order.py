"""In which order a player's emails count: by when each came, then by its own Date.

What must never be here: a server's words; numbers of signed orders, which tell their order.
Law: an email takes the place of none that came after it, in whatever order they are taken.
Source: docs/decisions/0014-the-post.md "In".
"""

from collections.abc import Iterable

from pbem.notation.asks import WITHDRAW
from pbem.play.pending_orders import LATER, NOW, WHEN, PendingOrders

ALL_GROUPS = "*"  #: the part that a bare `withdraw` is about: every one
#: a yes or no to an undo; the answer to an invitation; which reports a player gets
VOTE, ANSWER, CHOICE = "vote", "answer", "mails"


def format_arrival(arrival: str, date: str, now: str) -> str:
    """When an email came, and its Date, as they are noted; nothing comes later than now. Where no
    server tells, its Date does, if that is not in the future.
    """
    date = date if date <= now else ""
    return f"{min(arrival or date or now, now)} {date or '-'}"


def list_changed_groups(before: PendingOrders, after: PendingOrders, commands: Iterable[str]) -> set[str]:
    """The parts that an email changes or takes back, and ``CHOICE`` where it says that."""
    names = {group.name for group in {*before.groups} ^ {*after.groups} if not group.is_leftover}
    for command in commands:
        word, _, name = command.partition(" ")
        if word == WITHDRAW:
            names.add(name if name in (NOW, LATER) else f"{WHEN}{name}" if name else ALL_GROUPS)
        elif word == CHOICE:
            names.add(CHOICE)
    return names


def is_overtaken(pending: PendingOrders, group_names: set[str], arrival: str, now: str) -> bool:
    """Whether something that came after it stands in one of these parts. What was noted while the
    clock was ahead does not count.
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
    """With when what stands in these parts came."""
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
    """Two that came in one second are told apart by their Dates, if both have one."""
    (arrival_time, date), (other_time, other_date) = arrival.split(" "), other_arrival.split(" ")
    return arrival_time > other_time or (
        arrival_time == other_time and "-" not in (date, other_date) and date > other_date
    )
