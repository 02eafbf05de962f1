"""Judging a case of any game: its orders are played, and what may be ordered then is looked at.

What lives here: the parts of a case that every game has. Not allowed here: a rule of one
game, or how its board looks.
"""

from typing import TYPE_CHECKING, Any

from pbem.engine.decision import Step

from .in_words import told as told_of
from .under_laws import Held

if TYPE_CHECKING:
    from pbem.engine.game import Game


def played(game: "Game", begun: Step, orders: Any, link: int, held: Held | None = None) -> tuple[Any, str]:
    """The position after ``orders``, the first made in ``link``, and all that everybody was told.

    ``begun`` is the position before them, with what happened last; ``held`` holds every step to
    the laws.

    AssertionError where an order is not legal, or somebody else is asked.
    """
    state = begun.state
    told = [told_of(game, happened, game.view(state, None)) for happened in begun.events]
    for number, (seat, line) in enumerate(orders):
        asked = game.questions(game.view(state, None))
        assert asked, f"{line!r}: the game is over"
        assert asked[0].seat == seat, f"{line!r}: {asked[0]} is asked"
        refusal = game.check(game.view(state, seat), line)
        assert refusal is None, f"{seat}: {line!r} is refused: {refusal}"
        step = game.apply(state, seat, line, link + number)
        if held is not None:
            held.step(state, step)
        state = step.state
        told += [told_of(game, happened, game.view(state, None)) for happened in step.events]
    return state, "\n".join(told)


def judge_orders(game: "Game", state: Any, case: dict[str, Any]) -> None:
    """``refused``, ``legal``, ``not_legal``, ``only``, ``means``, ``default``."""
    for seat, line, ruling, *words in case.get("refused", ()):
        refusal = game.check(game.view(state, seat), line)
        assert refusal is not None, f"{seat}: {line!r} is not refused"
        assert refusal.ruling == ruling, f"{line!r} is refused by {refusal}"
        assert all(word in str(refusal.sentence) for word in words), refusal
    for seat, lines in case.get("only", {}).items():
        assert sorted(game.legal(game.view(state, seat))) == sorted(lines), seat
    for seat, lines in case.get("legal", {}).items():
        legal = game.legal(game.view(state, seat))
        missing = [line for line in lines if line not in legal and not _starts(legal, line)]
        assert not missing, f"not legal for {seat}: {missing}"
    for seat, lines in case.get("not_legal", {}).items():
        legal = game.legal(game.view(state, seat))
        wrong = [line for line in lines if line in legal or _starts(legal, line)]
        assert not wrong, f"legal for {seat}: {wrong}"
    for seat, line, meant in case.get("means", ()):
        assert game.complete(game.view(state, seat), line) == meant
    for seat, line in case.get("default", {}).items():
        assert game.default(game.view(state, seat)) == line


def _starts(legal: tuple[str, ...], line: str) -> bool:
    """``card …`` stands for every order that begins so."""
    return line.endswith(" …") and any(order.startswith(line[:-1]) for order in legal)
