"""Players replaced, notes, games closed: told to all, and nothing of it that nobody may know."""

import re
from email.parser import BytesParser
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from durability import games

from pbem.crypto.encoding import b64
from pbem.crypto.keys import RefereeKey


def told(place: Any, name: str) -> str:
    n = place.session().record.n
    return str((place.game / f"desk/reports/{n:04d}/{name}.txt").read_text())


def test_another_player_sits_down(place: Any) -> None:
    """He gets the newest report; the old one's codes are void; his address is nowhere shown."""
    old = place.mail("red", "help", "old.eml")
    place.done(
        "amend", "GAME", "player", "red", "--name", "Zoe", "--address", "zoe@else.org",
        "--language", "en", "--reason", "Ann has left",
    )  # fmt: skip
    link = place.session().record
    red, blue = link.people
    assert (red.name, red.orders_since, blue.orders_since) == ("Zoe", link.n, 0)
    mail = (place.game / f"desk/outbox/{link.n:04d}-red.eml").read_text()
    assert "To: Zoe <zoe@else.org>" in mail
    for state in (place.game / "states").iterdir():
        assert b"else.org" not in state.read_bytes()
    for name in ("blue", "spectators"):
        assert "else.org" not in told(place, name)
        said = "Zoe plays red from now on in place of Ann, identified by the code in each email, as before, "
        said += "with another email address, with emails in en. Reason: | Ann has left"
        assert said in " ".join(told(place, name).split())
    assert 'language = "en"' in (place.game / "desk/players.toml").read_text()
    place.done("verify", "GAME")
    sent_on = Path(old).read_text("utf-8").replace("red@example.org", "zoe@else.org")
    place.done("receive", "GAME", place.file("on.eml", sent_on))  # `help` is tied to no question
    receipt = max((place.game / "desk/receipts").glob("red-*.txt")).read_text()
    assert "Zoe, you play red" in receipt
    games.answer(place)
    place.done("verify", "GAME")


def test_who_is_replaced_is_told_once(place: Any) -> None:
    """Found by a newcomer in 2026-11: they heard nothing. No code, no position; nobody else."""
    code, outbox = place.session().code("red"), place.game / "desk/outbox"
    ruling = ("amend", "GAME", "player", "red", "--reason", "Ann has left")
    place.done(*ruling, "--name", "Zoe", "--address", "zoe@else.org", "--dry-run")
    assert not [*outbox.glob("replaced-*")]
    place.done(*ruling, "--name", "Zoe", "--address", "zoe@else.org")
    found = [path for path in outbox.iterdir() if b"To: Ann <ann@example.org>" in path.read_bytes()]
    last = [path for path in found if path.name.startswith("replaced-")]
    assert len(last) == 1
    mail = BytesParser(policy=default).parsebytes(last[0].read_bytes())
    assert mail["Subject"] == "game: Zoe plays red from now on"
    assert "Zoe plays red from now on. You no longer play" in mail.as_string()
    whole = last[0].read_bytes()
    for hidden in (b"else.org", b"[pbem ", code.encode(), b"Ann has left"):
        assert hidden not in whole
    last[0].unlink()
    place.done("resolve", "GAME")
    assert not last[0].exists()


@pytest.mark.parametrize(
    "words",
    [
        ("--name", "Zoe"),
        ("--name", "Zoe", "--address", "ANN@example.org"),
        ("--address", "ann@else.org"),
        ("--auth", "typed"),
    ],
)
def test_who_only_moves_or_has_the_same_address_is_not(place: Any, words: tuple[str, ...]) -> None:
    place.done("amend", "GAME", "player", "red", *words, "--reason", "so it is")
    assert not [*(place.game / "desk/outbox").glob("replaced-*")]


def test_orders_of_the_old_player_count_no_more(place: Any) -> None:
    seat = games.asked(place)
    session = place.session()
    order = session.game.legal(session.game.view(session.position.state, seat))[0]
    late = place.mail(seat, order, "late.eml")
    place.done("receive", "GAME", place.mail(seat, order, "early.eml"))
    place.done("amend", "GAME", "player", seat, "--name", "Zoe", "--reason", "Ann has left")
    assert not place.hands()[seat]
    assert "waiting orders were dropped" not in " ".join(told(place, seat).split())  # not Zoe's
    assert place.run("receive", "GAME", late).code == 1
    assert place.session().record.people[0 if seat == "red" else 1].name == "Zoe"


