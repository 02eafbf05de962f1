"""What the subject of an email says. Source: docs/decisions/0014-the-post.md."""

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.row import Row
from pbem.mail.identity import find_codes
from pbem.report.report import report_subject
from pbem.report.subjects import ANSWER_SUBJECTS, RECEIPT_SUBJECTS, receipt_subject
from pbem.services.outbox import subject_with_code

WORDS = (Path(__file__).parents[2] / "templates" / "words.txt").read_text(encoding="utf-8")
IDLE = {"closed": "", "winners": [], "question": {}, "label": "autumn", "n": 7, "seat": "red"}
IDLE |= {"rulings": [], "answered": [], "missed": [], "timed": []}
ASKED = {"closed": "", "winners": [], "question": {"kind": "x"}, "label": "autumn", "n": 7}


def test_every_headline_has_its_subject() -> None:
    there = set(re.findall(r"macro receipt_(\w+)", WORDS))
    never_first = {"undo_open", "complete", "goes_on", "still_open"}
    assert there - never_first == {*RECEIPT_SUBJECTS}
    assert {*re.findall(r"macro joining_(\w+)", WORDS)} == {*ANSWER_SUBJECTS}


@pytest.mark.parametrize("number", [1, 2])
def test_a_receipt_says_the_outcome(number: int) -> None:
    orders = "1 order" if number == 1 else "2 orders"
    assert receipt_subject(Row("accepted", {"number": number})) == f"{orders} accepted"
    voted = receipt_subject(Row("voted_with_orders", {"number": number, "answer": "yes"}))
    assert voted == f"your `yes` is noted, {orders} accepted"
    refused = receipt_subject(Row("refused", {"number": number}))
    assert refused == "no orders accepted, please correct them"
    assert not any("received" in text for text in (*RECEIPT_SUBJECTS.values(), *ANSWER_SUBJECTS.values()))


@pytest.mark.parametrize(
    ("due", "said"), [("", "your turn"), ("Tue 24 Nov 20:00 UTC", "your turn, by Tue 24 Nov 20:00 UTC")]
)
def test_a_report_says_by_when(due: str, said: str) -> None:
    whole = subject_with_code("K7Q2-9F3A", report_subject({**ASKED, "due": due}))
    assert whole == f"autumn: {said} [pbem K7Q2-9F3A]"
    assert find_codes(f"Re: {whole}") == ("K7Q2-9F3A",)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "report 7"),
        ({"rulings": ["x"]}, "a ruling of the referee"),
        ({"welcome": "Ann", "rulings": ["x"]}, "you play from now on"),
        ({"answered": [{"kind": "default", "facts": {}}]}, "your turn was missed"),
        ({"answered": [{"kind": "forced", "facts": {}}]}, "report 7"),
        ({"missed": [{"kind": "bot", "facts": {"seat": "red"}}]}, "your turn was missed"),
        ({"missed": [{"kind": "bot", "facts": {"seat": "blue"}}]}, "report 7"),
        (
            {"timed": [{"seat": "red", "open": True}], "missed": [{"kind": "bot", "facts": {"seat": "red"}}]},
            "your seat is open to another player",
        ),
        ({"timed": [{"seat": "red", "open": True}], "new_referee": ["x"]}, "who signs from now on"),
        ({"timed": [{"seat": "blue", "open": True}]}, "report 7"),
        ({"rulings": ["x"], "question": {"kind": "x"}, "due": ""}, "your turn"),
    ],
)
def test_a_report_says_what_it_brings(more: dict[str, Any], said: str) -> None:
    """Found by a newcomer: an undo, a pause, a substitute and a missed turn were all "report 7"."""
    assert report_subject({**IDLE, **more}) == f"autumn: {said}"
