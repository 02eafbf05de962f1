"""CC-12 by brute force: what may come first is what something can follow, tried by placing it.

What lives here: the check, on random odd boards in every edition and variant. It reads no
look-ahead of the rules: it takes a position apart square by square and carries the order out.
"""

from collections.abc import Iterator
from random import Random

import pytest
from sizes import size

from pbem.engine.chang_cheng import GAME, turn
from pbem.engine.chang_cheng.editions import RULINGS
from pbem.engine.chang_cheng.state import State, View
from pbem.engine.random_play import deal_piles

from .ways import EDITIONS, OWN, VARIANTS, odd

SEEDS = size("games with every first step")


def as_first(state: State) -> State:
    """The same position, where any order now is the first step of a complete action."""
    table = state.public.draft()
    can = table.asked.placements._replace(can_complete=True)
    table.asked = table.asked._replace(placements=can)
    return state._replace(public=table.frozen())


def second_comes(state: State, line: str) -> bool:
    """Whether a second wall can be placed after this one, wherever a board may be added."""
    seat = state.public.seat
    states = [turn.apply(as_first(state), line, 9).state]
    while states:
        after = states.pop()
        asked = GAME.questions(GAME.view(after, None))
        if not asked or after.public.seat != seat or asked[0].kind == "action":
            continue  # the turn is over
        lines = GAME.legal(GAME.view(after, asked[0].seat))
        if asked[0].kind == "second":
            if any(one.startswith("wall") for one in lines):
                return True
            continue
        # where a board goes may matter; what a card does changes no square
        states += [turn.apply(after, one, 9).state for one in (lines if asked[0].kind == "board" else lines[:1])]
    return False


def open_for_a_wall(state: State) -> list[str]:
    """Empty squares that no other colour's tower keeps, read square by square."""
    public = state.public
    if not public.supply(public.colour):
        return []
    kept = [square for c, square in enumerate(public.reserve) if c != public.colour]
    return [
        name
        for i, name in enumerate(public.layout.squares)
        if not public.occupied >> i & 1 and not any(square >> i & 1 for square in kept)
    ]


def found_by_trying(state: State) -> list[str]:
    """The first walls after which a second one can be placed."""
    return [name for name in open_for_a_wall(state) if second_comes(state, f"wall {name}")]


def wrong(state: State) -> str:
    """Where the list of first walls, or of colours, is not what comes out; "" if it is right."""
    public = state.public
    if public.turns == 1:  # CC-11
        return ""
    if public.stage == "colour":
        return _wrong_colours(state)
    can, names = public.asked.placements, public.layout.squares
    tried = found_by_trying(state)
    listed = [name for i, name in enumerate(names) if can.walls >> i & 1] if can.can_complete else []
    return "" if listed == tried else f"{public.colour}: {listed} listed, {tried} come out"


def _wrong_colours(state: State) -> str:
    """CC-61: a colour that can complete an action may be named, and if one can no other."""
    after = {f"colour {c}": turn.apply(state, f"colour {c}", 9).state for c in _own(state)}
    for one in after.values():
        if bad := wrong(one):
            return bad
    whole = [line for line, one in after.items() if one.public.asked.placements.can_complete]
    half = [line for line, one in after.items() if GAME.legal(_seen(one)) != ("pass",)]
    listed = list(GAME.legal(_seen(state)))
    return "" if listed == (whole or half or ["pass"]) else f"{listed} listed, {whole} are whole"


def _own(state: State) -> list[str]:
    rules = state.public.rules
    return [rules.colours[colour] for colour in rules.colours_by_seat[state.public.seat]]


def _seen(state: State) -> View:
    """The View of the seat on turn."""
    return GAME.view(state, state.public.rules.seats[state.public.seat])


def first_steps(options: dict[str, str], players: int, seed: int, rulings: str) -> Iterator[State]:
    """The positions of a random game in which an action, or a colour for it, is asked for."""
    random = Random(seed)
    config = GAME.configure(GAME.seats[:players], options, rulings)
    state = GAME.setup(config, deal_piles(GAME, config, random.randrange), 1).state
    while asked := GAME.questions(GAME.view(state, None)):
        if asked[0].kind in ("action", "colour"):
            yield state
        lines = GAME.legal(GAME.view(state, asked[0].seat))
        state = GAME.apply(state, asked[0].seat, random.choice(lines), 2).state


def faults(options: dict[str, str], seeds: range, rulings: str = RULINGS[0]) -> list[str]:
    """What is wrong in the games of these seeds."""
    plain = options["variant"] == "plain"
    return [
        f"seed {seed}: {bad}"
        for seed in seeds
        for state in first_steps(odd(seed) | options, 2 + seed % 3 if plain else 2, seed, rulings)
        if (bad := wrong(state))
    ]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_listed_first_is_what_something_can_follow(edition: str, variant: str) -> None:
    assert faults({"edition": edition, "variant": variant}, range(SEEDS)) == []


@pytest.mark.parametrize("sides", ["", OWN], ids=["standard", "own"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_on_boards_of_the_box_and_with_a_single_square(edition: str, sides: str) -> None:
    options = {"edition": edition, "variant": "plain", "sides": sides, "boards": "drawn"}
    assert faults(options, range(SEEDS // 5)) == []


@pytest.mark.parametrize(("variant", "seed"), [("plain", 434), ("neutral", 966), ("two-colour", 89)])
def test_the_check_finds_the_fault_that_2026_11_had(variant: str, seed: int) -> None:
    """Squares that the first wall opens were not looked at; games of 2026-11 keep that fault."""
    options, seeds = {"edition": "hu", "variant": variant}, range(seed, seed + 1)
    assert faults(options, seeds, "2026-11") != []
    assert faults(options, seeds) == []
