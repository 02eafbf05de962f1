"""The game that the vectors in games/ are made of: a bit of everything, and then closed.

What lives here: its moves, as files by name. What must never be here: a fault.
"""

from audit.table import ACTING, RECOVERY, SECRET, TIME, Table, wrapped

from pbem.crypto.keys import RefereeKey
from pbem.moderator.audit import archive
from pbem.moderator.chain import people
from pbem.moderator.chain.link import Ruling
from pbem.moderator.chain.people import Referees, Seated
from pbem.moderator.chain.position import load
from pbem.moderator.chain.signed_state import genuine_link
from pbem.moderator.report.block import write_block
from pbem.moderator.ruling import kind, kinds
from pbem.moderator.ruling.correction import Change, correction_basis
from pbem.moderator.ruling.kind import Basis, standing
from pbem.moderator.ruling.people import handed, seated
from pbem.moderator.ruling.undo import undone

NEXT = RefereeKey(b"n" * 32)  #: the referee who goes on
VERSION = "0"  #: of no release: the vectors do not change with the version
REPORTS = ((2, "spectators"), (4, "blue"), (5, "red"))


def play() -> Table:
    """Deal, orders, a note, a hand-over, a new name, an undo, a correction, the end."""
    table = Table(VERSION)
    for begins in ("wall", "wall", "wall"):  # states 3 to 5
        table.play(begins)
    rule(table, standing(table.position, kind.NOTE.ruling("the summer break begins")))
    hand_over(table)  # 7
    table.play("card flood")  # 8
    old = table.position.link.player("blue")
    name = Ruling("player", (("seat", "blue"), ("what", "name")), "he is called Robert")
    row = Seated("blue", old.identified, old.key, table.last + 1, "Robert")
    rule(table, seated(table.position, row, name))  # 9
    table.play()  # 10
    undo(table, 9)  # 11
    rule(table, correction_basis(table.position, exchanged(table), "they were torn"))
    rule(table, standing(table.position, kind.CLOSE.ruling("the box is sold")))  # 13
    return table


def rule(table: Table, basis: Basis) -> None:
    """The link of a ruling."""
    table.states[table.last + 1] = kinds.amended(
        table.position, basis, SECRET, table.key, TIME, {}
    ).raw
    table.load()


def hand_over(table: Table) -> None:
    """The acting referee appoints the next."""
    link = table.position.link
    row = Referees(
        link.n + 2, NEXT.public, NEXT.wrap_public, RECOVERY.public, RECOVERY.wrap_public
    ).signed_by(people.ACTING, ACTING.signing, link.game)
    wraps = (wrapped(NEXT), link.wraps[1])
    rule(
        table,
        handed(
            table.position,
            row,
            wraps,
            "on holiday",
        ),
    )
    table.key = NEXT


def undo(table: Table, to: int) -> None:
    key = table.key.public
    target = load(table.states[to], key, SECRET, table.game)
    ruling = Ruling("undo", (("to", str(to)),), "sent by mistake")
    rule(table, undone(table.position, target, ruling))


def exchanged(table: Table) -> list[Change]:
    """Two threat counters that lie in each other's place."""
    values = {s: v for s, v in table.values(table.position.state).items() if "/threat/" in s}
    one = "2/threat/07"
    two = min(slot for slot, value in values.items() if value != values[one])
    return [Change(one, values[two]), Change(two, values[one])]


def files_of(table: Table) -> dict[str, bytes]:
    """The archive unpacked, and some reports' blocks."""
    from pbem.files import ustar
    from pbem.services.proof.audits import transcript_of

    found = table.audit()
    words = {archive.TRANSCRIPT: transcript_of(found.replay, found.states)}
    contents = archive.Archive(
        table.states, SECRET, archive.Words("pbem 0", words), hands=table.hands
    )
    data = archive.pack(contents, found.game, table.key.signing, table.key.public)
    files = ustar.unpack(data)
    for n, seat in REPORTS:
        files[f"reports/{n:04d}-{seat}.txt"] = report(table, n, seat)
    return files


def report(table: Table, n: int, seat: str) -> bytes:
    """A report with nothing but its block."""
    from pbem.moderator.chain.signed_state import head_of

    raw = table.states[n]
    link = genuine_link(raw, ACTING.public)
    text = write_block(
        link.game, seat, n, head_of(raw), link.commits, link.openings, ACTING.signing, ACTING.public
    )
    return f"{text}\n".encode()
