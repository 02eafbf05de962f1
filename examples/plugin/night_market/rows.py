"""Rows for players: events, the question, the table. words.txt has a macro for each.

Law: a row is made only of a View and of public events.
"""

from collections.abc import Mapping
from typing import Any

from night_market import sentences
from night_market.bidding import legal
from night_market.scoring import scores
from night_market.setup import UNSEEN
from night_market.state import View
from pbem.engine.decision import Event
from pbem.engine.row import Asking, Choice, Row, say
from pbem.engine.standings import Standings, rank_seats

NOTICES = (Row("bids_stand"), Row("equal_bids"))


def event_row(happened: Event, view: View) -> Row:
    """An event for the View's seat, for the macro ``event_KIND``."""
    facts: dict[str, Any] = dict(happened.facts)
    if happened.kind == "bid":
        own = view.seat is not None and facts.get("slot", "") == view.public.slots[view.at]
        facts["own"] = view.bid if own else None
    elif happened.kind == "sold":
        bids = (part.split(":") for part in facts["bids"].split(","))
        facts["bids"] = [{"seat": seat, "bid": int(bid)} for seat, bid in bids]
    elif happened.kind == "over":
        facts["winners"] = facts["winners"].split(",")
        facts["points"] = max(number for _, number in scores(view.public))
    return Row(happened.kind, facts)


def ask(view: View) -> Asking | None:
    """The question for the View's seat; None if it has none."""
    lines = legal(view)
    if not lines:
        return None
    facts = {"lot": view.public.lot, "worth": view.public.goods[-1]}
    choices = (Choice("bid", tuple(line.split()[1] for line in lines)),)
    return Asking("bid", facts, choices, (lines[len(lines) // 2],), Row("bid"))


def describe(view: View) -> dict[str, Any]:
    """The table and the seat's own bid, as plain data."""
    public = view.public
    own = public.tokens[view.at] if view.seat else ()
    return {
        "lots": [
            {"name": f"L{lot}", "worth": worth, "buyer": _buyer(view, lot)} for lot, worth in enumerate(public.goods, 1)
        ],
        "pile": public.lots + UNSEEN - len(public.goods),
        "players": [
            {"seat": seat, "tokens": list(tokens), "has_bid": bool(slot)}
            for seat, tokens, slot in zip(public.seats, public.tokens, public.slots, strict=True)
        ],
        "over": public.over,
        "lot": public.lot,
        "bid": view.bid,
        "hand": [token for token in own if token != view.bid],
    }


def _buyer(view: View, lot: int) -> str | None:
    """The buyer of a lot: a seat, ``nobody``, or None while it is for sale."""
    sold = view.public.sold
    if lot > len(sold):
        return None
    return "nobody" if sold[lot - 1] < 0 else view.public.seats[sold[lot - 1]]


def standings(view: View) -> Standings:
    """Points, unused tokens, and the lots still to come."""
    public = view.public
    tokens = dict(zip(public.seats, public.tokens, strict=True))
    seats = rank_seats(scores(public), lambda seat: (Row("tokens", {"number": len(tokens[seat])}),))
    lots_left = public.lots - len(public.sold)
    return Standings(seats, outlook=(Row("lots", {"number": lots_left}),) if lots_left else ())


def board_text(described: Mapping[str, Any]) -> list[str]:
    """The table as lines of text, for everybody."""
    lines = [_lot_line(lot) for lot in described["lots"]]
    lines.append(str(say(sentences.PILE, number=described["pile"])))
    return lines + [_player_line(player, described["over"]) for player in described["players"]]


def _lot_line(lot: Mapping[str, Any]) -> str:
    text = sentences.LOT_FOR_SALE if lot["buyer"] is None else sentences.LOT_SOLD
    return str(say(text, **lot))


def _player_line(player: Mapping[str, Any], over: bool) -> str:
    """A player's tokens; the sealed one is still among them, so nobody learns which it is."""
    tokens = " ".join(str(token) for token in player["tokens"]) or "none"
    text = sentences.HAS_BID if player["has_bid"] else sentences.TO_BID
    return str(say(sentences.TOKENS if over else text, seat=player["seat"], tokens=tokens))
