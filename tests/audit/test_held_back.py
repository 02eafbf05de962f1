"""An order signed for now counts in the turn it was written for. Found by a review: P6.

A referee kept such an order in his drawer, let the turn be missed, and played it four turns later
under its player's name; the audit called it signed.
"""

from pathlib import Path
from typing import Any

import pytest
import second_verifier as second
from known.table import Table as Desk
from known.table import dealt

from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import sign
from pbem.files import state_file
from pbem.moderator.audit import orders
from pbem.moderator.chain.link import read_link
from pbem.moderator.chain.position import Played
from pbem.moderator.turn.hand import order_of

from .table import PLAYER, SECRET, Table, first_difference


@pytest.fixture
def table() -> Table:
    """It is red's turn, whose player has a key."""
    found = Table(missed="default")
    for begins in ("wall", "wall", "wall"):
        found.play(begins)
    on(found)
    return found


def on(table: Table, seat: str = "red") -> None:
    """Until this seat is asked."""
    while table.asked() != seat:
        table.play()


def default(table: Table) -> None:
    """What a missed turn gives, for whom the game waits."""
    seat = table.asked()
    line = table.game.default(table.game.view(table.position.state, seat))
    table.carry(Played(seat, "default", line, table.game.public_words(line)))


def turn(table: Table) -> int:
    return table.game.turn(table.game.view(table.position.state, "red"))


def far_wall(table: Table) -> str:
    """One that stays legal for a while: defaults begin at the other end."""
    lines = table.game.legal(table.game.view(table.position.state, "red"))
    return [line for line in lines if line.startswith("wall")][-1]


def miss(table: Table) -> None:
    """Red's whole turn by default."""
    missed = turn(table)
    while table.asked() == "red" and turn(table) == missed:
        default(table)


def signed_as(table: Table, line: str, number: int = 1, nr: int = 0, head: str = "") -> Played:
    """An order of red whose signed line is ``line``, for the newest state if no head is named."""
    nr, quoted = nr or table.nr + 1, head or b64(table.position.head)
    table.nr = max(nr, table.nr)
    parts = (table.position.id, "red", nr, number, unb64(quoted, 32), table.game.rulings[0], line)
    order = order_of(line)
    words = table.game.public_words(order)
    sig = sign(PLAYER, "order", *parts)
    return Played("red", "signed", order, words, nr, number, quoted, sig, line)


def test_an_order_for_now_used_turns_later(table: Table) -> None:
    held, written = table.order(far_wall(table)), table.last
    miss(table)
    for _ in range(2):
        on(table)
        miss(table)
    on(table)
    table.carry(held)
    assert first_difference(table.audit()) == (
        f"state {table.last}, order 1, {held.words} of red: it was written for the turn after "
        f"state {written} alone, and that turn went otherwise in state {written + 1}"
    )


def test_an_order_for_now_after_newer_ones_of_its_turn(table: Table) -> None:
    """Held back while another list was played; its own number is higher, so that it looks new."""
    nr = table.nr
    held = signed_as(table, far_wall(table), nr=nr + 9)
    table.nr = nr
    table.play("wall")
    on(table)
    table.carry(held)
    assert "it was written for the turn after state" in first_difference(table.audit())
    with pytest.raises(second.Fault) as fault:
        second.Opened(second.Chain(table.states), SECRET)
    assert (fault.value.kind, fault.value.state) == ("order", table.last)


def test_the_second_line_of_a_turn_used_in_the_next(table: Table) -> None:
    """The first was used, and its turn is over."""
    head, line, nr = b64(table.position.head), far_wall(table), table.nr + 1
    first = signed_as(table, table.legal("wall"), 1, nr, head)
    second_line = signed_as(table, line, 2, nr, head)
    table.carry(first)
    done = turn(table)
    while turn(table) == done:
        default(table) if table.asked() == "red" else table.play()
    on(table)
    table.carry(second_line)
    assert "alone, and that turn went otherwise" in first_difference(table.audit())


def test_orders_used_the_other_way_round(table: Table) -> None:
    """Found by a second attacker: both were his, and the second was used first."""
    lines = table.game.legal(table.game.view(table.position.state, "red"))
    walls = [line for line in lines if line.startswith("wall")]
    head, nr = b64(table.position.head), table.nr + 1
    table.carry(signed_as(table, walls[-1], 2, nr, head))
    n = table.last
    table.carry(signed_as(table, walls[0], 1, nr, head))
    assert first_difference(table.audit()).endswith(
        f"it was the next of its orders, and was passed over in state {n}"
    )


def test_an_order_passed_over_for_a_default(table: Table) -> None:
    """Found by a second attacker: it was legal where its player was said to have missed."""
    held = table.order(far_wall(table))
    default(table)
    table.carry(held)
    assert "passed over in state" in first_difference(table.audit())


