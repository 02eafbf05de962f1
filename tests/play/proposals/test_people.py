"""What people write, and what becomes of it: only orders are played, the rest is proposed or passed
on, and nothing is lost.
"""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import size

from pbem.play.proposals.proposals import find_proposal
from pbem.play.proposals.prose import read_prose
from pbem.play.validation import EmailContext
from pbem.services.receive.message import grammar_of, parse_orders, read_message
from play.proposals.reading import HERE, Email, emails, is_proposed, place_of, read, reader_at, wanted, written

EMAILS = emails()


def page_rows() -> list[tuple[str, ...]]:
    """What the page says about the words that people write."""
    page = (Path(__file__).parents[3] / "docs" / "PLAYING.md").read_text("utf-8")
    part = page.partition("## In words")[2].partition("\n## ")[0]
    return re.findall(r"^\| (`.*`) \| (.*) \|$", part, re.MULTILINE)


#: of the emails that a referee would play: how many are played as he would, and played or proposed
PLAYED, PROPOSED = 53, 135
#: played otherwise, by the letter of the rule: each was looked at
OTHERWISE = frozenset({"d-en-006", "e-de-004"})


@pytest.mark.parametrize("email", EMAILS, ids=[email.id for email in EMAILS])
def test_nothing_is_played_otherwise_than_a_referee_would(email: Email) -> None:
    found, want = read(email), wanted(email)
    if found.what == "play" and email.id not in OTHERWISE:
        assert (found.what, found.orders, found.later) == (want.what, want.orders, want.later)


def test_so_many_are_played_and_proposed() -> None:
    meant = [email for email in EMAILS if email.referee == "play"]
    played = [email for email in meant if read(email).what == "play"]
    proposed = [email for email in meant if email not in played and is_proposed(email)]
    assert len(played) >= PLAYED
    assert len(played) + len(proposed) >= PROPOSED


TRAPS = tomllib.loads((HERE / "traps.toml").read_text("utf-8"))


@pytest.mark.parametrize(("context", "body"), [(c, body) for c in TRAPS for body in TRAPS[c]])
def test_what_something_on_its_own_line_alters_is_not_played(context: str, body: str) -> None:
    assert read(written(context, body)).what != "play"


PLAIN = {
    "wall A5": ("wall A5",),
    "Walls on A2 and B5, please.": ("wall A2", "wall B5"),
    "Hi Rita, wall A2 and wall B5": ("wall A2", "wall B5"),
    "A2, B5": ("wall A2", "wall B5"),
    "Mauer auf A2 und B5": ("wall A2", "wall B5"),
    "Ich setze Mauern auf A2 und B5, danke!": ("wall A2", "wall B5"),
    "murs en A2 et B5": ("wall A2", "wall B5"),
    "Je pose un mur en A2 et un mur en B5, merci.": ("wall A2", "wall B5"),
    "muri in A2 e B5, grazie": ("wall A2", "wall B5"),
    "fal A2-re és B5-re": ("wall A2", "wall B5"),
    "two walls: A2 and B5": ("wall A2", "wall B5"),
    "Krieger nach AP1, Mauer auf A2": ("card warrior AP1", "wall A2"),
}


@pytest.mark.parametrize(("text", "orders"), PLAIN.items())
def test_a_line_that_is_orders_and_nothing_else_is_played(text: str, orders: tuple[str, ...]) -> None:
    assert read(written("cc2-red-10", text)).orders == orders


#: what stands around orders holds nothing; what of it the referee reads, and what he does not
AROUND = [
    "Rita wrote:\n\n", "Have a nice weekend, or what is left of it.", "Not sure this is clever.",
    "Passe une bonne soirée", "Sent from my Galaxy A5", "Later, Ann", "Take care, Ann",
    "I never win here.", "Did you see the snow?", "If you have time, call me.", "Ben is a rat!",
    "The tower looks great.", "Best regards", "Liebe Grüße",
    "Here are my orders:", "This email is confidential.",
]  # fmt: skip


@pytest.mark.parametrize("words", AROUND)
def test_what_stands_around_orders_holds_nothing(words: str) -> None:
    for body in (f"wall A2\nwall B5\n\n{words}", f"{words}\n\nwall A2\nwall B5"):
        if words.endswith("\n\n") and body.startswith(words):
            continue  # a heading: below
        assert read(written("cc2-red-10", body)).orders == ("wall A2", "wall B5")


