"""Switches for the differences between the four rulebooks, and between versions of the rules.

An edition is a rulebook in one language. Only this module knows editions and versions by name. Rules
read the switches in ``Rules.edition`` (decisions 0004 and 0006).
Source: CC-12, CC-15, CC-26, CC-31, CC-51, CC-60; the number of events.
"""

from typing import Any, Final, NamedTuple

from pbem.engine.row import N_


class Edition(NamedTuple):
    """The switches of one rulebook."""

    title: str
    sentence: str  #: for players
    event_counts: tuple[int, ...] = (0, 1, 2)  #: possible numbers of events
    reserve_named: bool = True  #: CC-15: players name the square that a tower reserves
    swap_elsewhere: bool = False  #: CC-26: a mandarin only swaps with a wall of another province
    board_at_once: bool = False  #: CC-31: a board joins at the third Emperor, not after the turn
    only_longest: bool = False  #: CC-51: Dominance pays the longest run of all, not each colour's
    neutral_with_wall: bool = False  #: CC-60: after card and wall, the neutral wall goes into their province
    tower_in_run: int = 1  #: CC-51: how many squares a tower counts in a run
    second_reckoned: bool = False  #: CC-12: a fault of old versions: squares that a first wall frees are ignored


EDITIONS: Final = {
    "en": Edition("en", N_("It is played by the English rulebook.")),
    "fr": Edition("fr", N_("It is played by the French rulebook."), swap_elsewhere=True),
    "it": Edition("it", N_("It is played by the Italian rulebook.")),
    "hu": Edition(
        "hu (fan translation)",
        N_("It is played by the Hungarian rulebook, a fan translation."),
        event_counts=(0, 2),
        reserve_named=False,
        swap_elsewhere=True,
        board_at_once=True,
        only_longest=True,
        neutral_with_wall=True,
        tower_in_run=2,
    ),
}

#: by version of the rules, newest first, then by edition: the switches that differ from ``EDITIONS``
VERSIONS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "2026-12": {},
    "2026-11": {"hu": {"tower_in_run": 1, "second_reckoned": True}},
}
RULINGS: Final = tuple(VERSIONS)


def edition_of(name: str, rulings: str) -> Edition:
    """Return the switches of an edition in a version of the rules; raise LookupError if there is none."""
    return EDITIONS[name]._replace(**VERSIONS[rulings].get(name, {}))
