"""What a link of rulings was made of, from its own rows and the states before it.

What lives here: one function for each ruling, by name. What must never be here: making the link.
Law: a ruling is carried out by the function that carried it out first (amendment.py); what only the
referee could say (a new name, a key, a corrected value) is taken from the state.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from collections.abc import Callable, Mapping

from pbem.errors import PbemError
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.position import Position
from pbem.moderator.chain.ruling import corrects_hidden
from pbem.moderator.chain.seals import Seals
from pbem.moderator.ruling import amendment, correction
from pbem.moderator.ruling.amendment import Basis
from pbem.moderator.ruling.correction import correction_basis

#: the game after each link that was played again
PositionAt = Callable[[int], Position]
Carry = Callable[[Position, Link, PositionAt, Seals], Basis | None]


def basis_of(newest: Position, link: Link, past: PositionAt, seals: Seals) -> Basis | None:
    """What ``link``, with its rulings, was made of; None where one cannot be carried out.

    Refused or BadInput ``correct/…`` where a correction cannot be, and why.
    """
    names = {ruling.name for ruling in link.rulings}
    carry = CARRIED.get(next(iter(names))) if len(names) == 1 else None
    return carry(newest, link, past, seals) if carry else None


def _nothing(newest: Position, link: Link, _: PositionAt, __: Seals) -> Basis:
    return amendment.standing(newest, link.rulings[0])


def _closed(newest: Position, link: Link, _: PositionAt, __: Seals) -> Basis:
    return amendment.closed(newest, link.rulings[0])


def _player(newest: Position, link: Link, _: PositionAt, __: Seals) -> Basis | None:
    """The row of that seat is as the state has it; the others stay."""
    ruling = link.rulings[0]
    if ruling.operand("seat") not in link.setup.seats:
        return None
    return amendment.seated(newest, link.player(ruling.operand("seat")), ruling)


def _keys(newest: Position, link: Link, _: PositionAt, __: Seals) -> Basis | None:
    """The new row is signed, which `verify` looks at."""
    return amendment.handed(newest, link.referees[-1], link.wraps, link.rulings[0])


def _undone(newest: Position, link: Link, past: PositionAt, _: Seals) -> Basis | None:
    text = link.rulings[0].operand("to")
    if not (text.isascii() and text.isdecimal() and 2 <= int(text) < link.n):
        return None
    return amendment.undone(newest, past(int(text)), link.rulings[0])


def _corrected(newest: Position, link: Link, _: PositionAt, seals: Seals) -> Basis | None:
    """A hidden value as it is now sealed; whether it is right, only the referee can say.

    That its pile is still made of the same things, ``correction_basis`` looks at.
    """
    tokens = {sealed.slot: sealed.token for sealed in link.sealed}
    changes = []
    try:
        for ruling in link.rulings:
            if corrects_hidden(ruling):
                slot = ruling.operand("new")
                changes.append(
                    correction.Change(ruling.operand("slot"), seals.open(slot, tokens[slot]))
                )
            else:
                changes.append(correction.Change(ruling.operand("field"), ruling.operand("new")))
    except (PbemError, KeyError, UnicodeDecodeError):
        return None
    return correction_basis(newest, changes, link.rulings[0].reason)


CARRIED: Mapping[str, Carry] = {
    "note": _nothing,
    "restore": _nothing,
    "close": _closed,
    "player": _player,
    "keys": _keys,
    "undo": _undone,
    "correct": _corrected,
}
