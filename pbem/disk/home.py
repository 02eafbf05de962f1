"""PBEM_HOME, outside every game: keys of the referee and of players, and how far each game has
come.

Not allowed here: anything that a backup of a game should contain.
Laws: pbem does not use a key that others can read. It never overwrites a referee's key with another
one, and replaces all keys by one rename. The high-water mark only rises; otherwise an old copy of a
game could be played on unnoticed. Incomplete files are in the home itself, under its lock.
Source: docs/SPECIFICATION.md section 5 (saving); docs/DESIGN.md "Command line" (``key new``).
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from pbem.disk import system, whole
from pbem.disk.modes import can_be_closed, is_open_to_others, keep_private
from pbem.disk.system import os_errors, printable_path, sync_folder
from pbem.disk.whole import is_safe_name, read_if_present, safe_name
from pbem.errors import BadInput, PbemError, Refused

_MAX_FILE_SIZE = 64 << 10
_MAX_OWN_FILE_SIZE = 256 << 10  #: of a file that people edit
_MARK = re.compile(rb"n = (0|[1-9][0-9]{0,8})\nhead = \"([A-Za-z0-9_-]{1,88})\"\n")
_DAMAGED_MARK_HINT = "check with `pbem verify` that the game is the newest copy, then delete this file"
_STATE_HASH = re.compile(r"[A-Za-z0-9_-]{1,88}")
_REGISTRATION = re.compile(rb"([\w-]{1,43}) ([0-9]{1,10}) (acts|undecided)\n([^\0]+)", re.DOTALL)
SUBFOLDERS = ("keys", "marks", "folders")  #: files are renamed into these, so they are on the drive of the home


class Registration(NamedTuple):
    """The one folder in which a game is played, as this home knows it (decision 0025)."""

    instance: str
    version: int  #: of desk/players.toml
    path: Path
    is_undecided: bool = False  #: it was restored, and the referee has not yet said whether states are lost


class HighWaterMark(NamedTuple):
    """How far a game has come on this machine."""

    number: int
    state_hash: str


def home_path(environ: Mapping[str, str], default: str) -> Path:
    """Return the folder in PBEM_HOME, else ``default``, with ``~`` expanded. Raises BadInput for a
    relative path: the keys would depend on the current folder.
    """
    location = environ.get("PBEM_HOME") or default
    path = Path(os.path.expanduser(location))
    if not path.is_absolute():
        message = f"PBEM_HOME is {printable_path(location)}, which does not start at the root"
        raise BadInput("home/relative", message, "give the full path")
    return path


class Home:
    """The folder at ``path``, made 0700 at the first write. Keys are secret, marks are not."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def key_path(self, name: str) -> Path:
        """Return the path of the key ``acting`` or ``recovery``, whether it exists or not."""
        changed_path = self._changed_keys_folder / f"{safe_name(name)}.key"
        return changed_path if system.stat_or_none(changed_path) else self.path / "keys" / changed_path.name

    def read_key(self, name: str) -> bytes | None:
        """Return the secret bytes of a key, None if there is none. Raises Refused ``key/open`` if
        others can read it, BadInput if it cannot be read.
        """
        return _read_secret(self.key_path(name))

    def write_keys(self, files: Mapping[str, bytes], must_be_new: bool) -> None:
        """Write keys, all or none, 0600 from their first byte. With ``must_be_new``, raises Refused
        ``key/exists`` instead of overwriting a key that may be the only copy. Otherwise the caller
        has checked that these are the same keys in another form.
        """
        with self._locked(), os_errors("write", self.path / "keys"):
            existing_paths = [path for path in map(self.key_path, files) if system.stat_or_none(path)]
            if must_be_new and existing_paths:
                hint = "move the folder of the keys away first, if you want others"
                raise Refused("key/exists", f"there is a key at {printable_path(existing_paths[0])}", hint)
            temp = system.temp_path_in(self.path)
            with system.removed_on_failure(temp):
                os.mkdir(temp, 0o700)
                for name, data in files.items():
                    whole.write_new_file(temp / self.key_path(name).name, data)
                sync_folder(temp)
                system.patiently(os.rename, temp, self._changed_keys_folder)
            sync_folder(self.path)
            try:
                with os_errors("write", self.path / "keys"):
                    self._finish_key_change()
                    keep_private(self.path / "keys")
            except PbemError as error:
                message = f"the new keys count, but are not all in their place: {error.message}"
                hint = "mend that; the next command puts them there, for example `pbem key show`"
                raise type(error)("key/unfinished", message, hint) from error

    @property
    def _changed_keys_folder(self) -> Path:
        """The folder of changed keys, complete and in force, until each is moved to its own place."""
        return self.path / "keys.new"

    def _finish_key_change(self) -> None:
        names = system.list_names(self._changed_keys_folder)
        for name in names:
            system.patiently(os.replace, self._changed_keys_folder / name, self.make_folder("keys") / name)
        if system.stat_or_none(self._changed_keys_folder):
            sync_folder(self.path / "keys")
            os.rmdir(self._changed_keys_folder)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock of the home, after finishing or removing what a killed command left."""
        with system.hold(self.make_folder() / "lock"):
            system.remove_temps(self.path)
            with os_errors("write", self.path / "keys"):
                self._finish_key_change()
            yield

    def remove_leftovers(self) -> None:
        """Finish or remove what a killed command left, unless another command is working here."""
        with suppress(PbemError, OSError):
            names = system.list_names(self.path)
            if any(name.startswith(system.TEMP_PREFIX) or name == "keys.new" for name in names):
                with system.hold(self.path / "lock", 0):
                    system.remove_temps(self.path)
                    self._finish_key_change()

    def read_mark(self, game: str) -> HighWaterMark | None:
        """Return how far ``game`` has come on this machine, or None. Raises BadInput ``mark/damaged``."""
        path = self._mark_path(game)
        data = read_if_present(path, _MAX_FILE_SIZE)
        if data is None:
            return None
        match = _MARK.fullmatch(data)
        if match is None:
            raise BadInput("mark/damaged", f"the high-water mark {printable_path(path)} is damaged", _DAMAGED_MARK_HINT)
        return HighWaterMark(int(match[1]), match[2].decode("ascii"))

    def write_mark(self, game: str, n: int, state_hash: str, force: bool = False) -> None:
        """Note durably that ``game`` has reached state ``n`` with ``state_hash``. Raises Refused
        ``mark/lower`` (a smaller number) or ``mark/other`` (the same number with another hash)
        unless ``force`` is set, for the ruling `restore`.
        """
        old_mark = None if force else self.read_mark(game)
        if old_mark == (n, state_hash):
            return
        if old_mark is not None and n <= old_mark.number:
            hint = "to go on from a backup, use `pbem restore --go-on DIR`"
            if n == old_mark.number:
                message = f"game {game} was saved here as another state {n}"
                raise Refused("mark/other", message, hint)
            message = f"game {game} had come to state {old_mark.number} here, not {n}"
            raise Refused("mark/lower", message, hint)
        if n < 0 or not _STATE_HASH.fullmatch(state_hash):
            raise BadInput("mark/head", "this is not the head of a chain")
        content = f'n = {n}\nhead = "{state_hash}"\n'.encode("ascii")
        with self._locked():
            self.make_folder("marks")
            whole.write(self._mark_path(game), content, 0o600, temp_folder=self.path)

    def read_registration(self, game: str) -> Registration | None:
        """Return where ``game`` is played; None if this home does not know. BadInput."""
        path = self.path / "folders" / safe_name(game)
        data = read_if_present(path, _MAX_FILE_SIZE)
        if data is None:
            return None
        match = _REGISTRATION.fullmatch(data)
        if match is None:
            hint = "delete it, then type `pbem adopt` and the folder of the game"
            raise BadInput("folder/damaged", f"{printable_path(path)} is damaged", hint)
        folder_text = os.path.join(os.path.realpath(self.path), os.fsdecode(match[4]))
        folder = Path(os.path.normpath(folder_text))
        return Registration(match[1].decode(), int(match[2]), folder, match[3] == b"undecided")

    def registered_games(self) -> list[str]:
        """Return the ids of the games that are played here, sorted."""
        return [game for game in system.list_names(self.path / "folders") if is_safe_name(game)]

    def write_registration(self, game: str, registration: Registration) -> None:
        """Note durably where ``game`` is played. The path is relative to the home, so that both can
        be moved together.
        """
        folder_text = os.fspath(registration.path)
        with suppress(ValueError):  # on another drive of Windows
            folder_text = os.path.relpath(folder_text, os.path.realpath(self.path))
        row = f"{registration.instance} {registration.version} {'undecided' if registration.is_undecided else 'acts'}\n"
        with self._locked():
            path = self.make_folder("folders") / safe_name(game)
            whole.write(path, row.encode() + os.fsencode(folder_text), 0o600, temp_folder=self.path)

    def _mark_path(self, game: str) -> Path:
        return self.path / "marks" / f"{safe_name(game)}.mark"

    def make_folder(self, *parts: str) -> Path:
        """Return a folder below this one, made 0700 with all its parents that are missing."""
        for folder in (*reversed(self.path.parents), self.path):
            if not system.is_folder(folder):
                system.make_folder(folder, 0o700)
        target = self.path
        for name in parts:
            target /= name
            system.make_folder(target, 0o700)
        return target


def _read_secret(path: Path) -> bytes | None:
    data = read_if_present(path, _MAX_FILE_SIZE)
    with system.os_errors("look at", path):
        is_exposed = data is not None and is_open_to_others(path) and can_be_closed(path)
    if is_exposed:
        message = f"others can read the key {printable_path(path)}"
        raise Refused("key/open", message, f"chmod 600 '{printable_path(path)}'")
    return data


def read_own_file(home: Home, name: str) -> bytes | None:
    """Return a private file that the referee may edit; None if it is missing. Raises Refused
    ``file/open`` if others can read it.
    """
    path = home.path / name
    return whole.read_private(path, _MAX_OWN_FILE_SIZE) if system.refuse_link(path) else None


def update_own_file(home: Home, name: str, change: Callable[[bytes], bytes]) -> None:
    """Replace such a file durably, 0600, by what ``change`` returns for its content."""
    with system.hold(home.make_folder() / "lock"):
        data = change(read_own_file(home, name) or b"")
        whole.write(home.path / name, data, 0o600)


def keyring_path(home: Home, game: str, seat: str) -> Path:
    """Return the path of a seat's key, whether it exists or not."""
    return home.path / "players" / safe_name(game) / f"{safe_name(seat)}.toml"


