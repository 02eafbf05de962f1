"""The signed block at the end of every report: what ties a player's mail to the chain.

What lives here: making a block, finding and reading one in a text that mail programs have handled.
What must never be here: an opening that its reader may not have.
Law: the lines above ``sig`` are signed as they stand, without ``>``, CR and outer blanks.
Source: docs/SPECIFICATION.md section 10; P7.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from pbem.crypto.encoding import b64, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.errors import BadInput
from pbem.moderator.chain.link import Opening

FIRST = re.compile(r"pbem 1 [a-z2-7]{26} \S+ [0-9]+")
_NUMBER = re.compile("0|[1-9][0-9]{0,5}")  # of a state: document.MOST_LINKS
WORDS = ("head", "key", "commit", "open", "sig")
PARTS = {"pbem": 5, "head": 2, "key": 2, "commit": 3, "open": 4, "sig": 2}


class Block(NamedTuple):
    """A block as read; ``lines`` are the signed ones."""

    game: str
    seat: str
    n: int
    head: bytes
    key: bytes
    commits: tuple[tuple[str, bytes], ...]
    openings: tuple[tuple[str, str, bytes], ...]
    lines: tuple[str, ...]
    sig: bytes

    def genuine(self) -> bool:
        """Whether its own key signed it (whose key that is, is another question)."""
        return verify(self.key, "report", self.sig, "\n".join(self.lines))


def write_block(
    game: str,
    seat: str,
    n: int,
    head: bytes,
    commits: Iterable[tuple[str, bytes]],
    openings: Iterable[Opening],
    signing: PrivateKey,
    public: bytes,
) -> str:
    """The block of one report, for its seat alone. ``openings``: those this seat may have."""
    lines = [f"pbem 1 {game} {seat} {n}", f"head {b64(head)}", f"key {b64(public)}"]
    lines += [f"commit {slot} {b64(commitment)}" for slot, commitment in commits]
    lines += [f"open {opening.slot} {opening.value} {b64(opening.k)}" for opening in openings]
    signature = sign(signing, "report", "\n".join(lines))
    return "\n".join([*lines, f"sig {b64(signature)}"])


def find_blocks(text: str) -> list[Block]:
    """Every block in a text, also quoted or wrapped by a mail program.

    BadInput ``report/no-block`` where there is none, ``report/block`` where one is damaged.
    """
    clean = [re.sub(r"^[>\s]+", "", line).strip() for line in text.replace("\r", "").split("\n")]
    starts = [i for i, line in enumerate(clean) if FIRST.fullmatch(line)]
    if not starts:
        raise BadInput(
            "report/no-block",
            "there is no signed block in this text",
            "use the whole report, to its last line",
        )
    return [_read(_unwrapped(clean[start:])) for start in starts]


def _unwrapped(lines: list[str]) -> list[str]:
    """The lines of one block; what a mail program broke off goes back to its line."""
    found: list[str] = []
    for line in lines:
        word = line.split(" ", 1)[0]
        if not found or word in WORDS:
            if found and found[-1].startswith("sig") and len(found[-1]) >= 90:
                break
            found.append(line)
        elif not line:
            break
        else:
            short = len(found[-1].split(" ")) < PARTS.get(found[-1].split(" ", 1)[0], 0)
            found[-1] += f" {line}" if short else line
        if found[-1].startswith("sig ") and len(found[-1]) >= 90:
            break
    return found


def _read(lines: list[str]) -> Block:
    damaged = BadInput(
        "report/block",
        "the signed block is damaged or cut short",
        "get the report again from where it came",
    )
    try:
        _, _, game, seat, n = lines[0].split(" ")
        head = unb64(_field(lines[1], "head"), 32)
        key = unb64(_field(lines[2], "key"), 32)
        commits, openings = [], []
        for line in lines[3:-1]:
            word, *parts = line.split(" ")
            if word == "commit":
                commits.append((parts[0], unb64(parts[1], 32)))
            elif word == "open":
                openings.append((parts[0], parts[1], unb64(parts[2], 32)))
            else:
                raise damaged
        sig = unb64(_field(lines[-1], "sig"), 64)
        if not _NUMBER.fullmatch(n):
            raise damaged
        number = int(n)
    except (ValueError, IndexError) as error:
        raise damaged from error
    except BadInput as error:
        raise damaged from error
    return Block(
        game, seat, number, head, key, tuple(commits), tuple(openings), tuple(lines[:-1]), sig
    )


def _field(line: str, word: str) -> str:
    found, value = line.split(" ")
    if found != word:
        raise ValueError(word)
    return value
