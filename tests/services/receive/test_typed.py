"""What the referee types, and the code of a player's own mail. Source: docs/DESIGN.md P6."""

import json

from .table import Table


def to_green(later: Table) -> Table:
    """Bob has played: it waits for Cleo (green), whose orders the referee types."""
    text = f"wall A7\nwall B5\npassword {later.password}"
    later.place.done("receive", "GAME", later.mail("blue", text, "bob"))
    later.place.done("resolve", "GAME")
    return later


def test_it_is_played_and_all_are_told_whose_word_it_is(later: Table) -> None:
    table = to_green(later)
    file = table.place.file("t.txt", "wall A4\nwall B2\n")
    assert table.receive(file, "--typed", "green").code == 0
    assert "(typed by you)" in table.place.done("resolve", "GAME")
    assert {one.source for one in table.place.session().record.entries} == {"typed"}
    for seat in ("red", "blue", "green", "violet", "spectators"):
        told = table.report(seat).read_text(encoding="utf-8")
        assert "The referee typed `wall A4` for Cleo (green)" in told


def test_her_own_mail_does_not_count(later: Table) -> None:
    table = to_green(later)
    said = table.receive(table.mail("green", "wall A4\nwall B2"))
    assert (said.code, "(green): --typed green" in said.text) == (1, True)
    assert "without proof that it was yours" in table.receipt("green")
    assert table.place.hands()["green"] == []


def test_the_same_text_again_is_the_same_until_the_game_goes_on(later: Table) -> None:
    file = later.place.file("t.txt", "later:\nwall A4\n")
    assert "accepted" in later.receive(file, "--typed", "green").text
    assert "came before" in later.receive(file, "--typed", "green").text
    table = to_green(later)
    assert "came before" not in table.receive(file, "--typed", "green").text


def test_he_may_type_for_who_answers_by_mail_or_password(later: Table) -> None:
    file = later.place.file("t.txt", "wall A7\nwall B5\n")
    assert later.receive(file, "--typed", "blue").code == 0
    assert later.place.session().pending_by_seat["blue"].groups[0].source == "typed"
    other = later.place.file("v.txt", "later:\nwall A4\n")
    assert later.receive(other, "--typed", "violet").code == 0


def test_what_is_not_his_to_type(later: Table) -> None:
    file = later.place.file("t.txt", "wall A4\n")
    mail = later.mail("blue", "wall A7")
    games = later.place.path
    cases = (((file, "--typed", "pink"), "players/seat"), ((file, "--typed", "red"), "typed/key"))
    for words, code in cases:
        assert json.loads(later.receive(*words, "--json").text)["error"]["code"] == code
    said = json.loads(later.receive(mail, "--typed", "violet", "--json").text)
    assert said["files"][0]["code"] == "typed/other-seat"
    assert games.is_dir()


def test_a_mail_with_his_code_is_his_by_that_code(later: Table) -> None:
    said = later.receive(later.mail("violet", "later:\nwall A4"))
    assert said.code == 0
    assert later.place.session().pending_by_seat["violet"].groups[0].source == "reply"


def test_a_report_of_a_game_that_is_over_has_no_waiting_orders(later: Table) -> None:
    """Found by a reader of reports: nothing can use them."""
    from pbem.chain.state_record import CLOSED
    from pbem.play.pending_orders import NOW, OrderGroup, PendingOrder, PendingOrders
    from pbem.report.build import build_report
    from pbem.report.report import Reader, ReportedState

    session = later.place.session()
    reader = Reader("blue", "", PendingOrders((OrderGroup(NOW, (PendingOrder(1, "wall A7"),)),)))
    position = session.position
    newest = ReportedState(position, session.seals, {}, 0)
    assert build_report([newest], reader, "g", session.rule, "").task.pending == ["wall A7"]
    closed = newest._replace(position=position._replace(record=position.record._replace(phase=CLOSED)))
    assert build_report([closed], reader, "g", session.rule, "").task.pending == []
