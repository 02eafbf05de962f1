"""Every kind of event has a sentence; sentences and questions are right for one and for many."""

import re
from pathlib import Path
from random import Random

import pytest

import pbem.engine.chang_cheng as package
from pbem.engine.chang_cheng import GAME
from pbem.engine.decision import Event, event
from pbem.engine.random_play import deal_piles
from pbem.engine.row import Row
from pbem.report.render import render

from .in_words import in_words, told

TEMPLATES = Path(__file__).parents[2] / "templates" / "chang-cheng"
SOURCE = Path(package.__file__).parent
CONFIG = GAME.configure(("red", "green", "blue"), {})
BELOW = Random(1).randrange
STATE = GAME.setup(CONFIG, deal_piles(GAME, CONFIG, BELOW), 1).state
VIEW = GAME.view(STATE, None)


def kinds_in_the_source() -> set[str]:
    """The first word of every Event that the rules make."""
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCE.glob("*.py"))
    kinds = set(re.findall(r'(?:[Ee]vent(?:_from_texts)?\(|_log_card\(play, scoring,|_pay\(play,)\s*"([a-z-]+)"', text))
    return kinds | {"traitor-break", "traitor-counter", "traitor-none"}


def test_every_event_has_a_sentence_and_every_sentence_an_event() -> None:
    words = (TEMPLATES / "words.txt").read_text(encoding="utf-8")
    macros = set(re.findall(r"macro event_([a-z_]+)\(", words))
    assert {kind.replace("-", "_") for kind in kinds_in_the_source()} == macros


PAID: dict[str, str | int] = {"counts": "red:3,green:2", "points": "red:4"}
SCORED: dict[str, str | int] = {"province": "AP2", "counter": 2, "cards": "+0"}
ATTACK: dict[str, str | int] = {"region": "AM1", "counter": 3, "counts": "red:2,green:2"}


@pytest.mark.parametrize(
    ("happened", "text"),
    [
        (
            event(
                "double",
                "CC-18",
                {"colour": "red", "left": "A1", "right": "A2", "provinces": 1, "regions": 1},
                points=(("red", 2),),
            ),
            ("Red built the double wall on A1 and A2, for 2 points."),
        ),
        (
            event("tower", "CC-15", {"colour": "red", "square": "A5", "reserves": "A6"}),
            "Red built the tower on A5, which reserves A6.",
        ),
        (event("tower", "CC-10", {"colour": "red", "square": "A5"}), "Red built the tower on A5."),
        (
            event("diplomacy", "CC-50", PAID),
            ("Diplomacy, an unbroken wall in most provinces. Provinces: red 3, green 2. Red gained 4 points."),
        ),
        (
            event("dominance", "CC-51", {"counts": "red:3", "points": "-"}),
            "Dominance, the longest unbroken run. Squares: red 3. Nobody gained points.",
        ),
        (
            event("reward", "CC-52", {"counts": "red:2,green:1", "points": "red:4,green:2"}),
            ("Imperial reward, cards never played. Cards: red 2, green 1. Red gained 4 points. Green gained 2 points."),
        ),
        (
            event("in-play", "CC-53", {"event": "D"}),
            ("Event D is in play: a square that is taken turns its region's threat counter up for all."),
        ),
        (event("neutral", "CC-60", {"seat": "red", "square": "A5"}), "Red built a neutral wall on A5."),
        (
            event("cancelled", "CC-21", {"kind": "master-builder", "number": 2, "province": "AP1"}),
            "Without effect: 2 of the same kind (master builder).",
        ),
        (
            event("flood", "CC-25", {"colour": "blue", "province": "AP1", "value": "-2"}),
            "Blue's flood took 2 points off.",
        ),
        (
            event("scored", "CC-27", SCORED | {"value": 6, "walls": 4, "counts": "red:2,blue:1", "winners": "red"}),
            "AP2: 6 points for red (4 walls, +2 of its own). Walls: red 2, blue 1.",
        ),
        (
            event(
                "scored",
                "CC-27",
                SCORED | {"value": 5, "walls": 1, "cards": "+2", "winners": "red,blue"} | {"counts": "red:1,blue:1"},
            ),
            "AP2: 5 points each for red and blue (1 wall, +2 of its own, +2 by cards). Walls: red 1, blue 1.",
        ),
        (
            event("scored", "CC-27", SCORED | {"value": 2, "walls": 0, "counts": "", "winners": "nobody"}),
            "AP2: 2 points for nobody (0 walls, +2 of its own). Walls: none.",
        ),
        (
            event("attack", "CC-42", ATTACK | {"safe": "green", "losers": "red"}),
            ("AM1, threat 3. Unbroken walls: red 2, green 2. Green had a tower there and lost nothing. Red lost 3."),
        ),
        (
            event("attack", "CC-42", ATTACK | {"safe": "-", "losers": "red,green"}),
            "AM1, threat 3. Unbroken walls: red 2, green 2. Red and green each lost 3.",
        ),
        (
            event("attack", "CC-42", ATTACK | {"counts": "-", "safe": "-", "losers": "nobody"}),
            "AM1, threat 3. Unbroken walls: none. Nobody lost points.",
        ),
        (event("won", "CC-43", {"winners": "red"}), "Red won."),
        (event("won", "CC-43", {"winners": "red,green,blue"}), "Red, green and blue won together."),
        (
            event("dealt", "CC-3", {"boards": "1a,2a", "box": "-", "counters": "1,2"}),
            "The wall begins with the boards 1a and 2a. Points of each province, beside one for each wall: 1, 2.",
        ),
    ],
    ids=lambda one: one.kind if isinstance(one, Event) else "",
)
def test_sentence(happened: Event, text: str) -> None:
    assert told(GAME, happened, VIEW) == text


