"""How much the tests try: a sample in `make test`, and whole or far more in `make test-long`.

What lives here: whether this is the long run, and the size of everything that has two sizes.
Not allowed here: a test that runs in one of them alone.
Source: Makefile `test-long`; CONTRIBUTING.md "Two sizes".
"""

import os
from collections.abc import Sequence
from hashlib import shake_256
from typing import TypeVar

T = TypeVar("T")
LONG = os.environ.get("PBEM_LONG") == "1"

#: what is counted → (make test, make test-long); beside it the CPU seconds of all in the long run,
#: reckoned in 2026-11 from the seconds of some: 4,000 together, and 900 for what has one size
SIZES = {
    # pairs of twins, for each number of players
    "numbers of players of other twins": (1, 9),
    "worlds of use": (1, 9),
    "leaks planted in Great Wall": (1, 9),
    "twins of Chang Cheng": (1, 40),  # 75
    "twins of Great Wall": (1, 20),  # 75
    "twins of a plug-in": (2, 25),  # 55
    "twins by commands": (1, 15),  # 65
    "twins with keys": (1, 15),  # 60
    "twins with unlike desks": (1, 14),  # 100
    "tries to find a planted leak": (60, 200),  # 20: the seed that found it comes first
    "leaks planted": (8, 1_000),  # of 29
    # whole games
    "games under all laws": (1, 15),  # 120, for each number of players
    "games of an edition under all laws": (1, 20),  # 45, for each edition and variant
    "games with every spelling": (3, 60),  # 55
    "positions for standings": (300, 4_000),  # 60
    "games to the end": (40, 2000),  # 30
    "kept games to the end": (1, 8),  # 50
    "games with every first step": (12, 750),  # 38
    "games against the rules written again": (12, 1000),  # 30
    "games with signed orders": (3, 50),  # 20
    "honest games by commands": (2, 20),  # 100
    # states altered by their referee: every n-th way, and every leaf of some states or of all: 260
    "leaves of a state": (6, 1),  # 20
    "odd leaves for verify": (36, 4),  # 45
    "odd leaves for an audit": (240, 16),  # 110
    "odd rows": (40, 4),  # 65
    "positions that are none": (12, 1_000),  # 60
    # bytes: every n-th
    "bytes of a state": (33, 1),  # 30
    "bytes of an archive": (9973, 121),  # 50
    "bytes of a block": (9, 60),  # 20, so many of them
    # commands killed, or on a full drive: every n-th operation on files
    "operations struck": (30, 1),  # 480
    "system calls struck": (5, 60),  # 70, so many of them
    "commands struck": (9, 99),  # of 27
    "operations struck in commands": (20, 1),  # 280: every ninth of 27 commands, in five ways
    "commands whose reads fail": (9, 99),  # of 37
    "reads of a tick struck": (400, 9),
    "reads struck": (300, 9),  # 1,200: each read of 37 commands in one of three ways
    "rounds of commands at once": (2, 15),  # 75
    "games of a backup": (4, 110),  # 60, of 1,000 files
    # four commands at a time, half of them killed
    "games under strain": (5, 50),
    "seconds of strain": (5, 60),  # 120: of two cores
    # what lies in files
    "vectors of games": (80, 1_000),  # of 244
    "examples played again": (1, 9),  # of 5
    # mails
    "games by email": (1, 3),  # 180, of each kind
    "players by email": (2, 4),
    "runs of a timer": (24, 600),
    "games in trouble": (1, 2),  # 240, of each kind: over 1,000 faults in all
    "faults at a time": (1, 5),
    "faults of a game": (20, 170),  # at least
    "kinds of games by taps": (1, 4),  # 60
    "kinds of games in trouble": (1, 2),
    "players of a browser's game": (3, 5),
    "games in a browser": (2, 9),  # of 4
    "emails in a browser": (2, 4),  # 15, of each game, twice as wide, dark and light
    "screenshots of a game": (1, 4),  # 10, in three ways each
    # games with deadlines
    "years of a club": (1, 8),
    "games of the first club": (3, 50),  # 500: 6,000 states
    "games of a club": (1, 2),  # 140, of the other clubs
    "days of a club": (25, 365),
    # everything that is read, mutated
    "mutated mails": (10, 1_500),  # 70
    "mutated move and view files": (15, 4_000),  # 60
    "mutated states": (6, 450),  # 100, signed anew and not
    "mutated archives": (6, 450),  # 60
    "mutated desks": (8, 900),  # 90
    "mutated bytes for readers": (60, 6_000),  # 160, of eight readers; an email takes 12 ms
    "mails with a hidden password": (6, 300),  # 30
    "emails of any words": (60, 4_000),  # 100
    "games of hostile words": (2, 150),  # 120
}


def size(what: str) -> int:
    """How much of it in this run."""
    return SIZES[what][LONG]


def chance(what: str) -> int:
    """A number drawn for the test that asks, by the seed that the run prints (conftest.py)."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
    mark = f"{os.environ.get('PBEM_SEED', '')} {test} {what}"
    return int.from_bytes(shake_256(mark.encode()).digest(8))


def every(what: str, first: int, last: int) -> list[int]:
    """The first, every n-th from a drawn one on, and the last: over many runs all are seen."""
    step = size(what)
    begin = first + chance(what) % min(step, last - first + 1)
    return sorted({min(first, last), *range(begin, last, step), last})


def drawn(what: str, items: Sequence[T]) -> list[T]:
    """As many of these as this run tries, drawn, in their order; for the parameters of tests, which
    are known before any of them runs.
    """
    order = sorted(range(len(items)), key=lambda at: chance(f"{what} {at}"))
    return [items[at] for at in sorted(order[: size(what)])]


def seeds(what: str) -> list[int]:
    """As many as this run tries, drawn; each is printed, and shown where a test fails."""
    found = [chance(f"{what} {number}") % 2**32 for number in range(size(what))]
    print(f"seeds of {what}: {found}")
    return found
