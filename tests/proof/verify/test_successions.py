"""A key that was replaced undoes nothing: found by an attack of 2026-11, in which `restore` on old
states made `verify` call the thief's chain genuine, and the successor's lost.
Source: docs/SPECIFICATION.md section 12, Histories.
"""

from collections.abc import Callable, Iterable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import second_verifier as second

from pbem import cli
from pbem.chain.referees import REFEREES, RefereeKeys
from pbem.chain.rulings.people import build_hand_over_basis
from pbem.chain.signed_state import sign_state, state_hash_of
from pbem.crypto.encoding import b64
from pbem.crypto.keys import RefereeKey
from pbem.crypto.signing import key_id
from pbem.formats import state_file
from pbem.report.block import write_block
from proof.audit.table import ACTING, RECOVERY, Table, wrapped
from proof.audit.test_letters import link_of
from proof.audit.test_told_later import handed_over, recovered

from .test_restores import cut, played_to, restored

HANDED = 7  #: the state of the succession
Says = Callable[..., tuple[int, dict[str, dict[str, Any]]]]


def rival(table: Table) -> None:
    """The old key hands over to somebody else."""
    other, recovery = RefereeKey(b"y" * 32), (RECOVERY.public, RECOVERY.wrap_public)
    row = RefereeKeys(table.last + 2, other.public, other.wrap_public, *recovery)
    row = row.sign_row("acting", table.key.signing, table.position.game_id)
    wraps = (wrapped(other), wrapped(RECOVERY))
    table.amend(build_hand_over_basis(table.position, row, wraps, "Ask Yan from here on.", ""))
    table.key = other


def rescued(table: Table) -> None:
    table.amend(recovered(table))


class Game:
    """One table, and the folders of its histories."""

    def __init__(self, path: Path) -> None:
        self.table, self.path = Table(), path
        played_to(self.table, HANDED - 1)
        self.start = dict(self.table.states)

    def goes_on(self, *steps: Callable[[Table], Any], since: int = HANDED) -> str:
        """The folder of a history that parts from the start in state ``since``."""
        self.table.states, self.table.key = dict(self.start), ACTING
        cut(self.table, since - 1)
        for step in steps:
            step(self.table)
        self.table.play()
        return self.folder()

    def folder(self, last: int = 0) -> str:
        folder = self.path / f"game{len([*self.path.glob('game*')])}"
        (folder / "states").mkdir(parents=True)
        for n, raw in self.table.states.items():
            (folder / "states" / f"{n:04d}.toml").write_bytes(raw)
        (folder / "game.toml").write_bytes(self.table.states[last or self.table.last])
        return str(folder)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return Game(tmp_path)


@pytest.fixture
def says(capsys: pytest.CaptureFixture[str]) -> Says:
    """What a command says: the exit code, and the row of each path."""
    import json

    def run(*words: str) -> tuple[int, dict[str, dict[str, Any]]]:
        code = cli.run([*words, "--json"])
        (rows,) = (v for v in json.loads(capsys.readouterr().out).values() if isinstance(v, list))
        return code, {row["path"]: row for row in rows}

    return run


def by_second(paths: Iterable[str]) -> tuple[str, str]:
    """The kind of the fault, and which of them counts."""
    chains = [
        second.Chain({int(one.stem): one.read_bytes() for one in Path(path).glob("states/*.toml")}) for path in paths
    ]
    with pytest.raises(second.Fault) as fault:
        second.compare(*chains)
    return fault.value.kind, str(fault.value).rpartition(": ")[2]


def otherwise(table: Table) -> None:
    """The last legal order in place of the first."""
    legal = table.game.legal(table.game.view(table.position.state, table.asked()))
    table.carry(table.order(legal[-1]))


def both_ways(says: Says, genuine: str, others: list[str]) -> None:
    """Whatever is named first; ``genuine``: the folder that is so called, "" if none is."""
    folders = [*filter(None, (genuine, *others))]
    for order in permutations(folders):
        code, rows = says("verify", *order)
        assert code == 1
        for path, row in rows.items():
            said = ("genuine", None) if path == genuine else ("not genuine", "verify/two-histories")
            assert (row["verdict"], row.get("code")) == said, row["says"]
            assert "signed two histories" in row["says"], row["says"]
            assert "stole" not in row["says"]
        code, rows = says("audit", *order)
        assert code == 1
        for path, row in rows.items():
            assert (row["verdict"] == "contradicted") == (path != genuine), row["says"]
            assert (path == genuine) or "signed two histories" in row["says"], row["says"]
    assert by_second(folders[:2]) == ("histories", "the first" if genuine else "neither")
    assert by_second(folders[1::-1]) == ("histories", "the second" if genuine else "neither")


@pytest.mark.attack("undo a hand-over with the old key", by="verify", who="thief")
@pytest.mark.parametrize("step", [restored, otherwise])
@pytest.mark.parametrize("succession", [handed_over, rescued])
def test_a_replaced_key_undoes_no_succession(
    game: Game, says: Says, step: Callable[[Table], Any], succession: Callable[[Table], Any]
) -> None:
    """From the succession's own state on nothing counts that the old key signed."""
    now = game.goes_on(succession)
    both_ways(says, now, [game.goes_on(step)])


@pytest.mark.attack(
    "fork the game before its hand-over",
    by="found by verify, which reports two histories, neither of them genuine",
    who="thief",
)
@pytest.mark.parametrize("step", [restored, otherwise])
def test_a_fork_before_a_hand_over_is_two_histories(game: Game, says: Says, step: Callable[[Table], Any]) -> None:
    now = game.goes_on(handed_over)
    both_ways(says, "", [now, game.goes_on(step, since=HANDED - 1)])


