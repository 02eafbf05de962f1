"""What is to be said, before it has any words: events, the question, the table.

Law: all of it is made of a View, and of events, which are public; nothing else is within reach. The
sentences are in templates/night-market/words.txt, a macro for each row.
"""

from collections.abc import Mapping
from typing import Any

from night_market.bidding import legal
from night_market.scoring import scores
from night_market.setup import UNSEEN
from night_market.state import View
from pbem.engine.decision import Event
from pbem.engine.row import Asking, Choice, Row

NOTICES = (Row("bids_stand"), Row("equal_bids"))


def event_row(happened: Event, view: View) -> Row:
    """An event as this View's seat may hear it: ``event_KIND``."""
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
    """The question for the View's seat; None if it is not asked."""
    lines = legal(view)
    if not lines:
        return None
    facts = {"lot": view.public.lot, "worth": view.public.goods[-1]}
    choices = (Choice("bid", tuple(line.split()[1] for line in lines)),)
    return Asking("bid", facts, choices, (lines[len(lines) // 2],), Row("bid"))


def describe(view: View) -> dict[str, Any]:
    """The table, and what this seat's own bid is, as plain data."""
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
    """Whom a lot went to: a seat, ``nobody``, or None while it is for sale."""
    sold = view.public.sold
    if lot > len(sold):
        return None
    return "nobody" if sold[lot - 1] < 0 else view.public.seats[sold[lot - 1]]


def board_text(described: Mapping[str, Any]) -> list[str]:
    """The table in lines, for everybody."""
    lines = [_lot_line(lot) for lot in described["lots"]]
    lines.append(f"Goods in the pile: {described['pile']}")
    return lines + [_player_line(player, described["over"]) for player in described["players"]]


def _lot_line(lot: Mapping[str, Any]) -> str:
    where = "for sale now" if lot["buyer"] is None else f"to {lot['buyer']}"
    return f"{lot['name']}  worth {lot['worth']}: {where}"


def _player_line(player: Mapping[str, Any], over: bool) -> str:
    """``amber: tokens 1 2 4; has bid``; the sealed token is still among them, for all to wonder."""
    tokens = " ".join(str(token) for token in player["tokens"]) or "none"
    state = "" if over else "; has bid" if player["has_bid"] else "; to bid"
    return f"{player['seat']}: tokens {tokens}{state}"
