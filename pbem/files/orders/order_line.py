"""One line as orders: several on it, `when`, `then`, a greeting before, a polite word after.

What lives here: tokens of a line to OrderLines by a game's Grammar; why a line is none.
What must never be here: sections and control words (lines.py), spelling repairs (suspicion.py).
Law: a line is read whole or not at all.
Source: docs/NOTATION.md "A mail or move file".
"""

import re

from pbem.files.orders import reserved, suspicion
from pbem.files.orders.sheet import Line, OrderLine
from pbem.files.orders.suspicion import Grammar
from pbem.files.orders.tokens import segments

_GREETING = re.compile(
    "hi|hello|hey|dear|hallo|liebe|lieber|ciao|salve|bonjour|salut|cher|szia|kedves|servus|moin"
    "|ok|okay|thanks|sorry"
)
_NAME = re.compile("([a-z]+)([0-9]+)")
_MOST_TOKENS = 64


def read_line(line: Line, given: tuple[str, ...], grammar: Grammar) -> list[OrderLine] | None:
    """The orders in these tokens of the line, or None if any part of it is not one."""
    if len(given) > _MOST_TOKENS:
        return None
    if given[:1] == ("when",):
        return _when(line, given[1:], grammar)
    parts = segments(given, grammar.words)
    if len(parts) > 1 and _is_greeting(parts[0], grammar):
        parts = parts[1:]
    read = [order for part in parts for order in _part(line, part, grammar)]
    return None if None in read or not read else [order for order in read if order]


def why_not_prose(parts: list[tuple[str, ...]], grammar: Grammar) -> str | None:
    """Why a line that is no order holds the mail back; None if it is prose."""
    whole = tuple(token for part in parts for token in part)
    head, named = whole[0], grammar.named(whole)
    if head == "when" and (named or any(token in grammar.words for token in whole[:4])):
        return "after `when` stand one place, a colon and one order"
    if len(parts) > 1 and any(spelt(part, grammar) for part in parts):
        return "an order and something else on one line"
    if "then" in whole and head in grammar.words and named:
        return "what stands after `then` does not fit the order before it"
    asks = reserved.ASKS[:2]
    if len(whole) <= 4 and head in asks:
        return f"write `{head}` alone on its line"
    if len(whole) <= 4 and any(suspicion.one_slip(head, word) for word in asks):
        return f"no order begins with `{head}`"
    return suspicion.reason(whole, grammar)


def spelt(part: tuple[str, ...], grammar: Grammar) -> str | None:
    """The canonical line of these tokens, polite words before or after it allowed."""
    if not part:
        return None
    order = grammar.spell(part)
    if order is not None:
        return order
    start, end = 0, len(part)
    while start < end and reserved.POLITE.fullmatch(part[start]):
        start += 1
    while end > start and reserved.POLITE.fullmatch(part[end - 1]):
        end -= 1
    kept = part[start:end]
    if kept == part or not kept or kept[0] not in grammar.words:
        return None
    return grammar.spell(kept)


def _is_greeting(part: tuple[str, ...], grammar: Grammar) -> bool:
    few = len(part) <= 4 and not grammar.named(part)
    return few and _GREETING.fullmatch(part[0]) is not None


def _when(line: Line, given: tuple[str, ...], grammar: Grammar) -> list[OrderLine] | None:
    """`when AP2: flood -2`: one name, one order."""
    if not given or not grammar.is_name(given[0]):
        return None
    parts = segments(given[1:], grammar.words)
    order = spelt(parts[0], grammar) if len(parts) == 1 else None
    return [OrderLine(*line, order, _canonical(given[0]))] if order else None


def _canonical(name: str) -> str:
    """``ap02`` is ``AP2``, as in every order."""
    parts = _NAME.fullmatch(name)
    return f"{parts[1].upper()}{parts[2].lstrip('0') or '0'}" if parts else name.upper()


def _part(line: Line, part: tuple[str, ...], grammar: Grammar) -> list[OrderLine | None]:
    """One order, with its `then`; or several, if `then` only joins them."""
    order = spelt(part, grammar)
    if order or "then" not in part:
        return [OrderLine(*line, order) if order else None]
    at = part.index("then")
    before, after = part[:at], part[at + 1 :]
    main = spelt(before, grammar)
    if not main:
        return [None]
    if len(before) > 1 and before[1] in grammar.words:
        then = _then(before[1], after, grammar)
        return [OrderLine(*line, main, None, then) if then else None]
    joins = bool(after) and after[0] in grammar.words
    return [OrderLine(*line, main), *(_part(line, after, grammar) if joins else [None])]


def _then(kind: str, after: tuple[str, ...], grammar: Grammar) -> str | None:
    """What a card does when it resolves: `then -2`, or in full `then flood -2`."""
    order = spelt((kind, *after), grammar)
    return order or (spelt(after, grammar) if after[:1] == (kind,) else None)
