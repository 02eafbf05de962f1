"""The referee's address book: PBEM_HOME/people.toml. Only the referee may see it.

Not allowed here: a game. A state shows a player's name as the referee typed it; the book only
supplies the address.
Source: docs/decisions/0014-the-post.md "People"; FORMAT.md "The referee's address book".
"""

from contextlib import suppress
from pathlib import Path

from pbem.chain.names import fold_name, match_names
from pbem.disk.home import Home, read_own_file, update_own_file
from pbem.errors import BadInput, Refused, naming_file
from pbem.formats.toml import TableReader, dump, load, utf8
from pbem.report.players import Person, parse_person

_FILE = "people.toml"
_HINT = 'a line there is, for example, "Ann Lee" = "ann@example.org"'


def address_book_path(home: Home) -> Path:
    """Return the path of the book, whether it exists or not."""
    return home.path / _FILE


def read_address_book(home: Home) -> dict[str, Person]:
    """Return everybody in the book, by name. BadInput names the file and the fault."""
    return _parse_book(home, read_own_file(home, _FILE) or b"")


def _parse_book(home: Home, data: bytes) -> dict[str, Person]:
    """Return everybody in a book with this content, by name. Raises BadInput ``people/…`` names the file."""
    with naming_file(address_book_path(home), _HINT):
        document = load(utf8(data, "people", _HINT).replace("\r\n", "\n"), "people")
        reader = TableReader(document, "")
        people = dict[str, Person]()
        for name in document:
            entry = _parse_person(name, reader.text(name))
            if fold_name(entry.name) in map(fold_name, people):
                raise BadInput("people/twice", f"{entry.name!r} is there twice", _HINT)
            people[entry.name] = entry
        return people


def _parse_person(name: str, address: str) -> Person:
    if "," in name:
        raise BadInput("people/name", f"the name {name[:60]!r} has a comma", "leave it out")
    entry = parse_person(f"{name},{address}", name[:60])
    if not entry.address:
        raise BadInput("people/address", f"{entry.name} has no address", "for example ann@example.org")
    return entry


def add_person(home: Home, name: str, address: str) -> Person:
    """Add a person at the end of the book. Raises Refused ``people/exists`` if the name is there already."""
    entry = _parse_person(name, address)

    def add_entry(old_data: bytes) -> bytes:
        for other_name in _parse_book(home, old_data):
            if fold_name(other_name) == fold_name(entry.name):
                why = f"{other_name!r} is in your address book already"
                raise Refused("people/exists", why, f'pbem people remove "{other_name}"')
        separator = b"\n" if old_data and not old_data.endswith(b"\n") else b""
        return old_data + separator + dump({entry.name: entry.address}).encode()

    update_own_file(home, _FILE, add_entry)
    return entry


def remove_person(home: Home, name: str) -> Person:
    """Remove the person with this name. Raises BadInput ``people/none``, or ``people/which`` if several match."""
    removed_person = Person("", "")

    def remove_entry(old_data: bytes) -> bytes:
        nonlocal removed_person
        people = _parse_book(home, old_data)
        removed_person = people.pop(_find_name(people, name, "pbem people"))
        lines = old_data.splitlines(keepends=True)
        # take out the person's line if that is enough, which keeps the referee's comments
        remaining_data = b"".join(line for line in lines if _names_in(home, line) != [removed_person.name])
        if _names_in(home, remaining_data) == [*people]:
            return remaining_data
        return dump({entry.name: entry.address for entry in people.values()}).encode()

    update_own_file(home, _FILE, remove_entry)
    return removed_person


def _names_in(home: Home, data: bytes) -> list[str]:
    """Return the names in a part of the file; [] if that part is not valid by itself."""
    with suppress(BadInput):
        return [*_parse_book(home, data)]
    return []


def _find_name(people: dict[str, Person], name: str, hint: str) -> str:
    """Return the name in the book that matches what was typed. Raises BadInput ``people/none`` or ``people/which``."""
    matches = match_names(name, people)
    if len(matches) > 1:
        raise BadInput("people/which", f"{name[:60]!r} may be {' or '.join(matches)}", "give the whole name")
    if not matches:
        raise BadInput("people/none", f"{name[:60]!r} is not in your address book", hint)
    return matches[0]


def add_known_address(home: Home, typed_name: str, alternative: str) -> str:
    """Return ``NAME,ADDRESS`` for a ``NAME`` that was typed.

    Text with a comma stays as it is, and so does any text while the book is empty. ``alternative``:
    what to type for somebody who is not in the book. Raises BadInput ``people/…``.
    """
    if "," in typed_name:
        return typed_name
    people = read_address_book(home)
    if not people:
        return typed_name
    name = typed_name.strip()
    hint = f'add them with `pbem people add "{name[:60]}" ADDRESS`, or type {alternative}'
    return f"{name},{people[_find_name(people, name, hint)].address}"
