"""The mails of a player: the referee's, read as a player reads them, and answers as mail programs
send them: quoted, encoded and signed in their several ways.

What must never be here: choosing; orders. Read by the standard library alone: a mail that only we
can read is found out. The same arguments give the same bytes on any Python, so the MIME is written
by hand.
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


class Mail(NamedTuple):
    """What a player has of a mail."""

    code: str
    subject: str
    sender: str  #: with the name, as it stands in the mail
    to: str
    date: str
    message_id: str
    text: str
    files: dict[str, bytes]

    @property
    def kept(self) -> tuple[str, ...]:
        """The player's waiting orders, as a receipt lists them."""
        _, _, rest = self.text.partition("Your waiting orders:\n")
        return tuple(rest.splitlines())


def subject_of(data: bytes) -> tuple[str, str]:
    """To whom a mail goes and its subject: all that most mails are looked at for."""
    head = BytesParser(policy=default).parsebytes(data, headersonly=True)
    return str(head["To"]), str(head["Subject"])


def has_code(subject: str) -> bool:
    """Whether an answer is expected, or possible."""
    return _CODE.search(subject) is not None


def read_mail(data: bytes) -> Mail:
    """One mail of ours; KeyError and the like if it is not as promised."""
    message = BytesParser(policy=default).parsebytes(data)
    body = message.get_body(("plain",))
    subject = str(message["Subject"])
    code = _CODE.search(subject)
    if body is None or code is None:
        raise LookupError("a mail without a text or without a code")
    return Mail(
        code[1],
        subject,
        str(message["From"]),
        str(message["To"]),
        str(message["Date"]),
        str(message["Message-ID"]),
        str(body.get_content()),
        {part.get_filename() or "": part.get_content() for part in message.iter_attachments()},
    )


def view_in(mail: Mail, game: "Game") -> Any:
    """The View in the mail's view file; None if it has none."""
    data = next((d for name, d in mail.files.items() if name.endswith(".view.toml")), None)
    if data is None:
        return None
    document = state_file.parse(data)
    seats = tuple(row.partition(" ")[0] for row in document["seats"])
    options = tuple(row.partition("=")[::2] for row in document["options"])
    return game.decode_view(Config(seats, options, document["rulings"]), document["view"])


MANNERS = ("plain", "quoted-printable", "base64", "html", "both", "phone")
_GREETINGS = ("Hi,", "Dear referee,", "Hello all", "", "", "Good evening! Here are my orders:")


def reply(mail: Mail, lines: list[str], manner: str, greeting: int, date: str) -> bytes:
    """A reply to a mail of the referee: ``lines`` above, his own text below, in quotes."""
    name, address = parseaddr(mail.to)
    hello = _GREETINGS[greeting % len(_GREETINGS)]
    own = ([hello, ""] if hello else []) + lines
    number = mail.message_id.strip("<>").partition("@")[0]
    mark = f"{binascii.crc32(f'{date} {own}'.encode()):x}"  # two answers to one email are two
    headers = [
        f"From: {mail.to}",
        f"To: {mail.sender}",
        f"Subject: Re: {mail.subject}",
        f"Date: {date}",
        f"Message-ID: <re.{number}.{mark}.{address}>",
        f"In-Reply-To: {mail.message_id}",
        "MIME-Version: 1.0",
    ]
    more, body = _body(mail, own, manner, name)
    text = "\r\n".join([*headers, *more, ""]).encode() + b"\r\n"
    return text + body.replace(b"\n", b"\r\n")


def _body(mail: Mail, own: list[str], manner: str, name: str) -> tuple[list[str], bytes]:
    if manner == "html":
        return _part("html", _html(mail, own, name), "quoted-printable")
    if manner == "both":
        return _both(_text(mail, own, name), _html(mail, own, name))
    if manner == "phone":
        return _part("plain", _text(mail, [*own, "", "Sent from my phone"], ""), "8bit")
    return _part("plain", _text(mail, own, name), "8bit" if manner == "plain" else manner)


def _text(mail: Mail, own: list[str], name: str) -> str:
    signature = ["", "-- ", name] if name else []
    quoted = [f"> {line}".rstrip() for line in mail.text.splitlines()]
    return "\n".join([*own, "", _wrote(mail), *quoted, *signature, ""])


def _html(mail: Mail, own: list[str], name: str) -> str:
    rows = "".join(f"<div>{html.escape(line) or '<br>'}</div>\n" for line in [*own, "", name])
    quoted = "<br>\n".join(html.escape(line) for line in mail.text.splitlines())
    return (
        f'<html><body>\n{rows}<div class="gmail_quote">{html.escape(_wrote(mail))}<br>\n'
        f'<blockquote style="margin:0 0 0 .8ex;border-left:1px #ccc solid">{quoted}</blockquote>'
        "</div>\n</body></html>\n"
    )


def _wrote(mail: Mail) -> str:
    return f"On {mail.date.rpartition(' ')[0]}, {mail.sender} wrote:"


def _part(kind: str, text: str, encoding: str) -> tuple[list[str], bytes]:
    how = f"Content-Transfer-Encoding: {encoding}"
    data = text.encode()
    if encoding == "quoted-printable":
        data = binascii.b2a_qp(data, istext=True)  # breaks long lines softly, as `=` at the end
    elif encoding == "base64":
        data = data.replace(b"\n", b"\r\n")
        data = b"".join(binascii.b2a_base64(data[at : at + 57]) for at in range(0, len(data), 57))
    return [f"Content-Type: text/{kind}; charset=UTF-8", how], data


def _both(text: str, markup: str) -> tuple[list[str], bytes]:
    fence, body = "000000000000demo", b""
    for kind, one in (("plain", text), ("html", markup)):
        headers, data = _part(kind, one, "quoted-printable")
        body += "\n".join([f"--{fence}", *headers, "", ""]).encode() + data + b"\n"
    headers = [f'Content-Type: multipart/alternative; boundary="{fence}"']
    return headers, body + f"--{fence}--\n".encode()
