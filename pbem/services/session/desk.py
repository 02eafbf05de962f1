"""Decode the files of a game's desk, its private folder: pending orders, addresses, secrets of reply codes.

Not allowed here: a key; a change of a file.
Source: FORMAT.md; docs/DESIGN.md "One game's folder".
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date

from pbem.chain.state_record import StateRecord
from pbem.crypto.encoding import b64, unb64
from pbem.disk.folder import CODES_FILE, FORMER_CODES_FILE, PLAYERS_FILE, GameFolder
from pbem.errors import BadInput, PbemError, naming_file
from pbem.formats.state_file import read_rows, write_rows
from pbem.notation.absence import Absence
from pbem.play.pending_file import PENDING_LOST_HINT, decode_committed_values, decode_pending
from pbem.play.pending_orders import PendingOrders
from pbem.report import players
from pbem.report.players import Players

AWAY_FILE = "away"  #: desk file: a line ``SEAT FIRST LAST`` for each absence
MOST_FORMER_CODES = 4  #: how many secrets of void reply codes are remembered


def decode_desk_value(data: bytes, name: str) -> bytes:
    """Return the 32 bytes that a file of the desk holds. Raises BadInput ``desk/NAME`` if it is damaged."""
    try:
        return unb64(data.decode("ascii").strip(), 32)
    except (UnicodeDecodeError, PbemError):
        hint = "put it back from a backup, or delete it; pbem makes it again"
        raise BadInput(f"desk/{name}", f"desk/{name} is damaged", hint) from None


def read_players(folder: GameFolder, record: StateRecord) -> Players:
    """Read the players and the referee; they have no addresses if desk/players.toml is lost."""
    seats = record.setup.seats
    data = folder.read_desk_file(PLAYERS_FILE)
    if data is None:
        return players.players_without_addresses(dict(zip(seats, record.names, strict=True)))
    return players.decode(data, seats)


def read_pending(folder: GameFolder, record: StateRecord) -> dict[str, PendingOrders]:
    """Read the pending orders of every seat at the newest state. Only their player may see them."""
    files = folder.read_pending(record.n)
    pending_by_seat = {seat: PendingOrders() for seat in record.setup.seats}
    for seat in pending_by_seat.keys() & files.keys():
        with naming_file(f"desk/hand/{record.n}/{seat}.toml", PENDING_LOST_HINT):
            pending_by_seat[seat] = decode_pending(files[seat], seat)
    return pending_by_seat


def read_pending_before(folder: GameFolder, n: int) -> dict[str, str] | None:
    """Read the pending orders before state ``n``, by seat. None if they are lost or damaged. Secret."""
    data = folder.read_orders_before(n)
    if data is None:
        return None
    with suppress(BadInput):
        return decode_committed_values(data)
    return None


def read_noted_absences(folder: GameFolder) -> Mapping[str, Sequence[Absence]]:
    """Read by seat the days on which its player is away. Everybody may read them."""
    absences = dict[str, list[Absence]]()
    for seat, first, last in read_rows(folder.read_desk_file(AWAY_FILE), 3):
        with suppress(ValueError):
            absence = Absence(date.fromisoformat(first), date.fromisoformat(last))
            absences.setdefault(seat, []).append(absence)
    return absences


def encode_absences(folder: GameFolder, seat: str, absences: Sequence[Absence]) -> bytes:
    """Return the content of the desk file ``away`` with these absences of one seat instead of its old ones."""
    rows = read_rows(folder.read_desk_file(AWAY_FILE), 3)
    other_rows = [(row_seat, *days) for row_seat, *days in rows if row_seat != seat]
    return write_rows([*other_rows, *dict.fromkeys((seat, *absence) for absence in absences)])


def read_codes_secret(folder: GameFolder) -> bytes:
    """Read the secret from which the valid reply codes are derived; b"" if it is lost."""
    data = folder.read_desk_file(CODES_FILE)
    return decode_desk_value(data.partition(b" ")[0], CODES_FILE) if data is not None else b""


def read_former_codes(folder: GameFolder) -> tuple[bytes, ...]:
    """Read the secrets from which void reply codes were derived, the oldest first."""
    rows = (folder.read_desk_file(FORMER_CODES_FILE) or b"").splitlines()
    return tuple(decode_desk_value(row, FORMER_CODES_FILE) for row in rows)


def encode_codes(secret: bytes, key_id: str, former_secrets: Sequence[bytes]) -> dict[str, bytes]:
    """Return the desk files of the reply codes that the referee with ``key_id`` made, and of void ones."""
    files = {CODES_FILE: f"{b64(secret)} {key_id}\n".encode()}
    former_rows = [*dict.fromkeys(f"{b64(former)}\n" for former in former_secrets if former)]
    if former_rows:
        files[FORMER_CODES_FILE] = "".join(former_rows[-MOST_FORMER_CODES:]).encode()
    return files
