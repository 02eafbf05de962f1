"""What a game brings to the reading of emails, and what may be quoted of one.

What must never be here: which words are orders; the names of any game's places (``is_name`` says).
Source: FORMAT.md section 3 ("Lines"); docs/decisions/0009-what-is-kept-of-a-mail.md.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from pbem.mail.identity import mentions_password
from pbem.notation.tokens import SEPARATORS, normalize_line, tokenize

NUMBER = re.compile(r"[+-]?\d{1,4}")
#: words of all games (docs/NOTATION.md)
_COMMON_WORDS = frozenset(
    ["later", "when", "then", "withdraw", "resend", "help", "rules", "yes", "no", "password"]
).union(["absent", "message", "leave"])
_MAX_SHOWN_LETTERS = 200


class Grammar(NamedTuple):
    """What a game brings: its orders' first words, its spellings, its names, and all its words.

    ``guarded``: the mail is of a seat with a password, and nothing else of it may be quoted.
    """

    order_words: frozenset[str]
    spell: Callable[[tuple[str, ...]], str | None]
    is_name: Callable[[str], bool]
    vocabulary: frozenset[str] = frozenset()
    is_guarded: bool = False

    def quote(self, text: str, max_letters: int = _MAX_SHOWN_LETTERS) -> str:
        """What may be quoted of a line or of a part: fit to be printed, not endless. Of a guarded
        mail, and where a password is spoken of, its known words alone; for others "…".
        """
        if self.is_guarded or mentions_password(text):
            text = self._keep_known_words(text)
        printable_text = "".join(c if c.isprintable() else " " for c in text).strip()
        return printable_text if len(printable_text) <= max_letters else printable_text[: max_letters - 1] + "…"

    def _keep_known_words(self, text: str) -> str:
        """Built from what is known, so that nothing else is left."""
        known_words = self.order_words | self.vocabulary | _COMMON_WORDS
        shown_words: list[str] = []
        for token in tokenize(normalize_line(text), self.is_name):
            if token in (",", ":", ";") and shown_words:
                shown_words[-1] += token
            elif self.is_name(token):
                shown_words.append(token.upper())
            elif token in known_words or NUMBER.fullmatch(token):
                shown_words.append(token)
            elif token not in SEPARATORS and shown_words[-1:] != ["…"]:
                shown_words.append("…")
        return " ".join(shown_words)
