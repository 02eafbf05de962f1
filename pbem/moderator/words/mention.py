"""A mention, and how the words of one sentence become mentions, in their order.

What must never be here: which sentences count (mentions.py), what a clause is (clauses.py), which
orders that makes (understanding.py). Law: made of the sentence alone.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from pbem.files.language.classes import AROUND, ORDERS
from pbem.files.language.phrases import Phrase
from pbem.files.language.tokens import canonical_name
from pbem.files.language.words import Word
from pbem.moderator.words.clauses import texts

#: what a mention is: an order in notation; it replaces, or is not meant; it waits for its place, or
#: for later; a place of a sentence that is talk; what is said to be in no order of this email
ORDER, MEND, NOT, WAITS, LATER, TALK = "order", "mend", "not", "waits", "later", "talk"
LEFT = "left"
LAST = "last"  #: what is replaced is the order right before
PAUSE = Word("and", "&")  #: between clauses, and for `and`
#: what corrects, and what has to be said beside it: neither `sorry` nor `no` does alone
_CORRECTS = {
    "mend": frozenset(["mend"]),
    "sorry": frozenset(["mend", "no", "than"]),
    "no": frozenset(["mend", "sorry"]),
}
_OTHER = ("fill", "post")  #: behind `another`: of what nobody orders
_OFTEN = {f"{number}x": number for number in range(1, 100)}  #: `twice`, which is no place
_NUMBERS = _OFTEN | {str(number): number for number in range(1, 5)}


class Mention(NamedTuple):
    """One thing that is said."""

    text: str  #: canonical; one of `a|b`
    sentence: int = 0
    mark: str = ""
    often: int = 0  #: `two guards`; 0 where it is not said
    anew: bool = False  #: it was said before, and is meant once more

    @property
    def ways(self) -> list[str]:
        """The words that it can be: of `a|b` both."""
        return self.text.split("|")

    @property
    def binds(self) -> bool:
        """Whether no offer may leave it out: a place, a number, or how often."""
        return self.text.isupper() or self.text.isdigit() or self.text in _OFTEN


def in_order(
    at: int, phrase: Phrase, mark: str, alone: Callable[[str], bool]
) -> list[Mention] | None:
    """What a sentence says: first what is not meant, then what is; None if that is not clear."""
    own, nots, kinds = list[Mention](), list[Mention](), phrase.kinds
    words = [*_weighty(phrase)]
    more = False
    while words:
        word, *words = words
        if word.kind in ("no", "than") and words and _may_be_rejected(words[0]):
            if (found := _rejected(word.kind, words)) is None:
                return None
            names, words = found
            nots += [Mention(name, at, NOT) for name in names]
        elif word.kind == "not it" and own:
            nots.append(own.pop()._replace(mark=NOT))
        elif word.kind in _CORRECTS or word.kind == "add":
            corrects = word.kind in _CORRECTS
            added = (_corrected if corrects else _added)(own, word, words, kinds)
            if added is None:
                return None
            own += [one._replace(sentence=at) for one in added]
        else:
            said = [PAUSE.text] if word.kind == "and" else texts(word)
            own += [Mention(text, at, anew=more and text.isupper()) for text in said]
        more = word.kind == "add" and words[0].kind == "name"  # `another one on S1`
    if not all(alone(one.text) for one in own if one.anew and one.text.islower()):
        return None
    at_mark = next((i for i, one in enumerate(own) if one.mark), 0)
    own = [*own[:at_mark], *nots, *(one for one in own[at_mark:] if not (nots and one.mark))]
    return [one for one in _counted(own, mark, alone) if one.text != PAUSE.text]


def _weighty(phrase: Phrase) -> Iterator[Word]:
    """Its words that say something of orders, and what stands behind `another`."""
    for clause in phrase.clauses:
        added = False
        for word in (*clause, PAUSE):
            if word.kind not in AROUND or word.kind == "add" or (added and word.kind in _OTHER):
                yield word
            added = word.kind == "add" or (added and word.kind == "open")


def _corrected(
    own: Sequence[Mention], word: Word, words: Sequence[Word], kinds: Collection[str]
) -> list[Mention] | None:
    """That something replaces what stands before; None where that is not clear."""
    between = _is_between(own, words, word.kind)
    behind = own[-1:] and own[-1].text != PAUSE.text and words[:1] == [PAUSE]  # `A2 I mean`
    if _CORRECTS[word.kind].isdisjoint(kinds) and not between:
        return None
    said = [one for one in own[-3:] if one.text != PAUSE.text]
    if behind and word.kind == "mend":  # and `A1, sorry, A2 I mean`
        return [] if said[:-1] and said[-2].mark == MEND else None
    return [Mention(LAST if between else "", mark=MEND)]


def _added(
    own: Sequence[Mention], _: Word, words: Sequence[Word], kinds: Collection[str]
) -> list[Mention] | None:
    """What is said before once more: `I draw, and then another one`; nothing where it is said what
    comes (`and another one on S2`) or nothing is added (`draw another`); None where that is not
    clear.
    """
    then = next(word for word in words if word.kind not in _OTHER)
    if then.kind in ORDERS or (own and own[-1].text != PAUSE.text):
        return []
    if words[0] != PAUSE:  # `another question`
        return None
    before = next((one for one in reversed(own) if one.text != PAUSE.text), None)
    if before is None or before.mark or "later" in kinds:
        return None
    return [before._replace(anew=True)]


def _is_between(own: Sequence[Mention], words: Sequence[Word], kind: str) -> bool:
    """Whether a word stands alone between two places, and so corrects the first: `A5, no, A7`; or
    `sorry` between two words: `violet, sorry, red`.
    """
    if len(own) < 2 or own[-1].text != PAUSE.text or words[:1] != [PAUSE]:
        return False
    then = next((word.kind for word in words[1:] if word.kind not in ("rather", "for")), "")
    places = own[-2].text.isupper() and then == "name"
    return places or (kind == "sorry" and own[-2].text.islower() and then == "word")


def _may_be_rejected(word: Word) -> bool:
    return word.kind in ("word", "name") or word.text[:1] in ("+", "-")


def _rejected(kind: str, words: list[Word]) -> tuple[list[str], list[Word]] | None:
    """The place that is not meant (`not A5`, `instead of wall B5`), or the word (`instead of
    violet`), and what is behind it; none for `+2 and not -2`; None where it is not clear.
    """
    if words[0].text[:1] in ("+", "-"):
        return [], words[1:]
    named = [word for word in words[:2] if word.kind == "name"][:1]
    if not named and kind == "than":
        return texts(words[0])[:1], words[1:]
    if not named or (words[0] != named[0] and words[0].kind != "word"):
        return None
    return [canonical_name(named[0].text)], words[words.index(named[0]) + 1 :]


def _counted(said: list[Mention], mark: str, alone: Callable[[str], bool]) -> Iterator[Mention]:
    """With the number before a word, or behind one that is an order ``alone``, as how often it is
    said.
    """
    at, starts = 0, False
    while at < len(said):
        one, then = said[at], said[at + 1] if at + 1 < len(said) else None
        at += 1
        if one.text == "1" and then and then.text.isupper() and starts:
            said[at], starts = then._replace(often=1), False  # `two walls on S3 and 1 on S1`
            continue
        starts = one.text == PAUSE.text
        if one.text in _NUMBERS and then and _is_word(then):
            text = then.ways[0]
            one, at = then._replace(text=text, often=_NUMBERS[one.text]), at + 1
        elif then and _is_after(one, then, alone):
            text = one.ways[0]
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
