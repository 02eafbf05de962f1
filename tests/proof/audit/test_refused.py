"""A signed email that was refused: nothing of it waits, whatever it says besides. P6.

All found by an attack of 2026-11-23: an audit called games proven in which a refused email stood in
the place of an order with a receipt, and called the game of an honest referee contradicted.
"""

from pathlib import Path
from random import Random

import pytest
from durability.games import asked, fresh
from services.receive.table import dealt, joined

from pbem import __version__
from pbem.chain.rulings.kind import NOTE, unchanged_basis
from pbem.crypto.encoding import b64
from pbem.engine.optional_parts import never
from pbem.play.pending_file import committed_values
from pbem.play.pending_orders import OrderGroup, PendingOrder, PendingOrders
from pbem.proof.audit.audit import CONTRADICTED, UNCHECKED

from .due_games import begun, legal_of
from .table import Table
from .test_held_back import far_wall, in_hand, on, signed_as
from .test_held_back import standing as sent

KEYED = ("--referee", "Rita,rita@example.org", "--auth", "red=key", "--option", "missed=default")


def walls(table: Table, seat: str = "red") -> list[str]:
    """All walls that this seat may build now, the nearest first."""
    view = table.game.view(table.position.state, seat)
    return [line for line in table.game.legal(view) if line.startswith("wall")]


def found(table: Table, line: str) -> None:
    """The audit names this line of the newest state."""
    first = table.audit().first_contradiction
    what = f"`{line}` of red was sent with pending orders, and could not be accepted"
    assert first is not None
    assert first.text == f"state {table.last}, {what}"


def test_orders_for_now_of_who_is_not_asked() -> None:
    """Its line that waits took the place of one that was kept."""
    table = Table(missed="default")
    for _ in range(3):
        table.play("wall")
    on(table, "blue")
    now, newer, older = walls(table, "blue")[-3:]
    first = sent(table, f"later: {older}", nr=(nr := table.nr + 1))
    table.amend(unchanged_basis(table.position, NOTE.make_ruling("Hello, all.")), committed_values({"red": first}))
    refused = sent(table, now, f"later: {newer}", nr=nr + 1)
    table.resolve({"red": refused, "blue": table.hand_of(table.order(table.legal("wall")))})
    found(table, now)


@pytest.mark.parametrize("times", [1, 2])  # the second was taken for what was in hand before
def test_a_line_that_can_never_be_used(times: int) -> None:
    """It came between two states, so that what it took the place of stood in no hand; it was
    dropped, and the turn missed.
    """
    table = begun()
    view = table.game.view(table.position.state, "red")
    bad = next(x for x in ("wall A4", "wall B3", "wall A1") if never(table.game, view, x))
    table.resolve({"red": sent(table, *[f"later: {bad}"] * times, nr=table.nr + 1)}, "red")
    found(table, bad)


def test_a_line_for_now_that_came_too_late() -> None:
    """It lay in a `rest`, for the player had withdrawn it; the rest of its email was played."""
    table = begun()
    quoted, lines, nr = b64(table.position.state_hash), walls(table), table.nr + 1
    table.resolve(in_hand(table, signed_as(table, lines[0], 1, nr)))
    late = [
        signed_as(table, line, i, nr + 1, quoted, of=2) for i, line in enumerate((lines[-1], f"later: {lines[-2]}"), 1)
    ]
    parts = {part.name: part for part in in_hand(table, *late)["red"].groups}
    asked = signed_as(table, "withdraw now", 1, nr + 2)
    row = PendingOrder(1, "withdraw now", b64(asked.signature), "withdraw now", 1)
    rests = [
        OrderGroup(f"rest {nr + 1}", parts["now"].orders, nr + 1, "signed", quoted),
        OrderGroup(f"rest {nr + 2}", (row,), nr + 2, "signed", asked.quoted_hash),
    ]
    table.resolve({"red": PendingOrders(newest_email_number=nr + 2).with_groups([parts["later"], *rests])})
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


