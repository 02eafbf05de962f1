"""The prose of an email, line by line: orders in words and nothing else count; what looks like an
order holds the email; all else goes to the referee.

What must never be here: a guess at what was meant (proposals.py); anything that is not a function
of the player's View and of his own lines (P2).
Source: docs/decisions/0023-notation-is-played.md.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.row import say
from pbem.mail.text import Line
from pbem.notation import sentences
from pbem.notation.absence import ABSENT, UNCLEAR, absent_within, unclear_in
from pbem.notation.asks import NO, WITHDRAW, YES
from pbem.notation.grammar import Grammar
from pbem.notation.lexicon import (
    NAME,
    NUMBER,
    SIGN,
    SMALL,
    UNKNOWN,
    WORD,
    Lexicon,
    Term,
    is_signature,
)
from pbem.notation.lines import OrderLine, ProseLine, Sheet, Suspect, read_line
from pbem.notation.tokens import bare, plain
from pbem.play.proposals.matching import only_orders

if TYPE_CHECKING:
    from pbem.engine.game import Game

THEN = "then"  #: a word of the notation that also only joins two orders
_SHORT = 8  #: terms of a line that may mean `withdraw`
_MOST_TERMS = 40  #: of a line that is looked at


class Reader(NamedTuple):
    """Who reads, and at which position."""

    game: "Game"
    view: Any
    grammar: Grammar
    lexicon: Lexicon
    names: frozenset[str] = frozenset()  #: of the player and the referee, without accents
    others: frozenset[str] = frozenset()  #: of the other players
    timed: bool = False  #: deadlines move where a player is away
    waiting: bool = True  #: the player has orders that he could withdraw


def settled(reader: Reader, sheet: Sheet) -> Sheet:
    """The same email without prose: each line of it is an order, a suspect, a command, layout, or
    words for the referee.
    """
    if not sheet.prose:
        return sheet
    prose = _Prose(reader, sheet)
    for line in sheet.prose:
        prose.take(line)
    return prose.sheet()


class _Prose:
    """The prose of an email while it is read."""

    def __init__(self, reader: Reader, sheet: Sheet) -> None:
        self._reader, self._sheet = reader, sheet
        self._first, self._later = [*sheet.first], [*sheet.later]
        self._suspects, self._unread = [*sheet.suspects], [*sheet.unread]
        self._headings: list[tuple[ProseLine, Line]] = []
        self._others = [*sheet.others]
        self._asks, self._offers = dict.fromkeys(sheet.asks), dict[str, None]()
        game, view = reader.game, reader.view
        self._legal = [order.split() for order in game.legal(view)]
        self._places = _places(game.legal(view)) | _places(row.order for row in self._first)
        #: the View after the orders above the line that is read, and those that are not above it
        self._view, self._below = view, deque(sorted(self._first, key=lambda row: row.number))

    def sheet(self) -> Sheet:
        """What all of it is."""
        by_number = lambda row: row.number  # noqa: E731
        orders = {row.number for row in (*self._first, *self._later)}
        for line, shown in self._headings:
            if line.below in orders:
                self._hold(shown, sentences.HEADS)
            else:
                self._take_words(line, shown)
        return self._sheet._replace(
            first=tuple(sorted(self._first, key=by_number)),
            later=tuple(sorted(self._later, key=by_number)),
            asks=tuple(self._asks),
            unread=tuple(sorted(self._unread)),
            suspects=tuple(sorted(self._suspects, key=by_number)),
            prose=(),
            others=tuple(sorted(self._others)),
            offers=tuple(self._offers),
        )

    def take(self, line: ProseLine) -> None:
        """Put one line where it belongs."""
        reader = self._reader
        shown = Line(line.number, reader.grammar.quoted(line.text))
        self._view_before(line)
        if self._turns(line):
            self._headings.append((line, shown))
        elif self._is_layout(line.text):
            self._others.append((line.number, "layout"))
        elif answer := self._answer(line.text) if line.own else "":
            self._asks[answer] = None
            self._others.append((line.number, "asked"))
        elif orders := self._orders(line, shown) if line.own else None:
            (self._later if line.later else self._first).extend(orders)
            self._below.extendleft([] if line.later else reversed(orders))
        else:
            self._take_words(line, shown)

    def _take_words(self, line: ProseLine, shown: Line) -> None:
        terms = self._reader.lexicon.terms(line.text)[:_MOST_TERMS]
        offer = self._command(line.text, terms)
        if offer:
            self._offers[offer] = None
        if self._looks_like_an_order(terms, line.later):
            question = line.text.rstrip().endswith("?")
            why = sentences.QUESTION if question else sentences.NO_ORDER
            self._hold(shown, why if line.own else sentences.UNMARKED)
        elif offer or self._is_signature(line):
            self._others.append((line.number, "proposed" if offer else "layout"))
        else:
            self._unread.append(shown)

    def _hold(self, shown: Line, why: str) -> None:
        self._suspects.append(Suspect(*shown, say(why)))

    def _is_signature(self, line: ProseLine) -> bool:
        """Whether it is a name below all that the email says, and apart from it."""
        said = {row.number for row in (*self._first, *self._later)}
        said |= {row.number for row in self._unread} | {row.number for row in self._suspects}
        apart = bool(said or self._asks) and line.number - 1 not in said
        return apart and not line.below and is_signature(line.text)

    def _is_layout(self, text: str) -> bool:
        """Whether a line says nothing; `Sent from my iPhone wall B7` does."""
        reader = self._reader
        layout = reader.lexicon.is_layout(text, reader.names | reader.others)
        return layout and not self._has_pair(reader.lexicon.terms(text))

    def _has_pair(self, terms: Sequence[Term]) -> bool:
        """Whether an order word stands beside a piece, card or place."""
        own, heads = [x for x in terms if x.kind != SMALL], self._reader.grammar.words
        return any(_is_pair(a, b, heads) or _is_pair(b, a, heads) for a, b in pairwise(own))

    def _is_denied(self, own: Sequence[Term]) -> bool:
        """Whether a line begins by turning an order word: `no neutral`."""
        lexicon, first = self._reader.lexicon, own[0].text if own else ""
        turns = first in lexicon.no or (first,) in lexicon.turns
        return turns and any(self._reader.grammar.words & {*term.words} for term in own[1:3])

    def _turns(self, line: ProseLine) -> bool:
        """Whether a line may turn the orders directly below it: `Ben:`, `instead of`, `if Bob has
        not moved yet,`.
        """
        reader, text = self._reader, bare(plain(line.text)).strip(" .,!*-")
        if tuple(text.rstrip(" :").split()) in reader.lexicon.turns:
            return True
        heads = text.endswith(":") or line.goes_on
        heads = heads and not reader.lexicon.is_layout(line.text, reader.names)
        return heads and not self._looks_like_an_order(reader.lexicon.terms(line.text))

    def _answer(self, text: str) -> str:
        """``yes`` or ``no``, where a line is nothing else, in any of the languages."""
        if "?" in text:
            return ""
        said = (x.text for x in self._reader.lexicon.terms(text) if x.kind != SMALL)
        terms = [term for term in map(bare, said) if term not in self._reader.names]
        word = terms[0] if len(terms) == 1 else ""
        lexicon = self._reader.lexicon
        return YES if word in lexicon.yes else NO if word in lexicon.no else ""

    def _orders(self, line: ProseLine, shown: Line) -> list[OrderLine] | None:
        """The orders that a line is, and nothing else; None if it is not, or may be others."""
        reader, greeting = self._reader, self._reader.lexicon.salutation(line.text)
        if reader.others & {*bare(plain(greeting)).replace(",", " ").split()}:
            return None
        text = line.text[len(greeting) :]
        terms = reader.lexicon.terms(text)
        odd = "#" in text or "~~" in text or len(terms) > _MOST_TERMS
        odd = odd or not terms or terms[-1].text == THEN
        if odd or reader.lexicon.has_range(terms):
            return None
        notation = _notation(terms)
        orders = read_line(shown, notation, reader.grammar) if notation else None
        if orders or line.later:
            return orders
        view = self._view
        match = only_orders(reader.game, view, terms, reader.lexicon)
        return [OrderLine(*shown, order) for order in match[0]] if match else None

    def _view_before(self, line: ProseLine) -> None:
        """Go on to the View after the orders above a line, as far as anybody can tell."""
        game = self._reader.game
        while self._below and self._below[0].number < line.number:
            row = self._below.popleft()
            order = game.complete(self._view, row.order)
            if not row.when and order in game.legal(self._view):
                after = game.foresee(self._view, order)
                self._view = self._view if after is None else after
                self._places |= _places(game.legal(self._view))

    def _looks_like_an_order(self, terms: Sequence[Term], later: bool = False) -> bool:
        """An order word beside a piece, card or place, or alone on the line; a place at which the
        player can order something now; two words of one such order; below `later:` any of these.
        """
        own = [term for term in terms if term.kind != SMALL]
        heads = self._reader.grammar.words
        if later and any(term.kind in (WORD, NAME) for term in own):
            return True
        own = [term for term in own if term.kind != SIGN]
        plays = any(term.kind == NAME or heads & {*term.words} for term in own)
        if plays and all(term.kind in (WORD, NAME, NUMBER) for term in own):
            return True
        if any(term.kind == NAME and term.text in self._places for term in own):
            return True
        if self._has_pair(own) or self._is_denied(own):
            return True
        words = [{*term.words} for term in own if term.kind == WORD]
        return any(
            sum(not options.isdisjoint(order) for options in words) > 1
            and len({word for options in words for word in options & {*order}}) > 1
            for order in self._legal
        )

    def _command(self, text: str, terms: Sequence[Term]) -> str:
        """The command that words may mean: `withdraw`, or the days of an absence; "" if none."""
        if self._reader.timed:
            if within := absent_within(text):
                return within[0]
            unclear = unclear_in(plain(text)) or ""
            if unclear.startswith(f"{UNCLEAR} "):
                return unclear.replace(UNCLEAR, ABSENT)
        if not self._reader.waiting:
            return ""
        words = [bare(term.text) for term in terms]
        said = [tuple(words[i : i + n]) for i in range(len(words)) for n in (1, 2, 3)]
        withdraws = self._reader.lexicon.withdraws & {*said}
        begins = any(tuple(words[: len(phrase)]) == phrase for phrase in withdraws)
        short = sum(term.kind != SMALL for term in terms) <= _SHORT
        return WITHDRAW if begins or (withdraws and short) else ""


def _places(orders: Iterable[str]) -> set[str]:
    """The places in these orders."""
    return {word for order in orders for word in order.split() if word[:1].isupper()}


def _notation(terms: Iterable[Term]) -> tuple[str, ...]:
    """The tokens of notation that a line is in words; () if it has other words, or unclear ones."""
    found = list[str]()
    for term in terms:
        if term.kind == WORD and len(term.words) == 1 and not term.several:
            found.append(term.words[0])
        elif term.kind in (NAME, NUMBER) or term.text == THEN:
            found.append(term.text.lower())
        elif term.kind != SMALL:
            return ()
    return tuple(found)


def _is_pair(head: Term, other: Term, heads: frozenset[str]) -> bool:
    """An order word, and a piece, card, place or signed number beside it, or what may be one."""
    beside = other.kind in (WORD, NAME) or (other.kind == NUMBER and other.text[0] in "+-")
    beside = beside or (other.kind == UNKNOWN and any(c.isdigit() for c in other.text))
    return bool(heads & {*head.words}) and beside and other.words != head.words
