"""A referee and four players, each with a machine of his own.

What lives here: opening a round with fixed secrets, joining, answering by mail. What must never be
here: a wish about what comes of it.
"""

import os
import re
from pathlib import Path
from typing import Any

from pbem.clock import now
from pbem.disk import home
from pbem.disk.home import Home
from pbem.play.joining import contribution
from pbem.services.open.new_game import create_game

from . import games

SEATS = ("red", "green", "blue", "violet")
WANTED: dict[str, Any] = {
    "game": "chang-cheng",
    "players": {
        "red": "Ann,ann@example.org",
        "green": "Bob,bob@example.org",
        "blue": "Cleo,cleo@example.org",
        "violet": "Dan",
    },
    "options": {},
    "referee": "Rita,rita@example.org",
}
LINE = "hello world"
#: of these seats' keys and contributions, where a test compares bytes
SEEDS = {seat: (bytes([n]) * 32, bytes([n + 100]) * 32) for n, seat in enumerate(SEATS, 1)}


def invited(path: Path) -> Any:
    """A round just opened; every run gives the same bytes."""
    place = games.fresh(path)
    os.environ.update(place.env())
    create_game(place.game, WANTED, Home(place.home), games.fixed_secrets(), now(), deal=False)
    return place


def with_key(place: Any, seat: str) -> None:
    """Put a fixed key and contribution on a player's machine, as if he had made them."""
    game = place.session().record.game
    ring = contribution.Keyring(game, seat, *SEEDS[seat])
    home.write_keyring(Home(place.path / seat), game, seat, contribution.encode_keyring(ring))


def player(place: Any, seat: str, *words: str) -> Any:
    """A command on a player's own machine."""
    return as_player(place, seat).run(*words)


def as_player(place: Any, seat: str) -> Any:
    """The same folders, with the player's PBEM_HOME."""

    class Machine(type(place)):  # type: ignore[misc]
        @property
        def home(self) -> Path:
            return Path(self.path / seat)

    return Machine(place.path)


def sent(place: Any, n: int, seat: str) -> Path:
    """The mail of a state to a seat; his report where he has no address."""
    mail = place.game / "desk" / "outbox" / f"{n:04d}-{seat}.eml"
    return Path(mail if mail.exists() else report(place, n, seat))


def report(place: Any, n: int, seat: str) -> Path:
    return Path(place.game / "desk" / "reports" / f"{n:04d}" / f"{seat}.txt")


def joins(place: Any, n: int, seat: str) -> str:
    """What `orders join` prints for the mail of a state."""
    said = player(place, seat, "orders", "join", str(sent(place, n, seat)))
    assert said.code == 0, said.text
    return str(said.text)


def code(place: Any, n: int, seat: str) -> str:
    found = re.search(r"\[pbem (\S+)\]", report(place, n, seat).read_text(encoding="utf-8"))
    assert found
    return found[1]


def letter(place: Any, n: int, seat: str, text: str, name: str = "") -> str:
    """A mail of a player in answer to the mail of a state; the file's path."""
    number = code(place, n, seat)
    name = name or f"{seat}{n}.eml"
    head = f"Subject: Re: [pbem {number}]\nMessage-ID: <{name}@x>\n"
    quoted = f"On Monday Rita wrote:\n> [pbem {number}] Write your answer above this line."
    return str(place.file(name, f"{head}\n{text}\n\n{quoted}\n"))


def all_answer(place: Any) -> None:
    """Two keys, one plain line, one yes."""
    for seat in ("red", "green"):
        with_key(place, seat)
        place.done("receive", "GAME", letter(place, 0, seat, joins(place, 0, seat)))
    place.done("receive", "GAME", letter(place, 0, "blue", f"give: {LINE}"))
    place.done("receive", "GAME", letter(place, 0, "violet", "yes"))


def roster_closed(path: Path) -> Any:
    """After the roster: two contributions are to be opened."""
    place = invited(path)
    all_answer(place)
    place.done("resolve", "GAME")
    return place


def dealt(path: Path) -> Any:
    """After the deal."""
    place = roster_closed(path)
    for seat in ("red", "green"):
        place.done("receive", "GAME", letter(place, 1, seat, joins(place, 1, seat)))
    place.done("resolve", "GAME")
    return place


def states(place: Any) -> dict[int, bytes]:
    """Every state, by number."""
    return {n: (place.game / f"states/{n:04d}.toml").read_bytes() for n in place.numbers()}
