"""A ruling as its row in a state has it: what was ruled, of whatever kind, and the reason in full.

What must never be here: a kind of ruling by its name (but GONE_ON, which states, reports and
receipts name): the kinds and what each may do stand in chain/rulings.
Law: ``read_ruling(ruling.row()) == ruling``.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from typing import NamedTuple

from pbem.chain.rows import one_line, words
from pbem.errors import BadInput

SHORTEST, LONGEST = 3, 200  #: letters of a reason
GONE_ON = "restore"  #: the ruling that newer states were lost


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
        parts = [self.name, *(f"{key}={_escaped(value)}" for key, value in self.operands)]
        return " ".join(parts)

    def row(self) -> str:
        return f"{self.act} : {self.reason}"


def read_ruling(row: str) -> Ruling:
    """Read it back, of whatever kind; ValueError where it is none."""
    head, colon, reason = one_line(row).partition(" : ")
    name, *parts = head.split(" ")
    operands = [word.partition("=") for word in parts]
    whole = name and colon and all(key and sign for key, sign, _ in operands)
    if not whole or not SHORTEST <= len(words(reason)) <= LONGEST:
        raise ValueError(row)
    return Ruling(name, tuple((key, _unescaped(value)) for key, _, value in operands), reason)


def _escaped(value: str) -> str:
    """A value without blanks: ``%20`` stands for one, ``%25`` for the sign itself."""
    return value.replace("%", "%25").replace(" ", "%20")


def _unescaped(value: str) -> str:
    found = value.replace("%20", " ").replace("%25", "%")
    if _escaped(found) != value:
        raise ValueError(value)
    return found


def reason_of(
    text: str,
    needs: str = "a ruling needs its reason",
    hint: str = '--reason "…"',
) -> str:
    """A reason fit to be shown to all, its blanks made one; BadInput ``ruling/reason``."""
    why = " ".join(text.split())
    if not SHORTEST <= len(why) <= LONGEST or not why.isprintable():
        raise BadInput("ruling/reason", f"{needs}: {SHORTEST} to {LONGEST} characters", hint)
    return why
