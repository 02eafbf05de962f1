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
from pbem.mail.identity import MOST_CODES, blank_barred_lines, find_codes
from pbem.mail.parts import Attachment, Headers, MailContents
from pbem.mail.quotation import LineOwner, find_line_owners
from pbem.mail.text import Line, decode, to_utf8

MAIL_LIMIT = 1024 * 1024
#: lines that may be the player's own (500 signed orders are 1,504), and their letters
MOST_OWN_LINES, MOST_OWN_LETTERS = 2_000, 100_000
_AUTO_SUBMITTED = re.compile(rb"(?i)(\nAuto-Submitted:[ \t]*auto-(?:generated|replied))[ \t]*\r?(?=\n)")
_HEADER = re.compile(rb"[!-9;-~]{1,76}[ \t]*:")
_MAIL_HEADER = re.compile(
    rb"(?i)(?:from|to|subject|date|message-id|received|return-path|delivered-to|mime-version"
    rb"|content-type|x-[a-z-]+)[ \t]*:"
)


class ParsedEmail(NamedTuple):
    """A letter as read. ``codes`` from subject, then text; ``lines`` are the player's own,
    ``below`` all others; both numbered together as the text shows them.
    """

    headers: Headers
    codes: tuple[str, ...]
    own_lines: tuple[Line, ...]
    quoted_lines: tuple[Line, ...]
    attachments: tuple[Attachment, ...]
    unread_files: tuple[str, ...] = ()  #: names of attached files
    interleaved_lines: tuple[Line, ...] = ()  #: the player's, as it seems, in a quotation without marks
    signature_lines: tuple[Line, ...] = ()  #: below `-- `

    def text(self) -> str:
        """All its lines as the text shows them, whoever wrote them."""
        lines = *self.own_lines, *self.quoted_lines, *self.interleaved_lines, *self.signature_lines
        return "\n".join(line.text for line in sorted(lines))


def strip_auto_submitted(data: bytes) -> bytes:
    """Our own mail as a player saved it, without the word that a machine wrote it, for which it
    would be refused as a letter.
    """
    return _AUTO_SUBMITTED.sub(b"\nX-Pbem: ours", data, count=1)


def parse_email(data: bytes) -> ParsedEmail:
    """The letter in the bytes of a mail (.eml) or of a plain text. BadInput ``mail/…``."""
    if len(data) > MAIL_LIMIT:
        message = f"the file has {len(data)} bytes; an email may have {MAIL_LIMIT}"
        raise BadInput("mail/too-large", message, "send the orders alone, without pictures")
    data = to_utf8(data)
    if b"\x00" in data:
        decode(b"\x00")  # says what is wrong with NUL bytes
    if is_mail(data):
        contents = parts.read_contents(data.lstrip())
    else:
        contents = MailContents(Headers(), parts.strip_pgp_armour(decode(data).split("\n")), ())
    parts.refuse_too_many_lines(len(contents.lines))
    texts = contents.lines
    if not contents.attachments and not any(text.strip() for text in texts):
        hint = "write one order per line, into the email itself; attachments are not read"
        raise BadInput("mail/empty", "nothing is written in it", hint)
    lines = [Line(number, text.rstrip()) for number, text in enumerate(texts, 1)]
    lines_by_owner = divide_lines(lines, contents.headers)
    own_lines = lines_by_owner[LineOwner.OWN]
    parts.refuse_too_many_lines(len(own_lines), MOST_OWN_LINES)
    if sum(len(line.text) for line in own_lines) > MOST_OWN_LETTERS:
        problem = f"the email has over {MOST_OWN_LETTERS} letters besides what it quotes"
        raise BadInput("mail/too-long", problem, "send the orders alone")
    written_lines = [line for line in own_lines if line.text.strip()]
    if not written_lines or any(_SEE_SUBJECT.search(line.text) for line in written_lines):
        own_lines = (*_lines_in_subject(contents.headers.subject), *(own_lines if written_lines else ()))
    all_codes = find_codes(contents.headers.subject) + find_codes("\n".join(texts))
    interleaved_lines, signature_lines, quoted_lines = (lines_by_owner[owner] for owner in [*LineOwner][1:])
    codes = tuple(dict.fromkeys(all_codes))[:MOST_CODES]
    files = contents.attachments, contents.unread_files
    return ParsedEmail(contents.headers, codes, own_lines, quoted_lines, *files, interleaved_lines, signature_lines)


