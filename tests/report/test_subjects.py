"""What the subject of an email says. Source: docs/decisions/0014-the-post.md."""

import re
from pathlib import Path

import pytest

from pbem.engine.row import Row
from pbem.mail.identity import find_codes
from pbem.report.game_rows import EventRow, QuestionRow, SeatTime
from pbem.report.receipt import receipt_subject
from pbem.report.report import (
    AwaitedPlayer,
    Board,
    Deadlines,
    Footer,
    Recipient,
    Report,
    ReportRulings,
    SubstituteOrders,
    Task,
    TurnEvents,
    Winner,
    latest_deed,
    report_subject,
)
from pbem.report.sentences import ANSWER_SUBJECTS, RECEIPT_SUBJECTS
from pbem.services.outbox import subject_with_code

WORDS = (Path(__file__).parents[2] / "templates" / "words.txt").read_text(encoding="utf-8")
IDLE = Report(
    label="autumn",
    title="",
    kind="",
    state_number=7,
    time="",
    is_closed=False,
    names={},
    recipient=Recipient("red", "", "", ""),
    task=Task(None, False, [], [AwaitedPlayer("green", "Ben", "", "")], [], []),
    deadlines=Deadlines(),
    rulings=ReportRulings(),
    turns=[],
    substitutes=SubstituteOrders(),
    board=Board({}, "", [], {}, [], []),
    footer=Footer([], [], "", [], ""),
)
ASKED = IDLE._replace(task=IDLE.task._replace(question=QuestionRow("x", {}, None, [], [], [])))
RULED = ReportRulings(texts=("x",))


def answered(kind: str) -> SubstituteOrders:
    return SubstituteOrders(answered=[Row(kind)])


def played_by_bot(seat: str) -> SubstituteOrders:
    return SubstituteOrders(missed=[Row("bot", {"seat": seat})])


def seat_open(seat: str) -> Deadlines:
    return Deadlines(seats=[SeatTime(seat, "", "", "", True)])


def test_every_headline_has_its_subject() -> None:
    there = set(re.findall(r"macro receipt_(\w+)", WORDS))
    never_first = {"undo_open", "still_open"}
    assert there - never_first == {*RECEIPT_SUBJECTS}
    assert {*re.findall(r"macro joining_(\w+)", WORDS)} == {*ANSWER_SUBJECTS}


@pytest.mark.parametrize("number", [1, 2])
def test_a_receipt_says_the_outcome(number: int) -> None:
    orders = "1 order" if number == 1 else "2 orders"
    assert receipt_subject(Row("accepted", {"number": number})) == f"{orders} accepted"
    voted = receipt_subject(Row("voted_with_orders", {"number": number, "answer": "yes"}))
    assert voted == f"your answer is noted: yes, and {orders} accepted"
    refused = receipt_subject(Row("refused", {"number": number}))
    assert refused == "no orders accepted, please correct them"
    assert not any("received" in text for text in (*RECEIPT_SUBJECTS.values(), *ANSWER_SUBJECTS.values()))


@pytest.mark.parametrize(
    ("due", "said"), [("", "your turn"), ("Tue 24 Nov 20:00 UTC", "your turn, by Tue 24 Nov 20:00 UTC")]
)
def test_a_report_says_by_when(due: str, said: str) -> None:
    whole = subject_with_code("K7Q2-9F3A", report_subject(ASKED._replace(deadlines=Deadlines(due=due))))
    assert whole == f"autumn: {said} [pbem K7Q2-9F3A]"
    assert find_codes(f"Re: {whole}") == ("K7Q2-9F3A",)


@pytest.mark.parametrize(
    ("report", "subject"),
    [
        (IDLE, "it is Ben's turn"),
        (IDLE._replace(rulings=RULED), "a ruling of the referee"),
        (IDLE._replace(rulings=RULED._replace(former_player="Ann")), "you play from now on"),
        (IDLE._replace(substitutes=answered("default")), "you missed your turn"),
        (IDLE._replace(substitutes=answered("forced")), "it is Ben's turn"),
        (IDLE._replace(substitutes=played_by_bot("red")), "you missed your turn"),
        (IDLE._replace(substitutes=played_by_bot("blue")), "it is Ben's turn"),
        (
            IDLE._replace(substitutes=played_by_bot("red"), deadlines=seat_open("red")),
            "your seat is open to another player",
        ),
        (
            IDLE._replace(deadlines=seat_open("red"), rulings=ReportRulings(hand_over=(Row("check"),))),
            "a new key signs from now on",
        ),
        (IDLE._replace(deadlines=seat_open("blue")), "it is Ben's turn"),
        (ASKED._replace(rulings=RULED), "your turn"),
        (ASKED._replace(is_closed=True), "the game is closed"),
        (IDLE._replace(board=IDLE.board._replace(winners=[Winner("Ann", "red", 3)])), "Ann won"),
    ],
)
def test_a_report_says_what_it_brings(report: Report, subject: str) -> None:
    """Found by a newcomer: an undo, a pause, a substitute and a missed turn were all "report 7"."""
    assert report_subject(report) == f"autumn: {subject}"


def test_without_a_deadline_your_turn_has_the_news() -> None:
    assert (
        report_subject(ASKED, "Ben laid 2 cards, in AP2 and BP1")
        == "autumn: your turn; Ben laid 2 cards, in AP2 and BP1"
    )
    assert report_subject(ASKED, "x" * 51) == "autumn: your turn"
    by = [{"colour": seat, "seat": seat} for seat in ("blue", "green", "green", "red")]
    rows = [EventRow(str(number), {"by": one}, "") for number, one in enumerate(by)]
    for told, deed in ((rows[:3], rows[1]), (rows[:1], rows[0]), (rows, None), ([], None)):
        assert latest_deed(ASKED._replace(turns=[TurnEvents("", told, {})])) == deed
