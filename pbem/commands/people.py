"""``pbem people``: the referee's address book."""

from typing import Annotated

import typer

from pbem.report.players import Person
from pbem.result import Result
from pbem.services.session.address_book import add, book, book_path, remove
from pbem.services.session.keys import the_home

Name = Annotated[str, typer.Argument(metavar="NAME", help="The person's name, in quotes.")]
Address = Annotated[str, typer.Argument(metavar="ADDRESS", help="The person's email address.")]


def run_list() -> Result:
    """List the people in your address book. `pbem people` alone does the same.

    It is the file people.toml in your PBEM_HOME, which only you can read. Games have their own
    copy of an address, in desk/players.toml.
    """
    place = the_home()
    found = sorted(book(place).values(), key=lambda one: one.name.casefold())
    rows = [{"name": one.name, "address": one.address} for one in found]
    empty = "nobody is in your address book (try: pbem people add NAME ADDRESS)"
    text = "\n".join(map(_shown, found)) or empty
    return Result({"file": str(book_path(place)), "people": rows}, text)


def run_add(name: Name, address: Address) -> Result:
    """Add a person to your address book.

    Then `pbem new --player red=NAME` and `pbem amend DIR player SEAT --name NAME` find the address.
    A part of the name is enough: "Ann" for "Ann Lee". Players read the name as you type it there.
    """
    return _told(add(the_home(), name, address), "in")


def run_remove(name: Name) -> Result:
    """Remove a person from your address book. Games that they play in do not change."""
    return _told(remove(the_home(), name), "no longer in")


def _told(one: Person, where: str) -> Result:
    data = {"name": one.name, "address": one.address}
    return Result(data, f"{_shown(one)} is {where} your address book.")


def _shown(one: Person) -> str:
    return f"{one.name} <{one.address}>"
