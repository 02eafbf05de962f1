"""The MIME structure of an email: its parts, headers and bytes, read in bounded time.

The library parses with the policy compat32. The parser of policy.default raises various errors on
broken headers, and is quadratic on long ones.

Not allowed here: which part is the text (parts.py), quotations, codes, orders.
Source: RFC 5322, 2045 to 2049, 2183, 3834 (automatic); what Exchange, Gmail and mailer daemons send.
"""

import binascii
import quopri
import re
from collections.abc import Iterator
from datetime import UTC
from email.header import decode_header
from email.message import Message  # this module is imported only when an email is read
from email.parser import BytesParser
from email.policy import compat32
from email.utils import getaddresses, parseaddr, parsedate_to_datetime
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.mail.compose import format_mail_date
from pbem.mail.text import decode

MOST_LINES, MOST_NAMES = 30_000, 10  #: of an email with all that it quotes; files or people
MOST_PARTS = 60
_MOST_DELIMITERS = 4_000
_LONGEST_HEADERS, _LONGEST_TYPE, _LONGEST_VALUE = 96 * 1024, 4 * 1024, 2000
_CONTENT_HEADER = re.compile(rb"(?im)^content-[a-z-]+[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*")
PLAIN_HINT = "send it again as plain text"


class Mailbox(NamedTuple):
    """A name and an address in a header; "" for what the library cannot find."""

    name: str = ""
    address: str = ""


class Headers(NamedTuple):
    """The headers of an email that pbem reads, each on one line; "" for a missing one."""

    subject: str = ""
    sender: str = ""  #: the address alone, as in ``to``
    to: str = ""
    date: str = ""  #: as in RFC 5322, in UTC
    message_id: str = ""
    in_reply_to: str = ""
    references: str = ""
    sent_at: str = ""  #: the same date to be compared: 2026-11-21T09:45:00Z
    is_mass_mail: bool = False  #: a mailing list sent it, or its headers call it mass mail
    names: tuple[str, ...] = ()  #: of the sender, then of all recipients; "" for a missing one


def header_value(part: Message, name: str, keep_end: bool = False) -> str:
    """The decoded value of a header; "" if it is missing. A long value is cut at its end, or with
    ``keep_end`` at its beginning.
    """
    # Raw 8-bit bytes are surrogates (or, once read, a Header): turn them back into bytes.
    raw = next((str(v) for key, v in part.raw_items() if key.lower() == name), "")
    cut = raw[-_LONGEST_VALUE:] if keep_end else raw[:_LONGEST_VALUE]
    text = cut.encode("utf-8", "surrogateescape")
    try:
        value = decode(text)
        return _join_printable(_decode_words(value) if "=?" in value else value, keep_end)
    except BadInput:
        return ""


def content_parameter(part: Message, name: str) -> str:
    """A parameter of the content type, such as ``charset``; "" if it is missing."""
    try:
        value = part.get_param(name, "")
    except Exception:  # noqa: BLE001 - the library raises anything on broken mails
        return ""
    return _join_printable(str((value[2] if isinstance(value, tuple) else value) or ""))[:60]


#: how vacation notes begin their subject if no header marks them, such as those of Outlook's rules
_OUT_OF_OFFICE = re.compile(
    r"(?i)(?:(?:auto|automatic|automated)[ -]?(?:reply|response)|out of (?:the )?office"
    r"|abwesenheits(?:notiz|nachricht|meldung)|automatische (?:antwort|abwesenheit\w*)"
    r"|réponse (?:automatique|d.absence)|message d.absence|absence du bureau|absent du bureau"
    r"|risposta automatica|messaggio automatico|fuori (?:sede|ufficio)"
    r"|respuesta automática|fuera de la oficina"
    r"|automatikus (?:válasz|üzenet)|házon kívül|távolléti"
    r"|automatisch antwoord|afwezig)\b"
)


def is_automatic(mail: Message) -> bool:
    """Whether a program wrote it: a vacation note, a bounce or a receipt of delivery."""
    submitted = header_value(mail, "auto-submitted").lower()
    sender = header_value(mail, "from").lower()
    return (
        bool(submitted and not submitted.startswith("no"))
        or header_value(mail, "precedence").lower() in ("auto_reply", "auto-reply")
        or any(mail.get(name) is not None for name in ("x-autoreply", "x-autorespond"))
        or mail.get_content_type() == "multipart/report"
        or header_value(mail, "return-path") == "<>"
        or re.search(r"(?:^|<)(?:mailer-daemon|postmaster)@", sender) is not None
        or _OUT_OF_OFFICE.match(header_value(mail, "subject")) is not None
    )


def _decode_words(value: str) -> str:
    """A value with its encoded words (RFC 2047) decoded."""
    try:
        pieces = decode_header(value)
    except Exception:  # noqa: BLE001 - the library raises anything on broken mails
        return value
    return "".join(p if isinstance(p, str) else decode(p, label or "utf-8") for p, label in pieces)


def _join_printable(value: str, keep_end: bool = False) -> str:
    """The value on one line, without unprintable characters."""
    joined = " ".join(value.split())
    printable = "".join(c for c in joined if c.isprintable() or c == "\xa0")
    return printable[-1000:] if keep_end else printable[:1000]


