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
from pbem.mail.compose import mail_date
from pbem.mail.html_text import html_lines
from pbem.mail.quotation import People, Whose, whose_lines
from pbem.mail.quoted_sent import words_of
from pbem.mail.text import decode, looks_like_move_file

_LONGEST = 2000
MOST_LINES, MOST_NAMED = 30_000, 10  #: of a mail, with all that is quoted in it; files, people


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
    sent: str = ""  #: the date once more, to be compared: 2026-11-21T09:45:00Z
    mass: bool = False  #: it came by a list, or says that it went to many
    names: tuple[str, ...] = ()  #: of the sender, then of all to whom it goes; "" for none

    def people(self, referee: str = "") -> People:
        """Who wrote it, and to whom, as quotations name them."""
        player = {name.lower() for name in (self.sender, *self.names[:1]) if name}
        others = {name.lower() for name in (self.to, *self.names[1:], referee) if name}
        return People(frozenset(player), frozenset(others))


class Contents(NamedTuple):
    """A mail opened: its headers, the lines of its text, the move files in it."""

    headers: Headers
    lines: list[str]
    attachments: tuple[Attachment, ...]
    not_read: tuple[str, ...] = ()  #: names of other attached files, MOST_NAMED at most


PLAIN_HINT = "send it again as plain text"
ENCRYPTED = BadInput("mail/encrypted", "the email is encrypted, so pbem cannot read it", PLAIN_HINT)
SIGNED = BadInput("mail/signed", "the email is signed in a form that pbem cannot read", PLAIN_HINT)


def plain_lines(texts: list[str]) -> list[str]:
    """Lines of plain text; the armour of a PGP signature taken off. BadInput if encrypted."""
    if any(text.startswith("-----BEGIN PGP MESSAGE-----") for text in texts):
        raise ENCRYPTED
    opening, closing = "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----"
    stripped = [text.rstrip() for text in texts]
    if opening not in stripped:
        return texts
    start = stripped.index(opening)
    blank = next((i for i in range(start, len(texts)) if not stripped[i]), start)
    rest = range(blank + 1, len(texts))
    end = next((i for i in rest if stripped[i] == closing), len(texts))
    signed = [text.removeprefix("- ") for text in texts[blank + 1 : end]]
    last = next((i for i in rest if stripped[i] == "-----END PGP SIGNATURE-----"), len(texts))
    return [*texts[:start], *signed, *texts[last + 1 :]]


def header(part: Message, name: str, end: bool = False) -> str:
    """The value of a header, decoded; empty if it is not there. Of a long one the beginning, or
    the ``end``.
    """
    # Raw 8-bit bytes come as surrogates (or, once asked for, as a Header): give them back.
    raw = next((str(v) for key, v in part.raw_items() if key.lower() == name), "")
    cut = raw[-_LONGEST:] if end else raw[:_LONGEST]
    text = cut.encode("utf-8", "surrogateescape")
    try:
        value = decode(text)
        return _tidy(_words(value) if "=?" in value else value, end)
    except BadInput:
        return ""


def parameter(part: Message, name: str) -> str:
    """A parameter of the content type, such as ``charset``; empty if there is none."""
    try:
        value = part.get_param(name, "")
    except Exception:  # noqa: BLE001 - the library's decoder of RFC 2231 raises anything on broken values
        return ""
    return _tidy(str((value[2] if isinstance(value, tuple) else value) or ""))[:60]


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
    submitted = header(mail, "auto-submitted").lower()
    sender = header(mail, "from").lower()
    return (
        bool(submitted and not submitted.startswith("no"))
        or header(mail, "precedence").lower() in ("auto_reply", "auto-reply")
        or any(mail.get(name) is not None for name in ("x-autoreply", "x-autorespond"))
        or mail.get_content_type() == "multipart/report"
        or header(mail, "return-path") == "<>"
        or re.search(r"(?:^|<)(?:mailer-daemon|postmaster)@", sender) is not None
        or _OUT_OF_OFFICE.match(header(mail, "subject")) is not None
    )


def _words(value: str) -> str:
    """A value with the encoded words of RFC 2047 in it."""
    try:
        pieces = decode_header(value)
    except Exception:  # noqa: BLE001 - HeaderParseError, binascii.Error, and whatever else
        return value
    return "".join(p if isinstance(p, str) else decode(p, label or "utf-8") for p, label in pieces)


def _tidy(value: str, end: bool = False) -> str:
    """One line: blanks joined, what cannot be printed left out."""
    plain = " ".join(value.split())
    shown = "".join(c for c in plain if c.isprintable() or c == "\xa0")
    return shown[-1000:] if end else shown[:1000]


def unfolded(texts: list[str], delsp: bool) -> list[str]:
    """RFC 3676: a line that ends in a blank goes on in the next, at the same depth of `>`.

    Only where the next word would not have fitted: phones leave a blank after each word, and
    `wall A5 ` is an order, not half a paragraph.
    """
    joined: list[str] = []
    soft, before = False, ""
    for raw in texts:
        body = raw.lstrip(">")
        marks = raw[: len(raw) - len(body)]
        body = body.removeprefix(" ")
        word = body.split(" ", 1)[0]
        if soft and before == marks and body != "-- " and len(joined[-1]) + len(word) >= 50:
            joined[-1] = (joined[-1][:-1] if delsp else joined[-1]) + body
        else:
            joined.append(f"{marks} {body}" if marks else body)
        soft, before = body.endswith(" ") and body != "-- ", marks
    return joined


