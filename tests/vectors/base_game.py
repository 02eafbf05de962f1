"""The game that the vectors in games/ are made of: a bit of everything, and then closed.

What lives here: its moves, as files by name. Not allowed here: a fault.
"""

from collections.abc import Callable
from typing import Any

from proof.audit.table import ACTING, BOARDS, PLAYER, RECOVERY, SECRET, TIME, Table, wrapped

from pbem import catalog
from pbem.chain import referees
from pbem.chain.clock import Clock, SeatClock
from pbem.chain.loaded_game import load_game
from pbem.chain.next_record import ExecutedOrder
from pbem.chain.people import NONE, RosterEntry, SeatedPlayer
from pbem.chain.referees import RefereeKeys
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings import clock, kind
from pbem.chain.rulings.correct import Correction, build_correction_basis
from pbem.chain.rulings.kind import RulingBasis, unchanged_basis
from pbem.chain.rulings.people import build_hand_over_basis, build_seating_basis
from pbem.chain.rulings.undo import build_undo_basis
from pbem.chain.seals import Seals
from pbem.chain.signed_state import sign_state, state_hash_of
from pbem.chain.state_record import Vote
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.keys import RefereeKey
from pbem.crypto.signing import sign
from pbem.engine.settings import SPECTATORS
from pbem.formats import state_file
from pbem.notation.asks import YES
from pbem.play.joining import opening
from pbem.play.joining.opening import GamePlan
from pbem.play.pending_file import committed_values, parse_committed_value
from pbem.play.pending_orders import (
    NOW,
    OrderGroup,
    PendingOrder,
    PendingOrders,
    group_name_of,
    list_waiting_lines,
    order_of,
)
from pbem.proof.audit import archive
from pbem.report.block import write_block
from pbem.report.disclosures import openings_for, own_pending_opening
from pbem.report.receipt_block import Receipt, write_receipt_block
from pbem.report.report import ReportedState

NEXT = RefereeKey(b"n" * 32)  #: the referee who goes on
THIRD, FOURTH = RefereeKey(b"3" * 32), RefereeKey(b"4" * 32)  #: who took over, and their recovery
VERSION = "0"  #: of no release: the vectors do not change with the version
REPORTS = ((2, "spectators"), (3, "red"), (4, "blue"), (5, "red"))


#: where blue builds before it is red's turn: it waits, and cannot be used then
TAKEN = "later: wall A4"


def play() -> Table:
    """Deal, orders, a note, a hand-over, a new name, an undo, a correction, a loss, the end."""
    table = Table(VERSION)
    for begins in ("wall", "wall", "wall"):  # states 3 to 5
        table.play(begins)
    waits = email(table, "red", "wall A5")
    rule(table, unchanged_basis(table.position, kind.NOTE.make_ruling("the summer break begins")), waits)
    table.nr += 1  # a file of which nothing was kept
    hand_over(table, waits)  # 7
    table.play("card flood")  # 8
    old = table.position.record.player("blue")
    name = Ruling("player", (("seat", "blue"), ("what", "name")), "he is called Robert")
    row = SeatedPlayer("blue", old.method_name, old.key, table.last + 1, "Robert")
    rule(table, build_seating_basis(table.position, row, name))  # 9
    table.play()  # 10
    undo(table, 9)  # 11
    rule(table, build_correction_basis(table.position, exchanged(table), "they were torn"))
    timed(table)  # 13 to 17
    after = Ruling("void", (("from", "16"),), "the disk broke")
    now = table.position.record
    table.clock = due(table, table.asked(), "2026-12-09T00:00:00Z")
    rule(table, kind.RulingBasis(kind.void_written_orders(now), table.position.state, (after,)))  # 18
    agreed_undo(table)  # 20
    lost = kind.RESTORE.make_ruling("the disk broke", ("from", "20"))
    rule(table, unchanged_basis(table.position, lost))  # 21
    recover(table)  # 22
    waiting(table)  # 23 to 25
    over = kind.END.make_ruling("the winter is long", ("result", "conceded"), ("winners", "blue"))
    table.clock = due(table, "", "")
    basis = unchanged_basis(table.position, over)
    rule(table, basis._replace(consents=(consent(table, over),)))  # the last
    return table


