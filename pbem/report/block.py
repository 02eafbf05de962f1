"""The signed block at the foot of a report: what ties a player's mail to the chain.

What lives here: making a block, finding and reading one in a text that mail programs have handled.
What must never be here: an opening that its reader may not have.
Law: the lines above ``sig`` are signed as they are written here, whatever mail programs put between
their words.
Source: docs/SPECIFICATION.md section 10; P7.
"""

import re
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.chain.state_record import Opening, StateRecord
from pbem.crypto.encoding import b64, digest, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.errors import BadInput
from pbem.mail.identity import GAME_ID
from pbem.play.pending_file import parse_committed_value
from pbem.report.block_lines import DamagedBlock, field_value, parse_each_block, parse_restore_line, parse_state_number

NOTHING_PENDING = "-"  #: nothing waited
_FIRST_LINE = re.compile(rf"pbem 1 {GAME_ID} \S+ [0-9]+ [0-9]+")
KEYWORDS = ("head", "restore", "key", "commit", "open", "hand", "file", "sig")
PARTS_BY_KEYWORD = {
    "pbem": 6, "head": 2, "restore": 2, "key": 2, "commit": 3, "open": 4, "hand": 4, "file": 3,
    "sig": 2,
}  # fmt: skip


class Block(NamedTuple):
    """A block as read; ``lines`` are the signed ones."""

    game: str
    seat: str
    first_n: int  #: it tells of the states from this one ..
    n: int  #: .. to this one
    state_hash: bytes
    restore_hash: bytes  #: head of the newest state with a ruling `restore`, b"" if there was none
    key: bytes
    commitments: tuple[tuple[str, bytes], ...]
    openings: tuple[tuple[str, str, bytes], ...]
    pending_openings: tuple[tuple[int, str, bytes], ...]  #: what waited before a state: its number, value, k
    files: tuple[tuple[str, bytes], ...]  #: what is attached: name, SHA-256
    lines: tuple[str, ...]
    sig: bytes

    def is_genuine(self) -> bool:
        """Whether its own key signed it (whose key that is, is another question)."""
        return verify(self.key, "report", self.sig, "\n".join(self.lines))


class BlockState(NamedTuple):
    """What a block has of one state, for one seat."""

    record: StateRecord
    openings: tuple[Opening, ...]  #: those this seat may have
    pending_opening: Opening | None  #: what it had waiting before that state; None: none, or its desk is lost


def commitments_file_name(seat: str) -> str:
    """The name of the file that has the commitments of a report for a seat, where they are many."""
    return f"{seat}.commitments.txt"


def commitment_lines(records: Iterable[StateRecord]) -> list[str]:
    """The commitments made in these states, a line each."""
    return [f"commit {slot} {b64(commitment)}" for record in records for slot, commitment in record.new_commitments]


def encode_commitments_file(records: Iterable[StateRecord]) -> bytes:
    """The same as a file."""
    return "".join(f"{line}\n" for line in commitment_lines(records)).encode()


def write_block(
    record: StateRecord,
    seat: str,
    state_hash: bytes,
    openings: Iterable[Opening],
    signing_key: PrivateKey,
    public_key: bytes,
    files: Sequence[tuple[str, bytes]] = (),
    pending_opening: Opening | None = None,
    older_states: Sequence[BlockState] = (),
) -> str:
    """The block of one report, for its seat alone: of the state ``record`` with what ``Of`` says of
    one, and of those ``older_states`` it, oldest first, if it tells of them too.

    ``files``: what is attached, by name; with that of the commitments among them they do not stand
    in the block.
    """
    states = [*older_states, BlockState(record, tuple(openings), pending_opening)]
    lines = [f"pbem 1 {record.game} {seat} {states[0].record.n} {record.n}", f"head {b64(state_hash)}"]
    lines += [f"restore {b64(restore_hash)}"] if (restore_hash := record.latest_restored_hash(state_hash)) else []
    lines.append(f"key {b64(public_key)}")
    if commitments_file_name(seat) not in dict(files):
        lines += commitment_lines(state.record for state in states)
    openings_by_slot = {opening.slot: opening for state in states for opening in state.openings}  # no slot twice
    lines += [f"open {opening.slot} {opening.value} {b64(opening.key)}" for opening in openings_by_slot.values()]
    for state_record, _, state_pending in states:
        if state_pending is not None:
            lines.append(
                f"hand {state_record.n} {b64(state_pending.key)} {b64(state_pending.value.encode()) or NOTHING_PENDING}"
            )
    lines += [f"file {name} {b64(digest(data))}" for name, data in files]
    signature = sign(signing_key, "report", "\n".join(lines))
    return "\n".join([*lines, f"sig {b64(signature)}"])


