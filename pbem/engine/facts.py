"""Named facts that belong together and never change: what a game's public position is made of.

What lives here: Facts. What must never be here: a fact of one game.
Why no dataclass: ``dataclasses`` brings in ``inspect``, which is slow to start. Why no named tuple:
an order changes a few of thirty facts several times, and a new tuple each time was half the cost of
a step. So a game makes a draft of its facts, a class of its own that may be changed, and a frozen
value from the draft.
"""

from typing import TYPE_CHECKING, Any, NoReturn, dataclass_transform


@dataclass_transform(kw_only_default=True)
class Facts:
    """Frozen, all given by name; equal to facts of the same class with the same values."""

    def __init__(self, **facts: Any) -> None:
        self.__dict__.update(facts)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # a position is compared, never looked up

    if not TYPE_CHECKING:  # a checker that saw it would let any name be set

        def __setattr__(self, name: str, value: object) -> NoReturn:
            raise AttributeError(f"{name}: a position is frozen; draft() gives a copy to change")
