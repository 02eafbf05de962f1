"""One spelling for characters that look alike: full-width letters, letters that do not show.

What lives here: the folding that codes, passwords and orders share.
What must never be here: lower case, dashes, or anything a reader could see.
Law: total; a text of ASCII comes back as it is; no line end is added or lost.
Source: Unicode NFKC (UAX 15); general category Cf (joiners, marks of direction, soft hyphen).
"""

import unicodedata


def folded(text: str) -> str:
    """The text in NFKC, without characters that do not show."""
    if text.isascii():
        return text

    plain = unicodedata.normalize("NFKC", text)
    return "".join(c for c in plain if unicodedata.category(c) != "Cf")
