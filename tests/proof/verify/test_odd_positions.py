"""A state that is signed and whose position is none of its game: named, and the rest goes on.

Found by an attack of 2026-11: one such state of a foreign game blinded `status` for all games.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from durability import games
from sizes import size

from pbem.chain.signed_state import sign_state
from pbem.crypto.keys import RefereeKey
from pbem.formats import state_file

KEY = RefereeKey(games.ACTING)
COMMANDS = ("status GAME", "show GAME", "verify GAME", "legal GAME", "resolve GAME")


def signed(document: dict[str, object]) -> bytes:
    return sign_state(state_file.encode_canonical(document), KEY.signing, KEY.public)


def put(place: games.Place, raw: bytes) -> None:
    n = place.numbers()[-1]
    (place.game / "states" / f"{n:04d}.toml").write_bytes(raw)
    (place.game / "game.toml").write_bytes(raw)


def document(place: games.Place) -> dict[str, object]:
    return state_file.parse(state_file.split(place.newest()).body)


def changed(before: dict[str, object], below: Random) -> Iterator[dict[str, object]]:
    """The document with an odd leaf in its position or its events, again and again."""
    while True:
        position, events = dict(before["position"]), list(before["events"])  # type: ignore[call-overload]
        key = below.choice(sorted(position))
        value = position[key]
        if isinstance(value, list) and value:
            rows, at = list(value), below.randrange(len(value))
            rows[at] = odd_row(str(rows[at]), below)
            position[key] = below.choice((rows, rows[:at], rows + rows[at:], rows[::-1]))
        elif isinstance(value, int):
            position[key] = below.choice((0, 1, value + 1, 99, 10**17))
        else:
            position[key] = odd_row(str(value), below)
        if events and not below.randrange(3):
            at = below.randrange(len(events))
            events[at] = odd_row(events[at], below)
        if below.randrange(9) == 0:
            del position[key]
        yield {**before, "position": position, "events": events}


def odd_row(row: str, below: Random) -> str:
    words = row.split(" ")
    at = below.randrange(len(words))
    words[at] = below.choice(("", "-", "0", "9", "99", "A1", "Z9", "red", "neutral", words[0], "x"))
    return " ".join(words) if below.randrange(4) else " ".join(words[:at] + words[at + 1 :])


def test_no_odd_position_is_our_fault(scored: games.Place, tmp_path: Path) -> None:
    """Whatever stands in a position: each command says what is wrong, or reads it."""
    place = games.copied(scored, tmp_path / "one")
    below, before = Random(1), document(place)
    for _, found in zip(range(size("positions that are none")), changed(before, below), strict=False):
        try:
            raw = signed(found)
        except ValueError:
            continue
        for line in below.sample(COMMANDS, 2):
            put(place, raw)
            said = place.run(*line.split())
            assert said.code in (0, 1, 2), (line, said.text, found["position"], found["events"])
            assert "our fault" not in said.text


def broken(place: games.Place) -> bytes:
    found = document(place)
    position = dict(found["position"])  # type: ignore[call-overload]
    position["regions"] = [*position["regions"], *position["regions"]]
    return signed({**found, "position": position})


@pytest.mark.attack(
    "stop other games of the same referee with a strange state",
    by="not possible: pbem names the state and goes on",
    who="anybody",
)
def test_one_odd_game_does_not_blind_the_others(scored: games.Place, tmp_path: Path) -> None:
    good, odd = (games.copied(scored, tmp_path / "all" / name) for name in ("good", "odd"))
    put(odd, broken(odd))
    said = good.run("status", str(tmp_path / "all"), "--json")
    rows = json.loads(said.text)["games"]
    assert (said.code, len(rows)) == (1, 2)
    bad = next(row for row in rows if "error" in row)
    assert bad["error"] == "position/unreadable"
    assert "odd" in bad["dir"]
    assert "game" in next(row for row in rows if "error" not in row)


def test_verify_says_that_it_cannot_be_read(scored: games.Place, tmp_path: Path) -> None:
    place = games.copied(scored, tmp_path / "one")
    put(place, broken(place))
    said = place.run("verify", "GAME", "--json")
    (row,) = json.loads(said.text)["paths"]
    assert (row["verdict"], row["code"], said.code) == ("unreadable", "position/unreadable", 2)
    assert f"state {place.numbers()[-1]}" in row["says"]
    assert "signed all the same" in row["says"]


def test_whatever_a_plug_in_raises(scored: games.Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard asks no game what it raises."""
    from pbem.engine.chang_cheng import GAME

    def failing(*_: object) -> object:
        raise ZeroDivisionError

    place = games.copied(scored, tmp_path / "one")
    monkeypatch.setattr(type(GAME), "describe", failing, raising=False)
    said = place.run("status", "GAME", "--json")
    (row,) = json.loads(said.text)["games"]
    assert row["error"] == "position/unreadable"
    assert "ZeroDivisionError" in row["why"]
