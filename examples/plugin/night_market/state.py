"""The State of a market, its public part, and the View of one seat.

Not allowed here: a rule.
Law: Public has nothing that a spectator could not see. A View is built field by field: a fact of
State that is not copied by name in ``view_of`` is invisible. Source: NM-10.
"""

from typing import NamedTuple


class Public(NamedTuple):
    """What everybody sees."""

    seats: tuple[str, ...]
    lots: int  #: the number of lots in the game
    dealt: int  #: the number of the state of the deal, part of the goods' slots
    goods: tuple[int, ...]  #: turned up so far, by lot
    sold: tuple[int, ...]  #: by lot: the seat that bought it, -1 for nobody
    tokens: tuple[tuple[int, ...], ...]  #: by seat: the tokens that it has not used, rising
    slots: tuple[str, ...]  #: by seat: the slot of its sealed bid; "" before it bids

    @property
    def lot(self) -> str:
        """The name of the lot that is up for sale (or would come after the last one)."""
        return f"L{len(self.sold) + 1}"

    @property
    def over(self) -> bool:
        return len(self.sold) == self.lots

    def goods_slot(self, place: int) -> str:
        """The slot of one of the goods, by its place in the pile."""
        return f"{self.dealt}/goods/{place:02d}"


class State(NamedTuple):
    """The whole truth, for the moderator only. Values are None only in an imagined State."""

    public: Public
    goods: tuple[int | None, ...]  #: the whole pile, in the order drawn
    bids: tuple[int | None, ...]  #: by seat: its sealed bid; None before it bids


class View(NamedTuple):
    """What one seat may know: what is public, and its own sealed bid."""

    public: Public
    seat: str | None  #: None: a spectator
    bid: int | None

    @property
    def at(self) -> int:
        """The seat's place at the table; -1 for a spectator."""
        return -1 if self.seat is None else self.public.seats.index(self.seat)


def view_of(state: State, seat: str | None) -> View:
    """The View of one seat, or of a spectator."""
    bid = None if seat is None else state.bids[state.public.seats.index(seat)]
    return View(state.public, seat, bid)
