"""``pbem archive`` and ``pbem audit`` as typed: the examples, other machines, damaged files."""

import base64
import gzip
import hashlib
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from sizes import size

from pbem import catalog, cli
from pbem.crypto.encoding import game_id
from pbem.formats import tar as ustar
from pbem.proof.audit import archive

from . import games_told as told


def game_folder(name: str, root: Path) -> Path:
    """An example as its referee has it: with its desk."""
    source, game = told.GAMES / name, root / "game"
    shutil.copytree(source / "states", game / "states")
    shutil.copy(source / "game.toml", game / "game.toml")
    (game / "desk").mkdir(mode=0o700)
    for one in ("secret", "codes", "players.toml"):
        shutil.copy(source / "throw-away-keys" / one, game / "desk" / one)
    told.with_hands(game, source)
    (root / "home").mkdir(0o700)
    (root / "home" / "keys").mkdir()
    for key in (source / "throw-away-keys").glob("*.key"):
        shutil.copy(key, root / "home" / "keys" / key.name)
        (root / "home" / "keys" / key.name).chmod(0o600)
    return game


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    game_folder(getattr(request, "param", "chang-cheng-2-neutral"), tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    assert cli.run(["archive", "game", "-o", "g.tar"]) == 0
    return tmp_path


@pytest.mark.parametrize("place", told.EXAMPLES, indirect=True)
def test_each_example_is_proven(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a stranger: without keys, without the game's folder."""
    monkeypatch.setenv("PBEM_HOME", str(place / "nobody"))
    (place / "game").rename(place / ".gone")
    capsys.readouterr()
    assert cli.run(["audit", "g.tar", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["games"][0]
    assert found["verdict"] == "proven"
    assert {item["verdict"] for item in found["items"]} == {"proven"}
    assert len(found["items"]) == 15
    assert cli.run(["audit", "g.tar"]) == 0
    assert capsys.readouterr().out.endswith("\ng.tar: proven\n")


def test_the_bytes_are_what_tar_reads(place: Path) -> None:
    data = (place / "g.tar").read_bytes()
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        members = tar.getmembers()
        files = {one.name: tar.extractfile(one).read() for one in members}  # type: ignore[union-attr]
    assert {(one.mode, one.uid, one.gid, one.mtime, one.type) for one in members} == {(0o644, 0, 0, 0, b"0")}
    names = [one.name for one in members]
    assert names == sorted(names)
    assert files == ustar.unpack(data)
    assert ustar.pack(files.items()) == data


@pytest.mark.attack(
    "find an address, email, password or code in an archive", by="not possible: none is in it", who="finder"
)
def test_nothing_private_is_in_it(place: Path) -> None:
    """No address, no code of a reply, no secret of codes; the whole desk is searched for."""
    data = (place / "g.tar").read_bytes()
    assert b"@" not in data
    assert b"pbem]" not in data
    keys = told.GAMES / "chang-cheng-2-neutral" / "throw-away-keys"
    assert (keys / "codes").read_bytes().strip() not in data
    for key in keys.glob("*.key"):
        secret = max(key.read_bytes().split(), key=len)
        assert b"public" in key.name.encode() or secret not in data


def test_the_same_bytes_elsewhere(place: Path) -> None:
    """Another locale, time zone, hash seed and order of files; an archive written again."""
    first = (place / "g.tar").read_bytes()
    again = place / "again"
    game_folder("chang-cheng-2-neutral", again)
    states = again / "game" / "states"
    for path in sorted(states.iterdir(), reverse=True):  # another order in the folder
        path.rename(states / f"{path.name}.x")
        (states / f"{path.name}.x").rename(path)
    env = {
        **os.environ,
        "PBEM_HOME": str(again / "home"),
        "LC_ALL": "tr_TR.UTF-8",
        "TZ": "Pacific/Kiritimati",
        "PYTHONHASHSEED": "4711",
        "SOURCE_DATE_EPOCH": "1",
    }
    line = [sys.executable, "-m", "pbem", "archive", "game", "-o", "other.tar"]
    subprocess.run(line, check=True, capture_output=True, cwd=again, env=env)
    assert (again / "other.tar").read_bytes() == first


@pytest.mark.attack("change a byte of an archive", by="audit", who="carrier")
def test_every_byte_counts(place: Path) -> None:
    """A byte changed here and there: never proven."""
    data = bytearray((place / "g.tar").read_bytes())
    step = size("bytes of an archive")
    for at in [*range(0, 512, 31), *range(0, len(data), step), len(data) - 1]:
        data[at] ^= 1
        (place / "bad.tar").write_bytes(data)
        assert cli.run(["audit", "bad.tar"]) in (1, 2), at
        data[at] ^= 1


@pytest.mark.attack("make an audit accept an archive that was packed in a different way", by="audit", who="finder")
@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (lambda f: f.pop("states/0007.toml"), 1, "state 7 is missing"),
        (lambda f: f.pop("states/0000.toml"), 1, "state 0 is missing"),
        (lambda f: f.update({"letter.txt": b"x"}), 2, "more in it than pbem writes"),
        (lambda f: f.pop("manifest"), 2, "a part of this archive is missing"),
        (lambda f: f.pop("secret"), 2, "a part of this archive is missing"),
        (lambda f: f.update(secret=b"A" * 43 + b"\n"), 1, "is not the file that"),
        (lambda f: f.update(secret=b"x\n"), 2, "the secret in this archive is damaged"),
        (
            lambda f: f.update({"transcript.txt": f["transcript.txt"].replace(b"Ann", b"Eve")}),
            1,
            "transcript.txt is not the file that the archive was made with",
        ),
        (
            lambda f: f.update(manifest=f["manifest"].replace(b"\nsig ", b"\nsig A")[:-2] + b"\n"),
            1,
            "not signed by the game's referee",
        ),
    ],
)
def test_an_archive_put_together_otherwise(
    place: Path, capsys: pytest.CaptureFixture[str], change: Callable[[dict[str, bytes]], object], code: int, said: str
) -> None:
    files = ustar.unpack((place / "g.tar").read_bytes())
    change(files)
    (place / "bad.tar").write_bytes(ustar.pack(files.items()))
    assert cli.run(["audit", "bad.tar"]) == code
    out = capsys.readouterr().out
    assert said in out, out


@pytest.mark.parametrize("command", ["audit", "verify"])
@pytest.mark.parametrize("how", ["gz", "gnu", "pax"])
def test_an_archive_packed_again(place: Path, capsys: pytest.CaptureFixture[str], command: str, how: str) -> None:
    """Found by a newcomer's review: of a .gz it said "this is no archive of a game"."""
    data = (place / "g.tar").read_bytes()
    if how == "gz":
        (place / "bad.tar").write_bytes(gzip.compress(data))
    else:
        kind = tarfile.GNU_FORMAT if how == "gnu" else tarfile.PAX_FORMAT
        with tarfile.open(place / "bad.tar", "w", format=kind) as tar:
            for name, raw in reversed(ustar.unpack(data).items()):
                info = tarfile.TarInfo(name)
                info.size = len(raw)
                tar.addfile(info, io.BytesIO(raw))
    capsys.readouterr()
    assert cli.run([command, "bad.tar"]) == 2
    out = capsys.readouterr().out
    assert "not packed by pbem" in out
    assert "Use the file as pbem wrote it" in out


def test_what_was_not_checked_for_one_reason_is_one_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Found by a newcomer's review: the same reason stood there seven times."""
    shutil.rmtree(place / "game/desk")
    (place / "game/states").rename(place / "states")
    (place / "game/states").mkdir()
    for name in ("0000", "0001", "0002"):
        shutil.copy(place / f"states/{name}.toml", place / f"game/states/{name}.toml")
    shutil.copy(place / "states/0002.toml", place / "game/game.toml")
    code, out = _lines(["audit", "game"], capsys)
    assert (code, out.count("its secret is not here")) == (1, 1)
    assert "  not checked: the game's secret, the deal, hidden things, " in out
    rows = json.loads(_json(["audit", "game"], capsys))["games"][0]["items"]
    assert len([row for row in rows if "its secret is not here" in row["says"]]) == 8


def packed_with(place: Path, made: str, name: str, text: bytes) -> None:
    """``bad.tar``: what the referee signs with one file for people in other words."""
    key = told.key_of("chang-cheng-2-neutral")
    contents = archive.unpack((place / "g.tar").read_bytes())
    files = {**contents.texts.files, name: text}
    words = archive.ArchiveTexts(made or contents.texts.writer, files)
    game = game_id(contents.states[0])
    data = archive.pack(contents._replace(texts=words), game, key.signing, key.public)
    (place / "bad.tar").write_bytes(data)


def test_what_is_for_people_may_be_absent(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """But the transcript; the text said so, and an audit contradicted a game without README.txt."""
    key = told.key_of("chang-cheng-2-neutral")
    contents = archive.unpack((place / "g.tar").read_bytes())
    files = {archive.TRANSCRIPT: contents.texts.files[archive.TRANSCRIPT]}
    contents = contents._replace(texts=contents.texts._replace(files=files))
    data = archive.pack(contents, game_id(contents.states[0]), key.signing, key.public)
    (place / "bare.tar").write_bytes(data)
    code, out = _lines(["audit", "bare.tar"], capsys)
    whole = _lines(["audit", "g.tar"], capsys)
    assert (code, out.replace("bare.tar", "g.tar")) == whole


def test_a_transcript_that_lies(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The referee himself packs it: everything is signed, and the text says something else."""
    text = archive.unpack((place / "g.tar").read_bytes()).texts.files[archive.TRANSCRIPT]
    text, changed = re.subn(rb"Ann \(red\): -?\d+", b"Ann (red): 99", text)
    assert changed
    packed_with(place, "", archive.TRANSCRIPT, text)
    code, out = _lines(["audit", "bad.tar"], capsys)
    assert (code, "CONTRADICTED: transcript.txt, line " in out) == (1, True)
    assert "is not what the states say" in out


@pytest.mark.attack("put a false transcript or false rules into an archive", by="audit", who="referee")
@pytest.mark.parametrize("name", archive.FOR_PEOPLE)
def test_all_that_is_for_people_is_compared(place: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """A page that tells a reader to trust another program would be as bad as a wrong result."""
    packed_with(place, "", name, b"Send your keys to me.\n")
    code, out = _lines(["audit", "bad.tar"], capsys)
    assert (code, f"CONTRADICTED: {name}, line 1, is not" in out) == (1, True)


def test_words_of_another_version_are_not_compared(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Found by a review: an archive of an older pbem, worded otherwise, was contradicted."""
    packed_with(place, "pbem 0.0.1", archive.TRANSCRIPT, b"An older heading.\n")
    code, out = _lines(["audit", "bad.tar"], capsys)
    assert (code, "CONTRADICTED" in out) == (1, False)
    assert "  not checked: the transcript: pbem 0.0.1 wrote it and this is pbem " in out
    assert out.endswith("bad.tar: TRANSCRIPT NOT COMPARED: all else is proven\n")
    contents = archive.unpack((place / "g.tar").read_bytes())
    text = contents.texts.files[archive.TRANSCRIPT]
    packed_with(place, "pbem 0.0.1", archive.TRANSCRIPT, text)  # in the very same words
    code, out = _lines(["audit", "bad.tar"], capsys)
    assert (code, out.endswith("bad.tar: proven\n")) == (0, True)


@pytest.mark.parametrize("made", ["pbem", "pbem 1\nmade pbem 2", "pbem 1, which is proven", "x 1 "])
def test_who_wrote_it_is_a_name_and_a_version(place: Path, capsys: pytest.CaptureFixture[str], made: str) -> None:
    """Nothing else gets from a manifest onto a screen."""
    packed_with(place, made, archive.TRANSCRIPT, b"x\n")
    code, out = _lines(["audit", "bad.tar"], capsys)
    assert (code, "which is proven" in out) == (1, False)
    assert "  contradicted: the archive itself: " in out


@pytest.mark.parametrize("place", told.EXAMPLES, indirect=True)
def test_an_archive_is_read_without_pbem(place: Path) -> None:
    """Found by a review: no rule's text, no board, no running score, no word on the formats."""
    files = ustar.unpack((place / "g.tar").read_bytes())
    contents = archive.unpack((place / "g.tar").read_bytes())
    setup = told.document_of(contents.states[0])["setup"]
    game = catalog.load(setup["kind"])
    text, readme = files["transcript.txt"].decode(), files["README.txt"].decode()
    for page in (text, readme):
        assert f"{game.title}, {game.credits}" in page
    assert len(text) < 200_000
    body, cited = text.split("\nTHE RULES CITED\n")
    assert set(re.findall(r"\((\w+-\d+\w*)\)$", body, re.MULTILINE)) <= {
        line.split(": ")[0] for line in cited.splitlines()
    }
    last, steps = max(contents.states), body.split("\nSTATE ")[1:]
    assert len(steps) == last - 1  # from the deal on
    assert all("\nPoints: " in step for step in steps)
    boards = [n for n, step in enumerate(steps, 2) if f"The board after state {n}:\n    " in step]
    assert (boards[0], boards[-1]) == (2, last)
    assert all(later - one <= 5 for one, later in itertools.pairwise(boards))
    assert re.search(r"THE END\n.*w.*\n1\. \w+ \(\w+\): \d+ \(\w+", steps[-1])
    assert not re.search(r"[^\n]\n\n\n", text)
    for table in {key for raw in contents.states.values() for key in told.document_of(raw)}:
        assert re.search(rf"^\[?(\w+, )*{table}\b", readme, re.MULTILINE) or table == "pbem", table
    for name in files.keys() - {"README.txt"}:
        assert re.search(rf"^{name.split('/')[0]}\b", readme, re.MULTILINE)
    docs = told.GAMES.parents[1] / "docs"
    assert files["SPECIFICATION.md"] == (docs / "SPECIFICATION.md").read_bytes()
    assert files["RULES.md"].decode() == catalog.read_rules(game.kind)


def test_an_archive_is_checked_without_pbem(place: Path) -> None:
    """As its README.txt says: every file against the manifest, the game's id."""
    files = ustar.unpack((place / "g.tar").read_bytes())
    rows = re.findall(r"^([0-9a-f]{64})  (.*)$", files["manifest"].decode(), re.MULTILINE)
    assert {name for _, name in rows} == files.keys() - {"manifest"}
    assert all(hashlib.sha256(files[name]).hexdigest() == found for found, name in rows)
    first = base64.b32encode(hashlib.sha256(files["states/0000.toml"]).digest())
    assert f"Its id is {first.decode().lower()[:26]}." in files["README.txt"].decode()


def _json(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    cli.run([*words, "--json"])
    return capsys.readouterr().out


def _lines(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    code = cli.run(words)
    return code, capsys.readouterr().out


def test_an_archive_unpacked(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of it is checked as in the file; a plain game folder is not blamed for being none."""
    with tarfile.open("g.tar") as tar:
        for name in tar.getnames():  # extractall warns, or takes no filter, by Python's version
            (place / "u" / name).parent.mkdir(parents=True, exist_ok=True)
            found = tar.extractfile(name)
            assert found is not None
            (place / "u" / name).write_bytes(found.read())
    text, manifest = place / "u" / "transcript.txt", place / "u" / "manifest"
    kept = text.read_bytes()
    assert _json(["audit", "u"], capsys).count('"proven"') == 17  # 15 items, the verdict twice
    text.write_bytes(kept.replace(b"Ann", b"Eve"))
    code, out = _lines(["audit", "u"], capsys)
    assert (code, "CONTRADICTED: " in out) == (1, True)
    assert "contradicted: the archive itself: transcript.txt is not the file" in out
    assert "contradicted: the transcript: transcript.txt, line " in out
    listed = manifest.read_bytes()
    manifest.unlink()
    assert _lines(["audit", "u"], capsys)[0] == 1
    text.write_bytes(kept)
    code, out = _lines(["audit", "u"], capsys)
    folder = "this is a folder; name the file that pbem archive wrote"
    assert (code, f"  not checked: the archive itself: {folder}\n" in out) == (1, True)
    assert "  proven: the transcript: " in out
    text.unlink()
    code, out = _lines(["audit", "u"], capsys)
    assert (code, "the archive itself" in out, "the transcript" in out) == (0, False, False)
    manifest.write_bytes(listed)
    code, out = _lines(["audit", "u"], capsys)
    assert (code, folder in out) == (1, True)
    assert "  not checked: the transcript: transcript.txt is not in this folder\n" in out
    assert "CONTRADICTED" not in out


def test_a_table_for_many(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy("g.tar", "h.tar")
    capsys.readouterr()
    assert cli.run(["audit", "."]) == 0
    lines = capsys.readouterr().out.splitlines()
    verdicts = [line for line in lines if not line.startswith(" ") and ": game " not in line]
    assert verdicts == ["g.tar: proven", "game: proven", "h.tar: proven"]
    assert len([line for line in lines if line.startswith(("  proven", "  stated"))]) == 15 + 13 + 15
    stated = [line.split(": ")[1] for line in lines if line.startswith("  stated: ")]
    assert stated == ["whose orders they were", "pending orders"] * 3  # the referee's word
    items = json.loads(_json(["audit", "g.tar"], capsys))["games"][0]["items"]
    assert [item["item"] for item in items if item["stated"]] == ["signed", "pending"]
    assert {item["verdict"] for item in items} == {"proven"}
    files = ustar.unpack((place / "g.tar").read_bytes())
    del files["states/0003.toml"]
    (place / "h.tar").write_bytes(ustar.pack(files.items()))
    assert cli.run(["audit", "g.tar", "h.tar", "nowhere.tar"]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert "g.tar: proven" in lines
    assert lines[-2] == "h.tar: CONTRADICTED: state 3 is missing"
    assert lines[-1].startswith("nowhere.tar: ")


@pytest.mark.attack(
    "pass off a different game as this one", by="verify, with the game's id or the referee's key", who="carrier"
)
def test_whom_the_asker_knows(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = json.loads(_json(["audit", "g.tar"], capsys))["games"][0]["game"]
    key = told.b64_of(told.key_of("chang-cheng-2-neutral").public)
    for known in (game, key, f"{'a' * 26} another\n# a note\n{game}  ours"):
        (place / "known.txt").write_text(known, encoding="utf-8")
        assert cli.run(["audit", "g.tar", "--keys", "known.txt"]) == 0
        assert "compare it" not in capsys.readouterr().out
    for known, code in (("b" * 26, 1), ("hello", 2), ("", 2)):
        (place / "known.txt").write_text(known, encoding="utf-8")
        assert cli.run(["audit", "g.tar", "--keys", "known.txt"]) == code


def test_rules_that_are_not_here(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """P9: an auditor that lacks the version says "not checked", never "forged"."""
    game = catalog.load("chang-cheng")
    monkeypatch.setattr(type(game), "rulings", ("2031-01",))
    contents = archive.unpack((place / "g.tar").read_bytes())
    found = told.audited(contents.states, contents.secret)
    assert found.verdict == "not checked"
    says = {item.name: item for item in found.items}
    assert says["chain"].verdict == says["openings"].verdict == "proven"
    assert says["orders"].verdict == says["result"].verdict == "not checked"
    assert "pip install pbem==" in says["orders"].text


def test_a_game_that_goes_on(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Refused without the flag; with it there is no secret in the file, and it says so."""
    last = max((place / "game" / "states").iterdir())
    last.unlink()
    older = max((place / "game" / "states").iterdir())
    shutil.copy(older, place / "game" / "game.toml")
    assert cli.run(["archive", "game", "-o", "u.tar"]) == 1
    assert not (place / "u.tar").exists()
    assert cli.run(["archive", "game", "-o", "u.tar", "--unfinished"]) == 0
    files = ustar.unpack((place / "u.tar").read_bytes())
    assert "secret" not in files
    text = files["transcript.txt"].decode()
    assert "card ? " in text
    assert "threat:" not in text
    capsys.readouterr()
    assert cli.run(["audit", "u.tar"]) == 1
    out = capsys.readouterr().out
    assert "NOT PROVEN: 7 of 15 proven, nothing contradicted" in out


def test_another_file_is_not_written_over(place: Path) -> None:
    (place / "photo.jpg").write_bytes(b"x")
    assert cli.run(["archive", "game", "-o", "photo.jpg"]) == 1
    assert (place / "photo.jpg").read_bytes() == b"x"
    assert cli.run(["archive", "game", "-o", "g.tar"]) == 0
    assert not [path for path in place.iterdir() if path.name.startswith(".pbem")]


def test_two_histories_of_one_game_are_not_proven_side_by_side(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Found in review: each was proven, and nobody said that they were of one game."""
    shutil.copytree(place / "game", place / "twin")
    shutil.copytree(place / "home", place / "home2")
    folders = (("game", "home", "the box is sold"), ("twin", "home2", "the board is lost"))
    for folder, home, reason in folders:
        os.environ["PBEM_HOME"] = str(place / home)
        assert cli.run(["adopt", folder]) == 0
        assert cli.run(["restore", "--nothing-lost", folder]) == 0
        assert cli.run(["amend", folder, "note", reason]) == 0
        assert cli.run(["archive", folder, "-o", f"{folder}.tar"]) == 0
        assert cli.run(["audit", f"{folder}.tar"]) == 0
    capsys.readouterr()
    assert cli.run(["audit", "game.tar", "twin.tar"]) == 1
    out = capsys.readouterr().out
    assert "twin.tar: CONTRADICTED: game.tar has another state" in out
