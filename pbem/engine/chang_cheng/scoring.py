"""Scores complete provinces, and the game at its end.

When a province is full, its cards are turned up and take effect one by one, then its points are paid.
Law: scoring continues until a player has to choose (stage "card", or "board" in an edition in which
a board joins at once).
Source: CC-20, CC-21, CC-27 to CC-29, CC-31.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pbem.engine.chang_cheng import effects
from pbem.engine.chang_cheng.layout import KINDS, MASTER_BUILDER, WARRIOR
from pbem.engine.chang_cheng.placing import board_joins
from pbem.engine.chang_cheng.state import Play, Public, Scoring, TurnedCard
from pbem.engine.decision import ALL, Outcome, event, event_from_texts
from pbem.engine.hidden import seen
from pbem.engine.table import new_tuple, replace_item


def end_game(play: Play, ruling: str) -> None:
    """End the game by this rule (CC-40 or CC-41): let the Mongols attack, pay events, find the winners."""
    table = play.table
    play.log.append(event("over", ruling))
    for region, place in enumerate(table.threat_places):
        if place >= 0:
            _attack(play, region)
    pay_events(play)
    table.stage = "over"
    table.ended_by = ruling
    result = outcome(table)
    if result is not None:  # never None, because the game is over
        play.log.append(event("won", "CC-43", {"winners": ",".join(result.winners)}))


class Attack(NamedTuple):
    """Whom the Mongols attack in a region (CC-42)."""

    counts: list[int]  #: by colour: unbroken walls there
    safe: list[int]  #: colours that are attacked and saved by their tower
    losers: list[int]  #: colours of players that lose the value of the counter


def attack_on(public: Public, region: int) -> Attack:
    """Find the colours with most unbroken walls in a region, as the walls are now."""
    squares = public.layout.region_set[region]
    counts = public.count_unbroken(squares)
    most = max(counts)
    attacked = [colour for colour, number in enumerate(counts) if number == most and most > 0]
    safe = [colour for colour in attacked if public.tower[colour] & squares]
    losers = [colour for colour in attacked if colour not in safe and colour != public.rules.neutral_colour]
    return Attack(counts, safe, losers)


def _attack(play: Play, region: int) -> None:
    """Turn up a region's counter. The colours with most unbroken walls there lose points (CC-42)."""
    table = play.table
    place, names = table.threat_places[region], table.rules.colours
    value = seen(play.threat[place])
    count, safe, losers = attack_on(table, region)
    facts = (
        ("region", table.layout.regions[region]),
        ("counter", str(value)),
        ("counts", ",".join([f"{names[c]}:{n}" for c, n in enumerate(count) if n]) or "-"),
        ("safe", ",".join([names[c] for c in safe]) or "-"),
        ("losers", ",".join([names[c] for c in losers]) or "nobody"),
    )
    points = tuple([(table.rules.owners[c], -value) for c in losers])
    is_face_up = table.face_up_threats[place] is not None  # CC-53
    opens = () if is_face_up else ((ALL, table.rules.slot("threat", place)),)
    play.log.append(event_from_texts("attack", "CC-42", facts, points, opens))
    for colour in losers:
        table.scores = replace_item(table.scores, colour, table.scores[colour] - value)
    table.face_up_threats = replace_item(table.face_up_threats, place, value)


def seat_scores(public: Public) -> tuple[tuple[str, int], ...]:
    """Return the points of each seat, the sum of its colours' points."""
    totals = [sum([public.scores[colour] for colour in colours]) for colours in public.rules.colours_by_seat]
    return tuple(zip(public.rules.seats, totals, strict=True))


def outcome(public: Public) -> Outcome | None:
    """Return the outcome: the seats with most points win (CC-43). Return None before the end.

    If players have two colours, the better one of each breaks a tie (CC-61).
    """
    if not public.ended_by:
        return None
    scores, colours_by_seat = seat_scores(public), public.rules.colours_by_seat
    ranks = [
        (points, max(public.scores[colour] for colour in colours))
        for (_, points), colours in zip(scores, colours_by_seat, strict=True)
    ]
    best = max(ranks)
    winners = tuple(seat for (seat, _), seat_rank in zip(scores, ranks, strict=True) if seat_rank == best)
    return Outcome(scores, winners, public.ended_by)


DIPLOMACY_POINTS = 4  # CC-50
CARD_POINTS = 2  # for each card never played, CC-52


