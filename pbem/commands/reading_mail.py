"""From a file to what a player wrote: move file, mail, mail with a move file, plain text.

What lives here: Sent, ``read_sent``. What must never be here: whose it is, what becomes of it.
Source: design.md section 6; FORMAT.md.
"""

from typing import TYPE_CHECKING, NamedTuple

from pbem.crypto.hashing import digest
from pbem.errors import BadInput
from pbem.files.sheet import Line, Sheet

if TYPE_CHECKING:
    from pbem.engine.game import Game
    from pbem.files.letter import Letter
    from pbem.files.signed_lines import Signed


class Sent(NamedTuple):
    """What was sent, before anybody knows by whom."""

    digest: str  #: hex, of the bytes as they came
    codes: tuple[str, ...]
    lines: tuple[Line, ...]
    below: tuple[Line, ...]  #: from the cut line on: never orders
    listed: bool  #: a move file's list, where every line is meant
    game: str | None = None  #: what a move file says of itself
    seat: str | None = None
    storable: bytes = b""  #: the message as it may be kept: no password is in it
    unique: bool = False  #: a mail with an id of its own: the same bytes are the same mail
    signed: tuple["Signed", ...] = ()  #: the signatures that came with the orders
    password: str | None = None  #: what a line of the player's own gives as one. Secret.
    bare: tuple[str, ...] = ()  #: lines that may be one though none says so. Secret.
    guarded: bytes = b""  #: ``storable`` without anything that looks like one; b"": the same

    def for_password_seat(self) -> "Sent":
        """What may be kept and quoted of it where the seat is known by a password."""
        from pbem.files.password import hide_bare

        return self._replace(
            lines=tuple(line._replace(text=hide_bare(line.text)) for line in self.lines),
            below=tuple(line._replace(text=hide_bare(line.text)) for line in self.below),
            storable=self.guarded or self.storable,
        )


def read_sent(data: bytes) -> Sent:
    """Read it; BadInput ``mail/…`` or ``move/…`` in one line."""
    from pbem.files.letter import read_letter
    from pbem.files.move_file import looks_like_move_file
    from pbem.files.password import find_password
    from pbem.files.signed_lines import take_out

    mark = digest(data).hex()
    _refuse_our_own(data)
    if looks_like_move_file(data):
        return _from_move_file(data, mark)
    letter = read_letter(data)
    files = [a for a in letter.attachments if _is_move_file(a.name, a.data)]
    if len(files) > 1:
        raise BadInput("mail/two-files", "the mail has two move files", "send one")
    if files:
        attached = _from_move_file(files[0].data, mark)
        attached = attached._replace(
            storable=_storable(data, letter),
            unique=bool(letter.message_id),
            bare=(*attached.bare, *_bare(letter.lines)),
            guarded=_storable(data, letter, bare=True),
        )
        if attached.password is None:
            text = "\n".join(line.text for line in letter.lines)
            attached = attached._replace(password=find_password(text))
        if any(code != attached.codes[0] for code in letter.codes[:1]):
            raise BadInput(
                "mail/two-codes",
                "the mail and the move file in it carry different codes",
                "answer one report at a time",
            )
        return attached
    lines, signed = take_out(letter.lines)
    below, quoted = take_out(letter.below)
    return Sent(
        mark,
        letter.codes,
        lines,
        below,
        listed=False,
        storable=_storable(data, letter),
        unique=bool(letter.message_id),
        signed=signed or quoted,  # whoever quotes a signature makes it no less genuine
        password=find_password("\n".join(line.text for line in lines)),
        bare=_bare(lines),
        guarded=_storable(data, letter, bare=True),
    )


def _bare(lines: tuple[Line, ...]) -> tuple[str, ...]:
    """What may be a password of its own; each costs time to compare, so not endlessly many."""
    from pbem.files.password import bare_password

    found = (bare_password(line.text) for line in lines)
    return tuple(dict.fromkeys(one for one in found if one))[:5]


