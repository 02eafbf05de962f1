"""What is proposed for a line that is nearly an order: all that it says, as the notation has it.

Found by a review: for `take S2 7 3`, and for a line of choices copied from the report, the hint was
`take S2`, without marker and card (GW-11). Source: docs/NOTATION.md.
"""

import pytest

from pbem.engine.great_wall import GAME
from pbem.files.orders.reading import sheet_from_list
from pbem.services.intake.message import grammar_of


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("take S2 7 3", "take S2 7 on 3"),
        ("take S2 7 on: 3 5", "take S2 7 on 3"),
        ("take S2 7 on", "take S2 7"),
        ("take S2 7 on my 3rd card", "take S2 7"),
        ("take S2 whatever", "take S2"),
        ("play S1 gaurd", "play S1 guard"),
        ("play S1 guard gaurd", "play S1 guard guard"),
        ("play S1 watchtwer", "play S1 watchtower"),
        ("play S1 dragon ovr 4", "play S1 dragon over 4"),
        ("play 2 gaurds on S1", "play S1 guard guard"),
        ("hrseman S1", "horseman S1"),
    ],
)
def test_the_whole_order_is_proposed(line: str, hint: str) -> None:
    """Cards misspelt: found by a player of Great Wall, who got no `did you mean`."""
    (doubt,) = sheet_from_list([line], grammar_of(GAME)).suspects
    assert doubt.suggestion == hint
