"""PGP armour in a plain text: taken off if signed, refused if encrypted.

What lives here: RFC 9580's cleartext signature; the error for what cannot be read.
What must never be here: checking a signature (a mail's is not ours to trust or to doubt).
Law: no line of the text inside is lost.
Source: RFC 9580 section 7.
"""

from pbem.errors import BadInput
from pbem.files.mail.contents import TextLine

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
