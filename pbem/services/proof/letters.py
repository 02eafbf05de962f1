"""The signed blocks in what people keep of their emails: a saved one, a text, a whole mailbox.

What must never be here: what a block says (moderator/report/block.py), whether it is true.
Law: what mail programs did to a block is undone where it is read; a mailbox is its emails.
Source: docs/SPECIFICATION.md section 10; FORMAT.md "Signed receipts".
"""

import re

from pbem.files.mail.letter import read_letter, unmarked
from pbem.moderator.report.block import Block, ReceiptBlock, blocks_in, find_receipt_blocks

#: between two emails of a mailbox (mbox)
_NEXT = re.compile(rb"\r?\n\r?\n(?=From [^\n]*\n)")


def signed_blocks(data: bytes) -> tuple[list[Block], list[ReceiptBlock]]:
    """Every block of a report and of a receipt; BadInput ``…/block`` where one is damaged."""
    blocks, receipts = list[Block](), list[ReceiptBlock]()
    for mail in _NEXT.split(data) if data.startswith(b"From ") else [data]:
        letter = read_letter(unmarked(mail))
        text = "\n".join(line.text for line in sorted((*letter.lines, *letter.below)))
        receipts += find_receipt_blocks(text)
        blocks += blocks_in(text)
    return blocks, receipts
