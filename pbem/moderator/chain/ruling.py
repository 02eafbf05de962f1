"""What the referee ruled: acts that no rule of the game knows, in the chain and told to all.

What lives here: Ruling, its row, its sentence. What must never be here: carrying it out.
Law: each kind of ruling has these operands and no others, each once, in this order: what nobody
looks at could say anything.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

import re
from typing import NamedTuple

from pbem.errors import BadInput
from pbem.moderator.chain.people import one_line

NAMES = ("undo", "correct", "player", "keys", "note", "restore", "close")
SHORTEST, LONGEST = 3, 200

#: the operands of each ruling, in the ways it may have them
OPERANDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "undo": (("to",),),
    "correct": (("field", "old", "new"), ("slot", "old", "new")),
    "player": (
        ("seat", "what"),
        ("seat", "what", "known"),
        ("seat", "what", "language"),
        ("seat", "what", "known", "language"),
    ),
    "keys": (("by", "acting"), ("by", "acting", "name")),
    "note": ((),),
    "restore": (("from",),),
    "close": ((),),
}
#: what may be another of a player, in the order in which a ruling says it
OF_A_PLAYER = ("name", "address", "language", "known")
_STATE = re.compile("[1-9][0-9]{0,5}")


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
    """Read it back; ValueError where it is none."""
    head, colon, reason = one_line(row).partition(" : ")
    name, *words = head.split(" ")
    if name not in NAMES or not colon or not SHORTEST <= len(reason) <= LONGEST:
        raise ValueError(row)
    pairs = []
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not key:
            raise ValueError(row)
        pairs.append((key, _open(value)))
    found = Ruling(name, tuple(pairs), reason)
    if tuple(key for key, _ in pairs) not in OPERANDS[name] or not _fitting(found):
        raise ValueError(row)
    return found


def _fitting(ruling: Ruling) -> bool:
    """Whether its operands are of the shape that they have in a ruling of this kind."""
    if ruling.name in ("undo", "restore"):
        return bool(_STATE.fullmatch(ruling.operands[0][1]))
    if ruling.name != "player":
        return True
    what, told = ruling.operand("what").split(","), dict(ruling.operands)
    if what != [name for name in OF_A_PLAYER if name in what] or ("known" in told) != (
        "known" in what
    ):
        return False
    return "language" not in told or ("language" in what and bool(told["language"]))


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
        raise BadInput(
            "ruling/reason",
            f"{needs}: {SHORTEST} to {LONGEST} letters",
            hint,
        )
    return why


def ruling_words(ruling: Ruling) -> str:
    """The ruling as all players read it."""
    if ruling.name == "note":
        return ruling.reason
    value = ruling.operand
    said = {
        "undo": f"the game goes back to state {value('to')}",
        "correct": _corrected(ruling),
        "player": f"the player of {value('seat')}: {_what(value('what'))} changed",
        "keys": _handed(ruling),
        "restore": f"went on from state {value('from')}, what came after it is lost",
        "close": "the game is closed",
    }[ruling.name]
    return f"{said}. Reason: {ruling.reason}"


def _what(operand: str) -> str:
    return operand.replace(",", ", ").replace("known", "how they are identified")


def _corrected(ruling: Ruling) -> str:
    field, old, new = (ruling.operand(name) for name in ("field", "old", "new"))
    if corrects_hidden(ruling):
        return f"what lies hidden in {ruling.operand('slot')} is corrected (from now on: {new})"
    return f"{field} is corrected from `{old or 'nothing'}` to `{new or 'nothing'}`"


def corrects_hidden(ruling: Ruling) -> bool:
    """Whether it corrects a hidden value: then its operands are slots alone."""
    return ruling.name == "correct" and bool(ruling.operand("slot"))


def _handed(ruling: Ruling) -> str:
    by, name = ruling.operand("by"), ruling.operand("name")
    how = "by the recovery key" if by == "recovery" else "by the referee before"
    what = f"{name} is the referee" if name else "the referee has another key"
    return f"{what} from now on, appointed {how}: key {ruling.operand('acting')}"
