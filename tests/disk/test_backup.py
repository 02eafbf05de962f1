"""Games into one file and back, and files that are not what they say."""

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from sizes import size

from pbem.disk import backup
from pbem.disk.backup import pack, unpack
from pbem.disk.folder import GameFolder
from pbem.errors import BadInput, PbemError, Refused

from .killer import fork_killed, fork_points


def content(root: Path) -> dict[str, tuple[bytes, int]]:
    """Every file and folder under ``root`` but the locks: bytes and mode."""
    return {
        p.relative_to(root).as_posix(): (
            p.read_bytes() if p.is_file() else b"/", p.stat().st_mode & 0o777
        )
        for p in root.rglob("*") if p.name != "lock"
    }  # fmt: skip


@pytest.fixture
def club(tmp_path: Path) -> Path:
    root = tmp_path / "club"
    for name in ("süd", "a/" + "long" * 40, "b"):
        (root / name).mkdir(parents=True)
        game = GameFolder(root / name)
        with game.lock():
            game.commit(0, name.encode() * 40000, {"red": b"r"}, lambda: None)
        game.put_report(0, "spectators.txt", b"r")
        game.store_parsed_email("m", b"m")
        game.put_outbox("o", b"o")
        for mark in ("sending", "sent", "failed"):
            (root / name / "desk" / mark).mkdir(0o700)
            (root / name / "desk" / mark / f"o-{mark}.eml").write_bytes(b"o")
            (root / name / "desk" / mark / f"o-{mark}.eml").chmod(0o600)
    (root / "b" / "notes.txt").write_text("n")
    (root / "b" / "states" / ".pbem-tmp-1").write_bytes(b"left")
    return root


def test_there_and_back(club: Path, tmp_path: Path) -> None:
    sink = tmp_path / "x.tar.gz"
    assert pack(club, sink) == []
    assert sink.stat().st_mode & 0o777 == 0o600
    unpack(sink, tmp_path / "new" / "place")
    before = content(club)
    del before["b/states/.pbem-tmp-1"]
    assert content(tmp_path / "new" / "place") == before
    assert not list((tmp_path / "new").rglob("lock"))
    assert os.listdir(tmp_path / "new") == ["place"]
    first = sink.read_bytes()
    assert first[4:8] == bytes(4)  # gzip would put the time there
    os.utime(club / "b" / "game.toml", (1, 1))
    pack(club, sink)
    assert sink.read_bytes() == first


def test_one_game_and_its_backup_inside_it(game: GameFolder, tmp_path: Path) -> None:
    sink = game.root / "x.tar.gz"
    pack(game.root, sink)
    first = sink.read_bytes()
    pack(game.root, sink)
    assert sink.read_bytes() == first
    (tmp_path / "empty").mkdir()
    unpack(sink, tmp_path / "empty")
    assert GameFolder(tmp_path / "empty").read_state(0) == b"state 0"


def test_what_is_left_out_is_told(game: GameFolder, tmp_path: Path) -> None:
    game.put_report(0, "spectators.txt", b"r")
    (game.root / "link").symlink_to("/etc/passwd")
    os.mkfifo(game.root / "pipe")
    os.link(game.root / "game.toml", game.root / "twice")
    notes = pack(game.root, tmp_path / "x.tar.gz")
    assert [n.split("/")[-1] for n in notes] == [
        "link is a link, pipe or device", "pipe is a link, pipe or device",
    ]  # fmt: skip
    unpack(tmp_path / "x.tar.gz", tmp_path / "new")
    assert (tmp_path / "new" / "twice").read_bytes() == b"state 0"


