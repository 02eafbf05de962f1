"""A ruling as a state records it: what the referee ruled, and why.

Not allowed here: kinds of ruling and what each may change (chain/rulings), except the name
of `restore`, which states, reports and receipts need.
Law: ``read_ruling(ruling.row()) == ruling``.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from typing import NamedTuple

from pbem.chain.rows import check_one_line, check_words
from pbem.errors import BadInput

MIN_REASON_LENGTH, MAX_REASON_LENGTH = 3, 200  #: characters in a reason
REASON_EXAMPLE = '--reason "Ann asked for two more days"'  #: what a reason looks like, to type
RESTORE_NAME = "restore"  #: the ruling that the states after some state were lost


class Ruling(NamedTuple):
    """One act of the referee: its name, what it is about, and the reason in full."""

    name: str
    operands: tuple[tuple[str, str], ...]
    reason: str

    def operand(self, name: str) -> str:
        """Return the value of an operand, "" if the ruling does not have it."""
        return dict(self.operands).get(name, "")

    @property
    def act(self) -> str:
        """The ruling without its reason: what players agree to."""
        parts = [self.name, *(f"{key}={_escape(value)}" for key, value in self.operands)]
        return " ".join(parts)

    def row(self) -> str:
        return f"{self.act} : {self.reason}"


def read_ruling(row: str) -> Ruling:
    """Return the ruling in a row, of any kind; ValueError if the row is not a ruling."""
    act, separator, reason = check_one_line(row).partition(" : ")
    name, *parts = act.split(" ")
    operands = [word.partition("=") for word in parts]
    is_complete = name and separator and all(key and sign for key, sign, _ in operands)
    if not is_complete or not MIN_REASON_LENGTH <= len(check_words(reason)) <= MAX_REASON_LENGTH:
        raise ValueError(row)
    return Ruling(name, tuple((key, _unescape(value)) for key, _, value in operands), reason)


def _escape(value: str) -> str:
    """Replace ``%`` by ``%25`` and blanks by ``%20``, so that a value is one word."""
    return value.replace("%", "%25").replace(" ", "%20")


def _unescape(value: str) -> str:
    text = value.replace("%20", " ").replace("%25", "%")
    if _escape(text) != value:
        raise ValueError(value)
    return text


def check_reason(text: str, requirement: str = "a ruling needs its reason", hint: str = REASON_EXAMPLE) -> str:
    """Return a reason fit for everybody to read, with single blanks; BadInput ``ruling/reason``."""
    reason = " ".join(text.split())
    if reason in ("…", "..."):
        raise BadInput("ruling/reason", f"{requirement}; `{reason}` only shows where it goes", hint)
    if not MIN_REASON_LENGTH <= len(reason) <= MAX_REASON_LENGTH or not reason.isprintable():
        problem = f"{requirement}: {MIN_REASON_LENGTH} to {MAX_REASON_LENGTH} characters"
        if not reason.isprintable():
            problem = f"{requirement}, and one of its characters cannot be printed"
        elif reason:
            problem = f"{problem}, and this one has {len(reason)}"
        raise BadInput("ruling/reason", problem, hint)
    return reason
