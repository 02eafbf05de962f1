"""The signed blocks in what people keep of their emails: a saved one, a text, a whole mailbox.

What must never be here: what a block says (report), whether it is true.
Laws: what mail programs did to a block is undone where it is read; a mailbox is its emails; what
could be a block, and cannot be read, is counted, for silence is what a cheat wants.
Source: docs/SPECIFICATION.md section 10; FORMAT.md "Signed receipts".
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbem.crypto.encoding import b64
from pbem.errors import BadInput
from pbem.mail.every_text import read_mail_texts
from pbem.mail.identity import find_codes
from pbem.mail.parsed import MAIL_LIMIT
from pbem.proof.audit.saved_emails import UnreadCounts
from pbem.report.block import Block, DamagedBlock, normalize_text, parse_blocks
from pbem.report.receipt_block import ReceiptBlock, SignedBlock, damaged_receipt_error, parse_receipt_blocks
from pbem.report.sentences import UNSIGNED_SUBJECT

#: between two emails of a mailbox (mbox): as it should be, and as programs write it
_MAILBOX_SPLIT = re.compile(rb"\r?\n\r?\n(?=From [^\n]*\n)")
_LOOSE_SPLIT = re.compile(rb"\r?\n(?=>?From [^\n]*\d\d:\d\d:\d\d)")  # no more: it costs the square
#: a signature of a block as it is written: those in states and view files stand in quotes, those of
#: who joins behind another word of letters
_SIG = re.compile(r"(?<![A-Za-z0-9_-]{43} )(?<![\w\"-])[A-Za-z0-9_-]{86}(?![\w\"-])")
#: part of a signature or a head, but in no link
_LONG = re.compile(r"(?<![\w:/.%=?&@-])[A-Za-z0-9_-]{30,}(?![\w:/.%=?&@-])")
#: bytes that an email in a mailbox has at least, on the whole: more emails would cost too much
MIN_EMAIL_SIZE = 256
_KEPT_LINE = re.compile(r"(?i)\bline\s+kept\b")


class SignedBlocks(NamedTuple):
    """What is in a file."""

    blocks: list[Block]
    receipts: list[ReceiptBlock]
    unread: UnreadCounts


def read_signed_blocks(data: bytes) -> SignedBlocks:
    """Every block of a report and of a receipt; BadInput ``…/block`` where the only ones are
    damaged.
    """
    blocks, unread, errors = dict[SignedBlock, None](), UnreadCounts(), list[BadInput]()
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    is_mailbox = data.startswith((b"From ", b">From "))
    limit = 100 + len(data) // MIN_EMAIL_SIZE
    emails = _MAILBOX_SPLIT.split(data) if is_mailbox else [data]
    for email in (longest_emails := _longest_emails(emails, limit)):
        email_blocks, email_unread, email_errors = _read_blocks(email)
        blocks |= dict.fromkeys(email_blocks)
        unread, errors = unread.plus(email_unread), [*errors, *email_errors]
    strict_emails = {email.strip() for email in longest_emails}
    loose_parts = dict.fromkeys(map(bytes.strip, _LOOSE_SPLIT.split(data) if is_mailbox else ()))
    loose_emails = [email for email in loose_parts if email not in strict_emails]
    for email in _longest_emails(loose_emails, limit):
        # only this way it is an email of its own; the rest of it is told above
        blocks |= dict.fromkeys(_read_blocks(email.removeprefix(b">"))[0])
    unread = unread.plus(UnreadCounts(unreadable=max(0, len(emails) - limit) + max(0, len(loose_emails) - limit)))
    if errors and not blocks:
        raise errors[0]
    receipts = [block for block in blocks if isinstance(block, ReceiptBlock)]
    return SignedBlocks([block for block in blocks if isinstance(block, Block)], receipts, unread)


def _longest_emails(emails: list[bytes], limit: int) -> list[bytes]:
    """So many of them, in their order."""
    by_length = sorted(range(len(emails)), key=lambda index: len(emails[index]), reverse=True)
    return [emails[index] for index in sorted(by_length[:limit])]


def _read_blocks(email: bytes) -> tuple[list[SignedBlock], UnreadCounts, list[BadInput]]:
    """The blocks of one email, what of it could not be read, and why."""
    try:
        if len(email) > MAIL_LIMIT:
            message = f"the file has {len(email)} bytes; an email may have {MAIL_LIMIT}"
            raise BadInput("mail/too-large", message, "save the text of the email alone")
        content = read_mail_texts(email)
    except BadInput as error:
        return [], UnreadCounts(unreadable=1), [error]
    blocks_by_text = [
        (normalize_text(text), (*parse_receipt_blocks(text), *parse_blocks(text))) for text in content.texts
    ]
    all_blocks = [block for _, text_blocks in blocks_by_text for block in text_blocks]
    genuine = {block: block.is_genuine() for block in all_blocks if not isinstance(block, DamagedBlock)}
    genuine_signatures = {block.sig for block, is_genuine in genuine.items() if is_genuine}
    # what has the signature of another one, which holds, is a copy of it
    blocks = [block for block, is_genuine in genuine.items() if is_genuine or block.sig not in genuine_signatures]
    block_by_signature = {b64(block.sig): block for block in blocks}
    damaged_blocks = [
        block
        for block in all_blocks
        # where the same block stands whole in another alternative, nothing is missing
        if isinstance(block, DamagedBlock) and not block_by_signature.keys() & {*_SIG.findall(block.text)}
    ]
    has_stray = any(_has_stray(text, text_blocks, block_by_signature) for text, text_blocks in blocks_by_text)
    damaged_count = len(damaged_blocks) or int(has_stray)
    names_game = bool(find_codes("\n".join((content.subject, *content.texts))))
    is_empty = not blocks and not damaged_count
    is_automatic = content.is_automatic and UNSIGNED_SUBJECT.search(content.subject) is not None
    may_hide = content.other_files or content.error or any(_LONG.search(text) for text, _ in blocks_by_text)
    is_automatic = is_empty and names_game and is_automatic and not may_hide
    other_files = content.other_files if blocks or names_game else 0
    lacks_block, is_unreadable = (is_empty and names_game and not is_automatic, content.error is not None)
    unread = UnreadCounts(int(lacks_block), damaged_count, other_files, int(is_automatic), int(is_unreadable))
    errors = [block.error for block in damaged_blocks] or [damaged_receipt_error()] * has_stray
    return blocks, unread, [*errors, *([content.error] if content.error else ())]


def _has_stray(
    text: str,
    blocks: Sequence[Block | ReceiptBlock | DamagedBlock],
    block_by_signature: Mapping[str, Block | ReceiptBlock],
) -> bool:
    """Whether a text has a signature, or a line that was kept, of a block that begins nowhere;
    ``blocks``: those in it, each copy, ``block_by_signature``: those of the whole email by their signatures.
    """
    signatures = {*_SIG.findall(text)}
    other_blocks = [
        block for signature, block in block_by_signature.items() if signature in signatures and block not in blocks
    ]
    accepted_count = sum(
        verdict == "kept"
        for block in (*blocks, *other_blocks)
        if isinstance(block, ReceiptBlock)
        for verdict, _ in block.receipt.lines
    )
    return not signatures <= block_by_signature.keys() or len(_KEPT_LINE.findall(text)) > accepted_count
