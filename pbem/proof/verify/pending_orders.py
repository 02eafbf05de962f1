"""A player's pending orders, compared in three places: a receipt, a report, and the state's commitment.

Pending orders have come by email and are not yet played. Each of a player's emails has a higher *orders
number*. Its orders fall into groups: for now, for later, or for when something happens.

Not allowed here: the secret, the rules of a game, files.
Law: between a receipt and the next state, orders change only because newer ones come.
Source: docs/SPECIFICATION.md sections 9 "Hands" and 12; decision 0011.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from itertools import product
from typing import NamedTuple

from pbem.chain.next_record import ExecutedOrder
from pbem.chain.rulings.kind import VOID
from pbem.chain.seals import pending_slot
from pbem.chain.sources import SIGNED, source_of
from pbem.chain.state_record import StateRecord
from pbem.crypto.tokens import opens_commitment
from pbem.errors import Refused
from pbem.notation.absence import PRESENT, is_absence, resolve_absence
from pbem.notation.asks import WITHDRAW
from pbem.notation.commands import find_command, find_vote
from pbem.play.pending_file import parse_committed_value
from pbem.play.pending_orders import (
    NOW,
    OrderGroup,
    PendingOrders,
    format_signed_line,
    group_name_of,
    is_group_withdrawn,
    is_withdrawal,
    list_waiting_lines,
    order_of,
)
from pbem.play.validate_email import MAX_ORDERS
from pbem.proof.verify.verify import Chain
from pbem.report.block import Block
from pbem.report.receipt_block import Receipt, ReceiptBlock, SignedBlock

ONE_LIES = "keep both: together they prove that one of them is false"


def were_lost(n: int, records: Iterable[StateRecord]) -> bool:
    """Return whether a ruling `void` says that the pending orders before state ``n`` were lost."""
    return any(
        ruling.name == VOID.name and int(ruling.operand("from")) < n <= record.n
        for record in records
        for ruling in record.rulings
    )


def were_cleared(n: int, records: Mapping[int, StateRecord]) -> bool:
    """Return whether a ruling `void` came before any state could use the pending orders before state ``n``.
    If so, a receipt for them contradicts nothing. Once a state has used orders, such a ruling excuses
    only those that nobody can open.
    """
    while (record := records.get(n)) is not None and record.rulings:
        if were_lost(n, [record]):
            return True
        n += 1
    return False


def open_pending(record: StateRecord, seat: str, value: str, k: bytes) -> PendingOrders | None:
    """Return the pending orders in ``value``; None if the state does not commit to it."""
    commitment = dict(record.pending_commitments).get(seat)
    if commitment is None or not opens_commitment(commitment, record.game, pending_slot(record.n, seat), k, value):
        return None
    return parse_committed_value(value)


def find_receipt_mismatch(receipt: Receipt, pending: PendingOrders) -> str:
    """Return how a receipt differs from the orders that were pending before the next state; "" if it does not."""
    if not receipt.orders_number:
        return ""
    accepted_lines = accepted_lines_of(receipt)
    sent_lines = _lines_still_pending(filter(is_order, accepted_lines), receipt.orders_number, pending)
    own_groups = [group for group in pending.groups if group.email_number == receipt.orders_number]
    pending_lines = _signed_lines_of(own_groups)
    withdrawals = {line for line in accepted_lines if _is_withdrawing_line(line)}
    withdrawn_lines = _signed_lines_of(
        group
        for group in pending.groups
        if group.email_number < receipt.orders_number and is_group_withdrawn(group.name, withdrawals)
    )
    is_complete = len(receipt.lines) < MAX_ORDERS
    for line in Counter(sent_lines) - Counter(pending_lines):
        return f"`{line}` is not among them"
    extra_lines = Counter(pending_lines) - Counter(sent_lines) if is_complete else ()
    for line in (*extra_lines, *withdrawn_lines):
        return f"`{line}` is among them"
    is_same_order = sorted(pending_lines, key=group_name_of) == sorted(sent_lines, key=group_name_of)
    return "" if is_same_order or not is_complete else "they are in another order"


def accepted_lines_of(receipt: Receipt) -> list[str]:
    """Return the lines that a receipt says were accepted."""
    return [line for verdict, line in receipt.lines if verdict == "kept"]


def _lines_still_pending(lines: Iterable[str], nr: int, pending: PendingOrders) -> list[str]:
    """Return the lines of orders number ``nr`` that newer orders have neither replaced nor withdrawn."""
    newer_groups = [group for group in pending.groups if group.email_number > nr]
    newer_names = {group.name for group in newer_groups}
    withdrawals = [
        row.order for group in newer_groups for row in group.orders if group.is_leftover and is_withdrawal(row)
    ]
    return [
        line
        for line in lines
        if group_name_of(line) not in newer_names and not is_group_withdrawn(group_name_of(line), withdrawals)
    ]


def _signed_lines_of(groups: Iterable[OrderGroup]) -> list[str]:
    return [format_signed_line(group, row) for group in groups for row in group.playable_orders]


def find_replacement(receipt: Receipt, pending: PendingOrders) -> int:
    """Return the highest number of unsigned newer orders that replace some of a receipt's; 0 if there are none."""
    names = {group_name_of(line) for line in accepted_lines_of(receipt) if is_order(line)}
    return _find_newest_replacement(receipt.orders_number, names, pending)


