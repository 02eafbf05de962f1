"""A sentence of an email as words, and what it does to the email where nobody understands it.

What must never be here: what may be ordered (the moderator knows); what a word means (words.py).
Source: docs/decisions/0019-orders-in-plain-words.md.
"""

from collections.abc import Iterable
from typing import NamedTuple

from pbem.engine.row import Sentence
from pbem.files.language.classes import Kind, Kinds
from pbem.files.language.tokens import canonical_name
from pbem.files.language.words import Word

Clause = tuple[Word, ...]


class Phrase(NamedTuple):
    """A sentence."""

    number: int  #: of its line
    clauses: tuple[Clause, ...]
    mark: str = ""  #: how it ends
    aside: bool = False  #: it stands in brackets
    doubt: Sentence | None = None  #: why it holds the email back, if that is not understood
    beside: str = ""  #: it does so only beside ``orders``, or those that are ``spoken``
    near: bool = False  #: it does so too where nothing else is in the email
    intro: bool = False  #: above orders it may introduce them: `Sorry. What I meant:`
    talk: bool = False  #: something is said that is for a person
    heading: bool = False  #: what follows is for later
    back: bool = False  #: it says clearly, and nothing else, that what waits is taken back
    later: bool = False  #: it stands below such a heading
    given: tuple[str, ...] = ()  #: it is these orders for now, in notation
    odd: bool = False  #: its label tells of something else: `Chess: …`
    slips: bool = False  #: a slip of the keyboard is mended in it

    @property
    def words(self) -> Clause:
        """Of all its clauses."""
        return tuple(word for clause in self.clauses for word in clause)

    @property
    def kinds(self) -> Kinds:
        """Of its words."""
        return frozenset(word.kind for word in self.words)

    @property
    def says(self) -> bool:
        """Whether it has a word or a place of an order."""
        return not self.kinds.isdisjoint(("word", "name"))

    @property
    def names(self) -> list[str]:
        """The places in it, canonical."""
        return [canonical_name(word.text) for word in self.words if word.kind == "name"]

    @property
    def mends(self) -> bool:
        """Whether it says that what follows replaces something."""
        return "mend" in self.kinds or self.kinds >= {"no", "sorry"}


def has(clause: Iterable[Word], *kinds: Kind) -> bool:
    """Whether a word of one of these classes is in it."""
    return any(word.kind in kinds for word in clause)
