"""What an order means that leaves something out, and which names a question can still be about.

What lives here: ``complete`` and ``why_never``, for what players write; the list of legal orders
knows nothing of them.
Source: GW-3, GW-11, GW-30; docs/NOTATION.md.
"""

from pbem.engine.great_wall.parts import NAMES
from pbem.engine.great_wall.state import Public, View


def complete(view: View, line: str) -> str:
    """The one ``take`` that agrees with what this line says; the line itself if there is not one.

    ``take S1 7`` with one card in play, ``take S1 on 3`` with equal markers. Which cards to play,
    and where, is never filled in.
    """
    public = view.public
    if public.site < 0 or public.asked.seat != view.seat or line in public.asked.lines:
        return line
    start = f"take {NAMES[public.site]}"
    if line.startswith(f"{start} on "):
        card = line[len(start) :]
        meant = [order for order in public.asked.lines if order.endswith(card)]
    elif line == start or line.startswith(f"{start} "):
        meant = [order for order in public.asked.lines if order.startswith(f"{line} ")]
    else:
        meant = []
    return meant[0] if len(meant) == 1 else line


def why_never(public: Public, name: str) -> str:
    """Why no question can be about this name any more; "" if one can. Only markers are asked for.

    A site that is closed stays so (GW-3).
    """
    if any(question.about == name for question in public.asked.questions):
        return ""
    names = NAMES[: len(public.sites)]
    if name not in names:
        return f"there is no {name} in this game: its sites are {names[0]} to {names[-1]}"
    if public.stage == "over":
        return "the game is over"
    if not public.sites[NAMES.index(name)].free:
        return f"{name} is closed: no marker is to be taken there any more"
    return ""
