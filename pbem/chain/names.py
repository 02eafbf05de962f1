"""What a player may be called, which names read alike, and whom somebody means by one.

What must never be here: an address; the names in what players write (play/proposals/prose.py).
Source: docs/SPECIFICATION.md section 5 (people); docs/DESIGN.md P11.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping

from pbem.engine.settings import SPECTATORS
from pbem.errors import BadInput

LONGEST_NAME = 60
#: letters and marks that nobody sees, places of more of them, and what is no character for good
_NO_LETTERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    f"\U000e0080-\U000e0fff{''.join(chr(0x10000 * n - i) for n in range(1, 18) for i in (1, 2))}]"
)
#: whom else than a player an email or a report may name
NOT_NAMES = ("all", "referee", "neutral", SPECTATORS)


def _unknown(name: str) -> set[str]:
    """Its characters that are none yet in the Unicode of this Python."""
    return {letter for letter in name if unicodedata.category(letter) == "Cn"}


def not_checked(names: Iterable[str]) -> str:
    """What is to be said of names that have such a character; "" where none has."""
    odd = next(filter(_unknown, names), "")
    version = unicodedata.unidata_version
    return (
        f"the name {odd!r} is not checked: it is of a newer Unicode than {version}" if odd else ""
    )


def fits_as_name(name: str, unknown: bool = False) -> bool:
    """Letters, marks, numbers and punctuation, apart by single blanks, and not punctuation alone.

    What cannot be seen would make two names of one. ``unknown``: with characters that may be such.
    """
    seen = "".join(name.split(" "))
    odd = _unknown(name) if unknown else ""
    kinds = {"L" if letter in odd else unicodedata.category(letter)[0] for letter in seen}
    whole = "  " not in name and name.strip(" ") == name and not _NO_LETTERS.search(seen)
    fits = kinds <= {*"LMNP"} and bool(kinds & {*"LN"})
    return fits and whole and len(name) <= LONGEST_NAME and unicodedata.is_normalized("NFC", name)


@functools.lru_cache(8)  # a chain has the same players in every state
def wrong_names(names: tuple[str, ...], seats: tuple[str, ...]) -> str:
    """What is wrong with the names of the players of these ``seats``; "" if nothing."""
    taken = {alike(name): name for name in (*NOT_NAMES, *seats)}
    for name in names:
        if not fits_as_name(name, unknown=True):
            return f"a player cannot be called {name[:LONGEST_NAME]!r}"
        if alike(name) in taken:
            other = taken[alike(name)]
            if other == name:
                return f"two players are called {name!r}"
            return f"a player cannot be called {name!r}: it reads like {other!r}"
        taken[alike(name)] = name
    return ""


def alike(name: str) -> str:
    """The same for all names that differ in capitals alone."""
    return unicodedata.normalize("NFC", name.casefold())


def meant(given: str, names: Iterable[str]) -> list[str]:
    """The names that somebody may mean: the one that reads the same, else all that have these whole
    words in a row: "Ann" for "Ann Lee". A name as people type it is told by this alone.
    """
    words = " ".join(alike(given).split())
    found = {name: alike(name) for name in names}
    same = [name for name, read in found.items() if read == words]
    return same or [name for name, read in found.items() if words and f" {words} " in f" {read} "]


def seat_among(people: Mapping[str, str], given: str, *others: str) -> str:
    """The seat that is meant by its colour or by its player's name; or one of ``others``.

    ``people``: the names of those who may be named, by seat. BadInput ``players/seat``.
    """
    word = given.strip().lower()
    if word in (*people, *others):
        return word
    fit = meant(given, people.values())
    seats = [seat for seat, name in people.items() if name in fit]
    if len(seats) == 1:
        return seats[0]
    shown = ", ".join(f"{people[seat]} ({seat})" for seat in seats or people)
    if seats:
        why = f"{given[:60]!r} may be {' or '.join(shown.split(', '))}"
        raise BadInput("players/seat", why, "give the colour, or the whole name")
    why = f"there is no seat {given[:20]!r} in this game"
    raise BadInput("players/seat", why, f"the seats are {', '.join((shown, *others))}")