def forced_draw(who: str) -> tuple[Table, str]:
    """Great Wall, when this seat is asked after a `draw` that was all that red could do, and was
    done for her; the head of the state before red's last answer, be it her own.
    """
    for seed in range(100):
        table, random = Table(kind="great-wall", missed="default"), Random(seed)
        game, quoted, last = table.game, "", ("", "")
        while game.outcome(game.view(table.position.state, None)) is None:
            seat, before = table.asked(), b64(table.position.state_hash)
            legal = game.legal(game.view(table.position.state, seat))
            again = who != "red" or ("draw" in legal and len(legal) > 1)
            if seat == who and quoted and last == ("forced", "draw") and again:
                return table, quoted
            table.resolve({seat: table.hand_of(table.order(random.choice(legal)))})
            own = [(x.source, x.public_words) for x in table.position.record.entries if x.seat == "red"]
            alone = who == "blue" or len(own) == 1
            quoted, last = (before if alone else "", own[-1]) if own else (quoted, last)
    raise AssertionError


@pytest.mark.attack("play an order a second time in a later turn", by="audit", who="referee")
def test_an_order_that_was_played_already() -> None:
    """Her email for the state before has the `draw` too, and another. It is passed over, and was
    played once more.
    """
    table, quoted = forced_draw("red")
    legal = table.game.legal(table.game.view(table.position.state, "red"))
    nr, lines = table.nr + 1, ("draw", next(line for line in legal if line != "draw"))
    rows = [signed_as(table, line, i, nr, quoted, of=2) for i, line in enumerate(lines, 1)]
    table.resolve(in_hand(table, *rows))
    first = table.audit().first_contradiction
    assert first is not None
    what = "`draw` of red had been played automatically, and is pending again"
    assert first.text == f"state {table.last}, {what}"


def test_what_was_forced_since_excuses_no_older_email() -> None:
    """Her email was for a question that she has answered herself since, so it was refused whole;
    its line for now was said to repeat the `draw`, and the other waited.
    """
    table, older = forced_draw("blue")
    legal = table.game.legal(table.game.view(table.position.state, "blue"))
    nr, lines = table.nr + 1, ("draw", f"later: {legal[-1]}")
    late = [signed_as(table, line, i, nr, older, of=2) for i, line in enumerate(lines, 1)]
    parts = {part.name: part for part in in_hand(table, *late)["red"].groups}
    rest = OrderGroup(f"rest {nr}", parts["now"].orders, nr, "signed", older)
    hand = PendingOrders(newest_email_number=nr).with_groups([parts["later"], rest])
    table.resolve({"red": hand, "blue": table.hand_of(table.order(legal[0]))})
    first = table.audit().first_contradiction
    assert first is not None
    assert first.text.startswith(f"state {table.last}, `draw` of red ")


def test_the_head_alone_says_which_question_a_signed_email_answers(tmp_path: Path) -> None:
    """By the code of an older email `draw` was passed over, and by the head it was not: the game of
    an honest referee was contradicted, and could not be archived.
    """
    place = fresh(tmp_path)
    players = ("--player", "red=Ann,ann@example.org", "--player", "blue=Bob,bob@example.org")
    place.done("new", "GAME", "--game", "great-wall", *players, *KEYED)
    table, codes, random = joined(place, ""), [""], Random(1)
    while True:
        session = place.session()
        seat = asked(place)
        legal = session.game.legal(session.game.view(session.position.state, seat))
        codes += [session.code("red")] if codes[-1] != session.code("red") else []
        done = session.pending_by_seat["red"].forced_orders
        if seat == "red" and done == ("draw",) and "draw" in legal and len(legal) > 1:
            break
        line = random.choice(legal)
        text = table.signed(line) if seat == "red" else line
        place.done("receive", "GAME", table.mail(seat, text, f"mail-{session.position.record.n}"))
        place.done("resolve", "GAME")
    other = next(line for line in legal if line != "draw")
    signed = table.signed(f"draw\nlater: {other}").replace(codes[-1], codes[-2])
    place.done("receive", "GAME", place.file("older.eml", mail_of(codes[-2], signed)))
    told = place.file("told.txt", table.receipt("red"))
    assert "line kept draw" in table.receipt("red")
    place.done("resolve", "GAME")
    place.done("amend", "GAME", "close", "--reason", "the end of it")
    place.done("archive", "GAME", "-o", (archive := str(place.path / "x.tar")))
    assert "CONTRADICTED" not in place.done("audit", archive, told)


