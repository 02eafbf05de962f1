"""The pending orders that a state commits to: are they there, and do they give its orders?

What must never be here: the rules of picking (``play_out``, the moderator's own).
Laws: what a seat has in hand before a link is what the link before left of it, or came in an email
of a higher number; the orders of a link are those that the hands give, no more and no other. What
nobody can open, as a ruling says, or play again, as of bots, is taken as it stands; all else is
checked all the same.
Source: docs/SPECIFICATION.md sections 9 "Hands" and 12; decision 0011.
"""

from collections.abc import Generator, Iterator
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
from pbem.play.resolution import play_out
from pbem.play.signed_orders import SigningContext, is_genuine_order
from pbem.play.validate_email import MAX_PENDING_ROWS
from pbem.play.validation import are_orders_possible, count_passed_over
from pbem.proof.audit.findings import PlayedOrder, Replay
from pbem.proof.verify.pending_orders import is_order

if TYPE_CHECKING:
    from pbem.engine.game import Game


class RuleFault(str):
    """What is wrong by the rules that are here: those of another version may say otherwise."""

    __slots__ = ()


def find_pending_faults(
    replay: Replay,
    previous: LoadedGame,
    record: StateRecord,
    orders: tuple[PlayedOrder, ...],
    remaining_by_seat: dict[str, tuple[PendingOrders, int] | None],
) -> Iterator[str]:
    """What is wrong with the hands of a link after ``previous``; ``remaining_by_seat``: gets what is left."""
    pending_by_seat, top_numbers = dict[str, PendingOrders](), dict[str, int]()
    for seat, value in open_pending_values(replay, previous, record).items():
        if value is None and record.n not in replay.lost_numbers:
            yield f"the pending orders of {seat} that it commits to are lost, or are others"
        try:
            pending_by_seat |= {seat: parse_committed_value(value)} if value is not None else {}
        except ValueError:
            yield f"the pending orders of {seat} are none that pbem writes"
    pending_by_seat = {} if record.n in replay.cleared_numbers else pending_by_seat
    for seat, pending in pending_by_seat.items():
        yield from _find_group_faults(replay, previous, seat, pending)
        _, previous_top = _remaining_pending(replay, previous, seat) or (PendingOrders(), 0)
        top_numbers[seat] = max([previous_top, *(group.email_number for group in pending.parts)])
    if not record.rulings:
        pending_by_seat = yield from _check_orders(replay, previous, record, orders, pending_by_seat)
    for seat in record.setup.seats:
        is_void = record.rulings and record.player(seat).orders_since == record.n
        key_changed = record.player(seat).key != previous.record.player(seat).key
        remaining = (
            PendingOrders() if is_void else after_new_state(pending_by_seat[seat]) if seat in pending_by_seat else None
        )
        remaining_by_seat[seat] = (
            (remaining, 0 if key_changed else top_numbers.get(seat, 0)) if remaining is not None else None
        )


def _check_orders(
    replay: Replay,
    previous: LoadedGame,
    record: StateRecord,
    orders: tuple[PlayedOrder, ...],
    pending_by_seat: dict[str, PendingOrders],
) -> Generator[str, None, dict[str, PendingOrders]]:
    """What is wrong with the orders of a link, by what waited; what is left of that."""
    missed_seats = (
        frozenset(entry.seat for entry in record.entries if entry.source == DEFAULT.name) & pending_by_seat.keys()
    )
    actual_orders = [order.played for order in orders]
    accepted_orders = [
        order for order in actual_orders if source_of(order.source) is BY_BOT or order.seat not in pending_by_seat
    ]
    resolution = play_out(previous, pending_by_seat, missed_seats, accepted_orders)
    for number, (expected, order) in enumerate(zip(resolution.played_orders, actual_orders, strict=False), 1):
        if expected != order:
            description = f"`{expected.line}` of {expected.seat}, {expected.source}"
            yield RuleFault(f"order {number} is not the one that the pending orders give: {description}")
    if len(resolution.played_orders) != len(orders):
        yield RuleFault(f"it has {len(orders)} orders, and the pending orders give {len(resolution.played_orders)}")
    for seat in pending_by_seat:
        yield from _find_time_bank_fault(replay, previous, record, seat, actual_orders)
    return {seat: pending for seat, pending in resolution.pending_by_seat.items() if seat in pending_by_seat}


