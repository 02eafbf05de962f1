"""What players of Great Wall write, and what is made of it; refusals; names; positions misread."""

import re
from typing import Any

import pytest

from pbem.engine.great_wall import GAME
from pbem.errors import BadInput

from .case_great_wall import CASES, position, read

SPELT = {
    "draw": "draw",
    "draw a card": "draw",
    "draw 1 card": "draw",
    "draw one": "draw",
    "draw 2": None,
    "play s1 guard guard": "play S1 guard guard",
    "play 2 guards on s1": "play S1 guard guard",
    "play two guards at s1": "play S1 guard guard",
    "play one wall on s1": "play S1 wall",
    "play three walls on s1": "play S1 wall wall wall",
    "play four walls on s1": "play S1 wall wall wall wall",
    "play five walls on s1": "play S1 wall wall wall wall wall",
    "play six walls on s1": "play S1 wall wall wall wall wall wall",
    "play seven walls in s4": "play S4 wall wall wall wall wall wall wall",
    "play 8 walls on s1": None,
    "play 0 walls on s1": None,
    "play the noble on s02": "play S2 noble",
    "play watch tower to s1": "play S1 watchtower",
    "play a watch-tower to s1": "play S1 watchtower",
    "play two watch-towers to s1": "play S1 watchtower watchtower",
    "play two watch towers to s1": "play S1 watchtower watchtower",
    "play 2 horsemen on s3": "play S3 horseman horseman",
    "play guards on s1": None,
    "play s1 wall gate": None,
    "play s1": None,
    "play wall": None,
    "play s1 s2 wall": None,
    "play s5 wall": None,
    "play s1 palace": None,
    "play s1 wall wall wall wall wall wall wall wall": None,
    "play dragon on s1 over card 4": "play S1 dragon over 4",
    "play s1 dragon over 04": "play S1 dragon over 4",
    "play s1 dragon over 0": None,
    "play s1 dragon over": None,
    "play s1 wall over 4": None,
    "play s1 dragon over 1000": None,
    "horseman s2": "horseman S2",
    "horseman on s2": "horseman S2",
    "horseman": None,
    "horseman s1 s2": None,
    "horseman s1 wall": None,
    "take s1 7 on 3": "take S1 7 on 3",
    "take the 7 from s1 on card 3": "take S1 7 on 3",
    "take s1 7": "take S1 7",
    "take s1 on 3": "take S1 on 3",
    "take s1": "take S1",
    "take 7 on 3": None,
    "take s1 on 0": None,
    "take s1 on wall": None,
    "take s1 wall": None,
    "take s1 7 8 on 3": None,
    "wall s1": None,
    "pass": None,
}


@pytest.mark.parametrize("words", SPELT)
def test_spelt(words: str) -> None:
    assert GAME.spell(tuple(words.split())) == SPELT[words]


def test_nothing_is_no_order() -> None:
    assert GAME.spell(()) is None


@pytest.mark.parametrize(("word", "name"), [("s1", True), ("s12", True), ("s", False)])
def test_names(word: str, name: bool) -> None:
    assert GAME.is_name(word) is name


def place(name: str) -> Any:
    """The position of a case before its orders."""
    return position(read(CASES / f"{name}.toml"))


CHOICE, EQUAL = "GW-11_which_marker_and_which_card", "GW-11_equal_markers_listed_once"
ALONE, ACTION = "R-1_one_way_to_take", "GW-20_one_kind"


@pytest.mark.parametrize(
    ("case", "line", "meant"),
    [
        (EQUAL, "take S1 on 2", "take S1 5 on 2"),
        (ALONE, "take S1", "take S1 5 on 1"),
        (ALONE, "take S1 5", "take S1 5 on 1"),
        (ALONE, "take S1 on 1", "take S1 5 on 1"),
        (ALONE, "take S1 on 2", "take S1 on 2"),
        (ALONE, "take S2", "take S2"),
        (ALONE, "draw", "draw"),
        (ALONE, "take S1 5 on 1", "take S1 5 on 1"),
        (CHOICE, "take S1", "take S1"),
        (CHOICE, "take S1 7", "take S1 7"),
        (CHOICE, "take S1 on 3", "take S1 on 3"),
        (ACTION, "take S1", "take S1"),
        (ACTION, "play S1", "play S1"),
    ],
)
def test_meant(case: str, line: str, meant: str) -> None:
    """What leaves out only what there is no choice about means the one order that agrees."""
    assert GAME.complete(GAME.view(place(case), "blue"), line) == meant


def test_nothing_is_filled_in_for_others() -> None:
    assert GAME.complete(GAME.view(place(ALONE), "green"), "take S1") == "take S1"


