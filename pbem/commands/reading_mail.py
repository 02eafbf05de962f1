"""From a file to what a player wrote: move file, mail, mail with a move file, plain text.

What lives here: Sent, ``read_sent``. What must never be here: whose it is, what becomes of it.
Source: design.md section 6; FORMAT.md.
"""

from typing import NamedTuple

from pbem.crypto.hashing import digest
from pbem.engine.game import Game
from pbem.errors import BadInput
from pbem.files.sheet import Line, Sheet


class Sent(NamedTuple):
    """What was sent, before anybody knows by whom."""

    digest: str  #: hex, of the bytes as they came
    codes: tuple[str, ...]
    lines: tuple[Line, ...]
    below: tuple[Line, ...]  #: from the cut line on: never orders
    listed: bool  #: a move file's list, where every line is meant
    game: str | None = None  #: what a move file says of itself
    seat: str | None = None


def read_sent(data: bytes) -> Sent:
    """Read it; BadInput ``mail/…`` or ``move/…`` in one line."""
    from pbem.files.letter import read_letter
    from pbem.files.move_file import looks_like_move_file

    mark = digest(data).hex()
    if looks_like_move_file(data):
        return _from_move_file(data, mark)
    letter = read_letter(data)
    files = [a for a in letter.attachments if _is_move_file(a.name, a.data)]
    if len(files) > 1:
        raise BadInput("mail/two-files", "the mail has two move files", "send one")
    if files:
        attached = _from_move_file(files[0].data, mark)
        if any(code != attached.codes[0] for code in letter.codes[:1]):
            raise BadInput("mail/two-codes", "the mail and the move file in it carry different codes", "answer one report at a time")
        return attached
    return Sent(mark, letter.codes, letter.lines, letter.below, listed=False)


def _is_move_file(name: str, data: bytes) -> bool:
    from pbem.files.move_file import looks_like_move_file

    return name.endswith(".toml") and not name.endswith(".view.toml") and looks_like_move_file(data)


def _from_move_file(data: bytes, mark: str) -> Sent:
    from pbem.files.move_file import read_move_file

    found = read_move_file(data)
    return Sent(mark, (found.code,), found.orders, (), True, found.game, found.seat)


def sheet_of(sent: Sent, game: Game) -> Sheet:
    """The orders in it, in the words of a game."""
    from pbem.files.lines import read_orders, sheet_from_list

    if sent.listed:
        rows = [line.text for line in sent.lines]
        return sheet_from_list(rows, game.words, game.spell, game.is_name)
    return read_orders(sent.lines, game.words, game.spell, game.is_name)


def below_of(sent: Sent, game: Game) -> tuple[str, ...]:
    """Orders that stand only below the cut line, where nothing is read: to be told, not dropped.

    The lines of our own reports are not meant: an example or a list of choices is no answer.
    """
    from pbem.files.lines import read_orders

    own = [line for line in sent.below if not line.text.lstrip().startswith(">")]
    found = read_orders(own, game.words, game.spell, game.is_name)
    return tuple(dict.fromkeys(line.text for line in found.first))
