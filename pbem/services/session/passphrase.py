"""Asking for the passphrase of a key.

What lives here: where a passphrase comes from: the terminal, or a file named in the environment.
What must never be here: a passphrase as an argument, in a log or in a message.
Law: it is asked for when a key is used, once a command; a command without a terminal and without
the file says so in one line.
Source: docs/DESIGN.md law 7.
"""

import functools
import getpass
import os
import sys
from pathlib import Path

from pbem.crypto.locked import SHORTEST, good_passphrase, unlock
from pbem.disk.home import Home
from pbem.disk.reading import read_private
from pbem.errors import BadInput, Refused

FILE, NEW_FILE = "PBEM_PASSPHRASE_FILE", "PBEM_NEW_PASSPHRASE_FILE"
_LIMIT = 4096


#: what opened a key file, by the file's text, while the command lasts. Secret.
_OPENED: dict[str, str] = {}


@functools.cache
def unlocked(text: str, what: str) -> bytes:
    """The root in a locked key file; remembered while the command lasts. ``what``: which file."""
    phrase = _asked(f"Passphrase of the key {what}: ", FILE)
    root = unlock(text, phrase)
    _OPENED[text] = phrase
    return root


def unlocked_alike(text: str, what: str, other: str) -> bytes:
    """The same for a second key, which mostly has the passphrase of ``other``, a key file that was
    unlocked: nobody is asked twice for one passphrase.
    """
    try:
        return unlock(text, _OPENED[other])
    except (Refused, KeyError):
        return unlocked(text, what)


def if_forgotten(place: Home) -> str:
    """The way out for who cannot unlock the acting key: what is true of the recovery key here."""
    again, path = "type it again; ", place.key_path("recovery")
    data = place.read_key("recovery")
    if data is None:
        return f"{again}if it is forgotten, only a recovery key without it or with another helps"
    if data.startswith(b"pbem-locked-"):
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
        raise Refused("passphrase/differ", "the two were not the same", "type it again")
    return found


def _asked(prompt: str, variable: str) -> str:
    if variable in os.environ:
        return _from_file(os.environ[variable], variable)
    if not sys.stdin.isatty():
        raise Refused(
            "passphrase/none",
            "a passphrase is needed, and there is no terminal to ask for it",
            f"run it in a terminal, or let {variable} name a file that holds it",
        )
    return getpass.getpass(prompt)


def _from_file(name: str, variable: str) -> str:
    """Its first line. A file that others can read is no place for a secret."""
    try:
        text = read_private(Path(name), _LIMIT).decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(
            "passphrase/not-text", f"the file of {variable} is not text", "write it in UTF-8"
        ) from None
    return text.split("\n")[0].rstrip("\r")
