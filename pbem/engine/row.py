"""What is to be said, before it has any words.

What must never be here: a sentence.
Laws: facts are plain data (texts, whole numbers, truth values, lists and tables of these), so that
every face can be drawn from them; a sentence is whole, and its values have names.
Source: docs/decisions/0008; docs/NEW-GAME.md section 6.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple


class Row(NamedTuple):
    """One thing to be said: the macro ``kind`` of the game's ``words.txt`` makes a sentence of it.

    Made of a View: whoever may have the View may read it.
    """

    kind: str  #: letters, digits and "_"
    facts: Mapping[str, Any] = {}

    def plain(self) -> dict[str, Any]:
        """For a template: ``{{ words["event_" ~ row.kind](row.facts) }}``."""
        return {"kind": self.kind, "facts": self.facts}


class Choice(NamedTuple):
    """Orders that begin alike, as a question lists them: ``wall`` and ``A5``, ``A7``."""

    order: str  #: what they begin with
    rest: tuple[str, ...]  #: what each goes on with; ("",) for one that has no more


def group_orders(lines: tuple[str, ...], count_shared_words: Callable[[list[str]], int]) -> tuple[Choice, ...]:
    """Orders in groups; ``count_shared_words``: how many words of an order the others in its group have, too."""
    groups: dict[str, list[str]] = {}
    for line in lines:
        words = line.split(" ")
        split_at = count_shared_words(words)
        groups.setdefault(" ".join(words[:split_at]), []).append(" ".join(words[split_at:]))
    return tuple(Choice(order, tuple(endings)) for order, endings in groups.items())


class Asking(NamedTuple):
    """A question as it is put to the seat that has to answer it; made of that seat's View."""

    kind: str  #: the macro ``question_KIND``
    facts: Mapping[str, Any]
    choices: tuple[Choice, ...]
    example: tuple[str, ...]  #: lines that are a good answer, safe to copy
    hint: Row | None = None  #: the macro ``hint_KIND``


class Sentence(NamedTuple):
    """A sentence and what stands in its braces, apart, so that it can be said in any language."""

    text: str  #: English, marked by ``N_``; values in braces, by name
    values: Mapping[str, Any] = {}

    def __str__(self) -> str:
        return self.text.format_map(self.values)


def merge_equal_lines(names: Sequence[str], texts: Sequence[str]) -> list[str]:
    """``red: 6 walls`` a line; ``red, green: 6 walls each`` for neighbours that have the same."""
    lines = []
    for text, pairs in groupby(zip(texts, names, strict=True), key=lambda pair: pair[0]):
        first, *others = (name for _, name in pairs)
        lines.append(f"{', '.join([first, *others])}: {text}{' each' if others else ''}")
    return lines


def join_with_and(texts: Sequence[str]) -> str:
    """``Ann, Ben and Cleo``, as the macro of that name in names.txt."""
    return " and ".join(part for part in (", ".join(texts[:-1]), *texts[-1:]) if part)


def N_(text: str) -> str:
    """Marks a sentence for translation; gives it back as it is."""
    return text


def say(text: str, /, **values: Any) -> Sentence:
    return Sentence(text, values)
