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
from pbem.files.language.classes import DENIES, TAKES_BACK
from pbem.files.language.grammar import Grammar
from pbem.files.language.greetings import (
    above_signature,
    is_contact,
    is_greeting,
    is_street,
    older_email,
)
from pbem.files.language.guesses import suggestion
from pbem.files.language.holds import ELSES, OTHER_WORDS, PARTLY, TAKEN_BACK
from pbem.files.language.phrases import Phrase
from pbem.files.language.speech import Listener
from pbem.files.language.tokens import plain, segments, tokens
from pbem.files.orders.absence import absent_within, is_absence, unclear_in
from pbem.files.orders.asks import WITHDRAW
from pbem.files.orders.commands import NOT_NOW, ask_in, later_heading, not_yet, withdrawn_in
from pbem.files.orders.lines import (
    Line,
    OrderLine,
    Sheet,
    Suspect,
    read_line,
    why_not_prose,
)

_MOST_GUESSES = 30
_SHORT_ASK = 3  #: words that may be meant as a question for a rule
_VAGUE = (sentences.OTHER_WORDS, sentences.TURNED, sentences.PARTLY)
_STRUCK = re.compile(r"~~|[❌✗✘✖👎🙅⛔🚫≠¬]|^\s*\[\s?\]")  #: crossed out, or not ticked
_LONG = 40  #: tokens of a line below a signature that may yet hold off what stands above
_SHORT = 12  #: tokens of a line below a signature that may yet be about the orders


def read_orders(lines: Iterable[Line], grammar: Grammar) -> Sheet:
    """The orders in a letter's own lines. Never raises on any text."""
    rows = [(number, " ".join(text.splitlines())) for number, text in lines]
    own = rows[: above_signature([text for _, text in rows])]
    reading = _Reading(grammar, own[-1][0] if own else rows[-1][0] if rows else 0)
    joined = reading.listener.joined(rows, reading.notation)
    for number, text, heads in reading.listener.headed(joined, reading.notation):
        reading.take(Line(number, text), heads)
    reading.older = [Line(*row) for row in rows[older_email(rows) :][:1]]
    return reading.sheet()


