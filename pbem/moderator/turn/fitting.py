"""Plain words as the orders that fit them: the one of a question, or the one whole action.

What must never be here: which words are an order's; anything that is not a function of the player's
View and of his own lines (P2). Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections import Counter
from typing import TYPE_CHECKING, Any

from pbem.engine.optional_parts import too_many
from pbem.files.orders.lines import OrderLine

if TYPE_CHECKING:
    from pbem.engine.game import Game

_MOST = 4  #: places that an action has
Orders = tuple[str, ...]


def as_meant(game: "Game", view: Any, line: OrderLine) -> OrderLine:
    """What was said in plain words as the one legal order that has all these words; without an
    order where several have.
    """
    legal = game.legal(view)
    fitting = [order for order in legal if _fits(line.said.split(), order.split())]
    if line.order in legal or (line.order and not fitting):
        return line
    order = fitting[0] if len(fitting) == 1 else ""
    return line._replace(order=order, text=order or line.text)


def _fits(words: list[str], order: list[str]) -> bool:
    """Whether an order has these words (one of `a|b`), names and numbers in the same order."""
    for of in (str.isdigit, str.isupper):
        there = iter([*filter(of, order)])
        if not all(word in there for word in filter(of, words)):
            return False
    single = Counter(word for word in words if "|" not in word)
    return not single - Counter(order) and all({*w.split("|")} & {*order} for w in words)


def only_action(game: "Game", view: Any, lines: list[OrderLine]) -> list[OrderLine]:
    """Places and nothing else as the one action that has them all and no other, an order of one
    kind for each (`A7 and B2`); the lines as they came, where they are none or have several, or
    where a single place is not the whole of it.
    """
    said = [line.said.split() for line in lines if not line.order]
    names = tuple(words[0] for words in said if len(words) == 1 and _is_place(words[0]))
    if not len(names) == len(lines) <= _MOST:
        return lines
    found = _readings(game, view, names)
    if len(found) != 1 or len(found[0]) < len(names):
        return lines
    if len(names) == 1 and not _whole(game, view, found[0][0]):
        return lines
    if len({order.split()[0] for order in found[0]}) > 1:
        return lines
    pairs = zip(lines, found[0], strict=True)
    return [line._replace(order=order, text=order, doubt=None) for line, order in pairs]


def _is_place(word: str) -> bool:
    return word.isupper() and word.isalnum()


def _whole(game: "Game", view: Any, order: str) -> bool:
    """Whether nothing is to be chosen behind an order, as far as its player can tell."""
    after = game.foresee(view, order)
    if after is None:
        return too_many(game, view, [order, order])
    return game.turn(after) != game.turn(view) or not game.legal(after)


def _readings(game: "Game", view: Any, names: Orders) -> list[Orders]:
    """The legal orders whose places are these, in this order; more than one, if there are."""
    if not names:
        return [()]
    found: list[Orders] = []
    for order in game.legal(view):
        own = tuple(filter(_is_place, order.split()))
        if not own or own != names[: len(own)]:
            continue
        after, rest = game.foresee(view, order), names[len(own) :]
        if after is None or not rest:  # nobody can tell: then as if both were chosen at once
            kin = [[one for one in game.legal(view) if one == _like(order, name)] for name in rest]
            tails = [tuple(one[0] for one in kin)] if all(kin) else []
            tails = [] if rest and too_many(game, view, [order, *(tails or [()])[0]]) else tails
        else:
            same = game.turn(after) == game.turn(view)
            tails = _readings(game, after, rest) if same else []
        found += [(order, *tail) for tail in tails]
        if len(found) > 1:
            break
    return found


def _like(order: str, name: str) -> str:
    """The same order at another place."""
    return " ".join(name if _is_place(word) else word for word in order.split())
