"""One game of each edition and variant under all laws, the same games every time.

test_laws.py plays other ones each time, and more; these few are for the mutation tests, which want
a quick answer that does not change (CONTRIBUTING.md).
"""

from random import Random

import pytest

from pbem.engine.chang_cheng import GAME
from pbem.engine.random_play import walk

from .conserved import conserved
from .ways import WAYS

#: one way of each edition and variant, with other events, boards and seats from one to the next
SOME = [(2, dict(options)) for options in WAYS[::5]]
SOME += [(3 + i % 2, dict(o)) for i, o in enumerate(WAYS[1::7]) if o["variant"] == "plain"]
NAMES = [f"{n}-{o['edition']}-{o['variant']}-{o['events']}-{len(o)}" for n, o in SOME]


@pytest.mark.parametrize(("players", "options"), SOME, ids=NAMES)
def test_walk(players: int, options: dict[str, str]) -> None:
    below = Random(players).randrange
    found = walk(GAME, GAME.seats[-players:], below, options=options, bound=400, extra=(conserved,))
    assert not found.broken, f"{found.law}: {found.broken} (order {found.orders})"
