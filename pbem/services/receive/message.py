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
from pbem.mail.compose import MESSAGE_ID
from pbem.mail.identity import mentions_password, read_password
from pbem.mail.mime import Headers
from pbem.mail.parsed import ParsedEmail, divide_lines, parse_email
from pbem.mail.text import Line, looks_like_move_file
from pbem.notation.lines import Grammar, ParsedOrders, ProseLine
from pbem.notation.move_file import OrderSignatures, extract_signatures, read_move_file
from pbem.notation.reading import read_order_list, read_orders
from pbem.report.players import Person

if TYPE_CHECKING:
    from pbem.engine.game import Game

MOST_PASSWORDS = 8  #: passwords of one mail that are held against the seat's: 40 ms each


class ReceivedEmail(NamedTuple):
    """What was sent, before anybody knows by whom. Secret: a password may stand in its lines."""

    digest: str  #: hex, of the bytes as they came
    codes: tuple[str, ...]
    lines: tuple[Line, ...]
    lines_below: tuple[Line, ...]  #: from the cut line on: never orders
    is_move_file: bool  #: a move file's list, where every line is meant
    claimed_game: str | None = None  #: what a move file says of itself
    claimed_seat: str | None = None
    has_own_id: bool = False  #: a mail with an id of its own: the same bytes are the same mail
    order_signatures: tuple[OrderSignatures, ...] = ()  #: the signatures that came with the orders
    headers: Headers = Headers()
    lines_beside_file: tuple[Line, ...] = ()  #: the player's own lines beside a move file: never orders
    arrival: str = ""  #: when it came, UTC, as a server tells; "" if none does
    own_address_only: bool = False  #: its account takes emails from players' own addresses alone
    may_hold_password: bool = False  #: its seat has a password, or had one: known words alone are quoted
    lines_between_quotes: tuple[Line, ...] = ()  #: the player's, as it seems, in a quotation without marks
    signature_lines: tuple[Line, ...] = ()  #: below `-- `: orders only if none stand above
    unread_files: tuple[str, ...] = ()  #: names of attached files
    is_automatic: bool = False  #: it looks like a vacation note: it is proposed nothing, and agrees to nothing

    @property
    def quotable_id(self) -> str:
        """Its Message-ID as an answer may name it; "" where it is none, or where a player may have
        put a password there.
        """
        message_id = self.headers.message_id
        return message_id if MESSAGE_ID.fullmatch(message_id) and not self.may_hold_password else ""

    @property
    def tried_passwords(self) -> tuple[str, ...]:
        """What the player gives as the password, in lines that nobody else can have written; each
        costs time to compare, so not endlessly many. Secret.
        """
        candidates = (read_password(line.text) for line in (*self.lines, *self.lines_beside_file))
        return tuple(dict.fromkeys(password for password in candidates if password))[:MOST_PASSWORDS]


def read_message(data: bytes) -> ReceivedEmail:
    """Read it; BadInput ``mail/…`` or ``move/…`` in one line."""
    email_digest = digest(data).hex()
    if data.startswith(b"pbem = "):
        _refuse_our_own(data)
    if looks_like_move_file(data):
        return _from_move_file(data, email_digest)
    parsed_email = parse_email(data)
    files = [
        attachment.data for attachment in parsed_email.attachments if _is_move_file(attachment.name, attachment.data)
    ]
    if files:
        return _with_move_file(parsed_email, files, email_digest)
    lines, signatures = extract_signatures(parsed_email.own_lines)
    lines_below, quoted_signatures = extract_signatures(parsed_email.quoted_lines)
    return ReceivedEmail(
        email_digest,
        parsed_email.codes,
        lines,
        lines_below,
        is_move_file=False,
        has_own_id=bool(parsed_email.headers.message_id),
        order_signatures=signatures or quoted_signatures,  # whoever quotes a signature makes it no less genuine
        headers=parsed_email.headers,
        lines_between_quotes=parsed_email.interleaved_lines,
        signature_lines=parsed_email.signature_lines,
        unread_files=parsed_email.unread_files,
    )


def _with_move_file(parsed_email: ParsedEmail, files: list[bytes], email_digest: str) -> ReceivedEmail:
    """A mail to which a move file is attached: nothing else in it is an order."""
    if len(files) > 1:
        raise BadInput("mail/two-files", "the email has two move files", "send only one")
    move_email = _from_move_file(files[0], email_digest)._replace(unread_files=parsed_email.unread_files)
    if any(code != move_email.codes[0] for code in parsed_email.codes[:1]):
        why = "the email and the move file in it have different codes"
        raise BadInput("mail/two-codes", why, "answer one report at a time")
    has_own_id = bool(parsed_email.headers.message_id)
    return move_email._replace(
        has_own_id=has_own_id, headers=parsed_email.headers, lines_beside_file=parsed_email.own_lines
    )


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


