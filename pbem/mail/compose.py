"""Write our emails as bytes: headers, text, optional HTML and attachments.

Written without the library's MIME, whose import costs as much as starting Python. Lines end in LF:
the email is a file (.eml), and mail programs turn LF into CRLF.

Not allowed here: what an email says; sending it; a clock or chance (date and id are
arguments).
Source: RFC 5322, 2045 to 2047, 2183, 3834; docs/decisions/0001 "Hand-written MIME out".
"""

import binascii
import re
from datetime import datetime
from typing import NamedTuple

from pbem.errors import BadInput

#: an email address that may be in a header
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.\[\]:-]{1,253}")
MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,240}>")  #: of our emails and of those that they answer
_DATE = re.compile(r"[A-Za-z0-9,:+\-() ]{10,60}")
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")


UNSENT_HEADER = "X-Unsent: 1"  #: mail programs open such a file as a draft; sending removes the line


class _MimePart(NamedTuple):
    """A MIME entity: its own header lines, and its body, which ends in LF."""

    headers: tuple[str, ...]
    body: bytes


def write_mail(
    to: tuple[str, str],
    sender: tuple[str, str],
    subject: str,
    text: str,
    message_id: str,
    date: str,
    thread: tuple[str, ...] = (),
    html: str | None = None,
    files: tuple[tuple[str, bytes], ...] = (),
    is_reply: bool = False,
) -> bytes:
    """A complete email. The same arguments give the same bytes, in ASCII.

    ``to`` and ``sender`` are (name, address); the name may be empty. ``date`` is as in RFC 5322.
    ``thread`` has the ids of the earlier emails, ending with the one that this email follows.
    ``files`` are (name, data). ``is_reply``: it answers an email. Raises ValueError if a value is misspelt
    or would break out of its header.
    """
    headers = [
        f"From: {format_mailbox(sender)}",
        f"To: {format_mailbox(to)}",
        f"Subject: {_encode_subject(subject)}",
        f"Date: {_require_match(_DATE, date, 'date')}",
        f"Message-ID: {_require_match(MESSAGE_ID, message_id, 'message id')}",
    ]
    previous_ids = [_require_match(MESSAGE_ID, previous_id, "thread") for previous_id in thread]
    if previous_ids:
        references = "\n ".join(previous_ids)
        headers += [f"In-Reply-To: {previous_ids[-1]}", f"References: {references}"]
    # Tells vacation programs not to answer (RFC 3834), and pbem not to read its own email.
    auto_submitted = "auto-replied" if is_reply else "auto-generated"
    headers += [f"Auto-Submitted: {auto_submitted}", UNSENT_HEADER, "MIME-Version: 1.0"]
    part = _build_text_part(text, "plain")
    if html is not None:
        part = _build_multipart("alternative", (part, _build_text_part(html, "html")))
    if files:
        part = _build_multipart("mixed", (part, *(_build_file_part(*file) for file in files)))
    return "\n".join((*headers, *part.headers, "", "")).encode("ascii") + part.body


def _build_text_part(text: str, subtype: str) -> _MimePart:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n") + "\n"
    headers = (f'Content-Type: text/{subtype}; charset="utf-8"', "Content-Transfer-Encoding: quoted-printable")
    body = binascii.b2a_qp(lines.encode("utf-8"), istext=True)
    # mbox files escape a line that begins with `From `, and a line `.` would end an SMTP session.
    body = re.sub(rb"(?m)^From ", b"=46rom ", body)
    return _MimePart(headers, re.sub(rb"(?m)^\.", b"=2E", body))


def _build_file_part(name: str, data: bytes) -> _MimePart:
    content_type = "application/toml" if name.endswith(".toml") else "application/octet-stream"
    rows = [binascii.b2a_base64(data[start : start + 57]) for start in range(0, len(data), 57)]
    headers = (
        f'Content-Type: {content_type};\n name="{_require_match(_FILE_NAME, name, "file name")}"',
        "Content-Transfer-Encoding: base64",
        f'Content-Disposition: attachment;\n filename="{name}"',
    )
    return _MimePart(headers, b"".join(rows) or b"\n")


