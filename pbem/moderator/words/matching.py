"""What a part of an email can be: the orders that have all of it, at a View.

What must never be here: which sentence may be talk (clauses.py), the whole of an email
(understanding.py), a rule or a word of one game; anything that is not a function of the player's
View and of his own lines (P2).
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise, permutations
from typing import TYPE_CHECKING, Any

from pbem.engine.optional_parts import described, may_ask, never, part_of, too_many
from pbem.files.language.grammar import Grammar
from pbem.moderator.turn.half import Waiting, past_waiting
from pbem.moderator.words.mention import Mention

if TYPE_CHECKING:
    from pbem.engine.game import Game

_CHOICES = 3  #: orders that one part may be
Orders = tuple[str, ...]
Part = tuple[Mention, ...]


class Matching:
    """The orders of a turn, and those that may wait, by what is said of them."""

    def __init__(self, game: "Game", view: Any, grammar: Grammar, waits: Sequence[Waiting]) -> None:
        """``waits``: what answers a question in between."""
        self._game, self._view, self._grammar, self._waits = game, view, grammar, waits
        self._seats = {seat for seat, _ in game.scores(view)}
        self._first = game.legal(view)  #: what may be ordered now
        #: whether all of it begins with one word
        self.one_kind = len({line.split(" ")[0] for line in self._first}) == 1
        self._effects = grammar.words & grammar.vocabulary  #: what a question may be about
        #: of all that may be ordered now, or when it is asked
        self.words = self._effects.union(*(line.split() for line in self._first))
        self.after = cache(self._after_orders)
        self.any_may_come = cache(self._any_may_come)

    def _after_orders(self, now: Orders) -> Any:
        """The View behind these; None where nobody can tell, or one of them is not legal."""
        if not now:
            return self._view
        before = self.after(now[:-1])
        if before is not None and now[-1] not in self._game.legal(before):
            before = past_waiting(self._game, before, now[-1], self._waits)
        legal = before is not None and now[-1] in self._game.legal(before)
        return self._game.foresee(before, now[-1]) if legal else None

    def goes_on(self, view: Any) -> bool:
        """Whether the same turn goes on."""
        return self._game.turn(view) == self._game.turn(self._view) and bool(self._game.legal(view))

    def legal(self, now: Orders) -> Orders:
        """What is legal behind these; as at first, where nobody can tell."""
        if (view := self.after(now)) is not None:
            behind = past_waiting(self._game, view, "", self._waits)
            found = self._game.legal(view) if self.goes_on(view) else ()
            if behind is view:
                return found
            if behind is not None:
                return (*found, *(self._game.legal(behind) if self.goes_on(behind) else ()))
        return () if too_many(self._game, self._view, [*now, *self._first[:1]]) else self._first

    def complete(self, now: Orders, order: str) -> str:
        view = self.after(now)
        return order if view is None else self._game.complete(view, order)

    def is_around(self, name: str, now: Orders = ()) -> bool:
        """Whether others that may be ordered first, or behind ``now``, lie in this one, and the
        same order may not name either.
        """
        ways = dict.fromkeys((self._first, self.legal(now)))
        return any(self._lies_around(lines, name) for lines in ways)

    def _lies_around(self, lines: Orders, name: str) -> bool:
        own = {line.split()[0] for line in lines if name in line.split()}
        return any(line.split()[0] not in own and self.lies_in(line, name) for line in lines)

    def lies_in(self, order: str, name: str) -> bool:
        """Whether a place of an order lies in another one."""
        places = [word for word in order.split() if word.isupper() and word != name]
        return any(part_of(self._game, self._view, place, name) for place in places)

    def is_ordered(self, name: str) -> bool:
        """Whether an order that may be given now names this place."""
        return any(name in order.split() for order in self._first)

    def fitting(self, part: Part, now: Orders, kin: str) -> list[str]:
        """The orders that may be given now and have all of a part; none if there are many. What is
        around a place may stand before it: `a wall in AP1, on A2`.
        """
        legal = [order for order in self.legal(now) if order not in now or " " not in order]
        view = self.after(now) or self._view
        found = self._with_all(part, legal, kin, view)
        numbered = any(word.isdigit() for order in legal for word in order.split())
        if not found and numbered and any(one.often for one in part):
            found = self._with_all(_uncounted(part), legal, kin, view)
        within = [one for one in part[1:-1] if one.text.isupper() and self.is_around(one.text, now)]
        if not found and len(within) == 1:
            rest = tuple(one for one in part if one != within[0])
            found = self._with_all(rest, legal, kin, view)
            found = [order for order in found if self.lies_in(order, within[0].text)]
        if self.after(now) is None and not any(map(_is_several, part)):
            words = [word for one in part for word in one.ways[:1] * max(one.often, 1)]
            lines = {self._spelled(words), self._spelled(words[::-1])}  # `left board`
            found += [line for line in sorted(filter(None, lines)) if self._comes(now, line)]
        bare = {one.text for one in part}
        if not found and self.one_kind and not now and all(map(str.isupper, bare)):
            named = [order for order in legal if bare <= {*order.split()}]
            found = named if len(named) == 1 else []
        return found if len(found) <= _CHOICES else []

    def not_legal(self, part: Part, now: Orders, kin: str) -> str:
        """The order that a part is, like the one before, though it may not be given: it is taken
        back at once; "" where it is none.
        """
        words = [one.text for one in part]
        head = [] if words[0].islower() else kin.split()[:1]
        order = self._spelled([*head, *words]) if head or words[0].islower() else None
        return order if order and order not in self.legal(now) else ""

    def is_effect(self, order: str) -> bool:
        """Whether it says what a thing does: of two readings it waits for its place."""
        head = order.split(maxsplit=1)[0]
        own = not self.one_kind and any(line.split()[0] == head for line in self._first)
        return not own and head in self._effects

    def is_of(self, word: str, order: str) -> bool:
        """Whether a word only describes an order: `the red wall`."""
        return word in described(self._game, self._view, order)

    def _with_all(self, part: Part, legal: list[str], kin: str, view: Any) -> list[str]:
        """The orders that have all of a part and nothing of weight besides."""
        words = [{*order.split()} for order in legal]
        if not part or not words or _is_parted(part):
            return []
        common = set.intersection(*words)
        names = {word for some in words for word in some if word.isupper()}
        if len({name[0] for name in names}) == 1:  # `a gate on 3`
            part = _with_places(part, names, legal)
        there = {word for one in part for word in one.ways} | {*kin.split()}
        never_left_out = self._grammar.vocabulary - common - there
        return [
            order
            for order in legal
            if order.split()[0] not in never_left_out
            and _fits(self._told(part, order, view), order.split(), kin.split(), common)
        ]

    def _told(self, part: Part, order: str, view: Any) -> Part:
        """With what is described by its word in an order, and without what says nothing more."""
        if all({*one.ways} & {*order.split()} for one in part):
            return part
        tells = described(self._game, view, order)
        found = list[Mention]()  # each place that is told once, where it is told
        for one in part:
            leads = one == part[0] and one.text in self._grammar.words  # `wall A10` breaks none
            there = one.text not in tells or leads
            found += [one] if there else []
            name = tells.get(one.text)
            if name and all(other.text != name for other in (*part, *found)):
                found.append(Mention(name))
        return tuple(found)

    def _any_may_come(self, now: Orders, words: frozenset[str]) -> bool:
        """Whether two of these words are an order that may be asked for after a scoring, or a
        draw.
        """
        lines = (self._spelled([*pair]) for pair in permutations(sorted(words), 2))
        return any(self._comes(now, line) for line in lines if line)

    def _comes(self, now: Orders, line: str) -> bool:
        lines = [*now, line]
        return never(self._game, self._view, line) is None and not too_many(
            self._game, self._view, lines
        )

    def _may_ask(self, now: Orders, where: str, effect: str) -> bool:
        """Whether such a question may come, by what lies there or is laid there now."""
        laid = any({effect.split(maxsplit=1)[0], where} <= {*order.split()} for order in now)
        return laid or may_ask(self._game, self._view, where, effect)

    def effects(self, part: Part, place: str, now: Orders) -> Iterator[tuple[str, str]]:
        """The orders that this can be for a question that may come, each with its place; ``place``:
        where the one before was about.
        """
        words = [one.ways[0] for one in part if one.text not in self._seats]
        told = {one.text for one in part if one.text in self._seats}
        if not words or any(one.often for one in part):
            return
        names = dict.fromkeys(word for word in words if word.isupper())
        places = [name for name in names if not self._game.why_never(self._view, name)]
        for where in places or ([place] if place and words[0].islower() else []):
            for effect in self._effects_of([word for word in words if word != where]):
                if self._may_ask(now, where, effect) and self._true_of(told, effect):
                    yield where, effect
        if not places and not place:
            for effect in self._effects_of(words):
                if self._true_of(told, effect):
                    yield from ((where, effect) for where in self._asked_soon(effect))

    def _true_of(self, words: Collection[str], order: str) -> bool:
        return not words or described(self._game, self._view, order).keys() >= {*words}

    def _asked_soon(self, effect: str) -> list[str]:
        """Where such a question is as good as asked, and nowhere else, if it can be nothing else:
        `the traitor breaks B4`.
        """
        head, *rest = effect.split()
        there = {word for order in self._first for word in order.split()}
        own = [word for word in rest if word.islower() and word not in self._grammar.words]
        if not own or not there.isdisjoint(own):
            return []
        where = [one.name for one in self._game.soon(self._view) if one.order.split()[0] == head]
        return where if len(where) == 1 else []

    def _effects_of(self, words: list[str]) -> list[str]:
        heads = [word for word in words if word in self._effects]
        if not heads:
            return []
        found = self._spelled_ways(words, heads[0])
        rest = self._grammar.words - self._grammar.vocabulary
        for word in rest & {*words} if found == {None} else ():  # `when the cards come up`
            found |= self._spelled_ways([one for one in words if one != word], heads[0])
        if found == {None} and len(words) > 1 and words[-1].isupper():  # `traitor … B4`
            found = {self._spelled([words[0], w, *words[1:]]) for w in self._grammar.vocabulary}
        if found == {None}:
            found = {*self._told_ways(words, heads[0])}
        lines = sorted(line for line in found if line)
        return [one for one in lines if never(self._game, self._view, one) is None]

    def _told_ways(self, words: list[str], head: str) -> Iterator[str]:
        """The orders of a card that words describe: `the builder adds 2`."""
        for other in sorted(self._grammar.vocabulary):
            if order := self._spelled([head, other]):
                tells = described(self._game, self._view, order)
                told = [word for word in words if tells.get(word)]
                if told and {*words} <= {*told, *order.split()}:
                    yield order

    def _spelled_ways(self, words: list[str], head: str) -> set[str | None]:
        """The orders that words are, in this order, with names last, or with the card first."""
        behind = [head, *(word for word in words if word != head)]
        return {self._spelled(way) for way in (words, sorted(words, key=str.isupper), behind)}

    def lines(self, part: Part, kin: str) -> list[str]:
        """The orders for later that this is, if it can be no others: in words, with names last,
        like the one before; `draw two` is two.
        """
        words = [one.ways[0] for one in part]
        often = max(one.often for one in part)
        found = {self._spelled(way) for way in (words, sorted(words, key=str.isupper))}
        if found == {None} and self._grammar.words.isdisjoint(words):
            alike = [word for word in kin.split() if not word.isupper()]
            bare = alike and all(word.isupper() for word in words)
            heads = [alike] if bare else [[head] for head in self._grammar.words]
            last = sorted(words, key=str.islower)  # `play S2 guard`
            found = {self._spelled([*head, *way]) for head in heads for way in (words, last)}
        lines = [x for x in found if x and (x.split()[0] not in self._effects or x != x.lower())]
        if len(lines) != 1 or (often > 1 and " " in lines[0]):
            return []
        return lines * max(often, 1)

    def _spelled(self, words: list[str]) -> str | None:
        return self._grammar.spell(tuple(map(str.lower, words)))


def _fits(part: Part, order: list[str], kin: list[str], common: AbstractSet[str]) -> bool:
    """Whether an order has all of a part, and nothing of weight besides: what begins it may be left
    out, the place that all have in ``common``, and what the order before (``kin``) had too.
    """
    have, before, either = Counter[str](), "", set[str]()
    said = [one.text for one in part]
    head = said.index(order[0]) if order[0] in said else 0
    if not {*_links(order)}.isdisjoint(said[:head]):  # `C6 is reserved, the tower goes to C5`
        part = (*part[head:], *part[:head])
    for one in part:
        twice, before = one.text != before, one.text
        same = next((word for word in one.ways if word in order), "")
        if not same or (one.often and same != order[0] and order.count(same) != one.often):
            return False
        several = _is_several(one)
        if same in either and have[same]:  # `master builder (architect)`, and the other way round
            continue
        either |= {*one.ways} if "|" in one.text and not several else set()
        if twice and have[same] and one.text.islower():  # `a guard on S3, I guard the other`
            return False
        if several and order.count(same) < 2:
            return False
        have[same] += order.count(same) if several else 1 if same == order[0] else one.often or 1
    if have - Counter(order) or not all(
        _in_turn(part, order, of) for of in (str.isdigit, str.isupper)
    ):
        return False
    worded = any(one.text[:1].islower() for one in part)
    names = [word for word in order if word.isupper()]
    if not worded and len(names) > 1 and common.isdisjoint(names) and kin[:1] != order[:1]:
        return False  # A9 and A10 may be a double
    left = Counter(order[1:] or order) - have - Counter([*_links(order), *common])
    alike = {*filter(str.islower, kin)} == {*filter(str.islower, order)}
    # `two walls on S3, one on S1`
    fewer = len(order) < len(kin) and any(said.often == 1 for said in part[:1])
    if alike and (fewer or len(order) == len(kin)) and not worded:
        left -= Counter(word for word in kin if not word.isupper())
    return not left


def _is_several(one: Mention) -> bool:
    """Whether it is more than one, and nobody says how many: `my walls`."""
    return one.text.endswith(f"|{one.ways[0]}s") and not one.often


def _is_parted(part: Part) -> bool:
    """Whether how many stands before the places of each: `two walls, one on S3, one on S1`."""
    each = any(one.text.isupper() and one.often == 1 for one in part)
    return each and any(one.often > 1 for one in part)


def _with_places(part: Part, names: Collection[str], legal: Collection[str]) -> Part:
    """With the number of a place as its name, where no order has numbers: `a gate on 3`."""
    if any(word.isdigit() for order in legal for word in order.split()):
        return part
    places = {name[1:]: name for name in names}
    return tuple(one._replace(text=places.get(one.text, one.text)) for one in part)


def _uncounted(part: Part) -> Part:
    """With a number as a number of its own: `the 2 on my guard`."""
    return tuple(
        then
        for one in part
        for then in (
            (one._replace(text=str(one.often), often=0), one._replace(often=0))
            if one.often
            else (one,)
        )
    )


def _in_turn(part: Part, order: list[str], of: Any) -> bool:
    there = iter([*filter(of, order)])
    return all(one.text in there for one in part if of(one.text))


def _links(order: list[str]) -> list[str]:
    """The words of an order that only link: before a place or a number, and not its beginning."""
    return [
        word
        for word, then in pairwise(order)
        if word.islower() and word not in order[:2] and not then.islower()
    ]
