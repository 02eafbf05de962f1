"""Compare a quotation, word by word and in sequence, with the messages that were sent to the seat.

Not allowed here: which lines are quoted, or whose they are (quotation.py).
Source: docs/decisions/0023-notation-is-played.md.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

_LINK = re.compile(r"<?\b(?:mailto|https?|cid|tel):[^\s>]{0,4000}>?|[\u00ad\u200b-\u200d\ufeff]")
_WORD, _SEAL = re.compile(r"\w+"), re.compile(r"[\w-]{80,}")
#: words that begin a run; words that it may skip; the cost of a skipped word
_RUN_WORDS, _MOST_SKIPPED, _SKIP_COST = 3, 8, 8
LEAST_WORDS = 5  #: words of ours that identify a quotation


def words_of(text: str) -> list[str]:
    """The words of a text, without the punctuation, bullets and links that mail programs change."""
    return _WORD.findall(_LINK.sub(lambda m: " " if len(m[0]) > 1 else "", text).casefold())


class SentText:
    """A text that was sent to the seat, indexed for comparison."""

    def __init__(self, text: str) -> None:
        self.seals, self.words, self.line_starts = {*_SEAL.findall(text)}, list[str](), set[int]()
        for line in text.split("\n"):
            self.line_starts.add(len(self.words))
            self.words += words_of(line)
        self._index = dict[tuple[str, ...], list[int]]()
        for index in range(len(self.words) - _RUN_WORDS + 1):
            self._index.setdefault(tuple(self.words[index : index + _RUN_WORDS]), []).append(index)

    def find_places(self, words: list[str], starts: list[int]) -> list[int]:
        """The place of each of the words in this text, ascending, or -1. Each word of ours is used
        once.

        ``starts`` has, for each word, the index of the first word on its line. Linear time.
        """
        places, word_index, sent_index = [-1] * len(words), 0, 0
        while (match := self._find_next_run(words, word_index, sent_index)) is not None:
            word_index, sent_index = match
            run_start = word_index
            while (
                word_index < len(words) and sent_index < len(self.words) and words[word_index] == self.words[sent_index]
            ):
                places[word_index] = sent_index
                word_index, sent_index = word_index + 1, sent_index + 1
            # a line with one or two first words of ours, followed by others, is not ours
            dropped_count = word_index - max(starts[word_index], run_start) if word_index < len(words) else 0
            if dropped_count < _RUN_WORDS:
                places[word_index - dropped_count : word_index] = [-1] * dropped_count
                word_index, sent_index = word_index - dropped_count, sent_index - dropped_count
        return places

    def _find_next_run(self, words: list[str], start: int, sent_start: int) -> tuple[int, int] | None:
        """The next place where both texts agree, as (index in ``words``, index in this text).

        The place with the fewest added words wins. Words of ours that are left out cost more, since
        that is rarer; far away, more words must agree.
        """
        best_match, best_cost = None, len(words) + _SKIP_COST * len(self.words)
        for word_index in range(start, len(words) - _RUN_WORDS + 1):
            if word_index - start >= best_cost:
                break
            sent_indexes = self._index.get(tuple(words[word_index : word_index + _RUN_WORDS]), [])
            first_candidate = bisect_left(sent_indexes, sent_start)
            for sent_index in sent_indexes[first_candidate : first_candidate + 8]:
                candidate_cost = word_index - start + _SKIP_COST * (sent_index - sent_start)
                if candidate_cost >= best_cost:
                    break
                longer_run = words[word_index : word_index + 2 * _RUN_WORDS]
                if (
                    sent_index - sent_start <= _MOST_SKIPPED
                    or longer_run == self.words[sent_index : sent_index + len(longer_run)]
                ):
                    best_match, best_cost = (word_index, sent_index), candidate_cost
                    break
        return best_match


class SentMessages:
    """The texts of each message to the seat, the likeliest first. Each is read once, when needed."""

    def __init__(self, texts: Iterable[tuple[str, ...]]) -> None:
        self._texts, self._read_messages = iter(texts), list[tuple[SentText, ...]]()

    def __iter__(self) -> Iterator[tuple[SentText, ...]]:
        yield from self._read_messages
        for texts in self._texts:
            self._read_messages.append(tuple(map(SentText, texts)))
            yield self._read_messages[-1]


class Quotation:
    """The lines of one quotation: one depth below one attribution."""

    def __init__(self, depth: int, is_by_player: bool) -> None:
        self.depth, self.is_by_player = depth, is_by_player
        self.line_indexes, self.word_counts = (list[int](), list[int]())  #: and the number of words on each
        self.words, self.line_starts = (
            list[str](),
            list[int](),
        )  #: for each word, the index of the first word on its line
        self.unmarked_lines = list[tuple[int, int]]()  #: (words before it, index) of unmarked lines inside it
        self.seals = set[str]()

    def add(self, line_index: int, text: str) -> None:
        words = words_of(text)
        self.line_indexes.append(line_index)
        self.word_counts.append(len(words))
        self.line_starts += [len(self.words)] * len(words)
        self.words += words
        self.seals |= {*_SEAL.findall(text)}

    def find_source(self, messages: SentMessages) -> tuple[SentText, list[int]] | None:
        """The message that it quotes, with the place of each of its words; None if it quotes none."""
        best_match, best_share = None, 0.5
        for message in () if self.is_by_player or len(self.words) < LEAST_WORDS else messages:
            for sent_text in message:
                if not self.seals <= sent_text.seals:
                    continue  # our signature shows that it is another message
                places = sent_text.find_places(self.words, self.line_starts)
                matched_end = next((n for n in range(len(places), 0, -1) if places[n - 1] >= 0), 0)
                count = sum(place >= 0 for place in places)
                if count >= LEAST_WORDS and count / matched_end >= best_share:
                    best_match, best_share = (sent_text, places), count / matched_end + 1e-9
            if best_share > 0.97:
                break
        return best_match
