"""The question, as the seat may hear it.

Law: a question is made of a View; nothing else is within reach. Rows about events: rows.py; the
sentences are in templates/chang-cheng/words.txt.
"""

from typing import Any

from pbem.engine.chang_cheng.layout import KINDS, MANDARIN
from pbem.engine.chang_cheng.legal import legal
from pbem.engine.chang_cheng.state import View
from pbem.engine.chang_cheng.turn import foresee
from pbem.engine.row import Asking, Choice, Row


def ask(view: View) -> Asking | None:
    """The question for the View's seat: choices grouped by their word, an example."""
    lines = legal(view)
    if not lines:
        return None
    kind, facts = _question(view)
    return Asking(kind, facts, _choices(lines), _example(view, lines), _hint(view, kind))


def _choices(lines: tuple[str, ...]) -> tuple[Choice, ...]:
    """The legal orders in groups: ``wall``: ``A5``, ``A7``; ``card flood``: ``AP1``, ``AP2``."""
    groups: dict[str, list[str]] = {}
    for line in lines:
        words = line.split()
        two = words[0] == "card" or (words[0] == "traitor" and len(words) == 3)
        begins = " ".join(words[: 2 if two else 1])
        groups.setdefault(begins, []).append(line[len(begins) :].strip())
    return tuple(Choice(begins, tuple(rest)) for begins, rest in groups.items())


def _question(view: View) -> tuple[str, dict[str, Any]]:
    """The kind of the question, and its facts."""
    public = view.public
    if public.stage == "card" and public.scoring is not None:
        where = public.layout.provinces[public.scoring.province]
        elsewhere = public.rules.edition.swap_elsewhere
        kind, number = public.scoring.cards[0]
        facts: dict[str, Any] = {"province": where, "colour": played_as(view, number)}
        facts |= {"elsewhere": elsewhere} if kind == MANDARIN else {}
        return KINDS[kind].replace("-", "_"), facts
    if public.stage in ("neutral", "colour"):
        return public.stage, {}
    if public.stage == "board":
        return "board", {"board": public.box[0].id}
    colour = played_as(view, public.colour)
    if public.stage == "second":
        here = public.layout.provinces[public.where]
        return f"second_after_{public.first}", {"province": here, "colour": colour}
    if public.turns == 1:
        return "first_turn", {"colour": colour}
    return "action" if public.asked.can.complete else "incomplete_action", {"colour": colour}


def played_as(view: View, colour: int) -> str:
    """The colour's name, where its seat has two (CC-61); "" where it has one."""
    rules = view.public.rules
    return rules.colours[colour] if len(rules.own[0]) > 1 else ""


def _hint(view: View, kind: str) -> Row | None:
    """What is to be known before one can choose."""
    if view.public.stage == "card":
        return Row(kind, _question(view)[1])
    return Row(kind) if kind in ("action", "colour") else None


def _example(view: View, lines: tuple[str, ...]) -> tuple[str, ...]:
    """One legal answer to copy; with the lines that follow where the turn wants some."""
    answer, seen = [lines[0]], view
    while seen.public.stage in ("colour", "action"):
        after = foresee(seen, answer[-1])
        if after is None or after.public.stage not in ("action", "second") or not legal(after):
            break
        if after.public.turns != view.public.turns:
            break
        answer, seen = [*answer, legal(after)[0]], after
    return tuple(answer)
