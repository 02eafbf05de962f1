"""How well a seat stands, as far as it knows. For bots that look ahead; no rule reads it.

Source: CC-43.
"""

from pbem.engine.chang_cheng.ending import seat_scores
from pbem.engine.chang_cheng.state import View


def prospects(view: View) -> int:
    """The points by which the View's seat leads the best other one."""
    points = dict(seat_scores(view.public))
    own = points.pop(view.public.rules.seats[view.seat or 0])
    return own - max(points.values())
