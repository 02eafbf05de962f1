"""The values between opening a letter and judging its lines.

What lives here: frozen values shared by mail, HTML and quoting; PGP armour in a plain text, which
is taken off if signed (a mail's signature is not ours to trust or to doubt), refused if encrypted.
What must never be here: reading itself.
Law: what is quoted is marked as quoted from the start, and stays so.
Source: FORMAT.md section 3.
"""

from typing import NamedTuple

from pbem.errors import BadInput


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
