"""A letter's own lines while they are read: each into the list of a Sheet that it belongs to.

What must never be here: how a line is spelled (lines.py), what plain words say (speech.py).
Law: total; none is lost but blank lines, comments and the line `password …`.
Source: docs/NOTATION.md "A mail or move file"; FORMAT.md section 3; docs/decisions/0019.
"""

import re
from collections.abc import Iterable, Sequence

from pbem.engine.row import Sentence, say
from pbem.files import sentences
from pbem.files.identity import password_on
from pbem.files.language.greetings import above_signature, is_greeting, older_email
from pbem.files.language.mending import Mend, mended
from pbem.files.language.said import Said
from pbem.files.language.speech import Heard, Listener
from pbem.files.language.tokens import Grammar, plain, segments, suggestion, tokens
from pbem.files.orders.absence import UNCLEAR, is_absence, may_be_absence
from pbem.files.orders.asks import WITHDRAW
from pbem.files.orders.commands import NOT_NOW, ask_in, later_heading, not_yet, withdrawn_in
from pbem.files.orders.lines import (
    Line,
    OrderLine,
    Sheet,
    Suspect,
    asked,
    read_line,
    why_not_prose,
)

_MOST_GUESSES = 30
_MOST_MENDED = 64  #: tokens of a line in which slips are mended
_TAKEN_BACK, _OTHER_WORDS = say(sentences.TAKEN_BACK), say(sentences.OTHER_WORDS)
_VAGUE = (sentences.OTHER_WORDS, sentences.TURNED, sentences.PARTLY)
_STRUCK = re.compile(r"~~|[❌✗✘✖👎🙅⛔🚫≠¬]|^\s*\[\s?\]")  #: crossed out, or not ticked
_LONG = 40  #: tokens of a line below a signature that may yet hold off what stands above
_SHORT = 12  #: tokens of a line below a signature that may yet be about the orders


def read_orders(lines: Iterable[Line], grammar: Grammar) -> Sheet:
    """The orders in a letter's own lines. Never raises on any text."""
    rows = [(number, " ".join(text.splitlines())) for number, text in lines]
    own = rows[: above_signature([text for _, text in rows])]
    reading = _Reading(grammar, own[-1][0] if own else 0)
    for number, text in reading.listener.joined(rows, reading.notation):
        reading.take(Line(number, text))
    reading.older = [Line(*row) for row in rows[older_email(rows) :][:1]]
    return reading.sheet()


def sheet_from_list(rows: Sequence[str], grammar: Grammar) -> Sheet:
    """The same for a move file's ``orders``, in notation alone, where every line is meant: prose is
    suspect too.
    """
    lines = [Line(number, row) for number, row in enumerate(rows, 1)]
    sheet = read_orders(lines, grammar._replace(spoken=()))
    odd = [Suspect(*line, say(sentences.MOVE_FILE)) for line in sheet.unread]
    return sheet._replace(unread=(), suspects=tuple(sorted((*sheet.suspects, *odd))))


