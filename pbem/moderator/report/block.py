"""The signed blocks at the foot of a report and of a receipt: what ties a player's mail to the
chain, and what the referee cannot deny to have had in hand.

What lives here: making a block, finding and reading one in a text that mail programs have handled.
What must never be here: an opening that its reader may not have; a line that is no order.
Laws: in a report the lines above ``sig`` are signed as they are written here, whatever mail
programs put between their words; all that is signed of a receipt stands in its block, which alone
is enough to check it.
Source: docs/SPECIFICATION.md section 10; P7.
"""

import re
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple
from unicodedata import category

from pbem.crypto.encoding import b64, digest, unb64
from pbem.crypto.signing import PrivateKey, sign, verify
from pbem.errors import BadInput
from pbem.moderator.chain.clock import instant
from pbem.moderator.chain.link import Link, Opening
from pbem.moderator.turn.hand import read_value

NONE = "-"  #: nothing waited
FIRST = re.compile(r"pbem 1 [a-z2-7]{26} \S+ [0-9]+ [0-9]+")
_NUMBER = re.compile("0|[1-9][0-9]{0,5}")  # of a state: document.MOST_LINKS
_COUNT = re.compile("0|[1-9][0-9]{0,6}")  # of orders
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

    link: Link
    openings: tuple[Opening, ...]  #: those this seat may have
    hand: Opening | None  #: what it had waiting before that state; None: none, or its desk is lost


def apart(seat: str) -> str:
    """The name of the file that has the commitments of a report for a seat, where they are many."""
    return f"{seat}.commitments.txt"


def commit_lines(links: Iterable[Link]) -> list[str]:
    """The commitments made in these states, a line each."""
    return [f"commit {slot} {b64(made)}" for link in links for slot, made in link.commits]


def commits_file(links: Iterable[Link]) -> bytes:
    """The same as a file."""
    return "".join(f"{line}\n" for line in commit_lines(links)).encode()


def write_block(
    link: Link,
    seat: str,
    head: bytes,
    openings: Iterable[Opening],
    signing: PrivateKey,
    public: bytes,
    files: Sequence[tuple[str, bytes]] = (),
    hand: Opening | None = None,
    before: Sequence[Of] = (),
) -> str:
    """The block of one report, for its seat alone: of the state ``link`` with what ``Of`` says of
    one, and of those ``before`` it, oldest first, if it tells of them too.

    ``files``: what is attached, by name; with that of the commitments among them they do not stand
    in the block.
    """
    told = [*before, Of(link, tuple(openings), hand)]
    lines = [f"pbem 1 {link.game} {seat} {told[0].link.n} {link.n}", f"head {b64(head)}"]
    lines += [f"restore {b64(known)}"] if (known := link.knows(head)) else []
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


def find_blocks(text: str) -> list[Block]:
    """Every block in a text, also quoted or wrapped by a mail program.

    BadInput ``report/no-block`` where there is none, ``report/block`` where one is damaged.
    """
    found = blocks_in(text)
    if not found:
        raise BadInput(
            "report/no-block",
            "there is no signed block in this text",
            "use the whole report, to its last line",
        )
    return found


def blocks_in(text: str) -> list[Block]:
    """The same, where none is no error."""
    return [_report(lines) for lines in _reports(text)]


def each_in(text: str) -> "list[Block | ReceiptBlock | Damaged]":
    """Every block of a report and of a receipt; of one that is damaged what is there of it."""
    found: list[Block | ReceiptBlock | Damaged] = []
    for begun, read in ((_answers, _answer), (_reports, _report)):
        for lines in begun(text):
            try:
                found.append(read(lines))
            except BadInput as error:
                found.append(Damaged("\n".join(lines), error))
    return found


class Damaged(NamedTuple):
    """What begins as a block does, and is none; ``error`` says so."""

    text: str
    error: BadInput


def _reports(text: str) -> list[list[str]]:
    return _begun(text, "pbem 1", FIRST)