def payload(part: Message) -> bytes:
    """The bytes of a part. BadInput ``mail/cut-short`` if base64 breaks off within a letter."""
    how = header(part, "content-transfer-encoding").lower()
    del part["content-transfer-encoding"]  # so that the library gives the bytes as they came
    raw = part.get_payload(decode=True)
    data = raw if isinstance(raw, bytes) else b""
    if how == "quoted-printable":
        return quopri.decodestring(re.sub(rb"=[ \t]+\n", b"=\n", data))
    if how != "base64":
        return data
    return b"".join(_base64(data))


_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=\s]|[^=\s] +[^=\s]")


def _base64(data: bytes) -> Iterator[bytes]:
    """What one run of base64 after another says, and the plain text that lists put behind them."""
    data = data.strip()
    strange = _NOT_BASE64.search(data)
    ends = [data.find(end, 0, strange.start()) for end in (b"\n\n", b"=\n")] if strange else []
    end = next((at + 1 for at in ends if at >= 0), len(data))
    for run in re.findall(rb"[^=]+=*", data[:end]):
        letters = re.sub(rb"[^A-Za-z0-9+/]", b"", run)
        over = len(letters) % 4
        # Whole base64 is filled up with `=`; one letter over can be no byte at all.
        if over == 1 or (over and b"=" not in run):
            hint = "ask for the email again"
            raise BadInput("mail/cut-short", "the email breaks off in the middle", hint)
        yield binascii.a2b_base64(letters + b"=" * (-over % 4))
    yield data[end:]


def file_name(part: Message) -> str:
    """The name of an attached file without its folders; empty if it has none."""
    try:
        name = part.get_filename("") or ""
    except Exception:  # noqa: BLE001 - the library's decoder of RFC 2231 raises anything on broken names
        name = ""
    last = re.split(r"[/\\]", str(name))[-1]
    return "".join(c for c in last if c.isprintable())[:80]


_MOST_PARTS, _MOST_FENCES, _MOST_ATTACHED, _MOST_TAGS = 60, 4_000, 20, 60_000
_LONGEST_HEADERS, _LONGEST_TYPE = 96 * 1024, 4 * 1024
_TYPE = re.compile(rb"(?im)^content-[a-z-]+[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*")


def open_mail(data: bytes) -> Contents:
    """The contents of a mail. BadInput ``mail/…``."""
    mail = parsed(data)
    if is_automatic(mail):
        message = "an automatic answer or a bounce, not a player's email"
        hint = "nothing to do; if a person wrote it, ask for it again"
        raise BadInput("mail/automatic", message, hint)
    head = headers(mail)
    finder = _Finder(head.people())
    lines = finder.lines(mail)
    if lines is None and not finder.attachments:
        raise BadInput("mail/no-text", "the email has no text that can be read", PLAIN_HINT)
    return Contents(head, lines or [], tuple(finder.attachments), tuple(finder.not_read))


def parsed(data: bytes) -> Message:
    """A mail in its parts. BadInput ``mail/…`` where it would keep the library busy."""
    data = re.sub(rb"\r\n?", b"\n", data)
    _guard(data)
    try:
        return BytesParser(policy=compat32).parsebytes(data)
    except RecursionError:
        raise _too_many_parts() from None


def headers(mail: Message) -> Headers:
    """Those that are looked at."""
    sender, to = (_named(header(mail, name))[0][1] for name in ("from", "to"))
    ids = header(mail, "message-id"), header(mail, "in-reply-to")
    before = header(mail, "references", end=True)  # the mail that is answered is the last
    try:
        when = parsedate_to_datetime(header(mail, "date"))
        when = when.replace(tzinfo=when.tzinfo or UTC).astimezone(UTC).replace(tzinfo=None)
        sent = f"{when.isoformat(timespec='seconds')}Z"
        date = mail_date(sent)
    except Exception:  # noqa: BLE001 - the library raises anything on broken dates
        date = sent = ""
    lists = any(mail.get(name) is not None for name in ("list-id", "list-post"))
    mass = lists or header(mail, "precedence").lower() in ("list", "bulk", "junk")
    others = (name for field in ("to", "cc") for name, _ in _named(header(mail, field), MOST_NAMED))
    names = _named(header(mail, "from"))[0][0], *others
    return Headers(header(mail, "subject"), sender, to, date, *ids, before, sent, mass, names)


def _named(value: str, most: int = 1) -> list[tuple[str, str]]:
    """The names and addresses in a header; "" where the library cannot find them."""
    try:
        found = [parseaddr(value)] if most == 1 else getaddresses([value])[:most]
        return [(name, address[:320]) for name, address in found]
    except Exception:  # noqa: BLE001 - it calls itself for every bracket, and raises anything
        return [("", "")]


