"""What players kept, as an audit is given it: emails and files, and the signed blocks in them.

What must never be here: what a block must say (told.py, proof/verify/inputs.py), files.
Source: docs/SPECIFICATION.md section 12.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pbem.chain.loaded_game import was_waiting
from pbem.proof.audit.findings import SignedState
from pbem.report.block import Block
from pbem.report.receipt_block import SignedBlock


class Unread(NamedTuple):
    """How much of what was given could not be held against a game."""

    bare: int = 0  #: emails of a game that have no signed block
    damaged: int = 0  #: signed blocks that cannot be read
    others: int = 0  #: attached files that are no text
    own: int = 0  #: emails that pbem writes without one, which could hide none: nothing is missing
    shut: int = 0  #: emails that cannot be read, or a text in them

    @property
    def missing(self) -> int:
        """How much of it may be something."""
        return self.bare + self.torn

    @property
    def torn(self) -> int:
        """How much of it may be a block."""
        return self.damaged + self.others + self.shut

    def plus(self, more: "Unread") -> "Unread":
        """That of both."""
        return Unread(*map(sum, zip(self, more, strict=True)))

    def words(self) -> str:
        """What there is of it, each with its number."""
        said = {
            "emails of a game without a signed block": self.bare,
            "damaged signed blocks": self.damaged,
            "attached files that are no text": self.others,
            "emails that cannot be read": self.shut,
        }
        return ", ".join(f"{what}: {number}" for what, number in said.items() if number)


class Letter(NamedTuple):
    """An email or a file, and the signed blocks in it."""

    path: str
    blocks: tuple[SignedBlock, ...]
    unread: Unread = Unread()
    named: bool = True  #: by itself, and not the folder or mailbox that it is in

    def of(self, game: str) -> list[SignedBlock]:
        """Those of a game."""
        return [one for one in self.blocks if one.game == game]


#: what waited, by state and seat
Hands = Mapping[int, Mapping[str, str]]


def with_opened(
    hands: Hands, letters: Iterable[Letter], states: Mapping[int, SignedState], secret: bytes
) -> Hands:
    """These hands, and those that reports opened: the states commit to them, whoever shows them."""
    found = {n: dict(values) for n, values in hands.items()}
    game = states[max(states)].link.game
    for one in (x for letter in letters for x in letter.of(game) if isinstance(x, Block)):
        for n, value, _ in one.hands:
            if n not in states or n - 1 not in states:
                continue
            if was_waiting(secret, states[n].link, states[n - 1].head, one.seat, value):
                found.setdefault(n, {})[one.seat] = value
    return found
