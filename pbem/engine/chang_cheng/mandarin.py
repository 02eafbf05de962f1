"""The mandarin swaps a single wall of the province with any other, or with one elsewhere.

Source: CC-26.
"""

from pbem.engine.chang_cheng.parts import members
from pbem.engine.chang_cheng.play import Play
from pbem.engine.chang_cheng.state import Public, Scoring
from pbem.engine.event import plain_event


def choices(public: Public, scoring: Scoring) -> tuple[str, ...]:
    """``mandarin A5 B7``: the square in the province first; both in it, the left one first.

    Some editions swap with a wall of another province only.
    """
    singles = 0
    for squares in public.single:
        singles |= squares
    singles &= ~public.broken
    here = public.layout.province_set[scoring.province]
    names = public.layout.squares
    own, others = members(singles & here), members(singles & ~here)
    among = () if public.rules.edition.swap_elsewhere else own
    lines = ["mandarin none"]
    for i, a in enumerate(own):
        first = f"mandarin {names[a]} "
        lines += [first + names[b] for b in sorted((*among[i + 1 :], *others))]
    return tuple(lines)


def do(play: Play, scoring: Scoring, words: list[str]) -> Scoring:
    """Swap, or decline. Nothing is scored a second time, and nobody looks at a counter."""
    table = play.table
    colours, number = table.rules.colours, table.layout.number
    facts = {
        "colour": colours[scoring.cards[0][1]],
        "province": table.layout.provinces[scoring.province],
    }
    if words[1] == "none":
        play.log.append(plain_event("mandarin-none", "CC-26", tuple(facts.items())))
        return scoring
    a, b = 1 << number[words[1]], 1 << number[words[2]]
    owner_a, owner_b = (
        next(c for c, own in enumerate(table.single) if own & square) for square in (a, b)
    )
    facts |= {"a": words[1], "b": words[2]}
    facts |= {"owner_a": colours[owner_a], "owner_b": colours[owner_b]}
    play.log.append(plain_event("mandarin", "CC-26", tuple(facts.items())))
    single = list(table.single)
    single[owner_a] ^= a | b  # each leaves one square and gets the other;
    single[owner_b] ^= a | b  # of one colour, both at once change nothing
    table.single = tuple(single)
    return scoring
