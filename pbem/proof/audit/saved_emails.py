"""What players kept, as an audit is given it: emails and files, and the signed blocks in them.

What must never be here: what a block must say (told.py, proof/verify/inputs.py), files.
Source: docs/SPECIFICATION.md section 12.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pbem.chain.seals import commits_to_pending
from pbem.proof.audit.findings import SignedState
from pbem.report.block import Block
from pbem.report.receipt_block import SignedBlock


class UnreadCounts(NamedTuple):
    """How much of what was given could not be held against a game."""

    without_block: int = 0  #: emails of a game that have no signed block
    damaged_blocks: int = 0  #: signed blocks that cannot be read
    other_files: int = 0  #: attached files that are no text
    automatic: int = 0  #: emails that pbem writes without one, which could hide none: nothing is missing
    unreadable: int = 0  #: emails that cannot be read, or a text in them

    @property
    def possibly_missing(self) -> int:
        """How much of it may be something."""
        return self.without_block + self.possible_blocks

    @property
    def possible_blocks(self) -> int:
        """How much of it may be a block."""
        return self.damaged_blocks + self.other_files + self.unreadable

    def plus(self, other: "UnreadCounts") -> "UnreadCounts":
        """That of both."""
        return UnreadCounts(*map(sum, zip(self, other, strict=True)))

    def describe(self) -> str:
        """What there is of it, each with its number."""
        counts = {
            "emails of a game without a signed block": self.without_block,
            "damaged signed blocks": self.damaged_blocks,
            "attached files that are no text": self.other_files,
            "emails that cannot be read": self.unreadable,
        }
        return ", ".join(f"{label}: {number}" for label, number in counts.items() if number)


class SavedEmail(NamedTuple):
    """An email or a file, and the signed blocks in it."""

    path: str
    blocks: tuple[SignedBlock, ...]
    unread: UnreadCounts = UnreadCounts()
    was_named: bool = True  #: by itself, and not the folder or mailbox that it is in

    def blocks_of(self, game: str) -> list[SignedBlock]:
        """Those of a game."""
        return [block for block in self.blocks if block.game == game]


#: what waited, by state and seat
PendingValues = Mapping[int, Mapping[str, str]]


def add_opened_values(
    known_values: PendingValues, saved_emails: Iterable[SavedEmail], states: Mapping[int, SignedState], secret: bytes
) -> PendingValues:
    """These hands, and those that reports opened: the states commit to them, whoever shows them."""
    all_values = {n: dict(values) for n, values in known_values.items()}
    game = states[max(states)].record.game
    for report in (block for email in saved_emails for block in email.blocks_of(game) if isinstance(block, Block)):
        for n, value, _ in report.pending_openings:
            if n not in states or n - 1 not in states:
                continue
            if commits_to_pending(secret, states[n].record, states[n - 1].state_hash, report.seat, value):
                all_values.setdefault(n, {})[report.seat] = value
    return all_values
