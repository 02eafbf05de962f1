"""What the game is after the rulings of a link, before its orders.

What lives here: one function for each ruling, by name. What must never be here: making the link.
Law: a ruling changes what its name says and nothing else.
Source: construction.md "Ruling"; moderator/rulings.py.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.moderator.document import Link
from pbem.moderator.rulings import Ruling

if TYPE_CHECKING:
    from pbem.moderator.replaying import Standing


def _as_made(link: Link) -> Link:
    return link


class Before(NamedTuple):
    """What the orders of a link begin from. ``values``: hidden values there were besides."""

    link: Link  #: the link before, as the rulings left it
    state: Any
    values: dict[str, str]
    finish: Callable[[Link], Link] = _as_made  #: what a ruling adds to the link once it is made


Carry = Callable[[Mapping[int, "Standing"], Link, Ruling, Before], Before | None]


def ruled(past: Mapping[int, "Standing"], link: Link) -> Before | None:
    """The game with the rulings of ``link`` carried out; None where one is not known here."""
    last = past[link.n - 1]
    found: Before | None = Before(last.link, last.state, {})
    for ruling in link.rulings:
        carry = CARRIED.get(ruling.name)
        found = carry(past, link, ruling, found) if carry and found else None
    return found


def _nothing(_: Mapping[int, "Standing"], __: Link, ___: Ruling, before: Before) -> Before:
    return before


def _player(_: Mapping[int, "Standing"], link: Link, ruling: Ruling, before: Before) -> Before:
    """The row of that seat is as the state has it; the others stay."""
    seat = ruling.operand("seat")
    rows = zip(before.link.people, link.people, strict=True)
    people = tuple(new if old.seat == seat else old for old, new in rows)
    return before._replace(link=before.link._replace(people=people))


def _keys(_: Mapping[int, "Standing"], link: Link, __: Ruling, before: Before) -> Before:
    """Rows of the succession are signed; who may add one, `verify` looks at."""
    new = before.link._replace(referees=link.referees, wraps=link.wraps)
    return before._replace(link=new)


def _undo(
    past: Mapping[int, "Standing"], link: Link, ruling: Ruling, before: Before
) -> Before | None:
    """The State of then; orders written before it do not count any more."""
    text = ruling.operand("to")
    to = int(text) if text.isascii() and text.isdecimal() else -1
    if not 2 <= to < link.n:
        return None
    then = past[to]
    people = tuple(one._replace(since=link.n) for one in before.link.people)
    return Before(before.link._replace(people=people, answered=then.link.answered), then.state, {})


CARRIED: dict[str, Carry] = {
    "note": _nothing,
    "restore": _nothing,
    "player": _player,
    "keys": _keys,
}
