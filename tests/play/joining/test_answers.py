"""What is read in an answer, however a mail program handled it; and what is refused, in a line."""

import textwrap
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.crypto.encoding import b64
from pbem.mail.every_text import read_mail_texts
from pbem.play.joining.answers import format_join_lines
from pbem.play.joining.contribution import Keyring, make_join_answer

from . import table


def row(place: Any, seat: str) -> str:
    """What is kept of a seat's answer."""
    return str(place.session().pending_by_seat[seat].joining_row)


def lines(place: Any, seat: str) -> str:
    table.with_key(place, seat)
    return "\n".join(table.joins(place, 0, seat).splitlines()[:4])


def quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


HANDLED: dict[str, Callable[[str], str]] = {
    "as printed": lambda text: text,
    "wrapped short": lambda text: textwrap.fill(text, 50, break_long_words=False,
                                                break_on_hyphens=False),
    "one paragraph": lambda text: " ".join(text.split()),
    "wrapped at 76": lambda text: textwrap.fill(" ".join(text.split()), 76, break_long_words=False,
                                                break_on_hyphens=False),
    "greeted": lambda text: f"Hi Rita,\n\nhere it is:\n{text}\n\nCheers, Ann",
    "indented, with odd blanks": lambda text: textwrap.indent(text.replace(" ", "\xa0"), "   "),
    "pasted twice": lambda text: f"{text}\n\n{text}",
    "capitals": lambda text: text.replace("join ", "Join "),
    "sent on, quoted": quoted,
    "with CR": lambda text: text.replace("\n", "\r\n"),
}  # fmt: skip


@pytest.mark.parametrize("how", HANDLED)
def test_the_lines_survive_mail_programs(invited: Any, how: str) -> None:
    text = HANDLED[how](lines(invited, "red"))
    invited.done("receive", "GAME", table.letter(invited, 0, "red", text))
    assert row(invited, "red").startswith("red key ")


def test_the_lines_survive_flowed_text(invited: Any) -> None:
    mail = EmailMessage()
    mail["Subject"] = f"Re: [pbem {table.code(invited, 0, 'red')}]"
    words = lines(invited, "red").split()
    mail.set_content("\n".join(f"{word} " for word in words))
    mail.set_param("format", "flowed")
    path = invited.file("flowed.eml", mail.as_bytes())
    invited.done("receive", "GAME", path)
    assert row(invited, "red").startswith("red key ")


def test_what_was_attached_may_come_back(invited: Any) -> None:
    """Some programs send attachments back with an answer: a state is no move file."""
    mail = EmailMessage()
    mail["Subject"] = f"Re: [pbem {table.code(invited, 0, 'red')}]"
    mail.set_content(f"give: {table.LINE}")
    raw = table.states(invited)[0]
    mail.add_attachment(raw, maintype="application", subtype="toml", filename="0000.toml")
    invited.done("receive", "GAME", invited.file("back.eml", mail.as_bytes()))
    assert row(invited, "red") == f"red plain {table.LINE}"


#: what is kept; "" where it is neither yes nor no
ANSWERS = {
    "yes": "blue none",
    "Yes, please!": "blue none",
    "Hi Rita,\n\njoin\n\nCleo": "blue none",
    "I will play, yes": "blue none",
    "oui, volontiers": "blue none",
    "S\u00ec!": "blue none",
    "igen": "blue none",
    "Ja, gerne": "blue none",
    "nothing to say but this:\nyes": "blue none",
    "give:   two \t words  \n\nand more": "blue plain two words",
    "> give: quoted\nGive: mine": "blue plain mine",
    "password hunter2\ngive: my line": "blue plain my line",
    "yes\ngive: a\u202eb \u200bc": "blue plain a b c",
    "give: " + "w" * 119 + " cut here": "blue plain " + "w" * 119,
    "give: " + "word " * 40: "blue plain " + ("word " * 24).strip(),
    "": "",
    "nothing": "",
    "Yes, but only if Ann plays": "",
    "What is this game about?": "",
    "Sorry, I could play, maybe.": "",
    "give:": "",
    "see you on Sunday": "",
}


