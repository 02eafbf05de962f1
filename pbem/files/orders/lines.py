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
from pbem.files.orders.absence import ABSENT, absent_in
from pbem.files.orders.tokens import (
    Grammar,
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


class Suspect(NamedTuple):
    """A line that looks like an order but is none: it holds the whole mail back."""

    number: int
    text: str
    reason: Sentence
    suggestion: str | None = None

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


WITHDRAW = "withdraw"
_ALONE = (WITHDRAW, "resend")
MAILS = ("mine", "round", "every")  #: which reports a player can choose to get
ASKS = (*_ALONE, "help")
#: why a reserved word where it stands holds an email back; of any other it is not possible yet
NOT_NOW = {ABSENT: sentences.DAYS, **dict.fromkeys(("yes", "no"), sentences.NOT_A_VOTE)}
POLITE = re.compile(
    "please|pls|plz|thanks|thank|thx|ty|you|cheers|danke|bitte|merci|grazie|prego"
    "|kösz|köszi|köszönöm"
)
_BULLET = re.compile(r"^(?:[*•-]\s+|\d{1,3}[.)]\s*)")
_RULES = re.compile(r"rules\s+([a-z]{1,4})\s*-?\s*(\d{1,3}[a-z]?)\W*")
_MAILS = re.compile(rf"mails? ({'|'.join(MAILS)})")
_LATER_VERSION = re.compile(
    r"(message)\s+(?:[\w' -]{1,40}\s*:|all\b).*|(absent)(?:\b.*\d.*|\W*)|(yes|no|leave)\W*"
)
_LATER = re.compile(r"\W*later\s*(?:([:;.,-]?)\W*|:\s*(\S.*))")


def ask_in(line: str) -> str | None:
    """The question or command in a plain line, canonical (``rules CC-26``, ``mails round``); None
    if none.
    """
    line = _BULLET.sub("", line).strip(" *_`\"'.!")
    if match := _MAILS.fullmatch(" ".join(_said(line))):
        return f"mails {match[1]}"
    if match := _RULES.fullmatch(line):
        return f"rules {match[1].upper()}-{match[2].upper()}"
    return _only_word(line, (*ASKS, "rules")) or absent_in(line)


def not_yet(line: str) -> str | None:
    """The reserved word in a plain line that this version does not act on; None if none."""
    line = _BULLET.sub("", line).strip(" *_`\"'")
    match = _LATER_VERSION.fullmatch(line)
    return match[match.lastindex or 0] if match else answer_in(line)


def answer_in(line: str) -> str | None:
    """``yes`` or ``no`` in a plain line that says nothing else, politeness apart."""
    return _only_word(line, ("yes", "no"))


def _only_word(line: str, known: tuple[str, ...]) -> str | None:
    words = _said(line)
    return words[0] if len(words) == 1 and words[0] in known else None


def _said(line: str) -> list[str]:
    return [word for word in re.findall(r"\w+", line) if not POLITE.fullmatch(word)]


def withdrawn_in(line: str, grammar: Grammar) -> str | None:
    """``withdraw later``, ``withdraw now`` or ``withdraw NAME`` in a plain line, canonical."""
    word, *part = _said(line) or [""]
    part = part[1:] if part[:1] == ["when"] else part
    if word != WITHDRAW or len(part) != 1:
        return None
    name = part[0]
    if name in ("now", "later"):
        return f"{WITHDRAW} {name}"
    return f"{WITHDRAW} {_canonical(name)}" if grammar.is_name(name) else None


def later_heading(line: str) -> tuple[bool, str] | None:
    """If a plain line is the heading `later:`: whether it has its colon, and what follows it."""
    match = _LATER.fullmatch(line)
    return (match[1] in (":", None), match[2] or "") if match else None


#: how a line of up to four words begins that only greets, thanks or takes leave
_GREETING = re.compile(
    "(?:hi|hello|hey|dear|hallo|liebe[rs]?|ciao|salve|bonjour|bonsoir|salut|chère?|car[oa]|szia"
    "|sziasztok|kedves|servus|moin|hola|buongiorno|buonasera|thanks|thank|thx|ty|cheers|danke|merci"
    "|grazie|kösz|köszi|köszönöm|best|kind|warm|regards|wishes|greetings|bye|see|yours|love|lg|mfg"
    "|vg|gru(?:ss|ß)|grüße|viele|schöne|herzliche|tschüss?|cordialement|amicalement|amitiés|bien à"
    "|à (?:bientôt|plus)|bises|saluti|cordiali|un saluto|a presto|üdv|üdvözlettel|puszi"
    "|mit (?:freundlichen|besten|lieben)"
    "|(?:good|guten?|schönen|bonne?|buona?|jó|szép) (?:morning|evening|afternoon|day|night|luck"
    "|weekend|tag|morgen|abend|nacht|sonntag|soirée|journée|nuit|chance|week-end|giornata|serata"
    r"|notte|fortuna|napot|estét|reggelt|hétvégét))\b"
)
_OK = re.compile("ok|okay|sorry|done|d'accord|va bene|rendben")
_NAME = re.compile("([a-z]+)([0-9]+)")
_CANCEL = re.compile("cancel|revoke|retract|rescind")
_MOST_TOKENS = 64


def read_line(line: Line, given: tuple[str, ...], grammar: Grammar) -> list[OrderLine] | None:
    """The orders in these tokens of the line, or None if any part of it is not one."""
    if len(given) > _MOST_TOKENS:
        return None
    if given[:1] == ("when",):
        return _when(line, given[1:], grammar)
    parts = segments(given, grammar.words)
    greeted = _GREETING.fullmatch(parts[0][0]) if len(parts) > 1 and len(parts[0]) <= 4 else None
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
    if len(whole) <= 4 and head in _ALONE:
        return say(sentences.ALONE, word=head)
    said = [token for token in whole if not POLITE.fullmatch(token)]
    if said and len(whole) <= 4 and _CANCEL.fullmatch(said[0]):
        return say(sentences.CANCEL)
    if len(whole) <= 4 and any(one_slip(head, word) for word in _ALONE):
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


def is_greeting(line: str) -> bool:
    """Whether a line of prose only greets, thanks or takes leave: nobody asks what became of it."""
    text = plain(line).strip(" *_-")
    words = re.findall(r"\w+", text)
    alone = all(map(POLITE.fullmatch, words)) or _OK.fullmatch(text.rstrip(" .,!"))
    return bool(alone) or (len(words) <= 4 and _GREETING.match(text) is not None)


def _asked(line: str) -> bool:
    """Whether a plain line ends in a question mark."""
    return line.rstrip(" *_`\"')]").endswith("?")


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


def read_orders(lines: Iterable[Line], grammar: Grammar) -> Sheet:
    """The orders in a letter's own lines. Never raises on any text."""
    reading = _Reading(grammar)
    for line in lines:
        reading.take(Line(line.number, " ".join(line.text.splitlines())))
    return reading.sheet()


def sheet_from_list(rows: Sequence[str], grammar: Grammar) -> Sheet:
    """The same for a move file's ``orders``, where every line is meant: prose is suspect too."""
    sheet = read_orders([Line(number, row) for number, row in enumerate(rows, 1)], grammar)
    odd = [Suspect(*line, say(sentences.MOVE_FILE)) for line in sheet.unread]
    return sheet._replace(unread=(), suspects=tuple(sorted((*sheet.suspects, *odd))))


class _Reading:
    """A letter while it is read."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._first: list[OrderLine] = []
        self._later: list[OrderLine] = []
        self._asks: dict[str, None] = {}
        self._unread: list[Line] = []
        self._suspects: list[Suspect] = []
        self._in_later = False
        self._bare_later: Line | None = None

    def sheet(self) -> Sheet:
        return Sheet(
            tuple(self._first),
            tuple(self._later),
            tuple(self._asks),
            tuple(Line(n, "" if self._grammar.guarded else text) for n, text in self._unread),
            tuple(self._suspects),
        )

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
                self._orders(shown, found, asked=_asked(text))

    def _heading(self, line: Line, colon: bool, rest: str) -> None:
        if rest:
            # `later: see you` is prose; `later: draw` is a heading with an order behind it.
            found = tokens(rest, self._grammar.is_name)
            self._orders(line, found, later=True, asked=_asked(rest))
        elif colon:
            self._in_later = True
        else:
            self._bare_later = line
            self._unread.append(line)

    def _orders(
        self, line: Line, given: tuple[str, ...], later: bool = False, asked: bool = False
    ) -> None:
        """The orders in these tokens; ``later``: their line begins so; ``asked``: it asks."""
        read = read_line(line, given, self._grammar)
        if read is None:
            self._doubt(line, given)
            return
        if asked:
            meant = ", ".join(order.order for order in read)
            self._suspects.append(Suspect(*line, say(sentences.QUESTION), meant))
            return
        if self._bare_later is not None:
            self._suspects.append(Suspect(*self._bare_later, say(sentences.LATER_COLON), "later:"))
            self._unread.remove(self._bare_later)
            self._bare_later, later = None, True
        self._in_later = self._in_later or later
        (self._later if self._in_later else self._first).extend(read)

    def _doubt(self, line: Line, given: tuple[str, ...]) -> None:
        """A line that is no order: prose, or a suspect."""
        parts = segments(given, self._grammar.words)
        whole = tuple(token for part in parts for token in part)
        why = why_not_prose(parts, self._grammar) if whole else None
        if why is None:
            self._unread.append(line)
            return
        few = len(self._suspects) < _MOST_GUESSES
        # what waits for no place is not to be done at once instead
        lost = whole[:1] == ("when",) and not any(map(self._grammar.is_name, whole[1:2]))
        guess = suggestion(whole, self._grammar) if few and not lost else None
        self._suspects.append(Suspect(*line, why, guess))