def _from_move_file(data: bytes, email_digest: str) -> ReceivedEmail:
    move = read_move_file(data)
    return ReceivedEmail(
        email_digest,
        (move.code,),
        move.orders,
        (),
        True,
        move.game,
        move.seat,
        order_signatures=(move.signatures,) if move.signatures else (),
    )


def redivide_lines(
    email: ReceivedEmail,
    sent_texts: Iterable[tuple[str, ...]] = (),
    referee_name: str = "",
    is_order: Callable[[str], bool] = lambda _: False,
) -> ReceivedEmail:
    """With the lines divided anew, by what was ``sent_texts``: the texts of each message to the seat, the
    likeliest first. ``is_order``: whether some words by themselves are an order or a command.
    """
    subject_lines = tuple(line for line in email.lines if not line.number)
    all_lines = (*email.lines, *email.lines_below, *email.lines_between_quotes, *email.signature_lines)
    lines = sorted(line for line in all_lines if line.number)
    parts = divide_lines(lines, email.headers, sent_texts, referee_name, is_order)
    own_lines, lines_between, signature_lines, lines_below = parts.values()
    if any(line.text.strip() for line in own_lines) and len(subject_lines) == len(email.lines):
        subject_lines = ()
    return email._replace(
        lines=(*subject_lines, *own_lines),
        lines_between_quotes=lines_between,
        signature_lines=signature_lines,
        lines_below=lines_below,
    )


def looks_automatic(subject: str, label: str) -> bool:
    """Whether words stand right before our subject that are too long for a `Re:`, whatever the
    language, as in `Vacation: autumn`.
    """
    prefix = re.search(rf"([^\W\d_][^\W\d_ ]*(?: [^\W\d_]+)*): {re.escape(label)}\b", subject)
    return prefix is not None and len(prefix[1]) > 7 and len(prefix[1].split()[-1]) > 3


def parse_orders(email: ReceivedEmail, game: "Game") -> ParsedOrders:
    """The orders in it, in notation; what else it says as prose, that of an email alone."""
    grammar = grammar_of(game, email.may_hold_password)
    if email.is_move_file:
        return read_order_list([line.text for line in email.lines], grammar)
    orders = read_orders(email.lines, grammar, email.signature_lines)
    prose_between = (ProseLine(*line, is_own=False) for line in email.lines_between_quotes if line.text.strip())
    # a subject that is no order is nothing
    prose = (line for line in (*orders.prose, *prose_between) if line.number)
    return orders._replace(prose=tuple(sorted(prose)))


def lines_for_referee(email: ReceivedEmail, orders: ParsedOrders) -> list[str]:
    """The lines for the referee to read: those that are neither orders, nor asked of the moderator,
    nor layout; of an email that is held, also what holds it; beside a move file all.
    """
    if email.is_move_file:
        return [line.text for line in email.lines_beside_file]
    numbers = {line.number for line in orders.message_lines} | {line.number for line in orders.doubtful_lines}
    for first, last in orders.wrapped_lines:
        numbers |= {*range(first, last + 1)} if first in numbers else set()
    lines = sorted((*email.lines, *email.lines_between_quotes))
    return [line.text for line in lines if line.number in numbers]


def referee_message_lines(lines: Iterable[str], name: str) -> tuple[str, ...]:
    """What of such lines the referee should read: not the player's own ``name`` below them,
    nothing that speaks of a password (docs/decisions/0017).
    """
    name_words = {*name.casefold().split()}
    texts = (" ".join(line.split()) for line in lines)
    return tuple(
        text
        for text in texts
        if text
        and not mentions_password(text)
        and not {word.strip(".,-*_") for word in text.casefold().split()} <= name_words | {""}
    )


def grammar_of(game: "Game", may_hold_password: bool = False) -> Grammar:
    """The words of a game's orders; ``may_hold_password``: of a mail of which nothing else is quoted."""
    word_sources = game.words, game.spell, game.is_name, game.vocabulary
    return Grammar(*word_sources, may_hold_password)


def format_for_storage(email: ReceivedEmail, codes: Iterable[str], lines: Iterable[str], player: Person) -> bytes:
    """All that is kept of it: headers, ``codes`` of its game, canonical ``lines``.

    Where the seat has a password no address but its ``player``'s own is kept, and no id: a player
    may have put anything there.
    """
    headers = email.headers
    is_own_address = player.has_address(headers.sender)
    stored_headers = {
        "From": headers.sender if is_own_address or not email.may_hold_password else "",
        "Date": headers.date,
    }
    if not email.may_hold_password:
        stored_headers |= {"To": headers.to, "Message-ID": headers.message_id}
        stored_headers |= {"In-Reply-To": headers.in_reply_to, "References": headers.references}
    stored_headers["Subject"] = " ".join(f"[pbem {code}]" for code in codes)
    stored_headers["X-Pbem-Arrived"] = email.arrival
    rows = [f"{name}: {value}" for name, value in stored_headers.items() if value]
    return "\n".join([*rows, "", *lines, ""]).encode(errors="replace")
