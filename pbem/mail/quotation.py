"""Whose text each line of an email is: the player's own, or that of a message that was quoted.

What must never be here: MIME, HTML, orders, a phrase or a word of any mail program or language.
Law: linear time. The player's own text ends at the first attribution, header block, marked line or
code line. A quotation is compared, in sequence and word by word, with one message that was sent to
the seat; each word of ours is used once, and what is left over is the player's.
Source: docs/decisions/0023-notation-is-played.md.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import accumulate
from typing import NamedTuple

from pbem.mail.identity import find_codes, first_code_line
from pbem.mail.quoted_sent import LEAST, Ours, Quotation, Sent, words_of


class Whose(Enum):
    """Whose a line of an email is."""

    OWN = "own"  #: the player's
    BETWEEN = "between"  #: the player's, as it seems, in a quotation without marks
    SIGNATURE = "signature"  #: below `-- `, or a rule of underscores
    QUOTED = "quoted"  #: somebody else's, or old, or layout


class People(NamedTuple):
    """Names and addresses in small letters, by which attributions are recognised."""

    player: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()

    def named(self, text: str) -> set[str]:
        """Those who stand in the text."""
        low = text.lower()
        return {
            name
            for name in self.player | self.others
            if name in low and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", low)
        }

    def by_player(self, text: str) -> bool:
        """Whether it names the player as the author, and nobody else."""
        named = self.named(text)
        return bool(named) and named <= self.player - self.others


_MARKS = re.compile(r"^(?:[ \t]{0,3}>)+[ \t]?")
_ADDRESS = re.compile(r"[^\s<>@,;:\"']{1,64}@[^\s<>@,;:\"']{1,100}")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_TIME = re.compile(r"(?<!\d)\d{1,2}[:.h]\d\d(?!\d)")
_LABEL = re.compile(r"\*{0,2}[^\W\d_](?:[\w'’./-]| (?! )){0,24}\s?[:：]\*{0,2}(?!//)(.*)")
_RULE = re.compile(r"-{2,}[^-].{0,60}-{2,}|[_-]{5,}")
_COLONS = (":", "\uff1a")
DEEPEST = 20  #: quotations within one another; all below are as deep
_SIGNED = re.compile(r"--|_{5,}")
_PLACE = re.compile(r"[^\W\d_]+\d+[^\w/]?")
#: letters: that are no heading; of a line that a program may have broken; words of a heading
_LONG, _WRAPPED, _MOST_BEFORE = 400, 40, 5


class _Heading(NamedTuple):
    """Lines above a quotation that say whose it is."""

    start: int
    end: int
    old: bool  #: it names the player


def whose_lines(
    texts: Sequence[str],
    people: People,
    sent: Iterable[tuple[str, ...]] = (),
    means: Callable[[str], bool] = lambda _: False,
) -> list[Whose]:
    """Whose each line is. ``sent``: the texts of each message to the seat, the likeliest first;
    ``means``: whether some words by themselves are an order or a command.
    """
    cutter, messages = _Cutter(texts, people, means), Sent(sent)
    whose = cutter.divide(first_code_line(cutter.texts))
    if (begin := cutter.opening(whose, messages)) is not None:
        whose = cutter.divide(begin)
    for group in cutter.groups:
        _compare(group, messages, whose, cutter)
    _find_signatures(cutter.texts, whose)
    return whose


class _Cutter:
    """Divides the lines of an email into the player's own and groups of quoted ones."""

    def __init__(self, texts: Sequence[str], people: People, means: Callable[[str], bool]) -> None:
        self.people, self.means = people, means
        clean = [text.replace("\xa0", " ") for text in texts]
        bare = [_MARKS.sub("", text) for text in clean]
        marks = [text[: len(text) - len(rest)] for text, rest in zip(clean, bare, strict=True)]
        self.depth = [min(mark.count(">"), DEEPEST) for mark in marks]
        self.texts = [text.strip() for text in bare]
        self.groups, self._named = list[Quotation](), dict[str, set[str]]()

    def divide(self, code: int | None) -> list[Whose]:
        """Whose each line is, as far as marks and headings tell; from the line ``code`` on ours."""
        self.groups, whose = [], [Whose.QUOTED] * len(self.texts)
        head, opens = self._headings(code)
        current, last = dict[int, Quotation](), None
        for i, text in enumerate(self.texts):
            deep = self.depth[i]
            if i in head:
                continue
            if i in opens or (deep and deep not in current):
                current = {level: group for level, group in current.items() if level < deep}
                current[deep] = Quotation(deep, opens.get(i, False))
                self.groups.append(current[deep])
            if deep in current:
                last = current[deep]
                last.add(i, text)
            else:
                whose[i] = Whose.OWN
                if last is not None and text:
                    last.loose.append((len(last.words), i))
        return whose

    def _headings(self, code: int | None) -> tuple[set[int], dict[int, bool]]:
        """The lines of headings; with which lines quotations begin, and which of these are old."""
        head, opens = set[int](), dict[int, bool]()
        before, unmarked = 0, False
        for i, text in enumerate(self.texts):
            if not text or i in head:
                continue
            begins = self.depth[i] > before or (i == code and not unmarked)
            before = self.depth[i]
            if found := self._block(i):
                content = self._next(found.end)
            elif begins:
                found, content = self._attribution(i), i
            elif text.endswith(_COLONS) and "@" in " ".join(self.texts[max(i - 3, 0) : i + 1]):
                found, content = self._attribution(i + 1, alone=True), self._next(i + 1)
                if found is None:
                    continue
            else:
                continue
            if found is not None:
                head |= {*range(found.start, found.end)}
            if content is None or content in head:
                continue
            level = self.depth[content]
            if found is not None or not level:
                opens[content] = found is not None and found.old
                before, unmarked = level, unmarked or not level
        return head, opens

    def _next(self, i: int) -> int | None:
        """The first line from here on that is not blank."""
        return next((j for j in range(i, len(self.texts)) if self.texts[j]), None)

    def opening(self, whose: list[Whose], sent: Sent) -> int | None:
        """The first line of the player's own that begins as a message begins that was sent."""
        own = [i for i, text in enumerate(self.texts) if text and whose[i] is Whose.OWN]
        if sum(self.texts[i].count(" ") + 1 for i in own) <= 2 * LEAST:
            return None
        begin = {tuple(ours.words[:LEAST]) for message in sent for ours in message}
        for i in own:
            if tuple(words_of(" ".join(self.texts[i : i + 3])[:_LONG])[:LEAST]) in begin:
                return i
        return None

    def _block(self, i: int) -> _Heading | None:
        """The header block that begins here: lines with labels, and at least two of who, when and
        which game.
        """
        kinds, labels, people, end, old = set[str](), 0, 0, i, None
        for j in range(i, min(i + 12, len(self.texts))):
            text = self.texts[j]
            if self.depth[j] != self.depth[i] or len(text) > _LONG:
                break
            if not text:
                continue
            label = _LABEL.fullmatch(text)
            found = self.kinds(label[1] if label else text)
            if not (found if j == i else label or "who" in found):
                break
            if old is None and "who" in found:
                old = self.people.by_player(text)
            kinds, labels, end = kinds | found, labels + bool(label), j + 1
            people += "who" in found
            if j == i and not label:
                break
        if labels < 2 or (len(kinds) < 2 and people < 2):
            return None
        above = self._rule_above(i)
        return _Heading(above, end, bool(old))

    def _rule_above(self, i: int) -> int:
        """The line of a rule directly above this line; this line if there is none."""
        end = i
        while end and not self.texts[end - 1]:
            end -= 1
        return end - 1 if end and _RULE.fullmatch(self.texts[end - 1]) else i

    def kinds(self, text: str) -> set[str]:
        """What a text names: who, when, which game."""
        if len(text) > _LONG:
            return set()
        if text not in self._named:
            self._named[text] = self._kinds_of(text)
        return self._named[text]

    def _kinds_of(self, text: str) -> set[str]:
        who = ("@" in text and _ADDRESS.search(text)) or self.people.named(text)
        when = _YEAR.search(text) or _TIME.search(text)
        found = {"who": who, "when": when, "game": find_codes(text)}
        return {kind for kind, there in found.items() if there}

    def _attribution(self, below: int, alone: bool = False) -> _Heading | None:
        """The attribution directly above a line; ``alone``: whatever stands below it."""
        end = self._rule_above(below)
        if end != below:
            return _Heading(end, below, False)
        while end and not self.texts[end - 1]:
            end -= 1
        for start in range(end - 1, max(end - 5, -1), -1):
            text, joined = self.texts[start], " ".join(self.texts[start:end])
            wrapped = start == end - 1 or len(text) >= _WRAPPED
            if not text or not wrapped or self.depth[start] != self.depth[end - 1]:
                return None
            if self._names_author(joined, alone or start < end - 1):
                break
            if not joined.endswith(_COLONS) or len(joined) > _LONG:
                return None
        else:
            return None
        while start and end - start < 4 and self._goes_on(start - 1):
            start -= 1
        old = self.people.by_player(" ".join(self.texts[start:end]))
        typed = self._is_typed(" ".join(self.texts[start:end]))
        return _Heading(start + typed, below, old)

    def _goes_on(self, i: int) -> bool:
        """Whether this line is the beginning of the attribution in the next."""
        text = self.texts[i]
        same = self.depth[i] == self.depth[i + 1] and len(text) >= _WRAPPED
        more = self.kinds(text) - {"game"} - self.kinds(self.texts[i + 1])
        return same and text[-1] not in ".!?:" and bool(more)

    def _names_author(self, text: str, alone: bool) -> bool:
        """Whether it has who, or when, and ends as attributions do."""
        kinds, colon = self.kinds(text) - {"game"}, text.endswith(_COLONS)
        both = len(kinds) == 2 and "@" in text
        return (both and colon) if alone else bool(both or (kinds and colon))

    def _is_typed(self, text: str) -> bool:
        """Whether the player typed something in front of the attribution, on its line: a question,
        a place, an order, or more words than any attribution begins with.
        """
        for name in sorted(self.people.named(text), key=len, reverse=True):
            text = re.sub(re.escape(name), "@", text, flags=re.IGNORECASE)
        ends = (_ADDRESS.search(text), _YEAR.search(text), _TIME.search(text))
        at = min((found.start() for found in ends if found), default=text.find("@"))
        before = text[: max(at, 0)].split()
        if any(mark in word for word in before for mark in "?!"):
            return True
        if any(map(_PLACE.fullmatch, before)):
            return True
        first = next((n for n, word in enumerate(before) if word[:1].isdigit()), len(before))
        if first > _MOST_BEFORE:
            return True
        return any(self.means(" ".join(before[:n])) for n in range(1, first + 1))


