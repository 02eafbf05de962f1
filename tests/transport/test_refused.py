"""An email that a server refuses: its player still reads what it told, at the address of now; the
clock of the seat stops for a while. Source: docs/decisions/0029-not-delivered-is-not-sent.md.
"""

import json
from collections.abc import Iterator

import pytest

from pbem.chain.clock import HOUR, epoch_seconds
from transport import servers
from transport.desk import Desk
from transport.servers import HOST, Server
from transport.test_who_gets_what import block, events, in_outbox, other, text_of, turn

NOBODY = "rcpt 550 5.1.1 no such user"


@pytest.fixture
def server() -> Iterator[Server]:
    with servers.smtp(None, "smtp", auth=False) as found:
        yield found


@pytest.fixture
def ready(desk: Desk, server: Server) -> Desk:
    desk.account(send=f"smtp://{HOST}:{server.port}")
    return desk


def address_of(seat: str) -> str:
    return {"red": "ann@example.org", "blue": "bob@example.org"}[seat]


def refuse(ready: Desk, server: Server, *addresses: str) -> list[str]:
    """All that waits is sent; these addresses are refused. What went, to whom."""
    waits = [path.read_text() for path in sorted((ready.game / "desk/outbox").glob("*.eml"))]
    server.inbox.mails.clear()
    server.inbox.script = [
        NOBODY if any(f"<{one}>" in text.partition("\n\n")[0] for one in addresses) else "" for text in waits
    ]
    ready.run("send", "GAME")
    server.inbox.script = []
    return [to for to, _ in server.inbox.mails]


def moved(ready: Desk, seat: str) -> None:
    address = ("--address", "new@example.net", "--reason", "another mailbox")
    ready.done("amend", "GAME", "player", seat, *address)


def test_the_next_report_begins_after_the_last_that_was_delivered(ready: Desk, server: Server) -> None:
    refuse(ready, server)
    one = turn(ready)
    two = other(one)
    assert refuse(ready, server, address_of(two)) == [address_of(one)]  # a receipt
    assert ready.marked("failed") == [f"0003-{two}"]
    ready.done("amend", "GAME", "note", "hello")
    refuse(ready, server, address_of(two))
    assert ready.marked("failed") == [f"0004-{two}"]  # it tells what the older one told
    assert block(text_of(ready.game / f"desk/failed/0004-{two}.eml")).first_n == 3
    moved(ready, two)
    text = in_outbox(ready, f"0005-{two}")
    assert (block(text).first_n, bool(events(text))) == (3, True)
    assert "hello" in text
    assert sorted(refuse(ready, server)) == sorted([address_of(one), "new@example.net"])
    assert ready.marked("failed") == []
    assert "FAILED" not in ready.done("status", "GAME")
    ready.done("amend", "GAME", "note", "again")
    assert block(in_outbox(ready, f"0006-{two}")).first_n == 6


def test_a_resend_tells_what_was_refused(ready: Desk, server: Server) -> None:
    refuse(ready, server)
    two = other(turn(ready))
    refuse(ready, server, address_of(two))
    ready.done("amend", "GAME", "note", "hello")
    refuse(ready, server, address_of(two))
    ready.done("report", "GAME", "--player", two)
    assert block(in_outbox(ready, f"0004-{two}")).first_n == 3
    refuse(ready, server)
    assert ready.marked("failed") == []  # the same one went


def test_what_no_later_report_can_say_goes_to_the_new_address(ready: Desk, server: Server) -> None:
    """The deal; also what was told since."""
    refuse(ready, server, "ann@example.org")
    assert ready.marked("failed") == ["0002-red"]
    ready.done("amend", "GAME", "note", "hello")
    assert block(in_outbox(ready, "0003-red")).first_n == 2
    refuse(ready, server, "ann@example.org")
    moved(ready, "red")
    ready.done("send", "GAME")
    told = [data for to, data in server.inbox.mails if to == "new@example.net"]
    assert len(told) == 2
    assert all(b"\nTo: Ann <new@example.net>" in data.replace(b"\r\n", b"\n") for data in told)
    assert ready.marked("failed") == []
    assert "FAILED" not in ready.done("status", "GAME")


def test_a_message_moved_back_goes_to_the_new_address(ready: Desk, server: Server) -> None:
    outbox = ready.game / "desk" / "outbox"
    before = (outbox / "0002-red.eml").read_bytes()
    moved(ready, "red")
    (outbox / "0002-red.eml").write_bytes(before)
    ready.done("send", "GAME")
    assert "ann@example.org" not in [to for to, _ in server.inbox.mails]


def test_what_goes_to_whoever_sat_there_before_still_does(ready: Desk, server: Server) -> None:
    zoe = ("--name", "Zoe", "--address", "zoe@example.net", "--reason", "Ann left")
    ready.done("amend", "GAME", "player", "red", *zoe)
    ready.done("send", "GAME")
    assert [to for to, _ in server.inbox.mails if "ann@" in to] == ["ann@example.org"] * 2


