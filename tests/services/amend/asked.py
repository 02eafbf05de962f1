"""Answers to the mails that ask whether orders may be undone.

What lives here: making them. Not allowed here: a wish about what comes of them.
"""

import re
from pathlib import Path
from typing import Any

from pbem.crypto.keys import RefereeKey
from pbem.notation.move_file import OrderSignatures, write_signatures
from pbem.play.consent import find_undo_question


def asked(place: Any, seat: str) -> str:
    """The newest mail that asks a seat."""
    n = place.session().record.n
    return str((place.game / f"desk/reports/{n:04d}/{seat}.consent.txt").read_text())


def consent(place: Any, seat: str, text: str, name: str = "consent.eml") -> str:
    """An answer of a seat to the mail that asks it now; the file's path."""
    return answer(place, asked(place, seat), text, name)


def answer(place: Any, mail: str, text: str, name: str) -> str:
    """An answer to a mail of which the text is ``mail``."""
    code = re.findall(r"\[pbem \S+\]", mail)[0]
    head = f"Subject: Re: {code} it\n"
    return str(place.file(name, f"{head}Message-ID: <{name}@example.org>\n\n{text}\n"))


def undone(place: Any, *words: str, password: str = "") -> str:
    """`amend GAME undo` with these words, to which all who are asked about it agree, and who have
    no key; what it says at last.
    """
    said = place.run("amend", "GAME", "undo", *words)
    n = place.session().record.n
    if said.code:
        assert "not undone yet" in said.text, said.text
        mails = sorted((place.game / f"desk/reports/{n:04d}").glob("*.consent.txt"))
        for mail in mails:
            seat = mail.name.partition(".")[0]
            way = place.session().record.player(seat).method
            text = f"yes\npassword {password}" if way.password else "yes"
            file = consent(place, seat, text, f"agrees-{n}-{seat}.eml")
            plain = place.file("yes.txt", "yes\n")
            how = (file,) if way.password or way.code else ("--typed", seat, plain)
            place.done("receive", "GAME", *how)
        return str(place.done("amend", "GAME", "undo", *words))
    return str(said.text)


def signed(place: Any, seat: str, text: str, name: str, key: RefereeKey) -> str:
    """The same, signed with the key of the seat as `pbem orders sign` signs it."""
    mail = asked(place, seat)
    asking = find_undo_question(mail.split("\n"))
    assert asking is not None
    signs = ((1, asking.sign_answer(text, key.signing)),)
    block = write_signatures(OrderSignatures(asking.game, seat, 0, asking.state_hash, signs))
    return answer(place, mail, f"{text}\n\n{block}", name)


def receipt(place: Any, seat: str) -> str:
    """The newest receipt of a seat, in one line."""
    newest = max(Path(place.game / "desk" / "receipts").glob(f"{seat}-*.txt"))
    return " ".join(newest.read_text().split())
