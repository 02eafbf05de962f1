"""A link that writes an answer, read as an email program reads it."""

from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.chain.sources import KEY, PASSWORD, REPLY, TYPED
from pbem.services.html import answer_link_ends

CODE = "K7Q2-9F3A"


def opened(order: str, **made: str) -> dict[str, str]:
    link = made["begins"] + order + made["ends"]
    assert link.isascii()
    assert not {*link} & set(" \"'<>\r\n")
    parts = urlsplit(link)
    fields = parse_qs(parts.query, strict_parsing=True)
    return {"to": unquote(parts.path), **{key: row for key, (row,) in fields.items()}}


@pytest.mark.parametrize(
    ("address", "label"),
    [
        ("rita@example.org", "autumn"),
        ("rita@example.org", "höst & vinter?body=x#y%0D%0ABcc:z"),
        ("o'rita+pbem%x/y?#=&{}@example.org", "a"),
        ("rita@[192.0.2.1]", "x" * 40),
    ],
)
def test_it_opens_as_it_was_meant(address: str, label: str) -> None:
    found = opened("wall%20A5", **answer_link_ends(address, label, CODE, REPLY))
    assert found == {"to": address, "subject": f"{label[:24]} [pbem {CODE}]", "body": "wall A5"}


def test_a_password_has_room() -> None:
    found = opened("draw", **answer_link_ends("rita@example.org", "autumn", CODE, PASSWORD))
    assert found["body"] == "draw\r\npassword "


@pytest.mark.parametrize("way", [KEY, TYPED])
def test_what_would_not_count_is_no_link(way: object) -> None:
    made = answer_link_ends("rita@example.org", "autumn", CODE, way)  # type: ignore[arg-type]
    assert made == {"begins": "", "ends": ""}


def test_before_the_deal_the_referee_types_for_nobody() -> None:
    assert answer_link_ends("rita@example.org", "a", CODE, TYPED, is_dealt=False)["begins"]
    assert not answer_link_ends("rita@example.org", "a", CODE, KEY, is_dealt=False)["begins"]


def test_without_an_address_or_a_code_there_is_none() -> None:
    assert not answer_link_ends("", "autumn", CODE, REPLY)["begins"]
    assert not answer_link_ends("rita@example.org", "autumn", "", REPLY)["begins"]
