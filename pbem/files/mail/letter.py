"""What a player sent, mail or plain text, cut into what he wrote and what he quoted.

What lives here: one value for both kinds of letter, and telling them apart; Heading, of a mail
whose inside cannot be read: enough to say whose it is, and to answer it (RFC 5322, 3834).
What must never be here: orders (lines.py), who may send them, which game it is.
Law: any bytes give a Letter or one BadInput ``mail/…``; nothing is thrown away in silence; only
what stands above the cut line is the player's word.
Source: FORMAT.md section 3.
"""

import re
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.files.mail import charset
from pbem.files.mail.headers import header, is_automatic
from pbem.files.mail.parts import open_mail
from pbem.files.mail.quoting import Attachment, Contents, own_lines, plain_lines
from pbem.files.orders.lines import Line
from pbem.files.reply_code import find_codes

MAIL_LIMIT = 1024 * 1024
_MARKED = re.compile(rb"(?i)(\nAuto-Submitted:[ \t]*auto-generated)[ \t]*\r?(?=\n)")
_HEADER = re.compile(rb"[!-9;-~]{1,76}[ \t]*:")
_KNOWN = re.compile(
    rb"(?i)(?:from|to|subject|date|message-id|received|return-path|delivered-to|mime-version"
    rb"|content-type|x-[a-z-]+)[ \t]*:"
)


class Letter(NamedTuple):
    """A letter as read. ``codes`` from subject, then text; ``lines`` are the player's own,
    ``below`` all others; both numbered together as the text shows them.
    """

    subject: str
    sender: str
    message_id: str
    codes: tuple[str, ...]
    lines: tuple[Line, ...]
    below: tuple[Line, ...]
    is_mail: bool
    attachments: tuple[Attachment, ...]
    aside: tuple[str, ...] = ()  #: the text of every part of a mail, whether it was read or not


def unmarked(data: bytes) -> bytes:
    """Our own mail as a player saved it, without the word that a machine wrote it, for which it
    would be refused as a letter.
    """
    return _MARKED.sub(b"\nX-Pbem: ours", data, count=1)


def read_letter(data: bytes) -> Letter:
    """The letter in the bytes of a mail (.eml) or of a plain text. BadInput ``mail/…``."""
    if len(data) > MAIL_LIMIT:
        raise BadInput(
            "mail/too-large",
            f"the file has {len(data)} bytes; a mail may have {MAIL_LIMIT}",
            "send the orders alone, without pictures",
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        data = charset.decode(data).encode("utf-8", "replace")
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\x00" in data:
        charset.decode(b"\x00")  # says what is wrong with NUL bytes
    found = is_mail(data)
    return _letter(_opened(data) if found else _plain(data), found)


def _opened(data: bytes) -> Contents:
    return open_mail(data.lstrip())


def _plain(data: bytes) -> Contents:
    return Contents("", "", "", plain_lines(charset.decode(data).split("\n")), ())


def _letter(contents: Contents, is_mail: bool) -> Letter:
    texts = [line.text for line in contents.lines]
    if not contents.attachments and not any(text.strip() for text in texts):
        raise BadInput("mail/empty", "nothing is written in it", "write an order a line")
    own = own_lines(contents.lines)
    numbered = [Line(number, text.rstrip()) for number, text in enumerate(texts, 1)]
    codes = find_codes(contents.subject) + find_codes("\n".join(texts))
    return Letter(
        contents.subject,
        contents.sender,
        contents.message_id,
        tuple(dict.fromkeys(codes)),
        tuple(line for line, mine in zip(numbered, own, strict=True) if mine),
        tuple(line for line, mine in zip(numbered, own, strict=True) if not mine),
        is_mail,
        contents.attachments,
        contents.aside,
    )


def is_mail(data: bytes) -> bool:
    """Whether it begins with headers. A player's text may begin `later:`, so one of the headers
    must be one that mails have.
    """
    head = data[:65536].lstrip().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    lines = head.split(b"\n")
    if lines[0].startswith((b"From ", b">From ")):
        lines = lines[1:]
    for line in lines[:400]:
        if _KNOWN.match(line):
            return True
        if line[:1] not in (b" ", b"\t") and not _HEADER.match(line):
            return False
    return False


LIMIT = 96 * 1024  #: bytes of a mail that are looked at


class Heading(NamedTuple):
    """Three headers, each on one line."""

    subject: str
    sender: str
    ident: str


def read_heading(data: bytes) -> Heading | None:
    """The headers at the beginning of these bytes."""
    data = re.sub(rb"\r\n?", b"\n", data[:LIMIT]).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not is_mail(data):
        return None
    head = data.partition(b"\n\n")[0]
    if head.startswith((b"From ", b">From ")):
        head = head.partition(b"\n")[2]
    mail = BytesHeaderParser(policy=compat32).parsebytes(head + b"\n\n")
    if is_automatic(mail):
        return None
    subject, sender, ident = (header(mail, name) for name in ("subject", "from", "message-id"))
    return Heading(subject, sender, ident)
