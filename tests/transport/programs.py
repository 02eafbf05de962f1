"""Replies as nine mail programs send them: quoted, encoded and signed in their several ways.

Not allowed here: what is answered.
Source: mails that these programs sent (tests/mail/mails).
"""

import html
import textwrap
from collections.abc import Callable, Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import parseaddr
from typing import NamedTuple

from pbem.bots.mails import Mail


class _Reply(NamedTuple):
    """What a program has before it: the mail that is answered, and what its user typed."""

    mail: Mail
    own: str

    @property
    def referee(self) -> str:
        name, address = parseaddr(self.mail.sender)
        return f"{name} <{address}>"

    @property
    def text(self) -> str:
        return self.mail.text

    @property
    def quoted(self) -> str:
        return "\n".join(f"> {line}".rstrip() for line in self.mail.text.splitlines())

    @property
    def own_html(self) -> str:
        return _html(self.own)


def _html(text: str) -> str:
    return "<br>\n".join(html.escape(line) for line in text.splitlines())


class _Bodies(NamedTuple):
    """The parts of a reply: a text, a page, or both."""

    text: str = ""
    page: str = ""


def _gmail(reply: _Reply) -> _Bodies:
    said = f"On Mon, Sep 21, 2026 at 2:13\N{NARROW NO-BREAK SPACE}PM {reply.referee} wrote:"
    page = (
        f'<div dir="ltr">{reply.own_html}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{html.escape(said)}<br></div><blockquote class='
        f'"gmail_quote" style="margin:0px 0px 0px 0.8ex">{_html(reply.text)}</blockquote></div>'
    )
    return _Bodies(f"{reply.own}\n\n{textwrap.fill(said, 60)}\n\n{reply.quoted}\n", page)


def _gmail_phone(reply: _Reply) -> _Bodies:
    said = f"On Mon, 21 Sep 2026, 14:13 {reply.referee}, wrote:"
    page = (
        f'<div dir="auto">{reply.own_html}</div><br><div class="gmail_quote"><div dir="ltr" '
        f'class="gmail_attr">{html.escape(said)}<br></div><blockquote class="gmail_quote">'
        f"{_html(reply.text)}</blockquote></div>"
    )
    return _Bodies(f"{reply.own}\n\n{said}\n\n{reply.quoted}\n", page)


def _apple(reply: _Reply) -> _Bodies:
    said = f"On 21 Sep 2026, at 14:13, {reply.referee} wrote:"
    page = (
        f'<html><body>{reply.own_html}<br><div><br><blockquote type="cite"><div>'
        f"{html.escape(said)}</div><br>{_html(reply.text)}</blockquote></div></body></html>"
    )
    return _Bodies(f"{reply.own}\n\n> {said}\n> \n{reply.quoted}\n", page)


def _outlook(reply: _Reply) -> _Bodies:
    """It marks nothing as quoted, and leaves a blank line after each line."""
    rows = [f"From: {reply.referee}", "Sent: Monday, September 21, 2026 2:13 PM"]
    rows += [f"To: {parseaddr(reply.mail.to)[1]}", f"Subject: {reply.mail.subject}"]
    own = "\n\n".join(reply.own.splitlines())
    return _Bodies(
        f"{own}\n\n\n\n{'_' * 32}\n" + "\n".join(rows) + f"\n\n{reply.text}\n",
        f'<html><body><div class="elementToProof">{reply.own_html}</div><hr style="display:'
        'inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><b>'
        + "<br><b>".join(html.escape(row).replace(":", ":</b>", 1) for row in rows)
        + f"</div><div>{_html(reply.text)}</div></body></html>",
    )


def _thunderbird(reply: _Reply) -> _Bodies:
    name = parseaddr(reply.mail.to)[0]
    return _Bodies(
        f"{reply.own}\n\nOn 21/09/2026 14:13, {parseaddr(reply.mail.sender)[0]} wrote:\n{reply.quoted}\n\n-- \n{name}\n"
    )


def _k9(reply: _Reply) -> _Bodies:
    said = f"Am 21. September 2026 14:13:20 MESZ schrieb {reply.referee}:"
    signed = "-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet."
    return _Bodies(f"{reply.own}\n\n{said}\n{reply.quoted}\n\n{signed}\n")


def _gmx(reply: _Reply) -> _Bodies:
    """A page alone; what is quoted stands in no blockquote."""
    rows = ["Gesendet: Montag, 21. September 2026 um 14:13 Uhr", f"Von: {reply.referee}"]
    rows += [f"An: {parseaddr(reply.mail.to)[1]}", f"Betreff: {reply.mail.subject}"]
    head = "<br/>".join(f"<b>{html.escape(row).replace(':', ':</b>&nbsp;', 1)}" for row in rows)
    page = (
        f'<html><head></head><body><div style="font-family: Verdana;"><div>{reply.own_html}</div>'
        f'<div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px;"><div>{head}</div>'
        f'<div name="quoted-content">{_html(reply.text)}</div></div></div></div></body></html>'
    )
    return _Bodies(page=page)


def _french_phone(reply: _Reply) -> _Bodies:
    said = f"Le 21 sept. 2026 à 14:13, {reply.referee} a écrit :"
    return _Bodies(f"{reply.own}\n\nEnvoyé de mon iPhone\n\n> {said}\n> \n{reply.quoted}\n")


def _bare(reply: _Reply) -> _Bodies:
    """Mutt, and nothing quoted."""
    return _Bodies(f"{reply.own}\n")


class _Program(NamedTuple):
    """How a program answers, and what it writes before the subject."""

    bodies: Callable[[_Reply], _Bodies]
    again: str = "Re: "
    encoding: str = "quoted-printable"


PROGRAMS = {
    "Gmail": _Program(_gmail),
    "Gmail on a phone": _Program(_gmail_phone, encoding="base64"),
    "Apple Mail": _Program(_apple),
    "Outlook": _Program(_outlook, "RE: "),
    "Thunderbird": _Program(_thunderbird, encoding="8bit"),
    "K-9": _Program(_k9),
    "GMX": _Program(_gmx, "Aw: "),
    "a French iPhone": _Program(_french_phone, "Rép : "),
    "Mutt": _Program(_bare, encoding="8bit"),
}


def reply(program: str, mail: Mail, lines: Sequence[str], number: int) -> bytes:
    """The bytes that ``program`` sends for a user who typed ``lines`` above the mail."""
    way = PROGRAMS[program]
    name, address = parseaddr(mail.to)
    bodies = way.bodies(_Reply(mail, "\n".join(lines)))
    message = EmailMessage()
    message["From"] = Address(name, addr_spec=address)
    message["To"] = mail.sender
    message["Subject"] = way.again + mail.subject
    message["Date"] = mail.date
    message["Message-ID"] = f"<{number}.{address}>"
    message["In-Reply-To"] = mail.message_id
    if bodies.text:
        message.set_content(bodies.text, cte=way.encoding)
        if bodies.page:
            message.add_alternative(bodies.page, "html", cte="quoted-printable")
    else:
        message.set_content(bodies.page, "html", cte=way.encoding)
    return message.as_bytes()
