"""An order signed for now counts in the turn it was written for. Found by a review: P6.

A referee kept such an order in his drawer, let the turn be missed, and played it four turns later
under its player's name; the audit called it signed. Now each state commits to what was waiting
(decision 0011), and the moderator's own ``play_out`` says what had to come of it.
"""

from pathlib import Path
from typing import Any

import pytest
import second_verifier as second
from services.receive.table import Table as Desk
from services.receive.table import dealt

from pbem.chain.next_record import ExecutedOrder
from pbem.chain.seals import Seals
from pbem.chain.state_record import read_record
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import sign
from pbem.formats import state_file
from pbem.play.pending_file import committed_values
from pbem.play.pending_orders import NOT_STOPPED, OrderGroup, PendingOrder, PendingOrders, StopPoint, order_of
from pbem.proof.audit.archive import Archive
from pbem.proof.audit.audit import TrustAnchors
from pbem.services.prove.audit import audit_archive

from .table import PLAYER, SECRET, Table, first_difference, rewritten, update_with


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


def miss(table: Table) -> None:
    """The turn of whom the game waits for, by default to its end."""
    table.resolve({}, table.asked())


def turn(table: Table) -> int:
    return table.game.turn(table.game.view(table.position.state, "red"))


def far_wall(table: Table) -> str:
    """One that stays legal for a while: defaults begin at the other end."""
    lines = table.game.legal(table.game.view(table.position.state, "red"))
    return [line for line in lines if line.startswith("wall")][-1]


def signed_as(table: Table, line: str, number: int = 1, nr: int = 0, head: str = "", of: int = 1) -> ExecutedOrder:
    """An order of red whose signed line is ``line``, for the newest state if no head is named."""
    nr, quoted = nr or table.nr + 1, head or b64(table.position.state_hash)
    table.nr = max(nr, table.nr)
    parts = (table.position.game_id, "red", nr, number, of, unb64(quoted, 32), table.game.rulings[0])
    order = order_of(line)
    words = table.game.public_words(order)
    sig = sign(PLAYER, "order", *parts, line)
    return ExecutedOrder("red", "signed", order, words, nr, number, quoted, sig, line, of)


SETTLED = "pending orders of red for now were written for a question that is settled"


@pytest.mark.attack("hold a signed order back and use it in a later turn", by="audit", who="referee")
def test_an_order_for_now_used_turns_later(table: Table) -> None:
    held = table.order(far_wall(table))
    for _ in range(3):
        miss(table)
        on(table)
    table.carry(held)
    assert first_difference(table.audit()) == f"state {table.last}, {SETTLED}"


def test_an_order_for_now_after_newer_ones_of_its_turn(table: Table) -> None:
    """Held back while another list was played; its own number is higher, so that it looks new."""
    nr = table.nr
    held = signed_as(table, far_wall(table), nr=nr + 9)
    table.nr = nr
    table.play("wall")
    on(table)
    table.carry(held)
    assert first_difference(table.audit()) == f"state {table.last}, {SETTLED}"
    with pytest.raises(second.Fault) as fault:
        second.Opened(second.Chain(table.states), SECRET)
    assert (fault.value.kind, fault.value.state) == ("order", table.last)


def in_hand(table: Table, *orders: ExecutedOrder) -> dict[str, PendingOrders]:
    """Red's hand with these lines of one mail, sent for the newest state."""
    parts: dict[str, OrderGroup] = {}
    for one in orders:
        (part,) = table.hand_of(one).groups
        before = parts[part.name].orders if part.name in parts else ()
        parts[part.name] = part._replace(orders=(*before, *part.orders))
    return {
        "red": PendingOrders(newest_email_number=max((x.orders_number for x in orders), default=0)).with_groups(
            parts.values()
        )
    }


