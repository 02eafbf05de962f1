"""Building blocks for games in which one seat at a time has a question.

What must never be here: a rule of one game. A game need not use it: in Night Market several seats
decide at once.
"""

from typing import TYPE_CHECKING, Any, NoReturn, Self, TypeVar, dataclass_transform

from pbem.engine.decision import Question

T = TypeVar("T")
F = TypeVar("F", bound="Facts")

#: makes a named tuple from its parts in a quarter of the time that its constructor takes; only for
#: the few that every step makes
new_tuple = tuple.__new__


def replace_item(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    items = list(values)
    items[index] = value
    return tuple(items)


@dataclass_transform(kw_only_default=True)
class Facts:
    """Frozen values, all given by name. Two are equal if class and values are."""

    def __init__(self, **facts: Any) -> None:
        self.__dict__.update(facts)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # a position is compared, never looked up

    if not TYPE_CHECKING:  # a type checker that saw it would allow any name

        def __setattr__(self, name: str, value: object) -> NoReturn:
            raise AttributeError(f"{name}: a position is frozen; draft() gives a copy to change")

    def but(self, **facts: Any) -> Self:
        """A copy with some values replaced."""
        other = self.copied(type(self))
        other.__dict__.update(facts)
        return other

    def copied(self, kind: type[F]) -> F:
        """The same facts in another class: a draft of a position, or a draft frozen again."""
        copy = kind.__new__(kind)
        copy.__dict__.update(self.__dict__)
        return copy


class MutableFacts(Facts):
    """Facts that can change while one order is carried out. They never leave ``turn.apply``.

    Reason: an order changes some of thirty facts several times. A new frozen value for each change
    was half the cost of a step.
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
