"""Finds the signed blocks in saved emails: in one email, a text, or a whole mailbox.

Each report and receipt of pbem ends with a signed block. Mail programs quote, wrap and re-encode it.
Not allowed here: what a block says (report), whether it is true.
Laws: what mail programs did to a block is undone here. Anything unreadable that may be a block is
counted, because otherwise a cheat could hide a block by damaging it.
Source: docs/SPECIFICATION.md section 10; FORMAT.md "Signed receipts".
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
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

#: what separates the emails of a mailbox (mbox): the first as the format demands, the second as programs write it
_MAILBOX_SPLIT = re.compile(rb"\r?\n\r?\n(?=From [^\n]*\n)")
_LOOSE_SPLIT = re.compile(rb"\r?\n(?=>?From [^\n]*\d\d:\d\d:\d\d)")  # a longer pattern takes quadratic time
#: the signature of a block. Other signatures do not match: those in states and view files are in quotes,
#: and those of players who join follow a key
_SIG = re.compile(r"(?<![A-Za-z0-9_-]{43} )(?<![\w\"-])[A-Za-z0-9_-]{86}(?![\w\"-])")
#: part of a signature or hash, but not of a web address
_LONG = re.compile(r"(?<![\w:/.%=?&@-])[A-Za-z0-9_-]{30,}(?![\w:/.%=?&@-])")
#: emails of a mailbox have at least this size on average; to read more of them would take too long
MIN_EMAIL_SIZE = 256
#: an accepted line, as a receipt lists it
_KEPT_LINE = re.compile(r"(?i)\bline\s+kept\b")


class SignedBlocks(NamedTuple):
    """The blocks in a file, and what of it could not be read."""

    blocks: list[Block]
    receipts: list[ReceiptBlock]
    unread: UnreadCounts

    def of_games(self, games: Collection[str]) -> "SignedBlocks":
        """Return the same without the blocks of other games."""
        blocks = [block for block in self.blocks if block.game in games]
        return SignedBlocks(blocks, [block for block in self.receipts if block.game in games], self.unread)


def read_signed_blocks(data: bytes) -> SignedBlocks:
    """Return every block of a report or receipt in a file. Raises BadInput ``…/block`` if all are damaged.

    A mailbox is split strictly and loosely: some programs leave out the blank line before an email.
    """
    blocks = dict[SignedBlock, None]()  # as an ordered set
    unread = UnreadCounts()
    errors = list[BadInput]()
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    is_mailbox = data.startswith((b"From ", b">From "))
    limit = 100 + len(data) // MIN_EMAIL_SIZE
    emails = _MAILBOX_SPLIT.split(data) if is_mailbox else [data]
    longest_emails = _longest_emails(emails, limit)
    for contents in map(_read_email, longest_emails):
        blocks |= dict.fromkeys(contents.blocks)
        unread = unread.plus(contents.unread)
        errors += contents.errors
    strict_emails = {email.strip() for email in longest_emails}
    loose_parts = dict.fromkeys(map(bytes.strip, _LOOSE_SPLIT.split(data) if is_mailbox else ()))
    loose_emails = [email for email in loose_parts if email not in strict_emails]
    for email in _longest_emails(loose_emails, limit):
        # anything unread in it was counted above, as part of a longer email
        blocks |= dict.fromkeys(_read_email(email.removeprefix(b">")).blocks)
    skipped_count = max(0, len(emails) - limit) + max(0, len(loose_emails) - limit)
    unread = unread.plus(UnreadCounts(unreadable=skipped_count))
    if errors and not blocks:
        raise errors[0]
    receipts = [block for block in blocks if isinstance(block, ReceiptBlock)]
    return SignedBlocks([block for block in blocks if isinstance(block, Block)], receipts, unread)


#: what `pbem archive` wrote, in base64: it begins with the header of README.txt, and has no blocks
_ATTACHED_ARCHIVE = re.compile(rb"(?m)^UkVBRE1FLnR4dAAAAA[A-Za-z0-9+/=\r\n]*")


def _longest_emails(emails: list[bytes], limit: int) -> list[bytes]:
    """Return the ``limit`` longest emails in their original order."""
    by_length = sorted(range(len(emails)), key=lambda index: len(emails[index]), reverse=True)
    return [emails[index] for index in sorted(by_length[:limit])]


class EmailContents(NamedTuple):
    """The blocks of one email, how many parts could not be read, and why."""

    blocks: list[SignedBlock]
    unread: UnreadCounts
    errors: list[BadInput]


def _read_email(email: bytes) -> EmailContents:
    """Find the blocks of one email, and count what may be a block that cannot be read."""
    email = _ATTACHED_ARCHIVE.sub(b"", email)
    try:
        if len(email) > MAIL_LIMIT:
            message = f"the file has {len(email)} bytes; an email may have {MAIL_LIMIT}"
            raise BadInput("mail/too-large", message, "save the text of the email alone")
        content = read_mail_texts(email)
    except BadInput as error:
        return EmailContents([], UnreadCounts(unreadable=1), [error])
    blocks_by_text = [
        (normalize_text(text), (*parse_receipt_blocks(text), *parse_blocks(text))) for text in content.texts
    ]
    all_blocks = [block for _, text_blocks in blocks_by_text for block in text_blocks]
    blocks = _without_changed_copies(block for block in all_blocks if not isinstance(block, DamagedBlock))
    block_by_signature = {b64(block.sig): block for block in blocks}
    damaged_blocks = [
        block
        for block in all_blocks
        # nothing is missing if another part of the email has the same block undamaged
        if isinstance(block, DamagedBlock) and not block_by_signature.keys() & {*_SIG.findall(block.text)}
    ]
    has_stray = any(_has_stray(text, text_blocks, block_by_signature) for text, text_blocks in blocks_by_text)
    damaged_count = len(damaged_blocks) or int(has_stray)
    names_game = bool(find_codes("\n".join((content.subject, *content.texts))))
    lacks_block = names_game and not blocks and not damaged_count
    may_hide_block = content.other_files or content.error or any(_LONG.search(text) for text, _ in blocks_by_text)
    is_of_unsigned_kind = content.is_automatic and UNSIGNED_SUBJECT.search(content.subject) is not None
    is_automatic = lacks_block and is_of_unsigned_kind and not may_hide_block
    unread = UnreadCounts(
        without_block=int(lacks_block and not is_automatic),
        damaged_blocks=damaged_count,
        other_files=content.other_files if blocks or names_game else 0,
        automatic=int(is_automatic),
        unreadable=int(content.error is not None),
    )
    errors = [block.error for block in damaged_blocks]
    if has_stray and not errors:
        errors.append(damaged_receipt_error())
    if content.error:
        errors.append(content.error)
    return EmailContents(blocks, unread, errors)


def _without_changed_copies(blocks: Iterable[SignedBlock]) -> list[SignedBlock]:
    """Return each block once, without copies of a genuine block that a mail program has changed."""
    genuineness = {block: block.is_genuine() for block in blocks}
    genuine_signatures = {block.sig for block, is_genuine in genuineness.items() if is_genuine}
    return [block for block, is_genuine in genuineness.items() if is_genuine or block.sig not in genuine_signatures]


def _has_stray(
    text: str,
    blocks: Sequence[Block | ReceiptBlock | DamagedBlock],
    block_by_signature: Mapping[str, Block | ReceiptBlock],
) -> bool:
    """Return whether a text has a signature, or an accepted line, that belongs to none of the email's blocks.

    Such a text may be the rest of a damaged block. ``blocks``: the blocks in the text, with every copy.
    ``block_by_signature``: the blocks of the whole email.
    """
    signatures = {*_SIG.findall(text)}
    other_blocks = [
        block for signature, block in block_by_signature.items() if signature in signatures and block not in blocks
    ]
    receipts = [block.receipt for block in (*blocks, *other_blocks) if isinstance(block, ReceiptBlock)]
    accepted_count = sum(verdict == "kept" for receipt in receipts for verdict, _ in receipt.lines)
    has_stray_signature = not signatures <= block_by_signature.keys()
    return has_stray_signature or len(_KEPT_LINE.findall(text)) > accepted_count
