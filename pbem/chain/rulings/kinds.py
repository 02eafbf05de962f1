"""The kinds of ruling: the table, what is asked of any ruling, and the link that one makes.

What lives here: KINDS, and lookups in it; ``amended``. What must never be here: what one kind does;
that is in the file of the kind, and a kind more is a file and a row here.
Laws: each kind of ruling has its operands and no others, each once, in their order: what nobody
looks at could say anything. A ruling makes exactly one link, without orders; a commitment stays
with its slot, and nothing is dealt again; who is told what stays told.
Source: docs/SPECIFICATION.md section 9 (rulings); docs/DESIGN.md P10; decision 0005.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.chain.loaded_game import (
    Clocked,
    Made,
    LoadedGame,
    Seals,
    as_it_is,
    hidden_values,
    made,
    next_link,
)
from pbem.chain.rows import AGAIN
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.clock import CLOCK, EXTEND, PAUSE, RESUME
from pbem.chain.rulings.correct import CORRECT
from pbem.chain.rulings.kind import (
    CLOSE,
    END,
    NOTE,
    RESTORE,
    VOID,
    Basis,
    Kind,
    PositionAt,
    Sight,
)
from pbem.chain.rulings.people import KEYS, PLAYER
from pbem.chain.rulings.undo import UNDO
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.errors import BadInput, PbemError

if TYPE_CHECKING:
    from pbem.crypto.keys import RefereeKey

_GAME, _PEOPLE, _TIME = (UNDO, CORRECT, VOID), (PLAYER, KEYS), (CLOCK, EXTEND, PAUSE, RESUME)
KINDS = {kind.name: kind for kind in (*_GAME, *_PEOPLE, *_TIME, NOTE, RESTORE, CLOSE, END)}


def kind_of(ruling: Ruling) -> Kind:
    """Its kind; BadInput ``document/row`` where there is none of that name."""
    if ruling.name not in KINDS:
        wrong = f"there is no ruling `{ruling.name[:20]}`"
        raise BadInput("document/row", wrong, "was it made by a newer version of pbem?")
    return KINDS[ruling.name]


def checked(record: StateRecord) -> StateRecord:
    """The link, if each of its rulings has the operands of its kind; BadInput ``document/row``."""
    for ruling in record.rulings:
        kind = KINDS.get(ruling.name)
        told = " ".join(name for name, _ in ruling.operands)
        empty = {name for name, value in ruling.operands if not value} - {"old", "new"}
        if kind is None or empty or told not in kind.ways or not kind.fits(ruling):
            wrong = f"state {record.n}: a row is not of the expected shape"
            raise BadInput("document/row", wrong, AGAIN)
    return record


def ruling_words(ruling: Ruling) -> str:
    """The ruling as all players read it, from the ruling alone."""
    return kind_of(ruling).says(ruling)


def rulings_in_full(record: StateRecord, sight: Sight) -> tuple[str, ...]:
    """Every ruling of a state as all may read it, in full as far as the states before it are here.

    Of a hidden thing it says the values where they are open, and else that they open at the end.
    """
    before = sight.earlier(record.n - 1) if record.rulings and record.n else None
    found: list[str] = []
    for ruling in record.rulings:
        kind, said = kind_of(ruling), ""
        try:
            if before is not None and kind.in_full:
                said = kind.in_full(ruling, before, record, sight)
        except (PbemError, LookupError, ValueError):  # no pbem wrote that: audit has a finding
            pass
        found.append(kind.says(ruling, said.removesuffix(".")))
        before = before and kind.after(before, ruling)
    return tuple(found)


def basis_of(
    newest: LoadedGame, record: StateRecord, past: PositionAt, seals: Seals
) -> Basis | None:
    """What ``record``, with its rulings, was made of; None where one cannot be carried out.

    Refused or BadInput ``correct/…`` where a correction cannot be, and why.
    """
    kinds = {ruling.name for ruling in record.rulings}
    return (
        kind_of(record.rulings[0]).carry(newest, record, past, seals) if len(kinds) == 1 else None
    )


def amended(
    position: LoadedGame,
    basis: Basis,
    secret: bytes,
    key: "RefereeKey",
    time: str,
    hands: Mapping[str, str],
    clocked: Clocked = as_it_is,
) -> Made:
    """The link of a ruling, signed and read back. ``position`` is the newest one, ``hands`` what
    waits in it.
    """
    seals = position.next_seals(secret)
    record = checked(ruled_link(position, basis, secret, time, seals, hands))
    return made(position, record, basis.state, seals, key, clocked)


def ruled_link(
    position: LoadedGame,
    basis: Basis,
    secret: bytes,
    time: str,
    seals: Seals,
    hands: Mapping[str, str],
) -> StateRecord:
    """What the link of a ruling says, after the newest position."""
    before, state, rulings, consents = basis
    parts = position.after(time, before, hidden_values(position.game, state), hands)
    record = next_link(parts, position.game, state, (), (), seals, rulings)
    record = record._replace(consents=consents)
    closes = any(kind_of(ruling).closes for ruling in rulings)
    return record._replace(phase=CLOSED, secret=secret) if closes else record
