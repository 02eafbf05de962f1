"""The pending orders that a state commits to: are they there, and do they give the state's orders?

Not allowed here: the rules by which pending orders are played (``play_out`` has them).
Pending orders are not yet played. Those of an email are numbered, and fall into groups: for now, for
later, for when something happens, and leftovers (lines that were replaced or withdrawn).
Laws: a seat's pending orders before a state were left by the state before, or came in an email with a
higher number. The orders of a state are exactly those that the pending orders give.
Source: docs/SPECIFICATION.md sections 9 "Hands" and 12; decision 0011.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.clock import HOUR, epoch_seconds
from pbem.chain.loaded_game import LoadedGame
from pbem.chain.next_record import ExecutedOrder
from pbem.chain.seals import commits_to_pending
from pbem.chain.sources import BY_BOT, DEFAULT, FORCED, SIGNED, source_of
from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import unb64
from pbem.engine.optional_parts import never
from pbem.notation.asks import WITHDRAW
from pbem.play.half_action import ConditionalOrder, list_conditional_orders
from pbem.play.pending_file import parse_committed_value
from pbem.play.pending_orders import (
    NOW,
    WHEN,
    OrderGroup,
    PendingOrder,
    PendingOrders,
    after_new_state,
    group_name_of,
    is_withdrawal,
)
from pbem.play.resolution import Resolution, play_out
from pbem.play.signed_orders import SigningContext, is_genuine_order
from pbem.play.validate_email import MAX_PENDING_ROWS
from pbem.play.validation import are_orders_possible, count_passed_over
from pbem.proof.audit import sentences
from pbem.proof.audit.findings import Contradiction, Fault, RemainingBySeat, RemainingPending, Replay
from pbem.proof.verify.pending_orders import is_order

if TYPE_CHECKING:
    from pbem.engine.game import Game

NOTHING_PENDING = RemainingPending(PendingOrders(), 0)


def _pending_fault(text: str, needs_rules: bool = False) -> Fault:
    return Fault("hands", text, needs_rules)


def replay_pending_orders(
    replay: Replay, previous: LoadedGame, record: StateRecord, orders: Sequence[ExecutedOrder]
) -> RemainingBySeat:
    """Check the pending orders before a state, and return what the state leaves of them, by seat.

    ``previous`` is the game before the state, which carried out ``orders``. Raises the first fault as a Contradiction.
    """

    def refuse_first(faults: Iterable[Fault]) -> None:
        for fault in faults:
            raise Contradiction(fault, record.n)

    pending_by_seat = _parse_pending(replay, previous, record)
    top_numbers = dict[str, int]()
    for seat, pending in pending_by_seat.items():
        refuse_first(_find_group_faults(replay, previous, seat, pending))
        remaining = _remaining_pending(replay, previous, seat) or NOTHING_PENDING
        top_numbers[seat] = max([remaining.highest_number, *(group.email_number for group in pending.groups)])
    if not record.rulings:
        resolution = _play_pending(previous, record, orders, pending_by_seat)
        refuse_first(_find_order_faults(resolution, orders))
        for seat in pending_by_seat:
            refuse_first(_find_time_bank_fault(replay, previous, record, seat, orders))
        pending_by_seat = {seat: resolution.pending_by_seat[seat] for seat in pending_by_seat}
    return {
        seat: _remaining_after(previous, record, seat, pending_by_seat.get(seat), top_numbers.get(seat, 0))
        for seat in record.setup.seats
    }


def _parse_pending(replay: Replay, previous: LoadedGame, record: StateRecord) -> dict[str, PendingOrders]:
    """Return the pending orders before a state, by seat, without those that a ruling says were lost."""
    pending_by_seat = dict[str, PendingOrders]()
    for seat, value in open_pending_values(replay, previous, record).items():
        if value is None:
            if record.n not in replay.lost_numbers:
                text = f"the pending orders of {seat} that it commits to are lost, or are others"
                raise Contradiction(_pending_fault(text), record.n)
            continue
        try:
            pending_by_seat[seat] = parse_committed_value(value)
        except ValueError:
            text = f"the pending orders of {seat} are not as pbem writes them"
            raise Contradiction(_pending_fault(text), record.n) from None
    return {} if record.n in replay.cleared_numbers else pending_by_seat


def _remaining_after(
    previous: LoadedGame, record: StateRecord, seat: str, pending: PendingOrders | None, top_number: int
) -> RemainingPending | None:
    """Return what a state leaves pending for a seat; None if nobody knows."""
    key_has_changed = record.player(seat).key != previous.record.player(seat).key
    highest_number = 0 if key_has_changed else top_number
    if record.rulings and record.player(seat).orders_since == record.n:  # the ruling made them void
        return RemainingPending(PendingOrders(), highest_number)
    return RemainingPending(after_new_state(pending), highest_number) if pending is not None else None


def _play_pending(
    previous: LoadedGame,
    record: StateRecord,
    orders: Sequence[ExecutedOrder],
    pending_by_seat: Mapping[str, PendingOrders],
) -> Resolution:
    """Play the pending orders. Take the orders of bots, and of seats whose pending orders are unknown, as they are."""
    default_seats = frozenset(entry.seat for entry in record.entries if entry.source == DEFAULT.name)
    accepted_orders = [
        order for order in orders if source_of(order.source) is BY_BOT or order.seat not in pending_by_seat
    ]
    return play_out(previous, pending_by_seat, default_seats & pending_by_seat.keys(), accepted_orders)


def _find_order_faults(resolution: Resolution, orders: Sequence[ExecutedOrder]) -> Iterator[Fault]:
    """Yield the orders of a state that are not those that its pending orders give."""
    for number, (expected, order) in enumerate(zip(resolution.played_orders, orders, strict=False), 1):
        if expected != order:
            description = f"`{expected.line}` of {expected.seat}, {expected.source}"
            yield _pending_fault(f"order {number} does not follow from the pending orders: {description}", True)
    if len(resolution.played_orders) != len(orders):
        text = f"it has {len(orders)} orders, and from the pending orders follow {len(resolution.played_orders)}"
        yield _pending_fault(text, True)


def _find_time_bank_fault(
    replay: Replay, previous: LoadedGame, record: StateRecord, seat: str, played: Sequence[ExecutedOrder]
) -> Iterator[Fault]:
    """Yield a fault if an answer, pending before this state, took more hours from its time bank than it was late."""
    remaining = _remaining_pending(replay, previous, seat) or NOTHING_PENDING
    own_orders = (order for order in played if order.seat == seat and order.source != FORCED.name)
    first_order = next(own_orders, None)
    old_row = previous.record.clock.for_seat(seat)
    remaining_numbers = {group.email_number for group in remaining.pending.groups}
    if first_order is None or not old_row.deadline or first_order.orders_number not in remaining_numbers:
        return
    hours_late = max(0, -((epoch_seconds(old_row.deadline) - epoch_seconds(previous.record.time)) // HOUR))
    hours_used = old_row.time_bank - record.clock.for_seat(seat).time_bank
    if hours_used > hours_late:
        yield _pending_fault(sentences.TIME_BANK.format(seat=seat, gone=hours_used, used=hours_late))


def open_pending_values(replay: Replay, previous: LoadedGame, record: StateRecord) -> dict[str, str | None]:
    """Return the text of each seat's pending orders before a state; None if the state does not commit to it."""
    known_values = (replay.pending_values or {}).get(record.n, {})
    values_by_seat = {seat: known_values.get(seat, "") for seat, _ in record.pending_commitments}
    return {
        seat: value if commits_to_pending(replay.secret, record, previous.state_hash, seat, value) else None
        for seat, value in values_by_seat.items()
    }


