"""Receipts and reports held against a game, and what a ruling or a bot may excuse. P6, P7.

Found by an attack of 2026-11-22: an audit called each of these games proven, with the letters of
the player who was cheated given with it.
"""

from typing import Any, NamedTuple

import pytest

from pbem.chain.next_record import ExecutedOrder
from pbem.chain.rulings.kind import CLOSE, NOTE, VOID, build_void_basis, unchanged_basis
from pbem.chain.seals import Seals, pending_slot
from pbem.chain.signed_state import state_hash_of
from pbem.chain.state_record import Opening, StateRecord, read_record
from pbem.crypto.encoding import b64
from pbem.crypto.signing import private_key, public_key
from pbem.formats import state_file
from pbem.play.pending_file import committed_values
from pbem.play.pending_orders import OrderGroup, PendingOrder, PendingOrders
from pbem.play.resolution import Resolution, make_next_state, play_out
from pbem.proof.audit.archive import Archive, pack, unpack
from pbem.proof.audit.audit import Audit, TrustAnchors
from pbem.proof.audit.findings import Item
from pbem.proof.audit.reports import audit_reports
from pbem.proof.audit.saved_emails import SavedEmail
from pbem.report.block import write_block
from pbem.report.receipt_block import Receipt, write_receipt_block
from pbem.services.prove.audit import audit_archive, make_texts
from pbem.services.prove.saved_emails import read_signed_blocks

from .table import ACTING, RECOVERY, SECRET, Table
from .test_held_back import far_wall, on
from .test_held_back import standing as sent


def link_of(table: Table, n: int) -> StateRecord:
    return read_record(state_file.parse(state_file.split(table.states[n]).body))


def receipt(table: Table, seat: str, nr: int, *lines: str, **other: Any) -> str:
    """A receipt of the newest state, by who acts, that says these lines were kept; ``other``: its
    fields.
    """
    n = other.get("n", table.last)
    head = state_hash_of(table.states[n])
    kept = tuple(("kept", line) for line in lines)
    knows = link_of(table, n).latest_restored_hash(head)
    said = Receipt(table.position.game_id, seat, nr, table.time, n, head, knows, 0, kept)
    return write_receipt_block(said._replace(**other), table.key.signing, table.key.public)


def report(table: Table, seat: str, n: int) -> str:
    """The block of a report of a state without events that opens what its seat had waiting."""
    record, before = link_of(table, n), state_hash_of(table.states[n - 1])
    value, slot = table.hands.get(n, {}).get(seat, ""), pending_slot(n, seat)
    k, _ = Seals(SECRET, record.game, n, before).commit(slot, value, before)
    hand, head = Opening(slot, value, k, b""), state_hash_of(table.states[n])
    by = table.key
    return write_block(record, seat, head, record.openings, by.signing, by.public, (), hand)


class Found(NamedTuple):
    """An audit with letters: of the game, and of them."""

    game: Audit
    told: Item | None
    refused: dict[str, str]

    @property
    def wrong(self) -> str:
        """The first contradiction; "" if there is none."""
        if self.game.first_contradiction is not None:
            return self.game.first_contradiction.text
        return self.told.text if self.told and self.verdict == "contradicted" else ""

    @property
    def verdict(self) -> str:
        """On the letters."""
        return self.told.verdict if self.told else ""


def audited(table: Table, *texts: str) -> Found:
    """What an audit finds with these letters."""
    letters = []
    for number, text in enumerate(texts):
        blocks, receipts, *_ = read_signed_blocks(text.encode())
        letters.append(SavedEmail(f"{number}.txt", (*blocks, *receipts)))
    contents = Archive(table.states, SECRET, pending_values=table.hands)
    game = audit_archive(contents, TrustAnchors(), letters)
    told, refused = audit_reports(contents.states, game.game, game.replay, letters)
    return Found(game, told, {path: error.as_line() for path, error in refused.items()})


@pytest.fixture
def table() -> Table:
    """It is red's turn, whose player has a key."""
    found = Table(missed="default")
    for begins in ("wall", "wall", "wall"):
        found.play(begins)
    on(found)
    return found


