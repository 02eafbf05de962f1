"""A ruling as its row in a state has it: what was ruled, of whatever kind, and the reason in full.

What must never be here: a kind of ruling by its name (but GONE_ON, which states, reports and
receipts name): the kinds and what each may do stand in chain/rulings.
Law: ``read_ruling(ruling.row()) == ruling``.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from typing import NamedTuple

from pbem.chain.rows import check_one_line, check_words
from pbem.errors import BadInput

MIN_REASON_LENGTH, MAX_REASON_LENGTH = 3, 200  #: letters of a reason
RESTORE_NAME = "restore"  #: the ruling that newer states were lost


class Ruling(NamedTuple):
    """What the referee ruled: the name of the act, what it is about, and the reason in full."""

    name: str
    operands: tuple[tuple[str, str], ...]
    reason: str

    def operand(self, name: str) -> str:
        """The value of one operand, "" where it has none of that name."""
        return dict(self.operands).get(name, "")

    @property
    def act(self) -> str:
        """What it does, without the reason: what players agree to."""
        parts = [self.name, *(f"{key}={_escape(value)}" for key, value in self.operands)]
        return " ".join(parts)

    def row(self) -> str:
        return f"{self.act} : {self.reason}"


def read_ruling(row: str) -> Ruling:
    """Read it back, of whatever kind; ValueError where it is none."""
    act, separator, reason = check_one_line(row).partition(" : ")
    name, *parts = act.split(" ")
    operands = [word.partition("=") for word in parts]
    is_complete = name and separator and all(key and sign for key, sign, _ in operands)
    if not is_complete or not MIN_REASON_LENGTH <= len(check_words(reason)) <= MAX_REASON_LENGTH:
        raise ValueError(row)
    return Ruling(name, tuple((key, _unescape(value)) for key, _, value in operands), reason)


def _escape(value: str) -> str:
    """A value without blanks: ``%20`` stands for one, ``%25`` for the sign itself."""
    return value.replace("%", "%25").replace(" ", "%20")


def _unescape(value: str) -> str:
    text = value.replace("%20", " ").replace("%25", "%")
    if _escape(text) != value:
        raise ValueError(value)
    return text


def check_reason(text: str, requirement: str = "a ruling needs its reason", hint: str = '--reason "…"') -> str:
    """A reason fit to be shown to all, its blanks made one; BadInput ``ruling/reason``."""
    reason = " ".join(text.split())
    if not MIN_REASON_LENGTH <= len(reason) <= MAX_REASON_LENGTH or not reason.isprintable():
        raise BadInput("ruling/reason", f"{requirement}: {MIN_REASON_LENGTH} to {MAX_REASON_LENGTH} characters", hint)
    return reason
