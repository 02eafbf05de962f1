"""Layouts are equal where the same boards lie in the same order, however each was made."""

from pbem.engine.chang_cheng.layout import STANDARD_SIDES, Layout, PlacedBoard

HERE = (PlacedBoard("A", STANDARD_SIDES["1a"]), PlacedBoard("B", STANDARD_SIDES["2a"]))
ROUND = (PlacedBoard("B", STANDARD_SIDES["2a"]), PlacedBoard("A", STANDARD_SIDES["1a"]))


def test_the_same_boards_in_the_same_order() -> None:
    assert Layout(HERE) == Layout(HERE)
    assert len({Layout(HERE), Layout(HERE)}) == 1


def test_other_boards_and_other_things() -> None:
    assert Layout(HERE) != Layout(ROUND)
    assert Layout(HERE) != HERE
    assert len({hash(Layout(HERE)), hash(Layout(ROUND))}) == 2
