"""The values that reading gives: a numbered line, an order as read, a doubtful line, a sheet.

What lives here: frozen values shared by letter, move file and lines.
What must never be here: reading itself.
Law: numbers count from 1 in the text as the player sees it; texts hold no control characters.
Source: docs/NOTATION.md "A mail or move file"; FORMAT.md section 3.
"""

from typing import NamedTuple


class Line(NamedTuple):
    """One line of what a player sent, as he sees it."""

    number: int
    text: str


class OrderLine(NamedTuple):
    """One order as read. ``order`` is canonical; so are ``when`` (a name) and ``then`` (an order).

    Well formed only: whether it is legal is the game's business.
    """

    number: int
    text: str
    order: str
    when: str | None = None
    then: str | None = None
    signed_as: int = 0  #: its number among the orders of its mail, where they are signed


class Suspect(NamedTuple):
    """A line that looks like an order but is none: it holds the whole mail back."""

    number: int
    text: str
    reason: str
    suggestion: str | None = None


class Sheet(NamedTuple):
    """A mail or move file as read: orders now, standing orders, questions, and the rest."""

    first: tuple[OrderLine, ...] = ()
    later: tuple[OrderLine, ...] = ()
    asks: tuple[str, ...] = ()
    unread: tuple[Line, ...] = ()
    suspects: tuple[Suspect, ...] = ()