def test_a_new_password_goes_to_its_player_alone(place: Any) -> None:
    said = place.done("amend", "GAME", "player", "red", "--auth", "password", "--reason", "safer")
    text = (place.game / "desk/outbox/password-red.eml").read_text()
    word = re.search(r"(?<=password )([a-z]{5} ){3}[a-z]{5}", text)
    assert word
    assert word[0] not in said
    for path in (place.game).rglob("*"):
        if path.is_file() and path.name != "password-red.eml":
            assert word[0].encode() not in path.read_bytes()
    assert place.session().record.player("red").method_name == "password"
    wrong = place.mail("red", "later:\nwall A11", "wrong.eml")
    assert place.run("receive", "GAME", wrong).code == 1
    place.done("receive", "GAME", place.mail("red", f"password {word[0]}\nhelp", "right.eml"))
    place.done("verify", "GAME")


def test_a_player_comes_to_a_key(place: Any) -> None:
    key = b64(RefereeKey(b"p" * 32).public)
    words = ("player", "red", "--auth", "key", "--key", key, "--reason", "he installed pbem")
    place.done("amend", "GAME", *words)
    assert b64(place.session().record.player("red").key) == key
    plain = place.mail("red", "later:\nwall A11", "plain.eml")
    assert place.run("receive", "GAME", plain).code == 1
    place.done("verify", "GAME")


def test_a_language_alone_changes_nothing_else(place: Any) -> None:
    code = place.session().code("red")
    place.done("amend", "GAME", "player", "red", "--language", "en", "--reason", "he asked")
    assert place.session().code("red") == code
    assert place.session().record.player("red").orders_since == 0
    place.done("verify", "GAME")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ((), "there is nothing to change"),
        (("--auth", "face"), "is not identified by"),
        (("--auth", "key"), "go together"),
        (("--auth", "key", "--key", "A" * 43), "not a public key"),
        (("--name", "Bob"), "two players are called 'Bob'"),
        # found by an attack of 2026-11: reports and press name players, seats and the referee
        (("--name", "BOB"), "a player cannot be called 'BOB': it reads like 'Bob'"),
        (("--name", "Violet"), "it reads like 'violet'"),  # a colour of the game that nobody has
        (("--name", "Referee"), "it reads like 'referee'"),
        (("--name", "Neutral"), "it reads like 'neutral'"),
        (("--language", "german!"), "not written in 'german!'. Choose one of en."),
        (("--language", "de"), "not written in 'de'. Choose one of en."),  # told to all, and not so
        (("--address", "nowhere"), "is not an email address"),
    ],
)
def test_bad_players(place: Any, words: tuple[str, ...], hint: str) -> None:
    before = games.tree(place.path)
    said = place.run("amend", "GAME", "player", "red", *words, "--reason", "why not")
    assert said.code == 2
    games.one_line(said)
    assert hint in said.text
    assert games.tree(place.path) == before


def test_a_note_makes_nothing_stale(place: Any) -> None:
    seat = games.asked(place)
    session = place.session()
    order = session.game.legal(session.game.view(session.position.state, seat))[0]
    mail = place.mail(seat, order, "under-way.eml")
    place.done("amend", "GAME", "note", "The club meets on Friday.")
    assert "The club meets on Friday." in told(place, "spectators")
    place.done("receive", "GAME", mail)
    place.done("resolve", "GAME")
    place.done("verify", "GAME")


def test_closing_opens_the_secret_and_ends_all_writing(place: Any) -> None:
    secret = (place.game / "desk/secret").read_text().strip()
    mail = place.mail("red", "wall A1", "late.eml")
    place.done("amend", "GAME", "close", "--reason", "nobody has time")
    assert re.search(f'^secret = "{secret}"$', place.newest().decode(), re.MULTILINE)
    for name in ("red", "spectators"):
        assert "The game is closed" in told(place, name)
        assert "YOUR TURN" not in told(place, name)
        assert "[pbem " not in told(place, name)
    assert "closed" in place.done("status", "GAME")
    assert "closed" in place.done("show", "GAME")
    assert "close (state" in place.done("verify", "GAME")
    before = games.tree(place.path)
    for words in (
        ("receive", "GAME", "--typed", "red", mail),
        ("report", "GAME", "--player", "red"),
        ("amend", "GAME", "note", "one more thing"),
        ("amend", "GAME", "close", "--reason", "again"),
        ("amend", "GAME", "undo", "--reason", "let us go on"),
    ):
        said = place.run(*words)
        assert said.code == 1
        games.one_line(said)
        assert "closed" in said.text
    assert "skipped: it was closed in state" in place.done("resolve", "GAME")
    assert games.tree(place.path) == before


