"""What the sentences of an email mention, in order: words of orders, places, numbers.

What must never be here: what a clause is (clauses.py), which orders that makes (understanding.py);
anything that is not a function of the player's View and of his own lines (P2).
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.files.language.classes import AROUND, CONTRARY, ENDS, INSTEAD, STRANGE
from pbem.files.language.grammar import Grammar
from pbem.files.language.phrases import Phrase, has
from pbem.moderator.words.clauses import (
    Clauses,
    put_off,
    texts,
    words_of,
)
from pbem.moderator.words.mention import (
    LATER,
    LEFT,
    MEND,
    NOT,
    ORDER,
    PAUSE,
    TALK,
    WAITS,
    Mention,
    in_order,
)

if TYPE_CHECKING:
    from pbem.engine.game import Game

_FEW = 2  #: unknown words of what may be an order all the same


class Head(NamedTuple):
    """What is said of what stands below: `cards:`, `Only walls this turn.`"""

    texts: tuple[str, ...]
    whole: bool  #: it is said of each order


class Mentioned(NamedTuple):
    """All that an email mentions."""

    mentions: tuple[Mention, ...]
    talk: Mapping[int, frozenset[str]]  #: the sentences that may be nothing but talk: their words
    sure: bool  #: each word is known, and none is mended
    part: bool = False  #: the rest is said to come later
    heads: Mapping[int, Head] = {}  #: sentences that tell what stands below


class Sentences:
    """The sentences of an email, at a View."""

    def __init__(
        self, game: "Game", view: Any, grammar: Grammar, others: Mapping[str, str], loosely: bool
    ) -> None:
        """``others``: the names of the other players, and their seats; ``loosely``: of what may
        turn a sentence only the contrary counts, for what is offered.
        """
        self._clauses = Clauses(game, view, grammar, others, loosely)
        self._grammar, self._loosely = grammar, loosely
        self._legal = [order.split() for order in game.legal(view)]
        self._numbered = any(word.isdigit() for order in self._legal for word in order)

    def mentioned(self, phrases: Sequence[Phrase]) -> Mentioned | None:
        """All that they mention; None where one may turn it."""
        if _voided(phrases) and not self._loosely:
            return None
        found, talk, later = list[Mention](), dict[int, frozenset[str]](), False
        heads = dict[int, Head]()
        part = any(put_off(clause) for phrase in phrases for clause in phrase.clauses)
        for at, phrase in enumerate(map(self._clauses.of_others, phrases)):
            if later and (phrase.says or phrase.given) and not _for_later(phrase):
                return None  # for which turn?
            if phrase.given:
                found += [Mention(order, at, ORDER) for order in phrase.given]
                continue
            first = not any(one.binds or one.mark for one in found)
            rest = self._clauses.without_left(phrase, first)[0]
            head = self._clauses.heads(rest, first)
            said = self._of_phrase(at, phrase, head, first)
            if self._loosely:
                said = self._at_least(at, phrase) if said is None else said
            elif phrase.says and self._first_at_last(phrase, found, phrases[:at]):
                return None
            if said is None:
                return None
            may_be = self._clauses.may_be_talk(phrase)
            heads |= {at: _head_of(rest)} if head and (phrase.mark == ":" or not may_be) else {}
            if self._loosely or may_be or head:
                talk[at] = frozenset() if self._loosely else frozenset(words_of(phrase))
            later = later or (phrase.says and not phrase.later and _for_later(phrase))
            said = _once_more(phrase, said, found[-1:])
            nots = {one.text for one in found if one.mark == NOT}
            found += [one for one in said if one.mark != NOT or one.text not in nots]
        found = self._answer_first(found)
        found = [one for i, one in enumerate(found) if not _again(found[i : i + 2])]
        if self._unclear(phrases, found):
            return None
        plain = not any(one.mark in (MEND, NOT) for one in found)
        one_kind = len({order[0] for order in self._legal}) == 1
        sure = plain and all(_clean(phrase, one_kind) for phrase in phrases)
        return Mentioned(tuple(found), talk, sure, part, heads)

    def _unclear(self, phrases: Sequence[Phrase], found: Sequence[Mention]) -> bool:
        """Whether it is not clear what replaces what, or what an unknown word orders."""
        mends = sum(one.mark == MEND for one in found)
        told = any(self._clauses.told(phrase.words) for phrase in phrases)
        return mends > 1 or (mends > 0 and told) or _slipped(phrases) or _listed(phrases)

    def _first_at_last(
        self, phrase: Phrase, before: Sequence[Mention], earlier: Sequence[Phrase]
    ) -> bool:
        """Whether something is said to come first that stands behind other orders: `gate S1, draw
        first`.
        """
        words = [word for clause in phrase.clauses for word in (*clause, PAUSE)]
        # `the second on B4. The first on A9.`
        if any("second" in one.kinds and one.says for one in earlier):
            return has(words, "first")
        orders = [
            word.kind == "name" or (word.kind == "word" and self._is_order(word.text))
            for word in words
        ]
        there = sum(one.text.isupper() or self._is_order(one.text) for one in before)
        for at, word in enumerate(words):
            if word.kind == "first":
                then = next((w.kind for w in words[at + 1 :] if w.kind not in AROUND), "and")
                if there + sum(orders[:at]) > (then == "and"):
                    return True
        return False

    def _answer_first(self, said: list[Mention]) -> list[Mention]:
        """With the word that answers a question about one word (a colour) before all others,
        wherever it stands: `two violet walls`.
        """
        if any(len(order) > 2 or order[-1].isupper() for order in self._legal):
            return said
        words, heads = ({order[at] for order in self._legal} for at in (-1, 0))
        named = [one for one in said if one.text in words and not one.mark]
        head = [one for one in said if one.text in heads and not one.mark]
        ends = max((one.sentence for one in said if one not in named), default=0)
        alone = len(named) == 1 and len(head) < 2 and named[0].sentence <= ends  # no `Ann (red)`
        first = [*head, *named]  # `with my colour, red`
        return [*first, *(one for one in said if one not in first)] if alone else said

    def _of_phrase(
        self, at: int, phrase: Phrase, head: bool = False, first: bool = False
    ) -> list[Mention] | None:
        """What a sentence mentions; None where it may turn that; ``head``: it tells of others;
        ``first``: nothing is mentioned before it.
        """
        if not phrase.says:
            return self._of_chat(at, phrase)
        short, left = self._clauses.without_left(self._clauses.without_talk(phrase), first)
        said = self._of_rest(at, phrase, short, head)
        return said if said is None else [*said, *(Mention(text, at, LEFT) for text in left)]

    def _at_least(self, at: int, phrase: Phrase) -> list[Mention] | None:
        """What a sentence that may be turned mentions, to be offered; None where it may say the
        contrary of what others say, or something else that is to be done.
        """
        if not phrase.says:
            return None if phrase.kinds & ENDS else []
        named = [clause for clause in phrase.clauses if has(clause, "word", "name")]
        if phrase.kinds & (INSTEAD | ENDS) or any(has(clause, *CONTRARY) for clause in named):
            return None
        if self._clauses.asks(phrase) or self._clauses.vague(phrase):
            return None
        if phrase.odd or self._clauses.told(phrase.words):
            return None if phrase.names else []
        mark = WAITS if self._clauses.is_deed(phrase) else ""
        return in_order(at, phrase, mark, self._is_order) or []

    def _of_rest(self, at: int, phrase: Phrase, short: Phrase, head: bool) -> list[Mention] | None:
        """What a sentence mentions, by what is left of it in ``short``."""
        told = self._clauses.told(short.words)
        if not short.says:  # what is left of it may take back what others say
            return None if short.kinds & (ENDS | {"mend", "defer"}) else []
        if phrase.odd or (told and phrase.aside):
            return None
        if parts := _before_if(short):
            found = [self._of_phrase(at, part) for part in parts]
            return [one for part in found for one in part or ()] if all(found) else None
        waits = self._clauses.may_wait(short)
        if (told and not waits) or self._clauses.turned(short, waits):
            may_be = head or self._clauses.may_be_talk(phrase)
            return [Mention(name, at, TALK) for name in ("", *phrase.names)] if may_be else None
        later = _for_later(short)
        if later and not short.later and (_late(short) or not short.kinds.isdisjoint(STRANGE)):
            return None
        only = waits and (told or bool(short.kinds & {"tells", "when", "if"}))
        only = only or self._clauses.is_deed(short)
        return in_order(at, short, WAITS if only else LATER if later else "", self._is_order)

    def _of_chat(self, at: int, phrase: Phrase) -> list[Mention] | None:
        """A sentence that mentions nothing: it corrects, it holds, or it is talk."""
        told = self._clauses.told(phrase.words)
        if told and not self._loosely and is_somebodys(phrase):
            return None
        if any(map(put_off, phrase.clauses)) and phrase.kinds.isdisjoint(INSTEAD):
            return []
        if phrase.mends and not phrase.kinds & ENDS:
            return [Mention("", at, MEND)]
        strange = sum(word.kind in STRANGE for word in phrase.words)
        if self._numbered and {"num", "keep"} <= phrase.kinds:  # `the 2 stays`
            return [Mention(w.text, at, LEFT) for w in phrase.words if w.kind == "num"]
        if "num" in phrase.kinds and strange < 2:  # `two of them`, `(card 1)`
            numbers = [Mention(w.text, at - phrase.aside) for w in phrase.words if w.kind == "num"]
            clear = self._numbered and not strange and not phrase.doubt and "?" not in phrase.mark
            return numbers if clear else None
        no = phrase.words[:1] and phrase.words[0].kind == "no"  # `No, hang on`
        holds = phrase.beside != "spoken" or told or no or phrase.kinds & (ENDS | {"later"})
        if (phrase.doubt and holds) or (told and (phrase.aside or phrase.mark == ":")):
            return None
        return []

    def _is_order(self, text: str) -> bool:
        return self._grammar.spell((text,)) is not None


def _before_if(phrase: Phrase) -> tuple[Phrase, ...]:
    """What a sentence orders, and what it says of a question that may come; () if not both."""
    timed = [i for i, clause in enumerate(phrase.clauses) if has(clause, "when", "if")]
    before = phrase.clauses[: timed[0]] if timed else ()
    if not any(has(clause, "word", "name") for clause in before):
        return ()
    behind = phrase.clauses[len(before) :]
    if not any(has(clause, "word") for clause in behind):  # `…, when BP3 is full`
        return ()
    return phrase._replace(clauses=before), phrase._replace(clauses=behind)


def _once_more(phrase: Phrase, said: list[Mention], before: list[Mention]) -> list[Mention]:
    """With what was said before, and is said as an order of its own, as meant once more: `draw` on
    two lines, `and draw again`; not `So I draw.` A stray `wall` below `wall B5` is nothing.
    """
    texts = [one.text for one in said]
    alike = texts in [[one.text] for one in before] + [one.text.split()[:1] for one in before]
    bare = phrase.kinds <= {"word", "and", "add", "more"} and not phrase.mark
    return [one._replace(anew=True) for one in said] if alike and bare else said


def is_somebodys(phrase: Phrase) -> bool:
    """Whether it only says whose something is, with a name: `for Ben`, `From Ben.`"""
    kinds = [word.kind for word in phrase.words]
    short = len(kinds) <= _FEW + 1 and kinds.count("unknown") == 1
    owner = phrase.words[0].text if kinds == ["unknown", "fill"] else ""
    if kinds == ["unknown", "and", "fill"] or owner.endswith("'s"):  # `Ben's move`, `Zoe's move`
        return True
    pairs = (pair for clause in phrase.clauses for pair in pairwise(clause))
    whose = ("for", "to", "tells")
    return short and any(one.kind in whose and then.kind == "unknown" for one, then in pairs)


def _voided(phrases: Sequence[Phrase]) -> bool:
    """Whether a remark of unknown words stands in a line with orders: `walls A2, B5 (obsolete)`."""
    lines = {one.number for one in phrases if one.says}
    return any(
        one.number in lines and one.aside and not one.says
        for one in phrases
        if len(one.words) <= _FEW + 1 and "unknown" in one.kinds and "chat" not in one.kinds
    )


def without_verbs(said: Mentioned, legal: Sequence[str]) -> Mentioned:
    """Without what begins an order of a thing, where that begins another one: `I play the horseman`
    on a site, besides two actions.
    """
    heads = {line.split()[0] for line in legal}
    both = {(words[0], word) for words in map(str.split, legal) for word in words[1:]}
    pairs = zip(said.mentions, (*said.mentions[1:], Mention("")), strict=True)
    verbs = (then.text in heads and (one.text, then.text) in both for one, then in pairs)
    left = (one for one, verb in zip(said.mentions, verbs, strict=True) if not verb)
    return said._replace(mentions=tuple(left))


def _head_of(phrase: Phrase) -> Head:
    said = [text for word in phrase.words for text in texts(word)]
    return Head(tuple(said), phrase.mark != ":")


def _again(said: list[Mention]) -> bool:
    """Whether the first of two says the same as the other: `no, sorry. I mean`, `site 2, S2`."""
    one, then = said[0], said[-1]
    return len(said) > 1 and ((one == then and one.text.isupper()) or one.mark == then.mark == MEND)


def _for_later(phrase: Phrase) -> bool:
    waits = phrase.kinds & {"when", "if"} and phrase.names  # `for later: when BP3 comes up, …`
    return phrase.later or ("later" in phrase.kinds and not waits)


def _late(phrase: Phrase) -> bool:
    """Whether of several things some stand before the word that says when: which are for later?"""
    kinds = [word.kind for word in phrase.words]
    before = kinds[: kinds.index("later")]
    several = kinds.count("name") > 1 or sum(has(x, "word", "name") for x in phrase.clauses) > 1
    return several and not {"word", "name"}.isdisjoint(before)


def _clean(phrase: Phrase, bare: bool) -> bool:
    """Whether each word is known, and says what it is; ``bare``: a place needs no such word."""
    odd = sum(word.kind in STRANGE for word in phrase.words)
    if not phrase.says:  # `fetch a card`
        return not 0 < odd <= _FEW or all(word.text != "game" for word in phrase.words)
    return not (odd or phrase.slips) and (bare or "word" in phrase.kinds)


def _listed(phrases: Sequence[Phrase]) -> bool:
    """Whether numbers before two lines may tell which comes first: `1 gate S1`, `2 guard S2`."""
    first = [one.words[0].text for one in phrases if one.says and one.words[0].kind == "num"]
    several = len({one.number for one in phrases if one.says}) > 1
    return several and first[:2] == ["1", "2"]


def _slipped(phrases: Sequence[Phrase]) -> bool:
    """Whether an unknown word stands right before places that no word of an order tells of, or
    before several: `T A9, hold A8`, `call A3, call B7`. What is offered has to heed that too.
    """
    said = any("word" in phrase.kinds or phrase.given for phrase in phrases)
    before = [
        word.text
        for phrase in phrases
        for clause in phrase.clauses
        for word, then in pairwise(clause)
        if word.kind == "unknown" and then.kind == "name"
    ]
    return bool(before) and (not said or len(before) > len({*before}))
