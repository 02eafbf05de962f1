"""A signed email that was refused: nothing of it waits, whatever it says besides. P6.

All found by an attack of 2026-11-23: an audit called games proven in which a refused email stood in
the place of an order with a receipt, and called the game of an honest referee contradicted.
"""

from pathlib import Path
from random import Random

import pytest
from known.table import dealt

from pbem.crypto.encoding import b64
from pbem.engine.optional_parts import never
from pbem.moderator.ruling.kind import NOTE, standing
from pbem.moderator.turn.hand import Hand, Kept, Part, hand_values

from .table import Table
from .test_attacked_again import begun
from .test_held_back import in_hand, on, signed_as
from .test_held_back import standing as sent


def walls(table: Table, seat: str = "red") -> list[str]:
    """All walls that this seat may build now, the nearest first."""
    view = table.game.view(table.position.state, seat)
    return [line for line in table.game.legal(view) if line.startswith("wall")]


def found(table: Table, line: str) -> None:
    """The audit names this line of the newest state."""
    first = table.audit().first
    what = f"`{line}` of red was sent with waiting orders, and could not be kept"
    assert first is not None
    assert first.says == f"state {table.last}, {what}"


def test_orders_for_now_of_who_is_not_asked() -> None:
    """Its line that waits took the place of one that was kept."""
    table = Table(missed="default")
    for _ in range(3):
        table.play("wall")
    on(table, "blue")
    now, newer, older = walls(table, "blue")[-3:]
    first = sent(table, f"later: {older}", nr=(nr := table.nr + 1))
    table.amend(standing(table.position, NOTE.ruling("Hello, all.")), hand_values({"red": first}))
    refused = sent(table, now, f"later: {newer}", nr=nr + 1)
    table.resolve({"red": refused, "blue": table.hand_of(table.order(table.legal("wall")))})
    found(table, now)


def test_a_line_that_can_never_be_used() -> None:
    """It came between two states, so that what it took the place of stood in no hand; it was
    dropped, and the turn missed.
    """
    table = begun()
    view = table.game.view(table.position.state, "red")
    bad = next(x for x in ("wall A4", "wall B3", "wall A1") if never(table.game, view, x))
    table.resolve({"red": sent(table, f"later: {bad}", nr=table.nr + 1)}, "red")
    found(table, bad)


def test_a_line_for_now_that_came_too_late() -> None:
    """It lay in a `rest`, for the player had withdrawn it; the rest of its email was played."""
    table = begun()
    quoted, lines, nr = b64(table.position.head), walls(table), table.nr + 1
    table.resolve(in_hand(table, signed_as(table, lines[0], 1, nr)))
    late = [
        signed_as(table, line, i, nr + 1, quoted, of=2)
        for i, line in enumerate((lines[-1], f"later: {lines[-2]}"), 1)
    ]
    parts = {part.name: part for part in in_hand(table, *late)["red"].parts}
    asked = signed_as(table, "withdraw now", 1, nr + 2)
    row = Kept(1, "withdraw now", b64(asked.sig), "withdraw now", 1)
    rests = [
        Part(f"rest {nr + 1}", parts["now"].rows, nr + 1, "signed", quoted),
        Part(f"rest {nr + 2}", (row,), nr + 2, "signed", asked.quoted),
    ]
    table.resolve({"red": Hand(nr=nr + 2).with_parts([parts["later"], *rests])})
    found(table, lines[-1])


@pytest.mark.parametrize("beside", ["rules CC-26", "rules", "mails round", "help"])
def test_who_asks_beside_his_orders_may_write_in_capitals(tmp_path: Path, beside: str) -> None:
    """`rules CC-26` was taken for an order that was left out: no archive could be written."""
    table = dealt(tmp_path)
    place = table.place
    place.done("receive", "GAME", table.mail("red", table.signed(f"wall A1\n{beside}"), "one"))
    told = place.file("told.txt", table.receipt("red"))
    place.done("resolve", "GAME")
    place.done("amend", "GAME", "close", "--reason", "the end of it")
    place.done("archive", "GAME", "-o", (archive := str(place.path / "x.tar")))
    assert "CONTRADICTED" not in place.done("audit", archive, told)


def test_an_order_that_was_played_already() -> None:
    """`draw` was all that red could do, and was done for her; her email for the state before has it
    too, and another. It is passed over, and was played once more.
    """
    table, random = Table(kind="great-wall", missed="default"), Random(0)  # noqa: S311
    view, quoted = table.game.view, ""
    while True:
        seat, before = table.asked(), b64(table.position.head)
        legal = table.game.legal(view(table.position.state, seat))
        if seat == "red" and quoted and "draw" in legal and len(legal) > 1:
            break
        one = table.order(random.choice(legal))
        table.resolve({seat: table.hand_of(one)})
        own = {(x.source, x.words) for x in table.position.link.entries if x.seat == "red"}
        quoted = before if own == {("forced", "draw")} else "" if own else quoted
    nr, lines = table.nr + 1, ("draw", next(line for line in legal if line != "draw"))
    rows = [signed_as(table, line, i, nr, quoted, of=2) for i, line in enumerate(lines, 1)]
    table.resolve(in_hand(table, *rows))
    first = table.audit().first
    assert first is not None
    what = "`draw` of red had been played for its player, and waits once more"
    assert first.says == f"state {table.last}, {what}"
