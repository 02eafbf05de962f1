"""Cases: a position in plain words, orders, and what must be so afterwards.

The format is in tests/cases/chang-cheng/README.md.

What lives here: making a position of a case, through the public form of a state (so the codec is
tried, too). Not allowed here: a rule of the game.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pbem.engine.chang_cheng import GAME
from pbem.engine.chang_cheng.box import format_board
from pbem.engine.chang_cheng.layout import KINDS, PILE_SIZE, STANDARD_SIDES
from pbem.engine.chang_cheng.state import State
from pbem.engine.decision import Step
from pbem.engine.settings import Config

CASES = Path(__file__).parent.parent / "cases" / "chang-cheng"
LINK = 1
EDITIONS = ("en", "fr", "it", "hu")
PLACES = {"squares", "reserved", "cards", "played", "reputation", "threat", "gone", "looked", "up"}
COUNTERS = {"scores", "emperors", "turn", "number", "begun", "skipped", "colour"}
BEFORE = {"boards", "box", "reputation_pile", "threat_pile", *PLACES, *COUNTERS}


def read(path: Path) -> dict[str, Any]:
    """One case file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def editions(case: dict[str, Any]) -> tuple[str, ...]:
    """The editions in which the case holds: all, where it names none."""
    return tuple(case.get("editions", EDITIONS))


def options(case: dict[str, Any], edition: str) -> dict[str, str]:
    """The options that the referee chose."""
    chosen = {"edition": edition, **case.get("options", {})}
    for name in ("variant", "pairs"):
        if name in case:
            chosen[name] = case[name]
    if "events" in case:
        chosen["events"] = ",".join(case["events"]) or "none"
    if "drawn_seats" in case:
        chosen["seats"] = "drawn"
    return chosen


def configured(case: dict[str, Any], edition: str) -> Config:
    """What is settled of the case's game; its rulings are the newest where it names none."""
    return GAME.configure(case["players"], options(case, edition), case.get("rulings", ""))


def boards(before: dict[str, Any]) -> list[tuple[str, str]]:
    """Letter and board of those on the table from left to right: ``1a``, or ``C 3a`` once one has
    joined.
    """
    rows = [name.rpartition(" ") for name in before.get("boards", ["1a", "2a"])]
    lettered = zip(rows, "AB", strict=True) if not any(row[0] for row in rows) else None
    if lettered is not None:
        return [(letter, _board(name)) for (_, _, name), letter in lettered]
    return [(letter, _board(name)) for letter, _, name in rows]


def _board(name: str) -> str:
    return format_board(STANDARD_SIDES[name]) if name in STANDARD_SIDES else name


def opened(case: dict[str, Any], edition: str) -> tuple[Config, State]:
    """The game as it is opened; BadInput where it cannot be."""
    config, step = dealt(case, edition)
    return config, step.state


def dealt(case: dict[str, Any], edition: str) -> tuple[Config, Step]:
    """The game as it is opened, with what is told then."""
    before = case.get("before", {})
    config = configured(case, edition)
    by_letter = [board for _, board in sorted(boards(before))]
    deal = {
        "layout": [*by_letter, *(_board(name) for name in before.get("box", ["3a", "4a"]))],
        "reputation": [str(value) for value in before.get("reputation_pile", [0] * PILE_SIZE)],
        "threat": [str(value) for value in before.get("threat_pile", [2] * PILE_SIZE)],
    }
    deal |= {"seats": case["drawn_seats"]} if "drawn_seats" in case else {}
    deal |= {"events": case["drawn_events"]} if "drawn_events" in case else {}
    return config, GAME.setup(config, deal, LINK)


def position(case: dict[str, Any], edition: str) -> State:
    """The State before the orders: an opening, with what ``[before]`` says written over it."""
    before = case.get("before", {})
    unknown = before.keys() - BEFORE
    assert not unknown, f"[before] does not know {unknown}"
    config, opening = opened(case, edition)
    if not before.keys() & (PLACES | COUNTERS):
        return opening
    place = GAME.encode(opening)
    values = {slot: hidden.for_sealing() for slot, hidden in place.hidden.items()}
    public = place.public
    _join(public, before)
    _put_on_board(public, before)
    _give_cards(public, before, values)
    _put_counters(public, before, values)
    _set_turn(public, before, case)
    state: State = GAME.decode(config, public, values)
    return state


def _join(public: dict[str, Any], before: dict[str, Any]) -> None:
    """Boards beyond the first two come out of the box, with the counters that are their turn."""
    placed = boards(before)
    if len(placed) == len(public["boards"]):
        return
    pile = before.get("reputation_pile", [0] * PILE_SIZE)
    provinces: dict[str, list[str]] = {}
    regions: dict[str, list[str]] = {}
    faces = places = 0
    for letter, board in sorted(placed):
        _, here, there = (len(part.split(",")) for part in board.split(":"))
        provinces[letter] = [f"{letter}P{i + 1} {pile[faces + i]}" for i in range(here)]
        regions[letter] = [f"{letter}M{i + 1} {places + i}" for i in range(there)]
        faces, places = faces + here, places + there
    public["boards"] = [f"{letter} {board}" for letter, board in placed]
    public["provinces"] = [row for letter, _ in placed for row in provinces[letter]]
    public["regions"] = [row for letter, _ in placed for row in regions[letter]]
    public["box"] = public["box"][len(placed) - 2 :]


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


def _give_cards(public: dict[str, Any], before: dict[str, Any], values: dict[str, str]) -> None:
    """``red flood AP2`` lies face down; ``red warrior`` was turned up and is out."""
    colours = [row.split()[0] for row in public["colours"]]
    held = dict.fromkeys(colours, len(KINDS))
    out: dict[str, list[str]] = {colour: [] for colour in colours}
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
    for colour in colours:
        if colour == "neutral":
            continue  # it has no cards
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
    turned = {places[name]: values[f"{LINK}/threat/{places[name]:02d}"] for name in before.get("up", ())}
    public["turned"] = [f"{place} {turned[place]}" for place in sorted(turned)]
    for words in before.get("looked", ()):
        colour, *names = words.split()
        seen = ",".join(str(place) for place in sorted(places[name] for name in names))
        _change(public["looked"], colour, f"{colour} -", f"{colour} {seen}")


def _set_turn(public: dict[str, Any], before: dict[str, Any], case: dict[str, Any]) -> None:
    """Whose turn it is, and its first step if it has begun: ``begun = "wall AP1"``."""
    public["seat"] = before.get("turn", case["players"][0])
    public["turn"] = before.get("number", 10)
    public["emperors"] = before.get("emperors", 0)
    public["skips"] = before.get("skipped", 0)
    variant = case.get("variant")
    if variant == "two-colour":
        public["colour"] = before.get("colour", public["seat"])
        public["stage"] = "action" if "colour" in before else "colour"
    if variant == "neutral" and public["turn"] > 1:
        public["neutral"] = "not-in -"  # nothing is placed yet, so it may go anywhere
    if "begun" in before:
        public["stage"], public["first"] = "second", before["begun"]
        if variant == "neutral":
            public["neutral"] = f"in {before['begun'].split()[1]}"
