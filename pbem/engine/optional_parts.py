"""The optional methods of a game, with their defaults.

What must never be here: a rule of one game.
Source: docs/NEW-GAME.md section 10; docs/SPECIFICATION.md section 9.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pbem.engine.row import N_

if TYPE_CHECKING:
    from pbem.engine.decision import Refusal, Soon
    from pbem.engine.game import Game
    from pbem.engine.row import Row
    from pbem.engine.settings import Config

#: why ``when NAME:`` is refused in a game whose questions are about no names
NO_NAME = N_("no question of this game is about a name; write your order under `later:`")


class Plain:
    """Defaults, to inherit from. From ``field_titles`` on, a game may omit the parts instead."""

    def complete(self, view: Any, line: str) -> str:
        return line

    def is_name(self, token: str) -> bool:
        return False

    def concerns(self, view: Any, name: str) -> bool:
        return False

    def why_never(self, view: Any, name: str) -> str:
        return NO_NAME

    def soon(self, view: Any) -> "tuple[Soon, ...]":
        return ()

    def notices(self, config: "Config") -> "tuple[Row, ...]":
        return ()

    def prospects(self, view: Any) -> int:
        return 0

    #: titles of the facts in ``public``, for corrections; without a title pbem shows the key
    field_titles: Mapping[str, str] = {}
    #: names for the words of rows, such as ``colours.*.points``, by their numbers
    field_names: Mapping[str, str] = {}
    #: what others wait for, by kind of question; otherwise pbem shows the kind and its subject
    question_words: Mapping[str, str] = {}

    def slot_words(self, public: Mapping[str, Any], slot: str) -> str:
        """The name of a hidden thing, by its slot; with "" pbem shows the slot itself."""
        return ""

    def piles_now(self, state: Any) -> Mapping[str, Sequence[str]]:
        """All things of each pile, wherever they are now: hidden, turned up, out of the game.

        A correction may not change them. Without this, pbem compares the hidden things of a pile.
        """
        return {}

    def misfit(self, state: Any) -> str:
        """What is impossible on the table, in words and from public facts only; "" if nothing is.

        For example, a second tower, or a card that nobody has played. No order leads to such a
        State, and pbem refuses a correction that would.
        """
        return ""

    def remember(self, state: Any, now: Any) -> Any:
        """Prepare an older ``state`` for going back to it from ``now``.

        It adds what seats have seen since and will remember, as far as the older State has a place
        for it.
        """
        return state

    def round(self, view: Any) -> int:
        """The number of the round. It never decreases. A player may want an email in each."""
        return cast("Game", self).turn(view)

    def too_many(self, view: Any, lines: Sequence[str]) -> bool:
        """Whether the turn certainly has no room for all these orders, whatever others do.

        The first order is for the question that the View's seat has now.
        """
        return False

    def may_ask(self, view: Any, name: str, line: str) -> bool:
        """Whether the View's seat may get a question about ``name`` that this order answers.

        The game decides by what is on the table now.
        """
        return True

    def never(self, view: Any, line: str) -> "Refusal | None":
        """Why the View's seat can give this order (any text) neither now nor later in the game.

        None where it may still become legal, completed or as it is. Only what is certain from this
        View, whatever others do, because the player reads it.
        """
        return None


def _game_or_plain(game: object, part: str) -> Plain:
    return cast("Plain", game) if hasattr(game, part) else Plain()


def slot_words(game: object, public: Mapping[str, Any], slot: str) -> str:
    return _game_or_plain(game, "slot_words").slot_words(public, slot)


def piles_now(game: object, state: Any) -> Mapping[str, Sequence[str]]:
    return _game_or_plain(game, "piles_now").piles_now(state)


def remember(game: object, state: Any, now: Any) -> Any:
    return _game_or_plain(game, "remember").remember(state, now)


def misfit(game: object, state: Any) -> str:
    return _game_or_plain(game, "misfit").misfit(state)


def too_many(game: object, view: Any, lines: Sequence[str]) -> bool:
    return _game_or_plain(game, "too_many").too_many(view, lines)


def may_ask(game: object, view: Any, name: str, line: str) -> bool:
    return _game_or_plain(game, "may_ask").may_ask(view, name, line)


def never(game: object, view: Any, line: str) -> "Refusal | None":
    return _game_or_plain(game, "never").never(view, line)


def round_of(game: "Game", view: Any) -> int:
    """The number of the round; in a game without rounds, that of the turn."""
    return cast("Plain", game).round(view) if hasattr(game, "round") else game.turn(view)


def field_titles(game: object) -> Mapping[str, str]:
    return _game_or_plain(game, "field_titles").field_titles


def field_names(game: object) -> Mapping[str, str]:
    return _game_or_plain(game, "field_names").field_names


def question_words(game: object) -> Mapping[str, str]:
    return _game_or_plain(game, "question_words").question_words
