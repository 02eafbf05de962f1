"""An answer to "may this be undone?" is signed by whoever signs orders, and changes no order."""

from typing import Any
from zlib import crc32

import pytest

from pbem.crypto.encoding import b64
from pbem.disk.folder import CONSENT_FILE
from pbem.errors import Refused
from pbem.play.consent import Consent, encode, undo_code
from pbem.services.amend.consent import find_open_consent, question_for
from pbem.services.amend.undo import collect_votes


def asked(table: Any) -> str:
    """Red, who plays with a key, is asked; its standing orders are in hand, signed."""
    table.place.done("receive", "GAME", table.mail("red", table.signed("later:\nwall B2\nwall B3")))
    table.place.done("amend", "GAME", "note", "so that there is a state to go back from")
    session = table.place.session()
    waits = (("red", ""), ("blue", ""))
    asking = Consent(2, b64(session.position.state_hash), "a slip", waits)
    session.folder.put_desk_file(CONSENT_FILE, encode(asking))
    return undo_code(asking.id, session.codes_secret, session.record.game, "red")


def answer(table: Any, asking: str, text: str) -> str:
    """An answer to the mail that asked red; the file's path."""
    head = f"From: ann@example.org\nSubject: Re: [pbem {asking}]\n"
    return str(table.place.file("answer.eml", f"{head}Message-ID: <{crc32(text.encode())}@x>\n\n{text}\n"))


def question(table: Any) -> str:
    """What the mail that asks red has for its tool."""
    session = table.place.session()
    asking = find_open_consent(session)
    assert asking is not None
    return str(question_for(session, asking, "red").to_text())


def test_the_answer_is_signed_by_the_players_tool(table: Any) -> None:
    """Found by an attack of 2026-11: a plain `yes` counted, so anyone could give it."""
    asking = asked(table)
    mail = f"{{}}\n[pbem {asking}] Write your answer above this line.\n\n> {question(table)}\n"
    assert table.receive(answer(table, asking, "yes")).code == 1
    assert "so it does not count" in " ".join(table.receipt("red").split())
    text = table.sign(mail.format("yes")).text
    assert "signed pbem 1" in text
    assert "asked for: yes" in table.receive(answer(table, asking, text)).text
    kept = find_open_consent(table.place.session())
    assert kept is not None
    assert dict(kept.answers)["red"] == "yes"
    assert [vote.seat for vote in kept.signed_votes(table.place.session().record)] == ["red"]
    text = table.sign(mail.format("no")).text
    assert "asked for: no" in table.receive(answer(table, asking, text)).text
    kept = find_open_consent(table.place.session())
    assert kept is not None
    assert kept.signed_votes(table.place.session().record) == ()


@pytest.mark.parametrize(
    ("said", "told"),
    [("", "Write it at the top of your reply"), ("undo to=2\nhead " + "A" * 43, "the game has gone on since")],
)
def test_nothing_is_signed_that_was_not_asked(table: Any, said: str, told: str) -> None:
    asking, game = asked(table), table.place.session().record.game
    lines = f"asking pbem 1 {game}\nred {said}" if said else ""
    found = table.sign(f"yes\n[pbem {asking}]\n{lines}\n")
    assert found.code == 1
    assert told in found.text


@pytest.mark.attack(
    "describe one thing to a player in words and have them sign a different one",
    by="not possible: the player's own pbem says what is signed",
    who="referee",
)
def test_what_is_agreed_to_is_said_in_words(table: Any) -> None:
    """Found by an attack of 2026-11-22: the prose of a mail asked for one thing, its line for
    another, and the player's tool signed the line without a word.
    """
    asking = asked(table)
    for said, agree in (("yes", "agree"), ("no", "do not agree")):
        found = table.sign(f"{said}\n[pbem {asking}]\n{question(table)}\n")
        words = f"you {agree} that the game goes back from state 3 to state 2"
        assert (found.code, f"by signing this, {words}" in found.text) == (0, True), found.text


@pytest.mark.parametrize("act", ["end result=agreed winners=blue", "undo to=9", "undo to=02", "pause until=x", "undo"])
def test_nothing_is_signed_that_pbem_asks_nobody(table: Any, act: str) -> None:
    """Found by an attack of 2026-11-22: so red had agreed that blue won."""
    asking, session = asked(table), table.place.session()
    head = b64(session.position.state_hash)
    line = f"asking pbem 1 {session.record.game}\nred {act}\nhead {head}"
    found = table.sign(f"yes\n[pbem {asking}]\nMay the last order be undone?\n{line}\n")
    assert (found.code, "which pbem asks nobody" in found.text) == (1, True), found.text


def test_two_questions_in_one_email_are_none(table: Any) -> None:
    asking, one = asked(table), question(table)
    found = table.sign(f"yes\n[pbem {asking}]\n{one}\n{one.replace('to=2', 'to=3')}\n")
    assert found.code == 1


def test_no_undo_is_made_of_a_consent_that_is_not_signed(table: Any) -> None:
    """The state would be contradicted: a yes that the referee wrote into desk/ counts for none."""
    asked(table)
    session = table.place.session()
    data = session.folder.read_desk_file(CONSENT_FILE).decode()
    for seat in ("red", "blue"):
        data = data.replace(f'"{seat} -"', f'"{seat} yes"')
    session.folder.put_desk_file(CONSENT_FILE, data.encode())
    kept = find_open_consent(session)
    assert kept is not None
    with pytest.raises(Refused) as refused:
        collect_votes(session, kept, ("red",))
    assert refused.value.code == "undo/unsigned"


def in_hand(table: Any) -> tuple[str, int, int]:
    (part,) = table.place.session().pending_by_seat["red"].groups
    return part.source, len(part.orders), sum(bool(kept.signature) for kept in part.orders)


def test_an_answer_leaves_signed_orders_as_they_are(table: Any) -> None:
    """Found in review: the signatures were gone, and an honest game could not be proven."""
    asking = asked(table)
    before = in_hand(table)
    mail = f"no\n[pbem {asking}]\n{question(table)}\n"
    text = table.sign(mail).text
    assert "asked for: no" in table.receive(answer(table, asking, text)).text
    assert in_hand(table) == before == ("signed", 2, 2)


def test_an_answer_cannot_take_signed_orders_back(table: Any) -> None:
    """Found in review: whoever reads one mail of a player with a key could."""
    asking = asked(table)
    before = in_hand(table)
    table.receive(answer(table, asking, "no\nwithdraw"))
    assert in_hand(table) == before
