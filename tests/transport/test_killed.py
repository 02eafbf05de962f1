"""Killed at every operation on files: each order counts once, each message comes at least once.

Source: decision 0014; docs/DESIGN.md P8.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from durability import games

from pbem.disk.journal import EmailStatus
from pbem.play.pending_orders import MAX_HANDLED_MARKS
from transport import servers
from transport.desk import Desk
from transport.servers import HOST, Server
from transport.test_fetch_files import put
from transport.test_send import BOTH


@pytest.fixture
def server() -> Iterator[Server]:
    with servers.smtp(None, "smtp", auth=False) as found:
        yield found


def another(desk: Desk, number: int) -> Desk:
    """The same desk once more."""
    place = games.copied(desk.place, desk.place.path.with_name(f"desk-{number}"))
    return Desk(place)


def test_a_fetch_killed_anywhere_counts_each_order_once(desk: Desk, maildir: Path) -> None:
    desk.account(fetch=f"maildir:{maildir}")
    desk.done("fetch", "GAME")
    put(maildir, desk.mail("withdraw", "m1"), "1.a.host")
    put(maildir, desk.mail(desk.order(), "m2"), "2.b.host")
    put(maildir, desk.mail("Until Friday!", "m3", subject="Friday"), "3.c.host")
    number = another(desk, 0).steps("fetch", "GAME")
    assert number > 20
    for k in games.points(number):
        one = another(desk, k)
        assert one.killed(k, "fetch", "GAME") == games.KILLED
        one.run("fetch", "GAME")
        assert one.lines() == [desk.order()], k
        assert len(one.receipts()) == 2, k
        assert one.kept(EmailStatus.RECEIVED) == [b""] * 2, k
        assert (len(one.kept(EmailStatus.UNREAD)), len(one.kept(EmailStatus.NEW))) == (1, 0), k
        assert one.done("fetch", "GAME") == "club: no new email\n", k
        assert not list((one.place.home / "post").rglob(".pbem-tmp-*")), k


def test_so_does_one_of_a_player_who_has_written_much(desk: Desk) -> None:
    """Found by a thousand faults in 2026-11: of a mail so old that its receipt is forgotten its
    file tells that it came; it was written before the orders counted.
    """
    much = [desk.mail("help", f"h{number}") for number in range(MAX_HANDLED_MARKS + 1)]
    files = [desk.place.file(f"{number}.eml", data) for number, data in enumerate(much)]
    desk.done("receive", "GAME", *files)
    order = desk.place.file("order.eml", desk.mail(desk.order(), "order"))
    for k in games.points(another(desk, 0).steps("receive", "GAME", order)):
        one = another(desk, k)
        one.killed(k, "receive", "GAME", order)
        one.run("receive", "GAME", order)
        assert one.lines() == [desk.order()], k
        assert len(one.receipts()) == MAX_HANDLED_MARKS + 2, k


def test_a_first_fetch_killed_anywhere_begins_at_the_end(desk: Desk, maildir: Path) -> None:
    desk.account(fetch=f"maildir:{maildir}")
    put(maildir, desk.mail("withdraw", "old"), "0.a.host")
    number = another(desk, 0).steps("fetch", "GAME")
    for k in games.points(number):
        one = another(desk, k)
        one.killed(k, "fetch", "GAME")
        one.done("fetch", "GAME")
        assert not one.receipts()


def test_a_look_back_killed_anywhere_is_finished(desk: Desk, maildir: Path) -> None:
    desk.account(fetch=f"maildir:{maildir}")
    put(maildir, desk.mail(desk.order(), "old"), "0.a.host")
    line = ("fetch", "GAME", "--since", "2026-09-01")
    number = another(desk, 0).steps(*line)
    for k in games.points(number):
        one = another(desk, k)
        one.killed(k, *line)
        if (one.place.home / "post" / "club" / "place.toml").exists():
            one.done("fetch", "GAME")  # it goes on by itself
        else:
            one.done(*line)
        assert one.lines() == [desk.order()], k
        assert len(one.receipts()) == 1, k


def test_a_send_killed_anywhere_reaches_everybody(desk: Desk, server: Server) -> None:
    desk.account(send=f"smtp://{HOST}:{server.port}")
    number = another(desk, 0).steps("send", "GAME")
    assert number > 10
    for k in games.points(number):
        server.inbox.mails.clear()
        one = another(desk, k)
        assert one.killed(k, "send", "GAME") == games.KILLED
        one.run("send", "GAME")
        reached = [to for to, _ in server.inbox.mails]
        assert {*reached} == {"ann@example.org", "bob@example.org"}, k
        assert len(reached) <= 3, k
        for to in {*reached}:  # what comes twice is the same
            assert len({data for address, data in server.inbox.mails if address == to}) == 1, k
        assert one.marked("sent") == BOTH, k
        assert ("again" in one.log()) >= (len(reached) == 3), k
        assert one.done("send", "GAME") == "the outbox is empty\n", k
        assert len(server.inbox.mails) == len(reached), k