def _report(lines: list[str]) -> Block:
    return _read(_unwrapped(lines))


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
        head = unb64(_field(lines[1], "head"), 32)
        knows = _restore(lines[2])
        at = 3 if knows else 2
        key = unb64(_field(lines[at], "key"), 32)
        commits, openings, hands, files = [], [], [], []
        for line in lines[at + 1 : -1]:
            word, *parts = line.split(" ")
            if word == "commit":
                commits.append((parts[0], unb64(parts[1], 32)))
            elif word == "open":
                openings.append((parts[0], parts[1], unb64(parts[2], 32)))
            elif word == "hand":
                hands.append((_state(parts[0]), _waited(parts[2]), unb64(parts[1], 32)))
            elif word == "file":
                files.append((parts[0], unb64(parts[1], 32)))
            else:
                raise ValueError(word)
        sig = unb64(_field(lines[-1], "sig"), 64)
        states = _state(first), _state(n)
        if states[0] > states[1]:
            raise ValueError(n)
    except (ValueError, IndexError, BadInput):
        raise _damaged() from None
    state = game, seat, *states, head, knows, key
    rows = tuple(commits), tuple(openings), tuple(hands), tuple(files)
    return Block(*state, *rows, tuple(lines[:-1]), sig)


def _state(text: str) -> int:
    """The number of a state."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _waited(text: str) -> str:
    """The value of a hand, as the line `hand` has it: its rows have line ends and blanks."""
    data = b"" if text == NONE else urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if (b64(data) or NONE) != text:
        raise ValueError(text)
    read_value(value := data.decode())
    return value


def _restore(line: str) -> bytes:
    """The head in the line `restore`; b"" where it is another line."""
    return unb64(_field(line, "restore"), 32) if line.startswith("restore ") else b""


RECEIPT_FIRST = re.compile(r"receipt pbem 1 [a-z2-7]{26} \S+ [0-9]{1,7}")
RECEIPT_WORDS = ("time", "state", "head", "restore", "key", "replaced", "line", "sig")
#: a verdict of intake to its one word in the block
VERDICTS = {"kept": "kept", "refused": "refused", "passed over": "done", "not kept": "left"}


class Receipt(NamedTuple):
    """What a receipt says. ``lines``: (verdict, line), each order that was read."""

    game: str
    seat: str
    nr: int  #: of the orders it answers; 0 where nothing was kept and he gave them none
    time: str
    n: int  #: the newest state when it was written
    head: bytes  #: of that state
    knows: bytes  #: head of the newest state with a ruling `restore`, b"" if there was none
    replaced: int  #: number of the orders it took the place of, 0 for none
    lines: tuple[tuple[str, str], ...]

    def parts(self) -> tuple[str | int | bytes, ...]:
        """The parts of ``Sig("pbem/1/receipt", …)``."""
        lines = "\n".join(line for _, line in self.lines)
        verdicts = "\n".join(verdict for verdict, _ in self.lines)
        return (
            self.game, self.seat, self.nr, lines, self.time, self.n, self.head, self.knows,
            verdicts, self.replaced,
        )  # fmt: skip


class ReceiptBlock(NamedTuple):
    """A block as read."""

    receipt: Receipt
    key: bytes
    sig: bytes

    def genuine(self) -> bool:
        """Whether its own key signed it (whose key that is, is another question)."""
        return verify(self.key, "receipt", self.sig, *self.receipt.parts())


def write_receipt_block(receipt: Receipt, signing: PrivateKey, public: bytes) -> str:
    """The lines at the foot of a receipt, for its seat alone."""
    lines = [
        f"receipt pbem 1 {receipt.game} {receipt.seat} {receipt.nr}",
        f"time {receipt.time}",
        f"state {receipt.n}",
        f"head {b64(receipt.head)}",
        *([f"restore {b64(receipt.knows)}"] if receipt.knows else []),
        f"key {b64(public)}",
        f"replaced {receipt.replaced}",
        *(f"line {verdict} {line}" for verdict, line in receipt.lines),
        f"sig {b64(sign(signing, 'receipt', *receipt.parts()))}",
    ]
    return "\n".join(lines)


def find_receipt_blocks(text: str) -> list[ReceiptBlock]:
    """Every block of a receipt in a text, also quoted or wrapped; none is no error.

    BadInput ``receipt/block`` where one is damaged.
    """
    return [_answer(lines) for lines in _answers(text)]


def _answers(text: str) -> list[list[str]]:
    return _begun(text, "receipt pbem 1", RECEIPT_FIRST)


def _answer(lines: list[str]) -> ReceiptBlock:
    return _read_receipt(_receipt_lines(lines))


def _begun(text: str, begins: str, whole: re.Pattern[str]) -> list[list[str]]:
    """The lines from the first of each block to that of the next; one that names a game, and says
    nothing else that the first one of a block does, begins one that cannot be read (an empty line
    stands before it).
    """
    clean, starts, good = _lines_of(text), list[int](), set[int]()
    for i, line in enumerate(clean):
        if line.startswith(begins):
            joined = line if whole.fullmatch(line) else " ".join(clean[i : i + 2])
            if whole.fullmatch(joined):
                good.add(i)
            elif not re.match(rf"{begins} [a-z2-7]{{26}}\b", joined):
                continue
            starts.append(i)
    ends = pairwise([*starts, len(clean)])
    return [[*([] if i in good else [""]), *clean[i:j]] for i, j in ends]


def _receipt_lines(lines: list[str]) -> list[str]:
    """The lines of one block; what a mail program broke off goes back to its line."""
    found: list[str] = []
    for line in lines:
        if not line and found and not _whole(found):
            continue  # some programs put an empty line after each
        if not line or (found and _whole(found)):
            break
        if not found or line.split(" ", 1)[0] in RECEIPT_WORDS:
            found.append(line)
        else:
            found[-1] += f" {line}"
    return found


def _whole(found: list[str]) -> bool:
    return found[-1].startswith("sig ") and len(found[-1].replace(" ", "")) >= 89


def damaged_receipt() -> BadInput:
    """What is said of one that cannot be read."""
    return BadInput(
        "receipt/block",
        "the signed block of the receipt is damaged or cut short",
        "get the receipt again from where it came",
    )


def _read_receipt(lines: list[str]) -> ReceiptBlock:
    try:
        _, _, _, game, seat, nr = lines[0].split(" ")
        time, n, head = map(_field, lines[1:4], ("time", "state", "head"))
        knows = _restore(lines[4])
        at = 5 if knows else 4
        key, replaced = map(_field, lines[at : at + 2], ("key", "replaced"))
        rows = tuple(map(_order, lines[at + 2 : -1]))
        sig = unb64(_field(lines[-1].replace(" ", "").replace("sig", "sig ", 1), "sig"), 64)
        state = _state(n), unb64(head, 32), knows
        receipt = Receipt(game, seat, int(nr), instant(time), *state, int(replaced), rows)
        if not all(map(_COUNT.fullmatch, (nr, replaced))):
            raise ValueError(nr)
        return ReceiptBlock(receipt, unb64(key, 32), sig)
    except (ValueError, IndexError, BadInput):
        raise damaged_receipt() from None


def _order(line: str) -> tuple[str, str]:
    word, verdict, order = line.split(" ", 2)
    if word != "line" or verdict not in VERDICTS.values():
        raise ValueError(word)
    return verdict, order


def _lines_of(text: str) -> list[str]:
    """Without what mail programs put before, behind and between the words of a line."""
    if not text.isascii():
        text = "".join(c for c in text if category(c) != "Cf")
    return [" ".join(line.split()).lstrip(">| ") for line in text.split("\n")]


def shown_of(text: str) -> str:
    """A text as its lines are read, where a block begins or not."""
    return "\n".join(_lines_of(text))


def _field(line: str, word: str) -> str:
    found, value = line.split(" ")
    if found != word:
        raise ValueError(word)
    return value
