"""The keys of this machine's referee: where they lie, reading them, writing them.

What lives here: the home, the key files with and without a passphrase, asking for one, their public
halves, the line by which one referee appoints another. What must never be here: a game; what the
keys do in one.
Laws: a key is printed nowhere; what is written over a key reads back as that key.
Source: docs/SPECIFICATION.md section 5 (succession); docs/DESIGN.md law 7.
"""

import functools
import getpass
import os
import sys
from contextlib import suppress
from pathlib import Path

import typer

from pbem.crypto.encoding import b64, prf, unb64
from pbem.crypto.keys import (
    SHORTEST,
    RefereeKey,
    format_key,
    good_passphrase,
    lock,
    parse_key,
    publics,
    unlock,
)
from pbem.crypto.signing import may_sign, may_wrap
from pbem.disk.home import Home, home, read_own
from pbem.disk.modes import refuse_shared
from pbem.disk.whole import read_private
from pbem.errors import BadInput, OurFault, Refused, naming
from pbem.formats.toml import TableReader, load, utf8
from pbem.services.session.secret_command import printed

SETTINGS = "home.toml"  #: of the home: how its key is unlocked
FILE, NEW_FILE = "PBEM_PASSPHRASE_FILE", "PBEM_NEW_PASSPHRASE_FILE"
_LIMIT = 4096

#: what opened a key file, by the file's text, while the command lasts. Secret.
_OPENED: dict[str, str] = {}


@functools.cache
def unlocked(text: str, what: str, command: tuple[str, ...] = ()) -> bytes:
    """The root in a locked key file; remembered while the command lasts. ``what``: which file;
    ``command``: what prints its passphrase, if anything does.
    """
    if command and FILE not in os.environ:
        phrase = printed(command, "passphrase/command", f"unlock in {SETTINGS}")
    else:
        phrase = _asked(f"Passphrase of the key {what}: ", FILE)
    root = unlock(text, phrase)
    _OPENED[text] = phrase
    return root


def unlock_command(place: Home) -> tuple[str, ...]:
    """The command that prints the passphrase of the acting key; () where there is none.

    BadInput names the file and what is wrong there.
    """
    data = read_own(place, SETTINGS)
    if data is None:
        return ()
    hint = 'for example unlock = ["pass", "show", "pbem"]'
    with naming(place.path / SETTINGS, hint):
        reader = TableReader(
            load(utf8(data, "settings", hint).replace("\r\n", "\n"), "settings"), ""
        )
        command = reader.maybe_rows("unlock")
        reader.done()
        if command is not None and not (command and command[0]):
            raise BadInput("settings/unlock", "unlock names no program", hint)
    return tuple(command or ())


def if_forgotten(place: Home) -> str:
    """The way out for who cannot unlock the acting key: what is true of the recovery key here."""
    again, path = "type it again; ", place.key_path("recovery")
    if FILE in os.environ:
        again = f"look at the file that {FILE} names; "
    elif unlock_command(place):
        again = f"look at what the command in {place.path / SETTINGS} prints; "
    data = place.read_key("recovery")
    if data is None:
        return f"{again}if it is forgotten, only a recovery key without it or with another helps"
    if data.startswith(LOCKED):
        return f"{again}{path} is locked too: if the passphrase of both is forgotten, nothing helps"
    return (
        f"{again}if it is forgotten: with a new PBEM_HOME, pbem key new, then for each game "
        f"pbem amend DIR keys --recover {path}"
    )


def new_passphrase(variable: str) -> str:
    """One to lock a key with: from the file that the variable names, or asked for twice."""
    found = _asked(f"New passphrase, at least {SHORTEST} letters: ", variable)
    good_passphrase(found)
    if variable not in os.environ and _asked("The same once more: ", variable) != found:
        raise Refused("passphrase/differ", "the two passphrases differ", "type it again")
    return found


def _asked(prompt: str, variable: str) -> str:
    if variable in os.environ:
        return _from_file(os.environ[variable], variable)
    if not sys.stdin.isatty():
        way = f"run it in a terminal, or set {variable} to the name of a file that holds it"
        if variable == FILE:
            way += f"; or name a command in {SETTINGS} (see `pbem help key passphrase`)"
        raise Refused("passphrase/none", "a passphrase is needed, and there is no terminal", way)
    return getpass.getpass(prompt)


def _from_file(name: str, variable: str) -> str:
    """Its first line. A file that others can read is no place for a secret."""
    try:
        text = read_private(Path(name), _LIMIT).decode("utf-8")
    except UnicodeDecodeError:
        why = f"the file of {variable} is not text"
        raise BadInput("passphrase/not-text", why, "write it in UTF-8") from None
    return text.split("\n")[0].rstrip("\r")


PUBLIC, FOLDERS = "recovery-public", "folders"
LOCKED = b"pbem-locked-"  #: what a key file with a passphrase begins with
KEYS = ("acting", "recovery")


def the_home() -> Home:
    """Where this referee's keys and marks lie: PBEM_HOME, or the system's usual place."""
    usual = "" if os.environ.get("PBEM_HOME") else typer.get_app_dir("pbem")
    place = Home(home(os.environ, usual))
    refuse_shared(place.path)
    place.tidy()
    return place


def the_key(place: Home) -> RefereeKey:
    """The acting referee's key; BadInput with the way out where there is none."""
    try:
        data = _acting(place)
        command = unlock_command(place) if data.startswith(LOCKED) else ()
        return key_in(data, place.key_path("acting"), command)
    except Refused as error:
        if error.code != "passphrase/wrong":
            raise
        raise Refused(error.code, error.message, if_forgotten(place)) from None


