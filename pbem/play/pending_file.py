"""The file of a hand, and the rows by which a state commits to it.

What must never be here: which line is next, or what a line means (pending_orders.py).
Laws: the parts have one spelling; what is damaged is one line that names the seat.
Source: docs/SPECIFICATION.md section 9 "Hands".
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.chain.sources import SIGNED, SOURCES
from pbem.crypto.encoding import b64, unb64
from pbem.errors import BadInput
from pbem.formats import state_file
from pbem.formats.toml import TableReader
from pbem.notation.asks import MAILS
from pbem.play.pending_orders import (
    LEFTOVER,
    MAX_COUNTER,
    NOT_STOPPED,
    NOW,
    WHEN,
    OrderGroup,
    PendingOrder,
    PendingOrders,
    order_of,
)

EMPTY_FIELDS = PendingOrders()._asdict()
PENDING_LOST_HINT = "put it back from a backup, or delete it and ask the player for new orders"


def encode_groups(pending: PendingOrders) -> list[str]:
    """The parts as they are written, in the one way there is: their number and rows say it all."""
    question, email_number = pending.stopped
    rows = [f"stopped {question} {email_number}"] if pending.stopped != NOT_STOPPED else []
    for group in pending.parts:
        turn = f" {group.turn}" if group.name == NOW else ""
        name = group.name if not group.is_leftover else LEFTOVER.rstrip()
        rows.append(f"{name} {group.email_number} {group.source} {group.state_hash or '-'}{turn}")
        for order in group.orders:
            count_suffix = f"/{order.signed_count}" if order.signed_count else ""
            rows.append(f"{order.number}{count_suffix} {order.signature or '-'} {order.signed_line or order.order}")
    return rows


def committed_values(pending_by_seat: Mapping[str, PendingOrders]) -> dict[str, str]:
    """What a state commits to, by seat: all that is needed to tell what its orders had to be."""
    return {seat: "\n".join(encode_groups(pending)) for seat, pending in pending_by_seat.items()}


def parse_committed_value(value: str) -> PendingOrders:
    """A hand as a state commits to it; ValueError where no hand is written so."""
    try:
        return parse_groups(value.split("\n") if value else ())
    except (BadInput, LookupError):
        raise ValueError(value) from None


def parse_groups(rows: Sequence[str]) -> PendingOrders:
    """Read them back; ValueError where no hand is written so."""
    pending, groups_with_orders = PendingOrders(), list[tuple[OrderGroup, list[PendingOrder]]]()
    for row in rows:
        word, *facts = row.split(" ")
        if word == "stopped":
            question, stopped_number = map(int, facts)
            pending = pending._replace(stopped=(question, stopped_number))
        elif word[0].isdecimal():
            _, signature, line = row.split(" ", 2)
            signed_line = line if signature != "-" else ""
            order = order_of(line) if signed_line else line
            signature = b64(unb64(signature, 64)) if signed_line else ""
            number, _, signed_count = word.partition("/")
            pending_order = PendingOrder(int(number), order, signature, signed_line, int(signed_count or 0))
            groups_with_orders[-1][1].append(pending_order)
        else:
            name = f"{WHEN}{facts.pop(0)}" if f"{word} " == WHEN else word
            name = f"{LEFTOVER}{facts[0]}" if f"{word} " == LEFTOVER else name
            email_number, source, hash_text = facts[:3]
            state_hash = "" if hash_text == "-" else b64(unb64(hash_text, 32))
            turn = int(facts[3]) if name == NOW else 0
            groups_with_orders.append((OrderGroup(name, (), int(email_number), source, state_hash, turn), []))
    pending = pending.with_groups(group._replace(orders=tuple(orders)) for group, orders in groups_with_orders)
    pending = pending._replace(nr=max((group.email_number for group in pending.parts), default=0))
    is_damaged = any(
        bool(pending_order.signed_count) != bool(pending_order.signature)
        for _, orders in groups_with_orders
        for pending_order in orders
    )
    if (
        is_damaged
        or encode_groups(pending) != list(rows)
        or any(SOURCES[group.source].answered_for_player for group, _ in groups_with_orders)
    ):
        raise ValueError(rows)
    return pending


def encode_pending(pending: PendingOrders) -> bytes:
    """The file of a hand (desk/hand/<n>/<seat>.toml): what is not as in an empty one."""
    document = pending._asdict() | {
        "parts": encode_groups(pending),
        "done": list(pending.done),
        "notes": list(pending.notes),
        "came": list(pending.came),
        "proposal": list(pending.proposal),
        "shown": list(pending.shown),
        "handled": [f"{digest} {number}" for digest, number in pending.handled],
    }
    del document["stopped"]
    changed_fields = {key: value for key, value in document.items() if value not in (EMPTY_FIELDS[key], [])}
    return state_file.dump({"pbem": 1, **changed_fields})


def encode_committed_values(values: Mapping[str, str]) -> bytes:
    """The file of what a state commits to (desk/hands/<n>.toml): the rows of each seat."""
    rows = {seat: value.split("\n") for seat, value in values.items() if value}
    return state_file.dump({"pbem": 1, **rows})


def decode_committed_values(data: bytes) -> dict[str, str]:
    """Read it back; BadInput ``document/…``. Nothing says yet that it is what was committed to."""
    reader = TableReader(document := state_file.parse(data), "what waited")
    reader.number("pbem", 1, 1)
    return {seat: "\n".join(reader.rows(seat)) for seat in document if seat != "pbem"}


def decode_pending(data: bytes, seat: str) -> PendingOrders:
    """Read it back; BadInput ``document/…`` names the seat whose file is damaged."""
    file_description = f"the pending orders of {seat}"
    reader = TableReader(state_file.parse(data), file_description)
    reader.number("pbem", 1, 1)
    try:
        pending = _decode_fields(reader)
    except BadInput as error:
        if error.code.startswith("document/"):
            raise
        raise BadInput("document/row", f"{file_description}: {error.message}", PENDING_LOST_HINT) from None
    except (ValueError, LookupError):
        problem = f"{file_description}: a row is not of the expected shape"
        raise BadInput("document/row", problem, PENDING_LOST_HINT) from None
    reader.refuse_unknown_keys()
    if any(group.source == SIGNED.name and not order.signature for group in pending.parts for order in group.orders):
        problem = f"{file_description}: a signed order has lost its signature"
        raise BadInput("document/unsigned", problem, PENDING_LOST_HINT)
    return pending


def _decode_fields(reader: TableReader) -> PendingOrders:
    pending = parse_groups(reader.maybe_rows("parts") or ())
    handled_rows = [row.partition(" ") for row in reader.maybe_rows("handled") or ()]
    for _, _, number in handled_rows:
        if not number.isascii() or not number.isdecimal() or not 0 <= int(number) <= MAX_COUNTER:
            raise ValueError("number")
    number_keys = ("nr", "settled", "receipts", "tried", "ruled", "seen", "answered", "held")
    fields: dict[str, Any] = {key: reader.maybe_number(key, 0, MAX_COUNTER) or 0 for key in number_keys}
    text_keys = ("receipt", "answer", "declined", "taken", "mails")
    fields |= {key: reader.maybe_text(key) or "" for key in text_keys}
    if fields["mails"] not in ("", *MAILS):
        raise ValueError("mails")
    return pending._replace(
        **fields,
        done=tuple(reader.maybe_rows("done") or ()),
        notes=tuple(reader.maybe_rows("notes") or ()),
        came=tuple(reader.maybe_rows("came") or ()),
        proposal=tuple(reader.maybe_rows("proposal") or ()),
        shown=tuple(reader.maybe_rows("shown") or ()),
        handled=tuple((digest, int(number)) for digest, _, number in handled_rows),
    )
