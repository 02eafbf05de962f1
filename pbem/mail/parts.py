"""The inside of a mail: which part is its text, which are move files, what cannot be read.

What must never be here: quoting rules, codes, orders.
Law: any bytes give a Contents or one BadInput ``mail/…``, in bounded time. The library parses
with policy compat32: the parser of policy.default raises whatever it likes on broken headers, and
is quadratic on long ones.
A part that breaks off is told, not read as if it were whole. A header that cannot be decoded is
given as it came, or as nothing.
Source: RFC 5322, 2045 to 2049, 2183, 3156 (PGP), 3676 (flowed), 3834 (automatic), 8551 (S/MIME);
what Exchange, Gmail and mailer daemons send.
"""

import binascii
import quopri
import re
from collections.abc import Iterator
from datetime import UTC
from email.header import decode_header
from email.message import Message  # this module is imported only when a mail is read
from email.parser import BytesParser
from email.policy import compat32
from email.utils import getaddresses, parseaddr, parsedate_to_datetime
from operator import itemgetter
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.mail.compose import format_mail_date
from pbem.mail.html_text import html_lines
from pbem.mail.quotation import LineOwner, People, find_line_owners
from pbem.mail.quoted_sent import words_of
from pbem.mail.text import decode, looks_like_move_file

_LONGEST_VALUE = 2000
MOST_LINES, MOST_NAMES = 30_000, 10  #: of a mail, with all that is quoted in it; files, people


class Attachment(NamedTuple):
    """A move file that came with a mail."""

    name: str
    data: bytes


class Headers(NamedTuple):
    """The headers of a mail that are looked at, each on one line; "" where there is none."""

    subject: str = ""
    sender: str = ""  #: the address alone, as in ``to``
    to: str = ""
    date: str = ""  #: written anew, in UTC
    message_id: str = ""
    in_reply_to: str = ""
    references: str = ""
    sent_at: str = ""  #: the date once more, to be compared: 2026-11-21T09:45:00Z
    is_mass_mail: bool = False  #: it came by a list, or says that it went to many
    names: tuple[str, ...] = ()  #: of the sender, then of all to whom it goes; "" for none

    def people(self, referee: str = "") -> People:
        """Who wrote it, and to whom, as quotations name them."""
        player = {name.lower() for name in (self.sender, *self.names[:1]) if name}
        others = {name.lower() for name in (self.to, *self.names[1:], referee) if name}
        return People(frozenset(player), frozenset(others))


class MailContents(NamedTuple):
    """A mail opened: its headers, the lines of its text, the move files in it."""

    headers: Headers
    lines: list[str]
    attachments: tuple[Attachment, ...]
    unread_files: tuple[str, ...] = ()  #: names of other attached files, MOST_NAMED at most


PLAIN_HINT = "send it again as plain text"
ENCRYPTED_ERROR = BadInput("mail/encrypted", "the email is encrypted, so pbem cannot read it", PLAIN_HINT)
SIGNED_ERROR = BadInput("mail/signed", "the email is signed in a form that pbem cannot read", PLAIN_HINT)


def strip_pgp_armour(texts: list[str]) -> list[str]:
    """Lines of plain text; the armour of a PGP signature taken off. BadInput if encrypted."""
    if any(text.startswith("-----BEGIN PGP MESSAGE-----") for text in texts):
        raise ENCRYPTED_ERROR
    opening, closing = "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----"
    stripped = [text.rstrip() for text in texts]
    if opening not in stripped:
        return texts
    start = stripped.index(opening)
    blank_line = next((i for i in range(start, len(texts)) if not stripped[i]), start)
    later_indexes = range(blank_line + 1, len(texts))
    end = next((i for i in later_indexes if stripped[i] == closing), len(texts))
    signed = [text.removeprefix("- ") for text in texts[blank_line + 1 : end]]
    signature_end = next((i for i in later_indexes if stripped[i] == "-----END PGP SIGNATURE-----"), len(texts))
    return [*texts[:start], *signed, *texts[signature_end + 1 :]]


def header_value(part: Message, name: str, keep_end: bool = False) -> str:
    """The value of a header, decoded; empty if it is not there. Of a long one the beginning, or
    the ``keep_end``.
    """
    # Raw 8-bit bytes come as surrogates (or, once asked for, as a Header): give them back.
    raw = next((str(v) for key, v in part.raw_items() if key.lower() == name), "")
    cut = raw[-_LONGEST_VALUE:] if keep_end else raw[:_LONGEST_VALUE]
    text = cut.encode("utf-8", "surrogateescape")
    try:
        value = decode(text)
        return _join_printable(_decode_words(value) if "=?" in value else value, keep_end)
    except BadInput:
        return ""


