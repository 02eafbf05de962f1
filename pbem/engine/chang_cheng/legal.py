"""The legal orders of a seat, and why another order is refused.

Law: ``check(view, line) is None`` exactly when ``line in legal(view)``: both read ``Public.asked``.
Source: CC-10 to CC-31.
"""

from pbem.engine.chang_cheng import card, double, neutral, tower, wall
from pbem.engine.chang_cheng.parts import KINDS, MANDARIN
from pbem.engine.chang_cheng.spelling import spell
from pbem.engine.chang_cheng.state import Public, View
from pbem.engine.decision import Refusal

PIECES = {"wall": wall.refused, "double": double.refused, "tower": tower.refused}
#: by kind of question: what it wants
OTHER = {
    "board": "the question is where the new board goes: `board left` or `board right`",
    "neutral": "the question is where the neutral wall goes: one of the squares listed, or none",
    "colour": "the question is which colour you play: one that is listed",
}
_NO_ORDER = Refusal("CC-10", "it is no order of this game")


def legal(view: View) -> tuple[str, ...]:
    """Every legal order of the View's seat; none if it is not asked."""
    public = view.public
    asked = public.asked
    if view.seat is None or asked.seat != view.seat:
        return ()
    if asked.lines:
        return asked.lines
    return public.layout.listed(asked.can, view.hands[public.colour] or 0)


def check(view: View, line: str) -> Refusal | None:
    """Why the View's seat may not give this order (any text) now; None if it is legal."""
    if view.seat is None:
        return _not_asked(view.public)
    return refused(view.public, view.seat, view.hand(), line)


def fits(view: View, line: str) -> bool:
    """Whether a line is of the sort that the question put to the View's seat wants.

    A second step is a wall or a card: a tower kept for the next turn is no answer to it.
    """
    public = view.public
    if view.seat is None or public.asked.seat != view.seat:
        return False
    word = line.split(" ", 1)[0]
    if public.stage == "action":
        return word in ("wall", "card", "double", "tower", "pass")
    if public.stage == "second":
        return word == "wall" or (word == "card" and public.first == "card")
    return word == public.asked.questions[0].kind or line in public.asked.lines


def refused(public: Public, seat: int, hand: int, line: str) -> Refusal | None:
    """Why not, from what all see and the seat's own hand.

    The second look before an order is carried out comes here too: one check, and no View is built
    for it.
    """
    asked = public.asked
    if asked.seat != seat:
        return _not_asked(public)
    if asked.lines:
        return None if line in asked.lines else _other_question(public, line)
    order = public.layout.order(line)
    if order is None:
        return _not_placing(public, line)
    word, numbers = order
    if word == "card":
        return card.refused(public, numbers, hand)
    return PIECES[word](public, numbers)


def _not_asked(public: Public) -> Refusal:
    if public.stage == "over":
        return Refusal(public.ended_by, "the game is over")
    return Refusal(
        "CC-13", f"the game waits for {public.rules.seats[public.asked.seat]}, not for you"
    )


def _not_placing(public: Public, line: str) -> Refusal:
    """An order that places nothing, or nothing on this wall; or any other text."""
    spelt = _spelt(line)
    if spelt != line:
        return _NO_ORDER if spelt is None else Refusal("CC-10", f"it is spelt `{spelt}`")
    if line == "pass":
        return Refusal("CC-12", "you cannot pass while anything can be done")
    word, *names = line.split()
    for name in names:
        if name[:1].isupper() and not _on_wall(public, name):
            return Refusal("CC-2", f"there is no {name} on the wall (it has {_extent(public)})")
    if word == "double":
        text = f"{names[0]} and {names[1]} are not neighbours, the left one first"
        return Refusal("CC-10", text)
    if word == "tower":
        return Refusal("CC-15", f"{names[-1]} is not beside {names[0]}")
    text = f"`{word}` answers another question: now it is about your action"
    return Refusal("CC-10", text)


def _spelt(line: str) -> str | None:
    """The order that a text is; None if it is none, for ``check`` is asked about any text."""
    return spell(tuple(line.lower().split()))


def _on_wall(public: Public, name: str) -> bool:
    layout = public.layout
    return any(
        name in names for names in (layout.number, layout.province_number, layout.region_number)
    )


def _extent(public: Public) -> str:
    sizes = [(placed.letter, sum(placed.board.provinces)) for placed in public.layout.placed]
    return ", ".join(f"{letter}1 to {letter}{size}" for letter, size in sizes)


def _other_question(public: Public, line: str) -> Refusal:
    """Another order than the few that answer the question."""
    question = public.asked.questions[0]
    if question.kind in OTHER:
        return neutral.why_not(public, line) or Refusal(question.ruling, OTHER[question.kind])
    if public.asked.lines == ("pass",):
        return Refusal("CC-12", "nothing can be placed any more: `pass` is all that is left")
    if line.partition(" ")[0] != question.kind:
        text = f"the question is about your {question.kind} in {question.about}"
        return Refusal(question.ruling, text)
    if question.kind == KINDS[MANDARIN]:
        text = (
            f"it swaps an unbroken single wall of {question.about} with another, or `mandarin none`"
        )
        return Refusal("CC-26", text)
    if _spelt(line) is None:
        return _NO_ORDER
    return Refusal(question.ruling, f"`{line}` is not possible in {question.about}")
