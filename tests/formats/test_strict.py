"""The typed reader: right types only, every key asked for, no value quoted."""

import typing

import pytest

from pbem.errors import BadInput
from pbem.formats.toml import TableReader

DOC: dict[str, typing.Any] = {
    "name": "Ann",
    "n": 12,
    "open": True,
    "rows": ["a", "b"],
    "sizes": [3, 4],
    "seats": {"red": {"name": "Ann"}},
    "cards": [{"kind": "flood"}],
}


def test_reads_each_type() -> None:
    doc = TableReader(DOC, "state 12")
    assert (doc.text("name"), doc.number("n", 0, 99)) == ("Ann", 12)
    assert doc.rows("rows") == ["a", "b"]
    assert doc.numbers("sizes", 3, 4) == [3, 4]
    seats = doc.table("seats")
    assert seats.unread_keys() == ("red",)
    assert seats.table("red").text("name") == "Ann"
    seats.refuse_unknown_keys()
    assert [card.text("kind") for card in doc.tables("cards")] == ["flood"]
    assert doc.has_key("name")
    assert not doc.has_key("absent")
    assert doc.unread_keys() == ("open",)


def test_maybe() -> None:
    doc = TableReader(DOC, "state 12")
    assert doc.maybe_text("x") is None
    assert doc.maybe_number("x", 0, 1) is None
    assert doc.maybe_rows("x") is None
    assert doc.maybe_table("x") is None
    assert doc.maybe_text("name") == "Ann"
    assert doc.maybe_number("n", 0, 99) == 12
    assert doc.maybe_rows("rows") == ["a", "b"]
    assert doc.maybe_table("seats") is not None


@pytest.mark.parametrize(
    ("read", "code", "line"),
    [
        (lambda d: d.text("n"), "type", "state 12: n: expected a text, found the number 12"),
        (lambda d: d.text("x"), "missing", "state 12: x: expected this key, found nothing"),
        (lambda d: d.number("open", 0, 1), "type", "expected a whole number, found true"),
        (lambda d: d.number("n", 0, 5), "range", "state 12: n: expected 0 to 5, found 12"),
        (lambda d: d.rows("name"), "type", "expected a list of texts, found a text"),
        (lambda d: d.rows("cards"), "type", "cards[1]: expected a text, found a table"),
        (lambda d: d.numbers("n", 0, 9), "type", "a list of whole numbers, found the number 12"),
        (lambda d: d.numbers("rows", 0, 9), "type", "rows.1: expected a whole number, found a text"),
        (lambda d: d.numbers("sizes", 0, 3), "range", "sizes.2: expected 0 to 3, found 4"),
        (lambda d: d.table("rows"), "type", "rows: expected a table, found a list"),
        (lambda d: d.tables("rows"), "type", "rows[1]: expected a table, found a text"),
        (lambda d: d.tables("n"), "type", "n: expected a list of tables, found the number 12"),
        (lambda d: d.table("seats").table("red").number("name", 0, 1), "type", "seats.red.name: "),
        (lambda d: (d.text("name"), d.refuse_unknown_keys()), "unknown-key", "n: unknown key; expected name"),
    ],
)
def test_errors_name_the_path(read: typing.Callable[[TableReader], object], code: str, line: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(TableReader(DOC, "state 12"))
    assert caught.value.code == f"document/{code}"
    assert line in caught.value.as_line()
    assert "Ann" not in caught.value.as_line()


def test_nothing_long_or_odd_is_quoted() -> None:
    for value in (10**5000, 1.5, None, "s" * 500):
        with pytest.raises(BadInput) as caught:
            TableReader({"k": value}, "x").number("k", 0, 1)
        assert len(caught.value.as_line()) < 120
    with pytest.raises(BadInput) as caught:
        TableReader({"k\x1b" + "y" * 90: 1}, "x").refuse_unknown_keys()
    assert len(caught.value.as_line()) < 120
    assert caught.value.as_line().isprintable()
    with pytest.raises(BadInput):
        TableReader([], "x")