def by_bot(table: Table, hands: dict[str, PendingOrders], line: str) -> None:
    """A state in which a bot chose for whom the game asks."""
    one = ExecutedOrder(table.asked(), "bot:x:1", line, table.game.public_words(line))
    position, n = table.timed(), table.last + 1
    step = table.game.apply(position.state, one.seat, line, n)
    values = table.values(position.state) | table.values(step.state)
    table.hands[n] = committed_values(hands)
    course = Resolution(step.state, (one,), step.events, {}, values, table.hands[n])
    table.save(make_next_state(position, course, SECRET, ACTING, table.time).raw)


@pytest.mark.attack(
    "use a bot's order at one seat to hide a change to another seat's orders", by="audit", who="referee"
)
def test_a_bot_at_one_seat_hides_nothing_of_another() -> None:
    """One entry of a bot switched off the check of all hands, and what had waited was forgotten."""
    table = Table(missed="default")
    for begins in ("wall", "wall", "wall"):
        table.play(begins)
    on(table, "blue")
    lines = table.game.legal(table.game.view(table.position.state, "blue"))
    far = [line for line in lines if line.startswith("wall")][-1]
    first, nr = sent(table, f"later: {far}", nr=table.nr + 1), table.nr
    back = sent(table, "withdraw", nr=nr + 1)
    gone = first.groups[0]._replace(name=f"rest {nr}")
    by_bot(table, {"red": back.with_groups([gone])}, table.legal("wall"))
    verdicts = table.verdicts()
    assert (verdicts["hands"], verdicts["signed"]) == ("proven", "not checked")
    while table.asked() == "blue":
        table.resolve({"blue": table.hand_of(table.order(table.legal("wall")))})
    table.resolve({"red": first})
    assert [entry.public_words for entry in table.position.record.entries] == [far]
    found = table.audit().first_contradiction
    assert found is not None
    what = "the pending orders of red are not as they were before"
    assert found.text == f"state {table.last}, {what}"


def test_a_bot_plays_beside_what_waits(table: Table) -> None:
    """What waits at its own seat goes first, and all that is not its choice is checked."""
    hand, game, state = (sent(table, far_wall(table), nr=table.nr + 1), table.game, table.position.state)

    def ends(line: str) -> bool:
        after = game.apply(state, "red", line, table.last + 1).state
        return game.questions(game.view(after, None))[0].seat != "red"

    by_bot(table, {"red": hand}, next(filter(ends, game.legal(game.view(state, "red")))))
    found = table.audit().first_contradiction
    assert found is not None
    assert "order 1 does not follow from the pending orders" in found.text


def test_what_waits_when_the_game_is_over_is_checked() -> None:
    """Nothing that waits can be used then, and yet it is said to be its player's."""
    table = Table(kind="great-wall")
    while table.game.outcome(table.game.view(table.position.state, None)) is None:
        table.play()
    note = unchanged_basis(table.position, NOTE.make_ruling("well played"))
    hand = sent(table, "later: draw", nr=table.nr + 1)
    part = hand.groups[0]
    forged = part._replace(orders=tuple(x._replace(signed_line="later: pass") for x in part.orders))
    table.amend(note, committed_values({"red": hand.with_groups([forged])}))
    found = table.audit().first_contradiction
    assert found is not None
    assert "is not signed for that" in found.text


def with_void(table: Table, played: int = 0) -> tuple[str, str, int]:
    """A default though red had an order waiting, and a ruling that says it was lost; red's receipt
    and report. ``played``: states between.
    """
    far, n = far_wall(table), table.last + 1
    hand = sent(table, far, nr=table.nr + 1)
    told = receipt(table, "red", table.nr, far)
    course = play_out(table.position, {}, frozenset({"red"}))
    course = course._replace(committed_before=committed_values({"red": hand}))
    table.hands[n] = dict(course.committed_before)
    table.save(make_next_state(table.timed(), course, SECRET, ACTING, table.time).raw)
    opened = report(table, "red", n)
    for _ in range(played):
        table.play("wall")
    lost = VOID.make_ruling("The desk of the referee was lost.", ("from", str(n - 1)))
    table.amend(build_void_basis(table.position, lost))
    return told, opened, n


