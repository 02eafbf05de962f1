"""What of a letter is the player's own: above the cut line, not quoted, not a signature.

What lives here: the cut line, `>` marks, "On … wrote:", Outlook's header block, `-- `.
What must never be here: MIME, HTML, orders.
Law: nothing is thrown away. A line is above or below, and the caller sees both, so that an order
found only below can be told. In doubt below: an order is never taken from somebody else's text.
Source: FORMAT.md section 3 ("Above and below"); the attribution lines of Gmail, Apple Mail,
Thunderbird, Outlook, GMX, K-9, mutt and Yahoo in English, French, Italian, Hungarian and German.
"""

import re
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.files.reply_code import first_code_line


class TextLine(NamedTuple):
    """A line of text, and whether it stood inside a quotation."""

    text: str
    quoted: bool


class Attachment(NamedTuple):
    """A move file that came with a mail."""

    name: str
    data: bytes


class Contents(NamedTuple):
    """A mail opened: three headers, the lines of its text, the move files in it; and ``aside``, the
    text of every part, read or not.
    """

    subject: str
    sender: str
    message_id: str
    lines: list[TextLine]
    attachments: tuple[Attachment, ...]
    aside: tuple[str, ...] = ()


PLAIN_HINT = "send it again as plain text"


def plain_lines(texts: list[str]) -> list[TextLine]:
    """Lines of plain text; the armour of a PGP signature taken off. BadInput if encrypted."""
    if any(text.startswith("-----BEGIN PGP MESSAGE-----") for text in texts):
        raise encrypted()
    opening, closing = "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----"
    stripped = [text.rstrip() for text in texts]
    if opening not in stripped:
        return [TextLine(text, False) for text in texts]
    start = stripped.index(opening)
    blank = next((i for i in range(start, len(texts)) if not stripped[i]), start)
    rest = range(blank + 1, len(texts))
    end = next((i for i in rest if stripped[i] == closing), len(texts))
    signed = [text.removeprefix("- ") for text in texts[blank + 1 : end]]
    last = next((i for i in rest if stripped[i] == "-----END PGP SIGNATURE-----"), len(texts))
    return [TextLine(text, False) for text in (*texts[:start], *signed, *texts[last + 1 :])]


def encrypted() -> BadInput:
    """The error for a mail that only its addressee can open."""
    return BadInput("mail/encrypted", "the mail is encrypted: pbem cannot read it", PLAIN_HINT)


# An attribution from its first word on, in one to four lines joined. Each is bounded.
_FROM_START = (
    re.compile(r"On\b.{4,300}\bwrote\s?:", re.IGNORECASE),
    re.compile(r"Le\b.{4,300}\ba écrit\s?:", re.IGNORECASE),
    re.compile(r"Il\b.{4,300}\bha scritto\s?:", re.IGNORECASE),
    re.compile(r"Am\b.{4,200}\bschrieb\b.{0,120}:", re.IGNORECASE),
    re.compile(r"El\b.{4,300}\bescribió\s?:", re.IGNORECASE),
    re.compile(r"Op\b.{4,200}\bschreef\b.{0,120}:", re.IGNORECASE),
)
# These begin with the name, which may be anything: so the verb or an address must stand in the
# first line, or the line before would be swallowed.
_NAME_FIRST = (
    re.compile(r".{1,200}\bezt írta\b.{0,120}:", re.IGNORECASE),
    re.compile(r".{1,200}@.{1,100}\b(?:wrote|a écrit|ha scritto|schrieb)\s?:", re.IGNORECASE),
)
_VERB = re.compile(r"wrote|a écrit|ha scritto|schrieb|ezt írta|escribió|schreef", re.IGNORECASE)
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
    r"|inviato da |elküldve (?:iphone|android|az? )|.{1,30} készülékemről küldve"
    r"|sent with |télécharge[rz] outlook).{0,80}",
    re.IGNORECASE,
)
_FROM_FIELD = "from|von|de|da|feladó|sent|gesendet|envoyé|inviato|elküldve|küldve"
_FIELD = _FROM_FIELD + "|date|datum|data|dátum|to|an|à|a|címzett|cc|kopie|subject|betreff|objet"
_FIELD += "|oggetto|tárgy|reply-to"
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
        step = 1
        if texts[i].startswith(">") or _SENT_FROM.fullmatch(texts[i]):
            own[i] = False
        elif span := _attribution(texts, i):
            step = span
            own[i : i + span] = [False] * len(own[i : i + span])
            if not _quoted_next(lines, texts, i + span):
                return own[:i] + [False] * (len(own) - i)
        i += step
    return own


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
    names = "@" in texts[i] or _VERB.search(texts[i])
    patterns = _FROM_START + (_NAME_FIRST if names else ())
    for span in range(1, 5):
        joined = " ".join(texts[i : i + span])
        if len(joined) > 500 or i + span > len(texts):
            return 0
        if _VERB.search(joined) and any(p.fullmatch(joined) for p in patterns):
            return span
    return 0


def _quoted_next(lines: list[TextLine], texts: list[str], i: int) -> bool:
    """Whether what follows is marked as a quotation; if not, all that follows is one."""
    for j in range(i, len(texts)):
        if texts[j]:
            return texts[j].startswith(">") or lines[j].quoted
    return False
