"""The signed block at the foot of a receipt: what the referee cannot deny to have had in hand.

What lives here: making a block, finding and reading one in a text that mail programs have handled.
What must never be here: a line that is no order.
Law: all that is signed of a receipt stands in its block, which alone is enough to check it.
Source: docs/SPECIFICATION.md section 10; P7.
"""

import re
from typing import NamedTuple

from pbem.chain.clock import instant
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.errors import BadInput
from pbem.mail.identity import GAME_ID
from pbem.report.block import Block
from pbem.report.block_lines import Damaged, each_block, field, number_of, restore_in

_COUNT = re.compile("0|[1-9][0-9]{0,6}")  # of orders
_FIRST = re.compile(rf"receipt pbem 1 {GAME_ID} \S+ [0-9]{{1,7}}")
_WORDS = ("time", "state", "head", "restore", "key", "replaced", "line", "sig")
#: a verdict of intake to its one word in the block
VERDICTS = {"kept": "kept", "refused": "refused", "passed over": "done", "not kept": "left"}


class Receipt(NamedTuple):
    """What a receipt says. ``lines``: (verdict, line), each order that was read."""

    game: str
    seat: str
    nr: int  #: of the orders it answers; 0 where nothing was kept and he gave them none
    time: str
    n: int  #: the newest state when it was written
    head: bytes  #: of that state
    knows: bytes  #: head of the newest state with a ruling `restore`, b"" if there was none
    replaced: int  #: number of the orders it took the place of, 0 for none
    lines: tuple[tuple[str, str], ...]

    def parts(self) -> tuple[str | int | bytes, ...]:
        """The parts of ``Sig("pbem/1/receipt", …)``."""
        lines = "\n".join(line for _, line in self.lines)
        verdicts = "\n".join(verdict for verdict, _ in self.lines)
        return (
            self.game, self.seat, self.nr, lines, self.time, self.n, self.head, self.knows,
            verdicts, self.replaced,
        )  # fmt: skip


class ReceiptBlock(NamedTuple):
    """A block as read; what that of a report tells too, it has by the same names."""

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
    def head(self) -> bytes:
        return self.receipt.head

    @property
    def knows(self) -> bytes:
        return self.receipt.knows

    def genuine(self) -> bool:
        """Whether its own key signed it (whose key that is, is another question)."""
        return verify(self.key, "receipt", self.sig, *self.receipt.parts())


#: that of a report, or of a receipt
SignedBlock = Block | ReceiptBlock


def write_receipt_block(receipt: Receipt, signing: PrivateKey, public: bytes) -> str:
    """The lines at the foot of a receipt, for its seat alone."""
    lines = [
        f"receipt pbem 1 {receipt.game} {receipt.seat} {receipt.nr}",
        f"time {receipt.time}",
        f"state {receipt.n}",
        f"head {b64(receipt.head)}",
        *([f"restore {b64(receipt.knows)}"] if receipt.knows else []),
        f"key {b64(public)}",
        f"replaced {receipt.replaced}",
        *(f"line {verdict} {line}" for verdict, line in receipt.lines),
        f"sig {b64(sign(signing, 'receipt', *receipt.parts()))}",
    ]
    return "\n".join(lines)


def receipts_in(text: str) -> list[ReceiptBlock | Damaged]:
    """Every block of a receipt in a text, also quoted or wrapped."""
    return each_block(text, "receipt pbem 1", _FIRST, lambda lines: _read(_unwrapped(lines)))


def _unwrapped(lines: list[str]) -> list[str]:
    """The lines of one block; what a mail program broke off goes back to its line."""
    found: list[str] = []
    for line in lines:
        if not line and found and not _whole(found):
            continue  # some programs put an empty line after each
        if not line or (found and _whole(found)):
            break
        if not found or line.split(" ", 1)[0] in _WORDS:
            found.append(line)
        else:
            found[-1] += f" {line}"
    return found


def _whole(found: list[str]) -> bool:
    return found[-1].startswith("sig ") and len(found[-1].replace(" ", "")) >= 89


def damaged_receipt() -> BadInput:
    """What is said of one that cannot be read."""
    return BadInput(
        "receipt/block",
        "the signed block of the receipt is damaged or cut short",
        "get the receipt again from where it came",
    )


def _read(lines: list[str]) -> ReceiptBlock:
    try:
        _, _, _, game, seat, nr = lines[0].split(" ")
        time, n, head = map(field, lines[1:4], ("time", "state", "head"))
        knows = restore_in(lines[4])
        at = 5 if knows else 4
        key, replaced = map(field, lines[at : at + 2], ("key", "replaced"))
        rows = tuple(map(_order, lines[at + 2 : -1]))
        sig = unb64(field(lines[-1].replace(" ", "").replace("sig", "sig ", 1), "sig"), 64)
        state = number_of(n), unb64(head, 32), knows
        receipt = Receipt(game, seat, int(nr), instant(time), *state, int(replaced), rows)
        if not all(map(_COUNT.fullmatch, (nr, replaced))):
            raise ValueError(nr)
        return ReceiptBlock(receipt, unb64(key, 32), sig)
    except (ValueError, IndexError, BadInput):
        raise damaged_receipt() from None


def _order(line: str) -> tuple[str, str]:
    word, verdict, order = line.split(" ", 2)
    if word != "line" or verdict not in VERDICTS.values():
        raise ValueError(word)
    return verdict, order
