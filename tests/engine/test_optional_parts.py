"""Each part that a game may offer besides the protocol: both games have all, and nobody needs one.

Source: docs/NEW-GAME.md section 10; pbem/engine/optional_parts.py.
"""

import pytest

from pbem import catalog
from pbem.engine import optional_parts
from pbem.engine.game import Game
from pbem.engine.optional_parts import Plain
from pbem.engine.settings import Config

CONFIG = Config(("red", "blue"), (), "1")
#: what may be missing without ``Plain``
PARTS = sorted(name for name in vars(Plain) if name[0] != "_" and not hasattr(Game, name))


#: whoever has a card there may be asked at each; no place of its State says who has seen what
NOT_NEEDED = {("great-wall", "may_ask"), ("great-wall", "remember")}


@pytest.mark.parametrize("kind", catalog.BUILT_IN)
@pytest.mark.parametrize("part", PARTS)
def test_our_games_have_every_part(kind: str, part: str) -> None:
    assert hasattr(catalog.load(kind), part) == ((kind, part) not in NOT_NEEDED)


def test_what_is_plain_is_of_the_protocol() -> None:
    game = Plain()
    assert len(PARTS) == 11
    assert (game.soon(None), game.notices(CONFIG), game.prospects(None)) == ((), (), 0)
    assert (game.complete(None, "lay 4"), game.is_name("r4")) == ("lay 4", False)
    assert not game.concerns(None, "R4")
    assert "`later:`" in game.why_never(None, "R4")


def test_a_game_without_any_is_asked_for_none() -> None:
    game = object()
    assert optional_parts.never(game, None, "lay 4") is None
    assert optional_parts.too_many(game, None, ["lay 4"] * 9) is False
    assert optional_parts.may_ask(game, None, "R4", "lay 4") is True
    assert optional_parts.slot_words(game, {}, "2/threat/07") == ""
    assert optional_parts.piles_now(game, None) == {}
    assert optional_parts.remember(game, "then", "now") == "then"
    assert optional_parts.misfit(game, None) == ""
    assert optional_parts.field_titles(game) == {}
    assert optional_parts.field_names(game) == {}
    assert optional_parts.question_words(game) == {}
