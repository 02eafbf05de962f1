"""A completed province: its cards are turned up, resolved and counted, then an Emperor is placed.

Law: whatever can be done without asking anybody is done; it stops at a question (stage "card", or
"board" where a board joins at once).
Source: CC-20, CC-21, CC-27 to CC-29, CC-31.
"""

from pbem.engine.chang_cheng import board, master_builder, warrior
from pbem.engine.chang_cheng.parts import KINDS, MASTER_BUILDER, WARRIOR
from pbem.engine.chang_cheng.play import Play, put
from pbem.engine.chang_cheng.state import Scoring, new
from pbem.engine.event import ALL, event, plain_event
from pbem.engine.hidden import seen


def filled(play: Play, squares: tuple[int, ...]) -> None:
    """Put the provinces that are full with these squares in the queue, left to right (CC-20)."""
    table = play.table
    layout, empty = table.layout, ~table.taken
    for square in squares:
        province = layout.province_of[square]
        if not layout.province_set[province] & empty and province not in table.queue:
            table.queue = (*table.queue, province)


def go_on(play: Play) -> bool:
    """Score what waits to be scored, as far as it goes; whether it came to a question."""
    table = play.table
    while table.scoring is not None or table.queue:
        scoring = table.scoring
        if scoring is None:
            _turn_up(play, table.queue[0])
        elif not scoring.cards:
            _count(play, scoring)
            if table.rules.edition.board_at_once and board.due(table):
                table.stage = "board"
                return True
        elif scoring.cards[0][0] == MASTER_BUILDER:
            resolved(play, master_builder.do(play, scoring))
        elif scoring.cards[0][0] == WARRIOR and len(scoring.cards) == 1:
            resolved(play, warrior.alone(play, scoring))
        else:
            table.stage = "card"
            return True
    return False


def resolved(play: Play, scoring: Scoring) -> None:
    """The first card has done what it does; the next one is on."""
    play.table.scoring = scoring.rest()


def _turn_up(play: Play, province: int) -> None:
    """Turn up the cards of a province; kinds that lie there twice go out (CC-21)."""
    table = play.table
    kept, kept_kinds, here = [], [], []
    name = table.layout.provinces[province]
    play.log.append(plain_event("completed", "CC-20", (("province", name),)))
    for card, kind in zip(table.cards, play.kinds, strict=True):
        if card.province != province:
            kept.append(card)
            kept_kinds.append(kind)
            continue
        known = seen(kind)
        here.append((known, card.colour))
        table.out = put(table.out, card.colour, table.out[card.colour] | 1 << known)
        colour = table.rules.colours[card.colour]
        facts = (("colour", colour), ("kind", KINDS[known]), ("province", name))
        play.log.append(plain_event("turned", "CC-21", facts, opens=((ALL, card.slot),)))
    table.cards, play.kinds = tuple(kept), tuple(kept_kinds)
    cards = _without_doubles(play, here, name) if len(here) > 1 else tuple(here)
    table.scoring = new(Scoring, (province, cards, 0, (0,) * len(table.rules.colours)))


def _without_doubles(
    play: Play, here: list[tuple[int, int]], province: str
) -> tuple[tuple[int, int], ...]:
    """The (kind, colour) pairs whose kind lies there once, in rising priority."""
    kinds = [kind for kind, _ in here]
    twice = sorted({kind for kind in kinds if kinds.count(kind) > 1})
    for kind in twice:
        facts = {"kind": KINDS[kind], "number": kinds.count(kind), "province": province}
        play.log.append(event("cancelled", "CC-21", facts))
    return tuple(sorted([entry for entry in here if entry[0] not in twice]))


def _count(play: Play, scoring: Scoring) -> None:
    """Value and majority (CC-27); an Emperor on the province (CC-29)."""
    table, province = play.table, scoring.province
    squares = table.layout.province_set[province]
    names = table.rules.colours
    walls = (squares & ~table.broken).bit_count()
    value = walls + table.reputation[province] + scoring.value
    count = [own + extra for own, extra in zip(table.unbroken(squares), scoring.extra, strict=True)]
    most = max(count)
    winners = [
        c
        for c, number in enumerate(count)
        if number == most and most > 0 and c != table.rules.neutral  # CC-28
    ]
    facts = (
        ("province", table.layout.provinces[province]),
        ("value", str(value)),
        ("walls", str(walls)),
        ("counter", str(table.reputation[province])),
        ("cards", f"{scoring.value:+d}"),
        ("counts", ",".join([f"{names[c]}:{number}" for c, number in enumerate(count) if number])),
        ("winners", ",".join([names[c] for c in winners]) or "nobody"),
    )
    points = tuple([(table.rules.owner[c], value) for c in winners])
    play.log.append(plain_event("scored", "CC-27", facts, points))
    for colour in winners:
        table.scores = put(table.scores, colour, table.scores[colour] + value)
    table.scoring = None
    table.queue = table.queue[1:]
    table.scored |= 1 << province
    table.emperors += 1
