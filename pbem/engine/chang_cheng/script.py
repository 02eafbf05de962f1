"""Scripts: a game as facts and orders (rules/script.md)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine.chang_cheng.parts import COLOURS, PILE, Board
from pbem.engine.chang_cheng.setup import board_text, boards_of, configure
from pbem.engine.settings import Config, Script
from pbem.errors import BadInput

#: what a board may be called: its name stands in rows and in reports
BOARD_ID = re.compile("[A-Za-z0-9_-]{1,20}")


def from_script(document: Mapping[str, Any]) -> Script:
    """Read a script; BadInput ``script/…`` says where it is wrong."""
    try:
        players = [(str(p["name"]), [str(c) for c in p["colours"]]) for p in document["players"]]
        given = document.get("options", {})
        orders = tuple((str(o["player"]), str(o["order"])) for o in document["orders"])
        boards = [_board(one) for one in (*document["boards"], *document["box"])]
        reputation = _pile(document["reputation"], "reputation", 0)
        threat = _pile(document["threat"], "threat", 0)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(
            "script/shape", f"the script lacks or misshapes {error}", "see docs/SCRIPT.md"
        ) from error
    for name, colours in players:
        if len(colours) != 1 or colours[0] not in COLOURS:
            raise BadInput(
                "script/players",
                f"{name!r} needs one colour of {', '.join(COLOURS)}",
                "see docs/SCRIPT.md",
            )
    if len(document["boards"]) != 2:
        raise BadInput(
            "script/boards", f"{len(document['boards'])} boards at the start, not 2", "see CC-2"
        )
    if given.get("events"):
        raise BadInput(
            "script/events", "this version of pbem plays without events", "leave `events` empty"
        )
    options = {key: str(value) for key, value in given.items() if key != "events"}
    config = configure([colours[0] for _, colours in players], options)
    names = {colours[0]: name for name, colours in players}
    deal = {"layout": tuple(boards), "reputation": reputation, "threat": threat}
    return Script(config, deal, names, orders)


def _board(one: Mapping[str, Any]) -> str:
    provinces = tuple(int(size) for size in one["provinces"])
    regions = tuple(int(size) for size in one["regions"])
    bad = not provinces or not regions or min(*provinces, *regions) < 1
    if bad or sum(provinces) != sum(regions) or len(provinces) + len(regions) > 40:
        raise BadInput(
            "script/boards",
            f"board {one['id']!r} has rows that do not fit",
            "rows of equal sum, sizes from 1",
        )
    name = str(one["id"])
    if not BOARD_ID.fullmatch(name):
        raise BadInput(
            "script/boards",
            f"{name[:40]!r} cannot be the id of a board",
            "1 to 20 of the letters A to Z, digits, _ and -",
        )
    return board_text(Board(name, provinces, regions))


def _pile(values: Sequence[Any], name: str, low: int) -> tuple[str, ...]:
    numbers = [int(value) for value in values]
    if len(numbers) != PILE or any(not low <= number <= 9 for number in numbers):
        raise BadInput(
            "script/counters", f"{name} is not {PILE} numbers from {low} to 9", "see CC-3"
        )
    return tuple(str(number) for number in numbers)


def to_script(config: Config, deal: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The facts of a game as a script without orders; players are named by their seats."""
    boards = boards_of(config, deal)

    def shown(board: Board) -> dict[str, Any]:
        return {"id": board.id, "provinces": list(board.provinces), "regions": list(board.regions)}

    return {
        "game": "chang-cheng",
        "players": [{"name": seat, "colours": [seat]} for seat in deal.get("seats", config.seats)],
        "options": {
            "edition": config.option("edition"),
            "variant": config.option("variant"),
            "events": [],
        },
        "boards": [shown(board) for board in boards[:2]],
        "box": [shown(board) for board in boards[2:]],
        "reputation": [int(value) for value in deal["reputation"]],
        "threat": [int(value) for value in deal["threat"]],
        "orders": [],
    }
