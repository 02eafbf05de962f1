"""The warrior removes one other card still unresolved in its province. Source: CC-23."""

from pbem.engine.chang_cheng.parts import KINDS
from pbem.engine.chang_cheng.play import Play
from pbem.engine.chang_cheng.state import Public, Scoring
from pbem.engine.event import plain_event


def choices(public: Public, scoring: Scoring) -> tuple[str, ...]:  # noqa: ARG001  (as every card)
    """``warrior flood`` for each other card that is left."""
    return tuple(f"warrior {KINDS[kind]}" for kind, _ in scoring.cards[1:])


def do(play: Play, scoring: Scoring, words: list[str]) -> Scoring:
    """Take its victim off."""
    table = play.table
    kind = KINDS.index(words[1])
    victim = next(entry for entry in scoring.cards[1:] if entry[0] == kind)
    facts = {
        "colour": table.rules.colours[scoring.cards[0][1]],
        "kind": words[1],
        "victim": table.rules.colours[victim[1]],
        "province": table.layout.provinces[scoring.province],
    }
    play.log.append(plain_event("warrior", "CC-23", tuple(facts.items())))
    return scoring._replace(cards=tuple(entry for entry in scoring.cards if entry != victim))


def alone(play: Play, scoring: Scoring) -> Scoring:
    """With no other card left it does nothing, and nobody is asked."""
    table = play.table
    facts = {
        "colour": table.rules.colours[scoring.cards[0][1]],
        "province": table.layout.provinces[scoring.province],
    }
    play.log.append(plain_event("warrior-alone", "CC-23", tuple(facts.items())))
    return scoring
