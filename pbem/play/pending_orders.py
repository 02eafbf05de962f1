"""Store and use pending orders: those that a player has sent and pbem has not used yet.

Only the player and the referee see them. They are in groups: ``now`` for the present turn, ``later`` for any later
question, and ``when NAME`` for a question about NAME, such as a place. A leftover group records what else an email
said. Where only one order is legal, pbem plays it for the player (rule R-1): a forced order.

Not allowed here: another seat's orders; the State; the stored file (pending_file.py).
Source: FORMAT.md "Orders in an email or move file"; R-1; docs/SPECIFICATION.md section 9 "Hands".
"""

from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.sources import REPLIED
from pbem.engine.row import say
from pbem.notation.asks import WITHDRAW
from pbem.play.sentences import DROPPED, LEFT_OVER

if TYPE_CHECKING:
    from pbem.engine.game import Game


class PendingOrder(NamedTuple):
    """One order that is not used yet."""

    number: int  #: in its email
    order: str
    signature: str = ""  #: base64url; "" for an unsigned order
    signed_line: str = ""
    signed_count: int = 0  #: how many lines its email has, if they are signed


class SignedLine(NamedTuple):
    """One order as its player signed it."""

    number: int
    signature: str  #: base64url
    line: str
    signed_count: int = 0  #: how many lines the player signed with it


UNSIGNED = SignedLine(0, "", "")
NOW, LATER, WHEN = "now", "later", "when "  #: names of groups; one that waits for a NAME is called ``when NAME``
LEFTOVER = "rest "  #: followed by the number of an email; see OrderGroup.is_leftover


class OrderGroup(NamedTuple):
    """The orders of one email for now, for later, or for one NAME. A new email replaces all of it."""

    name: str
    orders: tuple[PendingOrder, ...]
    email_number: int = 0
    source: str = REPLIED.name
    state_hash: str = ""  #: of the state that the orders answer (base64url)
    turn: int = 0  #: the turn to which the group ``now`` belongs

    @property
    def playable_orders(self) -> tuple[PendingOrder, ...]:
        """Return the orders that may still be played; () for leftovers."""
        return () if self.is_leftover else self.orders

    @property
    def is_leftover(self) -> bool:
        """Return whether the group only records what else its email said. None of that is played."""
        return self.name.startswith(LEFTOVER)

    @property
    def when(self) -> str:
        """Return the NAME for which the group waits; "" for any other group."""
        return self.name.removeprefix(WHEN) if self.name.startswith(WHEN) else ""


def place_of(order: str) -> str:
    """Return the place of a card order, which is its last word (FORMAT.md "Notation": ``then``)."""
    return order.rsplit(" ", 1)[-1]


def group_name_for(when: str) -> str:
    """Return the name of the group that waits for this NAME; for "", the group ``later``."""
    return f"{WHEN}{when}" if when else LATER


SEVERAL_PROPOSALS = ""  #: in place of an email's id: different orders were proposed at this question


class StopPoint(NamedTuple):
    """The question at which an illegal order was dropped. Orders that were pending then do not answer it."""

    question_number: int
    email_number: int  #: of the newest email that had orders then


class HandledMark(NamedTuple):
    """A digest by which pbem recognises an email that it has handled, and the receipt it had."""

    digest: str
    receipt_number: int