class _Reading:
    """A letter while it is read."""

    def __init__(self, grammar: Grammar, last: int) -> None:
        self._grammar, self._last = grammar, last  #: the last line above the signature
        self._first: list[OrderLine] = []
        self._later: list[OrderLine] = []
        self._asks: dict[str, None] = {}
        self._unread: list[Line] = []
        self._suspects: list[Suspect] = []
        self._away: list[tuple[Line, str]] = []  #: lines that say in prose who is away, and when
        self._may_be = set[int]()  #: others that may say so
        self._instead: list[OrderLine] = []  #: those for now, with what is mended in them
        self._mended = 0  #: suspects that are nothing but that
        self._cleared, self._sure = set[int](), True  #: the lines with these
        self._in_later = False
        self._bare_later: Line | None = None
        self.listener = Listener(grammar)
        self._said_later = False  #: of orders in plain words, not as a heading
        self._guesses = 0
        self.older: list[Line] = []  #: where an older email may begin
        self._notes: list[Suspect] = []  #: what is behind a `#` and may turn an order
        self._beside: list[tuple[Line, tuple[str, ...], Heard]] = []

    def notation(self, text: str) -> bool:
        """Whether a line is an order as it stands, or asks."""
        line, grammar = plain(text), self._grammar
        if later_heading(line) or ask_in(line) or password_on(text) is not None:
            return True
        return read_line(Line(0, ""), tokens(line, grammar.is_name), grammar) is not None

    def sheet(self) -> Sheet:
        orders = [*self._first, *self._later]
        may = [*orders, *self._instead]
        bids = any(ask.startswith(WITHDRAW) or is_absence(ask) for ask in self._asks)
        there = {"orders": bool(may), "plain": any(one.said for one in may)}
        alone = not (orders or self._asks or self._suspects)
        for line, given, one in self._beside:
            held = there[one.beside] or (alone and one.near) or (bids and not one.intro)
            before = len(self._suspects)
            self._doubt(line, given, one.doubt if held else None)
            self._mended += len(self._suspects) - before if line.number in self._cleared else 0
        self._suspects += self._notes if may or bids else []
        self._suspects += [
            Suspect(line.number, self._grammar.quoted(line.text), say(sentences.OLDER))
            for line in self.older
            if any(order.number >= line.number for order in orders)
        ]
        self._suspects.sort(key=lambda one: one.number)
        first, later, hidden = tuple(self._first), tuple(self._later), self._grammar.guarded
        unread = tuple(Line(n, "" if hidden else text) for n, text in sorted(self._unread))
        mended = self._cleared and self._mended == len(self._suspects)
        instead, sure = (tuple(self._instead), self._sure) if mended else ((), False)
        suspects = tuple(self._suspects)
        chat = any(n <= self._last and not is_greeting(text) for n, text in self._unread)
        if self._beside or self._asks or chat:  # something else may be meant
            suspects = tuple(one._replace(ask="") for one in suspects)
        if any(line.number in self._may_be for line in self._unread):
            self._asks[UNCLEAR] = None
        away = tuple((Line(x.number, "" if hidden else x.text), ask) for x, ask in self._away)
        return Sheet(first, later, tuple(self._asks), unread, suspects, instead, sure, away)

    def take(self, line: Line) -> None:
        """Read one line into the list it belongs to."""
        given, is_name = password_on(line.text), self._grammar.is_name
        if given is not None and not any(map(is_name, tokens(plain(given), is_name))):
            return  # the line `password …`, and no order is behind it
        shown = Line(line.number, self._grammar.quoted(line.text))
        text = plain(line.text)
        self._note(shown, *line.text.partition("#")[::2])
        if heading := later_heading(text):
            self._heading(shown, *heading)
        elif text.startswith(">"):  # a quoted line is somebody else's
            self._unread.append(shown)
        elif ask := ask_in(text) or withdrawn_in(text, self._grammar):
            self._asks[ask] = None
            if is_absence(ask) and not is_absence(text):
                self._away.append((shown, ask))
        elif word := not_yet(text):
            why = NOT_NOW.get(word, sentences.NOT_YET)
            self._suspects.append(Suspect(*shown, say(why, word=word)))
        else:
            self._may_be |= {line.number} if may_be_absence(text) else set()
            found = tokens(text, is_name)
            if any(token[-1:].isalnum() for token in found):
                self._orders(shown, found, line.text, asks=asked(text))

    def _note(self, line: Line, before: str, note: str) -> None:
        """What is behind a `#`; of a line that is nothing else, only what takes back."""
        heard = self.listener.hear(note)
        doubts = [one.doubt for one in heard if one.beside != "plain" and one.doubt]
        if before.strip() and "?" in note:
            doubts.append(say(sentences.QUESTION))
        taken = [why for why in doubts if before.strip() or why == _TAKEN_BACK]
        self._notes += [Suspect(*line, why) for why in taken[:1]]

    def _heading(self, line: Line, colon: bool, rest: str) -> None:
        if rest:
            # `later: see you` is prose; `later: draw` is a heading with an order behind it.
            found = tokens(rest, self._grammar.is_name)
            self._orders(line, found, rest, later=True, asks=asked(rest))
        elif colon:
            self._in_later = True
        else:
            self._bare_later = line
            self._unread.append(line)

    def _orders(
        self,
        line: Line,
        given: tuple[str, ...],
        said: str,
        later: bool = False,
        asks: bool = False,
    ) -> None:
        """The orders in these tokens; ``later``: their line begins so; ``asks``: it asks."""
        read = read_line(line, given, self._grammar)
        if _STRUCK.search(said):
            self._doubt(line, given, say(sentences.TURNED))
            return
        if read is None:
            heard = self.listener.hear(said) if len(given) <= _LONG or self._above(line) else []
            if len(given) > _SHORT and not self._above(line):  # a disclaimer holds nothing
                heard = [x for x in heard if x.beside == "orders" and x.doubt == _TAKEN_BACK]
            elif not self._above(line) and not self._grammar.named(given):  # `Master builder`
                heard = [x for x in heard if x.doubt != _OTHER_WORDS]
            held, start = len(self._suspects), len(self._instead)
            self._heard(line, given, heard, later)
            self._mend(line, said if len(given) <= _MOST_MENDED else "", heard, (held, start))
            return
        if asks:
            meant = ", ".join(order.order for order in read)
            self._suspects.append(Suspect(*line, say(sentences.QUESTION), meant))
            return
        self._in_later = self._in_later or later
        self._add(line, read, self._in_later)

    def _above(self, line: Line) -> bool:
        """Whether a line stands above the signature."""
        return line.number <= self._last

    def _add(self, line: Line, orders: list[OrderLine], later: bool) -> None:
        """Orders for now, or for later."""
        if self._said_later and not later:  # for which turn?
            self._suspects.append(Suspect(*line, say(sentences.TURNED)))
        if self._bare_later is not None:
            self._suspects.append(Suspect(*self._bare_later, say(sentences.LATER_COLON), "later:"))
            self._unread.remove(self._bare_later)
            self._bare_later, self._in_later = None, True
        later = later or self._in_later
        (self._later if later else self._first).extend(orders)
        self._instead.extend(() if later else orders)

    def _mend(self, line: Line, said: str, heard: list[Heard], start: tuple[int, int]) -> None:
        """What a line says if it is corrected in it, or as ``said`` in a whole answer, where it is
        held; ``start``: the suspects and orders before it.
        """
        more = len(self._suspects) - start[0]
        sure = all(one.order for one in self._instead[start[1] :])
        if sure and not more and not any(one.talk or one.doubt for one in heard):
            return
        if self._guesses >= _MOST_GUESSES:
            return
        good = any(one.mend for one in heard) and self._take_mended(line, heard, start[1])
        if not good:
            good = self._take_mended(line, self.listener.mended(said), start[1])
        if not good and more:
            good = self._take_mended(line, self.listener.loosely(said), start[1])
            self._sure = self._sure and not good
        self._mended += more if good else 0
        self._cleared |= {line.number} if good else set()

    def _take_mended(self, line: Line, heard: list[Heard], start: int) -> bool:
        """Whether all that a line says is orders for now and what corrects them: then these, of
        those from ``start`` on.
        """
        found, sure = self._instead[:start], self._sure
        apart = any(one.mend for one in heard) and self._talked_since(found)
        for one in heard:
            apart = (apart or one.talk) and not one.orders
            if (one.doubt and not one.mend) or one.later or one.heading or self._in_later:
                return False
            found += [self._said(line, order) for order in one.orders]
            if one.mend and (apart or not self._corrected(found, one.mend)):
                return False
            sure = sure and (not one.mend or one.mend.sure)
        good = found != self._instead[:start]
        self._instead, self._sure = (found, sure) if good else (self._instead, self._sure)
        return good

    def _talked_since(self, found: list[OrderLine]) -> bool:
        """Whether something else was said below the last of the orders."""
        chat = [line.number for line, *_ in self._beside]
        chat += [n for n, text in self._unread if not is_greeting(text)]
        return bool(found) and any(n > found[-1].number for n in chat)

    def _corrected(self, found: list[OrderLine], mend: Mend) -> bool:
        """Whether a correction is about one of the orders; which is another then."""
        change = mended(mend, [tuple((one.order or one.said).split()) for one in found])
        if not change or found[change[0]].when or found[change[0]].then:
            return False
        at, words = change
        order = self._grammar.spell(tuple(word.lower() for word in words)) or ""
        good = bool(order) or not found[at].order
        said = " ".join(words)
        found[at] = found[at]._replace(order=order, text=order or said, said=said)
        return good

    def _said(self, line: Line, one: Said, doubt: Sentence | None = None) -> OrderLine:
        """An order in plain words."""
        words, order, when = one
        shown = " ".join(word.partition("|")[0] for word in words.split())
        shown = f"when {when}: {order}" if when else order or shown
        doubt = doubt or say(sentences.PARTLY)
        return OrderLine(line.number, shown, order, when, said=words, doubt=doubt)

    def _heard(self, line: Line, given: tuple[str, ...], heard: list[Heard], later: bool) -> None:
        """What a line says in plain words, if anything."""
        if not any(one.orders or one.heading or one.doubt for one in heard):
            self._doubt(line, given)
            return
        self._in_later = self._in_later or later
        for one in heard:
            for order in one.orders:
                why = say(sentences.PARTLY)
                if not order.order and (suspect := self._suspect(line, given, why)):
                    why = suspect.why
                self._add(line, [self._said(line, order, why)], self._in_later or one.later)
            self._in_later = self._in_later or one.heading
            self._said_later = self._said_later or (one.later and not self._in_later)
        held = sorted((one for one in heard if one.doubt), key=lambda one: one.beside)
        if held and held[0].back and [one for one in heard if one != Heard()] == held[:1]:
            self._suspects.append(Suspect(*line, say(sentences.CANCEL), WITHDRAW, WITHDRAW))
        elif held and not held[0].beside:
            self._doubt(line, given, held[0].doubt)
        elif held:
            above = held[0].intro and not (self._first or self._later)
            beside = held[0]._replace(beside="plain") if above else held[0]
            self._beside.append((line, given, beside))
        elif any(one.talk for one in heard):
            self._unread.append(line)

    def _doubt(self, line: Line, given: tuple[str, ...], also: Sentence | None = None) -> None:
        """A line that is no order: prose, or a suspect."""
        if suspect := self._suspect(line, given, also):
            self._suspects.append(suspect)
        else:
            self._unread.append(line)

    def _suspect(self, line: Line, given: tuple[str, ...], also: Sentence | None) -> Suspect | None:
        """Why a line holds the email back: what it looks like, or ``also``."""
        parts = segments(given, self._grammar.words)
        whole = tuple(token for part in parts for token in part)
        why = also
        if whole and (why is None or why.text in _VAGUE):
            why = why_not_prose(parts, self._grammar) or also
        # what waits for no place is not to be done at once instead
        lost = whole[:1] == ("when",) and not any(map(self._grammar.is_name, whole[1:2]))
        guess = None
        if why and self._guesses < _MOST_GUESSES and not lost:
            self._guesses += 1
            guess = suggestion(whole, self._grammar) or self.listener.meant(whole)
        return Suspect(*line, why, guess) if why else None