@pytest.mark.attack(
    "claim that orders were lost although the archive or a report shows them", by="audit", who="referee"
)
@pytest.mark.parametrize("kept", [True, False])
def test_a_void_excuses_only_what_nobody_can_open(table: Table, *, kept: bool) -> None:
    """The hands were in the archive, or red's report opened them: nobody looked."""
    told, opened, n = with_void(table, 2)
    if not kept:
        for m in range(n, table.last + 1):
            table.hands.pop(m, None)
    far = "order 1 does not follow from the pending orders: `wall"
    assert f"state {n}, {far}" in audited(table, told, opened).wrong
    # what nobody can open it excuses, also where the receipt is given
    table.hands[n] = {}
    assert audited(table, told).wrong == ""


def test_a_receipt_of_a_state_that_a_void_calls_lost(table: Table) -> None:
    """The hand before the next state is there, and has not what the receipt says."""
    told = receipt(table, "red", table.nr + 1, far_wall(table))
    table.resolve({}, "red")
    n = table.last
    table.amend(build_void_basis(table.position, VOID.make_ruling("The desk was lost.", ("from", str(n - 1)))))
    assert "is not among them" in audited(table, told).wrong


def test_a_void_excuses_what_came_just_before_it(table: Table) -> None:
    """An honest one: nothing could use what was lost."""
    far = far_wall(table)
    told = receipt(table, "red", table.nr + 1, far)
    table.amend(unchanged_basis(table.position, NOTE.make_ruling("my disk broke")))
    n = table.last
    table.amend(build_void_basis(table.position, VOID.make_ruling("It was lost.", ("from", str(n - 1)))))
    assert audited(table, told).wrong == ""
    found = audited(table, told).told
    assert found is not None
    assert found.verdict == "proven"
    assert found.text.endswith("but for 1 of orders that a ruling says were lost")


def used_in_spite(table: Table, *then: str, played: int = 0) -> tuple[str, list[str]]:
    """An order of red's is used though a later email took it back or replaced it, and a ruling
    says that what waited was lost; the order and red's receipts.
    """
    far, nr = far_wall(table), table.nr + 1
    hand = sent(table, f"later: {far}", nr=nr)
    table.nr = nr + 1
    told = [receipt(table, "red", nr, f"later: {far}")]
    told.append(receipt(table, "red", nr + 1, *then, replaced_number=nr))
    table.resolve({"red": hand})
    for _ in range(played):
        table.play("wall")
    table.amend(build_void_basis(table.position, VOID.make_ruling("A file was lost.", ("from", "2"))))
    table.hands = {n: {**values, "red": ""} for n, values in table.hands.items()}
    return far, told


@pytest.mark.parametrize("then", ["withdraw", "withdraw later", "later: wall A6"])
def test_a_void_does_not_excuse_what_was_used(table: Table, then: str) -> None:
    """Found by the next attack: what was lost was held against nothing."""
    far, told = used_in_spite(table, then)
    what = f"state {table.last - 1}, `{far}` of red was used: 1.txt says what red sent"
    assert audited(table, *told).wrong.startswith(what)
    assert audited(table, told[0]).wrong == ""


def test_a_receipt_that_took_back_something_else(table: Table) -> None:
    _, told = used_in_spite(table, "withdraw A6", "when A5: wall A5")
    assert audited(table, *told).wrong == ""


def test_one_of_those_lines_was_not_kept(table: Table) -> None:
    """Used under the number of an email that was refused."""
    far, nr = far_wall(table), table.nr + 1
    told = receipt(table, "red", nr, lines=(("refused", far),))
    n = table.last + 1
    table.resolve({"red": sent(table, far, nr=nr)})
    assert "is among them" in audited(table, told).wrong
    table.amend(build_void_basis(table.position, VOID.make_ruling("A file was lost.", ("from", str(n - 1)))))
    table.hands.pop(n)
    assert audited(table, told).wrong.endswith("it is not among them")


