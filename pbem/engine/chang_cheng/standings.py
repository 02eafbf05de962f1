"""The position at a glance: who leads in each province, whom the Mongols threaten, what is left.

Law: everything here is made from a View. Source: CC-20, CC-27 to CC-30, CC-42; ``Game.standings``.
"""

from typing import Any

from pbem.engine.chang_cheng.description import points_when_full
from pbem.engine.chang_cheng.layout import EMPERORS_PER_BOARD
from pbem.engine.chang_cheng.rows import party, played_as
from pbem.engine.chang_cheng.scoring import attack_on, majority, seat_scores
from pbem.engine.chang_cheng.state import Public, View
from pbem.engine.row import Row
from pbem.engine.standings import Standings, rank_seats


def standings(view: View) -> Standings:
    """What the View's seat can reckon from the board, and from the counters that it knows."""
    public = view.public
    provinces = tuple(_province_row(view, i) for i in range(len(public.layout.provinces)))
    regions = tuple(_region_row(view, i) for i in range(len(public.layout.regions)))
    outlook = () if public.ended_by else (*_attack_rows(regions), *_board_rows(public))
    return Standings(
        rank_seats(seat_scores(public), lambda seat: _holdings(view, seat)), (*provinces, *regions), outlook
    )


def _holdings(view: View, seat: str) -> tuple[Row, ...]:
    """What each colour of a seat has not placed or played."""
    public = view.public
    colours = public.rules.colours_by_seat[public.rules.seats.index(seat)]
    return tuple(
        Row(
            "pieces",
            {
                "colour": played_as(view, colour),
                "points": public.scores[colour],
                "walls": public.supply(colour),
                "double": not public.double[colour],
                "tower": not public.tower[colour],
                "cards": public.hand_sizes[colour],
            },
        )
        for colour in colours
    )


def _ranked(view: View, counts: list[int]) -> list[dict[str, Any]]:
    """The colours with walls, the most first, each with its ``number``."""
    names = view.public.rules.colours
    colours = sorted((colour for colour, number in enumerate(counts) if number), key=lambda colour: -counts[colour])
    return [{**party(names[colour], view), "number": counts[colour]} for colour in colours]


def _parties(view: View, colours: list[int]) -> list[dict[str, Any]]:
    return [party(view.public.rules.colours[colour], view) for colour in colours]


def _province_row(view: View, province: int) -> Row:
    """``value``: if it were scored now. ``full``: when its free squares have unbroken walls. Cards can change both."""
    public = view.public
    squares = public.layout.province_set[province]
    counts = public.count_unbroken(squares)
    free = (squares & ~public.occupied).bit_count()
    value = (squares & public.occupied & ~public.broken).bit_count() + public.reputation[province]
    facts = {
        "name": public.layout.provinces[province],
        "scored": bool(public.scored_provinces >> province & 1),
        "free": free,
        "value": value,
        "full": points_when_full(public, province),
        "walls": _ranked(view, counts),
        "leaders": _parties(view, majority(public, counts)),
    }
    return Row("province", facts)


def _region_row(view: View, region: int) -> Row:
    """``counter`` is left out if the View does not know it or the region has none."""
    public, place = view.public, view.public.threat_places[region]
    attack = attack_on(public, region)
    facts: dict[str, Any] = {
        "name": public.layout.regions[region],
        "has_counter": place >= 0,
        "walls": _ranked(view, attack.counts),
        "safe": _parties(view, attack.safe),
        "losers": _parties(view, attack.losers) if place >= 0 else [],
    }
    value = view.threat[place] if place >= 0 else None
    if value is not None:
        facts["counter"] = value
    return Row("region", facts)


def _attack_rows(regions: tuple[Row, ...]) -> tuple[Row, ...]:
    """What everybody would lose if the Mongols came now: ``number``, as far as the View knows the counters,
    and the ``regions`` whose counter it does not know.
    """
    losses: dict[str, dict[str, Any]] = {}
    for facts in (row.facts for row in regions):
        for loser in facts["losers"]:
            loss = losses.setdefault(loser["colour"], {**loser, "regions": []})
            if "counter" in facts:
                loss["number"] = loss.get("number", 0) + facts["counter"]
            else:
                loss["regions"].append(facts["name"])
    return (Row("attack", {"losses": list(losses.values())}),) if losses else ()


def _board_rows(public: Public) -> tuple[Row, ...]:
    """How many provinces are missing until the next board joins; empty if none will."""
    if not public.box or len(public.layout.placed) >= public.rules.max_boards:
        return ()
    return (Row("board", {"emperors": public.emperors, "needed": EMPERORS_PER_BOARD, "board": public.box[0].id}),)
