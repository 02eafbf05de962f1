"""The signed block at the foot of a receipt: what the referee cannot deny to have had in hand.

What lives here: making one, finding and reading one in a text that mail programs have handled.
What must never be here: another seat's lines; a line that is no order.
Law: everything that is signed stands in the block, so that the receipt alone is enough to check it.
Source: docs/SPECIFICATION.md section 9; FORMAT.md "Signed receipts".
"""

import re
from typing import NamedTuple

from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.errors import BadInput

RECEIPT_FIRST = re.compile(r"receipt pbem 1 [a-z2-7]{26} \S+ \d{1,7}")
RECEIPT_WORDS = ("time", "head", "key", "replaced", "line", "sig")
#: a verdict of intake to its one word in the block
VERDICTS = {"kept": "kept", "refused": "refused", "passed over": "done", "not kept": "left"}
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class Receipt(NamedTuple):
    """What a receipt says. ``lines``: (verdict, line), each order that was read."""

    game: str
    seat: str
    nr: int  #: of the orders it answers; 0 where nothing was kept and he gave them none
    time: str
    head: bytes  #: of the newest state when it was written
    replaced: int  #: number of the orders it took the place of, 0 for none
    lines: tuple[tuple[str, str], ...]

    def parts(self) -> tuple[str | int | bytes, ...]:
        """The parts of ``Sig("pbem/1/receipt", …)``."""
        lines = "\n".join(line for _, line in self.lines)
        verdicts = "\n".join(verdict for verdict, _ in self.lines)
        return (
            self.game, self.seat, self.nr, lines, self.time, self.head, verdicts, self.replaced,
        )  # fmt: skip


class ReceiptBlock(NamedTuple):
    """A block as read."""

    receipt: Receipt
    key: bytes
    sig: bytes

    def genuine(self) -> bool:
        """Whether its own key signed it (whose key that is, is another question)."""
        return verify(self.key, "receipt", self.sig, *self.receipt.parts())


def write_receipt_block(receipt: Receipt, signing: PrivateKey, public: bytes) -> str:
    """The lines at the foot of a receipt, for its seat alone."""
    lines = [
        f"receipt pbem 1 {receipt.game} {receipt.seat} {receipt.nr}",
        f"time {receipt.time}",
        f"head {b64(receipt.head)}",
        f"key {b64(public)}",
        f"replaced {receipt.replaced}",
        *(f"line {verdict} {line}" for verdict, line in receipt.lines),
        f"sig {b64(sign(signing, 'receipt', *receipt.parts()))}",
    ]
    return "\n".join(lines)


def find_receipt_blocks(text: str) -> list[ReceiptBlock]:
    """Every block of a receipt in a text, also quoted or wrapped; none is no error.

    BadInput ``receipt/block`` where one is damaged.
    """
    clean = [re.sub(r"^[>\s]+", "", line).strip() for line in text.replace("\r", "").split("\n")]
    starts = [i for i in range(len(clean)) if RECEIPT_FIRST.fullmatch(_first(clean, i))]
    return [_read_receipt(_receipt_lines(clean[start:])) for start in starts]


def _first(clean: list[str], i: int) -> str:
    """A line, or it and the next, that may be the first of a block."""
    if not clean[i].startswith("receipt pbem 1"):
        return ""
    return clean[i] if RECEIPT_FIRST.fullmatch(clean[i]) else " ".join(clean[i : i + 2])


def _receipt_lines(lines: list[str]) -> list[str]:
    """The lines of one block; what a mail program broke off goes back to its line."""
    found: list[str] = []
    for line in lines:
        if not line and found and not _whole(found):
            continue  # some programs put an empty line after each
        if not line or (found and _whole(found)):
            break
        if not found or line.split(" ", 1)[0] in RECEIPT_WORDS:
            found.append(line)
        else:
            found[-1] += f" {line}"
    return found


def _whole(found: list[str]) -> bool:
    return found[-1].startswith("sig ") and len(found[-1].replace(" ", "")) >= 89


def _read_receipt(lines: list[str]) -> ReceiptBlock:
    damaged = BadInput(
        "receipt/block",
        "the signed block of the receipt is damaged or cut short",
        "get the receipt again from where it came",
    )
    try:
        _, _, _, game, seat, nr = lines[0].split(" ")
        time, head, key, replaced = (
            _field(line, word) for line, word in zip(lines[1:5], RECEIPT_WORDS, strict=False)
        )
        rows = tuple(_order(line) for line in lines[5:-1])
        sig = unb64(_field(lines[-1].replace(" ", "").replace("sig", "sig ", 1), "sig"), 64)
        receipt = Receipt(game, seat, int(nr), time, unb64(head, 32), int(replaced), rows)
        if not _TIME.fullmatch(time) or f"{receipt.nr} {receipt.replaced}" != f"{nr} {replaced}":
            raise damaged
        return ReceiptBlock(receipt, unb64(key, 32), sig)
    except (ValueError, IndexError, BadInput) as error:
        raise damaged from error


def _order(line: str) -> tuple[str, str]:
    word, verdict, order = line.split(" ", 2)
    if word != "line" or verdict not in VERDICTS.values():
        raise ValueError(word)
    return verdict, order


