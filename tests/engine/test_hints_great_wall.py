"""What is proposed for a line that is nearly an order: all that it says, as the notation has it.

Found by a review: for `take S2 7 3`, and for a line of choices copied from the report, the hint was
`take S2`, without marker and card (GW-11). Cards misspelt: found by a player, who got no proposal.
Source: FORMAT.md "Notation".
"""

import pytest
from play.proposals.reading import read, written


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("take S3 4 on it", "take S3 4 on 1"),
        ("take S3 4 on: 1!?", "take S3 4 on 1"),
        ("take teh 2 from S3", "take S3 2 on 1"),
    ],
)
def test_the_whole_answer_to_a_question_is_proposed(line: str, meant: str) -> None:
    assert read(written("gw3-green-20", line)).proposal[0] == meant


def test_small_words_cut_nothing_off_an_answer() -> None:
    """`my card` turns nothing: it is played, and whole."""
    found = read(written("gw3-green-20", "take S3 4 on my card"))
    assert (found.what, found.orders) == ("play", ("take S3 4 on 1",))


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("play S1 gaurd guard", "play S1 guard guard"),
        ("play 2 gaurds on S1", "play S1 guard guard"),
        ("hrseman S1", "horseman S1"),
    ],
)
def test_a_slip_of_the_keyboard_is_mended(line: str, meant: str) -> None:
    assert meant in read(written("gw3-blue-2", line)).proposal
