"""Read a received email or move file into the player's own lines and orders, and format it for storage.

A move file holds a player's orders, one per line, and is attached to an email or sent as one.
Not allowed here: whose email it is; whether it counts.
Law: the stored form is built from what pbem recognised, so it has no line, part, header or encoding
that pbem did not understand (docs/decisions/0009; P11).
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

MOST_PASSWORDS = 8  #: how many passwords of one email are tried; each takes 40 ms


class ReceivedEmail(NamedTuple):
    """An email or move file as it was read. Secret: its lines may hold a password."""

    digest: str  #: hex, of the bytes as received
    codes: tuple[str, ...]
    lines: tuple[Line, ...]
    lines_below: tuple[Line, ...]  #: quoted or below the cut line: never orders
    is_move_file: bool  #: its lines are the list of a move file, where each must be an order
    claimed_game: str | None = None  #: the game that a move file names
    claimed_seat: str | None = None
    has_own_id: bool = False  #: it has a Message-ID: the same bytes are the same email
    order_signatures: tuple[OrderSignatures, ...] = ()  #: the blocks of signatures that came with the orders
    headers: Headers = Headers()
    lines_beside_file: tuple[Line, ...] = ()  #: the player's lines in an email with a move file: never orders
    arrival: str = ""  #: when the server received it, UTC; "" if unknown
    own_address_only: bool = False  #: the mail account accepts orders only from a player's own address
    may_hold_password: bool = False  #: its seat has or had a password, so only the game's words may be quoted
    lines_between_quotes: tuple[Line, ...] = ()  #: probably the player's, inside a quotation without `>`
    signature_lines: tuple[Line, ...] = ()  #: below `-- `: they count as orders only if there are none above
    unread_files: tuple[str, ...] = ()  #: names of attached files that pbem did not read
    is_automatic: bool = False  #: it looks like a vacation note: it gets no proposal, and its votes do not count

    @property
    def quotable_id(self) -> str:
        """Its Message-ID, if our answer may name it; "" if it is not valid or may hold a password."""
        message_id = self.headers.message_id
        is_quotable = MESSAGE_ID.fullmatch(message_id) and not self.may_hold_password
        return message_id if is_quotable else ""

    @property
    def tried_passwords(self) -> tuple[str, ...]:
        """The first few passwords in the player's own lines. Secret."""
        candidates = (read_password(line.text) for line in (*self.lines, *self.lines_beside_file))
        return tuple(dict.fromkeys(password for password in candidates if password))[:MOST_PASSWORDS]


def read_message(data: bytes) -> ReceivedEmail:
    """Read an email, move file or plain text. Raises BadInput ``mail/…`` or ``move/…``."""
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
        digest=email_digest,
        codes=parsed_email.codes,
        lines=lines,
        lines_below=lines_below,
        is_move_file=False,
        has_own_id=bool(parsed_email.headers.message_id),
        order_signatures=signatures or quoted_signatures,  # a quoted signature is still genuine
        headers=parsed_email.headers,
        lines_between_quotes=parsed_email.interleaved_lines,
        signature_lines=parsed_email.signature_lines,
        unread_files=parsed_email.unread_files,
    )


def _with_move_file(parsed_email: ParsedEmail, files: list[bytes], email_digest: str) -> ReceivedEmail:
    """Read an email with a move file attached: only the file has orders. Raises BadInput ``mail/two-…``."""
    if len(files) > 1:
        raise BadInput("mail/two-files", "the email has two move files", "send only one")
    move_email = _from_move_file(files[0], email_digest)._replace(unread_files=parsed_email.unread_files)
    if parsed_email.codes and parsed_email.codes[0] != move_email.codes[0]:
        why = "the email and the move file in it have different codes"
        raise BadInput("mail/two-codes", why, "answer one report at a time")
    has_own_id = bool(parsed_email.headers.message_id)
    return move_email._replace(
        has_own_id=has_own_id, headers=parsed_email.headers, lines_beside_file=parsed_email.own_lines
    )