def rule(table: Table, basis: RulingBasis, waits: PendingOrders | None = None) -> None:
    """The link of a ruling; ``waits``: what red has in hand."""
    table.amend(basis, committed_values({"red": waits}) if waits else {})


def due(table: Table, seat: str, moment: str) -> Clock:
    """The clock with a deadline for this seat alone."""
    rows = table.clock.seats
    return table.clock._replace(seats=tuple(row._replace(deadline=moment if row.seat == seat else "") for row in rows))


def timed(table: Table) -> None:
    """A clock by a ruling, a longer deadline, a pause, its end, a turn missed."""
    what = ("turn", "at", "zone", "days", "bank", "grace", "missed")
    days = ("mon", "wed", "fri")
    rows = tuple(SeatClock(seat, "", 24, 0) for seat in table.position.config.seats)
    table.clock = Clock(
        72, at="20:00", zone="Europe/Rome", days=days, time_bank=24, grace=12, missed="default",
        seats=rows,
    )  # fmt: skip
    asked = table.asked()
    table.clock = due(table, asked, "2026-11-25T19:00:00Z")
    rule(table, unchanged_basis(table.position, clock.CLOCK.make_ruling("so asked all", ("what", ",".join(what)))))
    table.clock = due(table, asked, "2026-11-27T19:00:00Z")
    longer = clock.EXTEND.make_ruling("a wedding", ("seat", asked), ("hours", "48"))
    rule(table, unchanged_basis(table.position, longer))  # 14
    until = "2026-11-23T10:00:00Z"
    table.clock = due(table, asked, "2026-11-29T19:00:00Z")._replace(paused_until=until)
    rule(table, unchanged_basis(table.position, clock.PAUSE.make_ruling("a holiday", ("until", until))))  # 15
    table.time = "2026-11-22T10:00:00Z"
    table.clock = due(table, asked, "2026-11-28T19:00:00Z")._replace(paused_until="")
    rule(table, unchanged_basis(table.position, clock.RESUME.make_ruling("back again")))  # 16
    table.time = "2026-11-30T08:00:00Z"  # a day of the bank, and twelve hours of grace
    line = table.game.default(table.game.view(table.position.state, asked))
    words = table.game.public_words(line)
    step = table.game.apply(table.position.state, asked, line, table.last + 1)
    then = table.game.questions(table.game.view(step.state, None))[0].seat
    rows = tuple(SeatClock(row.seat, "", 0, 1) if row.seat == asked else row for row in table.clock.seats)
    table.clock = table.clock._replace(seats=rows)
    table.clock = due(table, then, "2026-12-04T19:00:00Z")
    table.carry(ExecutedOrder(asked, "default", line, words))  # 17


def agreed_undo(table: Table) -> None:
    """What red learned of blue's order, red agrees to forget: states up to 21."""
    while (line := telling(table)) is None:
        step(table, table.legal())
    step(table, line)
    ruling = Ruling("undo", (("to", str(table.last - 1)),), "the wrong wall")
    target = load_game(table.states[table.last - 1], table.key.public, SECRET, table.game)
    table.clock = due(table, "blue", "2026-12-09T19:00:00Z")
    rule(table, build_undo_basis(table.position, target, ruling, (consent(table, ruling),)))


def telling(table: Table) -> str | None:
    """An order of blue's that shows something to red."""
    view = table.game.view(table.position.state, table.asked())
    for line in table.game.legal(view) if table.asked() == "blue" else ():
        events = table.game.apply(table.position.state, "blue", line, table.last + 1).events
        if any(who in ("red", "all") for event in events for who, _ in event.opens):
            return str(line)
    return None


def step(table: Table, line: str) -> None:
    """An order, and the deadline of whoever is asked then."""
    then = table.game.apply(table.position.state, table.asked(), line, table.last + 1).state
    asked = table.game.questions(table.game.view(then, None))[0].seat
    table.clock = due(table, asked, "2026-12-07T19:00:00Z")
    table.carry(table.order(line))


def consent(table: Table, ruling: Ruling, sig: bytes = b"") -> Vote:
    """That of red, who has a key."""
    record = table.position.record
    parts = (record.game, table.position.state_hash, "red", ruling.act, YES)
    return Vote("red", YES, sig or sign(PLAYER, "consent", *parts))