def two_lines(table: Table) -> tuple[ExecutedOrder, ExecutedOrder]:
    lines = table.game.legal(table.game.view(table.position.state, "red"))
    walls = [line for line in lines if line.startswith("wall")]
    nr = table.nr + 1
    return signed_as(table, walls[0], 1, nr, of=2), signed_as(table, walls[-1], 2, nr, of=2)


def differs(table: Table, hands: dict[str, PendingOrders]) -> str:
    """What an audit says where these hands were committed to in the newest state."""
    raw, values = table.states[table.last], committed_values(hands)
    record = read_record(state_file.parse(state_file.split(raw).body))
    prev = unb64(record.previous_hash, 32)
    seals, n = Seals(SECRET, record.game, record.n, prev), record.n
    rows = [
        f"{s} {b64(seals.commit(f'{n}/hand/{s}', values.get(s, ''), prev)[1])}" for s, _ in record.pending_commitments
    ]
    table.states[n] = rewritten(raw, update_with(hands=rows))
    table.hands[n] = values
    return first_difference(table.audit())


@pytest.mark.attack("play a player's pending orders in the wrong sequence", by="audit", who="referee")
def test_orders_used_the_other_way_round(table: Table) -> None:
    """Found by a second attacker: both were his, and the second was used first."""
    first, other = two_lines(table)
    hands = in_hand(table, first, other)
    table.carry(other)
    what = f"order 1 does not follow from the pending orders: `{first.line}` of red, signed"
    assert differs(table, hands) == f"state {table.last}, {what}"


@pytest.mark.attack("play a default order although a pending order fitted", by="audit", who="referee")
def test_an_order_passed_over_for_a_default(table: Table) -> None:
    """Found by a second attacker: it was legal where its player was said to have missed."""
    held = table.order(far_wall(table))
    hands = in_hand(table, held)
    miss(table)
    assert "does not follow from the pending orders" in differs(table, hands)


@pytest.mark.attack("delete one line of a player's pending orders", by="audit", who="referee")
def test_a_line_that_was_waiting_and_is_gone(table: Table) -> None:
    """Found by an attack of 2026-11: a line was passed over for good, and no state showed it."""
    first, _ = two_lines(table)
    table.resolve(in_hand(table, first, signed_as(table, "when AP1: flood -2", 2, first.orders_number, of=2)))
    assert table.audit().first_contradiction is None
    table.play()
    said = f"state {table.last}, `flood -2` of red was pending, and is gone"
    assert first_difference(table.audit()) == said


def edited(table: Table, hand: PendingOrders, *parts: OrderGroup) -> str:
    """What an audit says of red's hand with these parts instead, once it was played."""
    table.resolve({"red": hand._replace(groups=()).with_groups(parts)}, "red")
    return first_difference(table.audit()).partition(", ")[2]


def standing(table: Table, *lines: str, nr: int) -> PendingOrders:
    """Red's hand as it lies on the desk when a mail with these lines has come."""
    found = [signed_as(table, x, i, nr, of=len(lines)) for i, x in enumerate(lines, 1)]
    asks = [one for one in found if one.signed_line.startswith("withdraw")]
    hand = in_hand(table, *(one for one in found if one not in asks))["red"]
    rows = tuple(PendingOrder(x.line_number, x.line, b64(x.signature), x.signed_line, x.line_count) for x in asks)
    rest = OrderGroup(f"rest {nr}", rows, nr, "signed", b64(table.position.state_hash))
    return hand._replace(newest_email_number=nr).with_groups([rest])


MISPLACED = "the pending orders of red are not as they were sent"


@pytest.mark.attack(
    "play the lines of one email of a player with a key in the wrong sequence", by="audit", who="referee"
)
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ((1, 0, 2), MISPLACED),
        ((0, 0, 1, 2), MISPLACED),
        ((0, 2), "orders 5 of red are incomplete: some of them are not pending"),
        ((0, 1), "orders 5 of red are incomplete: some of them are not pending"),
    ],
)
def test_the_lines_of_one_mail_in_another_order(table: Table, rows: tuple[int, ...], said: str) -> None:
    """Found by an attack of 2026-11: reversed, one left out, one twice; all of it was proven."""
    walls = (far_wall(table), "wall A6", "wall A7")
    hand = standing(table, *(f"later: {wall}" for wall in walls), nr=5)
    (part,) = hand.groups
    assert edited(table, hand, part._replace(orders=tuple(part.orders[i] for i in rows))) == said


