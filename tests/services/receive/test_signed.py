"""Orders that a player signs: what is taken, and what each other mail is answered.

Source: docs/SPECIFICATION.md section 9; docs/DESIGN.md P6.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbem.chain.ruling_row import read_ruling
from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import verify
from pbem.play.pending_orders import MAX_HANDLED_MARKS, order_of

from .table import Table, block_of, parts_of, text_of

FIXED = "An email arrived for your seat without proof that it was yours."
OTHER = b"\x07" * 32
TWO = ["wall A1", "when AP1: flood -2", "when AP2: flood -2"]


class Case(NamedTuple):
    """A mail of Ann's first question, and what comes of it."""

    name: str
    text: Callable[[Table], str]
    told: str  #: in her receipt; FIXED where nothing shows that it is hers
    said: str  #: on the referee's screen


def changed(*pairs: tuple[str, str]) -> Callable[[Table], str]:
    """Three orders signed by her tool, and then changed on the way."""

    def text(table: Table) -> str:
        found = table.signed("\n".join(TWO))
        for old, new in pairs:
            assert old in found, old
            found = found.replace(old, new, 1)
        return found

    return text


def renumbered(table: Table) -> str:
    found = block_of(table.signed("\n".join(TWO)))
    first, *rest = found.signatures
    return text_of(TWO, found._replace(signatures=(first, (1, rest[0][1]), *rest[1:])))


def damaged(table: Table) -> str:
    found = block_of(table.signed("\n".join(TWO)))
    first, second, third = found.signatures
    other = "A" if second[1][10] != "A" else "B"
    broken = (2, f"{second[1][:10]}{other}{second[1][11:]}")
    return text_of(TWO, found._replace(signatures=(first, broken, third)))


def foreign(**fields: Any) -> Callable[[Table], str]:
    def text(table: Table) -> str:
        found = block_of(table.signed("wall A1"))
        return text_of(["wall A1"], found._replace(**fields))

    return text


NOT_HERS = [
    Case("unsigned", lambda _: "wall A1", FIXED, "no signature was found in it"),
    Case("asks unsigned", lambda _: "resend", FIXED, "no signature was found in it"),
    Case("prose", lambda _: "Sorry, I am late!", FIXED, "no signature was found in it"),
    Case(
        "key of another",
        lambda table: table.by_hand(["wall A1"], ring=table.ring._replace(seed=OTHER)),
        FIXED,
        "no line in it is signed with the key of this seat",
    ),
    Case("game of another", foreign(game="a" * 26), FIXED, "are for another game"),
    Case("seat of another", foreign(seat="blue"), FIXED, "are for another seat"),
    Case(
        "number changed",
        lambda t: text_of(["wall A1"], block_of(t.signed("wall A1"))._replace(email_number=9)),
        FIXED,
        "no line in it is signed",
    ),
    Case("head changed", foreign(state_hash=b64(bytes(32))), FIXED, "no line in it is signed"),
    Case(
        "its one order changed",
        lambda table: table.signed("wall A1").replace("wall A1", "wall A2"),
        FIXED,
        "no line in it is signed",
    ),
]

HERS = [
    Case(
        "an order changed",
        changed(("wall A1\n", "wall A2\n")),
        "refused: `wall A2` has no signature that fits",
        "a line and its signature do not fit",
    ),
    Case(
        "what it waits for changed",
        changed(("when AP1: flood -2", "when AP3: flood -2")),
        "refused: `when AP3: flood -2` has no signature that fits",
        "a line and its signature do not fit",
    ),
    Case(
        "an order for now kept for later",
        changed(("wall A1\n", "later: wall A1\n")),
        "refused: `later: wall A1` has no signature that fits",
        "a line and its signature do not fit",
    ),
    Case(
        "a line without its signature",
        changed(("wall A1\n", "wall A1\nlater: wall A5\n")),
        "refused: `later: wall A5` has no signature that fits",
        "a line and its signature do not fit",
    ),
    Case(
        "a signature without its line",
        changed(("when AP2: flood -2\n", "")),
        "refused: the line for signature 3 is missing",
        "the line for signature 3 is missing",
    ),
    Case(
        "lines in another order",
        changed(("AP1", "APX"), ("AP2", "AP1"), ("APX", "AP2")),
        "refused: the lines are not in the order in which you signed them",
        "the lines are not in the order",
    ),
    Case(
        "a signature damaged",
        damaged,
        "refused: `when AP1: flood -2` has no signature that fits",
        "a line and its signature do not fit",
    ),
    Case("a number twice", renumbered, "refused: two signatures have the number 1", "two signatures have the number 1"),
    Case(
        "two lists in one mail",
        lambda t: t.signed("wall A1").partition("[pbem")[0] + t.signed("wall A2"),
        "refused: send one list of orders in each email",
        "send one list of orders in each email",
    ),
    Case(
        "a report of no state of this game",
        lambda table: table.by_hand(["wall A1"], head=b64(bytes(32))),
        "refused: answer your newest report; they answer a report that is not from this game",
        "answer your newest report; they answer a report that is not from this game",
    ),
    Case("not legal", lambda table: table.by_hand(["wall A99"]), "refused: `wall A99`", "refused: `wall A99`"),
]


