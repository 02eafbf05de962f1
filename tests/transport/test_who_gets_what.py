"""Who gets which report by email, and that each tells everything since the last one.

Source: docs/decisions/0018-who-gets-what.md; docs/SPECIFICATION.md section 10.
"""

import email
import email.policy
import re
from itertools import count
from pathlib import Path

import pytest
from durability import games

from pbem.chain.loaded_game import LoadedGame
from pbem.chain.state_record import config_of, read_record
from pbem.disk.folder import GameFolder
from pbem.formats import state_file
from pbem.play.pending_orders import PendingOrders
from pbem.proof.audit.audit import TrustAnchors
from pbem.report.block import Block, require_blocks
from pbem.report.report import Reader
from pbem.services.prove.audit import audit_archive, read_contents
from pbem.services.recipients import LastReport, is_report_due
from transport.desk import Desk

NUMBERS = count(1)  #: of emails
EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
SINCE = "SINCE YOUR LAST REPORT"


def took(desk: Desk, text: str, seat: str = "", head: str = "", subject: str = "") -> str:
    """One email of a seat, else of the seat that is asked; its newest receipt."""
    name, seat = f"m{next(NUMBERS)}", seat or desk.asked()
    subject = subject or f"[pbem {desk.place.session().code(seat)}]"
    rows = [f"Subject: Re: {subject}", f"Message-ID: <{name}@mail.example>"]
    path = desk.place.path / f"{name}.eml"
    path.write_text("\n".join([*rows, *([head] if head else []), "", text, ""]))
    desk.run("receive", "GAME", str(path))
    return max((desk.game / "desk" / "receipts").glob(f"{seat}-*")).read_text()


def orders(desk: Desk) -> str:
    """Those of the seat that is asked, for a whole turn."""
    session, seat = desk.place.session(), desk.asked()
    game, lines = session.game, list[str]()
    view = game.view(session.position.state, seat)
    number = game.turn(view)
    while view is not None and game.turn(view) == number:
        lines.append(next(line for line in game.legal(view) if line.startswith("wall")))
        view = game.foresee(view, lines[-1])
    return "\n".join(lines)


def turn(desk: Desk) -> str:
    """The seat that is asked gives its orders, and they are played."""
    seat = desk.asked()
    took(desk, orders(desk))
    desk.done("resolve", "GAME")
    return seat


def sent(desk: Desk) -> None:
    """All that waits was sent by hand."""
    waits = [str(path) for path in (desk.game / "desk" / "outbox").glob("*.eml")]
    desk.done("sent", "GAME", *waits)


def reports(desk: Desk, mark: str = "outbox") -> list[str]:
    return [name for name in desk.marked(mark) if not name.startswith("receipt-")]


def text_of(path: Path) -> str:
    mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def in_outbox(desk: Desk, name: str) -> str:
    return text_of(desk.game / "desk" / "outbox" / f"{name}.eml")


def block(text: str) -> Block:
    (found,) = require_blocks(text)
    return found


def events(text: str) -> list[str]:
    """What happened, in a report: its lines, whoever reads them."""
    found = re.search(r"(?ms)^(?:WHAT HAPPENED|SINCE YOUR LAST REPORT)\n(.*?)\n\n", text)
    assert found
    return [re.sub(r"(^-|\.) (You|\w+) ", r"\1 ", line) for line in found[1].splitlines() if line.startswith("- ")]


def at_state(desk: Desk, seat: str, n: int) -> str:
    return (desk.game / "desk" / "reports" / f"{n:04d}" / f"{seat}.txt").read_text()


def other(seat: str) -> str:
    return {"red": "blue", "blue": "red"}[seat]


def test_only_who_is_asked_gets_an_email_and_it_tells_all_since(desk: Desk) -> None:
    sent(desk)
    one = turn(desk)
    assert reports(desk) == [f"0003-{other(one)}"]
    assert (block(at_state(desk, one, 3)).first_n, SINCE in at_state(desk, one, 3)) == (3, False)
    sent(desk)
    turn(desk)
    assert reports(desk) == [f"0004-{one}"]
    text = in_outbox(desk, f"0004-{one}")
    assert events(text) == [*events(at_state(desk, one, 3)), *events(at_state(desk, other(one), 4))]
    assert SINCE in text
    found = block(text)
    assert (found.first_n, found.n, [n for n, _, _ in found.pending_openings]) == (3, 4, [3, 4])
    path = str(desk.game / "desk" / "outbox" / f"0004-{one}.eml")
    assert "the report of states 3 to 4" in desk.done("verify", "GAME", path)


