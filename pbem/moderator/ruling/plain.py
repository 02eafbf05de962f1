"""Rulings that leave the game as it is: a note, a backup gone on from, the end.

What lives here: NOTE, RESTORE, CLOSE. What must never be here: a ruling that moves anything.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

import re
from collections.abc import Mapping

from pbem.moderator.chain.link import Link, Ruling
from pbem.moderator.chain.position import Position, Seals
from pbem.moderator.ruling.kind import Basis, Kind, PositionAt, standing

STATE = re.compile("[1-9][0-9]{0,5}")  #: the number of a state, as an operand


def note(text: str) -> Ruling:
    """Something that all players read."""
    return Ruling(NOTE.name, (), text)


def restore(n: int, reason: str) -> Ruling:
    """States after ``n`` were lost."""
    return Ruling(RESTORE.name, (("from", str(n)),), reason)


def close(reason: str) -> Ruling:
    """The end."""
    return Ruling(CLOSE.name, (), reason)


def closed(position: Position, ruling: Ruling) -> Basis:
    """The last link: it opens the secret."""
    return standing(position, ruling)._replace(closing=True)


def gone_on_from(links: Mapping[int, Link]) -> dict[int, str]:
    """The rulings RESTORE: by the state that has it, the state it went on from."""
    return {
        n: ruling.operand("from")
        for n, link in sorted(links.items())
        for ruling in link.rulings
        if ruling.name == RESTORE.name
    }


def _as_it_was(newest: Position, link: Link, _: PositionAt, __: Seals) -> Basis:
    return standing(newest, link.rulings[0])


def _closed(newest: Position, link: Link, _: PositionAt, __: Seals) -> Basis:
    return closed(newest, link.rulings[0])


def _wrong_restore(link: Link, before: Link, _: Mapping[int, Link]) -> str:
    same = link.rulings[0].operand("from") == str(before.n)
    return "" if same else "goes on from another state than the one before it"


NOTE = Kind("note", words=lambda _: "", carry=_as_it_was)
RESTORE = Kind(
    "restore",
    words=lambda it: f"went on from state {it.operand('from')}, what came after it is lost",
    carry=_as_it_was,
    ways=("from",),
    fits=lambda it: bool(STATE.fullmatch(it.operand("from"))),
    wrong=_wrong_restore,
    moved=True,
)
CLOSE = Kind("close", words=lambda _: "the game is closed", carry=_closed, closes=True)
