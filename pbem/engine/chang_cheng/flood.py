"""The flood makes its province worth two more or two less. Source: CC-25."""

from pbem.engine.chang_cheng.log import Log
from pbem.engine.chang_cheng.state import Public, Scoring
from pbem.engine.event import event


def choices(public: Public, scoring: Scoring) -> tuple[str, ...]:
    """``flood +2`` and ``flood -2``."""
    return ("flood +2", "flood -2")


def do(public: Public, scoring: Scoring, words: list[str], log: Log) -> Public:
    """Change the value."""
    facts = {
        "colour": public.rules.colours[scoring.cards[0][1]],
        "province": public.layout.provinces[scoring.province],
        "value": words[1],
    }
    log.append(event("flood", "CC-25", facts))
    value = scoring.value + int(words[1])
    return public._replace(scoring=scoring._replace(cards=scoring.cards[1:], value=value))
