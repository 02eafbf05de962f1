"""Every text in an email: each alternative, and what is attached, by itself.

What lives here: what an email says to any of the programs that may show it. What must never be
here: which of it its writer meant (parts.py), what stands in it.
Law: nothing is passed over unsaid but states and view files that are attached: what is no text, and
no picture, is counted.
Source: docs/SPECIFICATION.md section 10, "Read out of an email".
"""

import re
from email.message import Message  # this module is imported only when a mail is read
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.mail.parsed import is_mail
from pbem.mail.parts import (
    header,
    of_html,
    parameter,
    parsed,
    payload,
    plain_lines,
    refuse_too_many,
    unfolded,
)
from pbem.mail.text import as_utf8, decode

_HTML = re.compile(r"(?i)\s*<(?:!doctype|html|head|body|p|pre|div|table)\b")
#: an email that stands in a text, and of which the text cannot be read there
_ENCODED = re.compile(r"(?mi)^content-transfer-encoding:\s*(?:base64|quoted-printable)")
OWN_FILE = "pbem = 1\n"  #: how a state or a view file begins, which has words of people in quotes
_PICTURES = ("image", "audio", "video")


class EveryText(NamedTuple):
    """The texts in a file that people keep."""

    subject: str  #: "" where it is no email
    texts: tuple[str, ...]
    others: int = 0  #: attached files that are no text and no picture
    automatic: bool = False  #: by a machine, as all that pbem writes
    wrong: BadInput | None = None  #: why a text in it cannot be read


def every_text(data: bytes) -> EveryText:
    """The texts in the bytes of an email or of a plain text. BadInput ``mail/…``."""
    data = as_utf8(data)
    if not is_mail(data):
        return EveryText("", (_text(decode(data), ""),))
    mail, texts, others, wrong = parsed(data.lstrip()), list[str](), 0, None
    for part in mail.walk():
        if part.is_multipart():  # two emails in one file: the second is behind the first
            beside = [_text(text, "") for text in (part.preamble, part.epilogue) if text]
            texts += beside
            others += any(map(_ENCODED.search, beside))
            continue
        try:
            if not (text := _of(part)).startswith(OWN_FILE):
                texts.append(text)
                others += bool(_ENCODED.search(text))
        except BadInput as error:
            if error.code == "mail/nul-bytes":
                others += part.get_content_maintype() not in _PICTURES
            else:
                wrong = wrong or error
    machine = header(mail, "auto-submitted").lower().startswith("auto-")
    return EveryText(header(mail, "subject"), tuple(texts), others, machine, wrong)


def _of(part: Message) -> str:
    """What a part says, whatever it is called."""
    text = decode(payload(part), parameter(part, "charset"))
    flowed = parameter(part, "format").lower() == "flowed"
    if part.get_content_type() != "text/plain" or not flowed:
        return _text(text, part.get_content_type())
    delsp = parameter(part, "delsp").lower() == "yes"
    return "\n".join(plain_lines(unfolded(text.split("\n"), delsp)))


def _text(text: str, kind: str) -> str:
    if kind == "text/html" or _HTML.match(text):
        lines = of_html(text)
    else:
        lines = plain_lines(text.split("\n"))
    refuse_too_many(len(lines))
    return "\n".join(lines)
