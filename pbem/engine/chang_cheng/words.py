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
    groups: dict[str, list[str]] = {}
    for line in lines:
        head, rest = _grouped(line)
        groups.setdefault(head, []).append(rest)
    choices = [
        {"word": word, "rests": [rest for rest in rests if rest]} for word, rests in groups.items()
    ]
    return {
        "text": _question(view),
        "choices": choices,
        "example": _example(view, lines),
        "hint": _hint(view),
    }


def _grouped(line: str) -> tuple[str, str]:
    """``card flood AP2`` goes under ``card flood``, ``wall A5`` under ``wall``."""
    words = line.split()
    if words[0] == "card" or (words[0] == "traitor" and len(words) == 3):
        return " ".join(words[:2]), " ".join(words[2:])
    if words[0] == "tower" and len(words) == 4:
        return "tower", f"{words[1]} reserve {words[3]}"
    return words[0], " ".join(words[1:])


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
        return "It is your turn: one action."
    return "It is your turn. No action can be completed any more: do what can still be done of one."


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
