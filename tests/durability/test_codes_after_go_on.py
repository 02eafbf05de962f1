"""Found in the review of 2026-11-21: after `restore --go-on` no old reply code is good."""

import shutil
from pathlib import Path

import pytest

from pbem.clock import now
from pbem.commands import key, new, receive, resolve, restore
from pbem.services.session.session import open_session


def send(game: Path, seat: str, line: str) -> bytes:
    """What a player writes under the code of now."""
    code = open_session(game, now()).code(seat)
    return f"{line}\n\n[pbem {code}]\n".encode()


def play(root: Path, seat: str, line: str) -> None:
    """One mail, received and resolved."""
    mail = root / "mail.txt"
    mail.write_bytes(send(root / "g", seat, line))
    assert receive.run(root / "g", [str(mail)]).exit_code == 0
    resolve.run([root / "g"])


def test_a_mail_for_the_lost_board_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    key.run_new()
    new.run(tmp_path / "g", game="chang-cheng", player=["red=Ann", "green=Ben"], deal_now=True)
    shutil.copytree(tmp_path / "g", tmp_path / "copy")
    play(tmp_path, "red", "wall A1")
    play(tmp_path, "green", "tower A5 reserve A6")
    late = tmp_path / "late.txt"
    late.write_bytes(send(tmp_path / "g", "red", "tower A8 reserve A9"))
    shutil.rmtree(tmp_path / "g")
    (tmp_path / "copy").rename(tmp_path / "g")
    restore.run(go_on_directory=tmp_path / "g", reason="the disk is lost")
    play(tmp_path, "red", "wall B1")
    play(tmp_path, "green", "tower B5 reserve B6")
    answer = receive.run(tmp_path / "g", [str(late)])
    assert answer.data["files"][0]["verdict"] == "stale"


@pytest.mark.parametrize("words", ["wall A2", "later: wall A2", "withdraw", "no order"])
def test_who_writes_one_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    """Found by a review of 2026-11-21: it was `no code of a game here`, and its player, who had
    answered a report in good faith, heard nothing.
    """
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    key.run_new()
    new.run(tmp_path / "g", game="chang-cheng", player=["red=Ann", "green=Ben"], deal_now=True)
    of_the_chain = send(tmp_path / "g", "red", words)
    shutil.copytree(tmp_path / "g", tmp_path / "copy")
    play(tmp_path, "red", "wall A1")
    play(tmp_path, "green", "tower A5 reserve A6")
    of_lost = send(tmp_path / "g", "red", f"{words}\nIs anybody there?")
    shutil.rmtree(tmp_path / "g")
    (tmp_path / "copy").rename(tmp_path / "g")
    restore.run(go_on_directory=tmp_path / "g", reason="the disk is lost")
    play(tmp_path, "red", "later: wall B1")
    orders = open_session(tmp_path / "g", now()).pending_by_seat["red"].orders
    for number, old in enumerate((of_the_chain, of_lost), 2):
        (tmp_path / "old.txt").write_bytes(old)
        (answer,) = receive.run(tmp_path / "g", [str(tmp_path / "old.txt")]).data["files"]
        assert answer["verdict"] == "stale"
        assert open_session(tmp_path / "g", now()).pending_by_seat["red"].orders == orders
        text = (tmp_path / f"g/desk/receipts/red-{number:04d}.txt").read_text("utf-8")
        assert "The referee made a ruling after that question" in " ".join(text.split())
