"""Every way in which Chang Cheng can be played, by number: editions, variants, events, boards."""

from collections.abc import Mapping
from itertools import pairwise, product
from random import Random

EDITIONS = ("en", "fr", "it", "hu")
VARIANTS = ("plain", "neutral", "two-colour")
EVENTS = {"en": ("none", "A,B", "D", "drawn-1", "C", "drawn-2"), "hu": ("none", "C,D", "drawn-2", "A,B")}
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
    options for edition, variant in product(EDITIONS, VARIANTS) for options in ways(edition, variant)
)


def way(players: int, seed: int) -> dict[str, str]:
    """A way to play for so many players; every one of them comes up as the seed grows.

    Every other one is played on small odd boards instead of its own.
    """
    fit = [one for one in WAYS if players == 2 or one["variant"] == "plain"]
    found = dict(fit[seed // 2 % len(fit)])
    return found | odd(seed) if seed % 2 else found


def odd(seed: int) -> dict[str, str]:
    """Boards of 2 to 8 squares, 1 to 3 provinces and regions, and counters, drawn by the seed."""
    random = Random(f"odd {seed}")
    counters = ("".join(random.choices("0123456789", k=15)) for _ in range(2))
    boards = range(random.randint(4, 5))
    return {
        "sides": " ".join(_odd_board(f"x{number}", random) for number in boards),
        "boards": random.choice(("drawn", ",".join(f"x{number}" for number in boards))),
        "counters": "/".join(counters),
    }


def _odd_board(name: str, random: Random) -> str:
    squares = random.randint(2, 8)
    rows = (_parts(squares, random.randint(1, min(3, squares)), random) for _ in range(2))
    return ":".join([name, *rows])


def _parts(squares: int, number: int, random: Random) -> str:
    """So many squares in so many parts, cut anywhere: ``1,4,2``."""
    cuts = [0, *sorted(random.sample(range(1, squares), number - 1)), squares]
    return ",".join(str(b - a) for a, b in pairwise(cuts))
