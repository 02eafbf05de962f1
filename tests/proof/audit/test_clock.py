"""What a referee may say of time, of who agreed, of who chose an order; and what he may not.

The faults in files are vectors (tests/vectors/make.py, of_the_clock and of_later_rulings).
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import second_verifier as second
from vectors import base_game

from pbem.chain.clock import BOT, DEFAULT, Clock, SeatClock, clock_without_deadlines, read_clock, write_clock
from pbem.chain.next_record import ExecutedOrder
from pbem.chain.rulings.clock import CLOCK, EXTEND, PAUSE
from pbem.chain.rulings.kind import END, NOTE, VOID, build_void_basis, unchanged_basis
from pbem.chain.rulings.kinds import describe_ruling
from pbem.chain.signed_state import read_verified_record
from pbem.chain.state_record import Vote
from pbem.crypto.signing import sign
from pbem.engine.decision import Event
from pbem.errors import PbemError
from pbem.formats.toml import TableReader
from pbem.notation.asks import YES
from pbem.play.resolution import Resolution, make_next_state
from pbem.proof.verify.verify import check_chain
from proof.audit.table import ACTING, PLAYER, SECRET, TIME, Table, first_difference, rewritten

SEATS = ("red", "blue")
FULL = Clock(
    turn=72, choice=24, at="20:00", zone="America/Port-au-Prince", days=("mon", "sun"),
    days_off=("2026-12-24 2027-01-01", "2027-02-01 2027-02-01"), time_bank=168, grace=12, regret=10,
    remind=("24", "2"), missed=BOT, missed_turn_limit=2, paused_until="2026-11-21T10:00:00Z",
    seats=(SeatClock("red", "2026-11-24T19:00:00Z", 100, 1), SeatClock("blue", "", 168, 0)),
)  # fmt: skip


def again(clock: Clock) -> Clock:
    return read_clock(TableReader(write_clock(clock), ""), SEATS, "")


@pytest.mark.parametrize(
    "clock",
    [
        FULL,
        FULL._replace(turn=0, choice=0, at="", slots=("mon 19:00", "thu 07:30", "thu 19:00")),
        FULL._replace(at="", zone="", days=(), days_off=(), paused_until=""),
        clock_without_deadlines("wait", SEATS),
        clock_without_deadlines("default", SEATS)._replace(regret=5),
    ],
)
def test_a_clock_reads_back_as_it_was_written(clock: Clock) -> None:
    assert again(clock) == clock


@pytest.mark.parametrize(
    "other",
    [
        {"choice": 10_000},
        {"turn": 0},
        {"slots": ("mon 19:00",)},
        {"slots": ("thu 19:00", "mon 19:00"), "turn": 0, "choice": 0, "at": ""},
        {"at": "24:00"},
        {"zone": ""},
        {"zone": "Europe//Rome"},
        {"zone": "x" * 61},
        {"days": ("mon", "mon")},
        {"days": ("monday",)},
        {"off": ("2026-12-24",)},
        {"off": ("2026-12-24 2026-12-23",)},
        {"off": ("2026-12-24 2026-12-26", "2026-12-26 2026-12-27")},
        {"off": ("2026-02-30 2026-03-01",)},
        {"remind": ("0",)},
        {"remind": ("2", "24")},
        {"remind": ("02",)},
        {"missed": ""},
        {"paused": "tomorrow"},
        {"seats": (SeatClock("blue", "", 0, 0), SeatClock("red", "", 0, 0))},
        {"seats": (SeatClock("red", "", 10_000, 0), SeatClock("blue", "", 0, 0))},
    ],
)
def test_a_clock_that_is_none_is_refused(other: dict[str, Any]) -> None:
    with pytest.raises((PbemError, ValueError)):
        again(FULL.with_options(other))


def test_the_time_of_a_state_never_falls() -> None:
    """Found by an attack of 2026-11: any state could have any time. A machine's clock that went
    back is no fraud, so the moderator's own states are no older than the ones before.
    """
    table = Table()
    table.play("wall")
    table.time = "2026-11-20T10:00:00Z"
    table.play("wall")
    assert table.position.record.time == TIME
    assert table.audit().verdict != "contradicted"
    table.states[4] = rewritten(table.states[4], lambda d: d.update(time="2026-11-20T10:00:00Z"))
    assert first_difference(table.audit()) == "state 4 has an earlier time than state 3"


def missing(time: str, missed: str = DEFAULT) -> Table:
    """A turn missed at this time; it was due at noon, an hour of reserve and one of grace."""
    table = Table(missed=missed)
    asked = table.asked()
    moment = NOON
    rows = tuple(SeatClock(seat, moment if seat == asked else "", 1, 0) for seat in SEATS)
    table.clock = Clock(turn=2, time_bank=1, grace=1, missed=missed, seats=rows)
    table.amend(unchanged_basis(table.position, CLOCK.make_ruling("so all asked", WHAT)))
    table.time = time
    line = table.game.default(table.game.view(table.position.state, asked))
    then = table.game.apply(table.position.state, asked, line, table.last + 1).state
    other = table.game.questions(table.game.view(then, None))[0].seat
    rows = tuple(
        SeatClock(seat, "2026-12-01T12:00:00Z" if seat == other else "", int(seat != asked), 0) for seat in SEATS
    )
    table.clock = table.clock._replace(seats=rows)
    table.carry(ExecutedOrder(asked, "default", line, table.game.public_words(line)))
    return table


WHAT = ("what", "turn,bank,grace")


def ruled(table: Table, what: str, clock: Clock) -> None:
    table.clock = clock
    table.amend(unchanged_basis(table.position, CLOCK.make_ruling("as all asked", ("what", what))))


def timed(due: str, turn: int = 240, bank: int = 0, grace: int = 0) -> Clock:
    rows = (SeatClock("red", due, bank, 0), SeatClock("blue", "", bank, 0))
    return Clock(turn=turn, time_bank=bank, grace=grace, missed=DEFAULT, seats=rows)


SOON, SHORT = "2026-11-25T11:00:00Z", "2026-11-24T10:00:00Z"


@pytest.mark.parametrize("due", [SOON, "2026-12-03T10:00:00Z"])
def test_a_clock_turned_off_and_on_again(due: str) -> None:
    """Found by an attack of 2026-11-22: the deadline that was told moved back by ten days."""
    table = Table(missed=DEFAULT)
    while table.asked() != "red":
        table.play("wall")
    ruled(table, "turn", timed("2026-12-01T10:00:00Z"))
    ruled(table, "turn,missed", clock_without_deadlines("wait", SEATS))
    ruled(table, "turn,missed", timed(due, 1))
    found = table.audit().first_contradiction
    if due != SOON:
        assert found is None
        return
    less = f"state {table.last} gives red less time than it had before it answered"
    assert first_difference(table.audit()) == less


def test_a_ruling_of_the_clock_gives_notice() -> None:
    """Found by an attack of 2026-11-22: an hour after a clock was turned on, or after missed turns
    began to count, the turn of a player who had not read it was missed.
    """
    for first, then in (
        (None, timed(SOON.replace("25T", "24T").replace("11:", "09:"), 1)),
        (timed(SHORT, 72)._replace(missed="wait"), timed(SHORT, 72)),
    ):
        table = Table(missed=DEFAULT if first is None else "wait")
        while table.asked() != "red":
            table.play("wall")
        if first is not None:
            ruled(table, "turn", first)
            table.time = "2026-11-21T10:00:01Z"
        ruled(table, "turn" if first is None else "missed", then)
        assert found_by_both(table) == f"state {table.last} gives red a deadline without notice"


def test_a_question_in_the_same_state_has_its_span() -> None:
    """Found by the same attack: whose next turn came in the very state had a second for it."""
    table = both_asked()
    rows = ("2026-11-24T12:00:01Z 48 0", f"{NOON} 48 0")
    found = found_by_both(goes_on(table, NOON, *rows))
    assert "less time than its clock says" in found


def test_asking_again_takes_no_deadline_back() -> None:
    """Found by the same attack: the clock off, a ruling that voids all orders, the clock on."""
    table = Table(missed=DEFAULT)
    while table.asked() != "red":
        table.play("wall")
    ruled(table, "turn", timed("2026-12-01T10:00:00Z"))
    ruled(table, "turn,missed", clock_without_deadlines("wait", SEATS))
    table.amend(build_void_basis(table.position, VOID.make_ruling("all is lost", ("from", str(table.last)))))
    ruled(table, "turn,missed", timed(SOON, 1))
    assert "less time than it had before it answered" in found_by_both(table)


@pytest.mark.parametrize("hours", [23, 25])
def test_an_extension_is_as_long_as_it_says(hours: int) -> None:
    """Found by the same attack: red agreed to 800 hours, and blue got 8,000."""
    table = both_asked()
    due = f"2026-11-25T{12 + hours - 24}:00:00Z"
    table.clock = table.clock._replace(seats=tuple(SeatClock(seat, due, 48, 0) for seat in SEATS))
    table.amend(unchanged_basis(table.position, EXTEND.make_ruling("a day", ("hours", "24"))))
    assert "as far as it says" in found_by_both(table)


def test_no_ruling_opens_a_seat_or_forgets_what_was_missed() -> None:
    """Found by the same attack: `strikes` 3 to 1, and a bot played before the deadline."""
    table = both_asked(strikes=3)
    first = table.asked()
    goes_on(table, LATER, f"{DUE} 0 1", f"{NOON} 48 0", source="default")
    assert not found_by_both(table)
    before, seats = dict(table.states), table.clock.seats
    ruled(table, "strikes", table.clock._replace(missed_turn_limit=1))
    assert found_by_both(table) == f"state {table.last} makes the seat of {first} vacant by a ruling"
    table.states = before
    table.load()
    fresh = tuple(row._replace(missed_turns=0) for row in seats)
    table.clock = table.clock._replace(missed_turn_limit=3, seats=fresh)
    table.amend(unchanged_basis(table.position, NOTE.make_ruling("hello")))
    assert "changes what is due" in found_by_both(table)


@pytest.mark.parametrize(("due", "fair"), [("2026-12-01", False), ("2026-12-05", True)])
def test_reserve_and_grace_are_not_taken_from_an_open_question(due: str, *, fair: bool) -> None:
    """Found by the same attack: a turn was missed a fortnight before all had read that it could."""
    table = Table(missed=DEFAULT)
    while table.asked() != "red":
        table.play("wall")
    ruled(table, WHAT[1], timed("2026-12-01T10:00:00Z", 240, 72, 24))
    ruled(table, "bank,grace", timed(f"{due}T10:00:00Z"))
    found = table.audit().first_contradiction
    assert (found is None) == fair
    assert fair or "takes from red what its time bank" in first_difference(table.audit())


@pytest.mark.attack("play a default order before the turn was missed", by="verify", who="referee")
def test_a_default_before_its_time() -> None:
    assert missing("2026-11-24T14:00:00Z").audit().verdict != "contradicted"
    found = first_difference(missing("2026-11-24T13:59:59Z").audit())
    assert "before that was due" in found


def test_an_audit_says_whose_clock_it_was() -> None:
    said = {item.name: item.text for item in missing("2026-11-24T14:00:00Z").audit().items}
    assert "when a turn was missed, the referee's clock says" in said["signed"]


@pytest.mark.attack("undo without the consent of a player with a key", by="verify", who="referee")
def test_an_undo_without_its_consent() -> None:
    """Found by an attack of 2026-11: that a player with a key agreed was the referee's word."""
    table = base_game.play()
    n = next(n for n in table.states if b'"undo to=18 ' in table.states[n])
    table.key = base_game.NEXT
    vote = read_verified_record(table.states[n], table.key.public).consents[0]
    assert (vote.seat, vote.answer) == ("red", YES)
    for last in [m for m in table.states if m > n]:
        del table.states[last]

    def without(d: dict[str, Any]) -> None:
        del d["consents"]

    table.states[n] = base_game.rewritten(table.states[n], without, table.key)
    assert "has not the signed consents" in first_difference(table.audit())


