"""The signed block at the foot of a receipt, which proves which orders the referee received.

Not allowed here: a line that is not an order.
Law: the block alone is enough to check a receipt.
Source: docs/SPECIFICATION.md section 10; P7.
"""

import re
from typing import NamedTuple

from pbem.chain.clock import check_instant
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.errors import BadInput
from pbem.mail.identity import GAME_ID
from pbem.report.block import (
    Block,
    DamagedBlock,
    field_value,
    parse_each_block,
    parse_restore_line,
    parse_state_number,
)

_COUNT = re.compile("0|[1-9][0-9]{0,6}")  # of orders
_FIRST_LINE = re.compile(rf"receipt pbem 1 {GAME_ID} \S+ [0-9]{{1,7}}")
_KEYWORDS = ("time", "state", "head", "restore", "key", "replaced", "line", "sig")
VERDICT_WORDS = ("kept", "refused", "done", "left")  #: what became of a line


class Receipt(NamedTuple):
    """What a receipt says."""

    game: str
    seat: str
    orders_number: int  #: of the signed orders it answers; 0 for orders without a number
    time: str
    n: int  #: the newest state when it was written
    state_hash: bytes  #: of that state
    restore_hash: bytes  #: of the newest state with a ruling `restore`; b"" if there is none
    replaced_number: int  #: number of the orders that these replaced, 0 for none
    lines: tuple[tuple[str, str], ...]  #: verdict and text of each order that was read

    def signed_parts(self) -> tuple[str | int | bytes, ...]:
        """The parts of ``Sig("pbem/1/receipt", …)``."""
        lines = "\n".join(line for _, line in self.lines)
        verdicts = "\n".join(verdict for verdict, _ in self.lines)
        return (
            self.game, self.seat, self.orders_number, lines, self.time, self.n, self.state_hash, self.restore_hash,
            verdicts, self.replaced_number,
        )  # fmt: skip


class ReceiptBlock(NamedTuple):
    """A block as it was read, with the same names as a report's Block."""

    receipt: Receipt
    key: bytes
    sig: bytes

    @property
    def game(self) -> str:
        return self.receipt.game

    @property
    def n(self) -> int:
        return self.receipt.n

    @property
    def state_hash(self) -> bytes:
        return self.receipt.state_hash

    @property
    def restore_hash(self) -> bytes:
        return self.receipt.restore_hash

    def is_genuine(self) -> bool:
        """Whether the key in the block signed it. The caller must check whose key that is."""
        return verify(self.key, "receipt", self.sig, *self.receipt.signed_parts())


SignedBlock = Block | ReceiptBlock


def write_receipt_block(receipt: Receipt, signing_key: PrivateKey, public_key: bytes) -> str:
    """The signed block of a receipt. For its seat alone."""
    lines = [
        f"receipt pbem 1 {receipt.game} {receipt.seat} {receipt.orders_number}",
        f"time {receipt.time}",
        f"state {receipt.n}",
        f"head {b64(receipt.state_hash)}",
        *([f"restore {b64(receipt.restore_hash)}"] if receipt.restore_hash else []),
        f"key {b64(public_key)}",
        f"replaced {receipt.replaced_number}",
        *(f"line {verdict} {line}" for verdict, line in receipt.lines),
        f"sig {b64(sign(signing_key, 'receipt', *receipt.signed_parts()))}",
    ]
    return "\n".join(lines)


def parse_receipt_blocks(text: str) -> list[ReceiptBlock | DamagedBlock]:
    """Every block of a receipt in a text, also quoted or wrapped."""
    return parse_each_block(text, "receipt pbem 1", _FIRST_LINE, lambda lines: _parse_block(_rejoin_lines(lines)))


def _rejoin_lines(lines: list[str]) -> list[str]:
    """The lines of one block, with wrapped lines put together again."""
    joined: list[str] = []
    for line in lines:
        if not line and joined and not _is_complete(joined):
            continue  # some email programs put an empty line after every line
        if not line or (joined and _is_complete(joined)):
            break
        if not joined or line.split(" ", 1)[0] in _KEYWORDS:
            joined.append(line)
        else:
            joined[-1] += f" {line}"
    return joined


def _is_complete(lines: list[str]) -> bool:
    return lines[-1].startswith("sig ") and len(lines[-1].replace(" ", "")) >= 89


def damaged_receipt_error() -> BadInput:
    """The error for a receipt whose block cannot be read."""
    return BadInput(
        "receipt/block",
        "the signed block of the receipt is damaged or cut short",
        "get the receipt again from where it came",
    )


def _parse_block(lines: list[str]) -> ReceiptBlock:
    try:
        _, _, _, game, seat, orders_number = lines[0].split(" ")
        time, n, state_hash = map(field_value, lines[1:4], ("time", "state", "head"))
        restore_hash = parse_restore_line(lines[4])
        position = 5 if restore_hash else 4
        key, replaced_number = map(field_value, lines[position : position + 2], ("key", "replaced"))
        order_lines = tuple(map(_parse_order_line, lines[position + 2 : -1]))
        sig = unb64(field_value(lines[-1].replace(" ", "").replace("sig", "sig ", 1), "sig"), 64)
        state_fields = parse_state_number(n), unb64(state_hash, 32), restore_hash
        receipt = Receipt(
            game, seat, int(orders_number), check_instant(time), *state_fields, int(replaced_number), order_lines
        )
        if not all(map(_COUNT.fullmatch, (orders_number, replaced_number))):
            raise ValueError(orders_number)
        return ReceiptBlock(receipt, unb64(key, 32), sig)
    except (ValueError, IndexError, BadInput):
        raise damaged_receipt_error() from None


def _parse_order_line(line: str) -> tuple[str, str]:
    keyword, verdict, order = line.split(" ", 2)
    if keyword != "line" or verdict not in VERDICT_WORDS:
        raise ValueError(keyword)
    return verdict, order
