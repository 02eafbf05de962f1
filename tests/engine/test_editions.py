"""Editions are a table of switches; what they allow is what the wall allows, tried out."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import pbem.engine.chang_cheng as package
from pbem.engine.chang_cheng import GAME, turn
from pbem.engine.chang_cheng.editions import EDITIONS
from pbem.engine.chang_cheng.state import State
from pbem.engine.random_play import dealt

from .ways import COUNTERS, OWN

SOURCE = Path(package.__file__).parent
#: whose business an edition's name is: the table, and the words of the first report
KNOW_THEM = {"editions.py", "notices.py"}


def test_no_rule_knows_an_edition_by_its_name() -> None:
    """Decision 0004. The option's default is the one exception."""
    names = re.compile(rf'"({"|".join(EDITIONS)})"')
    found = {
        path.name: names.findall(path.read_text(encoding="utf-8"))
        for path in SOURCE.glob("*.py")
        if path.name not in KNOW_THEM
    }
    assert {name: words for name, words in found.items() if words} == {"options.py": ["en"]}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"edition": "en"}, ()),
        ({"edition": "it"}, ("it plays like the English one.",)),
        ({"edition": "fr", "variant": "neutral", "events": "B"}, ("CC-26", "CC-28", "A B C")),
        ({"edition": "hu"}, ("hu (fan translation)", "CC-15", "CC-26", "CC-31")),
        ({"edition": "hu", "events": "drawn-2"}, ("longest run of all alone (CC-51)",)),
        ({"edition": "hu", "variant": "neutral"}, ("same province (CC-60)",)),
        ({"variant": "two-colour"}, ("CC-61",)),
    ],
    ids=str,
)
def test_the_first_report_names_what_is_played(
    options: dict[str, str], told: tuple[str, ...]
) -> None:
    said = GAME.notices(GAME.configure(("red", "green"), options))
    assert all(any(words in line for line in said) for words in told)
    assert any("inferred" in line for line in said)
    fewer = GAME.notices(GAME.configure(("red", "green"), {}))
    assert len(fewer) == 2
    assert (said == fewer) == (not told)


def test_own_boards_are_not_called_inferred() -> None:
    config = GAME.configure(("red", "green"), {"sides": OWN})
    assert "How many counters there are of each value is not" in GAME.notices(config)[0]
    own = {"sides": OWN, "counters": COUNTERS}
    said = GAME.notices(GAME.configure(("red", "green"), own))
    assert not any("inferred" in line for line in said)
    said = GAME.notices(GAME.configure(("red", "green"), {"counters": COUNTERS}))
    assert said[0].startswith("The boards are not")


def second_comes(state: State, square: str) -> bool:
    """Whether a second wall can be placed after this one, wherever a board may be added."""
    seat, line = state.public.seat, f"wall {square}"
    states = [turn.apply(state, line, 9).state]
    while states:
        after: State = states.pop()
        if after.public.stage == "second" and after.public.asked.can.walls:
            assert after.public.seat == seat
            return True
        asked = GAME.questions(GAME.view(after, None))
        if not asked or asked[0].kind in ("action", "second"):
            continue  # none can follow
        view = GAME.view(after, asked[0].seat)
        lines = GAME.legal(view) if asked[0].kind == "board" else GAME.legal(view)[:1]
        states += [turn.apply(after, one, 9).state for one in lines]
    return False


def open_for_a_wall(state: State) -> list[str]:
    """Empty squares that no other colour's tower keeps, read square by square."""
    public = state.public
    kept = [square for c, square in enumerate(public.reserve) if c != public.colour]
    return [
        name
        for i, name in enumerate(public.layout.squares)
        if not public.taken >> i & 1 and not any(square >> i & 1 for square in kept)
    ]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("sides", ["", OWN], ids=["standard", "own"])
def test_a_first_wall_is_listed_exactly_where_a_second_can_follow(edition: str, sides: str) -> None:
    """CC-12: tried by placing it, with whatever that brings."""
    tried = 0
    for seed in range(12):
        for state in positions({"edition": edition, "sides": sides}, 2 + seed % 3, seed):
            public = state.public
            if not public.asked.can.complete or public.supply(public.colour) < 2:
                continue
            listed = [
                name
                for i, name in enumerate(public.layout.squares)
                if public.asked.can.walls >> i & 1
            ]
            if not listed and not could_be_first(state):
                continue
            assert listed == [s for s in open_for_a_wall(state) if second_comes(state, s)]
            tried += 1
    assert tried > 100


def could_be_first(state: State) -> bool:
    return any(second_comes(state, square) for square in open_for_a_wall(state))


def positions(options: dict[str, str], players: int, seed: int) -> list[State]:
    """The late positions of a random game in which an action is asked for."""
    random = Random(seed)  # noqa: S311
    config = GAME.configure(GAME.seats[:players], options)
    state = GAME.setup(config, dealt(GAME, config, random.randrange), 1).state
    found: list[Any] = []
    while asked := GAME.questions(GAME.view(state, None)):
        left = (state.public.layout.full & ~state.public.taken).bit_count()
        if asked[0].kind == "action" and left < 12 and state.public.turns > 1:
            found.append(state)
        lines = GAME.legal(GAME.view(state, asked[0].seat))
        state = GAME.apply(state, asked[0].seat, random.choice(lines), 2).state
    return found
