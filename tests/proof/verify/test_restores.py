"""A ruling `restore` excuses what it names and nothing else; all that is given is compared.

Found by an attack of 2026-11: one `restore` excused every later rewriting, a receipt was excused by
any, and two reports of one state with different heads were both called genuine.
"""

from pathlib import Path

import pytest

from pbem.chain.rulings.kind import RESTORE, unchanged_basis
from pbem.chain.rulings.kinds import build_ruling_state
from pbem.chain.signed_state import read_verified_record, state_hash_of
from pbem.crypto.encoding import b64
from pbem.crypto.keys import RefereeKey
from pbem.crypto.signing import sign
from pbem.errors import Refused
from pbem.proof.verify.inputs import check_block, check_receipt
from pbem.proof.verify.verify import Chain, check_chain
from pbem.report.block import require_blocks, write_block
from pbem.report.receipt_block import Receipt, write_receipt_block
from pbem.services.prove.saved_emails import read_signed_blocks
from pbem.services.prove.verify import verify_paths
from proof.audit.table import ACTING, SECRET, TIME, Table, rewritten

States = dict[int, bytes]
END = 8


def restored(table: Table) -> None:
    """The ruling that all after the newest state was lost."""
    ruling = RESTORE.make_ruling("the disk broke", ("from", str(table.last)))
    basis = unchanged_basis(table.position, ruling)
    table.save(build_ruling_state(table.position, basis, SECRET, ACTING, TIME, {}).raw)


def cut(table: Table, last: int) -> States:
    """What the table has now; it goes back to an older state."""
    old = dict(table.states)
    table.states = {n: raw for n, raw in table.states.items() if n <= last}
    table.load()
    return old


def played_to(table: Table, last: int, otherwise: bool = False) -> States:
    """The first legal orders; ``otherwise``: one first that is another."""
    if otherwise:
        legal = table.game.legal(table.game.view(table.position.state, table.asked()))
        table.carry(table.order(legal[-1]))
    while table.last < last:
        table.play()
    return dict(table.states)


class Lines:
    """Three histories: what was lost by the ruling in state 5, what is now, and a rewriting."""

    def __init__(self) -> None:
        table = Table()
        played_to(table, 4)
        self.lost = played_to(table, END, otherwise=True)
        cut(table, 4)
        restored(table)
        self.now = played_to(table, END)
        cut(table, 6)
        self.rewritten = played_to(table, END, otherwise=True)
        assert self.rewritten[7] != self.now[7]


@pytest.fixture(scope="module")
def lines() -> Lines:
    return Lines()


def chain_of(states: States) -> dict[str, Chain]:
    found = check_chain(states, None, None)
    return {found.game: found}


def report(states: States, n: int, seat: str = "spectators", first: int | None = None) -> str:
    """The block of a report; ``first``: of the states from there on."""
    records = {m: read_verified_record(raw, ACTING.public) for m, raw in states.items()}
    record = records[n]
    text = write_block(record, seat, state_hash_of(states[n]), record.openings, ACTING.signing, ACTING.public)
    if first is None:
        return text
    (one,) = require_blocks(text)
    earlier = [records[m] for m in range(first, n)]
    told = [*one.lines]
    told[0] = told[0].replace(f" {n} {n}", f" {first} {n}")
    told += [f"commit {slot} {b64(c)}" for x in earlier for slot, c in x.new_commitments]
    told += [f"open {o.slot} {o.value} {b64(o.key)}" for x in earlier for o in x.openings]
    return "\n".join([*told, f"sig {b64(sign(ACTING.signing, 'report', chr(10).join(told)))}"])


def receipt(states: States, n: int) -> str:
    record, head = read_verified_record(states[n], ACTING.public), state_hash_of(states[n])
    state = n, head, record.latest_restored_hash(head)
    told = Receipt(record.game, "blue", 1, TIME, *state, 0, (("kept", "wall A1"),))
    return write_receipt_block(told, ACTING.signing, ACTING.public)


def said_of(text: str, chains: dict[str, Chain]) -> str:
    """What is said: the code of it, or `genuine`."""
    try:
        for one in require_blocks(text) if text.startswith("pbem") else ():
            check_block(one, chains, None)
        for told in read_signed_blocks(text.encode()).receipts:
            check_receipt(told, chains, None)
    except Refused as error:
        return error.code
    return "genuine"


@pytest.mark.parametrize("kind", [report, receipt])
def test_a_restore_excuses_what_it_names(lines: Lines, kind: object) -> None:
    assert callable(kind)
    now = chain_of(lines.now)
    for n in range(5, END + 1):
        assert said_of(kind(lines.lost, n), now) == "verify/lost"
        assert said_of(kind(lines.now, n), now) == "genuine"
    for n in (7, 8):  # these know the ruling: it cannot have lost them
        assert said_of(kind(lines.rewritten, n), now) == "verify/rewritten"
        assert said_of(kind(lines.now, n), chain_of(lines.rewritten)) == "verify/rewritten"


