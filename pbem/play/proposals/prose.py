"""Read the prose of an email line by line.

Only orders in words and nothing else count. A line that looks like an order holds the email. All
other lines go to the referee.

What must never be here: a guess at the meaning (proposals.py); anything that does not follow from
the player's View and lines (P2).
Source: docs/decisions/0023-notation-is-played.md.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.engine.row import say
from pbem.mail.text import Line
from pbem.notation.absence import ABSENT, UNCLEAR, find_absence_sentence, find_unclear_absence
from pbem.notation.asks import NO, WITHDRAW, YES
from pbem.notation.lexicon import NAME, NUMBER, SIGN, SMALL, UNKNOWN, WORD, Lexicon, Term, is_signature
from pbem.notation.lines import (
    CHANGES_ORDERS_BELOW,
    ENDS_WITH_QUESTION,
    IN_QUOTED_EMAIL,
    NOT_AN_ORDER,
    DoubtfulLine,
    Grammar,
    OrderLine,
    OtherLine,
    ParsedOrders,
    ProseLine,
    read_line,
)
from pbem.notation.tokens import normalize_line, strip_accents
from pbem.play.proposals.matching import find_only_orders

if TYPE_CHECKING:
    from pbem.engine.game import Game

THEN = "then"  #: a word of the notation that can also just join two orders
_MAX_SHORT_TERMS = 8  #: terms of a line that may mean `withdraw`
_MAX_TERMS = 40  #: of a line that are read


class Reader(NamedTuple):
    """The game, the player's View and all words that help to read the player's email."""

    game: "Game"
    view: Any
    grammar: Grammar
    lexicon: Lexicon
    names: frozenset[str] = frozenset()  #: of the player and the referee, without accents
    other_names: frozenset[str] = frozenset()  #: of the other players
    has_deadlines: bool = False  #: deadlines move while a player is absent
    has_pending_orders: bool = True  #: the player has orders to withdraw


def read_prose(reader: Reader, parsed_orders: ParsedOrders) -> ParsedOrders:
    """The same email with each line of prose classified: orders, doubtful, a command, layout, or a
    message to the referee.
    """
    if not parsed_orders.prose:
        return parsed_orders
    prose_reader = _ProseReader(reader, parsed_orders)
    for line in parsed_orders.prose:
        prose_reader.classify_line(line)
    return prose_reader.to_parsed_orders()


class _ProseReader:
    """The prose of an email while it is read."""

    def __init__(self, reader: Reader, parsed_orders: ParsedOrders) -> None:
        self._reader, self._parsed_orders = reader, parsed_orders
        self._now, self._later = [*parsed_orders.now], [*parsed_orders.later]
        self._doubtful_lines = [*parsed_orders.doubtful_lines]
        self._message_lines = [*parsed_orders.message_lines]
        self._headings: list[tuple[ProseLine, Line]] = []
        self._other_lines = [*parsed_orders.other_lines]
        self._commands = dict.fromkeys(parsed_orders.commands)
        self._proposed_commands: dict[str, None] = {}
        legal = reader.game.legal(reader.view)
        self._legal_orders = [order.split() for order in legal]
        self._places = _find_places(legal) | _find_places(row.order for row in self._now)
        #: The View after the orders above the current line; and the orders that are not above it.
        self._view = reader.view
        self._orders_below = deque(sorted(self._now, key=lambda row: row.number))

    def to_parsed_orders(self) -> ParsedOrders:
        """The email with all lines that were classified."""

        def by_number(row: OrderLine | DoubtfulLine) -> int:
            return row.number

        order_numbers = {row.number for row in (*self._now, *self._later)}
        for line, quoted_line in self._headings:
            if line.next_number in order_numbers:
                self._hold_line(quoted_line, CHANGES_ORDERS_BELOW)
            else:
                self._classify_words(line, quoted_line)
        return self._parsed_orders._replace(
            now=tuple(sorted(self._now, key=by_number)),
            later=tuple(sorted(self._later, key=by_number)),
            commands=tuple(self._commands),
            message_lines=tuple(sorted(self._message_lines)),
            doubtful_lines=tuple(sorted(self._doubtful_lines, key=by_number)),
            prose=(),
            other_lines=tuple(sorted(self._other_lines)),
            proposed_commands=tuple(self._proposed_commands),
        )

    def classify_line(self, line: ProseLine) -> None:
        """Put one line where it belongs."""
        quoted_line = Line(line.number, self._reader.grammar.quote(line.text))
        self._advance_view(line)
        if self._may_change_orders(line):
            self._headings.append((line, quoted_line))
        elif self._is_layout(line.text):
            self._other_lines.append(OtherLine(line.number, "layout"))
        elif not line.is_own:
            self._classify_words(line, quoted_line)
        elif vote := self._read_vote(line.text):
            self._commands[vote] = None
            self._other_lines.append(OtherLine(line.number, "asked"))
        elif orders := self._read_orders(line, quoted_line):
            self._add_orders(orders, line.is_later)
        else:
            self._classify_words(line, quoted_line)

    def _add_orders(self, orders: list[OrderLine], is_later: bool) -> None:
        if is_later:
            self._later.extend(orders)
        else:
            self._now.extend(orders)
            self._orders_below.extendleft(reversed(orders))

    def _classify_words(self, line: ProseLine, quoted_line: Line) -> None:
        terms = self._reader.lexicon.find_terms(line.text)[:_MAX_TERMS]
        command = self._find_command(line.text, terms)
        if command:
            self._proposed_commands[command] = None
        if self._looks_like_an_order(terms, line.is_later):
            is_question = line.text.rstrip().endswith("?")
            why = ENDS_WITH_QUESTION if is_question else NOT_AN_ORDER
            self._hold_line(quoted_line, why if line.is_own else IN_QUOTED_EMAIL)
        elif command or self._is_signature(line):
            self._other_lines.append(OtherLine(line.number, "proposed" if command else "layout"))
        else:
            self._message_lines.append(quoted_line)

    def _hold_line(self, quoted_line: Line, why: str) -> None:
        self._doubtful_lines.append(DoubtfulLine(*quoted_line, say(why)))

    def _is_signature(self, line: ProseLine) -> bool:
        """Whether the line is a name below everything else, with a gap above it."""
        content_numbers = {row.number for row in (*self._now, *self._later)}
        content_numbers |= {row.number for row in self._message_lines} | {row.number for row in self._doubtful_lines}
        stands_apart = bool(content_numbers or self._commands) and line.number - 1 not in content_numbers
        return stands_apart and not line.next_number and is_signature(line.text)

    def _is_layout(self, text: str) -> bool:
        """Whether a line says nothing. `Sent from my iPhone wall B7` does say something."""
        reader = self._reader
        layout = reader.lexicon.is_layout(text, reader.names | reader.other_names)
        return layout and not self._has_pair(reader.lexicon.find_terms(text))

    def _has_pair(self, terms: Sequence[Term]) -> bool:
        """Whether an order word is beside a piece, card or place."""
        own_terms = [term for term in terms if term.kind != SMALL]
        head_words = self._reader.grammar.order_words
        return any(_is_pair(a, b, head_words) or _is_pair(b, a, head_words) for a, b in pairwise(own_terms))

    def _is_denied(self, terms: Sequence[Term]) -> bool:
        """Whether a line begins by denying an order word: `no neutral`."""
        lexicon, first_text = self._reader.lexicon, terms[0].text if terms else ""
        is_denial = first_text in lexicon.no or (first_text,) in lexicon.changing_phrases
        return is_denial and any(self._reader.grammar.order_words & {*term.words} for term in terms[1:3])

    def _may_change_orders(self, line: ProseLine) -> bool:
        """Whether a line may change the orders below it: `Ben:`, `if Bob has not moved yet,`."""
        reader, text = self._reader, strip_accents(normalize_line(line.text)).strip(" .,!*-")
        if tuple(text.rstrip(" :").split()) in reader.lexicon.changing_phrases:
            return True
        is_heading = text.endswith(":") or line.continues
        is_heading = is_heading and not reader.lexicon.is_layout(line.text, reader.names)
        return is_heading and not self._looks_like_an_order(reader.lexicon.find_terms(line.text))

    def _read_vote(self, text: str) -> str:
        """``yes`` or ``no`` if the line says nothing else, in any of the languages; otherwise ""."""
        if "?" in text:
            return ""
        texts = (term.text for term in self._reader.lexicon.find_terms(text) if term.kind != SMALL)
        words = [text for text in map(strip_accents, texts) if text not in self._reader.names]
        if len(words) != 1:
            return ""
        lexicon = self._reader.lexicon
        return YES if words[0] in lexicon.yes else NO if words[0] in lexicon.no else ""

    def _read_orders(self, line: ProseLine, quoted_line: Line) -> list[OrderLine] | None:
        """The orders in a line; None if it contains anything else, or is not clear."""
        reader, greeting = self._reader, self._reader.lexicon.find_salutation(line.text)
        if reader.other_names & {*strip_accents(normalize_line(greeting)).replace(",", " ").split()}:
            return None
        text = line.text[len(greeting) :]
        terms = reader.lexicon.find_terms(text)
        is_unreadable = "#" in text or "~~" in text or len(terms) > _MAX_TERMS
        is_unreadable = is_unreadable or not terms or terms[-1].text == THEN
        if is_unreadable or reader.lexicon.has_range(terms):
            return None
        notation = _notation_tokens(terms)
        orders = read_line(quoted_line, notation, reader.grammar) if notation else None
        if orders or line.is_later:
            return orders
        match = find_only_orders(reader.game, self._view, terms, reader.lexicon)
        return [OrderLine(*quoted_line, order) for order in match.orders] if match else None

    def _advance_view(self, line: ProseLine) -> None:
        """Move on to the View after the orders above a line, as far as that is foreseeable."""
        game = self._reader.game
        while self._orders_below and self._orders_below[0].number < line.number:
            order_line = self._orders_below.popleft()
            order = game.complete(self._view, order_line.order)
            if not order_line.when and order in game.legal(self._view):
                view_after = game.foresee(self._view, order)
                self._view = self._view if view_after is None else view_after
                self._places |= _find_places(game.legal(self._view))

    def _looks_like_an_order(self, terms: Sequence[Term], is_later: bool = False) -> bool:
        """Whether a line may be meant as an order.

        It has an order word alone, or beside a piece, card or place; a place where the player can
        order something now; or two words of one such order. Below `later:`, any word of the game is
        enough.
        """
        own_terms = [term for term in terms if term.kind != SMALL]
        head_words = self._reader.grammar.order_words
        if is_later and any(term.kind in (WORD, NAME) for term in own_terms):
            return True
        own_terms = [term for term in own_terms if term.kind != SIGN]
        has_order_word = any(term.kind == NAME or head_words & {*term.words} for term in own_terms)
        if has_order_word and all(term.kind in (WORD, NAME, NUMBER) for term in own_terms):
            return True
        if any(term.kind == NAME and term.text in self._places for term in own_terms):
            return True
        if self._has_pair(own_terms) or self._is_denied(own_terms):
            return True
        word_options = [{*term.words} for term in own_terms if term.kind == WORD]
        return any(
            sum(not options.isdisjoint(order) for options in word_options) > 1
            and len({word for options in word_options for word in options & {*order}}) > 1
            for order in self._legal_orders
        )

    def _find_command(self, text: str, terms: Sequence[Term]) -> str:
        """The command that words may mean, `withdraw` or the days of an absence; "" if none."""
        if self._reader.has_deadlines:
            if absence := find_absence_sentence(text):
                return absence
            unclear_command = find_unclear_absence(normalize_line(text)) or ""
            if unclear_command.startswith(f"{UNCLEAR} "):
                return unclear_command.replace(UNCLEAR, ABSENT)
        if not self._reader.has_pending_orders:
            return ""
        words = [strip_accents(term.text) for term in terms]
        phrases = [tuple(words[i : i + n]) for i in range(len(words)) for n in (1, 2, 3)]
        withdraw_phrases = self._reader.lexicon.withdraw_phrases & {*phrases}
        begins_with_withdraw = any(tuple(words[: len(phrase)]) == phrase for phrase in withdraw_phrases)
        is_short = sum(term.kind != SMALL for term in terms) <= _MAX_SHORT_TERMS
        return WITHDRAW if begins_with_withdraw or (withdraw_phrases and is_short) else ""


def _find_places(orders: Iterable[str]) -> set[str]:
    """The places in these orders."""
    return {word for order in orders for word in order.split() if word[:1].isupper()}


def _notation_tokens(terms: Iterable[Term]) -> tuple[str, ...]:
    """The line in tokens of notation; () if it has other words or ambiguous ones."""
    tokens = list[str]()
    for term in terms:
        if term.kind == WORD and len(term.words) == 1 and not term.is_plural:
            tokens.append(term.words[0])
        elif term.kind in (NAME, NUMBER) or term.text == THEN:
            tokens.append(term.text.lower())
        elif term.kind != SMALL:
            return ()
    return tuple(tokens)


def _is_pair(word_term: Term, other: Term, head_words: frozenset[str]) -> bool:
    """Whether the first term is an order word, and the other a piece, card, place or signed number."""
    is_object = other.kind in (WORD, NAME) or (other.kind == NUMBER and other.text[0] in "+-")
    is_object = is_object or (other.kind == UNKNOWN and any(c.isdigit() for c in other.text))
    return bool(head_words & {*word_term.words}) and is_object and other.words != word_term.words
