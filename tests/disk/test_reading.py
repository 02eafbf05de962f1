"""What is read: regular files up to a limit; everything else is told, and nothing hangs."""

import io
import os
import sys
from pathlib import Path

import pytest

from pbem.disk.whole import read, read_if_present, read_input
from pbem.errors import PbemError

from .conftest import as_nobody


def code(path: Path, limit: int = 100) -> str:
    with pytest.raises(PbemError) as caught:
        read(path, limit)
    assert "\n" not in caught.value.as_line()
    return caught.value.code


def test_up_to_the_limit(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"x" * 100)
    assert read(tmp_path / "f", 100) == b"x" * 100
    assert code(tmp_path / "f", 99) == "file/too-large"


def test_too_large_is_told_before_a_byte_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "f").open("wb") as file:
        file.truncate(1 << 40)
    monkeypatch.setattr(os, "read", lambda *_: pytest.fail("read"))
    assert code(tmp_path / "f") == "file/too-large"


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="no /proc")
def test_a_file_that_hides_its_size() -> None:
    assert code(Path("/proc/cpuinfo"), 10) == "file/too-large"


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "f").write_bytes(b"")
    assert code(tmp_path / "pipe") == "file/odd"
    assert code(Path("/dev/zero")) == "file/odd"
    assert code(tmp_path) == "file/folder"
    assert code(tmp_path / "missing") == "file/missing"
    assert code(tmp_path / "f" / "below") == "file/not-a-folder"
    assert code(tmp_path / "nul\0") == "file/name"


def test_a_pipe_put_there_after_the_look_does_not_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "f").write_bytes(b"")
    regular = os.stat(tmp_path / "f")
    monkeypatch.setattr(os, "stat", lambda *_, **__: regular)
    assert code(tmp_path / "pipe") == "file/odd"


def test_links_are_followed_only_for_what_a_user_names(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"x")
    (tmp_path / "link").symlink_to("f")
    assert read(tmp_path / "link", 9) == b"x"
    with pytest.raises(PbemError) as caught:
        read_if_present(tmp_path / "link", 9)
    assert caught.value.code == "file/symlink"
    assert read_if_present(tmp_path / "missing", 9) is None


def test_a_file_one_may_not_read(folder: Path) -> None:
    (folder / "f").write_bytes(b"secret")
    (folder / "f").chmod(0o600)
    outcome = as_nobody(lambda: read(folder / "f", 99))
    assert (outcome.code, "you may not" in outcome.output) == (2, True)


def test_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff12")))
    assert read_input("-", 3) == b"\xff12"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1234")))
    with pytest.raises(PbemError, match="standard input has more than 3 bytes"):
        read_input("-", 3)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(PbemError, match="no standard input"):
        read_input("-", 3)
    with pytest.raises(PbemError, match="empty name"):
        read_input("", 3)
    (tmp_path / "f").write_bytes(b"x")
    assert read_input(str(tmp_path / "f"), 3) == b"x"


def test_what_is_no_file_is_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("opened"))
    assert code(tmp_path / "pipe") == "file/odd"
