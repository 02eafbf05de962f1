"""Asking players whether an undo may be: what is asked, and what each has answered.

What lives here: Consent, its file (desk/consent.toml), reading `yes` and `no` out of a mail. What
must never be here: files, mails; anything that goes into a state.
Laws: what one player answered is told to no other; an answer is about one undo from one state, and
lapses with it.
Source: issue 4; decision 0005 ("Consent lies in desk/ until it is complete").
"""

from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import BadInput
from pbem.files import reserved, state_file
from pbem.files.strict import Reader
from pbem.files.tokens import plain

if TYPE_CHECKING:
    from pbem.files.sheet import Sheet

FILE = "consent.toml"
YES, NO = "yes", "no"


class Consent(NamedTuple):
    """An undo that players are asked about. Secrecy: the referee alone."""

    to: int
    head: str  #: of the state it goes back from, b64: with another newest state it lapses
    reason: str
    answers: tuple[tuple[str, str], ...]  #: (seat, `yes`, `no` or "") of all who are asked

    def asked(self, seat: str) -> bool:
        return seat in dict(self.answers)

    def answered(self, seat: str, answer: str) -> "Consent":
        """With the answer of a seat; the last one counts."""
        rows = ((who, answer if who == seat else old) for who, old in self.answers)
        return self._replace(answers=tuple(rows))

    def given(self, answer: str) -> tuple[str, ...]:
        """Who has answered so ("" for: not yet)."""
        return tuple(seat for seat, said in self.answers if said == answer)

    @property
    def complete(self) -> bool:
        return all(said == YES for _, said in self.answers)


def encode(one: Consent) -> bytes:
    """desk/consent.toml."""
    rows = [f"{seat} {said or '-'}" for seat, said in one.answers]
    head = {"pbem": 1, "to": one.to, "head": one.head}
    return state_file.dump({**head, "reason": one.reason, "answers": rows})


def decode(data: bytes) -> Consent:
    """Read it back; BadInput ``consent/damaged``."""
    try:
        reader = Reader(state_file.parse(data), "desk/consent.toml")
        reader.number("pbem", 1, 1)
        rows = [tuple(row.split(" ")) for row in reader.rows("answers")]
        answers = tuple((seat, "" if said == "-" else said) for seat, said in rows)
        if not all(said in (YES, NO, "") for _, said in answers):
            raise ValueError
        found = Consent(
            reader.number("to", 2, 999_999), reader.text("head"), reader.text("reason"), answers
        )
        reader.done()
    except (BadInput, ValueError):
        raise BadInput(
            "consent/damaged",
            "desk/consent.toml is damaged",
            "delete it, and ask again: pbem amend DIR undo …",
        ) from None
    return found


def answer_in(sheet: "Sheet") -> "Sheet":
    """The mail with the one answer in it among what it asks; as it is where there are two."""
    votes = [one for one in sheet.suspects if reserved.not_yet(plain(one.text)) in (YES, NO)]
    said = {reserved.not_yet(plain(one.text)) or "" for one in votes}
    if len(said) != 1:
        return sheet
    rest = tuple(one for one in sheet.suspects if one not in votes)
    return sheet._replace(suspects=rest, asks=(*sheet.asks, *said))
