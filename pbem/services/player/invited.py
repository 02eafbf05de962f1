"""What a player was sent before the deal, read from his files and checked.

What lives here: Invited, ``read_invited``. What must never be here: his key; anything written.
Law: block, signature, head and states must all fit before anything is believed.
Source: decision 0005 "What the player's tool trusts"; docs/SPECIFICATION.md sections 5 and 10.
"""

from pathlib import Path
from typing import NamedTuple

from pbem.crypto.encoding import game_id
from pbem.disk.whole import read, read_input, state_name
from pbem.errors import BadInput, Refused
from pbem.files.mail.letter import Letter, read_letter, unmarked
from pbem.moderator.chain.link import CLOSED
from pbem.moderator.chain.people import Joined
from pbem.moderator.report.block import Block, find_blocks
from pbem.moderator.verify.verify import check_chain

LIMIT = 4 * 1024 * 1024
SAVE = "save the referee's email as a file, with its attachments"
STATE = b"pbem = "
VIEW = b"\n[view]\n"  #: in the view file, which comes with reports alone
LAST = 2  #: the last state of a round that was given up; a game that goes on is dealt in it


class Invited(NamedTuple):
    """A genuine invitation or roster, for one seat."""

    game: str
    seat: str
    code: str  #: "" where it came without a mail
    head0: bytes  #: of the genesis
    head: bytes  #: of the newest state that was sent
    roster: tuple[Joined, ...] | None  #: None: it is the invitation
    closed: bool


def read_invited(name: str, seat: str) -> Invited:
    """The mail, text or state in a file; what it does not hold is looked for beside it."""
    data = read_input(name, LIMIT)
    if data.startswith(STATE):
        return _checked(_with_beside(name, {_number(data): data}), None, seat, "")
    letter = read_letter(unmarked(data))
    one = _block(letter)
    if one.n > LAST or any(VIEW in x.data for x in letter.attachments):
        raise _dealt()
    found = {_number(x.data): x.data for x in letter.attachments if x.data.startswith(STATE)}
    return _checked(_with_beside(name, found), one, seat, next(iter(letter.codes), ""))


def _block(letter: Letter) -> Block:
    """The newest block in the mail, signed with its own key."""
    text = "\n".join(line.text for line in sorted((*letter.lines, *letter.below)))
    found = max(find_blocks(text), key=lambda one: one.n)
    if not found.genuine():
        raise Refused(
            "join/not-genuine", "this email was changed after the referee signed it", SAVE
        )
    return found


def _number(raw: bytes) -> int:
    """The number a state gives itself, in its second line; it is checked with all the rest."""
    line = raw[:40].split(b"\n")[1:2]
    text = line[0].removeprefix(b"n = ") if line else b""
    if not text.isdigit():
        raise BadInput("join/file", "this is neither the referee's email nor a state", SAVE)
    return int(text)


def _dealt() -> Refused:
    return Refused(
        "join/dealt",
        "this game is dealt, so you need not join",
        "answer your newest report; `pbem orders list VIEW` says what you may order",
    )


def _with_beside(name: str, found: dict[int, bytes]) -> dict[int, bytes]:
    """The states before, and where there is none at all those that lie beside the file."""
    folder = Path(name).parent
    most = max(found, default=2)
    for n in range(min(most, 2) + 1):
        for path in (folder / state_name(n), folder / "states" / state_name(n)):
            if n not in found and name != "-" and path.is_file():
                found[n] = read(path, LIMIT)
    return found


def _checked(states: dict[int, bytes], one: Block | None, seat: str, code: str) -> Invited:
    n = one.n if one else max(states)
    if n > LAST:  # before anything is made of that number, which anybody can write
        raise _dealt()
    states = {number: raw for number, raw in states.items() if number <= n}
    if set(states) != set(range(n + 1)):
        missing = ", ".join(f"{i:04d}.toml" for i in range(n + 1) if i not in states)
        raise BadInput("join/states", f"{missing} is not attached to it, nor beside it", SAVE)
    chain = check_chain(states, None, None)
    link, head = chain.last, chain.heads[n]
    if one and (one.game, one.head, one.key) != (game_id(states[0]), head, chain.key):
        raise Refused(
            "join/other-states",
            "the email and its states do not belong together",
            "use both from the same email of the referee",
        )
    if link is None or link.dealt:
        raise _dealt()
    mine = one.seat if one else seat
    if mine not in link.setup.seats or (seat and seat != mine):
        seats = ", ".join(link.setup.seats)
        raise BadInput(
            "join/seat",
            f"it is not said that you play {seat}" if seat else "which seat is yours?",
            f"take your own mail, or with a state alone: --seat SEAT, one of {seats}",
        )
    roster = link.roster if link.phase == "roster" else None
    closed = link.phase == CLOSED
    return Invited(chain.game, mine, code, chain.heads[0], head, roster, closed)