@pytest.mark.attack("play only half of an email of a player with a key", by="audit", who="referee")
def test_half_a_mail(table: Table) -> None:
    """Found by an attack of 2026-11: one part was taken, and beside it an older one played."""
    far, last = far_wall(table), table.game.legal(table.game.view(table.position.state, "red"))
    old = f"later: {[line for line in last if line.startswith('wall')][-3]}"
    hand = table.resolve({"red": standing(table, far, old, nr=table.nr + 1)})["red"]
    on(table)
    new = standing(table, "when AP1: flood -2", "later: wall A7", nr=table.nr + 1)
    when = next(part for part in new.groups if part.when)
    assert "are incomplete" in edited(table, hand, *hand.groups, when)


def test_the_rest_of_a_mail_is_said_to_be_left_out(table: Table) -> None:
    """Nothing replaced it or took it back."""
    hand = standing(table, "when AP1: flood -2", f"later: {far_wall(table)}", nr=table.nr + 1)
    later, when = hand.groups
    rest = later._replace(name=f"rest {later.email_number}")
    assert "came with orders that are pending, and is missing" in edited(table, hand, when, rest)


@pytest.mark.attack("play orders that the player had withdrawn", by="audit", who="referee")
def test_orders_played_that_were_taken_back(table: Table) -> None:
    """Found by an attack of 2026-11: `withdraw` was said to have taken back another part alone."""
    hand = standing(table, f"later: {far_wall(table)}", nr=table.nr + 1)
    asks = standing(table, "withdraw", nr=table.nr + 1)
    said = edited(table, asks, *hand.groups, *asks.groups)
    assert said.endswith("was pending, and had been withdrawn")


def test_a_withdrawal_in_the_place_of_new_orders(table: Table) -> None:
    """Found by an attack of 2026-11: put before the lines that came with it, it took them back."""
    hand = standing(table, f"later: {far_wall(table)}", "withdraw later", nr=table.nr + 1)
    later, rest = hand.groups
    assert edited(table, hand, later._replace(orders=(*later.orders, *rest.orders))) == MISPLACED


HELD = "the pending orders of red are not held back as they were left"


@pytest.mark.attack("hold pending orders back although none of them was illegal", by="audit", who="referee")
def test_orders_held_back_though_nothing_was_illegal(table: Table) -> None:
    """Found by an attack of 2026-11: what holds orders back was believed, and a default played."""
    told = StopPoint(table.position.answered_count("red"), table.nr + 9)
    table.resolve({"red": in_hand(table, *two_lines(table))["red"]._replace(stopped_at=told)}, "red")
    assert first_difference(table.audit()) == f"state {table.last}, {HELD}"


@pytest.mark.attack("play pending orders that an illegal order before them holds back", by="audit", who="referee")
def test_orders_used_that_are_held_back(table: Table) -> None:
    """Found by an attack of 2026-11: a line was illegal, and the rest of its mail was used."""
    far = far_wall(table)
    on(table, "blue")
    taken, nr = table.legal("wall"), table.nr + 1
    lines = [signed_as(table, f"later: {x}", i, nr, of=2) for i, x in ((1, taken), (2, far))]
    left = in_hand(table, *lines)
    while table.asked() == "blue":
        blue = table.hand_of(table.order(table.legal("wall")))
        left = table.resolve({**left, "blue": blue})
    assert left["red"].stopped_at != NOT_STOPPED
    table.resolve({"red": left["red"]._replace(stopped_at=NOT_STOPPED)})
    assert first_difference(table.audit()) == f"state {table.last}, {HELD}"


