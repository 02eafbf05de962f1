"""Scripts of Great Wall that are none; a deal as a script; options; what a bot expects."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.great_wall import GAME
from pbem.errors import BadInput

from .case_great_wall import CASES, opened, position, read

SCRIPT: dict[str, Any] = json.loads((Path(__file__).parent / "scripts" / "gw-2-u.json").read_text(encoding="utf-8"))

SEE = ". See FORMAT.md (Scripts)."
WRONG: dict[str, tuple[Any, str, str]] = {
    "no reserve": (lambda s: s.pop("reserve"), "script/shape", f"the script lacks or misshapes 'reserve'{SEE}"),
    "no orders": (lambda s: s.pop("orders"), "script/shape", f"the script lacks or misshapes 'orders'{SEE}"),
    "a number for a name": (
        lambda s: s.update(players=[1, "bob"]),
        "script/shape",
        f"the script lacks or misshapes int{SEE}",
    ),
    "an order without a player": (
        lambda s: s.update(orders=[{"order": "draw"}]),
        "script/shape",
        f"the script lacks or misshapes 'player'{SEE}",
    ),
    "a marker in words": (lambda s: s.update(reserve=["two"]), "script/shape", f"base 10: 'two'{SEE}"),
    "one player": (lambda s: s.update(players=["ann"]), "script/players", f"1 players, not 2 to 5{SEE}"),
    "the same name twice": (
        lambda s: (s.update(players=["ann", "ann"]), s["decks"].pop("bob")),
        "script/players",
        f"two players have the same name{SEE}",
    ),
    "a deck for somebody else": (
        lambda s: s["decks"].update(eve=s["decks"].pop("bob")),
        "script/decks",
        f"there is not one deck for each player{SEE}",
    ),
    "19 cards": (
        lambda s: s["decks"]["bob"].remove("wall"),
        "script/pile",
        "the deck of 'bob' has 'wall' 6 times, not 7. 20 in all, see GW-1.",
    ),
    "21 cards": (
        lambda s: s["decks"]["bob"].append("palace of the emperor of China"),
        "script/pile",
        "the deck of 'bob' has 'palace of the empero' 1 times, not 0. 20 in all, see GW-1.",
    ),
    "35 markers": (
        lambda s: s["reserve"].remove(8),
        "script/pile",
        "the reserve has '8' 1 times, not 2. 36 in all, see GW-2.",
    ),
    "an option that is none": (
        lambda s: s.update(options={"fast": True}),
        "option/unknown",
        "great-wall has no option 'fast'. It has: open_scores, seats, missed, archive.",
    ),
    "a value that is none": (
        lambda s: s.update(options={"open_scores": "maybe"}),
        "option/value",
        "open_scores='maybe' is not possible. Allowed: no, yes.",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_no_script(what: str) -> None:
    change, code, words = WRONG[what]
    script = copy.deepcopy(SCRIPT)
    change(script)
    with pytest.raises(BadInput) as refused:
        GAME.from_script(script)
    assert refused.value.code == code
    assert refused.value.as_line().endswith(words)


def test_an_order_that_is_not_legal() -> None:
    """Who asks ``apply`` for it gets the refusal's words; a moderator has asked before."""
    state = position(read(CASES / "GW-22_empty_deck.toml"))
    with pytest.raises(BadInput) as refused:
        GAME.apply(state, "blue", "draw", 2)
    assert refused.value.code == "order/illegal"
    words = "'draw' is not legal: play a card; your deck is empty. See GW-22."
    assert refused.value.as_line() == words


def test_no_card_without_cards() -> None:
    state = position(read(CASES / "GW-22_empty_hand.toml"))
    seat = state.public.rules.seats[state.public.seat]
    with pytest.raises(BadInput, match="you have no wall in hand"):
        GAME.apply(state, seat, "play S1 wall", 2)


@pytest.mark.parametrize(("flag", "word"), [(True, "yes"), (False, "no")])
def test_flags(flag: bool, word: str) -> None:
    script = copy.deepcopy(SCRIPT)
    script["options"] = {"open_scores": flag}
    assert GAME.from_script(script).config.option("open_scores") == word


def test_options_may_be_left_out() -> None:
    script = copy.deepcopy(SCRIPT)
    del script["options"]
    assert GAME.from_script(script).config.option("open_scores") == "no"


def test_a_deal_as_a_script_and_back() -> None:
    read_in = GAME.from_script(SCRIPT)
    written = GAME.to_script(read_in.config, read_in.deal)
    assert written["game"] == "great-wall"
    assert written["players"] == ["blue", "green"]
    assert written["options"] == {"open_scores": False}
    assert written["reserve"] == SCRIPT["reserve"]
    assert written["orders"] == []
    again = GAME.from_script(written)
    assert (again.config, again.deal) == (read_in.config, read_in.deal)


def test_open_scores_in_a_script() -> None:
    read_in = GAME.from_script({**SCRIPT, "options": {"open_scores": True}})
    assert GAME.to_script(read_in.config, read_in.deal)["options"] == {"open_scores": True}


