"""What an attack of 23 November 2026 found: honest referees who were contradicted, letters of
strangers that changed a verdict, files that ended an audit. P6, P9.
"""

from pathlib import Path
from typing import Any

import pytest
from durability.games import fresh

from pbem import __version__, cli
from pbem.chain.rulings.clock import PAUSE, RESUME
from pbem.chain.rulings.kind import NOTE, VOID, build_void_basis, unchanged_basis
from pbem.chain.signed_state import state_hash_of
from pbem.crypto.encoding import b64
from pbem.crypto.signing import private_key, public_key
from pbem.engine.optional_parts import never
from pbem.play.pending_file import committed_values
from pbem.play.pending_orders import PendingOrders
from pbem.play.proposals.prose import Reader, read_prose
from pbem.play.resolution import make_next_state, play_out
from pbem.play.validate_email import OrdersResult, validate_orders
from pbem.play.validation import EmailContext
from pbem.proof.audit.archive import Archive
from pbem.proof.audit.audit import CONTRADICTED, UNCHECKED, TrustAnchors
from pbem.proof.verify.pending_orders import find_receipt_mismatch
from pbem.report.block import write_block
from pbem.report.receipt import receipt_block_lines
from pbem.report.receipt_block import Receipt, write_receipt_block
from pbem.services.prove.audit import audit_archive
from pbem.services.prove.verify import verify_paths
from pbem.services.receive.message import grammar_of, parse_orders, read_message
from pbem.services.receive.prose import lexicon_of

from .table import SECRET, TIME, Table, rewritten
from .test_attacked_again import DUE, LATER, begun, clocked, lost, reply, timed
from .test_held_back import far_wall
from .test_held_back import standing as sent
from .test_letters import audited, link_of, receipt, report

STRANGER = private_key(b"x" * 32)


def by_a_stranger(table: Table, seat: str, n: int, nr: int = 0, line: str = "") -> str:
    """A receipt or, without a line, a report that the referee never signed."""
    head, keys = state_hash_of(table.states[n]), (STRANGER, public_key(STRANGER))
    if not line:
        return write_block(link_of(table, n), seat, head, (), *keys)
    game, lines = table.position.game_id, (("kept", line),)
    return write_receipt_block(Receipt(game, seat, nr, TIME, n, head, b"", 0, lines), *keys)


def legal_of(table: Table, seat: str) -> list[str]:
    return list(table.game.legal(table.game.view(table.position.state, seat)))


def says(table: Table, *letters: str) -> tuple[str, str]:
    told = audited(table, *letters).told
    assert told is not None
    return told.verdict, told.text


@pytest.mark.parametrize("fair", [True, False])
def test_a_strangers_report_tells_nobody_of_a_ruling(fair: bool) -> None:
    table, void, before, mine, _, after = lost()
    told = [mine] if fair else [before, mine, after]
    fake = by_a_stranger(table, "red", table.last if fair else void)
    assert says(table, *told, fake) == says(table, *told)


def test_a_strangers_receipt_brings_nobody_back() -> None:
    table = timed("default")
    table.nr += 1
    told = receipt(table, "red", table.nr, lines=(("kept", "absent 2026-11-29 .. 2026-12-05"),))
    fake = by_a_stranger(table, "red", table.last, line="present")
    table.time = DUE
    course = play_out(table.position, {}, frozenset({"red"}))
    table.hands[table.last + 1] = dict(course.committed_before)
    asked = table.game.questions(table.game.view(course.state, None))[0].seat
    due = {seat: LATER if seat == asked else "" for seat in ("red", "blue")}
    table.clock = clocked(due["red"], due["blue"], 1)
    table.save(make_next_state(table.timed(), course, SECRET, table.key, table.time).raw)
    assert says(table, told)[0] == UNCHECKED
    assert says(table, told, fake) == says(table, told)