def test_a_game_at_work_is_not_packed(game: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    with game.lock():
        monkeypatch.setattr("pbem.disk.system.time.monotonic", iter(range(0, 1000, 20)).__next__)
        with pytest.raises(Refused) as caught:
            pack(game.root, game.root.parent / "x")
    assert caught.value.code == "game/busy"
    assert os.listdir(game.root.parent) == ["game"]


def test_nothing_to_pack_and_nowhere_to_put_it(game: GameFolder, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for root, sink in ((tmp_path / "empty", tmp_path / "x"), (game.root, tmp_path / "no" / "x"),
                       (game.root, tmp_path / "empty")):  # fmt: skip
        with pytest.raises(BadInput):
            pack(root, sink)
    assert sorted(os.listdir(tmp_path)) == ["empty", "game"]


def test_a_kill_or_a_full_drive_restores_nothing_or_all(game: GameFolder, tmp_path: Path) -> None:
    sink = tmp_path / "x.tar.gz"
    pack(game.root, sink)
    steps = fork_points(lambda: unpack(sink, tmp_path / "count" / "new"))
    for how in ("before", "half", "full"):
        for k in range(1, len(steps) + 1):
            place = tmp_path / f"{how}{k}"
            fork_killed(lambda p=place: unpack(sink, p / "new"), k, how)  # type: ignore[misc]
            if (place / "new").exists():
                assert content(place / "new") == content(game.root)
            elif how == "full" and place.exists():
                assert os.listdir(place) == []


def refused(sink: Path, place: Path) -> str:
    with pytest.raises(PbemError) as caught:
        unpack(sink, place)
    assert "\n" not in caught.value.as_line()
    assert not place.exists()
    assert not list(place.parent.glob(".pbem-tmp-*"))
    return caught.value.code


def unpacked(sink: Path, place: Path) -> bool:
    try:
        unpack(sink, place)
    except BadInput:
        assert not place.exists()
        return False
    return True


def test_a_folder_in_use_is_not_touched(game: GameFolder, tmp_path: Path) -> None:
    pack(game.root, tmp_path / "x")
    before = content(game.root)
    with pytest.raises(Refused) as caught:
        unpack(tmp_path / "x", game.root)
    assert caught.value.code == "game/folder-in-use"
    assert content(game.root) == before


def test_any_cut_and_any_flipped_byte_is_noticed(game: GameFolder, tmp_path: Path) -> None:
    sink, bad = tmp_path / "x", tmp_path / "bad"
    pack(game.root, sink)
    data = sink.read_bytes()
    for at in range(0, len(data), 7):
        bad.write_bytes(data[:at])
        assert refused(bad, tmp_path / "new") == "backup/damaged", at
    same = []  # a few flips choose another way to write the same bytes; that is no damage
    for at in range(10, len(data), 3):
        bad.write_bytes(data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :])
        if unpacked(bad, tmp_path / "new"):
            assert content(tmp_path / "new") == content(game.root), at
            same.append(at)
            shutil.rmtree(tmp_path / "new")
    assert len(same) < 5
    bad.write_bytes(data + b"more")
    assert refused(bad, tmp_path / "new") == "backup/damaged"


def evil(*members: tuple[str, bytes, Callable[[tarfile.TarInfo], None] | None]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, data, change in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if change:
                change(info)
            tar.addfile(info, io.BytesIO(data))
        words = backup.last_member_content(len(members), sum(len(m[1]) for m in members))
        info = tarfile.TarInfo(backup.LAST_MEMBER)
        info.size = len(words)
        tar.addfile(info, io.BytesIO(words))
    return out.getvalue()


def kind(letter: bytes) -> Callable[[tarfile.TarInfo], None]:
    def change(info: tarfile.TarInfo) -> None:
        info.type, info.linkname = letter, "/etc/passwd"

    return change


def test_the_evil_files_below_differ_from_a_good_one_by_their_evil_alone(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(evil(("a/b", b"x", None)))
    unpack(tmp_path / "x", tmp_path / "new")
    assert (tmp_path / "new" / "a" / "b").read_bytes() == b"x"


@pytest.mark.parametrize("name", ["/abs", "../up", "a/../../up", "a//b", "./a", "..", ".pbem-tmp-1"])
def test_names_that_lead_out(tmp_path: Path, name: str) -> None:
    (tmp_path / "x").write_bytes(evil((name, b"x", None)))
    assert refused(tmp_path / "x", tmp_path / "p" / "new") == "backup/unsafe"


@pytest.mark.parametrize("letter", [b"1", b"2", b"3", b"4", b"6", b"7", b"Z"])
def test_kinds_that_are_no_files(tmp_path: Path, letter: bytes) -> None:
    (tmp_path / "x").write_bytes(evil(("a", b"", kind(letter))))
    assert refused(tmp_path / "x", tmp_path / "new") == "backup/unsafe"


def test_twice_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(evil(("a", b"1", None), ("a", b"2", None)))
    assert refused(tmp_path / "x", tmp_path / "new") == "file/trouble"
    (tmp_path / "x").write_bytes(evil(("a", b"1", None), ("a/b", b"2", None)))
    assert refused(tmp_path / "x", tmp_path / "new") == "file/not-a-folder"


def test_modes_come_from_the_place(tmp_path: Path) -> None:
    def wide(info: tarfile.TarInfo) -> None:
        info.mode = 0o7777

    (tmp_path / "x").write_bytes(evil(("g/desk/secret", b"x", wide), ("g/game.toml", b"x", wide)))
    unpack(tmp_path / "x", tmp_path / "new")
    modes = {name: mode for name, (_, mode) in content(tmp_path / "new").items()}
    assert modes == {"g": 0o755, "g/desk": 0o700, "g/desk/secret": 0o600, "g/game.toml": 0o644}


PACKED_IN = """
import sys, tracemalloc
from pathlib import Path
from pbem.disk.backup import pack, unpack
club, file, new = map(Path, sys.argv[1:])
tracemalloc.start()
assert pack(club, file) == []
unpack(file, new)
print(tracemalloc.get_traced_memory()[1])
"""  #: packs a folder of games, unpacks it and prints the most bytes that were in use


def test_any_number_of_games_in_flat_memory(tmp_path: Path) -> None:
    """Found by an attack of 2026-11: `backup` refused 108 long games, which are 280,000 files."""
    for i in range(size("games of a backup")):
        mails = tmp_path / "club" / f"g{i}" / "desk" / "mails"
        mails.mkdir(parents=True)
        (mails.parent.parent / "states").mkdir()
        for k in range(1000):
            (mails / f"{k}.eml").write_bytes(os.urandom(120))
    # in a process of its own: what the interpreter's table of names takes when it grows depends on
    # all that ran in it before
    line = [sys.executable, "-P", "-c", PACKED_IN, *("club", "x", "new")]
    peak = subprocess.run(line, cwd=tmp_path, stdout=subprocess.PIPE, check=True).stdout
    assert int(peak) < 3 << 20
    assert len(list((tmp_path / "new").iterdir())) == size("games of a backup")
    one = Path("g3") / "desk" / "mails" / "7.eml"
    assert (tmp_path / "new" / one).read_bytes() == (tmp_path / "club" / one).read_bytes()


def test_a_bomb_takes_neither_room_nor_memory(tmp_path: Path) -> None:
    """A header that claims to be a gigabyte long, and a file that says it has three."""
    header = tarfile.TarInfo("pax")
    header.type, header.size = tarfile.XHDTYPE, 1 << 30
    huge = tarfile.TarInfo("huge")
    huge.size = 3 << 30
    for info, code in ((header, "unsafe"), (huge, "damaged")):
        (tmp_path / "x").write_bytes(gzip.compress(info.tobuf() + bytes(1 << 20)))
        assert refused(tmp_path / "x", tmp_path / "new") == f"backup/{code}"
    (tmp_path / "x").write_bytes(gzip.compress(huge.tobuf() + bytes(20 << 20)))
    assert refused(tmp_path / "x", tmp_path / "new") == "backup/unsafe"
    chain = b"".join(_empty_long_name() for _ in range(5000))
    (tmp_path / "x").write_bytes(gzip.compress(chain + bytes(1024)))
    assert refused(tmp_path / "x", tmp_path / "new") == "backup/unsafe"


def _empty_long_name() -> bytes:
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 1
    return info.tobuf() + b"a".ljust(512, b"\0")


@pytest.mark.parametrize(
    "data",
    [b"", b"\x1f\x8b", b"PK\3\4", *map(gzip.compress, (b"", b"text" * 999, bytes(10240)))],
    ids=["nothing", "two bytes", "zip", "empty gzip", "gzip of a text", "gzip of zeros"],
)
def test_what_is_no_backup(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    assert refused(tmp_path / "x", tmp_path / "new") == "backup/damaged"


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe", tmp_path / "new") == "file/odd"
    assert refused(tmp_path / "missing", tmp_path / "new") == "file/missing"
    assert refused(tmp_path, tmp_path / "new" / "new") == "file/folder"


def test_a_long_header_is_not_taken_into_memory(tmp_path: Path) -> None:
    header = tarfile.TarInfo("pax")
    header.type, header.size = tarfile.XHDTYPE, 1 << 30
    (tmp_path / "x").write_bytes(gzip.compress(header.tobuf() + bytes(40 << 20), 1))
    tracemalloc.start()
    try:
        assert refused(tmp_path / "x", tmp_path / "new") == "backup/unsafe"
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()


def test_endless_nothing_after_the_end(tmp_path: Path) -> None:
    plain = gzip.decompress(evil(("a", b"x", None)))
    (tmp_path / "x").write_bytes(gzip.compress(plain + bytes(9 << 20), 1))
    unpack(tmp_path / "x", tmp_path / "first")
    (tmp_path / "x").write_bytes(gzip.compress(plain + bytes(20 << 20)))
    assert refused(tmp_path / "x", tmp_path / "new") == "backup/unsafe"


def test_the_last_member_must_be_last_and_must_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = gzip.decompress(evil(("a", b"x", None)))
    end = good.index(b"pbem backup 1\n") + 512
    (tmp_path / "x").write_bytes(gzip.compress(good[:end] + good))
    assert refused(tmp_path / "x", tmp_path / "new") == "backup/damaged"
    (tmp_path / "x").write_bytes(gzip.compress(good[1024:]))
    assert refused(tmp_path / "x", tmp_path / "new") == "backup/damaged"


def test_what_is_restored_is_durable(game: GameFolder, tmp_path: Path) -> None:
    pack(game.root, tmp_path / "x")
    steps = fork_points(lambda: unpack(tmp_path / "x", tmp_path / "new"))
    written = {s.split(" ")[1] for s in steps if s.startswith(("open ", "mkdir "))}
    assert len(written) == 8  # three files, five folders with the one they are built in
    at = next(i for i, s in enumerate(steps) if s.startswith("rename "))
    assert written <= {s.split(" ")[1] for s in steps[:at] if s.startswith("fsync ")}
    assert steps[at + 1 :] == [f"fsync {tmp_path}"]


def test_a_file_that_is_mostly_holes_is_named(game: GameFolder, tmp_path: Path) -> None:
    """Its backup was made, in hours, and could not be restored."""
    with (game.root / "holes").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(BadInput) as caught:
        pack(game.root, tmp_path / "x.tar.gz")
    assert caught.value.code == "backup/sparse"
    assert f"{game.root / 'holes'} is mostly empty" in caught.value.as_line()
    assert not (tmp_path / "x.tar.gz").exists()
    (game.root / "holes").unlink()
    with (game.root / "few").open("wb") as file:
        file.truncate(1 << 20)
    pack(game.root, tmp_path / "x.tar.gz")
    unpack(tmp_path / "x.tar.gz", tmp_path / "new")


def test_a_header_of_many_megabytes_is_refused_unread(tmp_path: Path) -> None:
    """Python's tarfile, from 3.13.18 on, takes 943 MB of memory for a header of 8 MB."""
    big = tarfile.TarInfo("game/game.toml")
    big.pax_headers = {"comment": "x" * (8 << 20)}
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w", format=tarfile.PAX_FORMAT) as tar:
        tar.addfile(big)
    (tmp_path / "x").write_bytes(gzip.compress(sink.getvalue(), 0))
    tracemalloc.start()
    try:
        with pytest.raises(BadInput) as caught:
            unpack(tmp_path / "x", tmp_path / "new")
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()
    assert caught.value.code == "backup/unsafe"
    assert "a header of more than 1048576 bytes" in caught.value.as_line()


@pytest.mark.parametrize("records", [b"", b"5 a=\n", b"12 path=a/c\n8 a=\nb=\n", b"17 comment=hello\n"])
def test_an_extended_header_is_read(tmp_path: Path, records: bytes) -> None:
    (tmp_path / "x").write_bytes(extended(records))
    unpack(tmp_path / "x", tmp_path / "new")
    name = "c" if b"path" in records else "b"
    assert (tmp_path / "new" / "a" / name).read_bytes() == b"x"


@pytest.mark.parametrize("records", [b"x", b"99 a=b\n", b"6 a=bc\n", b"0 a=b\n", b"4 a\n", b"9 size=x\n"])
def test_an_extended_header_that_is_damaged(tmp_path: Path, records: bytes) -> None:
    (tmp_path / "x").write_bytes(extended(records))
    assert refused(tmp_path / "x", tmp_path / "new") == "backup/damaged"


def extended(records: bytes) -> bytes:
    """A backup of one member, ``a/b``, with this extended header."""
    header = tarfile.TarInfo("pax")
    header.type, header.size = tarfile.XHDTYPE, len(records)
    member = gzip.decompress(evil(("a/b", b"x", None)))
    return gzip.compress(header.tobuf() + records + bytes(-len(records) % 512) + member)