def _remaining_pending(replay: Replay, previous: LoadedGame, seat: str) -> RemainingPending | None:
    """Return what the state before left pending for a seat; None if nobody knows."""
    return replay.past_states[previous.record.n].pending.get(seat, NOTHING_PENDING)


def _find_group_faults(replay: Replay, previous: LoadedGame, seat: str, pending: PendingOrders) -> Iterator[Fault]:
    """Yield faults unless each group was left by the state before, or came since in an email that is complete here."""
    remaining = _remaining_pending(replay, previous, seat)
    if remaining is None:
        for group in pending.groups:
            yield from _find_numbering_faults(seat, group)
            yield from _find_signature_faults(replay, previous, seat, group)
        return
    needs_rules = not previous.record.rulings  # a ruling uses no orders: no rules are needed to tell
    if pending.stopped_at != remaining.pending.stopped_at:
        yield _pending_fault(f"the pending orders of {seat} are not held back as they were left", needs_rules)
    for group in pending.groups:
        yield from _find_numbering_faults(seat, group)
        if group.email_number > remaining.highest_number:
            yield from _find_new_group_faults(replay, previous, seat, group)
        elif group not in remaining.pending.groups:
            yield _pending_fault(f"the pending orders of {seat} are not as they were before", needs_rules)
    if sum(len(group.orders) for group in pending.groups) > MAX_PENDING_ROWS:
        yield _pending_fault(f"too many orders of {seat} are pending: at most {MAX_PENDING_ROWS} lines can be")
    yield from _find_withdrawal_faults(seat, remaining.pending, pending)
    yield from _find_incomplete_faults(replay, previous, seat, pending, remaining.highest_number)
    yield from _find_refused_faults(replay, previous, seat, pending, remaining)


