"""Read a player's own lines: notation becomes orders and commands, other lines stay prose.

Not allowed here: what prose means (play/proposals); whether an order is legal.
Source: FORMAT.md section 3, "Orders in an email or move file"; docs/decisions/0023.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pbem.engine.row import Sentence, say
from pbem.mail.identity import mentions_password, read_password
from pbem.mail.text import Line
from pbem.notation.commands import (
    find_command,
    find_reserved_word,
    find_withdraw_command,
    is_unknown_mail_choice,
    match_later_heading,
)
from pbem.notation.lines import (
    BELOW_SIGNATURE,
    NOT_FOR_MOVE_FILE,
    NOT_SUPPORTED_YET,
    UNKNOWN_REPORT_CHOICE,
    DoubtfulLine,
    Grammar,
    OrderLine,
    OtherLine,
    ParsedOrders,
    ProseLine,
    WrappedLines,
    read_line,
)
from pbem.notation.tokens import normalize_line, tokenize

#: No order has such a sign, and beside an order it may change the meaning: `~~wall A5~~` is crossed out.
_SIGNS = re.compile(r"[^\w\s.,;:!&/+'`\"“”„«»*_-]|~~")
_BULLET = re.compile(r"^\s*(?:[*-]+\s|[•·‣◦▪►]+|\(?\w{1,2}[.)])+")
_CLAUSE_END, _SENTENCE_END = re.compile(r"[.!?:;,]\W*$"), re.compile(r"(?<!\.)[.!?]\W*$")
_COMMENT = re.compile(r"#(?!\d)")  # `#1 wall A5` is not a comment
_WRAP_LETTERS = 60  #: letters of a line that a mail program may have wrapped
_MAX_JOINED_LINES = 20  #: lines of one sentence


def read_orders(lines: Iterable[Line], grammar: Grammar, signature_lines: Sequence[Line] = ()) -> ParsedOrders:
    """Read the orders in the lines of an email that its player wrote. Any text is possible.

    Orders in ``signature_lines``, below the player's signature, count if there are no others.
    Otherwise they are doubtful and hold the email.
    """
    reader = _OrderReader(grammar)
    for sentence in reader.join_sentences([*lines]):
        reader.add_line(sentence.line, sentence.next_number, sentence.continues)
    signature_reader = _OrderReader(grammar)
    for line in signature_lines:
        signature_reader.add_line(line)
    if not (reader.now or reader.later or reader.commands):
        reader.now, reader.later = signature_reader.now, signature_reader.later
        reader.commands = signature_reader.commands
        return reader.to_parsed_orders()
    why = say(BELOW_SIGNATURE)
    orders = {order.number: order for order in (*signature_reader.now, *signature_reader.later)}
    doubtful_lines = tuple(DoubtfulLine(order.number, order.text, why) for order in orders.values())
    parsed_orders = reader.to_parsed_orders()
    return parsed_orders._replace(doubtful_lines=(*parsed_orders.doubtful_lines, *doubtful_lines))


def read_order_list(rows: Sequence[str], grammar: Grammar) -> ParsedOrders:
    """Read the ``orders`` of a move file, where every line must be an order; any other line is doubtful."""
    reader = _OrderReader(grammar)
    texts = [row.partition("#")[0].strip() for row in rows]
    for number, text in enumerate(texts, 1):
        reader.add_line(Line(number, text))
    parsed_orders, why = reader.to_parsed_orders(), say(NOT_FOR_MOVE_FILE)
    doubtful_lines = [
        DoubtfulLine(prose_line.number, grammar.quote(texts[prose_line.number - 1]), why)
        for prose_line in parsed_orders.prose
    ]
    return parsed_orders._replace(
        prose=(), doubtful_lines=tuple(sorted((*parsed_orders.doubtful_lines, *doubtful_lines)))
    )


class _JoinedLine(NamedTuple):
    """A line, joined with the lines that continue its sentence."""

    line: Line
    next_number: int  #: the number of the next line that is not blank; 0 for none
    continues: bool  #: that line may continue the sentence too


class _OrderReader:
    """Sorts the lines of an email into orders, commands, doubtful lines and prose, line by line."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._in_later = False  #: the lines are below `later:`
        self.now: list[OrderLine] = []
        self.later: list[OrderLine] = []
        self.commands: dict[str, None] = {}  #: an ordered set
        self._doubtful_lines: list[DoubtfulLine] = []
        self._prose_lines: list[ProseLine] = []
        self._other_lines: list[OtherLine] = []
        self._wrapped_lines: list[WrappedLines] = []

    def to_parsed_orders(self) -> ParsedOrders:
        """Return everything that was read so far."""
        return ParsedOrders(
            now=tuple(self.now),
            later=tuple(self.later),
            commands=tuple(self.commands),
            doubtful_lines=tuple(self._doubtful_lines),
            prose=tuple(self._prose_lines),
            other_lines=tuple(self._other_lines),
            wrapped_lines=tuple(self._wrapped_lines),
        )

    def join_sentences(self, lines: list[Line]) -> Iterator[_JoinedLine]:
        """Yield the lines, each joined with those over which a mail program wrapped its sentence."""
        rows = [Line(number, " ".join(text.splitlines()).strip()) for number, text in lines]
        start = 0
        while start < len(rows):
            end = start + 1
            last_end = min(len(rows), start + _MAX_JOINED_LINES)
            while end < last_end and self._is_continued(rows[end - 1], rows[end]):
                end += 1
            line = Line(rows[start].number, " ".join(row.text for row in rows[start:end]))
            if end > start + 1:
                self._wrapped_lines.append(WrappedLines(line.number, rows[end - 1].number))
            next_number = next((row.number for row in rows[end:] if row.text), 0)
            is_adjacent = end < len(rows) and bool(rows[end].text)
            yield _JoinedLine(line, next_number, is_adjacent and not _SENTENCE_END.search(line.text))
            start = end

    def _is_continued(self, line: Line, next_line: Line) -> bool:
        """Return whether a mail program may have wrapped a sentence after ``line``, so that the next continues it."""
        if len(line.text) < _WRAP_LETTERS or _CLAUSE_END.search(line.text) or not next_line.text:
            return False
        if next_line.number != line.number + 1 or next_line.text.startswith(">"):
            return False
        are_two_orders = self._is_order(line) and self._is_order(next_line)
        return not are_two_orders

    def _is_order(self, line: Line) -> bool:
        """Return whether a line is orders, a command or the heading `later:`."""
        text = normalize_line(line.text)
        return bool(self._read_order_line(line, text) or find_command(text) or match_later_heading(text))

    def _read_order_line(self, line: Line, text: str) -> list[OrderLine] | None:
        return read_line(line, tokenize(text, self._grammar.is_name), self._grammar)

    def add_line(self, line: Line, next_number: int = 0, continues: bool = False) -> None:
        """Read one line, and add it to the list to which it belongs. See ``ProseLine`` for the other arguments."""
        if not line.text:
            return
        if _COMMENT.match(line.text):
            self._other_lines.append(OtherLine(line.number, "layout"))
            return
        if self._is_password(line.text):
            self._other_lines.append(OtherLine(line.number, "secret"))
            return
        quoted_line = Line(line.number, self._grammar.quote(line.text))
        text = normalize_line(line.text)
        heading = match_later_heading(text)
        if heading and heading.has_colon:
            self._in_later = True
            if heading.order:
                self._add_orders(line, quoted_line, heading.order, next_number, continues)
            else:
                self._other_lines.append(OtherLine(line.number, "asked"))
        elif command := find_command(text) or find_withdraw_command(text, self._grammar):
            self.commands[command] = None
            self._other_lines.append(OtherLine(line.number, "asked"))
        elif word := find_reserved_word(text):
            self._add_doubtful(quoted_line, say(NOT_SUPPORTED_YET, word=word))
        elif is_unknown_mail_choice(text):
            self._add_doubtful(quoted_line, say(UNKNOWN_REPORT_CHOICE))
        else:
            self._add_orders(line, quoted_line, text, next_number, continues)

    def _add_doubtful(self, line: Line, why: Sentence) -> None:
        self._doubtful_lines.append(DoubtfulLine(line.number, line.text, why))

    def _is_password(self, text: str) -> bool:
        """Return whether a line is `password …` without the name of a place behind it, which an order may have."""
        password_text = read_password(text)
        is_name = self._grammar.is_name
        return password_text is not None and not any(map(is_name, tokenize(normalize_line(password_text), is_name)))

    def _add_orders(self, line: Line, quoted_line: Line, text: str, next_number: int, continues: bool) -> None:
        """Add the orders in ``text``; if it is not orders and nothing else, add the line as prose."""
        orders = self._read_order_line(quoted_line, text)
        if orders is None or "#" in line.text or _SIGNS.search(_BULLET.sub("", text)):
            prose_text = quoted_line.text if mentions_password(line.text) else line.text
            self._prose_lines.append(ProseLine(line.number, prose_text, self._in_later, next_number, continues))
        else:
            (self.later if self._in_later else self.now).extend(orders)
