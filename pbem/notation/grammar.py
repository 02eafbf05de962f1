"""What a game brings to the reading of emails, and what may be quoted of one.

What must never be here: which words are orders; the names of any game's places (``is_name`` says).
Source: FORMAT.md section 3 ("Lines"); docs/decisions/0009-what-is-kept-of-a-mail.md.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from pbem.mail.identity import speaks_of_password
from pbem.notation.tokens import SEPARATORS, plain, tokens

NUMBER = re.compile(r"[+-]?\d{1,4}")
#: words of all games (docs/NOTATION.md)
_OF_ALL = frozenset(
    ["later", "when", "then", "withdraw", "resend", "help", "rules", "yes", "no", "password"]
).union(["absent", "message", "leave"])
_LONGEST_SHOWN = 200


class Grammar(NamedTuple):
    """What a game brings: its orders' first words, its spellings, its names, and all its words.

    ``guarded``: the mail is of a seat with a password, and nothing else of it may be quoted.
    """

    words: frozenset[str]
    spell: Callable[[tuple[str, ...]], str | None]
    is_name: Callable[[str], bool]
    vocabulary: frozenset[str] = frozenset()
    guarded: bool = False

    def quoted(self, text: str, most: int = _LONGEST_SHOWN) -> str:
        """What may be quoted of a line or of a part: fit to be printed, not endless. Of a guarded
        mail, and where a password is spoken of, its known words alone; for others "…".
        """
        if self.guarded or speaks_of_password(text):
            text = self._known_words(text)
        shown = "".join(c if c.isprintable() else " " for c in text).strip()
        return shown if len(shown) <= most else shown[: most - 1] + "…"

    def _known_words(self, text: str) -> str:
        """Built from what is known, so that nothing else is left."""
        known = self.words | self.vocabulary | _OF_ALL
        found: list[str] = []
        for token in tokens(plain(text), self.is_name):
            if token in (",", ":", ";") and found:
                found[-1] += token
            elif self.is_name(token):
                found.append(token.upper())
            elif token in known or NUMBER.fullmatch(token):
                found.append(token)
            elif token not in SEPARATORS and found[-1:] != ["…"]:
                found.append("…")
        return " ".join(found)