@pytest.mark.attack(
    "give an order in the name of a player who uses a key", by="refused: the signature is missing", who="player"
)
@pytest.mark.parametrize("case", [*NOT_HERS, *HERS], ids=lambda case: case.name)
def test_nothing_of_it_is_kept(case: Case, table: Table) -> None:
    said = table.receive(table.mail("red", case.text(table)))
    assert said.code == 1, said.text
    assert case.said in said.text
    assert case.told in table.receipt("red")
    assert table.place.hands()["red"] == []
    assert table.place.run("resolve", "GAME").text.startswith("game: nothing to resolve")


@pytest.mark.attack("give or change an order in the name of a player with a key", by="refused", who="carrier")
@pytest.mark.parametrize("case", NOT_HERS, ids=lambda case: case.name)
def test_before_it_is_known_there_is_one_answer(case: Case, table: Table) -> None:
    """The same to the byte, whatever the mail was; and it is not the referee's reason."""
    table.receive(table.mail("red", "anything", "other"))
    fixed = table.receipt("red")
    table.receive(table.mail("red", case.text(table)))
    assert table.receipt("red") == fixed
    assert case.said not in fixed
    assert "receipt-red-0002" in table.outbox()


def test_what_her_tool_signed_is_played_and_can_be_checked(table: Table) -> None:
    """The entry holds number, head, line and signature; it is the very line she signed."""
    table.place.done("receive", "GAME", table.mail("red", table.signed("\n".join(TWO))))
    table.place.done("resolve", "GAME")
    session = table.place.session()
    (entry,) = session.record.entries
    assert (entry.source, entry.public_words) == ("signed", "wall A1")
    opened = session.seals.open_order("3/order/1", entry.token)
    nr, i, of, head, sig, line = parts_of(opened)
    parts = (session.record.game, "red", int(nr), int(i), int(of), head, session.record.setup.rules_version)
    assert verify(table.ring.public, "order", sig, *parts, line.decode())
    assert (nr, i, of, line) == (b"1", b"1", b"3", b"wall A1")
    assert b64(head) == session.record.previous_hash
    hand = session.pending_by_seat["red"]
    assert [one.signed_line for one in hand.orders] == TWO[1:]  # what still waits keeps its own
    assert [order_of(one.signed_line) for one in hand.orders] == ["flood -2", "flood -2"]


def test_the_entry_of_a_standing_order_has_the_line_as_it_was_signed(table: Table) -> None:
    table.place.done("receive", "GAME", table.mail("red", table.signed("later:\nwall A1")))
    table.place.done("resolve", "GAME")
    session = table.place.session()
    (entry,) = session.record.entries
    *_, sig, line = parts_of(session.seals.open_order("3/order/1", entry.token))
    assert (entry.public_words, line, len(sig)) == ("wall A1", b"later: wall A1", 64)


def test_numbers_rise_and_an_older_mail_changes_nothing(table: Table) -> None:
    first, second = table.signed("wall A1"), table.signed("wall A2")
    table.place.done("receive", "GAME", table.mail("red", second, "second"))
    said = table.receive(table.mail("red", first, "first"))
    assert "these are orders number 1, and number 2 has come already" in said.text
    assert "number 2 has come already" in table.receipt("red")
    assert table.place.hands()["red"] == ["wall A2"]


