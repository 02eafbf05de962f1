"""A completed province: its cards are turned up, resolved and counted, then an Emperor is placed.

Law: whatever can be done without asking anybody is done; it stops at a question (stage "card").
Source: CC-20, CC-21, CC-27, CC-29.
"""

from collections import Counter

from pbem.engine.chang_cheng import master_builder, warrior
from pbem.engine.chang_cheng.log import Log, put
from pbem.engine.chang_cheng.parts import KINDS, MASTER_BUILDER, WARRIOR
from pbem.engine.chang_cheng.state import Public, Scoring, State
from pbem.engine.event import ALL, event
from pbem.engine.hidden import seen


def filled(public: Public) -> Public:
    """Put the provinces that have just been filled in the queue, left to right (CC-20)."""
    found = tuple(
        i
        for i, squares in enumerate(public.layout.province_set)
        if not squares & ~public.taken and not public.scored >> i & 1
    )
    return public._replace(queue=found) if found else public


def go_on(state: State, log: Log) -> State:
    """Score what waits to be scored, as far as it goes without a question."""
    while True:
        public = state.public
        if public.scoring is None:
            if not public.queue:
                return state
            state = _turn_up(state, public.queue[0], log)
        elif not public.scoring.cards:
            state = state._replace(public=_count(public, public.scoring, log))
        elif public.scoring.cards[0][0] == MASTER_BUILDER:
            state = state._replace(public=master_builder.do(public, public.scoring, log))
        elif public.scoring.cards[0][0] == WARRIOR and len(public.scoring.cards) == 1:
            state = state._replace(public=warrior.alone(public, public.scoring, log))
        else:
            return state._replace(public=public._replace(stage="card"))


def _turn_up(state: State, province: int, log: Log) -> State:
    """Turn up the cards of a province; kinds that lie there twice go out (CC-21)."""
    public = state.public
    kept, kept_kinds, here, out = [], [], [], list(public.out)
    name = public.layout.provinces[province]
    log.append(event("completed", "CC-20", {"province": name}))
    for card, kind in zip(public.cards, state.kinds, strict=True):
        if card.province != province:
            kept.append(card)
            kept_kinds.append(kind)
            continue
        known = seen(kind)
        here.append((known, card.colour))
        out[card.colour] |= 1 << known
        facts = {"colour": public.rules.colours[card.colour], "kind": KINDS[known], "province": name}
        log.append(event("turned", "CC-21", facts, opens=((ALL, card.slot),)))
    many = Counter(kind for kind, _ in here)
    for kind in sorted(kind for kind, number in many.items() if number > 1):
        log.append(event("cancelled", "CC-21", {"kind": KINDS[kind], "number": many[kind], "province": name}))
    cards = tuple(sorted(entry for entry in here if many[entry[0]] == 1))
    scoring = Scoring(province, cards, 0, (0,) * len(public.rules.colours))
    public = public._replace(cards=tuple(kept), out=tuple(out), scoring=scoring)
    return state._replace(public=public, kinds=tuple(kept_kinds))


def _count(public: Public, scoring: Scoring, log: Log) -> Public:
    """Value and majority (CC-27); an Emperor on the province (CC-29)."""
    province = scoring.province
    squares = public.layout.province_set[province]
    names = public.rules.colours
    walls = (squares & ~public.broken).bit_count()
    value = walls + public.reputation[province] + scoring.value
    count = [(public.standing(c) & squares).bit_count() + scoring.extra[c] for c in range(len(names))]
    most = max(count)
    winners = [c for c, number in enumerate(count) if number == most and most > 0]
    facts: dict[str, str | int] = {
        "province": public.layout.provinces[province],
        "value": value,
        "walls": walls,
        "counter": public.reputation[province],
        "cards": f"{scoring.value:+d}",
        "counts": ",".join(f"{names[c]}:{number}" for c, number in enumerate(count) if number),
        "winners": ",".join(names[c] for c in winners) or "nobody",
    }
    log.append(event("scored", "CC-27", facts, points=tuple((names[c], value) for c in winners)))
    scores = public.scores
    for colour in winners:
        scores = put(scores, colour, scores[colour] + value)
    return public._replace(
        scores=scores,
        scoring=None,
        queue=public.queue[1:],
        scored=public.scored | 1 << province,
        emperors=public.emperors + 1,
    )
