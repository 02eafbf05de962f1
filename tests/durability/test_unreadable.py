"""A read that fails: what is signed, sent and said is as without the fault, or nothing is.

Struck: every call that opens, reads, lists or looks at a file of the game, of its private folder or
of the home. What cannot be read is not missing: a command that needs it stops with nothing changed
and says so. What was not needed may go unnoticed. Afterwards the next command brings all in order.
"""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sizes import drawn, every

from .games import Place, copied
from .test_half_done import TRIES, Try, all_files, bases, differing, ran, saved_unsaid

pytestmark = pytest.mark.skipif(os.name != "posix", reason="forks")
__all__ = ["bases"]

HOWS = ("read-EIO", "read-EMFILE", "read-EACCES")
LOOKS = {
    "status": Try("ready", ("status", "GAME")),
    "show": Try("ready", ("show", "GAME")),
    "history": Try("ready", ("history", "GAME")),
    "legal": Try("ready", ("legal", "GAME")),
    "verify": Try("ready", ("verify", "GAME")),
    "key-show": Try("ready", ("key", "show")),
    "people": Try("ready", ("people",)),
    "outbox": Try("ready", ("outbox", "GAME")),
}
EVERY = TRIES | LOOKS
#: what nobody is sent and nobody signed, and what the next command removes or writes again
PASSING = re.compile(r"(^|/)[.]pbem-tmp-|desk/(hand|hands|mails)/|desk/lost$")
SIGNED_OR_SENT = re.compile(r"game/(game[.]toml|states/|desk/(outbox|sending|sent)/)")


@pytest.mark.parametrize("name", drawn("commands whose reads fail", [*EVERY]))
def test_a_read_fails_anywhere(name: str, bases: dict[str, Place], tmp_path: Path) -> None:
    one = EVERY[name]
    wrong = [*failing_reads(one, bases[one.base], tmp_path)]
    assert not wrong, "\n".join(wrong)


def failing_reads(one: Try, base: Place, tmp: Path) -> Iterator[str]:
    """What went wrong, a line for each."""
    before, peace = all_files(base), copied(base, tmp / "place")
    done = ran(peace, one, one.words, 0, HOWS[0])
    after = all_files(peace)
    shutil.rmtree(peace.path)
    if not done.steps:
        return
    for at in every("reads struck", 0, len(HOWS) * len(done.steps) - 1):
        k, how = at // len(HOWS) + 1, HOWS[at % len(HOWS)]
        place = copied(base, tmp / "place")
        said = ran(place, one, one.words, k, how)
        found = all_files(place)
        again = list[str]()
        if found != after:
            ran(place, one, one.words)
            again = unlike(all_files(place), after)
        shutil.rmtree(place.path)
        told = said.code != done.code or "cannot " in said.output or "does not confirm" in said.output
        if told and one.words[0] == "restore":  # the next command notes where the folder is, and by whom it is played
            again = [n for n in again if not n.startswith(("home/folders/", "game/desk/players.toml"))]
        other = [n for n in found if found[n] not in (before.get(n), after.get(n))]
        if found.get("game/game.toml") in after.values():  # the first of two states
            other = [n for n in other if n != "game/game.toml"]
        other = [n for n in other if SIGNED_OR_SENT.match(n) or not (told or PASSING.search(n))]
        silent = not told and (unlike(found, after) or said.output != done.output)
        fault = said.code not in (0, 1, 2) or "Traceback" in said.output
        unsaid = saved_unsaid(said, found, before)
        if other or silent or fault or again or unsaid:
            where = f"{how} {k} {done.steps[k - 1].replace(str(tmp), '')}"
            yield f"{where}: {other=} {silent=} {again=} {unsaid=} {said.code} {said.output[-300:]}"


def unlike(found: dict[str, bytes], wanted: dict[str, bytes]) -> list[str]:
    return [name for name in differing(found, wanted) if not PASSING.search(name)]