def _find_numbering_faults(seat: str, group: OrderGroup) -> Iterator[Fault]:
    """Yield a fault unless the lines of a group have rising numbers, and no playable line is a withdrawal."""
    numbers = [row.number for row in group.orders]
    if numbers != sorted(set(numbers)) or any(map(is_withdrawal, group.playable_orders)):
        yield _pending_fault(f"the pending orders of {seat} are not as they were sent")


def _find_withdrawal_faults(seat: str, remaining: PendingOrders, pending: PendingOrders) -> Iterator[Fault]:
    """Yield withdrawn orders that are still pending, and orders that are gone without being replaced or withdrawn."""
    newest = _NewestNumbers.from_pending(pending)
    for group in pending.groups:
        if group.playable_orders and newest.withdrawal_number(group.name) > group.email_number:
            yield _pending_fault(f"`{group.playable_orders[0].order}` of {seat} was pending, and had been withdrawn")
    for old_group in remaining.groups:
        if old_group.name not in newest.by_group and not newest.withdrawal_number(old_group.name):
            yield _pending_fault(f"`{old_group.playable_orders[0].order}` of {seat} was pending, and is gone")


class _NewestNumbers(NamedTuple):
    """The highest email number of each group of orders, and of each line that withdraws orders."""

    by_group: dict[str, int]
    by_withdrawal: dict[str, int]

    @classmethod
    def from_pending(cls, pending: PendingOrders) -> "_NewestNumbers":
        by_group = {group.name: group.email_number for group in pending.groups if not group.is_leftover}
        leftovers = [group for group in pending.groups if group.is_leftover]
        leftovers.sort(key=lambda group: group.email_number)  # of equal lines, the newest counts
        return cls(by_group, {row.order: group.email_number for group in leftovers for row in group.orders})

    def withdrawal_number(self, name: str) -> int:
        """Return the number of the newest email that withdraws this group; 0 if none does."""
        lines = (WITHDRAW, f"{WITHDRAW} {name.removeprefix(WHEN)}")
        return max(self.by_withdrawal.get(line, 0) for line in lines)


def _find_incomplete_faults(
    replay: Replay, previous: LoadedGame, seat: str, pending: PendingOrders, highest_number: int
) -> Iterator[Fault]:
    """Yield lines that are missing from a signed email, which is accepted as a whole. A line may only stop
    being pending if it was replaced, withdrawn or played for the player by the rules, or can never be used.
    """
    newest = _NewestNumbers.from_pending(pending)
    view = previous.game.view(previous.state, seat)
    for nr, email_lines in _group_new_emails(pending, highest_number).items():
        numbers = [line.row.number for line in email_lines]
        has_all_lines = numbers == [*range(1, len(email_lines) + 1)]
        if not has_all_lines or any(line.row.signed_count != len(email_lines) for line in email_lines):
            yield _pending_fault(f"orders {nr} of {seat} are incomplete: some of them are not pending")
        passed_rows = _find_passed_rows(replay, previous, seat, email_lines)
        for row in (row for row, group in email_lines if not group.is_leftover and row in passed_rows):
            yield _pending_fault(f"`{row.order}` of {seat} had been played automatically, and is pending again", True)
        for row in (row for row, group in email_lines if group.is_leftover and is_order(row.signed_line)):
            name = group_name_of(row.signed_line)
            if max(newest.by_group.get(name, 0), newest.withdrawal_number(name)) > nr or row in passed_rows:
                continue
            is_useless = name != NOW and _is_useless(previous.game, view, name, row)
            if not (is_useless and _was_pending(replay, previous, seat, row)):
                yield _pending_fault(f"`{row.order}` of {seat} came with orders that are pending, and is missing", True)


