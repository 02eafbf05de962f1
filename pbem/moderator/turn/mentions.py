"""What the sentences of an email mention, in order: words of orders, places, numbers.

What must never be here: what a clause is (clauses.py), which orders that makes (understanding.py);
anything that is not a function of the player's View and of his own lines (P2).
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.files.language.phrases import Phrase, has
from pbem.files.language.tokens import Grammar, canonical_name
from pbem.files.language.words import AROUND, Word
from pbem.moderator.turn.clauses import (
    BACK,
    CONTRARY,
    INSTEAD,
    SAYS,
    STRANGE,
    Clauses,
    put_off,
    texts,
    words_of,
)

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: what a mention is: an order in notation; it replaces, or is not meant; it waits for its place, or
#: for later; a place of a sentence that is talk; what is said to be in no order of this email
ORDER, MEND, NOT, WAITS, LATER, TALK = "order", "mend", "not", "waits", "later", "talk"
LEFT = "left"
_FEW = 2  #: unknown words of what may be an order all the same
_PAUSE = Word("and", "&")  #: between clauses, and for `and`
#: what corrects, and what has to be said beside it: neither `sorry` nor `no` does alone
_CORRECTS = {
    "mend": frozenset(["mend"]),
    "sorry": frozenset(["mend", "no", "than"]),
    "no": frozenset(["mend", "sorry"]),
}
_OFTEN = {f"{number}x": number for number in range(1, 100)}  #: `twice`, which is no place
_NUMBERS = _OFTEN | {str(number): number for number in range(1, 5)}


class Mention(NamedTuple):
    """One thing that is said."""

    text: str  #: canonical; one of `a|b`
    sentence: int = 0
    mark: str = ""
    often: int = 0  #: `two guards`; 0 where it is not said

    @property
    def binds(self) -> bool:
        """Whether no offer may leave it out: a place, or how often."""
        return self.text.isupper() or self.text in _OFTEN


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
        self, game: "Game", view: Any, grammar: Grammar, others: Collection[str], loosely: bool
    ) -> None:
        """``others``: the names of the other players; ``loosely``: of what may turn a
        sentence only the contrary counts, for what is offered.
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
        for at, phrase in enumerate(phrases):
            if later and (phrase.says or phrase.given) and not _for_later(phrase):
                return None  # for which turn?
            if phrase.given:
                found += [Mention(order, at, ORDER) for order in phrase.given]
                continue
            first = not any(one.binds or one.mark for one in found)
            head = self._clauses.heads(phrase, first)
            said = self._of_phrase(at, phrase, head)
            if self._loosely:
                said = self._at_least(at, phrase) if said is None else said
            elif phrase.says and self._first_at_last(phrase, found):
                return None
            if said is None:
                return None
            may_be = self._clauses.may_be_talk(phrase)
            heads |= {at: _head_of(phrase)} if head and (phrase.mark == ":" or not may_be) else {}
            if self._loosely or may_be or head:
                talk[at] = frozenset() if self._loosely else frozenset(words_of(phrase))
            later = later or (phrase.says and "later" in phrase.kinds)
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
        return mends > 1 or (mends > 0 and told) or _slipped(phrases)

    def _first_at_last(self, phrase: Phrase, before: Sequence[Mention]) -> bool:
        """Whether something is said to come first that stands behind other orders: `gate S1, draw
        first`.
        """
        words = [word for clause in phrase.clauses for word in (*clause, _PAUSE)]
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
        alone = len(named) == 1 and heads.isdisjoint(one.text for one in said)
        return [*named, *(one for one in said if one is not named[0])] if alone else said

    def _of_phrase(self, at: int, phrase: Phrase, head: bool = False) -> list[Mention] | None:
        """What a sentence mentions; None where it may turn that; ``head``: it tells of others."""
        if not phrase.says:
            return self._of_chat(at, phrase)
        short, left = self._clauses.without_left(self._clauses.without_talk(phrase))
        said = self._of_rest(at, phrase, short, head)
        return said if said is None else [*said, *(Mention(text, at, LEFT) for text in left)]

    def _at_least(self, at: int, phrase: Phrase) -> list[Mention] | None:
        """What a sentence that may be turned mentions, to be offered; None where it may say the
        contrary of what others say, or something else that is to be done.
        """
        if not phrase.says:
            return None if phrase.kinds & BACK else []
        named = [clause for clause in phrase.clauses if has(clause, "word", "name")]
        if phrase.kinds & (INSTEAD | BACK) or any(has(clause, *CONTRARY) for clause in named):
            return None
        if self._clauses.vague(phrase):
            return None
        if phrase.odd or self._clauses.told(phrase.words):
            return None if phrase.names else []
        return _in_order(at, phrase, "", self._is_order) or []

    def _of_rest(self, at: int, phrase: Phrase, short: Phrase, head: bool) -> list[Mention] | None:
        """What a sentence mentions, by what is left of it in ``short``."""
        told = self._clauses.told(short.words)
        if not short.says:  # what is left of it may take back what others say
            return None if short.kinds & (BACK | {"mend", "defer"}) else []
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
        return _in_order(at, short, WAITS if only else LATER if later else "", self._is_order)

    def _of_chat(self, at: int, phrase: Phrase) -> list[Mention] | None:
        """A sentence that mentions nothing: it corrects, it holds, or it is talk."""
        told = self._clauses.told(phrase.words)
        if told and not self._loosely and is_somebodys(phrase):
            return None
        if any(map(put_off, phrase.clauses)) and phrase.kinds.isdisjoint(INSTEAD):
            return []
        if phrase.mends and not phrase.kinds & BACK:
            return [Mention("", at, MEND)]
        strange = sum(word.kind in STRANGE for word in phrase.words)
        if "num" in phrase.kinds and strange < 2:  # `two of them`, `(card 1)`
            numbers = [Mention(w.text, at - phrase.aside) for w in phrase.words if w.kind == "num"]
            clear = self._numbered and not strange and not phrase.doubt and "?" not in phrase.mark
            return numbers if clear else None
        no = phrase.words[:1] and phrase.words[0].kind == "no"  # `No, hang on`
        holds = phrase.beside != "spoken" or told or no or phrase.kinds & (BACK | {"later"})
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


