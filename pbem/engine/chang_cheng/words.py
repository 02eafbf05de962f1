"""What is asked, in words, as the seat may hear it.

Law: a question is made of a View; nothing else is within reach. Sentences about events:
event_text.py.
"""

from typing import Any

from pbem.engine.chang_cheng.layout import KINDS
from pbem.engine.chang_cheng.legal import legal
from pbem.engine.chang_cheng.state import View
from pbem.engine.chang_cheng.turn import foresee


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


QUESTIONS = {
    "board": "On which side does the new board ({board}) go, left or right?",
    "neutral": "A neutral wall after your action: where, or none?",
    "colour": "Which of your colours do you play this turn?",
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
    if public.stage in QUESTIONS:
        return QUESTIONS[public.stage].format(board=public.box[0].id if public.box else "")
    if public.stage == "card" and public.scoring is not None:
        kind = KINDS[public.scoring.cards[0][0]]
        where = public.layout.provinces[public.scoring.province]
        return f"Your {kind} in {where}: what does it do?"
    if public.stage == "second":
        here = public.layout.provinces[public.where]
        if public.first == "wall":
            return f"Your second wall: where, outside {here}?"
        return f"After your card in {here}: a wall in {here}, or a second card in another province?"
    if public.turns == 1:
        return "You begin the game, with one single wall: where?"
    colour = public.rules.colours[public.colour]
    played = f" with {colour}" if len(public.rules.own[public.seat]) > 1 else ""
    if public.asked.can.complete:
        return f"One action{played}, please."
    return f"No action can be completed any more{played}: do what can still be done of one."


def _hint(view: View) -> str:
    stage, public = view.public.stage, view.public
    if stage == "colour":
        return "First the colour, then the action with it, each on its own line."
    if stage != "action" or public.turns == 1 or not public.asked.can.complete:
        return ""
    return (
        "An action is two walls in two provinces; or two cards in two provinces; or a card and "
        "then a wall in the same province; or the double wall; or the tower. Two orders, two lines."
    )


def _example(view: View, lines: tuple[str, ...]) -> list[str]:
    """One legal answer to copy; with the lines that follow where the turn wants some."""
    answer, seen = [lines[0]], view
    while seen.public.stage in ("colour", "action"):
        after = foresee(seen, answer[-1])
        if after is None or after.public.stage not in ("action", "second") or not legal(after):
            break
        if after.public.turns != view.public.turns:
            break
        answer, seen = [*answer, legal(after)[0]], after
    return answer
