"""Orders in hand: what a player has sent and what is not used yet. His secret and the referee's.

What must never be here: another seat's hand; a look at the State; its file (pending_file.py).
Laws: an email replaces the parts that it has lines for, and no other; what is used, kept or dropped
depends on the seat's own View and on its own lines alone.
Source: docs/NOTATION.md "A mail or move file"; R-1; docs/SPECIFICATION.md section 9 "Hands".
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.sources import REPLIED
from pbem.engine.row import say
from pbem.notation.asks import WITHDRAW
from pbem.play.sentences import DROPPED, LEFT_OVER

if TYPE_CHECKING:
    from pbem.engine.game import Game


class PendingOrder(NamedTuple):
    """One line in hand."""

    number: int  #: in its mail
    order: str
    signature: str = ""  #: b64, of the player who signs; then ``signed`` is the line as it was signed
    signed_line: str = ""
    signed_count: int = 0  #: how many lines its mail has, where it is signed


class SignedLine(NamedTuple):
    """The player's own signature of a line: its number, and the line as he signed it."""

    number: int
    signature: str  #: b64
    line: str
    signed_count: int = 0  #: how many lines he signed with it


UNSIGNED = SignedLine(0, "", "")
NOW, LATER, WHEN = "now", "later", "when "  #: names of parts; one that waits is ``when NAME``
LEFTOVER = "rest "  #: and the number of a mail: its lines that are in no part, or in none any more


class OrderGroup(NamedTuple):
    """What one email said for now, for later, or for one NAME: another for that replaces it."""

    name: str
    orders: tuple[PendingOrder, ...]
    email_number: int = 0  #: of the email
    source: str = REPLIED.name
    state_hash: str = ""  #: the head (b64) of the link its lines were written for
    turn: int = 0  #: the turn that the part ``now`` belongs to

    @property
    def playable_orders(self) -> tuple[PendingOrder, ...]:
        """Its unused lines, which may be used."""
        return () if self.is_leftover else self.orders

    @property
    def is_leftover(self) -> bool:
        """What came with a mail, and is not to be used."""
        return self.name.startswith(LEFTOVER)

    @property
    def when(self) -> str:
        """The NAME that it waits for; "" for none."""
        return self.name.removeprefix(WHEN) if self.name.startswith(WHEN) else ""


def place_of(order: str) -> str:
    """Where a card goes: the last name of its order (docs/NOTATION.md: ``then``)."""
    return order.rsplit(" ", 1)[-1]


def group_name_for(when: str) -> str:
    """The part of a line that waits: for this NAME, or ``""``."""
    return f"{WHEN}{when}" if when else LATER


SEVERAL_PROPOSALS = ""  #: more than one thing was proposed at this question


class StopPoint(NamedTuple):
    """At which question an order was dropped, and the newest email that then had orders."""

    question_number: int
    email_number: int


class HandledMark(NamedTuple):
    """A digest by which pbem recognises an email that it has handled, and the receipt it had."""

    digest: str
    receipt_number: int


