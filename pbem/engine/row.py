"""Rows, questions and sentences as data: what players will read, before it is put into words.

Not allowed here: a sentence of one game.
Laws: facts are plain data (texts, whole numbers, truth values, lists and tables of these), so that
text and HTML can both be made from them. A sentence is whole, and its values have names.
Source: docs/decisions/0008; docs/NEW-GAME.md section 6.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple


class Row(NamedTuple):
    """Facts that a macro in the game's ``words.txt`` turns into a sentence.

    Only a View goes into it, so anyone who may have that View may read it.
    """

    kind: str  #: letters, digits and "_"
    facts: Mapping[str, Any] = {}

    def plain(self) -> dict[str, Any]:
        """Return the row for a template: ``{{ words["event_" ~ row.kind](row.facts) }}``."""
        return {"kind": self.kind, "facts": self.facts}


class Choice(NamedTuple):
    """Orders with the same beginning, as a question lists them: ``wall`` and ``A5``, ``A7``."""

    order: str  #: the beginning that they share
    rest: tuple[str, ...]  #: the end of each order; "" for an order that is all beginning


def group_orders(lines: tuple[str, ...], count_shared_words: Callable[[list[str]], int]) -> tuple[Choice, ...]:
    """Group orders with the same beginning, whose length in words ``count_shared_words(words)`` returns."""
    groups: dict[str, list[str]] = {}
    for line in lines:
        words = line.split(" ")
        split_at = count_shared_words(words)
        groups.setdefault(" ".join(words[:split_at]), []).append(" ".join(words[split_at:]))
    return tuple(Choice(order, tuple(endings)) for order, endings in groups.items())


class Asking(NamedTuple):
    """A question for the seat that has to answer it, made from that seat's View."""

    kind: str  #: for the macro ``question_KIND``
    facts: Mapping[str, Any]
    choices: tuple[Choice, ...]
    example: tuple[str, ...]  #: lines that are a good answer, safe to copy
    hint: Row | None = None  #: for the macro ``hint_KIND``


class Sentence(NamedTuple):
    """A sentence with its values still separate, so that it can be translated."""

    text: str  #: English, marked by ``N_``, with names in braces for its values
    values: Mapping[str, Any] = {}

    def __str__(self) -> str:
        return self.text.format_map(self.values)


def N_(text: str) -> str:  # noqa: N802 - gettext's own name for it
    """Mark a sentence for translation and return it unchanged."""
    return text


def merge_equal_lines(names: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Write ``red: 6 walls`` for each name, or ``red, green: 6 walls each`` for neighbours with equal texts."""
    lines = []
    for text, group in groupby(zip(names, texts, strict=True), key=lambda line: line[1]):
        equal_names = [name for name, _ in group]
        sentence = N_("{names}: {text} each") if len(equal_names) > 1 else N_("{names}: {text}")
        lines.append(str(say(sentence, names=", ".join(equal_names), text=text)))
    return lines


def join_with_and(texts: Sequence[str]) -> str:
    """Join texts as in ``Ann, Ben and Cleo``, like the macro of that name in names.txt."""
    all_but_last = ", ".join(texts[:-1])
    return " and ".join(part for part in (all_but_last, *texts[-1:]) if part)


def say(text: str, /, **values: Any) -> Sentence:
    return Sentence(text, values)
