"""PBEM_HOME, outside every game: a referee's keys, a player's, and how far each game has come.

What must never be here: anything of a game that a backup of the game should hold. The law: a key
others can read is not used, a referee's is never written over, and the high-water mark only rises,
or an old copy of a game could be played on as if nothing had happened.
Source: docs/SPECIFICATION.md section 5 (saving); docs/DESIGN.md "Command line" (``key new``).
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pbem.disk import system, whole
from pbem.disk.system import shown
from pbem.disk.whole import checked, fits, read_if_there
from pbem.errors import BadInput, Refused

_LIMIT = 64 << 10
_MARK = re.compile(rb"n = (0|[1-9][0-9]{0,8})\nhead = \"([A-Za-z0-9_-]{1,88})\"\n")
_CHECK = "check with `pbem verify` that the game is the newest copy, then delete this file"
_HEAD = re.compile(r"[A-Za-z0-9_-]{1,88}")


def home(environ: Mapping[str, str], default: str) -> Path:
    """Where the referee's things lie: PBEM_HOME, else ``default`` (``~`` is put in full).

    Raises BadInput for a relative path: the keys would be elsewhere in every folder.
    """
    given = environ.get("PBEM_HOME") or default
    path = Path(os.path.expanduser(given))
    if not path.is_absolute():
        message = f"PBEM_HOME is {shown(given)}, which does not start at the root"
        raise BadInput("home/relative", message, "give the full path")
    return path


class Home:
    """The folder at ``path``, made 0700 when first written to. Keys are secret, marks are not."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def key_path(self, name: str) -> Path:
        """Where the key ``acting`` or ``recovery`` lies, there or not."""
        return self.path / "keys" / f"{checked(name)}.key"

    def read_key(self, name: str) -> bytes | None:
        """The bytes of a key, None if there is none. Secret.

        Raises Refused ``key/open`` if others can read it, BadInput if it cannot be read.
        """
        return _read_secret(self.key_path(name))

    def write_key(self, name: str, data: bytes) -> Path:
        """Writes a new key, 0600 from its first byte, and says where.

        Raises Refused ``key/exists`` rather than write over one: it may be the only copy.
        """
        path = self.key_path(name)
        self.make("keys")
        try:
            whole.create(path, data, 0o600)
        except Refused as error:
            if error.code != "save/number-taken":
                raise
            hint = "move it away first, if you want to replace it"
            raise Refused("key/exists", f"there is a key at {shown(path)}", hint) from error
        return path

    def replace_key(self, name: str, data: bytes) -> None:
        """Writes a key again that is the same key, under another passphrase or none.

        The caller has read ``data`` back: the old file is gone after this.
        """
        if self.read_key(name) is None:
            raise BadInput("key/none", f"there is no {shown(self.key_path(name))}", "pbem key new")
        whole.write(self.key_path(name), data, 0o600)

    def read_mark(self, game: str) -> tuple[int, str] | None:
        """How far ``game`` has come on this machine: number and head; None if never seen.

        Raises BadInput ``mark/damaged`` naming the file and the way out.
        """
        path = self._mark_path(game)
        data = read_if_there(path, _LIMIT)
        if data is None:
            return None
        match = _MARK.fullmatch(data)
        if match is None:
            raise BadInput("mark/damaged", f"the high-water mark {shown(path)} is damaged", _CHECK)
        return int(match[1]), match[2].decode("ascii")

    def write_mark(self, game: str, n: int, head: str, force: bool = False) -> None:
        """Notes that ``game`` has come to state ``n`` with ``head``. Durable. Idempotent.

        Raises Refused ``mark/lower`` (a smaller number) or ``mark/other`` (the same number with
        another head) unless ``force``, which is for the ruling ``restore``.
        """
        old = None if force else self.read_mark(game)
        if old == (n, head):
            return
        if old is not None and n <= old[0]:
            hint = "to go on from a backup, use `pbem restore --go-on DIR`"
            if n == old[0]:
                message = f"game {game} was saved here as another state {n}"
                raise Refused("mark/other", message, hint)
            message = f"game {game} had come to state {old[0]} here, not {n}"
            raise Refused("mark/lower", message, hint)
        if n < 0 or not _HEAD.fullmatch(head):
            raise BadInput("mark/head", "this is not the head of a chain")
        self.make("marks")
        whole.write(self._mark_path(game), f'n = {n}\nhead = "{head}"\n'.encode("ascii"), 0o600)

    def _mark_path(self, game: str) -> Path:
        return self.path / "marks" / f"{checked(game)}.mark"

    def make(self, *below: str) -> Path:
        """The folder below this one; made 0700 with all above it that are not there."""
        for folder in (*reversed(self.path.parents), self.path):
            if not folder.is_dir():
                system.make_folder(folder, 0o700)
        place = self.path
        for name in below:
            place /= name
            system.make_folder(place, 0o700)
        return place


def _read_secret(path: Path) -> bytes | None:
    data = read_if_there(path, _LIMIT)
    with system.os_errors("look at", path):
        opened = data is not None and system.is_open(path) and system.can_be_closed(path)
    if opened:
        message = f"others can read the key {shown(path)}"
        raise Refused("key/open", message, f"chmod 600 '{shown(path)}'")
    return data


def read_heads(home: Home, game: str) -> bytes | None:
    """What this machine has seen of a game, None if nothing."""
    return read_if_there(home.path / "heads" / checked(game), 1 << 20)


def write_heads(home: Home, game: str, data: bytes) -> None:
    """Writes it whole, in place of what was there."""
    whole.write(home.make("heads") / checked(game), data, 0o600)


def keyring_path(home: Home, game: str, seat: str) -> Path:
    """Where the key of a seat lies, there or not."""
    return home.path / "players" / checked(game) / f"{checked(seat)}.toml"


def read_keyring(home: Home, game: str, seat: str) -> bytes | None:
    """The bytes of a seat's key, None if there is none. Secret. Refused ``key/open``."""
    return _read_secret(keyring_path(home, game, seat))


def write_keyring(home: Home, game: str, seat: str, data: bytes) -> Path:
    """Writes it whole and durably, in place of what was there; call it under ``hold``."""
    path = home.make("players", checked(game)) / f"{checked(seat)}.toml"
    whole.write(path, data, 0o600)
    return path


def kept_keyrings(home: Home) -> list[tuple[str, str]]:
    """Every key here: game and seat, sorted. Raises nothing for names that are not ours."""
    games = home.path / "players"
    return sorted(
        (game, name.removesuffix(".toml"))
        for game in system.list_names(games)
        if fits(game) and (games / game).is_dir()
        for name in system.list_names(games / game)
        if name.endswith(".toml") and fits(name.removesuffix(".toml"))
    )


@contextmanager
def hold_keyrings(home: Home, game: str) -> Iterator[None]:
    """One command at a time on the keys of a game. Not for nesting. Refused ``game/busy``."""
    with system.hold(home.make("players", checked(game)) / "lock"):
        yield
