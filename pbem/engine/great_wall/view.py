"""What a seat sees, field by field, from nothing.

Law: a fact of State that is not copied here by name is invisible.
Source: GW-5.
"""

from collections.abc import Mapping
from typing import Any

from pbem.engine.decision import whole
from pbem.engine.great_wall.parts import IN_DECK, KINDS, NAMES, number_of, one
from pbem.engine.great_wall.site import Card, Site, site_of
from pbem.engine.great_wall.state import State, View

BOTH = 2
MARKER = 99  #: the highest marker that a row may name


def numbers_text(values: tuple[int, ...]) -> str:
    """``5,3``; ``-`` for none."""
    return ",".join(str(value) for value in values) or "-"


def numbers_from(text: str) -> tuple[int, ...]:
    """Read ``numbers_text`` back."""
    return () if text == "-" else tuple(whole(part, MARKER) for part in text.split(","))


def hand_text(hand: int) -> str:
    """Cards by kind: ``wall:2,noble:1``; ``-`` for none."""
    found = [(word, number_of(hand, kind)) for kind, word in enumerate(KINDS)]
    return ",".join(f"{word}:{number}" for word, number in found if number) or "-"


def hand_from(text: str) -> int:
    """Read ``hand_text`` back; ValueError for more cards of a kind than a deck has."""
    hand = 0
    for part in () if text == "-" else text.split(","):
        word, number = part.split(":")
        kind = KINDS.index(word)
        if number_of(hand, kind):
            raise ValueError(part)
        hand += whole(number, IN_DECK[kind], 1) * one(kind)
    return hand


def named(row: str) -> dict[str, str]:
    """The ``name=value`` parts of a row."""
    return dict(part.split("=", 1) for part in row.split(" ") if "=" in part)


def site_row(name: str, site: Site) -> str:
    """``S1 free=4,7``, ``S2 closed``."""
    return f"{name} free={numbers_text(site.free)}" if site.free else f"{name} closed"


def card_rows(name: str, site: Site, seats: tuple[str, ...]) -> list[str]:
    """``S1 1 blue wall marker=7``, ``S1 2 green dragon over=3``: every card there, oldest first."""
    rows = []
    for i, card in enumerate(site.cards):
        over = f" over={card.over + 1}" if card.over >= 0 else ""
        marker = f" marker={site.marker}" if i == site.marked else ""
        rows.append(f"{name} {i + 1} {seats[card.colour]} {KINDS[card.kind]}{over}{marker}")
    return rows


def sites_from(data: Mapping[str, Any], seats: tuple[str, ...]) -> tuple[Site, ...]:
    """Read the rows of sites and cards back; ValueError where they do not fit each other."""
    names = [str(row).split(" ")[0] for row in data["sites"]]
    if names != list(NAMES[: len(names)]):
        raise ValueError("sites")
    rows: dict[str, list[str]] = {name: [] for name in names}
    for row in data["cards"]:
        name, number, rest = str(row).split(" ", 2)
        rows[name].append(rest)
        if whole(number) != len(rows[name]):
            raise ValueError(row)
    frees = [numbers_from(named(row).get("free", "-")) for row in data["sites"]]
    return tuple(
        _site_from(free, rows[name], seats) for free, name in zip(frees, names, strict=True)
    )


def _site_from(free: tuple[int, ...], rows: list[str], seats: tuple[str, ...]) -> Site:
    cards, marked, marker = [], -1, 0
    for i, row in enumerate(rows):
        seat, word = row.split(" ")[:2]
        parts = named(row)
        over = whole(parts["over"], i, 1) - 1 if "over" in parts else -1
        cards.append(Card(seats.index(seat), KINDS.index(word), over))
        if "marker" in parts:
            marked, marker = i, whole(parts["marker"], MARKER)
    site = site_of(free, tuple(cards), marked, marker, len(seats))
    _check_site(site, sum("marker=" in row for row in rows))
    return site


def _check_site(site: Site, markers: int) -> None:
    """Two markers, free or on a card, or none at all; a closed site has no cards (GW-3, GW-26)."""
    on_covered = site.marked >= 0 and site.covered >> site.marked & 1
    if markers + len(site.free) not in ((BOTH,) if site.free else (0,)) or on_covered:
        raise ValueError("markers")
    if site.cards and not site.free:
        raise ValueError("cards")


#: makes a named tuple of its parts in half the time its own constructor takes
new = tuple.__new__


def view_of(state: State, seat: int | None) -> View:
    """The View of a seat, or of a spectator (None), who sees what all see and nothing else."""
    public = state.public
    if seat is None:
        return new(View, (public, None, 0, ()))
    deck = state.decks[seat]
    drawn = deck[: len(deck) - public.decks[seat]]
    return new(View, (public, seat, state.hands[seat] or 0, drawn))