def is_somebodys(phrase: Phrase) -> bool:
    """Whether it only says whose something is, with a name: `for Ben`, `From Ben.`"""
    kinds = [word.kind for word in phrase.words]
    short = len(kinds) <= _FEW + 1 and kinds.count("unknown") == 1
    if kinds == ["unknown", "and", "fill"]:  # `Ben's move`
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


def _head_of(phrase: Phrase) -> Head:
    said = [text for word in phrase.words for text in texts(word)]
    return Head(tuple(said), phrase.mark != ":")


def _again(said: list[Mention]) -> bool:
    """Whether the first of two says the same as the other: `no, sorry. I mean`, `site 2, S2`."""
    one, then = said[0], said[-1]
    return len(said) > 1 and ((one == then and one.text.isupper()) or one.mark == then.mark == MEND)


def _for_later(phrase: Phrase) -> bool:
    return phrase.later or "later" in phrase.kinds


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


def _in_order(
    at: int, phrase: Phrase, mark: str, alone: Callable[[str], bool]
) -> list[Mention] | None:
    """What a sentence says: first what is not meant, then what is; None if that is not clear."""
    own, nots = list[Mention](), list[Mention]()
    words = [
        word for clause in phrase.clauses for word in (*clause, _PAUSE) if word.kind not in AROUND
    ]
    while words:
        word, *words = words
        if word.kind in ("no", "than") and words and words[0].text[:1] in ("+", "-"):
            words = words[1:]  # `+2 and not -2`
        elif word.kind in ("no", "than") and words and words[0].kind in ("word", "name"):
            name, words = _rejected(words)
            if not name:
                return None
            nots.append(Mention(name, at, NOT))
        elif word.kind == "not it" and own:
            nots.append(own.pop()._replace(mark=NOT))
        elif word.kind in _CORRECTS:
            if phrase.kinds.isdisjoint(_CORRECTS[word.kind]):
                return None
            own.append(Mention("", at, MEND))
        elif word.kind in SAYS:
            own += [Mention(text, at) for text in texts(word)]
        elif word.kind == "and":
            own.append(Mention(_PAUSE.text, at))
    at_mark = next((i for i, one in enumerate(own) if one.mark), 0)
    own = [*own[:at_mark], *nots, *(one for one in own[at_mark:] if not (nots and one.mark))]
    return [one for one in _counted(own, mark, alone) if one.text != _PAUSE.text]


def _rejected(words: list[Word]) -> tuple[str, list[Word]]:
    """The place that is not meant (`not A5`, `instead of wall B5`), and what is behind it; "" where
    none is named.
    """
    named = [word for word in words[:2] if word.kind == "name"][:1]
    if not named or (words[0] != named[0] and words[0].kind != "word"):
        return "", []
    return canonical_name(named[0].text), words[words.index(named[0]) + 1 :]


def _counted(said: list[Mention], mark: str, alone: Callable[[str], bool]) -> Iterator[Mention]:
    """With the number before a word, or behind one that is an order ``alone``, as how often it is
    said.
    """
    at = 0
    while at < len(said):
        one, then = said[at], said[at + 1] if at + 1 < len(said) else None
        at += 1
        if one.text in _NUMBERS and then and _is_word(then):
            text = then.text.partition("|")[0]
            one, at = then._replace(text=text, often=_NUMBERS[one.text]), at + 1
        elif then and _is_after(one, then, alone):
            text = one.text.partition("|")[0]
            one, at = one._replace(text=text, often=_NUMBERS[then.text]), at + 1
        elif one.text.isupper() and then and then.text.isdigit():  # `wall S1 2`: two, or S2?
            said[at] = then._replace(text=f"{then.text}x")
        yield one._replace(mark=one.mark or mark)


def _is_after(one: Mention, then: Mention, alone: Callable[[str], bool]) -> bool:
    """Whether a number tells how often the word before it is meant: `draw two`, `walls x2`."""
    often = then.text in _NUMBERS and alone(one.text)
    return often or (then.text in _OFTEN and _is_word(one))


def _is_word(one: Mention) -> bool:
    return one.text[:1].islower() and not one.mark


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
