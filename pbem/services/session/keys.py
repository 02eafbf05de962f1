"""Read, write and unlock the keys of this home's referee, and read a secret that a command prints.

The acting key signs states. The recovery key can appoint another acting key. Each is derived from a
root secret, which its file holds; a locked file needs a passphrase.
Not allowed here: a game; what a key does in a game.
Laws: a key or secret is in no output, error, log or process argument; what replaces a key file is
read back first.
Source: docs/SPECIFICATION.md section 5 (succession); docs/DESIGN.md law 7;
docs/decisions/0014-the-post.md "Secrets"; docs/EMAIL.md.
"""

import functools
import getpass
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import typer

from pbem.crypto.encoding import b64, prf, unb64
from pbem.crypto.keys import (
    SHORTEST_PASSPHRASE,
    RefereeKey,
    format_key,
    lock_key,
    normalize_passphrase,
    parse_key,
    read_public_keys,
    unlock_key,
)
from pbem.crypto.signing import is_safe_signing_key, is_safe_wrap_key
from pbem.disk.home import Home, home_path, read_own_file
from pbem.disk.modes import refuse_shared
from pbem.disk.whole import read_private
from pbem.errors import BadInput, OurFault, Refused, naming_file
from pbem.formats.toml import TableReader, load, utf8

SETTINGS_FILE = "home.toml"  #: file of the home: how its key is unlocked
#: environment variables that name files with a passphrase
PASSPHRASE_FILE, NEW_PASSPHRASE_FILE = "PBEM_PASSPHRASE_FILE", "PBEM_NEW_PASSPHRASE_FILE"
_MAX_FILE_BYTES = 4096  #: of a file with a passphrase
TIMEOUT_SECONDS = 120  #: for a command that prints a secret: the referee may have to type something
_BY_HAND = "run the command by hand; it must print the secret on its first line and end with 0"

#: the passphrases that this process was given, by the text of the key file that they unlocked. Secret.
_PASSPHRASES: dict[str, str] = {}


def read_secret(command: Sequence[str], code: str, owner: str, seconds: float = TIMEOUT_SECONDS) -> str:
    """Run a command and return the first line that it prints: a password, token or passphrase. Secret.

    ``owner``: the setting that names the command. Raises Refused ``code`` names only the program.
    """
    program = command[0][:60]
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    try:
        process = subprocess.run(  # noqa: S603 - the referee's own command, from their own file
            command,
            stdin=None if is_terminal else subprocess.DEVNULL,  # standard input may be an email for pbem
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # errors may quote the secret
            timeout=seconds,
            check=False,
        )
        secret = process.stdout.split(b"\n")[0].rstrip(b"\r").decode()
    except UnicodeDecodeError:
        raise Refused(code, f"{owner}: {program!r} printed something that is not text", _BY_HAND) from None
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise Refused(code, f"{owner}: {program!r} cannot be run, or did not end", _BY_HAND) from None
    if process.returncode or not secret:
        what = "something" if secret else "no secret"
        raise Refused(code, f"{owner}: {program!r} ended with {process.returncode} and printed {what}", _BY_HAND)
    return secret


@functools.cache
def unlock_key_file(text: str, file_label: str, command: tuple[str, ...] = ()) -> bytes:
    """Return the root secret in a locked key file; remembered while the process runs.

    ``file_label``: its name in the prompt. ``command``: prints the passphrase; () if the referee types it.
    """
    if command and PASSPHRASE_FILE not in os.environ:
        passphrase = read_secret(command, "passphrase/command", f"unlock in {SETTINGS_FILE}")
    else:
        passphrase = _ask_passphrase(f"Passphrase of the key {file_label}: ", PASSPHRASE_FILE)
    root = unlock_key(text, passphrase)
    _PASSPHRASES[text] = passphrase
    return root


def unlock_command(home: Home) -> tuple[str, ...]:
    """Return the command that prints the acting key's passphrase; () if there is none. BadInput names the file."""
    data = read_own_file(home, SETTINGS_FILE)
    if data is None:
        return ()
    hint = 'for example unlock = ["pass", "show", "pbem"]'
    with naming_file(home.path / SETTINGS_FILE, hint):
        reader = TableReader(load(utf8(data, "settings", hint).replace("\r\n", "\n"), "settings"), "")
        command = reader.maybe_rows("unlock")
        reader.refuse_unknown_keys()
        if command is not None and not (command and command[0]):
            raise BadInput("settings/unlock", "unlock names no program", hint)
    return tuple(command or ())


