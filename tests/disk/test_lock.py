"""One at a time, freed by a kill, and never through a link."""

import os
import signal
import time
from pathlib import Path

import pytest

from pbem.disk.folder import GameFolder
from pbem.disk.system import hold
from pbem.errors import Refused

from .conftest import as_nobody


def holder(path: Path) -> int:
    """A child that holds the lock until it is killed."""
    ready, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            with hold(path):
                os.write(tell, b"1")
                time.sleep(60)
        finally:
            os._exit(1)
    os.close(tell)
    assert os.read(ready, 1) == b"1"
    os.close(ready)
    return pid


def end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def test_busy_until_the_other_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    pid = holder(path)
    try:
        with pytest.raises(Refused) as caught, hold(path, 0.1):
            pytest.fail("two hold one lock")
        assert caught.value.code == "game/busy"
        assert caught.value.as_line() == "another pbem is working on this game. Try again in a moment."
    finally:
        end(pid)
    with hold(path, 0):
        assert path.stat().st_mode & 0o777 == 0o600
    assert path.exists()


def test_waiting_is_rewarded(tmp_path: Path) -> None:
    pid = holder(tmp_path / "lock")
    waiter = os.fork()
    if waiter == 0:
        try:
            with hold(tmp_path / "lock", 20):
                os._exit(0)
        finally:
            os._exit(1)
    time.sleep(0.1)
    assert os.waitpid(waiter, os.WNOHANG) == (0, 0)
    end(pid)
    assert os.waitpid(waiter, 0)[1] == 0


def test_a_lock_file_put_in_the_place_of_ours_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Removed between opening and locking: what we hold then guards nothing, so we go again."""
    path, real = tmp_path / "lock", os.open
    opened: list[int] = []

    def late(name: Path, flags: int, mode: int = 0o777) -> int:
        fd = real(name, flags, mode)
        if not opened:
            path.unlink()
        opened.append(fd)
        return fd

    monkeypatch.setattr(os, "open", late)
    with hold(path):
        assert len(opened) == 2
        assert path.stat().st_ino == os.fstat(opened[1]).st_ino


def test_no_lock_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused) as caught, hold(tmp_path / "lock"):
        pytest.fail("followed")
    assert caught.value.code == "file/symlink"
    assert not (tmp_path / "elsewhere").exists()


def test_a_lock_one_may_not_take(folder: Path) -> None:
    (folder / "lock").write_bytes(b"")
    (folder / "lock").chmod(0o600)

    def take() -> None:
        with hold(folder / "lock", 5):
            pass

    before = time.monotonic()
    outcome = as_nobody(take)
    assert (outcome.code, "you may not" in outcome.output) == (2, True)
    assert time.monotonic() - before < 3  # told at once: it is not "held by another"


def test_one_object_may_nest_and_another_may_not(game: GameFolder) -> None:
    with game.lock(), game.lock():
        game.put_pending(0, "blue", b"x")
    other = GameFolder(game.root)
    with game.lock():
        with game.lock():
            pass
        with pytest.raises(Refused), other.lock(0.05):
            pytest.fail("two hold one lock")
    with other.lock(0):
        pass


def test_an_error_inside_frees_the_lock(game: GameFolder) -> None:
    with pytest.raises(ZeroDivisionError), game.lock():
        raise ZeroDivisionError
    with GameFolder(game.root).lock(0):
        pass
