"""List the seats that have to answer a question, in the form of every document of ``--json``.

Not allowed here: the possible answers; the View of one seat.
Source: docs/json.schema.json; ``Game.questions``.
"""

from collections.abc import Iterable

from pbem.chain.state_record import StateRecord
from pbem.engine.decision import Question
from pbem.engine.optional_parts import question_words


def question_in_words(game: object, question: Question) -> str:
    """Return a question in words, to put after "the game waits for …, for the": ``marker in S1``. Public."""
    words = question_words(game)
    if question.kind in words:
        return words[question.kind].format(about=question.about)
    return f"{question.kind} in {question.about}" if question.about else question.kind


#: a seat that has to answer, with the keys seat, player, what, about
AwaitedRow = dict[str, str]


def list_awaited_seats(record: StateRecord, questions: Iterable[Question]) -> tuple[AwaitedRow, ...]:
    """Return a row for each seat that has to answer one of these questions. Public."""
    return tuple(
        row for question in questions for row in awaited_rows(record, (question.seat,), question.kind, question.about)
    )


def awaited_rows(record: StateRecord, seats: Iterable[str], what: str, about: str = "") -> tuple[AwaitedRow, ...]:
    """Return a row for each of these seats. ``what`` is the kind of question, ``about`` its subject or ""."""
    question_fields = {"what": what, "about": about}
    return tuple({"seat": seat, "player": record.player(seat).name, **question_fields} for seat in seats)