class _EmailLine(NamedTuple):
    """A line of a signed email, and the group of orders that it is in."""

    row: PendingOrder
    group: OrderGroup


def _group_new_emails(pending: PendingOrders, highest_number: int) -> dict[int, list[_EmailLine]]:
    """Return the sorted lines of each signed email with a number above ``highest_number``, by that number."""
    emails = dict[int, list[_EmailLine]]()
    for group in pending.groups:
        if group.email_number > highest_number and group.source == SIGNED.name:
            emails.setdefault(group.email_number, []).extend(_EmailLine(row, group) for row in group.orders)
    return {nr: sorted(email_lines) for nr, email_lines in emails.items()}


def _find_passed_rows(
    replay: Replay, previous: LoadedGame, seat: str, email_lines: list[_EmailLine]
) -> list[PendingOrder]:
    """Return the first lines of an email that only repeat forced orders: those that the rules gave for
    the seat (R-1) since the state that the email quotes.
    """
    forced_lines = _recent_forced_lines(replay, previous, seat)
    current_rows = [
        row for row, _ in email_lines if is_order(row.signed_line) and group_name_of(row.signed_line) == NOW
    ]
    quoted_state = replay.past_states.get(_quoted_number(replay, email_lines[0].group))
    answered_then = dict(quoted_state.record.answer_counts).get(seat, 0) if quoted_state else 0
    answers_since = previous.answered_count(seat) - answered_then
    if answers_since > len(forced_lines):
        return []  # the player answered, or a bot or a default did
    view, lines = previous.game.view(previous.state, seat), tuple(row.order for row in current_rows)
    lines_since = tuple(forced_lines[-answers_since:] if answers_since else ())
    return current_rows[: count_passed_over(previous.game, view, lines_since, tuple(forced_lines), lines)]


def _recent_forced_lines(replay: Replay, previous: LoadedGame, seat: str) -> list[str]:
    """Return the forced orders of a seat since its last order that was not forced, oldest first."""
    forced_lines = list[str]()
    for n in range(previous.record.n, previous.record.player(seat).orders_since, -1):
        own_orders = [order.played for order in replay.past_states[n].orders if order.played.seat == seat]
        forced_orders = list(takewhile(lambda order: order.source == FORCED.name, reversed(own_orders)))
        forced_lines = [*(order.line for order in reversed(forced_orders)), *forced_lines]
        if len(forced_orders) < len(own_orders):
            break
    return forced_lines


def _was_pending(replay: Replay, previous: LoadedGame, seat: str, row: PendingOrder) -> bool:
    """Return whether the state before left this line pending in the same group."""
    remaining = _remaining_pending(replay, previous, seat) or NOTHING_PENDING
    name = group_name_of(row.signed_line)
    return any(
        group_name_of(other_row.signed_line) == name and other_row.order == row.order
        for group in remaining.pending.groups
        for other_row in group.orders
    )


def _is_useless(game: "Game", view: Any, name: str, row: PendingOrder) -> bool:
    """Return whether a line in the group ``name`` can never be used."""
    condition = name.removeprefix(WHEN) if name.startswith(WHEN) else ""
    return bool((condition and game.why_never(view, condition)) or never(game, view, row.order))


