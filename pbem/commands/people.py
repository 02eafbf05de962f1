"""``pbem people``: the referee's address book."""

from typing import Annotated

from typer import Argument

from pbem.report.players import Person
from pbem.result import Result
from pbem.services.session.address_book import add_person, address_book_path, read_address_book, remove_person
from pbem.services.session.keys import open_home

Name = Annotated[str, Argument(metavar="NAME", help="The person's name, in quotes.")]
Address = Annotated[str, Argument(metavar="ADDRESS", help="The person's email address.")]


def run_list() -> Result:
    """List the people in your address book. `pbem people` does the same.

    The address book is people.toml in your PBEM_HOME, which only you can read. Games have their own
    copies of addresses, in desk/players.toml.
    """
    home = open_home()
    people = sorted(read_address_book(home).values(), key=lambda person: person.name.casefold())
    rows = [{"name": person.name, "address": person.address} for person in people]
    empty = "your address book is empty (try: pbem people add NAME ADDRESS)"
    text = "\n".join(map(_person_text, people)) or empty
    return Result({"file": str(address_book_path(home)), "people": rows}, text)


def run_add(name: Name, address: Address) -> Result:
    """Add a person to your address book.

    `pbem new --player red=NAME` and `pbem amend DIR player SEAT --name NAME` then find the address.
    Part of the name is enough: "Ann" for "Ann Lee". Players read the name as you type it there.
    """
    return _change_result(add_person(open_home(), name, address), "in")


def run_remove(name: Name) -> Result:
    """Remove a person from your address book. Games that they play in do not change."""
    return _change_result(remove_person(open_home(), name), "no longer in")


def _change_result(person: Person, change: str) -> Result:
    data = {"name": person.name, "address": person.address}
    return Result(data, f"{_person_text(person)} is {change} your address book.")


def _person_text(person: Person) -> str:
    return f"{person.name} <{person.address}>"
