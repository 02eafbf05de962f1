"""Every order of Chang Cheng that can be spelled on a board; legal ones are few among them."""

from itertools import pairwise
from typing import Any

from pbem.engine.chang_cheng.layout import KINDS


def spellable(position: dict[str, Any]) -> tuple[str, ...]:
    """From the names in the public part of a position."""
    provinces = [row.split()[0] for row in position["provinces"]]
    regions = [row.split()[0] for row in position["regions"]]
    squares = []
    for row in position["boards"]:
        letter, _, sizes, *_ = row.replace(":", " ").split()
        squares += [f"{letter}{i}" for i in range(1, sum(map(int, sizes.split(","))) + 1)]
    beside = [pair for left, right in pairwise(squares) for pair in ((left, right), (right, left))]
    return (
        *(f"wall {one}" for one in (*squares, "Z9")),
        *(f"card {kind} {province}" for kind in KINDS for province in (*provinces, "ZP1")),
        *(f"double {one} {other}" for one, other in pairwise(squares)),
        *(f"tower {one}" for one in squares),
        *(f"tower {one} reserve {other}" for one, other in beside),
        *(f"warrior {kind}" for kind in KINDS),
        *(f"traitor break {one}" for one in squares),
        *(f"traitor counter {one}" for one in regions),
        *(f"mandarin {one} {other}" for one in squares[::3] for other in squares[::4]),
        *("traitor none", "flood +2", "flood -2", "builder value", "builder wall"),
        *("mandarin none", "pass", "board left", "board right"),
    )