class PendingOrders(NamedTuple):
    """The pending orders of one seat, and how its latest emails were answered."""

    groups: tuple[OrderGroup, ...] = ()  #: now, later, those that wait for a NAME (sorted), leftovers
    newest_email_number: int = 0  #: the highest number of an accepted email
    settled_email_number: int = 0  #: the value of ``newest_email_number`` when the newest state was made
    stopped_at: StopPoint = StopPoint(-1, 0)  #: question -1: no order was dropped at the present question
    forced_orders: tuple[str, ...] = ()  #: played for the seat since its own last answer (R-1)
    notes: tuple[str, ...] = ()  #: what became of its orders in the newest state, for its report
    handled_marks: tuple[HandledMark, ...] = ()  #: newest last
    receipt_count: int = 0
    noted_email_number: int = 0  #: the highest number when pbem last wrote to the player about an unusable order
    newest_receipt: str = ""  #: stored so that it can still be sent if the program is killed
    first_valid_question: int = 0  #: answers to earlier questions became void by a ruling
    newest_signed_number: int = 0  #: the highest number of signed orders that arrived, accepted or not
    answered_count: int = 0  #: of a seat with a key: the number of questions it had answered when this was written
    joining_row: str = ""  #: before the deal: the row of the roster or deal that the seat sent; "" for none
    decline_line: str = ""  #: before the deal: the line in which the player declined
    arrivals: tuple[str, ...] = ()  #: when the orders of each group arrived (email_order.py)
    last_answered_at: str = ""  #: when pbem last answered its player
    report_choice: str = ""  #: which reports the player gets: one of MAILS; "" means the first of MAILS
    held_question: int = 0  #: the question (counted from 1) at which an email is held; 0 for none
    proposal: tuple[str, ...] = ()  #: the orders that pbem proposed, as a player writes them
    #: the emails in which pbem sent the proposal; begins with SEVERAL_PROPOSALS if the proposals differ
    proposal_email_ids: tuple[str, ...] = ()

    def with_held_email(self, question_number: int, proposal: Sequence[str], email_id: str) -> "PendingOrders":
        """Note that an email is held at this question, and what pbem's email ``email_id`` proposes instead."""
        is_same_question = self.held_question == question_number + 1
        has_other_proposal = self.proposal not in ((), tuple(proposal)) or SEVERAL_PROPOSALS in self.proposal_email_ids
        email_ids = (SEVERAL_PROPOSALS, email_id) if is_same_question and has_other_proposal else (email_id,)
        return self._replace(held_question=question_number + 1, proposal=tuple(proposal), proposal_email_ids=email_ids)

    def without_held_email(self) -> "PendingOrders":
        """Return the pending orders with no email held."""
        return self._replace(held_question=0, proposal=(), proposal_email_ids=())

    @property
    def orders(self) -> tuple[PendingOrder, ...]:
        """Return all orders that may still be played, group by group."""
        return tuple(order for group in self.groups for order in group.playable_orders)

    def with_groups(self, groups: Iterable[OrderGroup]) -> "PendingOrders":
        """Put these groups in place of those with the same names. A group without orders disappears."""
        groups_by_name = {group.name: group for group in (*self.groups, *groups)}
        sorted_groups = sorted((group for group in groups_by_name.values() if group.orders), key=_sort_key)
        return self._replace(groups=tuple(sorted_groups))

    def with_email(
        self, groups: Sequence[OrderGroup], leftover: OrderGroup, withdrawn_names: Iterable[str]
    ) -> "PendingOrders":
        """Add the groups of an email, and remove those that it replaces or withdraws.

        A signed email that arrived after the newest state stays recorded until the next state. The
        orders that were replaced or withdrawn move to its leftover group.
        """
        replaced_names = {*withdrawn_names, *(group.name for group in groups)}
        old_groups = [group for group in self.groups if not group.is_leftover and group.name not in replaced_names]
        remaining_groups = [*old_groups, *groups]
        remaining_numbers = {group.email_number for group in remaining_groups}
        needed_leftovers = (
            group
            for group in self._list_leftovers(leftover, replaced_names)
            if group.email_number in remaining_numbers or any(map(is_withdrawal, group.orders))
        )
        without_groups = self._replace(groups=(), newest_email_number=leftover.email_number)
        return without_groups.with_groups([*remaining_groups, *needed_leftovers])

    def _list_leftovers(self, new_leftover: OrderGroup, replaced_names: Container[str]) -> list[OrderGroup]:
        """Return all leftover groups, to which the signed orders that an email replaces are added."""
        leftovers = {group.email_number: group for group in (*self.groups, new_leftover) if group.is_leftover}
        for group in self.groups:
            is_unsettled = group.email_number > self.settled_email_number
            if group.name in replaced_names and is_unsettled and group.orders[0].signed_count:
                empty_leftover = group._replace(name=f"{LEFTOVER}{group.email_number}", orders=(), turn=0)
                old_leftover = leftovers.get(group.email_number, empty_leftover)
                orders = sorted((*old_leftover.orders, *group.orders))
                leftovers[group.email_number] = old_leftover._replace(orders=tuple(orders))
        return list(leftovers.values())

    def with_handled_marks(self, receipt_number: int, *marks: str) -> "PendingOrders":
        """Add the digests of an email that had this receipt, so that pbem recognises the email again."""
        handled_marks = (*self.handled_marks, *(HandledMark(mark, receipt_number) for mark in marks))
        return self._replace(handled_marks=handled_marks[-MAX_HANDLED_MARKS:])

    def without_orders(self, group: OrderGroup, *used_orders: PendingOrder) -> "PendingOrders":
        """Return the pending orders without these orders of a group."""
        remaining_orders = tuple(order for order in group.orders if order not in used_orders)
        return self.with_groups([group._replace(orders=remaining_orders)])


def _sort_key(group: OrderGroup) -> tuple[int, int, str]:
    """Return a key that sorts groups: now, later, those that wait for a NAME, leftovers."""
    if group.is_leftover:
        return 3, group.email_number, ""
    rank = {NOW: 0, LATER: 1}.get(group.name, 2)
    return rank, 0, group.name


def is_withdrawal(order: PendingOrder) -> bool:
    """Return whether a line withdraws orders."""
    return order.order.split(" ")[0] == WITHDRAW


