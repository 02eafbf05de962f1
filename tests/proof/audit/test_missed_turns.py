"""Missed turns: what bots and defaults may play, and days of absence. P6."""

import pytest
import second_verifier as second

from pbem.chain.clock import Clock, SeatClock, epoch_seconds
from pbem.chain.next_record import ExecutedOrder
from pbem.chain.rulings.clock import CLOCK
from pbem.chain.rulings.kind import NOTE, unchanged_basis
from pbem.play.resolution import make_bot_draws, make_next_state, play_out
from pbem.proof.audit.reports import _local_days
from pbem.services.prove.audit import find_bot

from .due_games import BOT, DUE, LATER, begun, clocked, timed
from .table import SECRET, STOPS, Table
from .test_held_back import on
from .test_letters import audited, receipt


def by_bots(table: Table, turns: int) -> None:
    """A state at red's deadline, in which bots answer whatever is asked in so many turns."""
    table.time = DUE
    position, n, choose = table.position, table.last + 1, find_bot(BOT)
    assert choose is not None
    state, taken, seen = position.state, list[ExecutedOrder](), set[int]()
    while True:
        (question, *_) = table.game.questions(table.game.view(state, None))
        view = table.game.view(state, question.seat)
        seen.add(table.game.turn(view))
        if len(seen) > turns:
            break
        answered = position.answered_count(question.seat) + sum(x.seat == question.seat for x in taken)
        below = make_bot_draws(SECRET, position.game_id, question.seat, answered)
        line = choose(table.game, question.seat, view, below)
        taken.append(ExecutedOrder(question.seat, BOT, line, table.game.public_words(line)))
        state = table.game.apply(state, question.seat, line, n).state
    course = play_out(position, {}, frozenset(), taken)
    table.hands[n] = dict(course.committed_before)
    asked = table.game.questions(table.game.view(course.state, None))[0].seat
    strikes = {"red": 1, "blue": int(turns > 1)}
    due = {seat: LATER if seat == asked else "" for seat in strikes}
    rows = tuple(SeatClock(seat, due[seat], 0, strikes[seat]) for seat in strikes)
    table.clock = Clock(turn=216, missed="bot", seats=rows)
    table.save(make_next_state(table.timed(), course, SECRET, table.key, table.time).raw)


@pytest.mark.attack("have a bot play more than the one turn that was missed", by="audit", who="referee")
@pytest.mark.parametrize("turns", [1, 2, 5])
def test_a_bot_plays_the_turn_that_was_missed_and_no_other(turns: int) -> None:
    """Red missed one turn by a second, and a bot played her next ones, which nobody had asked."""
    table = timed("bot")
    by_bots(table, turns)
    found = table.audit().first_contradiction
    assert (found is None) == (turns == 1)
    assert found is None or found.text.endswith("by a bot in a turn that was not missed")


def half_a_turn(table: Table) -> ExecutedOrder | None:
    """What the bot answers for red first, if it is her turn still after that."""
    position, game, choose = table.position, table.game, find_bot(BOT)
    assert choose is not None
    view = game.view(position.state, "red")
    below = make_bot_draws(SECRET, position.game_id, "red", position.answered_count("red"))
    line = choose(game, "red", view, below)
    after = game.view(game.apply(position.state, "red", line, table.last + 1).state, None)
    mine = any(question.seat == "red" for question in game.questions(after))
    same = game.turn(after) == game.turn(view)
    return ExecutedOrder("red", BOT, line, game.public_words(line)) if mine and same else None


@pytest.mark.attack("count one missed turn as two", by="audit", who="referee")
def test_a_missed_turn_is_played_to_its_end() -> None:
    """Half of it, so that the other half was missed as well: two strikes for one turn opened the
    seat (attack of 2026-11-23).
    """
    table = begun("bot")
    while table.asked() != "red" or half_a_turn(table) is None:
        table.play()
    table.clock = clocked(DUE, missed="bot")
    table.amend(unchanged_basis(table.position, CLOCK.make_ruling("as all asked", STOPS)))
    table.time, one = DUE, half_a_turn(table)
    assert one is not None
    course = play_out(table.position, {}, frozenset(), [one])
    table.hands[table.last + 1] = dict(course.committed_before)
    table.clock = clocked(LATER, strikes=1, missed="bot")
    table.save(make_next_state(table.timed(), course, SECRET, table.key, table.time).raw)
    found = table.audit().first_contradiction
    assert found is not None
    assert found.text == f"state {table.last}, the missed turn of red was not played to its end"


