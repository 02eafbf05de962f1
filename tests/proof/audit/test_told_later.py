"""Receipts against states that come long after them, and honest referees they contradicted. P6.

All found by an attack of 2026-11-22: cheats that an audit called proven with the receipt beside
them, and receipts of an honest referee that it held against that referee.
"""

from contextlib import nullcontext
from functools import partial

import pytest
import second_verifier as second

from pbem.chain.clock import Clock, SeatClock
from pbem.chain.referees import RefereeKeys
from pbem.chain.rulings.clock import CLOCK
from pbem.chain.rulings.kind import NOTE, VOID, RulingBasis, build_void_basis, unchanged_basis
from pbem.chain.rulings.people import build_hand_over_basis
from pbem.crypto.encoding import b64
from pbem.crypto.keys import RefereeKey
from pbem.play.pending_file import committed_values
from pbem.play.pending_orders import OrderGroup, PendingOrder, PendingOrders
from pbem.proof.audit.archive import write_pending
from pbem.proof.verify.inputs import ChainRegistry
from pbem.proof.verify.verify import check_chain
from pbem.services.prove.saved_emails import read_signed_blocks

from .table import RECOVERY, SECRET, Table, wrapped
from .test_held_back import far_wall, on
from .test_held_back import standing as sent
from .test_letters import audited, receipt, report

WAITED = "Hello, all."


@pytest.fixture
def table() -> Table:
    """It is red's turn, whose player has a key."""
    found = Table(missed="default")
    for begins in ("wall", "wall", "wall"):
        found.play(begins)
    on(found)
    return found


def noted(table: Table, hands: dict[str, PendingOrders]) -> None:
    table.amend(unchanged_basis(table.position, NOTE.make_ruling(WAITED)), committed_values(hands))


@pytest.mark.attack("refuse orders in a receipt and play them later", by="audit, with the receipt", who="referee")
@pytest.mark.parametrize(
    ("verdict", "line", "more"), [("kept", "withdraw", 1), ("refused", "", 0), ("left", "", 0), ("kept", "help", 1)]
)
def test_an_email_that_was_passed_over_comes_no_more(table: Table, verdict: str, line: str, more: int) -> None:
    """The state after the receipt had nothing of it, and it was played from the one after that."""
    order, nr = f"later: {far_wall(table)}", table.nr + 1
    hand = sent(table, order, nr=nr)
    told = receipt(table, "red", nr + more, lines=((verdict, line or order),))
    noted(table, {})
    table.resolve({"red": hand})
    wrong = f"orders number {nr} of red became pending when number {nr + more} had been answered"
    assert audited(table, told).wrong == f"state {table.last}, by 0.txt: {wrong}"
    chain = second.Chain(table.states)
    second.check_receipt(chain, told)
    with pytest.raises(second.Fault, match="receipt"):
        second.check_receipt(chain, told, second.Opened(chain, SECRET), text_of(table))


def text_of(table: Table) -> str:
    """The file `hands` of its archive."""
    return write_pending(table.hands).decode()


def test_what_waited_already_is_no_late_comer(table: Table) -> None:
    order, nr = f"later: {far_wall(table)}", table.nr + 1
    hand = sent(table, order, nr=nr)
    told = [receipt(table, "red", nr, order), receipt(table, "red", nr + 1, "help")]
    table.nr = nr + 1
    noted(table, {"red": hand})
    table.resolve({"red": hand})
    found = audited(table, *told)
    assert (found.wrong, found.verdict) == ("", "proven")


def recovered(table: Table) -> RulingBasis:
    """A ruling that the acting key was lost; the new one signs from here on."""
    new, newer = RefereeKey(b"n" * 32), RefereeKey(b"m" * 32)
    keys = (new.public, new.wrap_public, newer.public, newer.wrap_public)
    row = RefereeKeys(table.last + 1, *keys)
    row = row.sign_row("recovery", RECOVERY.signing, table.position.game_id)
    table.key = new
    return build_hand_over_basis(table.position, row, (wrapped(new), wrapped(newer)), "My key is lost.", "")


