"""A machine of somebody who has a folder of a game, and looks at what they are sent."""

from pathlib import Path

import pytest

from pbem import cli

from .table import Table


class Machine:
    """Somebody who has a folder of the game, and looks at what they are sent."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path, self.capsys = path, capsys

    def folder(self, table: Table, name: str = "game") -> str:
        """The game as it is now."""
        folder = self.path / name
        (folder / "states").mkdir(parents=True, exist_ok=True)
        for n, raw in table.states.items():
            (folder / "states" / f"{n:04d}.toml").write_bytes(raw)
        (folder / "game.toml").write_bytes(table.states[table.last])
        return str(folder)

    def letter(self, name: str, text: str) -> str:
        path = self.path / f"{name}.txt"
        path.write_text(f"{text}\n")
        return str(path)

    def says(self, *words: str) -> tuple[int, str]:
        code = cli.run([*words])
        out = self.capsys.readouterr()
        return code, out.out + out.err


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Machine:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return Machine(tmp_path, capsys)