def _build_multipart(subtype: str, parts: tuple[_MimePart, ...]) -> _MimePart:
    encoded_parts = ["\n".join((*p.headers, "", "")).encode("ascii") + p.body for p in parts]
    # `=_` cannot occur in quoted-printable or base64, so no content contains the boundary. Kind,
    # length and checksum make the boundary of an inner part differ from the outer one's.
    content = b"\x00".join(encoded_parts)
    boundary = f"=_{subtype}-{len(content)}-{binascii.crc32(content):08x}"
    delimiter = b"--" + boundary.encode()
    # The LF before a delimiter belongs to the delimiter: each part keeps its last one.
    body = b"".join(delimiter + b"\n" + encoded_part + b"\n" for encoded_part in encoded_parts) + delimiter + b"--\n"
    return _MimePart((f'Content-Type: multipart/{subtype};\n boundary="{boundary}"',), body)


def format_mailbox(name_and_address: tuple[str, str]) -> str:
    """A name and an address in the form of a header."""
    name, address = name_and_address
    _require_match(ADDRESS, address, "address")
    if not name:
        return address
    _refuse_controls(name)
    if len(name) > 60 or not name.isascii() or "=?" in name:
        return f"{_encode_words(name)}\n <{address}>"
    if _PLAIN_NAME.fullmatch(name):
        return f"{name}\n <{address}>" if len(name) + len(address) > 60 else f"{name} <{address}>"
    quoted = re.sub(r'(["\\])', r"\\\1", name)
    return f'"{quoted}"\n <{address}>'


def _encode_subject(value: str) -> str:
    """The value itself if it is plain and short, otherwise encoded words."""
    _refuse_controls(value)
    is_plain = value.isascii() and "=?" not in value and value == " ".join(value.split())
    return value if is_plain and len(f"Subject: {value}") <= 76 else _encode_words(value)


def _encode_words(value: str) -> str:
    """Encoded words of RFC 2047, one per line: base64, at most 75 letters, cut between characters."""
    chunks, chunk = [], b""
    for letter in value:
        letter_bytes = letter.encode("utf-8")
        if len(chunk) + len(letter_bytes) > 42:
            chunks.append(chunk)
            chunk = b""
        chunk += letter_bytes
    chunks.append(chunk)
    base64_words = (binascii.b2a_base64(encoded_chunk, newline=False).decode() for encoded_chunk in chunks)
    return "\n ".join(f"=?utf-8?b?{base64_word}?=" for base64_word in base64_words)


def _refuse_controls(value: str) -> None:
    if any(ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u2029" for c in value):
        raise ValueError("a header value holds a line end or control character")
    value.encode("utf-8")  # a lone surrogate: UnicodeEncodeError is a ValueError


def _require_match(pattern: re.Pattern[str], value: str, label: str) -> str:
    if not pattern.fullmatch(value):
        raise ValueError(f"this cannot stand in a mail as its {label}")
    return value


_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def format_mail_date(time: str) -> str:
    """``2026-11-21T09:45:00Z`` as RFC 5322 writes it: ``Sat, 21 Nov 2026 09:45:00 +0000``."""
    try:
        when = datetime.fromisoformat(time.removesuffix("Z"))  # strptime costs a ms to import
    except ValueError:
        hint = "such as 2026-11-21T09:45:00Z"
        raise BadInput("time/shape", f"{time[:40]!r} is not a time", hint) from None
    day, month = _DAYS[when.weekday()], MONTHS[when.month - 1]
    return f"{day}, {when.day} {month} {when.year} {when:%H:%M:%S} +0000"


def format_date_in_prose(time: str) -> str:
    """The same for people: ``Sat 21 Nov 2026, 09:45 UTC``."""
    weekday, day, month, year, clock, _ = format_mail_date(time).split(" ")
    return f"{weekday[:3]} {day} {month} {year}, {clock[:5]} UTC"