def test_a_strangers_receipt_is_none_of_an_email_that_was_made_up() -> None:
    table = begun()
    walls = [one for one in legal_of(table, "red") if "wall" in one]
    told = receipt(table, "blue", 40, f"later: {walls[-1]}")
    fake = by_a_stranger(table, "blue", table.last, 41, f"later: {walls[-2]}")
    mine = sent(table, walls[-3], nr=table.nr + 1)
    table.resolve({"blue": reply("later", walls[-2], 41, table), "red": mine})
    assert "of which no receipt is given" in says(table, told)[1]
    assert says(table, told, fake) == says(table, told)


def test_a_strangers_report_hides_no_two_histories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    table = Table()
    table.play("wall")
    n, texts = table.last, {"one": report(table, "red", table.last)}
    del table.states[n]
    table.load()
    table.amend(unchanged_basis(table.position, NOTE.make_ruling("another history")))
    texts["two"] = report(table, "blue", n)
    key = public_key(STRANGER)
    texts["fake"] = write_block(link_of(table, n), "red", b"z" * 32, (), STRANGER, key)
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    rows = verify_paths([tmp_path / name for name in ("fake", "one", "two")], None, None)
    assert [row.get("code") for row in rows] == ["verify/other-key", *["verify/two-histories"] * 2]


def other_seat(document: dict[str, Any]) -> None:
    """Red is called pink, wherever a state names a seat."""

    def told(row: Any) -> Any:
        if isinstance(row, list):
            return [told(one) for one in row]
        words = row.split(" ") if isinstance(row, str) else row
        return " ".join("pink" if word == "red" else word for word in words) if words else row

    for key in ("people", "contributions", "answered", "hands", "entries"):
        document[key] = told(document.get(key, []))
    document["setup"]["seats"] = told(document["setup"]["seats"])
    document["clock"]["seats"] = told(document["clock"]["seats"])


def paused() -> Table:
    table, until = timed("default"), "2026-11-23T10:00:00Z"
    table.clock = clocked("2026-12-02T20:00:00Z")._replace(paused_until=until)
    table.amend(unchanged_basis(table.position, PAUSE.make_ruling("a pause for all", ("until", until))))
    table.clock = clocked("2026-11-30T20:00:00Z")
    table.amend(unchanged_basis(table.position, RESUME.make_ruling("go on")))
    return table


def emptied() -> Table:
    table = timed("default")
    hand = sent(table, far_wall(table), nr=table.nr + 1)
    ruling = VOID.make_ruling("lost", ("from", str(table.last)))
    table.amend(build_void_basis(table.position, ruling), committed_values({"red": hand}))
    table.hands[table.last] = {"pink": table.hands[table.last]["red"]}
    return table


def ordered() -> Table:
    table = timed("default")
    table.carry(table.order(table.legal("wall")))
    return table


@pytest.mark.parametrize("made", [paused, emptied, ordered])
def test_a_state_of_another_seat_ends_no_audit(made: Any) -> None:
    """It was "our fault", and nothing given besides was looked at."""
    table = made()
    table.states[table.last] = rewritten(table.states[table.last], other_seat)
    found = audit_archive(Archive(table.states, SECRET, pending_values=table.hands), TrustAnchors())
    assert found.verdict == CONTRADICTED
    assert found.first_contradiction is not None
    assert found.first_contradiction.n == table.last


@pytest.mark.parametrize("charset", ["utf-7", "utf-8"])
def test_half_a_letter_ends_no_audit(tmp_path: Path, charset: str, capsys: pytest.CaptureFixture[str]) -> None:
    """UTF-7 writes half a pair of surrogates, which no signature can be about."""
    table = begun()
    folder = tmp_path / "game"
    (folder / "states").mkdir(parents=True)
    for n, raw in table.states.items():
        (folder / "states" / f"{n:04d}.toml").write_bytes(raw)
    (folder / "game.toml").write_bytes(table.states[table.last])
    good = receipt(table, "red", 0, lines=(("refused", "wall A1"),))
    odd = good.replace("refused wall A1", "refused wall A1 +2AA-")
    head = f"From: a@b.c\nSubject: autumn: receipt\nContent-Type: text/plain; charset={charset}"
    (tmp_path / "odd.eml").write_text(f"{head}\n\n{odd}\n")
    (tmp_path / "good.txt").write_text(good)
    for command in ("verify", "audit"):
        names = [str(folder), str(tmp_path / "good.txt"), str(tmp_path / "odd.eml")]
        assert cli.run([command, *names]) in (0, 1, 2)
        out = capsys.readouterr()
        assert "our fault" not in out.out + out.err


