"""States swapped, dropped, forged, rewritten: found, and named by number. P1, P5, P7."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from durability import games

from pbem.chain.signed_state import read_self_signed_record, read_verified_record, sign_state, state_hash_of
from pbem.crypto.encoding import b64
from pbem.crypto.keys import RefereeKey
from pbem.errors import BadInput, Refused
from pbem.formats import state_file
from pbem.services.open.new_game import Secrets

KEY = RefereeKey(games.ACTING)
THIEF = RefereeKey(b"t" * 32)
Change = Callable[[dict[str, Any]], None]


def path_of(place: Any, n: int) -> Path:
    return Path(place.game / "states" / f"{n:04d}.toml")


def resigned(raw: bytes, change: Change, key: RefereeKey = KEY) -> bytes:
    """The state changed, and signed anew by whoever holds ``key``."""
    document = state_file.parse(state_file.split(raw).body)
    change(document)
    return sign_state(state_file.dump(document), key.signing, key.public)


def add(rows: list[str], row: str) -> None:
    """In its place: rows of a state that are a set are sorted."""
    rows.append(row)
    rows.sort()


def made_in(row: str) -> int:
    return int(row.split(" ", maxsplit=1)[0])


def rewrite(place: Any, n: int, change: Change, on: bool = False) -> None:
    """A cheating referee: state ``n`` changed, and every later one hung anew on the one before.

    ``on``: the later ones are changed too.
    """
    heads: dict[int, str] = {}

    def hung(document: dict[str, Any]) -> None:
        document["prev"] = heads[m]
        rows = [text.split(" ") for text in document["heads"]]
        document["heads"] = [f"{of} {heads.get(int(of), head)}" for of, head in rows]
        if m == n or on:
            change(document)

    for m in range(n, place.numbers()[-1] + 1):
        path = path_of(place, m)
        heads[m] = b64(state_hash_of(path_of(place, m - 1).read_bytes()))
        path.write_bytes(resigned(path.read_bytes(), hung))
    (place.game / "game.toml").write_bytes(path.read_bytes())


def not_genuine(place: Any, *words: str, paths: tuple[str, ...] = ()) -> None:
    said = place.run("verify", "GAME", *paths)
    assert said.code == 1, said.text
    for word in ("NOT genuine", *words):
        assert word in said.text, said.text


def writing_refused(place: Any) -> None:
    before = games.tree(place.path)
    for words in (("resolve", "GAME"), ("report", "GAME", "--player", "red")):
        said = place.run(*words)
        assert said.code in (1, 2), said.text
        games.one_line(said)
    assert games.tree(place.path) == before


def row(document: dict[str, Any], field: str, at: int = 0) -> list[str]:
    return str(document[field][at]).split(" ")


def test_two_states_swapped(place: Any) -> None:
    """Named by number; if the newest is one of them nothing is written."""
    last = place.numbers()[-1]
    for a, b in ((3, 4), (2, last), (last - 1, last), (0, 1)):
        one, other = path_of(place, a), path_of(place, b)
        kept = one.read_bytes(), other.read_bytes()
        one.write_bytes(kept[1])
        other.write_bytes(kept[0])
        not_genuine(place, f"state {a} calls itself state {b}" if a else "not the genesis")
        if b == last:
            writing_refused(place)
        one.write_bytes(kept[0])
        other.write_bytes(kept[1])


def test_a_copy_under_a_number_to_come(place: Any) -> None:
    """An old state put in as the newest is not taken for one."""
    last = place.numbers()[-1]
    shutil.copy(path_of(place, last - 2), path_of(place, last + 1))
    writing_refused(place)
    not_genuine(place, f"state {last + 1} calls itself state {last - 2}")


def test_a_state_of_another_game_of_the_same_referee(place: Any, tmp_path: Path) -> None:
    """Genuine, but not here: in the middle, at the end, as game.toml, as genesis."""
    other = games.opened(tmp_path / "other", Secrets(b"o" * 32, games.CODES))
    last = place.numbers()[-1]
    two = path_of(other, 2).read_bytes()
    numbered = [path_of(place, n) for n in (2, last, 0)]
    for where in (*numbered, place.game / "game.toml"):
        kept = where.read_bytes()
        where.write_bytes(path_of(other, 0).read_bytes() if where.name == "0000.toml" else two)
        not_genuine(place)
        if where.name != "0002.toml":
            writing_refused(place)
        where.write_bytes(kept)
    place.done("verify", "GAME")


@pytest.mark.parametrize("with_own_key", [True, False])
def test_a_thief_signs_a_state(place: Any, with_own_key: bool) -> None:
    """Another key's signature is refused by whoever has the genesis or the referee's key."""
    last = place.numbers()[-1]
    forged = resigned(path_of(place, last).read_bytes(), lambda d: d.update(time="x"), THIEF)
    if not with_own_key:
        shutil.rmtree(place.home / "keys")
    for where in (path_of(place, last), place.game / "game.toml"):
        kept = where.read_bytes()
        where.write_bytes(forged)
        not_genuine(place)
        for command in ("status", "show"):
            said = place.run(command, "GAME")
            assert said.code in (1, 2)
            games.one_line(said)
        where.write_bytes(kept)


def test_a_thief_signs_the_whole_chain(place: Any) -> None:
    """A chain of his own is found out by the referee's key, and by the game's id."""
    game = place.session().record.game

    def taken(document: dict[str, Any]) -> None:
        rest = document["referees"][0].split(" ", 2)[2]
        document["referees"] = [f"0 {b64(THIEF.public)} {rest}"]
        document["wraps"][0] = f"{THIEF.id} {document['wraps'][0].split(' ')[1]}"

    raw = resigned(path_of(place, 0).read_bytes(), taken, THIEF)
    path_of(place, 0).write_bytes(raw)
    for n in place.numbers()[1:]:
        path_of(place, n).unlink()
    (place.game / "game.toml").write_bytes(raw)
    assert place.run("verify", "GAME").code == 0  # it is a genuine genesis, of another game
    assert game not in place.run("verify", "GAME").text
    for known in (("--key", b64(KEY.public)), ("--game", game)):
        said = place.run("verify", "GAME", *known)
        assert said.code == 1
        assert "NOT genuine" in said.text
    # the name of another referee's key under a signature that is none of his
    path_of(place, 0).write_bytes(resigned(raw, lambda _: None, KEY))
    not_genuine(place)


def test_a_key_that_stands_elsewhere_in_a_genesis_vouches_for_nothing(place: Any) -> None:
    """A thief's key in another row: the genesis names the referee's, and he did not sign it."""
    decoy = " ".join(["0", *[b64(THIEF.public)] * 4])
    raw = path_of(place, 0).read_bytes()
    forged = resigned(raw, lambda d: d["setup"]["seats"].insert(0, decoy), THIEF)
    with pytest.raises(Refused, match="not signed by the key that it names"):
        read_self_signed_record(forged)
    path_of(place, 0).write_bytes(forged)
    not_genuine(place, "not signed by the key that it names")


def test_links_dropped_and_reordered(place: Any) -> None:
    """The first number that is wrong is named."""
    last = place.numbers()[-1]
    path_of(place, 4).unlink()
    not_genuine(place, "state 4 is missing")
    shutil.copy(path_of(place, 5), path_of(place, 4))
    not_genuine(place, "state 4 calls itself state 5")
    for n in range(4, last):
        shutil.copy(path_of(place, n + 1), path_of(place, n))
    path_of(place, last).unlink()
    not_genuine(place, "state 4 calls itself state 5")


def test_game_toml_of_an_older_link(place: Any) -> None:
    """A command was cut short: said, and the next command that writes puts the newest there."""
    shutil.copy(path_of(place, 3), place.game / "game.toml")
    assert "game.toml is not that state yet" in place.done("verify", "GAME")
    place.done("resolve", "GAME")
    assert "cut short" not in place.done("verify", "GAME")


def test_game_toml_of_another_history(place: Any) -> None:
    """Neither of two states of one number is written over: nobody can tell which is meant."""
    last = place.numbers()[-1]
    for n in (last, last - 1):
        other = resigned(path_of(place, n).read_bytes(), lambda d: d.update(time="2024-01-01T00:00:00Z"))
        (place.game / "game.toml").write_bytes(other)
        writing_refused(place)
        assert f"game.toml and states/ have different states {n}" in place.run("resolve", "GAME").text


@pytest.mark.attack(
    "rewrite an old state, or cut off the newest states",
    by="verify, with a report, a receipt or an older copy of the game",
    who="referee",
)
def test_a_forked_history(place: Any) -> None:
    """P7: a referee who rewrites history is found out by anybody's report of the other one."""
    n = place.numbers()[-1]
    reports = place.game / "desk" / "reports" / f"{n:04d}"
    for seat in ("red", "blue", "spectators"):
        kept = place.file(f"{seat}.txt", (reports / f"{seat}.txt").read_bytes())
        assert "belongs to this log" in place.done("verify", "GAME", kept)
    rewrite(place, 5, lambda document: document.update(time="2023-11-14T22:13:21Z"), on=True)
    place.done("verify", "GAME")  # by itself it is a good chain
    for seat in ("red", "blue", "spectators"):
        path = str(place.path / f"{seat}.txt")
        not_genuine(place, "another history than these states, so they were rewritten", paths=(path,))
    writing_refused(place)  # and the referee's own machine knows better


