"""Read and write the file of pending orders, and the rows by which a state commits to them.

A state publishes only a commitment (a hash) to these rows. An archive of the finished game opens it.

Not allowed here: what an order means, or which one is used next (pending_orders.py).
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
    HandledMark,
    OrderGroup,
    PendingOrder,
    PendingOrders,
    StopPoint,
    order_of,
)

#: Each field of PendingOrders with its key in the file, in the order of the file.
#: ``stopped_at`` is written as a row of the groups.
FILE_KEYS = {
    "groups": "parts",
    "newest_email_number": "nr",
    "settled_email_number": "settled",
    "forced_orders": "done",
    "notes": "notes",
    "handled_marks": "handled",
    "receipt_count": "receipts",
    "noted_email_number": "tried",
    "newest_receipt": "receipt",
    "first_valid_question": "ruled",
    "newest_signed_number": "seen",
    "answered_count": "answered",
    "joining_row": "answer",
    "decline_line": "declined",
    "arrivals": "came",
    "last_answered_at": "taken",
    "report_choice": "mails",
    "held_question": "held",
    "proposal": "proposal",
    "proposal_email_ids": "shown",
}
_LIST_FIELDS = ("forced_orders", "notes", "arrivals", "proposal", "proposal_email_ids")
_TEXT_FIELDS = ("newest_receipt", "joining_row", "decline_line", "last_answered_at", "report_choice")
_NUMBER_FIELDS = (
    "newest_email_number",
    "settled_email_number",
    "receipt_count",
    "noted_email_number",
    "first_valid_question",
    "newest_signed_number",
    "answered_count",
    "held_question",
)
PENDING_LOST_HINT = "put it back from a backup, or delete it and ask the player for new orders"


def encode_groups(pending: PendingOrders) -> list[str]:
    """Return the groups as rows: one for each group, then one for each of its orders. No other spelling is valid."""
    stop = pending.stopped_at
    rows = [f"stopped {stop.question_number} {stop.email_number}"] if stop != NOT_STOPPED else []
    for group in pending.groups:
        turn = f" {group.turn}" if group.name == NOW else ""
        name = group.name if not group.is_leftover else LEFTOVER.rstrip()
        rows.append(f"{name} {group.email_number} {group.source} {group.state_hash or '-'}{turn}")
        for order in group.orders:
            count_suffix = f"/{order.signed_count}" if order.signed_count else ""
            rows.append(f"{order.number}{count_suffix} {order.signature or '-'} {order.signed_line or order.order}")
    return rows


def committed_values(pending_by_seat: Mapping[str, PendingOrders]) -> dict[str, str]:
    """Return what a state commits to, by seat: all that decides which orders it must use."""
    return {seat: "\n".join(encode_groups(pending)) for seat, pending in pending_by_seat.items()}


def parse_committed_value(value: str) -> PendingOrders:
    """Read pending orders from a committed value. Raises ValueError if it is misspelt."""
    try:
        return parse_groups(value.split("\n") if value else ())
    except (BadInput, LookupError):
        raise ValueError(value) from None


def parse_groups(rows: Sequence[str]) -> PendingOrders:
    """Read pending orders from rows of ``encode_groups``. Raises ValueError, LookupError or BadInput."""
    pending = PendingOrders()
    groups_with_orders: list[tuple[OrderGroup, list[PendingOrder]]] = []
    for row in rows:
        word, *facts = row.split(" ")
        if word == "stopped":
            question_number, email_number = map(int, facts)
            pending = pending._replace(stopped_at=StopPoint(question_number, email_number))
        elif word[0].isdecimal():
            _, signature, line = row.split(" ", 2)
            signed_line = line if signature != "-" else ""
            order = order_of(line) if signed_line else line
            signature = b64(unb64(signature, 64)) if signed_line else ""
            number, _, signed_count = word.partition("/")
            pending_order = PendingOrder(int(number), order, signature, signed_line, int(signed_count or 0))
            _, orders = groups_with_orders[-1]
            orders.append(pending_order)
        else:
            name = word
            if f"{word} " == WHEN:
                name = f"{WHEN}{facts.pop(0)}"
            elif f"{word} " == LEFTOVER:
                name = f"{LEFTOVER}{facts[0]}"
            number_text, source, hash_text = facts[:3]
            state_hash = "" if hash_text == "-" else b64(unb64(hash_text, 32))
            turn = int(facts[3]) if name == NOW else 0
            groups_with_orders.append((OrderGroup(name, (), int(number_text), source, state_hash, turn), []))
    pending = pending.with_groups(group._replace(orders=tuple(orders)) for group, orders in groups_with_orders)
    pending = pending._replace(newest_email_number=max((group.email_number for group in pending.groups), default=0))
    all_orders = [order for _, orders in groups_with_orders for order in orders]
    is_half_signed = any(bool(order.signed_count) != bool(order.signature) for order in all_orders)
    is_not_by_player = any(SOURCES[group.source].answered_for_player for group, _ in groups_with_orders)
    if is_half_signed or is_not_by_player or encode_groups(pending) != list(rows):
        raise ValueError(rows)
    return pending


def encode_pending(pending: PendingOrders) -> bytes:
    """Return the file of pending orders (desk/hand/<n>/<seat>.toml). Empty fields are left out."""
    values: dict[str, Any] = {
        "groups": encode_groups(pending),
        "handled_marks": [f"{mark.digest} {mark.receipt_number}" for mark in pending.handled_marks],
    }
    values |= {field: list(getattr(pending, field)) for field in _LIST_FIELDS}
    values |= {field: getattr(pending, field) for field in (*_TEXT_FIELDS, *_NUMBER_FIELDS)}
    document = {key: values[field] for field, key in FILE_KEYS.items() if values[field]}
    return state_file.dump({"pbem": 1, **document})


def encode_committed_values(values: Mapping[str, str]) -> bytes:
    """Return the file of what a state commits to (desk/hands/<n>.toml): the rows of each seat."""
    rows = {seat: value.split("\n") for seat, value in values.items() if value}
    return state_file.dump({"pbem": 1, **rows})


def decode_committed_values(data: bytes) -> dict[str, str]:
    """Read the committed values from such a file, unverified. Raises BadInput ``document/…``."""
    reader = TableReader(document := state_file.parse(data), "what waited")
    reader.number("pbem", 1, 1)
    return {seat: "\n".join(reader.rows(seat)) for seat in document if seat != "pbem"}


def decode_pending(data: bytes, seat: str) -> PendingOrders:
    """Read pending orders from their file. Raises BadInput ``document/…``, which names the seat."""
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
    if any(group.source == SIGNED.name and not order.signature for group in pending.groups for order in group.orders):
        problem = f"{file_description}: a signed order has lost its signature"
        raise BadInput("document/unsigned", problem, PENDING_LOST_HINT)
    return pending


def _decode_fields(reader: TableReader) -> PendingOrders:
    """Read every field. Raises ValueError, LookupError or BadInput for a row of the wrong shape."""
    pending = parse_groups(reader.maybe_rows("parts") or ())
    handled_marks = tuple(map(_parse_handled_mark, reader.maybe_rows(FILE_KEYS["handled_marks"]) or ()))
    fields: dict[str, Any] = {"handled_marks": handled_marks}
    fields |= {field: reader.maybe_number(FILE_KEYS[field], 0, MAX_COUNTER) or 0 for field in _NUMBER_FIELDS}
    fields |= {field: reader.maybe_text(FILE_KEYS[field]) or "" for field in _TEXT_FIELDS}
    fields |= {field: tuple(reader.maybe_rows(FILE_KEYS[field]) or ()) for field in _LIST_FIELDS}
    if fields["report_choice"] not in ("", *MAILS):
        raise ValueError(fields["report_choice"])
    return pending._replace(**fields)


def _parse_handled_mark(row: str) -> HandledMark:
    """Read one row of ``handled``. Raises ValueError if its number is invalid."""
    digest, _, number = row.partition(" ")
    if not number.isascii() or not number.isdecimal() or int(number) > MAX_COUNTER:
        raise ValueError(row)
    return HandledMark(digest, int(number))
