"""Found in the review of 2026-11-21: after `restore --go-on` no old reply code is good."""

import shutil
from pathlib import Path

import pytest

from pbem.commands import key, new, receive, resolve, restore
from pbem.commands.session import open_session


def send(game: Path, seat: str, line: str) -> bytes:
    """What a player writes under the code of now."""
    code = open_session(game).code(seat)
    return f"{line}\n\n[pbem {code}]\n".encode()


def play(root: Path, seat: str, line: str) -> None:
    """One mail, received and resolved."""
    mail = root / "mail.txt"
    mail.write_bytes(send(root / "g", seat, line))
    assert receive.run(root / "g", [str(mail)]).exit_code == 0
    resolve.run([root / "g"])


def test_a_mail_for_the_lost_board_is_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    key.run_new()
    new.run(tmp_path / "g", game="chang-cheng", player=["red=Ann", "green=Ben"], deal=True)
    shutil.copytree(tmp_path / "g", tmp_path / "copy")
    play(tmp_path, "red", "wall A1")
    play(tmp_path, "green", "tower A5 reserve A6")
    late = tmp_path / "late.txt"
    late.write_bytes(send(tmp_path / "g", "red", "tower A8 reserve A9"))
    shutil.rmtree(tmp_path / "g")
    (tmp_path / "copy").rename(tmp_path / "g")
    restore.run(go_on=tmp_path / "g", reason="the disk is lost")
    play(tmp_path, "red", "wall B1")
    play(tmp_path, "green", "tower B5 reserve B6")
    answer = receive.run(tmp_path / "g", [str(late)])
    assert answer.data["files"][0]["verdict"] == "unknown"
