"""What a game need not write: what it says nothing in, and what it may offer besides ``Game``.

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

#: why ``when NAME:`` is refused where no question is about a name
NO_NAME = N_("no question of this game is about a name; write your order under `later:`")


class Plain:
    """A game that has nothing to say of all this. The second half may be missing altogether."""

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

    #: what a fact of ``public`` is called where it is corrected; without a title its key is shown
    field_titles: Mapping[str, str] = {}
    #: names for the words of rows, such as ``colours.*.points``, by their numbers
    field_names: Mapping[str, str] = {}
    #: what others wait for, by the kind of a question; else the kind and what it is about are shown
    question_words: Mapping[str, str] = {}

    def slot_words(self, public: Mapping[str, Any], slot: str) -> str:
        """A hidden thing in words, by its slot; "" where it has none: then the slot is shown."""
        return ""

    def piles_now(self, state: Any) -> Mapping[str, Sequence[str]]:
        """By pile all its things, wherever they are by now: hidden, turned up, out of the game.

        No correction makes others of them. Without it, what is hidden of a pile is compared.
        """
        return {}

    def misfit(self, state: Any) -> str:
        """What on the table cannot be, in words of public facts alone; "" if all can.

        One tower too many, say, or a card that nobody has played. No position of play has one; a
        correction that would make one is refused.
        """
        return ""

    def remember(self, state: Any, now: Any) -> Any:
        """An older ``state`` to which the game goes back from ``now``: what seats have seen since
        they go on knowing, as far as that state has a place for it.
        """
        return state

    def round(self, view: Any) -> int:
        """The number of the round, which never falls: a player may want an email in each."""
        return cast("Game", self).turn(view)

    def too_many(self, view: Any, lines: Sequence[str]) -> bool:
        """Whether these orders, the first for the question now put to the View's seat, are more
        than the turn has room for, whatever others do. Only what is certain.
        """
        return False

    def may_ask(self, view: Any, name: str, line: str) -> bool:
        """Whether, by what lies there now, a question about ``name`` that this order answers may
        come to the View's seat.
        """
        return True

    def never(self, view: Any, line: str) -> "Refusal | None":
        """Why the View's seat can give this order, any text, neither now nor later in the game.

        None where it may be legal yet, completed or as it is. Only what is certain, whatever others
        do, and only by this View: a player is told.
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
    """Of a game that does not say what a round is, each turn is one."""
    return cast("Plain", game).round(view) if hasattr(game, "round") else game.turn(view)


def field_titles(game: object) -> Mapping[str, str]:
    return _game_or_plain(game, "field_titles").field_titles


def field_names(game: object) -> Mapping[str, str]:
    return _game_or_plain(game, "field_names").field_names


def question_words(game: object) -> Mapping[str, str]:
    return _game_or_plain(game, "question_words").question_words
