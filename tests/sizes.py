"""How much the tests try: a sample in `make test`, and whole, or far more, in `make test-long`.

What lives here: whether this is the long run, and the size of everything that has two sizes.
What must never be here: a test that runs in one of them alone.
Source: Makefile `test-long`; CONTRIBUTING.md "Two sizes".
"""

import os

LONG = os.environ.get("PBEM_LONG") == "1"

#: what is counted → (make test, make test-long); beside it the CPU seconds of each, in 2026-11
SIZES = {
    # pairs of twins, for each number of players
    "twins of Chang Cheng": (4, 120),  # 0.8
    "twins of Great Wall": (4, 80),  # 1.0
    "twins of a plug-in": (3, 80),  # 0.6
    "twins by commands": (2, 30),  # 2
    "twins with keys": (1, 40),  # 2
    "twins with unlike desks": (2, 40),  # 1.3
    "tries to find a planted leak": (60, 200),  # few are needed: the seed that found it comes first
    # whole games
    "games under all laws": (2, 60),  # for each number of players; 0.2 and 1.5
    "games of an edition under all laws": (1, 40),  # 0.2
    "games with every spelling": (6, 120),  # 0.5
    "games to the end": (100, 2000),  # 0.01
    "games with every first step": (30, 1000),  # 0.02
    "games against the rules written again": (30, 1000),  # 0.02
    "games with signed orders": (6, 100),  # 0.2
    # states altered by their referee: every n-th way
    "odd leaves for verify": (12, 1),
    "odd leaves for an audit": (40, 3),
    "odd rows": (14, 2),
    # bytes: every n-th
    "bytes of a state": (11, 1),
    "bytes of a block": (9, 60),  # so many
    "bytes of an archive": (9973, 97),
    # commands killed, or on a full drive: every n-th operation on files
    "operations struck": (5, 1),
    "system calls struck": (8, 60),  # so many
    "rounds of commands at once": (3, 40),  # 0.7
    # mails
    "mails with a hidden password": (25, 300),  # 0.1
}


def size(what: str) -> int:
    """How much of it in this run."""
    return SIZES[what][LONG]