def parse_blocks(text: str) -> list[Block | DamagedBlock]:
    """Every block in a text, also quoted or wrapped by a mail program."""
    return parse_each_block(text, "pbem 1", _FIRST_LINE, lambda lines: _parse_block(_rejoin_lines(lines)))


def require_blocks(text: str) -> list[Block]:
    """The same; BadInput ``report/no-block`` where there is none, ``report/block`` where one is
    damaged.
    """
    blocks = parse_blocks(text)
    if not blocks:
        raise BadInput(
            "report/no-block", "there is no signed block in this text", "use the whole report, to its last line"
        )
    for block in blocks:
        if isinstance(block, DamagedBlock):
            raise block.error
    return [block for block in blocks if isinstance(block, Block)]


def _rejoin_lines(lines: list[str]) -> list[str]:
    """The lines of one block; what a mail program broke off goes back to its line."""
    joined: list[str] = []
    for line in lines:
        keyword = line.split(" ", 1)[0]
        if not joined or keyword in KEYWORDS:
            joined.append(line)
        elif not line:
            break
        else:
            is_short = len(joined[-1].split(" ")) < PARTS_BY_KEYWORD.get(joined[-1].split(" ", 1)[0], 0)
            joined[-1] += f" {line}" if is_short else line
        if joined[-1].startswith("sig ") and len(joined[-1]) >= 90:
            break
    return joined


def _damaged_error() -> BadInput:
    return BadInput(
        "report/block", "the signed block is damaged or cut short", "get the report again from where it came"
    )


def _parse_block(lines: list[str]) -> Block:
    try:
        _, _, game, seat, first, n = lines[0].split(" ")
        state_hash = unb64(field_value(lines[1], "head"), 32)
        restore_hash = parse_restore_line(lines[2])
        position = 3 if restore_hash else 2
        key = unb64(field_value(lines[position], "key"), 32)
        commitments, openings, pending_openings, files = [], [], [], []
        for line in lines[position + 1 : -1]:
            keyword, *parts = line.split(" ")
            if keyword == "commit":
                commitments.append((parts[0], unb64(parts[1], 32)))
            elif keyword == "open":
                openings.append((parts[0], parts[1], unb64(parts[2], 32)))
            elif keyword == "hand":
                pending_openings.append(
                    (parse_state_number(parts[0]), _parse_pending_value(parts[2]), unb64(parts[1], 32))
                )
            elif keyword == "file":
                files.append((parts[0], unb64(parts[1], 32)))
            else:
                raise ValueError(keyword)
        sig = unb64(field_value(lines[-1], "sig"), 64)
        state_range = parse_state_number(first), parse_state_number(n)
        if state_range[0] > state_range[1]:
            raise ValueError(n)
    except (ValueError, IndexError, BadInput):
        raise _damaged_error() from None
    state_fields = game, seat, *state_range, state_hash, restore_hash, key
    rows = tuple(commitments), tuple(openings), tuple(pending_openings), tuple(files)
    return Block(*state_fields, *rows, tuple(lines[:-1]), sig)


def _parse_pending_value(text: str) -> str:
    """The value of a hand, as the line `hand` has it: its rows have line ends and blanks."""
    data = b"" if text == NOTHING_PENDING else urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if (b64(data) or NOTHING_PENDING) != text:
        raise ValueError(text)
    parse_committed_value(value := data.decode())
    return value
