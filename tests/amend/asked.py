"""Answers to the mails that ask whether orders may be undone.

What lives here: making them. What must never be here: a wish about what comes of them.
"""

import re
from pathlib import Path
from typing import Any


def asked(place: Any, seat: str) -> str:
    """The newest mail that asks a seat."""
    n = place.session().link.n
    return str((place.game / f"desk/reports/{n:04d}/{seat}.consent.txt").read_text())


def consent(place: Any, seat: str, text: str, name: str = "consent.eml") -> str:
    """An answer of a seat to the mail that asks it now; the file's path."""
    return answer(place, asked(place, seat), text, name)


def answer(place: Any, mail: str, text: str, name: str) -> str:
    """An answer to a mail of which the text is ``mail``."""
    code = re.findall(r"\[pbem \S+\]", mail)[0]
    head = f"From: a player <he@example.org>\nSubject: Re: {code} it\n"
    return str(place.file(name, f"{head}Message-ID: <{name}@example.org>\n\n{text}\n"))


def receipt(place: Any, seat: str) -> str:
    """The newest receipt of a seat, in one line."""
    newest = max(Path(place.game / "desk" / "receipts").glob(f"{seat}-*.txt"))
    return " ".join(newest.read_text().split())
