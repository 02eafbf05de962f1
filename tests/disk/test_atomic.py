"""Whole or not at all, private from the first byte, and one clear line when the drive says no."""

import errno
import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.disk import whole
from pbem.disk.folder import GameFolder
from pbem.errors import BadInput, PbemError, Refused

from .conftest import as_nobody
from .killer import fork_killed
from .strikes import Strikes


def test_write_replaces_and_keeps_the_mode_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "f"
    whole.write(path, b"one")
    assert path.stat().st_mode & 0o777 == 0o644
    whole.write(path, b"two", 0o600)
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"two", 0o600)
    assert os.listdir(tmp_path) == ["f"]


@pytest.mark.parametrize("make", [whole.write, whole.create])
def test_a_private_file_is_private_before_it_has_bytes(tmp_path: Path, make: Callable[..., None]) -> None:
    """Killed in the middle of its first write, the temporary file is 0600 already."""
    outcome = fork_killed(lambda: make(tmp_path / "f", b"secret" * 9, mode=0o600), 2, "half")
    assert outcome.steps[-1].startswith("write ")
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".pbem-tmp-")
    assert (left.stat().st_size, left.stat().st_mode & 0o777) == (27, 0o600)


def test_create_takes_a_name_once(tmp_path: Path) -> None:
    path = tmp_path / "0001.toml"
    whole.create(path, b"one")
    with pytest.raises(Refused) as caught:
        whole.create(path, b"two")
    assert caught.value.code == "save/number-taken"
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"one", ["0001.toml"])


def test_create_is_not_led_away_by_a_dangling_link(tmp_path: Path) -> None:
    (tmp_path / "f").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused):
        whole.create(tmp_path / "f", b"one")
    assert os.listdir(tmp_path) == ["f"]


@pytest.mark.parametrize("number", [errno.EPERM, errno.EOPNOTSUPP])
def test_a_drive_without_hard_links(tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", link)
    whole.create(tmp_path / "f", b"one")
    with pytest.raises(Refused) as caught:
        whole.create(tmp_path / "f", b"two")
    assert caught.value.code == "save/number-taken"
    assert ((tmp_path / "f").read_bytes(), os.listdir(tmp_path)) == (b"one", ["f"])


def told(call: Callable[[], None]) -> PbemError:
    with pytest.raises(PbemError) as caught:
        call()
    assert "\n" not in caught.value.as_line()
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize("make", [whole.write, whole.create])
@pytest.mark.parametrize(
    ("name", "code"),
    [("folder", "file/folder"), ("f/below", "file/not-a-folder"), ("no/f", "file/missing"),
     ("n" * 300, "file/name"), ("nul\0", "file/name"), ("sur\ud800", "file/name")],
)  # fmt: skip
def test_places_where_no_file_can_be(tmp_path: Path, make: Callable[[Path, bytes], None], name: str, code: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "f").write_bytes(b"old")
    error = told(lambda: make(tmp_path / name, b"new"))
    assert isinstance(error, BadInput) or name == "folder"
    assert error.code == code
    assert sorted(os.listdir(tmp_path)) == ["f", "folder"]


def test_a_message_cannot_steer_a_terminal(tmp_path: Path) -> None:
    assert "\x1b" not in told(lambda: whole.write(tmp_path / "no\x1b[2J\n" / "f", b"")).as_line()


def full(path: Path) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    whole.write(path, b"x" * 5000)


def test_a_full_drive_leaves_the_old_file(tmp_path: Path) -> None:
    """A tiny limit on file size: the system writes the first 1000 bytes, then no more."""
    whole.write(tmp_path / "f", b"old")
    outcome = fork_killed(lambda: full(tmp_path / "f"), 0)
    assert outcome.code == Refused.exit_code, outcome.output
    assert "there is no room left on the drive" in outcome.output
    assert ((tmp_path / "f").read_bytes(), os.listdir(tmp_path)) == (b"old", ["f"])


def test_a_folder_one_may_not_write(folder: Path) -> None:
    whole.write(folder / "f", b"old")
    outcome = as_nobody(lambda: whole.write(folder / "f", b"new"))
    assert outcome.code == BadInput.exit_code
    assert "you may not do that there" in outcome.output
    assert ((folder / "f").read_bytes(), os.listdir(folder)) == (b"old", ["f"])


def test_a_folder_the_drive_does_not_confirm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(fd: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{fd}"):
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    assert told(lambda: whole.create(tmp_path / "f", b"one")).code == "file/not-durable"
    assert (tmp_path / "f").read_bytes() == b"one"


def test_a_name_that_is_not_waited_for_has_its_bytes(tmp_path: Path) -> None:
    log: list[str] = []
    strikes = Strikes(0, "before", log)
    strikes.install()
    try:
        whole.write(tmp_path / "f", b"one", durable=False)
    finally:
        strikes.uninstall()
    assert [line.split(" ")[0] for line in log] == ["open", "write", "fsync", "replace"]


def test_leftovers_go_and_nothing_else(tmp_path: Path) -> None:
    game = GameFolder(tmp_path)
    (tmp_path / ".pbem-tmp-1").mkdir()
    (tmp_path / ".pbem-tmp-1" / "f").write_bytes(b"")
    (tmp_path / ".pbem-tmp-2").write_bytes(b"")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "f").write_bytes(b"")
    (tmp_path / ".pbem-tmp-3").symlink_to(tmp_path / "kept")
    with game.lock():
        game.remove_leftovers(0)
    assert [p.name for p in sorted(tmp_path.rglob("*"))] == ["desk", "lock", "kept", "f"]


def test_a_drive_that_knows_no_sync_of_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(fd: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{fd}"):
            raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "fsync", unknown)
    whole.create(tmp_path / "f", b"one")
    assert (tmp_path / "f").read_bytes() == b"one"
