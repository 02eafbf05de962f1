"""An email in plain words as the one answer that it can mean.

What lives here: the search for an answer that has all that an email mentions. What must never be
here: which word means what (files/language), which sentence may be talk (clauses.py); anything
that is not a function of the player's View and of his own lines (P2).
Laws: an answer is understood if it is legal, and no other one has all that is said; it is a whole
one unless each word is known; bounded.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.optional_parts import too_many
from pbem.files.language.grammar import Grammar
from pbem.files.language.phrases import Phrase
from pbem.moderator.turn.half import Waiting
from pbem.moderator.words.corrections import replaced, share_a_place, with_place
from pbem.moderator.words.matching import Matching, Orders, Part
from pbem.moderator.words.mention import LAST, LATER, LEFT, MEND, NOT, ORDER, TALK, WAITS, Mention
from pbem.moderator.words.mentions import Mentioned, Sentences, without_verbs
from pbem.moderator.words.truth import Around, is_true, lies_around

if TYPE_CHECKING:
    from pbem.engine.game import Game

_BUDGET = 1_000  #: steps of a search
_MOST = 24  #: things that an email mentions
_ANSWERS = 8  #: that are looked at
_OFFER_BUDGET, _OFFERS = 3_000, 64  #: the same, where one is to be offered
_LONGEST = 7  #: of them that one order has


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
    others: Mapping[str, str],
    loosely: bool = False,
    waits: Sequence[Waiting] = (),
) -> Answer | None:
    """The one answer that an email says; None if it says none, or may say several.

    ``others``: the names of the other players, and their seats; ``loosely``: what may turn a
    sentence does not count: to be offered, never to be taken; ``waits``: what answers a question
    in between, which no sentence does.
    """
    if sum(phrase.says for phrase in phrases) > _MOST:
        return None
    said = Sentences(game, view, grammar, others, loosely).mentioned(phrases)
    if not said or not said.mentions or len(said.mentions) > _MOST:
        return None
    search = _Search(game, view, grammar, said, loosely, waits)
    answer = search.best() if loosely else search.only()
    if not (answer or loosely) and (less := without_verbs(said, game.legal(view))) != said:
        answer = _Search(game, view, grammar, less, loosely, waits).only()
    if not answer:
        return None
    let_go = answer.talk - {*said.heads}
    talk = {one.number for at, one in enumerate(phrases) if one.talk or at in let_go}
    return answer._replace(talk=frozenset(talk))


class _State(NamedTuple):
    """How far an email is explained."""

    at: int = 0  #: the mention that is next
    answer: Answer = Answer()
    kin: str = ""  #: the order before, of which the next may leave out what is alike
    place: str = ""  #: what the standing order before waits for
    spot: int = -1  #: where the next order goes, if not behind all: something was taken out there
    talk: frozenset[int] = frozenset()  #: the sentences that were let go
    last: bool = True  #: what was replaced were the last orders before
    let_go: int = 0  #: words that were let go, of what is to be offered
    #: places that something ordered has to lie in, and how many orders stand before each of them:
    #: `finish BP3 with B11`, `wall A2 in AP1`
    around: Around = ()


class _Search:
    """For the answers that have all that is said; ``loosely``: or most of it."""

    def __init__(
        self,
        game: "Game",
        view: Any,
        grammar: Grammar,
        said: Mentioned,
        loosely: bool,
        waits: Sequence[Waiting],
    ) -> None:
        self._loosely = loosely
        self._left, self._most = (_OFFER_BUDGET, _OFFERS) if loosely else (_BUDGET, _ANSWERS)
        self._found = dict[Answer, _State]()
        self._game, self._view, self._orders = game, view, Matching(game, view, grammar, waits)
        self._said, self._talk, self._sure = said.mentions, said.talk, said.sure
        self._heads = {order.split()[0] for order in game.legal(view)}
        self._left_out = [one for one in said.mentions if one.mark == LEFT]
        self._part, self._heads_of = said.part, said.heads
        self._mends = any(one.mark in (MEND, NOT) for one in said.mentions)

    def only(self) -> Answer | None:
        """The only answer, if there is just one. Where a word is not known it is a whole one, and
        no other has as many orders.
        """
        self._go_on(_State())
        if any(one.waits for one in self._found):  # what can wait is not ordered behind others
            self._found = {one: state for one, state in self._found.items() if not self._mixed(one)}
        whole = {one: self._is_enough(one.now) for one in self._found}
        good = [one for one, is_whole in whole.items() if is_whole]
        alike = [one for one in whole if good and len(one.now) == len(good[0].now)]
        if not self._searched() or len(good) != 1 or (len(alike) > 1 and not self._mends):
            return None
        state = self._found[good[0]]
        return good[0]._replace(talk=state.talk) if state.last else None

    def _mixed(self, answer: Answer) -> bool:
        """Whether effects of cards are ordered behind something else."""
        effects = [self._orders.is_effect(order) for order in answer.now]
        return any(effects) and not all(effects)

    def best(self) -> Answer | None:
        """The whole answer that has most of what is said, if no other has as much."""
        self._go_on(_State())
        has = {
            one: self._has(state)
            for one, state in self._found.items()
            if self._is_whole(one.now) and self._has_binding(state)
        }
        found = [one for one, many in has.items() if many == max(has.values())]
        return found[0] if self._searched() and len(found) == 1 else None

    def _searched(self) -> bool:
        """Whether all was looked at: else there may be other answers."""
        return self._left > 0 and len(self._found) <= self._most

    def _has_binding(self, state: _State) -> bool:
        """Whether an answer has what binds in the sentences that were let go, and what begins an
        order.
        """
        now, waits, later, _ = state.answer
        has = {word for line in (*now, *later, *map(" ".join, waits)) for word in line.split()}
        let_go = (one for one in self._said if one.sentence in state.talk)
        return all(one.text in has for one in let_go if one.binds or one.text in self._heads)

    def _has(self, state: _State) -> int:
        """How much of what is said an answer has."""
        return sum(one.sentence not in state.talk for one in self._said) - state.let_go

    def _go_on(self, state: _State) -> None:
        """Explain what is said from here on, in each way there is."""
        self._left -= 1
        if self._left <= 0 or len(self._found) > self._most:
            return
        if state.at == len(self._said):
            if self._is_legal(state.answer) and self._fits_around(state):
                answer = state.answer._replace(waits=tuple(sorted(state.answer.waits)))
                before = self._found.setdefault(answer, state)
                if self._has(state) > self._has(before):
                    self._found[answer] = state
            return
        for then in self._ways(state):
            self._go_on(then)

    def _fits_around(self, state: _State) -> bool:
        """Whether something that is ordered lies in each place that is only spoken of, what heads
        orders is true of one, and nothing that is still to be chosen was let go as talk.
        """
        around = lies_around(self._orders, state.answer.now, state.around)
        ordered = {word for order in state.answer.now for word in order.split()}
        if any(not ordered.isdisjoint(one.ways) for one in self._left_out):
            return False
        orders = (*state.answer.now, *state.answer.later, *(one for _, one in state.answer.waits))
        said = [self._heads_of[at] for at in state.talk & {*self._heads_of}]
        if not all(is_true(self._orders, one, state.answer.now, orders) for one in said):
            return False
        view = self._orders.after(state.answer.now)
        asked = self._game.legal(view) if view is not None and self._orders.goes_on(view) else ()
        heads = {line.split()[0] for line in asked}
        talk = frozenset(word for at in state.talk for word in self._talk.get(at, ()))
        comes = view is None and self._orders.any_may_come(state.answer.now, talk)
        return around and heads.isdisjoint(talk) and not comes

    def _ways(self, state: _State) -> Iterator[_State]:
        one, before = self._said[state.at], self._said[state.at - 1] if state.at else None
        if one.sentence in self._talk and (before is None or before.sentence != one.sentence):
            talk = state.talk | {one.sentence}
            at = self._end_of(state.at)
            yield state._replace(at=at, kin="", place="", spot=-1, talk=talk)
        if self._loosely and one.mark in ("", WAITS) and not self._weighs(one):
            yield state._replace(at=state.at + 1, let_go=state.let_go + 1)
        if one.mark == LEFT:  # `_fits_around` looks at it, when all is ordered
            yield state._replace(at=state.at + 1)
        elif one.mark == TALK:
            if not any(one.text in order.split() for order in state.answer.now if one.text):
                yield state._replace(at=state.at + 1, talk=state.talk | {one.sentence})
        elif one.mark == MEND:
            yield from self._mended(state)
        elif one.mark == NOT:
            yield from self._without(state, one.text)
        elif one.mark == ORDER:
            yield self._with_order(state, self._orders.complete(state.answer.now, one.text), 1)
        else:
            yield from self._parts(state)

    def _weighs(self, one: Mention) -> bool:
        """Whether it cannot be let go alone: it binds, or is a word of what may be ordered."""
        return one.binds or not self._orders.words.isdisjoint(one.ways)

    def _end_of(self, at: int) -> int:
        """Where its sentence ends."""
        same = self._said[at].sentence
        return next(
            (i for i, x in enumerate(self._said) if i > at and x.sentence != same), len(self._said)
        )

    def _parts(self, state: _State) -> Iterator[_State]:
        """What the next mentions may be together."""
        mark = self._said[state.at].mark
        # the second one is of no order with the next line: `S1: wall wall`, and `S2` below it
        twice = self._said[state.at : state.at + 1] == self._said[state.at - 1 : state.at]
        for end in range(state.at + 1, min(state.at + _LONGEST, len(self._said)) + 1):
            part = self._said[state.at : end]
            apart = part[-1].sentence != part[0].sentence and (self._loosely or twice)
            if part[-1].mark != mark or apart:
                return
            if self._repeats(part, state.answer):
                yield state._replace(at=end)
            yield from self._now(state, part) if not mark else ()
            taken_back = self._said[end + 1 :] and self._said[end].mark == MEND
            if taken_back and (wrong := self._orders.not_legal(part, state.answer.now, state.kin)):
                yield state._replace(at=end + 1, kin=wrong, place="")
            like = "" if state.kin and self._orders.is_effect(state.kin) else state.kin
            if mark == LATER and (lines := self._orders.lines(part, like)):
                answer = state.answer._replace(later=(*state.answer.later, *lines))
                yield state._replace(at=end, answer=answer, kin=lines[-1], place="")
            for where, effect in self._orders.effects(part, state.place, state.answer.now):
                waits = (*state.answer.waits, (where, effect))
                yield state._replace(at=end, answer=state.answer._replace(waits=waits), place=where)

    def _now(self, state: _State, part: Part) -> Iterator[_State]:
        """What a part may be of what is ordered now: a place around it, or an order."""
        now, name = state.answer.now, part[0].text
        if len(part) == 1 and self._orders.is_around(name, now):
            yield state._replace(at=state.at + 1, around=(*state.around, (name, len(now))))
        for order in self._fitting(state, part):
            yield self._with_order(state, order, len(part))

    def _fitting(self, state: _State, part: Part) -> list[str]:
        """The orders that a part can be; the place may stand behind the next: `a gate and a
        horseman on S3`.
        """
        now = state.answer.now
        found = self._orders.fitting(part, now, state.kin)
        if found or len(part) > 1 or not part[0].text.islower():
            return found
        then = self._said[state.at + 1 : state.at + 3]
        shared = [one.text.islower() for one in then] == [True, False] and then[1].text.isupper()
        alike = shared and all((one.sentence, one.mark) == (part[0].sentence, "") for one in then)
        both = alike and self._orders.fitting(then, now, "")
        return self._orders.fitting((*part, then[1]), now, "") if both else []

    def _with_order(self, state: _State, order: str, length: int) -> _State:
        often = self._said[state.at].often if " " not in order else 1
        new, now = (order,) * max(often, 1), state.answer.now
        at = state.spot if state.spot >= 0 else len(now)
        answer = state.answer._replace(now=(*now[:at], *new, *now[at:]))
        spot = at + len(new) if state.spot >= 0 else -1
        return state._replace(at=state.at + length, answer=answer, kin=order, place="", spot=spot)

    def _mended(self, state: _State) -> Iterator[_State]:
        """Some of the orders are replaced by what follows: the last ones, or nobody can tell."""
        now, nearest = state.answer.now, self._said[state.at].text == LAST
        if state.at + 1 == len(self._said) or (nearest and share_a_place(now[-2:])):
            return  # `gate and guard S1, no, S3`: both?
        then = self._said[state.at + 1 : state.at + 3]
        linked = len(then) > 1 and then[0].text in now[-1].split()[1:] if now else False
        order = with_place(self._orders, now, then[linked], nearest)  # `no, keeping A11`
        if order:
            answer = state.answer._replace(now=(*now[:-1], order))
            yield state._replace(at=state.at + 2 + linked, answer=answer, kin=order)
        for kept, spot in replaced(now, nearest) if not (order and nearest) else ():
            last = kept == now[: len(kept)]
            yield self._replaced(state, kept, spot)._replace(last=state.last and last)

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
        elif name.islower():  # `red instead of violet`: a word, where nothing has it
            yield state._replace(at=state.at + 1)

    def _repeats(self, part: Part, answer: Answer) -> bool:
        """Whether this only says again what is ordered."""
        if self._is_anew(part):
            return False
        heads = Counter(order.split()[0] for order in answer.now)
        orders = [*answer.now, *(effect for _, effect in answer.waits)]
        if len(part) == 1 and any(self._orders.is_of(part[0].text, order) for order in orders):
            return True
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
        return before.issuperset(named) and all({*one.ways} & there for one in part)

    def _is_anew(self, part: Part) -> bool:
        """Whether a word is meant once more, or said with a place of its own: `S1: wall`."""
        own = [one for one in self._said if one.sentence == part[0].sentence]
        placed = len(own) == 2 and own[0].text.isupper() and part[0].text.islower()
        return part[0].anew or (placed and part == (own[1],))

    def _is_legal(self, answer: Answer) -> bool:
        """Whether it is legal as far as its player can tell, and has as many orders as is said."""
        now = answer.now
        if not now and (self._mends or not (answer.waits or answer.later)):
            return False
        for at, order in enumerate(now):
            if self._orders.after(now[:at]) is None:
                break
            if order not in self._orders.legal(now[:at]):
                return False
        asked = Counter((where, effect.split()[0]) for where, effect in answer.waits)
        if any(number > 1 for number in asked.values()):  # one card, and two things to do
            return False
        full = self._orders.after(now) is None and too_many(self._game, self._view, now)
        return self._counts(now) and not full

    def _is_enough(self, now: Orders) -> bool:
        """Whether orders are as much as is said: a part, where the rest is said to come."""
        if now and self._part:
            return not self._is_whole(now)
        return self._sure or self._is_whole(now)

    def _is_whole(self, now: Orders) -> bool:
        """Whether an action is complete, or the whole turn, as far as its player can tell."""
        effects = [self._orders.is_effect(order) for order in now]
        if all(effects) and any(one.text[:1].islower() for one in self._said):
            return True  # each answers a question; `A10 is safe` does not
        view = self._orders.after(now)
        full = any(too_many(self._game, self._view, [*now, order]) for order in now)
        if view is None or full:
            return full and not any(effects)
        heads = {line.split()[0] for line in self._game.legal(view)}
        other = len(now) > 1 and now[-1].split()[0] not in heads  # an action, and a question behind
        return other or not self._orders.goes_on(view)

    def _counts(self, now: Orders) -> bool:
        """Whether there are as many of a kind as is said."""
        heads = Counter(order.split()[0] for order in now)
        for head, number in heads.items():
            there = {
                word for order in now if order.startswith(f"{head} ") for word in order.split()
            }
            said = [one.often for one in self._said if one.text == head and one.often]
            said = [often for often in said if str(often) not in there]  # `the 2 I take`
            if said and number not in (sum(said), max(said)):
                return False
        return True