REFUSED = [
    (CHOICE, "blue", "draw", "GW-11", "first take a marker at S1"),
    (CHOICE, "blue", "take S2 7 on 1", "GW-10", "first take a marker at S1; sites are examined"),
    (CHOICE, "blue", "take S1 5 on 1", "GW-11", "there is no free 5 at S1; take the 4 or the 7"),
    (CHOICE, "blue", "take S1 7 on 2", "GW-11", "card 2 at S1 is not yours"),
    (CHOICE, "blue", "take S1 7", "GW-11", "name the marker and the card, such as `take S1 7"),
    (CHOICE, "blue", "Take S1 7 on 3", "GW-11", "write it as `take S1 7 on 3`"),
    (CHOICE, "blue", "hello", "GW-20", "this is not an order of this game"),
    (CHOICE, "green", "draw", "GW-4", "the game waits for blue, not for you"),
    ("GW-26_not_on_a_covered_card", "blue", "take S1 7 on 1", "GW-26", "card 1 at S1 is covered"),
    (EQUAL, "blue", "take S1 4 on 1", "GW-11", "there is no free 4 at S1; take the 5"),
    (ACTION, "blue", "take S1 7 on 3", "GW-11", "you cannot take a marker now; choose an"),
    (ACTION, "blue", "take S1 7", "GW-11", "you cannot take a marker now; choose an action"),
    (ACTION, "blue", "Draw", "GW-20", "write it as `draw`"),
    (ACTION, "blue", "pass", "GW-22", "draw or play a card; you cannot pass"),
    (ACTION, "blue", "play S1 guard", "GW-20", "you have no guard in hand"),
    (ACTION, "blue", "play S1 gate gate", "GW-20", "you have only 1 gate in hand, not 2"),
    (ACTION, "blue", "play S1 wall wall wall", "GW-20", "you have only 2 walls in hand, not 3"),
    (ACTION, "blue", "play S3 wall", "GW-2", "there is no S3 in this game"),
    ("GW-22_empty_deck", "blue", "draw", "GW-22", "play a card; your deck is empty"),
    ("GW-22_closed_site", "blue", "play S1 wall", "GW-22", "S1 is closed, so nothing can be played"),
    ("GW-25_where_a_dragon_can_go", "red", "play S1 dragon over 1", "GW-25", "1 at S1 carries a"),
    ("GW-25_where_a_dragon_can_go", "red", "play S1 dragon over 2", "GW-25", "2 at S1 is covered"),
    ("GW-25_where_a_dragon_can_go", "red", "play S1 dragon over 4", "GW-25", "4 at S1 is a dragon"),
    ("GW-25_where_a_dragon_can_go", "red", "play S1 dragon over 7", "GW-25", "no card 7 at S1"),
    ("GW-30_at_once", "blue", "draw", "GW-30", "the game is over"),
]


@pytest.mark.parametrize(("case", "seat", "line", "ruling", "words"), REFUSED)
def test_refused(case: str, seat: str, line: str, ruling: str, words: str) -> None:
    refusal = GAME.check(GAME.view(place(case), seat), line)
    assert refusal is not None
    assert refusal.ruling == ruling
    assert words in str(refusal.sentence)


def test_a_spectator_is_not_asked() -> None:
    refusal = GAME.check(GAME.view(place(ACTION), None), "draw")
    assert refusal is not None
    assert refusal.ruling == "GW-4"


@pytest.mark.parametrize(
    ("case", "line", "fits"),
    [
        (CHOICE, "take S1 7 on 2", True),
        (CHOICE, "take", True),
        (CHOICE, "take S9", True),
        (CHOICE, "take S2 7 on 2", False),
        (CHOICE, "draw", False),
        (ACTION, "draw", True),
        (ACTION, "play S9 wall", True),
        (ACTION, "horseman S1", True),
        (ACTION, "take S1 7 on 3", False),
        (ACTION, "hello", False),
    ],
)
def test_fits(case: str, line: str, fits: bool) -> None:
    """A marker of another site is no answer: that line waits for its own site."""
    assert GAME.fits(GAME.view(place(case), "blue"), line) is fits
    assert not GAME.fits(GAME.view(place(case), "green"), line)
    assert not GAME.fits(GAME.view(place(case), None), line)


@pytest.mark.parametrize(
    ("case", "name", "why"),
    [
        (CHOICE, "S1", ""),
        (ACTION, "S2", ""),
        (ACTION, "S3", "there is no S3 in this game; its sites are S1 to S2"),
        ("GW-22_closed_site", "S1", "S1 is closed, so no marker can be taken there"),
        ("GW-30_at_once", "S1", "the game is over"),
    ],
)
def test_what_a_question_can_be_about(case: str, name: str, why: str) -> None:
    view = GAME.view(place(case), "blue")
    assert GAME.why_never(view, name) == why