def test_an_end_is_told_as_it_was_agreed() -> None:
    words = describe_ruling(END.make_ruling("tired", ("result", "drawn")))
    assert words == "The players agreed on a draw, which was not played. Reason:\n  | tired"
    table = Table()
    table.play("wall")
    ruling = END.make_ruling("tired", ("result", "drawn"))
    head = table.position.state_hash
    sig = sign(PLAYER, "consent", table.position.game_id, head, "red", ruling.act, YES)
    basis = unchanged_basis(table.position, ruling)._replace(consents=(Vote("red", YES, sig),))
    table.amend(basis)
    assert table.position.record.secret == SECRET
    said = {item.name: item.text for item in table.audit().items}
    assert said["result"].startswith("the players agreed on a draw")


def test_orders_of_a_bot_are_not_checked_without_the_bot() -> None:
    table = Table()
    table.play("wall")
    line = table.legal("wall")
    table.carry(ExecutedOrder("blue", "bot:sly:1.2", line, table.game.public_words(line)))
    found = {item.name: item for item in table.audit().items}
    assert found["signed"].verdict == "not checked"
    assert found["signed"].text == "orders chosen by bot sly 1.2, which is not here to choose again"
    assert found["orders"].verdict == "proven"
    assert ACTING.public == table.position.record.referees[0].acting