class Payment(NamedTuple):
    """By colour, what an event counts, and the points that it pays."""

    counts: tuple[int, ...]
    points: tuple[int, ...]


class Run(NamedTuple):
    """Neighbouring squares under unbroken walls of one colour."""

    value: int  #: the length for comparing runs, in which a tower may count more than one square
    squares: int  #: their number


def pay_events(play: Play) -> None:
    """Pay the points of the events in play, in the order A B C. Event D pays nothing."""
    table = play.table
    if "A" in table.rules.events:
        _pay(play, "diplomacy", "CC-50", _diplomacy_payment(table))
    if "B" in table.rules.events:
        _pay(play, "dominance", "CC-51", _dominance_payment(table))
    if "C" in table.rules.events:  # face-down cards count as played
        _pay(play, "reward", "CC-52", Payment(table.hand_sizes, tuple(CARD_POINTS * n for n in table.hand_sizes)))


def _diplomacy_payment(public: Public) -> Payment:
    """Return what Diplomacy pays to the colours with unbroken walls in the most provinces (CC-50)."""
    unbroken_by_province = [public.count_unbroken(squares) for squares in public.layout.province_set]
    count = tuple(sum(1 for walls in unbroken_by_province if walls[c]) for c in _player_colours(public))
    return Payment(count, tuple(DIPLOMACY_POINTS if n == max(count) > 0 else 0 for n in count))


def _dominance_payment(public: Public) -> Payment:
    """Return what Dominance pays each colour for its longest run, or only for the longest of all (CC-51)."""
    edition = public.rules.edition
    longest_runs = [_longest_run(public, colour, edition.tower_in_run - 1) for colour in _player_colours(public)]
    run_values = tuple(run.value for run in longest_runs)
    least_paid = max(run_values) if edition.only_longest else 0  # the least run that is paid
    return Payment(run_values, tuple(run.squares if run.value >= least_paid else 0 for run in longest_runs))


def _longest_run(public: Public, colour: int, tower_bonus: int) -> Run:
    """Return a colour's longest unbroken run; the tower adds ``tower_bonus`` to the value of its run."""
    tower = public.tower[colour]
    remaining = (public.single[colour] | public.double[colour] | tower) & ~public.broken
    best = Run(0, 0)
    while remaining:
        # adding the lowest bit clears the first run and sets the bit after it: 0b10110 gives 0b11000
        carried = remaining + (remaining & -remaining)
        run = remaining & ~carried
        squares = run.bit_count()
        value = squares + tower_bonus if run & tower else squares
        best = max(best, Run(value, squares))
        remaining &= carried
    return best


def _player_colours(public: Public) -> range:
    """Return the colours of players: all but the neutral one, which is the last."""
    has_neutral = public.rules.neutral_colour >= 0
    return range(len(public.rules.colours) - 1 if has_neutral else len(public.rules.colours))


def _pay(play: Play, kind: str, ruling: str, payment: Payment) -> None:
    """Add the points of an event and log it."""
    table = play.table
    names, owners = table.rules.colours, table.rules.owners
    count, points = payment
    count_texts = [f"{names[c]}:{count[c]}" for c in _player_colours(table) if count[c]]
    paid_colours = [c for c in _player_colours(table) if points[c]]
    for colour in paid_colours:
        table.scores = replace_item(table.scores, colour, table.scores[colour] + points[colour])
    facts = [
        ("counts", ",".join(count_texts) or "-"),
        ("points", ",".join([f"{names[c]}:{points[c]}" for c in paid_colours]) or "-"),
    ]
    tower = table.rules.edition.tower_in_run
    if kind == "dominance" and tower > 1:  # explains why the counts are not the points
        facts.append(("tower", str(tower)))
    points_by_owner = tuple((owners[c], points[c]) for c in paid_colours)
    play.log.append(event_from_texts(kind, ruling, tuple(facts), points_by_owner))


def queue_full_provinces(play: Play, squares: tuple[int, ...]) -> None:
    """Queue the provinces that these squares complete, from left to right (CC-20)."""
    table = play.table
    layout, empty = table.layout, ~table.occupied
    for square in squares:
        province = layout.province_of[square]
        if not layout.province_set[province] & empty and province not in table.queue:
            table.queue = (*table.queue, province)