@pytest.mark.parametrize("text", ANSWERS, ids=range(len(ANSWERS)))
def test_a_clear_yes_counts_and_the_rest_is_asked_again(invited: Any, text: str) -> None:
    """Found by a newcomer: `Sorry, I can't play.` joined."""
    invited.done("receive", "GAME", table.letter(invited, 0, "blue", text))
    assert row(invited, "blue") == ANSWERS[text]
    receipt = (invited.game / "desk/receipts/blue-0001.txt").read_text("utf-8")
    shown = ANSWERS[text].removeprefix("blue plain ")
    assert shown in ("", "blue none") or f"  | {shown[:66].rpartition(' ')[0] or shown[:66]}" in receipt
    assert ("Will you play?" in receipt) == (not ANSWERS[text])
    everything = [path.read_bytes() for path in invited.game.rglob("*") if path.is_file()]
    assert not any(b"hunter2" in data for data in everything)


def test_a_later_answer_replaces_an_earlier_one(invited: Any) -> None:
    def answers(text: str, name: str) -> None:
        invited.done("receive", "GAME", table.letter(invited, 0, "red", text, name))

    answers(lines(invited, "red"), "a.eml")
    answers("give: rather a line", "b.eml")
    assert row(invited, "red") == "red plain rather a line"
    answers("withdraw", "c.eml")
    assert row(invited, "red") == ""
    answers("resend", "d.eml")
    answers("Help!", "e.eml")
    assert row(invited, "red") == ""
    text = (invited.game / "desk/receipts/red-0005.txt").read_text("utf-8")
    assert "`withdraw` withdraws your answer" in text
    answers("give: last", "f.eml")
    answers("See you soon!", "g.eml")
    text = (invited.game / "desk/receipts/red-0007.txt").read_text("utf-8")
    assert "Your answer to the invitation stays as it is." in text
    invited.done("receive", "GAME", table.letter(invited, 0, "red", "withdraw", "c.eml"))
    assert row(invited, "red") == "red plain last"  # the same mail again changes nothing


def faults(place: Any) -> dict[str, tuple[str, str]]:
    """Lines that are refused, and a word of why."""
    good = lines(place, "red").splitlines()
    other = lines(place, "green").splitlines()
    head = bytes(32)
    ring = Keyring("x", "red", b"k" * 32)
    foreign = format_join_lines(make_join_answer(head, "red", b"r" * 32, ring.signing, ring.public))
    swapped = [good[0], other[1], *good[2:]]
    small = [f"join key {b64(bytes([1]) + bytes(31))}", *good[1:]]
    return {
        "forged": ("\n".join(swapped), "changed on the way"),
        "of another game": ("\n".join(foreign), "another game"),
        "of another seat": ("\n".join(other), "made for the seat green"),
        "two keys": ("\n".join((*good, *other)), "two keys"),
        "cut short": ("\n".join(good[:3]), "not whole"),
        "a letter lost": ("\n".join([good[0][:-1], *good[1:]]), "not whole"),
        "a key of small order": ("\n".join(small), "changed on the way"),
    }


@pytest.mark.parametrize(
    "what",
    ["forged", "of another game", "of another seat", "two keys", "cut short", "a letter lost",
     "a key of small order"],
)  # fmt: skip
def test_what_is_refused_is_refused_in_a_line_and_changes_nothing(invited: Any, what: str) -> None:
    invited.done("receive", "GAME", table.letter(invited, 0, "red", "give: my line", "first.eml"))
    text, why = faults(invited)[what]
    said = invited.run("receive", "GAME", table.letter(invited, 0, "red", text))
    assert (said.code, len(said.text.strip().splitlines())) == (1, 1), said.text
    assert why in said.text
    assert row(invited, "red") == "red plain my line"
    receipt = (invited.game / "desk/receipts/red-0002.txt").read_text("utf-8")
    assert f"Your answer was not accepted: {said.text.partition('not accepted: ')[2].strip()}" in (
        " ".join(receipt.split())
    )


