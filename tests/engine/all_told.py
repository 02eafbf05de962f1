"""All that players are told in some cases, as one text to be read by people; of any game.

Reading its diff is how a change of wording is looked at. Beside the words stand the facts of each
event as a state file has them, and how orders are refused.
What lives here: the text of one case. Which cases: told_chang_cheng.py, told_great_wall.py.
"""

from collections.abc import Iterator
from typing import Any

from .in_words import in_words, told


def case_told(game: Any, title: str, case: dict[str, Any], step: Any, link: int) -> Iterator[str]:
    """One case: what each order brings, and the position after the last of them."""
    state = step.state
    yield from ("", f"==== {title}", *_events(game, step.events, state))
    for number, (seat, line) in enumerate(case.get("orders", ())):
        yield from ("", f"-- {seat}: {line}", *_question(game, state, seat))
        step = game.apply(state, seat, line, link + number)
        state = step.state
        yield from _events(game, step.events, state)
    view = game.view(state, None)
    yield from ("", f"-- the table in turn {game.turn(view)}", *_described(game, state, None))
    for question in game.questions(view):
        yield from _question(game, state, question.seat)
        yield from _described(game, state, question.seat)
        yield from _by_default(game, game.view(state, question.seat), question.seat)
    for seat in state.public.rules.seats:
        for one in game.soon(game.view(state, seat)):
            yield f"{seat} soon: {one.name}: {in_words(game, 'soon', one.row)} {', '.join(one.orders)}"


def refused(game: Any, title: str, case: dict[str, Any], state: Any) -> Iterator[str]:
    """How each order is refused that the case refuses."""
    for seat, line, *_ in case.get("refused", ()):
        refusal = game.check(game.view(state, seat), line)
        yield f"{title}: {seat}: {line}: {refusal.sentence} ({refusal.ruling})"


def _events(game: Any, events: Any, state: Any) -> Iterator[str]:
    """What all hear of each event; and a seat, where it hears more; and the bare facts."""
    for happened in events:
        heard = told(game, happened, game.view(state, None))
        yield f"all ({happened.ruling}): {heard}"
        for seat in state.public.rules.seats:
            more = told(game, happened, game.view(state, seat))
            if more != heard:
                yield f"{seat}: {more}"
        yield f"    {happened.row()}"


def _question(game: Any, state: Any, seat: str) -> Iterator[str]:
    """The question in words, and what it is about."""
    view = game.view(state, seat)
    for one in game.questions(view):
        yield f"question: {' '.join(str(part) for part in one)}"
    asked = game.ask(view)
    if asked is not None:
        yield f"{seat} is asked: {in_words(game, 'question', asked)}"
        yield from (f"{seat} may: {one.order}: {', '.join(one.rest)}" for one in asked.choices)
        yield f"{seat} for example: {'; '.join(asked.example)}"
        if asked.hint is not None:
            yield f"{seat} hint: {in_words(game, 'hint', asked.hint)}"


def _by_default(game: Any, view: Any, seat: str) -> Iterator[str]:
    """The order for a missed turn, and what its seat can tell of the position after it."""
    line = game.default(view)
    yield f"{seat} by default: {line}"
    after = game.foresee(view, line)
    if after is None:
        yield f"{seat} then: nobody at this seat can tell"
        return
    for question in game.questions(after):
        yield f"{seat} then: {' '.join(str(part) for part in question)}"
    yield f"{seat} then: {', '.join(card['kind'] for card in game.describe(after)['hand'])}"
    yield f"{seat} then: {game.scores(after)}, {len(game.legal(after))} orders of his own"


def _described(game: Any, state: Any, seat: str | None) -> Iterator[str]:
    """What a report's template gets; of the board only what others do not see."""
    public, own = (game.describe(game.view(state, one)) for one in (None, seat))
    seen = () if seat is None else game.board_text(public)
    yield from _rows(seat or "all", "board", [x for x in game.board_text(own) if x not in seen])
    for name, value in own.items():
        if value != public[name]:
            yield from _rows(f"{seat}", name, value)


def _rows(seat: str, name: str, value: Any) -> list[str]:
    """A line for each thing: ``blue hand: kind=wall, text=counts 1``."""
    rows = value if isinstance(value, list | tuple) else [value] if value else []
    texts = [
        ", ".join(f"{key}={text}" for key, text in row.items()) if isinstance(row, dict) else f"{row}" for row in rows
    ]
    return [f"{seat} {name}: {text}" for text in texts]
