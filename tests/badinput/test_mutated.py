"""A long run: everything that is read, mutated. No traceback, no "our fault", no half change.

What lives here: the mutations, and what must hold after each. How many: tests/sizes.py.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sizes import size

from pbem.chain.signed_state import sign_state
from pbem.disk.home import Home
from pbem.formats import state_file
from pbem.services.session.keys import load_acting_key

from . import world as worlds
from .test_badinput import snapshot, told
from .world import World

#: what odd pieces are put in: line ends, marks, beginnings of ours, numbers past all
PIECES = [
    *(b"\n", b"\r", b"\x0b", b"\x00", b"\xff", b" ", b'"', b"\\", b"[", b"]", b"(", b"=", b"."),
    *(b"-", b"0", b"99999999999999999999", b"<", b"&#99999999999;", b"=?utf-8?b?", b"--b\n"),
    *("\u0301\u0323\u2028\ufdfa\u00ad\u202e\ud7ff".encode(), b"[pbem ", b"signed pbem 1 "),
    *(b"wall A5\n", b"later:\n", b"when AP1: ", b"password x\n", b"[signature]\n", b"From: (\n"),
]


def mutated(data: bytes, below: Random) -> bytes:
    """One to four of: a byte changed, a piece cut, doubled, moved or put in."""
    found = bytearray(data)
    for _ in range(below.randint(1, 4)):
        at, end = sorted(below.randrange(len(found) + 1) for _ in range(2))
        end = min(end, at + below.choice((1, 4, 40, 4000)))
        match below.randrange(5):
            case 0:
                found[at:at] = below.choice(PIECES) * below.choice((1, 1, 3, 300))
            case 1:
                del found[at:end]
            case 2:
                found[at:at] = found[at:end]
            case 3:
                found[at:end] = bytes(reversed(found[at:end]))
            case _ if at < len(found):
                found[at] = below.randrange(256)
    return bytes(found)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        yield worlds.build(tmp_path_factory.mktemp("world"), patch)


@pytest.fixture
def world(built: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    found = worlds.copy(built, tmp_path / "w")
    worlds.settle_in(found.root, monkeypatch)
    return found


def run(world: World, line: str, what: str) -> int:
    """A command line; whatever it says, it is neither a traceback nor our fault."""
    code, out, err = told(world, {"run": line})
    said = out + err
    assert code in (0, 1, 2), (line, what, said)
    assert "our fault" not in said, (line, what, said)
    assert "Traceback" not in said, (line, what, said)
    return code


def unchanged(world: World, line: str, what: str) -> None:
    """A command that only reads changes nothing."""
    before = snapshot(world.games)
    run(world, line, what)
    assert snapshot(world.games) == before, (line, what)


def seeds(number: int) -> Iterator[Random]:
    return (Random(seed) for seed in range(number))


MAIL = """From: Bob <bob@example.org>
Subject: Re: [pbem {north}] your turn
Message-ID: <{number}@example.org>
Date: Sat, 21 Nov 2026 10:00:00 +0000
Content-Type: {kind}

{text}
"""
AT_ONCE = 100
TEXTS = {
    "text/plain; charset=utf-8": "Hi,\nwall A7\nlater:\nwall B5\n> [pbem {north}]\n> old\n",
    "text/html; charset=utf-8": "<p>wall A7</p><blockquote>[pbem {north}]</blockquote>&#65;",
    'multipart/mixed; boundary="b"': (
        '--b\nContent-Type: text/plain\n\nhello\n--b\nContent-Type: a/b; name="x.toml"\n\n'
        'pbem = 1\ncode = "{north}"\norders = ["wall A7"]\n--b--\n'
    ),
    "text/plain; format=flowed": "card flood BP1 \nthen -1\nwithdraw\nhelp\nrules CC-1\n",
}


@pytest.mark.attack(
    "make pbem crash with a damaged file", by="not possible: pbem gives one clear line about each file", who="anybody"
)
def test_mails(built: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail is taken whole, or nothing of the game changes but what it says of itself."""
    for number, below in enumerate(seeds(size("mutated mails"))):
        if number % AT_ONCE == 0:  # each look at everything costs what all mails before left
            world = worlds.copy(built, tmp_path / f"w{number}")
            worlds.settle_in(world.root, monkeypatch)
        kind = below.choice(sorted(TEXTS))
        text = TEXTS[kind].replace("{north}", world.names["north"])
        mail = MAIL.format(number=number, kind=kind, text=text, **world.names).encode()
        (world.root / "given").write_bytes(data := mutated(mail, below))
        before = shared(world)
        run(world, "receive games given", repr(data))
        assert shared(world) == before
        unchanged(world, "status games", repr(data))


