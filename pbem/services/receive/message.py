"""A message: from a file to what a player wrote, and what of it is kept.

What lives here: Incoming, ``read_message`` (move file, mail, mail with a move file, plain text),
its orders in the words of a game, ``stored``. What must never be here: whose it is, what becomes
of it.
Law: what is kept is built from what was recognised, never a message with things taken out, so that
no line, part, header or encoding that nobody understood is in it (docs/decisions/0009; P11).
Source: FORMAT.md sections 2 and 3.
"""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from pbem.crypto.encoding import digest
from pbem.errors import BadInput
from pbem.mail.compose import ID
from pbem.mail.identity import password_on, speaks_of_password
from pbem.mail.parsed import Letter, divided, read_letter
from pbem.mail.parts import Headers
from pbem.mail.text import Line, looks_like_move_file
from pbem.notation.grammar import Grammar
from pbem.notation.lines import ProseLine, Sheet
from pbem.notation.move_file import OrderSignatures, read_move_file, take_out_signatures
from pbem.notation.reading import read_orders, sheet_from_list
from pbem.report.players import Person

if TYPE_CHECKING:
    from pbem.engine.game import Game

MOST_TRIED = 8  #: passwords of one mail that are held against the seat's: 40 ms each


class Incoming(NamedTuple):
    """What was sent, before anybody knows by whom. Secret: a password may stand in its lines."""

    digest: str  #: hex, of the bytes as they came
    codes: tuple[str, ...]
    lines: tuple[Line, ...]
    below: tuple[Line, ...]  #: from the cut line on: never orders
    listed: bool  #: a move file's list, where every line is meant
    game: str | None = None  #: what a move file says of itself
    seat: str | None = None
    unique: bool = False  #: a mail with an id of its own: the same bytes are the same mail
    signed: tuple[OrderSignatures, ...] = ()  #: the signatures that came with the orders
    headers: Headers = Headers()
    beside: tuple[Line, ...] = ()  #: the player's own lines beside a move file: never orders
    arrival: str = ""  #: when it came, UTC, as a server tells; "" if none does
    strict: bool = False  #: its account takes emails from players' own addresses alone
    guarded: bool = False  #: its seat has a password, or had one: known words alone are quoted
    between: tuple[Line, ...] = ()  #: the player's, as it seems, in a quotation without marks
    signature: tuple[Line, ...] = ()  #: below `-- `: orders only if none stand above
    not_read: tuple[str, ...] = ()  #: names of attached files
    automatic: bool = (
        False  #: it looks like a vacation note: it is proposed nothing, and agrees to nothing
    )

    @property
    def known_as(self) -> str:
        """Its Message-ID as an answer may name it; "" where it is none, or where a player may have
        put a password there.
        """
        found = self.headers.message_id
        return found if ID.fullmatch(found) and not self.guarded else ""

    @property
    def tried(self) -> tuple[str, ...]:
        """What the player gives as the password, in lines that nobody else can have written; each
        costs time to compare, so not endlessly many. Secret.
        """
        given = (password_on(line.text) for line in (*self.lines, *self.beside))
        return tuple(dict.fromkeys(one for one in given if one))[:MOST_TRIED]


def read_message(data: bytes) -> Incoming:
    """Read it; BadInput ``mail/…`` or ``move/…`` in one line."""
    mark = digest(data).hex()
    if data.startswith(b"pbem = "):
        _refuse_our_own(data)
    if looks_like_move_file(data):
        return _from_move_file(data, mark)
    letter = read_letter(data)
    files = [a.data for a in letter.attachments if _is_move_file(a.name, a.data)]
    if files:
        return _with_move_file(letter, files, mark)
    lines, signed = take_out_signatures(letter.lines)
    below, quoted = take_out_signatures(letter.below)
    return Incoming(
        mark,
        letter.codes,
        lines,
        below,
        listed=False,
        unique=bool(letter.headers.message_id),
        signed=signed or quoted,  # whoever quotes a signature makes it no less genuine
        headers=letter.headers,
        between=letter.between,
        signature=letter.signature,
        not_read=letter.not_read,
    )


def _with_move_file(letter: Letter, files: list[bytes], mark: str) -> Incoming:
    """A mail to which a move file is attached: nothing else in it is an order."""
    if len(files) > 1:
        raise BadInput("mail/two-files", "the email has two move files", "send only one")
    attached = _from_move_file(files[0], mark)._replace(not_read=letter.not_read)
    if any(code != attached.codes[0] for code in letter.codes[:1]):
        why = "the email and the move file in it have different codes"
        raise BadInput("mail/two-codes", why, "answer one report at a time")
    unique = bool(letter.headers.message_id)
    return attached._replace(unique=unique, headers=letter.headers, beside=letter.lines)