def find_group_replacement(group: OrderGroup, pending: PendingOrders) -> int:
    """Return the highest number of unsigned newer orders that replace a group; 0 if there are none."""
    return _find_newest_replacement(group.email_number, {group.name} if group.playable_orders else set(), pending)


def _find_newest_replacement(nr: int, names: set[str], pending: PendingOrders) -> int:
    """Return the highest number of unsigned orders above ``nr`` that replace or withdraw a group in ``names``, or 0."""
    newer_groups = [group for group in pending.groups if group.email_number > nr and group.source != SIGNED.name]
    return max(
        (
            group.email_number
            for group in newer_groups
            for name in names
            if group.name == name
            or (group.is_leftover and is_group_withdrawn(name, [row.order for row in group.orders]))
        ),
        default=0,
    )


def find_use_fault(receipt: Receipt, played: ExecutedOrder, complete: Callable[[str], str]) -> str:
    """Return why, by a receipt, an order of its seat could not be used later; "" if it could be used.

    This needs no pending orders. ``complete`` completes a line by the rules, as it was when the order
    was used. The group of an unsigned line is unknown: only a withdrawal of everything forbids its use.
    """
    accepted_lines = accepted_lines_of(receipt)
    if not source_of(played.source).is_players_own or not receipt.orders_number:
        return ""
    if played.orders_number > receipt.orders_number:
        return ""
    accepted_orders = [line for line in accepted_lines if is_order(line)]
    if played.orders_number == receipt.orders_number:
        if played.signed_line:
            is_listed = played.signed_line in accepted_lines
        else:
            orders = [*map(order_of, accepted_orders)]
            is_listed = played.line in orders or played.line in map(complete, orders)
        return "" if is_listed or len(receipt.lines) >= MAX_ORDERS else "is not among them"
    name = group_name_of(played.signed_line)
    is_replaced = name in map(group_name_of, accepted_orders) or is_group_withdrawn(name, accepted_lines)
    if WITHDRAW in accepted_lines or (played.signed_line and is_replaced):
        return f"was of orders number {played.orders_number}, which they replaced or withdrew"
    return ""


def find_receipt_fault(receipt: Receipt, chain: Chain) -> str:
    """Return what is impossible in a receipt, whatever was pending; "" if nothing is."""
    accepted_lines = accepted_lines_of(receipt)
    if not receipt.orders_number and not all(map(is_absence, accepted_lines)):
        return "says that lines were accepted, and gives them no number"
    today = date.fromisoformat(receipt.time[:10])
    if any(line != PRESENT and resolve_absence(line, today) is None for line in accepted_lines if is_absence(line)):
        return "says that an absence was accepted, and names no days"
    record, next_record = chain.records.get(receipt.n), chain.records.get(receipt.n + 1)
    if record is not None and receipt.time < record.time:
        return f"says that it is older than state {receipt.n}, which it names"
    if next_record is not None and receipt.time > next_record.time:
        return f"is of {receipt.time}, when the game had gone on from state {receipt.n}, which it names"
    return ""


def is_order(line: str) -> bool:
    """Return whether a line as it was sent is an order, and not a withdrawal, command or vote."""
    return not (_is_withdrawing_line(line) or find_command(line.lower()) or find_vote(line))


def _is_withdrawing_line(line: str) -> bool:
    return line.partition(" ")[0] == WITHDRAW


class LocatedReceipt(NamedTuple):
    """A receipt, and the path of its file."""

    path: str
    receipt: Receipt


class ReceiptPlace(NamedTuple):
    """When a receipt was written, the number of its newest state, and its orders number."""

    time: str
    n: int
    number: int


class NumberedReceipts(NamedTuple):
    """The receipts of one seat, whose orders numbers must rise with time."""

    by_number: dict[int, LocatedReceipt]
    by_time: list[ReceiptPlace]  #: sorted
    paths: dict[ReceiptPlace, str]


class OrdersNote(NamedTuple):
    """A note on the orders of one number; its text is "" if their receipt agrees with what was pending."""

    number: int
    text: str


