"""A quotation compared, word by word and in sequence, with what was sent.

What must never be here: which lines are quoted, or whose they are (quotation.py).
Law: linear time; each word of ours is used once.
Source: docs/decisions/0023-notation-is-played.md.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

_LINK = re.compile(r"<?\b(?:mailto|https?|cid|tel):[^\s>]{0,4000}>?|[\u00ad\u200b-\u200d\ufeff]")
_WORD, _SEAL = re.compile(r"\w+"), re.compile(r"[\w-]{80,}")
#: words: with which a run begins; that it may leave out, each of which counts as so many
_RUN, _FAR, _RARER = 3, 8, 8
LEAST = 5  #: words of ours that show a quotation


def words_of(text: str) -> list[str]:
    """Its words, without punctuation, bullets and links, which mail programs change."""
    return _WORD.findall(_LINK.sub(lambda m: " " if len(m[0]) > 1 else "", text).casefold())


class Ours:
    """A text that was sent to the seat, to be compared."""

    def __init__(self, text: str) -> None:
        self.seals, self.words, self.lines = {*_SEAL.findall(text)}, list[str](), set[int]()
        for line in text.split("\n"):
            self.lines.add(len(self.words))
            self.words += words_of(line)
        self._index = dict[tuple[str, ...], list[int]]()
        for at in range(len(self.words) - _RUN + 1):
            self._index.setdefault(tuple(self.words[at : at + _RUN]), []).append(at)

    def places(self, words: list[str], starts: list[int]) -> list[int]:
        """Where in this text each of the words stands, -1 for none, ascending. ``starts``: at which
        word the line of each begins.
        """
        places, i, at = [-1] * len(words), 0, 0
        while (found := self._nearest(words, i, at)) is not None:
            i, at = found
            begin = i
            while i < len(words) and at < len(self.words) and words[i] == self.words[at]:
                places[i] = at
                i, at = i + 1, at + 1
            # a line that has one or two first words of ours, and then others, is not ours
            back = i - max(starts[i], begin) if i < len(words) else 0
            if back < _RUN:
                places[i - back : i] = [-1] * back
                i, at = i - back, at - back
        return places

    def _nearest(self, words: list[str], i: int, at: int) -> tuple[int, int] | None:
        """Where both texts go on together, with the fewest words added, or left out of ours, which
        is rarer. What is far away in ours must agree for longer.
        """
        found, cost = None, len(words) + _RARER * len(self.words)
        for j in range(i, len(words) - _RUN + 1):
            if j - i >= cost:
                break
            there = self._index.get(tuple(words[j : j + _RUN]), [])
            first = bisect_left(there, at)
            for p in there[first : first + 8]:
                away = j - i + _RARER * (p - at)
                if away >= cost:
                    break
                longer = words[j : j + 2 * _RUN]
                if p - at <= _FAR or longer == self.words[p : p + len(longer)]:
                    found, cost = (j, p), away
                    break
        return found


class Sent:
    """The texts of each message to the seat, the likeliest first; each is read once, when asked."""

    def __init__(self, texts: Iterable[tuple[str, ...]]) -> None:
        self._texts, self._read = iter(texts), list[tuple[Ours, ...]]()

    def __iter__(self) -> Iterator[tuple[Ours, ...]]:
        yield from self._read
        for texts in self._texts:
            self._read.append(tuple(map(Ours, texts)))
            yield self._read[-1]


class Quotation:
    """Lines of one quotation: all of one depth below one attribution."""

    def __init__(self, depth: int, old: bool) -> None:
        self.depth, self.old = depth, old
        self.lines, self.counts = list[int](), list[int]()  #: and how many words each has
        self.words, self.starts = list[str](), list[int]()  #: at which word the line of each begins
        self.loose = list[tuple[int, int]]()  #: unmarked lines between its marked ones; behind what
        self.seals = set[str]()

    def add(self, i: int, text: str) -> None:
        words = words_of(text)
        self.lines.append(i)
        self.counts.append(len(words))
        self.starts += [len(self.words)] * len(words)
        self.words += words
        self.seals |= {*_SEAL.findall(text)}

    def compared(self, sent: Sent) -> tuple[Ours, list[int]] | None:
        """The message that it quotes, and where in that its words stand; None if it quotes none."""
        best, most = None, 0.5
        for message in () if self.old or len(self.words) < LEAST else sent:
            for ours in message:
                if not self.seals <= ours.seals:
                    continue  # our signature shows that it is another message
                places = ours.places(self.words, self.starts)
                last = next((n for n in range(len(places), 0, -1) if places[n - 1] >= 0), 0)
                count = sum(place >= 0 for place in places)
                if count >= LEAST and count / last >= most:
                    best, most = (ours, places), count / last + 1e-9
            if most > 0.97:
                break
        return best
