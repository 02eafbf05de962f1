"""Guards rise: of one colour at one site the first is worth 1, the second 2, and so on.

Only those in play count, and they need not be next to each other. Source: GW-23.
"""


def worth(guards: int) -> int:
    """What so many guards of one colour are worth together."""
    return guards * (guards + 1) // 2