def forgotten_passphrase_hint(home: Home) -> str:
    """Return what to do if nobody can unlock the acting key. It depends on the recovery key in this home."""
    hints = ["type it again"]
    path = home.key_path("recovery")
    if PASSPHRASE_FILE in os.environ:
        hints = [f"look at the file that {PASSPHRASE_FILE} names"]
    elif unlock_command(home):
        hints = [f"look at what the command in {home.path / SETTINGS_FILE} prints"]
    data = home.read_key("recovery")
    if data is None:
        hints += ["if it is forgotten, only a recovery key without it or with another helps"]
    elif data.startswith(LOCKED_PREFIX):
        hints += [f"{path} is locked too: if the passphrase of both is forgotten, nothing helps"]
    else:
        hints.append(
            "if it is forgotten: with a new PBEM_HOME, pbem key new, then for each game "
            f"pbem amend DIR keys --recover {path}"
        )
    return "; ".join(hints)


def ask_new_passphrase(variable: str) -> str:
    """Return a new passphrase, from the file that the environment ``variable`` names or typed twice."""
    passphrase = _ask_passphrase(f"New passphrase, at least {SHORTEST_PASSPHRASE} letters: ", variable)
    normalize_passphrase(passphrase)
    if variable not in os.environ and _ask_passphrase("The same once more: ", variable) != passphrase:
        raise Refused("passphrase/differ", "the two passphrases differ", "type it again")
    return passphrase


def _ask_passphrase(prompt: str, variable: str) -> str:
    """Return a passphrase, from the file that the environment ``variable`` names or typed."""
    if variable in os.environ:
        return _read_passphrase_file(os.environ[variable], variable)
    if not sys.stdin.isatty():
        hint = f"run it in a terminal, or set {variable} to the name of a file that holds it"
        if variable == PASSPHRASE_FILE:
            hint += f"; or name a command in {SETTINGS_FILE} (see `pbem help key passphrase`)"
        raise Refused("passphrase/none", "a passphrase is needed, and there is no terminal", hint)
    return getpass.getpass(prompt)


