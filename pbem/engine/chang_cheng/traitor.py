"""The traitor breaks a single wall of the province, or takes a threat counter away unseen. Source: CC-24."""

from pbem.engine.chang_cheng.log import Log, put
from pbem.engine.chang_cheng.parts import members
from pbem.engine.chang_cheng.state import Public, Scoring
from pbem.engine.event import event


def breakable(public: Public, scoring: Scoring) -> int:
    """Unbroken single walls of the province, anyone's."""
    singles = 0
    for squares in public.single:
        singles |= squares
    return singles & ~public.broken & public.layout.province_set[scoring.province]


def choices(public: Public, scoring: Scoring) -> tuple[str, ...]:
    """``traitor counter AM1`` and ``traitor break A5``; ``traitor none`` only where neither is."""
    layout = public.layout
    counters = [
        f"traitor counter {layout.regions[r]}"
        for r in layout.borders[scoring.province]
        if public.threat[r] >= 0
    ]
    walls = [f"traitor break {layout.squares[s]}" for s in members(breakable(public, scoring))]
    return (*counters, *walls) or ("traitor none",)


def do(public: Public, scoring: Scoring, words: list[str], log: Log) -> Public:
    """Break it, or take it away. A counter taken away stays sealed: nobody sees it (CC-7)."""
    facts = {
        "colour": public.rules.colours[scoring.cards[0][1]],
        "province": public.layout.provinces[scoring.province],
    }
    if words[1] == "break":
        square = 1 << public.layout.number[words[2]]
        owner = next(c for c, squares in enumerate(public.single) if squares & square)
        facts |= {"square": words[2], "owner": public.rules.colours[owner]}
        log.append(event("traitor-break", "CC-24", facts))
        public = public._replace(broken=public.broken | square)
    elif words[1] == "counter":
        log.append(event("traitor-counter", "CC-24", facts | {"region": words[2]}))
        region = public.layout.region_number[words[2]]
        public = public._replace(threat=put(public.threat, region, -1))
    else:
        log.append(event("traitor-none", "CC-24", facts))
    return public._replace(scoring=scoring._replace(cards=scoring.cards[1:]))
