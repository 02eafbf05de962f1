"""A message that was moved out of the outbox does not wait again. Source: FORMAT.md "Marks of a
message"; P8.
"""

from pathlib import Path

import pytest

from pbem.disk.folder import GameFolder

MARKS = "outbox", "sending", "sent", "failed"


def marks(game: GameFolder) -> dict[str, list[str]]:
    """Every message by its mark, and nothing else."""
    lying = {mark: (game.root / "desk" / mark).glob("*") for mark in MARKS}
    found = {mark: sorted(path.stem for path in paths) for mark, paths in lying.items()}
    return {mark: names for mark, names in found.items() if names}


def moved(game: GameFolder, mark: str, name: str) -> None:
    """The message 1-red, sent by somebody else."""
    folder = game.root / "desk" / mark
    folder.mkdir(exist_ok=True)
    (game.root / "desk/outbox/1-red.eml").rename(folder / f"{name}.eml")


@pytest.mark.parametrize("mark", MARKS[1:])
def test_a_message_made_again_keeps_its_mark(game: GameFolder, mark: str) -> None:
    for text, name in ((b"one", "1-red"), (b"two", "1-red.2")):
        game.put_outbox("1-red", text)
        moved(game, mark, name)
    for text in (b"one", b"two"):
        game.put_outbox("1-red", text)
    assert marks(game) == {mark: ["1-red", "1-red.2"]}
    game.put_outbox("1-red", b"three")
    assert marks(game) == {"outbox": ["1-red"], mark: ["1-red", "1-red.2"]}
    assert (game.root / "desk/outbox").stat().st_mode & 0o777 == 0o700
    assert (game.root / "desk/outbox/1-red.eml").stat().st_mode & 0o777 == 0o600


def test_who_sends_by_hand_may_move_or_delete(game: GameFolder, tmp_path: Path) -> None:
    game.put_outbox("1-red", b"r")
    game.put_outbox("1-blue", b"b")
    (game.root / "desk/outbox/1-red.eml").unlink()
    (game.root / "desk/outbox/1-blue.eml").rename(tmp_path / "away.eml")
    assert marks(game) == {}
