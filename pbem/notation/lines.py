"""One line in notation: the orders in it. And what a whole email is read into.

What must never be here: the orders of any game (``words``, ``spell`` and ``is_name`` bring them).
Law: a line is read whole or not at all. The texts of a Sheet are what may be quoted
(``Grammar.quoted``), never what was sent, but for its prose, which is shown to nobody.
Source: docs/NOTATION.md "A mail or move file"; FORMAT.md section 3; docs/decisions/0009, 0023.
"""

from typing import NamedTuple

from pbem.engine.row import Sentence
from pbem.mail.text import Line
from pbem.notation.grammar import Grammar
from pbem.notation.tokens import POLITE, canonical_name, segments


class OrderLine(NamedTuple):
    """One order as read. ``order`` is canonical; so are ``when`` (a name) and ``then`` (an order).

    Well formed only: whether it is legal is the game's business.
    """

    number: int
    text: str
    order: str
    when: str | None = None
    then: str | None = None
    signed_as: int = 0  #: its number among the orders of its mail, where they are signed


class Suspect(NamedTuple):
    """A line that looks like an order but is none: it holds the whole email."""

    number: int
    text: str
    reason: Sentence

    @property
    def why(self) -> Sentence:
        return self.reason


class ProseLine(NamedTuple):
    """A line that is not in notation: orders in words, or words for the referee."""

    number: int
    text: str
    later: bool = False  #: it stands under `later:`
    below: int = 0  #: the number of the next line that says anything; 0 for none
    goes_on: bool = False  #: that is directly below, and no end of a sentence between
    own: bool = True  #: else left over in a quotation without marks: its orders hold the email


class Sheet(NamedTuple):
    """A mail or move file as read: orders now, standing orders, questions, and the rest."""

    first: tuple[OrderLine, ...] = ()
    later: tuple[OrderLine, ...] = ()
    asks: tuple[str, ...] = ()
    unread: tuple[Line, ...] = ()  #: words for the referee
    suspects: tuple[Suspect, ...] = ()
    prose: tuple[ProseLine, ...] = ()  #: lines that nobody has looked at as words yet
    #: what the other lines are, by their numbers: `asked`, `proposed`, `secret`, `layout`
    others: tuple[tuple[int, str], ...] = ()
    wrapped: tuple[tuple[int, int], ...] = ()  #: the first and last lines of longer sentences
    offers: tuple[str, ...] = ()  #: commands that words of it may mean: `withdraw`, `absent …`


_MOST_TOKENS = 64


def read_line(line: Line, given: tuple[str, ...], grammar: Grammar) -> list[OrderLine] | None:
    """The orders in these tokens of the line, or None if any part of it is not one."""
    if len(given) > _MOST_TOKENS:
        return None
    if given[:1] == ("when",):
        return _when(line, given[1:], grammar)
    parts = segments(given, grammar.words)
    read = [_part(line, part, grammar) for part in parts]
    return [order for orders in read for order in orders] if read and all(read) else None


def spelt(part: tuple[str, ...], grammar: Grammar) -> str | None:
    """The canonical line of these tokens, polite words before or after it allowed."""
    order = grammar.spell(part) if part else None
    if order is not None:
        return order
    said = [i for i, word in enumerate(part) if not POLITE.fullmatch(word)]
    kept = part[said[0] : said[-1] + 1] if said else ()
    if kept == part or not kept or kept[0] not in grammar.words:
        return None
    return grammar.spell(kept)


def _for_each_name(part: tuple[str, ...], grammar: Grammar) -> list[str]:
    """`wall A2 A6`, as a report writes it that offers both: one order for each name. Empty if
    any of them is none, or if there is but one name.
    """
    said = tuple(token for token in part if not POLITE.fullmatch(token))
    start = next((at for at, token in enumerate(said) if grammar.is_name(token)), 0)
    begin, names = said[:start], said[start:]
    if not begin or len(names) < 2:
        return []
    orders = [grammar.spell((*begin, name)) if grammar.is_name(name) else None for name in names]
    return [order for order in orders if order] if all(orders) else []


def _when(line: Line, given: tuple[str, ...], grammar: Grammar) -> list[OrderLine] | None:
    """`when AP2: flood -2`: one name, one order."""
    if not given or not grammar.is_name(given[0]):
        return None
    parts = segments(given[1:], grammar.words)
    order = spelt(parts[0], grammar) if len(parts) == 1 else None
    return [OrderLine(*line, order, canonical_name(given[0]))] if order else None


def _part(line: Line, part: tuple[str, ...], grammar: Grammar) -> list[OrderLine]:
    """One order, with its `then`; or several, if `then` only joins them. Empty if one is none."""
    order = spelt(part, grammar)
    if order or "then" not in part:
        orders = [order] if order else _for_each_name(part, grammar)
        return [OrderLine(*line, found) for found in orders]
    at = part.index("then")
    before, after = part[:at], part[at + 1 :]
    main = spelt(before, grammar)
    if not main:
        return []
    kind = before[1:2]
    if kind and kind[0] in grammar.words:
        # what a card does when it resolves: `then -2`, or in full `then flood -2`
        full = spelt(after, grammar) if after[:1] == kind else None
        then = spelt(kind + after, grammar) or full
        return [OrderLine(*line, main, None, then)] if then else []
    rest = _part(line, after, grammar) if after and after[0] in grammar.words else []
    return [OrderLine(*line, main), *rest] if rest else []