def _read_passphrase_file(name: str, variable: str) -> str:
    """Return the first line of a file. Raises Refused if other users can read it."""
    try:
        text = read_private(Path(name), _MAX_FILE_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput("passphrase/not-text", f"the file of {variable} is not text", "write it in UTF-8") from None
    return text.split("\n")[0].rstrip("\r")


RECOVERY_PUBLIC, FOLDERS_KEY = "recovery-public", "folders"  #: names of files with keys
LOCKED_PREFIX = b"pbem-locked-"  #: how a locked key file begins
KEY_NAMES = ("acting", "recovery")


def find_home() -> Home:
    """Return the folder of this referee's keys and marks: PBEM_HOME, or the system's usual place."""
    default_path = "" if os.environ.get("PBEM_HOME") else typer.get_app_dir("pbem")
    return Home(home_path(os.environ, default_path))


def open_home() -> Home:
    """Return that folder after checking that it is private, and after removing what killed commands left."""
    referee_home = find_home()
    refuse_shared(referee_home.path)
    referee_home.remove_leftovers()
    return referee_home


def load_acting_key(home: Home) -> RefereeKey:
    """Return the acting key. Raises BadInput ``key/none`` with the next step if there is none."""
    try:
        data = _read_acting_key(home)
        command = unlock_command(home) if data.startswith(LOCKED_PREFIX) else ()
        return parse_key_file(data, home.key_path("acting"), command)
    except Refused as error:
        if error.code != "passphrase/wrong":
            raise
        raise Refused(error.code, error.message, forgotten_passphrase_hint(home)) from None


def parse_key_file(data: bytes, path: Path, command: tuple[str, ...] = ()) -> RefereeKey:
    """Return the key in a key file. ``command`` prints its passphrase; without it the referee is asked."""
    text = decode_key_file(data, path)
    with naming_file(path):
        if data.startswith(LOCKED_PREFIX):
            return RefereeKey(unlock_key_file(text, str(path), command))
        return RefereeKey(parse_key(text))


def own_public_key(home: Home) -> bytes:
    """Return the public half of the acting key. Needs no passphrase."""
    data = _read_acting_key(home)
    path = home.key_path("acting")
    if data.startswith(LOCKED_PREFIX):
        with naming_file(path):
            return read_public_keys(decode_key_file(data, path))[0]
    return parse_key_file(data, path).public


def _read_acting_key(home: Home) -> bytes:
    data = home.read_key("acting")
    if data is None:
        raise no_key_error(home)
    return data


def no_key_error(home: Home) -> BadInput:
    """Make the error that says that there is no acting key, and how to make one."""
    return BadInput("key/none", f"there is no referee key in {home.path}", "pbem key new")


def decode_key_file(data: bytes, path: Path) -> str:
    """Return the text of a key file. Raises BadInput ``key/not-text`` if it is not ASCII."""
    try:
        return data.decode("ascii")
    except UnicodeDecodeError:
        raise BadInput("key/not-text", f"the key {path} is not text", "put its copy back") from None


def write_new_keys(home: Home, roots: dict[str, bytes], passphrase: str = "") -> dict[str, Path]:
    """Write both key files, and the public half of the recovery key. Returns their paths."""
    files = {name: _format_key_file(root, passphrase).encode() for name, root in roots.items()}
    files[FOLDERS_KEY] = f"{b64(prf(roots['acting'], 'pbem/1/home/folders'))}\n".encode()
    recovery = RefereeKey(roots["recovery"])
    public = f"{b64(recovery.public)} {b64(recovery.wrap_public)}\n".encode()
    home.write_keys(files | {RECOVERY_PUBLIC: public}, must_be_new=True)
    return {name: home.key_path(name) for name in roots}


def folder_key(home: Home) -> bytes:
    """Return the key with which this home signs its folders. It is made when first needed. Secret."""
    path = home.key_path(FOLDERS_KEY)
    if home.read_key(FOLDERS_KEY) is None:
        with suppress(Refused):  # if another command has just made it
            home.write_keys({FOLDERS_KEY: f"{b64(os.urandom(32))}\n".encode()}, must_be_new=True)
    with naming_file(path, "put its copy back, or delete it and `pbem adopt` each game"):
        return unb64((home.read_key(FOLDERS_KEY) or b"").decode("latin-1").strip(), 32)


def _format_key_file(root: bytes, passphrase: str) -> str:
    """Return the text of a key file, locked if there is a passphrase."""
    return lock_key(root, passphrase) if passphrase else format_key(root)


def read_roots(home: Home) -> dict[str, bytes]:
    """Return the root secret of each key file here, by name. A passphrase that fits both is asked for once."""
    roots: dict[str, bytes] = {}
    first_text = ""
    for name in KEY_NAMES:
        data = home.read_key(name)
        path = home.key_path(name)
        if data is None:
            continue
        text = decode_key_file(data, path)
        if not data.startswith(LOCKED_PREFIX):
            parse_key_file(data, path)  # only for its error, which names the file
            roots[name] = parse_key(text)
        elif not first_text:
            command = unlock_command(home) if name == "acting" else ()
            first_text = text
            roots[name] = unlock_key_file(text, str(path), command)
        else:
            try:  # both keys usually have the same passphrase
                roots[name] = unlock_key(text, _PASSPHRASES[first_text])
            except (Refused, KeyError):
                roots[name] = unlock_key_file(text, str(path))
    return roots


def replace_keys(home: Home, roots: dict[str, bytes], passphrase: str) -> list[Path]:
    """Write these key files with another passphrase, or with none. Returns their paths."""
    texts = {name: _format_key_file(root, passphrase) for name, root in roots.items()}
    for name, text in texts.items():
        if (unlock_key(text, passphrase) if passphrase else parse_key(text)) != roots[name]:
            raise OurFault("key/read-back", "the key does not read back as it was", "report this")
    home.write_keys({name: text.encode() for name, text in texts.items()}, must_be_new=False)
    return [home.key_path(name) for name in roots]


def public_keys_of(home: Home, name: str) -> tuple[bytes, bytes] | None:
    """Return a key's public signing and wrapping key, also if it is locked; None if it is not in this home."""
    data = home.read_key(name)
    if data is None:
        return None
    path = home.key_path(name)
    if data.startswith(LOCKED_PREFIX):
        return read_public_keys(decode_key_file(data, path))
    key = parse_key_file(data, path)
    return key.public, key.wrap_public


def is_locked(home: Home) -> bool:
    """Return whether the acting key has a passphrase."""
    return (home.read_key("acting") or b"").startswith(LOCKED_PREFIX)


def parse_public_keys(data: bytes, what: str) -> tuple[bytes, bytes]:
    """Parse a referee's public signing and wrapping key, as ``pbem key show --export`` prints them."""
    try:
        signing_text, wrapping_text = data.decode("ascii").split()
        signing = unb64(signing_text, 32)
        wrapping = unb64(wrapping_text, 32)
        if not (is_safe_signing_key(signing) and is_safe_wrap_key(wrapping)):
            raise ValueError
    except (ValueError, BadInput):
        hint = "ask the referee for the line that `pbem key show --export` prints"
        raise BadInput("keys/public", f"{what} does not hold a referee's public key", hint) from None
    return signing, wrapping


def recovery_public_keys(home: Home) -> tuple[bytes, bytes]:
    """Return the public signing and wrapping keys of the recovery key, which stay here when it is moved away."""
    data = home.read_key(RECOVERY_PUBLIC)
    if data is None:
        raise BadInput(
            "key/no-recovery",
            f"there is no {home.key_path(RECOVERY_PUBLIC)}",
            "put it back from a copy; if no game was opened yet, move the keys away and type `pbem key new`",
        )
    try:
        signing_text, wrapping_text = data.decode("ascii").split()
        return unb64(signing_text, 32), unb64(wrapping_text, 32)
    except (ValueError, BadInput):
        why = f"{home.key_path(RECOVERY_PUBLIC)} is damaged"
        raise BadInput("key/recovery", why, "put it back from a copy") from None
