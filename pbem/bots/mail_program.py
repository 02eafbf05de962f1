"""Answers as mail programs send them: quoted, encoded and signed in their several ways.

What lives here: ``reply`` and the manners it knows, ``move_file``. What must never be here: orders.
Law: the same arguments give the same bytes on any Python, so the MIME is written by hand.
Source: what Thunderbird, Gmail, Outlook, Apple Mail and K-9 send; RFC 2045, 5322.
"""

import binascii
import html
from email.utils import parseaddr

from pbem.bots.incoming import Mail
from pbem.files.orders.move_file import write_move_file

MANNERS = ("plain", "quoted-printable", "base64", "html", "both", "phone")
_GREETINGS = ("Hi,", "Dear referee,", "Hello all", "", "", "Good evening! Here is what I do:")


def move_file(mail: Mail, orders: tuple[str, ...]) -> bytes:
    """A move file, sent as it is."""
    return write_move_file(mail.code, orders)


def reply(mail: Mail, lines: list[str], manner: str, greeting: int, date: str) -> bytes:
    """A reply to a mail of the referee: ``lines`` above, his own text below, in quotes."""
    name, address = parseaddr(mail.to)
    hello = _GREETINGS[greeting % len(_GREETINGS)]
    own = ([hello, ""] if hello else []) + lines
    number = mail.message_id.strip("<>").partition("@")[0]
    headers = [
        f"From: {mail.to}",
        f"To: {mail.sender}",
        f"Subject: Re: {mail.subject}",
        f"Date: {date}",
        f"Message-ID: <re.{number}.{address}>",
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
    headers = [
        f"Content-Type: text/{kind}; charset=UTF-8",
        f"Content-Transfer-Encoding: {encoding}",
    ]
    data = text.encode()
    if encoding == "quoted-printable":
        data = binascii.b2a_qp(data, istext=True)  # breaks long lines softly, as `=` at the end
    elif encoding == "base64":
        data = data.replace(b"\n", b"\r\n")
        rows = (binascii.b2a_base64(data[at : at + 57]) for at in range(0, len(data), 57))
        data = b"".join(rows)
    return headers, data


def _both(text: str, markup: str) -> tuple[list[str], bytes]:
    fence = "000000000000demo"
    parts = [_part("plain", text, "quoted-printable"), _part("html", markup, "quoted-printable")]
    body = b"".join(
        f"--{fence}\n".encode() + "\n".join([*headers, "", ""]).encode() + data + b"\n"
        for headers, data in parts
    )
    headers = [f'Content-Type: multipart/alternative; boundary="{fence}"']
    return headers, body + f"--{fence}--\n".encode()