def test_spectators_read_one_for_each_state(desk: Desk) -> None:
    turn(desk)
    turn(desk)
    for n in (3, 4):
        found = block(at_state(desk, "spectators", n))
        assert (found.first_n, found.n) == (n, n)


@pytest.mark.parametrize("choice", ["few", "mine", "round", "every"])
def test_a_player_chooses(choice: str, desk: Desk) -> None:
    one = desk.asked()
    said = took(desk, f"Hi,\nmails: {choice.title()}\n")
    assert "Your choice is noted." in said
    told = {"few": "get no receipt", "round": "once a round", "every": "whenever something"}
    assert told.get(choice, "whenever it is your turn, the referee makes a ruling") in said
    assert desk.place.session().pending_by_seat[one].report_choice == choice
    sent(desk)
    turn(desk)
    assert (f"0003-{one}" in reports(desk)) == (choice == "every")
    turn(desk)
    assert f"0004-{one}" in reports(desk)


def receipts(desk: Desk) -> list[str]:
    return [name for name in desk.marked("outbox") if name.startswith("receipt-")]


@pytest.fixture
def few(desk: Desk) -> Desk:
    """The seat that is asked for two walls wants few emails, and nothing waits."""
    turn(desk)
    turn(desk)
    took(desk, "mails few")
    sent(desk)
    return desk


NEWS = {
    "half an action": "{first}",
    "a mistake": "wall Z9",
    "plain words": "walls on {one} and {two}",
    "a question": "{first}\n{last}\nhelp",
    "words": "{first}\n{last}\n\nThe board in the last report looked lovely on my new telephone.",
    "half in other words": "{first}, please, and {two} as well",
}


@pytest.mark.parametrize("news", NEWS)
def test_with_few_emails_what_is_news_has_a_receipt(news: str, few: Desk) -> None:
    first, last = orders(few).split("\n")
    took(few, NEWS[news].format(first=first, last=last, one=first[5:], two=last[5:]))
    assert len(receipts(few)) == 1


def test_with_few_emails_what_is_accepted_as_it_was_written_has_none(few: Desk) -> None:
    first, last = orders(few).split("\n")
    said = took(few, f"Hi,\n\n{first}\n{last}\n\nAnn")
    assert "Your turn is complete." in said  # it is there all the same
    assert receipts(few) == []
    took(few, "card warrior AP1\ncard traitor AP2")
    assert len(receipts(few)) == 1  # other orders waited
    took(few, "withdraw")
    sent(few)
    took(few, f"{first}\n{last}", head="From: somebody@example.net")
    assert len(receipts(few)) == 1  # somebody has its code
    took(few, f"mails mine\n{first}\n{last}")
    took(few, "withdraw")
    sent(few)
    took(few, f"{first}\n{last}")
    assert len(receipts(few)) == 1


def test_with_few_emails_nobody_is_told_what_they_may_be_asked_later() -> None:
    folder = GameFolder(EXAMPLES / "chang-cheng-2-plain")
    found, told = audit_archive(read_contents(folder), TrustAnchors()), list[bool]()
    assert found.replay
    game, past = found.replay.game, found.replay.past_states
    for n in sorted(past)[3:]:
        record = read_record(state_file.parse(found.states[n].body))
        position = LoadedGame(game, record, found.states[n].state_hash, config_of(record), past[n].state)
        for seat in game.seats[:2]:
            views = [game.view(past[m].state, seat) for m in (n - 1, n)]
            reader, known = (Reader(seat, "K7Q2-9F3A", PendingOrders()), LastReport("K7Q2-9F3A", views[0]))
            few = reader._replace(pending=PendingOrders(report_choice="few"))
            mine = is_report_due(position, reader, known)
            assert is_report_due(position, few, known) <= mine
            asked = bool(game.ask(views[1]))
            told += [asked] if mine and not is_report_due(position, few, known) else []
    assert told
    assert not any(told)