def test_a_higher_number_replaces_its_parts(table: Table) -> None:
    table.place.done("receive", "GAME", table.mail("red", table.signed("\n".join(TWO)), "a"))
    table.place.done("receive", "GAME", table.mail("red", table.signed("wall B1"), "b"))
    assert table.place.hands()["red"] == ["wall B1", "flood -2", "flood -2"]
    assert "\nreplaced 1\n" in table.receipt("red")


@pytest.mark.attack("sign two different emails with the same order number", by="refused", who="player")
def test_the_same_number_for_other_orders_is_refused(table: Table) -> None:
    table.place.done("receive", "GAME", table.mail("red", table.by_hand(["wall A1"]), "a"))
    said = table.receive(table.mail("red", table.by_hand(["wall A2"]), "b"))
    assert "number 1 came before with other orders" in said.text
    assert table.place.hands()["red"] == ["wall A1"]


@pytest.mark.attack(
    "contradict an honest referee by means of genuine receipts",
    by="not possible: the receipt for a refused order number has the number 0",
    who="player",
)
@pytest.mark.parametrize("how", ["other", "damaged", "old"])
def test_a_refused_number_frames_no_referee(table: Table, how: str) -> None:
    """Found by an attack of 2026-11-22: its receipt had the number of orders that waited, and an
    audit held the two against each other.
    """
    text = table.by_hand(["later: wall A9", "later: wall B9"])
    emails = {
        "other": (text, table.by_hand(["later: wall A8"])),
        "damaged": (text.replace("wall B9", "wall B8", 1), text),
        "old": (text, *(f"rules CC-{i}" for i in range(1, MAX_HANDLED_MARKS + 2)), text),
    }
    letters = []
    for number, one in enumerate(emails[how]):
        table.receive(table.mail("red", one, f"m{number}"))
        if "wall" in one:
            letters.append(table.place.file(f"r{number}.txt", table.receipt("red")))
    firsts = [Path(path).read_text("utf-8").split(" red ")[1][:1] for path in letters]
    assert firsts == (["0", "1"] if how == "damaged" else ["1", "0"])
    table.place.done("amend", "GAME", "note", "hello")
    table.place.done("amend", "GAME", "close", "--reason", "the end of it")
    archive = str(table.place.path / "x.tar")
    table.place.done("archive", "GAME", "-o", archive)
    said = table.place.run("audit", archive, *letters)
    assert (said.code, "proven: reports and receipts" in said.text) == (0, True), said.text


def test_the_same_orders_again_get_the_same_receipt_again(table: Table) -> None:
    text = table.signed("wall A1")
    table.place.done("receive", "GAME", table.mail("red", text, "a"))
    number, receipt = table.receipts("red"), table.receipt("red")
    said = table.receive(table.mail("red", f"Hi Rita!\n{text}", "b"))
    assert (said.code, table.receipts("red"), table.receipt("red")) == (0, number, receipt)
    name = f"desk/outbox/receipt-red-{number:04d}-again.eml"
    again = (table.place.game / name).read_text("utf-8")
    assert "receipt pbem 1" in again
    assert "To: Ann <ann@example.org>" in again


def test_what_was_refused_cannot_be_sent_again_when_it_is_legal(later: Table) -> None:
    """Its number has been seen: whoever kept the mail gets the refusal, and nothing is kept."""
    text = later.by_hand(["wall A7"], nr=2)  # it is Bob's turn
    assert later.receive(later.mail("red", text, "a")).code == 1
    receipt = later.receipt("red")
    said = later.receive(later.mail("red", text, "b"))
    assert "came before; its receipt still counts" in said.text
    assert later.receipt("red") == receipt
    assert later.place.hands()["red"] == []


def test_orders_for_a_question_that_was_answered_are_stale(later: Table) -> None:
    """However new the code is that they came with."""
    text = later.signed("wall A2", n=2).partition("[pbem")[0]
    said = later.receive(later.mail("red", text))
    assert (said.code, "that question is settled" in said.text) == (1, True)
    assert "That question is already settled" in later.receipt("red")


