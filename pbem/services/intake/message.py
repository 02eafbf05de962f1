"""A message: from a file to what a player wrote, and what of it may be kept.

What lives here: Incoming, ``read_message`` (move file, mail, mail with a move file, plain text),
its orders in the words of a game, ``storable``. What must never be here: whose it is, what becomes
of it.
Laws: where a seat is known by a password nothing is kept but what was read, so that no part,
header, encoding or attachment nobody looked at can hold one; with any other seat a mail that speaks
of a password is kept so too (docs/DESIGN.md P11; FORMAT.md section 3).
Source: FORMAT.md sections 2 and 3.
"""

from collections import Counter
from collections.abc import Callable
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from pbem.crypto.encoding import digest
from pbem.errors import BadInput
from pbem.files.mail.letter import Letter, read_letter
from pbem.files.orders.lines import Line, Sheet, read_orders, sheet_from_list
from pbem.files.orders.move_file import (
    MoveFile,
    OrderSignatures,
    looks_like_move_file,
    read_move_file,
    take_out_signatures,
)
from pbem.files.password import (
    cut_lines,
    cut_passwords,
    cut_words,
    find_password,
    passwords_in,
    speaks_of_one,
)
from pbem.files.toml_text import dump

if TYPE_CHECKING:
    from pbem.engine.game import Game

Cut = Callable[[str], str]

MOST_TRIED = 8  #: passwords of one mail that are held against the seat's: 40 ms each


class Whole(NamedTuple):
    """A message as text. Secret: passwords stand in it."""

    sender: str = ""
    subject: str = ""
    ident: str = ""
    body: tuple[str, ...] = ()  #: the lines of its text, own and quoted
    file: MoveFile | None = None  #: the move file in it, or that it is
    aside: tuple[str, ...] = ()  #: all texts that a mail had, read or not
    own: tuple[Line, ...] = ()  #: the player's own lines beside a move file


class Incoming(NamedTuple):
    """What was sent, before anybody knows by whom."""

    digest: str  #: hex, of the bytes as they came
    codes: tuple[str, ...]
    lines: tuple[Line, ...]
    below: tuple[Line, ...]  #: from the cut line on: never orders
    listed: bool  #: a move file's list, where every line is meant
    game: str | None = None  #: what a move file says of itself
    seat: str | None = None
    unique: bool = False  #: a mail with an id of its own: the same bytes are the same mail
    signed: tuple[OrderSignatures, ...] = ()  #: the signatures that came with the orders
    whole: Whole = Whole()  #: all of it as text. Secret.
    guarded: bool = False  #: it is for a seat with a password: whatever may be one is cut out
    tried: tuple[str, ...] = ()  #: what may be the seat's password, each as it is compared. Secret.

    def for_password_seat(self) -> "Incoming":
        """What may be kept and quoted of it where the seat is known by a password."""
        both = sorted((*self.lines, *self.below))
        cut = cut_lines([line.text for line in both])
        texts = {line: line._replace(text=text) for line, text in zip(both, cut, strict=True)}
        return self._replace(
            lines=tuple(texts[line] for line in self.lines),
            below=tuple(texts[line] for line in self.below),
            guarded=True,
            tried=_tried(self),
        )


def read_message(data: bytes) -> Incoming:
    """Read it; BadInput ``mail/…`` or ``move/…`` in one line."""
    mark = digest(data).hex()
    if data.startswith(b"pbem = "):
        _refuse_our_own(data)
    if looks_like_move_file(data):
        return _from_move_file(data, mark)
    letter = read_letter(data)
    body = tuple(line.text for line in sorted((*letter.lines, *letter.below)))
    whole = Whole(letter.sender, letter.subject, letter.message_id, body, aside=letter.aside)
    files = [a.data for a in letter.attachments if _is_move_file(a.name, a.data)]
    if files:
        return _with_move_file(letter, files, whole, mark)
    lines, signed = take_out_signatures(letter.lines)
    below, quoted = take_out_signatures(letter.below)
    return Incoming(
        mark,
        letter.codes,
        lines,
        below,
        listed=False,
        unique=bool(letter.message_id),
        signed=signed or quoted,  # whoever quotes a signature makes it no less genuine
        whole=whole,
    )


