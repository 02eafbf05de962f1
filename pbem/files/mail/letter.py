"""What a player sent, mail or plain text, cut into what he wrote and what he quoted; and the
headers of a mail whose inside cannot be read: enough to say whose it is, and to answer it.

What must never be here: MIME, HTML, orders (lines.py), who may send them, which game it is.
Law: any bytes give a Letter or one BadInput ``mail/…``; nothing is thrown away. A line is above or
below, and the caller sees both, so that an order found only below can be told. In doubt below: an
order is never taken from somebody else's text.
Source: FORMAT.md section 3 ("Above and below"); the attribution lines of Gmail, Apple Mail,
Thunderbird, Outlook, GMX, K-9, mutt and Yahoo in English, French, Italian, Hungarian and German.
"""

import re
from collections import Counter
from collections.abc import Iterable
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.files.characters import as_utf8, decode
from pbem.files.identity import MOST_CODES, find_codes, first_code_line
from pbem.files.mail import parts
from pbem.files.mail.html_text import TextLine
from pbem.files.mail.parts import Attachment, Contents, Headers
from pbem.files.orders.lines import Line

MAIL_LIMIT = 1024 * 1024
#: lines that may be the player's own (500 signed orders are 1,504), and their letters
MOST_OWN, MOST_SAID = 2_000, 100_000
_MARKED = re.compile(rb"(?i)(\nAuto-Submitted:[ \t]*auto-(?:generated|replied))[ \t]*\r?(?=\n)")
_HEADER = re.compile(rb"[!-9;-~]{1,76}[ \t]*:")
_KNOWN = re.compile(
    rb"(?i)(?:from|to|subject|date|message-id|received|return-path|delivered-to|mime-version"
    rb"|content-type|x-[a-z-]+)[ \t]*:"
)


class Letter(NamedTuple):
    """A letter as read. ``codes`` from subject, then text; ``lines`` are the player's own,
    ``below`` all others; both numbered together as the text shows them.
    """

    headers: Headers
    codes: tuple[str, ...]
    lines: tuple[Line, ...]
    below: tuple[Line, ...]
    attachments: tuple[Attachment, ...]

    def text(self) -> str:
        """All its lines as the text shows them, whoever wrote them."""
        return "\n".join(line.text for line in sorted((*self.lines, *self.below)))


def unmarked(data: bytes) -> bytes:
    """Our own mail as a player saved it, without the word that a machine wrote it, for which it
    would be refused as a letter.
    """
    return _MARKED.sub(b"\nX-Pbem: ours", data, count=1)


def read_letter(data: bytes) -> Letter:
    """The letter in the bytes of a mail (.eml) or of a plain text. BadInput ``mail/…``."""
    if len(data) > MAIL_LIMIT:
        message = f"the file has {len(data)} bytes; an email may have {MAIL_LIMIT}"
        raise BadInput("mail/too-large", message, "send the orders alone, without pictures")
    data = as_utf8(data)
    if b"\x00" in data:
        decode(b"\x00")  # says what is wrong with NUL bytes
    if is_mail(data):
        contents = parts.open_mail(data.lstrip())
    else:
        contents = Contents(Headers(), parts.plain_lines(decode(data).split("\n")), ())
    parts.refuse_too_many(len(contents.lines))
    texts = [line.text for line in contents.lines]
    if not contents.attachments and not any(text.strip() for text in texts):
        way = "write one order per line, into the email itself; attachments are not read"
        raise BadInput("mail/empty", "nothing is written in it", way)
    split: dict[bool, list[Line]] = {True: [], False: []}
    for (number, text), mine in zip(enumerate(texts, 1), own_lines(contents.lines), strict=True):
        split[mine].append(Line(number, text.rstrip()))
    parts.refuse_too_many(len(split[True]), MOST_OWN)
    if sum(len(line.text) for line in split[True]) > MOST_SAID:
        why = f"the email has over {MOST_SAID} letters besides what it quotes"
        raise BadInput("mail/too-long", why, "send the orders alone")
    said = [line for line in split[True] if line.text.strip()]
    if not said or any(_SEE_SUBJECT.search(line.text) for line in said):
        split[True] = [*_said_in(contents.headers.subject), *(split[True] if said else ())]
    found = find_codes(contents.headers.subject) + find_codes("\n".join(texts))
    codes, own, below = tuple(dict.fromkeys(found)), tuple(split[True]), tuple(split[False])
    return Letter(contents.headers, codes[:MOST_CODES], own, below, contents.attachments)


def _said_in(subject: str) -> list[Line]:
    """What a player who wrote nothing else wrote into the subject: before `Re:`, or around our
    code.
    """
    subject = subject[:400]
    found = _REPLY.search(subject) or _CODE.search(subject)
    before = found.start() if found else len(subject)
    after = max((code.end() for code in _CODE.finditer(subject)), default=len(subject))
    said = (text.strip(" ()") for text in (subject[:before], subject[after:]))
    return [Line(0, text) for text in said if text]


