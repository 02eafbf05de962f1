"""A completed province: its cards are turned up, resolved and counted, then an Emperor is placed.

Law: whatever can be done without asking anybody is done; it stops at a question (stage "card", or
"board" where a board joins at once).
Source: CC-20, CC-21, CC-27 to CC-29, CC-31.
"""

from pbem.engine.chang_cheng import effects
from pbem.engine.chang_cheng.layout import KINDS, MASTER_BUILDER, WARRIOR
from pbem.engine.chang_cheng.placing import joins_with
from pbem.engine.chang_cheng.state import Play, Public, Scoring
from pbem.engine.decision import ALL, Outcome, event, plain_event
from pbem.engine.hidden import seen
from pbem.engine.table import new, put


def end(play: Play, ruling: str) -> None:
    """The game is over by this ruling (CC-40 or CC-41): attack, then the last word."""
    table = play.table
    play.log.append(event("over", ruling))
    for region, place in enumerate(table.threat):
        if place >= 0:
            _attack(play, region)
    pay(play)
    table.stage, table.ended_by = "over", ruling
    result = outcome(table)
    if result is not None:  # it has just ended
        play.log.append(event("won", "CC-43", {"winners": ",".join(result.winners)}))


def _attack(play: Play, region: int) -> None:
    """A region's counter is turned up; the colours with most unbroken walls there lose (CC-42)."""
    table = play.table
    place, names = table.threat[region], table.rules.colours
    value = seen(play.threat[place])
    squares = table.layout.region_set[region]
    count = table.unbroken(squares)
    most = max(count)
    hit = [c for c, number in enumerate(count) if number == most and most > 0]
    safe = [c for c in hit if table.tower[c] & squares]
    losers = [c for c in hit if c not in safe and c != table.rules.neutral]
    facts = (
        ("region", table.layout.regions[region]),
        ("counter", str(value)),
        ("counts", ",".join([f"{names[c]}:{n}" for c, n in enumerate(count) if n]) or "-"),
        ("safe", ",".join([names[c] for c in safe]) or "-"),
        ("losers", ",".join([names[c] for c in losers]) or "nobody"),
    )
    points = tuple([(table.rules.owner[c], -value) for c in losers])
    face_up = table.turned[place] is not None  # CC-53: all know it already
    opens = () if face_up else ((ALL, table.rules.slot("threat", place)),)
    play.log.append(plain_event("attack", "CC-42", facts, points, opens))
    for colour in losers:
        table.scores = put(table.scores, colour, table.scores[colour] - value)
    table.turned = put(table.turned, place, value)


def seat_scores(public: Public) -> tuple[tuple[str, int], ...]:
    """Points by seat: the sum of the seat's colours."""
    totals = [0] * len(public.rules.seats)
    for seat, colours in enumerate(public.rules.own):
        totals[seat] = sum([public.scores[colour] for colour in colours])
    return tuple(zip(public.rules.seats, totals, strict=True))


def outcome(public: Public) -> Outcome | None:
    """Most points win, all tied win (CC-43); None before the end.

    Of players with two colours, the one with the best single colour wins a tie (CC-61).
    """
    if not public.ended_by:
        return None
    scores, own = seat_scores(public), public.rules.own
    rank = [
        (points, max(public.scores[colour] for colour in colours))
        for (_, points), colours in zip(scores, own, strict=True)
    ]
    best = max(rank)
    winners = tuple(seat for (seat, _), place in zip(scores, rank, strict=True) if place == best)
    return Outcome(scores, winners, public.ended_by)


#: what diplomacy pays (CC-50), and an action card never played (CC-52)
FOR_MOST_PROVINCES, FOR_A_CARD = 4, 2

#: by colour: what was counted, and the points it brings
Paid = tuple[tuple[int, ...], tuple[int, ...]]


def pay(play: Play) -> None:
    """Each event in play pays, in the order A B C."""
    table = play.table
    if "A" in table.rules.events:
        _paid(play, "diplomacy", "CC-50", _diplomacy(table))
    if "B" in table.rules.events:
        _paid(play, "dominance", "CC-51", _dominance(table))
    if "C" in table.rules.events:  # a card that lies face down was played
        _paid(play, "reward", "CC-52", (table.held, tuple(FOR_A_CARD * n for n in table.held)))


def _diplomacy(public: Public) -> Paid:
    """The colours with an unbroken wall in most provinces."""
    there = [public.unbroken(squares) for squares in public.layout.province_set]
    count = tuple(sum(1 for walls in there if walls[c]) for c in _colours(public))
    return count, tuple(FOR_MOST_PROVINCES if n == max(count) > 0 else 0 for n in count)


def _dominance(public: Public) -> Paid:
    """The longest unbroken run along the chain: each colour's, or the longest of all alone."""
    edition = public.rules.edition
    found = [_longest(public, colour, edition.tower_in_run - 1) for colour in _colours(public)]
    counted = tuple(run for run, _ in found)
    best = max(counted) if edition.only_longest else 0
    return counted, tuple(squares if run >= best else 0 for run, squares in found)


def _longest(public: Public, colour: int, more: int) -> tuple[int, int]:
    """A colour's longest unbroken run as it is counted, a tower for so much more; its squares."""
    tower = public.tower[colour]
    left = (public.single[colour] | public.double[colour] | tower) & ~public.broken
    best = (0, 0)
    while left:
        after = left + (left & -left)  # carries through the first run, into the gap behind it
        run = left & ~after
        squares = run.bit_count()
        best = max(best, (squares + more * bool(run & tower), squares))
        left &= after
    return best


def _colours(public: Public) -> range:
    """The colours that belong to somebody."""
    return range(len(public.rules.colours) - (public.rules.neutral >= 0))


def _paid(play: Play, kind: str, ruling: str, paid: Paid) -> None:
    """Add the points, and tell."""
    table = play.table
    names, owner = table.rules.colours, table.rules.owner
    count, points = paid
    counted = [f"{names[c]}:{count[c]}" for c in _colours(table) if count[c]]
    gained = [c for c in _colours(table) if points[c]]
    for colour in gained:
        table.scores = put(table.scores, colour, table.scores[colour] + points[colour])
    facts = [
        ("counts", ",".join(counted) or "-"),
        ("points", ",".join([f"{names[c]}:{points[c]}" for c in gained]) or "-"),
    ]
    tower = table.rules.edition.tower_in_run
    if kind == "dominance" and tower > 1:  # then what was counted is not what is paid
        facts.append(("tower", str(tower)))
    gains = tuple((owner[c], points[c]) for c in gained)
    play.log.append(plain_event(kind, ruling, tuple(facts), gains))


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
            if table.rules.edition.board_at_once and joins_with(table, table.emperors):
                table.stage = "board"
                return True
        elif scoring.cards[0][0] == MASTER_BUILDER:
            resolved(play, effects.do_master_builder(play, scoring))
        elif scoring.cards[0][0] == WARRIOR and len(scoring.cards) == 1:
            resolved(play, effects.warrior_alone(play, scoring))
        else:
            table.stage = "card"
            return True
    return False


def resolved(play: Play, scoring: Scoring) -> None:
    """The first card has done what it does; the next one is on."""
    play.table.scoring = scoring._replace(cards=scoring.cards[1:])


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
    twice = [kind for kind in range(len(KINDS)) if kinds.count(kind) > 1]
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
    winners = [c for c in _colours(table) if count[c] == most and most > 0]  # CC-28
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
