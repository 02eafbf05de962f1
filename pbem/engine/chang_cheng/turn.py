"""The course of a turn: an order is carried out, its consequences follow, the next question comes up.

Law: consequences of a step are resolved before the next step (CC-13).
Source: CC-10 to CC-13, CC-31, CC-40, CC-41.
"""

from pbem.engine.chang_cheng import (
    board,
    builder,
    card,
    double,
    ending,
    flood,
    mandarin,
    scoring,
    tower,
    traitor,
    wall,
    warrior,
)
from pbem.engine.chang_cheng.layout import Order
from pbem.engine.chang_cheng.log import Log
from pbem.engine.chang_cheng.possible import possible
from pbem.engine.chang_cheng.state import State
from pbem.engine.decision import Step
from pbem.engine.event import event

#: cards whose owner chooses, by kind; the master builder asks nothing
CARDS = {0: warrior, 1: traitor, 2: flood, 3: builder, 5: mandarin}


def apply(state: State, line: str, link: int) -> Step:
    """Carry out a legal order of the seat that is asked. Unseen where an imagined State has a hole."""
    log: Log = []
    stage = state.public.stage
    if stage == "card":
        state = _settled(_resolve(state, line, log), log)
    elif stage == "board":
        state = _end_of_turn(board.do(state, line.split(), log), log)
    elif line == "pass":
        state = _pass(state, log)
    else:
        state = _place(state, state.public.layout.orders[line], log, link)
    return Step(state, tuple(log))


def _place(state: State, order: Order, log: Log, link: int) -> State:
    """One step of an action."""
    word, numbers = order
    before = state.public
    more = _second_step_follows(state, word)
    if word == "wall":
        state = wall.do(state, numbers, log)
        province = before.layout.province_of[numbers[0]]
    elif word == "card":
        state = card.do(state, numbers, log, link)
        province = numbers[1]
    else:
        state = double.do(state, numbers, log) if word == "double" else tower.do(state, numbers, log)
        province = -1
    public = state.public
    if word != "card":
        public = scoring.filled(public)
    if more:
        public = public._replace(first=word, where=province, skips=0)
    else:
        public = public._replace(first="", where=-1, skips=0)
    return _settled(state._replace(public=public), log)


def _second_step_follows(state: State, word: str) -> bool:
    """Whether this order is the first of two steps: not in a partial action (CC-11, CC-12)."""
    public = state.public
    return public.stage == "action" and word in ("wall", "card") and possible(public).complete


def _resolve(state: State, line: str, log: Log) -> State:
    """The owner of the first card has chosen."""
    public = state.public
    current = public.scoring
    if current is None:
        return state
    chosen = CARDS[current.cards[0][0]]
    return state._replace(public=chosen.do(public, current, line.split(), log))


def _settled(state: State, log: Log) -> State:
    """Score what is to be scored; then the turn goes on, or ends."""
    state = scoring.go_on(state, log)
    public = state.public
    if public.scoring is not None:
        return state
    if public.first:
        return state._replace(public=public._replace(stage="second"))
    return _end_of_turn(state, log)


def _pass(state: State, log: Log) -> State:
    """A turn in which nothing can be done is skipped (CC-12)."""
    public = state.public
    log.append(event("skipped", "CC-12", {"seat": public.rules.seats[public.seat]}))
    return _end_of_turn(state._replace(public=public._replace(skips=public.skips + 1)), log)


def _end_of_turn(state: State, log: Log) -> State:
    """A board may join (CC-31); the game may end (CC-40, CC-41); else the next seat's turn begins."""
    public = state.public._replace(first="", where=-1)
    if board.due(public):
        return state._replace(public=public._replace(stage="board"))
    state = state._replace(public=public)
    if public.taken == public.layout.full:
        return ending.end(state, "CC-40", log)
    if public.skips >= len(public.rules.seats):
        return ending.end(state, "CC-41", log)
    following = (public.seat + 1) % len(public.rules.seats)
    public = public._replace(seat=following, turns=public.turns + 1, stage="action")
    return state._replace(public=public)
