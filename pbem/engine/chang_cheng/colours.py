"""``colour blue``: which of his two colours a player plays this turn.

Source: CC-12, CC-61.
"""

from pbem.engine.chang_cheng.placing import first_step
from pbem.engine.chang_cheng.state import Play, Public
from pbem.engine.event import plain_event


def choices(public: Public) -> tuple[str, ...]:
    """The colours that can act: completely, if either can; with neither, ``pass`` alone."""
    own = public.rules.own[public.seat]
    can = [first_step(public, colour) for colour in own]
    complete = any(possible.complete for possible in can)
    able = [
        colour
        for colour, possible in zip(own, can, strict=True)
        if possible.count(public.held[colour]) and possible.complete >= complete
    ]
    return tuple(f"colour {public.rules.colours[colour]}" for colour in able) or ("pass",)


def do(play: Play, words: list[str]) -> None:
    """The action that follows is this colour's."""
    table = play.table
    table.colour = table.rules.colours.index(words[1])
    table.stage = "action"
    facts = (("seat", table.rules.seats[table.seat]), ("colour", words[1]))
    play.log.append(plain_event("colour", "CC-61", facts))
