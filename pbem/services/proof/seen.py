"""What this machine has seen of games: their states' heads, and who signed them (PBEM_HOME/heads).

What lives here: the file of a game, ``remembered`` and ``remember``. What must never be here: what
two histories are (moderator/verify/together.py); a secret.
Laws: only what a verified succession signed is remembered, so that no stranger can put anything
in; a second history is never remembered, but where a ruling `restore` gives up the first; the file
is bounded: a later head vouches for all before it. Nobody is hindered where it cannot be written.
Source: docs/SPECIFICATION.md section 12 (histories); FORMAT.md "What a machine has seen".
"""

import re
from collections.abc import Iterable
from contextlib import suppress

from pbem.crypto.encoding import b64, unb64
from pbem.disk.home import Home, read_heads, write_heads
from pbem.errors import BadInput, PbemError
from pbem.moderator.verify.histories import History, Remembered, Seen, parting
from pbem.services.session.keys import the_home

MOST = 4096  #: so many states of a game are remembered, besides those with a ruling `restore`
_ROW = re.compile("(0|[1-9][0-9]{0,5}) ([A-Za-z0-9_-]{43}) (-|[A-Za-z0-9_-]{43})")
_KEY = re.compile("key (0|[1-9][0-9]{0,5}) ([A-Za-z0-9_-]{43})")


def remembered(game: str) -> Remembered:
    """What was seen of a game; nothing where there is no home. BadInput ``heads/damaged``."""
    try:
        home = the_home()
    except BadInput:
        return Remembered()
    data = read_heads(home, game)
    return Remembered() if data is None else _read(home, game, data)


def _read(home: Home, game: str, data: bytes) -> Remembered:
    keys, states = set[tuple[int, bytes]](), dict[int, Seen]()
    for line in data.decode("latin-1").split("\n")[:-1]:
        if key := _KEY.fullmatch(line):
            keys.add((int(key[1]), unb64(key[2], 32)))
            continue
        row = _ROW.fullmatch(line)
        if row is None:
            why = f"{home.path / 'heads' / game} is damaged"
            raise BadInput("heads/damaged", why, "delete it: it only says what was seen here")
        knows = b"" if row[3] == "-" else unb64(row[3], 32)
        states[int(row[1])] = Seen(unb64(row[2], 32), knows)
    return Remembered(frozenset(keys), states)


def remember(game: str, keys: Iterable[tuple[int, bytes]], states: History) -> None:
    """Remember what was verified by ``keys``, all of them the game's own, each with the first state
    of which it is in force.
    """
    old = remembered(game)
    rows = dict(old.states)
    if parted := parting(rows, states):
        if not (parted.lost and parted.here):
            return
        rows = {n: one for n, one in rows.items() if n < parted.n}
    rows |= states
    both = Remembered(old.keys | {*keys}, _bounded(rows))
    if both != old:
        with suppress(PbemError):
            write_heads(the_home(), game, written(both))


def _bounded(rows: History) -> History:
    """The newest so many: counted, or one letter of a far state would drive out all others."""
    plain = sorted(n for n, one in rows.items() if one.head != one.knows)
    return {n: rows[n] for n in rows.keys() - {*plain[:-MOST]}}


def written(found: Remembered) -> bytes:
    """The file."""
    lines = [f"key {since} {b64(key)}" for since, key in sorted(found.keys)]
    for n, one in sorted(found.states.items()):
        lines.append(f"{n} {b64(one.head)} {b64(one.knows) or '-'}")
    return "".join(f"{line}\n" for line in lines).encode()
