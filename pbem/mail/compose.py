"""Mails we send, as bytes: headers, text, perhaps HTML and attachments.

Written by hand: importing the library's MIME costs a bare interpreter start.
What must never be here: what a mail says; sending it; a clock or chance (date and id are given).
Law: same arguments, same bytes; no value can add a header (CR, LF and other control characters
are refused with ValueError); nothing but ASCII, no line over 78 bytes but an unbroken id.
Lines end in LF: the mail is a file (.eml), and every mailer that takes one turns LF into CRLF.
Source: RFC 5322, 2045 to 2047, 2183, 3834; docs/decisions/0001 "Hand-written MIME out".
"""

import binascii
import re
from datetime import datetime
from typing import NamedTuple

from pbem.errors import BadInput

#: an email address that can stand in a header
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.\[\]:-]{1,253}")
MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,240}>")  #: of a mail, ours or one that we answer
_DATE = re.compile(r"[A-Za-z0-9,:+\-() ]{10,60}")
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")


UNSENT_HEADER = "X-Unsent: 1"  #: a file with this line is opened as a draft; what goes out has it not


class _MimePart(NamedTuple):
    """A MIME entity: its own header lines, and its body that ends in LF."""

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
    """A whole mail, with ``files`` attached, by name. ``to`` and ``sender`` are (name, address),
    name may be empty; ``date`` as in RFC 5322; ``thread``: the ids of the mails before, the one it
    follows last; ``is_reply``: it answers a mail. ValueError if a header value would break out of its
    header or is misspelt.
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
    # Tells vacation programs not to answer (RFC 3834), and us not to read our own mail.
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
    # mbox files put `>` before a line that begins so; and a line `.` would end an SMTP session.
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
    # `=_` cannot stand in quoted-printable or base64, so no content holds the boundary; kind,
    # length and checksum keep the boundary of an inner part from being the outer one's.
    content = b"\x00".join(encoded_parts)
    boundary = f"=_{subtype}-{len(content)}-{binascii.crc32(content):08x}"
    delimiter = b"--" + boundary.encode()
    # The LF before a fence is the fence's: each part keeps the one its body ends in.
    body = b"".join(delimiter + b"\n" + encoded_part + b"\n" for encoded_part in encoded_parts) + delimiter + b"--\n"
    return _MimePart((f'Content-Type: multipart/{subtype};\n boundary="{boundary}"',), body)


def format_mailbox(name_and_address: tuple[str, str]) -> str:
    """A name and an address as they stand in a header."""
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
    """As it is if plain and short, else as encoded words."""
    _refuse_controls(value)
    is_plain = value.isascii() and "=?" not in value and value == " ".join(value.split())
    return value if is_plain and len(f"Subject: {value}") <= 76 else _encode_words(value)


def _encode_words(value: str) -> str:
    """RFC 2047: base64 words of at most 75 letters, cut between characters, one a line."""
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
    """``2026-11-21T09:45:00Z`` as RFC 5322 has it, in English whatever the locale:
    ``Sat, 21 Nov 2026 09:45:00 +0000``.
    """
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
