"""What is proposed for a line that is nearly an order: all that it says, as the notation has it.

Found by a review: for `take S2 7 3`, and for a line of choices copied from the report, the hint was
`take S2`, without marker and card (GW-11). Source: docs/NOTATION.md.
"""

import pytest

from pbem.engine.great_wall import GAME
from pbem.files.orders.lines import sheet_from_list
from pbem.files.orders.tokens import Grammar


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("take S2 7 3", "take S2 7 on 3"),
        ("take S2 7 on: 3 5", "take S2 7 on 3"),
        ("take S2 7 on", "take S2 7"),
        ("take S2 7 on my 3rd card", "take S2 7"),
        ("take S2 whatever", "take S2"),
    ],
)
def test_a_take_is_proposed_whole(line: str, hint: str) -> None:
    (doubt,) = sheet_from_list([line], Grammar(GAME.words, GAME.spell, GAME.is_name)).suspects
    assert doubt.suggestion == hint