def test_standing_orders_for_an_older_report_are_in_time(later: Table) -> None:
    text = later.by_hand(["when AP1: flood -2"], nr=2, head=later.place.session().record.previous_hash)
    later.place.done("receive", "GAME", later.mail("red", text))
    (part,) = later.place.session().pending_by_seat["red"].groups
    assert part.state_hash == later.place.session().record.previous_hash


def test_what_was_written_before_the_seat_changed_is_refused(later: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    real = StateRecord.player
    monkeypatch.setattr(StateRecord, "player", lambda link, seat: real(link, seat)._replace(orders_since=3))
    head = later.place.session().record.previous_hash
    text = later.by_hand(["when AP1: flood -2"], nr=2, head=head)
    said = later.receive(later.mail("red", text))
    assert "they were written before a ruling of the referee" in said.text
    assert later.place.hands()["red"] == []
    text = later.by_hand(["when AP1: flood -2"], nr=3)
    assert later.receive(later.mail("red", text, "two")).code == 0


def test_a_choice_of_reports_is_signed_too(table: Table) -> None:
    """Only her signature shows that it is hers; and what she signed passes every check."""
    table.receive(table.mail("red", "mails every", "a"))
    assert table.place.session().pending_by_seat["red"].report_choice == ""
    text = table.signed("wall A5\nmails every")
    table.place.done("receive", "GAME", table.mail("red", text, "b"))
    assert table.place.session().pending_by_seat["red"].report_choice == "every"
    assert "line kept mails every" in table.receipt("red")
    table.place.done("resolve", "GAME")
    assert f"{table.place.numbers()[-1]:04d}-red" in table.outbox()
    receipts = sorted((table.place.game / "desk" / "receipts").glob("red-*.txt"))
    table.place.done("verify", "GAME", str(receipts[-1]))
    table.place.done("amend", "GAME", "close", "--reason", "enough")
    archive = str(table.place.path / "a.tar")
    table.place.done("archive", "GAME", "-o", archive)
    assert "contradicted" not in table.place.done("audit", archive)


def test_withdraw_is_signed_too(table: Table) -> None:
    table.place.done("receive", "GAME", table.mail("red", table.signed("wall A1"), "a"))
    table.receive(table.mail("red", "withdraw", "b"))
    assert table.place.hands()["red"] == ["wall A1"]
    table.place.done("receive", "GAME", table.mail("red", table.signed("withdraw"), "c"))
    assert table.place.hands()["red"] == []


def test_nobody_types_for_who_signs(table: Table) -> None:
    said = table.receive(table.place.file("t.txt", "wall A1\n"), "--typed", "red")
    assert (said.code, "only orders that its player signed count" in said.text) == (1, True)
    assert table.place.hands()["red"] == []


def test_a_move_file_is_signed_as_a_list(table: Table) -> None:
    code = table.code("red")
    text = table.signed(f'pbem = 1\ncode = "{code}"\norders = ["wall A1", "when AP1: flood -2"]\n')
    assert text.startswith("pbem = 1\n")
    table.place.done("receive", "GAME", table.place.file("move.toml", text))
    assert {part.source for part in table.place.session().pending_by_seat["red"].groups} == {"signed"}
    altered = text.replace("wall A1", "wall A2")
    assert table.receive(table.place.file("other.toml", altered)).code == 1


def test_the_number_is_on_the_drive_before_the_signature_is_seen(table: Table) -> None:
    assert table.ring.last_email_number == 0
    assert block_of(table.signed("wall A1")).email_number == table.ring.last_email_number == 1
    assert block_of(table.signed("wall A1")).email_number == table.ring.last_email_number == 2


def test_a_lost_number_goes_on_after_what_the_referee_has_seen(later: Table) -> None:
    """Her key put back from a copy: the view file knows how far she was."""
    from pbem.disk.home import Home, write_keyring
    from pbem.play.joining import contribution

    old = later.ring._replace(last_email_number=0)
    write_keyring(Home(later.place.path / "ann"), old.game, "red", contribution.encode_keyring(old))
    assert block_of(later.signed("when AP1: flood -2")).email_number == 2


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("wall A99", 1, "nothing is signed: refused: `wall A99`"),
        ("hello", 1, "there is no order in it"),
        ("awll A1", 1, "this line is not an order, or says more"),
        ("wall A1\n[pbem 0000-0000]", 1, "have the code of another report"),
    ],
)
def test_her_tool_signs_nothing_that_is_not_good(table: Table, text: str, code: int, said: str) -> None:
    found = table.sign(text)
    assert (found.code, said in found.text) == (code, True), found.text
    assert table.ring.last_email_number == 0


