"""The position at a glance: points, what each seat has left, each place, and what happens if nothing changes.

Not allowed here: a rule of one game, a sentence.
Law: standings are made of a View alone (P2), so a seat reads nothing in them that it may not know.
Source: docs/decisions/0031-standings.md; ``Game.standings``.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pbem.engine.row import Row


class SeatStanding(NamedTuple):
    """The points of one seat, and what it has left."""

    seat: str
    points: int | None  #: None where the View may not know them
    text: str  #: the points, or what is shown in their place
    leads: bool  #: whether nobody has more points; never True where points are unknown
    holdings: tuple[Row, ...]  #: what the seat has left: the macros ``holding_KIND``


class Standings(NamedTuple):
    """The position at a glance, as one View knows it."""

    seats: tuple[SeatStanding, ...]  #: in turn order
    places: tuple[Row, ...] = ()  #: provinces, sites, lots: the macros ``place_KIND``
    outlook: tuple[Row, ...] = ()  #: what happens if nothing changes: the macros ``outlook_KIND``


def rank_seats(
    scores: Sequence[tuple[str, int]],
    holdings: Callable[[str], tuple[Row, ...]] = lambda _: (),
    texts: dict[str, str] | None = None,
) -> tuple[SeatStanding, ...]:
    """Return the standing of each seat.

    ``texts``: by seat, what is shown in place of points that the View may not know. If it names a
    seat, nobody leads, because nobody can tell.
    """
    hidden = texts or {}
    best = max((points for _, points in scores), default=0)
    return tuple(
        SeatStanding(
            seat,
            None if seat in hidden else points,
            hidden.get(seat, str(points)),
            not hidden and points == best,
            holdings(seat),
        )
        for seat, points in scores
    )


def plain_standings(standings: Standings) -> dict[str, Any]:
    """Return the standings as plain data, for a template, a view file or ``--json``.

    Points that the View may not know are left out: TOML has no null.
    """
    return {
        "seats": [
            {
                "seat": seat.seat,
                **({} if seat.points is None else {"points": seat.points}),
                "text": seat.text,
                "leads": seat.leads,
                "holdings": [row.plain() for row in seat.holdings],
            }
            for seat in standings.seats
        ],
        "places": [row.plain() for row in standings.places],
        "outlook": [row.plain() for row in standings.outlook],
    }
