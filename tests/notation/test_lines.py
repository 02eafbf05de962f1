"""Tolerant reading of lines, by a table of spellings, with a small grammar."""

import pathlib
import tomllib
import typing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notation import standin
from pbem.mail.identity import read_password
from pbem.mail.text import Line
from pbem.notation.lines import OrderLine, ParsedOrders
from pbem.notation.reading import read_order_list, read_orders

HERE = pathlib.Path(__file__).parent
ROWS = tomllib.loads((HERE / "lines.toml").read_text(encoding="utf-8"))["rows"]


def read(text: str) -> ParsedOrders:
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    return read_orders(lines, standin.GRAMMAR)


def told(order: OrderLine) -> str:
    when = f"when {order.when}: " if order.when else ""
    then = f" then {order.then}" if order.then else ""
    return when + order.order + then


@pytest.mark.parametrize("row", ROWS, ids=[row["text"] for row in ROWS])
def test_table(row: dict[str, typing.Any]) -> None:
    sheet = read(row["text"])
    orders = [told(o) for o in sheet.now] + [f"later {told(o)}" for o in sheet.later]
    assert orders == row.get("orders", []), sheet
    assert list(sheet.commands) == row.get("asks", []), sheet
    assert bool(sheet.prose or sheet.doubtful_lines) == row.get("prose", False), sheet


def test_a_whole_letter_keeps_numbers_and_sections() -> None:
    sheet = read("Hi Ann,\n\n1. wall A5\n2. wall B2\n\nlater:\nwhen AP2: flood -2\ndraw\n\nBob")
    assert [(o.number, told(o)) for o in sheet.now] == [(3, "wall A5"), (4, "wall B2")]
    assert [(o.number, told(o)) for o in sheet.later] == [(7, "when AP2: flood -2"), (8, "draw")]
    assert [line.number for line in sheet.prose] == [1, 10]
    assert sheet.doubtful_lines == ()


def test_a_move_file_holds_no_prose() -> None:
    sheet = read_order_list(["wall A5", "have fun", "later:", "draw"], standin.GRAMMAR)
    assert [s.number for s in sheet.doubtful_lines] == [2]
    assert [told(o) for o in sheet.later] == ["draw"]


@pytest.mark.parametrize(
    "text",
    [
        "password hunter2",
        "Password: hunter2",
        "> password=hunter2",
        "my PASSWORD is hunter2 and wall A5",
        "_password_ hunter2",
        "pass\u200bword hunter2",
        "ｐａｓｓｗｏｒｄ hunter2",
        "password one password hunter2",
        "password - hunter2",
    ],
)
def test_what_follows_the_word_is_in_no_text_of_a_sheet(text: str) -> None:
    assert "hunter2" not in repr(read(text))


def test_a_password_is_found_as_given() -> None:
    assert read_password("> password hunter 2! ") == "hunter 2!"
    assert read_password("Password:  LUSAB-babad") == "LUSAB-babad"
    assert read_password("password") == ""
    assert read_password("I forgot my password") is None


def test_of_a_guarded_mail_known_words_alone_are_quoted() -> None:
    guarded = standin.GRAMMAR._replace(is_guarded=True)
    rows = [
        "hi lusab babad, wall a5  # gutih",
        "walls lusab A5",
        "lusabb A7 tugad",
        "card lusab AP2",
        "see you, lusab",
        "password lusab babad gutih tugad",
        "my password is lusab, wall B2 & flood -2",
    ]
    sheet = read_order_list(rows, guarded)
    assert [(x.number, x.text) for x in sheet.doubtful_lines] == [
        (1, "…, wall A5"),
        (2, "… A5"),
        (3, "… A7 …"),
        (4, "card … AP2"),
        (5, "…, …"),
        (7, "… password …, wall B2 flood -2"),
    ]
    assert not any(word in repr(sheet) for word in ("lusab", "babad", "gutih", "tugad"))


_PIECES = st.sampled_from(
    [
        "wall",
        "A5",
        "card",
        "flood",
        "AP2",
        "then",
        "-2",
        "–",
        "2",
        ",",
        ";",
        ".",
        ":",
        "and",
        "&",
        "when",
        "later:",
        "later",
        "double",
        "pass",
        "password",
        "help",
        "withdraw",
        "message",
        "yes",
        "rules",
        "CC-26",
        "#",
        "*",
        "1.",
        "a)",
        ">",
        "A",
        "B",
        "5",
        "+2",
        "\xa0",
        "‑",
        "\ufeff",
        "🙂",
        "½",
        "ﷺ",
        "\x00",
        "\x1b",
        "\u2028",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=12).map(" ".join) | st.text(max_size=80))
def test_any_line_is_read_somewhere(text: str) -> None:
    sheet = read(text)
    assert all(o.order == standin.spell(tuple(o.order.lower().split())) for o in sheet.now)
    assert all(len(line.text) <= 200 and line.text.isprintable() for line in sheet.message_lines)
    read_order_list([text], standin.GRAMMAR)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["wall a5", "card flood ap2", "double a5 a6", "flood -2", "take s1 7 on 3"]),
    st.sampled_from(["", "- ", "1) ", "* ", "• "]),
    st.sampled_from(["", ".", ";", "!", " please"]),
    st.sampled_from([" ", "  ", "\u00a0", "\t", "\u3000"]),
    st.booleans(),
)
def test_trimmings_do_not_change_an_order(order: str, bullet: str, end: str, blank: str, loud: bool) -> None:
    text = bullet + order.replace(" ", blank) + end
    sheet = read(text.upper() if loud else text)
    assert [o.order.lower() for o in sheet.now] == [order]
