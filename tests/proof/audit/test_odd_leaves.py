"""Whatever a referee signs: `verify` and `audit` name the state, and never call it our own fault.

Every leaf of a state in the middle of a game of each kind is set to what no pbem writes, and signed
with the referee's own key. Found by a review: a number of thirty digits in a row of `looked` took
all memory, a class of contribution that there is not ended in "this is our fault".
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from sizes import LONG, size

from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings import correct, kinds
from pbem.errors import PbemError
from pbem.proof.audit.archive import Archive
from pbem.proof.audit.audit import TrustAnchors
from pbem.proof.verify.verify import check_chain
from pbem.services.prove.audit import audit_archive

from . import games_told as told
from .table import SECRET, TIME, Table, head, rewritten, update_with

#: example: the state whose leaves are altered
MIDDLE = dict.fromkeys(("chang-cheng-2-neutral", "great-wall-3"), 12 if LONG else 6)
WORDS = ("", "9" * 30, "9" * 5000, "-1", "²", "١", "1_0", "a/b/c", "=", "x=1", "-", "\u202e", "a b c")
VALUES: tuple[Any, ...] = (10**30, -1, True, 1.5, "", "x y", [], [1], [[]], ["", "x"], {}, {"a": []})


def altered(document: dict[str, Any]) -> Iterator[tuple[told.Leaf, dict[str, Any]]]:
    """Every leaf once with each odd word, and every list, row and number as another thing."""
    for path in told.leaves(document):
        if path == ("pbem",):
            continue
        for word in WORDS if LONG else some(WORDS, path):
            yield path, put(document, path, word)
    for path in nodes(document):
        if path == ("pbem",):
            continue
        for value in VALUES if LONG else some(VALUES, path):
            yield path, put(document, path, value)


def some(values: tuple[Any, ...], path: told.Leaf) -> list[Any]:
    """One or two of them, another for the next leaf; the first row of a list has them all."""
    if 0 in path or not any(isinstance(part, int) for part in path):
        return list(values)
    at = sum(part if isinstance(part, int) else len(part) for part in path)
    return [values[at % len(values)]]


def nodes(value: Any, path: told.Leaf = ()) -> Iterator[told.Leaf]:
    """The way to every value of a document that can be another as a whole."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from nodes(inner, (*path, key))
    elif isinstance(value, list):
        for at in range(len(value)):
            yield (*path, at)


def put(document: dict[str, Any], path: told.Leaf, new: Any) -> dict[str, Any]:
    """The document with that leaf replaced."""
    first, *rest = path
    return {k: _put(v, rest, new) if k == first else v for k, v in document.items()}


def _put(value: Any, path: list[str | int], new: Any) -> Any:
    if not path:
        return new
    if isinstance(value, str):
        words = value.split(" ")
        words[int(path[0])] = new
        return " ".join(words)
    first, *rest = path
    if isinstance(value, dict):
        return {k: _put(v, rest, new) if k == first else v for k, v in value.items()}
    return [_put(v, rest, new) if at == first else v for at, v in enumerate(value)]


Altered = Iterator[tuple[told.Leaf, dict[str, Any]]]


def few(found: Altered, step: int) -> Altered:
    """Of each kind of leaf the first of its values, then every so many-th."""
    seen: Counter[tuple[str, ...]] = Counter()
    for path, document in found:
        kind = tuple(part for part in path if isinstance(part, str))
        if kind not in seen or (seen[kind] + len(seen)) % step == 0:
            yield path, document
        seen[kind] += 1


class Told:
    """A game up to the state after the middle one."""

    def __init__(self, name: str) -> None:
        contents, self.key = told.example(name), told.key_of(name)
        self.n = MIDDLE[name]
        self.secret = contents.secret
        self.states = {m: raw for m, raw in contents.states.items() if m <= self.n + 1}

    def with_state(self, document: dict[str, Any], states: dict[int, bytes] | None = None) -> dict[int, bytes] | None:
        try:
            raw = told.resigned(document, self.key)
        except PbemError:  # no TOML, or too much of it: nobody can write it
            return None
        return {**(states or self.states), self.n: raw}


def verified(states: dict[int, bytes]) -> str:
    """What `verify` says; "" if nothing."""
    try:
        check_chain(states, None, None)
    except PbemError as error:
        return error.message
    return ""