def test_who_takes_over_can_archive_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The archive was "signed by another key": that of who had handed over."""
    place = fresh(tmp_path / "one")
    two = tmp_path / "two"
    place.done(
        *("new", "GAME", "--game", "chang-cheng", "--player", "red=Ann,ann@example.org"),
        *("--player", "green=Ben,ben@example.org", "--referee", "Rita,r@example.org", "--deal"),
    )
    monkeypatch.setenv("PBEM_HOME", str(two))
    assert cli.run(["key", "new"]) == 0
    capsys.readouterr()
    assert cli.run(["key", "show", "--export"]) == 0
    (tmp_path / "two.pub").write_text(capsys.readouterr().out)
    place.done(
        *("amend", "GAME", "keys", "--to", str(tmp_path / "two.pub")),
        *("--referee", "Zoe,zoe@example.org", "--reason", "I move house"),
    )
    monkeypatch.setenv("PBEM_HOME", str(two))
    packed = str(tmp_path / "g.tar")
    assert cli.run(["archive", str(place.game), "--unfinished", "-o", packed]) == 0
    assert cli.run(["verify", packed]) == 0, capsys.readouterr()
    cli.run(["audit", packed])  # the game is not over, so it cannot be proven
    assert "nothing contradicted" in capsys.readouterr().out


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


def answered(table: Table, text: str, hand: PendingOrders = PendingOrders()) -> tuple[OrdersResult, Receipt]:
    """Blue's email, and what its receipt signs."""
    game, view = table.game, table.game.view(table.position.state, "blue")
    sheet = parse_orders(read_message(f"Subject: x\n\n{text}\n".encode()), grammar_of(game))
    asked = EmailContext(view, True, b64(table.position.state_hash))
    reader = Reader(game, view, grammar_of(game), lexicon_of(game))
    taken = validate_orders(game, asked, hand, read_prose(reader, sheet))
    lines = receipt_block_lines(taken, False)
    nr, head = taken.pending.nr if taken.has_changed else 0, table.position.state_hash
    return taken, Receipt(table.position.game_id, "blue", nr, TIME, table.last, head, b"", 0, lines)


def test_the_receipt_of_an_email_in_words_names_what_waits() -> None:
    """It named no line, and so the hand was contradicted."""
    table = Table()
    while table.asked() != "blue":
        table.play("wall")
    walls = [one.split()[1] for one in legal_of(table, "blue") if one.startswith("wall ")]
    tried = 0
    for one, two in ((x, y) for x in walls for y in walls if x != y):
        taken, said = answered(table, f"Ich lege Mauern auf {one} und {two}, bitte.")
        if taken.is_accepted:
            tried += 1
            assert not find_receipt_mismatch(said, taken.pending)
            assert said.lines
        if tried > 2:
            break
    assert tried


def test_the_receipt_of_a_plain_withdrawal_says_so() -> None:
    """It said nothing, and the referee could play what had been withdrawn."""
    table = Table()
    while table.asked() != "blue":
        table.play("wall")
    taken, _ = answered(table, table.legal("wall"))
    assert taken.has_changed
    back, said = answered(table, "Please withdraw.", taken.pending)
    assert back.has_changed
    assert ("kept", "withdraw") in said.lines
    assert find_receipt_mismatch(said, taken.pending)
