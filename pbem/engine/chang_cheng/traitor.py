"""The traitor breaks a single wall of the province, or takes a threat counter away unseen.

Source: CC-24.
"""

from pbem.engine.chang_cheng.parts import members
from pbem.engine.chang_cheng.play import Play, put
from pbem.engine.chang_cheng.state import Public, Scoring
from pbem.engine.event import plain_event


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
        f"traitor counter {layout.regions[region]}"
        for region in layout.borders(scoring.province)
        if public.threat[region] >= 0
    ]
    walls = [f"traitor break {layout.squares[s]}" for s in members(breakable(public, scoring))]
    return (*counters, *walls) or ("traitor none",)


def do(play: Play, scoring: Scoring, words: list[str]) -> Scoring:
    """Break it, or take it away. A counter taken away stays sealed: nobody sees it (CC-7)."""
    table = play.table
    facts = {
        "colour": table.rules.colours[scoring.cards[0][1]],
        "province": table.layout.provinces[scoring.province],
    }
    if words[1] == "break":
        square = 1 << table.layout.number[words[2]]
        owner = next(c for c, squares in enumerate(table.single) if squares & square)
        facts |= {"square": words[2], "owner": table.rules.colours[owner]}
        table.broken |= square
    elif words[1] == "counter":
        facts |= {"region": words[2]}
        table.threat = put(table.threat, table.layout.region_number[words[2]], -1)
    play.log.append(plain_event(f"traitor-{words[1]}", "CC-24", tuple(facts.items())))
    return scoring
