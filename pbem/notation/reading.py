"""A letter's own lines, read once: notation into orders and commands, the rest as prose.

What must never be here: what prose means (play/proposals); whether an order is legal.
Law: total; each line becomes an order, a command, a suspect or prose; what is left out is blank
lines, lines that are nothing but a comment, and the line `password …`.
Source: docs/NOTATION.md "A mail or move file"; FORMAT.md section 3; docs/decisions/0023.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from pbem.engine.row import say
from pbem.mail.identity import password_on, speaks_of_password
from pbem.mail.text import Line
from pbem.notation import sentences
from pbem.notation.commands import ask_in, is_choice, later_heading, not_yet, withdrawn_in
from pbem.notation.grammar import Grammar
from pbem.notation.lines import OrderLine, ProseLine, Sheet, Suspect, read_line
from pbem.notation.tokens import plain, tokens

#: no order has such a sign, and one beside it may turn it; `~~` strikes out
_SIGNS = re.compile(r"[^\w\s.,;:!&/+'`\"“”„«»*_-]|~~")
_BULLET = re.compile(r"^\s*(?:[*-]+\s|[•·‣◦▪►]+|\(?\w{1,2}[.)])+")
_ENDS, _END = re.compile(r"[.!?:;,]\W*$"), re.compile(r"(?<!\.)[.!?]\W*$")
_COMMENT = re.compile(r"#(?!\d)")  # `#1 wall A5` is none
_FULL = 60  #: letters of a line that a mail program may have broken
_MOST_JOINED = 20  #: lines of one sentence


def read_orders(lines: Iterable[Line], grammar: Grammar, signature: Sequence[Line] = ()) -> Sheet:
    """The orders in a letter's own lines. Those of its ``signature`` count if no others do; else
    they hold the email. Never raises on any text.
    """
    reading = _Reading(grammar)
    for line, below, goes_on in reading.sentences([*lines]):
        reading.take(line, below, goes_on)
    beneath = _Reading(grammar)
    for line in signature:
        beneath.take(line)
    if not (reading.first or reading.later or reading.asks):
        reading.first, reading.later, reading.asks = beneath.first, beneath.later, beneath.asks
        return reading.sheet()
    why, orders = say(sentences.SIGNATURE), {x.number: x for x in (*beneath.first, *beneath.later)}
    suspects = tuple(Suspect(order.number, order.text, why) for order in orders.values())
    sheet = reading.sheet()
    return sheet._replace(suspects=(*sheet.suspects, *suspects))


def sheet_from_list(rows: Sequence[str], grammar: Grammar) -> Sheet:
    """The same for a move file's ``orders``, where every line is meant: prose is suspect too, and
    what follows a `#` is a comment.
    """
    reading = _Reading(grammar)
    texts = [row.partition("#")[0].strip() for row in rows]
    for line in enumerate(texts, 1):
        reading.take(Line(*line))
    sheet, why = reading.sheet(), say(sentences.MOVE_FILE)
    odd = [Suspect(x.number, grammar.quoted(texts[x.number - 1]), why) for x in sheet.prose]
    return sheet._replace(prose=(), suspects=tuple(sorted((*sheet.suspects, *odd))))


class _Reading:
    """A letter while it is read."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar, self._in_later = grammar, False
        self.first: list[OrderLine] = []
        self.later: list[OrderLine] = []
        self.asks: dict[str, None] = {}
        self._suspects: list[Suspect] = []
        self._prose: list[ProseLine] = []
        self._others: list[tuple[int, str]] = []
        self._wrapped: list[tuple[int, int]] = []

    def sheet(self) -> Sheet:
        first, later, asks = tuple(self.first), tuple(self.later), tuple(self.asks)
        suspects, prose = tuple(self._suspects), tuple(self._prose)
        others, wrapped = tuple(self._others), tuple(self._wrapped)
        return Sheet(first, later, asks, (), suspects, prose, others, wrapped)

    def sentences(self, lines: list[Line]) -> Iterator[tuple[Line, int, bool]]:
        """The lines, each with those that go on with its unfinished sentence; the number of the
        next line that says anything, and whether that may go on with it too.
        """
        rows = [Line(number, " ".join(text.splitlines()).strip()) for number, text in lines]
        at = 0
        while at < len(rows):
            end = at + 1
            while end < min(len(rows), at + _MOST_JOINED) and self._goes_on(
                rows[at:end], rows[end]
            ):
                end += 1
            line = Line(rows[at].number, " ".join(row.text for row in rows[at:end]))
            if end > at + 1:
                self._wrapped.append((line.number, rows[end - 1].number))
            below = next((row.number for row in rows[end:] if row.text), 0)
            touches = end < len(rows) and bool(rows[end].text)
            yield line, below, touches and not _END.search(line.text)
            at = end

    def _goes_on(self, lines: list[Line], below: Line) -> bool:
        last = lines[-1]
        if len(last.text) < _FULL or _ENDS.search(last.text) or not below.text:
            return False
        follows = below.number == last.number + 1 and not below.text.startswith(">")
        return follows and not (self._is_order(last) and self._is_order(below))

    def _is_order(self, line: Line) -> bool:
        text = plain(line.text)
        return bool(self._orders(line, text) or ask_in(text) or later_heading(text))

    def _orders(self, line: Line, text: str) -> list[OrderLine] | None:
        return read_line(line, tokens(text, self._grammar.is_name), self._grammar)

    def take(self, line: Line, below: int = 0, goes_on: bool = False) -> None:
        """Read one line into the list it belongs to."""
        if not line.text:
            return
        if _COMMENT.match(line.text) or self._is_password(line.text):
            self._others.append((line.number, "layout" if line.text[0] == "#" else "secret"))
            return
        shown, text = Line(line.number, self._grammar.quoted(line.text)), plain(line.text)
        heading = later_heading(text)
        if heading and heading[0]:
            self._in_later = True
            if heading[1]:
                self._take_orders(line, shown, heading[1], below, goes_on)
            else:
                self._others.append((line.number, "asked"))
        elif ask := ask_in(text) or withdrawn_in(text, self._grammar):
            self.asks[ask] = None
            self._others.append((line.number, "asked"))
        elif word := not_yet(text):
            why = say(sentences.NOT_YET, word=word)
            self._suspects.append(Suspect(*shown, why))
        elif is_choice(text):
            self._suspects.append(Suspect(*shown, say(sentences.MAILS)))
        else:
            self._take_orders(line, shown, text, below, goes_on)

    def _is_password(self, text: str) -> bool:
        """Whether it is the line `password …`, and no order is behind it."""
        given, is_name = password_on(text), self._grammar.is_name
        return given is not None and not any(map(is_name, tokens(plain(given), is_name)))

    def _take_orders(self, line: Line, shown: Line, text: str, below: int, goes_on: bool) -> None:
        orders = self._orders(shown, text)
        if orders is None or "#" in line.text or _SIGNS.search(_BULLET.sub("", text)):
            said = shown.text if speaks_of_password(line.text) else line.text
            self._prose.append(ProseLine(line.number, said, self._in_later, below, goes_on))
        else:
            (self.later if self._in_later else self.first).extend(orders)
