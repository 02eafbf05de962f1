"""Commands killed at every operation on files: nothing is lost, and the next command completes it.

P8: the state file is the commit; received and durable comes before the receipt; what is missing
after a kill is written by the next command, byte for byte as if there had been no kill.
"""

import os
import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest
from disk import killer
from sizes import LONG, size

from . import games
from .games import KILLED, Place, copied, difference, tree

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks and kills")

MAILS = {
    "kept": "{line}\nlater:\n{line}",
    "refused": "{line}\nwall A99\n{line}",
    "withdraw": "withdraw",
    "resend": "{line}\nresend",
    "stale": "{line}",
    "repeated": "{line}",
}


class Unkilled:
    """A command carried out in peace: what there was before, what it did, what there is after."""

    def __init__(self, base: Place, tmp: Path, *words: str) -> None:
        self.base, self.tmp, self.words = base, tmp, words
        done = copied(base, tmp / "unkilled")
        self.old_state, self.old_hands = base.newest(), base.hands()
        self.before = tree(base.path)
        self.steps = done.steps(*words)
        self.after = tree(done.path)
        self.new_state, self.new_hands = done.newest(), done.hands()
        self.done = done

    def strike(self, k: int, how: str) -> tuple[Place, games.Said]:
        where = copied(self.base, self.tmp / f"{how}{k}")
        return where, where.struck(k, how, *self.words)

    def check_whole(self, place: Place) -> str:
        """The newest state is the old or the new one, with the orders in hand that belong to it."""
        assert place.run("status", "GAME").code == 0
        newest, hands = place.newest(), place.hands()
        assert newest in (self.old_state, self.new_state)
        if newest == self.old_state != self.new_state:
            assert hands == self.old_hands
            return "old"
        assert hands in (self.old_hands, self.new_hands)
        return "new" if hands == self.new_hands else "old"

    def check_completed(self, place: Place, but: Iterable[str] = ()) -> None:
        """The same command once more, and everything is as without the kill."""
        said = place.run(*self.words)
        assert said.code in (0, 1), said.text
        found = {name: data for name, data in self.after.items() if name not in but}
        assert difference(tree(place.path), found) == []


def sent(place: Place, before: dict[str, bytes]) -> set[str]:
    """The referee sends and takes away each new mail whose marker is there; their names."""
    desk, gone = place.game / "desk", set()
    for mail in sorted((desk / "outbox").glob("*.eml")):
        number, _, seat = mail.stem.partition("-")
        marker = desk / "reports" / number / f"{seat}.txt"
        if number == "receipt":
            marker = desk / "receipts" / f"{seat}.txt"
        name = str(mail.relative_to(place.path))
        resent = str(marker.relative_to(place.path)) in before  # its receipt is the marker then
        if marker.exists() and name not in before and not resent:
            mail.unlink()
            gone.add(name)
    return gone


@pytest.mark.attack("a command is killed at any step", by="the game is as before or as after", who="machine")
@pytest.mark.parametrize("how", ["before", "half"])
def test_resolve_killed_anywhere(scoring: Place, tmp_path: Path, how: str) -> None:
    """The old state or the new one, whole; the next resolve leaves what an unkilled one leaves."""
    peace = Unkilled(scoring, tmp_path, "resolve", "GAME")
    record = peace.done.session().record
    assert len(record.entries) > 1
    assert any(event.kind == "scored" for event in record.events)
    assert len(peace.steps) > 40
    found = []
    for k in games.points(len(peace.steps), 1 if how == "before" else 3):
        place, said = peace.strike(k, how)
        assert said.code == KILLED, said.text
        found.append(peace.check_whole(place))
        peace.check_completed(place, sent(place, peace.before) if how == "half" else ())
        shutil.rmtree(place.path)
    assert found == sorted(found, reverse=True)  # old, old, …, new, new: one act switches
    assert set(found) == {"old", "new"}


@pytest.mark.parametrize("kind", MAILS)
def test_receive_killed_anywhere(scoring: Place, tmp_path: Path, kind: str) -> None:
    """A receipt stands for orders that are durably in hand, whatever the mail was."""
    base = copied(scoring, tmp_path / "base")
    words = receiving(base, kind)
    peace = Unkilled(base, tmp_path, *words)
    assert kind == "repeated" or any("receipts" in step for step in peace.steps)
    resent = [name for name in set(peace.after) - set(peace.before) if "/outbox/0" in name]
    assert len(resent) == (kind in ("resend", "stale"))
    for how, first in (("before", 1), ("half", 3)):
        for k in games.points(len(peace.steps), first):
            place, said = peace.strike(k, how)
            assert said.code == KILLED, said.text
            which = peace.check_whole(place)
            after = tree(place.game / "desk")
            told = {n for n in after if n.startswith(("receipts/", "outbox/receipt-"))}
            if {f"game/desk/{name}" for name in told} - set(peace.before):
                assert which == "new" or peace.old_hands == peace.new_hands
                handled = place.session().pending_by_seat
                assert any(one.receipt_count for one in handled.values())
            peace.check_completed(place, sent(place, peace.before) if how == "half" else ())
            shutil.rmtree(place.path)


def receiving(base: Place, kind: str) -> tuple[str, ...]:
    """The command that receives this kind of mail; ``base`` is brought where it can come."""
    session = base.session()
    view = session.game.view(session.position.state, None)
    seat = session.game.questions(view)[0].seat
    line = session.game.legal(session.game.view(session.position.state, seat))[0]
    mail = base.mail(seat, MAILS[kind].format(line=line))
    if kind == "repeated":
        base.done("receive", "GAME", mail)
    if kind == "stale":
        base.done("resolve", "GAME")
        shutil.rmtree(base.game / "desk" / "outbox")
    return "receive", "GAME", mail


