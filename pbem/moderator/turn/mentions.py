"""What the sentences of an email mention, in order: words of orders, places, numbers.

What lives here: which sentences may be talk, and which may turn what they mention. What must never
be here: which orders that makes (understanding.py); what a word means (files/language); anything
that is not a function of the player's View and of his own lines (P2).
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.files.language.phrases import Clause, Phrase
from pbem.files.language.tokens import Grammar, canonical_name, near_word
from pbem.files.language.words import Word, bare

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: what a mention is: an order in notation; it replaces, or is not meant; it waits for its place, or
#: for later; a place of a sentence that is talk; what is said to be in no order of this email
ORDER, MEND, NOT, WAITS, LATER, TALK = "order", "mend", "not", "waits", "later", "talk"
LEFT = "left"
_SAYS = frozenset(["word", "name", "num"])
_BACK = frozenset(["stop", "quit", "cancel", "back"])
_AROUND = frozenset(["fill", "open", "more", "rest", "post"])
_PAUSE = Word("and", "&")  #: between clauses, and for `and`
_SORRY = frozenset(["no", "sorry"])
_PUT_OFF = frozenset(["defer", "stop", "tomorrow", "day", "later", "post"])
_NEGATES = frozenset(["no", "without"])
_TURNS = _BACK | {"keep", "defer", "turn", "rather", "cond", "or", "tells", "tomorrow", "day", "apart"}
_TURNS |= {"without"}
#: what is left out by one of these may be left out for something else
_INSTEAD = frozenset(["mend", "than", "back", "or", "sorry", "quit", "cancel"])
#: a place in a sentence with one of these is not offered
_CONTRARY = _BACK | {"or", "no", "without", "than", "mend", "sorry"}
_BINDS = frozenset(["when", "if", "cond", "mend", "than", "not it"])  #: no talk has one of these
_CHAT = _AROUND | {"and", "to", "for", "unknown", "tells", "num"}
_STRANGE = frozenset(["unknown", "tells"])
#: what corrects, and what has to be said beside it: neither `sorry` nor `no` does alone
_CORRECTS = {
    "mend": frozenset(["mend"]),
    "sorry": frozenset(["mend", "no", "than"]),
    "no": frozenset(["mend", "sorry"]),
}
_LONG = 4  #: strange words of a sentence that can hardly be an order
_ENDING = 3  #: letters of an ending: Ben's
_OPEN = frozenset(["to", "and", "for"])  #: no sentence ends with one of these
_NUMBERS = frozenset("1234")


class Mention(NamedTuple):
    """One thing that is said."""

    text: str  #: canonical; one of `a|b`
    sentence: int = 0
    mark: str = ""
    often: int = 0  #: `two guards`; 0 where it is not said


class Mentioned(NamedTuple):
    """All that an email mentions."""

    mentions: tuple[Mention, ...]
    talk: Mapping[int, frozenset[str]]  #: the sentences that may be nothing but talk: their words
    sure: bool  #: each word is known, and none is mended
    part: bool = False  #: the rest is said to come later


class Sentences:
    """The sentences of an email, at a View."""

    def __init__(
        self, game: "Game", view: Any, grammar: Grammar, others: Collection[str], loosely: bool
    ) -> None:
        """``others``: the names of the other players; ``loosely``: of what may turn a
        sentence only the contrary counts, for what is offered.
        """
        self._game, self._view, self._grammar = game, view, grammar
        self._others = {bare(word) for name in others for word in name.casefold().split()}
        self._loosely = loosely
        self._legal = [order.split() for order in game.legal(view)]
        self._numbered = any(word.isdigit() for order in self._legal for word in order)
        self._effects = grammar.words & grammar.vocabulary  #: what a question may be about

    def mentioned(self, phrases: Sequence[Phrase]) -> Mentioned | None:
        """All that they mention; None where one may turn it."""
        found, talk, later = list[Mention](), dict[int, frozenset[str]](), False
        part = any(_put_off(clause) for phrase in phrases for clause in phrase.clauses)
        for at, phrase in enumerate(phrases):
            if later and (phrase.says or phrase.given) and not _for_later(phrase):
                return None  # for which turn?
            if phrase.given:
                found += [Mention(order, at, ORDER) for order in phrase.given]
                continue
            said = self._of_phrase(at, phrase)
            if said is None and self._loosely:
                said = self._at_least(at, phrase)
            if said is None:
                return None
            if self._loosely or self._may_be_talk(phrase):
                talk[at] = frozenset() if self._loosely else frozenset(_words(phrase))
            later = later or (phrase.says and "later" in phrase.kinds)
            nots = {one.text for one in found if one.mark == NOT}
            found += [one for one in said if one.mark != NOT or one.text not in nots]
        found = [one for i, one in enumerate(found) if not _again(found[i : i + 2])]
        mends = sum(one.mark == MEND for one in found)
        told = any(self._of_others(word) for phrase in phrases for word in phrase.words)
        if mends > 1 or (mends and told) or _slipped(phrases):
            return None
        plain = not any(one.mark in (MEND, NOT) for one in found)
        one_kind = len({order[0] for order in self._legal}) == 1
        sure = plain and all(_clean(phrase, one_kind) for phrase in phrases)
        return Mentioned(tuple(found), talk, sure, part)

    def _of_phrase(self, at: int, phrase: Phrase) -> list[Mention] | None:
        """What a sentence mentions; None where it may turn that."""
        if not phrase.says:
            return self._of_chat(at, phrase)
        short, left = self._without_left(at, self._without_talk(phrase))
        said = self._of_rest(at, phrase, short)
        return said if said is None else [*said, *left]

    def _at_least(self, at: int, phrase: Phrase) -> list[Mention] | None:
        """What a sentence that may be turned mentions, to be offered; None where it may say the
        contrary of what others say.
        """
        if phrase.kinds & _CONTRARY and (phrase.names or phrase.kinds & _BACK):
            return None
        if not phrase.says or phrase.odd or any(map(self._of_others, phrase.words)):
            return []
        return _in_order(at, phrase, "", self._is_order) or []

    def _of_rest(self, at: int, phrase: Phrase, short: Phrase) -> list[Mention] | None:
        """What a sentence mentions, by what is left of it in ``short``."""
        told = any(map(self._of_others, short.words))
        if not short.says:  # what is left of it may take back what others say
            return None if short.kinds & (_BACK | {"mend", "defer"}) else []
        if phrase.odd or (told and phrase.aside):
            return None
        if parts := _before_if(short):
            found = [self._of_phrase(at, part) for part in parts]
            return [one for part in found for one in part or ()] if all(found) else None
        waits = self._may_wait(short)
        if (told and not waits) or self._turned(short, waits):
            may_be = self._may_be_talk(phrase)
            return [Mention(name, at, TALK) for name in ("", *phrase.names)] if may_be else None
        later = _for_later(short)
        if later and not short.later and (_late(short) or not short.kinds.isdisjoint(_STRANGE)):
            return None
        only = waits and (told or bool(short.kinds & {"tells", "when", "if"}))
        return _in_order(at, short, WAITS if only else LATER if later else "", self._is_order)

    def _of_chat(self, at: int, phrase: Phrase) -> list[Mention] | None:
        """A sentence that mentions nothing: it corrects, it holds, or it is talk."""
        told = any(map(self._of_others, phrase.words))
        if any(map(_put_off, phrase.clauses)) and phrase.kinds.isdisjoint(_INSTEAD):
            return []
        if phrase.mends and not phrase.kinds & _BACK:
            return [Mention("", at, MEND)]
        strange = sum(word.kind in _STRANGE for word in phrase.words)
        if "num" in phrase.kinds and strange < 2:  # `two of them`, `(card 1)`
            numbers = [Mention(w.text, at - phrase.aside) for w in phrase.words if w.kind == "num"]
            return numbers if self._numbered and not strange and not phrase.doubt else None
        no = phrase.words[:1] and phrase.words[0].kind == "no"  # `No, hang on`
        holds = phrase.beside != "spoken" or told or no or phrase.kinds & (_BACK | {"later"})
        if (phrase.doubt and holds) or (told and (phrase.aside or phrase.mark == ":")):
            return None
        return []

    def _without_talk(self, phrase: Phrase) -> Phrase:
        """Without clauses that say nothing of orders, and what is behind `because`."""
        kept = list[Clause]()
        for at, clause in enumerate(phrase.clauses):
            why = next((i for i, word in enumerate(clause) if word.kind == "why"), None)
            rest = Phrase(0, (clause[why:], *phrase.clauses[at + 1 :])) if why is not None else None
            if rest and not self._could_order({*_words(rest)}):
                kept += [clause[:why]] if why else []
                break
            kinds = {word.kind for word in clause}
            told = any(map(self._of_others, clause))
            if told and "sorry" in kinds and kinds <= {"sorry", "fill", "unknown"}:
                continue  # `sorry, Ben`
            strange = sum(word.kind in _STRANGE for word in clause)
            chat = kinds <= _CHAT | {"keep"} and strange > ("keep" in kinds)
            chat = chat and not told
            if not chat:
                kept.append(clause)
        return phrase._replace(clauses=tuple(kept))

    def _without_left(self, at: int, phrase: Phrase) -> tuple[Phrase, list[Mention]]:
        """Without clauses that say what is kept, left open, or not ordered; and what they name."""
        kept, left = list[Clause](), list[Mention]()
        for i, clause in enumerate(phrase.clauses):
            words = [word for word in clause if word.kind == "word"]
            none = next((one for one in words if self._grammar.spell((one.text, "none"))), None)
            if _put_off(clause):
                continue
            if phrase.kinds & _INSTEAD or not _has(clause, "word", "name"):
                kept.append(clause)
            elif _has(clause, "defer") or (not none and _keeps(clause)):
                left += [Mention(text, at, LEFT) for word in clause for text in _texts(word)]
            elif not _has(clause, "name") and _negated(clause, first=not i):
                kept += [(none, Word("word", "none"))] if none else []
                left += [] if none else [Mention(one.text, at, LEFT) for one in words]
            else:
                kept.append(clause)
        return phrase._replace(clauses=tuple(kept)), left

    def _of_others(self, word: Word) -> bool:
        """Whether a word is the name of another player, with an ending or without."""
        text = word.text if word.kind == "unknown" else ""
        endings = [text[len(name) :] for name in self._others if text.startswith(name)]
        return any(not end or len(end) <= _ENDING < len(text) for end in endings)

    def _may_wait(self, phrase: Phrase) -> bool:
        """Whether a sentence may be about a question that is yet to come."""
        named = any(not self._game.why_never(self._view, name) for name in phrase.names)
        return named and not self._effects.isdisjoint(_words(phrase))

    def _turned(self, phrase: Phrase, waits: bool) -> bool:
        """Whether a sentence with a word of an order may not mean it."""
        kinds, words = phrase.kinds, phrase.words
        timed = bool(kinds & {"when", "if"})
        if self._loosely:
            return bool(kinds & {*_CONTRARY, "turn", "cond"}) or (timed and not waits)
        turns = _TURNS - ({"tells"} if waits else set())
        turns -= {"cond"} if words[-1].kind == "cond" else set()  # `as before`
        turns -= {"rather"} if kinds & {"than", "not it", "mend", *_SORRY} else set()
        if "?" in phrase.mark or kinds & turns or words[-1].kind in _OPEN:
            return True
        return (timed and not waits) or ("due" in kinds and not timed) or self._unclear(phrase)

    def _unclear(self, phrase: Phrase) -> bool:
        """Whether a sentence without a word that turns it may not be an order all the same."""
        kinds, words = phrase.kinds, phrase.words
        if any(word.kind == "unknown" and self._odd(word.text) for word in words):
            return True
        free = "word" not in kinds and any(word.kind == "fill" and word.text for word in words)
        too = "more" in kinds and not kinds.isdisjoint(("mend", *_SORRY))
        if free or too:  # `A5 and B2 free`, `wait, B6 too`
            return True
        order = [word.kind for word in words if word.kind != "open"]
        range_ = ("name", "to", "name") in zip(order, order[1:], order[2:], strict=False)
        return range_ and not any({*phrase.names} <= {*line} for line in self._legal)

    def _is_order(self, text: str) -> bool:
        return self._grammar.spell((text,)) is not None

    def _odd(self, text: str) -> bool:
        """`A1O`, `hall`, `Ben's`."""
        near = near_word(text, self._grammar.words)
        return near is not None or not text.replace("-", "").isalpha()

    def _could_order(self, words: set[str]) -> bool:
        """Whether an order can be made of these words: one that may be given now, or of a word."""
        alone = any(self._grammar.spell((word,)) for word in words)
        return alone or any({*(order[1:] or order)} <= words for order in self._legal)

    def _may_be_talk(self, phrase: Phrase) -> bool:
        """Whether no order that may be given can be made of a sentence, and some of its words are
        of no order.
        """
        if not phrase.says or phrase.kinds & _BINDS:
            return False
        words, kinds, named = {*_words(phrase)}, phrase.kinds, bool(phrase.names)
        strange = sum(word.kind in _STRANGE for word in phrase.words)
        several = any("|" in word.text and word.kind == "word" for word in phrase.words)
        if several or self._could_order(words) or (words <= {"none"} and strange < _LONG - 1):
            return False
        if any(word.kind == "unknown" and _has_digit(word.text) for word in phrase.words):
            return False  # `wall A1O`
        if self._may_wait(phrase) or self._grammar.spell(tuple(_words(phrase))):
            return False
        if "?" in phrase.mark:
            return strange > 2 and not (named and kinds & {"or", "rather", "turn"})
        told = any(map(self._of_others, phrase.words))
        heads = phrase.mark == ":" and not named and not told  # `two cards:`
        if heads and kinds.isdisjoint(_TURNS - {"tells"}):
            return True
        if not told and phrase.words[0].kind in ("and", "more"):  # `and the tower too`
            return False
        if told or kinds & _TURNS:
            enough = strange >= (2 if named else _LONG)
            return enough and not kinds & (_BACK | {"or", "rather"})
        return strange > 1


def _before_if(phrase: Phrase) -> tuple[Phrase, ...]:
    """What a sentence orders, and what it says of a question that may come; () if not both."""
    timed = [i for i, clause in enumerate(phrase.clauses) if _has(clause, "when", "if")]
    before = phrase.clauses[: timed[0]] if timed else ()
    if not any(_has(clause, "word", "name") for clause in before):
        return ()
    behind = phrase.clauses[len(before) :]
    if not any(_has(clause, "word") for clause in behind):  # `…, when BP3 is full`
        return ()
    return phrase._replace(clauses=before), phrase._replace(clauses=behind)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _again(said: list[Mention]) -> bool:
    """Whether the first of two corrects the same as the other: `no, sorry. I mean`."""
    return [one.mark for one in said] == [MEND, MEND]


def _for_later(phrase: Phrase) -> bool:
    return phrase.later or "later" in phrase.kinds


def _has(clause: Clause, *kinds: str) -> bool:
    return any(word.kind in kinds for word in clause)


def _late(phrase: Phrase) -> bool:
    """Whether several places stand before the word that says when: which are for later?"""
    kinds = [word.kind for word in phrase.words]
    before = kinds[: kinds.index("later")]
    return kinds.count("name") > 1 and not {"word", "name"}.isdisjoint(before)


def _clean(phrase: Phrase, bare: bool) -> bool:
    """Whether each word is known, and says what it is; ``bare``: a place needs no such word."""
    strange = phrase.slips or not phrase.kinds.isdisjoint(_STRANGE)
    return not phrase.says or (not strange and (bare or "word" in phrase.kinds))


def _in_order(
    at: int, phrase: Phrase, mark: str, alone: Callable[[str], bool]
) -> list[Mention] | None:
    """What a sentence says: first what is not meant, then what is; None if that is not clear."""
    own, nots = list[Mention](), list[Mention]()
    words = [
        word for clause in phrase.clauses for word in (*clause, _PAUSE) if word.kind not in _AROUND
    ]
    while words:
        word, *words = words
        if word.kind in ("no", "than") and words and words[0].kind in ("word", "name"):
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
        elif word.kind in _SAYS:
            own += [Mention(text, at) for text in _texts(word)]
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


def _texts(word: Word) -> list[str]:
    if word.kind not in _SAYS:
        return []
    return [canonical_name(word.text)] if word.kind == "name" else word.text.split()


def _keeps(clause: Clause) -> bool:
    """Whether it says that something stays as it is, and nothing else of that."""
    return _has(clause, "keep") and not _has(clause, "num", "when", "if", "due")


def _negated(clause: Clause, first: bool) -> bool:
    """Whether it says that something is not ordered; `no gate` may be `no: the gate`."""
    return _has(clause[first:], *_NEGATES)


def _put_off(clause: Clause) -> bool:
    """Whether it says that the rest comes later."""
    return _has(clause, "rest") and _has(clause, *_PUT_OFF)


def _words(phrase: Phrase) -> Iterator[str]:
    """All that a sentence says of orders; of `a|b` both."""
    for word in phrase.words:
        if word.kind in _SAYS:
            for text in _texts(word):
                yield from text.split("|")


def _counted(
    said: list[Mention], mark: str, alone: Callable[[str], bool]
) -> Iterator[Mention]:
    """With the number before a word, or behind one that is an order ``alone``, as how often it is
    said.
    """
    at = 0
    while at < len(said):
        one, then = said[at], said[at + 1] if at + 1 < len(said) else None
        at += 1
        if one.text in _NUMBERS and then and _is_word(then):
            text = then.text.partition("|")[0]
            one, at = then._replace(text=text, often=int(one.text)), at + 1
        elif then and then.text in _NUMBERS and alone(one.text):  # `draw two`
            one, at = one._replace(often=int(then.text)), at + 1
        yield one._replace(mark=one.mark or mark)


def _is_word(one: Mention) -> bool:
    return one.text[:1].islower() and not one.mark


def _slipped(phrases: Sequence[Phrase]) -> bool:
    """Whether one unknown word stands before several places: `call A3, call B7`."""
    before = Counter(
        word.text
        for phrase in phrases
        for word, then in pairwise(phrase.words)
        if word.kind == "unknown" and then.kind == "name"
    )
    return any(number > 1 for number in before.values())
