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

_POSITION_KINDS, _PEOPLE_KINDS, _CLOCK_KINDS = ((UNDO, CORRECT, VOID), (PLAYER, KEYS), (CLOCK, EXTEND, PAUSE, RESUME))
KINDS = {kind.name: kind for kind in (*_POSITION_KINDS, *_PEOPLE_KINDS, *_CLOCK_KINDS, NOTE, RESTORE, CLOSE, END)}


def kind_of(ruling: Ruling) -> RulingKind:
    """Its kind; BadInput ``document/row`` where there is none of that name."""
    if ruling.name not in KINDS:
        message = f"there is no ruling `{ruling.name[:20]}`"
        raise BadInput("document/row", message, "was it made by a newer version of pbem?")
    return KINDS[ruling.name]


def check_operands(record: StateRecord) -> StateRecord:
    """The link, if each of its rulings has the operands of its kind; BadInput ``document/row``."""
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
    """The ruling as all players read it, from the ruling alone."""
    return kind_of(ruling).full_text(ruling)


def describe_rulings(record: StateRecord, lookup: StateLookup) -> tuple[str, ...]:
    """Every ruling of a state as all may read it, in full as far as the states before it are here.

    Of a hidden thing it says the values where they are open, and else that they open at the end.
    """
    previous = lookup.earlier_record(record.n - 1) if record.rulings and record.n else None
    texts: list[str] = []
    for ruling in record.rulings:
        kind, description = kind_of(ruling), ""
        try:
            if previous is not None and kind.describe_in_full:
                description = kind.describe_in_full(ruling, previous, record, lookup)
        except (PbemError, LookupError, ValueError):  # no pbem wrote that: audit has a finding
            pass
        texts.append(kind.full_text(ruling, description.removesuffix(".")))
        previous = previous and kind.apply(previous, ruling)
    return tuple(texts)


def rebuild_basis(position: LoadedGame, record: StateRecord, game_at: GameAt, seals: Seals) -> RulingBasis | None:
    """What ``record``, with its rulings, was made of; None where one cannot be carried out.

    Refused or BadInput ``correct/…`` where a correction cannot be, and why.
    """
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
    """The link of a ruling, signed and read back. ``position`` is the newest one, ``pending_by_seat`` what
    waits in it.
    """
    seals = position.next_seals(secret)
    record = check_operands(build_ruling_record(position, basis, secret, time, seals, pending_by_seat))
    return build_state(position, record, basis.state, seals, key, next_clock)


def build_ruling_record(
    position: LoadedGame, basis: RulingBasis, secret: bytes, time: str, seals: Seals, pending_by_seat: Mapping[str, str]
) -> StateRecord:
    """What the link of a ruling says, after the newest position."""
    previous, state, rulings, consents = basis
    inputs = NextRecordInputs.after(position, time, previous, hidden_values(position.game, state), pending_by_seat)
    record = build_next_record(inputs, position.game, state, (), (), seals, rulings)
    record = record._replace(consents=consents)
    closes_game = any(kind_of(ruling).closes_game for ruling in rulings)
    return record._replace(phase=CLOSED, secret=secret) if closes_game else record
