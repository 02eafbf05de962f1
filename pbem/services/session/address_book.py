"""The referee's address book: PBEM_HOME/people.toml, read strictly. For the referee's eyes alone.

What must never be here: a game. The law: nothing of the book gets into a game's shared part: a name
stays as it was typed, and the book gives its address.
Source: docs/decisions/0014-the-post.md "People"; FORMAT.md "The referee's address book".
"""

from contextlib import suppress
from pathlib import Path

from pbem.chain.names import alike, meant
from pbem.disk.home import Home, change_own, read_own
from pbem.errors import BadInput, Refused, naming
from pbem.formats.toml import TableReader, dump, load, utf8
from pbem.report.players import Person, person

_FILE = "people.toml"
_MEND = 'a line there is, for example, "Ann Lee" = "ann@example.org"'


def book_path(place: Home) -> Path:
    """Where the book is, there or not."""
    return place.path / _FILE


def book(place: Home) -> dict[str, Person]:
    """Everybody in it, by name. BadInput names the file and what is wrong there."""
    return _read(place, read_own(place, _FILE) or b"")


def _read(place: Home, data: bytes) -> dict[str, Person]:
    with naming(book_path(place), _MEND):
        document = load(utf8(data, "people", _MEND).replace("\r\n", "\n"), "people")
        reader, found = TableReader(document, ""), dict[str, Person]()
        for name in document:
            one = _person(name, reader.text(name))
            if alike(one.name) in map(alike, found):
                raise BadInput("people/twice", f"{one.name!r} is there twice", _MEND)
            found[one.name] = one
        return found


def _person(name: str, address: str) -> Person:
    if "," in name:
        raise BadInput("people/name", f"the name {name[:60]!r} has a comma", "leave it out")
    one = person(f"{name},{address}", name[:60])
    if not one.address:
        raise BadInput(
            "people/address", f"{one.name} has no address", "for example ann@example.org"
        )
    return one


def add(place: Home, name: str, address: str) -> Person:
    """One more person, below those that are there. Refused ``people/exists``."""
    one = _person(name, address)

    def more(before: bytes) -> bytes:
        for other in _read(place, before):
            if alike(other) == alike(one.name):
                why = f"{other!r} is in your address book already"
                raise Refused("people/exists", why, f'pbem people remove "{other}"')
        gap = b"\n" if before and not before.endswith(b"\n") else b""
        return before + gap + dump({one.name: one.address}).encode()

    change_own(place, _FILE, more)
    return one


def remove(place: Home, name: str) -> Person:
    """Takes out the person who is meant. BadInput ``people/none``, ``people/which``."""
    gone = list[Person]()

    def less(before: bytes) -> bytes:
        found = _read(place, before)
        gone.append(found.pop(_meant(found, name, "pbem people")))
        lines = before.splitlines(keepends=True)
        rest = b"".join(line for line in lines if _names(place, line) != [gone[0].name])
        if _names(place, rest) == [*found]:
            return rest  # with the referee's own comments
        return dump({one.name: one.address for one in found.values()}).encode()

    change_own(place, _FILE, less)
    return gone[0]


def _names(place: Home, data: bytes) -> list[str]:
    """Who is in a part of the file; nobody where that is none by itself."""
    with suppress(BadInput):
        return [*_read(place, data)]
    return []


def _meant(found: dict[str, Person], name: str, way: str) -> str:
    """The one in the book who is meant."""
    fit = meant(name, found)
    if len(fit) > 1:
        why = f"{name[:60]!r} may be {' or '.join(fit)}"
        raise BadInput("people/which", why, "give the whole name")
    if not fit:
        raise BadInput("people/none", f"{name[:60]!r} is not in your address book", way)
    return fit[0]


def with_address(place: Home, given: str, way: str) -> str:
    """``NAME,ADDRESS`` of what was typed as ``NAME``, if there is an address book.

    What has a comma is left as it is, and so is all where the book is empty. BadInput ``people/…``;
    ``way``: what else may be typed for somebody who is not in it.
    """
    if "," in given or not (found := book(place)):
        return given
    name = given.strip()
    also = f'add them with `pbem people add "{name[:60]}" ADDRESS`, or type {way}'
    return f"{name},{found[_meant(found, name, also)].address}"
