"""How far deadlines may still move, beside the rule that verify checks. Source: SPECIFICATION section 9, `extend`."""

from types import SimpleNamespace
from typing import Any

from pbem.chain.clock import format_instant
from pbem.chain.rulings.clock import EXTEND, MAX_DELAY, remaining_delay

HOUR, DAY = 3600, 24 * 3600
BEGIN = 1_800_000_000


def state(n: int, day: int, name: str, due: int) -> Any:
    """A state made on this day by this ruling; red's deadline is ``due`` hours after the beginning."""
    row = SimpleNamespace(seat="red", deadline=format_instant(BEGIN + due * HOUR))
    clock = SimpleNamespace(seats=(row,), for_seat=lambda _: row)
    rulings = (SimpleNamespace(name=name),) if name else ()
    setup = SimpleNamespace(seats=("red",))
    return SimpleNamespace(n=n, time=format_instant(BEGIN + day * DAY), rulings=rulings, clock=clock, setup=setup)


def test_what_remains_needs_no_consent() -> None:
    """Found by a year of a club (2026-11): an old `resume` was counted as time that can still be given. The rule
    counts from now backwards, so `tick` planned a ruling that was refused.
    """
    states = [state(2, 0, "", 1000), state(3, 1, "resume", 500), state(4, 40, "extend", 1100)]
    records = {record.n: record for record in states}
    now = format_instant(BEGIN + 41 * DAY)
    hours = remaining_delay(states[-1], records, now)
    assert hours == MAX_DELAY - 600
    for added, consents in ((hours, ()), (hours + 1, ("red",))):
        after = state(5, 41, "extend", 1100 + added)
        assert EXTEND.required_consents(after, states[-1], records) == consents
