"""What a line says in plain words: its orders, why it holds the email back, or talk.

What must never be here: the words themselves (talk.py, a game's ``spoken``), how orders are put
together (said.py), lines in notation (lines.py).
Laws: an order is read only from words that are all known, with none in their sentence that turns
what they say; total, bounded, and the same for the same text.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from pbem.engine.row import Sentence, say
from pbem.files import sentences
from pbem.files.identity import speaks_of_password
from pbem.files.language.greetings import is_greeting, takes_leave
from pbem.files.language.mending import Likely, Mend, in_whole, likely, mend_in
from pbem.files.language.said import AND, MOST, Said, orders_in
from pbem.files.language.talk import SOMEBODY_ELSES
from pbem.files.language.tokens import Grammar, canonical_name, near_word, plain
from pbem.files.language.words import Meanings, Word, meanings, understood

MOST_HEARD = 10_000  #: words of an email that are heard; what is behind them is read as notation
_SENTENCE = re.compile(r"[.!?;()\[\]…]+|(?<=\s)-+(?=\s+(?!\d))|\n")
_CLAUSE = re.compile(r"[,:]")
_BULLET = re.compile(r"^[-*•\s]*(?:\(?\d{1,2}[.)]\s+)?")
_INITIALS = re.compile(r"\b(?:[^\W\d_]\. ?){2,}")  #: `N. N.` says neither no nor anything else
_AT_LAST = re.compile(r"(?<=\d)\s+(?:dann|alors|allora|akkor)\s*$")  #: it links to nothing
_LINKED = re.compile(r"^\s*(?:and|und|et|ed?|és)\s+")
_ELSES = tuple(map(re.compile, SOMEBODY_ELSES))
_ORDERS = frozenset(["word", "name", "num"])
_AROUND = frozenset(["fill", "more", "open", "to", "and"])
_CLEAN = _ORDERS | _AROUND | {"later", "sorry"}
_NOT = frozenset(["turn", "cond", "no", "than", "not it", "or", "if", "stop", "mend"])
_BACK = frozenset(["stop", "mend", "cancel", "back"])
_TIMES = frozenset(["apart", "tomorrow", "when", "if"])  #: `yesterday`
_TURNS = _NOT | _BACK | {"whole", "when", "due", "for", "why", "apart", "tomorrow"}
_DAYS = frozenset(["day", "tomorrow"])
_BINDS = frozenset(["cond", "if", "when"])  #: what they begin binds what stands beside it
_STRANGE = frozenset(["unknown", "day"])
_ON = Word("word", "on")
_OPEN = frozenset(["open", "to", "and", "for"])  #: no sentence ends with one of these
_WRAPPED = 50  #: letters of a line that a mail program may have broken off
_MOST_JOINED = 20  #: lines of a paragraph
_FEW = 2  #: unknown words around a name or an order that may yet be one
_HALF = 6  #: words of a line that says `I would never play`, and an order is below it
_SAYS = 4  #: words of `Ben wrote:`, and of what can hardly be about something else
_BOUND = 4  #: words of a condition that are not known
_REMARK = 6  #: words of a remark behind an order
_SHORT = 12  #: words of a sentence that takes back what was sent

Clause = list[Word]


class Heard(NamedTuple):
    """What a line says."""

    orders: tuple[Said, ...] = ()
    later: bool = False  #: they are for later
    heading: bool = False  #: and so is what follows
    doubt: Sentence | None = None  #: why it holds the email back
    beside: str = ""  #: it does so only beside ``orders``, or ``plain`` ones
    near: bool = False  #: it does so too where nothing else is in the email
    intro: bool = False  #: above orders it may introduce them: `Sorry. What I meant:`
    talk: bool = False  #: something is said besides
    back: bool = False  #: and says clearly that it takes back what waits
    mend: Mend | None = None  #: what stands right above is corrected by it


class Listener:
    """Hears the lines of one email, which bounds how much."""

    def __init__(self, grammar: Grammar) -> None:
        own = grammar.words | grammar.vocabulary
        self._grammar, self._left = grammar, MOST_HEARD if grammar.spoken else 0
        self._known: Meanings = meanings(grammar.spoken, own) if grammar.spoken else {}
        self._likely: Likely = {}
        self._as: Callable[[Word], Word] | None = None  #: what a word is taken for

    def hear(self, text: str) -> list[Heard]:
        """What the sentences of a line say; empty if it is not to be heard."""
        if self._left <= 0 or speaks_of_password(text):
            return []
        said = _INITIALS.sub(_joined, plain(_BULLET.sub("", text)))
        found = [one for parts in self._sentences(said) for one in self._parts(*parts)]
        if any(whose.search(said) for whose in _ELSES):
            found.insert(0, Heard(doubt=say(sentences.SOMEBODY_ELSES), beside="orders"))
        ordered = any(one.orders for one in found)
        return [_beside_an_order(one, ordered) if one.beside == "line" else one for one in found]

    def mended(self, text: str) -> list[Heard]:
        """The same in a whole answer, where slips of the keyboard are what they can only be."""
        self._likely = self._likely or likely(self._known)
        return self._hear_as(text, lambda word: in_whole(word, self._likely))

    def loosely(self, text: str) -> list[Heard]:
        """The same where words that are not known say nothing: to be offered, never to be taken."""
        return self._hear_as(text, _as_talk)

    def _hear_as(self, text: str, taken_for: Callable[[Word], Word]) -> list[Heard]:
        self._as = taken_for
        found = self.hear(text)
        self._as = None
        return found

    def meant(self, tokens: tuple[str, ...]) -> str | None:
        """What was probably meant, where nothing but slips of the keyboard is in the way."""
        single = {said[0]: word for said, word in self._known.items() if not said[1:]}
        orders = frozenset(said for said, word in single.items() if word.kind == "word")
        near = [
            (word, near_word(word.text, orders)) for word in self._words(" ".join(tokens[:MOST]))
        ]
        words = [single[like] if like and word.kind == "unknown" else word for word, like in near]
        found = orders_in(_stream([words]), self._grammar) if _has_orders(words) else None
        lines = [one.order for one in found or ()]
        return ", ".join(lines) if lines and all(lines) else None

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

    def _goes_on(
        self, parts: list[str], then: str, gap: bool, notation: Callable[[str], bool]
    ) -> bool:
        last = parts[-1].strip()
        if self._left <= 0 or then[0] in "-*•>" or len(parts) > _MOST_JOINED:
            return False
        words, others = self._words(last), self._words(then)
        if not words or not others or last[-1] in ".!?:;" or notation(last):
            return False
        turned = _has(words, *_NOT)
        kinds, below = ({w.kind for w in some} - _AROUND for some in (words, others))
        if kinds == {"word"} and below == {"name"}:  # `wall`, and `A10` below it
            return True
        if gap or (notation(then) and not turned):  # a line in notation is read as ever
            return False
        if words[-1].kind in _OPEN or (turned and len(words) <= _HALF):
            return True
        if notation(then) or (others[0].kind == "word" and not turned):
            return False
        return len(last) >= _WRAPPED

    def _words(self, text: str) -> Clause:
        words = understood(plain(text), self._grammar, self._known)
        self._left -= len(words)
        return [*map(self._as, words)] if self._as else words

    def _sentences(self, text: str) -> Iterator[tuple[list[Clause], str, bool, bool]]:
        """Its clauses, how it ends, whether it stands in brackets, or apart as a remark does."""
        start, aside, apart = 0, False, False
        for end in (*_SENTENCE.finditer(text), None):
            piece, mark = text[start : end.start() if end else len(text)], end[0] if end else ""
            piece = "" if takes_leave(piece) else piece
            clauses = [self._clause(one) for one in _CLAUSE.split(piece)]
            if any(clauses):
                colon = ":" if piece.rstrip().endswith(":") else ""
                yield [one for one in clauses if one], colon or mark, aside, aside or apart
            start = end.end() if end else 0
            apart = mark[:1] in ("-", "…") or mark.startswith("..")
            aside = bool({*"(["} & {*mark}) or (aside and not {*")]"} & {*mark})

    def _clause(self, text: str) -> Clause:
        """Its words; of a greeting none; `for` says nothing before the word of an order."""
        words = self._words(_AT_LAST.sub("", text))
        if is_greeting(_LINKED.sub("", text)) and not _has(words, "sorry", *_ORDERS, *_TURNS):
            return []
        for at, word in enumerate(words):
            behind = next((w.kind for w in words[at + 1 :] if w.kind not in _AROUND), "")
            if (word.kind == "for" and behind == "word") or (word == _ON and behind in _STRANGE):
                words[at] = Word("open")
        return words

    def _parts(self, clauses: list[Clause], mark: str, aside: bool, apart: bool) -> Iterator[Heard]:
        """What a sentence says, and what corrects it."""
        before, mend = mend_in(clauses)
        if before or not mend:
            said = before if mend else clauses
            yield _remark(said, apart) or self._sentence(said, mark, aside)
        if mend:
            yield Heard(doubt=say(sentences.TAKEN_BACK), mend=mend if "?" not in mark else None)

    def _sentence(self, clauses: list[Clause], mark: str, aside: bool) -> Heard:
        kinds = [word.kind for clause in clauses for word in clause]
        if not {"cancel", "back"}.isdisjoint(kinds) and len(kinds) <= _SHORT:
            clear = "back" in kinds and {*kinds} <= _AROUND | {"back", "sorry"} and "?" not in mark
            return Heard(doubt=say(sentences.CANCEL), back=clear)
        if not {"word", "name"} & {*kinds}:
            return _about_nothing(clauses, mark)
        body, reason = _without_reason(clauses)
        if any(_like_order(clause) or _has(clause, *_BACK) for clause in reason):
            return Heard(doubt=say(sentences.OTHER_WORDS), beside="orders")
        before, place, after = _timed(body)
        clauses = [clause for clause in (*before, *after) if clause]
        if not any(map(_has_orders, clauses)):
            return _doubt(clauses, mark) or Heard(talk=True)
        if aside or "?" in mark or _turned(clauses):
            return Heard(doubt=say(sentences.QUESTION if "?" in mark else sentences.TURNED))
        now, then = (orders_in(_stream(one), self._grammar) for one in (before, after))
        orders = _placed(now, "" if then else place) + _placed(then, place)
        good = [one for one in orders if one]
        places = good and all(one.words.isupper() and not one.order for one in good)
        if places and any(word.kind == "fill" and word.text for one in clauses for word in one):
            return Heard(doubt=say(sentences.OTHER_WORDS))  # `A5 and B2 free`
        if mark == ":" and not any(one.order for one in good):  # `two cards:`
            return Heard()
        kinds = [word.kind for clause in clauses for word in clause]
        late = kinds.index("later") if "later" in kinds else -1
        unclear = len(orders) > 1 and not _ORDERS.isdisjoint(kinds[: max(late, 0)])
        if None in (now, then) or len(good) < len(orders) or unclear:
            return Heard(doubt=say(sentences.WHEN if place else sentences.OTHER_WORDS))
        return Heard(tuple(good), late >= 0, talk=bool(reason))


def _joined(initials: re.Match[str]) -> str:
    return f"{re.sub(r'[. ]', '', initials[0])} "


def _as_talk(word: Word) -> Word:
    """A word that is not known, as one that says nothing; `2x` and `A1O` may say much."""
    return Word("fill") if word.kind == "unknown" and word.text.isalpha() else word


def _beside_an_order(one: Heard, ordered: bool) -> Heard:
    """What a remark is: it holds an order in its own line."""
    return one._replace(beside="orders") if ordered else Heard(talk=True)


def _remark(clauses: list[Clause], apart: bool) -> Heard | None:
    """A few words that stand apart and are not all known: `(Ben's)`."""
    words = [word for clause in clauses for word in clause]
    few = apart and len(words) <= _REMARK and not _has(words, *_ORDERS, *_TURNS)
    if not few or not _has(words, *_STRANGE):
        return None
    return Heard(doubt=say(sentences.OTHER_WORDS), beside="line")


def _bound(clauses: list[Clause], mark: str) -> bool:
    """Whether a sentence is a day and nothing else, or a condition that nothing hangs on in it."""
    parts = [[word.kind for word in clause if word.kind not in _AROUND] for clause in clauses]
    kinds, *others = [part for part in parts if part] or [[]]
    if others or not kinds or "?" in mark:
        return False
    days = not _DAYS.isdisjoint(kinds) and {*kinds} <= _DAYS | _BINDS | {"no", "num", "turn"}
    return days or (kinds[0] in _BINDS and 0 < _strange(kinds) <= _BOUND)


def _strange(kinds: list[str]) -> int:
    return sum(kind in _STRANGE for kind in kinds)


def _holds_off(clause: Clause) -> bool:
    """Whether a clause says by itself that the orders are not to be played."""
    kinds = [word.kind for word in clause if word.kind not in _AROUND]
    stops = not (_BACK - {"mend"}).isdisjoint(kinds) or kinds[:1] == ["mend"]
    return stops and _strange(kinds) <= _FEW


def _about_nothing(clauses: list[Clause], mark: str) -> Heard:
    """A sentence without a word or a place of an order: it may take back what others say."""
    kinds = [word.kind for clause in clauses for word in clause]
    said = [kind for kind in _up_to(kinds, "why") if kind not in _AROUND]
    turns, strange = not _NOT.isdisjoint(said) and "?" not in mark, _strange(said)
    back = not _BACK.isdisjoint(said) or said[:1] == ["or"]
    intro = back and {*said} & (_BACK | _NOT) == {"mend"}
    holds = _bound(clauses, mark) or any(map(_holds_off, clauses))
    if holds or (back and strange <= _FEW) or (turns and not strange):
        return Heard(doubt=say(sentences.TAKEN_BACK), beside="orders", intro=intro)
    if back or (
        turns and (strange <= _FEW or "if" in said or (mark == ":" and len(kinds) <= _SAYS))
    ):
        return Heard(doubt=say(sentences.TAKEN_BACK), beside="plain")
    odd = (strange and len(kinds) < _SAYS) or not _TIMES.isdisjoint(said)
    if mark == ":" and odd and len(kinds) <= _HALF:  # `Ben:`, `Yesterday:`, and orders below it
        return Heard(doubt=say(sentences.OTHER_WORDS), beside="orders")
    heading = mark == ":" and "later" in said and {*said} <= _CLEAN
    return Heard(heading=heading, talk=bool({*said} - {"sorry"}) and not heading)


def _up_to(kinds: list[str], kind: str) -> list[str]:
    return kinds[: kinds.index(kind)] if kind in kinds else kinds


def _has(clause: Clause, *kinds: str) -> bool:
    return any(word.kind in kinds for word in clause)


def _clean(clause: Clause) -> bool:
    return all(word.kind in _CLEAN for word in clause)


def _has_orders(clause: Clause) -> bool:
    return _clean(clause) and _has(clause, "word", "name")


def _like_order(clause: Clause) -> bool:
    """Whether a place stands right behind the word of an order."""
    kinds = [word.kind for word in clause if word.kind not in _AROUND]
    return ("word", "name") in pairwise(kinds)


def _turned(clauses: list[Clause]) -> bool:
    """Whether a word, known or not, may turn the orders of a sentence; or `A5 to A8`."""
    first = next(at for at, clause in enumerate(clauses) if _has_orders(clause))
    sorry = any(_has(clause, "sorry") for clause in clauses[first:])
    kinds = [word.kind for clause in clauses for word in clause if word.kind != "open"]
    range_ = ("name", "to", "name") in zip(kinds, kinds[1:], kinds[2:], strict=False)
    open_end = clauses[-1][-1].kind in _OPEN
    return sorry or open_end or range_ or not all(map(_clean, clauses))


def _doubt(clauses: list[Clause], mark: str) -> Heard | None:
    """Why a sentence without clean orders holds the email back: beside others, or at all."""
    found: list[Heard] = []
    for clause in clauses:
        named, stops = _has(clause, "name"), _has(clause, "stop", "mend")
        if not (named or stops or _has(clause, "word")):
            continue
        turned, asks = _has(clause, *_TURNS), "?" in mark
        unknown = _strange([word.kind for word in clause])
        both, few = named and _has(clause, "word"), unknown <= _FEW
        if both or few or stops or ((turned or asks) and (named or unknown <= 2 * _FEW)):
            why = sentences.TURNED if turned or asks else sentences.OTHER_WORDS
            strong = few and not asks and (both or len(clause) <= _FEW)
            turns = _has(clause, *_NOT) and (named or few)
            weak = "orders" if turns or both or (named and few) else "plain"
            near = few and not asks
            found.append(Heard(doubt=say(why), beside="" if strong else weak, near=near))
    return min(found, key=lambda one: one.beside, default=None)


def _without_reason(clauses: list[Clause]) -> tuple[list[Clause], list[Clause]]:
    """The clauses up to `because`, and those from there on."""
    for at, clause in enumerate(clauses):
        why = next((i for i, word in enumerate(clause) if word.kind == "why"), None)
        if why is not None:
            return [*clauses[:at], clause[:why]], [clause[why:], *clauses[at + 1 :]]
    return clauses, []


def _timed(clauses: list[Clause]) -> tuple[list[Clause], str, list[Clause]]:
    """What is before `when AP3 is scored`, its place (`?`: what is asked), what is behind it."""
    for at, clause in enumerate(clauses):
        start = next((i for i, word in enumerate(clause) if word.kind in ("when", "if")), None)
        if start is None:
            continue
        end, names, due = start + 1, "", False
        while end < len(clause) and clause[end].kind in ("name", "due", *_AROUND):
            if clause[end].kind == "name":
                if names:
                    break
                names = canonical_name(clause[end].text)
            due = due or clause[end].kind == "due"
            end += 1
        if due or (names and clause[start].kind == "when"):
            return [*clauses[:at], clause[:start]], names or "?", [clause[end:], *clauses[at + 1 :]]
    return clauses, "", []


def _placed(orders: list[Said] | None, place: str) -> list[Said | None]:
    """The orders, waiting for a place; None for one that cannot."""
    found: list[Said | None] = []
    for one in orders or ():
        where = one.when or (place if place != "?" else None)
        good = not place or (where and one.order and place in ("?", where))
        found.append(one._replace(when=where) if good else None)
    return found


def _stream(clauses: list[Clause]) -> tuple[str, ...]:
    """The words of orders, `&` between clauses and for `and`."""
    found: list[str] = []
    for clause in clauses:
        kept = (word for word in clause if word.kind in _ORDERS or word.kind == "and")
        found += [AND, *(one for word in kept for one in (word.text or AND).split())]
    return tuple(found)
