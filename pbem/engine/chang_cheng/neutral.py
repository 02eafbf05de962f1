"""``neutral A5``, ``neutral none``: the neutral wall after an action, for two players.

Source: CC-17, CC-28, CC-60.
"""

from pbem.engine.chang_cheng import sentences
from pbem.engine.chang_cheng.layout import NEUTRAL, members
from pbem.engine.chang_cheng.placing import free_squares, look
from pbem.engine.chang_cheng.refusals import refusal, square_refused
from pbem.engine.chang_cheng.state import Draft, Near, Play, Public
from pbem.engine.decision import Refusal
from pbem.engine.event import plain_event
from pbem.engine.table import put


def neutral_squares(public: Public) -> int:
    """Where it may go now, as a set: free, reserved by no tower, and where the action allows it."""
    near = public.neutral
    if near is None or not public.supply(public.rules.neutral):
        return 0
    there = 0
    for province in members(near.provinces):
        there |= public.layout.province_set[province]
    free = free_squares(public)
    return free & there if near.inside else free & ~there


def neutral_choices(public: Public) -> tuple[str, ...]:
    """``neutral none`` and a line for each square."""
    names = public.layout.squares
    return (
        "neutral none",
        *(f"neutral {names[square]}" for square in members(neutral_squares(public))),
    )


def why_no_neutral(public: Public, line: str) -> Refusal | None:
    """Why no neutral wall may go there now; None where the line names no square of this wall."""
    word, _, name = line.partition(" ")
    square, near = public.layout.number.get(name), public.neutral
    if word != NEUTRAL or square is None or near is None:
        return None
    taken = square_refused(public, square, for_wall_of=None)
    if taken is not None:
        return taken
    names = public.layout.provinces
    used = " or ".join(names[province] for province in members(near.provinces))
    text = sentences.NEUTRAL_INSIDE if near.inside else sentences.NEUTRAL_OUTSIDE
    here = names[public.layout.province_of[square]]
    return refusal("CC-60", text, square=name, here=here, used=used)


def near_to(table: Draft, word: str, numbers: tuple[int, ...]) -> None:
    """A step of the action says where the neutral wall may go.

    To be called while ``table.first`` still tells whether a card came before a wall.
    """
    whose = table.layout.province_of
    provinces = 1 << numbers[1] if word == "card" else 0
    for square in () if word == "card" else numbers:
        provinces |= 1 << whose[square]
    inside = word in ("wall", "card")
    if word == "wall" and table.stage == "second" and table.first == "card":
        inside = table.rules.edition.neutral_with_wall
    used = table.neutral.provinces if table.neutral is not None else 0
    table.neutral = Near(inside, used | provinces)


def place_neutral(play: Play, words: list[str]) -> tuple[int, ...]:
    """Place it, or decline. Gives the squares that are filled now: one or none."""
    table = play.table
    table.neutral = None
    seat = table.rules.seats[table.seat]
    if words[1] == "none":
        play.log.append(plain_event("neutral-none", "CC-60", (("seat", seat),)))
        return ()
    square, colour = table.layout.number[words[1]], table.rules.neutral
    table.single = put(table.single, colour, table.single[colour] | 1 << square)
    table.taken |= 1 << square
    table.skips = 0  # CC-41: something was placed
    play.log.append(plain_event("neutral", "CC-60", (("seat", seat), ("square", words[1]))))
    look(play, (square,))
    return (square,)
