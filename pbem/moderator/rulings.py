"""What the referee ruled: acts that no rule of the game knows, in the chain and told to all.

What lives here: Ruling, its row, its sentence. What must never be here: carrying it out.
Source: construction.md "Ruling".
"""

from typing import NamedTuple

from pbem.errors import BadInput

NAMES = ("undo", "correct", "player", "keys", "note", "restore", "close")
SHORTEST, LONGEST = 3, 200


class Ruling(NamedTuple):
    """One act: its name, what it is about (words without blanks), and the reason in full."""

    name: str
    operands: tuple[tuple[str, str], ...]
    reason: str

    def operand(self, name: str) -> str:
        """The value of one operand, "" where it has none of that name."""
        return dict(self.operands).get(name, "")

    def row(self) -> str:
        """The row of a state."""
        words = [self.name, *(f"{key}={value}" for key, value in self.operands)]
        return f"{' '.join(words)} : {self.reason}"


def read(row: str) -> Ruling:
    """Read it back; ValueError where it is none."""
    head, colon, reason = row.partition(" : ")
    name, *words = head.split(" ")
    if name not in NAMES or not colon or not reason:
        raise ValueError(row)
    pairs = []
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not key:
            raise ValueError(row)
        pairs.append((key, value))
    return Ruling(name, tuple(pairs), reason)


def reason_of(text: str) -> str:
    """A reason fit to be shown to all, its blanks made one; BadInput ``ruling/reason``."""
    why = " ".join(text.split())
    if not SHORTEST <= len(why) <= LONGEST or not why.isprintable():
        raise BadInput(
            "ruling/reason",
            f"a ruling needs its reason: {SHORTEST} to {LONGEST} letters",
            '--reason "Ben sent it by mistake"',
        )
    return why


def words(ruling: Ruling) -> str:
    """The ruling as all players read it."""
    value = ruling.operand
    said = {
        "undo": f"the game goes back to state {value('to')}",
        "correct": f"{value('field')}: corrected",
        "player": f"the player of {value('seat')}: {value('what').replace(',', ', ')} changed",
        "keys": "another referee goes on",
        "note": "note",
        "restore": f"went on from state {value('from')}, what came after it is lost",
        "close": "the game is closed",
    }[ruling.name]
    return f"{said}. Reason: {ruling.reason}" if ruling.name != "note" else ruling.reason
