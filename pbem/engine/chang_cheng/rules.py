"""How one game is played: its options as the switches that rules read.

What lives here: making ``Rules`` from the settled options and from what was drawn.
Source: CC-1, CC-60, CC-61, R-3.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pbem.engine.chang_cheng.box import board_text, boards_allowed, counters_of
from pbem.engine.chang_cheng.editions import edition_of
from pbem.engine.chang_cheng.layout import KINDS, NEUTRAL, NEUTRALS, SINGLES, members
from pbem.engine.chang_cheng.state import Rules
from pbem.engine.settings import Config

if TYPE_CHECKING:
    from pbem.engine.chang_cheng.state import State


def slot_words(public: Mapping[str, Any], slot: str) -> str:
    """``the threat counter of AM1``, ``red's card in AP2``; by the position's own rows."""
    maker, _, rest = slot.partition("/")
    kind, _, place = rest.rpartition("/")
    number = int(place) if re.fullmatch("[0-9]{1,4}", place) else 0
    if kind == "threat":
        rows = (str(row).split(" ") for row in public.get("regions", ()))
        where = [row[0] for row in rows if row[-1] == str(number)]
        if where:
            return f"the threat counter of {where[0]}"
        return f"threat counter {number + 1} of the pile"
    if kind == "reputation":
        provinces = [str(row).split(" ")[0] for row in public.get("provinces", ())]
        if number < len(provinces):
            return f"the counter of {provinces[number]}"
        return f"reputation counter {number + 1} of the pile"
    if kind == "card":
        for row in public.get("cards", ()):
            found = str(row).split(" ")
            if found[0] == slot:
                return f"{found[1]}'s card in {found[-1]}"
        return f"a card laid in state {maker}"
    return ""


def piles_now(state: "State") -> dict[str, tuple[str, ...]]:
    """What both piles hold, hidden or turned up; the boards, on the table and in the box; each
    colour's cards, in hand, lying or out.

    Secrecy: the moderator's alone.
    """
    public = state.public
    found = {
        "threat": tuple(str(value) for value in state.threat),
        "reputation": tuple(str(value) for value in state.reputation),
        "box of boards": tuple(
            board_text(board) for board in (*(p.board for p in public.layout.placed), *public.box)
        ),
    }
    for colour, name in enumerate(public.rules.colours):
        lying = [
            KINDS[kind or 0]
            for card, kind in zip(public.cards, state.kinds, strict=True)
            if card.colour == colour
        ]
        hand = state.hands[colour] or 0
        cards = [*lying, *(KINDS[kind] for kind in members(hand | public.out[colour]))]
        wrong = abs(hand.bit_count() - public.held[colour])  # a card that lies twice, say
        found[f"{name}'s cards"] = (*cards, *["?"] * wrong)
    return found


@lru_cache(maxsize=64)
def rules_of(config: Config, seats: tuple[str, ...], events: str, dealt: int) -> Rules:
    """The Rules of a game with its seats in turn order, and its events as drawn."""
    own = [own_colours(config, seat) for seat in seats]
    owner = [seat for seat, colours in zip(seats, own, strict=True) for _ in colours]
    colours = [colour for some in own for colour in some]
    walls = [SINGLES] * len(colours)
    neutral = -1
    if config.option("variant") == NEUTRAL:
        neutral = len(colours)
        colours, owner, walls = [*colours, NEUTRAL], [*owner, ""], [*walls, NEUTRALS]
    seat_of = tuple(seats.index(name) if name else -1 for name in owner)
    reputation, threat = counters_of(config.option("counters"))
    return Rules(
        seats=seats,
        colours=tuple(colours),
        seat_of=seat_of,
        owner=tuple(owner),
        own=tuple(tuple(c for c, s in enumerate(seat_of) if s == i) for i in range(len(seats))),
        blank=(None,) * len(colours),
        walls=tuple(walls),
        neutral=neutral,
        boards=boards_allowed(len(seats)),
        dealt=dealt,
        edition=edition_of(config.option("edition"), config.rulings),
        events=events,
        reputation=reputation,
        threat=threat,
    )


def own_colours(config: Config, seat: str) -> tuple[str, ...]:
    """The colours of a seat, the one it is named by first (CC-61)."""
    for pair in config.option("pairs").split(","):
        names = pair.split("+")
        if seat in names:
            return (seat, *(name for name in names if name != seat))
    return (seat,)


def events_of(config: Config, deal: Mapping[str, Sequence[str]]) -> str:
    """The letters of the events in play, chosen or drawn."""
    text = config.option("events")
    if text.startswith("drawn-"):
        return "".join(sorted(deal["events"][: int(text[-1])]))
    return "" if text in ("", "none") else text.replace(",", "")
