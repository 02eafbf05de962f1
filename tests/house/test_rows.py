"""A row of a state is described once: what the specification says of it is what pbem writes."""

import re
from typing import Any

import pytest

from pbem.chain import state_record
from pbem.chain.people import OPENED_ROW, PEOPLE
from pbem.chain.referees import REFEREES
from pbem.chain.rows import RowFormat
from pbem.errors import BadInput

from . import tree

SHAPES: tuple[RowFormat[Any], ...] = (REFEREES, PEOPLE, OPENED_ROW, state_record.WRAPS, *state_record.DEALT_ROWS)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.key)
def test_the_specification_has_its_columns(shape: RowFormat[Any]) -> None:
    text = (tree.ROOT / "docs" / "SPECIFICATION.md").read_text("utf-8")
    found = re.findall(rf"^\| `{shape.key}` \| [^|]* \|[^|`]*rows `([^`]*)`", text, re.MULTILINE)
    assert found == [str(shape)]


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("red", "found 1 parts"),
        ("red  7", "found 3 parts"),
        ("red 07", "its number is none"),
        ("red +7", "its number is none"),
        ("red -7", "its number is none"),
        ("red seven", "its number is none"),
    ],
)
def test_a_row_has_one_spelling(row: str, wrong: str) -> None:
    """And the error names the row and its column."""
    with pytest.raises(BadInput) as caught:
        state_record.ANSWERED.read_rows(["blue 0", row], "state 5")
    assert caught.value.code == "document/row"
    assert caught.value.message == f"state 5: answered[2]: expected `seat number`, {_and(wrong)}"
    assert state_record.ANSWERED.read_rows(["blue 0", "red 7"], "") == (("blue", 0), ("red", 7))


def _and(wrong: str) -> str:
    return wrong if wrong.startswith("found") else f"and {wrong}"


def test_a_player_without_a_way_to_sign_has_no_key() -> None:
    row = f"red reply {'B' * 42}A 0 Ann"
    with pytest.raises(BadInput, match=r"people: a row contradicts itself"):
        PEOPLE.read_rows([row], "state 5")