@pytest.mark.parametrize("above", ["Ben's orders:", "instead of", "not", "oder", "Next game:"])
def test_a_line_that_turns_the_orders_below_it_holds(above: str) -> None:
    found = read(written("cc2-red-10", f"{above}\nwall A2\nwall B5"))
    assert (found.what, found.proposal) == ("held", ("wall A2", "wall B5"))


def test_a_sentence_that_a_program_broke_is_one() -> None:
    long = "I have thought about it for a long time and I really do not want to play"
    assert read(written("cc2-red-10", f"{long}\nwall A2, wall B5")).what == "held"


PROPOSALS = {
    "I'd rather take walls at A2 and, hm, B5": ("wall A2", "wall B5"),
    "wal A2\nwal B5": ("wall A2", "wall B5"),
    "wall A2, wall B5?": ("wall A2", "wall B5"),
    "wall A2, wall B5 (or B6)": ("wall A2", "wall B5"),
    "Please take back my orders": ("withdraw",),
    "Je serai en vacances du 10 au 16 décembre": ("absent 10 dec .. 16 dec",),
    "I'm away from 10 to 16 December. Walls at A2 & B5 will do": (
        "wall A2", "wall B5", "absent 10 dec .. 16 dec",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "lines"), PROPOSALS.items())
def test_what_is_not_only_orders_is_proposed(text: str, lines: tuple[str, ...]) -> None:
    found = read(written("cc2-red-10", text))
    assert not found.orders
    assert found.proposal == lines


def test_a_place_that_is_taken_says_why_and_is_not_proposed() -> None:
    found = read(written("cc2-red-10", "walls A3 and A2"))
    assert found.what == "held"
    assert "refused: " in "".join(found.why)


WORDS = """
wall walls A2 B5 A3 AP1 draw card warrior tower reserve and or not please thanks Ben Ann Rita never
maybe if 2 -2 ? ! : , . ; # ~~ ( ) -- > later: when: yes no oui withdraw absent password hello mauer
und nicht murs et muri fal és is the I play you 🙂 → take S1 guard guards two
"""
PIECES = st.sampled_from(WORDS.split())
LINES = st.lists(st.lists(PIECES, max_size=7).map(" ".join), max_size=8)


@settings(max_examples=size("emails of any words"), deadline=None)
@given(LINES)
def test_each_line_ends_as_exactly_one(lines: list[str]) -> None:
    """Accepted or refused as an order, held, asked, proposed, passed on, secret or layout."""
    place = place_of("cc2-red-10")
    message = read_message(f"Subject: x\nMessage-ID: <x@x>\n\n.\n{chr(10).join(lines)}\n".encode())
    reader, unsettled = reader_at(place), parse_orders(message, grammar_of(place.game))
    sheet = read_prose(reader, unsettled)
    orders = {line.number for line in (*sheet.now, *sheet.later)}
    ends = Counter([*orders, *(x.number for x in sheet.doubtful_lines), *(x.number for x in sheet.message_lines)])
    ends.update(number for number, _ in sheet.other_lines)
    wrapped = {n for first, last in sheet.wrapped_lines for n in range(first + 1, last + 1)}
    for line in message.lines:
        expected = line.text.strip() != "" and line.number not in wrapped
        assert ends[line.number] == expected or not line.text.strip(), (line, sheet)
    seat = EmailContext(place.view, bool(place.game.legal(place.view)), "")
    assert find_proposal(reader, seat, sheet) == find_proposal(reader, seat, read_prose(reader, unsettled))
    assert grammar_of(place.game)


#: a position in which what the page writes may be ordered
PAGE = "cc2-red-10"


@pytest.mark.parametrize(("said", "becomes"), page_rows())
def test_the_page_is_right(said: str, becomes: str) -> None:
    """docs/PLAYING.md "In words"."""
    body = "\n".join(re.findall(r"`(.*?)`", said))
    found, proposed = read(written(PAGE, body)), re.findall(r"proposed: `(.*?)`", becomes)
    if becomes == "goes to your referee":
        assert (found.what, found.words) == ("words", (body,))
    elif proposed:
        assert [*map(str.lower, found.proposal)] == [x.lower().replace(" to ", " .. ") for x in proposed]
        assert found.what == ("words" if "count at once" in becomes else "held")
    else:
        assert (becomes, found.what) == ("played", "play")