def _refuse_our_own(data: bytes) -> None:
    """Files of ours that look like a move file and are none."""
    if not data.startswith(b"pbem = "):
        return
    if b"\n[signature]\n" in data[-200:]:
        raise BadInput(
            "move/state",
            "this is a state of a game, not a move",
            "pbem verify reads it; players answer their report",
        )
    if b"\n[view]\n" in data:
        raise BadInput(
            "move/view",
            "this is the view file of a report, not a move",
            "write your orders into a mail, as the report shows",
        )


def _storable(data: bytes, letter: "Letter", bare: bool = False) -> bytes:
    """The mail as it came; if it speaks of a password, its text with the password cut out.

    With ``bare`` also without what looks like one and has no word `password` in front.
    """
    from pbem.files.characters import folded
    from pbem.files.password import cut_bare, cut_passwords

    def cut(text: str) -> str:
        return cut_passwords(cut_bare(text) if bare else text)

    lines = sorted((*letter.lines, *letter.below))
    text = "\n".join([letter.subject, *(line.text for line in lines)])
    others = [one.data.decode(errors="replace") for one in letter.attachments]
    whole = [text, *others]  # in the mail it may be base64
    found = any(cut(one) != one for one in whole)
    spoken = b"password" in data.lower() or any("password" in folded(x).lower() for x in whole)
    if not found and not spoken:
        return data
    subject, _, body = cut(text).partition("\n")
    head = f"From: {letter.sender}\nSubject: {subject}\nMessage-ID: {letter.message_id}\n"
    files = "".join(f"\n{cut(one)}" for one in others)
    said = "kept as text, a password was cut out" if found else "kept as text"
    return f"{head}X-Pbem: {said}\n\n{body}\n{files}".encode(errors="replace")


def _is_move_file(name: str, data: bytes) -> bool:
    from pbem.files.move_file import looks_like_move_file

    if name.endswith(".view.toml") or b"\n[signature]\n" in data[-200:]:
        return False  # ours, sent back with an answer
    return name.endswith(".toml") and looks_like_move_file(data)


def _from_move_file(data: bytes, mark: str) -> Sent:
    from pbem.files.move_file import read_move_file
    from pbem.files.password import cut_bare, cut_passwords, find_password

    found = read_move_file(data)
    storable, text = data, data.decode("utf-8-sig")
    if b"password" in data.lower():
        storable = cut_passwords(text).encode()
    return Sent(
        mark,
        (found.code,),
        found.orders,
        (),
        True,
        found.game,
        found.seat,
        storable,
        signed=(found.signed,) if found.signed else (),
        password=find_password("\n".join(line.text for line in found.orders)),
        bare=_bare(found.orders),
        guarded=cut_passwords(cut_bare(text)).encode() if cut_bare(text) != text else b"",
    )


def sheet_of(sent: Sent, game: "Game") -> Sheet:
    """The orders in it, in the words of a game."""
    from pbem.files.lines import read_orders, sheet_from_list

    if sent.listed:
        rows = [line.text for line in sent.lines]
        return sheet_from_list(rows, game.words, game.spell, game.is_name)
    return read_orders(sent.lines, game.words, game.spell, game.is_name)


def below_of(sent: Sent, game: "Game", ours: str = "") -> tuple[str, ...]:
    """Orders that stand only below the cut line, where nothing is read: to be told, not dropped.

    The lines of ``ours``, the report that is quoted, are not meant: its example is no answer.
    """
    from collections import Counter

    from pbem.files.lines import read_orders

    quoted = Counter(line.strip() for line in ours.split("\n"))
    own = []
    for line in sent.below:
        text = line.text.strip()
        if text.startswith(">"):
            continue
        if quoted[text]:
            quoted[text] -= 1
        else:
            own.append(line)
    found = read_orders(own, game.words, game.spell, game.is_name)
    return tuple(dict.fromkeys(line.text for line in found.first))
