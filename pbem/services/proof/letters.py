"""The signed blocks in what people keep of their emails: a saved one, a text, a whole mailbox.

What must never be here: what a block says (moderator/report/block.py), whether it is true.
Law: what mail programs did to a block is undone where it is read; a mailbox is its emails.
Source: docs/SPECIFICATION.md section 10; FORMAT.md "Signed receipts".
"""

import re
from typing import NamedTuple

from pbem.files.mail.letter import read_letter, unmarked
from pbem.moderator.report.block import Block, ReceiptBlock, blocks_in, find_receipt_blocks

#: between two emails of a mailbox (mbox)
_NEXT = re.compile(rb"\r?\n\r?\n(?=From [^\n]*\n)")


class Signed(NamedTuple):
    """What is in a file."""

    blocks: list[Block]
    receipts: list[ReceiptBlock]
    bare: int  #: how many emails of a game, by their code, have none


def signed_blocks(data: bytes) -> Signed:
    """Every block of a report and of a receipt; BadInput ``…/block`` where one is damaged."""
    blocks, receipts, bare = list[Block](), list[ReceiptBlock](), 0
    for mail in _NEXT.split(data) if data.startswith(b"From ") else [data]:
        letter = read_letter(unmarked(mail))
        text = "\n".join(line.text for line in sorted((*letter.lines, *letter.below)))
        told, said = find_receipt_blocks(text), blocks_in(text)
        receipts += told
        blocks += said
        bare += bool(letter.codes) and not (told or said)
    return Signed(blocks, receipts, bare)