def hand_over(table: Table, waits: PendingOrders) -> None:
    """The acting referee appoints the next."""
    record = table.position.record
    row = RefereeKeys(record.n + 2, NEXT.public, NEXT.wrap_public, RECOVERY.public, RECOVERY.wrap_public).sign_row(
        referees.ACTING, ACTING.signing, record.game
    )
    wraps = (wrapped(NEXT), record.wrapped_secrets[1])
    rule(table, build_hand_over_basis(table.position, row, wraps, "on holiday"), waits)
    table.key = NEXT


def recover(table: Table) -> None:
    """The recovery key takes the game back, and names the keys that follow."""
    record = table.position.record
    row = RefereeKeys(record.n + 1, THIRD.public, THIRD.wrap_public, FOURTH.public, FOURTH.wrap_public).sign_row(
        referees.RECOVERY, RECOVERY.signing, record.game
    )
    basis = build_hand_over_basis(table.position, row, (wrapped(THIRD), wrapped(FOURTH)), "silent for weeks", "Eva")
    table.key = THIRD
    rule(table, basis)


def waiting(table: Table) -> None:
    """Two orders in a state, a line that waits meanwhile, one that could not be used; then two
    fields are corrected.
    """
    table.clock = due(table, "red", "2026-12-14T19:00:00Z")
    red = email(table, "red")
    red = red.with_groups(email(table, "red", TAKEN).groups)
    blue = email(table, "blue", *two(table))
    now = blue.groups[0]
    when = now._replace(name="when AP3", orders=(PendingOrder(3, "flood +2"),), turn=0)
    hands = table.resolve({"blue": blue.with_groups([when]), "red": red})
    assert table.asked() == "red"  # 23
    hand = hands["red"].with_groups(email(table, "red", f"later: {table.legal()}").groups)
    table.clock = due(table, "red", "2026-12-16T19:00:00Z")
    rows = tuple(row._replace(missed_turns=0) for row in table.clock.seats)
    table.clock = table.clock._replace(seats=rows)  # red played
    hands = table.resolve({"red": hand, "blue": hands["blue"]})  # 24
    back = email(table, "red", "withdraw AP2", part="rest").groups
    left = [part for part in hands["red"].groups if part.name != "when AP2"]
    changes = [Correction("colours.red.1", "7"), Correction("colours.blue.1", "5")]
    basis = build_correction_basis(table.position, changes, "the scores were added up wrong")
    red = PendingOrders().with_groups([*left, *back])
    table.amend(basis, committed_values({"red": red, "blue": hands["blue"]}))  # 25


def two(table: Table) -> tuple[str, str]:
    """Two orders that the seat asked can give one after the other, its whole turn."""
    state, seat = table.position.state, table.asked()
    lines = []
    for begins in ("wall", "wall"):
        view = table.game.view(state, seat)
        lines.append(next(x for x in table.game.legal(view) if x.startswith(begins)))
        state = table.game.apply(state, seat, lines[-1], table.last + 1).state
    return lines[0], lines[1]


def email(table: Table, seat: str, *lines: str, part: str = "") -> PendingOrders:
    """What a player sends: these lines for now; red, who signs, nothing but what waits for AP2."""
    head = table.position.state_hash
    turn = table.game.turn(table.game.view(table.position.state, seat))
    if seat != "red":
        rows = tuple(PendingOrder(i, line) for i, line in enumerate(lines, 1))
        return PendingOrders((OrderGroup(NOW, rows, 30, "reply", b64(head), turn),))
    table.nr += 1
    said = lines or ("when AP2: flood -2",)
    rows = ()
    for i, line in enumerate(said, 1):
        rows += (signed_row(table, (table.nr, i, len(said)), head, line),)
    name = f"{part} {table.nr}" if part else group_name_of(said[0])
    return PendingOrders((OrderGroup(name, rows, table.nr, "signed", b64(head), turn if name == NOW else 0),))


def signed_row(table: Table, place: tuple[int, int, int], head: bytes, line: str) -> PendingOrder:
    """A line of red's, of the email and at the place in it that its nr, i and of say."""
    parts = (table.position.game_id, "red", *place, head, table.game.rulings[0], line)
    return PendingOrder(place[1], order_of(line), b64(sign(PLAYER, "order", *parts)), line, place[2])