def test_orders_that_nobody_can_check_are_not_proven(table: Table) -> None:
    """It was called proven "but in 1 state where a ruling says so"."""
    told, opened, n = with_void(table, 2)
    for m in range(n, table.last + 1):
        table.hands.pop(m, None)
    found = {item.name: item for item in audited(table).game.items}["hands"]
    assert (found.verdict, f"before state {n} were lost" in found.text) == ("not checked", True)
    assert audited(table, told).verdict == "not checked"
    assert "does not follow from the pending orders" in audited(table, told, opened).wrong


def test_a_letter_by_a_former_key_of_the_game(table: Table) -> None:
    """It was said to be nobody's: of its referee, or of a former one, it says nothing alone."""
    n, head = table.last, state_hash_of(table.states[table.last])
    said = Receipt(table.position.game_id, "red", 1, table.time, n, head, b"", 0, ())
    told = write_receipt_block(said, RECOVERY.signing, RECOVERY.public)
    missed(table)
    found = audited(table, told)
    assert (found.wrong, found.verdict) == ("", "")
    assert "a key of this game's referees that did not act" in found.refused["0.txt"]


def test_an_order_for_that_very_state_is_not_passed_over() -> None:
    """A second `draw`, after a forced one that its player knew of, was said to repeat that."""
    table = Table(missed="default", kind="great-wall")
    for _ in range(60):
        forced = [x for x in table.position.record.entries if (x.seat, x.source) == ("red", "forced")]
        if table.asked() == "red" and forced:
            break
        table.resolve({table.asked(): table.hand_of(table.order(_one(table)))})
    view = table.game.view(table.position.state, "red")
    play = next(line for line in table.game.legal(view) if line.startswith("play"))
    hand = sent(table, "draw", f"later: {play}", nr=table.nr + 1)
    now, later = hand.groups
    honest = table.resolve({"red": hand})
    assert (table.audit().first_contradiction, honest["red"].groups) == (None, (later,))
    table.states.pop(table.last)
    table.load()
    rest = now._replace(name=f"rest {now.email_number}", turn=0)
    table.resolve({"red": PendingOrders(newest_email_number=now.email_number).with_groups([later, rest])})
    found = table.audit().first_contradiction
    assert found is not None
    assert "`draw` of red came with orders that are pending, and is missing" in found.text


def _one(table: Table) -> str:
    """Red plays what it has most of, so that one card is left, and then must draw."""
    seat = table.asked()
    view = table.game.view(table.position.state, seat)
    legal = table.game.legal(view)
    plays = [x for x in legal if x.startswith("play") and "dragon" not in x]
    if seat != "red" or table.game.questions(view)[0].kind == "marker":
        return legal[0]
    most = max(plays, key=len) if plays else "draw"
    if table.game.questions(view)[0].kind == "third":
        held = view.public.hand_sizes[0]
        return next((x for x in plays if len(x.split()) - 2 == held), most)
    few = len({x.split()[2] for x in plays}) < 2 and "draw" in legal
    return "draw" if few else most


def missed(table: Table) -> int:
    """Red's turn, by default; its state."""
    table.resolve({}, "red")
    return table.last - 1


@pytest.mark.attack("accept orders in a receipt that gives them no number", by="verify", who="referee")
def test_a_receipt_of_no_number_keeps_nothing(table: Table) -> None:
    """So that it was held against nothing."""
    told = receipt(table, "red", 0, far_wall(table))
    missed(table)
    assert audited(table, told).wrong.endswith("lines were accepted, and gives them no number")