class ComparedState(NamedTuple):
    """The receipts and reports about a seat's pending orders before one state, without duplicates."""

    receipts: dict[Receipt, LocatedReceipt]  #: written after the state before
    pending_by_value: dict[str, PendingOrders]  #: as reports show them


def describe_replacement(nr: int, newer_nr: int) -> str:
    """Return the note that newer orders, without a receipt so far, replaced orders number ``nr``."""
    return f"orders number {newer_nr}, for which there is no receipt so far, replaced number {nr}"


def _compare_receipt(located: LocatedReceipt, pending: PendingOrders, receipts: Iterable[Receipt]) -> OrdersNote:
    """Return the note on a receipt, with any replacement that no receipt confirms. Raise Refused on a mismatch."""
    if fault := find_receipt_mismatch(located.receipt, pending):
        receipt = located.receipt
        message = (
            f"the pending orders of {receipt.seat} before state {receipt.n + 1} are not what "
            f"{located.path} says of orders number {receipt.orders_number}: {fault}"
        )
        raise Refused("verify/waiting", message, ONE_LIES)
    nr, newer_nr = located.receipt.orders_number, find_replacement(located.receipt, pending)
    lacks_receipt = newer_nr and all(other.orders_number != newer_nr for other in receipts)
    return OrdersNote(nr, describe_replacement(nr, newer_nr) if lacks_receipt else "")


