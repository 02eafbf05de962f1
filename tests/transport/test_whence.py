"""Whence an email came, and when: which one counts. Source: docs/decisions/0014-the-post.md."""

import email
import email.policy
import json
from pathlib import Path

import pytest

from pbem.play.email_order import ALL_GROUPS, VOTE, format_arrival, is_overtaken, note_arrival
from pbem.play.pending_orders import PendingOrders
from transport.desk import START, Desk
from transport.test_fetch_files import put

NOW = "2026-11-22T12:00:00Z"


@pytest.fixture
def begun(desk: Desk, maildir: Path) -> Desk:
    desk.account(fetch=f"maildir:{maildir}")
    desk.done("fetch", "GAME")
    return desk


def from_eve(desk: Desk, text: str, name: str = "eve") -> bytes:
    return desk.mail(text, name).replace(b"From: ", b"From: Eve <eve@example.net>\nX-Was: ", 1)


def receipt(desk: Desk, number: int) -> str:
    path = desk.game / "desk" / "outbox" / f"receipt-{desk.asked()}-{number:04d}.eml"
    mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    assert mail["to"] in ("Ann <ann@example.org>", "Bob <bob@example.org>")
    return " ".join(mail.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]


def elsewhere(desk: Desk) -> list[str]:
    rows = json.loads(desk.done("status", "GAME", "--json"))["games"][0]["elsewhere"]
    return [row["from"] for row in rows]


@pytest.mark.attack(
    "play for a player from an unknown address with the player's code",
    by="possible, but pbem tells the player at their own address",
    who="carrier",
)
def test_a_code_from_another_address_counts_and_is_told(begun: Desk, maildir: Path) -> None:
    order = begun.order()
    put(maildir, from_eve(begun, order))
    begun.done("fetch", "GAME")
    assert begun.lines() == [order]
    told = receipt(begun, 1)
    assert "reply `withdraw` and tell your referee: it came from eve@example.net" in told
    assert elsewhere(begun) == ["eve@example.net"]
    assert "came from eve@example.net, and counts" in begun.done("status", "GAME")
    rows = begun.game / "desk" / "elsewhere"
    rows.write_text("a b c d\n" + rows.read_text())  # of no seat: it was "our fault"
    assert elsewhere(begun) == ["eve@example.net"]
    begun.later(1)
    # found by a newcomer: their own email, held in the same fetch, took the note away
    put(maildir, begun.mail("What is it that came? I wrote nothing!", "asks"), "1.c.host", START)
    begun.run("fetch", "GAME")
    assert elsewhere(begun) == ["eve@example.net"]
    put(maildir, begun.mail("withdraw", "own"), "2.b.host", START + 60)
    begun.done("fetch", "GAME")
    assert (begun.lines(), elsewhere(begun)) == ([], [])
    assert "not your registered address" not in receipt(begun, 3)


