"""The question now open, worked out once, when it comes up.

What lives here: Asked, a value. What must never be here: a rule. It is derived from what all see,
so a state file does not hold it: the codec works it out again.
"""

from typing import NamedTuple

from pbem.engine.decision import Question


class Asked(NamedTuple):
    """Who has to choose what. All can see it; which cards a seat could play stands in its View."""

    seat: int  #: the seat that has to choose, -1 when the game is over
    questions: tuple[Question, ...]
    lines: tuple[str, ...]  #: the legal orders, when a marker is to be taken


NOBODY = Asked(-1, (), ())