def _refuse_our_own(data: bytes) -> None:
    """Files of ours that look like a move file and are none."""
    if b"\n[signature]\n" in data[-200:]:
        why = "this is a state of a game, not a move"
        raise BadInput("move/state", why, "`pbem verify` reads it; players answer their report")
    if b"\n[view]\n" in data:
        why = "this is the view file of a report, not a move"
        raise BadInput("move/view", why, "write your orders into an email, as the report shows")


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
    )


def with_answers(
    message: Incoming,
    sent: Iterable[tuple[str, ...]] = (),
    referee: str = "",
    means: Callable[[str], bool] = lambda _: False,
) -> Incoming:
    """With the lines divided anew, by what was ``sent``: the texts of each message to the seat, the
    likeliest first. ``means``: whether some words by themselves are an order or a command.
    """
    subject = tuple(line for line in message.lines if not line.number)
    there = (*message.lines, *message.below, *message.between, *message.signature)
    lines = sorted(line for line in there if line.number)
    found = divided(lines, message.headers, sent, referee, means)
    own, between, signature, below = found.values()
    if any(line.text.strip() for line in own) and len(subject) == len(message.lines):
        subject = ()
    return message._replace(
        lines=(*subject, *own), between=between, signature=signature, below=below
    )


def looks_automatic(subject: str, label: str) -> bool:
    """Whether words stand right before our subject that are too long for a `Re:`, whatever the
    language, as in `Vacation: autumn`.
    """
    before = re.search(rf"([^\W\d_][^\W\d_ ]*(?: [^\W\d_]+)*): {re.escape(label)}\b", subject)
    return before is not None and len(before[1]) > 7 and len(before[1].split()[-1]) > 3


def sheet_of(message: Incoming, game: "Game") -> Sheet:
    """The orders in it, in notation; what else it says as prose, that of an email alone."""
    grammar = grammar_of(game, message.guarded)
    if message.listed:
        return sheet_from_list([line.text for line in message.lines], grammar)
    sheet = read_orders(message.lines, grammar, message.signature)
    between = (ProseLine(*line, own=False) for line in message.between if line.text.strip())
    # a subject that is no order is nothing
    prose = (line for line in (*sheet.prose, *between) if line.number)
    return sheet._replace(prose=tuple(sorted(prose)))


def words_in(message: Incoming, sheet: Sheet) -> list[str]:
    """The lines for the referee to read: those that are neither orders, nor asked of the moderator,
    nor layout; of an email that is held, also what holds it; beside a move file all.
    """
    if message.listed:
        return [line.text for line in message.beside]
    numbers = {line.number for line in sheet.unread} | {line.number for line in sheet.suspects}
    for first, last in sheet.wrapped:
        numbers |= {*range(first, last + 1)} if first in numbers else set()
    lines = sorted((*message.lines, *message.between))
    return [line.text for line in lines if line.number in numbers]


def as_letter(lines: Iterable[str], name: str) -> tuple[str, ...]:
    """What of such lines the referee should read: not the player's own ``name`` below them,
    nothing that speaks of a password (docs/decisions/0017).
    """
    own = {*name.casefold().split()}
    texts = (" ".join(line.split()) for line in lines)
    return tuple(
        text
        for text in texts
        if text
        and not speaks_of_password(text)
        and not {word.strip(".,-*_") for word in text.casefold().split()} <= own | {""}
    )


def grammar_of(game: "Game", guarded: bool = False) -> Grammar:
    """The words of a game's orders; ``guarded``: of a mail of which nothing else is quoted."""
    words = game.words, game.spell, game.is_name, game.vocabulary
    return Grammar(*words, guarded)


def stored(message: Incoming, codes: Iterable[str], lines: Iterable[str], player: Person) -> bytes:
    """All that is kept of it: headers, ``codes`` of its game, canonical ``lines``.

    Where the seat has a password no address but its ``player``'s own is kept, and no id: a player
    may have put anything there.
    """
    found = message.headers
    ours = player.has(found.sender)
    head = {"From": found.sender if ours or not message.guarded else "", "Date": found.date}
    if not message.guarded:
        head |= {"To": found.to, "Message-ID": found.message_id}
        head |= {"In-Reply-To": found.in_reply_to, "References": found.references}
    head["Subject"] = " ".join(f"[pbem {code}]" for code in codes)
    head["X-Pbem-Arrived"] = message.arrival
    rows = [f"{name}: {value}" for name, value in head.items() if value]
    return "\n".join([*rows, "", *lines, ""]).encode(errors="replace")