def mail_of(code: str, text: str) -> str:
    return f"From: red@example.org\nSubject: Re: [pbem {code}]\nMessage-ID: <older@x>\n\n{text}\n"


def test_an_email_for_which_there_was_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused, for so many lines waited already; it stood in the place of an order all the same."""
    monkeypatch.setattr("pbem.proof.audit.pending_orders.MAX_PENDING_ROWS", 1)
    table = begun()
    lines = [f"later: {line}" for line in walls(table)[-2:]]
    table.resolve({"red": sent(table, *lines, nr=table.nr + 1)}, "red")
    first = table.audit().first_contradiction
    assert first is not None
    assert "too many orders of red are pending: at most 1 lines can be" in first.text


def test_no_bot_is_let_in_by_a_ruling_where_a_player_has_a_key(tmp_path: Path) -> None:
    """It was carried out, and with the next missed turn the honest game was a fraud."""
    place = dealt(tmp_path).place
    said = place.run("amend", "GAME", "clock", "turn=1d", "missed=bot", "--reason", "as all asked")
    assert said.code == 1
    assert "plays with a key, and this game did not begin with missed=bot" in said.text
    place.done("amend", "GAME", "clock", "turn=1d", "missed=default", "--reason", "as all asked")


@pytest.mark.attack(
    "play a refused email of a player with a key in place of an accepted one", by="audit", who="referee"
)
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
    what = f"`{taken}` of red was sent with pending orders, and could not be accepted"
    assert found is None or found.text == f"state {table.last}, {what}"


@pytest.mark.attack("play a part of an email that was refused", by="audit", who="referee")
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
    named = {part.name: part for part in refused.groups}
    rest = OrderGroup("rest 5", named["later"].orders, 5, "signed", named["later"].state_hash)
    later = [part for part in newer.groups if part.name == "later"]
    table.resolve({"red": PendingOrders(newest_email_number=6).with_groups([named["now"], *later, rest])})
    found = table.audit().first_contradiction
    assert (found is None) == fair
    assert found is None or "was sent with pending orders, and could not be accepted" in found.text


@pytest.mark.parametrize("version", [__version__, "0.0.9"])
def test_what_waited_by_other_rules_is_no_forgery(version: str) -> None:
    """Which place is impossible for good only the rules tell."""
    table = begun(version=version)
    game, view = table.game, table.game.view(table.position.state, "red")
    places = ("wall A4", "wall B3", "wall A1", "wall A2")
    bad = next(one for one in places if never(game, view, one))
    hand = sent(table, f"later: {bad}", nr=table.nr + 1)
    table.amend(unchanged_basis(table.position, NOTE.make_ruling("Hello.")), committed_values({"red": hand}))
    item = next(one for one in table.audit().items if one.name == "hands")
    assert item.verdict == (CONTRADICTED if version == __version__ else UNCHECKED)


@pytest.mark.parametrize("version", [__version__, "0.0.9"])
def test_no_version_excuses_what_needs_no_rules(version: str) -> None:
    """A ruling uses nothing up, so what waited before it waits after it."""
    table = begun(version=version)
    nr = table.nr + 1
    for wall in [one for one in legal_of(table, "red") if "wall" in one][-2:]:
        hand = sent(table, f"later: {wall}", nr=nr)
        table.amend(unchanged_basis(table.position, NOTE.make_ruling("Hello.")), committed_values({"red": hand}))
    item = next(one for one in table.audit().items if one.name == "hands")
    assert (item.verdict, item.n) == (CONTRADICTED, table.last)
    assert "are not as they were before" in item.text
