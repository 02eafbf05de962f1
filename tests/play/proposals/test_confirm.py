"""What pbem proposes for orders in words, and what a `yes` or `no` does, through the commands.
Source: docs/decisions/0023-notation-is-played.md.
"""

import re
from pathlib import Path

import pytest
from durability import games
from durability.games import Place, asked, copied, fresh, opened
from report.html.played import face_of
from services.receive.table import Table, player
from services.receive.table import dealt as dealt_table

from pbem.services.resolve.deadlines import MailKnowledge, act_on_deadlines

WORDS = "I would really like to have a wall at {} today"
AT_A1 = WORDS.format("A1")
CONFIRM = "Is this what you mean? To confirm it, reply `yes`."
NEW = (
    "new", "GAME", "--game", "chang-cheng", "--player", "red=Ann,ann@example.org",
    "--player", "blue=Bob,bob@example.org", "--referee", "Ref,ref@example.org",
)  # fmt: skip


class Player:
    """Ann, who answers by email, and the referee's folder."""

    def __init__(self, place: Place) -> None:
        self.place, self.seat, self.sent = place, asked(place), 0

    def write(self, text: str, *, to: str = "", code: str = "") -> str:
        """Send one more email; returns the receipt."""
        self.sent += 1
        code = code or self.place.session().code(self.seat)
        head = f"From: ann@example.org\nSubject: Re: [pbem {code}]\nMessage-ID: <{self.sent}@x>\n"
        answers = f"In-Reply-To: {to}\n" if to else ""
        mail = self.place.file(f"{self.sent}.eml", f"{head}{answers}\n{text}\n")
        self.said = self.place.run("receive", "GAME", mail).text
        return self.receipt(-1)

    def receipt(self, which: int) -> str:
        paths = sorted((self.place.game / "desk" / "receipts").glob(f"{self.seat}-*.txt"))
        return paths[which].read_text("utf-8")

    def named(self, name: str) -> str:
        """The Message-ID of an email in the outbox."""
        text = (self.place.game / "desk" / "outbox" / f"{name}.eml").read_text("utf-8")
        found = re.search(r"^Message-ID: *(<.+>)$", text, re.MULTILINE | re.IGNORECASE)
        assert found
        return found[1]

    @property
    def waiting(self) -> list[str]:
        return self.place.hands()[self.seat]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return opened(tmp_path_factory.mktemp("confirm") / "base")


@pytest.fixture
def ann(base: Place, tmp_path: Path) -> Player:
    return Player(copied(base, tmp_path / "place"))


def status(place: Place) -> str:
    return place.run("status", "GAME").text


def test_a_yes_plays_what_was_proposed(ann: Player) -> None:
    receipt = ann.write(AT_A1)
    assert f"{CONFIRM} Nothing is played until then.\n\n    wall A1\n" in receipt
    assert ann.waiting == []
    assert "email held, proposal sent" in status(ann.place)
    assert "orders:\nwall A1\n" in ann.write("Yes.", to=ann.named("receipt-red-0001"))
    assert ann.waiting == ["wall A1"]
    assert "proposal" not in status(ann.place)


def test_words_beside_a_yes_are_no_hindrance_and_go_to_the_referee(ann: Player) -> None:
    ann.write(AT_A1)
    ann.write("Hello Ref,\nyes\n\nThis is a lovely evening for it.")
    assert ann.waiting == ["wall A1"]
    assert "This is a lovely evening for it." in ann.place.done("messages", "GAME")


def test_words_that_touch_the_yes_may_turn_it(ann: Player) -> None:
    ann.write(AT_A1)
    told = ann.write("Yes\nbut only if Ben has not seen it")
    assert ("No orders accepted. There are other words beside your `yes`" in told, "    wall A1\n" in told) == (
        True,
        True,
    )
    assert ann.waiting == []
    ann.write("Yes Ref")
    assert ann.waiting == ["wall A1"]


def test_words_alone_show_it_once_more(ann: Player) -> None:
    """`Yes, exactly that!` got thanks, and the game waited (found by a new reader)."""
    ann.write(AT_A1)
    told = ann.write("Yes, exactly that!")
    assert f"{CONFIRM} Nothing is played until then.\n\n    wall A1\n" in told
    ann.write("yes", to=ann.named("receipt-red-0002"))
    assert ann.waiting == ["wall A1"]


