"""Scripts: a game as facts and orders (docs/SCRIPT.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine.chang_cheng.box import (
    START,
    board_text,
    boards_of,
    events_of,
    own_colours,
    why_not,
)
from pbem.engine.chang_cheng.configuration import configure
from pbem.engine.chang_cheng.layout import COLOURS, PILE, Board
from pbem.engine.settings import Config, Script
from pbem.engine.strict import reading_script
from pbem.errors import BadInput


@reading_script()
def from_script(document: Mapping[str, Any]) -> Script:
    """Read a script; BadInput ``script/…`` says where it is wrong."""
    players = [(str(p["name"]), [str(c) for c in p["colours"]]) for p in document["players"]]
    given = document.get("options", {})
    options = {key: str(value) for key, value in given.items() if key != "events"}
    events = ",".join(str(letter) for letter in given.get("events", ()))
    orders = tuple((str(o["player"]), str(o["order"])) for o in document["orders"])
    boards = [_board(board) for board in (*document["boards"], *document["box"])]
    reputation = _pile(document["reputation"], "reputation", 0)
    threat = _pile(document["threat"], "threat", 0)
    if len(document["boards"]) != START:
        raise BadInput(
            "script/boards", f"{len(document['boards'])} boards at the start, not 2", "see CC-2"
        )
    two = options.get("variant") == "two-colour"
    seats = [_seat(name, colours, 1 + two) for name, colours in players]
    if two:
        options["pairs"] = ",".join("+".join(colours) for _, colours in players)
    config = configure(seats, options | {"events": events or "none"})
    names = dict(zip(seats, [name for name, _ in players], strict=True))
    deal = {"layout": tuple(boards), "reputation": reputation, "threat": threat}
    return Script(config, deal, names, orders)


def _seat(name: str, colours: Sequence[str], number: int) -> str:
    """The seat of a player, named by the first of his colours (CC-61)."""
    if len(colours) != number or not set(colours) <= set(COLOURS):
        needs = "one colour" if number == 1 else "two colours"
        raise BadInput(
            "script/players",
            f"{name!r} needs {needs} of {', '.join(COLOURS)}",
            "see docs/SCRIPT.md",
        )
    return colours[0]


def _board(sizes: Mapping[str, Any]) -> str:
    """A board as one word; BadInput says what is wrong with it."""
    rows = (tuple(int(size) for size in sizes[name]) for name in ("provinces", "regions"))
    board = Board(str(sizes["id"]), *rows)
    why = why_not(board)
    if why:
        raise BadInput("script/boards", why, "see docs/SCRIPT.md")
    return board_text(board)


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

    events = events_of(config, deal)
    return {
        "game": "chang-cheng",
        "players": [
            {"name": seat, "colours": list(own_colours(config, seat))}
            for seat in deal.get("seats", config.seats)
        ],
        "options": {
            "edition": config.option("edition"),
            "variant": config.option("variant"),
            "events": list(events),
        },
        "boards": [shown(board) for board in boards[:START]],
        "box": [shown(board) for board in boards[START:]],
        "reputation": [int(value) for value in deal["reputation"]],
        "threat": [int(value) for value in deal["threat"]],
        "orders": [],
    }