class PendingComparison(dict[tuple[str, str, int], ComparedState]):
    """All receipts and reported pending orders so far, by game, seat and state."""

    def __init__(self) -> None:
        super().__init__()
        #: by game, seat, the state since which orders count, and the player's key
        self.receipts_by_key: dict[tuple[str, str, int, bytes], NumberedReceipts] = {}

    def compare_blocks(self, path: str, chains: Mapping[str, Chain], *blocks: SignedBlock) -> str:
        """Compare receipts with the pending orders in reports, as far as their states are here.

        Returns clauses about the result, or "". Raises Refused ``verify/waiting`` if two contradict.
        """
        notes = set[OrdersNote]()
        for block in blocks:
            if isinstance(block, ReceiptBlock):
                notes |= {*self._compare_with_reports(LocatedReceipt(path, block.receipt), chains)}
            else:
                notes |= {*self._compare_with_receipts(block, chains)}
        numbers = ", ".join(str(note.number) for note in sorted(notes) if note.number and not note.text)
        agreement = f"; this agrees with the receipt for orders number {numbers}" if numbers else ""
        return agreement + "".join(f"; {note.text}" for note in sorted(notes) if note.text)

    def _compare_with_reports(self, located: LocatedReceipt, chains: Mapping[str, Chain]) -> Iterator[OrdersNote]:
        """Yield notes on a receipt: compare the next state, then find replacements while its orders stay pending."""
        receipt = located.receipt
        self._add_rising_number(chains, located)
        compared = self._comparison_at(chains, receipt.game, receipt.seat, receipt.n + 1)
        located = compared.receipts.setdefault(receipt, located)
        for pending in compared.pending_by_value.values():
            yield _compare_receipt(located, pending, compared.receipts)
        n = receipt.n + 2
        while self._has_number(receipt.game, receipt.seat, n - 1, receipt.orders_number):
            yield from self._find_replaced(chains, receipt.game, receipt.seat, n)
            n += 1

    def _compare_with_receipts(self, block: Block, chains: Mapping[str, Chain]) -> Iterator[OrdersNote]:
        for n, value, _ in block.pending_openings:
            compared = self._comparison_at(chains, block.game, block.seat, n)
            pending = compared.pending_by_value.setdefault(value, parse_committed_value(value))
            for located in compared.receipts.values():
                yield _compare_receipt(located, pending, compared.receipts)
            for number in (n, n + 1):
                yield from self._find_replaced(chains, block.game, block.seat, number)

    def _has_number(self, game: str, seat: str, n: int, nr: int) -> bool:
        """Return whether orders of this number are known to have been pending before a state."""
        pending_by_value = self.get((game, seat, n), ComparedState({}, {})).pending_by_value
        return any(group.email_number == nr for pending in pending_by_value.values() for group in pending.groups)

    def _find_replaced(self, chains: Mapping[str, Chain], game: str, seat: str, n: int) -> Iterator[OrdersNote]:
        """Yield notes on orders with a receipt that orders without a receipt replaced between states n-1 and n.

        Yields none if state n-1 used orders of the seat: then only the rules can tell.
        """
        record = chains[game].records.get(n - 1) if game in chains else None
        if record is None or any(entry.seat == seat for entry in record.entries):
            return
        player = record.player(seat)
        key = (game, seat, player.orders_since, player.key)
        known_numbers = self.receipts_by_key[key].by_number.keys() if key in self.receipts_by_key else set[int]()
        old_state = self.get((game, seat, n - 1), ComparedState({}, {}))
        new_state = self.get((game, seat, n), ComparedState({}, {}))
        pairs = product(old_state.pending_by_value.values(), new_state.pending_by_value.values())
        for old_pending, new_pending in pairs:
            if old_pending.stopped_at != new_pending.stopped_at:
                continue
            for group in old_pending.groups:
                turn_is_over = group.name == NOW and not record.rulings  # orders for that turn went with it
                if turn_is_over or group.email_number not in known_numbers:
                    continue
                newer_nr = find_group_replacement(group, new_pending)
                if newer_nr and all(receipt.orders_number != newer_nr for receipt in new_state.receipts):
                    yield OrdersNote(group.email_number, describe_replacement(group.email_number, newer_nr))

    def _add_rising_number(self, chains: Mapping[str, Chain], located: LocatedReceipt) -> None:
        """Remember a receipt. Raise Refused ``verify/numbers`` if a later receipt of its seat has a lower number.

        Numbers start again with a new key, and with a ruling that makes orders void. A ruling that
        emails were lost excuses the receipts for them.
        """
        from bisect import bisect_left, insort  # few commands are given a receipt

        receipt = located.receipt
        if receipt.game not in chains or receipt.n not in chains[receipt.game].records or not receipt.orders_number:
            return
        if not accepted_lines_of(receipt):
            return  # the receipt may answer an email that came late
        if were_cleared(receipt.n + 1, chains[receipt.game].records):
            return  # the numbers of the lost emails were used again
        player = chains[receipt.game].records[receipt.n].player(receipt.seat)
        key = (receipt.game, receipt.seat, player.orders_since, player.key)
        numbered = self.receipts_by_key.setdefault(key, NumberedReceipts({}, [], {}))
        first_located = numbered.by_number.setdefault(receipt.orders_number, located)
        if first_located.receipt.lines != receipt.lines:
            message = f"{located.path} and {first_located.path} give different orders of {receipt.seat} the same number"
            raise Refused("verify/numbers", message, ONE_LIES)
        place = ReceiptPlace(receipt.time, receipt.n, receipt.orders_number)
        if place in numbered.paths:
            return
        start = bisect_left(numbered.by_time, (receipt.time, receipt.n))
        end = bisect_left(numbered.by_time, (receipt.time, receipt.n + 1))
        neighbours = [(other, place) for other in numbered.by_time[max(0, start - 1) : start]]
        neighbours += [(place, other) for other in numbered.by_time[end : end + 1]]
        for earlier, later in neighbours:
            if later.number < earlier.number:
                path_by_place = {place: located.path, **numbered.paths}
                message = (
                    f"{path_by_place[later]} has number {later.number} for orders of {receipt.seat}, and "
                    f"{path_by_place[earlier]}, which is older, number {earlier.number}"
                )
                raise Refused("verify/numbers", message, ONE_LIES)
        insort(numbered.by_time, place)
        numbered.paths[place] = located.path

    def _comparison_at(self, chains: Mapping[str, Chain], game: str, seat: str, n: int) -> ComparedState:
        """Return what is known so far; nothing if the chain is not here, or a ruling says the orders were lost."""
        if game not in chains or were_cleared(n, chains[game].records):
            return ComparedState({}, {})
        return self.setdefault((game, seat, n), ComparedState({}, {}))


def check_and_describe_pending(name: str, block: Block, chain: Chain) -> str:
    """Return clauses that name a seat's pending orders before each state of its report, or "". Raises Refused
    if the report leaves them out, or they are not what the state commits to.
    """
    openings = {n: (value, k) for n, value, k in block.pending_openings}
    numbers = range(block.first_n, block.n + 1)
    text = ""
    unknown_numbers = openings.keys() - {*numbers}
    for n in (n for n in numbers if n in chain.records):
        record = chain.records[n]
        if n not in openings and block.seat in dict(record.pending_commitments):
            if were_lost(n, chain.records.values()):
                continue
            message = f"{name} does not name the pending orders of {block.seat} before state {n}"
            raise Refused("verify/hands", message, ONE_LIES)
        pending = open_pending(record, block.seat, *openings[n]) if n in openings else PendingOrders()
        if pending is None or unknown_numbers:
            message = f"{name} names other pending orders than state {n} commits to"
            raise Refused("verify/hands", message, ONE_LIES)
        if pending.orders:
            lines = ", ".join(f"`{line}`" for line in list_waiting_lines(pending))
            text += f"; pending orders of {block.seat} before state {n}: {lines}"
    return text
