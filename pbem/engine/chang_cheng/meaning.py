"""What an order means that leaves a default out, and which names a question can still be about.

What lives here: ``complete`` and ``why_never``, for what players write; the list of legal orders
knows nothing of them.
Source: CC-10, CC-15, CC-26; docs/NOTATION.md.
"""

from pbem.engine.chang_cheng.layout import LETTERS
from pbem.engine.chang_cheng.legal import check
from pbem.engine.chang_cheng.possible import free_squares
from pbem.engine.chang_cheng.state import Public, View


def complete(view: View, line: str) -> str:
    """The legal line that this one stands for; the line itself if it stands for none."""
    meant = _meant(view.public, line)
    return meant if meant != line and check(view, meant) is None else line


def _meant(public: Public, line: str) -> str:
    """The same with its default, or with its names in the order that the list has."""
    word, *names = line.split(" ")
    if word in ("double", "mandarin") and len(names) == 2 and _other_way(public, line):
        return f"{word} {names[1]} {names[0]}"
    return _tower(public, line) if word == "tower" else line


def _other_way(public: Public, line: str) -> bool:
    """Whether the names may stand the other way round: as they are they mean nothing."""
    return line not in public.asked.lines and public.layout.order(line) is None


def _tower(public: Public, line: str) -> str:
    """CC-15: it keeps the square on its right; where there is no choice none is named."""
    layout = public.layout
    order = layout.order(line)
    if order is None:
        return line
    square, *kept = order[1]
    choosing = public.asked.can.choosing >> square & 1
    if not kept:
        return layout.reserving(square, 1) if choosing else line
    beside = (1 << square << 1 | 1 << square >> 1) & free_squares(public)
    if not choosing and beside == 1 << kept[0] and public.supply(public.colour):
        return f"tower {layout.squares[square]}"
    return line


def why_never(public: Public, name: str) -> str:
    """Why no question can be about this name any more; "" if one can."""
    if any(question.about == name for question in public.asked.questions):
        return ""
    layout = public.layout
    if name in layout.number or name in layout.region_number:
        return f"no card resolves on {name}: a place to wait for is a province, such as AP2"
    province = layout.province_number.get(name)
    if province is None:
        return "" if name in _to_come(public) else f"there is no {name}, and none can come"
    scoring = public.scoring
    waits = province in public.queue or (scoring is not None and scoring.province == province)
    if public.scored >> province & 1 and not waits:
        return f"{name} is scored already: no card resolves there any more"
    return ""


def _to_come(public: Public) -> set[str]:
    """The provinces of the boards that can still join (CC-30), which all know (CC-6)."""
    here = len(public.layout.placed)
    coming = public.box[: max(0, public.rules.boards - here)]
    return {
        f"{letter}P{number + 1}"
        for letter, board in zip(LETTERS[here:], coming, strict=False)
        for number in range(len(board.provinces))
    }
