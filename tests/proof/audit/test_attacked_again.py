"""Cheats that an audit called proven (an attack of 2026-11-23), each beside its honest twin. P6."""

from typing import Any, NamedTuple

import pytest
import second_verifier as second

from pbem import __version__
from pbem.chain.clock import Clock, SeatClock, epoch_seconds
from pbem.chain.next_record import ExecutedOrder
from pbem.chain.rulings.clock import CLOCK
from pbem.chain.rulings.kind import NOTE, VOID, build_void_basis, unchanged_basis
from pbem.crypto.encoding import b64
from pbem.engine.optional_parts import never
from pbem.play.bot_draws import make_bot_draws
from pbem.play.pending_file import committed_values
from pbem.play.pending_orders import OrderGroup, PendingOrder, PendingOrders
from pbem.play.resolution import make_next_state, play_out
from pbem.proof.audit.reports import _local_days
from pbem.proof.verify.inputs import ChainRegistry
from pbem.proof.verify.verify import check_chain
from pbem.services.prove.audit import find_bot
from pbem.services.prove.saved_emails import read_signed_blocks

from .table import SECRET, STOPS, Table
from .test_held_back import far_wall, on
from .test_held_back import standing as sent
from .test_letters import audited, receipt, report

DUE, LATER = "2026-11-30T20:00:00Z", "2026-12-20T12:00:00Z"
BOT = f"bot:sensible:{__version__}"


def clocked(red: str = "", blue: str = "", strikes: int = 0, **other: Any) -> Clock:
    """A clock of nine days for a turn."""
    rows = (SeatClock("red", red, 0, strikes), SeatClock("blue", blue, 0, 0))
    return Clock(**{"turn": 216, "missed": "default", **other}, seats=rows)


def begun(missed: str = "default", **other: Any) -> Table:
    """It is red's turn, whose player has a key."""
    table = Table(missed=missed, **other)
    for begins in ("wall", "wall", "wall"):
        table.play(begins)
    on(table)
    return table


def timed(missed: str) -> Table:
    """The same, and it is due."""
    table = begun(missed)
    table.clock = clocked(DUE, missed=missed)
    what = STOPS if missed == "bot" else ("what", "turn")
    table.amend(unchanged_basis(table.position, CLOCK.make_ruling("as all asked", what)))
    return table


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


@pytest.mark.parametrize("name", ["now", "later"])
@pytest.mark.parametrize("fair", [True, False])
def test_a_refused_email_takes_the_place_of_nothing(name: str, *, fair: bool) -> None:
    """Red's order was kept; an illegal one, which a receipt refused, was taken, and dropped
    when it was to be used, and her turn was missed.
    """
    table = begun()
    game, view = table.game, table.game.view(table.position.state, "red")
    taken = next(x for x in ("wall A4", "wall B3", "wall A1", "wall A2") if game.check(view, x))
    begins, nr = "later: " if name == "later" else "", table.nr + 1
    first = sent(table, f"{begins}{far_wall(table)}", nr=nr)
    table.amend(unchanged_basis(table.position, NOTE.make_ruling("Hello, all.")), committed_values({"red": first}))
    other = [line for line in game.legal(view) if line.startswith("wall")][-2]
    newer = sent(table, f"{begins}{other if fair else taken}", nr=nr + 1)
    table.resolve({"red": newer}, *(() if fair else ("red",)))
    found = table.audit().first_contradiction
    assert (found is None) == fair
    what = f"`{taken}` of red was sent with pending orders, and could not be kept"
    assert found is None or found.text == f"state {table.last}, {what}"


@pytest.mark.parametrize("fair", [True, False])
def test_no_part_of_a_refused_email_is_played(*, fair: bool) -> None:
    """Its waiting line could never be used, so a receipt refused it; its lines for now were played
    all the same, in place of an order that was kept.
    """
    table = begun()
    game, view = table.game, table.game.view(table.position.state, "red")
    kept, *walls = [x for x in game.legal(view) if x.startswith("wall")]
    bad = next(x for x in ("wall A4", "wall B3", "wall A1", "wall A2") if never(game, view, x))
    both = next(x for x in walls if x.startswith("wall B"))
    lines = (walls[0], both, f"later: {kept if fair else bad}")
    refused, newer = sent(table, *lines, nr=5), sent(table, f"later: {walls[-1]}", nr=6)
    named = {part.name: part for part in refused.parts}
    rest = OrderGroup("rest 5", named["later"].orders, 5, "signed", named["later"].state_hash)
    later = [part for part in newer.parts if part.name == "later"]
    table.resolve({"red": PendingOrders(nr=6).with_groups([named["now"], *later, rest])})
    found = table.audit().first_contradiction
    assert (found is None) == fair
    assert found is None or "was sent with pending orders, and could not be kept" in found.text


