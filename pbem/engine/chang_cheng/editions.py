"""What the four rulebooks play differently: a row of switches for each.

What lives here: the table. It is the only place that knows an edition by its name; a rule reads a
switch of ``Rules.edition`` (decision 0004).
Source: CC-15, CC-26, CC-31, CC-51, CC-60; the number of events.
"""

from typing import Final, NamedTuple


class Edition(NamedTuple):
    """One rulebook."""

    title: str
    reserve_named: bool  #: CC-15: a tower's square is named when it is placed, and stays named
    swap_elsewhere: bool  #: CC-26: a mandarin swaps with a wall of another province only
    board_at_once: (
        bool  #: CC-31: a board joins when the third Emperor is placed, not after the turn
    )
    only_longest: bool  #: CC-51: dominance pays the longest run of all, not each colour's longest
    neutral_with_wall: bool  #: CC-60: after card and wall, the neutral wall goes in that province
    events: tuple[int, ...]  #: how many events there can be
    book: str  #: for players


EDITIONS: Final = {
    "en": Edition("en", True, False, False, False, False, (0, 1, 2), "the English rulebook"),
    "fr": Edition("fr", True, True, False, False, False, (0, 1, 2), "the French rulebook"),
    "it": Edition("it", True, False, False, False, False, (0, 1, 2), "the Italian rulebook"),
    "hu": Edition(
        "hu (fan translation)",
        False,
        True,
        True,
        True,
        True,
        (0, 2),
        "the Hungarian rulebook, a fan translation",
    ),
}
