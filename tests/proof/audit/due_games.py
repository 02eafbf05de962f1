"""Games at red's turn, with deadlines: what several tests of audits begin with."""

from typing import Any, NamedTuple

from pbem import __version__
from pbem.chain.clock import Clock, SeatClock
from pbem.chain.rulings.clock import CLOCK
from pbem.chain.rulings.kind import NOTE, VOID, build_void_basis, unchanged_basis
from pbem.crypto.encoding import b64
from pbem.play.pending_file import committed_values
from pbem.play.pending_orders import OrderGroup, PendingOrder, PendingOrders

from .table import STOPS, Table
from .test_held_back import far_wall, on
from .test_letters import receipt, report

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


def reply(name: str, line: str, nr: int, table: Table) -> PendingOrders:
    """What blue, who plays by reply, has waiting."""
    part = OrderGroup(name, (PendingOrder(1, line),), nr, "reply", b64(table.position.state_hash))
    return PendingOrders(newest_email_number=nr).with_groups([part])


class Lost(NamedTuple):
    """A ruling in state ``void`` says that what waited was lost, and a note follows it."""

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


def legal_of(table: Table, seat: str) -> list[str]:
    return list(table.game.legal(table.game.view(table.position.state, seat)))
