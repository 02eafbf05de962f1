"""The emails and files that players saved, and the signed blocks in them.

Not allowed here: what a block must say (reports.py, proof/verify/inputs.py), files.
Source: docs/SPECIFICATION.md section 12.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pbem.chain.seals import commits_to_pending
from pbem.proof.audit import sentences
from pbem.proof.audit.findings import SignedState
from pbem.report.block import Block
from pbem.report.receipt_block import SignedBlock


class UnreadCounts(NamedTuple):
    """The numbers of saved emails, or of parts of them, that could not be compared with a game."""

    without_block: int = 0  #: emails of a game that have no signed block
    damaged_blocks: int = 0  #: signed blocks that cannot be read
    other_files: int = 0  #: attached files that are not text
    automatic: int = 0  #: emails of kinds that never have a block
    unreadable: int = 0  #: emails that cannot be read completely

    @property
    def possibly_missing(self) -> int:
        """How many of these may hide a fault of the referee."""
        return self.without_block + self.possible_blocks

    @property
    def possible_blocks(self) -> int:
        """How many of these may be or contain a signed block."""
        return self.damaged_blocks + self.other_files + self.unreadable

    def plus(self, other: "UnreadCounts") -> "UnreadCounts":
        return UnreadCounts(*map(sum, zip(self, other, strict=True)))

    def describe(self) -> str:
        """Return the counts in words; "" if all of them are 0."""
        counts = {
            sentences.EMAILS_WITHOUT_BLOCK: self.without_block,
            sentences.DAMAGED_BLOCKS: self.damaged_blocks,
            sentences.OTHER_FILES: self.other_files,
            sentences.UNREADABLE_EMAILS: self.unreadable,
        }
        return ", ".join(sentence.format(number=number) for sentence, number in counts.items() if number)


class SavedEmail(NamedTuple):
    """An email or file, and the signed blocks in it."""

    path: str
    blocks: tuple[SignedBlock, ...]
    unread: UnreadCounts = UnreadCounts()
    was_named: bool = True  #: whether the user named this file, not just its folder or mailbox
    sha256: str = ""  #: of the file, in hexadecimal

    def blocks_of(self, game: str) -> list[SignedBlock]:
        return [block for block in self.blocks if block.game == game]


#: pending orders, by state and seat
PendingValues = Mapping[int, Mapping[str, str]]


def add_opened_values(
    known_values: PendingValues, saved_emails: Iterable[SavedEmail], states: Mapping[int, SignedState], secret: bytes
) -> PendingValues:
    """Return the known pending orders, plus those that reports open and that the states commit to."""
    all_values = {n: dict(values) for n, values in known_values.items()}
    game = states[max(states)].record.game
    for report in (block for email in saved_emails for block in email.blocks_of(game) if isinstance(block, Block)):
        for n, value, _ in report.pending_openings:
            if n not in states or n - 1 not in states:
                continue
            if commits_to_pending(secret, states[n].record, states[n - 1].state_hash, report.seat, value):
                all_values.setdefault(n, {})[report.seat] = value
    return all_values
