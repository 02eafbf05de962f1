"""The text of an email and the move files in it, chosen from its MIME parts (mime.py).

Not allowed here: whose text a line is (quotation.py), codes, orders.
Source: RFC 3156 (PGP), 3676 (flowed), 8551 (S/MIME); what Exchange, Gmail and mailer daemons send.
"""

import re
from email.message import Message  # this module is imported only when an email is read
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.mail.html_text import html_lines
from pbem.mail.mime import (
    MOST_NAMES,
    MOST_PARTS,
    PLAIN_HINT,
    Headers,
    content_parameter,
    decode_payload,
    file_name,
    header_value,
    is_automatic,
    parse_message,
    read_headers,
    too_many_parts,
)
from pbem.mail.quotation import LineOwner, People, find_line_owners
from pbem.mail.quoted_sent import words_of
from pbem.mail.text import decode, looks_like_move_file

_MOST_ATTACHED, _MOST_TAGS = 20, 60_000


class Attachment(NamedTuple):
    """A move file that is attached to an email."""

    name: str
    data: bytes


class MailContents(NamedTuple):
    """The headers of an email, the lines of its text, and its move files."""

    headers: Headers
    lines: list[str]
    attachments: tuple[Attachment, ...]
    unread_files: tuple[str, ...] = ()  #: names of other attached files, at most MOST_NAMES


ENCRYPTED_ERROR = BadInput("mail/encrypted", "the email is encrypted, so pbem cannot read it", PLAIN_HINT)
SIGNED_ERROR = BadInput("mail/signed", "the email is signed in a form that pbem cannot read", PLAIN_HINT)


def people_in(headers: Headers, referee: str = "") -> People:
    """The author and the recipients of an email, as quotations name them."""
    player = {name.lower() for name in (headers.sender, *headers.names[:1]) if name}
    others = {name.lower() for name in (headers.to, *headers.names[1:], referee) if name}
    return People(frozenset(player), frozenset(others))


def strip_pgp_armour(texts: list[str]) -> list[str]:
    """The lines of a plain text without the armour of a PGP signature. Raises BadInput if it is encrypted."""
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


def unfold_lines(texts: list[str], delsp: bool) -> list[str]:
    """Join the lines that a mail program broke at the same depth of `>` (RFC 3676).

    Lines are joined only where the next word would not have fitted. Some phones write a blank after
    every line, and `wall A5 ` is an order, not half of a paragraph.
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


def read_contents(data: bytes) -> MailContents:
    """The contents of an email. Raises BadInput ``mail/…``."""
    mail = parse_message(data)
    if is_automatic(mail):
        message = "an automatic answer or a bounce, not a player's email"
        hint = "nothing to do; if a person wrote it, ask for it again"
        raise BadInput("mail/automatic", message, hint)
    mail_headers = read_headers(mail)
    finder = _TextFinder(people_in(mail_headers))
    lines = finder.find_lines(mail)
    if lines is None and not finder.attachments:
        raise BadInput("mail/no-text", "the email has no text that can be read", PLAIN_HINT)
    return MailContents(mail_headers, lines or [], tuple(finder.attachments), tuple(finder.unread_files))


class _Alternative(NamedTuple):
    """One of the alternatives of an email, as lines."""

    is_plain: bool
    lines: list[str]


class _TextFinder:
    """Finds the lines of the text in the parts of an email, and collects attached files."""

    def __init__(self, people: People) -> None:
        self.people = people
        self.attachments: list[Attachment] = []
        self.unread_files: list[str] = []

    def find_lines(self, part: Message, depth: int = 0) -> list[str] | None:
        """The lines of this part; None if it has no text."""
        if depth > MOST_PARTS:
            raise too_many_parts()
        content_type = part.get_content_type()
        if not part.is_multipart():
            return self._leaf_lines(part, content_type)
        if content_type == "multipart/encrypted":
            raise ENCRYPTED_ERROR
        children = [p for p in part.get_payload() if isinstance(p, Message)]
        child_lines = [self.find_lines(child, depth + 1) for child in children]
        if content_type == "multipart/alternative":
            return self._choose_alternative(
                [
                    _Alternative(child.get_content_type() == "text/plain", lines)
                    for child, lines in zip(children, child_lines, strict=True)
                    if lines is not None
                ]
            )
        texts = [lines for lines in child_lines if lines is not None]
        joined = [line for lines in texts for line in lines] if texts else None
        if content_type == "message/rfc822" and joined is not None:
            # An email inside an email is a quotation, whoever wrote it.
            return [f"> {line}" for line in joined]
        return joined

    def _leaf_lines(self, part: Message, content_type: str) -> list[str] | None:
        if content_type in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
            is_signed = content_parameter(part, "smime-type").lower() == "signed-data"
            raise SIGNED_ERROR if is_signed or _SIGNED_DATA_OID in decode_payload(part) else ENCRYPTED_ERROR
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
        return html_page_lines(text) if content_type == "text/html" else plain_text_lines(part, text)

    def _choose_alternative(self, alternatives: list[_Alternative]) -> list[str] | None:
        """The lines of the best alternative, normally the plain text.

        The other one is chosen if the plain text is only a quotation, or if most of its own words
        are missing in the other.
        """
        with_text = [
            alternative
            for alternative in alternatives
            if alternative.lines and any(line.strip("\u200b\u200c\ufeff \t\xa0") for line in alternative.lines)
        ]
        if not with_text:
            return alternatives[0].lines if alternatives else None
        ranked = sorted(with_text, key=lambda alternative: not alternative.is_plain)
        best = ranked[0]
        if not best.is_plain or len(ranked) == 1:
            return best.lines
        plain_words, other_lines = self._own_words(best.lines), ranked[1].lines
        other_words = {*words_of("\n".join(other_lines))}
        missing_count = sum(word not in other_words for word in plain_words)
        is_plain_doubtful = not plain_words or 2 * missing_count > len(plain_words)
        return other_lines if is_plain_doubtful and self._own_words(other_lines) else best.lines

    def _own_words(self, lines: list[str]) -> list[str]:
        owners = find_line_owners(lines, self.people)
        return [
            word for line, owner in zip(lines, owners, strict=True) if owner is LineOwner.OWN for word in words_of(line)
        ]


#: Exchange's name for the text below a picture; attachments that are not the player's files
_SPLIT_TEXT_NAME = re.compile(r"(?i)att\d{1,9}\.(?:txt|html?)")
_IGNORED_TYPE = re.compile("^image/|pkcs7-signature|pgp-(?:signature|keys)")
_SIGNED_DATA_OID = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"  #: RFC 5652, in DER


def plain_text_lines(part: Message, text: str) -> list[str]:
    """The lines of the plain ``text`` of this part. Raises BadInput if it is encrypted."""
    lines = text.split("\n")
    if content_parameter(part, "format").lower() == "flowed":
        lines = unfold_lines(lines, content_parameter(part, "delsp").lower() == "yes")
    return strip_pgp_armour(lines)


def html_page_lines(text: str) -> list[str]:
    """The lines of an HTML page. Raises BadInput if it has too many tags."""
    if text.count("<") > _MOST_TAGS:
        raise too_many_parts()
    return html_lines(text)
