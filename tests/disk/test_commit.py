"""A save at every kill: the old link or the new one, never in between, and a rerun completes it."""

import os
from pathlib import Path

import pytest

from pbem.disk.folder import GameFolder
from pbem.disk.home import Home
from pbem.errors import OurFault, Refused

from .killer import (
    HAS_STRACE,
    KILLED,
    fork_killed,
    fork_points,
    kill_points,
    run_killed,
    run_straced,
    strace_points,
)  # fmt: skip
from .saving import GAME, NEW, OLD, STATE, save
from .strikes import Strikes

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks and kills")


def fresh(place: Path) -> Path:
    root = place / "game"
    root.mkdir(parents=True)
    game = GameFolder(root)
    with game.lock():
        game.commit(0, b"state 0", OLD, lambda: None)
    return root


def check_either(root: Path) -> str:
    """The law: the newest state there is, is whole and has its whole hand."""
    game, home = GameFolder(root), Home(root.parent / "home")
    assert game.read_state(0) == b"state 0"
    mark = home.read_mark(GAME)
    if game.list_state_numbers() == (0,):
        assert (game.read_pending(0), mark, game.read_newest()) == (OLD, None, b"state 0")
        return "old"
    assert game.list_state_numbers() == (0, 1)
    assert (game.read_state(1), game.read_pending(1)) == (STATE, NEW)
    assert mark in (None, (1, "head1"))
    assert game.read_newest() in (b"state 0", STATE)
    return "new"


def check_done(root: Path) -> None:
    game = GameFolder(root)
    assert check_either(root) == "new"
    assert game.read_newest() == STATE
    assert Home(root.parent / "home").read_mark(GAME) == (1, "head1")
    assert not game.has_pending(0)
    assert list(root.rglob(".pbem-tmp-*")) == []


@pytest.mark.parametrize("how", ["before", "half", "full"])
def test_every_strike_leaves_the_old_or_the_new_link(tmp_path: Path, how: str) -> None:
    """P8: at each of its file operations, killed or with the drive full from there on."""
    root = fresh(tmp_path / "count")
    steps = fork_points(lambda: save(root))
    assert len(steps) > 30
    found = []
    for k in range(1, len(steps) + 1):
        root = fresh(tmp_path / str(k))
        outcome = fork_killed(lambda r=root: save(r), k, how)  # type: ignore[misc]
        assert how == "full" or outcome.code == KILLED, outcome.output
        assert outcome.code in (KILLED, 0, 1), outcome.output
        found.append(check_either(root))
        if how == "full":
            assert list(root.rglob(".pbem-tmp-*")) == [], steps[k - 1]
        save(root)
        check_done(root)
    assert found == sorted(found, reverse=True)  # old, old, … new, new: one act switches
    assert set(found) == {"old", "new"}


