"""The flood makes its province worth two more or two less. Source: CC-25."""

from pbem.engine.chang_cheng.play import Play
from pbem.engine.chang_cheng.state import Public, Scoring
from pbem.engine.event import plain_event


def choices(public: Public, scoring: Scoring) -> tuple[str, ...]:  # noqa: ARG001  (as every card)
    """``flood +2`` and ``flood -2``."""
    return ("flood +2", "flood -2")


def do(play: Play, scoring: Scoring, words: list[str]) -> Scoring:
    """Change the value."""
    table = play.table
    facts = {
        "colour": table.rules.colours[scoring.cards[0][1]],
        "province": table.layout.provinces[scoring.province],
        "value": words[1],
    }
    play.log.append(plain_event("flood", "CC-25", tuple(facts.items())))
    return scoring.worth(int(words[1]))