def test_one_state_of_a_fork(place: Any) -> None:
    """A single link exchanged for one of another history does not follow."""
    path = path_of(place, 5)
    path.write_bytes(resigned(path.read_bytes(), lambda d: d.update(time="2023-11-14T22:13:21Z")))
    not_genuine(place, "state 6 does not follow this state 5")


def opens(new: str) -> Callable[[dict[str, Any]], None]:
    """A change of a state: this is its first opening."""
    return lambda document: document["openings"].__setitem__(0, new)


@pytest.mark.attack("reveal a value that differs from the one that was dealt", by="verify", who="referee")
def test_an_opening_with_another_value(place: Any) -> None:
    """P5: what is turned up must be what was committed; state and slot are named."""
    found = 0
    for n in place.numbers()[2:]:
        openings = state_file.parse(path_of(place, n).read_bytes()[:-139])["openings"]
        if not openings:
            continue
        found += 1
        slot, value, k, c = openings[0].split(" ")
        other = "9" if value != "9" else "8"
        for changed in (f"{slot} {other} {k} {c}", f"{slot} {value} {b64(b'k' * 32)} {c}"):
            bad = games.copied(place, place.path.with_name("bad"))
            rewrite(bad, n, opens(changed))
            not_genuine(bad, f"state {n} opens {slot} with a value that was not committed")
            shutil.rmtree(bad.path)
    assert found >= 2


