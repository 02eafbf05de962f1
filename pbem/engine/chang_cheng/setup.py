"""Opening a game: what is drawn, and the first position.

Source: CC-2 to CC-6, CC-11, R-3. Options are in configuration.py, boards and counters in box.py.
"""

from collections.abc import Mapping, Sequence

from pbem.engine.chang_cheng.box import (
    START,
    boards_of,
    box_piles,
    check_counters,
    events_of,
    rules_of,
)
from pbem.engine.chang_cheng.layout import (
    ALL_KINDS,
    EVENTS,
    KINDS,
    LETTERS,
    Board,
    Placed,
    layout_of,
)
from pbem.engine.chang_cheng.legal import with_question
from pbem.engine.chang_cheng.state import NOBODY, UNKNOWN, Public, Rules, State
from pbem.engine.decision import Step
from pbem.engine.event import ALL, Event, event
from pbem.engine.settings import Config, Pile


def piles(config: Config) -> tuple[Pile, ...]:
    """What is drawn: counters always; boards with a side each, events, seats, if so chosen."""
    found = list(box_piles(config))
    if config.option("events").startswith("drawn-"):
        found.append(Pile("events", tuple(EVENTS)))
    if config.option("seats") == "drawn":
        found.append(Pile("seats", config.seats))
    return tuple(found)


def setup(config: Config, deal: Mapping[str, Sequence[str]], link: int) -> Step:
    """The first position: two boards with their counters (CC-2, CC-3); the first seat is asked."""
    boards = boards_of(config, deal)
    seats = tuple(deal.get("seats", config.seats))
    check_counters(boards, len(seats))
    rules = rules_of(config, seats, events_of(config, deal), link)
    public = _start(rules, boards, tuple(int(value) for value in deal["reputation"]))
    log: list[Event] = []
    if config.option("seats") == "drawn":
        log.append(event("seated", "R-3", {"seats": ",".join(seats)}))
    log.append(_dealt(public))
    numbers = {"A": "CC-50", "B": "CC-51", "C": "CC-52", "D": "CC-53"}
    log += [event("in-play", numbers[letter], {"event": letter}) for letter in rules.events]
    state = State(
        public,
        (),
        tuple(int(value) for value in deal["threat"]),
        tuple(int(value) for value in deal["reputation"]),
        tuple(ALL_KINDS if number else 0 for number in public.held),
    )
    return Step(state, tuple(log))


def _dealt(public: Public) -> Event:
    """What lies on the table; the counters of its provinces are turned up."""
    slots = ((ALL, public.rules.slot("reputation", i)) for i in range(len(public.reputation)))
    facts = {
        "boards": ",".join(placed.board.id for placed in public.layout.placed),
        "box": ",".join(board.id for board in public.box) or "-",
        "counters": ",".join(str(value) for value in public.reputation),
    }
    return event("dealt", "CC-3", facts, opens=tuple(slots))


def _start(rules: Rules, boards: tuple[Board, ...], reputation: tuple[int, ...]) -> Public:
    layout = layout_of(tuple(Placed(LETTERS[i], board) for i, board in enumerate(boards[:START])))
    none = (0,) * len(rules.colours)
    public = Public(
        rules=rules,
        layout=layout,
        box=boards[START:],
        single=none,
        double=none,
        tower=none,
        broken=0,
        reserve=none,
        keepers=(),
        taken=0,
        scores=none,
        held=tuple(len(KINDS) if seat >= 0 else 0 for seat in rules.seat_of),
        out=none,
        cards=(),
        reputation=reputation[: len(layout.provinces)],
        threat=tuple(range(len(layout.regions))),
        turned=UNKNOWN,
        looked=(0,) * len(rules.seats),
        scored=0,
        emperors=0,
        seat=0,
        colour=rules.own[0][0],
        turns=1,
        stage="colour" if len(rules.own[0]) > 1 else "action",
        first="",
        where=-1,
        neutral=None,  # CC-60: not in the first turn
        scoring=None,
        queue=(),
        skips=0,
        ended_by="",
        asked=NOBODY,
    )
    return with_question(public)
