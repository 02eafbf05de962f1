"""The master builder counts as two walls more; nobody is asked. Source: CC-25."""

from pbem.engine.chang_cheng.log import Log, put
from pbem.engine.chang_cheng.state import Public, Scoring
from pbem.engine.event import event


def do(public: Public, scoring: Scoring, log: Log) -> Public:
    """Two extra walls in the majority count."""
    colour = scoring.cards[0][1]
    facts = {
        "colour": public.rules.colours[colour],
        "province": public.layout.provinces[scoring.province],
    }
    log.append(event("master-builder", "CC-25", facts))
    extra = put(scoring.extra, colour, scoring.extra[colour] + 2)
    return public._replace(scoring=scoring._replace(cards=scoring.cards[1:], extra=extra))