def key_in(data: bytes, path: Path, command: tuple[str, ...] = ()) -> RefereeKey:
    """The key in a key file; where it is locked, its passphrase is asked for, or printed by the
    ``command``.
    """
    text = key_text(data, path)
    with naming(path):
        if data.startswith(LOCKED):
            return RefereeKey(unlocked(text, str(path), command))
        return RefereeKey(parse_key(text))


def own_public(place: Home) -> bytes:
    """The public half of the acting key; no passphrase is needed for it."""
    data, path = _acting(place), place.key_path("acting")
    if data.startswith(LOCKED):
        with naming(path):
            return publics(key_text(data, path))[0]
    return key_in(data, path).public


def _acting(place: Home) -> bytes:
    data = place.read_key("acting")
    if data is None:
        raise no_key(place)
    return data


def no_key(place: Home) -> BadInput:
    """Why there is no acting key, and the way out."""
    return BadInput("key/none", f"there is no referee key in {place.path}", "pbem key new")


def key_text(data: bytes, path: Path) -> str:
    """The text of a key file; BadInput ``key/not-text``."""
    try:
        return data.decode("ascii")
    except UnicodeDecodeError:
        raise BadInput("key/not-text", f"the key {path} is not text", "put its copy back") from None


def keep_keys(place: Home, roots: dict[str, bytes], passphrase: str = "") -> dict[str, Path]:
    """Write both key files, and the recovery key's public half, which stays here. Their paths."""
    files = {name: _file_of(root, passphrase).encode() for name, root in roots.items()}
    files[FOLDERS] = f"{b64(prf(roots['acting'], 'pbem/1/home/folders'))}\n".encode()
    recovery = RefereeKey(roots["recovery"])
    public = f"{b64(recovery.public)} {b64(recovery.wrap_public)}\n".encode()
    place.write_keys(files | {PUBLIC: public}, new=True)
    return {name: place.key_path(name) for name in roots}


def folder_key(place: Home) -> bytes:
    """The key by which this home recognises its folders; made where there is none. Secret."""
    path = place.key_path(FOLDERS)
    if place.read_key(FOLDERS) is None:
        with suppress(Refused):  # another command made it meanwhile
            place.write_keys({FOLDERS: f"{b64(os.urandom(32))}\n".encode()}, new=True)
    with naming(path, "put its copy back, or delete it and `pbem adopt` each game"):
        return unb64((place.read_key(FOLDERS) or b"").decode("latin-1").strip(), 32)


def _file_of(root: bytes, passphrase: str) -> str:
    """The text of a key file, locked if there is a passphrase."""
    return lock(root, passphrase) if passphrase else format_key(root)


def roots_of(place: Home) -> dict[str, bytes]:
    """The secret of each key that lies here; one passphrase of both is asked for once."""
    found: dict[str, bytes] = {}
    first = ""
    for name in KEYS:
        data, path = place.read_key(name), place.key_path(name)
        if data is None:
            continue
        text = key_text(data, path)
        if not data.startswith(LOCKED):
            key_in(data, path)  # names the file, if it is damaged
            found[name] = parse_key(text)
        elif not first:
            command = unlock_command(place) if name == "acting" else ()
            first, found[name] = text, unlocked(text, str(path), command)
        else:
            try:  # mostly of one passphrase, for which nobody is asked twice
                found[name] = unlock(text, _OPENED[first])
            except (Refused, KeyError):
                found[name] = unlocked(text, str(path))
    return found


def replace_keys(place: Home, roots: dict[str, bytes], passphrase: str) -> list[Path]:
    """Write these key files anew, with another passphrase or with none. Their paths."""
    texts = {name: _file_of(root, passphrase) for name, root in roots.items()}
    for name, text in texts.items():
        if (unlock(text, passphrase) if passphrase else parse_key(text)) != roots[name]:
            raise OurFault("key/read-back", "the key does not read back as it was", "report this")
    place.write_keys({name: text.encode() for name, text in texts.items()}, new=False)
    return [place.key_path(name) for name in roots]


def publics_of(place: Home, name: str) -> tuple[bytes, bytes] | None:
    """The public halves of a key that lies here; of a locked one as its file has them."""
    data = place.read_key(name)
    if data is None:
        return None
    path = place.key_path(name)
    if data.startswith(LOCKED):
        return publics(key_text(data, path))
    key = key_in(data, path)
    return key.public, key.wrap_public


def is_locked(place: Home) -> bool:
    """Whether the acting key that lies here has a passphrase."""
    return (place.read_key("acting") or b"").startswith(LOCKED)


def public_line(data: bytes, what: str) -> tuple[bytes, bytes]:
    """A referee's public signing and wrapping key, as ``pbem key show --export`` prints them."""
    try:
        first, second = data.decode("ascii").split()
        sign, wrap = unb64(first, 32), unb64(second, 32)
        if not (may_sign(sign) and may_wrap(wrap)):
            raise ValueError
    except (ValueError, BadInput):
        way = "ask the referee for the line that `pbem key show --export` prints"
        raise BadInput("keys/public", f"{what} does not hold a referee's public key", way) from None
    return sign, wrap


def recovery_publics(place: Home) -> tuple[bytes, bytes]:
    """The recovery referee's public signing and wrapping keys, which stay when his key is
    moved away.
    """
    data = place.read_key(PUBLIC)
    if data is None:
        raise BadInput(
            "key/no-recovery",
            f"there is no {place.key_path(PUBLIC)}",
            "put it back from a copy; if no game was opened yet, move the keys away and type "
            "`pbem key new`",
        )
    try:
        first, second = data.decode("ascii").split()
        return unb64(first, 32), unb64(second, 32)
    except (ValueError, BadInput):
        why = f"{place.key_path(PUBLIC)} is damaged"
        raise BadInput("key/recovery", why, "put it back from a copy") from None
