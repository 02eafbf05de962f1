"""The warrior removes one other card still unresolved in its province. Source: CC-23."""

from pbem.engine.chang_cheng.log import Log
from pbem.engine.chang_cheng.parts import KINDS
from pbem.engine.chang_cheng.state import Public, Scoring
from pbem.engine.event import event


def choices(public: Public, scoring: Scoring) -> tuple[str, ...]:
    """``warrior flood`` for each other card that is left."""
    return tuple(f"warrior {KINDS[kind]}" for kind, _ in scoring.cards[1:])


def do(public: Public, scoring: Scoring, words: list[str], log: Log) -> Public:
    """Take the warrior and its victim off."""
    (_, colour), *others = scoring.cards
    kind = KINDS.index(words[1])
    victim = next(entry for entry in others if entry[0] == kind)
    facts = {
        "colour": public.rules.colours[colour],
        "kind": words[1],
        "victim": public.rules.colours[victim[1]],
        "province": public.layout.provinces[scoring.province],
    }
    log.append(event("warrior", "CC-23", facts))
    left = tuple(entry for entry in others if entry != victim)
    return public._replace(scoring=scoring._replace(cards=left))


def alone(public: Public, scoring: Scoring, log: Log) -> Public:
    """With no other card left it does nothing, and nobody is asked."""
    facts = {
        "colour": public.rules.colours[scoring.cards[0][1]],
        "province": public.layout.provinces[scoring.province],
    }
    log.append(event("warrior-alone", "CC-23", facts))
    return public._replace(scoring=scoring._replace(cards=scoring.cards[1:]))
