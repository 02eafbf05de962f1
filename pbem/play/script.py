"""Play a script, that is, a written game with all its orders, and describe every position.

Not allowed here: keys, seals, chance, files.
Source: FORMAT.md "Scripts".
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.settings import Script
from pbem.errors import BadInput

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: the number of the first state of a dealt game (DEAL in chain/state_record.py)
FIRST_STATE = 2


def play_script(game: "Game", script: Script, with_lists: bool = False) -> dict[str, Any]:
    """Play one script, and return the document of `pbem script run --json`. Raises BadInput ``script/order`` for an
    order that is not legal or not from a player who is asked.
    """
    state = game.setup(script.config, script.deal, FIRST_STATE).state
    names = script.names
    seats = {name: seat for seat, name in names.items()}
    steps = []
    for number, (player, order) in enumerate(script.orders, 1):
        seat = seats.get(player)
        position = _describe_step(game, state, names, with_lists, seat)
        if seat is None:
            raise _order_error(number, f"{player!r} is no player", f"one of {', '.join(names.values())}")
        if seat not in position.legal_by_seat:
            expected = _describe_expected([*position.legal_by_seat], names)
            raise _order_error(number, f"{order!r} of {player!r}", expected)
        if order not in position.legal_by_seat[seat]:
            raise _order_error(number, f"{order!r}, which is not legal", _why_illegal(game, state, seat, order))
        steps.append({**position.step, "order": order})
        state = game.apply(state, seat, order, FIRST_STATE + number).state
    position = _describe_step(game, state, names, with_lists, None)
    steps.append({**position.step, "order": None})
    final = _describe_end(game, state, position.step["scores"], names)
    return {"game": game.kind, "steps": steps, "over": not position.legal_by_seat, "final": final}


class _Position(NamedTuple):
    """A position of a script."""

    step: dict[str, Any]  #: as `--json` has it
    legal_by_seat: dict[str, tuple[str, ...]]  #: the legal orders of each seat that is asked


def _describe_step(
    game: "Game", state: Any, names: Mapping[str, str], with_lists: bool, next_seat: str | None
) -> _Position:
    """Describe a position for ``next_seat``, which acts next. ``with_lists``: add the list of legal orders."""
    public_view = game.view(state, None)
    asked_seats = [question.seat for question in game.questions(public_view)]
    legal_by_seat = {seat: game.legal(game.view(state, seat)) for seat in asked_seats}
    acting_seat = next_seat if next_seat in asked_seats else next(iter(asked_seats), None)
    legal_orders = sorted(legal_by_seat[acting_seat]) if acting_seat else []
    step: dict[str, Any] = {
        "to_act": names[acting_seat] if acting_seat else None,
        "legal": len(legal_orders),
        "sha256": sha256("\n".join(legal_orders).encode()).hexdigest(),
        "scores": {names[seat]: points for seat, points in _list_scores(game, state)},
    }
    if len(asked_seats) > 1:
        step["asked"] = [names[seat] for seat in asked_seats]
    if with_lists:
        step["orders"] = legal_orders
    return _Position(step, legal_by_seat)


def _list_scores(game: "Game", state: Any) -> tuple[tuple[str, int], ...]:
    """Return the points so far, each from the seat's own View, because a script hides nothing."""
    seats = [seat for seat, _ in game.scores(game.view(state, None))]
    return tuple((seat, dict(game.scores(game.view(state, seat)))[seat]) for seat in seats)


def _describe_end(game: "Game", state: Any, scores: Mapping[str, int], names: Mapping[str, str]) -> dict[str, Any]:
    outcome = game.outcome(game.view(state, None))
    winners = [names[seat] for seat in outcome.winners] if outcome else []
    return {"scores": scores, "winners": winners, "ended_by": outcome.ended_by if outcome else None}


def _order_error(number: int, actual: str, expected: str) -> BadInput:
    message = f"order {number}: found {actual}; expected {expected}"
    return BadInput("script/order", message, "see the list with --legal")


def _describe_expected(asked_seats: list[str], names: Mapping[str, str]) -> str:
    if not asked_seats:
        return "no more orders: the game is over"
    return f"an order of {' or '.join(repr(names[seat]) for seat in asked_seats)}"


def _why_illegal(game: "Game", state: Any, seat: str, order: str) -> str:
    """Say what was expected in place of an illegal order, and why. The order is any text of a script."""
    refusal = game.check(game.view(state, seat), order)
    if refusal is None:
        return "a legal order as it is spelt in the list"
    text = "".join(c if c.isprintable() else "?" for c in str(refusal.sentence))
    return f"a legal order ({text}, {refusal.ruling})"
