"""A mail as it is kept: as it came, or what was read of it with every password cut out.

What lives here: Whole, ``storable``. What must never be here: whose mail it is, writing it.
Laws: where a seat is known by a password nothing is kept but what was read, so that no part,
header, encoding or attachment nobody looked at can hold one; with any other seat a mail that speaks
of a password is kept so too. Source: docs/DESIGN.md P11; FORMAT.md section 3.
"""

from collections.abc import Callable
from typing import NamedTuple

from pbem.files.orders.move_file import MoveFile
from pbem.files.orders.sheet import Line
from pbem.files.password import cut_passwords, speaks_of_one
from pbem.files.password_words import cut_words
from pbem.files.toml_text import dump

Cut = Callable[[str], str]


class Whole(NamedTuple):
    """A message as text. Secret: passwords stand in it."""

    sender: str = ""
    subject: str = ""
    ident: str = ""
    body: tuple[str, ...] = ()  #: the lines of its text, own and quoted
    file: MoveFile | None = None  #: the move file in it, or that it is
    aside: tuple[str, ...] = ()  #: all texts that a mail had, read or not
    own: tuple[Line, ...] = ()  #: the player's own lines beside a move file


def storable(data: bytes, whole: Whole, guarded: bool) -> bytes:
    """What may be kept of it. ``guarded``: the seat is known by a password, or was. Of a mail that
    could not be read ``data`` is empty, and its headers are kept.
    """
    if guarded:
        return _as_text(whole, cut_words)

    return _as_text(whole, cut_passwords) if not data or _speaks(data, whole) else data


def _speaks(data: bytes, whole: Whole) -> bool:
    """Whether any part says the word; in the bytes it may be coded, or its letters escaped."""
    from html import unescape

    if b"password" in data.lower():
        return True
    orders = [line.text for line in whole.file.orders] if whole.file else []
    texts = (whole.subject, *whole.body, *orders, *whole.aside)
    return any(speaks_of_one(unescape(text)) for text in texts)


def _as_text(whole: Whole, cut: Cut) -> bytes:
    given = whole.sender, whole.subject, whole.ident, "\n".join(whole.body)
    sender, subject, ident, body = kept = tuple(cut(one) for one in given)
    file, alike = _move_text(whole.file, cut) if whole.file else ("", True)
    said = "kept as text" if kept == given and alike else "kept as text, a password was cut out"
    head = f"From: {sender}\nSubject: {subject}\nMessage-ID: {ident}\nX-Pbem: {said}\n"
    return f"{head}\n{body}\n{file}".encode(errors="replace")


def _move_text(file: MoveFile, cut: Cut) -> tuple[str, bool]:
    """A move file written anew, and whether nothing was cut: escapes and comments are gone."""
    given = "\n".join(line.text for line in file.orders)
    document: dict[str, object] = {"pbem": 1, "code": file.code}
    document |= {"game": file.game} if file.game else {}
    document |= {"seat": file.seat} if file.seat else {}
    document["orders"] = cut(given).split("\n")
    if file.signed:
        document |= {"nr": file.signed.nr, "head": file.signed.head}
        document["sign"] = [sig for _, sig in file.signed.signs]
    return "\n" + cut(dump(document)), cut(given) == given