def shared(world: World) -> dict[str, object]:
    """All but desks: what no mail changes."""
    return {name: what for name, what in snapshot(world.games).items() if "/desk" not in name}


def test_move_and_view_files(world: World) -> None:
    newest = max((world.games / "north/desk/reports").iterdir())
    view = (newest / "blue.view.toml").read_bytes()
    move = f'pbem = 1\ncode = "{world.names["north"]}"\norders = [\n  "wall A7",\n]\n'.encode()
    for below in seeds(size("mutated move and view files")):
        (world.root / "view").write_bytes(seen := mutated(view, below))
        unchanged(world, "orders list view", repr(seen))
        (world.root / "given").write_bytes(given := mutated(move, below))
        (world.root / "view").write_bytes(view)
        unchanged(world, "orders check view given", repr(given))


Alter = Callable[[bytes, Random], bytes]


def odd_body(body: bytes, below: Random) -> bytes:
    """A body in which a row, a number or a word is another one, and spelt as bodies are."""
    lines = body.decode().split("\n")
    at = below.randrange(1, len(lines))
    words = lines[at].split(" ")
    where = below.randrange(len(words))
    match below.randrange(5):
        case 0:
            words[where] = below.choice(("0", "99", "red", "-", "A5", "x", "999999"))
        case 1:
            words[where] = below.choice(words)
        case 2:
            del lines[at]
            return "\n".join(lines).encode()
        case 3:
            lines.insert(at, lines[at])
            return "\n".join(lines).encode()
        case _:
            words[where] = re.sub("[0-9]", str(below.randrange(10)), words[where])
    lines[at] = " ".join(words)
    return "\n".join(lines).encode()


@pytest.mark.parametrize("signed", [True, False])
def test_states(world: World, signed: bool) -> None:
    """Also signed again by the referee's key: whatever stands there is read, or named."""
    key = load_acting_key(Home(world.root / "home"))
    game = world.games / "west"
    place = max((game / "states").iterdir())
    raw = place.read_bytes()
    kept = snapshot(world.root)
    for below in seeds(size("mutated states")):
        data = mutated(raw, below)
        if signed:
            alter: Alter = below.choice((odd_body, odd_body, mutated))
            data = sign_state(alter(state_file.split(raw).body, below), key.signing, key.public)
        place.write_bytes(data)
        (game / "game.toml").write_bytes(data)
        for line in ("status games", "verify games/west"):
            unchanged(world, line, repr(data))
        run(world, below.choice(("show games/west", "legal games/west")), repr(data))
        if run(world, "resolve games/west", repr(data)) == 2:
            assert place == max((game / "states").iterdir()), data
        restored(world, kept)


def restored(world: World, kept: dict[str, Any]) -> None:
    """Every file as it was before."""
    for name, now in snapshot(world.root).items():
        if name not in kept and now[1] is not None:  # type: ignore[index]
            (world.root / name).unlink()
        elif kept.get(name) != now and now[1] is not None:  # type: ignore[index]
            (world.root / name).write_bytes(kept[name][1])
    for name, (_, data) in kept.items():
        if data is not None and not (world.root / name).exists():
            (world.root / name).parent.mkdir(parents=True, exist_ok=True)
            (world.root / name).write_bytes(data)


def test_archives_and_backups(world: World) -> None:
    run(world, "amend games/west close --reason 'a test'", "")
    run(world, "archive games/west -o west.tar", "")
    run(world, "backup games -o all.tar.gz", "")
    archive, backup = ((world.root / name).read_bytes() for name in ("west.tar", "all.tar.gz"))
    for below in seeds(size("mutated archives")):
        (world.root / "given").write_bytes(data := mutated(archive, below))
        unchanged(world, "verify given", "an archive")
        if below.randrange(4) == 0:
            unchanged(world, "audit given", "an archive")
        (world.root / "given").write_bytes(mutated(backup, below))
        unchanged(world, "restore given --to back", "a backup")
        assert not (world.root / "back").exists() or data
        for left in world.root.glob(".pbem-tmp-*"):
            raise AssertionError(left)


def test_desks_and_keys(world: World) -> None:
    """A desk's file, or the key: the next command says which, or goes on."""
    kept = snapshot(world.root)
    files = [
        *(p for p in (world.games / "north/desk").rglob("*") if p.is_file() and p.name != "lock"),
        *(world.root / "home").rglob("*.key"),
        *(world.root / "home").rglob("*.mark"),
    ]
    files.sort()
    for below in seeds(size("mutated desks")):
        path = below.choice(files)
        path.write_bytes(data := mutated(path.read_bytes(), below))
        for line in ("status games", "resolve games/north", "receive games none"):
            run(world, line, f"{path.name}: {data!r}")
        restored(world, kept)
