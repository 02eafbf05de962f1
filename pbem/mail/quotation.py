"""Find out whose text each line of an email is: the player's own, or part of a quoted message.

Not allowed here: MIME, HTML, orders, any phrase or word of a mail program or language.
Source: docs/decisions/0023-notation-is-played.md.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import accumulate
from typing import NamedTuple

from pbem.mail.identity import find_codes, find_first_code_line
from pbem.mail.quoted_sent import LEAST_WORDS, Quotation, SentMessages, SentText, words_of


class LineOwner(Enum):
    """Whose a line of an email is."""

    OWN = "own"  #: the player's
    INTERLEAVED = "between"  #: probably the player's, inside a quotation without marks
    SIGNATURE = "signature"  #: below `-- `, or a rule of underscores
    QUOTED = "quoted"  #: another person's, or old, or layout


class People(NamedTuple):
    """Names and addresses in small letters, by which attributions are recognised."""

    player: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()

    def names_in(self, text: str) -> set[str]:
        """The names that occur in the text."""
        lowered = text.lower()
        return {
            name
            for name in self.player | self.others
            if name in lowered and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", lowered)
        }

    def is_by_player(self, text: str) -> bool:
        """Whether the text names the player as the author, and nobody else."""
        names = self.names_in(text)
        return bool(names) and names <= self.player - self.others


_QUOTE_MARKS = re.compile(r"^(?:[ \t]{0,3}>)+[ \t]?")
_ADDRESS = re.compile(r"[^\s<>@,;:\"']{1,64}@[^\s<>@,;:\"']{1,100}")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_TIME = re.compile(r"(?<!\d)\d{1,2}[:.h]\d\d(?!\d)")
_LABEL = re.compile(r"\*{0,2}[^\W\d_](?:[\w'’./-]| (?! )){0,24}\s?[:：]\*{0,2}(?!//)(.*)")
_RULE = re.compile(r"-{2,}[^-].{0,60}-{2,}|[_-]{5,}")
_COLONS = (":", "\uff1a")
DEEPEST_QUOTE = 20  #: levels of quotation; deeper ones count as this deep
_SIGNATURE_LINE = re.compile(r"--|_{5,}")
_BOARD_PLACE = re.compile(r"[^\W\d_]+\d+[^\w/]?")
#: letters of the longest heading; of a line that may have been wrapped; words before a name in a heading
_LONGEST_HEADING, _WRAP_LENGTH, _MOST_WORDS_BEFORE = 400, 40, 5


class _Heading(NamedTuple):
    """The lines above a quotation that name its author."""

    start: int
    end: int
    names_player: bool  #: it names the player


def find_line_owners(
    texts: Sequence[str],
    people: People,
    sent_texts: Iterable[tuple[str, ...]] = (),
    is_instruction: Callable[[str], bool] = lambda _: False,
) -> list[LineOwner]:
    """Whose each line is, in linear time.

    The player's own text ends at the first attribution, header block, marked line or code line. A
    quotation is compared with one message that was sent to the seat; words that are not ours are
    the player's. ``sent_texts``: the texts of each message to the seat, the likeliest first.
    ``is_instruction``: whether some words alone are an order or a command.
    """
    divider, messages = _LineDivider(texts, people, is_instruction), SentMessages(sent_texts)
    owners = divider.divide(find_first_code_line(divider.texts))
    if (start := divider.find_opening(owners, messages)) is not None:
        owners = divider.divide(start)
    for quotation in divider.quotations:
        _mark_interleaved(quotation, messages, owners, divider)
    _mark_signatures(divider.texts, owners)
    return owners


class _LineDivider:
    """Divides the lines of an email into the player's own and quotations."""

    def __init__(self, texts: Sequence[str], people: People, is_instruction: Callable[[str], bool]) -> None:
        self.people, self.is_instruction = people, is_instruction
        spaced = [text.replace("\xa0", " ") for text in texts]
        unmarked = [_QUOTE_MARKS.sub("", text) for text in spaced]
        marks = [text[: len(text) - len(unmarked_text)] for text, unmarked_text in zip(spaced, unmarked, strict=True)]
        self.depth = [min(mark.count(">"), DEEPEST_QUOTE) for mark in marks]
        self.texts = [text.strip() for text in unmarked]
        self.quotations, self._kinds_by_text = list[Quotation](), dict[str, set[str]]()

    def divide(self, code_line: int | None) -> list[LineOwner]:
        """Whose each line is by marks and headings. Our text begins at the line ``code_line``."""
        self.quotations, owners = [], [LineOwner.QUOTED] * len(self.texts)
        heading_lines, quotation_starts = self._find_headings(code_line)
        open_quotations, last_quotation = dict[int, Quotation](), None
        for index, text in enumerate(self.texts):
            depth = self.depth[index]
            if index in heading_lines:
                continue
            if index in quotation_starts or (depth and depth not in open_quotations):
                open_quotations = {level: quotation for level, quotation in open_quotations.items() if level < depth}
                open_quotations[depth] = Quotation(depth, quotation_starts.get(index, False))
                self.quotations.append(open_quotations[depth])
            if depth in open_quotations:
                last_quotation = open_quotations[depth]
                last_quotation.add(index, text)
            else:
                owners[index] = LineOwner.OWN
                if last_quotation is not None and text:
                    last_quotation.unmarked_lines.append((len(last_quotation.words), index))
        return owners

    def _find_headings(self, code_line: int | None) -> tuple[set[int], dict[int, bool]]:
        """The lines of headings; by first line of a quotation, whether the player wrote it."""
        heading_lines, quotation_starts = set[int](), dict[int, bool]()
        previous_depth, has_unmarked = 0, False
        for index, text in enumerate(self.texts):
            if not text or index in heading_lines:
                continue
            begins_quotation = self.depth[index] > previous_depth or (index == code_line and not has_unmarked)
            previous_depth = self.depth[index]
            if heading := self._find_header_block(index):
                content_line = self._next_filled_line(heading.end)
            elif begins_quotation:
                heading, content_line = self._find_attribution(index), index
            elif text.endswith(_COLONS) and "@" in " ".join(self.texts[max(index - 3, 0) : index + 1]):
                heading = self._find_attribution(index + 1, stands_alone=True)
                content_line = self._next_filled_line(index + 1)
                if heading is None:
                    continue
            else:
                continue
            if heading is not None:
                heading_lines |= {*range(heading.start, heading.end)}
            if content_line is None or content_line in heading_lines:
                continue
            depth = self.depth[content_line]
            if heading is not None or not depth:
                quotation_starts[content_line] = heading is not None and heading.names_player
                previous_depth, has_unmarked = depth, has_unmarked or not depth
        return heading_lines, quotation_starts

    def _next_filled_line(self, start: int) -> int | None:
        """The first line from ``start`` on that is not blank."""
        return next((index for index in range(start, len(self.texts)) if self.texts[index]), None)

    def find_opening(self, owners: list[LineOwner], messages: SentMessages) -> int | None:
        """The first of the player's own lines that begins like a message that was sent."""
        own_indexes = [index for index, text in enumerate(self.texts) if text and owners[index] is LineOwner.OWN]
        if not self.quotations and sum(self.texts[index].count(" ") + 1 for index in own_indexes) < LEAST_WORDS:
            return None  # too short to quote a message
        message_starts = {tuple(sent_text.words[:LEAST_WORDS]) for message in messages for sent_text in message}
        for index in own_indexes:
            if (
                tuple(words_of(" ".join(self.texts[index : index + 3])[:_LONGEST_HEADING])[:LEAST_WORDS])
                in message_starts
            ):
                return index
        return None

    def _find_header_block(self, start: int) -> _Heading | None:
        """The header block that begins at this line, or None.

        It has lines with labels, and at least two of: who, when, which game.
        """
        kinds, label_count, people_count, end, names_player = set[str](), 0, 0, start, None
        for index in range(start, min(start + 12, len(self.texts))):
            text = self.texts[index]
            if self.depth[index] != self.depth[start] or len(text) > _LONGEST_HEADING:
                break
            if not text:
                continue
            label = _LABEL.fullmatch(text)
            line_kinds = self.named_kinds(label[1] if label else text)
            if not (line_kinds if index == start else label or "who" in line_kinds):
                break
            if names_player is None and "who" in line_kinds:
                names_player = self.people.is_by_player(text)
            kinds, label_count, end = kinds | line_kinds, label_count + bool(label), index + 1
            people_count += "who" in line_kinds
            if index == start and not label:
                break
        if label_count < 2 or (len(kinds) < 2 and people_count < 2):
            return None
        above = self._find_rule_above(start)
        return _Heading(above, end, bool(names_player))

    def _find_rule_above(self, index: int) -> int:
        """The index of a rule directly above this line; otherwise this index."""
        end = index
        while end and not self.texts[end - 1]:
            end -= 1
        return end - 1 if end and _RULE.fullmatch(self.texts[end - 1]) else index

    def named_kinds(self, text: str) -> set[str]:
        """Which of these a text names: who, when, game."""
        if len(text) > _LONGEST_HEADING:
            return set()
        if text not in self._kinds_by_text:
            self._kinds_by_text[text] = self._find_kinds(text)
        return self._kinds_by_text[text]

    def _find_kinds(self, text: str) -> set[str]:
        who = ("@" in text and _ADDRESS.search(text)) or self.people.names_in(text)
        when = _YEAR.search(text) or _TIME.search(text)
        match_by_kind = {"who": who, "when": when, "game": find_codes(text)}
        return {kind for kind, match in match_by_kind.items() if match}

    def _find_attribution(self, next_line: int, stands_alone: bool = False) -> _Heading | None:
        """The attribution directly above a line. ``stands_alone``: no quotation need follow."""
        end = self._find_rule_above(next_line)
        if end != next_line:
            return _Heading(end, next_line, False)
        while end and not self.texts[end - 1]:
            end -= 1
        for start in range(end - 1, max(end - 5, -1), -1):
            text, joined = self.texts[start], " ".join(self.texts[start:end])
            may_be_wrapped = start == end - 1 or len(text) >= _WRAP_LENGTH
            if not text or not may_be_wrapped or self.depth[start] != self.depth[end - 1]:
                return None
            if self._names_author(joined, stands_alone or start < end - 1):
                break
            if not joined.endswith(_COLONS) or len(joined) > _LONGEST_HEADING:
                return None
        else:
            return None
        while start and end - start < 4 and self._begins_attribution(start - 1):
            start -= 1
        names_player = self.people.is_by_player(" ".join(self.texts[start:end]))
        is_typed = self._is_typed(" ".join(self.texts[start:end]))
        return _Heading(start + is_typed, next_line, names_player)

    def _begins_attribution(self, index: int) -> bool:
        """Whether the attribution in the next line begins on this one."""
        text = self.texts[index]
        may_be_wrapped = self.depth[index] == self.depth[index + 1] and len(text) >= _WRAP_LENGTH
        added_kinds = self.named_kinds(text) - {"game"} - self.named_kinds(self.texts[index + 1])
        return may_be_wrapped and text[-1] not in ".!?:" and bool(added_kinds)

    def _names_author(self, text: str, stands_alone: bool) -> bool:
        """Whether it names who or when, and ends as attributions do."""
        kinds, has_colon = self.named_kinds(text) - {"game"}, text.endswith(_COLONS)
        has_both = len(kinds) == 2 and "@" in text
        return (has_both and has_colon) if stands_alone else bool(has_both or (kinds and has_colon))

    def _is_typed(self, text: str) -> bool:
        """Whether the player typed before the attribution on its line.

        Signs of it are a question, a place, an order, or more words than an attribution begins
        with.
        """
        for name in sorted(self.people.names_in(text), key=len, reverse=True):
            text = re.sub(re.escape(name), "@", text, flags=re.IGNORECASE)
        matches = (_ADDRESS.search(text), _YEAR.search(text), _TIME.search(text))
        attribution_start = min((match.start() for match in matches if match), default=text.find("@"))
        words_before = text[: max(attribution_start, 0)].split()
        if any(mark in word for word in words_before for mark in "?!"):
            return True
        if any(map(_BOARD_PLACE.fullmatch, words_before)):
            return True
        first_number = next((n for n, word in enumerate(words_before) if word[:1].isdigit()), len(words_before))
        if first_number > _MOST_WORDS_BEFORE:
            return True
        return any(self.is_instruction(" ".join(words_before[:n])) for n in range(1, first_number + 1))


