"""Joining a game with a key of one's own, on the player's machine, offline.

What lives here: Invited, what a player was sent before the deal, read from his files and checked;
his answer to it, his contribution opened to one roster, the keys that he has. What must never be
here: anything of a referee's; a key or contribution printed before its time.
Laws: what is made is on the drive before anything is printed; a contribution is opened to one
roster only, one that holds it, of the game that was joined; nothing is made from a mail that is not
genuine: block, signature, head and states must all fit before anything is believed.
Source: docs/SPECIFICATION.md sections 5, 6 and 10; decision 0005.
"""

import os
from pathlib import Path
from typing import NamedTuple

from pbem.chain.contributions import Joined
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import game_id
from pbem.disk.home import (
    Home,
    hold_keyrings,
    kept_keyrings,
    keyring_path,
    read_keyring,
    write_keyring,
)
from pbem.disk.system import is_file
from pbem.disk.whole import read, read_input, state_name
from pbem.errors import BadInput, PbemError, Refused
from pbem.mail.parsed import Letter, read_letter, unmarked
from pbem.play.joining import contribution
from pbem.play.joining.answers import LONGEST, join_lines, open_lines, plain_line
from pbem.play.joining.contribution import R_SIZE, Keyring, commitment, joined, opened
from pbem.proof.verify.verify import Chain, check_chain
from pbem.report.block import Block, find_blocks
from pbem.services.session.keys import the_home
from pbem.services.session.newest import seat_of

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
    chain: Chain  #: up to that state, verified


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
    found = max(find_blocks(letter.text()), key=lambda one: one.n)
    if not found.genuine():
        why = "this email was changed after the referee signed it"
        raise Refused("join/not-genuine", why, SAVE)
    return found


def _number(raw: bytes) -> int:
    """The number a state gives itself, in its second line; it is checked with all the rest."""
    line = raw[:40].split(b"\n")[1:2]
    text = line[0].removeprefix(b"n = ") if line else b""
    if not text.isdigit():
        raise BadInput("join/file", "this is neither the referee's email nor a state", SAVE)
    return int(text)


def _dealt() -> Refused:
    way = "answer your newest report; `pbem orders list VIEW` says what you may order"
    return Refused("join/dealt", "this game is dealt, so you need not join", way)


def _with_beside(name: str, found: dict[int, bytes]) -> dict[int, bytes]:
    """The states before, and where there is none at all those that lie beside the file."""
    folder = Path(name).parent
    most = max(found, default=2)
    for n in range(min(most, 2) + 1):
        for path in (folder / state_name(n), folder / "states" / state_name(n)):
            if n not in found and name != "-" and is_file(path):
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
    record, head = chain.last, chain.heads[n]
    if one and (one.game, one.head, one.key) != (game_id(states[0]), head, chain.key):
        why = "the email and its states do not belong together"
        raise Refused("join/other-states", why, "use both from the same email of the referee")
    if record is None or record.dealt:
        raise _dealt()
    seat = seat_of(record, seat) if seat else ""
    mine = one.seat if one else seat
    if mine not in record.setup.seats or (seat and seat != mine):
        seats = ", ".join(player.shown for player in record.people)
        why = f"nothing here says that you play {seat}" if seat else "the seat is missing"
        way = f"use your own email; if you have only a state, add --seat SEAT, one of {seats}"
        raise BadInput("join/seat", why, way)
    roster = record.roster if record.phase == "roster" else None
    closed = record.phase == CLOSED
    return Invited(chain.game, mine, code, chain.heads[0], head, roster, closed, chain)


HERE = "run it where you joined: the same machine, the same PBEM_HOME"


class Answer(NamedTuple):
    """What the player sends to the referee."""

    found: Invited  #: what he answers
    lines: tuple[str, ...]
    path: Path | None  #: where his key lies


def join(file: str, text: str, seat: str) -> Answer:
    """The answer to the invitation, or to the roster, in a file. ``text``: a plain line, no key."""
    found = read_invited(file, seat)
    if found.closed:
        why = "this round was cancelled, so there is nothing to join"
        raise Refused("join/given-up", why, "wait for the next round")
    if found.roster is None:
        return _plain(found, text) if text else _joined(found)
    if text:
        why = "a line goes only with the answer to the invitation"
        raise BadInput("join/text", why, "leave --text out")
    return _opened(found)


def _plain(found: Invited, text: str) -> Answer:
    line = plain_line([text])
    if line != " ".join(text.split()):
        why = f"the line may have {LONGEST} letters and must not begin with `password`"
        raise BadInput("join/line", why, 'for example --text "a quick brown fox"')
    return Answer(found, ("yes", f"give: {line}"), None)


def _joined(found: Invited) -> Answer:
    """Key and contribution, made once for a game and a seat: the same answer again."""
    home = the_home()
    with hold_keyrings(home, found.game):
        ring = _ring(home, found)
        if ring is None or not ring.r:
            made = ring or contribution.Keyring(found.game, found.seat, os.urandom(32))
            ring = made._replace(r=os.urandom(R_SIZE), referee=found.chain.key)
            write_keyring(home, found.game, found.seat, contribution.encode_keyring(ring))
    one = joined(found.head0, found.seat, ring.r, ring.signing, ring.public)
    return Answer(found, join_lines(one), keyring_path(home, found.game, found.seat))


def _ring(home: Home, found: Invited) -> Keyring | None:
    data = read_keyring(home, found.game, found.seat)
    return None if data is None else contribution.decode_keyring(data, found.game, found.seat)


def _opened(found: Invited) -> Answer:
    """The contribution, to the first roster that holds it and to no other (P4)."""
    home, head = the_home(), found.head
    if read_keyring(home, found.game, found.seat) is None:
        why = f"there is no key here for {found.seat} of game {found.game}"
        raise Refused("join/no-key", why, HERE)
    with hold_keyrings(home, found.game):
        ring = _ring(home, found)
        if ring is None or not _holds(found, ring):
            why = "this roster does not hold what you sealed, so nothing is opened"
            way = "keep this signed email, ask the referee, and warn the other players"
            raise Refused("join/not-in-roster", why, way)
        if ring.opened not in (b"", head):
            why = "you have already opened your contribution to another roster of this game"
            way = "keep both emails; together they prove that there were two rosters"
            raise Refused("join/second-roster", why, way)
        if not ring.opened:
            ring = ring._replace(opened=head, referee=found.chain.key)
            write_keyring(home, found.game, found.seat, contribution.encode_keyring(ring))
    one = opened(head, found.seat, ring.r, ring.signing)
    return Answer(found, open_lines(one), keyring_path(home, found.game, found.seat))


def _holds(found: Invited, ring: Keyring) -> bool:
    mine = next((one for one in found.roster or () if one.seat == found.seat), None)
    if mine is None or not mine.sealed or not ring.r or mine.key != ring.public:
        return False
    return mine.commitment == commitment(found.head0, found.seat, ring.r)


def keys_here(home: Home) -> list[tuple[str, str, Keyring | PbemError]]:
    """Every key of a player on this machine, by game and seat, or why it cannot be read."""
    found: list[tuple[str, str, Keyring | PbemError]] = []
    for game, seat in kept_keyrings(home):
        try:
            data = read_keyring(home, game, seat) or b""
            found.append((game, seat, contribution.decode_keyring(data, game, seat)))
        except PbemError as error:
            found.append((game, seat, error))
    return found
