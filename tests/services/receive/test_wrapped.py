"""Signatures come through what mail programs do to a text. Source: FORMAT.md "Signed orders"."""

import base64
import quopri
import textwrap
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.text import Line
from pbem.notation import move_file
from pbem.notation.move_file import OrderSignatures, extract_signatures, write_signatures

from .table import Table

SIGNED = OrderSignatures("a2" * 13, "red", 7, "h" * 43, ((1, "s" * 86), (2, "-_" * 43)))


def wrapped(width: int) -> Callable[[str], str]:
    def change(text: str) -> str:
        lines = [textwrap.wrap(line, width) or [""] for line in text.split("\n")]
        return "\n".join(one for parts in lines for one in parts)

    return change


def block_quoted(text: str) -> str:
    """The orders stand, what was below them is quoted, as some programs do with a pasted text."""
    orders, mark, rest = text.partition("signed pbem")
    quoted = "\n".join(f"> {line}" for line in f"{mark}{rest}".split("\n"))
    return f"{orders}\n{quoted}"


WAYS: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "wrapped at 60": wrapped(60),
    "wrapped at 48": wrapped(48),
    "an empty line after each": lambda text: text.replace("\n", "\n\n"),
    "indented": lambda text: text.replace("\n", "\n    "),
    "blanks at the ends": lambda text: text.replace("\n", " \n"),
    "no-break spaces": lambda text: text.replace(" ", "\xa0"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "one line for each signature": lambda text: text.replace("\n", " ").replace(" sign ", "\nsign ")
    .replace(" signed ", "\nsigned ").replace(" head ", "\nhead ").replace(" when ", "\nwhen ")
    .replace(" [pbem", "\n[pbem"),
    "quoted below": block_quoted,
    "with a greeting and a name": lambda text: f"Hi Rita,\n\n{text}\n\nYours, Ann",
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_a_text_that_was_handled_is_taken(way: str, table: Table) -> None:
    text = WAYS[way](table.signed("wall A1\nwhen AP1: flood -2"))
    said = table.receive(table.mail("red", text))
    assert said.code == 0, said.text
    assert [one.signed_line for one in table.place.session().pending_by_seat["red"].orders] == [
        "wall A1",
        "when AP1: flood -2",
    ]


@pytest.mark.parametrize("how", ["quoted-printable", "base64", "flowed", "html"])
def test_a_mail_however_it_is_written(how: str, table: Table) -> None:
    text = table.signed("wall A1\nwhen AP1: flood -2")
    head = f"From: a@x\nMessage-ID: <1@x>\nSubject: [pbem {table.code('red')}]\nMIME-Version: 1.0\n"
    if how == "html":
        body = "".join(f"<div>{line or '<br>'}</div>" for line in text.split("\n"))
        mail = f"{head}Content-Type: text/html; charset=utf-8\n\n{body}"
    elif how == "flowed":
        mail = f"{head}Content-Type: text/plain; format=flowed\n\n{wrapped(66)(text)}"
    else:
        coded = quopri.encodestring if how == "quoted-printable" else base64.encodebytes
        kind = f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {how}\n\n"
        mail = f"{head}{kind}{coded(text.encode()).decode()}"
    said = table.receive(table.place.file("mail.eml", mail))
    assert said.code == 0, said.text


def lines(text: str) -> list[Line]:
    return [Line(n, line) for n, line in enumerate(text.split("\n"), 1)]


def test_lines_are_short_enough_for_every_mail_program() -> None:
    assert max(len(line) for line in write_signatures(SIGNED).split("\n")) <= 60


@given(st.data())
def test_breaks_anywhere_between_its_letters_do_no_harm(data: st.DataObject) -> None:
    """Not within a word that has no fixed length (the seat, a number)."""
    text = write_signatures(SIGNED)
    for _ in range(data.draw(st.integers(0, 6))):
        at = data.draw(st.integers(text.index("head") + 5, len(text) - 1))
        if not text[:at].endswith(("s", "si", "sig")) and text[at - 6 : at + 6].count("sign") == 0:
            text = f"{text[:at]}\n> {text[at:]}"
    if "sign" in text:
        rest, found = extract_signatures(lines(text))
        assert [one.state_hash for one in found] == [SIGNED.state_hash]
        assert not any(line.text.strip("> ") for line in rest)


@given(st.text(max_size=300))
def test_no_text_breaks_it(text: str) -> None:
    rest, found = extract_signatures(lines(f"signed pbem 1 {text}"))
    assert len(found) <= 1
    assert all(isinstance(line, Line) for line in rest)


def test_what_stands_around_it_is_left() -> None:
    text = f"hello\n{write_signatures(SIGNED)} thanks\nsigned pbem 1 of course"
    rest, found = extract_signatures(lines(text))
    assert found == (SIGNED,)
    assert [line.text for line in rest] == ["hello", "thanks", "signed pbem 1 of course"]


@pytest.mark.parametrize("cut", [1, 40, 86])
def test_a_signature_cut_short_is_there_and_no_signature(cut: int) -> None:
    (found,) = extract_signatures(lines(write_signatures(SIGNED)[:-cut].rstrip()))[1]
    assert found.signatures[:1] == SIGNED.signatures[:1]
    assert [sig for _, sig in found.signatures[1:]] == [""]


def test_hundreds_of_signatures_are_read_in_no_time() -> None:
    most = move_file.MAX_SIGNATURES
    signs = tuple((n, "s" * 86) for n in range(1, most + 1))
    (found,) = extract_signatures(lines(write_signatures(SIGNED._replace(signatures=signs))))[1]
    assert found.signatures == signs