def _refuse_our_own(data: bytes) -> None:
    """Raise BadInput ``move/…`` for a state or view file, which begins like a move file."""
    if b"\n[signature]\n" in data[-200:]:
        why = "this is a state of a game, not a move"
        raise BadInput("move/state", why, "`pbem verify` reads it; players answer their report")
    if b"\n[view]\n" in data:
        why = "this is the view file of a report, not a move"
        raise BadInput("move/view", why, "write your orders into an email, as the report shows")


def _is_move_file(name: str, data: bytes) -> bool:
    if name.endswith(".view.toml") or b"\n[signature]\n" in data[-200:]:
        return False  # pbem wrote it, and the player sent it back
    return name.endswith(".toml") and looks_like_move_file(data)


def _from_move_file(data: bytes, email_digest: str) -> ReceivedEmail:
    """Read a move file that is not in an email, or the one attached to it."""
    move = read_move_file(data)
    return ReceivedEmail(
        digest=email_digest,
        codes=(move.code,),
        lines=move.orders,
        lines_below=(),
        is_move_file=True,
        claimed_game=move.game,
        claimed_seat=move.seat,
        order_signatures=(move.signatures,) if move.signatures else (),
    )


def redivide_lines(
    email: ReceivedEmail,
    sent_texts: Iterable[tuple[str, ...]] = (),
    referee_name: str = "",
    is_order: Callable[[str], bool] = lambda _: False,
) -> ReceivedEmail:
    """Divide the lines again into the player's own and quoted ones, now that the game is known.

    ``sent_texts``: the texts of our emails to the seat, the likeliest first. ``is_order`` tells
    whether a text is an order or a command.
    """
    # line 0 is the subject. It counts as the player's line only if they wrote nothing else
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
    """Return whether the words before the game's ``label`` are too long for a `Re:`: `Vacation: autumn`."""
    prefix = re.search(rf"([^\W\d_][^\W\d_ ]*(?: [^\W\d_]+)*): {re.escape(label)}\b", subject)
    return prefix is not None and len(prefix[1]) > 7 and len(prefix[1].split()[-1]) > 3


def parse_orders(email: ReceivedEmail, grammar: Grammar) -> ParsedOrders:
    """Return the orders of an email that are in notation, with its other lines as prose."""
    if email.is_move_file:
        return read_order_list([line.text for line in email.lines], grammar)
    orders = read_orders(email.lines, grammar, email.signature_lines)
    prose_between = (ProseLine(*line, is_own=False) for line in email.lines_between_quotes if line.text.strip())
    # line 0 is the subject, which is not prose
    prose = (line for line in (*orders.prose, *prose_between) if line.number)
    return orders._replace(prose=tuple(sorted(prose)))


def lines_for_referee(email: ReceivedEmail, orders: ParsedOrders) -> list[str]:
    """Return the lines for the referee: doubtful ones, and those that are not orders, commands or layout.

    Beside a move file every line is for the referee.
    """
    if email.is_move_file:
        return [line.text for line in email.lines_beside_file]
    numbers = {line.number for line in orders.message_lines} | {line.number for line in orders.doubtful_lines}
    for first, last in orders.wrapped_lines:
        numbers |= {*range(first, last + 1)} if first in numbers else set()
    lines = sorted((*email.lines, *email.lines_between_quotes))
    return [line.text for line in lines if line.number in numbers]


def referee_message_lines(lines: Iterable[str], name: str) -> tuple[str, ...]:
    """Return these lines without those that hold only the player's ``name`` or mention a password.

    Source: docs/decisions/0017.
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
    """Return the words of a game's orders. ``may_hold_password``: no other word of an email may be quoted."""
    return Grammar(game.words, game.spell, game.is_name, game.vocabulary, may_hold_password)


def format_for_storage(email: ReceivedEmail, codes: Iterable[str], lines: Iterable[str], player: Person) -> bytes:
    """Return the stored form of an email: headers, the ``codes`` of its game, the canonical ``lines``.

    Where the seat has a password, the player may have put it into a header. So only the ``player``'s
    own address is stored then, and no Message-ID.
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
