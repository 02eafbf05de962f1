"""The signed block at the foot of a report: what ties a player's mail to the chain.

What lives here: making a block, finding and reading one in a text that mail programs have handled.
What must never be here: an opening that its reader may not have.
Law: the lines above ``sig`` are signed as they are written here, whatever mail programs put between
their words.
Source: docs/SPECIFICATION.md section 10; P7.
"""

import re
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.chain.state_record import StateRecord, Opening
from pbem.crypto.encoding import b64, digest, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.errors import BadInput
from pbem.mail.identity import GAME_ID
from pbem.play.pending_file import read_value
from pbem.report.block_lines import Damaged, each_block, field, number_of, restore_in

NONE = "-"  #: nothing waited
_FIRST = re.compile(rf"pbem 1 {GAME_ID} \S+ [0-9]+ [0-9]+")
WORDS = ("head", "restore", "key", "commit", "open", "hand", "file", "sig")
PARTS = {
    "pbem": 6, "head": 2, "restore": 2, "key": 2, "commit": 3, "open": 4, "hand": 4, "file": 3,
    "sig": 2,
}  # fmt: skip


class Block(NamedTuple):
    """A block as read; ``lines`` are the signed ones."""

    game: str
    seat: str
    first: int  #: it tells of the states from this one ..
    n: int  #: .. to this one
    head: bytes
    knows: bytes  #: head of the newest state with a ruling `restore`, b"" if there was none
    key: bytes
    commits: tuple[tuple[str, bytes], ...]
    openings: tuple[tuple[str, str, bytes], ...]
    hands: tuple[tuple[int, str, bytes], ...]  #: what waited before a state: its number, value, k
    files: tuple[tuple[str, bytes], ...]  #: what is attached: name, SHA-256
    lines: tuple[str, ...]
    sig: bytes

    def genuine(self) -> bool:
        """Whether its own key signed it (whose key that is, is another question)."""
        return verify(self.key, "report", self.sig, "\n".join(self.lines))


class Of(NamedTuple):
    """What a block has of one state, for one seat."""

    link: StateRecord
    openings: tuple[Opening, ...]  #: those this seat may have
    hand: Opening | None  #: what it had waiting before that state; None: none, or its desk is lost


def apart(seat: str) -> str:
    """The name of the file that has the commitments of a report for a seat, where they are many."""
    return f"{seat}.commitments.txt"


def commit_lines(records: Iterable[StateRecord]) -> list[str]:
    """The commitments made in these states, a line each."""
    return [f"commit {slot} {b64(made)}" for record in records for slot, made in record.commits]


def commits_file(records: Iterable[StateRecord]) -> bytes:
    """The same as a file."""
    return "".join(f"{line}\n" for line in commit_lines(records)).encode()


def write_block(
    record: StateRecord,
    seat: str,
    head: bytes,
    openings: Iterable[Opening],
    signing: PrivateKey,
    public: bytes,
    files: Sequence[tuple[str, bytes]] = (),
    hand: Opening | None = None,
    before: Sequence[Of] = (),
) -> str:
    """The block of one report, for its seat alone: of the state ``record`` with what ``Of`` says of
    one, and of those ``before`` it, oldest first, if it tells of them too.

    ``files``: what is attached, by name; with that of the commitments among them they do not stand
    in the block.
    """
    told = [*before, Of(record, tuple(openings), hand)]
    lines = [f"pbem 1 {record.game} {seat} {told[0].link.n} {record.n}", f"head {b64(head)}"]
    lines += [f"restore {b64(known)}"] if (known := record.knows(head)) else []
    lines.append(f"key {b64(public)}")
    if apart(seat) not in dict(files):
        lines += commit_lines(one.link for one in told)
    opened = {opening.slot: opening for one in told for opening in one.openings}  # no slot twice
    lines += [f"open {one.slot} {one.value} {b64(one.k)}" for one in opened.values()]
    for of, _, had in told:
        if had is not None:
            lines.append(f"hand {of.n} {b64(had.k)} {b64(had.value.encode()) or NONE}")
    lines += [f"file {name} {b64(digest(data))}" for name, data in files]
    signature = sign(signing, "report", "\n".join(lines))
    return "\n".join([*lines, f"sig {b64(signature)}"])


def blocks_in(text: str) -> list[Block | Damaged]:
    """Every block in a text, also quoted or wrapped by a mail program."""
    return each_block(text, "pbem 1", _FIRST, lambda lines: _read(_unwrapped(lines)))


def find_blocks(text: str) -> list[Block]:
    """The same; BadInput ``report/no-block`` where there is none, ``report/block`` where one is
    damaged.
    """
    found = blocks_in(text)
    if not found:
        raise BadInput(
            "report/no-block",
            "there is no signed block in this text",
            "use the whole report, to its last line",
        )
    for one in found:
        if isinstance(one, Damaged):
            raise one.error
    return [one for one in found if isinstance(one, Block)]


def _unwrapped(lines: list[str]) -> list[str]:
    """The lines of one block; what a mail program broke off goes back to its line."""
    found: list[str] = []
    for line in lines:
        word = line.split(" ", 1)[0]
        if not found or word in WORDS:
            found.append(line)
        elif not line:
            break
        else:
            short = len(found[-1].split(" ")) < PARTS.get(found[-1].split(" ", 1)[0], 0)
            found[-1] += f" {line}" if short else line
        if found[-1].startswith("sig ") and len(found[-1]) >= 90:
            break
    return found


def _damaged() -> BadInput:
    return BadInput(
        "report/block",
        "the signed block is damaged or cut short",
        "get the report again from where it came",
    )


def _read(lines: list[str]) -> Block:
    try:
        _, _, game, seat, first, n = lines[0].split(" ")
        head = unb64(field(lines[1], "head"), 32)
        knows = restore_in(lines[2])
        at = 3 if knows else 2
        key = unb64(field(lines[at], "key"), 32)
        commits, openings, hands, files = [], [], [], []
        for line in lines[at + 1 : -1]:
            word, *parts = line.split(" ")
            if word == "commit":
                commits.append((parts[0], unb64(parts[1], 32)))
            elif word == "open":
                openings.append((parts[0], parts[1], unb64(parts[2], 32)))
            elif word == "hand":
                hands.append((number_of(parts[0]), _waited(parts[2]), unb64(parts[1], 32)))
            elif word == "file":
                files.append((parts[0], unb64(parts[1], 32)))
            else:
                raise ValueError(word)
        sig = unb64(field(lines[-1], "sig"), 64)
        states = number_of(first), number_of(n)
        if states[0] > states[1]:
            raise ValueError(n)
    except (ValueError, IndexError, BadInput):
        raise _damaged() from None
    state = game, seat, *states, head, knows, key
    rows = tuple(commits), tuple(openings), tuple(hands), tuple(files)
    return Block(*state, *rows, tuple(lines[:-1]), sig)


def _waited(text: str) -> str:
    """The value of a hand, as the line `hand` has it: its rows have line ends and blanks."""
    data = b"" if text == NONE else urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if (b64(data) or NONE) != text:
        raise ValueError(text)
    read_value(value := data.decode())
    return value
