"""Headers of a mail as text: decoded tolerantly, on one line, no control characters.

What lives here: header values and parameters out of the library's message; what is automatic.
What must never be here: bodies.
Law: never raises; a header that cannot be decoded is given as it came, or as nothing.
Source: RFC 5322, 2047, 3834; what Exchange, Gmail and mailer daemons send.
"""

import re
from email.header import decode_header
from email.message import Message

from pbem.errors import BadInput
from pbem.files.mail.charset import decode

_LONGEST = 2000


def header(part: Message, name: str) -> str:
    """The value of a header, decoded; empty if it is not there."""
    # Raw 8-bit bytes come as surrogates (or, once asked for, as a Header): give them back.
    raw = next((str(v) for key, v in part.raw_items() if key.lower() == name), "")
    text = raw[:_LONGEST].encode("utf-8", "surrogateescape")
    try:
        return _tidy(_decoded(decode(text)))
    except BadInput:
        return ""


def parameter(part: Message, name: str) -> str:
    """A parameter of the content type, such as ``charset``; empty if there is none."""
    try:
        value = part.get_param(name, "")
    except Exception:  # noqa: BLE001 - the library's decoder of RFC 2231 raises anything on broken values
        return ""
    if isinstance(value, tuple):
        value = value[2]
    return _tidy(str(value or ""))[:60]


def is_automatic(mail: Message) -> bool:
    """Whether no person wrote this: vacation notes, bounces, receipts of delivery."""
    submitted = header(mail, "auto-submitted").lower()
    if submitted and not submitted.startswith("no"):
        return True
    if header(mail, "precedence").lower() in ("auto_reply", "auto-reply"):
        return True
    if any(mail.get(name) is not None for name in ("x-autoreply", "x-autorespond")):
        return True
    sender = header(mail, "from").lower()
    return (
        mail.get_content_type() == "multipart/report"
        or header(mail, "return-path") == "<>"
        or re.search(r"(?:^|<)(?:mailer-daemon|postmaster)@", sender) is not None
    )


def _decoded(value: str) -> str:
    if "=?" not in value:
        return value
    try:
        pieces = decode_header(value)
    except Exception:  # noqa: BLE001 - HeaderParseError, binascii.Error, and whatever else
        return value
    return "".join(
        piece if isinstance(piece, str) else decode(piece, label or "utf-8")
        for piece, label in pieces
    )


def _tidy(value: str) -> str:
    """One line: blanks joined, what cannot be printed left out."""
    plain = " ".join(value.split())
    return "".join(c for c in plain if c.isprintable() or c == "\xa0")[:1000]
