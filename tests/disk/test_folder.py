"""Where each thing of a game lies, who may see it, and names that try to get out."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.disk.folder import GameFolder, MessageStatus
from pbem.disk.games import find_games, new_game_folder
from pbem.errors import BadInput, OurFault, PbemError, Refused, notices

from .conftest import as_nobody

ESCAPES = ["", ".", "..", "../x", "a/b", "/etc/x", "a\\b", "A", "-x", ".x", "a\n", "a\0", "é", "a.",
           "con", "nul.txt", "com1", "x" * 82, "lock/../x"]  # fmt: skip


def test_the_layout(game: GameFolder) -> None:
    """docs/DESIGN.md "One game's folder", to the letter; desk 0700, all in it 0600."""
    game.put_desk_file("secret", b"s")
    game.put_desk_file("players.toml", b"p")
    game.put_report(0, "red.txt", b"r")
    game.put_outbox("1-red", b"o")
    game.put_receipt("r1", b"c")
    game.store_parsed_email("m1", b"m")
    files = {p.relative_to(game.root).as_posix(): p for p in game.root.rglob("*") if p.is_file()}
    public = {"game.toml", "states/0000.toml"}
    private = {"lock", "secret", "players.toml", "hand/0/red.toml", "reports/0000/red.txt",
               "outbox/1-red.eml", "receipts/r1.txt", "mails/m1"}  # fmt: skip
    assert set(files) == public | {f"desk/{name}" for name in private}
    for name, path in files.items():
        assert path.stat().st_mode & 0o777 == (0o644 if name in public else 0o600), name
    for path in (game.root / "desk", *(game.root / "desk").rglob("*/")):
        assert path.stat().st_mode & 0o777 == 0o700, path


def test_what_is_put_is_found(game: GameFolder) -> None:
    game.put_desk_file("secret", b"s")
    game.put_report(0, "red.txt", b"r")
    game.put_report(0, "blue.txt", b"b")
    game.put_outbox("o2", b"o")
    game.put_outbox("o1", b"o")
    game.put_receipt("r1", b"c")
    assert (game.read_desk_file("secret"), game.read_desk_file("players.toml")) == (b"s", None)
    assert (game.read_report(0, "red.txt"), game.read_report(1, "red.txt")) == (b"r", None)
    assert game.list_messages(MessageStatus.WAITING) == ("o1", "o2")
    assert (game.read_receipt("r1") is None, game.read_receipt("r2")) == (False, None)
    assert (game.read_receipt("r1"), game.read_receipt("r2")) == (b"c", None)
    assert (game.has_pending(0), game.has_pending(1), game.read_pending(1)) == (True, False, {})


def test_a_mail_never_takes_the_place_of_another(game: GameFolder) -> None:
    game.store_parsed_email("m1", b"one")
    game.store_parsed_email("m1", b"two")  # after a kill it may be understood otherwise
    assert (game.read_parsed_email("m1"), game.read_parsed_email("m2")) == (b"one", None)


def test_numbers(game: GameFolder) -> None:
    for name in ("0001.toml", "00002.toml", "10000.toml", "3.toml", "0004.txt", "x", ".pbem-tmp-5"):
        (game.root / "states" / name).write_bytes(b"")
    assert game.list_state_numbers() == (0, 1, 10000)
    assert (game.read_state(10000), game.read_state(2)) == (b"", None)
    with pytest.raises(OurFault):
        game.read_state(-1)


def test_a_folder_with_nothing_in_it(tmp_path: Path) -> None:
    game = GameFolder(tmp_path)
    assert (game.is_game(), game.list_state_numbers(), game.read_state(0), game.read_newest()) == (
        False, (), None, None,
    )  # fmt: skip
    assert (game.read_pending(0), game.list_messages(MessageStatus.WAITING), game.read_desk_file("secret")) == (
        {},
        (),
        None,
    )
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ESCAPES)
def test_no_name_gets_out(game: GameFolder, name: str) -> None:
    before = sorted(game.root.parent.rglob("*"))
    calls: list[Callable[[], object]] = [
        lambda: game.put_pending(0, name, b"x"),
        lambda: game.store_parsed_email(name, b"x"),
        lambda: game.read_parsed_email(name),
        lambda: game.put_receipt(name, b"x"),
        lambda: game.read_receipt(name),
        lambda: game.put_outbox(name, b"x"),
        lambda: game.put_report(0, name, b"x"),
        lambda: game.read_report(0, name),
        lambda: game.put_desk_file(name, b"x"),
        lambda: game.read_desk_file(name),
    ]
    with game.lock():
        for call in calls:
            with pytest.raises(BadInput) as caught:
                call()
            assert caught.value.code == "file/name"
            assert "\n" not in caught.value.as_line()
    allowed = {"mails", "reports", "receipts", "outbox", "0000"}  # empty folders may have come
    assert {p.name for p in set(game.root.parent.rglob("*")) - set(before)} <= allowed


@pytest.mark.parametrize("name", ["red", "a", "ann+bob_1.x-y", "0", "x" * 81])
def test_plain_names_get_in(game: GameFolder, name: str) -> None:
    game.store_parsed_email(name, b"x")
    assert game.read_parsed_email(name) == b"x"


def test_the_lock_is_never_written_over(game: GameFolder) -> None:
    with pytest.raises(OurFault):
        game.put_desk_file("lock", b"")


@pytest.mark.parametrize("what", ["desk", "states", "game.toml", "desk/hand", "desk/hand/0",
                                  "desk/hand/0/red.toml", "states/0000.toml"])  # fmt: skip
def test_links_in_a_game_are_refused(game: GameFolder, what: str) -> None:
    """Whoever shares the folder must not choose where we read and write."""
    (game.root / what).rename(game.root.parent / "elsewhere")
    (game.root / what).symlink_to(game.root.parent / "elsewhere")
    calls: dict[str, Callable[[], object]] = {
        "desk": lambda: game.read_desk_file("secret"),
        "states": game.list_state_numbers,
        "game.toml": game.read_newest,
        "desk/hand": lambda: game.read_pending(0),
        "desk/hand/0": lambda: game.read_pending(0),
        "desk/hand/0/red.toml": lambda: game.read_pending(0),
        "states/0000.toml": lambda: game.read_state(0),
    }
    with pytest.raises(Refused) as caught:
        calls[what]()
    assert caught.value.code == "file/symlink"
    if what in ("desk", "states", "game.toml", "desk/hand"):
        with pytest.raises(Refused), game.lock():
            game.commit(1, b"x", {}, lambda: pytest.fail("marked"))
        assert not list(game.root.parent.rglob("0001.toml"))


def test_an_open_desk_is_closed(game: GameFolder) -> None:
    (game.root / "desk").chmod(0o755)
    assert game.read_desk_file("secret") is None
    assert (game.root / "desk").stat().st_mode & 0o777 == 0o700


def _refused(*_: object) -> None:
    raise PermissionError(errno.EPERM, "")


@pytest.mark.parametrize("chmod", [lambda *_: None, _refused], ids=["FAT", "exFAT"])
def test_a_drive_that_keeps_no_modes_is_used_with_one_notice(
    game: GameFolder, monkeypatch: pytest.MonkeyPatch, chmod: Callable[..., None]
) -> None:
    """Found by an attack of 2026-11: the game was refused, with advice that nobody could follow."""
    (game.root / "desk").chmod(0o777)
    monkeypatch.setattr(os, "chmod", chmod)
    notices.clear()
    game.put_desk_file("secret", b"s")
    assert game.read_desk_file("secret") == b"s"
    assert len(notices) == 1


def test_tidy_takes_what_kills_left_and_nothing_else(game: GameFolder) -> None:
    game.put_report(0, "red.txt", b"r")
    kept = {p for p in game.root.rglob("*") if p.is_file()}
    for where in (".", "desk", "desk/hand"):
        (game.root / where / ".pbem-tmp-12").write_bytes(b"")
    (game.root / "desk" / "hand" / ".pbem-tmp-1").mkdir()
    (game.root / "desk" / "hand" / ".pbem-tmp-1" / "red.toml").write_bytes(b"")
    with game.lock():
        game.remove_leftovers(0)
    assert {p for p in game.root.rglob("*") if p.is_file()} == kept


def place(root: Path, *names: str) -> None:
    for name in names:
        (root / name / "states").mkdir(parents=True)


def found(root: Path) -> list[str]:
    return [g.root.relative_to(root).as_posix() for g in find_games(root)[0]]


def test_finding_games(tmp_path: Path) -> None:
    place(tmp_path, "b", "a", "club/x", "club/deep/too", "x/x/x/too/deep", "a/inside", ".hidden/g", "club/.h")
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "file").write_bytes(b"")
    assert found(tmp_path) == ["a", "b", "club/deep/too", "club/x"]
    assert found(tmp_path / "a") == ["."]
    (tmp_path / "only").mkdir()
    (tmp_path / "only" / "game.toml").write_bytes(b"")
    assert found(tmp_path / "only") == ["."]
    for odd in ("missing", "file"):
        with pytest.raises(BadInput) as caught:
            find_games(tmp_path / odd)
        assert caught.value.code == "game/no-folder"


def test_one_closed_folder_does_not_hide_the_rest(folder: Path) -> None:
    place(folder, "a", "closed/g", "z")
    (folder / "closed").chmod(0o700)

    def look() -> None:
        games, notes = find_games(folder)
        print([g.root.name for g in games], notes, flush=True)

    output = as_nobody(look).output
    assert "['a', 'z']" in output
    assert "skipped: cannot look at" in output
    assert output.count("skipped") == 1


def test_a_new_folder(tmp_path: Path) -> None:
    (tmp_path / "e").mkdir()
    for root in (tmp_path / "a" / "b", tmp_path / "e"):
        with new_game_folder(root) as made:
            made.put_desk_file("secret", b"s")
            assert not (root / "desk").exists()
        assert GameFolder(root).read_desk_file("secret") == b"s"
        assert not [*root.parent.glob(".pbem-*")]
    with pytest.raises(Refused) as caught, new_game_folder(tmp_path / "a"):
        pass
    assert caught.value.code == "game/folder-in-use"
    (tmp_path / "f").write_bytes(b"")
    (tmp_path / "link").symlink_to("nowhere")
    for odd in ("f", "f/below", "link", "n" * 300):
        with pytest.raises(PbemError), new_game_folder(tmp_path / odd):
            pass


def test_strange_files_in_the_desk_are_passed_over(game: GameFolder) -> None:
    game.put_outbox("o1", b"o")
    for name in ("A.eml", ".pbem-tmp-1.eml", ".eml", "o2.eml~"):
        (game.root / "desk" / "outbox" / name).write_bytes(b"")
    assert game.list_messages(MessageStatus.WAITING) == ("o1",)
