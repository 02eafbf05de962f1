"""Read an email or plain text that a player sent, and separate the player's own lines from quoted
ones.

Not allowed here: MIME, HTML, orders (lines.py), whether the sender may play, which game it
is.
Source: FORMAT.md section 3 ("Above and below").
"""

import re
from collections.abc import Callable, Iterable, Sequence
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.mail.identity import MOST_CODES, blank_barred_lines, find_codes
from pbem.mail.mime import Headers, is_automatic, read_headers, refuse_too_many_lines
from pbem.mail.parts import Attachment, MailContents, people_in, read_contents, strip_pgp_armour
from pbem.mail.quotation import LineOwner, find_line_owners
from pbem.mail.text import Line, decode, to_utf8

MAIL_LIMIT = 1024 * 1024
#: lines that may be the player's own (500 signed orders take 1,504), and their letters
MOST_OWN_LINES, MOST_OWN_LETTERS = 2_000, 100_000
_AUTO_SUBMITTED = re.compile(rb"(?i)(\nAuto-Submitted:[ \t]*auto-(?:generated|replied))[ \t]*\r?(?=\n)")
_HEADER = re.compile(rb"[!-9;-~]{1,76}[ \t]*:")
_MAIL_HEADER = re.compile(
    rb"(?i)(?:from|to|subject|date|message-id|received|return-path|delivered-to|mime-version"
    rb"|content-type|x-[a-z-]+)[ \t]*:"
)


class ParsedEmail(NamedTuple):
    """An email as read.

    ``codes`` are from the subject, then the text. Lines are numbered as the text shows them. No
    line is left out, so that the receipt can name orders that do not count.
    """

    headers: Headers
    codes: tuple[str, ...]
    own_lines: tuple[Line, ...]
    quoted_lines: tuple[Line, ...]
    attachments: tuple[Attachment, ...]
    unread_files: tuple[str, ...] = ()  #: names of attached files
    interleaved_lines: tuple[Line, ...] = ()  #: probably the player's, inside a quotation without marks
    signature_lines: tuple[Line, ...] = ()  #: below `-- `

    def text(self) -> str:
        """All lines as the text shows them."""
        lines = *self.own_lines, *self.quoted_lines, *self.interleaved_lines, *self.signature_lines
        return "\n".join(line.text for line in sorted(lines))


def strip_auto_submitted(data: bytes) -> bytes:
    """An email of ours that a player saved, without the header that marks it as automatic."""
    return _AUTO_SUBMITTED.sub(b"\nX-Pbem: ours", data, count=1)


def parse_email(data: bytes) -> ParsedEmail:
    """Read an email (.eml) or a plain text. Raises BadInput ``mail/…``."""
    if len(data) > MAIL_LIMIT:
        message = f"the file has {len(data)} bytes; an email may have {MAIL_LIMIT}"
        raise BadInput("mail/too-large", message, "send the orders alone, without pictures")
    data = to_utf8(data)
    if b"\x00" in data:
        decode(b"\x00")  # raises the error about NUL bytes
    contents = _read_text(data)
    lines = [Line(number, text.rstrip()) for number, text in enumerate(contents.lines, 1)]
    lines_by_owner = divide_lines(lines, contents.headers)
    own_lines = lines_by_owner[LineOwner.OWN]
    _refuse_too_long(own_lines)
    all_codes = find_codes(contents.headers.subject) + find_codes("\n".join(contents.lines))
    return ParsedEmail(
        headers=contents.headers,
        codes=tuple(dict.fromkeys(all_codes))[:MOST_CODES],
        own_lines=_with_lines_in_subject(own_lines, contents.headers.subject),
        quoted_lines=lines_by_owner[LineOwner.QUOTED],
        attachments=contents.attachments,
        unread_files=contents.unread_files,
        interleaved_lines=lines_by_owner[LineOwner.INTERLEAVED],
        signature_lines=lines_by_owner[LineOwner.SIGNATURE],
    )


def _read_text(data: bytes) -> MailContents:
    """The text of an email or of a plain text. Raises BadInput ``mail/…`` if there is none."""
    if is_mail(data):
        contents = read_contents(data.lstrip())
    else:
        contents = MailContents(Headers(), strip_pgp_armour(decode(data).split("\n")), ())
    refuse_too_many_lines(len(contents.lines))
    if not contents.attachments and not any(text.strip() for text in contents.lines):
        hint = "write one order per line, into the email itself; attachments are not read"
        raise BadInput("mail/empty", "nothing is written in it", hint)
    return contents


def _refuse_too_long(own_lines: Sequence[Line]) -> None:
    refuse_too_many_lines(len(own_lines), MOST_OWN_LINES)
    if sum(len(line.text) for line in own_lines) > MOST_OWN_LETTERS:
        problem = f"the email has over {MOST_OWN_LETTERS} letters besides what it quotes"
        raise BadInput("mail/too-long", problem, "send the orders alone")


