"""What an audited game shows about a seat: its pending orders, when they came, how they were used.

Not allowed here: reports; what a receipt must say (proof/verify/pending_orders.py).
Source: docs/SPECIFICATION.md section 12; decision 0011.
"""

from collections.abc import Iterator
from typing import NamedTuple

from pbem.chain.next_record import ExecutedOrder
from pbem.chain.seals import commits_to_pending
from pbem.chain.sources import FORCED
from pbem.play.pending_file import parse_committed_value
from pbem.play.pending_orders import PendingOrders
from pbem.proof.audit import sentences
from pbem.proof.audit.findings import PlayedOrder, Replay
from pbem.proof.verify.pending_orders import find_group_replacement, were_lost
from pbem.proof.verify.verify import Chain
from pbem.report.receipt_block import Receipt


class Arrival(NamedTuple):
    """When orders became pending."""

    n: int  #: the first state before which they were pending
    last_absent: int  #: the last state before which they were known not to be pending
    number: int  #: their orders number


class StateFault(NamedTuple):
    """A fault in a state that a receipt shows."""

    n: int
    text: str


class SeatAnswer(NamedTuple):
    """The first order of a seat in a state."""

    n: int
    order: ExecutedOrder


class AuditedGame:
    """The pending orders and answers of an audited game. Results are cached: there may be thousands of receipts."""

    def __init__(self, chain: Chain, replay: Replay | None) -> None:
        self.chain, self.replay = chain, replay
        self._pending: dict[tuple[int, str], PendingOrders | None] = {}
        self._arrivals_by_seat: dict[str, list[Arrival]] = {}
        self._first_answers: dict[str, list[SeatAnswer]] = {}

    def numbers_continue(self, receipt: Receipt, n: int) -> bool:
        """Return whether the seat's orders numbers go on until state ``n``: a new key or a ruling starts them again."""
        player_now, player_then = (self.chain.records[number].player(receipt.seat) for number in (n, receipt.n))
        return (player_now.orders_since, player_now.key) == (player_then.orders_since, player_then.key)

    def is_same_player(self, receipt: Receipt, n: int) -> bool:
        """Return whether the receipt's player still plays at state ``n``, and no ruling there calls orders lost."""
        player_now, player_then = (self.chain.records[number].player(receipt.seat) for number in (n, receipt.n))
        was_lost = were_lost(n, [self.chain.records[n]])
        return (player_now.name, player_now.key) == (player_then.name, player_then.key) and not was_lost

    def pending_before(self, n: int, seat: str) -> PendingOrders | None:
        """Return a seat's pending orders before state ``n``; None if they cannot be opened here."""
        if (n, seat) not in self._pending:
            self._pending[n, seat] = self._open_pending(n, seat)
        return self._pending[n, seat]

    def _open_pending(self, n: int, seat: str) -> PendingOrders | None:
        """Return what ``pending_before`` does, without the cache."""
        replay, state_hash = self.replay, self.chain.state_hashes.get(n - 1)
        if replay is None or replay.pending_values is None or state_hash is None:
            return None
        value = replay.pending_values.get(n, {}).get(seat, "")
        is_committed = commits_to_pending(replay.secret, self.chain.records[n], state_hash, seat, value)
        try:
            return parse_committed_value(value) if is_committed else None
        except ValueError:
            return None

    def find_late_orders(self, receipt: Receipt) -> StateFault | None:
        """Return a fault if signed orders became pending only after a receipt for their number or a higher one."""
        if not self.chain.records[receipt.n].player(receipt.seat).method.key:
            return None
        for n, last_absent, nr in self._list_arrivals(receipt.seat):
            if last_absent > receipt.n and nr <= receipt.orders_number and self.numbers_continue(receipt, n - 1):
                text = sentences.LATE_ORDERS.format(number=nr, seat=receipt.seat, answered=receipt.orders_number)
                return StateFault(n, text)
        return None

    def _list_arrivals(self, seat: str) -> list[Arrival]:
        """Return when each of a seat's orders became pending, as far as two states show it."""
        if seat not in self._arrivals_by_seat:
            arrivals = list[Arrival]()
            earlier_numbers = set[int]()
            previous = 0  # the last state whose pending orders are known; 0 if none is
            for n in sorted(self.chain.records):
                pending = self.pending_before(n, seat)
                if pending is None:
                    continue
                numbers = {group.email_number for group in pending.groups}
                arrivals += [Arrival(n, previous, nr) for nr in sorted(numbers - earlier_numbers) if previous]
                earlier_numbers, previous = numbers, n
            self._arrivals_by_seat[seat] = arrivals
        return self._arrivals_by_seat[seat]

    def find_later_replacements(self, receipt: Receipt) -> Iterator[tuple[int, int]]:
        """Follow a receipt's orders from state to state, as long as they stay pending.

        Yields the number of each next state, and the highest number of the unsigned orders that
        replaced some of them, or 0.
        """
        n = receipt.n + 1
        while self.replay is not None and n in self.replay.past_states and n + 1 in self.chain.records:
            remaining = self.replay.past_states[n].pending.get(receipt.seat)
            groups = remaining.pending.groups if remaining else ()
            own_groups = [group for group in groups if group.email_number == receipt.orders_number]
            n += 1
            pending = self.pending_before(n, receipt.seat)
            if not own_groups or pending is None:
                return
            yield n, max(find_group_replacement(group, pending) for group in own_groups)

    def first_answers(self, seat: str) -> list[SeatAnswer]:
        """Return the first order of a seat in each state. Forced orders, the only legal ones, do not count."""
        if seat not in self._first_answers:
            past_states = self.replay.past_states if self.replay is not None else {}
            answers = dict[int, SeatAnswer]()
            for n in sorted(past_states):
                for order in (order.played for order in past_states[n].orders):
                    if order.seat == seat and order.source != FORCED.name:
                        answers.setdefault(n, SeatAnswer(n, order))
            self._first_answers[seat] = [*answers.values()]
        return self._first_answers[seat]

    def list_used_orders(self, receipt: Receipt) -> Iterator[tuple[int, PlayedOrder]]:
        """Yield the orders of the receipt's seat in the states after it, with the number of each state.

        Stops at the first state whose pending orders no ruling calls lost, or if orders numbers start again.
        """
        if self.replay is None:
            return
        n, past_states = receipt.n + 1, self.replay.past_states
        while n in past_states and n in self.replay.lost_numbers and self.numbers_continue(receipt, n):
            yield from ((n, order) for order in past_states[n].orders if order.played.seat == receipt.seat)
            n += 1

    def complete_line(self, order: PlayedOrder, line: str) -> str:
        """Return a line of a receipt, completed by the rules where ``order`` was used; unchanged if not an order."""
        assert self.replay is not None
        game, seat = self.replay.game, order.played.seat
        try:
            return game.complete(game.view(order.state, seat), line)
        except Exception:  # noqa: BLE001 - what a forger writes must not end an audit
            return line
