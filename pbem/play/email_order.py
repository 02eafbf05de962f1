"""In which order a player's emails count: by when each came, then by its own Date.

What must never be here: a server's words; numbers of signed orders, which tell their order.
Law: an email takes the place of none that came after it, in whatever order they are taken.
Source: docs/decisions/0014-the-post.md "In".
"""

from collections.abc import Iterable

from pbem.notation.asks import WITHDRAW
from pbem.play.pending_orders import LATER, NOW, WHEN, Hand

ALL = "*"  #: the part that a bare `withdraw` is about: every one
#: a yes or no to an undo; the answer to an invitation; which reports a player gets
VOTE, ANSWER, CHOICE = "vote", "answer", "mails"


def moment(arrival: str, date: str, now: str) -> str:
    """When an email came, and its Date, as they are noted; nothing comes later than now. Where no
    server tells, its Date does, if that is not in the future.
    """
    date = date if date <= now else ""
    return f"{min(arrival or date or now, now)} {date or '-'}"


def touched(before: Hand, after: Hand, asks: Iterable[str]) -> set[str]:
    """The parts that an email changes or takes back, and ``CHOICE`` where it says that."""
    names = {part.name for part in {*before.parts} ^ {*after.parts} if not part.rest}
    for ask in asks:
        what, _, name = ask.partition(" ")
        if what == WITHDRAW:
            names.add(name if name in (NOW, LATER) else f"{WHEN}{name}" if name else ALL)
        elif what == CHOICE:
            names.add(CHOICE)
    return names


def overtaken(hand: Hand, names: set[str], came: str, now: str) -> bool:
    """Whether something that came after it stands in one of these parts. What was noted while the
    clock was ahead does not count.
    """
    there = {name: one for name, one in _noted(hand).items() if one <= f"{now}~"}
    about = {name for name in there if name in names or (_is_part(name) and ALL in names)}
    if any(map(_is_part, names)):
        about |= {*there} & {ALL}
    return any(_later(there[name], came) for name in about)


def noted(hand: Hand, names: set[str], came: str) -> Hand:
    """With when what stands in these parts came."""
    rows = {n: one for n, one in _noted(hand).items() if ALL not in names or not _is_part(n)}
    rows |= dict.fromkeys(names, came)
    return hand._replace(came=tuple(f"{when} {name}" for name, when in sorted(rows.items())))


def _is_part(name: str) -> bool:
    return name not in (VOTE, ANSWER, CHOICE)


def _noted(hand: Hand) -> dict[str, str]:
    rows = [row.split(" ", 2) for row in hand.came]
    return {row[2]: f"{row[0]} {row[1]}" for row in rows if len(row) == 3}


def _later(one: str, two: str) -> bool:
    """Two that came in one second are told apart by their Dates, if both have one."""
    (came, date), (came_two, date_two) = one.split(" "), two.split(" ")
    return came > came_two or (came == came_two and "-" not in (date, date_two) and date > date_two)
