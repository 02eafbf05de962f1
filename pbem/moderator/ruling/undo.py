"""What an undo takes back: how far, what seats have seen in it, and who must agree.

What lives here: Undo (a run of links), who learned what from it. What must never be here:
files, votes, a hidden value.
Laws: what an order showed to its own player alone does not bar its undo; what others learned needs
their consent. Who is asked is a function of the public record (P2).
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from collections.abc import Callable
from typing import NamedTuple

from pbem.engine.event import ALL
from pbem.errors import BadInput, Refused
from pbem.moderator.chain.link import Link
from pbem.moderator.chain.position import made_in

FIRST = 2  #: the deal: nothing before it can be gone back to

StateOf = Callable[[int], Link]


class Undo(NamedTuple):
    """An undo: the state it goes back to, and the links whose orders fall, oldest first.

    Where it goes back to a state that an earlier undo took back, orders of older links count
    ``again``.
    """

    to: int
    links: tuple[Link, ...]
    again: tuple[Link, ...] = ()

    @property
    def orders(self) -> list[tuple[str, str]]:
        """(seat, public words) of every order taken back."""
        return [(entry.seat, entry.words) for link in self.links for entry in link.entries]


def undo_to(newest: Link, to: int, state_of: StateOf) -> Undo:
    """The undo that goes back to state ``to``; BadInput ``undo/…``."""
    if not FIRST <= to < newest.n:
        last = newest.n - 1
        if to == FIRST:
            raise Refused("undo/nothing", "nothing was played yet", "there is nothing to undo")
        ways = f"from {FIRST} to {last}" if last > FIRST else f"only to {FIRST}"
        way = f"you can go back {ways}" if last >= FIRST else "nothing was played yet"
        raise BadInput("undo/state", f"there is no state {to} to go back to", way)
    return undo_between(newest, state_of(to), state_of)


def undo_between(newest: Link, target: Link, state_of: StateOf) -> Undo:
    """What falls, and what counts again, on the way from one state to an older one."""
    falls, again = list[Link](), list[Link]()
    late, other = newest, target
    while late.n != other.n:
        if late.n > other.n:
            falls.append(late)
            late = _before(late, state_of)
        else:
            again.append(other)
            other = _before(other, state_of)
    return Undo(target.n, _oldest_first(falls), _oldest_first(again))


def undo_of_link(link: Link, state_of: StateOf) -> Undo:
    """What the undo in a state did; BadInput ``undo/state`` where it goes to no older one."""
    to = _undone_to(link)
    if to is None or not FIRST <= to < link.n - 1:
        raise BadInput("undo/state", f"state {link.n} undoes to what there is not yet")
    return undo_between(state_of(link.n - 1), state_of(to), state_of)


def _oldest_first(links: list[Link]) -> tuple[Link, ...]:
    """Without the undos among them: what these did is in which links are there."""
    return tuple(link for link in reversed(links) if _undone_to(link) is None)


def undo_last(newest: Link, orders: int, state_of: StateOf) -> Undo:
    """The undo that takes back so many orders (and what was saved together with them)."""
    if orders < 1:
        raise BadInput("undo/orders", "at least one order is undone", "--orders 1")
    found, links, link = 0, list[Link](), newest
    while link.n > FIRST:
        links.append(link)
        found += len(link.entries)
        link = _before(link, state_of)
        if found >= orders:
            return Undo(link.n, _oldest_first(links))
    many = f"only {found} order{'s were' if found != 1 else ' was'}" if found else "no orders were"
    raise Refused(
        "undo/nothing", f"{many} played since the deal", "see the reports for what was played"
    )


def _before(link: Link, state_of: StateOf) -> Link:
    """The state that this one was played on from: what an undo took back is passed over."""
    to = _undone_to(link)
    at = link.n - 1 if to is None else to
    if at >= link.n:  # an undo goes back; one that does not is a finding of `verify`
        raise BadInput("undo/state", f"state {link.n} undoes to what there is not yet")
    return state_of(at)


def _undone_to(link: Link) -> int | None:
    return next(
        (int(ruling.operand("to")) for ruling in link.rulings if ruling.name == "undo"), None
    )


def learned_by_others(undo: Undo) -> tuple[str, ...]:
    """The seats that learned something hidden from another player's order; they must agree."""
    found = set()
    for link in undo.links:
        movers = {entry.seat for entry in link.entries}
        for who in (who for event in link.events for who, _ in event.opens):
            if who == ALL:
                alone = movers if len(movers) == 1 else set()
                found |= {*link.setup.seats} - alone
            elif who not in movers:
                found.add(who)
    return tuple(seat for seat in undo.links[-1].setup.seats if seat in found) if found else ()


def shown_to(undo: Undo, seat: str) -> list[tuple[Link, int]]:
    """(link, number of the event) of all that the undone links showed to this seat; what it hid
    there itself, such as a card that it laid down, was no news to it.
    """
    opened = [pair for link in undo.links for event in link.events for pair in event.opens]
    own = {slot for who, slot in opened if who == seat and made_in(slot) > undo.to}
    return [
        (link, at)
        for link in undo.links
        for at, event in enumerate(link.events)
        if any(who in (seat, ALL) and slot not in own for who, slot in event.opens)
    ]
