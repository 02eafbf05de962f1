"""What is asked, in words, as the seat may hear it; and what the first report of a game says.

Law: a question is made of a View; nothing else is within reach. Sentences about events: telling.py.
"""

from typing import Any

from pbem.engine.chang_cheng.foreseeing import foresee
from pbem.engine.chang_cheng.legal import legal
from pbem.engine.chang_cheng.parts import KINDS
from pbem.engine.chang_cheng.state import View


def ask(view: View) -> dict[str, Any]:
    """The question for the View's seat: a sentence, choices grouped by their word, an example."""
    lines = legal(view)
    if not lines:
        return {}
    heading = "A QUESTION FOR YOU." if view.public.stage == "card" else "YOUR TURN."
    return {
        "heading": heading,
        "text": _question(view),
        "choices": _choices(lines),
        "example": _example(view, lines),
        "hint": _hint(view),
    }


def _choices(lines: tuple[str, ...]) -> list[str]:
    """The legal orders in groups: ``wall: A5 A7 B2``, ``card flood: AP1 AP2``."""
    groups: dict[str, list[str]] = {}
    towers: dict[str, list[str]] = {}
    for line in lines:
        words = line.split()
        if len(words) == 4:  # tower A5 reserve A6
            towers.setdefault(words[1], []).append(words[3])
        elif words[0] == "card" or (words[0] == "traitor" and len(words) == 3):
            groups.setdefault(" ".join(words[:2]), []).append(words[2])
        else:
            groups.setdefault(words[0], []).append(" ".join(words[1:]))
    shown = [_group(word, rests) for word, rests in groups.items()]
    if towers:
        wheres = ", ".join(f"{square} ({' or '.join(beside)})" for square, beside in towers.items())
        shown.append(f"tower … reserve …: {wheres}")
    return shown


def _group(word: str, rests: list[str]) -> str:
    between = ", " if any(" " in rest for rest in rests) else " "
    return f"{word}: {between.join(rests)}" if rests != [""] else word


def _question(view: View) -> str:
    public = view.public
    if public.stage == "board":
        return f"On which side does the new board ({public.box[0].id}) go, left or right?"
    if public.stage == "card" and public.scoring is not None:
        kind = KINDS[public.scoring.cards[0][0]]
        kind = kind.replace("-", " ")
        return (
            f"Your {kind} in {public.layout.provinces[public.scoring.province]}: what does it do?"
        )
    if public.stage == "second":
        here = public.layout.provinces[public.where]
        if public.first == "wall":
            return f"Your second wall: where, outside {here}?"
        return f"After your card in {here}: a wall in {here}, or a second card in another province?"
    if public.turns == 1:
        return "You begin the game, with one single wall: where?"
    can = public.asked.can
    if can.complete:
        return "One action, please."
    return "No action can be completed any more: do what can still be done of one."


def _hint(view: View) -> str:
    if (
        view.public.stage != "action"
        or view.public.turns == 1
        or not view.public.asked.can.complete
    ):
        return ""
    return (
        "An action is two walls in two provinces; or two cards in two provinces; or a card and "
        "then a wall in the same province; or the double wall; or the tower. Two orders, two lines."
    )


def _example(view: View, lines: tuple[str, ...]) -> list[str]:
    """One legal answer to copy; with a second line where the turn wants one."""
    first = lines[0]
    after = foresee(view, first) if view.public.stage == "action" else None
    if after is None or after.public.stage != "second":
        return [first]
    following = legal(after)
    return [first, following[0]] if following else [first]


NOTICES = (
    (
        "The boards, and how many counters there are of each value, are not the publisher's: the "
        "rulebooks' text does not give them, so they are inferred (docs/BOARDS.md)."
    ),
    (
        "What the rulebooks leave open is decided by house rulings, marked [R] in "
        "`pbem rules chang-cheng`; among them: scores may go below 0 (CC-4), a game in which "
        "everybody must skip ends (CC-41)."
    ),
)