def _compare(group: Quotation, sent: Sent, whose: list[Whose], cutter: _Cutter) -> None:
    """Finds what in a quotation is none of ours."""
    found = group.compared(sent)
    if found is None:
        text = "\n".join(cutter.texts[i] for i in group.lines)
        if not (group.depth or group.old or find_codes(text)):
            # below an attribution, and nothing that we sent: the player may have written it there
            for i in group.lines:
                whose[i] = Whose.BETWEEN
        for _, i in group.loose:  # wrapped by a program, or an answer: nobody can tell
            around = {*cutter.depth[i - 1 : i + 2 : 2]}
            if around == {group.depth} and len(cutter.texts[i - 1]) > 60:
                whose[i] = Whose.BETWEEN
        return
    ours, places = found
    before = [-1, *accumulate(places, max)]  #: the word of ours before each word
    at = 0
    for i, count in zip(group.lines, group.counts, strict=True):
        there = sum(place >= 0 for place in places[at : at + count])
        if there < count:
            whose[i] = Whose.BETWEEN
            if group.depth and before[at] < 0 and cutter.kinds(cutter.texts[i]):
                whose[i] = Whose.QUOTED  # a part of an attribution
        at += count
    _find_wrapped(group, ours, places, whose, cutter)


def _find_wrapped(
    group: Quotation, ours: Ours, places: list[int], whose: list[Whose], cutter: _Cutter
) -> None:
    """Unmarked lines that go on within a line of ours, where the marked line above them ends."""
    reached = dict[int, int]()
    for at, i in group.loose:
        words = words_of(cutter.texts[i])
        place = reached.get(at, places[at - 1] + 1 if at and places[at - 1] >= 0 else 0)
        if place not in ours.lines and words and words == ours.words[place : place + len(words)]:
            whose[i] = Whose.QUOTED
            reached[at] = place + len(words)


def _find_signatures(texts: Sequence[str], whose: list[Whose]) -> None:
    """What of the player's own stands below `-- ` or a rule of underscores."""
    below = False
    for i, text in enumerate(texts):
        if whose[i] is not Whose.OWN:
            below = below and not text
        elif _SIGNED.fullmatch(text):
            below, whose[i] = True, Whose.QUOTED
        elif below and text:
            whose[i] = Whose.SIGNATURE