def test_dry_runs_change_nothing(place: Any) -> None:
    before = games.tree(place.path)
    for words in (
        ("note", "hello there"),
        ("close", "--reason", "over"),
        ("undo", "--reason", "early"),
        ("correct", "turn=9", "--reason", "slip"),
        ("player", "red", "--name", "Zoe", "--reason", "left"),
    ):
        assert "nothing was changed" in place.done("amend", "GAME", *words, "--dry-run")
    assert games.tree(place.path) == before


def test_a_mail_to_a_closed_game_is_answered(place: Any) -> None:
    """Found by a review of rulings: its player got silence."""
    mails = [place.mail(seat, "wall A1", f"{seat}.eml") for seat in ("red", "blue")]
    place.done("amend", "GAME", "close", "--reason", "nobody has time")
    n, states = place.session().record.n, games.tree(place.game / "states")
    for seat, mail in zip(("red", "blue"), mails, strict=True):
        (place.game / f"desk/outbox/{n:04d}-{seat}.eml").unlink()
        said = place.run("receive", "GAME", mail)
        assert said.code == 1
        assert "the game is closed; its player gets" in said.text
        newest = max((place.game / "desk/receipts").glob(f"{seat}-*.txt"))
        text = " ".join(newest.read_text().split())
        news = "No orders accepted: the referee has closed the game. It was closed before its end, so nobody has won."
        assert text.startswith(f"{news} game - ")
        assert "The referee closed the game for this reason: | nobody has time" in text
        assert f"Your last report, number {n} of " in text
        sent = (place.game / f"desk/outbox/receipt-{newest.stem}.eml").read_text()
        assert "Subject: game: the game is closed\n" in sent
        assert (place.game / f"desk/outbox/{n:04d}-{seat}.eml").exists()
        count = len(list((place.game / "desk/receipts").iterdir()))
        assert "came before" in place.done("receive", "GAME", mail)
        assert len(list((place.game / "desk/receipts").iterdir())) == count
    assert games.tree(place.game / "states") == states
    place.done("verify", "GAME")


def test_the_answer_of_a_closed_game_is_the_same_whoever_writes(place: Any, tmp_path: Any) -> None:
    """P6: it is a function of the public record; a password in the mail is not kept."""
    place.done("amend", "GAME", "player", "red", "--auth", "password", "--reason", "safer")
    text = (place.game / "desk/outbox/password-red.eml").read_text()
    found = re.search(r"(?<=password )([a-z]{5} ){3}[a-z]{5}", text)
    assert found
    told: set[str] = set()
    place.done("amend", "GAME", "close", "--reason", "nobody has time")
    code = place.session().code("red")
    for words in (f"password {found[0]}\nwall A1", "wall A1", "what?"):
        twin = games.copied(place, tmp_path / str(len(told)) / words[-3:-1])
        head = f"Subject: Re: [pbem {code}]\nMessage-ID: <one@x>\n\n"
        assert twin.run("receive", "GAME", twin.file("m.eml", f"{head}{words}\n")).code == 1
        told.add(max((twin.game / "desk/receipts").glob("red-*.txt")).read_text())
        kept = (one.read_bytes() for one in (twin.game / "desk/mails").iterdir())
        assert not any(found[0].encode() in one for one in kept)
    assert len(told) == 1


@pytest.mark.parametrize(
    ("words", "told_so"),
    [
        (("--address", "a@else.org"), "Ann (red) has another email address from now on"),
        (("--auth", "typed"), "Ann (red) is identified by the referee's word (before: by the code in each email)"),
        (
            ("--address", "a@else.org", "--language", "en", "--auth", "password"),
            "Ann (red) has another email address and emails in en and is identified by a password ",
        ),
    ],
)
def test_what_changed_of_a_player_stands_in_words(place: Any, words: tuple[str, ...], told_so: str) -> None:
    """Found by a review of rulings: all read `known changed`."""
    place.done("amend", "GAME", "player", "red", *words, "--reason", "as agreed")
    for name in ("red", "blue", "spectators"):
        assert told_so in " ".join(told(place, name).split())