def test_a_bot_in_the_seat_of_a_key_needs_what_was_agreed_at_the_opening() -> None:
    rows = ("2026-12-01T12:00:00Z 0 1", f"{NOON} 48 0")
    assert not found_by_both(goes_on(both_asked(BOT), LATER, *rows, source="bot:sly:1.2"))
    other = Table()
    line = other.legal("wall")
    other.carry(ExecutedOrder("red", "bot:sly:1.2", line, other.game.public_words(line)))
    assert "an order by a bot for red, who plays with a key" in first_difference(other.audit())


def test_the_first_deadlines_have_an_end_too() -> None:
    table = Table(missed=BOT)
    states = {n: table.states[n] for n in (0, 1, 2)}
    assert check_chain(states, None, None).last_record is not None

    def late(document: dict[str, Any]) -> None:
        document["clock"]["seats"][0] = "red 2037-01-01T00:00:00Z 0 0"

    states[2] = rewritten(states[2], late)
    with pytest.raises(PbemError, match="more time than its clock can give"):
        check_chain(states, None, None)


NOON, LATE, LATER = "2026-11-24T12:00:00Z", "2026-11-25T12:00:00Z", "2026-11-26T12:00:00Z"


def both_asked(missed: str = DEFAULT, due: str = NOON, **clock: Any) -> Table:
    """Both seats have a deadline, at noon of the 24th, and two days of reserve, by no rules."""
    table = Table(missed=missed)
    rows = tuple(SeatClock(seat, due, 48, 0) for seat in SEATS)
    table.clock = Clock(turn=2, time_bank=48, missed=missed, seats=rows).with_options(clock)
    what = ",".join(("turn", "bank", *(["missed"] * (missed == BOT)), *clock))
    table.amend(unchanged_basis(table.position, CLOCK.make_ruling("so all asked", ("what", what))))
    return table


