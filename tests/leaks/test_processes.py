"""Every command in a process of its own: its output, its temporary files, its files' modes.

Source: docs/DESIGN.md law 7. What one *player* may be told is the twin test's business
(tests/twin); here it is whoever looks over the referee's shoulder, or at his machine.
"""

import base64
import inspect
import os
import stat
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from durability import games
from durability.games import ACTING, CODES, RECOVERY, SECRET, Place

from pbem import cli

#: what nobody is ever shown, not even the referee: roots of keys, the game's secret, that of codes
SECRETS = {"secret": SECRET, "codes": CODES, "acting key": ACTING, "recovery key": RECOVERY}
OPTIONS_OF_SECRETS = ("password", "passphrase", "secret", "private", "code")

COMMANDS = [
    "status GAME",
    "show GAME",
    "show GAME --secret",
    "legal GAME",
    "legal GAME --player red",
    "report GAME --player red",
    "resolve GAME --dry-run",
    "resolve GAME",
    "receive GAME answer.eml",
    "receive GAME answer.eml --secret",
    "verify GAME",
    "amend GAME note hello",
    "amend GAME undo --to 2 --reason slip",
    "amend GAME correct turn=9 --reason slip",
    "amend GAME player red --name Zoe --address zoe@example.org --reason left",
    "backup GAME -o backup.tgz",
    "key show",
    "games",
    "rules chang-cheng",
    "orders list GAME/desk/reports/LAST/red.view.toml",
    "orders check GAME/desk/reports/LAST/red.view.toml answer.eml",
]


@pytest.fixture
def place(scoring: Place, tmp_path: Path) -> Place:
    """A game with orders in hand, one of them hidden and for later."""
    found = games.copied(scoring, tmp_path / "place")
    found.mail("red", "later:\ncard flood AP1", "answer.eml")
    return found


def spelt(secret: bytes) -> list[bytes]:
    """Every way in which these bytes might be written."""
    whole = base64.b64encode(secret).rstrip(b"=")
    url = base64.urlsafe_b64encode(secret).rstrip(b"=")
    return [secret, secret.hex().encode(), whole, url, repr(secret)[2:-1].encode()]


def found_in(data: bytes) -> list[str]:
    return [name for name, value in SECRETS.items() if any(one in data for one in spelt(value))]


def words(place: Place, line: str) -> list[str]:
    reports = place.game / "desk" / "reports"
    last = max(one.name for one in reports.iterdir())
    return [w.replace("GAME", str(place.game)).replace("LAST", last) for w in line.split()]


def carried_out(place: Place, arguments: list[str], umask: int = 0) -> tuple[subprocess.CompletedProcess[bytes], Path]:
    """The command, with nothing but one folder for temporary files."""
    temporary = place.path / "tmp"
    temporary.mkdir(exist_ok=True)
    settings = {"TMPDIR": str(temporary), "PBEM_TRACEBACK": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pbem", *arguments],
        cwd=place.path,
        env={**place.process_env(), **settings},
        capture_output=True,
        check=False,
        umask=umask,
    )
    return done, temporary


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("line", COMMANDS)
def test_no_secret_is_printed_or_left_in_a_temporary_file(line: str, as_json: bool, place: Place) -> None:
    done, temporary = carried_out(place, [*words(place, line), *["--json"] * as_json])
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout
    assert found_in(done.stdout + done.stderr) == []
    assert list(temporary.iterdir()) == []


def test_the_secrets_are_known_when_they_are_seen(place: Place) -> None:
    """Else the test above could not fail: they do lie in the desk and in the home."""
    there = b"".join(p.read_bytes() for p in sorted(place.path.rglob("*")) if p.is_file())
    assert found_in(there) == list(SECRETS)


def test_nothing_of_them_may_be_shared(place: Place) -> None:
    """game.toml, states, reports, receipts and mails hold none of them."""
    desk = place.game / "desk"
    shared = [place.game / "game.toml", *(place.game / "states").iterdir()]
    told = [p for part in ("reports", "receipts", "outbox") for p in (desk / part).rglob("*")]
    for path in [*shared, *told]:
        if path.is_file():
            assert found_in(path.read_bytes()) == [], path


@pytest.mark.attack("read private files as another user", by="not possible: the file modes forbid it", who="finder")
@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
@pytest.mark.parametrize("umask", [0, 0o022])
def test_private_files_are_private_however_generous_the_umask(place: Place, umask: int) -> None:
    carried_out(place, words(place, "receive GAME answer.eml"), umask)
    done, _ = carried_out(place, words(place, "resolve GAME"), umask)
    assert done.returncode == 0, done.stderr
    carried_out(place, words(place, "backup GAME -o backup.tgz"), umask)
    desk = place.game / "desk"
    assert stat.S_IMODE(desk.stat().st_mode) == 0o700
    private = [*desk.rglob("*"), *place.home.rglob("*"), place.path / "backup.tgz"]
    open_to_others = [str(path) for path in private if path.is_file() and path.stat().st_mode & 0o077]
    assert open_to_others == []


@pytest.mark.parametrize("command", sorted(cli.COMMANDS))
def test_no_secret_is_given_as_an_argument(command: str) -> None:
    """Arguments stand in every list of processes: a secret comes by file or is asked for."""
    module, _, name = cli.COMMANDS[command][0].partition(":")
    function = getattr(import_module(f"pbem.commands.{module}"), name)
    for one in inspect.signature(function, eval_str=True).parameters.values():
        if any(word in one.name for word in OPTIONS_OF_SECRETS):
            assert one.default is False, f"pbem {command} takes {one.name} as an argument"
