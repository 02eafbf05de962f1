"""Makes ``begun-2026-11`` again when the format changed: `python tests/rulings/make.py`.

What lives here: a game of bots under the rulings of 2026-11, stopped four emails before its end;
its event B pays otherwise by 2026-12. Not allowed here: a rule.
"""

import itertools
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pbem import cli
from pbem.chain.clock import format_instant
from pbem.chain.state_record import config_of
from pbem.engine.chang_cheng import GAME, scoring
from pbem.play.pending_file import decode_committed_values, encode_pending, parse_committed_value
from pbem.play.pending_orders import PendingOrders
from pbem.services.demo import (
    DEFAULT_START_TIME,
    SECONDS_BETWEEN_MAILS,
    START_TIME_VARIABLE,
    DemoGame,
    DemoSettings,
    randomness_from_seed,
)

HERE = Path(__file__).parent / "begun-2026-11"
SIDES = "2a:3,3:3,3 1a:2,4:3,3 3a:4:2,2 4a:3,3:4,2"
OPTIONS = {"edition": "hu", "events": "B,D", "boards": "2a,1a,3a,4a", "sides": SIDES}
TO_COME = 4
FIRST_SEED = 109


def main() -> None:
    os.environ.pop(START_TIME_VARIABLE, None)
    configure = type(GAME).configure

    def of_then(self: Any, seats: Any, options: Any, rulings: str = "") -> Any:
        return configure(seats, options, rulings or "2026-11")

    with patch.object(type(GAME), "configure", of_then):
        for seed in itertools.count(FIRST_SEED):
            with tempfile.TemporaryDirectory() as place:
                root = Path(place) / "demo"
                if keep(*play(seed, root), root):
                    return


def play(seed: int, root: Path) -> tuple[DemoGame, list[int]]:
    """The game, and its newest state after each email."""
    played = DemoGame(
        root, GAME, DemoSettings(2, OPTIONS), randomness_from_seed(seed), lambda at: format_instant(at or 0)
    )
    return played, [played.session.record.n for _ in played.play()]


def keep(played: DemoGame, states: list[int], root: Path) -> bool:
    """Whether the two rulings pay otherwise; then it is put in place of what was there."""
    session, folder = played.session, played.session.folder.root
    config = config_of(session.record)
    paid = [
        scoring._dominance_payment(GAME.watch(config._replace(rulings=r), session.record.position).public)
        for r in ("2026-11", "2026-12")
    ]
    emails = sorted((root / "inbox").iterdir())
    if paid[0] == paid[1] or len(emails) > 20:
        return False
    sys.stdout.write(f"{len(emails) - TO_COME} emails had come; paid: {paid}\n")
    shutil.rmtree(HERE, ignore_errors=True)
    (HERE / "states").mkdir(parents=True)
    for n in range(states[-TO_COME - 1] + 1):
        shutil.copy(folder / f"states/{n:04d}.toml", HERE / "states")
        if n > 2:  # what waited before it
            (HERE / "hands").mkdir(exist_ok=True)
            shutil.copy(folder / f"desk/hands/{n}.toml", HERE / "hands")
    keys = HERE / "throw-away-keys"
    shutil.copytree(root / "home" / "keys", keys)
    for name in ("secret", "codes", "players.toml"):
        shutil.copy(folder / "desk" / name, keys / name)
    (HERE / "received").mkdir()
    for path in emails[-TO_COME:]:
        shutil.copy(path, HERE / "received")
    finish(root.parent)
    return True


def lay_out(begun: Path, place: Path) -> Path:
    """The game as it lay in its referee's folder; its home is beside it."""
    folder, home = place / "wall", place / "home" / "keys"
    shutil.copytree(begun / "states", folder / "states")
    (folder / "desk").mkdir(mode=0o700)
    shutil.copytree(begun / "hands", folder / "desk" / "hands")
    home.parent.mkdir(0o700)
    home.mkdir()
    for path in (begun / "throw-away-keys").iterdir():
        shutil.copy(path, home if path.suffix == ".key" else folder / "desk")
    for path in home.iterdir():
        path.chmod(0o600)
    last = max(int(path.stem) for path in (begun / "states").iterdir())
    for seat in ("red", "green"):  # nothing waited then, and nothing was lost
        waiting = folder / "desk" / "hand" / str(last) / f"{seat}.toml"
        waiting.parent.mkdir(parents=True, exist_ok=True)
        values = (decode_committed_values(x.read_bytes()) for x in (begun / "hands").iterdir())
        numbers = [x.email_number for v in values for x in parse_committed_value(v.get(seat, "")).groups]
        waiting.write_bytes(encode_pending(PendingOrders(newest_email_number=max(numbers))))
    return folder


def adopt(folder: Path) -> None:
    """The home is new, and the folder new to it."""
    os.environ[START_TIME_VARIABLE] = str(DEFAULT_START_TIME)
    cli.run(["adopt", str(folder)])
    cli.run(["restore", "--nothing-lost", str(folder)])


def finish(place: Path) -> None:
    """The last emails, taken by a referee who has the states and the keys alone."""
    folder = lay_out(HERE, place)
    os.environ["PBEM_HOME"] = str(place / "home")
    adopt(folder)
    for path in sorted((HERE / "received").iterdir()):
        os.environ[START_TIME_VARIABLE] = str(DEFAULT_START_TIME + int(path.name[:4]) * SECONDS_BETWEEN_MAILS)
        cli.run(["receive", str(folder), str(path)])
        cli.run(["resolve", str(folder)])
    shutil.copy(folder / "game.toml", HERE / "last.toml")
    newest = max((folder / "desk" / "reports").iterdir())
    shutil.copy(newest / "spectators.txt", HERE / "last-report.txt")


if __name__ == "__main__":
    main()
