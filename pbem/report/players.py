"""The players and the referee with their addresses: desk/players.toml, which the referee may edit.

Not allowed here: anything that goes into a state.
Source: docs/DESIGN.md "One game's folder" (names are public, addresses are not).
"""

import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import normalize

from pbem.chain.clock_words import zone_of
from pbem.chain.names import find_names_fault, is_valid_name
from pbem.errors import BadInput
from pbem.formats import state_file
from pbem.formats.toml import TableReader
from pbem.mail.compose import ADDRESS
from pbem.mail.identity import find_codes, looks_like_ours

ADDRESS_MARKS = re.compile(r"[<>\"\[\]=]")  #: characters that a name may not have
REFEREE = "referee"
STAMP_KEY = "home"  #: the key of the Stamp
OPTIONAL_FIELDS = ("language", "password", "zone")  #: of a person, after name and address
REPAIR_HINT = "correct it, or delete it; then type `pbem adopt` and the folder of the game"


class Person(NamedTuple):
    """A player or the referee. The name is public, everything else is private."""

    name: str
    address: str  #: "" for none
    language: str = ""
    password: str = ""  #: the slow hash of their password; "" for none
    zone: str = ""  #: the time zone of their clocks; "" for that of the game

    def has_address(self, address: str) -> bool:
        """Whether it is theirs, in capitals or not."""
        return address.lower() == self.address.lower()


class Stamp(NamedTuple):
    """How a home recognises a folder and the addresses in it (decision 0025)."""

    game: str
    instance: str
    version: str  #: a number that grows each time the home writes the file
    mac: str = ""


class Players(NamedTuple):
    """The referee, and the player at each seat."""

    referee: Person
    seats: dict[str, Person]
    stamp: Stamp | None = None


def parse_person(text: str, role: str) -> Person:
    """Reads ``Ann,ann@example.org`` or ``Ann``. Raises BadInput ``players/name``, ``players/address``."""
    name, _, address = text.partition(",")
    name, address = normalize("NFC", " ".join(name.split())), address.strip()
    if ADDRESS_MARKS.search(name) or looks_like_ours(name) or not is_valid_name(name):
        problem = f"the name of {role} cannot be {name[:60]!r}"
        raise BadInput("players/name", problem, 'use 1 to 60 letters, numbers, blanks; no < > [ ] = and "')
    if address and (find_codes(address) or not ADDRESS.fullmatch(address)):
        problem = f"{address[:80]!r} is not an email address for {role}"
        raise BadInput("players/address", problem, "for example ann@example.org")
    return Person(name, address)


def check_names(names: Sequence[str], seats: Sequence[str]) -> None:
    """Raise BadInput ``players/names`` where two names, or a name and a seat, look alike."""
    problem = find_names_fault(tuple(names), tuple(seats))
    if problem:
        hint = "add an initial; reports tell players apart by their names"
        raise BadInput("players/names", problem, hint)


def encode(players: Players) -> bytes:
    """The content of desk/players.toml. Secret."""
    rows = {REFEREE: players.referee, **players.seats}
    stamp = {STAMP_KEY: " ".join(players.stamp)} if players.stamp else {}
    return state_file.dump(stamp | {key: _person_row(person) for key, person in rows.items()})


def _person_row(person: Person) -> dict[str, str]:
    """Empty optional fields are left out."""
    optional_values = {field: getattr(person, field) for field in OPTIONAL_FIELDS}
    row = {"name": person.name, "address": person.address}
    return row | {key: value for key, value in optional_values.items() if value}


def decode(data: bytes, seats: tuple[str, ...] = ()) -> Players:
    """Reads desk/players.toml. BadInput names the line or the key. Without ``seats``, every seat in the file."""
    try:
        document = state_file.parse(data.replace(b"\r\n", b"\n"))
        reader = TableReader(document, "")
        reader.number("pbem", 1, 1)
        people = {}
        stamp_words = (reader.maybe_text(STAMP_KEY) or "").split(" ")
        stamp = Stamp(*stamp_words) if len(stamp_words) == len(Stamp._fields) else None
        seat_names = seats or tuple(key for key in reader.unread_keys() if key != REFEREE)
        for key in (REFEREE, *seat_names):
            row = reader.table(key)
            name, address = row.text("name"), row.text("address")
            optional_values = {field: row.maybe_text(field) or "" for field in OPTIONAL_FIELDS}
            row.refuse_unknown_keys()
            people[key] = parse_person(f"{name},{address}", key)._replace(**optional_values)
            if optional_values["zone"]:
                zone_of(optional_values["zone"])
        reader.refuse_unknown_keys()
    except BadInput as error:
        raise BadInput(error.code, f"desk/players.toml: {error.message}", REPAIR_HINT) from None
    return Players(people.pop(REFEREE), people, stamp)


def players_without_addresses(names: dict[str, str]) -> Players:
    """The players after the private folder was lost: the state has their names only."""
    return Players(Person("Referee", ""), {seat: Person(name, "") for seat, name in names.items()})
