"""Reads the referee's emails as a player sees them, and writes replies as various email programs do.

It reads with the standard library alone. So an email that only pbem itself could read makes a bot fail. It
writes MIME by hand, so that all versions of Python give the same bytes.
Not allowed here: choosing orders; notation.
Source: what Thunderbird, Gmail, Outlook, Apple Mail and K-9 send; RFC 2045, 5322.
"""

import binascii
import html
import re
from email.parser import BytesParser
from email.policy import default
from email.utils import parseaddr
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.settings import Config
from pbem.formats import state_file

if TYPE_CHECKING:
    from pbem.engine.game import Game

_CODE = re.compile(r"\[pbem ([0-9A-Z]{4}-[0-9A-Z]{4})\]")
_YOUR_TURN = re.compile(r": your turn(?:[,;] .*)? \[pbem ")


class Mail(NamedTuple):
    """An email from the referee, as a player sees it."""

    code: str
    subject: str
    sender: str  #: name and address, as in the header
    to: str
    date: str
    message_id: str
    text: str
    files: dict[str, bytes]

    @property
    def waiting_orders(self) -> tuple[str, ...]:
        """The player's pending orders, as a receipt lists them."""
        _, _, text_after = self.text.partition("Your pending orders:\n")
        return tuple(text_after.splitlines())


class Addressing(NamedTuple):
    """The headers of an email that decide whether it is worth reading."""

    recipient: str
    subject: str


def recipient_and_subject(data: bytes) -> Addressing:
    """Return an email's recipient and subject, without reading its body."""
    message_headers = BytesParser(policy=default).parsebytes(data, headersonly=True)
    return Addressing(str(message_headers["To"]), str(message_headers["Subject"]))


def has_code(subject: str) -> bool:
    """Return whether a subject has a reply code, so that a reply is expected or possible."""
    return _CODE.search(subject) is not None


def asks_for_orders(subject: str) -> bool:
    """Return whether it is the subject of a report that asks: `autumn: your turn, by Mon 30 Nov 20:00 [pbem …]`."""
    return _YOUR_TURN.search(subject) is not None


def read_mail(data: bytes) -> Mail:
    """Read an email of pbem. Raises LookupError if it has no text or no code."""
    message = BytesParser(policy=default).parsebytes(data)
    body = message.get_body(("plain",))
    subject = str(message["Subject"])
    code = _CODE.search(subject)
    if body is None or code is None:
        raise LookupError("a mail without a text or without a code")
    return Mail(
        code=code[1],
        subject=subject,
        sender=str(message["From"]),
        to=str(message["To"]),
        date=str(message["Date"]),
        message_id=str(message["Message-ID"]),
        text=str(body.get_content()),
        files={part.get_filename() or "": part.get_content() for part in message.iter_attachments()},
    )


def read_view(mail: Mail, game: "Game") -> Any:
    """Return the View in an email's view file, or None if it has none. A View is the game as one player sees it."""
    data = next((content for name, content in mail.files.items() if name.endswith(".view.toml")), None)
    if data is None:
        return None
    document = state_file.parse(data)
    seats = tuple(row.partition(" ")[0] for row in document["seats"])
    options = tuple((name, value) for name, _, value in (row.partition("=") for row in document["options"]))
    return game.decode_view(Config(seats, options, document["rulings"]), document["view"])


REPLY_STYLES = ("plain", "quoted-printable", "base64", "html", "both", "phone")
_GREETINGS = ("Hi,", "Dear referee,", "Hello all", "", "", "Good evening! Here are my orders:")


def write_reply(mail: Mail, lines: list[str], style: str, greeting_number: int, date: str) -> bytes:
    """Return a reply to the referee's email: ``lines`` above, the quoted email below."""
    name, address = parseaddr(mail.to)
    greeting_line = _GREETINGS[greeting_number % len(_GREETINGS)]
    own_lines = ([greeting_line, ""] if greeting_line else []) + lines
    original_id = mail.message_id.strip("<>").partition("@")[0]
    checksum = f"{binascii.crc32(f'{date} {own_lines}'.encode()):x}"  # different replies to one email get different ids
    headers = [
        f"From: {mail.to}",
        f"To: {mail.sender}",
        f"Subject: Re: {mail.subject}",
        f"Date: {date}",
        f"Message-ID: <re.{original_id}.{checksum}.{address}>",
        f"In-Reply-To: {mail.message_id}",
        "MIME-Version: 1.0",
    ]
    body_headers, body = _build_body(mail, own_lines, style, name)
    text = "\r\n".join([*headers, *body_headers, ""]).encode() + b"\r\n"
    return text + body.replace(b"\n", b"\r\n")


def _build_body(mail: Mail, own_lines: list[str], style: str, name: str) -> tuple[list[str], bytes]:
    """Return the headers and the content of a reply in this style. ``name``: the signature below it."""
    if style == "html":
        return _build_part("html", _build_html(mail, own_lines, name), "quoted-printable")
    if style == "both":
        return _build_alternatives(_build_text(mail, own_lines, name), _build_html(mail, own_lines, name))
    if style == "phone":
        return _build_part("plain", _build_text(mail, [*own_lines, "", "Sent from my phone"], ""), "8bit")
    return _build_part("plain", _build_text(mail, own_lines, name), "8bit" if style == "plain" else style)


def _build_text(mail: Mail, own_lines: list[str], name: str) -> str:
    signature = ["", "-- ", name] if name else []
    quoted = [f"> {line}".rstrip() for line in mail.text.splitlines()]
    return "\n".join([*own_lines, "", _attribution(mail), *quoted, *signature, ""])


def _build_html(mail: Mail, own_lines: list[str], name: str) -> str:
    rows = "".join(f"<div>{html.escape(line) or '<br>'}</div>\n" for line in [*own_lines, "", name])
    quoted = "<br>\n".join(html.escape(line) for line in mail.text.splitlines())
    return (
        f'<html><body>\n{rows}<div class="gmail_quote">{html.escape(_attribution(mail))}<br>\n'
        f'<blockquote style="margin:0 0 0 .8ex;border-left:1px #ccc solid">{quoted}</blockquote>'
        "</div>\n</body></html>\n"
    )


def _attribution(mail: Mail) -> str:
    return f"On {mail.date.rpartition(' ')[0]}, {mail.sender} wrote:"


def _build_part(subtype: str, text: str, encoding: str) -> tuple[list[str], bytes]:
    """Return the headers and the encoded content of one part of an email."""
    encoding_header = f"Content-Transfer-Encoding: {encoding}"
    data = text.encode()
    if encoding == "quoted-printable":
        data = binascii.b2a_qp(data, istext=True)  # breaks long lines softly, as `=` at the end
    elif encoding == "base64":
        data = data.replace(b"\n", b"\r\n")
        data = b"".join(binascii.b2a_base64(data[start : start + 57]) for start in range(0, len(data), 57))
    return [f"Content-Type: text/{subtype}; charset=UTF-8", encoding_header], data


def _build_alternatives(text: str, markup: str) -> tuple[list[str], bytes]:
    boundary = "000000000000demo"
    body = b""
    for subtype, content in (("plain", text), ("html", markup)):
        headers, data = _build_part(subtype, content, "quoted-printable")
        body += "\n".join([f"--{boundary}", *headers, "", ""]).encode() + data + b"\n"
    headers = [f'Content-Type: multipart/alternative; boundary="{boundary}"']
    return headers, body + f"--{boundary}--\n".encode()
