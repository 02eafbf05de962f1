"""The question now open, worked out once, when it comes up.

What lives here: Possible (what may be placed) and Asked, two values. What must never be here: a
rule. Both are derived from what all see, so a state file does not hold them: the codec works them
out again.
Reason: listing, refusing, ``forced`` and carrying out all need them, in every step; worked out each
time they were a third of the cost of a step.
"""

from typing import NamedTuple

from pbem.engine.decision import Question


class Possible(NamedTuple):
    """The placing orders open now. All are sets: squares, or provinces for ``cards``."""

    walls: int = 0
    cards: int = 0
    doubles: int = 0  #: left squares
    towers: int = 0  #: squares where it reserves one square or none
    choosing: int = 0  #: squares where it could reserve either neighbour (CC-15)
    complete: bool = False  #: a complete action is possible (CC-12)

    def count(self, held: int) -> int:
        """How many orders these are, with ``held`` cards in hand."""
        return (
            self.walls.bit_count()
            + held * self.cards.bit_count()
            + self.doubles.bit_count()
            + self.towers.bit_count()
            + 2 * self.choosing.bit_count()
        )


NOTHING_TO_PLACE = Possible()


class Asked(NamedTuple):
    """Who has to choose what. All can see it; which cards a seat could lay stands in its View."""

    seat: int  #: the seat that has to choose, -1 when the game is over
    questions: tuple[Question, ...]
    can: Possible  #: what may be placed, when an action is asked for
    lines: tuple[str, ...]  #: the legal orders, when a card or a board is asked about


NOBODY = Asked(-1, (), NOTHING_TO_PLACE, ())