def test_an_email_in_each_round(desk: Desk) -> None:
    """The second of two to play ends the round, and is told so; the first is asked then."""
    second = other(desk.asked())
    took(desk, "mails round", second)
    turn(desk)
    sent(desk)
    turn(desk)
    assert f"0004-{second}" in reports(desk)
    sent(desk)
    turn(desk)
    assert f"0005-{second}" in reports(desk)  # it is asked
    took(desk, "mails mine", second)
    sent(desk)
    turn(desk)
    assert f"0006-{second}" not in reports(desk)


def test_a_choice_needs_what_orders_need_and_is_whole_or_nothing(desk: Desk) -> None:
    one = desk.asked()
    took(desk, "mails every\nwall Z99")
    assert desk.place.session().pending_by_seat[one].report_choice == ""
    assert "write `mails few`" in took(desk, "mails weekly")
    desk.done("amend", "GAME", "player", one, "--auth", "password", "--reason", "safer")
    assert "without proof" in took(desk, "mails every")
    assert desk.place.session().pending_by_seat[one].report_choice == ""


def test_an_older_email_does_not_undo_a_newer_choice(desk: Desk) -> None:
    one, when = desk.asked(), "Date: Mon, 21 Sep 2026 1{}:00:00 +0000"
    took(desk, "mails every", head=when.format(4))
    took(desk, "mails round", head=when.format(3))
    assert desk.place.session().pending_by_seat[one].report_choice == "every"
    took(desk, "mails mine", head=when.format(5))
    assert desk.place.session().pending_by_seat[one].report_choice == "mine"


def test_who_takes_over_a_seat_begins_with_mine(desk: Desk) -> None:
    one = desk.asked()
    took(desk, "mails every")
    address = ("--address", "new@example.org")
    desk.done("amend", "GAME", "player", one, *address, "--reason", "moved")
    assert desk.place.session().pending_by_seat[one].report_choice == "every"
    desk.done("amend", "GAME", "player", one, "--name", "Zoe", *address, "--reason", "gone")
    assert desk.place.session().pending_by_seat[one].report_choice == ""
    sent(desk)
    turn(desk)
    assert block(in_outbox(desk, f"0005-{other(one)}")).first_n == 5
    turn(desk)
    assert block(in_outbox(desk, f"0006-{one}")).first_n == 5


def test_a_ruling_goes_to_all(desk: Desk) -> None:
    turn(desk)
    sent(desk)
    desk.done("amend", "GAME", "note", "Merry Christmas!")
    assert reports(desk) == ["0004-blue", "0004-red"]


def test_what_was_never_sent_is_not_sent(desk: Desk) -> None:
    one = desk.asked()
    took(desk, "mails every")
    sent(desk)
    turn(desk)
    first = in_outbox(desk, f"0003-{one}")
    assert reports(desk) == ["0003-blue", "0003-red"]
    turn(desk)
    assert [name for name in reports(desk) if one in name] == [f"0004-{one}"]
    second = in_outbox(desk, f"0004-{one}")
    assert (block(second).first_n, events(second)[: len(events(first))]) == (3, events(first))
    before = text_of(desk.game / "desk" / "sent" / f"0002-{one}.eml")
    assert before
    mail = (desk.game / "desk" / "outbox" / f"0004-{one}.eml").read_text()
    old = (desk.game / "desk" / "sent" / f"0002-{one}.eml").read_text()
    called = re.search(r"(?m)^Message-ID: (<.*>)$", old)
    assert called
    assert f"In-Reply-To: {called[1]}" in mail  # it follows one that was sent


@pytest.mark.parametrize("mark", ["sending", "sent"])
def test_what_left_the_outbox_is_not_touched(mark: str, desk: Desk) -> None:
    one = desk.asked()
    took(desk, "mails every")
    sent(desk)
    turn(desk)
    path = desk.game / "desk" / "outbox" / f"0003-{one}.eml"
    target = desk.game / "desk" / mark / path.name
    target.parent.mkdir(exist_ok=True)
    path.rename(target)
    turn(desk)
    assert target.exists()
    assert block(in_outbox(desk, f"0004-{one}")).first_n == 4