def test_a_yes_that_names_no_email_where_two_things_were_proposed(ann: Player) -> None:
    """It confirmed the newer proposal, which nobody had read (found by an attack)."""
    ann.write(AT_A1)
    ann.write(WORDS.format("A2"))
    assert "    wall A2\n" in ann.write("yes")
    assert ann.waiting == []
    ann.write("yes", to=ann.named("receipt-red-0003"))
    assert ann.waiting == ["wall A2"]


def test_a_vacation_note_agrees_to_nothing(ann: Player) -> None:
    ann.write(AT_A1)
    code = ann.place.session().code(ann.seat)
    head = f"From: ann@example.org\nSubject: Vacation: game: please confirm [pbem {code}]\n"
    mail = ann.place.file("v.eml", f"{head}Message-ID: <v@x>\n\nyes\n\nI am away.\n")
    ann.place.run("receive", "GAME", mail)
    assert ann.waiting == []


def test_a_no_drops_it(ann: Player) -> None:
    ann.write(AT_A1)
    assert "What was proposed will not be played." in ann.write("no")
    assert "proposal" not in status(ann.place)
    assert "There is nothing to confirm now" in ann.write("yes")
    assert ann.waiting == []


def test_other_orders_end_it(ann: Player) -> None:
    ann.write(AT_A1)
    ann.write("wall A2")
    assert "There is nothing to confirm now" in ann.write("yes")
    assert ann.waiting == ["wall A2"]


def test_a_newer_proposal_replaces_it(ann: Player) -> None:
    """A `yes` to the receipt of the older one plays neither, and says what is pending."""
    ann.write(AT_A1)
    ann.write(WORDS.format("A2"))
    told = ann.write("yes", to=ann.named("receipt-red-0001"))
    assert "proposes nothing. Confirm what is proposed below." in told
    assert (ann.waiting, "    wall A2\n" in told) == ([], True)
    ann.write("yes", to=ann.named("receipt-red-0003"))
    assert ann.waiting == ["wall A2"]


def test_a_yes_to_an_email_that_shows_nothing_plays_nothing(ann: Player) -> None:
    ann.write(AT_A1)
    told = ann.write("yes", to=ann.named("0002-red"))
    assert ("proposes nothing" in told, ann.waiting) == (True, [])


def test_an_order_beside_the_yes_holds_the_email(ann: Player) -> None:
    """Which of the two is meant is unclear."""
    ann.write(AT_A1)
    ann.write("yes\nwall A2")
    assert ann.waiting == ["wall A2"]


def test_words_that_are_held_again_play_nothing(ann: Player) -> None:
    ann.write(AT_A1)
    ann.write(f"yes\n{WORDS.format('A2')}")
    assert ann.waiting == []


def test_a_question_that_is_gone(ann: Player) -> None:
    """The referee typed an order meanwhile, so the question and its proposal are gone."""
    code = ann.place.session().code(ann.seat)
    ann.write(AT_A1)
    typed = ann.place.file("typed.txt", "wall A5\n")
    ann.place.done("receive", "GAME", typed, "--typed", ann.seat)
    ann.place.done("resolve", "GAME")
    told = ann.write("yes", code=code)
    assert "wall A1" not in told
    assert ann.waiting == []


