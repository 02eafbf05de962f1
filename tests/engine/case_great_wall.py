"""Cases of Great Wall: a position in plain words, orders, and what must be so afterwards.

The format is in tests/cases/great-wall/README.md.

What lives here: dealing a case, and making its position through the public form of a state (so the
codec is tried, too). Not allowed here: a rule of the game.
"""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from pbem.engine.decision import Step
from pbem.engine.great_wall import GAME
from pbem.engine.great_wall.state import State
from pbem.engine.settings import Config

CASES = Path(__file__).parent.parent / "cases" / "great-wall"
LINK = 1
#: the twenty cards and the 36 markers, written down once more from GW-1 and GW-2
DECK = Counter(wall=7, gate=3, watchtower=1, guard=5, horseman=2, noble=1, dragon=1)
MARKERS = Counter({1: 2, 2: 6, 3: 7, 4: 7, 5: 8, 7: 4, 8: 2})
SITES = ("S1", "S2", "S3", "S4")
PLACES = {2: 2, 3: 3, 4: 4, 5: 4}
BEFORE = {*SITES, "hands", "decks", "reserve", "won", "turn", "step", "called"}


def read(path: Path) -> dict[str, Any]:
    """One case file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def in_turns(left: Counter[int]) -> list[int]:
    """Markers as 1 2 3 4 5 7 8 1 2 3 …, each as long as there are any."""
    found = []
    while left.total():
        row = [value for value in sorted(left) if left[value] > 0]
        found += row
        left = left - Counter(row)
    return found


def _rest(all_of_them: Counter[Any], some: list[Any]) -> Counter[Any]:
    """What is left without some of them, which must be among them."""
    more = Counter(some) - all_of_them
    assert not more, f"there are not so many: {dict(more)}"
    return all_of_them - Counter(some)


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def opened(case: dict[str, Any]) -> tuple[Config, Step]:
    """A game from its start, as ``[deal]`` says; BadInput where there can be none."""
    said = case.get("deal", {})
    config = GAME.configure(case["players"], case.get("options", {}))
    reserve = _numbers(said.get("reserve", ""))
    deal = {"reserve": [*reserve, *in_turns(_rest(MARKERS, reserve))]}
    piles = {seat: said.get(seat, "").split() for seat in config.seats}
    named = {seat: [*first, *_rest(DECK, first).elements()] for seat, first in piles.items()}
    found = {"reserve": [str(value) for value in deal["reserve"]]}
    found |= {f"deck/{seat}": deck for seat, deck in named.items()}
    if "seats" in said:
        found["seats"] = said["seats"].split()
    return config, GAME.setup(config, found, LINK)


def position(case: dict[str, Any]) -> State:
    """The State before the orders."""
    state: State = begun(case).state
    return state


def begun(case: dict[str, Any]) -> Step:
    """The State before the orders, and what happened last.

    It is an opening, with what ``[before]`` says written over it.
    """
    config, step = opened(case)
    before = case.get("before")
    if before is None:
        return step
    unknown = before.keys() - BEFORE
    assert not unknown, f"[before] does not know {unknown}"
    public: dict[str, Any] = GAME.encode(step.state).public
    values: dict[str, str] = {}
    sites = _sites(before, len(config.seats))
    _put_markers(public, values, before, sites)
    _put_cards(public, values, before, sites)
    _set_turn(public, before)
    state = GAME.decode(config, public, values)
    return _examining(state) if before.get("step") == "examine" else Step(state, ())


def _sites(before: dict[str, Any], players: int) -> dict[str, list[str]]:
    """Every site in words; what is not named has two markers of those that are left."""
    names = SITES[: PLACES[players]]
    said = {name: before[name] for name in names if name in before}
    assert before.keys() & set(SITES) == said.keys(), "there are not so many sites"
    shown = [value for words in said.values() for value in _lying(words)]
    shown += [value for words in before.get("won", {}).values() for value in _numbers(words)]
    shown += _numbers(before.get("reserve", ""))
    spare = iter(in_turns(_rest(MARKERS, shown)))
    return {name: said[name] if name in said else [f"{next(spare)} {next(spare)}"] for name in names}


def _lying(words: list[str]) -> list[int]:
    """The markers at a site, free ones and the one on a card."""
    free = [] if words == ["closed"] else _numbers(words[0])
    return free + [int(card.split(" with ")[1]) for card in words[1:] if " with " in card]


def _put_markers(
    public: dict[str, Any], values: dict[str, str], before: dict[str, Any], sites: dict[str, list[str]]
) -> None:
    """Sites, won markers and the reserve."""
    public["sites"] = [
        f"{name} closed" if words == ["closed"] else f"{name} free={words[0].replace(' ', ',')}"
        for name, words in sites.items()
    ]
    public["cards"] = [
        f"{name} {i + 1} {_card_row(card)}" for name, words in sites.items() for i, card in enumerate(words[1:])
    ]
    shown = [value for words in sites.values() for value in _lying(words)]
    shown += [value for words in before.get("won", {}).values() for value in _numbers(words)]
    left = in_turns(_rest(MARKERS, shown))
    reserve = _numbers(before["reserve"]) if "reserve" in before else left
    _rest(MARKERS, [*shown, *reserve])  # there must be so many
    public["reserve"], public["drawn"] = len(reserve), MARKERS.total() - len(reserve)
    for place, value in enumerate(reserve, public["drawn"]):
        values[f"{LINK}/reserve/{place:02d}"] = str(value)


def _card_row(card: str) -> str:
    """``blue dragon over 1 with 4`` as a row of the state has it."""
    return card.replace(" over ", " over=").replace(" with ", " marker=")


def _put_cards(
    public: dict[str, Any], values: dict[str, str], before: dict[str, Any], sites: dict[str, list[str]]
) -> None:
    """Each colour's cards: what was played was drawn first, then the hand, then the deck."""
    rows = []
    for seat in public["seats"]:
        lying = [card.split()[1] for words in sites.values() for card in words[1:] if card.split()[0] == seat]
        hand, deck, gone = _hand_and_deck(seat, lying, before)
        played = [*lying, *gone]
        for place, kind in enumerate([*played, *hand, *deck]):
            values[f"{LINK}/deck/{seat}/{place:02d}"] = kind
        cards = ",".join(f"{kind}:{played.count(kind)}" for kind in DECK if kind in played)
        won = before.get("won", {}).get(seat, "").replace(" ", ",")
        rows.append(f"{seat} deck={len(deck)} hand={len(hand)} played={cards or '-'} won={won or '-'}")
    public["colours"] = rows