def test_bytes_of_a_signature_are_over_the_line_as_it_stands(table: Table) -> None:
    found = block_of(table.signed("wall A1"))
    parts = (found.game, "red", 1, 1, 1, unb64(found.state_hash, 32))
    rulings = table.place.session().record.setup.rules_version
    sig = unb64(found.signatures[0][1], 64)
    assert verify(table.ring.public, "order", sig, *parts, rulings, "wall A1")
    assert not verify(table.ring.public, "order", sig, *parts, "other", "wall A1")


def test_a_number_that_leaps_uses_up_no_others(table: Table) -> None:
    """Found in review: number 1,000,000 made the seat, and then the game, unusable."""
    table.place.done("receive", "GAME", table.mail("red", table.by_hand(["wall A1"], nr=1), "a"))
    said = table.receive(table.mail("red", table.by_hand(["wall A5"], nr=1_000_000), "b"))
    assert "ask the referee for a new key" in said.text  # signed again they would leap as far
    hand = table.place.session().pending_by_seat["red"]
    assert (hand.newest_signed_number, [one.order for one in hand.orders]) == (1, ["wall A1"])


def test_a_view_file_cannot_use_up_the_numbers_of_a_key(table: Table) -> None:
    view = table.report("red").with_suffix(".view.toml")
    text = view.read_text("utf-8")
    assert "\nnr = 0\n" in text
    view.write_text(text.replace("\nnr = 0\n", "\nnr = 999999\n"), "utf-8")
    said = table.sign("wall A1")
    assert said.code != 0
    assert table.ring.last_email_number == 0
    assert "this view file was changed" in said.text


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("code", ""),
        ("code", "ak3e-s63p"),
        ("code", "AK3E-S63P]"),
        ("code", "AK3E-S63P x"),
        ("head", ""),
        ("head", "A" * 42 + "B"),
        ("head", "x"),
        ("game", "no game"),
        ("game", "../../somewhere"),
    ],
)
def test_a_view_file_that_nobody_wrote_uses_up_no_number(table: Table, key: str, value: str) -> None:
    """Found in review: it ended in "this is our fault", and a number was gone."""
    view = table.report("red").with_suffix(".view.toml")
    lines = view.read_text("utf-8").split("\n")
    changed = [f'{key} = "{value}"' if one.startswith(f"{key} = ") else one for one in lines]
    view.write_text("\n".join(changed), "utf-8")
    said = table.sign("wall A1")
    assert said.code == 2, said.text
    assert f"its `{key}` is " in said.text
    assert table.ring.last_email_number == 0


def test_a_key_whose_numbers_are_used_up(table: Table) -> None:
    from pbem.disk.home import Home, write_keyring
    from pbem.play.joining import contribution

    home, last = Home(table.place.path / "ann"), table.ring._replace(last_email_number=10**6)
    write_keyring(home, last.game, "red", contribution.encode_keyring(last))
    said = table.sign("wall A1")
    assert "has signed orders number 1000000, the last there is" in said.text
    assert table.ring.last_email_number == 10**6


def test_a_reason_in_a_state_is_one_line() -> None:
    """Found in review: a line of its own in a proven transcript could be anybody's."""
    from pbem.chain.people import PEOPLE

    with pytest.raises(ValueError, match="control"):
        read_ruling("note : all is well\n\nSTATE 99: forged")
    with pytest.raises(ValueError, match="control"):
        PEOPLE.read_row("red reply - 0 Bob\nproven: all")


def test_a_signature_of_nothing_signs_no_plain_words(table: Table) -> None:
    """Found by an attack of 2026-11-23: `A1` has no line before its question tells what it is, and
    a signature of the empty line was taken for its own: no command could read the hand.
    """
    signed = table.by_hand([""]).replace("\n", "A1\n", 1)
    said = table.receive(table.mail("red", signed, "one"))
    assert said.code == 1
    table.place.done("status", "GAME")
    table.receive(table.mail("red", table.signed("wall A1"), "two"))
    table.place.done("resolve", "GAME")