def _mark_interleaved(
    quotation: Quotation, messages: SentMessages, owners: list[LineOwner], divider: _LineDivider
) -> None:
    """Mark the lines in a quotation that are not ours."""
    match = quotation.find_source(messages)
    if match is None:
        text = "\n".join(divider.texts[index] for index in quotation.line_indexes)
        if not (quotation.depth or quotation.is_by_player or find_codes(text)):
            # below an attribution and not ours: the player may have written it there
            for index in quotation.line_indexes:
                owners[index] = LineOwner.INTERLEAVED
        for _, index in quotation.unmarked_lines:  # wrapped by a program, or an answer
            depths_around = {*divider.depth[index - 1 : index + 2 : 2]}
            if depths_around == {quotation.depth} and len(divider.texts[index - 1]) > 60:
                owners[index] = LineOwner.INTERLEAVED
        return
    sent_text, places = match
    last_places = [-1, *accumulate(places, max)]  #: the last place of ours before each word
    word_index = 0
    for index, count in zip(quotation.line_indexes, quotation.word_counts, strict=True):
        matched_count = sum(place >= 0 for place in places[word_index : word_index + count])
        if matched_count < count:
            owners[index] = LineOwner.INTERLEAVED
            if quotation.depth and last_places[word_index] < 0 and divider.named_kinds(divider.texts[index]):
                owners[index] = LineOwner.QUOTED
        word_index += count
    _mark_wrapped(quotation, sent_text, places, owners, divider)


def _mark_wrapped(
    quotation: Quotation, sent_text: SentText, places: list[int], owners: list[LineOwner], divider: _LineDivider
) -> None:
    """Mark unmarked lines that continue a line of ours where the marked line above them ends."""
    next_places = dict[int, int]()
    for word_index, index in quotation.unmarked_lines:
        words = words_of(divider.texts[index])
        place = next_places.get(
            word_index, places[word_index - 1] + 1 if word_index and places[word_index - 1] >= 0 else 0
        )
        if place not in sent_text.line_starts and words and words == sent_text.words[place : place + len(words)]:
            owners[index] = LineOwner.QUOTED
            next_places[word_index] = place + len(words)


def _mark_signatures(texts: Sequence[str], owners: list[LineOwner]) -> None:
    """Mark the player's own lines below `-- ` or a rule of underscores."""
    is_below = False
    for index, text in enumerate(texts):
        if owners[index] is not LineOwner.OWN:
            is_below = is_below and not text
        elif _SIGNATURE_LINE.fullmatch(text):
            is_below, owners[index] = True, LineOwner.QUOTED
        elif is_below and text:
            owners[index] = LineOwner.SIGNATURE