@pytest.mark.attack(
    "continue the game with the old key after a recovery",
    by="found by verify: a recovery outranks the acting key",
    who="thief",
)
@pytest.mark.parametrize("step", [restored, otherwise, handed_over, rival])
def test_a_recovery_outranks_what_the_acting_key_did(game: Game, says: Says, step: Callable[[Table], Any]) -> None:
    now = game.goes_on(rescued)
    both_ways(says, now, [game.goes_on(step, since=HANDED - 2)])


@pytest.mark.attack("hand the game over to two different referees", by="verify, with both chains", who="referee")
@pytest.mark.parametrize("succession", [handed_over, rescued])
def test_two_rivals_are_two_histories(game: Game, says: Says, succession: Callable[[Table], Any]) -> None:
    """Also where both appoint the same one."""
    now = game.goes_on(succession)
    rivals = [(rival,), (restored, rival)] if succession is handed_over else [(restored, rescued)]
    for steps in (*rivals, (otherwise, succession)):
        both_ways(says, "", [now, game.goes_on(*steps)])


def test_a_ruling_before_the_hand_over_excuses_what_it_names(game: Game, says: Says) -> None:
    """An honest referee lost states, and handed the game over later."""
    old = game.goes_on(otherwise)
    now = game.goes_on(restored, handed_over)
    for order in ((old, now), (now, old)):
        code, rows = says("verify", *order)
        assert code == 1
        assert (rows[old]["verdict"], rows[now]["verdict"]) == ("lost", "genuine")
        assert by_second(order) == ("lost", "")


@pytest.mark.parametrize("n", [HANDED, HANDED + 1])
def test_a_single_state_of_the_old_key_undoes_nothing(game: Game, says: Says, n: int) -> None:
    now = game.goes_on(handed_over)
    thief = game.goes_on(restored)
    state = f"{thief}/states/{n:04d}.toml"
    for order in ((now, state), (state, now)):
        _, rows = says("verify", *order)
        assert rows[now]["verdict"] == "genuine", rows[now]["says"]
        assert rows[state]["code"] == "verify/two-histories", rows[state]["says"]


def test_a_letter_of_the_old_key_is_named_and_changes_no_verdict(game: Game, says: Says) -> None:
    thief = game.goes_on(restored)
    letter = game.path / "letter.txt"
    record = link_of(game.table, game.table.last)
    head = game.table.position.state_hash
    letter.write_text(write_block(record, "red", head, (), ACTING.signing, ACTING.public))
    now = game.goes_on(handed_over)
    for command in ("verify", "audit"):
        alone = says(command, now)[1][now]
        for order in ((now, str(letter)), (str(letter), now)):
            code, rows = says(command, *order)
            assert (code, rows[now]) == (1, alone)
            assert "did not act in state" in rows[str(letter)]["says"]
    assert thief


def forged(n: int, rows: list[RefereeKeys], before: bytes) -> bytes:
    """A single state with a ruling `restore`, by the first key; ``before``: the state before it."""
    document = state_file.parse(state_file.split(before).body)
    empty: dict[str, list[str]] = {key: [] for key in ("entries", "events", "openings", "commits")}
    document |= {"n": n, "prev": b64(state_hash_of(before)), **empty}
    document["rulings"] = [f"restore from={n - 1} : the disk broke"]
    document["referees"] = [REFEREES.write_row(row) for row in rows]
    last = rows[-1]
    document["wraps"] = [f"{key_id(key)} {b64(wrapped(ACTING)[1])}" for key in (last.acting, last.recovery)]
    return sign_state(state_file.dump(document), ACTING.signing, ACTING.public)


@pytest.mark.parametrize("kind", ["a first row of his own", "a row that is not his"])
@pytest.mark.parametrize("succession", [handed_over, rescued])
def test_a_single_state_vouches_for_no_succession(
    game: Game, says: Says, kind: str, succession: Callable[[Table], Any]
) -> None:
    """Its rows are only as good as its first one, and its signer must be of its own last one."""
    now = game.goes_on(succession)
    rows = list(game.table.position.record.referees)
    n = game.table.last
    if kind == "a first row of his own":
        mine = RefereeKey(b"q" * 32)
        first = rows[0]._replace(recovery=mine.public, recovery_wrap=mine.wrap_public)
        other = first._replace(since=n - 1)
        rows = [first, other.sign_row("recovery", mine.signing, game.table.position.game_id)]
    state = game.path / "forged.toml"
    state.write_bytes(forged(n, rows, game.table.states[n - 1]))
    for order in ((now, str(state)), (str(state), now)):
        code, found = says("verify", *order, "--key", b64(ACTING.public))
        assert code == 1
        assert found[now]["verdict"] == "genuine", found[now]["says"]
        assert found[str(state)]["verdict"] == "not genuine", found[str(state)]["says"]


@pytest.mark.parametrize("succession", [handed_over, rescued])
def test_a_chain_that_is_not_sound_contradicts_none(game: Game, says: Says, succession: Callable[[Table], Any]) -> None:
    now = game.goes_on(succession)
    n, mine = HANDED - 1, RefereeKey(b"q" * 32)
    first = game.table.position.record.referees[0]
    row = first._replace(since=n, acting=mine.public, acting_wrap=mine.wrap_public)
    row = row.sign_row("recovery", mine.signing, game.table.position.game_id)  # not the recovery key
    states = {m: raw for m, raw in game.start.items() if m < n}
    game.table.states = {**states, n: forged(n, [first, row], states[n - 1])}
    other = game.folder(n)
    for command, verdict in (("verify", "not genuine"), ("audit", "contradicted")):
        alone = says(command, now)[1][now]
        for order in ((now, other), (other, now)):
            _, rows = says(command, *order)
            assert rows[other]["verdict"] == verdict
            assert rows[now] == alone
