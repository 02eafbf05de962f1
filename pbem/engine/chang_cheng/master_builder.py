"""The master builder counts as two walls more; nobody is asked. Source: CC-25."""

from pbem.engine.chang_cheng.play import Play
from pbem.engine.chang_cheng.state import Scoring
from pbem.engine.event import plain_event


def do(play: Play, scoring: Scoring) -> Scoring:
    """Two extra walls in the majority count."""
    table = play.table
    colour = scoring.cards[0][1]
    facts = {
        "colour": table.rules.colours[colour],
        "province": table.layout.provinces[scoring.province],
    }
    play.log.append(plain_event("master-builder", "CC-25", tuple(facts.items())))
    return scoring.counting(colour, 2)
