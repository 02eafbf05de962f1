"""A player's commands take his report's mail as he saved it. Found by a review: only the attached
view file was taken, and who had saved the mail was told that it was no view file.
"""

import base64
import json
from pathlib import Path

import pytest

from .table import Table, player


def report_mail(table: Table) -> bytes:
    n = table.place.numbers()[-1]
    return (table.place.game / f"desk/outbox/{n:04d}-red.eml").read_bytes()


def quoted(table: Table) -> bytes:
    """The view file pasted into a text, as a mail program quotes it."""
    lines = table.report("red").with_suffix(".view.toml").read_text("utf-8").split("\n")
    return ("Here it is:\n\n" + "\n".join(f"> {line}".rstrip() for line in lines)).encode()


def forwarded(table: Table) -> bytes:
    inner = report_mail(table)
    head = b'From: ann@x\nTo: ann@y\nContent-Type: multipart/mixed; boundary="+"\n\n'
    part = b"--+\nContent-Type: message/rfc822\n\n" + inner
    return head + b"--+\nContent-Type: text/plain\n\nfor the other machine\n" + part + b"\n--+--\n"


WAYS = {
    "as it came": report_mail,
    "with CRLF": lambda table: report_mail(table).replace(b"\n", b"\r\n"),
    "with a byte order mark": lambda table: b"\xef\xbb\xbf" + report_mail(table),
    "forwarded": forwarded,
    "quoted in a text": quoted,
}


@pytest.mark.parametrize("way", WAYS)
def test_it_does_as_the_view_file_does(way: str, table: Table) -> None:
    mail = table.place.file("saved.eml", WAYS[way](table))
    view = str(table.report("red").with_suffix(".view.toml"))
    orders = table.place.file("orders.txt", "wall A1\n")
    for words in (("list",), ("check", orders)):
        said = [player(table.place, "orders", words[0], one, *words[1:]) for one in (view, mail)]
        assert said[0].text.replace(view, mail) == said[1].text  # each names the file it was given
        assert said[0].code == said[1].code == 0
    said_one = player(table.place, "orders", "sign", mail, orders)
    assert said_one.code == 0, said_one.text
    table.place.done("receive", "GAME", table.mail("red", said_one.text))


@pytest.mark.parametrize("data", [b"", b"Hello", base64.b64encode(b"x" * 99), b"From: a@x\n\nHi\n"])
def test_what_is_none_is_told(data: bytes, table: Table) -> None:
    file = table.place.file("other.eml", data)
    said = player(table.place, "orders", "list", file, "--json")
    assert (said.code, json.loads(said.text)["error"]["code"]) == (2, "view/none")


def test_the_orders_too_may_be_a_saved_mail_with_quotes(table: Table, tmp_path: Path) -> None:
    file = table.mail("red", "wall A1\n\nOn Tue, rita@example.org wrote:\n> wall A2\n> [pbem 0000-0000]")
    view = str(table.report("red").with_suffix(".view.toml"))
    assert "wall A1\n\nsigned" in player(table.place, "orders", "sign", view, file).text


def test_what_is_refused_is_said_once(table: Table) -> None:
    view = str(table.report("red").with_suffix(".view.toml"))
    file = table.place.file("orders.txt", "wall A1, wall B9\n")
    said = player(table.place, "orders", "check", view, file).text
    assert said.count("wall B9") == 1
    assert "whole or nothing" not in said
    assert said.startswith("refused: `wall B9`: your turn ends before this line")
