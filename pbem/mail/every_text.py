"""Every text in an email, with each alternative and each attached text separately.

What must never be here: which text the writer meant (parts.py); what the texts mean.
Source: docs/SPECIFICATION.md section 10, "Read out of an email".
"""

import re
from email.message import Message  # this module is imported only when a mail is read
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.mail.mime import content_parameter, decode_payload, header_value, parse_message, refuse_too_many_lines
from pbem.mail.parsed import is_mail
from pbem.mail.parts import html_page_lines, plain_text_lines, strip_pgp_armour
from pbem.mail.text import decode, to_utf8

_HTML = re.compile(r"(?i)\s*<(?:!doctype|html|head|body|p|pre|div|table)\b")
#: an email within a text, whose own text cannot be read there
_ENCODED = re.compile(r"(?mi)^content-transfer-encoding:\s*(?:base64|quoted-printable)")
OWN_FILE_START = "pbem = 1\n"  #: how a state or view file begins, which quotes words of people
_PICTURES = ("image", "audio", "video")


class MailTexts(NamedTuple):
    """The texts in a file that people keep."""

    subject: str  #: "" for a plain text
    texts: tuple[str, ...]
    other_files: int = 0  #: attached files that are neither text nor pictures
    is_automatic: bool = False  #: a program sent it, like every email that pbem writes
    error: BadInput | None = None  #: why one of its texts cannot be read


def read_mail_texts(data: bytes) -> MailTexts:
    """The texts in the bytes of an email or of a plain text. BadInput ``mail/…``.

    Attached states and view files are left out. Other files that are neither text nor pictures are
    counted.
    """
    data = to_utf8(data)
    if not is_mail(data):
        return MailTexts("", (_strip_markup(decode(data), ""),))
    mail, texts, other_files, first_error = parse_message(data.lstrip()), list[str](), 0, None
    for part in mail.walk():
        if part.is_multipart():  # two emails in one file: the second follows the first
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
    """The text of a part, whatever its content type."""
    text = decode(decode_payload(part), content_parameter(part, "charset"))
    is_flowed = content_parameter(part, "format").lower() == "flowed"
    if part.get_content_type() != "text/plain" or not is_flowed:
        return _strip_markup(text, part.get_content_type())
    return "\n".join(plain_text_lines(part, text))


def _strip_markup(text: str, content_type: str) -> str:
    if content_type == "text/html" or _HTML.match(text):
        lines = html_page_lines(text)
    else:
        lines = strip_pgp_armour(text.split("\n"))
    refuse_too_many_lines(len(lines))
    return "\n".join(lines)
