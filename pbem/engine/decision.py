"""What a seat is asked, and what became of its answer.

What lives here: Question, Soon, Refusal, Outcome, Step: the small values that pass between a game
and the moderator. What must never be here: a rule of one game.
Source: docs/DESIGN.md "Words".
"""

from typing import Any, NamedTuple

from pbem.engine.event import Event
from pbem.engine.row import Row, Sentence
from pbem.errors import BadInput

MOST = 999_999_999
LONGEST = len(str(-MOST))


def whole(value: Any, most: int = MOST, least: int = 0) -> int:
    """A whole number from ``least`` to ``most``, or its text; ValueError for anything else."""
    if isinstance(value, str):
        number = int(value) if len(value) <= LONGEST else most + 1
        if str(number) != value:
            raise ValueError("number")
    else:
        number = value if isinstance(value, int) and not isinstance(value, bool) else least - 1
    if not least <= number <= most:
        raise ValueError("number")
    return number


class Question(NamedTuple):
    """A seat has to choose. Everything in it is public.

    ``kind`` names the sort of choice, ``about`` what it concerns (a province, say, or ""),
    ``ruling`` where it comes from. ``forced`` is true when *everybody* can see that one order alone
    is legal (R-1): only then may the moderator answer it himself, for else the answering would tell
    something.
    """

    seat: str
    kind: str
    about: str
    ruling: str
    forced: bool


class Refusal(NamedTuple):
    """Why an order cannot be taken, for its player, with the ruling that says so."""

    ruling: str
    sentence: Sentence  #: its words are ``str(refusal.sentence)``

    def error(self, line: str) -> BadInput:
        """The error of a game that is to carry out this line."""
        text = f"{line!r} is not legal: {self.sentence}"
        return BadInput("order/illegal", text, f"see {self.ruling}")


class Soon(NamedTuple):
    """A question that a seat may come to be asked, and how it may answer before it is.

    ``name`` is what the question would be about (for ``when NAME:``), ``row`` says what may come
    (``soon_KIND``), ``order`` is an answer that is legal then, as far as anybody can tell.
    """

    name: str
    row: Row
    order: str


class Outcome(NamedTuple):
    """How a game ended: points by seat, the seats that won, the ruling that ended it."""

    scores: tuple[tuple[str, int], ...]
    winners: tuple[str, ...]
    ended_by: str


class Step(NamedTuple):
    """What an order led to: the next State and the events in between."""

    state: Any
    events: tuple[Event, ...]
