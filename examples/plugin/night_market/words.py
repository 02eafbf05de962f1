"""The words of a report: the question, the sentences, the table.

Law: all of it is made of a View, and of events, which are public; nothing else is within reach.
"""

from typing import Any

from night_market.bidding import legal
from night_market.scoring import scores
from night_market.state import Public, View
from pbem.engine.event import Event

#: by kind of event; words in braces are its facts, and what ``_filled_in`` adds
SENTENCES = {
    "turned": "{lot} is turned up: goods worth {worth}.",
    "bid": "{Seat} has bid for {lot}{known}.",
    "sold": "{lot}, worth {worth}, {result}. Bids: {counted}.",
    "over": "The last lot is sold: {who}.",
}

NOTICES = (
    "A bid stands once it is played out; until then a new mail replaces it (NM-5).",
    "Equal bids cancel each other, and a lot may go to nobody (NM-6).",
)


def ask(view: View) -> dict[str, Any]:
    """The question for the View's seat; empty if it is not asked."""
    lines = legal(view)
    if not lines:
        return {}
    tokens = " ".join(line.split()[1] for line in lines)
    return {
        "heading": "YOUR BID.",
        "text": f"{view.public.lot} is worth {view.public.goods[-1]}: which token do you bid?",
        "choices": [f"bid: {tokens}"],
        "example": [lines[len(lines) // 2]],
        "hint": "All bid in secret; the highest bid that nobody else makes takes the lot.",
    }


def describe(view: View) -> dict[str, Any]:
    """For the template: the table (for all, in lines), and what this seat's bid is."""
    public = view.public
    lines = [_lot_line(public, lot) for lot in range(len(public.goods))]
    lines.append(f"Goods in the pile: {public.lots + 2 - len(public.goods)}")
    lines += [_seat_line(public, at) for at in range(len(public.seats))]
    return {"board": lines, "own": _own(view)}


def _lot_line(public: Public, lot: int) -> str:
    name, worth = f"L{lot + 1}", public.goods[lot]
    if lot == len(public.sold):
        return f"{name}  worth {worth}: for sale now"
    at = public.sold[lot]
    return f"{name}  worth {worth}: {'to nobody' if at < 0 else f'to {public.seats[at]}'}"


def _seat_line(public: Public, at: int) -> str:
    """``amber: tokens 1 2 4; has bid``; the sealed token is still among them, for all to wonder."""
    tokens = " ".join(str(token) for token in public.tokens[at]) or "none"
    if public.over:
        return f"{public.seats[at]}: tokens {tokens}"
    return f"{public.seats[at]}: tokens {tokens}; {'has bid' if public.slots[at] else 'to bid'}"


def _own(view: View) -> str:
    """What this seat is told of its own bid."""
    if view.bid is None:
        return ""
    lot = view.public.lot
    return f"Your bid for {lot} is in: {view.bid}. It lies sealed until all bids are in."


def tell(happened: Event, view: View) -> str:
    """One sentence about an event, as this View's seat may hear it."""
    facts = dict(happened.facts)
    more = {"Seat": facts.get("seat", "").capitalize(), **_filled_in(happened, facts, view)}
    return SENTENCES[happened.kind].format_map(facts | more)


def _filled_in(happened: Event, facts: dict[str, str], view: View) -> dict[str, str]:
    """The words that are not among the facts."""
    if happened.kind == "bid":
        own = view.seat is not None and facts.get("slot", "") == view.public.slots[view.at]
        return {"known": f" (it is {view.bid})" if own and view.bid is not None else ""}
    if happened.kind == "sold":
        counted = facts["bids"].replace(":", " ").replace(",", ", ")
        nobody = facts["winner"] == "nobody"
        result = "goes to nobody: no bid stands alone" if nobody else f"goes to {facts['winner']}"
        return {"counted": counted, "result": result}
    if happened.kind == "over":
        names = [name.capitalize() for name in facts["winners"].split(",")]
        points = max(number for _, number in scores(view.public))
        verb = "won" if len(names) == 1 else "won together"
        return {"who": f"{' and '.join(names)} {verb} with {points} points"}
    return {}
