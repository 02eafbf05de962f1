"""Orders that can never be legal: each reason comes up in known games, and holds to their end.

Games at random: test_laws.py (never_again).
"""

import json
from random import Random

import pytest

from pbem import catalog
from pbem.engine.chang_cheng import sentences as cc
from pbem.engine.great_wall import sentences as gw
from pbem.engine.laws import LawContext, OrderHistory
from pbem.engine.optional_parts import never

from .case_great_wall import CASES, position, read
from .test_scripts import SCRIPTS

#: every reason of each game, but for what the other tests of this file show
REASONS = {
    "chang-cheng": {
        cc.NO_WALL_LEFT, cc.DOUBLE_PLACED, cc.TOWER_PLACED, cc.TAKEN, cc.TOWERS_APART,
        cc.NO_NEUTRAL, cc.NOT_HELD, cc.COMPLETED, cc.CARD_OUT, cc.NO_SINGLE_WALL, cc.COUNTER_OUT,
        cc.NO_BOARD, cc.NO_SUCH_PLACE, cc.NOT_NEIGHBOURS, cc.NOT_BESIDE, cc.NOT_YOUR_COLOUR,
        cc.OVER,
    },
    "great-wall": {
        gw.DECK_EMPTY, gw.NO_SITE, gw.NO_SUCH_MARKER, gw.ALL_PLAYED, gw.LAST_EXAMINATION,
        gw.TOO_FEW_LEFT, gw.OVER,
    },
}  # fmt: skip
MADE_UP = {
    "chang-cheng": (
        "wall Z9", "double A1 A5", "tower A1 reserve A3", "colour red", "board left",
        "mandarin A1 B1", "neutral none", *(f"traitor counter AM{i}" for i in range(1, 4)),
        *(f"tower A{i}" for i in range(1, 12)),
    ),
    "great-wall": ("play S4 guard", "take S1 6 on 1", "play S1 gate gate gate gate", "take S1"),
}  # fmt: skip


@pytest.mark.parametrize("kind", REASONS)
def test_every_reason_comes_up_and_holds(kind: str) -> None:
    found: set[str] = set()
    for path in SCRIPTS:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["game"] != kind or path.stem.endswith("-u"):
            continue
        game, nevers = catalog.load(kind), OrderHistory()
        script = game.from_script(document)
        lines = tuple(sorted({*MADE_UP[kind], *(line for _, line in script.orders)}))
        seats = {name: seat for seat, name in script.names.items()}
        state = game.setup(script.config, script.deal, 1).state
        for number, (player, line) in enumerate((*script.orders, ("", ""))):
            place = LawContext(game, script.config, state, Random(number).randrange, lines)
            assert nevers.never_again(place) is None, f"{path.stem} before order {number + 1}"
            views = [place.view(seat) for seat in script.config.seats]
            said = (never(game, view, text) for view in views for text in lines)
            found |= {refusal.sentence.text for refusal in said if refusal}
            assert never(game, place.view(None), "draw") is None
            if player:
                state = game.apply(state, seats[player], line, number + 2).state
    assert found == REASONS[kind]


def test_a_closed_site_stays_closed() -> None:
    """GW-3. No known game comes to it."""
    game, state = catalog.load("great-wall"), position(read(CASES / "GW-22_closed_site.toml"))
    view = game.view(state, "blue")
    found = {line: never(game, view, line) for line in ("take S1", "horseman S1", "play S1 wall")}
    assert {line: refusal and refusal.ruling for line, refusal in found.items()} == {
        "take S1": "GW-3", "horseman S1": "GW-22", "play S1 wall": "GW-22",
    }  # fmt: skip


def test_a_square_of_a_board_to_come_may_be() -> None:
    """All know which board joins next (CC-6); what lies beyond the last one is never there."""
    game = catalog.load("chang-cheng")
    config = game.configure(("red", "green"), {"boards": "1a,2a,3a,4a"})
    deal = {pile.name: pile.items for pile in game.piles(config)}
    view = game.view(game.setup(config, deal, 2).state, "red")
    assert [never(game, view, line) for line in ("wall C1", "card flood CP1")] == [None, None]
    for line in ("wall D1", "card flood DP1", "traitor counter DM1"):
        assert str(never(game, view, line).sentence) == (  # type: ignore[union-attr]
            f"there is no {line.split()[-1]}, and none can join"
        )