@pytest.mark.parametrize("command", ["receive", "report"])
def test_any_writing_command_completes_a_killed_resolve(scoring: Place, tmp_path: Path, command: str) -> None:
    """Not only the killed one: whatever writes next brings all in order."""
    peace = Unkilled(scoring, tmp_path, "resolve", "GAME")
    first = next(k for k, step in enumerate(peace.steps, 1) if step.startswith("link "))
    words: tuple[str, ...] = ("report", "GAME", "--player", "red")
    if command == "receive":
        words = ("receive", "GAME", peace.done.mail("blue", "help", "../help.eml"))
    peace.done.run(*words)
    wanted = tree(peace.done.path)
    for k in games.points(len(peace.steps), first + 1):
        place, _ = peace.strike(k, "before")
        assert place.run(*words).code == 0
        assert difference(tree(place.path), wanted) == []
        shutil.rmtree(place.path)


def test_killed_again_and_again(scoring: Place, tmp_path: Path) -> None:
    """Kills in a row, each in what the one before left, and at last a run to the end."""
    peace = Unkilled(scoring, tmp_path, "resolve", "GAME")
    last = len(peace.steps)
    for k in range(3, last, 3 if LONG else last // 2):
        place = copied(scoring, tmp_path / str(k))
        for again in (k, k // 2, last // 3, 7, k):
            place.struck(again, "half", *peace.words)
            peace.check_whole(place)
        peace.check_completed(place)
        shutil.rmtree(place.path)


def test_new_killed_anywhere(tmp_path: Path) -> None:
    """No game, and `new` can be typed again; or a whole one that the next command completes."""
    wanted = tree(games.opened(tmp_path / "unkilled").path)
    counted = games.fresh(tmp_path / "count")
    steps = killer.fork_points(lambda: games.open_in(counted))
    found = []
    for i, k in enumerate(games.points(len(steps))):
        place = games.fresh(tmp_path / str(k))
        how = ("before", "half")[i % 2]
        assert killer.fork_killed(partial(games.open_in, place), k, how).code == KILLED
        found.append(after_new(place, wanted))
        if found[-1] == "none":
            games.open_in(place)
            assert changed(place, wanted) == []
        shutil.rmtree(place.path)
    assert sorted(set(found)) == ["complete", "none"]


def changed(place: Place, wanted: dict[str, bytes]) -> list[str]:
    """What differs, but for marks of a genesis that was thrown away (it is of the same bytes)."""
    return difference(tree(place.path), wanted)


def after_new(place: Place, wanted: dict[str, bytes]) -> str:
    """What a killed `new` left: "none" or "complete"."""
    if not place.game.exists():
        return "none"
    place.done("resolve", "GAME")
    assert changed(place, wanted) == []
    assert place.run("verify", "GAME").code == 0
    return "complete"


@pytest.mark.skipif(not killer.HAS_STRACE, reason="needs strace (try: apt install strace)")
@pytest.mark.parametrize("command", ["resolve", "receive"])
def test_every_system_call_killed(scoring: Place, tmp_path: Path, command: str) -> None:
    """The same seen from the system, in a process of its own: what C code writes is struck too."""
    base = copied(scoring, tmp_path / "base")
    words = ("resolve", "GAME") if command == "resolve" else receiving(base, "kept")
    peace = Unkilled(base, tmp_path, *words)
    counted = copied(base, tmp_path / "count")
    calls = killer.strace_points(argv(counted, words), counted.process_env())
    assert {"openat", "write", "fsync", "rename"} <= {name for name, _ in calls}
    chosen = calls[:: max(1, len(calls) // size("system calls struck"))]
    killed = 0
    for point in chosen:
        place = copied(base, tmp_path / f"{point[0]}{point[1]}")
        code = killer.run_straced(argv(place, words), point, place.process_env())
        killed += code == KILLED
        assert code in (KILLED, 0)  # imports do not open the same files each time
        peace.check_whole(place)
        peace.check_completed(place)
        shutil.rmtree(place.path)
    # the child that renders and the imports shift the count of openat by some from run to run
    assert killed > len(chosen) * 0.6


def argv(place: Place, words: Iterable[str]) -> list[str]:
    return ["-m", "pbem", *(str(place.game) if word == "GAME" else word for word in words)]


@pytest.mark.parametrize("kind", ["kept", "withdraw", "resolve"])
def test_durable_before_it_is_told(scoring: Place, tmp_path: Path, kind: str) -> None:
    """Mail, orders, state and mark are on the drive, by name too, before a receipt is begun."""
    base = copied(scoring, tmp_path / "base")
    words = ("resolve", "GAME") if kind == "resolve" else receiving(base, kind)
    steps = Unkilled(base, tmp_path, *words).steps
    told = next(i for i, step in enumerate(steps) if "/desk/outbox" in step or "/desk/re" in step)
    named = [i for i, step in enumerate(steps) if step.split(" ")[0] in ("link", "replace", "rename")]
    before = [i for i in named if i < told]
    targets = [steps[i].split(" -> ")[1] for i in before]
    wanted = ("/mails/", "/hand/") if kind != "resolve" else ("/hand/", "/states/", "/marks/", "game.toml")
    assert all(any(part in target for target in targets) for part in wanted), targets
    for i in before:
        source, target = steps[i].split(" ", 1)[1].split(" -> ")
        assert f"fsync {source}" in steps[:i], steps[i]
        assert f"fsync {Path(target).parent}" in steps[i:told], steps[i]
