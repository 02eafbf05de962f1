"""An email in plain words as the one answer that it can mean.

What lives here: the search for an answer that has all that an email mentions. What must never be
here: which word means what (files/language), which sentence may be talk (mentions.py); anything
that is not a function of the player's View and of his own lines (P2).
Laws: an answer is understood if it is legal, and no other one has all that is said; it is a whole
one unless each word is known; bounded.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.optional_parts import may_ask, never, part_of, too_many
from pbem.files.language.phrases import Phrase
from pbem.files.language.tokens import Grammar
from pbem.moderator.turn.mentions import (
    LATER,
    MEND,
    NOT,
    ORDER,
    TALK,
    Mention,
    Mentioned,
    Sentences,
)

if TYPE_CHECKING:
    from pbem.engine.game import Game

_BUDGET = 1_000  #: steps of a search
_MOST = 24  #: things that an email mentions
_LONGEST = 7  #: of them that one order has
_CHOICES = 3  #: orders that one part may be
Orders = tuple[str, ...]
Part = tuple[Mention, ...]


class Answer(NamedTuple):
    """What is ordered now, what waits for its place, and what for later."""

    now: Orders = ()
    waits: tuple[tuple[str, str], ...] = ()
    later: Orders = ()
    talk: frozenset[int] = frozenset()  #: the lines that say something for a person


def understood(
    game: "Game",
    view: Any,
    phrases: Sequence[Phrase],
    grammar: Grammar,
    others: Collection[str],
    loosely: bool = False,
) -> Answer | None:
    """The one answer that an email says; None if it says none, or may say several.

    ``others``: the names of the other players, lower-case; ``loosely``: what may turn a sentence
    does not count: to be offered, never to be taken.
    """
    said = Sentences(game, view, grammar, others, loosely).mentioned(phrases)
    if not said or not said.mentions or len(said.mentions) > _MOST:
        return None
    if not (answer := _Search(game, view, grammar, said).found()):
        return None
    talk = {one.number for at, one in enumerate(phrases) if one.talk or at in answer.talk}
    return answer._replace(talk=frozenset(talk))


class _State(NamedTuple):
    """How far an email is explained."""

    at: int = 0  #: the mention that is next
    answer: Answer = Answer()
    kin: str = ""  #: the order before, of which the next may leave out what is alike
    place: str = ""  #: what the standing order before waits for
    spot: int = -1  #: where the next order goes, if not behind all: something was taken out there
    talk: frozenset[int] = frozenset()  #: the sentences that were let go
    around: Orders = ()  #: places that something ordered has to lie in: `finish BP3 with B11`


class _Search:
    """For the answers that have all that is said."""

    def __init__(self, game: "Game", view: Any, grammar: Grammar, said: Mentioned) -> None:
        self._game, self._view, self._grammar = game, view, grammar
        self._said, self._talk, self._sure = said.mentions, said.talk, said.sure
        self._one_kind = said.one_kind
        self._seats = {seat for seat, _ in game.scores(view)}
        self._left, self._found = _BUDGET, dict[Answer, frozenset[int]]()
        self._after = cache(self._after_orders)

    def found(self) -> Answer | None:
        """The only answer, if there is just one."""
        self._go_on(_State())
        if len(self._found) != 1 or self._left <= 0:
            return None
        ((answer, talk),) = self._found.items()
        return answer._replace(talk=talk)

    def _go_on(self, state: _State) -> None:
        """Explain what is said from here on, in each way there is."""
        self._left -= 1
        if self._left <= 0 or len(self._found) > 1:
            return
        if state.at == len(self._said):
            if self._is_answer(state.answer) and self._fits_around(state):
                answer = state.answer._replace(waits=tuple(sorted(state.answer.waits)))
                self._found.setdefault(answer, state.talk)
            return
        for then in self._ways(state):
            self._go_on(then)

    def _fits_around(self, state: _State) -> bool:
        """Whether something that is ordered lies in each place that is only spoken of, and nothing
        that is still to be chosen was let go as talk.
        """
        names = [word for order in state.answer.now for word in order.split() if word.isupper()]
        around = all(
            any(part_of(self._game, self._view, name, place) for name in names)
            for place in state.around
        )
        view = self._after(state.answer.now)
        asked = self._game.legal(view) if view is not None and self._goes_on(view) else ()
        heads = {line.split()[0] for line in asked}
        talk = {one.text for one in self._said if one.sentence in state.talk}
        return around and heads.isdisjoint(talk)

    def _ways(self, state: _State) -> Iterator[_State]:
        one, before = self._said[state.at], self._said[state.at - 1] if state.at else None
        if one.sentence in self._talk and (before is None or before.sentence != one.sentence):
            talk = state.talk | {one.sentence}
            yield _State(self._end_of(state.at), state.answer, talk=talk, around=state.around)
        if one.mark == TALK:
            if not any(one.text in order.split() for order in state.answer.now if one.text):
                yield state._replace(at=state.at + 1, talk=state.talk | {one.sentence})
        elif one.mark == MEND:
            yield from self._mended(state)
        elif one.mark == NOT:
            yield from self._without(state, one.text)
        elif one.mark == ORDER:
            yield self._with_order(state, self._complete(state.answer.now, one.text), 1)
        else:
            yield from self._parts(state)

    def _end_of(self, at: int) -> int:
        """Where its sentence ends."""
        same = self._said[at].sentence
        return next(
            (i for i, x in enumerate(self._said) if i > at and x.sentence != same), len(self._said)
        )

    def _parts(self, state: _State) -> Iterator[_State]:
        """What the next mentions may be together."""
        mark = self._said[state.at].mark
        for end in range(state.at + 1, min(state.at + _LONGEST, len(self._said)) + 1):
            part = self._said[state.at : end]
            if part[-1].mark != mark:
                return
            if self._repeats(part, state.answer):
                yield state._replace(at=end)
            if (
                not mark
                and len(part) == 1
                and part[0].text.isupper()
                and self._is_around(part[0].text)
            ):
                yield state._replace(at=end, around=(*state.around, part[0].text))
            if not mark:
                for order in self._fitting(part, state.answer.now, state.kin):
                    yield self._with_order(state, order, len(part))
            if mark == LATER:
                for line in self._lines(part, state.kin):
                    later = (*state.answer.later, line)
                    yield state._replace(
                        at=end, answer=state.answer._replace(later=later), kin=line, place=""
                    )
            for where, effect in self._effects(part, state.place, state.answer.now):
                waits = (*state.answer.waits, (where, effect))
                yield state._replace(at=end, answer=state.answer._replace(waits=waits), place=where)

    def _is_around(self, name: str) -> bool:
        """Whether other places lie in this one."""
        there = {word for order in self._game.legal(self._view) for word in order.split()}
        return any(
            part_of(self._game, self._view, place, name) for place in there if place.isupper()
        )

    def _with_order(self, state: _State, order: str, length: int) -> _State:
        often = self._said[state.at].often if " " not in order else 1
        new, now = (order,) * max(often, 1), state.answer.now
        at = state.spot if state.spot >= 0 else len(now)
        answer = state.answer._replace(now=(*now[:at], *new, *now[at:]))
        spot = at + len(new) if state.spot >= 0 else -1
        return state._replace(at=state.at + length, answer=answer, kin=order, place="", spot=spot)

    def _mended(self, state: _State) -> Iterator[_State]:
        """Some of the orders are replaced by what follows."""
        now, many = state.answer.now, range(len(state.answer.now))
        if state.at + 1 == len(self._said):
            return
        for number in many:
            for gone in combinations(many, number + 1):
                kept = tuple(order for i, order in enumerate(now) if i not in gone)
                yield self._replaced(state, kept, gone[0])

    def _replaced(self, state: _State, kept: Orders, spot: int) -> _State:
        """What follows stands where the first of them stood, and is like it."""
        kin, answer = state.answer.now[spot], state.answer._replace(now=kept)
        return state._replace(at=state.at + 1, answer=answer, kin=kin, place="", spot=spot)

    def _without(self, state: _State, name: str) -> Iterator[_State]:
        """The order that has this place is not meant; of what nobody said, nothing is known."""
        now = state.answer.now
        gone = [i for i, order in enumerate(now) if name in order.split()]
        if gone:
            kept = tuple(order for i, order in enumerate(now) if i not in gone)
            yield self._replaced(state, kept, gone[0])

    def _repeats(self, part: Part, answer: Answer) -> bool:
        """Whether this only says again what is ordered."""
        heads = Counter(order.split()[0] for order in answer.now)
        if len(part) == 1 and part[0].often:
            return heads[part[0].text] == part[0].often
        there = {word for order in answer.now for word in order.split()}
        there |= {word for where, effect in answer.waits for word in (where, *effect.split())}
        earlier = (one.text for one in self._said if one.sentence < part[0].sentence)
        before = {word for text in earlier for word in text.split()}
        named = [one.text for one in part if one.text.isupper()]
        if not named:  # `a gate at last!`
            now = {word for order in answer.now for word in order.split()}
            return all(one.text in before & now for one in part)
        return before.issuperset(named) and all({*one.text.split("|")} & there for one in part)

    def _after_orders(self, now: Orders) -> Any:
        """The View behind these; None where nobody can tell, or one of them is not legal."""
        if not now:
            return self._view
        before = self._after(now[:-1])
        legal = before is not None and now[-1] in self._game.legal(before)
        return self._game.foresee(before, now[-1]) if legal else None

    def _goes_on(self, view: Any) -> bool:
        """Whether the same turn goes on."""
        return self._game.turn(view) == self._game.turn(self._view) and bool(self._game.legal(view))

    def _legal(self, now: Orders) -> Orders:
        """What is legal behind these; as at first, where nobody can tell."""
        if (view := self._after(now)) is not None:
            return self._game.legal(view) if self._goes_on(view) else ()
        legal = self._game.legal(self._view)
        return () if too_many(self._game, self._view, [*now, *legal[:1]]) else legal

    def _complete(self, now: Orders, order: str) -> str:
        view = self._after(now)
        return order if view is None else self._game.complete(view, order)

    def _is_answer(self, answer: Answer) -> bool:
        """Whether it is legal as far as its player can tell, and whole, or each word is known."""
        now = answer.now
        if not now:
            mends = any(one.mark in (MEND, NOT) for one in self._said)
            return bool(answer.waits or answer.later) and not mends
        for at, order in enumerate(now):
            view = self._after(now[:at])
            if view is None:
                break
            if order not in self._game.legal(view) or not self._goes_on(view):
                return False
        if not self._counts(now):
            return False
        view = self._after(now)
        if view is None and too_many(self._game, self._view, now):
            return False
        full = view is None and too_many(self._game, self._view, [*now, now[-1]])
        if self._sure or full or view is None:
            return self._sure or full
        heads = {line.split()[0] for line in self._game.legal(view)}
        other = len(now) > 1 and now[-1].split()[0] not in heads  # an action, and a question behind
        return other or not self._goes_on(view)

    def _counts(self, now: Orders) -> bool:
        """Whether there are as many of a kind as is said."""
        heads = Counter(order.split()[0] for order in now)
        for head, number in heads.items():
            said = [one.often for one in self._said if one.text == head and one.often]
            if said and number not in (sum(said), max(said)):
                return False
        return True

    def _fitting(self, part: Part, now: Orders, kin: str) -> list[str]:
        """The orders that may be given now and have all of a part."""
        legal = [order for order in self._legal(now) if order not in now or " " not in order]
        part = self._of_weight(part, legal)
        bare = [one.text for one in part] or [""]
        words = [{*order.split()} for order in legal]
        common = set.intersection(*words) if words else set[str]()
        names = {word for some in words for word in some if word.isupper()}
        if len({name[0] for name in names}) == 1:  # `a gate on 3`
            part = _with_places(part, names, legal)
        own = self._grammar.vocabulary - common  #: words that are never left out
        fitting = [one for one in legal if part and _fits(part, one.split(), kin.split(), common)]
        there = {word for one in part for word in one.text.split("|")} | {*kin.split()}
        found = [one for one in fitting if one.split()[0] in there or one.split()[0] not in own]
        if self._after(now) is None:
            line = self._spelled([one.text.partition("|")[0] for one in part])
            found += [line] if line and self._may_come(now, line) else []
        if not found and self._one_kind and not now and all(map(str.isupper, bare)):
            found = [order for order in legal if {*bare} <= {*order.split()}]
            found = found if len(found) == 1 else []
        return found if len(found) <= _CHOICES else []

    def _may_come(self, now: Orders, line: str) -> bool:
        """Whether an order may be asked for after a scoring, or a draw."""
        lines = [*now, line]
        return never(self._game, self._view, line) is None and not too_many(
            self._game, self._view, lines
        )

    def _of_weight(self, part: Part, legal: Collection[str]) -> Part:
        """Without the colour of what is broken, and of a question of one kind without words that
        none of its orders has: `the 2 on my guard`.
        """
        there = {word for order in legal for word in order.split()}
        breaks = any(one.text == "break" for one in part)

        def light(one: Mention) -> bool:
            if {*one.text.split("|")} & there or not one.text[:1].islower():
                return False
            return (breaks and one.text in self._seats) or (
                self._one_kind and one.text not in self._grammar.words
            )

        return tuple(one for one in part if not light(one))

    def _may_ask(self, now: Orders, where: str, effect: str) -> bool:
        """Whether such a question may come, by what lies there or is laid there now."""
        laid = any({effect.split(maxsplit=1)[0], where} <= {*order.split()} for order in now)
        return laid or may_ask(self._game, self._view, where, effect)

    def _effects(self, part: Part, place: str, now: Orders) -> Iterator[tuple[str, str]]:
        """The orders that this can be for a question that may come, each with its place; ``place``:
        where the one before was about.
        """
        words = [one.text.partition("|")[0] for one in part if one.text not in self._seats]
        if not words or any(one.often for one in part):
            return
        names = dict.fromkeys(word for word in words if word.isupper())
        places = [name for name in names if not self._game.why_never(self._view, name)]
        for where in places or ([place] if place and words[0].islower() else []):
            for effect in self._effects_of([word for word in words if word != where]):
                if self._may_ask(now, where, effect):
                    yield where, effect

    def _effects_of(self, words: list[str]) -> list[str]:
        kinds = self._grammar.words & self._grammar.vocabulary
        heads = [word for word in words if word in kinds]
        if not heads:
            return []
        found = self._spelled_ways(words, heads[0])
        rest = self._grammar.words - self._grammar.vocabulary
        for word in rest & {*words} if found == {None} else ():  # `when the cards come up`
            found |= self._spelled_ways([one for one in words if one != word], heads[0])
        if found == {None} and len(words) > 1 and words[-1].isupper():  # `traitor … B4`
            found = {self._spelled([words[0], w, *words[1:]]) for w in self._grammar.vocabulary}
        lines = sorted(line for line in found if line)
        return [one for one in lines if never(self._game, self._view, one) is None]

    def _spelled_ways(self, words: list[str], head: str) -> set[str | None]:
        """The orders that words are, in this order, with names last, or with the card first."""
        behind = [head, *(word for word in words if word != head)]
        return {self._spelled(way) for way in (words, sorted(words, key=str.isupper), behind)}

    def _lines(self, part: Part, kin: str) -> list[str]:
        """The orders for later that this can be: in words, with names last, like the one before."""
        words = [one.text.partition("|")[0] for one in part]
        often = max(one.often for one in part)
        found = {self._spelled(way) for way in (words, sorted(words, key=str.isupper))}
        if found == {None} and self._grammar.words.isdisjoint(words):
            alike = [word for word in kin.split() if not word.isupper()]
            bare = alike and all(word.isupper() for word in words)
            heads = [alike] if bare else [[head] for head in self._grammar.words]
            last = sorted(words, key=str.islower)  # `play S2 guard`
            found = {self._spelled([*head, *way]) for head in heads for way in (words, last)}
        lines = [line for line in found if line]
        return lines if len(lines) == 1 and often <= 1 else []

    def _spelled(self, words: list[str]) -> str | None:
        return self._grammar.spell(tuple(map(str.lower, words)))


def _fits(part: Part, order: list[str], kin: list[str], common: AbstractSet[str]) -> bool:
    """Whether an order has all of a part, and nothing of weight besides: what begins it may be left
    out, the place that all have in ``common``, and what the order before (``kin``) had too.
    """
    have = Counter[str]()
    for one in part:
        same = next((word for word in one.text.split("|") if word in order), "")
        if not same or (one.often and same != order[0] and order.count(same) != one.often):
            return False
        several = one.text.endswith(f"|{same}s") and not one.often
        if "|" in one.text and not several and have[same]:  # `master builder (architect)`
            continue
        if several and order.count(same) < 2:
            return False
        have[same] += order.count(same) if several else 1 if same == order[0] else one.often or 1
    if have - Counter(order) or not all(
        _in_turn(part, order, of) for of in (str.isdigit, str.isupper)
    ):
        return False
    said = any(one.text[:1].islower() for one in part)
    names = [word for word in order if word.isupper()]
    if not said and len(names) > 1 and common.isdisjoint(names):
        return False  # A9 and A10 may be a double
    left = Counter(order[1:] or order) - have - Counter(["on", "reserve", "over", *common])
    if len(kin) == len(order) and not said:
        left -= Counter(word for word in kin if not word.isupper())
    return not left


def _with_places(part: Part, names: Collection[str], legal: Collection[str]) -> Part:
    """With the number of a place as its name, where no order has numbers: `a gate on 3`."""
    if any(word.isdigit() for order in legal for word in order.split()):
        return part
    places = {name[1:]: name for name in names}
    return tuple(one._replace(text=places.get(one.text, one.text)) for one in part)


def _in_turn(part: Part, order: list[str], of: Any) -> bool:
    there = iter([*filter(of, order)])
    return all(one.text in there for one in part if of(one.text))
