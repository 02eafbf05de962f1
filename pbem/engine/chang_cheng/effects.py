"""The cards whose owner chooses what they do, by kind. The master builder asks nothing.

What lives here: the table; each card's rules are in its own module. Source: CC-21 to CC-26.
"""

from collections.abc import Callable
from typing import NamedTuple

from pbem.engine.chang_cheng import builder, flood, mandarin, traitor, warrior
from pbem.engine.chang_cheng.parts import BUILDER, FLOOD, MANDARIN, TRAITOR, WARRIOR
from pbem.engine.chang_cheng.play import Play
from pbem.engine.chang_cheng.state import Public, Scoring


class Effect(NamedTuple):
    """What its owner may choose, how it is carried out, and the ruling behind it."""

    choices: Callable[[Public, Scoring], tuple[str, ...]]
    do: Callable[[Play, Scoring, list[str]], Scoring]
    ruling: str


EFFECTS = {
    WARRIOR: Effect(warrior.choices, warrior.do, "CC-23"),
    TRAITOR: Effect(traitor.choices, traitor.do, "CC-24"),
    FLOOD: Effect(flood.choices, flood.do, "CC-25"),
    BUILDER: Effect(builder.choices, builder.do, "CC-25"),
    MANDARIN: Effect(mandarin.choices, mandarin.do, "CC-26"),
}
