"""Nobody is seated who did not say yes, and whoever has nothing to answer is told so.

Found by a review of 2026-11-21: the roster told a player who had nothing to do to write an answer.
"""

from typing import Any

from . import table


def test_the_silent_one_is_not_seated(invited: Any) -> None:
    for seat in ("red", "green", "blue"):
        invited.done("receive", "GAME", table.letter(invited, 0, seat, "yes"))
    said = invited.run("resolve", "GAME", "--missed", "violet")
    assert (said.code, invited.numbers()) == (1, [0])
    assert "Dan (violet) has not said yes, and nobody plays unasked" in said.text
    assert "pbem new NEW --after" in said.text
    assert "waits for" in invited.done("resolve", "GAME")


def test_nothing_to_answer_is_said_so(roster: Any) -> None:
    for seat, asked in (("red", True), ("green", True), ("blue", False), ("violet", False)):
        text = " ".join(table.report(roster, 1, seat).read_text("utf-8").split())
        assert ("Write your answer above this line." in text) == asked
        assert ("] This email needs no answer." in text) == (not asked)
