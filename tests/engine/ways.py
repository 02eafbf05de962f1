"""Every way in which Chang Cheng can be played, by number: editions, variants, events, boards."""

from collections.abc import Mapping
from itertools import product

EDITIONS = ("en", "fr", "it", "hu")
VARIANTS = ("plain", "neutral", "two-colour")
EVENTS = {
    "en": ("none", "A,B", "D", "drawn-1", "C", "drawn-2"),
    "hu": ("none", "C,D", "drawn-2", "A,B"),
}
#: boards of other sizes: one of a single square, a single province, regions of one square
OWN = "tiny:1:1 1a:2,2:1,1,1,1 1b:4:2,2 long:9,2,3:5,5,4 2a:3,3:6"
COUNTERS = "000111222333449/222223333344441"


def ways(edition: str, variant: str) -> list[dict[str, str]]:
    """The options of one edition and variant: each kind of events, boards, seats at least once."""
    rows = []
    for number, events in enumerate(EVENTS.get(edition, EVENTS["en"])):
        options = {"edition": edition, "variant": variant, "events": events}
        if number % 3 == 1:
            options["seats"] = "drawn"
        if number % 2 == 1:
            options |= {"sides": OWN, "counters": COUNTERS}
        rows.append(options)
    return rows


#: edition by edition, variant by variant
WAYS: tuple[Mapping[str, str], ...] = tuple(
    options
    for edition, variant in product(EDITIONS, VARIANTS)
    for options in ways(edition, variant)
)


def way(players: int, seed: int) -> dict[str, str]:
    """A way to play for so many players; every one of them comes up as the seed grows."""
    fit = [one for one in WAYS if players == 2 or one["variant"] == "plain"]
    return dict(fit[seed % len(fit)])