def test_what_the_question_is_about() -> None:
    view = GAME.view(place(CHOICE), "blue")
    assert GAME.concerns(view, "S1")
    assert not GAME.concerns(view, "S2")
    assert not GAME.concerns(GAME.view(place(ACTION), "blue"), "S1")


#: what is wrong with a position, and how it gets so
MISREAD: dict[str, Any] = {
    "other seats": lambda p, v: p.update(seats=["blue", "red"]),
    "colours in another order": lambda p, v: p["colours"].reverse(),
    "a site left out": lambda p, v: p.update(sites=p["sites"][1:]),
    "three markers": lambda p, v: p["sites"].__setitem__(0, "S1 free=4,7,5"),
    "a free one and one on a card, and one more": lambda p, v: p["cards"].__setitem__(0, "S1 1 blue wall marker=3"),
    "a closed site with cards": lambda p, v: p["sites"].__setitem__(0, "S1 closed"),
    "numbers that jump": lambda p, v: p["cards"].__setitem__(1, "S1 3 green wall"),
    "a card over a later one": lambda p, v: p["cards"].__setitem__(0, "S1 1 blue dragon over=2"),
    "a card over itself": lambda p, v: p["cards"].__setitem__(0, "S1 1 blue dragon over=1"),
    "no such kind": lambda p, v: p["cards"].__setitem__(0, "S1 1 blue palace"),
    "no such stage": lambda p, v: p.update(stage="fourth"),
    "a marker to be taken where nobody is ahead": lambda p, v: p.update(seat="green"),
    "an action while a marker is to be taken": lambda p, v: p.update(stage="second"),
    "no site while a marker is to be taken": lambda p, v: p.pop("site"),
    "ended and not over": lambda p, v: p.update(ended_by="GW-30"),
    "a hidden card left out": lambda p, v: v.pop(min(v)),
    "a hidden card of no kind": lambda p, v: v.update({min(v): "palace"}),
    "more played than drawn": lambda p, v: p["colours"].__setitem__(
        0, p["colours"][0].replace("hand=5", "hand=4").replace("gate:1", "gate:2")
    ),
    "eight walls": lambda p, v: p["colours"].__setitem__(0, p["colours"][0].replace("wall:1", "wall:8")),
    "a kind twice": lambda p, v: p["colours"].__setitem__(0, p["colours"][0].replace("wall:1", "wall:1,wall:1")),
    "no cards of a kind": lambda p, v: p["colours"].__setitem__(0, p["colours"][0].replace("wall:1", "wall:0")),
}


@pytest.mark.parametrize("what", MISREAD)
def test_no_position(what: str) -> None:
    state = place(CHOICE)
    config = GAME.configure(["blue", "green"], {})
    found = GAME.encode(state)
    values = {slot: hidden.for_sealing() for slot, hidden in found.hidden.items()}
    MISREAD[what](found.public, values)
    with pytest.raises(BadInput) as refused:
        GAME.decode(config, found.public, values)
    assert refused.value.code == "position/unreadable"
    line = refused.value.as_line()
    assert re.fullmatch(
        r"this is not a position of great-wall \((ValueError|KeyError|IndexError)\)"
        r"\. Get the file again from where it came\.",
        line,
    )


@pytest.mark.parametrize("stage", ["second", "third"])
def test_no_action_without_cards(stage: str) -> None:
    found = GAME.encode(place("GW-22_last_card_as_first_action"))
    found.public["stage"] = stage
    assert GAME.watch(GAME.configure(["blue", "green"], {}), found.public)
    found.public["colours"][0] = found.public["colours"][0].replace("hand=1", "hand=0")
    with pytest.raises(BadInput) as refused:
        GAME.watch(GAME.configure(["blue", "green"], {}), found.public)
    assert refused.value.code == "position/unreadable"
    assert "a position of great-wall (ValueError)" in refused.value.as_line()


@pytest.mark.parametrize("changed", [{"drawn": ["wall"]}, {"drawn": ["palace"]}, {"seat": "red"}, {"table": {}}])
def test_no_view(changed: dict[str, Any]) -> None:
    data = GAME.encode_view(GAME.view(place(CHOICE), "blue"))
    with pytest.raises(BadInput) as refused:
        GAME.decode_view(GAME.configure(["blue", "green"], {}), data | changed)
    assert refused.value.code == "view/unreadable"
    assert re.match(r"this is not a view of great-wall \((Value|Key)Error\)", refused.value.as_line())
