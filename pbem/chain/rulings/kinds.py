"""The table of all kinds of ruling, the checks for any ruling, and building the state of one.

Not allowed here: what one kind does. A new kind is a module and an entry here.
Laws: a ruling has exactly the operands of its kind, once, in order, since an operand that nobody
checks could hide anything. It makes one state without orders; nothing is dealt again.
Source: docs/SPECIFICATION.md section 9 (rulings); docs/DESIGN.md P10; decision 0005.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.chain.loaded_game import LoadedGame, hidden_values
from pbem.chain.next_record import NewState, NextClock, NextRecordInputs, build_next_record, build_state, keep_clock
from pbem.chain.rows import GET_AGAIN_HINT
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.clock import CLOCK, EXTEND, PAUSE, RESUME
from pbem.chain.rulings.correct import CORRECT
from pbem.chain.rulings.kind import CLOSE, END, NOTE, RESTORE, VOID, GameAt, RulingBasis, RulingKind, StateLookup
from pbem.chain.rulings.people import KEYS, PLAYER
from pbem.chain.rulings.undo import UNDO
from pbem.chain.seals import Seals
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.errors import BadInput, PbemError

if TYPE_CHECKING:
    from pbem.crypto.keys import RefereeKey

_KINDS = (UNDO, CORRECT, VOID, PLAYER, KEYS, CLOCK, EXTEND, PAUSE, RESUME, NOTE, RESTORE, CLOSE, END)
KINDS = {kind.name: kind for kind in _KINDS}


def kind_of(ruling: Ruling) -> RulingKind:
    """Return the kind of a ruling; BadInput ``document/row`` if pbem does not know it."""
    if ruling.name not in KINDS:
        message = f"there is no ruling `{ruling.name[:20]}`"
        raise BadInput("document/row", message, "was it made by a newer version of pbem?")
    return KINDS[ruling.name]


def check_operands(record: StateRecord) -> StateRecord:
    """Return the record if the operands of its rulings are valid; BadInput ``document/row`` if not."""
    for ruling in record.rulings:
        kind = KINDS.get(ruling.name)
        operand_names = " ".join(name for name, _ in ruling.operands)
        empty_operands = {name for name, value in ruling.operands if not value} - {"old", "new"}
        if (
            kind is None
            or empty_operands
            or operand_names not in kind.operand_forms
            or not kind.are_operands_valid(ruling)
        ):
            message = f"state {record.n}: a row is not of the expected shape"
            raise BadInput("document/row", message, GET_AGAIN_HINT)
    return record


def describe_ruling(ruling: Ruling) -> str:
    """Return a ruling as all players read it, from the ruling alone."""
    return kind_of(ruling).full_text(ruling)


def describe_rulings(record: StateRecord, lookup: StateLookup) -> tuple[str, ...]:
    """Return the rulings of a state as everybody may read them, in as much detail as states are
    present. A hidden value is shown only once it is open; until then the text says that it opens at
    the end.
    """
    previous = lookup.earlier_record(record.n - 1) if record.rulings and record.n else None
    texts: list[str] = []
    for ruling in record.rulings:
        kind = kind_of(ruling)
        description = ""
        try:
            if previous is not None and kind.describe_in_full:
                description = kind.describe_in_full(ruling, previous, record, lookup)
        except (PbemError, LookupError, ValueError):  # pbem did not write that state; an audit reports it
            pass
        texts.append(kind.full_text(ruling, description.removesuffix(".")))
        previous = previous and kind.apply(previous, ruling)
    return tuple(texts)


def rebuild_basis(position: LoadedGame, record: StateRecord, game_at: GameAt, seals: Seals) -> RulingBasis | None:
    """Return what the state with the rulings in ``record`` was built from; None if impossible."""
    kinds = {ruling.name for ruling in record.rulings}
    return kind_of(record.rulings[0]).rebuild_basis(position, record, game_at, seals) if len(kinds) == 1 else None


def build_ruling_state(
    position: LoadedGame,
    basis: RulingBasis,
    secret: bytes,
    key: "RefereeKey",
    time: str,
    pending_by_seat: Mapping[str, str],
    next_clock: NextClock = keep_clock,
) -> NewState:
    """Build and sign the state of a ruling after ``position``, the newest one."""
    seals = position.next_seals(secret)
    record = check_operands(build_ruling_record(position, basis, secret, time, seals, pending_by_seat))
    return build_state(position, record, basis.state, seals, key, next_clock)


def build_ruling_record(
    position: LoadedGame, basis: RulingBasis, secret: bytes, time: str, seals: Seals, pending_by_seat: Mapping[str, str]
) -> StateRecord:
    """Return the record of a ruling after ``position``, the newest one."""
    inputs = NextRecordInputs.after(
        position, time, basis.previous, hidden_values(position.game, basis.state), pending_by_seat
    )
    record = build_next_record(inputs, position.game, basis.state, (), (), seals, basis.rulings)
    record = record._replace(consents=basis.consents)
    closes_game = any(kind_of(ruling).closes_game for ruling in basis.rulings)
    return record._replace(phase=CLOSED, secret=secret) if closes_game else record