class PendingOrders(NamedTuple):
    """One seat's orders in hand, and what its last mail was answered with."""

    groups: tuple[OrderGroup, ...] = ()  #: now, later, those that wait for a NAME, sorted; the rests
    newest_email_number: int = 0  #: the highest number of a mail that was taken
    settled_email_number: int = 0  #: and what it was when the newest link was made
    stopped_at: StopPoint = StopPoint(-1, 0)  #: at this question a line was dropped: parts up to nr wait
    forced_orders: tuple[str, ...] = ()  #: forced answers given for the seat since it last answered itself
    notes: tuple[str, ...] = ()  #: what became of its lines in the newest link, for its report
    handled_marks: tuple[HandledMark, ...] = ()  #: newest last
    receipt_count: int = 0
    noted_email_number: int = 0  #: ``nr`` when its player was told last what could not be used, and nothing was
    newest_receipt: str = ""  #: the newest receipt, so that it can be written after a kill
    first_valid_question: int = 0  #: the first question whose answers count after a ruling made older ones void
    newest_signed_number: int = 0  #: the highest number of signed orders that came, kept or refused
    answered_count: int = 0  #: of a seat with a key: its questions answered when this was written
    joining_row: str = ""  #: before the deal: the row of what the seat gave, or opened; "" for none yet
    decline_line: str = ""  #: before the deal: the line by which the player said that he does not play
    arrivals: tuple[str, ...] = ()  #: when what stands in each part came (email_order.py)
    last_answered_at: str = ""  #: when its player was answered last
    report_choice: str = ""  #: which reports its player gets: one of MAILS; "" is the first of them
    held_question: int = 0  #: an email is held at this question of its seat, counted from 1; 0 for none
    proposal: tuple[str, ...] = ()  #: what pbem proposed for it, as a player writes it
    #: the emails of ours that say so, by what each is called; SEVERAL if others said other things
    proposal_email_ids: tuple[str, ...] = ()

    def with_held_email(self, question_number: int, proposal: Sequence[str], email_id: str) -> "PendingOrders":
        """With a held email at this question, and what our ``email_id`` proposes for it."""
        has_other_proposal = self.proposal not in ((), tuple(proposal)) or SEVERAL_PROPOSALS in self.proposal_email_ids
        email_ids = (
            (SEVERAL_PROPOSALS, email_id)
            if has_other_proposal and self.held_question == question_number + 1
            else (email_id,)
        )
        return self._replace(held_question=question_number + 1, proposal=tuple(proposal), proposal_email_ids=email_ids)

    def without_held_email(self) -> "PendingOrders":
        """With no email held."""
        return self._replace(held_question=0, proposal=(), proposal_email_ids=())

    @property
    def orders(self) -> tuple[PendingOrder, ...]:
        """All lines in hand, part by part."""
        return tuple(order for group in self.groups for order in group.playable_orders)

    def with_groups(self, groups: Iterable[OrderGroup]) -> "PendingOrders":
        """These parts in place of those of their names; one without rows is gone."""
        groups_by_name = {group.name: group for group in (*self.groups, *groups)}
        sorted_groups = sorted((group for group in groups_by_name.values() if group.orders), key=_sort_key)
        return self._replace(groups=tuple(sorted_groups))

    def with_email(
        self, groups: Sequence[OrderGroup], leftover: OrderGroup, withdrawn_names: Iterable[str]
    ) -> "PendingOrders":
        """With the parts of a mail, without those of the names that it takes back.

        Of each signed mail that came since the newest link, and says what is in hand, all stays
        until the next: lines that were replaced or taken back lie in its rest.
        """
        replaced_names = {*withdrawn_names, *(group.name for group in groups)}
        leftovers = {group.email_number: group for group in (*self.groups, leftover) if group.is_leftover}
        for group in self.groups:
            if (
                group.name in replaced_names
                and group.email_number > self.settled_email_number
                and group.orders[0].signed_count
            ):
                old_leftover = leftovers.get(
                    group.email_number, group._replace(name=f"{LEFTOVER}{group.email_number}", orders=(), turn=0)
                )
                orders = sorted((*old_leftover.orders, *group.orders))
                leftovers[group.email_number] = old_leftover._replace(orders=tuple(orders))
        remaining_groups = [
            *(group for group in self.groups if not group.is_leftover and group.name not in replaced_names),
            *groups,
        ]
        remaining_numbers = {group.email_number for group in remaining_groups}
        needed_leftovers = (
            group
            for group in leftovers.values()
            if group.email_number in remaining_numbers or any(map(is_withdrawal, group.orders))
        )
        return self._replace(groups=(), newest_email_number=leftover.email_number).with_groups(
            [*remaining_groups, *needed_leftovers]
        )

    def with_handled_marks(self, receipt_number: int, *marks: str) -> "PendingOrders":
        """With these marks of an email, which had this receipt, and is known by them again."""
        handled_marks = (*self.handled_marks, *(HandledMark(mark, receipt_number) for mark in marks))
        return self._replace(handled_marks=handled_marks[-MAX_HANDLED_MARKS:])

    def without_orders(self, group: OrderGroup, *used_orders: PendingOrder) -> "PendingOrders":
        """Without these lines of a part."""
        remaining_orders = tuple(order for order in group.orders if order not in used_orders)
        return self.with_groups([group._replace(orders=remaining_orders)])


def _sort_key(group: OrderGroup) -> tuple[int, int, str]:
    ranks = {NOW: 0, LATER: 1}
    return (3, group.email_number, "") if group.is_leftover else (ranks.get(group.name, 2), 0, group.name)


def is_withdrawal(order: PendingOrder) -> bool:
    """Whether a line is no order, but takes orders back."""
    return order.order.split(" ")[0] == WITHDRAW


def is_group_withdrawn(group_name: str, commands: Iterable[str]) -> bool:
    """Whether one of these takes back the part of this name."""
    return not {WITHDRAW, f"{WITHDRAW} {group_name.removeprefix(WHEN)}"}.isdisjoint(commands)


MAX_COUNTER = 10**6  #: of whatever is counted here
MAX_HANDLED_MARKS = 20  # digests remembered: a mail that comes twice comes soon
NOT_STOPPED = PendingOrders().stopped_at


