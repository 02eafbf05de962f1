"""Read the orders in one line of notation, and define everything that an email is read into.

Texts in these tuples are what may be quoted (``Grammar.quote``), not what was sent. Only
``ProseLine`` keeps what was sent; it is shown to nobody.

Not allowed here: the words of a game's orders and the names of its places, which its Grammar
has.
Source: FORMAT.md section 3, "Orders in an email or move file"; docs/decisions/0008, 0009,
0023.
"""

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from pbem.engine.row import N_, Sentence
from pbem.mail.identity import mentions_password
from pbem.mail.text import Line
from pbem.notation.tokens import POLITE, SEPARATORS, canonical_name, normalize_line, split_segments, tokenize

# about a line that looks like an order; it follows the line, in small letters and without a full stop
NOT_AN_ORDER = N_("write each order alone on a line; this line is not an order, or says more")
ENDS_WITH_QUESTION = N_("write it without the question mark if you mean it as an order")
CHANGES_ORDERS_BELOW = N_("send only your orders; this line may change the orders below it")
IN_QUOTED_EMAIL = N_("write this above the email that you quote, not in it")
BELOW_SIGNATURE = N_("write this above your signature, not below it")
UNKNOWN_REPORT_CHOICE = N_("to choose your emails, write `mails few`, `mails mine`, `mails round` or `mails every`")
NOT_FOR_MOVE_FILE = N_("a move file holds only orders, and this is not one")
NOT_SUPPORTED_YET = N_("write to your referee in a separate email; `{word}` is not possible yet")

NUMBER = re.compile(r"[+-]?\d{1,4}")
#: words of every game (FORMAT.md "Notation")
_COMMON_WORDS = frozenset(
    ["later", "when", "then", "withdraw", "resend", "help", "rules", "yes", "no", "password"]
).union(["absent", "message", "leave"])
_MAX_SHOWN_LETTERS = 200


class Grammar(NamedTuple):
    """What a game says about its notation, and whether an email that is read may hold a password."""

    order_words: frozenset[str]  #: the first words of its orders
    spell: Callable[[tuple[str, ...]], str | None]  #: returns the canonical order of tokens; None if there is none
    is_name: Callable[[str], bool]  #: returns whether a token has the form of a name, such as a place
    vocabulary: frozenset[str] = frozenset()  #: all other words of its orders
    is_guarded: bool = False  #: the seat has a password, so only known words of the email may be quoted

    def quote(self, text: str, max_letters: int = _MAX_SHOWN_LETTERS) -> str:
        """Return what may be quoted of a line. In a guarded email, or beside `password`, only known words may."""
        if self.is_guarded or mentions_password(text):
            text = self._keep_known_words(text)
        printable_text = "".join(c if c.isprintable() else " " for c in text).strip()
        return printable_text if len(printable_text) <= max_letters else printable_text[: max_letters - 1] + "…"

    def _keep_known_words(self, text: str) -> str:
        """Return a text with … in place of all unknown words: `wall A5 …`."""
        known_words = self.order_words | self.vocabulary | _COMMON_WORDS
        shown_words: list[str] = []
        for token in tokenize(normalize_line(text), self.is_name):
            if token in (",", ":", ";") and shown_words:
                shown_words[-1] += token
            elif self.is_name(token):
                shown_words.append(token.upper())
            elif token in known_words or NUMBER.fullmatch(token):
                shown_words.append(token)
            elif token not in SEPARATORS and shown_words[-1:] != ["…"]:
                shown_words.append("…")
        return " ".join(shown_words)


class OrderLine(NamedTuple):
    """One well-formed order; the game says whether it is legal. ``order`` is in canonical spelling, as are ``when`` (a
    name) and ``then`` (an order).
    """

    number: int
    text: str
    order: str
    when: str | None = None
    then: str | None = None
    signature_number: int = 0  #: its number among the signed orders of its email


class DoubtfulLine(NamedTuple):
    """A line that looks like an order but is not one. It holds the whole email."""

    number: int
    text: str
    why: Sentence


class ProseLine(NamedTuple):
    """A line that is not in notation: orders in words, or a message to the referee."""

    number: int
    text: str
    is_later: bool = False  #: it is below `later:`
    next_number: int = 0  #: the number of the next line that is not blank; 0 if there is none
    continues: bool = False  #: the next line is directly below and may continue its sentence
    is_own: bool = True  #: otherwise it is in a quotation without marks, and its orders hold the email


class OtherLine(NamedTuple):
    """A line that is a command, may mean a command, has a password, or says nothing (such as a greeting)."""

    number: int
    kind: Literal["asked", "proposed", "secret", "layout"]


