"""Which question is open: who has to choose, about what, and among which orders.

Law: only what all see is read here, so ``forced`` tells nothing (R-1).
Source: R-1, GW-11, GW-20, GW-22.
"""

from functools import lru_cache

from pbem.engine.decision import Question
from pbem.engine.great_wall.asked import NOBODY, Asked
from pbem.engine.great_wall.parts import NAMES
from pbem.engine.great_wall.possible import actions, takes
from pbem.engine.great_wall.state import Public

MARKER = "marker"  #: the kind of question put to who may take one


def now_asked(public: Public) -> Asked:
    """The one question that ``public.stage`` stands for; nobody is asked when the game is over."""
    if public.stage == "over":
        return NOBODY
    seat = public.rules.seats[public.seat]
    if public.site >= 0:
        lines = takes(public, public.site)
        question = Question(seat, MARKER, NAMES[public.site], "GW-11", len(lines) == 1)
        return Asked(public.seat, (question,), lines)
    return _about_action(public.seat, seat, public.stage, _one_action_alone(public))


@lru_cache(maxsize=64)  # five seats, two stages
def _about_action(number: int, seat: str, stage: str, forced: bool) -> Asked:
    """The second or the third action of a turn (GW-20)."""
    return Asked(number, (Question(seat, stage, "", "GW-20", forced),), ())


def _one_action_alone(public: Public) -> bool:
    """Whether everybody can see that one action alone is possible.

    With an empty hand one must draw (GW-22). With an empty deck all can tell what is in the hand:
    every card of the colour that has not been played.
    """
    hand = public.known_hand(public.seat)
    return hand is not None and len(actions(public, hand)) == 1