def handed_over(table: Table) -> None:
    """To another referee, who acts from here on."""
    next_key, recovery = RefereeKey(b"b" * 32), (RECOVERY.public, RECOVERY.wrap_public)
    row = RefereeKeys(table.last + 2, next_key.public, next_key.wrap_public, *recovery)
    row = row.sign_row("acting", table.key.signing, table.position.game_id)
    wraps = (wrapped(next_key), wrapped(RECOVERY))
    table.amend(build_hand_over_basis(table.position, row, wraps, "Ask Rob from here on.", ""))
    table.key = next_key


@pytest.mark.attack("deny a receipt after the recovery key took over", by="verify, with the receipt", who="referee")
@pytest.mark.parametrize("handing", [False, True])
@pytest.mark.parametrize("fair", [True, False])
def test_receipts_before_a_recovery_count(table: Table, *, fair: bool, handing: bool) -> None:
    """They were "not in force": true ones, and those that showed that the order was left out; so
    were those of who took over in the state before it (attack of 2026-11-23).
    """
    if handing:
        handed_over(table)
    far, nr = far_wall(table), table.nr + 1
    hand = sent(table, far, nr=nr)
    told = receipt(table, "red", nr, far)
    table.amend(recovered(table), committed_values({"red": hand if fair else PendingOrders()}))
    table.resolve({"red": hand} if fair else {}, *(() if fair else ("red",)))
    found = audited(table, told)
    assert (found.refused, found.verdict == "proven") == ({}, fair)
    assert fair or "is not among them" in found.wrong


@pytest.mark.parametrize("fair", [True, False])
def test_reports_before_a_recovery_count(table: Table, *, fair: bool) -> None:
    """So does the report of the state that handed over, by who took over and was recovered in the
    next one: it could say anything (attack of 2026-11-23).
    """
    handed_over(table)
    n, hands = table.last, dict(table.hands)
    false = committed_values({"red": sent(table, far_wall(table), nr=table.nr + 1)})
    table.hands[n] = hands.get(n, {}) if fair else false
    told = report(table, "red", n)
    table.hands = hands
    table.amend(recovered(table))
    found = audited(table, told)
    assert (found.refused, bool(found.wrong)) == ({}, not fair)
    second_says = partial(second.check_block, second.Chain(table.states), told)
    if fair:
        second_says()
    else:
        with pytest.raises(second.Fault, match="block"):
            second_says()


def with_reserve(table: Table, due: str, bank: int) -> Clock:
    rows = (SeatClock("red", due, bank, 0), SeatClock("blue", "", 200, 0))
    return Clock(turn=216, time_bank=200, missed="default", seats=rows)


DUE, LATER = "2026-11-30T20:00:00Z", "2026-12-30T12:00:00Z"


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("2026-11-21T10:00:00Z", "199 hours of the time bank of red are gone, and 0 were used"),
        ("2026-12-09T02:00:00Z", "199 hours of the time bank of red are gone, and 198 were used"),
        ("", ""),
    ],
)
def test_a_note_uses_up_no_reserve(table: Table, note: str, said: str) -> None:
    """Red's order came nine days before its deadline; it was played 199 hours after it."""
    table.clock = with_reserve(table, DUE, 200)
    table.amend(unchanged_basis(table.position, CLOCK.make_ruling("as asked", ("what", "turn,bank"))))
    order, nr = far_wall(table), table.nr + 1
    hand = sent(table, order, nr=nr)
    table.time = note or "2026-12-09T02:00:00Z"
    noted(table, {"red": hand})
    n, table.time = table.last + 1, "2026-12-09T03:00:00Z"
    table.clock = with_reserve(table, LATER, 1 if note else 200)
    table.resolve({"red": hand})
    # an answer that the state before shows was there by then, also without a receipt
    assert audited(table).wrong == (f"state {n}, {said}" if note else "")
    opened = second.Opened(second.Chain(table.states), SECRET)
    with pytest.raises(second.Fault, match="hands") if note else nullcontext():
        second.check_hands(opened, text_of(table))


@pytest.mark.attack(
    "use up a player's time bank by playing late an order that came in time",
    by="audit, with the receipt",
    who="referee",
)
def test_a_reserve_that_ran_before_the_note_is_told_by_the_receipt(table: Table) -> None:
    """The referee kept the order for 198 hours, wrote a note, and then played it."""
    table.clock = with_reserve(table, DUE, 200)
    table.amend(unchanged_basis(table.position, CLOCK.make_ruling("as asked", ("what", "turn,bank"))))
    order, nr = far_wall(table), table.nr + 1
    hand = sent(table, order, nr=nr)
    told = receipt(table, "red", nr, order)
    table.time = "2026-12-09T02:00:00Z"
    noted(table, {"red": hand})
    table.time, table.clock = "2026-12-09T03:00:00Z", with_reserve(table, LATER, 2)
    table.resolve({"red": hand})
    assert audited(table).wrong == ""
    wrong = "by 0.txt: 198 hours of the time bank of red are gone, and 0 were used"
    assert audited(table, told).wrong == f"state {table.last}, {wrong}"