def undo(table: Table, to: int) -> None:
    key = table.key.public
    target = load_game(table.states[to], key, SECRET, table.game)
    ruling = Ruling("undo", (("to", str(to)),), "sent by mistake")
    rule(table, build_undo_basis(table.position, target, ruling))


def exchanged(table: Table) -> list[Correction]:
    """Two threat counters that lie in each other's place."""
    values = {s: v for s, v in table.values(table.position.state).items() if "/threat/" in s}
    one = "2/threat/07"
    two = min(slot for slot, value in values.items() if value != values[one])
    return [Correction(one, values[two]), Correction(two, values[one])]


def files_of(table: Table) -> dict[str, bytes]:
    """The archive unpacked; of the long game some reports' blocks and a receipt's."""
    from pbem.formats import tar
    from pbem.services.prove.audit import make_transcript

    found = table.audit()
    words = {archive.TRANSCRIPT: make_transcript(found.replay, found.states)}
    contents = archive.Archive(table.states, SECRET, archive.ArchiveTexts("pbem 0", words), pending_values=table.hands)
    data = archive.pack(contents, found.game, table.key.signing, table.key.public)
    files = tar.unpack(data)
    if table.last < 10:
        return files
    for n, seat in REPORTS:
        files[f"reports/{n:04d}-{seat}.txt"] = report(table, n, seat)
    files["reports/0010-blue.txt"] = joined([report(table, n, "blue", NEXT) for n in (8, 9, 10)])
    first = files["reports/0002-spectators.txt"].replace(b" spectators 2", b"\nspectators 2", 1)
    files["reports/0002-spectators-cut.txt"] = first
    files["reports/0002-spectators-wrapped.txt"] = wrapped_block(report(table, 2, "spectators"))
    kept, not_kept = ((("kept", "wall A5"),), (("left", TAKEN), ("refused", "wall Z9")))
    later = (("kept", TAKEN),)
    files["receipts/0005-red.txt"] = receipt(table, 5, "red", (2, 0), kept)
    files["receipts/0005-red-wrapped.txt"] = wrapped_block(files["receipts/0005-red.txt"])
    shown = files["receipts/0005-red.txt"].decode().replace("pbem 1", "pbem\xa0 1\u200b")
    files["receipts/0005-red-shown.txt"] = "".join(f"> {x}\n" for x in shown.split("\n")).encode()
    for name in ("receipts/0005-red", "reports/0002-spectators"):
        # below words of people that look like blocks: quoted once, and of another width
        signed = files[f"{name}.txt"].decode()
        game = table.position.game_id
        said = f"receipt pbem 1 {game} red\nline kept wall A9\npbem 1 {game}\n{signed}"
        barred = "".join(f"> \xa0|  {x}\n" for x in said.split("\n"))
        files[f"{name}-words.txt"] = f"{barred}\n{signed}".encode()
    # the key that acted in state 21, until the recovery in the next
    files["receipts/0021-red.txt"] = receipt(table, 21, "red", (0, 0), not_kept, NEXT)
    files["receipts/0005-red-refused.txt"] = receipt(table, 5, "red", (3, 0), not_kept)
    blue = tuple(("kept", line) for line in list_waiting_lines(parse_committed_value(table.hands[23]["blue"])))
    files["receipts/0022-blue.txt"] = receipt(table, 22, "blue", (30, 0), blue, THIRD)
    when = (("kept", "when AP2: flood -2"),)
    files["receipts/0022-red.txt"] = receipt(table, 22, "red", (6, 0), when, THIRD)
    files["receipts/0022-red-later.txt"] = receipt(table, 22, "red", (7, 0), later, THIRD)
    back = (("kept", "withdraw AP2"),)
    files["receipts/0024-red.txt"] = receipt(table, 24, "red", (9, 6), back, THIRD)
    return files


def joined(blocks: list[bytes]) -> bytes:
    """One block of all these states, from the block of each."""
    all_lines = [block.decode().splitlines()[:-1] for block in blocks]
    lines = all_lines[-1]
    words = lines[0].split(" ")
    first = " ".join([*words[:4], all_lines[0][0].rsplit(" ", 1)[1], words[5]])
    told = [
        line for word in ("commit ", "open ", "hand ") for block in all_lines for line in block
        if line.startswith(word)
    ]  # fmt: skip
    rest = [line for line in lines[1:] if not line.startswith(("commit ", "open ", "hand "))]
    return signed_block([first, *rest, *told], NEXT)