def test_orders_from_an_opponents_address_are_held_and_both_are_told(begun: Desk) -> None:
    """With a code of Ann's, from the address of Bob: it counted, and only Ann was told."""
    seats = {"red": "Ann", "blue": "Bob"}
    mine, other = begun.asked(), next(seat for seat in seats if seat != begun.asked())
    sender = f"{seats[other].lower()}@example.org"

    def take(name: str, text: str = "") -> str:
        data = begun.mail(text or begun.order(), name)
        path = begun.place.path / f"{name}.eml"
        path.write_bytes(data.replace(b"From: ", f"From: {sender.upper()}\nX-Was: ".encode(), 1))
        return begun.run("receive", "GAME", str(path)).text

    assert f"it came from the address of {seats[other]} ({other})" in take("one")
    assert begun.lines() == []
    told = receipt(begun, 1)
    assert f"from the address of {seats[other]} ({other}) with your code. It was ignored" in told
    outbox = begun.game / "desk" / "outbox"
    (path,) = outbox.glob(f"opponent-{other}-*.eml")
    mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    text = " ".join(mail.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
    assert mail["to"] == f"{seats[other]} <{sender}>"
    assert f"An email from your address had the code of {seats[mine]} ({mine}). It was" in text
    take("two", "withdraw")
    assert len([*outbox.glob("opponent-*")]) == 1  # once a day
    # two who share a mailbox
    begun.done("amend", "GAME", "player", mine, "--address", sender, "--reason", "one mailbox")
    take("three")
    assert len(begun.lines()) == 1


@pytest.mark.attack(
    'play from an unknown address although the mail account has `from = "strict"`', by="refused", who="carrier"
)
def test_a_strict_account_refuses_it(begun: Desk, maildir: Path) -> None:
    begun.account(fetch=f"maildir:{maildir}", **{"from": '"strict"'})
    put(maildir, from_eve(begun, begun.order()))
    said = begun.run("fetch", "GAME").text
    assert "it came from eve@example.net, and the mail account accepts no such orders" in said
    assert (begun.lines(), elsewhere(begun)) == ([], [])
    told = receipt(begun, 1)
    assert "send it again from the address that this email was sent to" in told
    assert "eve" not in told
    put(maildir, begun.mail(begun.order(), "own"), "2.b.host")
    begun.done("fetch", "GAME")
    assert begun.lines() == [begun.order()]


def test_from_is_strict_or_any(desk: Desk) -> None:
    desk.account(**{"from": '"sometimes"'})
    assert "[club] from: 'sometimes' is neither 'strict' nor 'any'" in desk.run("send", "GAME").text


@pytest.mark.parametrize("sender", ["<>", "Eve", "eve@x\ty@z, <a b@c>"])
def test_an_odd_address_is_not_quoted(desk: Desk, sender: str) -> None:
    data = desk.mail(desk.order()).replace(b"From: ", f"From: {sender}\nX-Was: ".encode(), 1)
    path = desk.place.path / "m.eml"
    path.write_bytes(data)
    desk.done("receive", "GAME", str(path))
    told = receipt(desk, 1)
    assert "another address" in told or "it came from" not in told


def test_an_older_email_does_not_replace_a_newer_one(begun: Desk, maildir: Path) -> None:
    """Found in reading: it did, where it was fetched later, for example out of a spam folder."""
    order, other = begun.order(), begun.others()[-1]
    begun.later(10)
    put(maildir, begun.mail(order, "new"), "1.a.host", START + 300)
    begun.done("fetch", "GAME")
    put(maildir, begun.mail(other, "old"), "2.b.host", START + 200)
    put(maildir, begun.mail("withdraw", "older"), "3.c.host", START + 100)
    said = begun.run("fetch", "GAME").text
    assert said.count("a newer one from you has arrived already") == 2
    assert begun.lines() == [order]
    assert "a newer one from you has arrived already" in receipt(begun, 2)
    assert len(list((begun.game / "desk" / "mails").iterdir())) == 3  # kept all the same
    put(maildir, begun.mail("withdraw", "newest"), "4.d.host", START + 400)
    begun.done("fetch", "GAME")
    assert begun.lines() == []
    put(maildir, begun.mail(order, "back"), "5.e.host", START + 350)
    assert "a newer one from you" in begun.run("fetch", "GAME").text
    assert begun.lines() == []


def test_of_one_moment_the_later_date_counts(desk: Desk) -> None:
    """Files that were saved by hand: their names tell nothing."""
    desk.later(60)
    order, other = desk.order(), desk.others()[-1]
    folder = desk.place.path / "saved"
    folder.mkdir()
    late = desk.mail(order, "late").replace(b"14:13:20", b"14:59:20")
    (folder / "a.eml").write_bytes(late)
    (folder / "b.eml").write_bytes(desk.mail(other, "early"))
    assert "a newer one from you" in desk.run("receive", "GAME", str(folder)).text
    assert desk.lines() == [order]
    desk.later(1)
    path = desk.place.path / "again.eml"
    path.write_bytes(desk.mail(other, "again"))
    desk.done("receive", "GAME", str(path))  # a moment later, and yet written before
    assert desk.lines() == [order]
    path.write_bytes(desk.mail(other, "now").replace(b"14:13:20", b"15:14:20"))
    desk.done("receive", "GAME", str(path))
    assert desk.lines() == [other]


def test_parts_are_told_apart() -> None:
    early, late = format_arrival("2026-11-22T10:00:00Z", "", NOW), format_arrival("", "", NOW)
    hand = note_arrival(PendingOrders(), {"now"}, late)
    assert is_overtaken(hand, {"now"}, early, NOW)
    assert is_overtaken(hand, {ALL_GROUPS}, early, NOW)
    assert not is_overtaken(hand, {"later"}, early, NOW)
    assert not is_overtaken(hand, {"now"}, late, NOW)
    back = note_arrival(hand, {ALL_GROUPS}, late)
    assert is_overtaken(back, {"later"}, early, NOW)
    assert not is_overtaken(back, {VOTE}, early, NOW)
    assert not is_overtaken(note_arrival(PendingOrders(), {VOTE}, late), {ALL_GROUPS}, early, NOW)


def test_what_was_noted_by_a_clock_that_was_ahead_stops_nobody() -> None:
    hand = note_arrival(PendingOrders(), {"now"}, "2030-01-01T00:00:00Z -")
    assert not is_overtaken(hand, {"now"}, format_arrival("", "", NOW), NOW)
    assert format_arrival("2030-01-01T00:00:00Z", "", NOW) == f"{NOW} -"