def test_a_default_in_a_game_that_waits() -> None:
    """Found by a second attacker: a whole game was played for a player who has a key."""
    table = Table()
    on(table)
    default(table)
    said = f"state {table.last} gives an order by default, in a game that waits for a missed turn"
    assert said in first_difference(table.audit())
    with pytest.raises(second.Fault) as fault:
        second.Chain(table.states)
    assert (fault.value.kind, fault.value.state) == ("ruling", table.last)


def proven(table: Table) -> None:
    assert table.audit().first is None
    second.Opened(second.Chain(table.states), SECRET)


def test_standing_orders_wait_for_as_many_turns_as_they_like(table: Table) -> None:
    head, nr = b64(table.position.head), table.nr + 1
    table.carry(signed_as(table, table.legal("wall"), 1, nr, head))
    for number in (2, 3):
        on(table)
        miss(table)
        on(table)
        table.carry(signed_as(table, f"later: {table.legal('wall')}", number, nr, head))
    proven(table)


def test_an_order_written_before_it_was_his_turn(table: Table) -> None:
    """For a report of a turn before, and nothing of his was answered since."""
    table.play("wall")
    head = b64(table.position.head)
    on(table)
    table.carry(signed_as(table, table.legal("wall"), 1, 0, head))
    proven(table)


def test_a_default_beside_other_lines_of_the_same_turn(table: Table) -> None:
    """The first line was dropped, the referee counts that question as missed, the next line fits:
    so the moderator itself does it (``resolution.play_out``).
    """
    now, head = turn(table), b64(table.position.head)
    default(table)
    assert (table.asked(), turn(table)) == ("red", now)
    table.carry(signed_as(table, table.legal(), 2, 0, head))
    proven(table)


def test_what_was_forced_in_between_takes_nothing_from_it(table: Table) -> None:
    """R-1: the code of his report stays good, and so does what he wrote for it."""
    head = b64(table.position.head)
    default(table)
    on(table)
    held = signed_as(table, table.legal("wall"), 1, 0, head)
    table.carry(held)
    replay = table.audit().replay
    assert replay is not None
    n = table.last
    replay.past.pop(n, None)
    for m, one in replay.past.items():
        replay.past[m] = one._replace(orders=tuple(forced(x) for x in one.orders))
    before = replay.past[n - 1]
    assert orders._held_back(replay, before.state, before.link, held, ()) is None


def forced(told: Any) -> Any:
    """As if the rules had left no choice (few questions of this game do)."""
    return told._replace(played=told.played._replace(source="forced"))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return dealt(tmp_path)


def others(desk: Desk) -> None:
    """Bob, Cleo and Dan play by their own ways, until red is asked."""
    place = desk.place
    while True:
        session = place.session()
        view = session.game.view(session.position.state, None)
        seat = session.game.questions(view)[0].seat
        if seat == "red":
            return
        text = f"{session.game.legal(session.game.view(session.position.state, seat))[-1]}\n"
        if seat == "green":
            place.done("receive", "GAME", place.file("g.txt", text), "--typed", "green")
        else:
            text += f"password {desk.password}\n" if seat == "blue" else ""
            place.done("receive", "GAME", desk.mail(seat, text, f"{seat}{session.link.n}"))
        place.done("resolve", "GAME")


def test_the_moderator_itself_contradicts_nobody(desk: Desk) -> None:
    """One mail, used over several turns and links, with a line dropped and a turn missed."""
    place = desk.place
    text = desk.signed("wall A1\nlater:\nwall A1\nwall B9\n")
    place.done("receive", "GAME", desk.mail("red", text, "ann"))
    place.done("resolve", "GAME")
    others(desk)  # then red's standing lines are used: the first is dropped, it is built already
    place.run("resolve", "GAME", "--missed", "red")
    others(desk)
    session = place.session()
    lines = session.game.legal(session.game.view(session.position.state, "red"))
    text = desk.signed(f"{lines[-1]}\nlater:\nwall A5\n")
    place.done("receive", "GAME", desk.mail("red", text, "anna"))
    place.done("resolve", "GAME")
    sources = [e.source for n in place.numbers() for e in link(desk, n).entries if e.seat == "red"]
    assert sources[0] == "signed"
    assert len(sources) >= 2
    place.done("amend", "GAME", "close", "--reason", "the end of it")
    said = place.run("audit", "GAME")
    assert said.code == 0, said.text
    assert "proven, but for 1 ruling" in said.text


def link(desk: Desk, n: int) -> Any:
    raw = desk.place.session().folder.state(n) or b""
    return read_link(state_file.parse(state_file.split(raw).body))
