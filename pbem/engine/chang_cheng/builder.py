"""The builder makes its province worth two more, or counts as one wall more. Source: CC-25."""

from pbem.engine.chang_cheng.play import Play
from pbem.engine.chang_cheng.state import Public, Scoring
from pbem.engine.event import plain_event


def choices(public: Public, scoring: Scoring) -> tuple[str, ...]:  # noqa: ARG001  (as every card)
    """``builder value`` and ``builder wall``."""
    return ("builder value", "builder wall")


def do(play: Play, scoring: Scoring, words: list[str]) -> Scoring:
    """Change the value, or the majority count alone: the extra wall is worth nothing."""
    table = play.table
    colour = scoring.cards[0][1]
    facts = {
        "colour": table.rules.colours[colour],
        "province": table.layout.provinces[scoring.province],
        "effect": words[1],
    }
    play.log.append(plain_event("builder", "CC-25", tuple(facts.items())))
    if words[1] == "value":
        return scoring.worth(2)
    return scoring.counting(colour, 1)
