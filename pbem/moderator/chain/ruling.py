"""What the referee ruled: acts that no rule of the game knows, in the chain and told to all.

What lives here: Ruling and its row. What must never be here: a kind of ruling by its name; whoever
checks a chain asks the table of them (``checked`` in ruling/kinds.py).
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from typing import NamedTuple

from pbem.errors import BadInput
from pbem.moderator.chain.rows import one_line

SHORTEST, LONGEST = 3, 200  #: letters of a reason


class Ruling(NamedTuple):
    """One act: its name, what it is about, and the reason in full."""

    name: str
    operands: tuple[tuple[str, str], ...]
    reason: str

    def operand(self, name: str) -> str:
        """The value of one operand, "" where it has none of that name."""
        return dict(self.operands).get(name, "")

    def row(self) -> str:
        """The row of a state."""
        words = [self.name, *(f"{key}={_closed(value)}" for key, value in self.operands)]
        return f"{' '.join(words)} : {self.reason}"


def read_ruling(row: str) -> Ruling:
    """Read it back, of whatever kind; ValueError where it is none."""
    head, colon, reason = one_line(row).partition(" : ")
    name, *words = head.split(" ")
    if not name or not colon or not SHORTEST <= len(reason) <= LONGEST:
        raise ValueError(row)
    pairs = []
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not key:
            raise ValueError(row)
        pairs.append((key, _open(value)))
    return Ruling(name, tuple(pairs), reason)


def _closed(value: str) -> str:
    """A value without blanks: ``%20`` stands for one, ``%25`` for the sign itself."""
    return value.replace("%", "%25").replace(" ", "%20")


def _open(value: str) -> str:
    found = value.replace("%20", " ").replace("%25", "%")
    if _closed(found) != value:
        raise ValueError(value)
    return found


def reason_of(
    text: str,
    needs: str = "a ruling needs its reason",
    hint: str = '--reason "Ben sent it by mistake"',
) -> str:
    """A reason fit to be shown to all, its blanks made one; BadInput ``ruling/reason``.

    ``needs`` and ``hint``: how that is said.
    """
    why = " ".join(text.split())
    if not SHORTEST <= len(why) <= LONGEST or not why.isprintable():
        raise BadInput("ruling/reason", f"{needs}: {SHORTEST} to {LONGEST} letters", hint)
    return why
