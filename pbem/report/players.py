"""Who plays: names, addresses, and the referee's own. Lies in desk/ alone; the referee may edit it.

What lives here: Players, its file. What must never be here: anything that goes into a state.
Source: docs/DESIGN.md "One game's folder" (names are public, addresses are not).
"""

import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import normalize

from pbem.chain.clock_words import zone_of
from pbem.chain.names import fits_as_name, wrong_names
from pbem.errors import BadInput
from pbem.formats import state_file
from pbem.formats.toml import TableReader
from pbem.mail.compose import ADDRESS
from pbem.mail.identity import find_codes
from pbem.mail.set_apart import passes_for_ours

NO_NAME = re.compile(r"[<>\"\[\]=]")  #: what marks an address
REFEREE = "referee"
STAMP = "home"  #: by which a home recognises its folder
MORE = ("language", "password", "zone")  #: of a person, besides name and address
MEND = "correct it, or delete it; then type `pbem adopt` and the folder of the game"


class Person(NamedTuple):
    """A name (shown to all), a mail address (shown to nobody, "" for none), a language."""

    name: str
    address: str
    language: str = ""
    password: str = ""  #: the slow hash of his password; "" where he has none
    zone: str = ""  #: the time zone of their clocks; "" for that of the game

    def has(self, address: str) -> bool:
        """Whether it is theirs, in capitals or not."""
        return address.lower() == self.address.lower()


class Stamp(NamedTuple):
    """By which a home recognises a folder, and the addresses in it (decision 0025)."""

    game: str
    instance: str
    version: str  #: a number, one more each time the home writes the file
    mac: str = ""


class Players(NamedTuple):
    """The referee, and the player at each seat."""

    referee: Person
    seats: dict[str, Person]
    stamp: Stamp | None = None


def person(text: str, what: str) -> Person:
    """``Ann,ann@example.org`` or ``Ann``; BadInput ``players/…`` says what is wrong."""
    name, _, address = text.partition(",")
    name, address = normalize("NFC", " ".join(name.split())), address.strip()
    if NO_NAME.search(name) or passes_for_ours(name) or not fits_as_name(name):
        wrong = f"the name of {what} cannot be {name[:60]!r}"
        raise BadInput(
            "players/name",
            wrong,
            'use 1 to 60 letters, numbers, blanks; no < > [ ] = and "',
        )
    if address and (find_codes(address) or not ADDRESS.fullmatch(address)):
        wrong = f"{address[:80]!r} is not an email address for {what}"
        raise BadInput("players/address", wrong, "for example ann@example.org")
    return Person(name, address)


def check_names(names: Sequence[str], seats: Sequence[str]) -> None:
    """BadInput ``players/names`` unless all can be told apart, and from seats; by wrong_names."""
    if wrong := wrong_names(tuple(names), tuple(seats)):
        way = "add an initial; reports tell players apart by their names"
        raise BadInput("players/names", wrong, way)


def encode(players: Players) -> bytes:
    """desk/players.toml."""
    rows = {REFEREE: players.referee, **players.seats}
    stamp = {STAMP: " ".join(players.stamp)} if players.stamp else {}
    return state_file.dump(stamp | {key: _written(one) for key, one in rows.items()})


def _written(person: Person) -> dict[str, str]:
    """What is as in an empty one is left out, but for name and address."""
    more = {part: getattr(person, part) for part in MORE}
    row = {"name": person.name, "address": person.address}
    return row | {key: value for key, value in more.items() if value}


def decode(data: bytes, seats: tuple[str, ...] = ()) -> Players:
    """Read it back, as the referee may have edited it; BadInput names the line or the key.
    Without ``seats``: those that it has.
    """
    try:
        document = state_file.parse(data.replace(b"\r\n", b"\n"))
        reader = TableReader(document, "")
        reader.number("pbem", 1, 1)
        found, words = {}, (reader.maybe_text(STAMP) or "").split(" ")
        stamp = Stamp(*words) if len(words) == len(Stamp._fields) else None
        every = seats or tuple(key for key in reader.keys() if key != REFEREE)  # noqa: SIM118
        for key in (REFEREE, *every):
            row = reader.table(key)
            name, address = row.text("name"), row.text("address")
            more = {part: row.maybe_text(part) or "" for part in MORE}
            row.done()
            found[key] = person(f"{name},{address}", key)._replace(**more)
            if more["zone"]:
                zone_of(more["zone"])
        reader.done()
    except BadInput as error:
        raise BadInput(error.code, f"desk/players.toml: {error.message}", MEND) from None
    return Players(found.pop(REFEREE), found, stamp)


def unknown(names: dict[str, str]) -> Players:
    """When desk/ is lost: the names stand in the state, the addresses are gone."""
    return Players(Person("Referee", ""), {seat: Person(name, "") for seat, name in names.items()})
