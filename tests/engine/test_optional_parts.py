"""Each part that a game may offer besides the protocol: both games have all, and nobody needs one.

Source: docs/NEW-GAME.md section 10; pbem/engine/optional_parts.py.
"""

import pytest

from pbem import catalog
from pbem.engine import optional_parts
from pbem.engine.optional_parts import (
    CountsPiles,
    KnowsItsBox,
    NamesFields,
    NamesQuestions,
    NamesSlots,
    TitlesFields,
)

PARTS = (NamesSlots, CountsPiles, KnowsItsBox, TitlesFields, NamesFields, NamesQuestions)


@pytest.mark.parametrize("kind", catalog.BUILT_IN)
@pytest.mark.parametrize("part", PARTS)
def test_our_games_have_every_part(kind: str, part: type) -> None:
    assert isinstance(catalog.load(kind), part)


def test_a_game_without_any_is_asked_for_none() -> None:
    game = object()
    assert not any(isinstance(game, part) for part in PARTS)
    assert optional_parts.slot_words(game, {}, "2/threat/07") == ""
    assert optional_parts.piles_now(game, None) == {}
    assert optional_parts.misfit(game, None) == ""
    assert optional_parts.field_titles(game) == {}
    assert optional_parts.field_names(game) == {}
    assert optional_parts.question_words(game) == {}
