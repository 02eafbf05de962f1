"""The last orders of a game may be undone too: the game is over, but not closed.

Found by a review of undo: every answer to the asking got "your mail came too late".
"""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from durability import games

from .asked import asked, consent, receipt

UNDO = ("amend", "GAME", "undo", "--to")


@pytest.fixture
def asking(over: Any, tmp_path: Path) -> Any:
    """Both players are asked whether the last order may be undone."""
    place = games.copied(over, tmp_path / "place")
    back = place.session().record.n - 1
    assert place.run(*UNDO, str(back), "--reason", "a slip at the end").code == 1
    yield place
    shutil.rmtree(place.path)


def seats(place: Any) -> list[str]:
    folder = place.game / f"desk/reports/{place.session().record.n:04d}"
    return sorted(path.name.split(".")[0] for path in folder.glob("*.consent.txt"))


def test_yes_counts_and_the_undo_is_done(asking: Any) -> None:
    assert seats(asking)
    for seat in seats(asking):
        said = asking.done("receive", "GAME", consent(asking, seat, "yes", f"{seat}.eml"))
        assert "asked for: yes" in said
        assert "came too late" not in receipt(asking, seat)
    assert "the undo is done" in asking.done("resolve", "GAME")
    assert "waits for" in asking.done("status", "GAME")


def test_no_closes_the_question(asking: Any) -> None:
    n, seat = asking.session().record.n, seats(asking)[0]
    asking.done("receive", "GAME", consent(asking, seat, "no"))
    said = asking.run(*UNDO, str(n - 1), "--reason", "a slip at the end")
    assert said.code == 1
    assert "said no" in said.text
    assert asking.session().record.n == n
    late = asking.run("receive", "GAME", consent(asking, seat, "yes", "late.eml"))
    assert late.code == 1
    assert "the game is over" in late.text


def test_an_unclear_answer_leaves_it_open(asking: Any) -> None:
    seat = seats(asking)[0]
    said = asking.run("receive", "GAME", consent(asking, seat, "perhaps"))
    assert "neither `yes` nor `no`" in said.text
    assert "Your email did not say it clearly." in receipt(asking, seat)


def test_other_mails_are_still_too_late(asking: Any) -> None:
    said = asking.run("receive", "GAME", asking.mail("red", "wall A1"))
    assert "the game is over" in said.text
    assert asked(asking, seats(asking)[0])


def test_too_late_is_judged_by_all_words_of_a_mail(over: Any, tmp_path: Path) -> None:
    """Found by playing the same messages through two versions: words that were cut out as a
    password, and were none, decided that a question came too late.
    """
    place = games.copied(over, tmp_path / "place")
    seat = place.session().record.setup.seats[0]
    reason = ("--reason", "a slip")
    place.done("amend", "GAME", "player", seat, "--auth", "password", *reason)
    mail = (place.game / f"desk/outbox/password-{seat}.eml").read_text(encoding="utf-8")
    words = re.findall(r"password ((?:[a-z]{5} ){3}[a-z]{5})", mail)[0]
    text = f"help\nresend {words}"
    for line, what in (
        ("", "answered\n  asked for: help"),  # words without `password` are none (0009)
        (f"\npassword {words}", "answered\n  message: line 2, resend …\n  asked for: help"),
    ):
        said = place.run("receive", "GAME", place.mail(seat, text + line, f"{len(line)}.eml"))
        assert what in said.text
        for word in words.split():
            assert word not in said.text
            assert word not in receipt(place, seat)
