"""The optional methods of a game, with their defaults, and functions that call them on any game.

Not allowed here: a rule of one game.
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
    """Defaults for a game to inherit. A game that does not may still omit ``field_titles`` and what follows it."""

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

    #: titles of the facts in ``public``, which a referee reads when they correct a position. Without a
    #: title pbem shows the key
    field_titles: Mapping[str, str] = {}
    #: names for the words of rows, such as ``colours.*.points``, by their numbers
    field_names: Mapping[str, str] = {}
    #: by kind of question, what others read while they wait; otherwise pbem shows kind and subject
    question_words: Mapping[str, str] = {}

    def slot_words(self, public: Mapping[str, Any], slot: str) -> str:
        """Return the name of a hidden thing, by its slot; with "" pbem shows the slot itself."""
        return ""

    def piles_now(self, state: Any) -> Mapping[str, Sequence[str]]:
        """Return all things of each pile, wherever they are now: hidden, turned up, out of the game.

        A correction may not change what a pile consists of. Where a game does not say, pbem compares
        only the things of a pile that are hidden.
        """
        return {}

    def misfit(self, state: Any) -> str:
        """Return a sentence about something impossible on the table; "" if all is possible.

        For example, a second tower, or a card that nobody has played. The sentence uses public facts
        only. No order leads to such a State, and pbem refuses a correction that leads to one.
        """
        return ""

    def remember(self, state: Any, now: Any) -> Any:
        """Return an older ``state`` with what seats have seen since, for going back to it from ``now``.

        Players remember what they saw. The State records it as far as it has a place for it.
        """
        return state

    def round(self, view: Any) -> int:
        """Return the number of the round, which never decreases. Players can ask for an email per round."""
        return cast("Game", self).turn(view)

    def too_many(self, view: Any, lines: Sequence[str]) -> bool:
        """Return whether these are certainly too many orders for one turn, whatever others do.

        The first order is for the question that the View's seat has now.
        """
        return False

    def may_ask(self, view: Any, name: str, line: str) -> bool:
        """Return whether the View's seat may get a question about ``name`` that this order answers.

        The answer depends on what is on the table now.
        """
        return True

    def never(self, view: Any, line: str) -> "Refusal | None":
        """Return why the View's seat can give this order neither now nor later in the game.

        ``line`` is any text. Return None if it may still become legal, as it is or completed. The
        player reads the reason, so it must be certain from this View, whatever others do.
        """
        return None


def _game_or_plain(game: object, part: str) -> Plain:
    """Return the game if it has this part, else the defaults."""
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
    """Return the number of the round; in a game without rounds, that of the turn."""
    return cast("Plain", game).round(view) if hasattr(game, "round") else game.turn(view)


def field_titles(game: object) -> Mapping[str, str]:
    return _game_or_plain(game, "field_titles").field_titles


def field_names(game: object) -> Mapping[str, str]:
    return _game_or_plain(game, "field_names").field_names


def question_words(game: object) -> Mapping[str, str]:
    return _game_or_plain(game, "question_words").question_words
