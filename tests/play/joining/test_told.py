"""What a newcomer reads before the deal: he must be able to understand it without the program.

Found by a review: options stood as `variant: plain`, house rules could be read with the program
alone, the roster showed another name of a key than the one its player had sent, and who needs
a key was offered ways that were then refused. Source: docs/DESIGN.md "A report"; decision 0005.
"""

import re
from pathlib import Path

import pytest
from durability.games import Place, fresh
from services.receive.table import Table, all_say_yes, invited, password_of, player

from pbem import catalog

PLAYERS = ("--player", "red=Ann,ann@example.org", "--player", "blue=Bob,bob@example.org")


def invitation(path: Path, *words: str, game: str = "chang-cheng") -> str:
    place = fresh(path / "place")
    place.done("new", "GAME", "--game", game, *PLAYERS, *words)
    return told(place, "red")


def told(place: Place, seat: str, n: int = 0) -> str:
    return (place.game / f"desk/reports/{n:04d}/{seat}.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("edition=it", "It is played by the Italian rulebook. "),
        ("variant=neutral", "Walls of a neutral colour, which nobody plays, are placed too (CC-60)."),
        ("events=drawn-2", "Two of the events A to D are drawn with the deal"),
        ("boards=4b,3b,1a,2a", "4b,3b,1a,2a (CC-6)."),
        ("seats=drawn", "WHO PLAYS\n"),
        ("missed=default", "have pbem play a missed turn by a fixed rule (R-2)."),
    ],
)
def test_options_are_sentences(tmp_path: Path, option: str, said: str) -> None:
    text = invitation(tmp_path, "--option", option)
    assert said in text
    section = text.partition("\nTHE GAME\n")[2].partition("\n\n")[0]
    assert all(re.match(r"[A-Z`]", sentence) for sentence in section.split(". ")), section
    assert "plays like en" not in text


def test_every_value_has_its_sentence() -> None:
    for kind in ("chang-cheng", "great-wall"):
        for option in catalog.load(kind).options:
            for value in option.allowed.split(", ") if "," in option.allowed else ():
                if value.isalnum():
                    assert re.fullmatch(r"[A-Z].*\.|", option.sentence(value)), (option.name, value)
            assert option.sentence("") == "" or "{}" not in option.sentence("")


def test_an_option_of_a_plug_in_is_a_sentence_too() -> None:
    from pbem.engine.settings import Option

    one = Option("rounds", "5", "1 to 9", "NM-2", "how many rounds are played")
    assert one.sentence("7") == "The option rounds is 7 (NM-2)."


@pytest.mark.parametrize("seat", ["red", "blue", "violet"])
def test_a_rule_can_be_read_before_the_deal(tmp_path: Path, seat: str) -> None:
    """And it is no answer: nothing is given to the deal."""
    place = invited(tmp_path / "place")
    table = Table(place, password_of(place, "blue"))
    assert "reply with nothing but `rules` and its number, for example `rules CC-26`" in told(place, seat)
    place.done("receive", "GAME", table.mail(seat, "Rules CC-4\n\nThanks"))
    receipt = table.receipt(seat)
    assert "CC-4: Everybody starts with 0 points." in receipt
    assert place.session().pending_by_seat[seat].joining_row == ""
    assert "rules" in table.receive(table.mail(seat, "rules", "two")).text
    assert "`rules` and a number explains a rule" in table.receipt(seat)


def test_each_is_offered_what_counts_for_him(tmp_path: Path) -> None:
    place = invited(tmp_path / "place")
    assert "so there is only one way to join:" in told(place, "red")
    assert "- `yes` if you play." not in told(place, "red")
    assert "with the line that has your password and one of these" in told(place, "blue")
    for seat in ("blue", "violet"):
        assert "- `yes` if you play.\n- `no` if you do not.\n" in told(place, seat)


def test_the_roster_shows_what_was_sent(tmp_path: Path) -> None:
    place = invited(tmp_path / "place")
    table = Table(place, password_of(place, "blue"))
    said = player(place, "orders", "join", str(place.game / "desk/outbox/0000-red.eml"))
    lines = re.findall(r"^join (?:key|commit) \S+$", said.text, re.MULTILINE)
    place.done("receive", "GAME", table.mail("red", said.text))
    all_say_yes(table)
    place.done("resolve", "GAME")
    for seat in ("red", "blue", "spectators"):
        assert f"- Ann (red): `{lines[0]}`, `{lines[1]}`\n" in told(place, seat, 1)


def test_a_start_without_additions_to_the_shuffle_sends_one_email(tmp_path: Path) -> None:
    """Each player got an email about the shuffle too, to which nobody had added anything."""
    place = fresh(tmp_path / "place")
    place.done("new", "GAME", "--game", "chang-cheng", *PLAYERS)
    outbox = place.game / "desk/outbox"
    for seat in ("red", "blue"):
        code = re.search(r"\[pbem (\S+)\]", told(place, seat))[0]  # type: ignore[index]
        mail = place.file(f"{seat}.eml", f"Subject: {code}\nMessage-ID: <{seat}@x>\n\nyes\n")
        place.done("receive", "GAME", mail)
    before = {*outbox.glob("*.eml")}
    place.done("resolve", "GAME")
    assert {path.name for path in {*outbox.glob("*.eml")} - before} == {"0002-red.eml", "0002-blue.eml"}
    assert "You don't need to do anything now" in told(place, "red", 1)


def test_an_answer_that_quotes_nothing_is_one(tmp_path: Path) -> None:
    """Found when the mails were read as their players: one that quotes nothing was refused."""
    place = invited(tmp_path / "place")
    table = Table(place, password_of(place, "blue"))
    said = place.done("receive", "GAME", table.mail("violet", "yes"))
    assert "said yes" in said
    assert "You are in the game. You can still change your answer" in table.receipt("violet")
    assert "join with `pbem orders join`" in table.receive(table.mail("red", "yes", "r")).text
    assert "no password" in table.receive(table.mail("blue", "yes", "b")).text
    assert place.session().pending_by_seat["blue"].joining_row == ""
    file = place.file("h.eml", f"Subject: [pbem {table.code('violet')}]\nMessage-ID: <h@x>\n"
                      "Content-Type: text/html\n\n<html>Yes!<br></html>\n")  # fmt: skip
    assert "said yes" in place.done("receive", "GAME", file)
