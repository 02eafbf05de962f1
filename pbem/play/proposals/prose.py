"""Classify the prose of an email, that is, the lines that are not in notation, line by line.

A line of orders in words and nothing else counts as these orders. A line that only looks like an
order is doubtful: it holds the email, so pbem plays none of it until the player confirms or corrects it.
All other lines go to the referee as a message.

Not allowed here: a guess at the meaning (proposals.py); anything that does not follow from
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
_MAX_SHORT_TERMS = 8  #: in a line of up to so many terms, `withdraw` may be anywhere; else only at its beginning
_MAX_TERMS = 40  #: terms of a line that pbem reads


class Reader(NamedTuple):
    """The game, the player's View and all words that help to read the player's email."""

    game: "Game"
    view: Any
    grammar: Grammar
    lexicon: Lexicon
    names: frozenset[str] = frozenset()  #: of the player and the referee, without accents
    other_names: frozenset[str] = frozenset()  #: of the other players, without accents
    has_deadlines: bool = False  #: so a player may want to say when they are away
    has_pending_orders: bool = True  #: the player has orders to withdraw


def read_prose(reader: Reader, parsed_orders: ParsedOrders) -> ParsedOrders:
    """Return the parsed email with each line of prose classified. A line is orders, a command, doubtful, layout (such
    as a greeting), or a message to the referee.
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
        self._reader = reader
        self._parsed_orders = parsed_orders
        self._now = [*parsed_orders.now]
        self._later = [*parsed_orders.later]
        self._doubtful_lines = [*parsed_orders.doubtful_lines]
        self._message_lines = [*parsed_orders.message_lines]
        self._headings: list[tuple[ProseLine, Line]] = []
        self._other_lines = [*parsed_orders.other_lines]
        self._greetings: list[Line] = []
        self._commands = dict.fromkeys(parsed_orders.commands)
        self._proposed_commands: dict[str, None] = {}
        legal = reader.game.legal(reader.view)
        self._legal_orders = [order.split() for order in legal]
        self._places = _find_places(legal) | _find_places(row.order for row in self._now)
        self._view = reader.view  #: the View after the orders above the current line
        self._orders_below = deque(sorted(self._now, key=lambda row: row.number))  #: the other orders

    def to_parsed_orders(self) -> ParsedOrders:
        """Return the email with all lines that were classified."""

        def by_number(row: OrderLine | DoubtfulLine) -> int:
            return row.number

        order_numbers = {row.number for row in (*self._now, *self._later)}
        for line, quoted_line in self._headings:
            if line.next_number in order_numbers:
                self._hold_line(quoted_line, CHANGES_ORDERS_BELOW)
            else:
                self._classify_words(line, quoted_line)
        has_content = order_numbers or self._commands or self._proposed_commands or self._doubtful_lines
        if not (has_content or self._message_lines):  # an email that is only `Thanks, Rita!`
            numbers = {line.number for line in self._greetings}
            self._message_lines = self._greetings
            self._other_lines = [row for row in self._other_lines if row.number not in numbers]
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
        """Add one line to the list to which it belongs. The lines must come in their order."""
        quoted_line = Line(line.number, self._reader.grammar.quote(line.text))
        self._advance_view(line)
        if self._may_change_orders(line):
            self._headings.append((line, quoted_line))
        elif self._is_layout(line.text):
            self._other_lines.append(OtherLine(line.number, "layout"))
            if line.is_own and not self._reader.lexicon.is_from_program(line.text):
                self._greetings.append(quoted_line)
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
        """Classify a line that is not orders: doubtful, a proposed command, a signature, or a message."""
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
        """Return whether the line is a name below everything else, with a gap above it."""
        content_numbers = {row.number for row in (*self._now, *self._later)}
        content_numbers |= {row.number for row in self._message_lines} | {row.number for row in self._doubtful_lines}
        has_content_above = bool(content_numbers or self._commands)
        has_gap_above = line.number - 1 not in content_numbers
        is_last_line = not line.next_number
        return has_content_above and has_gap_above and is_last_line and is_signature(line.text)

    def _is_layout(self, text: str) -> bool:
        """Return whether a line says nothing, as `Sent from my iPhone`. With `wall B7` behind it, it does."""
        reader = self._reader
        layout = reader.lexicon.is_layout(text, reader.names | reader.other_names)
        return layout and not self._has_pair(reader.lexicon.find_terms(text))

    def _has_pair(self, terms: Sequence[Term]) -> bool:
        """Return whether an order word is beside a piece, card or place."""
        own_terms = [term for term in terms if term.kind != SMALL]
        head_words = self._reader.grammar.order_words
        return any(_is_pair(a, b, head_words) or _is_pair(b, a, head_words) for a, b in pairwise(own_terms))

    def _is_denied(self, terms: Sequence[Term]) -> bool:
        """Return whether a line begins by denying an order word: `no neutral`."""
        lexicon = self._reader.lexicon
        first_text = terms[0].text if terms else ""
        is_denial = first_text in lexicon.no or (first_text,) in lexicon.changing_phrases
        return is_denial and any(self._reader.grammar.order_words & {*term.words} for term in terms[1:3])

    def _may_change_orders(self, line: ProseLine) -> bool:
        """Return whether a line may change the orders below it: `Ben:`, `if Bob has not moved yet,`, `instead of`."""
        reader = self._reader
        text = strip_accents(normalize_line(line.text)).strip(" .,!*-")
        if tuple(text.rstrip(" :").split()) in reader.lexicon.changing_phrases:
            return True
        introduces_next = text.endswith(":") or line.continues
        if not introduces_next or reader.lexicon.is_layout(line.text, reader.names):
            return False
        return not self._looks_like_an_order(reader.lexicon.find_terms(line.text))

    def _read_vote(self, text: str) -> str:
        """Return ``yes`` or ``no`` if the line says only that, in any language of the lexicon; otherwise ""."""
        if "?" in text:
            return ""
        texts = (term.text for term in self._reader.lexicon.find_terms(text) if term.kind != SMALL)
        words = [text for text in map(strip_accents, texts) if text not in self._reader.names]
        if len(words) != 1:
            return ""
        lexicon = self._reader.lexicon
        if words[0] in lexicon.yes:
            return YES
        return NO if words[0] in lexicon.no else ""

    def _read_orders(self, line: ProseLine, quoted_line: Line) -> list[OrderLine] | None:
        """Return the orders in a line; None if it contains anything else, or is not clear."""
        reader = self._reader
        greeting = reader.lexicon.find_salutation(line.text)
        if reader.other_names & {*strip_accents(normalize_line(greeting)).replace(",", " ").split()}:
            return None  # `Ben, wall A1` is to another player
        text = line.text[len(greeting) :]
        terms = reader.lexicon.find_terms(text)
        has_comment_or_strikeout = "#" in text or "~~" in text
        if has_comment_or_strikeout or not 0 < len(terms) <= _MAX_TERMS:
            return None
        if terms[-1].text == THEN or reader.lexicon.has_range(terms):
            return None
        notation = _notation_tokens(terms)
        orders = read_line(quoted_line, notation, reader.grammar) if notation else None
        if orders or line.is_later:
            return orders
        match = find_only_orders(reader.game, self._view, terms, reader.lexicon)
        return [OrderLine(*quoted_line, order) for order in match.orders] if match else None

    def _advance_view(self, line: ProseLine) -> None:
        """Advance ``_view`` past the orders above a line, as far as the player can foresee it."""
        game = self._reader.game
        while self._orders_below and self._orders_below[0].number < line.number:
            order_line = self._orders_below.popleft()
            order = game.complete(self._view, order_line.order)
            if not order_line.when and order in game.legal(self._view):
                view_after = game.foresee(self._view, order)
                if view_after is not None:
                    self._view = view_after
                self._places |= _find_places(game.legal(self._view))

    def _looks_like_an_order(self, terms: Sequence[Term], is_later: bool = False) -> bool:
        """Return whether a line may be meant as an order.

        It may if it consists of words of the game with an order word among them, or has an order
        word beside a piece, card or place, or has a place where the player can order something now,
        or has two words of a legal order. Below `later:`, any word of the game is enough.
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
        return any(_has_two_words_of(order, word_options) for order in self._legal_orders)

    def _find_command(self, text: str, terms: Sequence[Term]) -> str:
        """Return the command that a line may mean: `withdraw`, or the days of an absence; "" if none."""
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
        if not withdraw_phrases:
            return ""
        is_first = any(tuple(words[: len(phrase)]) == phrase for phrase in withdraw_phrases)
        is_short = sum(term.kind != SMALL for term in terms) <= _MAX_SHORT_TERMS
        return WITHDRAW if is_first or is_short else ""


def _has_two_words_of(order: list[str], word_options: list[set[str]]) -> bool:
    """Return whether two terms can mean two words of this order. ``word_options``: what each term can mean."""
    shared_words = [options & {*order} for options in word_options]
    matching_terms = sum(bool(words) for words in shared_words)
    return matching_terms > 1 and len({word for words in shared_words for word in words}) > 1


def _find_places(orders: Iterable[str]) -> set[str]:
    """Return the places in these orders. They are the only words with a capital letter."""
    return {word for order in orders for word in order.split() if word[:1].isupper()}


def _notation_tokens(terms: Iterable[Term]) -> tuple[str, ...]:
    """Return a line as tokens of notation, without small words; () if another word is unknown or ambiguous."""
    tokens: list[str] = []
    for term in terms:
        if term.kind == WORD and len(term.words) == 1 and not term.is_plural:
            tokens.append(term.words[0])
        elif term.kind in (NAME, NUMBER) or term.text == THEN:
            tokens.append(term.text.lower())
        elif term.kind != SMALL:
            return ()
    return tuple(tokens)


def _is_pair(word_term: Term, other: Term, head_words: frozenset[str]) -> bool:
    """Return whether the first term is an order word, and the other a piece, card, place or signed number."""
    is_signed_number = other.kind == NUMBER and other.text[0] in "+-"
    may_be_place = other.kind == UNKNOWN and any(c.isdigit() for c in other.text)
    is_object = other.kind in (WORD, NAME) or is_signed_number or may_be_place
    is_order_word = bool(head_words & {*word_term.words})
    return is_order_word and is_object and other.words != word_term.words
