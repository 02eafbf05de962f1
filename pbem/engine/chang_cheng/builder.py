"""The builder makes its province worth two more, or counts as one wall more. Source: CC-25."""

from pbem.engine.chang_cheng.log import Log, put
from pbem.engine.chang_cheng.state import Public, Scoring
from pbem.engine.event import event


def choices(public: Public, scoring: Scoring) -> tuple[str, ...]:
    """``builder value`` and ``builder wall``."""
    return ("builder value", "builder wall")


def do(public: Public, scoring: Scoring, words: list[str], log: Log) -> Public:
    """Change the value, or the majority count alone: the extra wall is worth nothing."""
    colour = scoring.cards[0][1]
    facts = {
        "colour": public.rules.colours[colour],
        "province": public.layout.provinces[scoring.province],
        "effect": words[1],
    }
    log.append(event("builder", "CC-25", facts))
    left = scoring.cards[1:]
    if words[1] == "value":
        return public._replace(scoring=scoring._replace(cards=left, value=scoring.value + 2))
    extra = put(scoring.extra, colour, scoring.extra[colour] + 1)
    return public._replace(scoring=scoring._replace(cards=left, extra=extra))
