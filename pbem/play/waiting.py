"""Who has to answer a question, as every document of ``--json`` has it.

What must never be here: what the answer may be; a View of one seat.
Law: made of what a state says openly, so for all to read.
Source: docs/JSON.md; ``Game.questions``.
"""

from collections.abc import Iterable

from pbem.chain.state_record import StateRecord
from pbem.engine.decision import Question
from pbem.engine.optional_parts import question_words


def question_in_words(game: object, question: Question) -> str:
    """``marker in S1``; "the game waits for …, for the" stands before it. For all to read."""
    words = question_words(game)
    if question.kind in words:
        return words[question.kind].format(about=question.about)
    return f"{question.kind} in {question.about}" if question.about else question.kind


#: one who has to answer, as every document of ``--json`` has them: seat, player, what, about
AwaitedRow = dict[str, str]


def list_awaited_seats(record: StateRecord, questions: Iterable[Question]) -> tuple[AwaitedRow, ...]:
    """Who has to answer a question of the game. For all to read."""
    return tuple(
        row for question in questions for row in awaited_rows(record, (question.seat,), question.kind, question.about)
    )


def awaited_rows(record: StateRecord, seats: Iterable[str], what: str, about: str = "") -> tuple[AwaitedRow, ...]:
    """Who has to answer; ``what``: the kind of question, ``about``: what it concerns, or ""."""
    question_fields = {"what": what, "about": about}
    return tuple({"seat": seat, "player": record.player(seat).name, **question_fields} for seat in seats)