def decode_payload(part: Message) -> bytes:
    """The bytes of a part. Raises BadInput ``mail/cut-short`` if base64 ends within a letter."""
    encoding = header_value(part, "content-transfer-encoding").lower()
    del part["content-transfer-encoding"]  # so that the library returns the bytes unchanged
    raw = part.get_payload(decode=True)
    data = raw if isinstance(raw, bytes) else b""
    if encoding == "quoted-printable":
        return quopri.decodestring(re.sub(rb"=[ \t]+\n", b"=\n", data))
    if encoding != "base64":
        return data
    return b"".join(_decode_base64_runs(data))


_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=\s]|[^=\s] +[^=\s]")


def _decode_base64_runs(data: bytes) -> Iterator[bytes]:
    """The bytes of each run of base64, then the plain text that mailing lists append."""
    data = data.strip()
    foreign_match = _NOT_BASE64.search(data)
    end_offsets = [data.find(end, 0, foreign_match.start()) for end in (b"\n\n", b"=\n")] if foreign_match else []
    end = next((offset + 1 for offset in end_offsets if offset >= 0), len(data))
    for run in re.findall(rb"[^=]+=*", data[:end]):
        letters = re.sub(rb"[^A-Za-z0-9+/]", b"", run)
        surplus = len(letters) % 4
        # Complete base64 is padded with `=`; a single surplus letter cannot be a byte.
        if surplus == 1 or (surplus and b"=" not in run):
            hint = "ask for the email again"
            raise BadInput("mail/cut-short", "the email breaks off in the middle", hint)
        yield binascii.a2b_base64(letters + b"=" * (-surplus % 4))
    yield data[end:]


def file_name(part: Message) -> str:
    """The name of an attached file without folders; "" if it has none."""
    try:
        name = part.get_filename("") or ""
    except Exception:  # noqa: BLE001 - the library raises anything on broken mails
        name = ""
    base_name = re.split(r"[/\\]", str(name))[-1]
    return "".join(c for c in base_name if c.isprintable())[:80]


def parse_message(data: bytes) -> Message:
    """The parts of an email. Raises BadInput ``mail/…`` if the library would take too long."""
    data = re.sub(rb"\r\n?", b"\n", data)
    _refuse_costly(data)
    try:
        return BytesParser(policy=compat32).parsebytes(data)
    except RecursionError:
        raise too_many_parts() from None


def read_headers(mail: Message) -> Headers:
    """The headers that pbem reads."""
    sender = _parse_mailbox(header_value(mail, "from"))
    recipients = [
        mailbox for field in ("to", "cc") for mailbox in _parse_mailboxes(header_value(mail, field), MOST_NAMES)
    ]
    sent_at = _read_sent_at(mail)
    is_list_mail = any(mail.get(name) is not None for name in ("list-id", "list-post"))
    return Headers(
        subject=header_value(mail, "subject"),
        sender=sender.address,
        to=_parse_mailbox(header_value(mail, "to")).address,
        date=format_mail_date(sent_at) if sent_at else "",
        message_id=header_value(mail, "message-id"),
        in_reply_to=header_value(mail, "in-reply-to"),
        references=header_value(mail, "references", keep_end=True),  # the email that it answers is the last
        sent_at=sent_at,
        is_mass_mail=is_list_mail or header_value(mail, "precedence").lower() in ("list", "bulk", "junk"),
        names=(sender.name, *(mailbox.name for mailbox in recipients)),
    )


def _read_sent_at(mail: Message) -> str:
    try:
        sent_time = parsedate_to_datetime(header_value(mail, "date"))
        sent_time = sent_time.replace(tzinfo=sent_time.tzinfo or UTC).astimezone(UTC).replace(tzinfo=None)
        sent_at = f"{sent_time.isoformat(timespec='seconds')}Z"
        format_mail_date(sent_at)
    except Exception:  # noqa: BLE001 - the library raises anything on broken mails
        return ""
    return sent_at


def _parse_mailbox(value: str) -> Mailbox:
    try:
        name, address = parseaddr(value)
    except Exception:  # noqa: BLE001 - the library raises anything on broken mails
        return Mailbox()
    return Mailbox(name, address[:320])


def _parse_mailboxes(value: str, most: int) -> list[Mailbox]:
    try:
        return [Mailbox(name, address[:320]) for name, address in getaddresses([value])[:most]]
    except Exception:  # noqa: BLE001 - the library raises anything on broken mails
        return [Mailbox()]


def _refuse_costly(data: bytes) -> None:
    """Refuse an email that would keep the library busy, before the library sees it."""
    refuse_too_many_lines(data.count(b"\n"))
    lowered = data.lower()
    part_count = max(lowered.count(b"boundary"), lowered.count(b"message/"))
    if part_count > MOST_PARTS or lowered.count(b"\n--") > _MOST_DELIMITERS:
        raise too_many_parts()
    longest = max((len(m[0]) for m in _CONTENT_HEADER.finditer(data)), default=0)
    if len(data.partition(b"\n\n")[0]) > _LONGEST_HEADERS or longest > _LONGEST_TYPE:
        raise BadInput("mail/headers-too-long", "the email's headers are too long", PLAIN_HINT)


def refuse_too_many_lines(line_count: int, most: int = 0) -> None:
    """Raise BadInput ``mail/too-many-lines`` for more lines than ``most``, or than MOST_LINES."""
    if line_count > (most or MOST_LINES):
        problem = f"the email has over {most or MOST_LINES} lines"
        raise BadInput("mail/too-many-lines", problem, PLAIN_HINT)


def too_many_parts() -> BadInput:
    return BadInput("mail/too-many-parts", "the email has too many parts inside parts", PLAIN_HINT)