def _with_move_file(letter: Letter, files: list[bytes], whole: Whole, mark: str) -> Incoming:
    """A mail to which a move file is attached: nothing else in it is an order."""
    if len(files) > 1:
        raise BadInput("mail/two-files", "the mail has two move files", "send one")
    attached = _from_move_file(files[0], mark)
    if any(code != attached.codes[0] for code in letter.codes[:1]):
        raise BadInput(
            "mail/two-codes",
            "the mail and the move file in it carry different codes",
            "answer one report at a time",
        )
    whole = whole._replace(file=attached.whole.file, own=letter.lines)
    return attached._replace(unique=bool(letter.message_id), whole=whole)


def _tried(message: Incoming) -> tuple[str, ...]:
    """What the player may mean as his password; each costs time to compare, so not endlessly many.

    What he quotes counts for nothing: others may have quoted it first.
    """
    whole = message.whole
    own = "\n".join(line.text for line in (*message.lines, *whole.own))
    said = find_password(own)
    found = (*passwords_in(own), *passwords_in(whole.subject), *((said,) if said else ()))
    return tuple(dict.fromkeys(found))[:MOST_TRIED]


def _refuse_our_own(data: bytes) -> None:
    """Files of ours that look like a move file and are none."""
    if b"\n[signature]\n" in data[-200:]:
        raise BadInput(
            "move/state",
            "this is a state of a game, not a move",
            "`pbem verify` reads it; players answer their report",
        )
    if b"\n[view]\n" in data:
        raise BadInput(
            "move/view",
            "this is the view file of a report, not a move",
            "write your orders into a mail, as the report shows",
        )


def _is_move_file(name: str, data: bytes) -> bool:
    if name.endswith(".view.toml") or b"\n[signature]\n" in data[-200:]:
        return False  # ours, sent back with an answer
    return name.endswith(".toml") and looks_like_move_file(data)


def _from_move_file(data: bytes, mark: str) -> Incoming:
    found = read_move_file(data)
    return Incoming(
        mark,
        (found.code,),
        found.orders,
        (),
        True,
        found.game,
        found.seat,
        signed=(found.signed,) if found.signed else (),
        whole=Whole(file=found),
    )


def sheet_of(message: Incoming, game: "Game") -> Sheet:
    """The orders in it, in the words of a game."""
    if message.listed:
        rows = [line.text for line in message.lines]
        return sheet_from_list(rows, game.words, game.spell, game.is_name)
    return read_orders(message.lines, game.words, game.spell, game.is_name)


def below_of(message: Incoming, game: "Game", ours: str = "") -> tuple[str, ...]:
    """Orders that stand only below the cut line, where nothing is read: to be told, not dropped.

    The lines of ``ours``, the report that is quoted, are not meant: its example is no answer.
    """
    quoted = Counter(line.strip() for line in ours.split("\n"))
    own = []
    for line in message.below:
        text = line.text.strip()
        if text.startswith(">"):
            continue
        if quoted[text]:
            quoted[text] -= 1
        else:
            own.append(line)
    found = read_orders(own, game.words, game.spell, game.is_name)
    return tuple(dict.fromkeys(line.text for line in found.first))


def storable(data: bytes, whole: Whole, guarded: bool) -> bytes:
    """What may be kept of it. ``guarded``: the seat is known by a password, or was. Of a mail that
    could not be read ``data`` is empty, and its headers are kept.
    """
    if guarded:
        return _as_text(whole, cut_words)
    if not data or b"password" in data.lower():
        return _as_text(whole, cut_passwords)
    # in the bytes the word may be coded, or its letters escaped
    orders = [line.text for line in whole.file.orders] if whole.file else []
    texts = (whole.subject, *whole.body, *orders, *whole.aside)
    if any(speaks_of_one(unescape(text)) for text in texts):
        return _as_text(whole, cut_passwords)
    return data


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