def test_a_code_of_nobody_gets_the_fixed_answer(invited: Any) -> None:
    said = invited.run("receive", "GAME", invited.file("x.txt", "line\n[pbem AAAA-AAAA]\n"))
    assert said.code == 1
    assert "its code is of no game here" in said.text


def test_one_key_at_two_seats_closes_no_roster(invited: Any) -> None:
    """Neither is told at once: that would tell that the other has answered (P2)."""
    head, session = table.states(invited)[0], invited.session()
    from pbem.chain.signed_state import state_hash_of

    ring = Keyring(session.record.game, "red", b"k" * 32)
    for seat in ("red", "green"):
        one = make_join_answer(state_hash_of(head), seat, b"r" * 32, ring.signing, ring.public)
        text = "\n".join(format_join_lines(one))
        invited.done("receive", "GAME", table.letter(invited, 0, seat, text))
    for seat in ("blue", "violet"):
        invited.done("receive", "GAME", table.letter(invited, 0, seat, "yes"))
    said = invited.run("resolve", "GAME")
    assert (said.code, invited.numbers()) == (1, [0])
    assert "Ann (red) and Bob (green) sent the same key" in said.text
    invited.done("receive", "GAME", table.letter(invited, 0, "green", "yes", "again.eml"))
    invited.done("resolve", "GAME")
    given = [one.contribution for one in invited.session().record.roster]
    assert given == ["key", "none", "none", "none"]


@pytest.mark.parametrize("fault", ["no lines", "join lines", "cut", "of another seat", "no key"])
def test_an_opening_is_checked_before_it_is_kept(roster: Any, fault: str) -> None:
    good = table.joins(roster, 1, "red").splitlines()[:3]
    text, why = {
        "no lines": ("Here I am", "no lines `open"),
        "join lines": (lines(roster, "red"), "send the lines `open"),
        "cut": ("\n".join(good[:2]), "not whole"),
        "of another seat": (
            "\n".join(table.joins(roster, 1, "green").splitlines()[:3]),
            "do not open your addition",
        ),
        "no key": ("\n".join(good), "you do not need to do anything"),
    }[fault]
    seat = "blue" if fault == "no key" else "red"
    said = roster.run("receive", "GAME", table.letter(roster, 1, seat, text))
    assert (said.code, why in said.text) == (1, True), said.text
    assert row(roster, seat) == ""


def test_an_opening_that_was_tampered_with_is_refused(roster: Any) -> None:
    good = table.joins(roster, 1, "red").splitlines()[:3]
    other = f"open r {b64(bytes(32))}"
    said = roster.run("receive", "GAME", table.letter(roster, 1, "red", "\n".join((other, *good[1:]))))
    assert "they do not open your addition to the shuffle" in said.text
    roster.done("receive", "GAME", table.letter(roster, 0, "red", "\n".join(good), "late.eml"))
    assert row(roster, "red").startswith("red ")


def test_the_first_opening_is_no_secret_of_the_receipt(roster: Any) -> None:
    """The contribution is in the mail as it came and in hand, and is said to nobody."""
    text = "\n".join(table.joins(roster, 1, "red").splitlines()[:3])
    said = roster.done("receive", "GAME", table.letter(roster, 1, "red", text), "--json")
    r = text.splitlines()[0].split()[2]
    assert r not in said
    desk: Path = roster.game / "desk"
    holders = {path.parent.name for path in desk.rglob("*") if path.is_file() and r in
               path.read_text("utf-8", errors="replace")}  # fmt: skip
    assert holders == {"mails", "1"}


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_an_answer_below_a_quotation(invited: Any, answer: str) -> None:
    sent = (invited.game / "desk" / "outbox" / "0000-red.eml").read_bytes()
    text = read_mail_texts(sent).texts[0]
    below = f"Rita wrote on 3 Dec 2026:\n{quoted(text)}\n{answer}\n"
    invited.done("receive", "GAME", table.letter(invited, 0, "red", below))
    hand = invited.session().pending_by_seat["red"]
    assert (bool(hand.joining_row), bool(hand.decline_line)) == (answer == "yes", answer == "no")
