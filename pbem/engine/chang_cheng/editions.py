"""What the four rulebooks play differently, and older rulings: a row of switches for each.

What lives here: the two tables. It is the only place that knows an edition by its name, or a
version of the rulings; a rule reads a switch of ``Rules.edition`` (decisions 0004 and 0006).
Source: CC-12, CC-15, CC-26, CC-31, CC-51, CC-60; the number of events.
"""

from typing import Any, Final, NamedTuple

from pbem.engine.row import N_


class Edition(NamedTuple):
    """One rulebook."""

    title: str
    sentence: str  #: to players
    event_counts: tuple[int, ...] = (0, 1, 2)  #: how many there can be
    reserve_named: bool = True  #: CC-15: a tower's square is named when placed, and stays named
    swap_elsewhere: bool = False  #: CC-26: a mandarin swaps with a wall of another province only
    #: CC-31: a board joins when the third Emperor is placed, not after the turn
    board_at_once: bool = False
    only_longest: bool = False  #: CC-51: dominance pays the longest run of all, not each colour's
    neutral_with_wall: bool = False  #: CC-60: after card and wall, it goes in that province
    tower_in_run: int = 1  #: CC-51: what a tower counts for when the longest run is found
    second_reckoned: bool = False  #: CC-12, a fault kept: not what a first wall opens


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

#: by version of the rulings, newest first, and by edition: the switches that it sets otherwise
VERSIONS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "2026-12": {},
    "2026-11": {"hu": {"tower_in_run": 1, "second_reckoned": True}},
}
RULINGS: Final = tuple(VERSIONS)


def edition_of(name: str, rulings: str) -> Edition:
    """A rulebook as it is played by a version of the rulings; LookupError where there is none."""
    return EDITIONS[name]._replace(**VERSIONS[rulings].get(name, {}))