def _guard(data: bytes) -> None:
    """Refuse what would keep the library busy: told from the bytes, before it is called."""
    refuse_too_many(data.count(b"\n"))
    low = data.lower()
    parts = max(low.count(b"boundary"), low.count(b"message/"))
    if parts > _MOST_PARTS or low.count(b"\n--") > _MOST_FENCES:
        raise _too_many_parts()
    longest = max((len(m[0]) for m in _TYPE.finditer(data)), default=0)
    if len(data.partition(b"\n\n")[0]) > _LONGEST_HEADERS or longest > _LONGEST_TYPE:
        raise BadInput("mail/headers-too-long", "the email's headers are too long", PLAIN_HINT)


def refuse_too_many(lines: int, most: int = 0) -> None:
    """BadInput ``mail/too-many-lines``: whatever it was that ended them."""
    if lines > (most or MOST_LINES):
        why = f"the email has over {most or MOST_LINES} lines"
        raise BadInput("mail/too-many-lines", why, PLAIN_HINT)


def _too_many_parts() -> BadInput:
    return BadInput("mail/too-many-parts", "the email has too many parts inside parts", PLAIN_HINT)


class _Finder:
    """Walks through the parts: gives the text's lines, collects move files."""

    def __init__(self, people: People) -> None:
        self.people = people
        self.attachments: list[Attachment] = []
        self.not_read: list[str] = []

    def lines(self, part: Message, depth: int = 0) -> list[str] | None:
        """The lines of this part; None if there is no text in it at all."""
        if depth > _MOST_PARTS:
            raise _too_many_parts()
        kind = part.get_content_type()
        if not part.is_multipart():
            return self._of_leaf(part, kind)
        if kind == "multipart/encrypted":
            raise ENCRYPTED
        children = [p for p in part.get_payload() if isinstance(p, Message)]
        found = [self.lines(child, depth + 1) for child in children]
        if kind == "multipart/alternative":
            return self._preferred(list(zip(children, found, strict=True)))
        texts = [lines for lines in found if lines is not None]
        joined = [line for lines in texts for line in lines] if texts else None
        if kind == "message/rfc822" and joined is not None:
            # A mail inside the mail is a quotation, whoever wrote it.
            return [f"> {line}" for line in joined]
        return joined

    def _of_leaf(self, part: Message, kind: str) -> list[str] | None:
        if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
            signed = parameter(part, "smime-type").lower() == "signed-data"
            raise SIGNED if signed or _SIGNED in payload(part) else ENCRYPTED
        name, how = file_name(part), header(part, "content-disposition").lower()
        data = payload(part)
        file = name.lower().endswith(".toml") or looks_like_move_file(data)
        if file and (name or not kind.startswith("text/")):
            if len(self.attachments) < _MOST_ATTACHED:
                self.attachments.append(Attachment(name or "unnamed.toml", data))
            return None
        attached = how.startswith("attachment") and not _CUT_OFF.fullmatch(name)
        if attached or kind not in ("text/plain", "text/html", "text/enriched", "text/markdown"):
            picture = _NO_FILE.search(kind) or part["content-id"]
            if (attached or name) and not picture and len(self.not_read) < MOST_NAMED:
                self.not_read.append(name or kind)
            return None
        text = decode(data, parameter(part, "charset"))
        if kind == "text/html":
            return of_html(text)
        lines, delsp = text.split("\n"), parameter(part, "delsp").lower() == "yes"
        flowed = parameter(part, "format").lower() == "flowed"
        return plain_lines(unfolded(lines, delsp) if flowed else lines)

    def _preferred(self, found: list[tuple[Message, list[str] | None]]) -> list[str] | None:
        """Of alternatives the plain text, unless it is a quotation alone, or its own words do not
        stand in the other.
        """
        said: list[tuple[bool, list[str]]] = [
            (part.get_content_type() != "text/plain", lines)
            for part, lines in found
            if lines and any(line.strip("\u200b\u200c\ufeff \t\xa0") for line in lines)
        ]
        if not said:
            return next((lines for _, lines in found if lines is not None), None)
        (other, plain), *rest = sorted(said, key=itemgetter(0))
        if other or not rest:
            return plain
        html = rest[0][1]
        there, own = {*words_of("\n".join(html))}, self._own_words(plain)
        strange = sum(word not in there for word in own)
        return html if (2 * strange > len(own) or not own) and self._own_words(html) else plain

    def _own_words(self, lines: list[str]) -> list[str]:
        whose = whose_lines(lines, self.people)
        return [
            word
            for line, of in zip(lines, whose, strict=True)
            if of is Whose.OWN
            for word in words_of(line)
        ]


#: how Exchange names the text behind a picture; what is attached and is no file of the player's
_CUT_OFF = re.compile(r"(?i)att\d{1,9}\.(?:txt|html?)")
_NO_FILE = re.compile("^image/|pkcs7-signature|pgp-(?:signature|keys)")
_SIGNED = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"  #: RFC 5652, in DER


def of_html(text: str) -> list[str]:
    """The lines of an HTML page. BadInput where it has too many tags."""
    if text.count("<") > _MOST_TAGS:
        raise _too_many_parts()
    return html_lines(text)