@pytest.mark.parametrize(("hours", "fair"), [(0, False), (11, False), (12, True)])
def test_a_new_turn_of_fixed_days_has_twelve_hours(hours: int, *, fair: bool) -> None:
    """It was due one second after it was asked, and then missed."""
    table = begun()
    on(table, "blue")

    def slots(red: str, blue: str) -> Clock:
        return clocked(red, blue, turn=0, slots=("mon 19:00",), zone="UTC")

    table.clock = slots("", "2026-11-30T19:00:00Z")
    table.amend(unchanged_basis(table.position, CLOCK.make_ruling("as asked", ("what", "slots,zone"))))
    due = f"2026-11-21T{10 + hours}:00:0{0 if hours else 1}Z"
    while table.asked() != "red":
        one = table.order(table.legal("wall"))
        course = play_out(table.position, {"blue": table.hand_of(one)})
        table.hands[table.last + 1] = dict(course.committed_before)
        over = table.game.questions(table.game.view(course.state, None))[0].seat == "red"
        table.clock = slots(due, "") if over else slots("", "2026-11-30T19:00:00Z")
        table.save(make_next_state(table.timed(), course, SECRET, table.key, table.time).raw)
    found = table.audit().first_contradiction
    assert (found is None) == fair
    assert found is None or "gives red less time than its clock says" in found.text
    if not fair:
        with pytest.raises(second.Fault, match="clock"):
            second.Chain(table.states)


@pytest.mark.parametrize("line", ["absent 5", "absent dec", "absent 30 nov", "absent"])
def test_an_absence_that_names_no_days_is_in_no_receipt(line: str) -> None:
    """Found by an attack: one such receipt, signed by the referee, ended the audit of all."""
    table = begun()
    found = audited(table, receipt(table, "red", 0, line))
    assert "an absence was accepted, and names no days" in f"{found.wrong}{found.refused}", found


@pytest.mark.attack(
    "count a turn as missed on a day of accepted absence",
    by='with the receipt, audit says "not checked"',
    who="referee",
)
@pytest.mark.parametrize(
    ("verdict", "line", "fair"),
    [
        ("kept", "absent 2026-11-29 .. 2026-12-05", False),
        ("kept", "absent 29 nov .. 5 dec", False),
        ("kept", "absent 2026-12-02 .. 2026-12-05", True),
        ("refused", "absent 2026-11-29 .. 2026-12-05", True),
    ],
)
@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("nr", [0, 1])
def test_a_turn_missed_on_days_of_absence(nr: int, verdict: str, line: str, *, fair: bool, back: bool) -> None:
    """The receipt told when red is away; her deadline stayed, and a default was played."""
    table = timed("default")
    table.nr += nr
    lines = ((verdict, line), *([("kept", "present")] if back else []))
    told = receipt(table, "red", nr and table.nr, lines=lines)
    fair = fair or back
    table.time = DUE
    course = play_out(table.position, {}, frozenset({"red"}))
    table.hands[table.last + 1] = dict(course.committed_before)
    asked = table.game.questions(table.game.view(course.state, None))[0].seat
    due = {seat: LATER if seat == asked else "" for seat in ("red", "blue")}
    table.clock = clocked(due["red"], due["blue"], 1)
    table.save(make_next_state(table.timed(), course, SECRET, table.key, table.time).raw)
    found = audited(table, told)
    assert found.told is not None
    what = "was due on a day on which its player was away"
    assert (found.wrong, what in found.told.text) == ("", not fair)
    assert found.told.verdict == ("proven" if fair else "not checked")


def test_an_absence_in_a_zone_that_is_not_here() -> None:
    """Found by reading: a zone that this machine has not ended the audit."""
    assert len(_local_days(epoch_seconds(DUE), "Mars/Base")) == 2
    assert len(_local_days(epoch_seconds(DUE), "Europe/Rome")) == 1


@pytest.mark.attack(
    "choose the random numbers that a bot uses", by="not possible: they follow from the game's secret", who="referee"
)
@pytest.mark.parametrize("notes", [0, 3])
def test_nobody_chooses_what_a_bot_draws(notes: int) -> None:
    """A referee wrote notes, each of which is another head, until the bot drew what he wanted."""
    table = timed("bot")
    game, view = table.game, table.game.view(table.position.state, "red")
    choose = find_bot(BOT)
    assert choose is not None
    first = choose(game, "red", view, make_bot_draws(SECRET, table.position.game_id, "red", answered(table)))
    for number in range(notes):
        table.amend(unchanged_basis(table.position, NOTE.make_ruling(f"The turn is over ({number}).")))
    by_bots(table, 1)
    assert table.position.record.entries[0].public_words == game.public_words(first)
    assert table.audit().first_contradiction is None
    assert find_bot(BOT.replace("sensible", "random")) is None


def answered(table: Table) -> int:
    return table.position.answered_count("red")
