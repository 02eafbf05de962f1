"""Cases: a position in plain words, orders, and what must be so afterwards.

The format is in tests/cases/chang-cheng/README.md.

What lives here: making a position of a case, through the public form of a state (so the codec is
tried, too). What must never be here: a rule of the game.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pbem.engine.chang_cheng import GAME
from pbem.engine.chang_cheng.parts import KINDS, PILE, SIDES
from pbem.engine.chang_cheng.setup import board_text
from pbem.engine.chang_cheng.state import State

CASES = Path(__file__).parent.parent / "cases" / "chang-cheng"
LINK = 1
PLACES = {"squares", "reserved", "cards", "played", "reputation", "threat", "gone", "looked"}
COUNTERS = {"scores", "emperors", "turn", "number", "begun", "skipped"}
BEFORE = {"boards", "box", "reputation_pile", "threat_pile", *PLACES, *COUNTERS}


def read(path: Path) -> dict[str, Any]:
    """One case file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def boards(before: dict[str, Any]) -> list[str]:
    """The sides on the table from left to right, then the box."""
    names = [*before.get("boards", ["1a", "2a"]), *before.get("box", ["3a", "4a"])]
    return [board_text(SIDES[name]) if name in SIDES else name for name in names]


def position(case: dict[str, Any]) -> State:
    """The State before the orders: an opening, with what ``[before]`` says written over it."""
    before = case.get("before", {})
    unknown = before.keys() - BEFORE
    assert not unknown, f"[before] does not know {unknown}"
    players = case["players"]
    config = GAME.configure(players, {})
    deal = {
        "layout": boards(before),
        "reputation": [str(value) for value in before.get("reputation_pile", [0] * PILE)],
        "threat": [str(value) for value in before.get("threat_pile", [2] * PILE)],
    }
    opening: State = GAME.setup(config, deal, LINK).state
    if not before.keys() & (PLACES | COUNTERS):
        return opening
    place = GAME.encode(opening)
    values = {slot: hidden.for_sealing() for slot, hidden in place.hidden.items()}
    public = place.public
    _put_on_board(public, before)
    _give_cards(public, before, players, values)
    _put_counters(public, before, values)
    _set_turn(public, before, players)
    state: State = GAME.decode(config, public, values)
    return state


def _put_on_board(public: dict[str, Any], before: dict[str, Any]) -> None:
    """``A1 A2 red``, ``A5 green tower``, ``B1 B2 blue double``, ``A3 red broken``."""
    rows = [row for words in before.get("squares", ()) for row in _square_rows(words.split())]
    public["squares"] = rows
    taken = {row.split()[0] for row in rows}
    scored = []
    for row, squares in zip(public["provinces"], _strips(public), strict=True):
        scored.append(row + " emperor" if set(squares) <= taken else row)
    public["provinces"] = scored
    for words in before.get("reserved", ()):
        colour, square = words.split()
        _change(public["colours"], colour, "reserve=-", f"reserve={square}")


def _square_rows(words: list[str]) -> Iterable[str]:
    """A row of the state for each square named."""
    squares = [word for word in words if word[0].isupper()]
    colour, *what = words[len(squares) :]
    return (f"{square} {colour} {what[0] if what else 'single'}" for square in squares)


def _strips(public: dict[str, Any]) -> list[list[str]]:
    """The squares of each province, from left to right."""
    found = []
    for row in public["boards"]:
        letter, board = row.split()
        at = 0
        for size in board.split(":")[1].split(","):
            found.append([f"{letter}{at + i + 1}" for i in range(int(size))])
            at += int(size)
    return found


def _change(rows: list[str], start: str, old: str, new: str) -> None:
    for i, row in enumerate(rows):
        if row.split()[0] == start:
            assert old in row, (row, old)
            rows[i] = row.replace(old, new)
            return
    raise AssertionError(f"there is no {start}")


def _give_cards(
    public: dict[str, Any], before: dict[str, Any], players: list[str], values: dict[str, str]
) -> None:
    """``red flood AP2`` lies face down; ``red warrior`` was turned up and is out."""
    held = dict.fromkeys(players, len(KINDS))
    out: dict[str, list[str]] = {colour: [] for colour in players}
    for number, words in enumerate(before.get("cards", ())):
        colour, kind, province = words.split()
        slot = f"{LINK}/card/{number + 1:02d}"
        public["cards"].append(f"{slot} {colour} {province}")
        values[slot] = kind
        held[colour] -= 1
    for words in before.get("played", ()):
        colour, *kinds = words.split()
        out[colour] += kinds
        held[colour] -= len(kinds)
    for colour in players:
        _change(public["colours"], colour, "hand=6", f"hand={held[colour]}")
        kinds = ",".join(kind for kind in KINDS if kind in out[colour]) or "-"
        _change(public["colours"], colour, "out=-", f"out={kinds}")
        score = before.get("scores", {}).get(colour, 0)
        _change(public["colours"], colour, f"{colour} 0 ", f"{colour} {score} ")


def _put_counters(public: dict[str, Any], before: dict[str, Any], values: dict[str, str]) -> None:
    """Reputation and threat by name; counters gone, and who has looked at which."""
    for name, value in before.get("reputation", {}).items():
        _change(public["provinces"], name, f"{name} 0", f"{name} {value}")
    places = {row.split()[0]: int(row.split()[1]) for row in public["regions"]}
    for name, value in before.get("threat", {}).items():
        values[f"{LINK}/threat/{places[name]:02d}"] = str(value)
    for name in before.get("gone", ()):
        _change(public["regions"], name, f"{name} {places[name]}", f"{name} gone")
    for words in before.get("looked", ()):
        colour, *names = words.split()
        seen = ",".join(str(place) for place in sorted(places[name] for name in names))
        _change(public["looked"], colour, f"{colour} -", f"{colour} {seen}")


def _set_turn(public: dict[str, Any], before: dict[str, Any], players: list[str]) -> None:
    """Whose turn it is, and its first step if it has begun: ``begun = "wall AP1"``."""
    public["seat"] = before.get("turn", players[0])
    public["turn"] = before.get("number", 10)
    public["emperors"] = before.get("emperors", 0)
    public["skips"] = before.get("skipped", 0)
    if "begun" in before:
        public["stage"], public["first"] = "second", before["begun"]