def sheet_from_list(rows: Sequence[str], grammar: Grammar) -> Sheet:
    """The same for a move file's ``orders``, in notation alone, where every line is meant: prose is
    suspect too.
    """
    lines = [Line(number, row) for number, row in enumerate(rows, 1)]
    sheet = read_orders(lines, grammar._replace(spoken=()))
    odd = [Suspect(*line, say(sentences.MOVE_FILE)) for line in sheet.unread]
    return sheet._replace(unread=(), suspects=tuple(sorted((*sheet.suspects, *odd))), phrases=())


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
        self._may_be = dict[int, str]()  #: others that may say so, as they are asked about
        self._in_later = False
        self._bare_later: Line | None = None
        self.listener = Listener(grammar)
        self._guesses = 0
        self.older: list[Line] = []  #: where an older email may begin
        self._notes: list[Suspect] = []  #: what is behind a `#` and may turn an order
        self._beside: list[tuple[Line, tuple[str, ...], Phrase]] = []
        self._phrases: list[Phrase] = []
        self._spoken = False  #: something may be orders in plain words
        self._firm = False  #: something holds the email whatever the whole of it says

    def notation(self, text: str) -> bool:
        """Whether a line is an order as it stands, or asks."""
        line, grammar = plain(text), self._grammar
        if later_heading(line) or ask_in(line) or password_on(text) is not None:
            return True
        return read_line(Line(0, ""), tokens(line, grammar.is_name), grammar) is not None

    def sheet(self) -> Sheet:
        orders = [*self._first, *self._later]
        bids = any(ask.startswith(WITHDRAW) or is_absence(ask) for ask in self._asks)
        there = {"orders": bool(orders) or self._spoken, "spoken": self._spoken}
        alone = not (orders or self._asks or self._suspects)
        for line, given, one in self._beside:
            held = there[one.beside] or (alone and one.near) or (bids and not one.intro)
            self._doubt(line, given, one.doubt if held else None)
        self._suspects += self._notes if orders or self._spoken or bids else []
        self._suspects += [
            Suspect(line.number, self._grammar.quoted(line.text), say(sentences.OLDER))
            for line in self.older
            if any(order.number >= line.number for order in orders)
        ]
        self._suspects.sort(key=lambda one: one.number)
        hidden = self._grammar.guarded
        unread = tuple(Line(n, "" if hidden else text) for n, text in sorted(self._unread))
        suspects = tuple(self._suspects)
        chat = any(n <= self._last and not is_greeting(text) for n, text in self._unread)
        if self._beside or self._asks or chat:  # something else may be meant
            suspects = tuple(one._replace(ask="") for one in suspects)
        self._asks |= dict.fromkeys([*self._may_be.values()][:1])  # one question is enough
        away = tuple((Line(x.number, "" if hidden else x.text), ask) for x, ask in self._away)
        first, later = tuple(self._first), tuple(self._later)
        return Sheet(first, later, tuple(self._asks), unread, suspects, away, self._whole())

    def _whole(self) -> tuple[Phrase, ...]:
        """All that is said, if it may be understood as a whole."""
        old = min((line.number for line in self.older), default=None)
        below = [one for one in self._phrases if old is not None and one.number >= old]
        firm = (
            self._firm
            or self.listener.full  # what is not heard may take it all back
            or self._notes
            or self._bare_later
            or any(one.says or one.given for one in below)
        )
        return () if firm else tuple(self._phrases)

    def take(self, line: Line, heads: bool) -> None:
        """Read one line into the list it belongs to; ``heads``: as if it ended with a colon."""
        given, is_name = password_on(line.text), self._grammar.is_name
        if given is not None and not any(map(is_name, tokens(plain(given), is_name))):
            return  # the line `password …`, and no order is behind it
        shown = Line(line.number, self._grammar.quoted(line.text))
        line = line._replace(text=f"{line.text}:") if heads else line
        text = plain(line.text)
        self._note(shown, *line.text.partition("#")[::2])
        if heading := later_heading(text):
            self._heading(shown, *heading)
        elif text.startswith(">") or is_contact(text):  # somebody else's; `06 12 34 56 78`
            self._unread.append(shown)
        elif ask := ask_in(text) or withdrawn_in(text, self._grammar):
            self._asks[ask] = None
            if is_absence(ask) and not is_absence(text):
                self._away.append((shown, ask))
        elif word := not_yet(text):
            why = NOT_NOW.get(word, sentences.NOT_YET)
            self._suspects.append(Suspect(*shown, say(why, word=word)))
            self._firm = True
        else:
            if within := absent_within(line.text):  # `Wall A5. I am away next week.`
                ask, sentence, rest = within
                self._asks[ask] = None
                self._away.append((Line(line.number, self._grammar.quoted(sentence)), ask))
                line, text = line._replace(text=rest), plain(rest)
            elif unclear := unclear_in(text):
                self._may_be[line.number] = unclear
            found = tokens(text, is_name)
            if any(token[-1:].isalnum() for token in found):
                self._orders(shown, found, line.text)

    def _note(self, line: Line, before: str, note: str) -> None:
        """What is behind a `#`; of a line that is nothing else, only what takes back."""
        heard = self.listener.hear(line.number, note)
        doubts = [one for one in heard if one.beside != "spoken" and one.doubt]
        back = [one for one in doubts if one.doubt == TAKEN_BACK or one.kinds & {"no", "mend"}]
        taken = [one.doubt for one in (doubts if before.strip() else back) if one.doubt]
        if before.strip() and "?" in note:
            taken.append(say(sentences.QUESTION))
        self._notes += [Suspect(*line, why) for why in taken[:1]]

    def _heading(self, line: Line, colon: bool, rest: str) -> None:
        if rest:
            # `later: see you` is prose; `later: draw` is a heading with an order behind it.
            found = tokens(rest, self._grammar.is_name)
            self._orders(line, found, rest, later=True)
        elif colon:
            self._in_later = True
        else:
            self._bare_later = line
            self._unread.append(line)

    def _orders(self, line: Line, given: tuple[str, ...], said: str, later: bool = False) -> None:
        """The orders in these tokens of what is ``said``; ``later``: its line begins so."""
        read = read_line(line, given, self._grammar)
        if _STRUCK.search(said):
            self._doubt(line, given, say(sentences.TURNED))
            self._firm = True
            return
        if read is None:
            above = self._above(line)
            heard = self.listener.hear(line.number, said) if len(given) <= _LONG or above else []
            self._heard(line, given, heard if above else self._below(line, given, heard), later)
            return
        if "?" in plain(said):
            self._firm, meant = True, ", ".join(order.order for order in read)
            self._suspects.append(Suspect(*line, say(sentences.QUESTION), meant))
            return
        self._in_later = self._in_later or later
        self._add(read)

    def _below(self, line: Line, given: tuple[str, ...], heard: list[Phrase]) -> list[Phrase]:
        """Of what is said below a signature, what holds the email: little of a disclaimer, no
        `Master builder` alone, and nothing of where somebody lives.
        """
        if is_street(plain(line.text)):
            return [x for x in heard if x.doubt and (x.names or x.doubt != OTHER_WORDS)]
        if len(given) > _SHORT:
            heard = [x for x in heard if x.beside == "orders" and x.doubt == TAKEN_BACK]
            self._firm |= bool(heard)
        elif not self._grammar.named(given):
            heard = [x for x in heard if self._alone(x) or x.doubt not in (OTHER_WORDS, PARTLY)]
        return heard

    def _alone(self, phrase: Phrase) -> bool:
        """Whether a sentence is one word, which is an order: `Pioche` is no name below the rest."""
        said = tuple(word.text for word in phrase.words)
        return len(said) == 1 and self._grammar.spell(said) is not None

    def _above(self, line: Line) -> bool:
        """Whether a line stands above the signature."""
        return line.number <= self._last

    def _add(self, orders: list[OrderLine]) -> None:
        """Orders for now, or for later."""
        if self._bare_later is not None:
            self._suspects.append(Suspect(*self._bare_later, say(sentences.LATER_COLON), "later:"))
            self._unread.remove(self._bare_later)
            self._firm, self._bare_later, self._in_later = True, None, True
        (self._later if self._in_later else self._first).extend(orders)
        if given := [] if self._in_later else [one.order for one in orders if not one.when]:
            self._phrases.append(Phrase(orders[0].number, (), given=tuple(given)))

    def _heard(self, line: Line, given: tuple[str, ...], heard: list[Phrase], later: bool) -> None:
        """What a line says in plain words, if anything."""
        self._in_later = self._in_later or (later and any(one.says for one in heard))
        for one in heard:
            self._firm |= one.doubt == ELSES
            if one.clauses:
                self._phrases.append(one._replace(later=self._in_later))
            self._spoken |= one.says and bool(one.doubt) and one.beside == ""
            self._in_later = self._in_later or one.heading
        held = sorted((one for one in heard if one.doubt), key=lambda one: one.beside)
        if held and held[0].back and len([one for one in heard if one.talk or one.doubt]) == 1:
            self._suspects.append(Suspect(*line, say(sentences.CANCEL), WITHDRAW, WITHDRAW))
        elif held and not held[0].beside:
            self._doubt(line, given, held[0].doubt)
        elif held:
            above = held[0].intro and not (self._first or self._later)
            beside = held[0]._replace(beside="spoken") if above else held[0]
            self._beside.append((line, given, beside))
        elif not any(one.heading or (one.says and not one.talk) for one in heard):
            self._doubt(line, given)

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
        if why and why.text == sentences.NO_ORDER_BEGINS and self.listener.knows(whole[0]):
            why = OTHER_WORDS  # `walls A2 and A3` is said well, whatever holds it
        if why and whole[:1] == ("rules",) and len(whole) <= _SHORT_ASK:
            why = say(sentences.RULES)
        # what waits for no place is not to be done at once instead
        lost = whole[:1] == ("when",) and not any(map(self._grammar.is_name, whole[1:2]))
        kinds = {kind for one in self._phrases if one.number == line.number for kind in one.kinds}
        turned = not kinds.isdisjoint(DENIES | TAKES_BACK)  # `don't play walls A2 and B2`
        guess = None
        if why and self._guesses < _MOST_GUESSES and not (lost or turned):
            self._guesses += 1
            guess = suggestion(whole, self._grammar) or self.listener.meant(whole)
        return Suspect(*line, why, guess) if why else None
