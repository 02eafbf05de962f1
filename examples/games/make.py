"""Makes the example games anew: `python examples/games/make.py` (pbem installed, or on PYTHONPATH).

What lives here: whole games played by the bots of `pbem demo`, with their secrets given as values,
and what of them a reader wants to see. Not allowed here: what
draws, or looks at a clock; a second run changes no byte.
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from pbem import catalog
from pbem.chain.clock import format_instant
from pbem.chain.seals import Seals
from pbem.chain.signed_state import read_verified_record, state_hash_of
from pbem.chain.state_record import config_of
from pbem.crypto.encoding import unb64
from pbem.engine.decision import Outcome
from pbem.play.joining.opening import deal_piles
from pbem.proof.audit.archive import write_pending
from pbem.services.demo import SECONDS_BETWEEN_MAILS, START_TIME_VARIABLE, DemoGame, DemoSettings, randomness_from_seed
from pbem.services.prove.audit import read_all_pending

HERE = Path(__file__).parent
KEYS = "throw-away-keys"


class Example(NamedTuple):
    """One example: its folder is called after its game and what is special in it."""

    name: str
    kind: str
    seed: int
    wish: DemoSettings


EXAMPLES = (
    Example("chang-cheng-4", "chang-cheng", 1, DemoSettings(4, {})),
    Example("chang-cheng-2-plain", "chang-cheng", 2, DemoSettings(2, {"edition": "fr"})),
    Example(
        "chang-cheng-2-neutral",
        "chang-cheng",
        3,
        DemoSettings(2, {"edition": "it", "variant": "neutral", "events": "D"}),
    ),
    Example(
        "chang-cheng-2-two-colour",
        "chang-cheng",
        4,
        DemoSettings(2, {"edition": "hu", "variant": "two-colour", "events": "A,B"}),
    ),
    Example("great-wall-3", "great-wall", 5, DemoSettings(3, {})),
)


def main() -> None:
    """Play each in a folder that goes away, then put the parts worth keeping here."""
    for one in EXAMPLES:
        make(one)


def make(one: Example) -> None:
    """One example, in place of what was there."""
    with tempfile.TemporaryDirectory() as place:
        os.environ.pop(START_TIME_VARIABLE, None)
        played = play(one, Path(place) / "demo")
        fresh = Path(place) / "example"
        collect(one, played, Path(place) / "demo", fresh)
        target = HERE / one.name
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(fresh, target)
    size = sum(file.stat().st_size for file in target.rglob("*") if file.is_file())
    sys.stdout.write(f"{target}: {size // 1024} KiB\n")


def timed(ours: int | None) -> str:
    """The time of this machine is none of an example's; the game brings its own."""
    assert ours is not None
    return format_instant(ours)


def play(one: Example, root: Path) -> DemoGame:
    """The game of this seed."""
    played = DemoGame(root, catalog.load(one.kind), one.wish, randomness_from_seed(one.seed), timed)
    for _ in played.play():
        pass
    return played


def collect(one: Example, played: DemoGame, root: Path, target: Path) -> None:
    """Everything a reader or the test wants, under names that say what it is."""
    game, desk = played.session.folder.root, played.session.folder.root / "desk"
    last = played.session.record.n
    shutil.copytree(game / "states", target / "states")
    shutil.copy(game / "game.toml", target / "game.toml")
    shutil.copytree(root / "inbox", target / "received")
    shutil.copytree(desk / "receipts", target / "receipts")
    for n in [2, *range(10, last, 10), last]:
        shutil.copytree(desk / "reports" / f"{n:04d}", target / "reports" / f"{n:04d}")
    keys = target / KEYS
    shutil.copytree(root / "home" / "keys", keys)
    for name in ("secret", "codes", "players.toml"):
        shutil.copy(desk / name, keys / name)
    # the game is over: what an archive has too
    shutil.copy(desk / "secret", target / "secret")
    (target / "hands").write_bytes(write_pending(read_all_pending(played.session.folder)))
    write(target / "script.json", json.dumps(script(played), indent=1) + "\n")
    write(target / "README.md", readme(one, played))


def script(played: DemoGame) -> dict[str, object]:
    """The same game as facts and orders (FORMAT.md "Scripts"): the deal and every order, in clear."""
    session, game = played.session, played.game
    secret, config = session.secret, config_of(session.record)
    roster = session.folder.read_state(1) or b""
    record = read_verified_record(roster, session.key.public, "states/0001.toml")
    nothing = dict.fromkeys(config.seats, b"")  # these were dealt at once
    dealt = deal_piles(config, game, secret, state_hash_of(roster), nothing)
    document = game.to_script(config, dealt)
    for n in range(3, session.record.n + 1):
        raw = session.folder.read_state(n) or b""
        record = read_verified_record(raw, session.key.public, f"states/{n:04d}.toml")
        seals = Seals(secret, record.game, n, unb64(record.previous_hash, 32))
        for number, entry in enumerate(record.entries, 1):
            order = last_part(seals.open_order(f"{n}/order/{number}", entry.token))
            document["orders"].append({"player": entry.seat, "order": order})
    return document


def last_part(joined: bytes) -> str:
    """The last of the parts that PAE joined (SPECIFICATION.md section 1): the order itself."""
    at = 8
    while True:
        end = at + 8 + int.from_bytes(joined[at : at + 8], "little")
        if end >= len(joined):
            return joined[at + 8 : end].decode()
        at = end


def write(path: Path, text: str) -> None:
    """UTF-8 and LF on any machine."""
    path.write_bytes(text.encode("utf-8"))


def readme(one: Example, played: DemoGame) -> str:
    """The example in plain words, with what came of it."""
    session = played.session
    outcome = game_outcome(played)
    points = ", ".join(f"{session.position.player_name(s)} ({s}) {n}" for s, n in outcome.scores)
    won = " and ".join(session.position.player_name(seat) for seat in outcome.winners)
    verdicts = played.verdict_counts
    numbers = {
        "game": session.record.game,
        "last": f"{session.record.n:04d}",
        "answers": sum(verdicts.values()),
        "bad": sum(verdicts.values()) - verdicts["kept"],
        "points": points,
        "won": won,
        "seed": one.seed,
        "title": played.game.title,
        "seat": session.record.setup.seats[0],
        "what": what(one),
        "mistaken": f"{played.first_receipts.get('refused') or next(iter(played.first_receipts.values()))}.txt",
        "step": SECONDS_BETWEEN_MAILS,
        "start": randomness_from_seed(one.seed).start_time,
    }
    return (HERE / "readme.txt").read_text(encoding="utf-8").format(**numbers)


def what(one: Example) -> str:
    """``2 players, edition it, variant neutral``."""
    options = (f"{name} {value}" for name, value in one.wish.options.items())
    return ", ".join([f"{one.wish.player_count} players", *options])


def game_outcome(played: DemoGame) -> Outcome:
    """How it ended; the game is over."""
    found = played.game.outcome(played.game.view(played.session.position.state, None))
    assert found is not None
    return found


if __name__ == "__main__":
    main()
