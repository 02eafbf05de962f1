"""What the sentences of an email say in plain words.

What must never be here: the words themselves (talk.py, a game's ``spoken``), which sentences hold
the email (holds.py), which orders they are (the moderator: only the question can tell).
Laws: total, bounded, and the same for the same text.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from pbem.files.identity import speaks_of_password
from pbem.files.language.classes import (
    BETWEEN,
    CLEAN,
    DANGLING,
    DENIES,
    ORDERS,
    STRANGE_OR_DAY,
    TIMES,
    TURNS,
)
from pbem.files.language.grammar import Grammar
from pbem.files.language.greetings import is_contact, is_greeting, takes_leave
from pbem.files.language.guesses import near_word, suggestion
from pbem.files.language.holds import (
    ELSES,
    HALF,
    OTHER_WORDS,
    SAYS,
    judged,
)
from pbem.files.language.phrases import Phrase, has
from pbem.files.language.slips import in_whole, likely, single
from pbem.files.language.tokens import plain
from pbem.files.language.whose import SOMEBODY_ELSES
from pbem.files.language.words import Meanings, Word, looked_up, meanings, without_deeds

MOST_HEARD = 1_000  #: words of an email that are heard; what is behind them is read as notation
_SENTENCE = re.compile(r"[.!?;()\[\]…\U0001f300-\U0001faff☀-➿]+|(?<=\s)-+(?=\s+(?!\d))|\n")
_CLAUSE = re.compile(r"[,:]")
_BULLET = re.compile(r"^[-*•\s]*(?:\(?\d{1,2}[.):]\s+(?=[^\W\d]))?")
_ITEM = re.compile(r"(?<![\w(])[1-4]\)\s*(?=[^\W\d])|(?<=[,;])\s*[1-4]\.\s+(?=[^\W\d])")
#: what a line tells of, before a dash: `BP3 - the flood`, `when AP2 fills - …`
_DASHED = re.compile(
    r"^\s*((?:(?:when|if|once|in|at|for|wenn|falls|bei|für|si|quand|pour|en|se|quando|per|ha) )?"
    r"[^\W\d_]{1,2}\d{1,2}(?: [^\W\d]+){0,2}) [-–] ",
    re.IGNORECASE,
)
#: `neutral: no`
_NONE = re.compile(
    r":\s*(?=(?:no|none|nein|nix|nichts|keine?[rns]?|non|aucune?|rien|niente|nessun[oa]?|nulla|nem"
    r"|nincs|semmi)\b(?! \w*\d))"
)
#: a correction behind dots or a dash goes on with the sentence: `in AP1... no, BP3`
_GOES_ON = re.compile(
    r"(?:(?<!\.)\.{2,}|…|\s-{1,3})\s{1,3}(?=(?:(?:ah|oh|uh|er|euh|äh|ach) ?,? )?"
    r"(?:no|non|nein|nem|sorry|pardon|scusa|bocs|wait|halt)\b(?:,|[^.!?\n]{0,80}\d))"
)
_IN_BRACKETS = re.compile(r"(?<=[^\W\d]) ?\(([^\W\d]{1,2}\d{1,2})\)")  #: `the traitor (BP3)`
_NUMBERED = re.compile(r"(\b(?:card|karte|carte|carta|lap|kártya)) [1-4]:")  #: `card 1: …`
_NUMERO = re.compile(r"(?i)\bn\s?[°º]\s?(?=\d)")  #: `site n° 1`
_MAY_BE_NUMERO = re.compile(r"(?i)\bno (?=\d)")  #: `site no 1`, or none: nobody can tell
_UND = re.compile(r"\bu\. (?=\w)(?!\w\.)")  #: `A2 u. B5`, and not `u. U.`
_INITIALS = re.compile(r"\b(?:[^\W\d_]\. ?){2,}")  #: `N. N.` says neither no nor anything else
_ONE_LINE = re.compile(r"[^.!?;:]*\w\s*")  #: one sentence, which ends with no mark
_ADDRESS = re.compile(r"\S+@\S+\w")
_AT_LAST = re.compile(r"(?<=\d)\s+(?:dann|alors|allora|akkor)\s*$")  #: it links to nothing
_LABEL = re.compile(r"\W*([^\W\d]+(?:'s)?(?: [^\W\d]+(?:'s)?){0,5})\s*:(?!\S)")  #: `Chess: …`
#: it points to what stands below
_HERE = re.compile(r"\b(?:here|below|anbei|voici|voilà|ecco\w*|íme|itt|alábbi\w*)\b")
_LINKED = re.compile(r"^\s*(?:and|und|et|ed?|és)\s+")
_ELSES = tuple(map(re.compile, SOMEBODY_ELSES))
_WRAPPED = 50  #: letters of a line that a mail program may have broken off
_MOST_JOINED = 20  #: lines of a paragraph
_MOST_SLIPS = 200  #: unknown words of an email that are looked at for a slip of the keyboard
_MOST = 24  #: words of a line that are looked at for what was meant


class Listener:
    """Hears the lines of one email, which bounds how much."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar, self._left = grammar, MOST_HEARD if grammar.spoken else 0
        self._table = grammar.spoken, grammar.words | grammar.vocabulary
        self._known: Meanings = meanings(*self._table) if grammar.spoken else {}
        self._slips = _MOST_SLIPS

    @property
    def full(self) -> bool:
        """Whether no more is heard."""
        return self._left <= 0

    def knows(self, token: str) -> bool:
        """Whether it is a word of orders, as it is said: `walls`."""
        return self._known.get((token,), Word("unknown")).kind == "word"

    def hear(self, number: int, text: str) -> list[Phrase]:
        """The sentences of a line; empty if it is not to be heard."""
        if self._left <= 0 or speaks_of_password(text):
            return []
        self._left -= len(text.split())
        said = _made_plain(text)
        odd, found = False, list[Phrase]()
        for clauses, mark, aside, label in self._sentences(_ADDRESS.sub("", said)):
            own = self._is_odd(label)
            odd = odd or (own and not found)  # `Chess: A2. B5`
            found.append(self._phrase(number, clauses, mark, aside, odd or own))
        here = _HERE.search(said) and "'s " not in said
        dated = any(c.isdigit() or c == "@" for c in said)  # `21.11.2026 Pat kirjoitti:`
        found = [_introduced(x) if here or (i and not dated) else x for i, x in enumerate(found)]
        if any(whose.search(said) for whose in _ELSES):
            found.insert(0, Phrase(number, (), doubt=ELSES, beside="orders"))
        return found

    def _is_odd(self, label: str) -> bool:
        """Whether a label tells of something else: `Chess:`, `Ben's orders:`; "" is none."""
        owner, whose, _ = label.partition("'s ")
        kinds = [word.kind for word in self._words(owner)]
        strange = not STRANGE_OR_DAY.isdisjoint(kinds)
        only = strange and {*kinds} <= STRANGE_OR_DAY | BETWEEN | {"for", "once"}
        return (only or not {"once", "tomorrow"}.isdisjoint(kinds)) and (
            bool(whose) or "'" not in label
        )

    def _phrase(
        self, number: int, clauses: list[list[Word]], mark: str, aside: bool, odd: bool
    ) -> Phrase:
        whole = tuple(tuple(map(self._mended, clause)) for clause in clauses)
        typed = tuple(map(tuple, clauses))
        one = judged(Phrase(number, whole, mark, aside, odd=odd, slips=whole != typed), typed)
        if not one.doubt and one.says and len(one.words) <= SAYS:  # `karte zihen`
            one = one._replace(doubt=OTHER_WORDS, beside="spoken", near=True)
        heads = mark == ":" and one.beside == "spoken" and not one.intro  # `not these:`
        return one._replace(beside="orders") if heads else one

    def _mended(self, word: Word) -> Word:
        """What a word can only be in a whole answer."""
        self._slips -= word.kind == "unknown"
        return in_whole(word, likely(*self._table)) if self._slips > 0 else word

    def meant(self, tokens: tuple[str, ...]) -> str | None:
        """What was probably meant, where nothing but slips of the keyboard is in the way."""
        if not self._known:
            return None
        alone = single(*self._table)
        orders = frozenset(said for said, word in alone.items() if word.kind == "word")
        found: list[str] = []
        for word in self._words(" ".join(tokens[:_MOST])):
            like = near_word(word.text, orders) if word.kind == "unknown" else None
            if word.kind not in CLEAN and not like:
                return None
            found += (alone[like] if like else word).text.partition("|")[0].split()
        return suggestion(tuple(found), self._grammar)

    def joined(
        self, lines: Iterable[tuple[int, str]], notation: Callable[[str], bool]
    ) -> Iterator[tuple[int, str]]:
        """The lines with their numbers, those made one that a mail program, or haste, broke in the
        middle of a sentence; ``notation``: whether a line is an order, or a command, as it stands.
        """
        first, parts, gap = 0, list[str](), False
        for number, text in lines:
            if not text.strip():
                gap = True
            elif parts and self._goes_on(parts, text.strip(), gap, notation):
                parts.append(text.strip())
            else:
                if parts:
                    yield first, " ".join(parts)
                first, parts, gap = number, [text], False
        if parts:
            yield first, " ".join(parts)

    def headed(
        self, lines: Iterable[tuple[int, str]], notation: Callable[[str], bool]
    ) -> Iterator[tuple[int, str, bool]]:
        """The lines, and whether each heads what stands below though it ends with no colon: a short
        one right above orders, `Next turn` or `Ben's move`.
        """
        for (number, text), (_, then) in pairwise([*lines, (0, "")]):
            line = plain(text)
            short = _ONE_LINE.fullmatch(text) and len(line.split()) <= HALF and not notation(text)
            heads = short and self._orders(then) and not (self._orders(text) or is_greeting(line))
            yield number, text, bool(heads)

    def _orders(self, text: str) -> bool:
        """Whether a line has a word or a place of an order; only its first words are looked at."""
        start = " ".join(plain(text).split()[:_MOST])
        return self._left > 0 and has(looked_up(start, self._grammar, self._known), "word", "name")

    def _goes_on(
        self, parts: list[str], then: str, gap: bool, notation: Callable[[str], bool]
    ) -> bool:
        last = parts[-1].strip()
        if self._left <= 0 or then[0] in "-*•>" or len(parts) > _MOST_JOINED:
            return False
        if takes_leave(plain(last)) or is_contact(then):
            return False
        words, others = self._words(last), self._words(then)
        if not words or not others or last[-1] in ".!?:;" or notation(last):
            return False
        turned = has(words, *DENIES)
        kinds, below = ({w.kind for w in some} - BETWEEN for some in (words, others))
        if kinds == {"word"} and below == {"name"}:  # `wall`, and `A10` below it
            return True
        if gap or (notation(then) and not turned):  # a line in notation is read as ever
            return False
        if words[-1].kind in DANGLING or (turned and len(words) <= HALF):
            return True
        if notation(then) or (others[0].kind == "word" and not turned):
            return False
        return len(last) >= _WRAPPED

    def _words(self, text: str) -> list[Word]:
        return looked_up(plain(text), self._grammar, self._known)

    def _sentences(self, text: str) -> Iterator[tuple[list[list[Word]], str, bool, str]]:
        """Its clauses, how it ends, whether it stands in brackets, what it is labelled with."""
        start, aside = 0, False
        for end in (*_SENTENCE.finditer(text), None):
            piece, mark = text[start : end.start() if end else len(text)], end[0] if end else ""
            piece = "" if takes_leave(piece) else piece
            if head := self._head(piece):
                before = [self._clause(one) for one in piece[:head].split(",")]
                yield [one for one in before if one], ":", aside, ""
                piece = piece[head + 1 :]
            clauses = without_deeds([self._clause(one) for one in _CLAUSE.split(piece)])
            if any(clauses):
                colon = ":" if piece.rstrip().endswith(":") else ""
                label = _LABEL.match(piece)
                yield (
                    [one for one in clauses if one],
                    colon or mark,
                    aside,
                    label[1] if label else "",
                )
            start = end.end() if end else 0
            aside = bool({*"(["} & {*mark}) or (aside and not {*")]"} & {*mark})

    def _head(self, text: str) -> int:
        """Where what tells of the rest of a sentence ends: `a card and a wall: …`; 0 if nothing."""
        before, colon, behind = text.partition(":")
        if not colon or not behind.strip():
            return 0
        kinds = [word.kind for word in self._words(before)]
        return len(before) if kinds.count("word") > 1 and "name" not in kinds else 0

    def _clause(self, text: str) -> list[Word]:
        """Its words; of a greeting none; `for` says nothing before the word of an order."""
        words = self._words(_AT_LAST.sub("", text))
        dear = words[:1] == [Word("rather")] and not has(words, "later", "day")  # `Lieber Tom`
        turned = has(words[dear:], "sorry", *ORDERS, *TURNS)
        if is_greeting(_LINKED.sub("", text)) and not turned:
            return []
        kinds = [word.kind for word in words]
        if kinds == ["if"] and text.strip() == "ha":  # `Ha, lovely!`
            return []
        sorry = "sorry" in kinds and ORDERS.isdisjoint(kinds)
        for at, word in enumerate(words):
            if word.kind == "if" and sorry and "sorry" in kinds[:at]:
                words[at] = Word("fill")  # `sorry if I am slow`
            behind = next((w.kind for w in words[at + 1 :] if w.kind not in BETWEEN), "")
            if word.kind == "for" and behind == "word":
                words[at] = Word("open")
            if word.kind == "keep" and word.text:  # `the tower, keep C7`, and `I keep the tower`
                place = has(words, "name")
                words[at] = Word("word", word.text) if place else Word("keep")
        return words


def _made_plain(text: str) -> str:
    """A line without what numbers its items, and with what only looks like the end of a sentence
    as it is meant.
    """
    text = _IN_BRACKETS.sub(
        r" \1", _GOES_ON.sub(", ", _MAY_BE_NUMERO.sub("nr ", _NUMERO.sub("", text)))
    )
    said = plain(_BULLET.sub("", _DASHED.sub(r"\1: ", text)))
    said = _ITEM.sub("; ", _NUMBERED.sub(r"\1:", _NONE.sub(" ", said)))
    return _INITIALS.sub(_joined, _UND.sub("u ", said))


def _joined(initials: re.Match[str]) -> str:
    return f"{re.sub(r'[. ]', '', initials[0])} "


def _introduced(phrase: Phrase) -> Phrase:
    """A sentence above orders that is no label: `Here it is, at last:`, `It rains. The result:`."""
    label = phrase.mark == ":" and phrase.doubt == OTHER_WORDS and phrase.beside == "orders"
    if not label or phrase.says or not TIMES.isdisjoint(phrase.kinds):
        return phrase
    return phrase._replace(doubt=None, beside="", talk=True)