@pytest.mark.attack("play orders that a newer email had replaced", by="audit", who="referee")
def test_an_older_email_is_back(table: Table) -> None:
    """Found by an attack of 2026-11: a referee played orders that their player had replaced."""
    nr, walls = table.nr, two_lines(table)
    old, new = (signed_as(table, f"later: {x.line}", nr=nr + i) for i, x in enumerate(walls, 1))
    table.resolve(in_hand(table, new))
    on(table)
    table.carry(old)
    said = first_difference(table.audit())
    assert "it was used before, or replaced by newer orders" in said


@pytest.mark.attack(
    "lose a player's pending orders without saying so",
    by="audit, unless a ruling `void` told all players",
    who="referee",
)
def test_hands_that_are_lost(table: Table) -> None:
    table.play("wall")
    table.hands[table.last] = {}
    who = "the pending orders of red that it commits to are lost, or are others"
    assert first_difference(table.audit()) == f"state {table.last}, {who}"


def test_where_hands_are_not_here_nothing_is_said_of_them(table: Table) -> None:
    found = audit_archive(Archive(table.states, SECRET), TrustAnchors())
    assert found.verdict == "not checked"
    assert [item.name for item in found.items if item.verdict == "not checked"] == ["hands", "result"]


@pytest.mark.attack("play a default order in a game that waits when a turn is missed", by="verify", who="referee")
def test_a_default_in_a_game_that_waits() -> None:
    """Found by a second attacker: a whole game was played for a player who has a key."""
    table = Table()
    on(table)
    miss(table)
    said = f"state {table.last} gives an order by default, in a game that waits for a missed turn"
    assert said in first_difference(table.audit())
    with pytest.raises(second.Fault) as fault:
        second.Chain(table.states)
    assert (fault.value.kind, fault.value.state) == ("ruling", table.last)


def proven(table: Table) -> None:
    assert table.audit().first_contradiction is None
    second.Opened(second.Chain(table.states), SECRET)


def test_standing_orders_wait_for_as_many_turns_as_they_like(table: Table) -> None:
    nr, walls = table.nr + 1, table.game.legal(table.game.view(table.position.state, "red"))[:40:9]
    lines = [signed_as(table, f"later: {x}", i, nr, of=len(walls)) for i, x in enumerate(walls, 1)]
    hands = in_hand(table, *lines)
    hands = table.resolve(hands)
    while (seat := table.asked()) != "red":
        hands = table.resolve({**hands, seat: table.hand_of(table.order(table.legal()))})
    proven(table)


def test_an_order_written_before_it_was_his_turn(table: Table) -> None:
    """For a report of a turn before, and nothing of his was answered since."""
    table.play("wall")
    head = b64(table.position.state_hash)
    on(table)
    table.carry(signed_as(table, table.legal("wall"), 1, 0, head))
    proven(table)


def test_a_default_beside_other_lines_of_the_same_turn(table: Table) -> None:
    """The first line was dropped, the referee counts that question as missed, the next line fits:
    so the moderator itself does it (``resolution.play_out``). But it does not keep such a line.
    """
    first, other = two_lines(table)
    taken = signed_as(table, "wall A99", 1, first.orders_number, of=2)
    table.resolve(in_hand(table, taken, other), "red")
    sources = [row.source for row in table.position.record.entries]
    assert sources == ["default", "signed"]
    second.Opened(second.Chain(table.states), SECRET)
    what = "`wall A99` of red was sent with pending orders, and could not be accepted"
    assert first_difference(table.audit()) == f"state {table.last}, {what}"


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
            place.done("receive", "GAME", desk.mail(seat, text, f"{seat}{session.record.n}"))
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
    raw = desk.place.session().folder.read_state(n) or b""
    return read_record(state_file.parse(state_file.split(raw).body))
