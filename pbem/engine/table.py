"""Building blocks for games in which only one seat at a time has a question.

Not allowed here: a rule of one game. A game need not use it: in Night Market several seats
decide at once.
"""

from typing import TYPE_CHECKING, Any, NoReturn, Self, TypeVar, dataclass_transform

from pbem.engine.decision import Question

T = TypeVar("T")
F = TypeVar("F", bound="Facts")

#: ``new_tuple(View, (a, b))`` makes the named tuple ``View(a, b)`` in a quarter of the time. Every
#: field must be given, in the order of the class. Only for the few tuples that every step makes
new_tuple = tuple.__new__


def replace_item(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    items = list(values)
    items[index] = value
    return tuple(items)


@dataclass_transform(kw_only_default=True)
class Facts:
    """Frozen values, all given by name. Two Facts are equal if their classes and values are equal."""

    def __init__(self, **facts: Any) -> None:
        self.__dict__.update(facts)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # positions are compared, but never are keys or members of a set

    if not TYPE_CHECKING:  # hidden from type checkers, which would allow any attribute because of it

        def __setattr__(self, name: str, value: object) -> NoReturn:
            raise AttributeError(f"{name}: a position is frozen; draft() gives a copy to change")

    def but(self, **facts: Any) -> Self:
        """Return a copy with some values replaced."""
        other = self.copied(type(self))
        other.__dict__.update(facts)
        return other

    def copied(self, kind: type[F]) -> F:
        """Return the same facts in another class: a draft of a position, or a draft frozen again."""
        copy = kind.__new__(kind)
        copy.__dict__.update(self.__dict__)
        return copy


class MutableFacts(Facts):
    """Facts that can change while one order is carried out. They never leave ``turn.apply``.

    Reason: an order changes some of the thirty facts several times. Making a new frozen value for
    each change took half the time of a step.
    """

    if not TYPE_CHECKING:
        __setattr__ = object.__setattr__


class SingleQuestionGame:
    """The methods that follow from one open question, ``asked`` in the View's public part."""

    def questions(self, view: Any) -> tuple[Question, ...]:
        questions: tuple[Question, ...] = view.public.asked.questions
        return questions

    def turn(self, view: Any) -> int:
        turns: int = view.public.turns
        return turns

    def round(self, view: Any) -> int:
        turns, seats = view.public.turns, view.public.rules.seats
        return (turns - 1) // len(seats)  # type: ignore[no-any-return]

    def concerns(self, view: Any, name: str) -> bool:
        return any(question.about == name for question in self.questions(view))
