"""One Message-ID is one email: a copy that was changed on its way changes nothing."""

import json
from pathlib import Path

import pytest

from pbem.play.pending_orders import MAX_HANDLED_MARKS
from transport.desk import Desk


def received(desk: Desk, path: Path, *mails: bytes) -> list[str]:
    names = [path / f"{number}.eml" for number in range(len(mails))]
    for name, mail in zip(names, mails, strict=True):
        name.write_bytes(mail)
    said = desk.run("receive", "GAME", *map(str, names), "--json")
    return [row["verdict"] for row in json.loads(said.text)["files"]]


@pytest.mark.parametrize("between", [0, MAX_HANDLED_MARKS + 1])
def test_a_changed_copy(desk: Desk, tmp_path: Path, between: int) -> None:
    first = desk.mail("withdraw", "dup")
    copy = desk.mail("withdraw\n\n_____\nA list", "dup", head="List-Id: <club.example.org>")
    received(desk, tmp_path, first)
    for number in range(between):
        desk.later(1)
        received(desk, tmp_path, desk.mail(f"rules CC-{number + 1}", f"r{number}"))
    received(desk, tmp_path, desk.mail(desk.order(), "orders"))
    for mail in (copy, first, desk.mail(desk.others()[1], "dup")):
        assert received(desk, tmp_path, mail) == ["repeated"]
        assert desk.lines() == [desk.order()]
    told = tmp_path / "0.eml"  # the last of these
    assert "with its Message-ID came before and counts" in desk.done("receive", "GAME", str(told))
    other = first.replace(b"From: ann", b"From: bea").replace(b"From: bob", b"From: bea")
    assert received(desk, tmp_path, other) != ["repeated"]
    assert not desk.lines()


def test_a_date_in_the_future_does_not_count(desk: Desk, tmp_path: Path) -> None:
    one, two = desk.others()[:2]
    later = desk.mail(one, "m1").replace(b"21 Sep 2026", b"21 Sep 2099")
    assert b"2099" in later
    received(desk, tmp_path, later, desk.mail(two, "m2"))
    assert desk.lines() == [two]


def test_saved_files_count_by_their_dates(desk: Desk, tmp_path: Path) -> None:
    desk.later(60)
    one, two = desk.others()[:2]
    newer = desk.mail(one, "m1").replace(b"14:13:20", b"14:40:00")
    received(desk, tmp_path, newer)
    desk.later(60)
    received(desk, tmp_path, desk.mail(two, "m2"))
    assert desk.lines() == [one]
