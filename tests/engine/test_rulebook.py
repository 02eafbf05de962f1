"""A paragraph of the rules by its number."""

import pytest

from pbem import catalog
from pbem.engine.rulebook import find_first_sentence, find_paragraph, list_rule_numbers

TEXT = """# Rules

- **XY-1** One thing. [R]
  It goes on here.
- **XY-2** Another: `a b`. And more.

Not part of it.

## Next

- **XY-G-it** The same, told otherwise.
- **XY-G** The last, in
  two lines
"""


def test_numbers_in_their_order() -> None:
    assert list_rule_numbers(TEXT) == ("XY-1", "XY-2", "XY-G-it", "XY-G")


@pytest.mark.parametrize(
    ("number", "text", "first"),
    [
        ("XY-1", "One thing. [R] It goes on here.", "One thing. [R]"),
        ("xy-2", "Another: `a b`. And more.", "Another: `a b`."),
        ("XY-G", "The last, in two lines", "The last, in two lines"),
        ("XY-G-it", "The same, told otherwise.", "The same, told otherwise."),
        ("XY-9", None, None),
    ],
)
def test_paragraph(number: str, text: str | None, first: str | None) -> None:
    assert find_paragraph(TEXT, number) == text
    assert find_first_sentence(TEXT, number) == first


def test_every_ruling_of_a_game_can_be_read() -> None:
    text = catalog.read_rules("chang-cheng")
    for number in list_rule_numbers(text):
        assert len(find_first_sentence(text, number) or "") > 15, number


#: every ruling of Chang Cheng, in the order of the book
CHANG_CHENG = (
    *(f"R-{n}" for n in (1, 2, 3)),
    *(f"CC-{n}" for n in (*range(1, 8), *range(10, 32), *range(40, 44), *range(50, 54))),
    *(f"CC-{n}" for n in (60, 61, 62, "G", "H", "H-it", "H-hu", "I")),
)


def test_no_ruling_is_missing() -> None:
    assert list_rule_numbers(catalog.read_rules("chang-cheng")) == CHANG_CHENG


@pytest.mark.parametrize(
    ("number", "ours"),
    [
        ("GW-11", "here you must [R]"),
        ("GW-21", "each on any open site [R]"),
        ("GW-21", "once you have examined [R]"),
        ("GW-25", "covered already [R]"),
        ("GW-26", "can carry one. [R]"),
        ("GW-31", "must act there as GW-11 says [R]"),
    ],
)
def test_which_part_of_a_rule_is_a_house_ruling(number: str, ours: str) -> None:
    """Found by a reader of the rules: of some the whole seemed to be a house ruling, or nothing."""
    assert ours in (find_paragraph(catalog.read_rules("great-wall"), number) or "")
