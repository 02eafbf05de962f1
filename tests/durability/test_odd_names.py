"""A folder whose name would not stay in one line is named once and used for nothing."""

from pathlib import Path

import pytest

from . import games
from .games import copied


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31mb", "a\u2028b", "a\udcffb"])
def test_a_name_that_cannot_be_printed(name: str, scored: games.Place, tmp_path: Path) -> None:
    place = copied(scored, tmp_path / "one")
    odd = place.path / "games" / name
    odd.parent.mkdir()
    place.done("backup", "GAME", "-o", str(place.path / "b.tar.gz"))
    new = ("new", str(odd), "--game", "chang-cheng", "--player", "red=A", "--player", "blue=B")
    for words in (new, ("restore", str(place.path / "b.tar.gz"), "--to", str(odd))):
        said = place.run(*words)
        assert (said.code, said.text.count("\n")) == (2, 1)
        assert "cannot be printed" in said.text
        assert not [*odd.parent.iterdir()]
    place.game.rename(odd)
    for command in ("resolve", "status", "tick", "verify", "show", "adopt"):
        said = place.run(command, str(odd))
        assert (said.code, said.text.count("\n")) == (2, 1), command
        assert "cannot be printed" in said.text
    said = place.run("status", str(odd.parent))
    assert said.code == 2 or "skipped: the name of the folder" in said.text