def test_the_reminder_shows_it_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply to the reminder counts too."""
    place = fresh(tmp_path / "place")
    place.done(*NEW, "--deal", "--option", "turn=3d", "--option", "missed=wait")
    place.done("amend", "GAME", "clock", "remind=1d", "--reason", "so it is")
    ann = Player(place)
    ann.write(AT_A1)
    monkeypatch.setattr(games, "TIME", str(int(games.TIME) + 132 * 3600))
    act_on_deadlines(place.session(), 10, MailKnowledge(), dry_run=False)
    (reminder,) = (place.game / "desk" / "outbox").glob("*reminder*")
    assert CONFIRM in " ".join(face_of(reminder).text.split())
    ann.write("yes", to=ann.named(reminder.stem))
    assert ann.waiting == ["wall A1"]


def test_a_yes_to_an_absence_ends_its_proposal(tmp_path: Path) -> None:
    """Found by a new user in 2026-11: it changes no orders, so status said "proposal sent" until the turn was
    played, and the player's next thanks was answered with the same proposal.
    """
    place = fresh(tmp_path / "place")
    place.done(*NEW, "--deal", "--option", "turn=5d")
    ann = Player(place)
    assert CONFIRM in ann.write("I am away from 10 to 16 December")
    assert "proposal sent" in status(place)
    assert "Noted: you are away from" in ann.write("yes")
    assert "held" not in status(place)
    assert CONFIRM not in ann.write("Thanks, Rita!")
    assert "Noted" not in ann.write("yes")


def test_an_absence_in_words_is_proposed_in_an_answer_to_an_old_report(tmp_path: Path) -> None:
    """Found by a new referee in 2026-11: it was answered "no order found", and nobody was told of it."""
    place = fresh(tmp_path / "place")
    place.done(*NEW, "--deal", "--option", "turn=5d")
    ann = Player(place)
    old_code = place.session().code(ann.seat)
    ann.write("wall A1")
    place.done("resolve", "GAME")
    assert "    absent 10 Dec to 16 Dec\n" in ann.write("I am away from 10 to 16 December", code=old_code)
    assert "Noted: you are away from" in ann.write("yes", code=old_code)


def test_a_closed_game_holds_no_email(ann: Player) -> None:
    """Found by a new referee in 2026-11: nothing could be done about it any more."""
    ann.write(AT_A1)
    assert "email held" in status(ann.place)
    ann.place.done("amend", "GAME", "close", "--reason", "we stop here")
    assert "email held" not in status(ann.place)


def test_withdraw_is_proposed_where_orders_wait(ann: Player) -> None:
    words = "Please take back my orders, Ref."
    ann.write(words)
    assert words in ann.place.done("messages", "GAME")  # nothing waits: they are words
    ann.write("wall A2")
    assert "    withdraw\n" in ann.write(words)
    assert ann.waiting == ["wall A2"]
    ann.write("yes")
    assert ann.waiting == []


def test_a_machine_gets_no_proposal(ann: Player) -> None:
    code = ann.place.session().code(ann.seat)
    head = f"From: ann@example.org\nSubject: Out of office [pbem {code}]\nMessage-ID: <m@x>\n"
    mail = ann.place.file("m.eml", f"{head}Auto-Submitted: auto-replied\n\n{AT_A1}\n")
    ann.place.run("receive", "GAME", mail)
    assert "proposal" not in status(ann.place)


def test_two_emails_that_answer_between_lines_are_two(ann: Player) -> None:
    """The second was treated as a copy, since it had no own line above (found by measuring)."""
    quoted = "On Fri, 27 Nov 2026 at 18:51, Ref <ref@example.org> wrote:\n\nwall {}\n"
    ann.write(quoted.format("A1"))
    ann.write(quoted.format("A2"))
    assert "answered before" not in ann.said


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return dealt_table(tmp_path_factory.mktemp("confirm") / "table")


def test_who_has_a_key_signs_what_is_proposed(table: Table, tmp_path: Path) -> None:
    """A `yes` carries no valid signature of the orders."""
    ann = Table(copied(table.place, tmp_path / "place"), table.password)
    ann.receive(ann.mail("red", f"{AT_A1}\n\n{ann.signed('wall A1')}"))
    receipt = ann.receipt("red")
    assert "sign these lines and send them:\n\n    wall A1\n" in receipt
    assert "reply `yes`" not in receipt
    assert ann.place.session().pending_by_seat["red"].proposal == ()
    view = ann.report("red").with_suffix(".view.toml")
    checked = player(ann.place, "orders", "check", str(view), ann.place.file("o.txt", AT_A1))
    assert "Is this what you mean?\n  wall A1\n" in checked.text


def test_who_has_a_password_says_it_with_the_yes(table: Table, tmp_path: Path) -> None:
    """Words that must not be quoted were dropped before reading, and the rest was played (found by
    this test).
    """
    bob = Table(copied(table.place, tmp_path / "place"), table.password)
    bob.place.done("receive", "GAME", bob.mail("red", bob.signed("wall A1")))
    bob.place.done("resolve", "GAME")
    word = f"password {bob.password}"
    bob.receive(bob.mail("blue", f"{WORDS.format('A7')}\n{word}", "words"))
    assert "with the line that has your password" in bob.receipt("blue")
    assert "    wall A7\n" in bob.receipt("blue")
    assert "really" not in bob.receipt("blue")
    bob.receive(bob.mail("blue", "yes", "bare"))
    assert bob.place.hands()["blue"] == []
    bob.receive(bob.mail("blue", f"yes\n{word}", "yes"))
    assert bob.place.hands()["blue"] == ["wall A7"]
