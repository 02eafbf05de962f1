"""Whether what an email says of its orders is true: where they lie, and what heads them.

What must never be here: what is ordered (matching.py), which answer an email means
(understanding.py); anything that is not a function of the player's View and of his own lines (P2).
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from itertools import zip_longest

from pbem.moderator.words.matching import Matching, Orders
from pbem.moderator.words.mentions import Head

_NUMBERS = {str(number): number for number in range(1, 10)}
#: places that something ordered has to lie in, each with how many orders are named before it
Around = tuple[tuple[str, int], ...]


def lies_around(matching: Matching, now: Orders, around: Around) -> bool:
    """Whether something ordered lies in each place that is only spoken of; where that may be
    ordered itself, or there are several, it is what stands before each of them, or behind each.
    """
    if not all(any(matching.lies_in(order, place) for order in now) for place, _ in around):
        return False
    places: dict[int, list[str]] = {}
    for place, at in around:
        if len(around) > 1 or matching.is_ordered(place):
            places.setdefault(at, []).append(place)
    said = places.items()
    before = all(_lie(matching, now[max(at - len(some), 0) : at], some) for at, some in said)
    behind = all(_lie(matching, now[at : at + len(some)], some) for at, some in said)
    return before or behind


def _lie(matching: Matching, orders: Orders, places: list[str]) -> bool:
    """Whether each order lies in its place, one behind the other."""
    pairs = zip_longest(orders, places, fillvalue="")
    return all(matching.lies_in(order, place) for order, place in pairs)


def is_true(matching: Matching, head: Head, now: Orders, orders: Orders) -> bool:
    """Whether what is said above orders is true: each word of one of them, and how many; ``now``:
    those of ``orders`` that do not wait.
    """
    for text, then in zip(head.texts, (*head.texts[1:], ""), strict=True):
        if text in _NUMBERS:
            many = sum(line.split().count(word) for line in orders for word in {*then.split("|")})
            if _NUMBERS[text] not in (many, len(orders)):
                return False
        elif not any(_tells(matching, text, line) for line in orders):
            return False
    each = all(any(_tells(matching, text, line) for text in head.texts) for line in now)
    return each or not head.whole


def _tells(matching: Matching, text: str, order: str) -> bool:
    """Whether a word is one of an order, or describes it."""
    return any(word in order.split() or matching.is_of(word, order) for word in text.split("|"))
