"""The headers of a mail whose inside cannot be read: enough to say whose it is, and to answer it.

What lives here: Heading, ``read_heading``. What must never be here: a body.
Law: never raises; None for what is no mail, and for what no person wrote (an answer to that could
go round for ever). Source: RFC 5322, 3834; FORMAT.md section 3.
"""

import re
from email.parser import BytesHeaderParser  # this module is imported only for such a mail
from email.policy import compat32
from typing import NamedTuple

from pbem.files.mail.headers import header, is_automatic
from pbem.files.mail.letter import is_mail

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