def test_two_kills_in_a_row(tmp_path: Path) -> None:
    counted = fresh(tmp_path / "count")
    steps = fork_points(lambda: save(counted))
    for k in range(1, len(steps), 3):
        root = fresh(tmp_path / str(k))
        for second in (k, k // 2 + 1, 5):
            fork_killed(lambda r=root: save(r), second, "half")  # type: ignore[misc]
            check_either(root)
        save(root)
        check_done(root)


def program(root: Path) -> list[str]:
    """``save`` as a program of its own, for the ways that start a process."""
    tests = Path(__file__).parent.parent
    code = f"import sys; sys.path.insert(0, {str(tests)!r})\n"
    code += "from pathlib import Path\nfrom disk.saving import save\n"
    return ["-c", f"{code}save(Path({str(root)!r}))"]


def test_the_launcher_strikes_a_process_of_its_own(tmp_path: Path) -> None:
    points = kill_points(program(fresh(tmp_path / "count")))
    assert points > 30
    for k in (1, points // 2, points):
        root = fresh(tmp_path / str(k))
        assert run_killed(program(root), k, "half") == KILLED
        check_either(root)
        assert run_killed(program(root), 0) == 0
        check_done(root)


@pytest.mark.skipif(not HAS_STRACE, reason="needs strace (try: apt install strace)")
def test_every_system_call_killed(tmp_path: Path) -> None:
    points = strace_points(program(fresh(tmp_path / "count")))
    assert {"openat", "write", "fsync", "link", "mkdir", "unlink"} <= {name for name, _ in points}
    found = []
    for point in points:
        root = fresh(tmp_path / f"{point[0]}{point[1]}")
        assert run_straced(program(root), point) == KILLED, point
        found.append(check_either(root))
        save(root)
        check_done(root)
    assert found == sorted(found, reverse=True)
    assert set(found) == {"old", "new"}


def logged(root: Path) -> list[list[str]]:
    """The operations of a save, in order, paths relative to the game's folder."""
    log: list[str] = []
    strikes = Strikes(0, "before", log)
    strikes.install()
    try:
        save(root)
    finally:
        strikes.uninstall()
    return [line.replace(f"{root}/", "").replace(" -> ", " ").split(" ") for line in log]


def test_bytes_are_durable_before_names_and_names_before_the_next_step(tmp_path: Path) -> None:
    """Each file is synced after its last write and before its name; each folder after the name."""
    log = logged(fresh(tmp_path))
    named = 0
    for at, (name, *paths) in enumerate(log):
        if name not in ("link", "replace", "rename"):
            continue
        named += 1
        source, target = paths
        before, after = log[:at], log[at + 1 :]
        inside = [step for step in before if step[1].startswith(source)]
        written = [i for i, step in enumerate(inside) if step[0] in ("open", "write", "mkdir")]
        synced = [i for i, step in enumerate(inside) if step[0] == "fsync"]
        assert written, log
        assert synced, log
        assert max(synced) > max(written), source
        if name == "rename":  # a folder: its names must be durable too
            assert inside[-1] == ["fsync", source]
        for path in {step[1] for step in inside if step[0] == "write"}:
            assert ["fsync", path] in inside, path
        meanwhile = [step for step in after[: _next_name(after)] if step[0] == "fsync"]
        assert ["fsync", str(Path(target).parent).replace(".", str(tmp_path / "game"))] in meanwhile
    for at, step in enumerate(log):
        if step[0] == "mkdir" and ".pbem-tmp-" not in step[1]:
            assert log[at + 1] == ["fsync", str((tmp_path / "game" / step[1]).parent)] or log[at + 1] == [
                "fsync",
                str(Path(step[1]).parent),
            ]
    assert named == 4  # hand/1, states/0001, the mark, game.toml


def _next_name(steps: list[list[str]]) -> int:
    names = [i for i, step in enumerate(steps) if step[0] in ("link", "replace", "rename")]
    return names[0] if names else len(steps)


def test_the_order_of_a_save(tmp_path: Path) -> None:
    """Hand, then state, then mark, then game.toml, then the old hand goes."""
    log = logged(fresh(tmp_path))
    targets = [step[-1].split("/")[-1] for step in log if step[0] in ("link", "replace", "rename")]
    assert targets == ["1", "0001.toml", f"{GAME}.mark", "game.toml"]
    assert log[-1] == ["rmdir", "desk/hand/0"]


def test_two_at_once_and_one_wins(tmp_path: Path) -> None:
    """Real processes race for number 1, many times: one is in, the other is told so."""
    for i in range(20):
        root = fresh(tmp_path / str(i))
        children = [_racer(root, who) for who in (b"a", b"b", b"c")]
        codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
        assert sorted(codes) == [0, 1, 1]
        winner = b"abc"[codes.index(0) :][:1]
        game = GameFolder(root)
        assert game.read_state(1) == game.read_newest() == winner
        assert game.read_pending(1) == {"red": winner}


def _racer(root: Path, who: bytes) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        game = GameFolder(root)
        with game.lock():
            game.commit(1, who, {"red": who}, lambda: None)
        code = 0
    except Refused as error:
        code = 1 if error.code == "save/number-taken" else 71
    finally:
        os._exit(code)


def test_a_taken_number_changes_nothing(game: GameFolder) -> None:
    with game.lock(), pytest.raises(Refused) as caught:
        game.commit(0, b"other", {"red": b"other"}, lambda: pytest.fail("marked"))
    assert caught.value.code == "save/number-taken"
    assert (game.read_state(0), game.read_pending(0), game.read_newest()) == (b"state 0", OLD, b"state 0")


def test_without_the_lock_nothing_is_saved(game: GameFolder) -> None:
    with pytest.raises(OurFault):
        game.commit(1, STATE, NEW, lambda: None)
    with pytest.raises(OurFault):
        game.put_pending(0, "red", b"late")
    with pytest.raises(OurFault):
        game.remove_leftovers(0)
    assert (game.list_state_numbers(), game.read_pending(0)) == ((0,), OLD)


def test_a_mark_that_fails_is_told_as_a_save_that_stands(game: GameFolder) -> None:
    def mark() -> None:
        raise Refused("file/full", "cannot write the mark: there is no room left on the drive")

    with game.lock(), pytest.raises(Refused, match="state 1 is saved, but cannot write") as caught:
        game.commit(1, STATE, NEW, mark)
    assert caught.value.code == "save/unfinished"
    assert (game.read_state(1), game.read_pending(1), game.read_newest()) == (STATE, NEW, b"state 0")


def test_a_seat_that_is_no_name_is_refused_before_anything_is_written(game: GameFolder) -> None:
    before = sorted(game.root.rglob("*"))
    with game.lock(), pytest.raises(Exception, match="cannot be the name"):
        game.commit(1, STATE, {"../../red": b""}, lambda: None)
    assert sorted(game.root.rglob("*")) == before


def test_orders_for_a_state_gone_by_are_not_taken(game: GameFolder) -> None:
    with game.lock():
        game.put_pending(0, "blue", b"in time")
        assert game.read_pending(0) == OLD | {"blue": b"in time"}
        game.commit(1, STATE, NEW, lambda: None)
        with pytest.raises(OurFault):
            game.put_pending(0, "blue", b"late")


def test_a_hand_half_built_by_a_killed_save_is_not_mixed_in(game: GameFolder) -> None:
    for name in (".pbem-tmp-1", "1"):
        (game.root / "desk" / "hand" / name).mkdir()
        (game.root / "desk" / "hand" / name / "green.toml").write_bytes(b"old try")
    with game.lock():
        game.commit(1, STATE, NEW, lambda: None)
    assert game.read_pending(1) == NEW