def _with_lines_in_subject(own_lines: tuple[Line, ...], subject: str) -> tuple[Line, ...]:
    """The player's own lines, after those in the subject if the player writes there."""
    written_lines = [line for line in own_lines if line.text.strip()]
    if not written_lines:
        return tuple(_lines_in_subject(subject))
    refers_to_subject = any(_SEE_SUBJECT.search(line.text) for line in written_lines)
    return (*_lines_in_subject(subject), *own_lines) if refers_to_subject else own_lines


def divide_lines(
    lines: Sequence[Line],
    headers: Headers,
    sent_texts: Iterable[tuple[str, ...]] = (),
    referee: str = "",
    is_instruction: Callable[[str], bool] = lambda _: False,
) -> dict[LineOwner, tuple[Line, ...]]:
    """The lines by their owner. ``sent_texts``: the texts of our messages, the likeliest first."""
    lines_by_owner: dict[LineOwner, list[Line]] = {owner: [] for owner in LineOwner}
    remaining_letters = MOST_OWN_LETTERS
    owners = find_line_owners([line.text for line in lines], people_in(headers, referee), sent_texts, is_instruction)
    for line, owner in zip(lines, owners, strict=True):
        if owner is LineOwner.INTERLEAVED:
            remaining_letters -= text_weight([line.text])
            owner = LineOwner.QUOTED if remaining_letters < 0 else owner  # nobody types that much
        is_quoted = owner is LineOwner.QUOTED
        text = blank_barred_lines(line.text, ">") if is_quoted else line.text.lstrip("> ")
        lines_by_owner[owner].append(line._replace(text=text))
    return {owner: tuple(owned_lines) for owner, owned_lines in lines_by_owner.items()}


def _lines_in_subject(subject: str) -> list[Line]:
    """The player's words in the subject: before `Re:`, or around our code."""
    subject = subject[:400]
    match = _REPLY.search(subject) or _CODE.search(subject)
    prefix_end = match.start() if match else len(subject)
    suffix_start = max((code.end() for code in _CODE.finditer(subject)), default=len(subject))
    texts = (text.strip(" ()") for text in (subject[:prefix_end], subject[suffix_start:]))
    return [Line(0, text) for text in texts if text]


def is_mail(data: bytes) -> bool:
    """Whether the bytes begin with headers, of which one is usual (a text may begin with `later:`)."""
    lines = re.split(rb"\r\n?|\n", data[:65536].lstrip())
    first_header = int(lines[0].startswith((b"From ", b">From ")))
    for line in lines[first_header : first_header + 400]:
        if _MAIL_HEADER.match(line):
            return True
        if line[:1] not in (b" ", b"\t") and not _HEADER.match(line):
            return False
    return False


#: A short line that sends the reader to the subject of this email.
_SEE_SUBJECT = re.compile(
    r"(?i)^(?!.*(?:\?|\b(?:last|previous|letzt|vorig|dernier|précédent|preceden|ultim|előző)))"
    r".{0,20}\b(?:(?:see|as in|as per|in) (?:the |my )?subject"
    r"|(?:siehe|wie im|steht im|s\.) betreff|(?:comme en |comme dans l'|voir (?:l')?|cf\.? )objet"
    r"|(?:come da|come in|vedi|nell') ?oggetto|(?:lásd a?|ahogy a|mint a) ?tárgy(?:ban|at)?)"
    r"\b.{0,30}$"
)
_REPLY = re.compile(r"(?i)\(?(?:\b(?:was|war|era|ex|volt)\s?:\s*)?\b(?:re|aw|antw|tr|r|rif|sv|vá|fwd?|wg)\s?:")
_CODE = re.compile(r"\[pbem [^\]]{1,20}\]")
HEADING_LIMIT = 96 * 1024  #: bytes at the beginning of an email


def parse_headers(data: bytes) -> Headers | None:
    """The headers at the beginning of these bytes; None if it is not an email or an automatic one."""
    data = re.sub(rb"\r\n?", b"\n", data[:HEADING_LIMIT]).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not is_mail(data):
        return None
    header_block = data.partition(b"\n\n")[0]
    if header_block.startswith((b"From ", b">From ")):
        header_block = header_block.partition(b"\n")[2]
    mail = BytesHeaderParser(policy=compat32).parsebytes(header_block + b"\n\n")
    return None if is_automatic(mail) else read_headers(mail)


def text_weight(texts: Iterable[str]) -> int:
    """The length of texts in letters, plus a fixed cost for each line."""
    return sum(len(text) + MOST_OWN_LETTERS // MOST_OWN_LINES for text in texts)