def is_mail(data: bytes) -> bool:
    """Whether it begins with headers. A player's text may begin `later:`, so one of the headers
    must be one that mails have.
    """
    lines = re.split(rb"\r\n?|\n", data[:65536].lstrip())
    first = int(lines[0].startswith((b"From ", b">From ")))
    for line in lines[first : first + 400]:
        if _KNOWN.match(line):
            return True
        if line[:1] not in (b" ", b"\t") and not _HEADER.match(line):
            return False
    return False


#: in a short line, and of this email
_SEE_SUBJECT = re.compile(
    r"(?i)^(?!.*(?:\?|\b(?:last|previous|letzt|vorig|dernier|précédent|preceden|ultim|előző)))"
    r".{0,20}\b(?:(?:see|as in|as per|in) (?:the |my )?subject"
    r"|(?:siehe|wie im|steht im|s\.) betreff|(?:comme en |comme dans l'|voir (?:l')?|cf\.? )objet"
    r"|(?:come da|come in|vedi|nell') ?oggetto|(?:lásd a?|ahogy a|mint a) ?tárgy(?:ban|at)?)"
    r"\b.{0,30}$"
)
_REPLY = re.compile(
    r"(?i)\(?(?:\b(?:was|war|era|ex|volt)\s?:\s*)?\b(?:re|aw|antw|tr|r|rif|sv|vá|fwd?|wg)\s?:"
)
_CODE = re.compile(r"\[pbem [^\]]{1,20}\]")
LIMIT = 96 * 1024  #: bytes of a mail that are looked at


def read_heading(data: bytes) -> Headers | None:
    """The headers at the beginning of these bytes."""
    data = re.sub(rb"\r\n?", b"\n", data[:LIMIT]).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not is_mail(data):
        return None
    head = data.partition(b"\n\n")[0]
    if head.startswith((b"From ", b">From ")):
        head = head.partition(b"\n")[2]
    mail = BytesHeaderParser(policy=compat32).parsebytes(head + b"\n\n")
    return None if parts.is_automatic(mail) else parts.headers(mail)


# An attribution from its first word on, in one to four lines joined. Each is bounded.
_FROM_START = re.compile(
    r"(?:On\b.{4,300}\bwrote|Le\b.{4,300}\ba écrit|Il\b.{4,300}\bha scritto"
    r"|El\b.{4,300}\bescribió|\d{4}\. .{4,200}\bírta)\s?:"
    r"|(?:Am\b.{4,200}\bschrieb|Op\b.{4,200}\bschreef)\b.{0,120}:",
    re.IGNORECASE,
)
# These begin with the name, which may be anything: so the verb or an address must stand in the
# first line, or the line before would be swallowed.
_NAME_FIRST = re.compile(
    r".{1,200}\bezt írta\b.{0,120}:"
    r"|.{1,200}@[^@]{1,100}\b(?:wrote|a écrit|ha scritto|schrieb|írta|escribió|schreef)\s?:"
    r"|.{1,200}@[^@]{1,100}\b(?:schrieb am\b|írta \().{1,80}:",
    re.IGNORECASE,
)
# Of programs that nobody has listed: who, and the year, before marked lines alone.
_STAMPED = re.compile(
    r"(?=.{0,300}\b20\d\d\b)(?=.{0,300}\b\d{1,2}[:.h]\d\d\b)"
    r"(?:.{0,200}<[^<>@\s]{1,64}@[^<>@\s]{1,100}>.{0,100}|.{1,60}\bschrieb am\b.{1,60}:)",
    re.IGNORECASE,
)
# Of small letters: to ask for both takes ten times as long.
_VERB = re.compile(r"wrote|a écrit|ha scritto|schrieb|írta|escribió|schreef")
_CUTS = re.compile(
    r"-{2,}\s*(?:original message|forwarded message|original appointment|"
    r"ursprüngliche nachricht|weitergeleitete nachricht|originalnachricht|"
    r"message d.origine|message original|message transféré|"
    r"messaggio originale|messaggio inoltrato|eredeti üzenet|továbbított üzenet)\s*-*"
    r"|begin forwarded message:|anfang der weitergeleiteten nachricht:",
    re.IGNORECASE,
)
_SENT_FROM = re.compile(
    r"(?:sent from (?:my |outlook|yahoo|proton|mail for|[a-z]+ mail)"
    r"|get outlook for |von meinem .{1,40} gesendet|gesendet (?:von|mit) |envoyé de(?:puis)? "
    r"|inviato da |elküldve (?:iphone|android|az? )|.{1,30} (?:készülékemről|-omról) küldve"
    r"|sent with |télécharge[rz] outlook)[^,;]{0,80}",
    re.IGNORECASE,
)
# also of programs in Dutch, Spanish, Polish, Swedish, Danish, whose owner may write English
_FROM_FIELD = "from|von|de|da|feladó|sent|gesendet|envoyé|inviato|elküldve|küldve"
_FROM_FIELD += "|van|verzonden|enviado|od|wysłano|från|skickat|fra|sendt"
_FIELD = _FROM_FIELD + "|date|datum|data|dátum|to|an|à|a|címzett|cc|kopie|subject|betreff|objet"
_FIELD += "|oggetto|tárgy|reply-to|aan|onderwerp|fecha|para|asunto|do|temat|till|ämne|til|emne"
_BLOCK_START = re.compile(rf"\*?(?:{_FROM_FIELD})\s?:\*?\s.{{0,300}}", re.IGNORECASE)
_BLOCK_NEXT = re.compile(rf"\*?(?:{_FIELD})\s?:\*?\s.{{0,300}}", re.IGNORECASE)
_RULE = re.compile(r"[_-]{10,}")