def test_what_no_state_says_stays(desk: Desk) -> None:
    """The deal and a ruling; and what a player may have answered, though nobody filed it."""
    desk.done("amend", "GAME", "note", "Be kind.")
    one, _ = turn(desk), turn(desk)
    assert {name for name in reports(desk) if one in name} == {
        f"0002-{one}", f"0003-{one}", f"0005-{one}",
    }  # fmt: skip
    two, _ = turn(desk), turn(desk)
    assert one == two
    assert {f"0005-{one}", f"0007-{one}"} <= {*reports(desk)}
    assert block(in_outbox(desk, f"0007-{one}")).first_n == 6


def test_a_report_that_is_asked_for(desk: Desk) -> None:
    """It goes out though it was not due, with all since the last one, once."""
    sent(desk)
    one = turn(desk)
    sent(desk)
    turn(desk)
    sent(desk)
    turn(desk)
    sent(desk)
    assert f"0005-{one}" not in desk.marked("sent")
    took(desk, "resend", one)
    first = in_outbox(desk, f"0005-{one}")
    assert block(first).first_n == 5
    sent(desk)
    turn(desk)
    assert block(in_outbox(desk, f"0006-{one}")).first_n == 6


def test_a_lost_state_and_a_lost_row(desk: Desk) -> None:
    one = desk.asked()
    took(desk, "mails every")
    sent(desk)
    turn(desk)
    turn(desk)
    assert block(in_outbox(desk, f"0004-{one}")).first_n == 3
    lost = desk.game / "states" / "0003.toml"
    kept = lost.read_bytes()
    lost.unlink()
    desk.done("resolve", "GAME")
    took(desk, "mails mine")
    turn(desk)
    turn(desk)
    assert told(desk, one) == [2, 3, 4, 5, 6]
    lost.write_bytes(kept)
    (desk.game / "desk" / "mailed").unlink()
    turn(desk)
    assert {"0007-red", "0007-blue"} <= {*reports(desk)}


def test_a_report_of_one_state_that_is_written_again_is_the_same(desk: Desk) -> None:
    sent(desk)
    one = turn(desk)
    sent(desk)
    turn(desk)
    path = desk.game / "desk" / "outbox" / f"0004-{one}.eml"
    before = path.read_bytes()
    (desk.game / "desk" / "reports" / "0004" / f"{one}.txt").unlink()
    path.unlink()
    desk.done("resolve", "GAME")
    assert path.read_bytes() == before


def told(desk: Desk, seat: str) -> list[int]:
    """The states that the emails to a seat tell, those that wait and those that went."""
    found: list[int] = []
    for mark in ("sent", "outbox"):
        for name in reports(desk, mark):
            if name.endswith(seat):
                one = block(text_of(desk.game / "desk" / mark / f"{name}.eml"))
                found += range(one.first_n, one.n + 1)
    return sorted(found)


@pytest.mark.parametrize("sends", [True, False])
def test_a_kill_leaves_nothing_out(sends: bool, desk: Desk, tmp_path: Path) -> None:
    """Killed anywhere while a report takes the place of one that waits."""
    one = desk.asked()
    took(desk, "mails every")
    sent(desk)
    turn(desk)
    took(desk, orders(desk))
    number = Desk(games.copied(desk.place, tmp_path / "peace")).steps("resolve", "GAME")
    twice = 0
    for k in games.points(number):
        struck = Desk(games.copied(desk.place, tmp_path / str(k)))
        struck.killed(k, "resolve", "GAME")
        if sends:
            waits = [str(p) for p in (struck.game / "desk" / "outbox").glob("*.eml")]
            struck.done("sent", "GAME", *waits)
        struck.done("resolve", "GAME")
        states = told(struck, one)
        assert {*states} == {2, 3, 4}, k
        twice += len(states) > 3
        assert sends or len(states) == 3, k
    assert number > 20