@pytest.mark.attack("reveal one hidden item in place of another", by="verify", who="referee")
def test_an_opening_against_another_commitment(place: Any) -> None:
    """A value and commitment that fit each other, but not what was said when it was dealt."""
    from pbem.crypto.tokens import commit

    game = place.session().record.game
    for n in place.numbers()[3:]:
        openings = state_file.parse(path_of(place, n).read_bytes()[:-139])["openings"]
        if not openings:
            continue
        slot, value, _, _ = openings[0].split(" ")
        k, other = b"k" * 32, "9" if value != "9" else "8"
        new = f"{slot} {other} {b64(k)} {b64(commit(game, slot, k, other))}"
        bad = games.copied(place, place.path.with_name("bad"))
        rewrite(bad, n, opens(new))
        not_genuine(bad, f"state {n} opens {slot} against another commitment")
        return
    raise AssertionError("nothing was opened")


@pytest.mark.parametrize("field", ["sealed", "commits"])
def test_a_commitment_exchanged(place: Any, field: str) -> None:
    """A hidden thing cannot become another one: the state and slot are named."""
    n = 2 if field == "commits" else 4
    slot = row(state_file.parse(path_of(place, n).read_bytes()[:-139]), "sealed")[0]

    def exchange(document: dict[str, Any]) -> None:
        for i, text in enumerate(document[field]):
            if text.startswith(f"{slot} "):
                parts = text.split(" ")
                parts[1] = b64(b"c" * 32)
                document[field][i] = " ".join(parts)

    rewrite(place, n, exchange)
    not_genuine(place, f"state {n} has another commitment for {slot}")


def test_a_hidden_thing_dropped_added_or_doubled(place: Any) -> None:
    """Nothing vanishes unopened, and nothing comes in without a commitment of its own link."""
    slot, c, token = row(state_file.parse(path_of(place, 4).read_bytes()[:-139]), "sealed")
    cases: list[tuple[Change, str]] = [
        (lambda d: d["sealed"].pop(0), f"state 4 drops {slot} without opening it"),
        (lambda d: add(d["sealed"], f"4/new/00 {c} {token}"), "another commitment for 4/new/00"),
        (lambda d: add(d["commits"], f"3/new/00 {c}"), "commits to 3/new/00"),
        (lambda d: add(d["sealed"], f"{slot} {c} {token}"), f"state 4 has {slot} twice"),
    ]
    for change, said in cases:
        bad = games.copied(place, place.path.with_name("bad"))
        rewrite(bad, 4, change)
        not_genuine(bad, said)
        shutil.rmtree(bad.path)


def test_what_was_settled_is_not_changed_later(place: Any) -> None:
    """Options and rulings stand in every state and stay."""
    rewrite(place, 4, lambda d: d["setup"].update(version="99"))
    not_genuine(place, "state 4 changes what was settled in the genesis")