def own_lines(lines: list[TextLine]) -> list[bool]:
    """For each line, whether it is the player's own and stands above the cut line."""
    texts = [line.text.replace("\xa0", " ").strip() for line in lines]
    end = _cut(texts)
    own = [i < end and not line.quoted for i, line in enumerate(lines)]
    i = 0
    while i < end:
        span = 0
        if texts[i].startswith(">") or _SENT_FROM.fullmatch(texts[i]):
            own[i] = False
        elif span := _attribution(texts, i):
            own[i : i + span] = [False] * span
            after = next((j for j in range(i + span, len(texts)) if texts[j]), i)
            # what follows is marked as a quotation; if not, all that follows is one
            if not (texts[after].startswith(">") or lines[after].quoted) or after == i:
                return own[:i] + [False] * (len(own) - i)
        i += span or 1
    return own


def much(texts: Iterable[str]) -> int:
    """How much is said, in letters, of which each line costs some: to be held against MOST_SAID."""
    return sum(len(text) + MOST_SAID // MOST_OWN for text in texts)


def answers_between(texts: list[str], ours: str) -> list[bool]:
    """For each line from the cut line on, whether the player wrote it between lines marked as
    quoted, or below them all: a paragraph of its own that is none of ``ours``, the text quoted,
    unless it is quoted as well, MOST_SAID at most. Nothing is where the cut line is not marked, or
    behind a signature.
    """
    own, texts = [False] * len(texts), [text.strip() for text in texts]
    code = first_code_line(texts)
    if code is None or not texts[code].startswith(">"):
        return own
    lines = [line.strip() for line in ours.split("\n")]
    left = Counter(lines) - Counter(t.lstrip("> ") for t in texts if t.startswith(">"))
    whole, i, said = "\n".join(lines), code, 0
    while i < len(texts) and not _ends_answers(texts, i):
        end = i
        while end < len(texts) and texts[end] and texts[end][0] != ">":
            end += 1
        if end > i and not texts[i - 1]:
            mine = texts[i:end]
            said += much(mine)
            if said > MOST_SAID:
                break
            is_ours = "\n".join(mine) in whole and all(left[text] for text in mine)
            own[i:end] = [not is_ours and not _SENT_FROM.fullmatch(text) for text in mine]
        i = max(end, i + 1)
    return own


def _ends_answers(texts: list[str], i: int) -> bool:
    """Whether what begins here is a signature, or another mail."""
    if texts[i] in ("--", "__") or _CUTS.fullmatch(texts[i]):
        return True
    return _header_block(texts, i) or bool(_attribution(texts, i))


def _cut(texts: list[str]) -> int:
    """Index of the first line from which nothing is the player's own."""
    code = first_code_line(texts)
    end = len(texts) if code is None else code
    for i, text in enumerate(texts[:end]):
        if text == "--" or _CUTS.fullmatch(text) or _header_block(texts, i):
            return i
        if _RULE.fullmatch(text) and any(_header_block(texts, j) for j in range(i + 1, i + 4)):
            return i
    return end


def _header_block(texts: list[str], i: int) -> bool:
    """Outlook's way of quoting: From, Sent, To, Subject; two of them are enough to tell."""
    if i >= len(texts) or not _BLOCK_START.fullmatch(texts[i]):
        return False
    after = [text for text in texts[i + 1 : i + 4] if text]
    return bool(after) and _BLOCK_NEXT.fullmatch(after[0]) is not None


def _attribution(texts: list[str], i: int) -> int:
    """How many lines from here are an attribution; 0 if none begins here."""
    if not texts[i] or len(texts[i]) > 400:
        return 0
    marked = texts[i + 1 : i + 2] and texts[i + 1].startswith(">")
    if marked and _STAMPED.fullmatch(texts[i]):
        return 1
    names = "@" in texts[i] or _VERB.search(texts[i].lower())
    for span in range(1, 5):
        joined = " ".join(texts[i : i + span])
        if len(joined) > 500 or i + span > len(texts) or not texts[i + span - 1]:
            return 0
        if _VERB.search(joined.lower()) and (
            _FROM_START.fullmatch(joined) or (names and _NAME_FIRST.fullmatch(joined))
        ):
            later = (" ".join(texts[j : i + span]) for j in range(i + 1, i + span))
            return 0 if any(map(_FROM_START.fullmatch, later)) else span
    return 0