def blue(table: Table, line: str, nr: int, name: str = "now") -> PendingOrders:
    """What blue, who plays by reply, has waiting."""
    view = table.game.view(table.position.state, "blue")
    turn = table.game.turn(view) if name == "now" else 0
    part = OrderGroup(name, (PendingOrder(1, line),), nr, "reply", b64(table.position.state_hash), turn)
    return PendingOrders(newest_email_number=nr).with_groups([part])


def lost(table: Table, k: int) -> None:
    """A ruling that what waited from state k on was lost."""
    table.amend(build_void_basis(table.position, VOID.make_ruling("The desk was lost.", ("from", str(k)))))


def test_numbers_begin_anew_where_orders_were_lost(table: Table) -> None:
    """Two losses: the receipt from before the first one contradicted an order after it."""
    told = receipt(table, "blue", 1, "later: wall B9")
    noted(table, {})
    lost(table, table.last - 1)
    on(table, "blue")
    table.resolve({"blue": blue(table, table.legal("wall"), 1)})
    lost(table, 2)
    table.hands = {n: {} for n in table.hands}
    found = audited(table, told)
    assert (found.wrong, found.verdict) == ("", "proven")


@pytest.mark.parametrize("fair", [True, False])
def test_an_order_is_used_as_the_rules_complete_it(*, fair: bool) -> None:
    """The receipt has the line as it came; that hand was lost later."""
    table = Table(missed="default")
    on(table, "blue")
    game, view = table.game, table.game.view(table.position.state, "blue")
    short = next(
        line.partition(" reserve")[0]
        for line in game.legal(view)
        if " reserve " in line and game.complete(view, line.partition(" reserve")[0]) == line
    )
    told = receipt(table, "blue", 1, f"later: {short if fair else 'wall A1'}")
    n = table.last + 1
    table.resolve({"blue": blue(table, short, 1, "later")})
    assert table.position.record.entries[0].public_words.startswith(f"{short} reserve ")
    lost(table, n - 1)
    table.hands[n] = {}
    found = audited(table, told).wrong
    assert (found == "") == fair
    assert fair or found.endswith("it is not among them")


def test_a_line_of_a_receipt_may_be_anything() -> None:
    """What the rules make of it ends no audit."""
    table = Table(missed="default")
    on(table, "blue")
    told = receipt(table, "blue", 1, "later: tower", "later: double", "later: take S1 on")
    n = table.last + 1
    table.resolve({"blue": blue(table, table.legal("wall"), 1)})
    lost(table, n - 1)
    table.hands[n] = {}
    assert audited(table, told).wrong.endswith("it is not among them")


@pytest.mark.parametrize("given", [False, True])
def test_what_no_receipt_tells_of_is_said(table: Table, *, given: bool) -> None:
    """`verify` said that a made-up email agrees with the receipt of the one it replaced."""
    on(table, "blue")
    lines = [x for x in table.game.legal(table.game.view(table.position.state, "blue")) if "wall" in x]
    told = [receipt(table, "blue", 40, lines[-1])]
    told += [receipt(table, "blue", 41, lines[-2])] if given else []
    table.resolve({"blue": blue(table, lines[-2], 41)})
    n = table.last
    took = "orders number 41, for which there is no receipt so far, replaced number 40"
    found = audited(table, *told)
    assert found.told is not None
    assert (found.verdict, took in found.told.text) == ("proven", not given)
    chains = ChainRegistry()
    chains.add_chain("x", check_chain(table.states, None, None))
    both = [read_signed_blocks(text.encode()) for text in (*told, report(table, "blue", n))]
    said = [chains.pending_comparison.compare_blocks("y", chains, *one.receipts, *one.blocks) for one in both]
    agrees = "; this agrees with the receipt for orders number 40, 41"
    assert said[-1] == (agrees if given else f"; {took}")
