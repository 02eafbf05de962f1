"""How much the tests try: a sample in `make test`, and whole or far more in `make test-long`.

What lives here: whether this is the long run, and the size of everything that has two sizes.
What must never be here: a test that runs in one of them alone.
Source: Makefile `test-long`; CONTRIBUTING.md "Two sizes".
"""

import os

LONG = os.environ.get("PBEM_LONG") == "1"

#: what is counted → (make test, make test-long); beside it the CPU seconds of all in the long run,
#: reckoned in 2026-11 from the seconds of some: 4,700 together, and 900 for what has one size
SIZES = {
    # pairs of twins, for each number of players
    "twins of Chang Cheng": (4, 80),  # 150
    "twins of Great Wall": (4, 60),  # 150
    "twins of a plug-in": (3, 50),  # 110
    "twins by commands": (2, 30),  # 130
    "twins with keys": (1, 30),  # 120
    "twins with unlike desks": (2, 28),  # 200
    "tries to find a planted leak": (60, 200),  # 20: the seed that found it comes first
    # whole games
    "games under all laws": (2, 30),  # 235, for each number of players
    "games of an edition under all laws": (1, 40),  # 90, for each edition and variant
    "games with every spelling": (6, 120),  # 110
    "games to the end": (100, 2000),  # 30
    "games with every first step": (30, 1500),  # 75
    "games against the rules written again": (30, 1000),  # 30
    "games with signed orders": (6, 100),  # 40
    "honest games by commands": (4, 40),  # 200
    # states altered by their referee: every n-th way, and every leaf of some states or of all: 260
    "odd leaves for verify": (12, 2),  # 90
    "odd leaves for an audit": (40, 6),  # 300
    "odd rows": (14, 2),  # 125
    "positions that are none": (12, 1_000),  # 60
    # bytes: every n-th
    "bytes of a state": (11, 1),  # 30
    "bytes of an archive": (9973, 61),  # 105
    "bytes of a block": (9, 60),  # 20, so many of them
    # commands killed, or on a full drive: every n-th operation on files
    "operations struck": (5, 1),  # 480
    "system calls struck": (8, 60),  # 70, so many of them
    "operations struck in commands": (97, 9),  # 280: of 27 commands, in five ways
    "rounds of commands at once": (3, 25),  # 125
    "games of a backup": (4, 110),  # 60, of 1,000 files
    # four commands at a time, half of them killed
    "games under strain": (5, 50),
    "seconds of strain": (8, 120),  # 240: of two cores
    # mails
    "games by email": (1, 3),  # 180, of each kind
    "players by email": (2, 4),
    "runs of a timer": (40, 600),
    "games in trouble": (1, 3),  # 240, of each kind: over 1,000 faults in all
    "faults at a time": (1, 5),
    "faults of a game": (20, 170),  # at least
    # games with deadlines
    "years of a club": (1, 20),
    "games of the first club": (3, 50),  # 300
    "games of a club": (1, 2),  # 300, of the other clubs
    "days of a club": (45, 365),
    # everything that is read, mutated
    "mutated mails": (40, 3_000),  # 70
    "mutated move and view files": (60, 15_000),  # 110
    "mutated states": (12, 1_800),  # 200, signed anew and not
    "mutated archives": (12, 900),  # 115
    "mutated desks": (20, 1_800),  # 90
    "mutated bytes for readers": (150, 125_000),  # 400, of eight readers: a million
    "mails with a hidden password": (25, 300),  # 30
}


def size(what: str) -> int:
    """How much of it in this run."""
    return SIZES[what][LONG]
