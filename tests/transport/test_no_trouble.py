"""What is no trouble is not told as such: a game that was handed over, a vote on an undo.
Found by an experienced referee, November 2026.
"""

import json
from pathlib import Path

import pytest
from services.amend.test_keys import run_at

from transport.desk import Desk
from transport.test_who_gets_what import turn


def test_a_game_that_was_handed_over_waits_for_nobody_here(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "eva"
    assert run_at(desk.place, other, "key", "new").code == 0
    public = tmp_path / "eva.pub"
    public.write_text(run_at(desk.place, other, "key", "show", "--export").text)
    to = ("--to", str(public), "--referee", "Eva,eva@example.org", "--reason", "I am away")
    assert "Ann (red)" in desk.done("status", "GAME")
    desk.done("amend", "GAME", "keys", *to)
    said = desk.done("status", "GAME")
    assert "Ann (red)" not in said
    assert "handed over" in said
    row = json.loads(desk.done("status", "GAME", "--json"))["games"][0]
    assert (row["waits_for"], row["ready"], row["handed_over"]) == ([], False, True)
    taken = run_at(desk.place, other, "status", str(desk.game)).text
    assert "Ann (red)" in taken
    assert "handed over" not in taken


def test_a_vote_on_an_undo_is_no_trouble(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.services.amend.undo.required_consents", lambda wanted: ("red", "blue"))
    turn(desk)
    desk.run("amend", "GAME", "undo", "--orders", "1", "--reason", "a slip")
    for _ in range(3):
        said = desk.run("tick", "GAME")
        assert (said.code, said.text) == (0, "")
        desk.later(10)
    would = desk.done("resolve", "GAME", "--dry-run")
    assert "undo --drop" in would
    assert "waits for" in desk.done("status", "GAME")
