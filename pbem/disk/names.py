"""Which names may become part of a path, and how states are numbered on disk.

What lives here: the only gate between a name from outside (a seat, a mail) and a path. What must
never be here: I/O. The law: a name that passes is one plain component on every system, Windows
included, so that a game's folder can be carried anywhere. Source: docs/DESIGN.md "One game's
folder".
"""

import re

from pbem.disk.system import shown
from pbem.errors import BadInput, OurFault

_NAME = re.compile(r"[a-z0-9][a-z0-9._+-]{0,80}")
_STATE = re.compile(r"([0-9]{4,9})\.toml")
# Windows gives these to devices, whatever the ending: con.toml is the console.
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{d}{i}" for d in ("com", "lpt") for i in range(10)}


def fits(name: str) -> bool:
    """May ``name`` be one part of a path, on any system?"""
    plain = _NAME.fullmatch(name) is not None and not name.endswith(".")
    return plain and name.partition(".")[0] not in _DEVICES


def checked(name: str) -> str:
    """``name`` itself, fit to be one part of a path. Raises BadInput ``file/name``."""
    if fits(name):
        return name
    message = f"'{shown(name[:90])}' cannot be the name of a file"
    hint = "use a-z, 0-9, '.', '_', '+', '-', starting with a letter or digit, at most 81"
    raise BadInput("file/name", message, hint)


def state_name(n: int) -> str:
    """The file name of state ``n``: four digits, more when needed."""
    return f"{number(n)}.toml"


def number(n: int) -> str:
    """``n`` as it stands in names. Raises OurFault for a number no state can have."""
    if not 0 <= n < 10**9:
        raise OurFault("disk/number", f"{n} is no number of a state")
    return f"{n:04d}"


def state_number(name: str) -> int | None:
    """The number of the state with this file name, or None if it is no state's name."""
    match = _STATE.fullmatch(name)
    if match is None or state_name(int(match[1])) != name:  # 00001.toml would be a second 0001
        return None
    return int(match[1])
