"""What a line says in plain words: its orders, why it holds the mail back, or talk.

What must never be here: the words themselves (talk.py, a game's ``spoken``), how orders are put
together (orders_said.py), lines in notation (lines.py).
Laws: an order is read only from words that are all known, with none in their sentence that turns
what they say; total, bounded, and the same for the same text.
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pbem.engine.row import Sentence, say
from pbem.files.identity import speaks_of_password
from pbem.files.orders import sentences
from pbem.files.orders.orders_said import AND, FOR, Said, orders_in
from pbem.files.orders.phrases import Meanings, Word, meanings, mended, slips, understood
from pbem.files.orders.tokens import Grammar, canonical_name, plain, why_suspicious

MOST_HEARD = 2_000  #: words of a mail that are heard; what is behind them is read as notation alone
_SENTENCE = re.compile(r"[.!?;()\[\]…]+|(?<=\s)-+>?(?=\s+(?!\d))|\n")
_CLAUSE = re.compile(r"[,:]")
#: classes of words that an order may have around it
_AROUND = frozenset(["fill", "the", "and", "for", "later", "when", "if", "due"])
_OF_ORDERS = frozenset(["word", "name", "num"])
_CLEAN = _AROUND | _OF_ORDERS
_SHORT = 60  #: letters of a line that has words of one kind alone
_FEW = 6  #: words of a sentence that can hardly be about something else
_ASKED = "?"  #: the place of an order for when it is asked for


class Clause(NamedTuple):
    """Some words between two commas."""

    words: list[Word]
    text: str
    colon: bool  #: it ends in one

    def has(self, *kinds: str) -> bool:
        return any(word.kind in kinds for word in self.words)

    @property
    def clean(self) -> bool:
        return all(word.kind in _CLEAN for word in self.words)

    @property
    def ordering(self) -> bool:
        """Whether a word of an order and a place are in it."""
        return self.has("word") and self.has("name")


_NOT = Clause([Word("not", "")], "", colon=False)


class Order(NamedTuple):
    """An order that was said, and when it is meant for."""

    said: Said
    later: bool = False


class Heard(NamedTuple):
    """What a line says."""

    orders: tuple[Order, ...] = ()
    doubt: Sentence | None = None
    talk: bool = False  #: something is said besides
    heading: bool = False  #: what follows is for later
    stop: bool = False  #: takes back what the mail says
    rather: tuple[str, ...] = ()  #: names, the first meant instead of the others
    withdraws: str = ""  #: the place whose waiting orders are taken back
    short: bool = False  #: one sentence of one clause or two

    @property
    def nothing(self) -> bool:
        """Whether it is short, and says nothing that counts."""
        return self.short and not (self.orders or self.heading or self.withdraws or self.rather)


class Listener:
    """Hears the lines of one mail; ``heard`` bounds how much."""

    def __init__(self, grammar: Grammar) -> None:
        own = (grammar.words | grammar.vocabulary) if grammar.spoken else frozenset[str]()
        self._grammar, self._left = grammar, MOST_HEARD
        self._known: Meanings = meanings(grammar.spoken, own) if grammar.spoken else {}
        self._slips = slips(grammar.spoken, own) if grammar.spoken else {}

    @property
    def able(self) -> bool:
        """Whether plain words are known, and there is time for more of them."""
        return bool(self._known) and self._left > 0

    def hear(self, text: str, ordered: bool) -> Heard | None:
        """What a line says; ``ordered``: orders stand before it. None if it is not to be heard."""
        if not self.able or speaks_of_password(text):
            return None
        whole = Heard()
        sentences_ = list(self._sentences(plain(text)))
        for clauses, asks, aside in sentences_:
            alone = len(sentences_) == len(clauses) == 1
            before = ordered or bool(whole.orders)
            heard = self._sentence(clauses, asks, aside, before, alone)
            whole = Heard(
                (*whole.orders, *heard.orders),
                whole.doubt or heard.doubt,
                whole.talk or heard.talk,
                heard.heading,
                whole.stop or heard.stop,
                whole.rather or heard.rather,
                whole.withdraws or heard.withdraws,
            )
        return whole._replace(
            short=len(sentences_) <= 1 and sum(len(s[0]) for s in sentences_) <= 2
        )

    def words_alone(self, text: str, kind: str) -> bool:
        """Whether a line has words of orders of one kind alone: `wall`, or `A10`."""
        words = self._short(text)
        found = [word.kind for word in words if word.kind not in ("fill", "the", "and")]
        return 0 < len(found) <= 4 and {*found} == {kind}

    def _short(self, text: str) -> list[Word]:
        if len(text) > _SHORT or not self.able:
            return []
        return understood(plain(text), self._grammar, self._known)

    def denies(self, text: str) -> bool:
        """Whether a short line ends in the middle of what is not to be: `I do not want to`."""
        words = self._short(text)
        return any(w.kind in ("not", "if", "says") for w in words) and words[-1].kind == "fill"

    def goes_on(self, text: str, after: str) -> bool:
        """Whether a line that a mail program may have broken goes on in the one after it. An order
        on a line of its own is one, unless a word before it may turn it.
        """
        first, then = (understood(plain(one), self._grammar, self._known) for one in (text, after))
        self._left -= len(first)
        if not first or not then:
            return False
        open_end = first[-1].kind in ("the", "and", "for")
        if then[0].kind == "word":
            return open_end or any(word.kind in ("not", "or", "if", "says") for word in first)
        return then[0].kind != "name" or open_end or first[-1].kind in ("fill", "word")

    def _sentences(self, text: str) -> Iterator[tuple[list[Clause], bool, bool]]:
        """Its clauses, whether it asks, whether it stands in brackets."""
        start, aside = 0, False
        for end in (*_SENTENCE.finditer(text), None):
            piece = text[start : end.start() if end else len(text)]
            mark = end[0] if end else ""
            if clauses := self._clauses(piece):
                yield clauses, "?" in mark, aside
            start = end.end() if end else 0
            aside = ("(" in mark or "[" in mark) or (aside and not (")" in mark or "]" in mark))

    def _clauses(self, text: str) -> list[Clause]:
        found, start = [], 0
        for end in (*_CLAUSE.finditer(text), None):
            piece = text[start : end.start() if end else len(text)]
            words = understood(piece, self._grammar, self._known)
            self._left -= len(words)
            if words:
                found.append(
                    Clause(self._put_right(words), piece, end is not None and end[0] == ":")
                )
            start = end.end() if end else 0
        return found

    def _put_right(self, words: list[Word]) -> list[Word]:
        """Slips of the keyboard before a place put right, if orders alone are said then."""
        unknown = sum(word.kind == "unknown" for word in words)
        if not 0 < unknown <= 2 or len(words) > 8 or not any(w.kind == "name" for w in words):
            return words
        right = mended(words, self._slips)
        if not all(word.kind in _CLEAN for word in right):
            return words
        found = orders_in(_stream(right), self._grammar)
        return right if found and not any(one.part for one in found) else words

    def _sentence(
        self, clauses: list[Clause], asks: bool, aside: bool, ordered: bool, alone: bool
    ) -> Heard:
        stop = _stops(clauses, ordered)
        if withdrawn := self._withdrawn(clauses):
            return Heard(withdraws=withdrawn)
        names = tuple(w.text for c in clauses for w in c.words if w.kind == "name")
        first = next((c for c in clauses if c.has(*_OF_ORDERS)), None)
        rather = any(c.has("rather") and c.has("name") and not c.has("word") for c in clauses)
        if rather and (ordered or len(names) > 1):
            return Heard(talk=True, stop=stop, rather=tuple(map(canonical_name, names)))
        read = _Read(self._grammar)
        for clause in clauses:
            read.take(clause, first is clause and not ordered)
        orders, doubt = read.done()
        turned = asks or any(c.has("not", "or", "says") for c in read.turning)
        turned = turned or _corrects(clauses, ordered)
        content = bool(orders) or any(c.ordering for c in clauses if c not in read.talk)
        few = sum(len(c.words) for c in clauses) <= _FEW and not read.talk
        if turned and few and names and ordered and not asks:
            return Heard(doubt=say(sentences.TURNED), talk=True, stop=stop)
        if aside and orders and all(order.said.part for order in orders):
            orders, read.unclean = [], []  # where a square lies, say
        if aside and orders:
            named = any(
                map(self._grammar.is_name, " ".join(o.said.order for o in orders).lower().split())
            )
            return Heard(doubt=say(sentences.OTHER_WORDS) if named else None, talk=True, stop=stop)
        if turned and content:
            return Heard(doubt=say(sentences.QUESTION if asks else sentences.TURNED), talk=True)
        doubt = doubt or read.doubt(bool(orders), alone)
        if doubt:
            return Heard(doubt=doubt, talk=True, stop=stop)
        heading = not orders and read.later and clauses[-1].colon and not read.unclean
        return Heard(tuple(orders), None, bool(read.unclean), heading, stop)

    def _withdrawn(self, clauses: list[Clause]) -> str:
        """`take back my order for AP1`."""
        clause = next((c for c in clauses if c.has("withdraw")), None)
        if clause is None or len(clauses) > 1:
            return ""
        kinds = {word.kind for word in clause.words} - {"fill", "the", "for"}
        names = [word.text for word in clause.words if word.kind == "name"]
        return canonical_name(names[0]) if kinds == {"withdraw", "name"} and len(names) == 1 else ""


def _stops(clauses: list[Clause], ordered: bool) -> bool:
    """Whether a sentence takes back what was said in this mail; one about another mail does not."""
    if not ordered or any(clause.has("mail") for clause in clauses):
        return False  # it is about another mail
    said = [word.kind for word in clauses[0].words if word.kind not in ("fill", "the")]
    return any(clause.has("stop") for clause in clauses) or said[:1] == ["or"]


def _corrects(clauses: list[Clause], ordered: bool) -> bool:
    """`wall A5, sorry, B5`: whether what comes after the word may be meant instead."""
    content = next((i for i, c in enumerate(clauses) if c.has(*_OF_ORDERS)), len(clauses))
    if any(clause.has("stop") for clause in clauses[content:]):
        return not clauses[content].has("stop") or ordered
    at = next((i for i, clause in enumerate(clauses) if clause.has("sorry")), len(clauses))
    before = ordered or any(clause.has(*_OF_ORDERS) for clause in clauses[:at])
    return before and any(clause.has("name", "num") for clause in clauses[at:])


def _stream(words: list[Word]) -> tuple[str, ...]:
    """The words of orders, with `&` and `for` between them."""
    found: list[str] = []
    for word in words:
        if word.kind in _OF_ORDERS:
            found += word.text.split()
        elif word.kind == "and" and found:
            found.append(AND)
        elif word.kind == "for" and found:
            found.append(FOR)
    return tuple(found)


class _Read:
    """The clauses of a sentence while they are read."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._runs: list[list[Word]] = [[]]
        self._place = ""  #: what `when` names
        self._open = False  #: it ends in `and` or `then`
        self._late = False  #: `later` came behind an order
        self.later = False
        self.unclean: list[Clause] = []
        self.turning: list[Clause] = []  #: those whose `not` counts
        self.talk: list[Clause] = []
        self._talking = False
        self._failed: Sentence | None = None

    def take(self, clause: Clause, first: bool) -> None:
        """Read one clause; ``first``: the first of the mail with an order in it."""
        words = clause.words
        if first and clause.has("rather"):
            words = _without_rather(words)
            clause = clause._replace(words=words)
        if clause.clean and not self._conditional(clause):
            self._talking = False
            self._clean(clause)
            return
        talk = next((i for i, w in enumerate(words) if w.kind in ("talk", "why")), len(words))
        before = clause._replace(words=words[:talk])
        if not self._talking:
            self.turning.append(before)
            if before.has("if", "when"):
                self.turning.append(_NOT)
        self._talking = self._talking or talk < len(words)
        reason = talk < len(words) and words[talk].kind == "why"
        if reason and before.clean and before.has(*_OF_ORDERS) and not before.has("when", "if"):
            self._clean(before)  # an order, and why
            clause = clause._replace(words=words[talk:])
        if self._talking:
            self.talk.append(clause)
        self.unclean.append(clause)
        if self._runs[-1]:
            self._runs.append([])

    def _conditional(self, clause: Clause) -> bool:
        """Whether it says `if` or `when` otherwise than of a place whose turn comes."""
        kinds = [w.kind for w in clause.words if w.kind not in ("fill", "the", "for")]
        if not clause.has("if", "when"):
            return clause.has("due")
        at = next(i for i, kind in enumerate(kinds) if kind in ("if", "when"))
        behind = kinds[at + 1 : at + 3]
        good = behind in (["name", "due"], ["due", "name"]) or behind[:1] == ["due"]
        good = good or (behind[:1] == ["name"] and kinds[at] == "when")
        if not good or kinds[at + 1 :].count("if") or kinds[at + 1 :].count("when"):
            self.turning.append(_NOT)
        return not good

    def _clean(self, clause: Clause) -> None:
        words = [word for word in clause.words if word.kind not in ("fill", "the")]
        self._open = bool(words) and words[-1].kind == "and"
        kinds = [word.kind for word in words]
        at = next((i for i, kind in enumerate(kinds) if kind in ("if", "when")), None)
        if at is not None:
            end = at + 1
            place = _ASKED
            while end < len(words) and kinds[end] in ("name", "due", "for") and end < at + 4:
                if kinds[end] == "name":
                    if place != _ASKED:
                        break
                    place = canonical_name(words[end].text)
                end += 1
            self._place = place
            words = words[:at] + words[end:]
        if any(word.kind == "later" for word in words):
            self._late = self._late or any(self._runs) or words[0].kind in _OF_ORDERS
            self.later = True
            words = [word for word in words if word.kind != "later"]
        article = any(word.kind == "the" for word in clause.words)
        number = len(words) == 1 and words[0].kind == "num" and words[0].text.isdigit()
        if number and not article:
            self.unclean.append(clause)  # a number alone is anything
            return
        self._runs[-1] += [*words, Word("and", "")] if words else []

    def done(self) -> tuple[list[Order], Sentence | None]:
        """Its orders, or why they are none."""
        found: list[Order] = []
        for run in self._runs:
            stream = _stream(run)
            if not {*stream} - {AND, FOR}:
                continue
            orders = orders_in(stream, self._grammar)
            if orders is None:
                if any(word.kind == "name" for word in run):
                    return [], say(sentences.OTHER_WORDS)
                self.unclean.append(Clause(run, "", colon=False))
                continue
            found += [Order(self._placed(one), self.later) for one in orders]
        if self._place == _ASKED and any(one.said.when is None for one in found):
            return [], say(sentences.WHEN)
        if self._place not in ("", _ASKED) and any(
            o.said.when != self._place or o.said.part for o in found
        ):
            return [], say(sentences.WHEN)
        if found and self._open:
            return [], say(sentences.THEN)
        if self._late and len(found) > 1:
            return [], say(sentences.OTHER_WORDS)
        return found, None

    def _placed(self, said: Said) -> Said:
        known = self._place not in ("", _ASKED) and said.when is None
        return said._replace(when=self._place) if known else said

    def doubt(self, orders: bool, alone: bool) -> Sentence | None:
        """Why what is no order holds the mail back."""
        for clause in self.unclean:
            talks, few = clause in self.talk, len(clause.words) <= 3
            if talks and clause.words[0].kind == "why":
                continue
            if clause.ordering and (orders or not talks):
                return say(sentences.OTHER_WORDS)
            if clause.has("name") and not talks and (orders or (alone and few)):
                return say(sentences.OTHER_WORDS)
            if orders and clause.colon and _says_who(clause):
                return say(sentences.OTHER_WORDS)
            tokens = tuple(re.findall(r"[^\W_](?:[\w'-]*[^\W_])?", clause.text))
            if not talks and (why := why_suspicious(tokens, self._grammar)):
                return why
        return None


def _says_who(clause: Clause) -> bool:
    """`Ben: wall A5`."""
    return len(clause.words) == 1 and clause.words[0].kind == "unknown"


def _without_rather(words: list[Word]) -> list[Word]:
    """`instead wall A5`, where nothing is said yet that it would replace."""
    start = next((i for i, word in enumerate(words) if word.kind in _OF_ORDERS), 0)
    if any(word.kind in ("for", "talk") for word in words[start:]):
        return words  # than what?
    return [word for i, word in enumerate(words) if i > start or word.kind != "rather"]
