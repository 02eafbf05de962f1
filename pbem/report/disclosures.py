"""What a report carries for its reader alone: openings, the signed block, the view file.

Not allowed here: what another seat may know; a sentence; a State in a file.
Law: made of the seat's View, of the public part of each state and of the seat's own orders (P2).
Source: docs/SPECIFICATION.md sections 7 and 10; FORMAT.md section 5; P5.
"""

from collections.abc import Sequence
from typing import Any

from pbem.chain.loaded_game import LoadedGame
from pbem.chain.rulings.correct import is_hidden_correction
from pbem.chain.rulings.kinds import kind_of
from pbem.chain.seals import Seals, pending_slot, slot_state_number
from pbem.chain.state_record import Opening
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey
from pbem.engine.standings import plain_standings
from pbem.formats import state_file
from pbem.report.block import BlockState, commitments_file_name, encode_commitments_file, write_block
from pbem.report.report import Reader, ReportedState

MAX_COMMIT_LINES = 12  #: in a block; a longer list becomes a file, whose hash is in the block


def openings_for(position: LoadedGame, seat: str | None, seals: Seals) -> tuple[Opening, ...]:
    """The commitments that the block of a seat opens: the public ones, and those that this state
    showed to the seat alone. None stands for the spectators.

    After a hidden correction, or for a new player, everything that the seat may know is opened
    once more. A correction may show more than the seat knew, and a new player has no older
    report; nothing in a report may rest on the referee's word (P5).
    """
    record = position.record
    openings, state_hashes = list(record.openings), dict(record.state_hashes)
    slots_shown_now = [slot for event in record.events for viewer, slot in event.opens if viewer == seat]
    corrected_slots = [ruling.operand("slot") for ruling in record.rulings if is_hidden_correction(ruling)]
    is_repeated = any(kind_of(ruling).reopens_secrets(ruling, seat) for ruling in record.rulings)
    hidden = position.game.encode(position.state).hidden if slots_shown_now or corrected_slots or is_repeated else {}
    for slot in dict.fromkeys([*slots_shown_now, *corrected_slots, *(sorted(hidden) if is_repeated else ())]):
        value = hidden[slot].value_for(seat) if seat is not None and slot in hidden else None
        if slot in slots_shown_now and slot in hidden:  # `verify` expects what an event promised to open
            value = hidden[slot].for_sealing()
        if value is not None:
            shown_slot = record.current_slot(slot)
            blinding, commitment = seals.commit(shown_slot, value, state_hashes[slot_state_number(shown_slot)])
            openings.append(Opening(shown_slot, value, blinding, commitment))
    return tuple(openings)


def own_pending_opening(state: ReportedState, reader_name: str) -> Opening | None:
    """Opens the commitment to the reader's pending orders before this state.

    None where the state has no such commitment, or the private folder has lost the orders.
    """
    record, value = state.position.record, state.pending_before.get(reader_name, "")
    slot, commitment = pending_slot(record.n, reader_name), dict(record.pending_commitments).get(reader_name)
    blinding, computed_commitment = state.seals.commit(slot, value, unb64(record.previous_hash, 32))
    if computed_commitment != commitment:
        return None
    return Opening(slot, value, blinding, computed_commitment)


def report_attachments(states: Sequence[ReportedState], reader: Reader) -> list[tuple[str, bytes]]:
    """The files attached to a report, by name: the view file, then any long list of commitments."""
    files = [(f"{reader.name}.view.toml", encode_view_file(states[-1].position, reader))]
    records = [state.position.record for state in states]
    if sum(len(record.new_commitments) for record in records) > MAX_COMMIT_LINES:
        files.append((commitments_file_name(reader.name), encode_commitments_file(records)))
    return files


def write_report_block(
    states: Sequence[ReportedState],
    reader: Reader,
    signing_key: PrivateKey,
    public_key: bytes,
    files: Sequence[tuple[str, bytes]] = (),
) -> str:
    """The signed block of a report about these states, oldest first, and of the attached ``files``."""
    *older_states, newest = [
        BlockState(
            state.position.record,
            openings_for(state.position, reader.seat, state.seals),
            own_pending_opening(state, reader.name),
        )
        for state in states
    ]
    return write_block(
        newest.record,
        reader.name,
        states[-1].position.state_hash,
        newest.openings,
        signing_key,
        public_key,
        files,
        newest.pending_opening,
        older_states,
    )


def encode_view_file(position: LoadedGame, reader: Reader) -> bytes:
    """The view file of one seat: the View from which its report is made, for ``pbem orders``."""
    record = position.record
    view = position.game.view(position.state, reader.seat)
    document: dict[str, Any] = {
        "pbem": 1,
        "game": record.game,
        "kind": position.game.kind,
        "rulings": record.setup.rules_version,
        "n": record.n,
        "head": b64(position.state_hash),
        "seat": reader.name,
        "code": reader.code,
        "nr": max(reader.pending.newest_email_number, reader.pending.newest_signed_number),
        "seats": [" ".join(seat_and_player) for seat_and_player in position.player_names.items()],
        "options": [f"{name}={value}" for name, value in position.config.options],
        "done": list(reader.pending.forced_orders),
        "standings": plain_standings(position.game.standings(view)),
        "view": position.game.encode_view(view),
    }
    return state_file.dump(document)
