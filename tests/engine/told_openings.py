"""What a referee reads when he opens a game: its options, what is refused, what is named.

    python -m tests.engine.told_openings        writes told/openings.txt anew

Reading its diff is how a change of wording is looked at.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbem.engine.chang_cheng import GAME as CHANG_CHENG
from pbem.engine.great_wall import GAME as GREAT_WALL
from pbem.errors import BadInput

from . import in_words
from .in_words import noticed
from .ways import COUNTERS, OWN

HERE = Path(__file__).parent
TOLD = HERE / "told" / "openings.txt"
TWO = "red green"
ONES = ",".join("1" * 20)  # with as many regions: the most parts that a board may have
FIVES = " ".join(f"{number}a:1,1,1,1,1:5" for number in (1, 2, 3, 4))
#: seats, and options as they are written
CHOSEN: tuple[tuple[Any, str, dict[str, str]], ...] = (
    (CHANG_CHENG, "red", {}),
    (CHANG_CHENG, "red green blue violet red", {}),
    (CHANG_CHENG, "red pink", {}),
    (CHANG_CHENG, "red red", {}),
    (CHANG_CHENG, "red green blue", {"variant": "neutral"}),
    (CHANG_CHENG, "red green blue", {"variant": "two-colour"}),
    *(
        (CHANG_CHENG, TWO, options)
        for options in (
            {},
            {"edition": "de"},
            {"edition": "it"},
            {"edition": "fr", "events": "B"},
            {"edition": "hu", "events": "A"},
            {"edition": "hu", "events": "drawn-1"},
            {"edition": "hu", "events": "drawn-2"},
            {"edition": "hu", "events": "A,B"},
            {"edition": "hu", "events": "A,C"},
            {"edition": "hu", "variant": "neutral"},
            {"variant": "three"},
            {"variant": "neutral", "events": "D"},
            {"variant": "two-colour", "pairs": "red+green,blue+violet"},
            {"variant": "two-colour", "pairs": "red+blue,green+red"},
            {"variant": "two-colour", "pairs": " Red + Blue , green+violet "},
            {"variant": "two-colour"},
            {"pairs": "red+blue,green+violet"},
            {"events": "E"},
            {"events": "c, a"},
            {"events": "drawn-2"},
            {"events": "A,B,C"},
            {"events": "B,D", "seats": "drawn"},
            {"seats": "random"},
            {"colour": "red"},
            {"counters": "123"},
            {"counters": COUNTERS},
            {"sides": OWN},
            {"sides": OWN, "counters": COUNTERS},
            {"boards": "1a,1b,2a,3a"},
            {"boards": "1a,2a,3a"},
            {"boards": "9a,2a,3a,4a"},
            {"boards": "4b 3b 1a 2a"},
            {"sides": "1a;3;3"},
            {"sides": "1a:3:4"},
            {"sides": "1a:3,x:3"},
            {"sides": f"{'long' * 20}:3"},
            {"sides": f"{'long' * 20}:3:3"},
            {"sides": "1a:99:99 2a:3:3 3a:3:3"},
            {"sides": "1a:99,1:99,1 2a:3:3 3a:3:3"},
            {"sides": f"1a:{ONES}:{ONES} 2a:3:3 3a:3:3"},
            {"sides": f"1a:{ONES},1:2{ONES[1:]} 2a:3:3 3a:3:3"},
            {"sides": "1a:0,3:3"},
            {"sides": "a b:3:3"},
            {"sides": "é:3:3 2a:3:3 3a:3:3"},
            {"sides": "1a:60,60:60,60 2a:3:3 3a:3:3"},
            {"sides": f"1a:{','.join('2' * 40)}:80 2a:3:3 3a:3:3"},
            {"sides": "1a:3:3 1a:3:3 2a:3:3"},
            {"sides": "2a:3:3 1a:3:3 1a:3:3"},
            {"sides": "aab:2:2 aaa:3:3 ba:1,1:2 ab:3:3 1c:4:4 b:5:5"},
            {"edition": "long" * 20},
            {"counters": "long" * 20},
            {"events": "long" * 20},
            {"variant": "two-colour", "pairs": "long" * 20},
            {"sides": "1a:3:3 2a:3:3"},
            {"sides": "w:3:3 x:3:3 y:3:3", "boards": "w,x"},
            {"sides": "w:3:3 x:3:3 y:3:3", "boards": "1a,2a,3a"},
            {"sides": "a:1,1,1,1,1,1:6 b:1,1,1,1,1,1:6 ca:6:6 cb:1,1,1,1:4 y:3:3"},
            {"sides": "a:6:1,1,1,1,1,1 b:6:1,1,1,1,1,1 ca:6:6 cb:4:1,1,1,1 y:3:3"},
        )
    ),
    (CHANG_CHENG, "red green blue violet", {"sides": "1a:3:3 2a:3:3 3a:3:3"}),
    (CHANG_CHENG, "red green blue violet", {"sides": FIVES, "boards": "1a,2a,3a,4a"}),
    (CHANG_CHENG, "red green blue", {"sides": FIVES, "boards": "1a,2a,3a,4a"}),
    (GREAT_WALL, "blue", {}),
    (GREAT_WALL, "blue green red yellow grey blue", {}),
    (GREAT_WALL, "blue pink", {}),
    (GREAT_WALL, "blue blue", {}),
    (GREAT_WALL, "blue green", {"colour": "red"}),
    (GREAT_WALL, "blue green", {"open_scores": "maybe"}),
    (GREAT_WALL, "blue green", {"open_scores": " Yes "}),
    (GREAT_WALL, "blue green red", {"seats": "drawn"}),
)
ANN = {"name": "ann", "colours": ["red"]}
MANY = {"id": "many", "provinces": [1] * 10, "regions": [2] * 5}
#: what is put into a good script of Chang Cheng, but nothing that Python words in its own way;
#: great-wall's are in test_script_great_wall.py
SCRIPTS: tuple[dict[str, Any], ...] = (
    {"players": [ANN, {"name": "bob", "colours": ["red", "green"]}]},
    {"players": [ANN, {"name": "bob", "colours": ["pink"]}]},
    {"options": {"variant": "two-colour"}},
    {"options": {"events": ["E"]}},
    {"options": {"edition": "hu", "events": ["A"]}},
    {"boards": []},
    {"boards": [{"id": "x", "provinces": ["many"], "regions": [3]}] * 2},
    {"boards": [{"id": "x", "provinces": [3], "regions": [4]}] * 2},
    {"boards": [{"provinces": [3], "regions": [3]}] * 2},
    {"box": [MANY, MANY]},
    {"boards": [{"id": "x", "provinces": [], "regions": [3]}] * 2},
    {"boards": [{"id": "x", "provinces": [3], "regions": []}] * 2},
    {"reputation": [1, 2, 3]},
    {"reputation": [-1] * 15},
    {"reputation": [10] * 15},
    {"threat": ["x"] * 15},
    {"threat": [99] * 15},
    {"orders": [{"player": "ann"}]},
)


def told() -> str:
    """The whole text."""
    lines = [line for game in (CHANG_CHENG, GREAT_WALL) for line in _options(game)]
    for game, seats, options in CHOSEN:
        lines += ["", f"==== {game.kind}: {seats} {options}", *_opened(game, seats, options)]
    path = HERE / "scripts" / "cc-4-en-plain-u.json"
    for parts in SCRIPTS:
        script = json.loads(path.read_text(encoding="utf-8")) | parts
        lines += ["", f"==== a script with {parts}", _read(script)]
    return "\n".join(lines) + "\n"


def _options(game: Any) -> Iterator[str]:
    """The game in words, as ``pbem games`` has it."""
    fewest, most = game.players
    yield from ("", f"==== {game.kind}: {game.title} {game.credits}, rulings {' and '.join(game.rulings)}")
    yield f"{fewest} to {most} players: {' '.join(game.seats)}"
    yield f"orders begin with {' '.join(sorted(game.words))}"
    for option in game.options:
        yield " | ".join(option[:5])
        yield from (f"  {value or '(none)'}: {text}".rstrip() for value, text in option.said)


def _opened(game: Any, seats: str, options: dict[str, str]) -> list[str]:
    """What was settled, is shuffled, is named and told, and the first position; or why not."""
    try:
        config = game.configure(seats.split(), options)
    except BadInput as error:
        return [f"{error.code}: {error.as_line()}"]
    piles = game.piles(config)
    step = game.setup(config, {pile.name: pile.items for pile in piles}, 1)
    return [
        f"settled: {' '.join(f'{name}={value!r}' for name, value in config.options)}",
        *(f"pile {pile.name}: {' '.join(pile.items)}" for pile in piles),
        *(f"notice: {notice}" for notice in noticed(game, config)),
        *(f"told: {in_words.told(game, one, game.view(step.state, None))}" for one in step.events),
        *(f"    {one.row()}" for one in step.events),
        *(f"{name}: {value}" for name, value in game.encode(step.state).public.items()),
    ]


def _read(script: dict[str, Any]) -> str:
    try:
        found = CHANG_CHENG.from_script(script)
        CHANG_CHENG.setup(found.config, found.deal, 1)
    except BadInput as error:
        return f"{error.code}: {error.as_line()}"
    return "it is one"


if __name__ == "__main__":
    TOLD.write_text(told(), encoding="utf-8")
