"""The mandarin swaps a single wall of the province with any other. Source: CC-26 (en: any province)."""

from pbem.engine.chang_cheng.log import Log
from pbem.engine.chang_cheng.parts import members
from pbem.engine.chang_cheng.state import Public, Scoring
from pbem.engine.event import event


def choices(public: Public, scoring: Scoring) -> tuple[str, ...]:
    """``mandarin A5 B7``: the square in the province first; both in it, the left one first."""
    singles = 0
    for squares in public.single:
        singles |= squares
    singles &= ~public.broken
    layout = public.layout
    here = layout.province_set[scoring.province]
    others = members(singles)
    return (
        "mandarin none",
        *(
            f"mandarin {layout.squares[a]} {layout.squares[b]}"
            for a in members(singles & here)
            for b in others
            if b > a or (b != a and not here >> b & 1)
        ),
    )


def do(public: Public, scoring: Scoring, words: list[str], log: Log) -> Public:
    """Swap, or decline. Provinces already scored are not scored again; nobody looks at a counter."""
    facts = {
        "colour": public.rules.colours[scoring.cards[0][1]],
        "province": public.layout.provinces[scoring.province],
    }
    left = scoring._replace(cards=scoring.cards[1:])
    if words[1] == "none":
        log.append(event("mandarin-none", "CC-26", facts))
        return public._replace(scoring=left)
    a, b = (1 << public.layout.number[word] for word in words[1:])
    names = public.rules.colours
    owners = [next(c for c, own in enumerate(public.single) if own & square) for square in (a, b)]
    facts |= {"a": words[1], "b": words[2], "owner_a": names[owners[0]], "owner_b": names[owners[1]]}
    log.append(event("mandarin", "CC-26", facts))
    single = list(public.single)
    single[owners[0]] ^= a
    single[owners[1]] ^= b
    single[owners[0]] |= b
    single[owners[1]] |= a
    return public._replace(single=tuple(single), scoring=left)