class NextOrder(NamedTuple):
    """A line that answers a question, as it is carried out, and what it was in hand."""

    order: str
    pending_order: PendingOrder
    group: OrderGroup


def pop_next_order(
    pending: PendingOrders, game: "Game", view: Any, question_number: int
) -> tuple[NextOrder | None, PendingOrders]:
    """The line that answers the question now put to the View's seat (or None), and the hand
    afterwards; what is illegal is dropped.

    ``question_number`` is the seat's question number. A dropped line stops all that was in hand until the
    question is answered: what its player sends then may answer it (docs/NOTATION.md).
    """
    pending = drop_old_turn(pending, game.turn(view))
    for group in list_answering_groups(pending, game, view):
        if pending.stopped_at >= StopPoint(question_number, group.email_number):
            continue
        pending_order = next((order for order in group.playable_orders if game.fits(view, order.order)), None)
        if pending_order is None:
            continue
        order = game.complete(view, pending_order.order)
        refusal = game.check(view, order)
        if refusal is None:
            return NextOrder(order, pending_order, group), pending.without_orders(group, pending_order)
        last_number = max(group.email_number for group in pending.groups)
        pending = pending.without_orders(group, pending_order)
        note = say(DROPPED, line=order, why=refusal.sentence, ruling=refusal.ruling)
        return None, pending._replace(
            stopped_at=StopPoint(question_number, last_number), notes=(*pending.notes, str(note))
        )
    return None, pending


def list_answering_groups(pending: PendingOrders, game: "Game", view: Any) -> list[OrderGroup]:
    """The parts that may answer now, in the order in which they do: what waits for just this before
    what waits for anything.
    """
    ranks = {NOW: 0, LATER: 2}
    answering_groups = [
        group for group in pending.groups if group.name in ranks or (group.when and game.concerns(view, group.when))
    ]
    return sorted(answering_groups, key=lambda group: ranks.get(group.name, 1))


def drop_old_turn(pending: PendingOrders, turn: int) -> PendingOrders:
    """What is left of the part for now lives for one turn only."""
    for group in pending.groups:
        if group.name == NOW and group.turn != turn:
            pending = pending.without_orders(group, *group.orders)
            if group.playable_orders:
                dropped_lines = ", ".join(f"`{order.order}`" for order in group.playable_orders)
                pending = pending._replace(notes=(*pending.notes, str(say(LEFT_OVER, lines=dropped_lines))))
    return pending


def after_new_state(pending: PendingOrders) -> PendingOrders:
    """The hand that a new link leaves. What was withdrawn stands in that link's, for good; the last
    receipt is written, for settling comes before any save.
    """
    groups = tuple(group for group in pending.groups if not group.is_leftover)
    return pending._replace(groups=groups, newest_receipt="", settled_email_number=pending.newest_email_number)


def count_repeated(forced_orders: tuple[str, ...], orders: tuple[str, ...]) -> int:
    """How many of a mail's first lines only repeat, in order, what was done for the seat (R-1)."""
    count = 0
    while count < min(len(orders), len(forced_orders)) and orders[count] == forced_orders[count]:
        count += 1
    return count


def order_of(line: str) -> str:
    """The order itself in a line as it was signed: without what it waits for."""
    group_name = group_name_of(line)
    return line if group_name == NOW else line.removeprefix(f"{group_name}: ")


def group_name_of(line: str) -> str:
    """The part that a line is of, as it was signed."""
    name, colon, _ = line.partition(": ")
    return name if colon and (name == LATER or name.startswith(WHEN)) else NOW


def format_standing_order(order: str, when: str) -> str:
    """A standing order as it is signed and shown."""
    return f"{group_name_for(when)}: {order}"


def format_signed_line(group: OrderGroup, order: PendingOrder) -> str:
    """A line in hand as its player signs it: with what it waits for."""
    return order.order if group.name == NOW else format_standing_order(order.order, group.when)


def format_pending_orders(groups: Iterable[OrderGroup]) -> list[str]:
    """The orders in hand as their player could send them again, `later:` and all."""
    lines: list[str] = []
    for group in groups:
        prefix = f"{group.name}: " if group.when else ""
        lines += [f"{LATER}:"] if group.name == LATER and group.playable_orders else []
        lines += [f"{prefix}{order.order}" for order in group.playable_orders]
    return lines


def list_possible_groups(groups: Iterable[OrderGroup], game: "Game", view: Any) -> list[OrderGroup]:
    """The parts whose moment may still come."""
    return [group for group in groups if not (group.when and game.why_never(view, group.when))]


def list_waiting_lines(pending: PendingOrders) -> list[str]:
    """What waits in it, as it was sent."""
    return [format_signed_line(group, order) for group in pending.groups for order in group.playable_orders]
