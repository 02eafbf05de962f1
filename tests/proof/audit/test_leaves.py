"""Every leaf of every state: changed, signed anew, found, and the right place named. P1, P5, P9.

What an audit does with one state is done here with one state (its signature, the checks of
`verify`, the state made again), since a whole audit for each of ten thousand leaves takes an hour;
that an audit does just this, whole audits for some leaves of each table show.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from sizes import LONG, every, size
from vectors import base_game

from pbem.chain.state_record import StateRecord
from pbem.crypto.keys import RefereeKey
from pbem.errors import PbemError
from pbem.proof.audit import archive
from pbem.proof.audit.archive import Archive
from pbem.proof.audit.audit import TrustAnchors
from pbem.proof.audit.findings import Contradiction, Replay
from pbem.proof.audit.replay import TABLES, replay_state
from pbem.proof.verify import changes
from pbem.proof.verify.changes import EarlierStates
from pbem.proof.verify.clock import find_clock_fault
from pbem.proof.verify.verify import CHECKS, FindFault, run_check
from pbem.services.prove.audit import audit_archive

from . import games_told as told
from .table import ACTING, SECRET

#: example: every which state
WHERE = {"chang-cheng-2-neutral": 4, "great-wall-3": 21}
WHERE |= dict.fromkeys(told.EXAMPLES, 1) if LONG else {}
#: what nothing but the chain holds: the next state names the head of this one
CHAINED = ("time",)
#: rows that a slot, a seat or a number names better than their table
OWN_WORDS = ("sealed", "commits", "openings", "heads", "prev", "game", "n", "phase", "setup")


class Game:
    """A game, played again once."""

    def __init__(self, contents: Archive, *keys: RefereeKey) -> None:
        self.contents, self.key, self.keys = contents, keys[0], keys
        self.run: Replay = told.replayed(contents, *keys)
        self.links: dict[int, StateRecord] = {n: one.record for n, one in self.run.past_states.items()}
        self.heads = {n: one.state_hash for n, one in self.run.past_states.items()}

    def found(self, n: int, raw: bytes, without: FindFault | None = None, **other: Any) -> str:
        """What is found against state n alone; "" if nothing. ``without``: a check that is left
        out; ``other``: what else the archive has otherwise.
        """
        try:
            one = told.signed(raw, told.signer(self.contents.states[n], *self.keys))
        except PbemError as error:  # no signature, or no state: an audit names the file's number
            return f"state {n}, no state: {error.message}"
        try:
            if one.record.n != n:
                return f"state {n} calls itself another"
            for check in (check for check in CHECKS if check.find_fault is not without):
                past = EarlierStates(self.heads, self.links[2].game, self.links)
                run_check(check, one.record, self.links.get(n - 1), past)
            past_to = {m: s for m, s in self.run.past_states.items() if m < n}
            replay_state(self.run._replace(past_states=past_to, used_numbers={}, **other), one)
        except PbemError as error:
            return error.message
        except Contradiction as what:
            return f"state {what.n}, {what.fault.text}"
        return ""


@pytest.fixture(scope="module")
def example(request: pytest.FixtureRequest) -> tuple[Game, int]:
    return game_of(request.param), WHERE[request.param]


def game_of(name: str) -> Game:
    """An example."""
    return Game(told.example(name), told.key_of(name))


def some(game: Game, step: int) -> Iterator[tuple[int, dict[str, Any], told.Leaf]]:
    """Every leaf of every state from the roster on, or of some states."""
    for n in sorted({1, 2, 3, *range(1, len(game.contents.states), step)}):
        document = told.document_of(game.contents.states[n])
        for path in told.leaves(document):
            yield n, document, path


@pytest.mark.parametrize("example", WHERE, indirect=True)
def test_the_referee_alters_a_leaf(example: tuple[Game, int]) -> None:
    game, step = example
    tried = 0
    leaves = [*some(game, step)]
    for at in every("leaves of a state", 0, len(leaves) - 1):
        n, document, path = leaves[at]
        said = game.found(n, told.resigned(told.altered(document, path), game.key))
        if path[0] in CHAINED:
            assert said == "", path  # the next state tells: below
            continue
        assert said, (n, path)
        if path[0] != "pbem":
            assert named(said, n, path), (n, path, said)
        tried += 1
    assert tried > 1000 // size("leaves of a state")


def named(said: str, n: int, path: told.Leaf) -> bool:
    """Whether the finding names the state and the part of it."""
    if f"state {n}" not in said:
        return False
    table = str(path[0])
    if table in OWN_WORDS or "no state:" in said:
        return True
    if table == "position":
        return f"{TABLES['position'][0]}: {path[1]}" in said
    return TABLES[table][0] in said or any(word in said for word in TELLS.get(table, ()))


#: other words that name these tables as well
TELLS = {
    "referees": ("referee",),
    "wraps": ("wraps the secret",),
    "people": ("who plays", "keys of players"),
    "roster": ("answer", "keys of players"),
    "contributions": ("gave",),
    "opened": ("contribution", "deal"),
    "secret": ("secret",),
    "rulings": ("ruling", "rule", "corrects", "undo", "player", "referee"),
    "replaced": ("replace",),
    "entries": ("order",),
    "events": ("without",),
    "answered": ("answers",),
    "consents": ("consent",),
    "clock": ("clock", "deadline", "due", "bank", "strikes"),
    "hands": ("pending orders",),
    "restored": ("restore",),
}


@pytest.mark.attack("use the referee's key to change an order that a player signed", by="audit", who="thief")
@pytest.mark.parametrize("example", WHERE, indirect=True)
def test_a_thief_alters_a_leaf(example: tuple[Game, int]) -> None:
    """By his own key: the state is named, and nothing of it is parsed."""
    game, step = example
    for n, document, path in some(game, step if LONG else step * 5):
        if path[0] == "pbem":
            continue  # a format that nobody reads
        said = game.found(n, told.resigned(told.altered(document, path), told.THIEF))
        assert "is signed by key" in said, (n, path)


KINDS = {"chang-cheng": 250, "great-wall": 120}


@pytest.mark.attack("alter any value in a state", by="verify or audit", who="referee")
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_leaf(kind: str) -> None:
    """The first of each word of each sort of row in any example, and in a game full of rulings."""
    games = [game_of(name) for name in told.EXAMPLES if name.startswith(kind)]
    games += [ruled()] if kind == "chang-cheng" else []
    seen, free = set[tuple[str, ...]](), set[tuple[str, ...]]()
    for game in games:
        for n, document, path in some(game, 1):
            sort = told.kind_of(document, path)
            if sort in seen or path[0] in ("pbem", *CHAINED):
                continue
            seen.add(sort)
            key = told.signer(game.contents.states[n], *game.keys)
            raw = told.resigned(told.altered(document, path), key)
            said = game.found(n, raw)
            if not said:  # what was told to the referee alone: the next state has its head
                free.add(sort)
                whole = told.audited({**game.contents.states, n: raw}, game.contents.secret)
                assert n == whole.last_number or f"state {n}" in str(whole.first_contradiction), (n, path)
                continue
            assert named(said, n, path), (n, path, said)
    assert len(seen) > KINDS[kind]
    if kind == "chang-cheng":  # every table that a state can have
        assert {sort[0] for sort in seen} == TABLES.keys() - {*CHAINED}
    assert {sort[0] for sort in free} <= {"roster", "rulings"}, free


def ruled() -> Game:
    """Every ruling but `restore`, a second referee, an undo, hidden things that were exchanged."""
    table = base_game.play()
    contents = Archive(table.states, SECRET, pending_values=table.hands)
    return Game(contents, ACTING, base_game.NEXT, base_game.THIRD)


def hand_leaves(game: Game) -> Iterator[tuple[int, str, list[str], int]]:
    """Every word of what waited, in the file `hands`: state, seat, the words, which one."""
    for n, values in (game.contents.pending_values or {}).items():
        for seat, value in values.items():
            words = re.split("([ \n])", value)
            yield from ((n, seat, words, at) for at in range(0, len(words), 2) if value)


def with_hand(game: Game, n: int, seat: str, value: str) -> dict[int, dict[str, str]]:
    hands = {m: dict(values) for m, values in (game.contents.pending_values or {}).items()}
    hands[n][seat] = value
    return hands


@pytest.mark.attack("rebuild an archive with different pending orders", by="audit", who="referee")
def test_a_leaf_of_what_waited() -> None:
    """The referee packs the archive again: the state that commits to it tells."""
    game, tried = ruled(), 0
    for n, seat, words, at in hand_leaves(game):
        value = "".join([*words[:at], told.other_text(words[at]), *words[at + 1 :]])
        said = game.found(n, game.contents.states[n], pending_values=with_hand(game, n, seat, value))
        assert f"state {n}, the pending orders of {seat}" in said, (n, seat, at, said)
        tried += 1
    assert tried > 80
    hands = with_hand(game, n, seat, value)
    found = told.audited(game.contents.states, game.contents.secret, hands)
    assert {x.name: x.n for x in found.items if x.verdict == "contradicted"} == {"hands": n}


def test_a_thief_packs_it_again() -> None:
    game = ruled()
    contents = Archive(game.contents.states, SECRET, told.OTHER_WORDS, pending_values=game.contents.pending_values)
    whole = archive.unpack(archive.pack(contents, game.links[2].game, told.THIEF.signing, b"t" * 32))
    found = audit_archive(whole, TrustAnchors())
    assert found.verdict == "contradicted"
    assert found.first_contradiction is not None
    assert found.first_contradiction.name == "container"


def test_a_check_that_is_left_out_shows() -> None:
    """Were the clock, the rulings or the hands looked at by nobody, these leaves would tell it."""
    game = ruled()

    def found(n: int, table: str, word: str, *more: FindFault, **other: Any) -> str:
        document = told.document_of(game.contents.states[n])
        rows = (document["clock"] if table == "clock" else document)["seats" if table == "clock" else table]
        rows[0] = " ".join([*rows[0].split(" ")[:-1], word])
        key = told.signer(game.contents.states[n], *game.keys)
        return game.found(n, told.resigned(document, key), *more, **other)

    assert "missed turns in a row of red" in found(14, "clock", "1")
    assert found(14, "clock", "1", find_clock_fault) == ""
    assert "consent" in found(20, "consents", told.b64_of(b"x" * 64))
    assert found(20, "consents", told.b64_of(b"x" * 64), changes.find_ruling_fault) == ""
    assert "pending orders of red" in found(24, "hands", told.b64_of(b"x" * 32))
    assert found(24, "hands", told.b64_of(b"x" * 32), pending_values=None) == ""


@pytest.mark.parametrize("name", ["chang-cheng-2-neutral"])
def test_whole_audits(name: str) -> None:
    """The first and last leaf of each table of some states, by both keys; the time too."""
    contents, key = told.example(name), told.key_of(name)
    last = max(contents.states)
    for n in (0, 1, 2, 9, last - 1):
        document = told.document_of(contents.states[n])
        ways = {}
        for path in told.leaves(document):
            ways[path[0]] = path  # the last of each table
        for path in ways.values():
            for by in (key, told.THIEF):
                raw = told.resigned(told.altered(document, path), by)
                found = told.audited({**contents.states, n: raw}, contents.secret)
                assert found.verdict == "contradicted", (n, path)
                assert found.first_contradiction is not None
                assert f"state {n}" in found.first_contradiction.text or n == 0, (n, path, found.first_contradiction)


def test_the_last_state_stands_for_itself() -> None:
    """Nothing follows it: its time is held by the list in the archive and by everybody's report."""
    name = "chang-cheng-2-neutral"
    contents, key = told.example(name), told.key_of(name)
    last = max(contents.states)
    document = told.document_of(contents.states[last])
    raw = told.resigned(told.altered(document, ("time", 0)), key)
    found = told.audited({**contents.states, last: raw}, contents.secret, contents.pending_values)
    assert found.verdict == "proven"
    raw = told.resigned(told.altered(document, ("position", "turn")), key)
    found = told.audited({**contents.states, last: raw}, contents.secret)
    assert found.first_contradiction is not None
    assert f"state {last}, the board: turn:" in found.first_contradiction.text
