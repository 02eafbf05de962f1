"""What players write besides orders, to the referee: kept, shown, answered. Decision 0017.

Found by a newcomer in 2026-11: such words were shown once, on a screen that nobody sees when a
timer takes the emails, and kept nowhere.
"""

import json
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from durability import games

from pbem.disk.folder import GameFolder, MessageStatus

from .table import Table, invited

WORDS = "I am away until Monday."
KEPT = "Everything else in your email goes to your referee as a message."
KEPT_WITH_UNCLEAR = "Everything in your email that is not an order goes to your referee as a message, also a question."
ALONE = "No order found in your email. What you wrote goes to your referee as a message."


def letters(table: Table, mark: MessageStatus = MessageStatus.UNREAD) -> tuple[str, ...]:
    return GameFolder(table.place.game).list_messages(mark)


def waiting(table: Table) -> int:
    """How many `status` counts."""
    found: int = json.loads(table.place.done("status", "GAME", "--json"))["games"][0]["messages"]
    return found


def test_words_beside_orders_are_kept_and_shown_once(table: Table) -> None:
    lines = ("Hello Rita,", "later: wall A1", WORDS, "", "Best wishes,", "Dan")
    said = table.receive(table.mail("violet", "\n".join(lines)))
    assert f"message: {WORDS}" in said.text
    assert KEPT in table.receipt("violet")
    assert WORDS not in table.receipt("violet")
    assert waiting(table) == 1
    shown = table.place.done("messages", "GAME")
    assert "Dan (violet)" in shown
    assert f"  | {WORDS}\n" in shown
    assert not {"Hello", "wall", "wishes", "| Dan"} & {*shown.replace("\n", " ").split(" ")}
    assert table.place.done("messages", "GAME") == "there is no new message\n"
    assert WORDS in table.place.done("messages", "GAME", "--all")
    assert waiting(table) == 0


@pytest.mark.parametrize("text", ["later: wall A1", "Hi Rita!\nlater: wall A1\nThanks\nDan", "help"])
def test_greetings_are_no_letter(table: Table, text: str) -> None:
    table.receive(table.mail("violet", text))
    assert (letters(table), KEPT in table.receipt("violet")) == ((), False)


@pytest.mark.parametrize(("text", "shown"), [("Thanks, Rita!\n\nDan", True), ("Dan\nSent from my iPhone", False)])
def test_thanks_alone_are_a_letter(table: Table, text: str, shown: bool) -> None:
    """Found by a newcomer in 2026-11: `Thanks, Rita!` was taken for a greeting around orders, and reached nobody."""
    table.receive(table.mail("violet", text))
    assert (ALONE in table.receipt("violet"), waiting(table)) == (shown, int(shown))
    assert ("  | Thanks, Rita!\n" in table.place.done("messages", "GAME")) == shown


def test_an_email_of_words_alone(table: Table) -> None:
    table.receive(table.mail("violet", f"{WORDS}\nPlease wait for me."))
    assert ALONE in table.receipt("violet")
    assert "Subject: game: your message goes to your referee [pbem" in _mail(table, "violet")
    assert f"  | {WORDS}\n  | Please wait for me.\n" in table.place.done("messages", "GAME")


def _mail(table: Table, seat: str) -> str:
    folder = table.place.game / "desk" / "outbox"
    return max(folder.glob(f"receipt-{seat}-*.eml")).read_text("utf-8")


def test_whatever_becomes_of_the_orders(table: Table) -> None:
    """Held back, or of a question that is settled: the words are read all the same."""
    table.receive(table.mail("violet", f"later: awll A1\n{WORDS}"))
    assert "No orders accepted" in table.receipt("violet")
    assert KEPT_WITH_UNCLEAR in table.receipt("violet")
    assert len(letters(table)) == 1


QUESTION = "Can I put a tower on C6?"


def test_a_line_that_holds_an_email_is_shown_to_the_referee(table: Table) -> None:
    """Found by a player with a phone: a question came back as an order that is not clear, and no
    referee ever read it. Found by a referee: its receipt did not say that they read it.
    """
    table.receive(table.mail("violet", f"Hello Rita,\n{QUESTION}\n{WORDS}\nDan"))
    assert f"- not clear: `{QUESTION}`" in table.receipt("violet")
    assert KEPT_WITH_UNCLEAR in " ".join(table.receipt("violet").split())
    assert (waiting(table), table.place.hands()["violet"]) == (1, [])
    assert "Dan (violet): email held, waiting for clear orders" in table.place.done("status", "GAME")
    assert f"  | {QUESTION}\n  | {WORDS}\n" in table.place.done("messages", "GAME")


def test_the_same_email_is_one_letter(table: Table) -> None:
    mail = table.mail("violet", WORDS)
    for _ in range(2):
        table.receive(mail)
        table.place.done("messages", "GAME")
    assert (letters(table), len(letters(table, MessageStatus.READ))) == ((), 1)


def test_one_that_was_killed_is_one_letter(table: Table) -> None:
    """Whenever the command is killed: once it is taken there is one letter, read or not."""
    place, mail = table.place, table.mail("violet", WORDS)
    base = games.copied(place, place.path.parent / "base")
    for k in range(1, len(place.steps("receive", "GAME", mail)) + 1, 3):
        copy = Table(games.copied(base, place.path.parent / f"at-{k}"), table.password)
        file = copy.place.file("one.eml", Path(mail).read_bytes())
        copy.place.struck(k, "before", "receive", "GAME", file)
        copy.place.done("messages", "GAME")
        copy.receive(file)
        copy.place.done("messages", "GAME")
        assert len(letters(copy, MessageStatus.READ)) == 1, k


