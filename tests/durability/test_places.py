"""Folders a referee may have: read-only, odd names, odd rights, links where files should be."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from disk import killer

from .games import Place, copied, fingerprint, one_line
from .test_lost import play_on

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes and symbolic links")
NOBODY = 65534
READING = (("status", "GAME"), ("show", "GAME"), ("verify", "GAME"), ("legal", "GAME"))


@pytest.fixture
def nobodys(dealt: Place) -> Iterator[Place]:
    """A copy that belongs to somebody who is not root, where he can get to it."""
    above = Path(tempfile.mkdtemp(prefix="pbem-test-"))
    above.chmod(0o755)
    found = copied(dealt, above / "place")
    if os.getuid() == 0:
        for path in [found.path, *found.path.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)
    yield found
    for path in [found.path, *found.path.rglob("*")]:
        if path.is_dir():
            path.chmod(0o700)
    shutil.rmtree(above)


def run_as_nobody(place: Place, *words: str) -> tuple[int, str]:
    call = place._call(words)

    def dropped() -> None:
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        call()

    found = killer.fork_killed(dropped, 0)
    return found.code, found.output


def test_a_read_only_folder_can_be_read(nobodys: Place) -> None:
    """Reading commands answer; writing ones refuse in one line."""
    for path in [nobodys.game, *nobodys.game.rglob("*")]:
        path.chmod(stat.S_IMODE(path.lstat().st_mode) & ~0o222)
    before = fingerprint(nobodys.game)
    for words in READING:
        code, text = run_as_nobody(nobodys, *words)
        assert code == 0, text
    for writing in (("resolve", "GAME"), ("report", "GAME", "--player", "red")):
        code, text = run_as_nobody(nobodys, *writing)
        assert code == 2, text
        assert len(text.strip().splitlines()) <= 2
        assert "you may not do that there" in text
    assert fingerprint(nobodys.game) == before


@pytest.mark.parametrize("mode", [0o000, 0o400, 0o500])
def test_a_desk_without_rights(nobodys: Place, mode: int) -> None:
    """Nothing secret is needed to verify; what needs the desk says so in one line."""
    (nobodys.game / "desk").chmod(mode)
    code, text = run_as_nobody(nobodys, "verify", "GAME")
    assert code == 0, text
    for words in (("resolve", "GAME"), ("report", "GAME", "--player", "red"), ("legal", "GAME")):
        code, text = run_as_nobody(nobodys, *words)
        assert code in (0, 2), text
        assert "Traceback" not in text
        assert code == 0 or len(text.strip().splitlines()) <= 2, text
    (nobodys.game / "desk").chmod(0o700)
    code, text = run_as_nobody(nobodys, "resolve", "GAME")
    assert code == 0, text


def test_a_desk_open_to_others_is_closed(place: Place) -> None:
    """The first command that looks into it closes it."""
    (place.game / "desk").chmod(0o755)
    place.done("resolve", "GAME")
    assert stat.S_IMODE((place.game / "desk").stat().st_mode) == 0o700


NAMES = ["Ann's game ", "Große Mauer 長城", "-x", "a=b [c]", "naïve\u0301"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_of_a_folder(place: Place, tmp_path: Path, name: str) -> None:
    """Blanks, quotes and letters of any alphabet do no harm."""
    odd = Place(tmp_path / name)
    shutil.move(place.path, odd.path)
    renamed = odd.path / name
    odd.game.rename(renamed)
    (odd.path / "game").symlink_to(renamed)
    for words in READING:
        odd.done(words[0], str(renamed))
    odd.done("receive", str(renamed), odd.mail("red", "wall A1"))
    assert "1 order played" in odd.done("resolve", str(renamed))
    odd.done("verify", str(renamed))
    report = (renamed / "desk" / "outbox" / "0003-blue.eml").read_bytes()
    assert all(line.isascii() for line in report.split(b"\n\n")[0].splitlines())


@pytest.mark.parametrize("name", ["game.toml", "states", "desk", "states/0002.toml", "desk/secret"])
def test_a_symbolic_link_is_refused(place: Place, name: str) -> None:
    """A link could point anywhere: one line, and nothing is read or written through it."""
    path = place.game / name
    away = place.path / "away"
    path.rename(away)
    path.symlink_to(away)
    before = fingerprint(place.game)
    for words in (("resolve", "GAME"), ("report", "GAME", "--player", "red")):
        said = place.run(*words)
        assert said.code == 1, said.text
        one_line(said)
        assert "symbolic link" in said.text
    assert fingerprint(place.game) == before
    path.unlink()
    away.rename(path)
    place.done("resolve", "GAME")


@pytest.mark.parametrize("name", ["states", "desk", "desk/hand", "desk/reports"])
def test_a_file_where_a_folder_should_be(place: Place, name: str) -> None:
    """One line, whatever is in the way."""
    shutil.rmtree(place.game / name)
    (place.game / name).write_text("in the way")
    for words in (*READING, ("resolve", "GAME"), ("report", "GAME", "--player", "red")):
        said = place.run(*words)
        assert said.code in (0, 1, 2), said.text
        assert "Traceback" not in said.text
        assert "our fault" not in said.text
        if said.code and words[0] not in ("status", "verify"):
            one_line(said)
    (place.game / name).unlink()
    if name == "states":
        place.done("resolve", "GAME")
        play_on(place)


@pytest.mark.parametrize("name", ["game.toml", "states/0002.toml", "desk/secret", "desk/codes"])
def test_a_folder_where_a_file_should_be(place: Place, name: str) -> None:
    """One line, and the folder in the way is left alone."""
    path = place.game / name
    path.unlink()
    path.mkdir()
    for words in (("resolve", "GAME"), ("report", "GAME", "--player", "red"), ("legal", "GAME")):
        said = place.run(*words)
        assert said.code in (0, 2), said.text
        if said.code:
            one_line(said)
    assert path.is_dir()
