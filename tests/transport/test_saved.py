"""What `pbem receive` takes: files, an mbox, a Maildir, a folder. Source: decision 0014."""

import io
import json
import sys
from pathlib import Path

import pytest

from transport.desk import Desk
from transport.test_fetch_files import put

MARK = b"From ann@example.org Sat Nov 21 09:30:00 2026\n"


def verdicts(desk: Desk, *names: str) -> list[str]:
    said = desk.run("receive", "GAME", *names, "--json")
    return [row["verdict"] for row in json.loads(said.text)["files"]]


def test_an_mbox_with_many_mails(desk: Desk, tmp_path: Path) -> None:
    mails = [desk.mail("help", "m1"), desk.mail(f"{desk.order()}\n\nFrom here on", "m2")]
    path = tmp_path / "inbox"
    path.write_bytes(b"\n".join(MARK + mail for mail in mails))
    said = desk.done("receive", "GAME", str(path))
    assert f"{path}, email 2: " in said
    assert "2 emails: 1 without orders, 1 accepted" in said
    assert desk.lines() == [desk.order()]
    assert verdicts(desk, str(path)) == ["repeated"] * 2


def test_one_mail_of_an_mbox_is_a_mail(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "one.eml"
    path.write_bytes(MARK + desk.mail(desk.order()))
    assert verdicts(desk, str(path)) == ["kept"]


def test_standard_input_may_be_an_mbox(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"\n".join(MARK + desk.mail(text, text) for text in ("help", "withdraw"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert len(verdicts(desk, "-")) == 2


def test_a_maildir_in_the_order_of_delivery(desk: Desk, maildir: Path) -> None:
    put(maildir, desk.mail("withdraw", "m1"), "1700000002.b.host")
    put(maildir, desk.mail(desk.order(), "m2"), "1700000001.z.host")
    said = desk.done("receive", "GAME", str(maildir), "--json")
    assert [row["file"].rpartition("/")[2][:10] for row in json.loads(said)["files"]] == ["1700000001", "1700000002"]
    assert not desk.lines()


def test_a_folder_and_what_is_empty(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    folder.mkdir()
    said = desk.run("receive", "GAME", str(folder))
    assert (said.code, "there is no file in the folder" in said.text) == (2, True)
    (folder / "a.eml").write_bytes(desk.mail("help", "m1"))
    (folder / "b.mbox").write_bytes(b"\n".join(MARK + desk.mail("help", n) for n in ("x", "y")))
    assert verdicts(desk, str(folder)) == ["answered"] * 3