def content_parameter(part: Message, name: str) -> str:
    """A parameter of the content type, such as ``charset``; empty if there is none."""
    try:
        value = part.get_param(name, "")
    except Exception:
        return ""
    return _join_printable(str((value[2] if isinstance(value, tuple) else value) or ""))[:60]


#: what begins the subject of vacation notes that no header marks, such as those of Outlook's rules
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
    """Whether no person wrote this: vacation notes, bounces, receipts of delivery."""
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
    """A value with the encoded words of RFC 2047 in it."""
    try:
        pieces = decode_header(value)
    except Exception:
        return value
    return "".join(p if isinstance(p, str) else decode(p, label or "utf-8") for p, label in pieces)


def _join_printable(value: str, keep_end: bool = False) -> str:
    """One line: blanks joined, what cannot be printed left out."""
    joined = " ".join(value.split())
    printable = "".join(c for c in joined if c.isprintable() or c == "\xa0")
    return printable[-1000:] if keep_end else printable[:1000]


def unfold_lines(texts: list[str], delsp: bool) -> list[str]:
    """RFC 3676: a line that ends in a blank goes on in the next, at the same depth of `>`.

    Only where the next word would not have fitted: phones leave a blank after each word, and
    `wall A5 ` is an order, not half a paragraph.
    """
    joined: list[str] = []
    is_soft_break, previous_marks = False, ""
    for text in texts:
        body = text.lstrip(">")
        marks = text[: len(text) - len(body)]
        body = body.removeprefix(" ")
        word = body.split(" ", 1)[0]
        if is_soft_break and previous_marks == marks and body != "-- " and len(joined[-1]) + len(word) >= 50:
            joined[-1] = (joined[-1][:-1] if delsp else joined[-1]) + body
        else:
            joined.append(f"{marks} {body}" if marks else body)
        is_soft_break, previous_marks = body.endswith(" ") and body != "-- ", marks
    return joined


def decode_payload(part: Message) -> bytes:
    """The bytes of a part. BadInput ``mail/cut-short`` if base64 breaks off within a letter."""
    encoding = header_value(part, "content-transfer-encoding").lower()
    del part["content-transfer-encoding"]  # so that the library gives the bytes as they came
    raw = part.get_payload(decode=True)
    data = raw if isinstance(raw, bytes) else b""
    if encoding == "quoted-printable":
        return quopri.decodestring(re.sub(rb"=[ \t]+\n", b"=\n", data))
    if encoding != "base64":
        return data
    return b"".join(_decode_base64_runs(data))


_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=\s]|[^=\s] +[^=\s]")


def _decode_base64_runs(data: bytes) -> Iterator[bytes]:
    """What one run of base64 after another says, and the plain text that lists put behind them."""
    data = data.strip()
    foreign_match = _NOT_BASE64.search(data)
    end_offsets = [data.find(end, 0, foreign_match.start()) for end in (b"\n\n", b"=\n")] if foreign_match else []
    end = next((offset + 1 for offset in end_offsets if offset >= 0), len(data))
    for run in re.findall(rb"[^=]+=*", data[:end]):
        letters = re.sub(rb"[^A-Za-z0-9+/]", b"", run)
        surplus = len(letters) % 4
        # Whole base64 is filled up with `=`; one letter over can be no byte at all.
        if surplus == 1 or (surplus and b"=" not in run):
            hint = "ask for the email again"
            raise BadInput("mail/cut-short", "the email breaks off in the middle", hint)
        yield binascii.a2b_base64(letters + b"=" * (-surplus % 4))
    yield data[end:]


def file_name(part: Message) -> str:
    """The name of an attached file without its folders; empty if it has none."""
    try:
        name = part.get_filename("") or ""
    except Exception:
        name = ""
    base_name = re.split(r"[/\\]", str(name))[-1]
    return "".join(c for c in base_name if c.isprintable())[:80]


_MOST_PARTS, _MOST_DELIMITERS, _MOST_ATTACHED, _MOST_TAGS = 60, 4_000, 20, 60_000
_LONGEST_HEADERS, _LONGEST_TYPE = 96 * 1024, 4 * 1024
_CONTENT_HEADER = re.compile(rb"(?im)^content-[a-z-]+[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*")


