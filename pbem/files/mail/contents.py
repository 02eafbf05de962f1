"""The values between opening a letter and judging its lines.

What lives here: frozen values shared by mail, HTML and quoting.
What must never be here: reading itself.
Law: what is quoted is marked as quoted from the start, and stays so.
Source: FORMAT.md section 3.
"""

from typing import NamedTuple


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
