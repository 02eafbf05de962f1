"""Every game of the catalogue keeps every law, in whole games at random."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from sizes import LONG, seeds, size

from pbem import catalog
from pbem.engine.chang_cheng.layout import COLOURS, KINDS, layout_of
from pbem.engine.game import Game
from pbem.engine.laws import LawContext, listed_is_allowed
from pbem.engine.random_play import WalkResult, deal_piles, walk

from . import conserved, conserved_great_wall
from .ways import EDITIONS, odd, way, ways

GAMES = tuple(catalog.BUILT_IN)
#: each with each number of its players
TABLES = [
    (kind, players)
    for kind, (fewest, most) in ((kind, catalog.load(kind).players) for kind in GAMES)
    for players in range(fewest, most + 1)
]
#: a game's own laws of its State, and how its options are drawn, where it has any of its own
OWN: dict[str, tuple[Callable[[Any], str | None], ...]] = {
    "chang-cheng": (conserved.conserved,),
    "great-wall": (conserved_great_wall.conserved,),
}
WAYS: dict[str, Callable[[int, int], dict[str, str]]] = {"chang-cheng": way}


def walked(kind: str, players: int, seed: int) -> WalkResult:
    """One game at random under all laws."""
    game = catalog.load(kind)
    options = WAYS[kind](players, seed) if kind in WAYS else any_way(game, seed)
    below = Random(seed).randrange
    own = OWN.get(kind, ())
    return walk(game, game.seats[:players], below, options=options, bound=400, extra=own)


def any_way(game: Game, seed: int) -> dict[str, str]:
    """Options that may be combined freely, each with one of the values it lists."""
    random = Random(seed)
    lists = {option.name: option.allowed.split(", ") for option in game.options}
    return {name: random.choice(values) for name, values in lists.items()}


@pytest.mark.parametrize(("kind", "players"), TABLES)
def test_every_law(kind: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    """A twin that is the same State shows nothing: it says how often it is another one."""
    games: list[WalkResult] = []

    for seed in seeds("games under all laws"):
        found = walked(kind, players, seed)
        assert not found.broken, f"{found.law}: {found.broken} (order {found.orders})"
        games.append(found)
    twins, unlike = sum(one.twins for one in games), sum(one.unlike for one in games)
    with capsys.disabled():
        print(f" [{kind}, {players}: {unlike} of {twins} twins are other states] ", end="")
    assert unlike > 0.9 * twins > 3  # nine at least were seen of one short game


@pytest.mark.parametrize("variant", ["plain", "neutral", "two-colour"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_law_in_every_edition_and_variant(edition: str, variant: str) -> None:
    """Two games of two each, one on odd boards; the long run takes every kind of events as well."""
    game, every = catalog.load("chang-cheng"), ways(edition, variant)
    small = [every[n % len(every)] | odd(n) for n in range(size("games of an edition under all laws"))]
    for seed, options in enumerate([*(every if LONG else every[1:2]), *small]):
        below = Random(f"{edition} {variant} {seed}").randrange
        found = walk(game, ("red", "green"), below, options=options, extra=(conserved.conserved,), bound=400)
        assert not found.broken, f"{found.law}: {found.broken} (order {found.orders})"


PLACED = ("wall", "tower", "neutral", "traitor break")


def every_spelling(place: LawContext) -> tuple[str, ...]:
    """Every order of Chang Cheng about this wall, whether it fits or not."""
    layout = layout_of(place.state.public.layout.placed)
    squares, provinces, regions = layout.squares, layout.provinces, layout.regions
    pairs = [(a, b) for a in squares for b in squares]
    return (
        "pass",
        "board left",
        "board right",
        "neutral none",
        *(f"colour {colour}" for colour in COLOURS),
        "traitor none",
        "mandarin none",
        "flood +2",
        "flood -2",
        "builder value",
        "builder wall",
        *(f"{word} {name}" for word in PLACED for name in squares),
        *(f"traitor counter {name}" for name in regions),
        *(f"card {kind} {name}" for kind in KINDS for name in provinces),
        *(f"warrior {kind}" for kind in KINDS),
        *(f"double {a} {b}" for a, b in pairs),
        *(f"tower {a} reserve {b}" for a, b in pairs),
        *(f"mandarin {a} {b}" for a, b in pairs),
        "wall Z9",
        "card flood ZP1",
        "double Z1 Z2",
        "tower Z1 reserve Z2",
    )


@pytest.mark.parametrize("seed", range(size("games with every spelling")))
def test_check_and_list_agree_on_every_spelling(seed: int) -> None:
    """Of the thousands of orders that can be written, exactly the listed ones are allowed."""
    game, random = catalog.load("chang-cheng"), Random(seed)
    players = (2, 3, 2, 4, 2, 2)[seed % 6]
    config = game.configure(game.seats[:players], way(players, 7 * seed))
    state = game.setup(config, deal_piles(game, config, random.randrange), 1).state
    for number in range(400):
        questions = game.questions(game.view(state, None))
        place = LawContext(game, config, state, random.randrange)
        if number % 6 == 0 or not questions or questions[0].kind not in ("action", "second"):
            assert listed_is_allowed(place._replace(sample_lines=every_spelling(place))) is None
        if not questions:
            return
        seat = questions[0].seat
        state = game.apply(state, seat, random.choice(game.legal(game.view(state, seat))), 2).state