def test_a_refused_email_can_be_filed(ready: Desk, server: Server) -> None:
    refuse(ready, server, "ann@example.org")
    assert "1 FAILED" in ready.done("status", "GAME")
    # found by a reader of the code: it named the first that does not wait, which was fine
    assert "no email 'x' waits" in ready.run("sent", "GAME", "0002-red.eml", "x").text
    ready.done("sent", "GAME", "0002-red.eml")
    assert (ready.marked("failed"), "0002-red" in ready.marked("sent")) == ([], True)
    assert "FAILED" not in ready.done("status", "GAME")
    assert "no email 'x' waits" in ready.run("sent", "GAME", "x").text


def test_moved_back_after_many_delays_it_is_tried_again_as_often(ready: Desk, server: Server) -> None:
    (ready.game / "desk/outbox/0002-blue.eml").unlink()
    for _ in range(20):
        server.inbox.script = ["rcpt 451 busy"]
        ready.run("send", "GAME")
        ready.later(7 * 60)
    assert ready.marked("failed") == ["0002-red"]
    failed = ready.game / "desk/failed/0002-red.eml"
    failed.rename(ready.game / "desk/outbox/0002-red.eml")
    server.inbox.script = ["rcpt 451 busy"]
    ready.run("send", "GAME")
    assert ready.marked("failed") == []


def test_status_says_what_to_type(ready: Desk, server: Server) -> None:
    refuse(ready, server, "ann@example.org")
    said = ready.done("status", "GAME")
    assert "email to Ann (red) comes back" in said
    assert f"pbem amend {ready.game} player red --address" in said
    row = json.loads(ready.done("status", "GAME", "--json"))["games"][0]
    assert (row["unreached"], row["failed"]) == (["red"], 1)
    moved(ready, "red")
    said = ready.done("status", "GAME")
    assert "comes back" not in said
    assert f"1 email could not be sent; read why in {ready.game}/desk/post.log" in said


CLOCK = ("turn=2d", "bank=1d", "missed=default", "strikes=2", "--reason", "as agreed")


@pytest.fixture
def timed(ready: Desk, server: Server) -> Desk:
    """With a clock; the seat that is asked has not got its report."""
    ready.done("tick", "GAME")
    ready.done("amend", "GAME", "clock", *CLOCK)
    refuse(ready, server, address_of(ready.asked()))
    return ready


def due(desk: Desk, seat: str) -> int:
    return epoch_seconds(desk.place.session().record.clock.for_seat(seat).deadline)


@pytest.mark.attack(
    "stop a player's clock by refusing emails to that player", by="limited: at most 7 days per question", who="carrier"
)
def test_a_refused_address_stops_its_clock_once_a_question(timed: Desk, server: Server) -> None:
    seat = timed.asked()
    before, n = due(timed, seat), timed.place.numbers()[-1]
    server.inbox.script = ["", NOBODY, NOBODY]
    timed.run("tick", "GAME")
    assert due(timed, seat) == before + 7 * 24 * HOUR
    record = timed.place.session().record
    assert (record.n, record.rulings[0].name) == (n + 1, "extend")
    assert "refuse" in record.rulings[0].reason
    for _ in range(3):  # once a question
        timed.later(24 * 60)
        server.inbox.script = [NOBODY] * 9
        timed.run("tick", "GAME")
    assert due(timed, seat) == before + 7 * 24 * HOUR
    said, end = "", before + 8 * 24 * HOUR  # 7 days at most, and the reserve
    while "missed turn" not in said:
        assert timed.seconds < end + 24 * HOUR
        timed.later(12 * 60)
        server.inbox.script = [NOBODY] * 9
        said = timed.run("tick", "GAME").text
    assert timed.seconds >= end
    assert timed.done("verify", "GAME")


@pytest.mark.attack(
    "stop a clock by a forged bounce", by="not possible: such a bounce moves no deadline", who="carrier"
)
def test_a_bounce_that_comes_as_an_email_stops_no_clock(ready: Desk) -> None:
    from transport.test_bounced import report, taken

    data = report(ready, "ANN@example.org")
    ready.done("send", "GAME")
    ready.done("amend", "GAME", "clock", *CLOCK)
    taken(ready, data)
    n = ready.place.numbers()[-1]
    ready.done("tick", "GAME")
    assert ready.place.numbers()[-1] == n
    said = ready.done("status", "GAME")
    assert f"pbem amend {ready.game} extend --player red --by" in said


def test_a_name_of_any_letters_is_known_again(ready: Desk, server: Server) -> None:
    name = "Jörg Müller-Lüdenscheidt, der ältere von zwei Brüdern aus Köln"[:58].replace(",", "")
    words = ("--name", f"{name}", "--address", "j@example.org", "--reason", "Ann left")
    ready.done("amend", "GAME", "player", "red", *words)
    refuse(ready, server, "j@example.org", "ann@example.org")
    failed = [name for name in ready.marked("failed") if name == "0003-red"]
    assert failed
    moved(ready, "red")
    ready.done("send", "GAME")
    to = [to for to, _ in server.inbox.mails]
    assert to.count("new@example.net") == 2
    assert "0003-red" not in ready.marked("failed")
