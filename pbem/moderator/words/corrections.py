"""What a correction may leave of the orders before it: `A5... no, A7`.

What must never be here: how it is said (mention.py), which of these ways is meant
(understanding.py). Source: docs/decisions/0019-orders-in-plain-words.md "Corrections".
"""

from collections.abc import Iterator
from itertools import combinations

from pbem.moderator.words.matching import Matching, Orders
from pbem.moderator.words.mention import Mention


def replaced(now: Orders, nearest: bool) -> Iterator[tuple[Orders, int]]:
    """Each way to take some of the orders away: what is left, and where the first of them stood;
    ``nearest``: the last one alone.
    """
    many = range(len(now))[-1:] if nearest else range(len(now))
    for number, _ in enumerate(many, 1):
        for gone in combinations(many, number):
            yield tuple(order for i, order in enumerate(now) if i not in gone), gone[0]


def share_a_place(orders: Orders) -> bool:
    """Whether two orders name one place."""
    named = [{*filter(str.isupper, order.split())} for order in orders]
    return len(named) > 1 and not named[0].isdisjoint(named[1])


def with_place(matching: Matching, now: Orders, said: Mention, nearest: bool) -> str:
    """The last order with the place that is said in it: `reserve C5, no, C7`; "" where that may be
    said of several orders, or, unless it is ``nearest``, has no other place.
    """
    *before, last = now or ("",)
    words = last.split()
    places = [i for i, word in enumerate(words) if word.isupper()]
    if said.mark or not said.text.isupper() or len(places) < (1 if nearest else 2):
        return ""
    ways = (" ".join((*words[:i], said.text, *words[i + 1 :])) for i in places)
    found = [way for way in ways if way in matching.legal(tuple(before))]
    return found[0] if len(found) == 1 else ""