@pytest.fixture(scope="module", params=MIDDLE)
def game(request: pytest.FixtureRequest) -> Told:
    return Told(request.param)


def test_verify_names_the_state(game: Told) -> None:
    tried = 0
    for path, document in few(altered(told.document_of(game.states[game.n])), size("odd leaves for verify")):
        states = game.with_state(document)
        if states is None or states == game.states:
            continue
        said = verified(states)
        assert f"state {game.n}" in said, (path, said)
        tried += 1
    assert tried > 3_000 // size("odd leaves for verify")


@pytest.mark.attack(
    "sign a state that nobody can read, to stop an audit",
    by="found by audit, which names the state",
    who="referee",
)
@pytest.mark.parametrize("opened", [True, False])
def test_audit_names_the_state(game: Told, opened: bool) -> None:
    """With the secret, and as an archive of a game that is not over."""
    for path, document in few(altered(told.document_of(game.states[game.n])), size("odd leaves for an audit")):
        states = game.with_state(document)
        if states is None or states == game.states:
            continue
        contents = Archive(states, game.secret if opened else b"", told.OTHER_WORDS, b"x")
        found = audit_archive(contents, TrustAnchors())
        assert found.verdict == "contradicted", path
        at = {item.n for item in found.items if item.verdict == "contradicted"} - {None}
        assert at & {game.n, game.n + 1}, (path, found.items)
        assert all(item.text.isprintable() for item in found.items), path


@pytest.mark.parametrize("opened", [True, False])
def test_the_last_state(game: Told, opened: bool) -> None:
    """Nothing follows it: what `audit` cannot play again or tell of, it says."""
    last = {m: raw for m, raw in game.states.items() if m <= game.n}
    for path, document in few(altered(told.document_of(last[game.n])), size("odd leaves for an audit")):
        states = game.with_state(document, last)
        if states is None:
            continue
        verified(states)
        contents = Archive(states, game.secret if opened else b"", told.OTHER_WORDS, b"x")
        found = audit_archive(contents, TrustAnchors())
        if opened and states != last and path[0] != "time":  # nothing follows it
            assert found.verdict == "contradicted", path
            assert found.first_contradiction is not None
            assert f"state {game.n}" in str(found.first_contradiction.text), (path, found.first_contradiction)


def test_a_class_that_there_is_not() -> None:
    """The table of contributions, in a chain that is otherwise right."""
    name = "chang-cheng-2-neutral"
    contents, key = told.example(name), told.key_of(name)
    for rows in (["zzz opened", "blue plain"], ["red foo", "blue plain"], [], ["red plain"]):
        document = told.document_of(contents.states[2]) | {"contributions": rows}
        states = {0: contents.states[0], 1: contents.states[1], 2: told.resigned(document, key)}
        for secret in (contents.secret, b""):
            found = audit_archive(Archive(states, secret, told.OTHER_WORDS, b"x"), TrustAnchors())
            assert found.first_contradiction is not None
            assert "state 2" in found.first_contradiction.text


@pytest.mark.parametrize("rows", [[1, 2], [["a"], ["b"]], [{"a": 1}], [1]])
@pytest.mark.parametrize("field", ["zz.0.0", "zz.0", "zz.a", "zz.0.1", "zz"])
def test_a_correction_of_what_is_no_row(field: str, rows: list[Any]) -> None:
    """Found by a review: `verify` and `audit` of this ended in "this is our fault"."""
    table = Table()
    for _ in range(3):
        table.play("wall")
    n = table.last
    ruling = Ruling("correct", (("field", field), ("old", "1"), ("new", "2")), "a slip")
    basis = correct.build_corrected_basis(table.position, table.position.state, (ruling,), {})
    raw = kinds.build_ruling_state(table.position, basis, SECRET, table.key, TIME, {}).raw
    states = dict(table.states)
    states[n] = rewritten(states[n], lambda d: d["position"].update(zz=rows))
    position = told.document_of(raw)["position"] | {"zz": rows}
    states[n + 1] = rewritten(raw, update_with(prev=head(states[n]), position=position))
    assert f"state {n} holds what no state may: zz" in verified(states)  # such rows are refused before
    for secret in (SECRET, b""):
        found = audit_archive(Archive(states, secret, told.OTHER_WORDS, b"x"), TrustAnchors())
        assert found.first_contradiction is not None
        assert found.first_contradiction.n in (n, n + 1)
