"""How a game stands, for all to read: the points of each seat, and what it waits for.

What lives here: ``standings``, ``question_in_words`` and ``waits_for``, for reports and for what
the referee's commands print. What must never be here: the question in full, which its seat alone
reads; a rule or the words of one game (engine/optional_parts.py).
Source: ``Game.describe``, ``Game.scores``; GW-33.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.decision import Question
from pbem.engine.optional_parts import question_words
from pbem.moderator.chain.link import Link

if TYPE_CHECKING:
    from pbem.engine.game import Game


class Standing(NamedTuple):
    """What the standing says of one seat."""

    seat: str
    text: str  #: the points, or what is shown in their place
    points: int | None  #: None where the points are not shown


def standings(game: "Game", view: Any) -> tuple[Standing, ...]:
    """A row for each seat, in turn order. Whoever may have the View may see it."""
    instead = game.describe(view).get("standing", {})
    return tuple(
        Standing(seat, instead[seat], None)
        if seat in instead
        else Standing(seat, str(points), points)
        for seat, points in game.scores(view)
    )


def question_in_words(game: object, question: Question) -> str:
    """``marker in S1``; "the game waits for …, for the" stands before it. For all to read."""
    words = question_words(game)
    if question.kind in words:
        return words[question.kind].format(about=question.about)
    return f"{question.kind} in {question.about}" if question.about else question.kind


#: one who has to answer, as every document of ``--json`` has them: seat, player, what, about
Waits = dict[str, str]


def waits_for(link: Link, asked: Iterable[Question]) -> tuple[Waits, ...]:
    """Who has to answer a question of the game. For all to read."""
    return tuple(row for one in asked for row in waits_of(link, (one.seat,), one.kind, one.about))


def waits_of(link: Link, seats: Iterable[str], what: str, about: str = "") -> tuple[Waits, ...]:
    """Who has to answer; ``what``: the kind of question, ``about``: what it concerns, or ""."""
    return tuple(
        {"seat": seat, "player": link.player(seat).name, "what": what, "about": about}
        for seat in seats
    )