def test_seats_as_drawn_in_a_script() -> None:
    read_in = GAME.from_script(SCRIPT)
    written = GAME.to_script(read_in.config, {**read_in.deal, "seats": ("green", "blue")})
    assert written["players"] == ["green", "blue"]
    assert list(written["decks"]["green"]) == SCRIPT["decks"]["bob"]


@pytest.mark.parametrize(
    ("options", "code"), [({"fast": "yes"}, "option/unknown"), ({"seats": "never"}, "option/value")]
)
def test_options_refused(options: dict[str, str], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        GAME.configure(["blue", "green"], options)
    assert refused.value.code == code


def test_options_in_any_letters() -> None:
    config = GAME.configure(["blue", "green"], {"open_scores": " Yes "})
    assert config.option("open_scores") == "yes"
    assert config.option("seats") == "named"


def test_piles() -> None:
    config = GAME.configure(["blue", "green"], {"seats": "drawn"})
    piles = {pile.name: pile.items for pile in GAME.piles(config)}
    assert list(piles) == ["deck/blue", "deck/green", "reserve", "seats"]
    assert piles["seats"] == ("blue", "green")
    assert piles["deck/green"] == piles["deck/blue"]
    assert len(piles["deck/blue"]) == 20
    assert sum(int(value) for value in piles["reserve"]) == 147


def expects(before: dict[str, Any], seat: str = "blue") -> int:
    """What a bot at a seat expects of a position."""
    players = ["blue", "green"]
    found = GAME.prospects(GAME.view(position({"players": players, "before": before}), seat))
    assert isinstance(found, int)
    return found


LEVEL = {"hands": {"blue": "wall", "green": "wall"}}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"won": {"blue": "8"}}, {"won": {"blue": "7"}}),
        ({"won": {"green": "7"}}, {"won": {"green": "8"}}),
        ({"won": {"blue": "7"}}, {"S1": ["4", "blue watchtower with 7"]}),
        ({"S1": ["4 7", "blue gate", "green wall"]}, {"S1": ["4 7", "blue wall", "green wall"]}),
        ({"S1": ["4 7", "blue wall", "green wall"]}, {"S1": ["4 7", "blue wall", "green gate"]}),
        ({"S1": ["4 7", "blue watchtower", "green wall"]}, {"S1": ["4 7", "blue gate", "green wall"]}),
        ({"S1": ["4 7", "blue wall"]}, {"S1": ["3 4", "blue wall"]}),
        ({"S1": ["3 8", "blue wall"]}, {"S1": ["4 7", "blue wall"]}),
        ({"hands": {"blue": "wall wall", "green": "wall"}}, {}),
        ({}, {"hands": {"blue": "wall", "green": "wall wall"}}),
        ({"S1": ["7", "blue watchtower with 4", "green dragon"]}, {"S1": ["4 7", "green wall"]}),
    ],
)
def test_what_a_bot_likes_better(better: dict[str, Any], worse: dict[str, Any]) -> None:
    assert expects(LEVEL | better) > expects(LEVEL | worse)


def test_a_level_position_is_worth_nothing() -> None:
    assert expects(LEVEL) == 0
    assert expects(LEVEL | {"won": {"blue": "8"}}) == -expects(LEVEL | {"won": {"blue": "8"}}, "green")


@pytest.mark.parametrize(
    ("site", "tenths"),
    [
        (["4 7", "blue wall"], 35),  # alone: as good as won, half of 7
        (["4 7", "blue gate", "green wall"], 14),  # ahead by 1 of 4: two fifths of that
        (["4 7", "blue gate", "green gate"], 0),
        (["7", "blue watchtower with 4"], 28 + 35),
        (["7", "green gate", "blue watchtower with 4"], 28 - 28),  # green leads by 3
        (["7", "green gate with 4", "blue guard", "blue guard"], 35 - 28),  # blue by 5
        (["4 7", "green wall", "blue wall", "blue watchtower"], 28),
    ],
)
def test_what_a_bot_expects_of_a_site(site: list[str], tenths: int) -> None:
    assert expects(LEVEL | {"S1": site}) == tenths
    assert expects(LEVEL | {"S1": site}, "green") == -tenths


def test_what_a_bot_expects_of_two_sites() -> None:
    both = LEVEL | {"S1": ["4 7", "blue wall"], "S2": ["3 5", "blue wall"]}
    assert expects(both) == 35 + 25


def test_a_card_in_hand_is_worth_something() -> None:
    assert expects(LEVEL | {"hands": {"blue": "wall wall wall", "green": "wall"}}) == 2 * 4


def test_at_the_end_only_what_is_won_counts() -> None:
    case = read(CASES / "GW-30_at_once.toml")
    assert GAME.prospects(GAME.view(position(case), "green")) == 10 * (7 - 4)
    assert opened(case)[0].seats == ("blue", "green")