def _hand_and_deck(seat: str, lying: list[str], before: dict[str, Any]) -> tuple[list[str], list[str], list[str]]:
    """Hand, deck, and what has left the game, of the twenty cards of a colour."""
    said = before.get("hands", {})
    left = _rest(DECK, lying)
    hand = said[seat].split() if seat in said else list(left.elements())[:5]
    left = _rest(left, hand)
    if seat not in before.get("decks", {}):
        return hand, list(left.elements()), []
    deck = before["decks"][seat].split()
    return hand, deck, list(_rest(left, deck).elements())


def _set_turn(public: dict[str, Any], before: dict[str, Any]) -> None:
    """Whose turn it is; at ``examine`` it is still that of the player before, to draw."""
    seats = public["seats"]
    turn = seats.index(before.get("turn", seats[0]))
    step = before.get("step", "second")
    assert step in ("examine", "second", "third"), step
    public["seat"] = seats[turn - 1] if step == "examine" else seats[turn]
    public["stage"] = "third" if step == "examine" else step
    public["turn"] = 10
    if "called" in before:
        public["caller"] = before["called"]


def _examining(state: State) -> Step:
    """The player before draws his last card of a turn, and the next turn begins."""
    seat = state.public.rules.seats[state.public.seat]
    return GAME.apply(state, seat, "draw", LINK)


def site_words(state: State, name: str) -> list[str]:
    """A site of the position as a case has it."""
    public = GAME.encode(state).public
    (row,) = [row for row in public["sites"] if row.split()[0] == name]
    first = "closed" if row.endswith("closed") else " ".join(sorted(row.split("=")[1].split(",")))
    cards = [row.split(" ", 2)[2] for row in public["cards"] if row.split()[0] == name]
    return [first, *(card.replace(" over=", " over ").replace(" marker=", " with ") for card in cards)]
