"""Is what lies on the table made of what is in the box? For corrections and their audit alone.

What lives here: ``misfit``. What must never be here: a rule of play; a hidden value: all that is
looked at is public, and so is what is said of it.
Source: CC-1, CC-3, CC-6, CC-10, CC-17, CC-18, CC-60; found by a review: every region was corrected
to one and the same threat counter, and a colour to more walls than it has.
"""

from typing import TYPE_CHECKING

from pbem.engine.chang_cheng.layout import LETTERS, Layout
from pbem.engine.chang_cheng.parts import members

if TYPE_CHECKING:
    from pbem.engine.chang_cheng.state import Public, State


def misfit(state: "State") -> str:
    """What on the table cannot have come out of the box, in words; "" if all can."""
    public = state.public
    return _boards(public.layout) or _pieces(public) or _regions(public) or _looked(public)


def _boards(layout: Layout) -> str:
    letters = sorted(placed.letter for placed in layout.placed)
    right = letters == list(LETTERS[: len(letters)])  # a board gets the next letter when it joins
    return "" if right else f"the boards would be lettered {', '.join(letters)}"


def _pieces(public: "Public") -> str:
    for colour, name in enumerate(public.rules.colours):
        if public.supply(colour) < 0:
            walls, lying = public.rules.walls[colour], public.single[colour].bit_count()
            return f"{name} has {walls} single walls, and {lying} would lie there"
        tower, double = public.tower[colour], public.double[colour]
        if public.rules.neutral == colour and tower | double:
            return f"{name} has neither tower nor double wall, and one would lie there"
        if tower.bit_count() > 1:
            return f"{name} has one tower, and {tower.bit_count()} would stand there"
        if double and (double.bit_count() != 2 or not double & double << 1):
            return f"{name} has one double wall, on two squares side by side"
    return ""


def _regions(public: "Public") -> str:
    """A counter is drawn for its region and never goes to another; it may be gone (CC-3, CC-24)."""
    names = public.layout.regions
    drawn = sorted(range(len(names)), key=lambda i: (names[i][0], i))  # by letter, as they joined
    for place, region in enumerate(drawn):
        if public.threat[region] not in (place, -1):
            return f"region {names[region]} has the counter drawn for it ({place}), or none (gone)"
    return ""


def _looked(public: "Public") -> str:
    drawn = len(public.layout.regions)
    for seat, mask in zip(public.rules.seats, public.looked, strict=True):
        if mask >> drawn:
            place = members(mask)[-1]
            return f"{seat} cannot have looked at counter {place}: {drawn} are drawn, from 0 on"
    return ""
