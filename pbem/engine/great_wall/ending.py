"""The end: the last turn is called, markers are added up. Source: GW-30 to GW-33."""

from pbem.engine.decision import Outcome
from pbem.engine.event import event
from pbem.engine.great_wall.play import Play
from pbem.engine.great_wall.state import Public


def call_if_out(play: Play) -> None:
    """The first player whose hand and deck are both empty calls the last turn (GW-31)."""
    table = play.table
    if table.caller < 0 and table.out_of_cards(table.seat):
        table.caller = table.seat
        play.log.append(event("called", "GW-31", {"seat": table.rules.seats[table.seat]}))


def end(play: Play, ruling: str) -> None:
    """The game is over by this ruling (GW-30 or GW-31); markers on cards are lost (GW-32)."""
    table = play.table
    table.stage, table.site, table.ended_by = "over", -1, ruling
    play.log.append(event("over", ruling, {"lost": _lost(table)}))
    result = outcome(table)
    if result is not None:  # it has just ended
        points = ",".join(f"{seat}:{number}" for seat, number in result.scores)
        facts = {"winners": ",".join(result.winners), "points": points}
        play.log.append(event("winners", "GW-32", facts))


def _lost(public: Public) -> str:
    """The markers lying on cards: ``blue:7,green:3``; ``-`` for none."""
    seats = public.rules.seats
    lying = [site for site in public.sites if site.marked >= 0]
    lost = [f"{seats[site.cards[site.marked].colour]}:{site.marker}" for site in lying]
    return ",".join(lost) or "-"


def scores(public: Public) -> tuple[tuple[str, int], ...]:
    """The markers face down before each seat, added up (GW-32). All saw each of them won."""
    return tuple((seat, sum(won)) for seat, won in zip(public.rules.seats, public.won, strict=True))


def outcome(public: Public) -> Outcome | None:
    """Most points win, all tied win (GW-32); None before the end."""
    if not public.ended_by:
        return None
    found = scores(public)
    best = max(points for _, points in found)
    winners = tuple(seat for seat, points in found if points == best)
    return Outcome(found, winners, public.ended_by)
