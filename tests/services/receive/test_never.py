"""A standing order that can never be legal is refused when it comes by mail.

Found on 2026-11-22: the receipt called it good, and it waited to the end of the game.
"""

import pytest

from .table import Table

NEVER = {
    "wall Z9": "there is no Z9, and none can join (CC-2)",
    "when AP1: wall A77": "there is no A77, and none can join (CC-2)",
    "colour red": "in this game you never choose to play red (CC-61)",
    "neutral A5": "this game has no neutral walls left to place (CC-60)",
    "double A1 A5": "A1 and A5 are not neighbours; name the left square first (CC-10)",
    "tower A1 reserve A3": "A3 is not beside A1 (CC-15)",
    "flood +2 then wall Z9": "there is no Z9, and none can join (CC-2)",
}


@pytest.mark.parametrize("line", NEVER)
def test_it_is_refused_with_its_rule(table: Table, line: str) -> None:
    assert table.receive(table.mail("violet", f"later:\n{line}")).code
    text = " ".join(table.receipt("violet").split())
    assert NEVER[line] in text, text
    assert "line refused" in text
