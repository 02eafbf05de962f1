"""Players' names: which are allowed, which look alike, and which one somebody means.

Not allowed here: an address; names within prose (play/proposals/prose.py).
Source: docs/SPECIFICATION.md section 5 (people); docs/DESIGN.md P11.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping

from pbem.engine.settings import SPECTATORS
from pbem.errors import BadInput

MAX_NAME_LENGTH = 60
#: characters that are invisible, ranges reserved for more of them, and noncharacters
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    f"\U000e0080-\U000e0fff{''.join(chr(0x10000 * n - i) for n in range(1, 18) for i in (1, 2))}]"
)
#: other parties that an email or a report can name
RESERVED_NAMES = ("all", "referee", "neutral", SPECTATORS)


def _unassigned_characters(name: str) -> set[str]:
    """Return the characters of a name that this Python's Unicode does not define yet."""
    return {letter for letter in name if unicodedata.category(letter) == "Cn"}


def unchecked_name_warning(names: Iterable[str]) -> str:
    """Return a warning about names that this Python cannot check; "" if there are none."""
    odd_name = next(filter(_unassigned_characters, names), "")
    version = unicodedata.unidata_version
    return f"the name {odd_name!r} is not checked: it is of a newer Unicode than {version}" if odd_name else ""


def is_valid_name(name: str, allow_unassigned: bool = False) -> bool:
    """Whether a name has only letters, marks, digits, punctuation and single blanks. Invisible
    characters could make two names look the same. ``allow_unassigned`` accepts characters that this
    Python's Unicode does not define yet.
    """
    characters = "".join(name.split(" "))
    unassigned = _unassigned_characters(name) if allow_unassigned else ""
    categories = {"L" if letter in unassigned else unicodedata.category(letter)[0] for letter in characters}
    is_well_spaced = "  " not in name and name.strip(" ") == name and not _INVISIBLE.search(characters)
    are_categories_valid = categories <= {*"LMNP"} and bool(categories & {*"LN"})
    return (
        are_categories_valid
        and is_well_spaced
        and len(name) <= MAX_NAME_LENGTH
        and unicodedata.is_normalized("NFC", name)
    )


@functools.lru_cache(8)  # every state of a chain has the same players
def find_names_fault(names: tuple[str, ...], seats: tuple[str, ...]) -> str:
    """Describe what is wrong with the names of the players at ``seats``; "" if nothing."""
    existing_names = {fold_name(name): name for name in (*RESERVED_NAMES, *seats)}
    for name in names:
        if not is_valid_name(name, allow_unassigned=True):
            return f"a player cannot be called {name[:MAX_NAME_LENGTH]!r}"
        if fold_name(name) in existing_names:
            existing_name = existing_names[fold_name(name)]
            if existing_name == name:
                return f"two players are called {name!r}"
            return f"a player cannot be called {name!r}: it reads like {existing_name!r}"
        existing_names[fold_name(name)] = name
    return ""


def fold_name(name: str) -> str:
    """Return a form that is equal for names that differ only in capitals."""
    return unicodedata.normalize("NFC", name.casefold())


def match_names(text: str, names: Iterable[str]) -> list[str]:
    """Return the names that ``text`` can mean. That is the equal name if there is one, else every
    name that contains these whole words in a row: "Ann" for "Ann Lee".
    """
    words = " ".join(fold_name(text).split())
    folded_names = {name: fold_name(name) for name in names}
    exact_matches = [name for name, folded in folded_names.items() if folded == words]
    return exact_matches or [name for name, folded in folded_names.items() if words and f" {words} " in f" {folded} "]


def find_seat_by_name(names_by_seat: Mapping[str, str], text: str, *other_words: str) -> str:
    """Return the seat that ``text`` means by its colour or player, or one of ``other_words``.
    ``names_by_seat`` has the players that may be named. Raises BadInput ``players/seat``.
    """
    word = text.strip().lower()
    if word in (*names_by_seat, *other_words):
        return word
    matches = match_names(text, names_by_seat.values())
    seats = [seat for seat, name in names_by_seat.items() if name in matches]
    if len(seats) == 1:
        return seats[0]
    choices = ", ".join(f"{names_by_seat[seat]} ({seat})" for seat in seats or names_by_seat)
    if seats:
        message = f"{text[:60]!r} may be {' or '.join(choices.split(', '))}"
        raise BadInput("players/seat", message, "give the colour, or the whole name")
    message = f"there is no seat {text[:20]!r} in this game"
    raise BadInput("players/seat", message, f"the seats are {', '.join((choices, *other_words))}")