def read_keyring(home: Home, game: str, seat: str) -> bytes | None:
    """Return the secret bytes of a seat's key, None if there is none; Refused ``key/open``."""
    return _read_secret(keyring_path(home, game, seat))


def write_keyring(home: Home, game: str, seat: str, data: bytes) -> Path:
    """Write a seat's key durably, replacing an old one; call it within ``hold_keyrings``."""
    path = home.make_folder("players", safe_name(game)) / f"{safe_name(seat)}.toml"
    whole.write(path, data, 0o600)
    return path


def list_keyrings(home: Home) -> list[tuple[str, str]]:
    """Return (game, seat) of every key here, sorted; ignores names that are not pbem's."""
    games = home.path / "players"
    return sorted(
        (game, name.removesuffix(".toml"))
        for game in system.list_names(games)
        if is_safe_name(game) and system.is_folder(games / game)
        for name in system.list_names(games / game)
        if name.endswith(".toml") and is_safe_name(name.removesuffix(".toml"))
    )


@contextmanager
def hold_keyrings(home: Home, game: str) -> Iterator[None]:
    """Lock the keys of a game for the block. Do not nest. Raises Refused ``game/busy``."""
    folder = home.make_folder("players", safe_name(game))
    with system.hold(folder / "lock"):
        system.remove_temps(folder)
        yield