def read_contents(data: bytes) -> MailContents:
    """The contents of a mail. BadInput ``mail/…``."""
    mail = parse_message(data)
    if is_automatic(mail):
        message = "an automatic answer or a bounce, not a player's email"
        hint = "nothing to do; if a person wrote it, ask for it again"
        raise BadInput("mail/automatic", message, hint)
    mail_headers = read_headers(mail)
    finder = _TextFinder(mail_headers.people())
    lines = finder.find_lines(mail)
    if lines is None and not finder.attachments:
        raise BadInput("mail/no-text", "the email has no text that can be read", PLAIN_HINT)
    return MailContents(mail_headers, lines or [], tuple(finder.attachments), tuple(finder.unread_files))


def parse_message(data: bytes) -> Message:
    """A mail in its parts. BadInput ``mail/…`` where it would keep the library busy."""
    data = re.sub(rb"\r\n?", b"\n", data)
    _refuse_costly(data)
    try:
        return BytesParser(policy=compat32).parsebytes(data)
    except RecursionError:
        raise _too_many_parts() from None


def read_headers(mail: Message) -> Headers:
    """Those that are looked at."""
    sender, to = (_parse_mailboxes(header_value(mail, name))[0][1] for name in ("from", "to"))
    ids = header_value(mail, "message-id"), header_value(mail, "in-reply-to")
    references = header_value(mail, "references", keep_end=True)  # the mail that is answered is the last
    try:
        sent_time = parsedate_to_datetime(header_value(mail, "date"))
        sent_time = sent_time.replace(tzinfo=sent_time.tzinfo or UTC).astimezone(UTC).replace(tzinfo=None)
        sent_at = f"{sent_time.isoformat(timespec='seconds')}Z"
        date = format_mail_date(sent_at)
    except Exception:
        date = sent_at = ""
    is_list_mail = any(mail.get(name) is not None for name in ("list-id", "list-post"))
    is_mass_mail = is_list_mail or header_value(mail, "precedence").lower() in ("list", "bulk", "junk")
    other_names = (
        name for field in ("to", "cc") for name, _ in _parse_mailboxes(header_value(mail, field), MOST_NAMES)
    )
    names = _parse_mailboxes(header_value(mail, "from"))[0][0], *other_names
    return Headers(header_value(mail, "subject"), sender, to, date, *ids, references, sent_at, is_mass_mail, names)


def _parse_mailboxes(value: str, most: int = 1) -> list[tuple[str, str]]:
    """The names and addresses in a header; "" where the library cannot find them."""
    try:
        mailboxes = [parseaddr(value)] if most == 1 else getaddresses([value])[:most]
        return [(name, address[:320]) for name, address in mailboxes]
    except Exception:
        return [("", "")]


def _refuse_costly(data: bytes) -> None:
    """Refuse what would keep the library busy: told from the bytes, before it is called."""
    refuse_too_many_lines(data.count(b"\n"))
    lowered = data.lower()
    part_count = max(lowered.count(b"boundary"), lowered.count(b"message/"))
    if part_count > _MOST_PARTS or lowered.count(b"\n--") > _MOST_DELIMITERS:
        raise _too_many_parts()
    longest = max((len(m[0]) for m in _CONTENT_HEADER.finditer(data)), default=0)
    if len(data.partition(b"\n\n")[0]) > _LONGEST_HEADERS or longest > _LONGEST_TYPE:
        raise BadInput("mail/headers-too-long", "the email's headers are too long", PLAIN_HINT)


def refuse_too_many_lines(line_count: int, most: int = 0) -> None:
    """BadInput ``mail/too-many-lines``: whatever it was that ended them."""
    if line_count > (most or MOST_LINES):
        problem = f"the email has over {most or MOST_LINES} lines"
        raise BadInput("mail/too-many-lines", problem, PLAIN_HINT)


def _too_many_parts() -> BadInput:
    return BadInput("mail/too-many-parts", "the email has too many parts inside parts", PLAIN_HINT)


