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
    content_parameter,
    decode_payload,
    header_value,
    html_page_lines,
    parse_message,
    refuse_too_many_lines,
    strip_pgp_armour,
    unfold_lines,
)
from pbem.mail.text import decode, to_utf8

_HTML = re.compile(r"(?i)\s*<(?:!doctype|html|head|body|p|pre|div|table)\b")
#: an email that stands in a text, and of which the text cannot be read there
_ENCODED = re.compile(r"(?mi)^content-transfer-encoding:\s*(?:base64|quoted-printable)")
OWN_FILE_START = "pbem = 1\n"  #: how a state or a view file begins, which has words of people in quotes
_PICTURES = ("image", "audio", "video")


class MailTexts(NamedTuple):
    """The texts in a file that people keep."""

    subject: str  #: "" where it is no email
    texts: tuple[str, ...]
    other_files: int = 0  #: attached files that are no text and no picture
    is_automatic: bool = False  #: by a machine, as all that pbem writes
    error: BadInput | None = None  #: why a text in it cannot be read


def read_mail_texts(data: bytes) -> MailTexts:
    """The texts in the bytes of an email or of a plain text. BadInput ``mail/…``."""
    data = to_utf8(data)
    if not is_mail(data):
        return MailTexts("", (_strip_markup(decode(data), ""),))
    mail, texts, other_files, first_error = parse_message(data.lstrip()), list[str](), 0, None
    for part in mail.walk():
        if part.is_multipart():  # two emails in one file: the second is behind the first
            outer_texts = [_strip_markup(text, "") for text in (part.preamble, part.epilogue) if text]
            texts += outer_texts
            other_files += any(map(_ENCODED.search, outer_texts))
            continue
        try:
            if not (text := _read_part(part)).startswith(OWN_FILE_START):
                texts.append(text)
                other_files += bool(_ENCODED.search(text))
        except BadInput as error:
            if error.code == "mail/nul-bytes":
                other_files += part.get_content_maintype() not in _PICTURES
            else:
                first_error = first_error or error
    is_automatic = header_value(mail, "auto-submitted").lower().startswith("auto-")
    return MailTexts(header_value(mail, "subject"), tuple(texts), other_files, is_automatic, first_error)


def _read_part(part: Message) -> str:
    """What a part says, whatever it is called."""
    text = decode(decode_payload(part), content_parameter(part, "charset"))
    is_flowed = content_parameter(part, "format").lower() == "flowed"
    if part.get_content_type() != "text/plain" or not is_flowed:
        return _strip_markup(text, part.get_content_type())
    delsp = content_parameter(part, "delsp").lower() == "yes"
    return "\n".join(strip_pgp_armour(unfold_lines(text.split("\n"), delsp)))


def _strip_markup(text: str, content_type: str) -> str:
    if content_type == "text/html" or _HTML.match(text):
        lines = html_page_lines(text)
    else:
        lines = strip_pgp_armour(text.split("\n"))
    refuse_too_many_lines(len(lines))
    return "\n".join(lines)
