"""What a player had waiting, as three tell it: a receipt, the block of a report, a state.

What lives here: the value of a hand against its commitment, a receipt against a hand, what a ruling
`void` says was lost. What must never be here: the secret, the rules of a game, files.
Law: between a receipt and the next state nothing happens to orders but that newer ones come.
Source: docs/SPECIFICATION.md sections 9 "Hands" and 12; decision 0011.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from pbem.chain.next_record import ExecutedOrder
from pbem.chain.rulings.kind import VOID
from pbem.chain.seals import pending_slot
from pbem.chain.sources import SIGNED, source_of
from pbem.chain.state_record import StateRecord
from pbem.crypto.tokens import check_opening
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

ONE_LIES = "keep both: together they prove that one of them lies"


def were_lost(n: int, records: Iterable[StateRecord]) -> bool:
    """Whether a ruling says that what waited before state ``n`` was lost."""
    return any(
        ruling.name == VOID.name and int(ruling.operand("from")) < n <= record.n
        for record in records
        for ruling in record.rulings
    )


def were_cleared(n: int, records: Mapping[int, StateRecord]) -> bool:
    """Whether such a ruling came before anything could use what waited before state ``n``: then
    nothing is held against it. In a state with orders a ruling excuses only what nobody can open.
    """
    while (record := records.get(n)) is not None and record.rulings:
        if were_lost(n, [record]):
            return True
        n += 1
    return False


def open_pending(record: StateRecord, seat: str, value: str, k: bytes) -> PendingOrders | None:
    """What waited before a state, if this is what the state commits to."""
    commitment = dict(record.pending_commitments).get(seat)
    if commitment is None or not check_opening(commitment, record.game, pending_slot(record.n, seat), k, value):
        return None
    return parse_committed_value(value)


def find_receipt_mismatch(receipt: Receipt, pending: PendingOrders) -> str:
    """What the hand before the state after a receipt has not as the receipt says; "" if nothing."""
    if not receipt.orders_number:
        return ""
    accepted_lines = [line for verdict, line in receipt.lines if verdict == "kept"]
    withdrawals = {line for line in accepted_lines if _is_withdrawal(line)}
    newer_groups = [group for group in pending.parts if group.email_number > receipt.orders_number]
    names = {group.name for group in newer_groups}
    withdraw_lines = [
        row.order for group in newer_groups for row in group.orders if group.is_leftover and is_withdrawal(row)
    ]
    lines = [line for line in accepted_lines if is_order(line)]
    sent_lines = [
        line
        for line in lines
        if not (group_name_of(line) in names or is_group_withdrawn(group_name_of(line), withdraw_lines))
    ]
    own_groups = [group for group in pending.parts if group.email_number == receipt.orders_number]
    waiting_lines = [format_signed_line(group, row) for group in own_groups for row in group.playable_orders]
    older_groups = [
        group
        for group in pending.parts
        if group.email_number < receipt.orders_number and is_group_withdrawn(group.name, withdrawals)
    ]
    withdrawn_lines = [format_signed_line(group, row) for group in older_groups for row in group.playable_orders]
    missing, extra = (Counter(sent_lines) - Counter(waiting_lines), Counter(waiting_lines) - Counter(sent_lines))
    is_complete = len(receipt.lines) < MAX_ORDERS
    faults = [f"`{line}` is not among them" for line in missing]
    faults += [f"`{line}` is among them" for line in (*(extra if is_complete else ()), *withdrawn_lines)]
    if not faults and is_complete and _sort_by_group(waiting_lines) != _sort_by_group(sent_lines):
        faults = ["they stand in another order"]
    return faults[0] if faults else ""


def find_replacement(receipt: Receipt, pending: PendingOrders) -> int:
    """The number of newer orders that stand in this hand in place of some that a receipt says were
    kept, if nobody signed them; 0 if there are none.
    """
    lines = [line for verdict, line in receipt.lines if verdict == "kept" and is_order(line)]
    return _find_newest_replacement(receipt.orders_number, {*map(group_name_of, lines)}, pending)


def find_group_replacement(group: OrderGroup, pending: PendingOrders) -> int:
    """The same of a part that was left to wait."""
    return _find_newest_replacement(group.email_number, {group.name} if group.playable_orders else set(), pending)


def _find_newest_replacement(nr: int, names: set[str], pending: PendingOrders) -> int:
    newer_groups = [group for group in pending.parts if group.email_number > nr and group.source != SIGNED.name]
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


def _sort_by_group(lines: list[str]) -> list[str]:
    """In the order of the parts, each as its lines were sent."""
    return sorted(lines, key=group_name_of)


def find_use_fault(receipt: Receipt, played: ExecutedOrder, complete: Callable[[str], str]) -> str:
    """Why, by a receipt, an order of its seat could not be used later; "" if it could. It needs
    nothing of what waited. ``complete``: what the rules make of an order that is used there.

    Of a line that is not signed nobody knows for what it waited: only what took back all counts.
    """
    accepted_lines = [line for verdict, line in receipt.lines if verdict == "kept"]
    if (
        not source_of(played.source).is_players_own
        or not receipt.orders_number
        or played.orders_number > receipt.orders_number
    ):
        return ""
    line = played.signed_line or played.line
    if played.orders_number == receipt.orders_number:
        orders = (
            accepted_lines
            if played.signed_line
            else [order_of(accepted) for accepted in accepted_lines if is_order(accepted)]
        )
        is_listed = line in orders or (not played.signed_line and line in map(complete, orders))
        return "" if is_listed or len(receipt.lines) >= MAX_ORDERS else "is not among them"
    name = group_name_of(line)
    group_names = {group_name_of(accepted) for accepted in accepted_lines if is_order(accepted)}
    if WITHDRAW in accepted_lines or (
        played.signed_line and (name in group_names or is_group_withdrawn(name, accepted_lines))
    ):
        return f"was of orders number {played.orders_number}, and they took its place, or took it back"
    return ""


def find_receipt_fault(receipt: Receipt, chain: Chain) -> str:
    """What a receipt says that cannot be, whatever waited; "" if nothing."""
    accepted_lines = [line for verdict, line in receipt.lines if verdict == "kept"]
    if not receipt.orders_number and not all(map(is_absence, accepted_lines)):
        return "says that lines were kept, and gives them no number"
    today = date.fromisoformat(receipt.time[:10])
    if any(line != PRESENT and resolve_absence(line, today) is None for line in accepted_lines if is_absence(line)):
        return "says that an absence was kept, and names no days"
    record, next_record = chain.records.get(receipt.n), chain.records.get(receipt.n + 1)
    if record is not None and receipt.time < record.time:
        return f"says that it is older than state {receipt.n}, which it names"
    if next_record is not None and receipt.time > next_record.time:
        return f"is of {receipt.time}, when the game had gone on from state {receipt.n}, which it names"
    return ""


def is_order(line: str) -> bool:
    """Whether a line as it was sent is an order, and asks for nothing else."""
    return not (_is_withdrawal(line) or find_command(line.lower()) or find_vote(line))


def _is_withdrawal(line: str) -> bool:
    return line.partition(" ")[0] == WITHDRAW


class LocatedReceipt(NamedTuple):
    """A receipt, and where it was given."""

    path: str
    receipt: Receipt


class NumberedReceipts(NamedTuple):
    """Receipts with numbers of one seat, as long as they rise: those that differ, each once."""

    by_number: dict[int, LocatedReceipt]
    by_time: list[tuple[str, int, int]]  #: time, state, number, ascending
    paths: dict[tuple[str, int, int], str]


def describe_replacement(nr: int, newer_nr: int) -> str:
    """That the referee's word alone is for what took the place of orders number ``nr``."""
    return f"orders number {newer_nr}, of which no receipt is given so far, took the place of number {nr}"


