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
from pbem.mail.every_text import every_text
from pbem.mail.identity import find_codes
from pbem.mail.parsed import MAIL_LIMIT
from pbem.proof.audit.saved_emails import Unread
from pbem.report.block import Block, blocks_in
from pbem.report.block_lines import Damaged, shown_of
from pbem.report.receipt_block import (
    ReceiptBlock,
    SignedBlock,
    damaged_receipt,
    receipts_in,
)
from pbem.report.subjects import HAS_NO_BLOCK

#: between two emails of a mailbox (mbox): as it should be, and as programs write it
_NEXT = re.compile(rb"\r?\n\r?\n(?=From [^\n]*\n)")
_LOOSE = re.compile(rb"\r?\n(?=>?From [^\n]*\d\d:\d\d:\d\d)")  # no more: it costs the square
#: a signature of a block as it is written: those in states and view files stand in quotes, those of
#: who joins behind another word of letters
_SIG = re.compile(r"(?<![A-Za-z0-9_-]{43} )(?<![\w\"-])[A-Za-z0-9_-]{86}(?![\w\"-])")
#: part of a signature or a head, but in no link
_LONG = re.compile(r"(?<![\w:/.%=?&@-])[A-Za-z0-9_-]{30,}(?![\w:/.%=?&@-])")
#: bytes that an email in a mailbox has at least, on the whole: more emails would cost too much
LEAST = 256
_KEPT = re.compile(r"(?i)\bline\s+kept\b")


class Signed(NamedTuple):
    """What is in a file."""

    blocks: list[Block]
    receipts: list[ReceiptBlock]
    unread: Unread


def signed_blocks(data: bytes) -> Signed:
    """Every block of a report and of a receipt; BadInput ``…/block`` where the only ones are
    damaged.
    """
    found, unread, why = dict[SignedBlock, None](), Unread(), list[BadInput]()
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    box = data.startswith((b"From ", b">From "))
    most = 100 + len(data) // LEAST
    mails = _NEXT.split(data) if box else [data]
    for mail in (read := _longest(mails, most)):
        said, left, wrong = _of(mail)
        found |= dict.fromkeys(said)
        unread, why = unread.plus(left), [*why, *wrong]
    strict = {mail.strip() for mail in read}
    split = dict.fromkeys(map(bytes.strip, _LOOSE.split(data) if box else ()))
    loose = [mail for mail in split if mail not in strict]
    for mail in _longest(loose, most):
        # only this way it is an email of its own; the rest of it is told above
        found |= dict.fromkeys(_of(mail.removeprefix(b">"))[0])
    unread = unread.plus(Unread(shut=max(0, len(mails) - most) + max(0, len(loose) - most)))
    if why and not found:
        raise why[0]
    receipts = [one for one in found if isinstance(one, ReceiptBlock)]
    return Signed([one for one in found if isinstance(one, Block)], receipts, unread)


def _longest(mails: list[bytes], most: int) -> list[bytes]:
    """So many of them, in their order."""
    found = sorted(range(len(mails)), key=lambda at: len(mails[at]), reverse=True)
    return [mails[at] for at in sorted(found[:most])]


def _of(mail: bytes) -> tuple[list[SignedBlock], Unread, list[BadInput]]:
    """The blocks of one email, what of it could not be read, and why."""
    try:
        if len(mail) > MAIL_LIMIT:
            message = f"the file has {len(mail)} bytes; an email may have {MAIL_LIMIT}"
            raise BadInput("mail/too-large", message, "save the text of the email alone")
        letter = every_text(mail)
    except BadInput as error:
        return [], Unread(shut=1), [error]
    read = [(shown_of(text), (*receipts_in(text), *blocks_in(text))) for text in letter.texts]
    each = [one for _, those in read for one in those]
    genuine = {one: one.genuine() for one in each if not isinstance(one, Damaged)}
    good = {one.sig for one, holds in genuine.items() if holds}
    # what has the signature of another one, which holds, is a copy of it
    found = [one for one, holds in genuine.items() if holds or one.sig not in good]
    sigs = {b64(one.sig): one for one in found}
    torn = [
        one
        for one in each
        # where the same block stands whole in another alternative, nothing is missing
        if isinstance(one, Damaged) and not sigs.keys() & {*_SIG.findall(one.text)}
    ]
    stray = any(_stray(text, those, sigs) for text, those in read)
    damaged = len(torn) or int(stray)
    game = bool(find_codes("\n".join((letter.subject, *letter.texts))))
    none = not found and not damaged
    own = letter.automatic and HAS_NO_BLOCK.search(letter.subject) is not None
    hides = letter.others or letter.wrong or any(_LONG.search(text) for text, _ in read)
    own = none and game and own and not hides
    others = letter.others if found or game else 0
    bare, shut = none and game and not own, letter.wrong is not None
    left = Unread(int(bare), damaged, others, int(own), int(shut))
    why = [one.error for one in torn] or [damaged_receipt()] * stray
    return found, left, [*why, *([letter.wrong] if letter.wrong else ())]


def _stray(
    text: str,
    there: Sequence[Block | ReceiptBlock | Damaged],
    sigs: Mapping[str, Block | ReceiptBlock],
) -> bool:
    """Whether a text has a signature, or a line that was kept, of a block that begins nowhere;
    ``there``: those in it, each copy, ``sigs``: those of the whole email by their signatures.
    """
    shown = {*_SIG.findall(text)}
    more = [one for sig, one in sigs.items() if sig in shown and one not in there]
    kept = sum(
        verdict == "kept"
        for one in (*there, *more)
        if isinstance(one, ReceiptBlock)
        for verdict, _ in one.receipt.lines
    )
    return not shown <= sigs.keys() or len(_KEPT.findall(text)) > kept