def test_a_sentence_says_more_to_who_may_know() -> None:
    state = GAME.apply(STATE, "red", "wall A1", 2).state
    step = GAME.apply(state, "green", "card master-builder AP1", 3)
    heard = {seat: told(GAME, step.events[0], GAME.view(step.state, seat)) for seat in ("red", "green")}
    assert heard["red"] == "Green laid a card in AP1."
    assert heard["green"] == "Green laid a card in AP1 (master builder)."


def test_an_event_is_read_back_from_its_row() -> None:
    from pbem.engine.decision import parse_event

    one = event("double", "CC-18", {"colour": "red"}, (("red", 2),), (("all", "1/threat/00"),))
    assert parse_event(one.row()) == one


def test_players_have_their_names_where_they_are_known() -> None:
    """Found by readers of reports: events said "Green" where the scores said "Jürgen"."""
    row = GAME.event_row(event("wall", "CC-10", {"colour": "green", "square": "A5"}), VIEW)
    text = render("sentences.txt", kind=GAME.kind, of="event", rows=[row.plain()], names={"green": "Jürgen"})
    assert text == "Jürgen built on A5.\n"


def test_a_colour_is_named_by_its_player_who_has_two() -> None:
    config = GAME.configure(("red", "green"), {"variant": "two-colour"})
    view = GAME.view(GAME.setup(config, deal_piles(GAME, config, BELOW), 1).state, None)
    row = GAME.event_row(event("wall", "CC-10", {"colour": "violet", "square": "A5"}), view)
    text = render(
        "sentences.txt",
        kind=GAME.kind,
        of="event",
        rows=[row.plain()],
        names={"red": "Anna"},
        table={"pairs": {"red": "violet"}},
    )
    assert text == "Anna (violet) built on A5.\n"


def test_what_is_asked_about_a_card_is_explained() -> None:
    """Found by readers of reports: "builder: value wall" was never explained where it is asked."""
    said = in_words(GAME, "hint", Row("builder", {"province": "AP2", "colour": ""}))
    assert "`builder value` makes AP2 worth 2 points more" in said
    assert "`builder wall` counts as one of your walls there" in said


@pytest.mark.parametrize("name", ["AP1", "A1", "ZP9"])
def test_why_no_card_takes_effect_there(name: str) -> None:
    """Found by a reader: "AP3 is scored already: no card resolves there any more"."""
    public = STATE.public.draft()
    public.scored_provinces = 1
    view = VIEW._replace(public=public.frozen())
    said = {
        "AP1": "AP1 has been scored; cards no longer take effect there",
        "A1": "name a province, such as AP2: cards do not take effect on A1",
        "ZP9": "there is no ZP9, and none can join",
    }
    assert GAME.why_never(view, name) == said[name]