class WrappedLines(NamedTuple):
    """The numbers of the lines over which one sentence runs."""

    first: int
    last: int


class ParsedOrders(NamedTuple):
    """The orders, commands and other lines of an email or move file."""

    now: tuple[OrderLine, ...] = ()
    later: tuple[OrderLine, ...] = ()
    commands: tuple[str, ...] = ()
    message_lines: tuple[Line, ...] = ()  #: for the referee
    doubtful_lines: tuple[DoubtfulLine, ...] = ()
    prose: tuple[ProseLine, ...] = ()  #: lines that are not classified yet (play/proposals/prose.py)
    other_lines: tuple[OtherLine, ...] = ()
    wrapped_lines: tuple[WrappedLines, ...] = ()
    proposed_commands: tuple[str, ...] = ()  #: commands that its words may mean: `withdraw`, `absent …`


_MAX_TOKENS = 64


def read_line(line: Line, tokens: tuple[str, ...], grammar: Grammar) -> list[OrderLine] | None:
    """Return the orders in these tokens of a line; None if any part of it is not an order."""
    if len(tokens) > _MAX_TOKENS:
        return None
    if tokens[:1] == ("when",):
        return _read_when(line, tokens[1:], grammar)
    segments = split_segments(tokens, grammar.order_words)
    orders_by_segment = [_read_segment(line, segment, grammar) for segment in segments]
    if not orders_by_segment or not all(orders_by_segment):
        return None
    return [order for orders in orders_by_segment for order in orders]


def spell_order(tokens: tuple[str, ...], grammar: Grammar) -> str | None:
    """Return the order in these tokens, in canonical spelling, without polite words around it; None if it is none."""
    order = grammar.spell(tokens) if tokens else None
    if order is not None:
        return order
    own_indices = [i for i, word in enumerate(tokens) if not POLITE.fullmatch(word)]
    own_tokens = tokens[own_indices[0] : own_indices[-1] + 1] if own_indices else ()
    if own_tokens == tokens or not own_tokens or own_tokens[0] not in grammar.order_words:
        return None
    return grammar.spell(own_tokens)


def _spell_for_each_name(tokens: tuple[str, ...], grammar: Grammar) -> list[str]:
    """Return `wall A2` and `wall A6` for `wall A2 A6`; [] without two names or more, or if any is not an order."""
    own_tokens = tuple(token for token in tokens if not POLITE.fullmatch(token))
    start = next((index for index, token in enumerate(own_tokens) if grammar.is_name(token)), 0)
    prefix, names = own_tokens[:start], own_tokens[start:]
    if not prefix or len(names) < 2:
        return []
    orders = [grammar.spell((*prefix, name)) for name in names if grammar.is_name(name)]
    spelled_orders = [order for order in orders if order]
    return spelled_orders if len(spelled_orders) == len(names) else []


def _read_when(line: Line, tokens: tuple[str, ...], grammar: Grammar) -> list[OrderLine] | None:
    """Return the order behind `when`, as in `when AP2: flood -2`; None if it is not one name and one order."""
    if not tokens or not grammar.is_name(tokens[0]):
        return None
    segments = split_segments(tokens[1:], grammar.order_words)
    order = spell_order(segments[0], grammar) if len(segments) == 1 else None
    return [OrderLine(*line, order, when=canonical_name(tokens[0]))] if order else None


def _read_segment(line: Line, tokens: tuple[str, ...], grammar: Grammar) -> list[OrderLine]:
    """Return the orders in a segment; [] if a part is not an order. `then` adds an effect or joins two orders."""
    order = spell_order(tokens, grammar)
    if order or "then" not in tokens:
        orders = [order] if order else _spell_for_each_name(tokens, grammar)
        return [OrderLine(*line, spelling) for spelling in orders]
    then_index = tokens.index("then")
    tokens_before, tokens_after = tokens[:then_index], tokens[then_index + 1 :]
    main_order = spell_order(tokens_before, grammar)
    if not main_order:
        return []
    effect = tokens_before[1:2]
    if effect and effect[0] in grammar.order_words:
        # the effect of a card: `then -2`, or in full `then flood -2`
        full_order = spell_order(tokens_after, grammar) if tokens_after[:1] == effect else None
        then = spell_order(effect + tokens_after, grammar) or full_order
        return [OrderLine(*line, main_order, then=then)] if then else []
    begins_order = bool(tokens_after) and tokens_after[0] in grammar.order_words
    following_orders = _read_segment(line, tokens_after, grammar) if begins_order else []
    return [OrderLine(*line, main_order), *following_orders] if following_orders else []
