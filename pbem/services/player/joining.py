"""Joining a game with a key of one's own, on the player's machine, offline.

What lives here: the player's answer to an invitation, his contribution opened to one roster, the
keys that he has. What must never be here: anything of a referee's; a key or contribution printed
before its time.
Laws: what is made is on the drive before anything is printed; a contribution is opened to one
roster only, one that holds it, of the game that was joined; nothing is made from a mail that is not
genuine. Source: docs/SPECIFICATION.md section 6; decision 0005.
"""

import os
from pathlib import Path
from typing import NamedTuple

from pbem.disk.home import (
    Home,
    hold_keyrings,
    kept_keyrings,
    keyring_path,
    read_keyring,
    write_keyring,
)
from pbem.errors import BadInput, PbemError, Refused
from pbem.moderator.opening import contribution
from pbem.moderator.opening.answers import LONGEST, declines, join_lines, open_lines, plain_line
from pbem.moderator.opening.contribution import R_SIZE, Keyring, commitment, joined, opened
from pbem.services.player.invited import Invited, read_invited
from pbem.services.session.keys import the_home

HERE = "type it on the machine, and with the PBEM_HOME, where you joined"


class Answer(NamedTuple):
    """What the player sends to the referee."""

    found: Invited  #: what he answers
    lines: tuple[str, ...]
    path: Path | None  #: where his key lies


def join(file: str, text: str, seat: str) -> Answer:
    """The answer to the invitation, or to the roster, in a file. ``text``: a plain line, no key."""
    found = read_invited(file, seat)
    if found.closed:
        raise Refused(
            "join/given-up",
            "this round was given up: there is nothing to join",
            "wait for the next",
        )
    if found.roster is None:
        return _plain(found, text) if text else _joined(found)
    if text:
        raise BadInput(
            "join/text", "a line belongs to the answer to the invitation", "leave --text out"
        )
    return _opened(found)


def _plain(found: Invited, text: str) -> Answer:
    line = plain_line([text])
    if line != " ".join(text.split()):
        raise BadInput(
            "join/line",
            f"the line must be one of at most {LONGEST} letters, and not begin with `password`",
            'such as --text "a quick brown fox"',
        )
    if declines([line]):
        raise BadInput(
            "join/line", "that line would decline the invitation", "to decline, answer it by hand"
        )
    return Answer(found, (line,), None)


def _joined(found: Invited) -> Answer:
    """Key and contribution, made once for a game and a seat: the same answer again."""
    home = the_home()
    with hold_keyrings(home, found.game):
        ring = _ring(home, found)
        if ring is None or not ring.r:
            made = ring or contribution.Keyring(found.game, found.seat, os.urandom(32))
            ring = made._replace(r=os.urandom(R_SIZE))
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
        raise Refused(
            "join/no-key", f"there is no key here for {found.seat} of game {found.game}", HERE
        )
    with hold_keyrings(home, found.game):
        ring = _ring(home, found)
        if ring is None or not _holds(found, ring):
            raise Refused(
                "join/not-in-roster",
                "this roster does not hold what you sealed: nothing is opened to it",
                "keep this mail, it is signed; ask the referee, and tell the others",
            )
        if ring.opened not in (b"", head):
            raise Refused(
                "join/second-roster",
                "you opened your contribution to another roster of this game already",
                "keep both mails: together they prove that two rosters were made",
            )
        if not ring.opened:
            ring = ring._replace(opened=head)
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
    return [(game, seat, _read(home, game, seat)) for game, seat in kept_keyrings(home)]


def _read(home: Home, game: str, seat: str) -> Keyring | PbemError:
    try:
        return contribution.decode_keyring(read_keyring(home, game, seat) or b"", game, seat)
    except PbemError as error:
        return error