@pytest.mark.parametrize("kind", [report, receipt])
def test_what_is_older_than_the_state_gone_on_from_is_not_excused(kind: object) -> None:
    """The referee rewrites state 3 and rules later, in state 6, that newer states were lost."""
    assert callable(kind)
    table = Table()
    honest = played_to(table, 7, otherwise=True)
    cut(table, 2)
    played_to(table, 5)
    restored(table)
    chains = chain_of(played_to(table, 7))
    for n, said in ((3, "rewritten"), (5, "rewritten"), (6, "lost"), (7, "lost")):
        assert said_of(kind(honest, n), chains) == f"verify/{said}"


@pytest.mark.attack(
    "rewrite the history, and excuse this by a ruling `restore` that only another copy of the game has",
    by="verify, with a report or receipt",
    who="referee",
)
def test_a_chain_that_hides_what_it_knows(lines: Lines) -> None:
    """A state behind the ruling that does not name it is no state of that chain."""
    forged = {n: raw for n, raw in lines.now.items() if n <= 6}
    forged[6] = rewritten(forged[6], lambda document: document.pop("restored"))
    with pytest.raises(Refused, match="newest ruling `restore`"):
        check_chain(forged, None, None)


def test_a_report_that_names_another_restore(lines: Lines) -> None:
    (one,) = require_blocks(report(lines.now, 6))
    told = [line for line in one.lines if not line.startswith("restore ")]
    assert len(told) == len(one.lines) - 1
    text = "\n".join([*told, f"sig {b64(sign(ACTING.signing, 'report', chr(10).join(told)))}"])
    assert said_of(text, chain_of(lines.now)) == "verify/restore"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return tmp_path


def verified(place: Path, **texts: str | bytes) -> list[tuple[str, str]]:
    """(verdict, what is said) of each file."""
    paths = []
    for name, text in texts.items():
        paths.append(place / f"{name}.txt")
        paths[-1].write_bytes(text if isinstance(text, bytes) else f"{text}\n".encode())
    return [(row.verdict, row.text) for row in verify_paths(paths, None, None)]


@pytest.mark.attack(
    "tell two players different histories of the game", by="verify, with a report of each", who="referee"
)
def test_two_reports_of_one_state(place: Path, lines: Lines) -> None:
    """Without a folder; in whatever way they are told."""
    now, other = lines.now, lines.rewritten
    for one, two in (
        (report(now, 7), report(other, 7, "red")),
        (report(now, 7), receipt(other, 7)),
        (receipt(other, 7), receipt(now, 7)),
    ):
        (_, first), (verdict, says) = verified(place, one=one, two=two)
        assert "genuine" in first
        assert verdict == "not genuine"
        assert "another state 7 of this game: one of the two was rewritten" in says
    (_, _), (verdict, _) = verified(place, one=report(now, 7), two=report(now, 7, "red"))
    assert verdict == "genuine"


def test_a_strangers_report_accuses_nobody(place: Path, lines: Lines) -> None:
    thief = RefereeKey(b"t" * 32)
    record = read_verified_record(lines.rewritten[7], ACTING.public)
    keys = thief.signing, thief.public
    fake = write_block(record, "red", state_hash_of(lines.rewritten[7]), record.openings, *keys)
    for texts in ({"one": report(lines.now, 7), "two": fake}, {"one": fake, "two": report(lines.now, 7)}):
        for verdict, says in verified(place, **texts):
            assert verdict == "genuine"  # each by its own key, and nobody knows which one counts
            assert "rewritten" not in says
            assert "has another state 7, signed by another key" in says


def test_a_block_of_several_states(lines: Lines) -> None:
    """FROM to N: all that they commit to and open; one that leaves any of it out is named."""
    now = chain_of(lines.now)
    text = report(lines.now, 8, first=2)
    assert said_of(text, now) == "genuine"
    (one,) = require_blocks(text)
    assert (one.first_n, one.n) == (2, 8)
    for word, code in (("commit", "commitments"), ("open", "opening")):
        left = next(line for line in reversed(one.lines) if line.startswith(f"{word} "))
        told = [line for line in one.lines if line != left]
        sig = b64(sign(ACTING.signing, "report", "\n".join(told)))
        assert said_of("\n".join([*told, f"sig {sig}"]), now) == f"verify/{code}"


def test_a_gap_between_reports_is_named(place: Path, lines: Lines) -> None:
    now = lines.now
    rows = verified(place, a=report(now, 3), b=report(now, 5), c=report(now, 8), d=receipt(now, 8))
    assert [verdict for verdict, _ in rows] == ["genuine"] * 4
    assert "no report of state 4 for spectators was given with it" in rows[1][1]
    assert "no report of states 6 to 7 for spectators was given with it" in rows[2][1]
    rows = verified(place, a=report(now, 3), b=report(now, 8, first=4))
    assert not any("no report of" in says for _, says in rows)