def _find_new_group_faults(replay: Replay, previous: LoadedGame, seat: str, group: OrderGroup) -> Iterator[Fault]:
    """Yield faults unless a new group is for the right turn, is signed if need be, and answers no settled question."""
    current_turn = previous.game.turn(previous.game.view(previous.state, seat))
    if group.turn != (current_turn if group.name == NOW else 0):
        yield _pending_fault(f"pending orders of {seat} say of themselves what cannot be", True)
    yield from _find_signature_faults(replay, previous, seat, group)
    if group.name == NOW and _is_settled(replay, previous, seat, group):
        yield _pending_fault(f"pending orders of {seat} for now were written for a question that is settled")


def _is_settled(replay: Replay, previous: LoadedGame, seat: str, group: OrderGroup) -> bool:
    """Return whether the seat has answered, since these signed orders were written, what it was asked then."""
    quoted_number = _quoted_number(replay, group)
    answers = (
        order.played
        for number in range(quoted_number + 1, previous.record.n + 1)
        for order in replay.past_states[number].orders
    )
    return group.source == SIGNED.name and any(
        played.seat == seat and played.source != FORCED.name for played in answers
    )


def _find_refused_faults(
    replay: Replay, previous: LoadedGame, seat: str, pending: PendingOrders, remaining: RemainingPending
) -> Iterator[Fault]:
    """Yield pending lines of signed emails that should have been refused, since one of their lines is not allowed."""
    game, view = previous.game, previous.game.view(previous.state, seat)
    conditional_orders = [*list_conditional_orders(remaining.pending), *_list_conditional(pending)]
    for email_lines in _group_new_emails(pending, remaining.highest_number).values():
        passed_rows = _find_passed_rows(replay, previous, seat, email_lines)
        lines = [line for line in email_lines if is_order(line.row.signed_line) and line.row not in passed_rows]
        current_lines = [line for line in lines if group_name_of(line.row.signed_line) == NOW]
        current_rows = [line.row for line in current_lines]
        is_playable = game.legal(view) and are_orders_possible(game, view, current_rows, conditional_orders)
        refused_rows = [
            row for row, group in current_lines if not is_playable or _is_settled(replay, previous, seat, group)
        ]
        for row in (line.row for line in lines):
            name = group_name_of(row.signed_line)
            if name != NOW and _is_useless(game, view, name, row) and not _was_pending(replay, previous, seat, row):
                refused_rows.append(row)
        if refused_rows:
            text = f"`{refused_rows[0].order}` of {seat} was sent with pending orders, and could not be accepted"
            yield _pending_fault(text, True)


def _list_conditional(pending: PendingOrders) -> Iterator[ConditionalOrder]:
    """Yield the orders with a condition, also those that newer orders replaced: an email may have relied on them."""
    for group in pending.groups:
        for row in group.orders:
            name = group_name_of(row.signed_line) if group.is_leftover else group.name
            if name.startswith(WHEN):
                yield ConditionalOrder(name.removeprefix(WHEN), row.order)


def _quoted_number(replay: Replay, group: OrderGroup) -> int:
    """Return the number of the state for which a group was written; -1 if it is not in this game."""
    state_hash = unb64(group.state_hash, 32) if group.state_hash else b""
    return next((n for n, replayed in replay.past_states.items() if replayed.state_hash == state_hash), -1)


def _find_signature_faults(replay: Replay, previous: LoadedGame, seat: str, group: OrderGroup) -> Iterator[Fault]:
    """Yield faults unless a group came in a way that its player may use. If it is signed, each line must be
    signed for this group, and for a state since which the player's orders count.
    """
    if group.source not in previous.record.player(seat).method.sources:
        yield _pending_fault(f"pending orders of {seat} say of themselves what cannot be")
    if group.source != SIGNED.name:
        return
    record, quoted_number = previous.record, _quoted_number(replay, group)
    signed_order = SigningContext(record.game, seat, group.email_number, group.state_hash, record.setup.rules_version)
    key = record.player(seat).key
    for row in group.orders:
        signature = unb64(row.signature, 64) if row.signature else b""
        is_in_group = group.is_leftover or group_name_of(row.signed_line) == group.name
        is_valid = is_in_group and bool(signature) and quoted_number >= record.player(seat).orders_since
        if not is_valid or not is_genuine_order(
            key, signed_order, (row.number, row.signed_count), row.signed_line, signature
        ):
            yield _pending_fault(f"`{row.order}` among the pending orders of {seat} is not signed for that")
