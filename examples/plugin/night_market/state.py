"""The whole truth of a Night Market, what all may see of it, and what one seat may see.

What lives here: Public, State, View, all frozen, and the View made of a State.
What must never be here: a rule.
Law: Public holds nothing that a spectator could not see. A View is built field by field: a fact of
State that is not copied by name in ``view_of`` is invisible. Source: NM-10.
"""

from typing import NamedTuple


class Public(NamedTuple):
    """What everybody sees."""

    seats: tuple[str, ...]
    lots: int  #: how many there will be
    dealt: int  #: the link of the deal; it stands in the slots of the goods
    goods: tuple[int, ...]  #: turned up so far, by lot
    sold: tuple[int, ...]  #: the seat each lot went to, -1 where nobody got it
    tokens: tuple[tuple[int, ...], ...]  #: by seat, rising: not opened yet
    slots: tuple[str, ...]  #: by seat: where its bid lies sealed; "" while it has not bid

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
    """The whole truth. Never leaves the moderator. None stands in an imagined State for a hole."""

    public: Public
    goods: tuple[int | None, ...]  #: the whole pile, in the order drawn
    bids: tuple[int | None, ...]  #: by seat: its sealed bid, None where ``slots`` has none


class View(NamedTuple):
    """What one seat may know: all that is public, and its own sealed bid."""

    public: Public
    seat: str | None  #: None: a spectator
    bid: int | None

    @property
    def at(self) -> int:
        """The seat's place; -1 for a spectator."""
        return -1 if self.seat is None else self.public.seats.index(self.seat)


def view_of(state: State, seat: str | None) -> View:
    """The View of one seat, or of a spectator."""
    bid = None if seat is None else state.bids[state.public.seats.index(seat)]
    return View(state.public, seat, bid)
