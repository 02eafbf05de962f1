"""A message has one mark at any moment. Source: FORMAT.md "Marks of a message"; P8."""

import os
from pathlib import Path

import pytest

from pbem.disk.folder import GameFolder, MessageStatus
from pbem.errors import BadInput, OurFault, PbemError, Refused

from .killer import KILLED, fork_killed, fork_points
from .posting import MAILS, post

FORKS = pytest.mark.skipif(os.name != "posix", reason="forks and kills")


def marks(game: GameFolder) -> dict[str, list[str]]:
    """Every message by its mark, and nothing else."""
    found = {mark.name: [*game.list_messages(mark)] for mark in MessageStatus}
    return {mark: names for mark, names in found.items() if names}


def fresh(place: Path) -> Path:
    root = place / "game"
    root.mkdir(parents=True)
    with (game := GameFolder(root)).lock():
        game.commit(0, b"state 0", {}, lambda: None)
    return root


def test_a_message_goes_from_mark_to_mark(game: GameFolder) -> None:
    game.put_outbox("1-red", b"r")
    with game.lock():
        assert game.move_message("1-red", MessageStatus.WAITING, MessageStatus.SENDING) == "1-red"
        assert marks(game) == {"SENDING": ["1-red"]}
        assert game.move_message("1-red", MessageStatus.SENDING, MessageStatus.SENT) == "1-red"
    assert (marks(game), game.list_messages(MessageStatus.WAITING)) == ({"SENT": ["1-red"]}, ())
    assert game.read_message(MessageStatus.SENT, "1-red") == b"r"
    assert game.read_message(MessageStatus.WAITING, "1-red") is None
    for folder in ("outbox", "sending", "sent"):
        assert (game.root / "desk" / folder).stat().st_mode & 0o777 == 0o700
    assert (game.root / "desk" / "sent" / "1-red.eml").stat().st_mode & 0o777 == 0o600


def test_a_later_message_of_the_same_name_takes_nothing_from_the_earlier(game: GameFolder) -> None:
    for text in (b"one", b"two", b"three"):
        game.put_outbox("1-red", text)
        with game.lock():
            game.move_message("1-red", MessageStatus.WAITING, MessageStatus.SENT)
    assert marks(game) == {"SENT": ["1-red", "1-red.2", "1-red.3"]}
    assert game.read_message(MessageStatus.SENT, "1-red.3") == b"three"


@pytest.mark.parametrize("mark", [MessageStatus.SENDING, MessageStatus.SENT, MessageStatus.FAILED])
def test_a_message_made_again_keeps_its_mark(game: GameFolder, mark: MessageStatus) -> None:
    for text in (b"one", b"two"):
        game.put_outbox("1-red", text)
        with game.lock():
            game.move_message("1-red", MessageStatus.WAITING, mark)
    for text in (b"one", b"two"):
        game.put_outbox("1-red", text)
    assert marks(game) == {mark.name: ["1-red", "1-red.2"]}
    game.put_outbox("1-red", b"three")
    assert marks(game) == {"WAITING": ["1-red"], mark.name: ["1-red", "1-red.2"]}


def test_who_sends_by_hand_may_move_or_delete(game: GameFolder, tmp_path: Path) -> None:
    game.put_outbox("1-red", b"r")
    game.put_outbox("1-blue", b"b")
    (game.root / "desk/outbox/1-red.eml").unlink()
    (game.root / "desk/outbox/1-blue.eml").rename(tmp_path / "away.eml")
    assert marks(game) == {}
    with game.lock(), pytest.raises(BadInput) as caught:
        game.move_message("1-red", MessageStatus.WAITING, MessageStatus.SENT)
    assert caught.value.code == "file/missing"
    assert marks(game) == {}


def test_a_mark_changes_under_the_lock_alone(game: GameFolder) -> None:
    game.put_outbox("1-red", b"r")
    with pytest.raises(OurFault) as caught:
        game.move_message("1-red", MessageStatus.WAITING, MessageStatus.SENT)
    assert caught.value.code == "disk/no-lock"
    assert marks(game) == {"WAITING": ["1-red"]}


@pytest.mark.parametrize("name", ["../secret", "a/b", "", ".x"])
def test_a_name_stays_in_its_folder(game: GameFolder, name: str) -> None:
    with game.lock(), pytest.raises(PbemError) as caught:
        game.move_message(name, MessageStatus.WAITING, MessageStatus.SENT)
    assert caught.value.code == "file/name"


def test_links_are_refused(game: GameFolder, tmp_path: Path) -> None:
    game.put_outbox("1-red", b"r")
    (tmp_path / "elsewhere").mkdir()
    (game.root / "desk" / "sent").symlink_to(tmp_path / "elsewhere")
    (game.root / "desk" / "outbox" / "1-blue.eml").symlink_to(tmp_path / "elsewhere")
    for name, mark in (("1-red", MessageStatus.SENT), ("1-blue", MessageStatus.FAILED)):
        with game.lock(), pytest.raises(Refused) as caught:
            game.move_message(name, MessageStatus.WAITING, mark)
        assert caught.value.code == "file/symlink"
    assert [*(tmp_path / "elsewhere").iterdir()] == []


def check_one_mark_each(root: Path) -> None:
    """The law: whole, and under one mark, or not yet made."""
    game = GameFolder(root)
    lying = [(name, mark) for mark in MessageStatus for name in game.list_messages(mark)]
    assert len({name for name, _ in lying}) == len(lying), lying
    for name, mark in lying:
        assert game.read_message(mark, name) == MAILS[name]


@FORKS
@pytest.mark.parametrize("how", ["before", "half", "full"])
def test_every_strike_leaves_each_message_one_mark(tmp_path: Path, how: str) -> None:
    """P8: at each of its file operations, killed or with the drive full from there on."""
    counted = fresh(tmp_path / "count")
    steps = fork_points(lambda: post(counted))
    assert sum(step.startswith("replace ") and ".pbem-tmp-" not in step for step in steps) == 4
    for k in range(1, len(steps) + 1):
        root = fresh(tmp_path / str(k))
        outcome = fork_killed(lambda r=root: post(r), k, how)  # type: ignore[misc]
        assert how == "full" or outcome.code == KILLED, outcome.output
        check_one_mark_each(root)
        post(root)
        check_one_mark_each(root)
        assert marks(GameFolder(root)) == {"SENT": ["0001-red"], "FAILED": ["0001-blue"]}, k
        assert list(root.rglob(".pbem-tmp-*")) == []
