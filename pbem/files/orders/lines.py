"""Lines of a mail or move file into orders, tolerantly: what is plain is taken, doubt is told.

What must never be here: the orders of any game (``words``, ``spell`` and ``is_name`` bring them).
Law: a line is read whole or not at all; each ends up as an order, a question, prose (unread) or a
suspect that holds the mail back; none is lost but blank lines, comments and the line `password …`.
The texts of a Sheet are what may be quoted (``Grammar.quoted``), never what was sent.
Source: docs/NOTATION.md "A mail or move file"; FORMAT.md section 3; docs/decisions/0009.
"""

import re
from typing import TYPE_CHECKING, NamedTuple

from pbem.engine.row import Sentence, say
from pbem.files import sentences
from pbem.files.language.grammar import Grammar
from pbem.files.language.greetings import GREETING
from pbem.files.language.guesses import one_slip, why_suspicious
from pbem.files.language.tokens import POLITE, canonical_name, segments
from pbem.files.orders.absence import is_unclear
from pbem.files.orders.commands import ALONE

if TYPE_CHECKING:
    from pbem.files.language.phrases import Phrase


class Line(NamedTuple):
    """One line of what a player sent, as he sees it."""

    number: int
    text: str


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
    """A line that looks like an order but is none: it holds the whole mail back."""

    number: int
    text: str
    reason: Sentence
    suggestion: str | None = None
    ask: str = ""  #: what it asks for, where the email says nothing else

    @property
    def why(self) -> Sentence:
        """With what was probably meant."""
        if not self.suggestion:
            return self.reason
        return say(sentences.DID_YOU_MEAN, why=self.reason, order=self.suggestion)


class Sheet(NamedTuple):
    """A mail or move file as read: orders now, standing orders, questions, and the rest."""

    first: tuple[OrderLine, ...] = ()
    later: tuple[OrderLine, ...] = ()
    asks: tuple[str, ...] = ()
    unread: tuple[Line, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    #: lines among what it asks, with what: they say in words of their own who is away
    away: tuple[tuple[Line, str], ...] = ()
    phrases: "tuple[Phrase, ...]" = ()  #: all that is said, where it may be understood as a whole

    def without_absences(self) -> "Sheet":
        """The same with such lines as prose, where there are no deadlines."""
        said = {ask for _, ask in self.away}
        asks = tuple(ask for ask in self.asks if not (ask in said or is_unclear(ask)))
        unread = tuple(sorted((*self.unread, *(line for line, _ in self.away))))
        return self._replace(asks=asks, unread=unread, away=())


_CANCEL = re.compile("cancel|revoke|retract|rescind")
_MOST_TOKENS = 64


def read_line(line: Line, given: tuple[str, ...], grammar: Grammar) -> list[OrderLine] | None:
    """The orders in these tokens of the line, or None if any part of it is not one."""
    if len(given) > _MOST_TOKENS:
        return None
    if given[:1] == ("when",):
        return _when(line, given[1:], grammar)
    parts = segments(given, grammar.words)
    greeted = GREETING.fullmatch(parts[0][0]) if len(parts) > 1 and len(parts[0]) <= 4 else None
    if greeted and not grammar.named(parts[0]):
        parts = parts[1:]
    read = [_part(line, part, grammar) for part in parts]
    return [order for orders in read for order in orders] if read and all(read) else None


def why_not_prose(parts: list[tuple[str, ...]], grammar: Grammar) -> Sentence | None:
    """Why a line that is no order holds the mail back; None if it is prose."""
    whole = tuple(token for part in parts for token in part)
    head, named = whole[0], grammar.named(whole)
    if head == "when" and (named or any(token in grammar.words for token in whole[:4])):
        return say(sentences.WHEN)
    if len(parts) > 1 and any(spelt(part, grammar) for part in parts):
        return say(sentences.TWO_THINGS)
    if "then" in whole and head in grammar.words and named:
        return say(sentences.THEN)
    if head == "mails" and len(whole) == 2:
        return say(sentences.MAILS)
    if len(whole) <= 4 and head in ALONE:
        return say(sentences.ALONE, word=head)
    said = [token for token in whole if not POLITE.fullmatch(token)]
    if said and len(whole) <= 4 and _CANCEL.fullmatch(said[0]):
        return say(sentences.CANCEL)
    if len(whole) <= 4 and any(one_slip(head, word) for word in ALONE):
        return say(sentences.NO_ORDER_BEGINS, word=grammar.quoted(head, 20))
    return why_suspicious(whole, grammar)


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
