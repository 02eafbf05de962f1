"""What is to be said, before it has any words.

What lives here: Row, and Sentence for what must have its words where no template is at hand. What must
never be here: a sentence.
Laws: values are plain data (texts, whole numbers, truth values, lists and tables of these), so that
every face can be drawn from them; a sentence is whole, and its values have names.
Source: docs/decisions/0008; docs/NEW-GAME.md section 6.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Row(NamedTuple):
    """One thing to be said: the macro ``kind`` of the game's ``words.txt`` makes a sentence of it.

    Made of a View: whoever may have the View may read it.
    """

    kind: str  #: letters, digits and "_"
    values: Mapping[str, Any] = {}


class Sentence(NamedTuple):
    """A sentence and what stands in its braces, apart, so that it can be said in any language."""

    text: str  #: English, as ``sentences.py`` has it; values in braces, by name
    values: Mapping[str, Any] = {}

    def __str__(self) -> str:
        return self.text.format_map(self.values)


def N_(text: str) -> str:  # noqa: N802  (gettext's own name for it)
    """Marks a sentence for translation; gives it back as it is."""
    return text


def say(text: str, /, **values: Any) -> Sentence:
    """A sentence with its values."""
    return Sentence(text, values)