def test_a_player_with_a_password_is_told_to_write_elsewhere(later: Table) -> None:
    """It may stand among the words, in whatever form (P11)."""
    later.receive(later.mail("blue", f"later: wall A4\npassword {later.password}\n{WORDS}"))
    assert "The other words of this email are not passed on, since your password may be" in later.receipt("blue")
    assert letters(later) == ()
    found = {path.read_bytes() for path in later.place.game.rglob("*") if path.is_file()}
    assert not any(WORDS.encode() in data for data in found)


def test_what_is_not_shown_to_be_its_players_is_no_letter(table: Table) -> None:
    """P6: it is answered alike, whatever it says, and nothing of it is kept."""
    table.receive(table.mail("red", WORDS))
    assert "without proof" in table.receipt("red")
    assert letters(table) == ()


def test_before_the_deal(tmp_path: Path) -> None:
    place = invited(tmp_path)
    table = Table(place, "")
    head = f"Subject: Re: [pbem {table.code('violet')}]\n\n"
    said = place.run("receive", "GAME", place.file("a.txt", f"{head}yes\n{WORDS}\n"))
    assert said.code == 0, said.text
    assert KEPT in table.receipt("violet")
    place.run("receive", "GAME", place.file("b.txt", f"{head}Which edition do we play?\n"))
    shown = place.done("messages", "GAME")
    assert f"  | {WORDS}\n" in shown
    assert "  | Which edition do we play?\n" in shown
    assert "| yes" not in shown


def test_what_all_shows_is_read_too(table: Table) -> None:
    """Found in reading the change: it was shown, and stayed unread; where there was no letter a
    game's folder was locked all the same.
    """
    lock = table.place.game / "desk" / "lock"
    lock.unlink(missing_ok=True)
    table.place.done("messages", "GAME", "--all")
    assert not lock.exists()
    table.receive(table.mail("violet", WORDS))
    assert WORDS in table.place.done("messages", "GAME", "--all")
    assert waiting(table) == 0


def test_when_the_game_is_over(table: Table) -> None:
    mail = table.mail("violet", "That was a good game, when is the next one?")
    table.place.done("amend", "GAME", "close", "--reason", "the end of it")
    table.receive(mail)
    assert "the referee has closed the game" in table.receipt("violet")
    assert "when is the next one?" in table.place.done("messages", "GAME")


def test_what_the_referee_types_is_no_letter(table: Table) -> None:
    table.receive("--typed", "green", table.place.file("t.txt", f"later: wall A1\n{WORDS}\n"))
    assert letters(table) == ()


def test_a_letter_is_not_answered_to_whoever_plays_there_now(table: Table) -> None:
    """Found by an attack of 2026-11-22: the next player read what the one before had written."""
    place = table.place
    table.receive(table.mail("violet", WORDS))
    (name,) = letters(table)
    new = ("--name", "Zoe", "--address", "zoe@example.org", "--reason", "Dan left")
    place.done("amend", "GAME", "player", "violet", *new)
    refused = place.run("messages", "GAME", "--answer", name, "--text", place.file("t", "Hello\n"))
    assert "Dan wrote it, and Zoe plays violet now" in refused.text
    assert "Dan (violet)" in place.done("messages", "GAME")


def test_an_answer_goes_to_its_player_alone(table: Table) -> None:
    place = table.place
    table.receive(table.mail("violet", WORDS))
    (name,) = letters(table)
    before = table.outbox()
    text = place.file("answer.txt", "That is fine.\nBon voyage!\n")
    said = place.done("messages", "GAME", "--answer", name[:11], "--text", text)
    assert "The answer to Dan (violet) is in" in said
    (made,) = table.outbox() - before
    mail = message_from_bytes((place.game / "desk" / "outbox" / f"{made}.eml").read_bytes(), policy=default)
    assert (mail["To"], mail["In-Reply-To"]) == ("Dan <dan@example.org>", "<one@x>")
    assert mail["Subject"] == f"game: an answer from your referee [pbem {table.code('violet')}]"
    part = mail.get_body(("plain",))
    assert part is not None
    body = part.get_content()
    assert "  | That is fine.\n  | Bon voyage!\n" in body
    assert f"  | {WORDS}\n" in body
    place.done("messages", "GAME", "--answer", name[:11], "--text", text)  # the same is the same
    assert table.outbox() - before == {made}
    empty, odd = place.file("e", " \n"), place.file("o", b"a\x00b")
    for words in (
        ("--answer", "green"),
        ("--answer", name, "--text", empty),
        ("--answer", name, "--text", odd),
        ("--text", text),
        ("--all", "--answer", name, "--text", text),
    ):
        refused = place.run("messages", "GAME", *words)
        assert refused.code != 0
        games.one_line(refused)


def test_answers_that_are_held_go_to_whom_they_are_for(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by an attack of 2026-11-22: the next player got them, signed receipts and all, a day
    later.
    """
    monkeypatch.setattr("pbem.services.receipts.MAX_PER_DAY", 1)
    for number in range(3):
        table.receive(table.mail("violet", f"later: wall A{number + 1}", f"m{number}"))
    new = ("--name", "Zoe", "--address", "zoe@example.org", "--reason", "Dan left")
    table.place.done("amend", "GAME", "player", "violet", *new)
    outbox = table.place.game / "desk" / "outbox"
    (held,) = outbox.glob("receipt-violet-*-held.eml")
    assert "\nTo: Dan <dan@example.org>\n" in held.read_text("utf-8")
    assert (table.place.game / "desk" / "answers").read_text().split()[-1] == "0"
