"""The signed block at the foot of a report, which ties a player's email to the chain; and how blocks
are found in a text that email programs have changed, also for receipts.

Not allowed here: an opening that its reader may not have.
Law: the lines above ``sig`` are signed exactly as they are here, whatever blanks and line ends
email programs add.
Source: docs/SPECIFICATION.md section 10; P7.
"""

import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar
from unicodedata import category

from pbem.chain.state_record import Opening, StateRecord
from pbem.crypto.encoding import b64, digest, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.errors import BadInput
from pbem.mail.identity import GAME_ID, blank_barred_lines
from pbem.play.pending_file import parse_committed_value

T = TypeVar("T")
_NUMBER = re.compile("0|[1-9][0-9]{0,5}")  # of a state
NOTHING_PENDING = "-"  #: the value of empty pending orders
_FIRST_LINE = re.compile(rf"pbem 1 {GAME_ID} \S+ [0-9]+ [0-9]+")
KEYWORDS = ("head", "restore", "key", "commit", "open", "hand", "file", "sig")
PARTS_BY_KEYWORD = {
    "pbem": 6, "head": 2, "restore": 2, "key": 2, "commit": 3, "open": 4, "hand": 4, "file": 3,
    "sig": 2,
}  # fmt: skip


class Block(NamedTuple):
    """A block as it was read."""

    game: str
    seat: str
    first_n: int  #: the first state that the report covers
    n: int  #: the last one
    state_hash: bytes
    restore_hash: bytes  #: of the newest state with a ruling `restore`; b"" if there is none
    key: bytes
    commitments: tuple[tuple[str, bytes], ...]
    openings: tuple[tuple[str, str, bytes], ...]
    pending_openings: tuple[tuple[int, str, bytes], ...]  #: pending orders before a state: its number, value, key
    files: tuple[tuple[str, bytes], ...]  #: attached files: name, SHA-256
    lines: tuple[str, ...]  #: the signed ones
    sig: bytes

    def is_genuine(self) -> bool:
        """Whether the key in the block signed it. The caller must check whose key that is."""
        return verify(self.key, "report", self.sig, "\n".join(self.lines))


class DamagedBlock(NamedTuple):
    """Text that begins like a block but cannot be read; ``error`` tells its reader what to do."""

    text: str
    error: BadInput


class BlockState(NamedTuple):
    """What a block says about one state, for one seat."""

    record: StateRecord
    openings: tuple[Opening, ...]  #: only those that the seat may have
    pending_opening: Opening | None  #: of its pending orders before that state; None if it had none, or they are lost


def commitments_file_name(seat: str) -> str:
    """The name of the attached file with the commitments, where they are too many for the block."""
    return f"{seat}.commitments.txt"


def commitment_lines(records: Iterable[StateRecord]) -> list[str]:
    """The commitments made in these states, one per line."""
    return [f"commit {slot} {b64(commitment)}" for record in records for slot, commitment in record.new_commitments]


def encode_commitments_file(records: Iterable[StateRecord]) -> bytes:
    """The file with these lines."""
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
    """The block of one report about the state ``record`` and the ``older_states``, oldest first. For its
    seat alone. If the commitments are among the attached ``files``, the block leaves them out.
    """
    states = [*older_states, BlockState(record, tuple(openings), pending_opening)]
    lines = [f"pbem 1 {record.game} {seat} {states[0].record.n} {record.n}", f"head {b64(state_hash)}"]
    restore_hash = record.latest_restored_hash(state_hash)
    lines += [f"restore {b64(restore_hash)}"] if restore_hash else []
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
    """Every block in a text, also quoted or wrapped by an email program."""
    return parse_each_block(text, "pbem 1", _FIRST_LINE, lambda lines: _parse_block(_rejoin_lines(lines)))


def require_blocks(text: str) -> list[Block]:
    """Every block in a text. Raises BadInput ``report/no-block`` for none, ``report/block`` for a damaged one."""
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
    """The lines of one block, with wrapped lines put together again."""
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
            match line.split(" "):
                case ["commit", slot, commitment, *_]:
                    commitments.append((slot, unb64(commitment, 32)))
                case ["open", slot, value, blinding, *_]:
                    openings.append((slot, value, unb64(blinding, 32)))
                case ["hand", number, blinding, value, *_]:
                    pending = parse_state_number(number), _parse_pending_value(value), unb64(blinding, 32)
                    pending_openings.append(pending)
                case ["file", name, file_hash, *_]:
                    files.append((name, unb64(file_hash, 32)))
                case _:
                    raise ValueError(line)
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
    """The pending orders in a line `hand`, which encodes their line ends and blanks."""
    data = b"" if text == NOTHING_PENDING else urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if (b64(data) or NOTHING_PENDING) != text:
        raise ValueError(text)
    value = data.decode()
    parse_committed_value(value)
    return value


def parse_each_block(
    text: str, prefix: str, first_line_pattern: re.Pattern[str], parse: Callable[[list[str]], T]
) -> list[T | DamagedBlock]:
    """Every block in a text. ``parse`` gets the lines from one first line to the next; if it raises
    BadInput, the block is damaged.
    """
    blocks: list[T | DamagedBlock] = []
    for lines in _split_blocks(text, prefix, first_line_pattern):
        try:
            blocks.append(parse(lines))
        except BadInput as error:
            blocks.append(DamagedBlock("\n".join(lines), error))
    return blocks


def _split_blocks(text: str, prefix: str, first_line_pattern: re.Pattern[str]) -> list[list[str]]:
    """The lines of each block, from its first line to that of the next.

    A line that only begins like a first line and names a game starts a block that cannot be read.
    An empty line marks it.
    """
    lines, starts, complete_starts = _normalize_lines(text), list[int](), set[int]()
    for index, line in enumerate(lines):
        if line.startswith(prefix):
            joined = line if first_line_pattern.fullmatch(line) else " ".join(lines[index : index + 2])
            if first_line_pattern.fullmatch(joined):
                complete_starts.add(index)
            elif not re.match(rf"{prefix} {GAME_ID}\b", joined):
                continue
            starts.append(index)
    ends = pairwise([*starts, len(lines)])
    return [[*([] if start in complete_starts else [""]), *lines[start:end]] for start, end in ends]


def _normalize_lines(text: str) -> list[str]:
    """The lines without quote marks, extra blanks and invisible characters, and without marked words of people."""
    if not text.isascii():
        text = "".join(c for c in text if category(c) != "Cf")
    return [" ".join(line.split()).lstrip("> ") for line in blank_barred_lines(text).split("\n")]


def normalize_text(text: str) -> str:
    """A text as blocks are searched in it."""
    return "\n".join(_normalize_lines(text))


def field_value(line: str, keyword: str) -> str:
    """The value in a line of ``keyword`` and value; ValueError for any other line."""
    first_word, value = line.split(" ")
    if first_word != keyword:
        raise ValueError(keyword)
    return value


def parse_state_number(text: str) -> int:
    """The number of a state; ValueError for anything else."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def parse_restore_line(line: str) -> bytes:
    """The state hash in a line `restore`; b"" for another line."""
    return unb64(field_value(line, "restore"), 32) if line.startswith("restore ") else b""
