"""Sentences of receipts and reports in which readers found faults. Source: docs/decisions/0008."""

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.chain.rulings.undo import Undo, events_shown_to
from pbem.engine.decision import ALL, Event
from pbem.engine.row import Row, say
from pbem.play.joining import opening
from pbem.play.joining.opening import roster_of
from pbem.play.sentences import DONE, OTHER_LINE
from pbem.play.validation import LineOutcome, LineVerdict
from pbem.report.game_rows import to_plain
from pbem.report.receipt import OrdersReceipt, verdict_lines, verdict_rows
from pbem.report.render import render

BAD = LineVerdict(2, "wall A99", LineOutcome.REFUSED, say("there is no A99"))
FINE = LineVerdict(1, "wall A1", LineOutcome.LEFT, say(OTHER_LINE))


def test_what_failed_comes_first() -> None:
    """Found by a reader of receipts: the line to correct came last."""
    assert verdict_lines([FINE, BAD]) == [
        "refused: `wall A99`: there is no A99",
        "not accepted: `wall A1`: fine, but not accepted because another line failed",
    ]


def test_a_receipt_says_how_to_read_the_rule_that_it_cites() -> None:
    """Found by a player with a phone: the first sentence of a rule stood there, which did not explain the refusal."""
    done = LineVerdict(1, "wall A1", LineOutcome.DONE, say(DONE, ruling="R-1"))
    text = _receipt("done", {}, lines=verdict_rows([done]), cited=done.rule)
    assert "this has been played for you already (R-1)" in text
    assert "To read the whole rule, reply `rules R-1`." in text


def test_one_order_or_two() -> None:
    words = {number: _headline("accepted", {"number": number}) for number in (1, 2)}
    assert words == {1: "1 order accepted.", 2: "2 orders accepted."}


@pytest.mark.parametrize(
    ("way", "said"), [("key", "sign these"), ("typed", "give these to your referee"), ("reply", "reply with")]
)
def test_what_has_orders_back_is_said_by_how_a_player_is_identified(way: str, said: str) -> None:
    text = _receipt("accepted", {"number": 1}, way=way, replaced=["draw"], back=["draw"])
    assert f"To have the earlier orders back instead, {said}" in text


def _headline(kind: str, facts: dict[str, Any]) -> str:
    return _receipt(kind, facts).split("\n")[0]


def _receipt(kind: str, facts: dict[str, Any], way: str = "reply", **more: Any) -> str:
    content = OrdersReceipt("chang-cheng", way, {}, [Row(kind, facts)], **more)
    return render(content.template, label="", seat="", player="", code="", **to_plain(content))


def test_what_a_player_hid_is_no_news_to_them() -> None:
    """Found by a reader of reports: the player of a face-down card was said to have seen it."""
    events = (
        Event("card", "CC-10", opens=(("red", "5/order/1"),)),
        Event("looked", "CC-17", opens=(("red", "2/threat/07"),)),
        Event("resolved", "CC-12", opens=((ALL, "5/order/1"),)),
    )
    undo: Any = Undo(4, (SimpleNamespace(events=events),))  # type: ignore[arg-type]
    assert [at for _, at in events_shown_to(undo, "red")] == [1]
    assert [at for _, at in events_shown_to(undo, "blue")] == [2]


def test_a_roster_has_those_who_answered() -> None:
    link: Any = SimpleNamespace(setup=SimpleNamespace(seats=("red", "blue")))
    roster = roster_of(link, {"red": "red none"})
    assert [(answer.seat, answer.contribution, answer.deal_class) for answer in roster] == [("red", "none", "none")]
    people: Any = SimpleNamespace(player=lambda seat: SimpleNamespace(name=seat.upper()))
    assert [opening.make_answer_row(people, answer).kind for answer in roster] == ["none"]
