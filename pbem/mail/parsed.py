"""What a player sent, mail or plain text, cut into what he wrote and what he quoted; and the
headers of a mail whose inside cannot be read: enough to say whose it is, and to answer it.

What must never be here: MIME, HTML, orders (lines.py), who may send them, which game it is.
Law: any bytes give a Letter or one BadInput ``mail/…``; nothing is thrown away. Whose a line is
tells quotation.py; the caller sees all, so that an order that does not count can be told.
Source: FORMAT.md section 3 ("Above and below").
"""

import re
from collections.abc import Callable, Iterable, Sequence
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.mail import parts
from pbem.mail.identity import MOST_CODES, find_codes, without_words
from pbem.mail.parts import Attachment, Contents, Headers
from pbem.mail.quotation import Whose, whose_lines
from pbem.mail.text import Line, as_utf8, decode

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
    not_read: tuple[str, ...] = ()  #: names of attached files
    between: tuple[Line, ...] = ()  #: the player's, as it seems, in a quotation without marks
    signature: tuple[Line, ...] = ()  #: below `-- `

    def text(self) -> str:
        """All its lines as the text shows them, whoever wrote them."""
        lines = *self.lines, *self.below, *self.between, *self.signature
        return "\n".join(line.text for line in sorted(lines))


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
    texts = contents.lines
    if not contents.attachments and not any(text.strip() for text in texts):
        way = "write one order per line, into the email itself; attachments are not read"
        raise BadInput("mail/empty", "nothing is written in it", way)
    lines = [Line(number, text.rstrip()) for number, text in enumerate(texts, 1)]
    parted = divided(lines, contents.headers)
    own = parted[Whose.OWN]
    parts.refuse_too_many(len(own), MOST_OWN)
    if sum(len(line.text) for line in own) > MOST_SAID:
        why = f"the email has over {MOST_SAID} letters besides what it quotes"
        raise BadInput("mail/too-long", why, "send the orders alone")
    said = [line for line in own if line.text.strip()]
    if not said or any(_SEE_SUBJECT.search(line.text) for line in said):
        own = (*_said_in(contents.headers.subject), *(own if said else ()))
    found = find_codes(contents.headers.subject) + find_codes("\n".join(texts))
    between, signature, below = (parted[whose] for whose in [*Whose][1:])
    codes = tuple(dict.fromkeys(found))[:MOST_CODES]
    attached = contents.attachments, contents.not_read
    return Letter(contents.headers, codes, own, below, *attached, between, signature)


def divided(
    lines: Sequence[Line],
    headers: Headers,
    sent: Iterable[tuple[str, ...]] = (),
    referee: str = "",
    means: Callable[[str], bool] = lambda _: False,
) -> dict[Whose, tuple[Line, ...]]:
    """The lines by whose they are. ``sent``: the texts of our messages, the likeliest first."""
    parted: dict[Whose, list[Line]] = {whose: [] for whose in Whose}
    room = MOST_SAID
    found = whose_lines([line.text for line in lines], headers.people(referee), sent, means)
    for line, whose in zip(lines, found, strict=True):
        if whose is Whose.BETWEEN and (room := room - much([line.text])) < 0:
            whose = Whose.QUOTED  # nobody writes as much as that
        quoted = whose is Whose.QUOTED
        text = without_words(line.text, ">") if quoted else line.text.lstrip("> ")
        parted[whose].append(line._replace(text=text))
    return {whose: tuple(part) for whose, part in parted.items()}


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


def much(texts: Iterable[str]) -> int:
    """How much is said, in letters, of which each line costs some: to be held against MOST_SAID."""
    return sum(len(text) + MOST_SAID // MOST_OWN for text in texts)
