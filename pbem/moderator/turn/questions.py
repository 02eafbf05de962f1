"""What a seat is asked, in a few words, for whoever waits for it.

What lives here: ``asked_words``. What must never be here: the question in full, which its seat
alone reads; the words of one game (it may bring its own, ``question_words``, by the kind).
"""

from collections.abc import Mapping

from pbem.engine.decision import Question


def question_words(game: object, question: Question) -> str:
    """``marker in S1``; "the game waits for …, for the" stands before it. For all to read."""
    words: Mapping[str, str] = getattr(game, "question_words", {})
    if question.kind in words:
        return words[question.kind].format(about=question.about)
    return f"{question.kind} in {question.about}" if question.about else question.kind
