"""What no rules are needed for is checked whatever version a genesis names, and whatever else is
wrong. Found by an attack of 2026-11: an invented version made "not checked" of a swapped card, and
a number of orders that was none ended an audit.
"""

from collections.abc import Callable
from typing import Any

import pytest

from pbem.chain.seals import Seals
from pbem.chain.signed_state import sign_state, state_hash_of
from pbem.crypto.encoding import b64, pae
from pbem.crypto.signing import sign
from pbem.crypto.tokens import commit
from pbem.formats import state_file

from .table import ACTING, PLAYER, SECRET, Table

INVENTED = "9.9"


@pytest.fixture
def table() -> Table:
    """By a version that nobody has; what it played comes out as it does here."""
    found = Table(INVENTED)
    for begins in ("wall", "wall", "wall", "card flood"):
        found.play(begins)
    return found


def resealed(table: Table, n: int, change: Callable[[Seals, bytes, dict[str, Any]], None]) -> None:
    """The referee's own state n, otherwise; the states after it are gone."""
    before = table.states[n - 1]
    document = state_file.parse(state_file.split(table.states[n]).body)
    change(Seals(SECRET, table.position.game_id, n, state_hash_of(before)), state_hash_of(before), document)
    table.states = {m: raw for m, raw in table.states.items() if m < n}
    table.states[n] = sign_state(state_file.dump(document), ACTING.signing, ACTING.public)


def verdicts(table: Table) -> dict[str, tuple[str, str]]:
    return {item.name: (item.verdict, item.text) for item in table.audit().items}


def contradicted(table: Table, item: str, *words: str) -> None:
    verdict, says = verdicts(table)[item]
    assert verdict == "contradicted", says
    for word in words:
        assert word in says, says


def test_by_itself_an_unknown_version_is_no_fault(table: Table) -> None:
    assert {verdict for verdict, _ in verdicts(table).values()} == {"proven", "not checked"}


@pytest.mark.attack(
    "name an unknown version of the rules in the genesis, so that nothing can be checked",
    by="not possible: audit still checks everything that needs no rules",
    who="referee",
)
def test_another_value_under_its_commitment(table: Table) -> None:
    def swap(seals: Seals, _: bytes, document: dict[str, Any]) -> None:
        slot, c, _ = document["sealed"][0].split(" ")
        document["sealed"][0] = f"{slot} {c} {seals.seal(slot, 'another')}"

    resealed(table, 4, swap)
    contradicted(table, "sealed", "state 4", "its commitment is not of what is sealed")


def test_what_is_opened_where_it_is_made_has_the_key_of_the_formula(table: Table) -> None:
    """Found by an attack of 2026-11: a key that nobody looked at can hold a message."""

    def free(_: Seals, __: bytes, document: dict[str, Any]) -> None:
        k, slot = b"a message to a friend, 32 bytes.", "4/threat/00"
        c = b64(commit(table.position.game_id, slot, k, "2"))
        document["commits"] = sorted([*document["commits"], f"{slot} {c}"])
        document["openings"] = sorted([*document["openings"], f"{slot} 2 {b64(k)} {c}"])

    resealed(table, 4, free)
    contradicted(table, "sealed", "state 4", "has a key of its own")


def test_another_deal_well_committed(table: Table) -> None:
    """Two counters changed places before they were committed to."""

    def swap(seals: Seals, before: bytes, document: dict[str, Any]) -> None:
        rows = [row.split(" ") for row in document["sealed"]]
        mine = [row for row in rows if "/threat/" in row[0]]
        values = {row[0]: seals.open(row[0], row[2]) for row in mine}
        one = mine[0][0]
        other = next(slot for slot, value in values.items() if value != values[one])
        for slot, value in ((one, values[other]), (other, values[one])):
            c = b64(seals.commit(slot, value, before)[1])
            at = next(i for i, row in enumerate(rows) if row[0] == slot)
            document["sealed"][at] = f"{slot} {c} {seals.seal(slot, value)}"
            commits = document["commits"]
            commits[next(i for i, r in enumerate(commits) if r.startswith(f"{slot} "))] = f"{slot} {c}"

    resealed(table, 2, swap)
    contradicted(table, "deal", "state 2", "does not follow from the secret and the additions to the shuffle")


NUMBERS = ("-1", "x", "", "01", "\u0663", "1_0")


@pytest.mark.parametrize("nr", NUMBERS)
def test_a_number_that_is_none(nr: str) -> None:
    """Contradicted at its place, by whatever version; and the rest is still checked."""
    for version in (INVENTED, Table().position.record.setup.version):
        table = Table(version)
        for begins in ("wall", "wall", "wall"):
            table.play(begins)
        n = next(m for m in (3, 4, 5) if b" signed " in table.states[m])

        def change(seals: Seals, before: bytes, document: dict[str, Any], n: int = n) -> None:
            seat, source, _, token, words = document["entries"][0].split(" ", 4)
            value = pae(nr, 1, 1, before, sign(PLAYER, "order", nr), "wall A1")
            c = b64(seals.commit(f"{n}/order/1", value, before)[1])
            token = seals.seal_order(f"{n}/order/1", value)
            document["entries"][0] = f"{seat} {source} {c} {token} {words}"

        resealed(table, n, change)
        contradicted(table, "signed", f"state {n}, order 1", "what is sealed there is not an order")
        assert verdicts(table)["deal"][0] == "proven"


def test_what_comes_after_a_fault_is_still_checked(table: Table) -> None:
    """A signature of nobody, in a state behind one that no rule gives."""

    def more(state: Any) -> Any:
        found = table.game.encode(state)
        public = dict(found.public)
        rows = list(public["colours"])
        name, _, rest = rows[1].split(" ", 2)
        public["colours"] = [rows[0], f"{name} 5 {rest}", *rows[2:]]
        return table.game.decode(table.position.config, public, table.values(state))

    while table.asked() != "blue":
        table.play("wall")
    table.play("wall", more)
    while table.asked() != "red":
        table.play("wall")
    table.play("wall", signature=b"x" * 64)
    contradicted(table, "signed", f"state {table.last}, order 1", "its player did not sign it")
