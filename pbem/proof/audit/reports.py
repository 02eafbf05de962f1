"""What players were told, held against a game that was gone through: their reports and receipts.

What must never be here: what a block must say (proof/verify/inputs.py), files.
Laws: what a receipt says was kept is in the next hand of its seat, used or not, unless newer orders
came or a ruling says that it was lost; what could not be compared is said.
Source: docs/SPECIFICATION.md section 12; decision 0011.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from pbem.chain.clock import HOUR, epoch_seconds
from pbem.chain.next_record import ExecutedOrder
from pbem.chain.seals import commits_to_pending
from pbem.chain.sources import FORCED
from pbem.chain.state_record import StateRecord
from pbem.errors import BadInput, PbemError, Refused
from pbem.notation.absence import PRESENT, Absence, is_absence, resolve_absence
from pbem.play.deadlines.calendar import local_day
from pbem.play.pending_file import parse_committed_value
from pbem.play.pending_orders import PendingOrders
from pbem.proof.audit.audit import CONTRADICTED, PROVEN, UNCHECKED
from pbem.proof.audit.findings import Item, PlayedOrder, Replay
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
    PendingComparison,
    describe_replacement,
    find_group_replacement,
    find_receipt_mismatch,
    find_replacement,
    find_use_fault,
    were_cleared,
    were_lost,
)
from pbem.proof.verify.verify import Chain, check_chain
from pbem.report.block import Block
from pbem.report.receipt_block import Receipt, ReceiptBlock, SignedBlock

REPORTS_ITEM = "told"  #: the item
NEVER = 1 << 40  #: more states than any game has
#: somebody of the game did sign it: a former referee, or the one who acts, with another key
NOT_IN_FORCE = "verify/not-in-force"


class _ReplayedGame:
    """What a game that was gone through shows of its seats; each hand is opened once, since there
    may be thousands of receipts.
    """

    def __init__(self, chain: Chain, replay: Replay | None) -> None:
        self.chain, self.replay = chain, replay
        self._pending: dict[tuple[int, str], PendingOrders | None] = {}
        self._arrivals_by_seat: dict[str, list[tuple[int, int, int]]] = {}
        self._first_answers: dict[str, list[tuple[int, ExecutedOrder]]] = {}

    def numbers_continue(self, receipt: Receipt, n: int) -> bool:
        """Whether the numbers of a seat go on until state ``n``: no ruling made its orders void."""
        player_now, player_then = (self.chain.records[number].player(receipt.seat) for number in (n, receipt.n))
        return (player_now.orders_since, player_now.key) == (player_then.orders_since, player_then.key)

    def is_same_player(self, receipt: Receipt, n: int) -> bool:
        """Whether who wrote at state ``said.n`` still plays at ``n``, and nothing was lost."""
        player_now, player_then = (self.chain.records[number].player(receipt.seat) for number in (n, receipt.n))
        was_lost = were_lost(n, [self.chain.records[n]])
        return (player_now.name, player_now.key) == (player_then.name, player_then.key) and not was_lost

    def pending_before(self, n: int, seat: str) -> PendingOrders | None:
        """What waited before a state, as it commits to it; None where nobody can open it."""
        if (n, seat) not in self._pending:
            self._pending[n, seat] = self._open_pending(n, seat)
        return self._pending[n, seat]

    def _open_pending(self, n: int, seat: str) -> PendingOrders | None:
        replay, state_hash = self.replay, self.chain.state_hashes.get(n - 1)
        if replay is None or replay.pending_values is None or state_hash is None:
            return None
        value = replay.pending_values.get(n, {}).get(seat, "")
        is_committed = commits_to_pending(replay.secret, self.chain.records[n], state_hash, seat, value)
        try:
            return parse_committed_value(value) if is_committed else None
        except ValueError:
            return None

    def find_late_orders(self, receipt: Receipt) -> tuple[int, str] | None:
        """Where orders of a player with a key came into hand after a receipt of their number or of
        a higher one.
        """
        if not self.chain.records[receipt.n].player(receipt.seat).method.key:
            return None
        for n, last_absent, nr in self._list_arrivals(receipt.seat):
            if last_absent > receipt.n and nr <= receipt.orders_number and self.numbers_continue(receipt, n - 1):
                subject = f"orders number {nr} of {receipt.seat} came into hand"
                return n, f"{subject} when number {receipt.orders_number} had been answered"
        return None

    def _list_arrivals(self, seat: str) -> list[tuple[int, int, int]]:
        """The state before which a number was in hand, the last one before which it was not, and
        the number.
        """
        if seat not in self._arrivals_by_seat:
            arrivals, earlier_numbers, previous = list[tuple[int, int, int]](), set[int](), 0
            for n in sorted(self.chain.records):
                if (pending := self.pending_before(n, seat)) is not None:
                    numbers = {group.email_number for group in pending.parts}
                    arrivals += [(n, previous, nr) for nr in sorted(numbers - earlier_numbers) if previous]
                    earlier_numbers, previous = numbers, n
            self._arrivals_by_seat[seat] = arrivals
        return self._arrivals_by_seat[seat]

    def find_later_replacements(self, receipt: Receipt) -> Iterator[tuple[int, int]]:
        """Where orders of its number that a state left waiting are gone before the next one, and
        the number of what took their place, if nobody signed it.
        """
        n = receipt.n + 1
        while self.replay is not None and n in self.replay.past_states and n + 1 in self.chain.records:
            remaining = self.replay.past_states[n].pending.get(receipt.seat)
            own_groups = (
                [group for group in remaining[0].parts if group.email_number == receipt.orders_number]
                if remaining
                else []
            )
            pending = self.pending_before(n := n + 1, receipt.seat)
            if not own_groups or pending is None:
                return
            yield n, max(find_group_replacement(group, pending) for group in own_groups)

    def first_answers(self, seat: str) -> list[tuple[int, ExecutedOrder]]:
        """The first answer of a seat in each state, but for those that the rules force."""
        if seat not in self._first_answers:
            past_states = self.replay.past_states if self.replay is not None else {}
            answers = [
                (n, order.played)
                for n in sorted(past_states)
                for order in past_states[n].orders
                if order.played.seat == seat and order.played.source != FORCED.name
            ]
            self._first_answers[seat] = sorted(dict(reversed(answers)).items())
        return self._first_answers[seat]

    def list_used_orders(self, receipt: Receipt) -> Iterator[tuple[int, PlayedOrder]]:
        """The orders of its seat after a receipt, as long as a ruling says that what waited was
        lost, and its number counts; by the numbers of their states.
        """
        n, replay = receipt.n + 1, self.replay
        while (
            replay is not None
            and n in replay.past_states
            and n in replay.lost_numbers
            and self.numbers_continue(receipt, n)
        ):
            yield from ((n, order) for order in replay.past_states[n].orders if order.played.seat == receipt.seat)
            n += 1

    def complete_line(self, order: PlayedOrder, line: str) -> str:
        """A line of a receipt, by the rules where an order was used; it may be any text."""
        assert self.replay is not None
        game, seat = self.replay.game, order.played.seat
        try:
            return game.complete(game.view(order.state, seat), line)
        except Exception:
            return line


class _ReportFindings:
    """What was found so far."""

    def __init__(self) -> None:
        self.contradictions: list[tuple[int, str]] = []
        self.unchecked: list[str] = []
        self.compared_count = self.excused_count = 0
        self.unsigned_count = 0  #: emails that never have a signed block
        self.blocks: list[Block] = []  #: reports
        self.receipt_ids: set[tuple[str, int, int]] = set()  #: receipts: seat, state, number
        self.returns: list[tuple[str, str, int]] = []  #: who was back: seat, time, state
        self.replacements: list[tuple[int, str]] = []  #: what took the place of others without one

    def return_state(self, receipt: Receipt) -> int:
        """The state at which a player said that they were back, after this receipt; ``NEVER``."""
        later = (n for seat, time, n in self.returns if seat == receipt.seat and time >= receipt.time)
        return min(later, default=NEVER)


class ReportAudit(NamedTuple):
    """The item of an audit; None where nothing was given that counts. By path what counts not."""

    item: Item | None
    refusals: dict[str, PbemError]


NOT_PROOF = Refused(
    "audit/letter",
    "it was changed after it was signed, or is not this referee's: it proves nothing",
    "take it again from the email",
)


def audit_reports(
    raw_states: Mapping[int, bytes], game: str, replay: Replay | None, saved_emails: Sequence[SavedEmail]
) -> ReportAudit:
    """What of this game was given."""
    located_blocks = [(email.path, block) for email in saved_emails for block in email.blocks_of(game)]
    if not located_blocks:
        return ReportAudit(None, {})
    try:
        chain = check_chain(raw_states, None, None)
    except PbemError:
        return ReportAudit(Item(REPORTS_ITEM, UNCHECKED, "the states that they tell of do not hold", None), {})
    located_blocks, refusals = _split_by_signer(located_blocks, chain)
    results, comparison, replayed_game = (_ReportFindings(), PendingComparison(), _ReplayedGame(chain, replay))
    receipts = [block.receipt for _, block in located_blocks if isinstance(block, ReceiptBlock)]
    results.blocks = [block for _, block in located_blocks if isinstance(block, Block)]
    results.receipt_ids = {(receipt.seat, receipt.n, receipt.orders_number) for receipt in receipts}
    results.returns = [
        (receipt.seat, receipt.time, receipt.n) for receipt in receipts if ("kept", PRESENT) in receipt.lines
    ]
    agreeing, registry = set[SignedBlock](), ChainRegistry()
    registry.add_chain("", chain)
    for path, block in located_blocks:
        if block in agreeing:  # once more the same, of which there may be thousands
            results.compared_count += 1
            continue
        try:
            if isinstance(block, ReceiptBlock):
                check_receipt(block, {game: chain}, None)
                _check_receipt(path, block.receipt, replayed_game, results)
            else:
                check_block(block, {game: chain}, None)
            comparison.compare_blocks(path, {game: chain}, block)
            agreeing.add(block)
        except PbemError as error:
            refusal = registry.explain_refusal(path, block, error)
            if refusal.code in OFF_CHAIN:
                results.unchecked.append(f"{path}: {refusal.message}")
            else:
                results.contradictions.append((block.n, f"state {block.n}, {path}: {refusal.message}"))
        results.compared_count += 1
    results.unsigned_count = sum(email.unread.automatic for email in saved_emails)
    return ReportAudit(_make_item(results), refusals)


LocatedBlock = tuple[str, SignedBlock]


def _split_by_signer(
    located_blocks: list[LocatedBlock], chain: Chain
) -> tuple[list[LocatedBlock], dict[str, PbemError]]:
    """Those that somebody signed who acted then, and by path why not: what anybody may have written
    must change nothing, not even by being there.
    """
    refusal_by_block = dict[SignedBlock, PbemError]()
    for block in dict.fromkeys(block for _, block in located_blocks):
        try:
            check_signature(describe_block(block), NOT_PROOF.code, block, None)
            check_in_force(describe_block(block), block, chain)
        except PbemError as error:
            refusal_by_block[block] = error if error.code == NOT_IN_FORCE else NOT_PROOF
    refusals = {path: refusal_by_block[block] for path, block in located_blocks if block in refusal_by_block}
    return [(path, block) for path, block in located_blocks if block not in refusal_by_block], refusals


def _make_item(results: _ReportFindings) -> Item | None:
    if results.contradictions:
        n, text = min(results.contradictions)
        return Item(REPORTS_ITEM, CONTRADICTED, text, n)
    if results.unchecked:
        return Item(REPORTS_ITEM, UNCHECKED, results.unchecked[0], None)
    if not results.compared_count:
        return None
    count_text = f"{results.compared_count} report{'s' * (results.compared_count > 1)} or receipts"
    exceptions = f", but for {results.excused_count} of orders that a ruling says were lost" * bool(
        results.excused_count
    )
    exceptions += "".join(f"; {text}" for _, text in sorted(set(results.replacements))[:1])
    exceptions += f"; emails given of a kind that has no signed block: {results.unsigned_count}" * bool(
        results.unsigned_count
    )
    return Item(REPORTS_ITEM, PROVEN, f"{count_text}: what waited, and came, is as they say{exceptions}", None)


def _check_receipt(path: str, receipt: Receipt, replayed_game: _ReplayedGame, results: _ReportFindings) -> None:
    """What a receipt says was kept, against what its seat had waiting before the next state, or
    where a ruling says that this was lost, against what was used till then.
    """
    n, records = receipt.n + 1, replayed_game.chain.records
    results.unchecked += (
        f"{path}: {message}"
        for message in _find_missed_while_away(receipt, replayed_game, results.return_state(receipt))
    )
    claim = f"{path} says what {receipt.seat} sent as orders number {receipt.orders_number}"
    if not receipt.orders_number or n not in records:
        return  # nothing was kept, or nothing came after it
    faults = (replayed_game.find_late_orders(receipt), _find_time_bank_fault(receipt, replayed_game))
    results.contradictions += [
        (number, f"state {number}, by {path}: {message}") for number, message in filter(None, faults)
    ]
    pending = replayed_game.pending_before(n, receipt.seat)
    if pending is not None and not were_cleared(n, records):
        if fault := find_receipt_mismatch(receipt, pending):
            message = f"among the orders waiting then: {claim}: {fault}"
            results.contradictions.append((n, f"state {n}, {message}"))
        for number, newer_nr in (
            (n, find_replacement(receipt, pending)),
            *replayed_game.find_later_replacements(receipt),
        ):
            if newer_nr and (receipt.seat, number - 1, newer_nr) not in results.receipt_ids:
                results.replacements.append(
                    (number, f"in state {number}, {describe_replacement(receipt.orders_number, newer_nr)}")
                )
        return
    for number, order in replayed_game.list_used_orders(receipt):
        if fault := find_use_fault(receipt, order.played, partial(replayed_game.complete_line, order)):
            message = f"`{order.played.line}` of {receipt.seat} was used: {claim}: it {fault}"
            results.contradictions.append((number, f"state {number}, {message}"))
    if were_cleared(n, records):
        results.excused_count += 1
        results.unchecked += _find_unreported_excuse(path, receipt, records, results.blocks)
    elif were_lost(n, records.values()):
        results.unchecked.append(f"{path}: what waited before state {n} was lost, as a ruling says")
    else:
        results.unchecked.append(f"{path}: what waited before state {n} is not here; an archive has it")


def _find_missed_while_away(receipt: Receipt, replayed_game: _ReplayedGame, return_number: int) -> Iterator[str]:
    """That a turn was missed which was due on days on which its player, by this receipt, was away;
    ``return_number``: the state from which on they were there, by another. Whether the deadline could move,
    and whether the desk still had these days, nothing tells.
    """
    absences = list[Absence]()
    for line in (line for verdict, line in receipt.lines if verdict == "kept" and is_absence(line)):
        away_days = resolve_absence(line, date.fromisoformat(receipt.time[:10])) if line != PRESENT else None
        absences = [*absences, away_days] if away_days else []
    records, n = replayed_game.chain.records, receipt.n + 1
    while (
        absences
        and n in records
        and n - 1 in records
        and n <= return_number
        and replayed_game.is_same_player(receipt, n)
    ):
        was_missed = any(source.for_missed_turn for source in records[n].sources(receipt.seat))
        clock = records[n - 1].clock
        due = clock.for_seat(receipt.seat).deadline
        if was_missed and due > receipt.time:
            local_days = _local_days(epoch_seconds(due), clock.zone)
            if any(absence.first <= day <= absence.last for absence in absences for day in local_days):
                reason = "was due on a day on which its player was away"
                yield f"the turn of {receipt.seat} that was missed in state {n} {reason}"
        n += 1


def _local_days(due: int, zone: str) -> set[date]:
    """The day of a deadline; where this machine does not know its zone, those that it may be."""
    try:
        return {local_day(due, zone)}
    except BadInput:
        return {local_day(due + hours * HOUR, "") for hours in (-12, 14)}


def _find_unreported_excuse(
    path: str, receipt: Receipt, records: Mapping[int, StateRecord], blocks: Sequence[Block]
) -> Iterator[str]:
    """That a ruling excuses what became of a receipt, and its player's reports, which tell of what
    came after that ruling, pass over it.
    """
    void_number = next(
        number for number in sorted(records) if number > receipt.n and were_lost(number, [records[number]])
    )
    reports = [block for block in blocks if block.seat == receipt.seat and block.n >= void_number]
    if reports and all(block.first_n > void_number for block in reports):
        yield (f"{path}: a ruling of state {void_number} excuses it, and no report given tells {receipt.seat} so")


def _find_time_bank_fault(receipt: Receipt, replayed_game: _ReplayedGame) -> tuple[int, str] | None:
    """What is wrong with the reserve of a seat whose answer came with this receipt, and where: it
    counts when an email came, and not when the referee played it.
    """
    seat, records = receipt.seat, replayed_game.chain.records
    answers = replayed_game.first_answers(seat)
    index = bisect_left(answers, receipt.n + 1, key=itemgetter(0))
    if index == len(answers):
        return None
    n, first_order = answers[index]
    if first_order.orders_number != receipt.orders_number or not replayed_game.numbers_continue(receipt, n):
        return None
    old_row = records[n - 1].clock.for_seat(seat)
    hours_late = (
        max(0, -((epoch_seconds(old_row.deadline) - epoch_seconds(receipt.time)) // HOUR)) if old_row.deadline else 0
    )
    hours_used = old_row.time_bank - records[n].clock.for_seat(seat).time_bank
    message = f"{hours_used} hours of the reserve of {seat} are gone, and {hours_late} were used"
    return (n, message) if hours_used > hours_late and old_row.deadline else None