class _TextFinder:
    """Walks through the parts: gives the text's lines, collects move files."""

    def __init__(self, people: People) -> None:
        self.people = people
        self.attachments: list[Attachment] = []
        self.unread_files: list[str] = []

    def find_lines(self, part: Message, depth: int = 0) -> list[str] | None:
        """The lines of this part; None if there is no text in it at all."""
        if depth > _MOST_PARTS:
            raise _too_many_parts()
        content_type = part.get_content_type()
        if not part.is_multipart():
            return self._leaf_lines(part, content_type)
        if content_type == "multipart/encrypted":
            raise ENCRYPTED_ERROR
        children = [p for p in part.get_payload() if isinstance(p, Message)]
        child_lines = [self.find_lines(child, depth + 1) for child in children]
        if content_type == "multipart/alternative":
            return self._choose_alternative(list(zip(children, child_lines, strict=True)))
        texts = [lines for lines in child_lines if lines is not None]
        joined = [line for lines in texts for line in lines] if texts else None
        if content_type == "message/rfc822" and joined is not None:
            # A mail inside the mail is a quotation, whoever wrote it.
            return [f"> {line}" for line in joined]
        return joined

    def _leaf_lines(self, part: Message, content_type: str) -> list[str] | None:
        if content_type in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
            is_signed = content_parameter(part, "smime-type").lower() == "signed-data"
            raise (SIGNED_ERROR if is_signed or _SIGNED_DATA_OID in decode_payload(part) else ENCRYPTED_ERROR)
        name, disposition = file_name(part), header_value(part, "content-disposition").lower()
        data = decode_payload(part)
        is_move_file = name.lower().endswith(".toml") or looks_like_move_file(data)
        if is_move_file and (name or not content_type.startswith("text/")):
            if len(self.attachments) < _MOST_ATTACHED:
                self.attachments.append(Attachment(name or "unnamed.toml", data))
            return None
        is_attached = disposition.startswith("attachment") and not _SPLIT_TEXT_NAME.fullmatch(name)
        if is_attached or content_type not in ("text/plain", "text/html", "text/enriched", "text/markdown"):
            is_ignored = _IGNORED_TYPE.search(content_type) or part["content-id"]
            if (is_attached or name) and not is_ignored and len(self.unread_files) < MOST_NAMES:
                self.unread_files.append(name or content_type)
            return None
        text = decode(data, content_parameter(part, "charset"))
        if content_type == "text/html":
            return html_page_lines(text)
        lines, delsp = text.split("\n"), content_parameter(part, "delsp").lower() == "yes"
        is_flowed = content_parameter(part, "format").lower() == "flowed"
        return strip_pgp_armour(unfold_lines(lines, delsp) if is_flowed else lines)

    def _choose_alternative(self, alternatives: list[tuple[Message, list[str] | None]]) -> list[str] | None:
        """Of alternatives the plain text, unless it is a quotation alone, or its own words do not
        stand in the other.
        """
        candidates: list[tuple[bool, list[str]]] = [
            (part.get_content_type() != "text/plain", lines)
            for part, lines in alternatives
            if lines and any(line.strip("\u200b\u200c\ufeff \t\xa0") for line in lines)
        ]
        if not candidates:
            return next((lines for _, lines in alternatives if lines is not None), None)
        (is_not_plain, lines_from_plain), *later_candidates = sorted(candidates, key=itemgetter(0))
        if is_not_plain or not later_candidates:
            return lines_from_plain
        lines_from_html = later_candidates[0][1]
        html_words, plain_words = ({*words_of("\n".join(lines_from_html))}, self._own_words(lines_from_plain))
        unknown_count = sum(word not in html_words for word in plain_words)
        return (
            lines_from_html
            if (2 * unknown_count > len(plain_words) or not plain_words) and self._own_words(lines_from_html)
            else lines_from_plain
        )

    def _own_words(self, lines: list[str]) -> list[str]:
        owners = find_line_owners(lines, self.people)
        return [
            word for line, owner in zip(lines, owners, strict=True) if owner is LineOwner.OWN for word in words_of(line)
        ]


#: how Exchange names the text behind a picture; what is attached and is no file of the player's
_SPLIT_TEXT_NAME = re.compile(r"(?i)att\d{1,9}\.(?:txt|html?)")
_IGNORED_TYPE = re.compile("^image/|pkcs7-signature|pgp-(?:signature|keys)")
_SIGNED_DATA_OID = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"  #: RFC 5652, in DER


def html_page_lines(text: str) -> list[str]:
    """The lines of an HTML page. BadInput where it has too many tags."""
    if text.count("<") > _MOST_TAGS:
        raise _too_many_parts()
    return html_lines(text)
