"""What a game may offer besides ``Game``, each part by itself, and what stands in without it.

What lives here: a small protocol for each part; a function that asks a game for it, or gives what
is said without it. What must never be here: a rule of one game.
Source: docs/NEW-GAME.md section 10; docs/SPECIFICATION.md section 9.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pbem.engine.row import N_

if TYPE_CHECKING:
    from pbem.engine.decision import Refusal, Soon
    from pbem.engine.row import Row
    from pbem.engine.settings import Config


#: why ``when NAME:`` is refused where no question is about a name
NO_NAME = N_("no question of this game is about a name; write your order under `later:`")


class Plain:
    """A part of the protocol for a game to inherit that has nothing to say in it."""

    def complete(self, view: Any, line: str) -> str:  # noqa: ARG002
        return line

    def is_name(self, token: str) -> bool:  # noqa: ARG002
        return False

    def concerns(self, view: Any, name: str) -> bool:  # noqa: ARG002
        return False

    def why_never(self, view: Any, name: str) -> str:  # noqa: ARG002
        return NO_NAME

    def soon(self, view: Any) -> "tuple[Soon, ...]":  # noqa: ARG002
        return ()

    def notices(self, config: "Config") -> "tuple[Row, ...]":  # noqa: ARG002
        return ()

    def prospects(self, view: Any) -> int:  # noqa: ARG002
        return 0


@runtime_checkable
class NamesSlots(Protocol):
    """A game that has words for its hidden things, for what an audit says."""

    def slot_words(self, public: Mapping[str, Any], slot: str) -> str:
        """A hidden thing in words, by its slot; "" where it has none."""


@runtime_checkable
class CountsPiles(Protocol):
    """A game that knows what its piles were made of, so that no correction makes others of them."""

    def piles_now(self, state: Any) -> Mapping[str, Sequence[str]]:
        """By pile all its things, wherever they are by now: hidden, turned up, out of the game."""


@runtime_checkable
class KnowsItsBox(Protocol):
    """A game that can tell what cannot have come out of its box."""

    def misfit(self, state: Any) -> str:
        """What on the table cannot be, in words of public facts alone; "" if all can.

        One tower too many, say, or a card that nobody has played. No position of play has one; a
        correction that would make one is refused.
        """


@runtime_checkable
class KnowsNever(Protocol):
    """A game that can tell an order that can never be legal any more, before it is due."""

    def never(self, view: Any, line: str) -> "Refusal | None":
        """Why the View's seat can give this order, any text, neither now nor later in the game.

        None where it may be legal yet, completed or as it is. Only what is certain, whatever others
        do, and only by this View: a player is told.
        """


@runtime_checkable
class TitlesFields(Protocol):
    """A game that says what a fact of ``public`` is called where it is corrected."""

    @property
    def field_titles(self) -> Mapping[str, str]: ...


@runtime_checkable
class NamesFields(Protocol):
    """A game that names the words of its rows, such as ``colours.*.points``, by their numbers."""

    @property
    def field_names(self) -> Mapping[str, str]: ...


@runtime_checkable
class NamesQuestions(Protocol):
    """A game that says what others wait for, by the kind of a question."""

    @property
    def question_words(self) -> Mapping[str, str]: ...


def slot_words(game: object, public: Mapping[str, Any], slot: str) -> str:
    """The game's words for a slot; "" without any: then the slot's own parts are shown."""
    return game.slot_words(public, slot) if isinstance(game, NamesSlots) else ""


def piles_now(game: object, state: Any) -> Mapping[str, Sequence[str]]:
    """What each pile was made of; without it what is hidden of a pile is compared, and no more."""
    return game.piles_now(state) if isinstance(game, CountsPiles) else {}


def misfit(game: object, state: Any) -> str:
    """What cannot have come out of the box; "" where all can, or the game does not say."""
    return game.misfit(state) if isinstance(game, KnowsItsBox) else ""


def never(game: object, view: Any, line: str) -> "Refusal | None":
    """Why an order can never be legal any more; None where it may be, or the game cannot tell."""
    return game.never(view, line) if isinstance(game, KnowsNever) else None


def field_titles(game: object) -> Mapping[str, str]:
    """Titles of facts; without one the key is shown."""
    return game.field_titles if isinstance(game, TitlesFields) else {}


def field_names(game: object) -> Mapping[str, str]:
    """Names for words of rows; without one they have their numbers alone."""
    return game.field_names if isinstance(game, NamesFields) else {}


def question_words(game: object) -> Mapping[str, str]:
    """Words for questions; without them the kind and what it is about are shown."""
    return game.question_words if isinstance(game, NamesQuestions) else {}