@pytest.mark.parametrize("line", ["absent 5", "absent dec", "absent 30 nov", "absent"])
def test_an_absence_that_names_no_days_is_in_no_receipt(line: str) -> None:
    """Found by an attack: one such receipt, signed by the referee, ended the audit of all."""
    table = begun()
    found = audited(table, receipt(table, "red", 0, line))
    assert "an absence was kept, and names no days" in f"{found.wrong}{found.refused}", found


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


@pytest.mark.parametrize("line", ["later", "withdraw"])
def test_a_made_up_newer_email_is_said_also_states_later(line: str) -> None:
    """Blue's orders stood in the hand that its receipt was held against, and not in the next."""
    table = begun()
    walls = [x for x in table.game.legal(table.game.view(table.position.state, "red")) if "wall" in x]
    told = [receipt(table, "blue", 40, f"later: {walls[-1]}")]
    first = reply("later", walls[-1], 40, table)
    table.amend(unchanged_basis(table.position, NOTE.make_ruling("Hello, all.")), committed_values({"blue": first}))
    told.append(report(table, "blue", table.last))
    n = table.last + 1
    name, what = ("later", walls[-2]) if line == "later" else ("rest 41", line)
    table.resolve({"blue": reply(name, what, 41, table), "red": sent(table, walls[-3], nr=table.nr + 1)})
    told.append(report(table, "blue", n))
    took = "orders number 41, of which no receipt is given so far, took the place of number 40"
    found = audited(table, *told)
    assert found.told is not None
    assert (found.verdict, f"in state {n}, {took}" in found.told.text) == ("proven", True)
    for given in (told, told[1:] + told[:1]):
        chains = ChainRegistry()
        chains.add_chain("x", check_chain(table.states, None, None))
        both = [read_signed_blocks(text.encode()) for text in given]
        said = [chains.pending_comparison.compare_blocks("y", chains, *one.receipts, *one.blocks) for one in both]
        assert took in said[-1]


def reply(name: str, line: str, nr: int, table: Table) -> PendingOrders:
    """What blue, who plays by reply, has waiting."""
    part = OrderGroup(name, (PendingOrder(1, line),), nr, "reply", b64(table.position.state_hash))
    return PendingOrders(nr=nr).with_groups([part])


class Lost(NamedTuple):
    """A ruling of state ``void`` says that what waited was lost, and a note follows it."""

    table: Table
    void: int
    before: str  #: red's report of the state before
    receipt: str  #: of what waited
    of_void: str  #: the report that tells of it
    after: str  #: that of the note


def lost() -> Lost:
    table = begun()
    far, nr = far_wall(table), table.nr + 1
    before, mine = report(table, "red", table.last), receipt(table, "red", nr, far)
    table.nr = nr
    ruling = VOID.make_ruling("The desk was lost.", ("from", str(table.last)))
    table.amend(build_void_basis(table.position, ruling), committed_values({"red": PendingOrders()}))
    void, of_void = table.last, report(table, "red", table.last)
    table.amend(unchanged_basis(table.position, NOTE.make_ruling("Hello, all.")))
    return Lost(table, void, before, mine, of_void, report(table, "red", table.last))


@pytest.mark.parametrize("fair", [True, False])
def test_a_void_that_its_player_was_not_told_of(*, fair: bool) -> None:
    """It excused the receipt, and the reports of that player passed over its state."""
    table, void, before, mine, of_void, after = lost()
    found = audited(table, before, mine, *([of_void] if fair else []), after)
    assert found.told is not None
    assert (found.told.verdict, found.wrong) == ("proven" if fair else "not checked", "")
    what = f"a ruling of state {void} excuses it, and no report given tells red so"
    assert (what in found.told.text) != fair


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