def is_group_withdrawn(group_name: str, commands: Iterable[str]) -> bool:
    """Return whether a command withdraws this group: `withdraw`, or `withdraw AP2` for the group ``when AP2``."""
    withdrawals = (WITHDRAW, f"{WITHDRAW} {group_name.removeprefix(WHEN)}")
    return any(command in withdrawals for command in commands)


MAX_COUNTER = 10**6  #: the highest number of an email, receipt or question
MAX_HANDLED_MARKS = 20  #: digests that pbem remembers; a second copy of an email arrives soon after the first
NOT_STOPPED = PendingOrders().stopped_at


class NextOrder(NamedTuple):
    """The order that answers a question, and where it was pending."""

    order: str  #: in canonical form, with all that the player may omit
    pending_order: PendingOrder
    group: OrderGroup


def pop_next_order(
    pending: PendingOrders, game: "Game", view: Any, question_number: int
) -> tuple[NextOrder | None, PendingOrders]:
    """Find the pending order that answers the question of the View's seat, and remove it.

    Returns the order, or None, and the orders that stay pending. ``question_number`` is the number
    of the seat's question. If the order is illegal, it is dropped, and no other order that is
    pending now may answer this question. Orders that the player sends later may (FORMAT.md "Notation").
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
    """Return the groups that may answer now: first ``now``, then ``when NAME`` for this question, then ``later``."""
    ranks = {NOW: 0, LATER: 2}
    answering_groups = [
        group for group in pending.groups if group.name in ranks or (group.when and game.concerns(view, group.when))
    ]
    return sorted(answering_groups, key=lambda group: ranks.get(group.name, 1))


def drop_old_turn(pending: PendingOrders, turn: int) -> PendingOrders:
    """Drop the orders for now that belong to another turn, and note it for the player's report."""
    for group in pending.groups:
        if group.name == NOW and group.turn != turn:
            pending = pending.without_orders(group, *group.orders)
            if group.playable_orders:
                dropped_lines = ", ".join(f"`{order.order}`" for order in group.playable_orders)
                pending = pending._replace(notes=(*pending.notes, str(say(LEFT_OVER, lines=dropped_lines))))
    return pending


def after_new_state(pending: PendingOrders) -> PendingOrders:
    """Return the pending orders after a new state was signed. Leftovers are dropped, because that state records them.
    The newest receipt is dropped too: it is sent before a state is saved.
    """
    groups = tuple(group for group in pending.groups if not group.is_leftover)
    return pending._replace(groups=groups, newest_receipt="", settled_email_number=pending.newest_email_number)


def count_repeated(forced_orders: tuple[str, ...], orders: tuple[str, ...]) -> int:
    """Count the orders at the beginning that only repeat, in sequence, what pbem played for the seat (R-1)."""
    count = 0
    while count < min(len(orders), len(forced_orders)) and orders[count] == forced_orders[count]:
        count += 1
    return count


def order_of(line: str) -> str:
    """Return the order in a signed line: `wall A5` of `later: wall A5`."""
    group_name = group_name_of(line)
    return line if group_name == NOW else line.removeprefix(f"{group_name}: ")


def group_name_of(line: str) -> str:
    """Return the name of the group to which a signed line belongs: ``when AP2`` of `when AP2: flood -2`."""
    name, colon, _ = line.partition(": ")
    return name if colon and (name == LATER or name.startswith(WHEN)) else NOW


def format_standing_order(order: str, when: str) -> str:
    """Return a standing order as it is signed and shown: `later: wall A5` or `when AP2: flood -2`."""
    return f"{group_name_for(when)}: {order}"


def format_signed_line(group: OrderGroup, order: PendingOrder) -> str:
    """Return a pending order as its player signs it, with ``later: `` or ``when NAME: `` if it is a standing order."""
    return order.order if group.name == NOW else format_standing_order(order.order, group.when)


def format_pending_orders(groups: Iterable[OrderGroup]) -> list[str]:
    """Return the pending orders as lines that the player could send again, with the heading `later:`."""
    lines: list[str] = []
    for group in groups:
        prefix = f"{group.name}: " if group.when else ""
        if group.name == LATER and group.playable_orders:
            lines.append(f"{LATER}:")
        lines += [f"{prefix}{order.order}" for order in group.playable_orders]
    return lines


def list_possible_groups(groups: Iterable[OrderGroup], game: "Game", view: Any) -> list[OrderGroup]:
    """Return the groups whose question may still be asked."""
    return [group for group in groups if not (group.when and game.why_never(view, group.when))]


def list_waiting_lines(pending: PendingOrders) -> list[str]:
    """Return all orders that may still be played, as their player signs them."""
    return [format_signed_line(group, order) for group in pending.groups for order in group.playable_orders]
