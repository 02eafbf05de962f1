"""What a referee may write into rulings, times and players' rows, however odd: a finding, no fault.

Each leaf of these tables is replaced, the state signed anew with the referee's own key; `verify`
refuses it and an audit finds it, at that state, in words. Found by a review: `undo to=abc` and
another number of seats ended in "this is our fault".
What positions and events may hold is looked at elsewhere.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import second_verifier as second
from sizes import LONG, size
from vectors import base_game

from pbem import __version__
from pbem.chain.rulings.clock import PAUSE, RESUME
from pbem.chain.rulings.kind import VOID, build_void_basis, unchanged_basis
from pbem.chain.rulings.undo import UNDO
from pbem.chain.signed_state import read_verified_record, sign_state
from pbem.crypto.signing import sign
from pbem.errors import PbemError
from pbem.formats import state_file
from pbem.play.pending_file import committed_values
from pbem.proof.audit.archive import Archive
from pbem.proof.audit.audit import CONTRADICTED, TrustAnchors
from pbem.proof.audit.findings import SignedState
from pbem.proof.audit.transcript import _counted_records
from pbem.proof.verify.inputs import ChainRegistry
from pbem.proof.verify.verify import check_chain
from pbem.services.prove.audit import audit_archive
from proof.verify.test_restores import played_to

from . import games_told as told
from .due_games import clocked, timed
from .table import ACTING, PLAYER, SECRET, Table, rewritten
from .test_held_back import far_wall
from .test_held_back import standing as sent

TABLES = (
    *("n", "game", "prev", "phase", "time", "referees", "wraps", "people", "roster", "opened"),
    *("secret", "contributions", "answered", "heads", "replaced", "rulings", "setup"),
)
TEXTS = ("", "-1", "abc", "9" * 5000, "²", "٣", "\u202e", "a\nb", "\x1b[2J", "=", "%", "to=3 x")
OTHERS: tuple[Any, ...] = (7, -1, 10**30, True, 1.5, [], ["x"], [1], {}, {"a": "b"}, [[]])
#: states whose other tables are looked at too; those of rulings are looked at in every state
SOME = (0, 1, 2, 9, 13)


@pytest.fixture(scope="module")
def table() -> Table:
    """A game with a ruling of nearly every kind."""
    return base_game.play()


def places(document: dict[str, Any], n: int) -> Iterator[told.Leaf]:
    """Every value, row, word and operand of the tables that are looked at."""
    for key in TABLES:
        if key not in document or not (LONG or n in SOME or key == "rulings"):
            continue
        yield from _of(document[key], (key,))


def _of(value: Any, path: told.Leaf) -> Iterator[told.Leaf]:
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _of(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _of(inner, (*path, at))
    elif isinstance(value, str) and " " in value:
        for at, word in enumerate(value.split(" ")):
            yield (*path, at)
            if "=" in word:
                yield (*path, at, "=")


def replaced(document: dict[str, Any], path: told.Leaf, new: Any) -> dict[str, Any]:
    copy = {key: told.copied(value) for key, value in document.items()}
    place: Any = copy
    for at, step in enumerate(path[:-1]):
        if isinstance(place[step], str):
            words = place[step].split(" ")
            number, *operand = path[at + 1 :]
            key = words[int(number)].partition("=")[0]
            words[int(number)] = f"{key}={new}" if operand else str(new)
            place[step] = " ".join(words)
            return copy
        place = place[step]
    place[path[-1]] = new
    return copy


def odd(table: Table, n: int) -> Iterator[tuple[told.Leaf, Any, bytes]]:
    """State ``n`` with an odd value in each of its places, signed by the referee in force."""
    body = state_file.split(table.states[n]).body
    document = state_file.parse(body)
    key = ACTING if n < 8 else base_game.NEXT
    step = size("odd rows")
    for at, path in enumerate(places(document, n)):
        words = len(path) > 1 and _is_word(document, path)
        values = TEXTS if words else (*TEXTS, *OTHERS)
        for new in values[at % step :: step]:
            found = told.dumped(replaced(document, path, new))
            if found not in (None, body):
                yield path, new, sign_state(found, key.signing, key.public)


def _is_word(document: dict[str, Any], path: told.Leaf) -> bool:
    value: Any = document
    for step in path:
        if isinstance(value, str):
            return True
        value = value[step]
    return False


@pytest.mark.parametrize("n", range(14))
def test_an_odd_leaf_is_found(table: Table, n: int) -> None:
    before = {m: table.states[m] for m in range(n)}
    tried = 0
    for path, new, raw in odd(table, n):
        states = {**before, n: raw}
        said = refused(states)
        found = told.audited(states, SECRET)
        one = found.first_contradiction.text if found.first_contradiction else ""
        assert "\n" not in said + one, (n, path, new)
        tried += 1
        if not n or free(table, n, path):
            continue  # it is the first to say so: nothing can contradict it
        assert found.verdict == "contradicted", (n, path, new)
        named = new if path == ("n",) else n  # what says that it is another state is called so
        assert f"state {named}" in one or f"state {n}" in one, (n, path, new, one)
        assert said, (n, path, new, one)
    assert tried or n not in SOME


def free(table: Table, n: int, path: told.Leaf) -> bool:
    """A plain line is signed by nobody; the words of a reason, and a name under the ruling that
    changes it, are the referee's.
    """
    if path[:2] == ("roster", 1):
        return path[2:] not in ((0,), (1,))
    if path[:2] == ("people", 1) and n == 9:
        return path[2:] in ((), (4,))
    if path[0] != "rulings" or len(path) < 3:
        return False
    words: list[str] = told.document_of(table.states[n])["rulings"][path[1]].split(" ")
    return int(path[2]) > words.index(":")


def refused(states: dict[int, bytes]) -> str:
    """What `verify` says of them; "" if nothing. Any other exception is a fault of ours."""
    try:
        check_chain(states, None, None)
    except PbemError as error:
        return error.message
    return ""


def test_the_commands_say_so_in_a_line(table: Table, tmp_path: Any) -> None:
    """Exit code 1 or 2 and never 3, from a folder and from an archive."""
    from pbem.cli import run
    from pbem.proof.audit.archive import pack

    key = base_game.NEXT
    for n in (9, 11):
        for at, (path, new, raw) in enumerate(odd(table, n)):
            if path[0] != "rulings" or at % 5 or free(table, n, path):
                continue
            states = {**{m: table.states[m] for m in range(n)}, n: raw}
            folder = tmp_path / f"{n}-{at}"
            (folder / "states").mkdir(parents=True)
            for m, data in states.items():
                (folder / "states" / f"{m:04d}.toml").write_bytes(data)
            (folder / "game.toml").write_bytes(raw)
            packed = tmp_path / f"{n}-{at}.tar"
            contents = Archive(states, SECRET, told.OTHER_WORDS)
            packed.write_bytes(pack(contents, table.position.game_id, key.signing, key.public))
            for words in (("verify", str(folder)), ("audit", str(folder)), ("audit", str(packed))):
                assert run(words) in (1, 2), (path, new, words)


def test_a_name_of_a_newer_unicode_is_not_checked(table: Table) -> None:
    """Found by an attack of 2026-11: what one reader calls forged another would call good.

    U+0378 is no character of any Unicode so far.
    """
    named = base_game.rewritten(table.states[0], lambda d: d["people"].__setitem__(0, "red key - 0 Ann\u0378"), ACTING)
    said = ChainRegistry().add_chain("a file", check_chain({0: named}, None, None))
    assert "; the name 'Ann\\u0378' is not checked: it is of a newer Unicode than" in said
    states = {item.name: item for item in audit_archive(Archive({0: named}, b""), TrustAnchors()).items}
    assert states["states"].verdict == "not checked"
    second.Chain({0: named})


def test_the_file_of_hands_has_no_room_for_anything_else() -> None:
    """`hand 1 red` before the deal, with any text, was in an archive that was called proven."""
    table = Table()
    played_to(table, 4)
    table.hands[1] = {"red": "a hidden letter"}
    found = table.audit()
    assert any("pending orders of what is not in this game" in one.text for one in found.items)


@pytest.mark.parametrize("numbers", [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 2, 1)])
@pytest.mark.parametrize("version", [__version__, "0.0.0"])
def test_numbers_that_no_order_has_are_found_whatever_the_version(numbers: tuple[int, int, int], version: str) -> None:
    """With a signature that is good; with an invented version it was only "not checked"."""
    table = Table(version)
    while table.asked() != "red":
        table.play(table.legal())
    line, (nr, i, of) = table.legal(), numbers
    before = table.position
    rulings = table.game.rulings[0]
    sig = sign(PLAYER, "order", before.game_id, "red", nr, i, of, before.state_hash, rulings, line)
    table.play(line, orders_number=nr, line_number=i, line_count=of, signature=sig)
    assert any("orders cannot have its numbers" in one.text for one in table.audit().items)


def test_a_transcript_ends_though_an_undo_goes_forward() -> None:
    """State 4 "goes back" to 6, and 6 comes of 4: the states that count were walked for ever. Found
    by reading; such a state is contradicted, and the transcript is compared all the same.
    """
    table = Table()
    played_to(table, 6)
    records = {n: read_verified_record(raw, ACTING.public, "it") for n, raw in table.states.items()}
    records[4] = records[4]._replace(rulings=(UNDO.make_ruling("a slip", ("to", "6")),))
    states = {n: SignedState(b"", record, b"") for n, record in records.items()}
    assert [record.n for record in _counted_records(states)] == [2, 3, 4, 5, 6]


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
