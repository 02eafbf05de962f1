"""Keys nobody else can read, and a mark that only rises."""

import os
from pathlib import Path

import pytest

from pbem.disk.home import Home, home_path
from pbem.errors import BadInput, PbemError, Refused, notices
from pbem.services.session.keys import open_home

from .killer import fork_killed, fork_points


def test_where_it_lies(tmp_path: Path) -> None:
    assert home_path({"PBEM_HOME": str(tmp_path)}, "/x") == tmp_path
    assert home_path({"PBEM_HOME": ""}, "/x") == home_path({}, "/x") == Path("/x")
    assert home_path({}, "~/pbem") == Path("~/pbem").expanduser()
    with pytest.raises(BadInput, match="does not start at the root"):
        home_path({"PBEM_HOME": "here"}, "/x")


def test_keys(tmp_path: Path) -> None:
    place = Home(tmp_path / "a" / "home")
    assert place.read_key("acting") is None
    place.write_keys({"acting": b"key"}, must_be_new=True)
    path = place.key_path("acting")
    assert path == place.key_path("acting") == place.path / "keys" / "acting.key"
    assert place.read_key("acting") == b"key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == place.path.stat().st_mode & 0o777 == 0o700
    with pytest.raises(Refused) as caught:
        place.write_keys({"recovery": b"key", "acting": b"other"}, must_be_new=True)
    assert caught.value.code == "key/exists"
    assert place.read_key("recovery") is None
    assert place.read_key("acting") == b"key"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_key_others_can_reach_is_not_used(tmp_path: Path, mode: int) -> None:
    Home(tmp_path).write_keys({"recovery": b"key"}, must_be_new=True)
    path = Home(tmp_path).key_path("recovery")
    path.chmod(mode)
    with pytest.raises(Refused) as caught:
        Home(tmp_path).read_key("recovery")
    assert caught.value.code == "key/open"
    assert f"chmod 600 '{path}'" in caught.value.hint


def test_a_key_on_a_drive_that_keeps_no_modes_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by an attack of 2026-11: exFAT gives every file 0777, and chmod changes nothing."""
    Home(tmp_path).write_keys({"acting": b"key"}, must_be_new=True)
    path = Home(tmp_path).key_path("acting")
    path.chmod(0o777)
    monkeypatch.setattr(os, "chmod", lambda *_: None)
    notices.clear()
    assert Home(tmp_path).read_key("acting") == b"key"
    assert len(notices) == 1


def test_keys_written_to_such_a_drive_are_said_to_be_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`key new` on a real exFAT said nothing, and every command after it did."""
    Home(tmp_path).make_folder("keys").chmod(0o777)
    monkeypatch.setattr(os, "chmod", lambda *_: None)
    notices.clear()
    Home(tmp_path).write_keys({"acting": b"key"}, must_be_new=True)
    assert len(notices) == 1


def test_looking_whether_a_key_can_be_closed_leaves_its_mode(tmp_path: Path) -> None:
    Home(tmp_path).write_keys({"acting": b"key"}, must_be_new=True)
    path = Home(tmp_path).key_path("acting")
    path.chmod(0o640)
    with pytest.raises(Refused):
        Home(tmp_path).read_key("acting")
    assert path.stat().st_mode & 0o777 == 0o640


def test_the_mark_only_rises(tmp_path: Path) -> None:
    place = Home(tmp_path / "home")
    assert place.read_mark("g") is None
    place.write_mark("g", 3, "aa")
    place.write_mark("g", 3, "aa")
    place.write_mark("g", 5, "b-_9")
    assert (place.read_mark("g"), place.read_mark("other")) == ((5, "b-_9"), None)
    for n, head, code in ((4, "aa", "mark/lower"), (5, "cc", "mark/other")):
        with pytest.raises(Refused) as caught:
            place.write_mark("g", n, head)
        assert caught.value.code == code
        assert place.read_mark("g") == (5, "b-_9")
    place.write_mark("g", 2, "dd", force=True)
    assert place.read_mark("g") == (2, "dd")
    for name in ("../g", "G", ""):
        with pytest.raises(BadInput):
            place.write_mark(name, 1, "aa")
    for n, head in ((-1, "a"), (9, ""), (9, 'a"\n')):
        with pytest.raises(BadInput):
            place.write_mark("new", n, head)


@pytest.mark.parametrize("data", [b"", b"n = 1\n", b"\0" * 40, b'n = 01\nhead = "a"\n',
                                  b'n = 1\nhead = "a"\nx', b'n = 1\r\nhead = "a"\r\n'])  # fmt: skip
def test_a_damaged_mark_is_named_with_the_way_out(tmp_path: Path, data: bytes) -> None:
    place = Home(tmp_path)
    place.write_mark("g", 1, "a")
    path = tmp_path / "marks" / "g.mark"
    path.write_bytes(data)
    for writing in (False, True):
        with pytest.raises(BadInput) as caught:
            place.write_mark("g", 2, "b") if writing else place.read_mark("g")
        assert str(path) in caught.value.message
        assert "delete this file" in caught.value.hint
    place.write_mark("g", 2, "b", force=True)
    assert place.read_mark("g") == (2, "b")


def test_a_mark_at_every_kill(tmp_path: Path) -> None:
    place = Home(tmp_path / "h")
    steps = fork_points(lambda: Home(tmp_path / "count").write_mark("g", 1, "a"))
    place.write_mark("g", 1, "a")
    for how in ("before", "half", "full"):
        for k in range(1, len(steps) + 1):
            place.write_mark("g", 1, "a", force=True)
            fork_killed(lambda: place.write_mark("g", 2, "b"), k, how)
            assert place.read_mark("g") in ((1, "a"), (2, "b"))


def test_a_home_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"")
    with pytest.raises(PbemError):
        Home(tmp_path / "f" / "home").write_mark("g", 1, "a")
    assert os.listdir(tmp_path) == ["f"]


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_a_home_that_others_can_use_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They may have put accounts, marks and commands there."""
    place = tmp_path / "home"
    monkeypatch.setenv("PBEM_HOME", str(place))
    open_home()
    place.mkdir(0o700)
    open_home()
    for mode in (0o770, 0o755, 0o701, 0o722):
        place.chmod(mode)
        with pytest.raises(Refused) as caught:
            open_home()
        assert (caught.value.code, caught.value.hint) == ("home/open", f"chmod 700 '{place}'")
    monkeypatch.setattr(os, "chmod", lambda *_: None)  # a drive that keeps no modes
    notices.clear()
    open_home()
    assert len(notices) == 1
    monkeypatch.undo()
    place.chmod(0o700)
    monkeypatch.setenv("PBEM_HOME", str(place))
    mine = os.geteuid()
    owner = os.stat_result((0o40777, 0, 0, 2, mine + 1, 0, 0, 0, 0, 0))
    stat = os.stat
    monkeypatch.setattr(os, "stat", lambda path, **k: owner if path == place else stat(path, **k))
    with pytest.raises(Refused) as caught:
        open_home()
    assert caught.value.code == "home/others"
    assert not [*place.iterdir()]
