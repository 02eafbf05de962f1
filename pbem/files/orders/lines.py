"""Lines of a mail or move file into orders, tolerantly: what is plain is taken, doubt is told.

What must never be here: the orders of any game (``words``, ``spell`` and ``is_name`` bring them).
Law: a line is read whole or not at all; each ends up as an order, a question, prose (unread) or a
suspect that holds the mail back; none is lost but blank lines, comments and the line `password …`.
The texts of a Sheet are what may be quoted (``Grammar.quoted``), never what was sent.
Source: docs/NOTATION.md "A mail or move file"; FORMAT.md section 3; docs/decisions/0009.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.engine.row import Sentence, say
from pbem.files.identity import password_on
from pbem.files.orders import sentences
from pbem.files.orders.asks import WITHDRAW
from pbem.files.orders.commands import (
    ALONE,
    NOT_NOW,
    ask_in,
    later_heading,
    not_yet,
    withdrawn_in,
)
from pbem.files.orders.greetings import GREETING, above_signature, is_greeting
from pbem.files.orders.mending import Mend, mended
from pbem.files.orders.said import Said
from pbem.files.orders.speech import Heard, Listener
from pbem.files.orders.tokens import (
    POLITE,
    Grammar,
    canonical_name,
    one_slip,
    plain,
    segments,
    suggestion,
    tokens,
    why_suspicious,
)


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
    said: str = ""  #: its words, where it is in plain words; without ``order`` the question tells
    doubt: Sentence | None = None  #: why it is held, where no question does


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
    instead: tuple[OrderLine, ...] = ()  #: ``first``, where all that is suspect can only mean this
    sure: bool = False  #: else that is only offered


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
    read = [order for part in parts for order in _part(line, part, grammar)]
    return None if None in read or not read else [order for order in read if order]


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


def _asked(line: str) -> bool:
    """Whether a plain line ends in a question mark."""
    return line.rstrip(" *_`\"')]").endswith("?")


def _when(line: Line, given: tuple[str, ...], grammar: Grammar) -> list[OrderLine] | None:
    """`when AP2: flood -2`: one name, one order."""
    if not given or not grammar.is_name(given[0]):
        return None
    parts = segments(given[1:], grammar.words)
    order = spelt(parts[0], grammar) if len(parts) == 1 else None
    return [OrderLine(*line, order, canonical_name(given[0]))] if order else None


def _part(line: Line, part: tuple[str, ...], grammar: Grammar) -> list[OrderLine | None]:
    """One order, with its `then`; or several, if `then` only joins them."""
    order = spelt(part, grammar)
    if order or "then" not in part:
        orders = [order] if order else _for_each_name(part, grammar)
        return [OrderLine(*line, found) for found in orders] or [None]
    at = part.index("then")
    before, after = part[:at], part[at + 1 :]
    main = spelt(before, grammar)
    if not main:
        return [None]
    kind = before[1:2]
    if kind and kind[0] in grammar.words:
        # what a card does when it resolves: `then -2`, or in full `then flood -2`
        full = spelt(after, grammar) if after[:1] == kind else None
        then = spelt(kind + after, grammar) or full
        return [OrderLine(*line, main, None, then) if then else None]
    joins = bool(after) and after[0] in grammar.words
    return [OrderLine(*line, main), *(_part(line, after, grammar) if joins else [None])]


_MOST_GUESSES = 30
_VAGUE = (sentences.OTHER_WORDS, sentences.TURNED, sentences.PARTLY)
_BACK = say(sentences.TAKEN_BACK)
_SHORT = 12  #: tokens of a line below a signature that may yet be about the orders


def read_orders(lines: Iterable[Line], grammar: Grammar) -> Sheet:
    """The orders in a letter's own lines. Never raises on any text."""
    rows = [(number, " ".join(text.splitlines())) for number, text in lines]
    own = rows[: above_signature([text for _, text in rows])]
    reading = _Reading(grammar, own[-1][0] if own else 0)
    for number, text in reading.listener.joined(rows, reading.notation):
        reading.take(Line(number, text))
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
        self._instead: list[OrderLine] = []  #: those for now, with what is mended in them
        self._mended = 0  #: suspects that are nothing else
        self._any_mended, self._sure = False, True
        self._in_later = False
        self._bare_later: Line | None = None
        self.listener = Listener(grammar)
        self._said_later = False  #: of orders in plain words, not as a heading
        self._guesses = 0
        self._beside: list[tuple[Line, tuple[str, ...], Heard]] = []

    def notation(self, text: str) -> bool:
        """Whether a line is an order as it stands, or asks."""
        line, grammar = plain(text), self._grammar
        if later_heading(line) or ask_in(line) or password_on(text) is not None:
            return True
        return read_line(Line(0, ""), tokens(line, grammar.is_name), grammar) is not None

    def sheet(self) -> Sheet:
        orders = [*self._first, *self._later]
        there = {"orders": bool(orders), "plain": any(one.said for one in orders)}
        alone = not (orders or self._asks or self._suspects)
        for line, given, one in self._beside:
            held = there[one.beside] or (alone and one.near)
            self._doubt(line, given, one.doubt if held else None)
        self._suspects.sort(key=lambda one: one.number)
        first, later, hidden = tuple(self._first), tuple(self._later), self._grammar.guarded
        unread = tuple(Line(n, "" if hidden else text) for n, text in sorted(self._unread))
        mended = self._any_mended and self._mended == len(self._suspects)
        instead, sure = (tuple(self._instead), self._sure) if mended else ((), False)
        suspects = tuple(self._suspects)
        chat = any(one.number <= self._last and not is_greeting(one.text) for one in unread)
        if self._beside or self._asks or chat:  # something else may be meant
            suspects = tuple(one._replace(ask="") for one in suspects)
        return Sheet(first, later, tuple(self._asks), unread, suspects, instead, sure)

    def take(self, line: Line) -> None:
        """Read one line into the list it belongs to."""
        given, is_name = password_on(line.text), self._grammar.is_name
        if given is not None and not any(map(is_name, tokens(plain(given), is_name))):
            return  # the line `password …`, and no order is behind it
        shown = Line(line.number, self._grammar.quoted(line.text))
        text = plain(line.text)
        if heading := later_heading(text):
            self._heading(shown, *heading)
        elif text.startswith(">"):  # a quoted line is somebody else's
            self._unread.append(shown)
        elif ask := ask_in(text) or withdrawn_in(text, self._grammar):
            self._asks[ask] = None
        elif word := not_yet(text):
            why = NOT_NOW.get(word, sentences.NOT_YET)
            self._suspects.append(Suspect(*shown, say(why, word=word)))
        else:
            found = tokens(text, is_name)
            if any(token[-1:].isalnum() for token in found):
                self._orders(shown, found, line.text, asked=_asked(text))

    def _heading(self, line: Line, colon: bool, rest: str) -> None:
        if rest:
            # `later: see you` is prose; `later: draw` is a heading with an order behind it.
            found = tokens(rest, self._grammar.is_name)
            self._orders(line, found, rest, later=True, asked=_asked(rest))
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
        asked: bool = False,
    ) -> None:
        """The orders in these tokens; ``later``: their line begins so; ``asked``: it asks."""
        read = read_line(line, given, self._grammar)
        if read is None:
            above = line.number <= self._last or len(given) <= _SHORT
            heard = self.listener.hear(said) if above else []
            held, start = len(self._suspects), len(self._instead)
            self._heard(line, given, heard, later)
            more = len(self._suspects) - held
            if more or any(not order.order for order in self._instead[start:]):
                good = any(one.mend for one in heard) and self._mend(line, heard, start)
                if not good and self._guesses < _MOST_GUESSES:
                    good = self._mend(line, self.listener.mended(said), start)
                self._mended += more if good else 0
                self._any_mended = self._any_mended or good
            return
        if asked:
            meant = ", ".join(order.order for order in read)
            self._suspects.append(Suspect(*line, say(sentences.QUESTION), meant))
            return
        self._in_later = self._in_later or later
        self._add(line, read, self._in_later)

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

    def _mend(self, line: Line, heard: list[Heard], start: int) -> bool:
        """Whether all that a line says is orders for now and what corrects them: then these, of
        those from ``start`` on.
        """
        found = self._instead[:start]
        for one in heard:
            if (one.doubt and not one.mend) or one.later or one.heading or self._in_later:
                return False
            found += [self._said(line, order) for order in one.orders]
            if one.mend and not self._corrected(found, one.mend):
                return False
            self._sure = self._sure and (not one.mend or one.mend.sure)
        good = found != self._instead[:start]
        self._instead = found if good else self._instead
        return good

    def _corrected(self, found: list[OrderLine], mend: Mend) -> bool:
        """Whether a correction is about one of the orders; which is another then."""
        change = mended(mend, [tuple((one.order or one.said).split()) for one in found])
        if not change or found[change[0]].when or found[change[0]].then:
            return False
        at, words = change
        order = self._grammar.spell(tuple(word.lower() for word in words)) or ""
        good = bool(order) or not found[at].order
        found[at] = found[at]._replace(order=order, text=order or " ".join(words), said=" ".join(words))
        return good

    def _said(self, line: Line, one: Said, doubt: Sentence | None = None) -> OrderLine:
        """An order in plain words."""
        words, order, when = one
        shown = " ".join(word.partition("|")[0] for word in words.split())
        shown = f"when {when}: {order}" if when else order or shown
        return OrderLine(line.number, shown, order, when, said=words, doubt=doubt or say(sentences.PARTLY))

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
        if held and held[0].back and not any(one is not held[0] and one != Heard() for one in heard):
            why = held[0].doubt or say(sentences.CANCEL)
            self._suspects.append(Suspect(*line, why, WITHDRAW, WITHDRAW))
        elif held and not held[0].beside:
            self._doubt(line, given, held[0].doubt)
        elif held:
            above = held[0].doubt == _BACK and not (self._first or self._later)
            self._beside.append(
                (line, given, held[0]._replace(beside="plain") if above else held[0])
            )
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
