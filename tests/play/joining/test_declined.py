"""Who declines is not seated, and everybody knows what to do next.

Found by a review of 2026-11-21: `no` and "No, sorry, I have no time this year." were taken for the
line that their player gives to the deal, and he sat in the game; a greeting became such a line.
"""

from typing import Any

import pytest

from pbem.play.joining.answers import find_decline_line

from . import table

SORRY = "No, sorry."


def answers(place: Any, seat: str, text: str, name: str = "") -> str:
    return str(place.done("receive", "GAME", table.letter(place, 0, seat, text, name)))


def receipt(place: Any, name: str) -> str:
    return " ".join((place.game / f"desk/receipts/{name}.txt").read_text("utf-8").split())


def test_who_declines_is_not_seated(invited: Any) -> None:
    said = answers(invited, "green", f"Hi Rita,\n\n{SORRY}\n\nBob")
    assert f'Bob (green): declines: "{SORRY}"' in said
    assert "close --reason TEXT`" in said
    assert invited.session().pending_by_seat["green"].joining_row == ""
    told = receipt(invited, "green-0001")
    assert f"If that is wrong, answer again. Your answer: | {SORRY}" in told
    for seat in ("red", "blue"):
        answers(invited, seat, "yes")
    for words in ((), ("--dry-run",)):
        said = invited.done("resolve", "GAME", *words)
        assert f"no deal{' (nothing was changed)' * ('--dry-run' in words)}" in said
        assert f'Bob (green) declines: "{SORRY}"' in said
        assert "`, then begin the next with `pbem new NEW --after" in said
    refused = invited.run("resolve", "GAME", "--missed", "green")
    assert (refused.code, invited.numbers()) == (1, [0])
    assert "Bob (green) has declined, which is not a missed answer" in refused.text
    status = invited.done("status", "GAME")
    assert f'  Bob (green) declines: "{SORRY}": no deal\n' in status
    assert status.count("Bob (green)") == 1  # it does not wait for Bob any more
    assert f'Bob (green) declines: "{SORRY}": no deal.\n' in invited.done("show", "GAME")


def test_who_thinks_better_of_it_answers_again(invited: Any) -> None:
    answers(invited, "green", "no", "a.eml")
    said = answers(invited, "green", "give: a fox", "b.eml")
    assert 'Bob (green): answered: the line "a fox"' in said
    told = receipt(invited, "green-0002")
    assert "You can still change your answer until everybody has replied. " in told
    assert "all players will read them: | a fox" in told
    answers(invited, "green", "No thanks!", "c.eml")
    assert answers(invited, "green", "withdraw", "d.eml")
    told = receipt(invited, "green-0004")
    assert ("Your answer is withdrawn." in told, "You have not answered yet." in told) == (True, True)
    for seat in ("red", "green", "blue", "violet"):
        answers(invited, seat, "yes", f"{seat}.eml")
    invited.done("resolve", "GAME")
    assert invited.numbers() == [0, 1, 2]


DECLINES = ("no", "No.", "NO!", "no thanks", "No thank you", "Sorry, no.", "No sorry",
            "Nein danke", "non, merci", "nem")  # fmt: skip
LINES = ("No?", "no - too busy", "No problem!",
         "No man is an island", "Nobody expects it", "no-one knows", "Noah's ark", "nothing",
         "nothing compares to you", "notes", "norway")  # fmt: skip


@pytest.mark.parametrize("text", DECLINES)
def test_it_is_understood(text: str) -> None:
    assert find_decline_line(["", text, "Bob"]) == text


@pytest.mark.parametrize("text", LINES)
def test_a_line_for_the_deal_is_none(text: str) -> None:
    assert find_decline_line([text]) == ""


@pytest.mark.parametrize("hello", ["Hi Rita,", "Dear all!", "Hello", "Hallo liebe Rita:"])
def test_a_greeting_is_no_answer(invited: Any, hello: str) -> None:
    answers(invited, "blue", f"{hello}\n\nNo thanks\nCleo", "a.eml")
    assert invited.session().pending_by_seat["blue"].decline_line == "No thanks"
    answers(invited, "blue", f"{hello}\n\nyes\nCleo", "b.eml")
    assert invited.session().pending_by_seat["blue"].joining_row == "blue none"
    answers(invited, "blue", f"{hello}\n\nCleo", "c.eml")
    assert invited.session().pending_by_seat["blue"].joining_row == "blue none"


def test_who_says_both_is_asked(invited: Any) -> None:
    said = invited.run("receive", "GAME", table.letter(invited, 0, "blue", "yes\nno"))
    assert said.code == 1
    assert "send only one of `yes` and `no`" in said.text


def test_a_seat_with_a_key_declines_too(invited: Any) -> None:
    """Whatever way a player is known, the invitation names the way out."""
    told = table.report(invited, 0, "red").read_text("utf-8")
    assert "- `no` if you do not." in told


def test_a_line_for_the_deal_declines_nothing(invited: Any) -> None:
    mail = str(table.sent(invited, 0, "red"))
    said = table.player(invited, "red", "orders", "join", mail, "--text", "no, never")
    assert said.text.startswith("yes\ngive: no, never\n")
    file = invited.file("no.txt", said.text)
    invited.done("receive", "GAME", file)
    assert invited.session().pending_by_seat["red"].joining_row == "red plain no, never"
