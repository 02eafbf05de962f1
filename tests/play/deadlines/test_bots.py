"""A bot in a missed turn: nobody chose what it draws, and an audit chooses again."""

from pathlib import Path
from unittest.mock import patch

import pytest
from durability import games
from durability.games import Place, fresh

from pbem.engine.game import Game
from pbem.services.resolve.deadlines import MailKnowledge, act_on_deadlines
from pbem.services.session.session import open_session

NEW = (
    "new", "GAME", "--game", "great-wall", "--player", "red=Ann", "--player", "blue=Bob",
    "--referee", "Ref", "--deal", "--option", "turn=1d", "--option", "missed=bot",
)  # fmt: skip
DAY = 24 * 3600


def lived(place: Place, monkeypatch: pytest.MonkeyPatch) -> str:
    """Nobody answers for a while, then the game is closed: what an audit says of it."""
    place.done(*NEW)
    for day in (1, 2, 3, 4):
        monkeypatch.setattr(games, "TIME", str(1_700_000_000 + day * DAY + day))
        session = place.session()
        act_on_deadlines(open_session(place.game, session.time, session.home), 10, MailKnowledge(), False)
    assert "(by a bot)" in place.done("history", "GAME")
    place.done("amend", "GAME", "close", "--reason", "nobody answers")
    return place.run("audit", "GAME").text


def test_an_audit_chooses_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = lived(fresh(tmp_path), monkeypatch)
    assert "contradicted" not in said.replace("nothing contradicted", "")
    assert "bot sensible" not in said  # nothing is left unchecked for want of it


def test_an_order_that_the_bot_did_not_choose_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(game: Game, _: str, view: object, __: object) -> str:
        return game.legal(view)[-1]

    with patch("pbem.bots.player.choose_sensibly", chosen):
        said = lived(fresh(tmp_path), monkeypatch)
    assert "the bot chooses `" in said


def test_another_version_of_the_bot_is_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with patch("pbem.services.resolve.resolve.__version__", "0.0.9"):
        said = lived(fresh(tmp_path), monkeypatch)
    assert "chosen by bot sensible 0.0.9" in said
