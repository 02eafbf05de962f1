"""Reports and receipts that players saved, compared with an audited game.

A report tells a player what happened; a receipt says which lines of an email were accepted. The part
that the referee signed is a block.
Not allowed here: what a block must say (proof/verify/inputs.py), files.
Laws: orders that a receipt accepts are pending before the next state, unless newer ones came or a
ruling says that they were lost. Anything that could not be compared is reported.
Source: docs/SPECIFICATION.md section 12; decision 0011.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from pbem.chain.clock import HOUR, epoch_seconds
from pbem.chain.state_record import StateRecord
from pbem.errors import BadInput, PbemError, Refused
from pbem.notation.absence import PRESENT, Absence, is_absence, resolve_absence
from pbem.play.deadlines.calendar import local_day
from pbem.play.pending_orders import PendingOrders
from pbem.proof.audit import sentences
from pbem.proof.audit.audit import CONTRADICTED, PROVEN, UNCHECKED
from pbem.proof.audit.audited_game import AuditedGame, StateFault
from pbem.proof.audit.findings import Item, Replay
from pbem.proof.audit.saved_emails import SavedEmail
from pbem.proof.verify.inputs import (
    OFF_CHAIN,
    ChainRegistry,
    check_block,
    check_in_force,
    check_receipt,
    check_signature,
    describe_block,
)
from pbem.proof.verify.pending_orders import (
    OrdersNote,
    PendingComparison,
    accepted_lines_of,
    describe_replacement,
    find_receipt_mismatch,
    find_replacement,
    find_use_fault,
    were_cleared,
    were_lost,
)
from pbem.proof.verify.verify import Chain, check_chain
from pbem.report.block import Block
from pbem.report.receipt_block import Receipt, ReceiptBlock, SignedBlock

REPORTS_ITEM = "told"
NEVER = 1 << 40  #: a state number that no game reaches
#: the error code for a signature by a key of the game's referees that was not in force then
NOT_IN_FORCE = "verify/not-in-force"


class _ReportFindings:
    """The results of the comparison so far."""

    def __init__(self, reports: Sequence[Block], receipts: Sequence[Receipt]) -> None:
        self.contradictions: list[StateFault] = []
        self.unchecked: list[str] = []
        self.replacements: list[OrdersNote] = []  #: by state number: replaced orders, if the newer ones have no receipt
        self.compared_count = 0
        self.excused_count = 0  #: receipts for orders that a ruling says were lost
        self.reports = reports
        self.returns = [receipt for receipt in receipts if PRESENT in accepted_lines_of(receipt)]
        self._receipt_keys = {(receipt.seat, receipt.n, receipt.orders_number) for receipt in receipts}

    def has_receipt(self, seat: str, n: int, orders_number: int) -> bool:
        return (seat, n, orders_number) in self._receipt_keys

    def return_state(self, receipt: Receipt) -> int:
        """Return the first state after a receipt at which its player said that they were back, or ``NEVER``."""
        later_numbers = (other.n for other in self.returns if other.seat == receipt.seat and other.time >= receipt.time)
        return min(later_numbers, default=NEVER)


class ReportAudit(NamedTuple):
    """The result of a comparison."""

    item: Item | None  #: the line for the audit; None if no report or receipt counts
    refusals: dict[str, PbemError]  #: why the others do not count, by path


NOT_PROOF = Refused(
    "audit/letter",
    "it was changed after it was signed, or is not this referee's: it proves nothing",
    "save it again from the email",
)


def audit_reports(
    raw_states: Mapping[int, bytes], game: str, replay: Replay | None, saved_emails: Sequence[SavedEmail]
) -> ReportAudit:
    """Compare saved reports and receipts with the states of their game and, if there is one, its replay."""
    located_blocks = [LocatedBlock(email.path, block) for email in saved_emails for block in email.blocks_of(game)]
    if not located_blocks:
        return ReportAudit(None, {})
    try:
        chain = check_chain(raw_states, None, None)
    except PbemError:
        return ReportAudit(Item(REPORTS_ITEM, UNCHECKED, "the states that they describe are not valid", None), {})
    refusals = _refuse_by_signer(located_blocks, chain)
    accepted_blocks = [located for located in located_blocks if located.block not in refusals]
    blocks = [located.block for located in accepted_blocks]
    results = _ReportFindings(
        [block for block in blocks if isinstance(block, Block)],
        [block.receipt for block in blocks if isinstance(block, ReceiptBlock)],
    )
    _compare_blocks(accepted_blocks, game, AuditedGame(chain, replay), results)
    item = _make_item(results, sum(email.unread.automatic for email in saved_emails))
    return ReportAudit(item, {path: refusals[block] for path, block in located_blocks if block in refusals})


class LocatedBlock(NamedTuple):
    """A report or receipt, and the path of its file."""

    path: str
    block: SignedBlock


def _compare_blocks(
    located_blocks: Sequence[LocatedBlock], game: str, replayed_game: AuditedGame, results: _ReportFindings
) -> None:
    """Compare blocks with the game and with each other. Add what is found to ``results``."""
    chains = {game: replayed_game.chain}
    comparison, registry = PendingComparison(), ChainRegistry()
    registry.add_chain("", replayed_game.chain)
    agreeing_blocks = set[SignedBlock]()
    for path, block in located_blocks:
        results.compared_count += 1
        if block in agreeing_blocks:  # there may be thousands of copies
            continue
        try:
            if isinstance(block, ReceiptBlock):
                check_receipt(block, chains, None)
                _compare_receipt(path, block.receipt, replayed_game, results)
            else:
                check_block(block, chains, None)
            comparison.compare_blocks(path, chains, block)
            agreeing_blocks.add(block)
        except PbemError as error:
            refusal = registry.explain_refusal(path, block, error)
            if refusal.code in OFF_CHAIN:
                results.unchecked.append(f"{path}: {refusal.message}")
            else:
                results.contradictions.append(StateFault(block.n, f"state {block.n}, {path}: {refusal.message}"))


def _refuse_by_signer(located_blocks: Sequence[LocatedBlock], chain: Chain) -> dict[SignedBlock, PbemError]:
    """Return why blocks do not count that the wrong key signed. Anyone may have written them: they must
    not change the verdict on a game.
    """
    refusals = dict[SignedBlock, PbemError]()
    for block in dict.fromkeys(located.block for located in located_blocks):
        try:
            check_signature(describe_block(block), NOT_PROOF.code, block, None)
            check_in_force(describe_block(block), block, chain)
        except PbemError as error:
            refusals[block] = error if error.code == NOT_IN_FORCE else NOT_PROOF
    return refusals


def _make_item(results: _ReportFindings, unsigned_count: int) -> Item | None:
    """Return the item, or None if nothing was compared. ``unsigned_count`` is of emails that never have a block."""
    if results.contradictions:
        earliest = min(results.contradictions)
        return Item(REPORTS_ITEM, CONTRADICTED, earliest.text, earliest.n)
    if results.unchecked:
        return Item(REPORTS_ITEM, UNCHECKED, results.unchecked[0], None)
    if not results.compared_count:
        return None
    sentence = sentences.REPORT_AGREES if results.compared_count == 1 else sentences.REPORTS_AGREE
    text = sentence.format(number=results.compared_count)
    if results.excused_count:
        text += sentences.REPORTS_EXCUSED.format(number=results.excused_count)
    if results.replacements:
        text += f"; {min(results.replacements).text}"
    if unsigned_count:
        text += sentences.UNSIGNED_EMAILS.format(number=unsigned_count)
    return Item(REPORTS_ITEM, PROVEN, text, None)


def _compare_receipt(path: str, receipt: Receipt, replayed_game: AuditedGame, results: _ReportFindings) -> None:
    """Compare a receipt with the pending orders before the next state, or with the orders that were used
    if these are not known, or a ruling says that they were lost. Add what is found to ``results``.
    """
    n, records = receipt.n + 1, replayed_game.chain.records
    missed_turns = _find_missed_while_away(receipt, replayed_game, results.return_state(receipt))
    results.unchecked += (f"{path}: {text}" for text in missed_turns)
    if not receipt.orders_number or n not in records:
        return  # nothing was accepted, or no state came after it
    for fault in (replayed_game.find_late_orders(receipt), _find_time_bank_fault(receipt, replayed_game)):
        if fault:
            results.contradictions.append(StateFault(fault.n, f"state {fault.n}, by {path}: {fault.text}"))
    pending = replayed_game.pending_before(n, receipt.seat)
    if pending is not None and not were_cleared(n, records):
        _compare_with_pending(path, receipt, pending, replayed_game, results)
    else:
        _compare_with_used_orders(path, receipt, replayed_game, results)


def _compare_with_pending(
    path: str, receipt: Receipt, pending: PendingOrders, replayed_game: AuditedGame, results: _ReportFindings
) -> None:
    """Contradict the game if its pending orders differ from a receipt. List replacements without a receipt."""
    n = receipt.n + 1
    if fault := find_receipt_mismatch(receipt, pending):
        text = sentences.RECEIPT_MISMATCH.format(
            n=n, path=path, seat=receipt.seat, number=receipt.orders_number, fault=fault
        )
        results.contradictions.append(StateFault(n, text))
    first_replacement = (n, find_replacement(receipt, pending))
    for number, newer_nr in (first_replacement, *replayed_game.find_later_replacements(receipt)):
        if newer_nr and not results.has_receipt(receipt.seat, number - 1, newer_nr):
            text = f"in state {number}, {describe_replacement(receipt.orders_number, newer_nr)}"
            results.replacements.append(OrdersNote(number, text))


def _compare_with_used_orders(
    path: str, receipt: Receipt, replayed_game: AuditedGame, results: _ReportFindings
) -> None:
    """Contradict each used order that a receipt forbids. Say why the pending orders could not be compared."""
    n, records = receipt.n + 1, replayed_game.chain.records
    for number, order in replayed_game.list_used_orders(receipt):
        if fault := find_use_fault(receipt, order.played, partial(replayed_game.complete_line, order)):
            line, nr = order.played.line, receipt.orders_number
            text = sentences.RECEIPT_FORBIDS_USE.format(
                n=number, line=line, path=path, seat=receipt.seat, number=nr, fault=fault
            )
            results.contradictions.append(StateFault(number, text))
    if were_cleared(n, records):
        results.excused_count += 1
        results.unchecked += _find_unreported_excuse(path, receipt, records, results.reports)
    elif were_lost(n, records.values()):
        results.unchecked.append(f"{path}: the pending orders before state {n} were lost, as a ruling says")
    else:
        results.unchecked.append(f"{path}: the pending orders before state {n} are not here; an archive has them")


def _find_missed_while_away(receipt: Receipt, replayed_game: AuditedGame, return_number: int) -> Iterator[str]:
    """Yield a sentence about each turn missed on a day on which, by this receipt, the player was away.

    ``return_number`` is the state at which, by another receipt, they were back. This proves no fault:
    perhaps the deadline could not move further, or the referee lost the email about the absence.
    """
    absences = list[Absence]()
    for line in filter(is_absence, accepted_lines_of(receipt)):
        absence = resolve_absence(line, date.fromisoformat(receipt.time[:10])) if line != PRESENT else None
        if absence is None:
            absences = []  # the player is back, or the line means no days
        else:
            absences.append(absence)
    records = replayed_game.chain.records
    for n in range(receipt.n + 1, return_number + 1):
        if not absences or not {n - 1, n} <= records.keys() or not replayed_game.is_same_player(receipt, n):
            return
        was_missed = any(source.for_missed_turn for source in records[n].sources(receipt.seat))
        clock = records[n - 1].clock
        due = clock.for_seat(receipt.seat).deadline
        if was_missed and due > receipt.time:
            local_days = _local_days(epoch_seconds(due), clock.zone)
            if any(absence.first <= day <= absence.last for absence in absences for day in local_days):
                yield sentences.MISSED_WHILE_AWAY.format(seat=receipt.seat, n=n)


def _local_days(due: int, zone: str) -> set[date]:
    """Return the local day of a deadline, or all possible days if this machine does not know the time zone."""
    try:
        return {local_day(due, zone)}
    except BadInput:
        return {local_day(due + hours * HOUR, "") for hours in (-12, 14)}


def _find_unreported_excuse(
    path: str, receipt: Receipt, records: Mapping[int, StateRecord], blocks: Sequence[Block]
) -> Iterator[str]:
    """Yield a sentence if a ruling excuses a receipt, and all later reports to its player leave that ruling out."""
    void_number = next(
        number for number in sorted(records) if number > receipt.n and were_lost(number, [records[number]])
    )
    reports = [block for block in blocks if block.seat == receipt.seat and block.n >= void_number]
    if reports and all(block.first_n > void_number for block in reports):
        yield f"{path}: a ruling in state {void_number} excuses it, and none of these reports tells {receipt.seat} so"


def _find_time_bank_fault(receipt: Receipt, replayed_game: AuditedGame) -> StateFault | None:
    """Return a fault if an answer took more hours from the time bank than its email was late."""
    seat, records = receipt.seat, replayed_game.chain.records
    answers = replayed_game.first_answers(seat)
    index = bisect_left(answers, receipt.n + 1, key=attrgetter("n"))
    if index == len(answers):
        return None
    n, first_order = answers[index]
    if first_order.orders_number != receipt.orders_number or not replayed_game.numbers_continue(receipt, n):
        return None
    old_row = records[n - 1].clock.for_seat(seat)
    if not old_row.deadline:
        return None
    hours_late = max(0, -((epoch_seconds(old_row.deadline) - epoch_seconds(receipt.time)) // HOUR))
    hours_used = old_row.time_bank - records[n].clock.for_seat(seat).time_bank
    if hours_used <= hours_late:
        return None
    return StateFault(n, sentences.TIME_BANK.format(seat=seat, gone=hours_used, used=hours_late))