def divide_lines(
    lines: Sequence[Line],
    headers: Headers,
    sent_texts: Iterable[tuple[str, ...]] = (),
    referee: str = "",
    is_instruction: Callable[[str], bool] = lambda _: False,
) -> dict[LineOwner, tuple[Line, ...]]:
    """The lines by whose they are. ``sent_texts``: the texts of our messages, the likeliest first."""
    lines_by_owner: dict[LineOwner, list[Line]] = {owner: [] for owner in LineOwner}
    remaining_letters = MOST_OWN_LETTERS
    owners = find_line_owners([line.text for line in lines], headers.people(referee), sent_texts, is_instruction)
    for line, owner in zip(lines, owners, strict=True):
        if owner is LineOwner.INTERLEAVED and (remaining_letters := remaining_letters - text_weight([line.text])) < 0:
            owner = LineOwner.QUOTED  # nobody writes as much as that
        is_quoted = owner is LineOwner.QUOTED
        text = blank_barred_lines(line.text, ">") if is_quoted else line.text.lstrip("> ")
        lines_by_owner[owner].append(line._replace(text=text))
    return {owner: tuple(owned_lines) for owner, owned_lines in lines_by_owner.items()}


def _lines_in_subject(subject: str) -> list[Line]:
    """What a player who wrote nothing else wrote into the subject: before `Re:`, or around our
    code.
    """
    subject = subject[:400]
    match = _REPLY.search(subject) or _CODE.search(subject)
    prefix_end = match.start() if match else len(subject)
    suffix_start = max((code.end() for code in _CODE.finditer(subject)), default=len(subject))
    texts = (text.strip(" ()") for text in (subject[:prefix_end], subject[suffix_start:]))
    return [Line(0, text) for text in texts if text]


def is_mail(data: bytes) -> bool:
    """Whether it begins with headers. A player's text may begin `later:`, so one of the headers
    must be one that mails have.
    """
    lines = re.split(rb"\r\n?|\n", data[:65536].lstrip())
    first_header = int(lines[0].startswith((b"From ", b">From ")))
    for line in lines[first_header : first_header + 400]:
        if _MAIL_HEADER.match(line):
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
_REPLY = re.compile(r"(?i)\(?(?:\b(?:was|war|era|ex|volt)\s?:\s*)?\b(?:re|aw|antw|tr|r|rif|sv|vá|fwd?|wg)\s?:")
_CODE = re.compile(r"\[pbem [^\]]{1,20}\]")
HEADING_LIMIT = 96 * 1024  #: bytes of a mail that are looked at


def parse_headers(data: bytes) -> Headers | None:
    """The headers at the beginning of these bytes."""
    data = re.sub(rb"\r\n?", b"\n", data[:HEADING_LIMIT]).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not is_mail(data):
        return None
    header_block = data.partition(b"\n\n")[0]
    if header_block.startswith((b"From ", b">From ")):
        header_block = header_block.partition(b"\n")[2]
    mail = BytesHeaderParser(policy=compat32).parsebytes(header_block + b"\n\n")
    return None if parts.is_automatic(mail) else parts.read_headers(mail)


def text_weight(texts: Iterable[str]) -> int:
    """How much is said, in letters, of which each line costs some: to be held against MOST_SAID."""
    return sum(len(text) + MOST_OWN_LETTERS // MOST_OWN_LINES for text in texts)
