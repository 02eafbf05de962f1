"""Converts States and Views to plain data and back.

Laws: decode(encode(state)) == state. Data that cannot be a market is refused.
"""

from collections.abc import Mapping
from typing import Any

from night_market.setup import worths
from night_market.state import Public, State, View
from pbem.engine.hidden import Hidden
from pbem.engine.settings import Config, EncodedState, reading

#: titles of facts, for corrections; a number in braces is a word of the row
TITLES = {
    "seats": "the players' order",
    "lots": "the number of lots",
    "dealt": "the state of the deal",
    "goods": "the goods that are on sale or sold",
    "goods.*": "the worth of {0}",
    "goods.*.1": "the worth of {0}",
    "sold": "who has bought what",
    "sold.*": "who has bought {0}",
    "sold.*.1": "who has bought {0}",
    "tokens": "the tokens",
    "tokens.*": "the tokens of {0}",
    "tokens.*.1": "the tokens of {0}",
    "bids": "the bids that lie sealed",
    "bids.*": "the sealed bid of {0}",
    "bids.*.1": "the sealed bid of {0}",
}


def encode(state: State) -> EncodedState:
    """What is public is plain; the pile and each sealed bid are hidden slots."""
    public = state.public
    hidden = {
        public.goods_slot(place): Hidden(str(worth))
        for place, worth in enumerate(state.goods)
        if place >= len(public.goods)
    }
    for seat, slot, bid in zip(public.seats, public.slots, state.bids, strict=True):
        if slot:
            hidden[slot] = Hidden(str(bid), frozenset((seat,)))
    return EncodedState(encode_public(public), hidden)


@reading("position", "night-market")
def decode(config: Config, public: Mapping[str, Any], values: Mapping[str, str]) -> State:
    """Reverse ``encode``; raise BadInput ``position/unreadable`` if that is impossible."""
    table = decode_public(config, public)
    pile = range(len(table.goods), len(worths(table.lots)))
    hidden = (int(values[table.goods_slot(place)]) for place in pile)
    goods = (*table.goods, *hidden)
    bids = tuple(int(values[slot]) if slot else None for slot in table.slots)
    _check_values(table, goods, bids)
    return State(table, goods, bids)


def _check_values(public: Public, goods: tuple[int, ...], bids: tuple[int | None, ...]) -> None:
    """Raise ValueError for the wrong goods, or a bid of a token that is used already."""
    if sorted(goods) != sorted(int(worth) for worth in worths(public.lots)):
        raise ValueError("goods")
    for bid, tokens in zip(bids, public.tokens, strict=True):
        if bid is not None and bid not in tokens:
            raise ValueError("bid")


def encode_public(public: Public) -> dict[str, Any]:
    """Encode what everybody sees."""
    seats = public.seats
    return {
        "seats": list(seats),
        "lots": public.lots,
        "dealt": public.dealt,
        "goods": [f"L{lot} {worth}" for lot, worth in enumerate(public.goods, 1)],
        "sold": [f"L{lot} {'nobody' if at < 0 else seats[at]}" for lot, at in enumerate(public.sold, 1)],
        "tokens": [
            f"{seat} {','.join(str(token) for token in tokens) or '-'}"
            for seat, tokens in zip(seats, public.tokens, strict=True)
        ],
        "bids": [f"{seat} {slot}" for seat, slot in zip(seats, public.slots, strict=True) if slot],
    }


def decode_public(config: Config, data: Mapping[str, Any]) -> Public:
    """Reverse ``encode_public``. Callers translate Python's errors for malformed data."""
    seats = tuple(data["seats"])
    if seats != config.seats or str(data["lots"]) != config.option("lots"):
        raise ValueError("another game")
    slots = dict(row.split(" ") for row in data["bids"])
    tokens = dict(row.split(" ") for row in data["tokens"])
    sold = [row.split(" ")[1] for row in data["sold"]]
    public = Public(
        seats=seats,
        lots=int(data["lots"]),
        dealt=int(data["dealt"]),
        goods=tuple(int(row.split(" ")[1]) for row in data["goods"]),
        sold=tuple(-1 if buyer == "nobody" else seats.index(buyer) for buyer in sold),
        tokens=tuple(_numbers(tokens[seat]) for seat in seats),
        slots=tuple(slots.get(seat, "") for seat in seats),
    )
    turned_up = len(public.sold) + (not public.over)
    if len(public.sold) > public.lots or len(public.goods) != turned_up or not slots.keys() <= {*seats}:
        raise ValueError("lots")
    return public


def _numbers(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(int(number) for number in text.split(","))


@reading("position", "night-market")
def watch(config: Config, public: Mapping[str, Any]) -> View:
    """The spectator's View, from the public part alone; BadInput ``position/unreadable``."""
    return View(decode_public(config, public), None, None)


def encode_view(view: View) -> dict[str, Any]:
    """Encode the View of one seat. Nobody else may have it."""
    return {
        "seat": view.seat or "",
        "bid": "" if view.bid is None else str(view.bid),
        "table": encode_public(view.public),
    }


@reading("view", "night-market")
def decode_view(config: Config, data: Mapping[str, Any]) -> View:
    """Reverse ``encode_view``; raise BadInput ``view/unreadable`` if that is impossible."""
    view = View(decode_public(config, data["table"]), data["seat"] or None, int(data["bid"]) if data["bid"] else None)
    if view.bid is not None and view.bid not in view.public.tokens[view.at]:
        raise ValueError("bid")
    if view.seat is not None and (view.bid is None) == bool(view.public.slots[view.at]):
        raise ValueError("bid")
    return view