def goes_on(table: Table, time: str, *rows: str, source: str = "") -> Table:
    """One order of whoever is asked, and what the clock then has of each seat: first of them."""
    seat = table.asked()
    other = next(x for x in SEATS if x != seat)
    found = {}
    for who, row in zip((seat, other), rows, strict=True):
        moment, bank, strikes = row.split(" ")
        found[who] = SeatClock(who, moment.removeprefix("-"), int(bank), int(strikes))
    table.time = time
    table.clock = table.clock._replace(seats=tuple(found[who] for who in SEATS))
    line = table.legal()
    order = table.order(line)
    if source:
        order = ExecutedOrder(seat, source, line, order.public_words)
    table.carry(order)
    return table


def found_by_both(table: Table, kind: str = "clock") -> str:
    """What `verify` says of the newest state, and the second verifier with it."""
    try:
        check_chain(table.states, None, None)
    except PbemError as error:
        with pytest.raises(second.Fault) as fault:
            second.Chain(table.states)
        assert (fault.value.kind, fault.value.state) == (kind, table.last)
        return error.message
    second.Chain(table.states)
    return ""


DUE = "2026-11-28T12:00:00Z"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ((f"{DUE} 24 0", f"{NOON} 48 0"), ""),
        ((f"{DUE} 23 0", f"{NOON} 48 0"), "counts the time bank"),
        ((f"{DUE} 48 0", f"{NOON} 24 0"), "counts the time bank"),
        ((f"{DUE} 48 0", f"{NOON} 48 1"), "counts the missed turns in a row"),
        ((f"{DUE} 48 1", f"{NOON} 48 0"), "counts the missed turns in a row"),
        ((f"{DUE} 48 0", f"{DUE} 48 0"), "without a ruling"),
    ],
)
def test_a_reserve_is_used_by_an_answer_alone(rows: tuple[str, str], said: str) -> None:
    """Found by an attack of 2026-11: a bank could fall in each state after the deadline, also of a
    seat that did not answer.
    """
    found = found_by_both(goes_on(both_asked(), LATE, *rows))
    assert said in found
    assert bool(said) == bool(found)