def signed_block(lines: list[str], key: RefereeKey) -> bytes:
    """These lines, and the signature under them."""
    sig = sign(key.signing, "report", "\n".join(lines))
    return "\n".join([*lines, f"sig {b64(sig)}", ""]).encode()


def wrapped_block(data: bytes) -> bytes:
    """Quoted and broken as mail programs do: at the last blank, the signature in the middle."""
    found = []
    for line in data.decode().splitlines():
        cut = 40 if line.startswith("sig ") else line.rfind(" ")
        parts = [line[:cut], line[cut:].strip()] if len(line) > 70 else [line]
        found += [f"> {part}" for part in parts]
    return ("\r\n".join(found) + "\r\n").encode()


def receipt(
    table: Table, n: int, seat: str, nr: tuple[int, int], lines: tuple[tuple[str, str], ...],
    key: RefereeKey = ACTING,
) -> bytes:  # fmt: skip
    """That of an email which came when state n was the newest; its nr, and that it replaced."""
    knows = state_hash_of(table.states[21]) if n > 20 else b""
    time = state_file.parse(state_file.split(table.states[n]).body)["time"]
    parts = (table.position.game_id, seat, nr[0], time, n, state_hash_of(table.states[n]))
    one = Receipt(*parts, knows, nr[1], lines)
    return f"{write_receipt_block(one, key.signing, key.public)}\n".encode()


def great_wall() -> Table:
    """A deal, an order of each, the end."""
    table = Table(VERSION, kind="great-wall")
    table.play()
    table.play()
    rule(table, unchanged_basis(table.position, kind.CLOSE.make_ruling("a game for a test")))
    return table


def cancelled() -> dict[str, bytes]:
    """A round that was given up after its roster, and the genesis of the next."""
    game = catalog.load("chang-cheng")
    config = game.configure(("red", "blue"), {"boards": BOARDS})
    wraps = (wrapped(ACTING), wrapped(RECOVERY))
    plan = GamePlan(config, ("Ann", "Bob"), RECOVERY.public, RECOVERY.wrap_public, wraps, VERSION, TIME)
    first, genesis = opening.open_round(plan, game, ACTING, SECRET)
    nothing = (RosterEntry("red", NONE), RosterEntry("blue", "plain", text="good luck"))
    second, roster = opening.close_roster(first, genesis, nothing, ACTING, TIME)
    closed = opening.give_up_round(second, roster, SECRET, "red did not answer", ACTING, TIME)
    _, after = opening.open_round(
        plan._replace(round=2, previous_genesis=b64(state_hash_of(genesis))), game, ACTING, b"t" * 32
    )
    states = {f"states/{n:04d}.toml": raw for n, raw in enumerate((genesis, roster, closed))}
    return {**states, "next/0000.toml": after}


def report(table: Table, n: int, seat: str, key: RefereeKey = ACTING) -> bytes:
    """A report with nothing but its block."""
    position = load_game(table.states[n], state_key(table.states[n]), SECRET, table.game)
    record = position.record
    seals = Seals(SECRET, record.game, n, unb64(record.previous_hash, 32))
    openings = openings_for(position, None if seat == SPECTATORS else seat, seals)
    keys = key.signing, key.public
    hand = own_pending_opening(ReportedState(position, seals, table.hands.get(n, {}), 0), seat)
    return f"{write_block(record, seat, position.state_hash, openings, *keys, pending_opening=hand)}\n".encode()


def state_key(raw: bytes) -> bytes:
    """Whose key signed a state."""
    name = state_file.split(raw).key
    return next(key.public for key in (ACTING, NEXT, THIRD) if key.id == name)


def rewritten(raw: bytes, change: Callable[[dict[str, Any]], object], key: RefereeKey) -> bytes:
    """A state of another content, signed by this referee."""
    document = state_file.parse(state_file.split(raw).body)
    change(document)
    return sign_state(state_file.dump(document), key.signing, key.public)