def score_queue(play: Play) -> bool:
    """Score the queued provinces until a player has to choose. Return whether a player has to."""
    table = play.table
    while table.scoring is not None or table.queue:
        scoring = table.scoring
        if scoring is None:
            _turn_up_cards(play, table.queue[0])
        elif not scoring.cards:
            _score_province(play, scoring)
            if table.rules.edition.board_at_once and board_joins(table, table.emperors):
                table.stage = "board"
                return True
        elif scoring.cards[0].kind == MASTER_BUILDER:
            drop_first_card(play, effects.do_master_builder(play, scoring))
        elif scoring.cards[0].kind == WARRIOR and len(scoring.cards) == 1:
            drop_first_card(play, effects.do_warrior_alone(play, scoring))
        else:
            table.stage = "card"
            return True
    return False


def drop_first_card(play: Play, scoring: Scoring) -> None:
    """Store ``scoring`` without its first card, which has taken effect."""
    play.table.scoring = scoring._replace(cards=scoring.cards[1:])


def _turn_up_cards(play: Play, province: int) -> None:
    """Begin to score a province: turn up its cards and cancel those of the same kind (CC-21)."""
    table = play.table
    remaining_cards, remaining_kinds = [], []
    turned_cards: list[TurnedCard] = []
    name = table.layout.provinces[province]
    play.log.append(event_from_texts("completed", "CC-20", (("province", name),)))
    for card, kind in zip(table.cards, play.kinds, strict=True):
        if card.province != province:
            remaining_cards.append(card)
            remaining_kinds.append(kind)
            continue
        known_kind = seen(kind)
        turned_cards.append(TurnedCard(known_kind, card.colour))
        table.kinds_out = replace_item(table.kinds_out, card.colour, table.kinds_out[card.colour] | 1 << known_kind)
        colour = table.rules.colours[card.colour]
        facts = (("colour", colour), ("kind", KINDS[known_kind]), ("province", name))
        play.log.append(event_from_texts("turned", "CC-21", facts, opens=((ALL, card.slot),)))
    table.cards, play.kinds = tuple(remaining_cards), tuple(remaining_kinds)
    cards = _remove_doubles(play, turned_cards, name) if len(turned_cards) > 1 else tuple(turned_cards)
    table.scoring = new_tuple(Scoring, (province, cards, 0, (0,) * len(table.rules.colours)))


def _remove_doubles(play: Play, cards: list[TurnedCard], province: str) -> tuple[TurnedCard, ...]:
    """Return the cards whose kind occurs once, in the order in which they resolve. Log the cancelled kinds."""
    kinds = [card.kind for card in cards]
    doubled_kinds = [kind for kind in range(len(KINDS)) if kinds.count(kind) > 1]
    for kind in doubled_kinds:
        facts = {"kind": KINDS[kind], "number": kinds.count(kind), "province": province}
        play.log.append(event("cancelled", "CC-21", facts))
    return tuple(sorted([card for card in cards if card.kind not in doubled_kinds]))


def majority(public: Public, counts: Sequence[int]) -> list[int]:
    """The colours of players with the highest count, if it is above 0. Neutral walls can prevent it (CC-28)."""
    most = max(counts)
    return [colour for colour in _player_colours(public) if counts[colour] == most and most > 0]


def _score_province(play: Play, scoring: Scoring) -> None:
    """Score a province by value and majority (CC-27) and place an Emperor on it (CC-29)."""
    table, province = play.table, scoring.province
    squares = table.layout.province_set[province]
    names = table.rules.colours
    walls = (squares & ~table.broken).bit_count()
    value = walls + table.reputation[province] + scoring.added_value
    count = [
        unbroken + extra for unbroken, extra in zip(table.count_unbroken(squares), scoring.extra_walls, strict=True)
    ]
    winners = majority(table, count)
    facts = (
        ("province", table.layout.provinces[province]),
        ("value", str(value)),
        ("walls", str(walls)),
        ("counter", str(table.reputation[province])),
        ("cards", f"{scoring.added_value:+d}"),
        ("counts", ",".join([f"{names[c]}:{number}" for c, number in enumerate(count) if number])),
        ("winners", ",".join([names[c] for c in winners]) or "nobody"),
    )
    points = tuple([(table.rules.owners[c], value) for c in winners])
    play.log.append(event_from_texts("scored", "CC-27", facts, points))
    for colour in winners:
        table.scores = replace_item(table.scores, colour, table.scores[colour] + value)
    table.scoring = None
    table.queue = table.queue[1:]
    table.scored_provinces |= 1 << province
    table.emperors += 1