def _compare_receipt(located: LocatedReceipt, pending: PendingOrders, receipts: Iterable[Receipt]) -> tuple[int, str]:
    """The number, and what took its place without a receipt among those ``receipts``; Refused where
    the hand has not what the receipt says.
    """
    if fault := find_receipt_mismatch(located.receipt, pending):
        receipt = located.receipt
        message = (
            f"what the referee had waiting of {receipt.seat} before state {receipt.n + 1} is not what "
            f"{located.path} says of orders number {receipt.orders_number}: {fault}"
        )
        raise Refused("verify/waiting", message, ONE_LIES)
    nr, newer_nr = located.receipt.orders_number, find_replacement(located.receipt, pending)
    lacks_receipt = newer_nr and all(other.orders_number != newer_nr for other in receipts)
    return nr, describe_replacement(nr, newer_nr) if lacks_receipt else ""


class PendingComparison(dict[tuple[str, str, int], tuple[dict[Receipt, LocatedReceipt], dict[str, PendingOrders]]]):
    """By game, seat and state: receipts of the state before, and what waited before this one; each
    once, however often it is given.
    """

    def __init__(self) -> None:
        super().__init__()
        #: receipts by game, seat, and since when which key counts
        self.receipts_by_key: dict[tuple[str, str, int, bytes], NumberedReceipts] = {}

    def compare_blocks(self, path: str, chains: Mapping[str, Chain], *blocks: SignedBlock) -> str:
        """What receipts say that a player sent, and reports that the referee had, compared where
        the states are here; Refused ``verify/waiting`` where one of them lies. What is to be said.
        """
        notes = set[tuple[int, str]]()
        for block in blocks:
            if isinstance(block, ReceiptBlock):
                receipt = block.receipt
                self._check_rising(chains, located := LocatedReceipt(path, receipt))
                located_receipts, pending_by_value = self._comparison_at(
                    chains, receipt.game, receipt.seat, receipt.n + 1
                )
                located = located_receipts.setdefault(receipt, located)
                notes |= {_compare_receipt(located, pending, located_receipts) for pending in pending_by_value.values()}
                n = receipt.n + 2
                while self._has_number(receipt.game, receipt.seat, n - 1, receipt.orders_number):
                    notes |= {*self._find_replaced(chains, receipt.game, receipt.seat, n)}
                    n += 1
                continue
            for n, value, _ in block.pending_openings:
                located_receipts, pending_by_value = self._comparison_at(chains, block.game, block.seat, n)
                pending = pending_by_value.setdefault(value, parse_committed_value(value))
                notes |= {_compare_receipt(located, pending, located_receipts) for located in located_receipts.values()}
                for number in (n, n + 1):
                    notes |= {*self._find_replaced(chains, block.game, block.seat, number)}
        numbers = ", ".join(str(nr) for nr, note in sorted(notes) if nr and not note)
        agreement = f"; this agrees with the receipt for orders number {numbers}" if numbers else ""
        return agreement + "".join(f"; {note}" for _, note in sorted(notes) if note)

    def _has_number(self, game: str, seat: str, n: int, nr: int) -> bool:
        """Whether orders of this number are known to have waited before a state."""
        _, pending_by_value = self.get((game, seat, n), ({}, {}))
        return any(group.email_number == nr for pending in pending_by_value.values() for group in pending.parts)

    def _find_replaced(self, chains: Mapping[str, Chain], game: str, seat: str, n: int) -> Iterator[tuple[int, str]]:
        """What took the place of orders that a receipt tells of between the states n-1 and n, and
        has none itself; as far as it shows without the rules: nothing of the seat was used there.
        """
        record = chains[game].records.get(n - 1) if game in chains else None
        if record is None or any(entry.seat == seat for entry in record.entries):
            return
        player = record.player(seat)
        numbered = self.receipts_by_key.get((game, seat, player.orders_since, player.key), NumberedReceipts({}, [], {}))
        located_receipts, pending_by_value = self.get((game, seat, n), ({}, {}))
        _, previous_by_value = self.get((game, seat, n - 1), ({}, {}))
        pairs = (
            (old_pending, new_pending)
            for old_pending in previous_by_value.values()
            for new_pending in pending_by_value.values()
        )
        for old_pending, new_pending in pairs:
            for group in old_pending.parts if old_pending.stopped == new_pending.stopped else ():
                # a turn that is over takes what was for now with it
                turn_is_over = group.name == NOW and not record.rulings
                newer_nr = (
                    0
                    if turn_is_over or group.email_number not in numbered.by_number
                    else find_group_replacement(group, new_pending)
                )
                if newer_nr and all(receipt.orders_number != newer_nr for receipt in located_receipts):
                    yield group.email_number, describe_replacement(group.email_number, newer_nr)

    def _check_rising(self, chains: Mapping[str, Chain], located: LocatedReceipt) -> None:
        """Refused ``verify/numbers`` where a later receipt of a seat has a lower number, and no
        ruling or other key made the numbers begin anew; a ruling that emails of then were lost
        excuses those.
        """
        from bisect import bisect_left, insort  # few commands are given a receipt

        receipt = located.receipt
        if receipt.game not in chains or receipt.n not in chains[receipt.game].records or not receipt.orders_number:
            return
        if all(verdict != "kept" for verdict, _ in receipt.lines):
            return  # it may answer an email that came late
        if were_cleared(receipt.n + 1, chains[receipt.game].records):
            return  # what was lost had numbers that were given again
        player = chains[receipt.game].records[receipt.n].player(receipt.seat)
        key = (receipt.game, receipt.seat, player.orders_since, player.key)
        numbered = self.receipts_by_key.setdefault(key, NumberedReceipts({}, [], {}))
        first_located = numbered.by_number.setdefault(receipt.orders_number, located)
        if first_located.receipt.lines != receipt.lines:
            message = f"{located.path} and {first_located.path} give other orders of {receipt.seat} one number"
            raise Refused("verify/numbers", message, ONE_LIES)
        place = (receipt.time, receipt.n, receipt.orders_number)
        if place in numbered.paths:
            return
        start = bisect_left(numbered.by_time, (receipt.time, receipt.n))
        end = bisect_left(numbered.by_time, (receipt.time, receipt.n + 1))
        older_pairs = [(other, place) for other in numbered.by_time[max(0, start - 1) : start]]
        for earlier, later in (*older_pairs, *((place, other) for other in numbered.by_time[end : end + 1])):
            if later[2] < earlier[2]:
                path_by_place = {place: located.path, **numbered.paths}
                message = (
                    f"{path_by_place[later]} has number {later[2]} for orders of {receipt.seat}, and "
                    f"{path_by_place[earlier]}, which is older, number {earlier[2]}"
                )
                raise Refused("verify/numbers", message, ONE_LIES)
        insort(numbered.by_time, place)
        numbered.paths[place] = located.path

    def _comparison_at(
        self, chains: Mapping[str, Chain], game: str, seat: str, n: int
    ) -> tuple[dict[Receipt, LocatedReceipt], dict[str, PendingOrders]]:
        """What is known so far of one state, where nothing was lost."""
        if game not in chains or were_cleared(n, chains[game].records):
            return {}, {}
        return self.setdefault((game, seat, n), ({}, {}))


def check_pending(name: str, block: Block, chain: Chain) -> str:
    """What the seat had waiting before each of its states, in words; Refused where that is left
    out, or is not what the state commits to.
    """
    openings = {n: (value, k) for n, value, k in block.pending_openings}
    numbers, text = range(block.first_n, block.n + 1), ""
    unknown_numbers = {*openings} - {*numbers}
    for n in (n for n in numbers if n in chain.records):
        record = chain.records[n]
        if n not in openings and block.seat in dict(record.pending_commitments):
            if were_lost(n, chain.records.values()):
                continue
            message = f"{name} does not say which orders {block.seat} had waiting before state {n}"
            raise Refused("verify/hands", message, ONE_LIES)
        pending = open_pending(record, block.seat, *openings[n]) if n in openings else PendingOrders()
        if pending is None or unknown_numbers:
            message = f"{name} says that other orders were waiting than state {n} commits to"
            raise Refused("verify/hands", message, ONE_LIES)
        if pending.orders:
            lines = ", ".join(f"`{line}`" for line in list_waiting_lines(pending))
            text += f"; before state {n} the referee had {lines} of {block.seat}"
    return text