def test_a_deadline_that_goes_does_not_come_back_sooner() -> None:
    """Found by an attack of 2026-11: what vanished for a state was new in the next."""
    table = both_asked(due="2026-11-24T14:00:00Z")
    first = table.asked()
    goes_on(table, "2026-11-21T10:00:00Z", f"{DUE} 48 0", "- 48 0")
    assert not found_by_both(table)
    other = next(x for x in SEATS if x != first)
    back = "2026-11-24T13:59:59Z 48 0"
    rows = (f"{DUE} 48 0", back) if table.asked() == first else (back, f"{DUE} 48 0")
    assert other in SEATS
    goes_on(table, "2026-11-21T10:00:00Z", *rows)
    said = found_by_both(table)
    assert "had no deadline" in said or "less time than it had" in said


def test_an_answer_ends_what_was_missed() -> None:
    """Found by an attack of 2026-11: strikes stayed after an order of the player's own."""
    table = both_asked()
    first = table.asked()
    goes_on(table, LATER, f"{DUE} 0 1", f"{NOON} 48 0", source="default")
    assert not found_by_both(table)
    while table.asked() != first:
        goes_on(table, LATER, f"{DUE} 48 0", f"{DUE} 0 1")
    goes_on(table, LATER, f"{DUE} 0 1", f"{DUE} 48 0")
    assert "counts the missed turns in a row" in found_by_both(table)


def test_a_bot_waits_as_long_as_a_default_but_where_the_seat_is_open() -> None:
    """Found by an attack of 2026-11: one miss was enough, whatever `strikes` says."""
    for most, said in ((2, "before that was due"), (1, "")):
        table = both_asked(BOT, DUE, strikes=most)
        while table.asked() != "red":
            goes_on(table, TIME, f"{DUE} 48 0", f"{DUE} 48 0")
        goes_on(table, "2026-12-01T12:00:00Z", "2026-12-03T12:00:00Z 0 1",
                f"{DUE} 48 0", source="bot:sly:1.2")  # fmt: skip
        assert not found_by_both(table)
        while table.asked() != "red":
            goes_on(table, "2026-12-01T12:00:00Z", "2026-12-03T12:00:00Z 48 0",
                    "2026-12-03T12:00:00Z 0 1")  # fmt: skip
        goes_on(table, "2026-12-01T12:00:00Z", "2026-12-04T12:00:00Z 0 2",
                "2026-12-03T12:00:00Z 48 0", source="bot:sly:1.2")  # fmt: skip
        assert said in found_by_both(table)
        assert bool(said) == bool(found_by_both(table))


def test_one_miss_gives_the_defaults_of_one_turn() -> None:
    """Found by an attack of 2026-11: a link could have any number of them."""
    table = Table(missed=DEFAULT)
    position, n = table.position, table.last + 1
    state, played, events = position.state, list[ExecutedOrder](), list[Event]()
    values = table.values(state)
    first = table.asked()
    while len([one for one in played if one.seat == first]) < 6:
        seat = table.game.questions(table.game.view(state, None))[0].seat
        line = table.game.default(table.game.view(state, seat))
        order = ExecutedOrder(seat, DEFAULT, line, table.game.public_words(line))
        if seat != first:
            order = order._replace(source="reply" if seat != "red" else DEFAULT)
        step = table.game.apply(state, seat, line, n)
        state, events = step.state, [*events, *step.events]
        values |= table.values(state)
        played.append(order)
    course = Resolution(state, tuple(played), tuple(events), {}, values, {})
    table.save(make_next_state(position, course, SECRET, table.key, table.time).raw)
    assert "in a turn that was not missed" in first_difference(table.audit())


@pytest.mark.parametrize(("days", "times", "asked"), [(10, 3, False), (10, 4, True), (25, 9, False)])
def test_delays_are_counted_together(days: int, times: int, asked: bool) -> None:
    """Found by an attack of 2026-11: a month of pause, and then another, needed nobody."""
    table = both_asked()
    begin, between = datetime(2026, 11, 21, 10, tzinfo=UTC), days if days == 10 else 61
    said = ""
    for number in range(times):
        now = begin + timedelta(days=number * between)
        table.time = f"{now:%Y-%m-%dT%H:%M:%SZ}"
        until = f"{now + timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"
        due = begin + timedelta(hours=2, days=3 + days * (number + 1))  # NOON, moved
        rows = tuple(SeatClock(seat, f"{due:%Y-%m-%dT%H:%M:%SZ}", 48, 0) for seat in SEATS)
        table.clock = table.clock._replace(paused_until=until, seats=rows)
        table.amend(unchanged_basis(table.position, PAUSE.make_ruling("a holiday", ("until", until))))
        assert not said
        said = found_by_both(table, "ruling")
    assert ("signed consents" in said) == asked