@pytest.mark.attack(
    "write a receipt with a lower number than an older receipt has", by="verify, with both receipts", who="referee"
)
def test_a_later_receipt_has_no_lower_number() -> None:
    """Blue, who signs nothing, sent others; their number was lower, and the old ones counted."""
    table = Table(missed="default")
    for begins in ("wall", "wall", "wall"):
        table.play(begins)
    on(table)
    walls = list(table.game.legal(table.game.view(table.position.state, "red")))[-2:]
    kept = OrderGroup("later", (PendingOrder(1, walls[0]),), 30, "reply", b64(table.position.state_hash))
    hand = PendingOrders(newest_email_number=30).with_groups([kept])
    first = receipt(table, "blue", 30, f"later: {walls[0]}")
    note = unchanged_basis(table.position, NOTE.make_ruling("hello all"))
    table.amend(note, committed_values({"blue": hand}))
    other = receipt(table, "blue", 29, f"later: {walls[1]}")
    one = table.hand_of(table.order(table.legal("wall")))
    table.resolve({"red": one, "blue": hand})
    assert "has number 29 for orders of blue" in audited(table, first, other).wrong
    assert "has number 29 for orders of blue" in audited(table, other, first).wrong
    # one that keeps nothing may answer an email that came late
    late = receipt(table, "blue", 29, lines=(("refused", "later: wall A1"),))
    assert audited(table, first, late).wrong == ""


@pytest.mark.attack("write a receipt whose time does not fit the state that it names", by="verify", who="referee")
def test_a_receipt_is_of_the_time_of_its_state(table: Table) -> None:
    """It named a state before an honest ruling `void`, and nothing was compared."""
    n = table.last
    table.amend(build_void_basis(table.position, VOID.make_ruling("The desk was lost.", ("from", str(n)))))
    on(table)
    told = receipt(table, "red", table.nr + 1, far_wall(table), n=n, time="2026-11-25T10:00:00Z")
    table.time = "2026-11-25T11:00:00Z"
    missed(table)
    assert f"had gone on from state {n}, which" in audited(table, told).wrong
    table.time = "2026-11-25T12:00:00Z"
    early = receipt(table, "red", 0, n=table.last, time="2026-11-25T10:00:00Z")
    assert f"older than state {table.last}" in audited(table, early).wrong


@pytest.mark.attack("write a receipt for a seat that does not exist", by="verify", who="referee")
@pytest.mark.parametrize("seat", ["Red", "spectators"])
def test_nothing_is_told_to_a_seat_that_there_is_not(table: Table, seat: str) -> None:
    """Of it nothing was compared."""
    told = receipt(table, seat, table.nr + 1, far_wall(table))
    n = missed(table)
    assert audited(table, told).wrong.endswith("is for a seat that this game has not")
    wrong = audited(table, report(table, seat, n)).wrong
    assert wrong.endswith("has not") == (seat != "spectators")


@pytest.mark.attack(
    "make an honest game look contradicted by an altered report or receipt",
    by="verify and audit name the altered file; the verdict on the game stays the same",
    who="player",
)
def test_a_letter_that_is_not_genuine_says_nothing_of_the_game(table: Table) -> None:
    """A player changed their own receipt, or wrote one: the referee was contradicted."""
    hand = sent(table, far_wall(table), nr=table.nr + 1)
    told = receipt(table, "red", table.nr, far_wall(table))
    n = table.last
    table.resolve({"red": hand})
    said = link_of(table, n)
    head, own = state_hash_of(table.states[n]), private_key(b"o" * 32)
    forged = Receipt(said.game, "red", table.nr, table.time, n, head, b"", 0, (("kept", "wall A6"),))
    letters = (
        told.replace(" kept wall", " done wall"),
        write_receipt_block(forged, own, public_key(own)),
        report(table, "red", n).replace("\nhand ", "\nhand 1", 1),
        write_block(link_of(table, 4), "red", b"\7" * 32, [], own, public_key(own)),
    )
    found = audited(table, *letters, told)
    assert (found.wrong, found.verdict) == ("", "proven")
    assert {*found.refused} == {f"{i}.txt" for i in range(4)}
    assert all("it proves nothing" in text for text in found.refused.values())


def closed(table: Table) -> None:
    table.amend(unchanged_basis(table.position, CLOSE.make_ruling("the end of it")))