def _find_time_bank_fault(
    replay: Replay, previous: LoadedGame, record: StateRecord, seat: str, played: list[ExecutedOrder]
) -> Iterator[str]:
    """Hours that an answer took of the reserve, though it was in hand in the state before."""
    remaining, _ = _remaining_pending(replay, previous, seat) or (PendingOrders(), 0)
    own_orders = (order for order in played if order.seat == seat and order.source != FORCED.name)
    first_order, old_row = next(own_orders, None), previous.record.clock.for_seat(seat)
    if (
        first_order is None
        or not old_row.deadline
        or first_order.orders_number not in {group.email_number for group in remaining.parts}
    ):
        return
    hours_late = max(0, -((epoch_seconds(old_row.deadline) - epoch_seconds(previous.record.time)) // HOUR))
    hours_used = old_row.time_bank - record.clock.for_seat(seat).time_bank
    if hours_used > hours_late:
        yield f"{hours_used} hours of the reserve of {seat} are gone, and {hours_late} were used"


def open_pending_values(replay: Replay, previous: LoadedGame, record: StateRecord) -> dict[str, str | None]:
    """By seat what waited, if it is what the state commits to; None where nobody can open that."""
    values_by_seat = {
        seat: (replay.pending_values or {}).get(record.n, {}).get(seat, "") for seat, _ in record.pending_commitments
    }
    return {
        seat: value if commits_to_pending(replay.secret, record, previous.state_hash, seat, value) else None
        for seat, value in values_by_seat.items()
    }


def _remaining_pending(replay: Replay, previous: LoadedGame, seat: str) -> tuple[PendingOrders, int] | None:
    """What the state before left of a hand, and the highest number so far; None: nobody knows."""
    return replay.past_states[previous.record.n].pending.get(seat, (PendingOrders(), 0))


def _find_group_faults(replay: Replay, previous: LoadedGame, seat: str, pending: PendingOrders) -> Iterator[str]:
    """Each part is what the link before left of it, or came since, in a mail that is here whole."""
    remaining_or_none = _remaining_pending(replay, previous, seat)
    if remaining_or_none is None:
        for group in pending.parts:
            yield from _find_numbering_faults(seat, group)
            yield from _find_signature_faults(replay, previous, seat, group)
        return
    remaining, highest_number = remaining_or_none
    fault_type = str if previous.record.rulings else RuleFault  # a ruling uses nothing up: no rules are needed
    if pending.stopped != remaining.stopped:
        yield fault_type(f"the pending orders of {seat} are not held back as they were left")
    for group in pending.parts:
        yield from _find_numbering_faults(seat, group)
        if group.email_number > highest_number:
            yield from _find_new_group_faults(replay, previous, seat, group)
        elif group not in remaining.parts:
            yield fault_type(f"the pending orders of {seat} are not as they were before")
    if sum(len(group.orders) for group in pending.parts) > MAX_PENDING_ROWS:
        yield f"more orders of {seat} wait than can: at most {MAX_PENDING_ROWS} lines"
    yield from _find_withdrawal_faults(seat, remaining, pending)
    yield from _find_incomplete_faults(replay, previous, seat, pending, highest_number)
    yield from _find_refused_faults(replay, previous, seat, pending)


def _find_numbering_faults(seat: str, group: OrderGroup) -> Iterator[str]:
    """Lines stand as they were numbered, each once; what takes orders back stands in no part."""
    numbers = [row.number for row in group.orders]
    if numbers != sorted(set(numbers)) or any(map(is_withdrawal, group.playable_orders)):
        yield f"the pending orders of {seat} do not stand as they were sent"


def _find_withdrawal_faults(seat: str, remaining: PendingOrders, pending: PendingOrders) -> Iterator[str]:
    """What was taken back is gone, and nothing else that was left and not replaced."""
    newest = _NewestNumbers.from_pending(pending)
    for group in pending.parts:
        if group.playable_orders and newest.withdrawal_number(group.name) > group.email_number:
            yield f"`{group.playable_orders[0].order}` of {seat} was waiting, and had been taken back"
    for old_group in remaining.parts:
        if old_group.name not in newest.by_group and not newest.withdrawal_number(old_group.name):
            yield f"`{old_group.playable_orders[0].order}` of {seat} was waiting, and is gone"


class _NewestNumbers(NamedTuple):
    """The highest numbers in a hand: of each part, of each line that takes some back."""

    by_group: dict[str, int]
    by_withdrawal: dict[str, int]

    @classmethod
    def from_pending(cls, pending: PendingOrders) -> "_NewestNumbers":
        by_group = {group.name: group.email_number for group in pending.parts if not group.is_leftover}
        rest_groups = sorted(
            (group for group in pending.parts if group.is_leftover), key=lambda group: group.email_number
        )
        return cls(by_group, {row.order: group.email_number for group in rest_groups for row in group.orders})

    def withdrawal_number(self, name: str) -> int:
        """Of what takes back this part; 0 where nothing does."""
        lines = (WITHDRAW, f"{WITHDRAW} {name.removeprefix(WHEN)}")
        return max(self.by_withdrawal.get(line, 0) for line in lines)


def _find_incomplete_faults(
    replay: Replay, previous: LoadedGame, seat: str, pending: PendingOrders, highest_number: int
) -> Iterator[str]:
    """A signed mail is taken whole: what is not in hand of it was replaced, taken back or passed
    over by the rules, or it can never be used.
    """
    newest = _NewestNumbers.from_pending(pending)
    for nr, entries in _group_new_emails(pending, highest_number).items():
        numbers = [row.number for row, _ in entries]
        if any(row.signed_count != len(entries) for row, _ in entries) or numbers != [*range(1, len(entries) + 1)]:
            yield f"orders {nr} of {seat} are not whole: some of them are not in hand"
        passed_rows = _find_passed_rows(replay, previous, seat, entries)
        for row in (row for row, group in entries if not group.is_leftover and row in passed_rows):
            yield RuleFault(f"`{row.order}` of {seat} had been played for its player, and waits once more")
        for row in (row for row, group in entries if group.is_leftover and is_order(row.signed_line)):
            name = group_name_of(row.signed_line)
            if max(newest.by_group.get(name, 0), newest.withdrawal_number(name)) > nr or row in passed_rows:
                continue
            if name == NOW or not _is_never_usable(replay, previous, seat, row):
                message = f"`{row.order}` of {seat} came with orders that wait, and was left out"
                yield RuleFault(message)


def _group_new_emails(pending: PendingOrders, highest_number: int) -> dict[int, list[tuple[PendingOrder, OrderGroup]]]:
    """By number all lines of each signed email that came since, in their order."""
    emails = dict[int, list[tuple[PendingOrder, OrderGroup]]]()
    for group in pending.parts:
        if group.email_number > highest_number and group.source == SIGNED.name:
            emails.setdefault(group.email_number, []).extend((row, group) for row in group.orders)
    return {nr: sorted(entries) for nr, entries in emails.items()}


def _find_passed_rows(
    replay: Replay, previous: LoadedGame, seat: str, entries: list[tuple[PendingOrder, OrderGroup]]
) -> list[PendingOrder]:
    """The first of these lines, as far as they only repeat what was done for the seat (R-1) since
    the head that they quote.
    """
    done_lines = list[str]()
    for n in range(previous.record.n, previous.record.player(seat).orders_since, -1):
        own_orders = [order.played for order in replay.past_states[n].orders if order.played.seat == seat]
        forced_orders = list(takewhile(lambda order: order.source == FORCED.name, reversed(own_orders)))
        done_lines = [*(order.line for order in reversed(forced_orders)), *done_lines]
        if len(forced_orders) < len(own_orders):
            break
    current_rows = [row for row, _ in entries if is_order(row.signed_line) and group_name_of(row.signed_line) == NOW]
    quoted_number = _quoted_number(replay, entries[0][1])
    answered_then = (
        dict(replay.past_states[quoted_number].record.answer_counts).get(seat, 0)
        if quoted_number in replay.past_states
        else 0
    )
    answers_since = previous.answered_count(seat) - answered_then
    if answers_since > len(done_lines):
        return []  # the question was answered otherwise
    view, lines = previous.game.view(previous.state, seat), tuple(row.order for row in current_rows)
    lines_since = tuple(done_lines[-answers_since:] if answers_since else ())
    return current_rows[: count_passed_over(previous.game, view, lines_since, tuple(done_lines), lines)]


def _is_never_usable(replay: Replay, previous: LoadedGame, seat: str, row: PendingOrder) -> bool:
    """Its moment is over: its player had it in hand before, and it can be used no more."""
    view, name = previous.game.view(previous.state, seat), group_name_of(row.signed_line)
    return _was_pending(replay, previous, seat, row) and _is_useless(previous.game, view, name, row)


def _was_pending(replay: Replay, previous: LoadedGame, seat: str, row: PendingOrder) -> bool:
    """Whether the state before left its player this line, for the same moment."""
    remaining, _ = _remaining_pending(replay, previous, seat) or (PendingOrders(), 0)
    name = group_name_of(row.signed_line)
    return any(
        group_name_of(other_row.signed_line) == name and other_row.order == row.order
        for group in remaining.parts
        for other_row in group.orders
    )


def _is_useless(game: "Game", view: Any, name: str, row: PendingOrder) -> bool:
    """Whether a line that waits for this can never be used."""
    condition = name.removeprefix(WHEN) if name.startswith(WHEN) else ""
    return bool((condition and game.why_never(view, condition)) or never(game, view, row.order))


def _find_new_group_faults(replay: Replay, previous: LoadedGame, seat: str, group: OrderGroup) -> Iterator[str]:
    """What is wrong with a part that came since the state before: of a seat with a key it is
    signed, line by line, for this part, for a state that is in time.
    """
    game, view = previous.game, previous.game.view(previous.state, seat)
    if group.turn != (game.turn(view) if group.name == NOW else 0):
        yield RuleFault(f"pending orders of {seat} say of themselves what cannot be")
    yield from _find_signature_faults(replay, previous, seat, group)
    if group.name == NOW and _is_settled(replay, previous, seat, group):
        yield f"pending orders of {seat} for now were written for a question that is settled"


def _is_settled(replay: Replay, previous: LoadedGame, seat: str, group: OrderGroup) -> bool:
    """Whether its seat has answered what it was asked when these signed orders were written."""
    quoted_number = _quoted_number(replay, group)
    answers = (
        order.played
        for number in range(quoted_number + 1, previous.record.n + 1)
        for order in replay.past_states[number].orders
    )
    return group.source == SIGNED.name and any(
        played.seat == seat and played.source != FORCED.name for played in answers
    )


def _find_refused_faults(replay: Replay, previous: LoadedGame, seat: str, pending: PendingOrders) -> Iterator[str]:
    """Of an email of a player with a key that was refused nothing waits: one line of it that could
    not be kept, and none is. What came since the state before was read there, by the rules that
    are here.
    """
    remaining, highest_number = _remaining_pending(replay, previous, seat) or (PendingOrders(), 0)
    game, view = previous.game, previous.game.view(previous.state, seat)
    named_lines = [*list_conditional_orders(remaining), *_list_waiting(pending)]
    for entries in _group_new_emails(pending, highest_number).values():
        passed_rows = _find_passed_rows(replay, previous, seat, entries)
        rows = [(row, group) for row, group in entries if is_order(row.signed_line) and row not in passed_rows]
        current_rows = [(row, group) for row, group in rows if group_name_of(row.signed_line) == NOW]
        is_playable = game.legal(view) and are_orders_possible(
            game, view, [row for row, _ in current_rows], named_lines
        )
        refused_rows = [
            row for row, group in current_rows if not is_playable or _is_settled(replay, previous, seat, group)
        ]
        refused_rows += (
            row
            for row, _ in rows
            if (name := group_name_of(row.signed_line)) != NOW
            and _is_useless(game, view, name, row)
            and not _was_pending(replay, previous, seat, row)
        )
        if refused_rows:
            description = f"`{refused_rows[0].order}` of {seat} was sent with pending orders"
            yield RuleFault(f"{description}, and could not be kept")


def _list_waiting(pending: PendingOrders) -> Iterator[ConditionalOrder]:
    """All that waits in a hand for a NAME, and what an email that came later replaced, which may
    have waited when another one was read.
    """
    for group in pending.parts:
        for row in group.orders:
            name = group_name_of(row.signed_line) if group.is_leftover else group.name
            if name.startswith(WHEN):
                yield ConditionalOrder(name.removeprefix(WHEN), row.order)


def _quoted_number(replay: Replay, group: OrderGroup) -> int:
    """The state that a part was written for; -1 where there is none."""
    state_hash = unb64(group.state_hash, 32) if group.state_hash else b""
    return next((n for n, replayed in replay.past_states.items() if replayed.state_hash == state_hash), -1)


def _find_signature_faults(replay: Replay, previous: LoadedGame, seat: str, group: OrderGroup) -> Iterator[str]:
    """What of a part is not its player's own, and of a signed one for a state that is in time."""
    if group.source not in previous.record.player(seat).method.sources:
        yield f"pending orders of {seat} say of themselves what cannot be"
    if group.source != SIGNED.name:
        return
    record, quoted_number = previous.record, _quoted_number(replay, group)
    signed_order = SigningContext(record.game, seat, group.email_number, group.state_hash, record.setup.rules_version)
    key = record.player(seat).key
    for row in group.orders:
        place, signature = ((row.number, row.signed_count), unb64(row.signature, 64) if row.signature else b"")
        is_valid = group.is_leftover or group_name_of(row.signed_line) == group.name
        is_valid = is_valid and bool(signature) and quoted_number >= record.player(seat).orders_since
        if not is_valid or not is_genuine_order(key, signed_order, place, row.signed_line, signature):
            yield f"`{row.order}` among the pending orders of {seat} is not signed for that"