def test_who_plays_is_not_changed_in_silence(place: Any) -> None:
    """A name or a key of a player changes by a ruling alone."""

    def eve(document: dict[str, Any]) -> None:
        document["people"][0] = " ".join([*document["people"][0].split(" ")[:4], "Eve"])

    rewrite(place, 4, eve)
    not_genuine(place, "state 4 changes who plays or who may sign, without a ruling")


def test_a_head_of_another_history(place: Any) -> None:
    """The keys of openings hang on these heads (found in the review of 2026-11-21)."""
    other = b64(b"h" * 32)
    last = place.numbers()[-1]
    for n, m in ((4, 2), (last, 2), (last, last)):
        bad = games.copied(place, place.path.with_name("bad"))

        def exchange(document: dict[str, Any], m: int = m) -> None:
            rows = [text for text in document["heads"] if text.split(" ")[0] != str(m)]
            document["heads"] = sorted([*rows, f"{m} {other}"], key=made_in)

        rewrite(bad, n, exchange)
        said = f"state {n} names another state hash before state {m} than this log has"
        not_genuine(bad, said)
        for gone in range(4):  # with the beginning missing, what is still known counts
            path_of(bad, gone).unlink(missing_ok=True)
        if n == last:
            not_genuine(bad, said)
        shutil.rmtree(bad.path)


def test_a_head_before_a_state_to_come_or_twice(place: Any) -> None:
    """Found in the review of 2026-11-21."""
    cases: list[tuple[Change, str]] = [
        (lambda d: d["heads"].append(f"5 {b64(b'h' * 32)}"), "names a state hash before state 5"),
        (lambda d: d["heads"].insert(0, f"0 {b64(b'h' * 32)}"), "names a state hash before state 0"),
        (lambda d: d["heads"].insert(0, d["heads"][0]), "has the state hash before 2 twice"),
    ]
    for change, said in cases:
        bad = games.copied(place, place.path.with_name("bad"))
        rewrite(bad, 4, change)
        not_genuine(bad, f"state 4 {said}")
        shutil.rmtree(bad.path)


GOOD = [b64(bytes([i]) * 32) for i in range(5)]
FOUR = " ".join(GOOD[:4])


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [f"0 {' '.join(GOOD[:2])} - -"],
        [f"0 {' '.join(GOOD[:3])} - -"],
        [f"0 {' '.join(GOOD)} - -"],
        [f"0 {FOUR}"],
        [f"1 {FOUR} - -"],
        [f"00 {FOUR} - -"],
        [f"0 {' '.join(GOOD[:3])} short - -"],
        [f"0 {FOUR} acting -"],
        [f"0 {FOUR} - -", f"0 {FOUR} - -"],
        [f"0 {FOUR} - -", f"3 {FOUR} - -"],
        [f"0 {FOUR} - -", f"3 {FOUR} acting {b64(b's' * 64)}"],
        [f"0 {FOUR} - -", f"3 {FOUR} recovery {b64(b's' * 64)}"],
    ],
)
def test_the_rows_of_keys_are_held_to_their_shape(place: Any, rows: list[str]) -> None:
    """Found in the review of 2026-11-21: only one row was looked at, of any number."""
    raw = path_of(place, 4).read_bytes()
    assert read_verified_record(raw, KEY.public).referees[0].acting == KEY.public
    with pytest.raises((BadInput, Refused)):
        read_verified_record(resigned(raw, lambda d: d.update(referees=rows)), KEY.public)


def test_the_genesis_has_both_halves_of_both_keys(place: Any) -> None:
    """As the specification's section 5 has it (found in the review of 2026-11-21)."""
    recovery = RefereeKey(games.RECOVERY)
    halves = (KEY.public, KEY.wrap_public, recovery.public, recovery.wrap_public)
    document = state_file.parse(state_file.split(path_of(place, 0).read_bytes()).body)
    assert document["referees"] == [f"0 {' '.join(map(b64, halves))} - -"]


def test_the_genesis_replaced(place: Any) -> None:
    """Another genesis of the same referee: another game, and the chain does not follow."""
    game = place.session().record.game
    path = path_of(place, 0)
    path.write_bytes(resigned(path.read_bytes(), lambda d: d["setup"].update(version="99")))
    not_genuine(place)
    writing_refused(place)
    said = place.run("verify", "GAME", "--game", game)
    assert said.code == 1
    assert f"not of {game}" in said.text