@pytest.mark.attack("make an archive of a finished game without the game's secret", by="verify or audit", who="referee")
def test_an_archive_of_a_game_that_is_over_opens_it(table: Table) -> None:
    """Packed without secret and hands, it left a receipt nothing to be held against."""
    closed(table)
    words = make_texts(None, audit_archive(Archive(table.states, b""), TrustAnchors()).states)
    data = pack(Archive(table.states, b"", words), table.position.game_id, ACTING.signing, ACTING.public)
    found = audit_archive(unpack(data), TrustAnchors()).first_contradiction
    assert found is not None
    assert (found.name, "are not in it" in found.text) == ("container", True)


@pytest.mark.attack(
    "cut off the newest turns and close the game", by="verify, with a report or receipt of these turns", who="referee"
)
def test_nothing_follows_the_state_that_closed_a_game(table: Table) -> None:
    """The newest plays were cut off, and the game closed before them."""
    n = table.last
    for _ in range(2):
        table.play()
    opened, told = report(table, "red", n + 2), receipt(table, "red", 9)
    for m in (n + 1, n + 2):
        table.states.pop(m)
        table.hands.pop(m, None)
    table.load()
    closed(table)
    for letter in (opened, told):
        assert audited(table, letter).wrong.endswith(f"state {n + 1} closed the game here")


SPAM = "From spam Sat Nov 21 10:00:00 2026\nFrom: spam@example.org\nSubject: buy\n"
SHUT = {
    "breaks off": "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nQUJDR",
    "many tags": "Content-Type: text/html\n\n" + "<b>" * 60_001,
    "many lines": "\n" + "a\n" * 30_001,
    "a photograph": "Content-Type: image/jpeg\n\n" + "QUJD" * 300_000,
    "encrypted": "\n-----BEGIN PGP MESSAGE-----\nabc",
}


@pytest.mark.parametrize("what", SHUT)
def test_an_email_that_cannot_be_read_hides_no_other(table: Table, what: str) -> None:
    """Found by an attack of 2026-11-23: anybody's spam in a mailbox, and none of it was read."""
    line = far_wall(table)
    kept = receipt(table, "red", 50, line)
    table.resolve({}, "red")
    mail = f"From rita Sat Nov 21 10:00:00 2026\nFrom: rita@example.org\nSubject: game\n\n{kept}"
    for box in (f"{SPAM}{SHUT[what]}\n\n{mail}", f"{mail}\n\n{SPAM}{SHUT[what]}\n"):
        assert (found := read_signed_blocks(box.encode())).unread.describe() == "emails that cannot be read: 1"
        assert len(found.receipts) == 1
        assert f"`{line}` is not among them" in audited(table, box).wrong


def test_a_part_that_cannot_be_read_hides_no_other(table: Table) -> None:
    kept = receipt(table, "red", 50, far_wall(table))
    parts = f"--+\nContent-Type: text/plain\n\n{kept}\n--+\n{SHUT['breaks off']}\n--+--\n"
    mail = f'From: a@example.org\nContent-Type: multipart/mixed; boundary="+"\n\n{parts}'
    found = read_signed_blocks(mail.encode())
    assert (len(found.receipts), found.unread.unreadable) == (1, 1)


@pytest.mark.parametrize("envelope", [b"From x\nTo:\n\n", b">From x 00:00:00\nTo:\n"])
def test_of_many_envelopes_the_longest_are_read(table: Table, envelope: bytes) -> None:
    """Found by attacks of 2026-11-23: a MiB of them took 4.6 s; then they hid a whole mailbox."""
    kept = receipt(table, "red", 50, far_wall(table))
    mail = f"From rita Sat Nov 21 10:00:00 2026\nFrom: rita@example.org\nSubject: game\n\n{kept}"
    spam = b"From x 10:00:00\nTo: a\n\n" + envelope * 1_000 + b"\n\n"
    found = read_signed_blocks(spam + mail.encode())
    assert len(found.receipts) == 1
    assert (found.unread.unreadable > 0) == envelope.startswith(b"From")
