"""``pbem orders join`` and ``show``: for players, on their own machine, offline.

What lives here: the player's answer to an invitation, his contribution opened to one roster, the
list of his keys. What must never be here: anything of a referee's; a key or contribution printed
before its time.
Laws: what is made is on the drive before anything is printed; a contribution is opened to one
roster only, one that holds it, of the game that was joined; nothing is made from a mail that is not
genuine. Source: docs/SPECIFICATION.md section 6; decision 0005.
"""

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.crypto.signing import key_id
from pbem.disk import keyrings
from pbem.disk.home import Home
from pbem.errors import BadInput, PbemError, Refused
from pbem.moderator.opening import keyring
from pbem.moderator.opening.answers import LONGEST, declines, join_lines, open_lines, plain_line
from pbem.moderator.opening.contribution import R_SIZE, commitment, joined, opened
from pbem.moderator.opening.keyring import Keyring
from pbem.result import Result
from pbem.services.player.invited import Invited, read_invited
from pbem.services.session.keys import the_home

if TYPE_CHECKING:
    from pathlib import Path


HERE = "type it on the machine, and with the PBEM_HOME, where you joined"


def run_join(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The referee's mail as you saved it, or the states."),
    ],
    text: Annotated[
        str, typer.Option(metavar="LINE", help="Give a plain line and no key: all will read it.")
    ] = "",
    seat: Annotated[
        str, typer.Option(metavar="SEAT", help="Your seat, where FILE is a state and no mail.")
    ] = "",
) -> Result:
    """Join a game: your key and a sealed contribution to the deal, then its opening.

    Type it for the invitation, and again for the mail that says what each gave. Send what it prints
    as your answer. Your key stays here; the mail is checked before anything is made from it.
    """
    found = read_invited(file, seat.lower())
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


def _plain(found: Invited, text: str) -> Result:

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
    return _answer(found, (line,), None)


def _joined(found: Invited) -> Result:
    """Key and contribution, made once for a game and a seat: the same answer again."""
    home = the_home()
    with keyrings.hold(home, found.game):
        ring = _ring(home, found)
        if ring is None or not ring.r:
            made = ring or keyring.Keyring(found.game, found.seat, os.urandom(32))
            ring = made._replace(r=os.urandom(R_SIZE))
            keyrings.write(home, found.game, found.seat, keyring.encode(ring))
    one = joined(found.head0, found.seat, ring.r, ring.signing, ring.public)
    return _answer(found, join_lines(one), keyrings.path_of(home, found.game, found.seat))


def _ring(home: Home, found: Invited) -> Keyring | None:

    data = keyrings.read(home, found.game, found.seat)
    return None if data is None else keyring.decode(data, found.game, found.seat)


def _opened(found: Invited) -> Result:
    """The contribution, to the first roster that holds it and to no other (P4)."""
    home, head = the_home(), found.head
    if keyrings.read(home, found.game, found.seat) is None:
        raise Refused(
            "join/no-key", f"there is no key here for {found.seat} of game {found.game}", HERE
        )
    with keyrings.hold(home, found.game):
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
            keyrings.write(home, found.game, found.seat, keyring.encode(ring))
    one = opened(head, found.seat, ring.r, ring.signing)
    return _answer(found, open_lines(one), keyrings.path_of(home, found.game, found.seat))


def _holds(found: Invited, ring: Keyring) -> bool:

    mine = next((one for one in found.roster or () if one.seat == found.seat), None)
    if mine is None or mine.gave != "key" or not ring.r or mine.key != ring.public:
        return False
    return mine.commitment == commitment(found.head0, found.seat, ring.r)


def _answer(found: Invited, lines: tuple[str, ...], path: "Path | None") -> Result:
    """The mail to send; what stands below its code is for the player, and nobody reads it."""
    what = "these lines" if lines[1:] else "this line"
    below = [f"[pbem {found.code}]"] if found.code else []
    below += [f"Answer the referee's mail with {what} at the top."]
    if path is not None:
        below += ["Your key is kept on this machine (see `pbem orders show`): make a copy of it."]
    data: dict[str, Any] = {
        "game": found.game,
        "seat": found.seat,
        "code": found.code,
        "lines": list(lines),
        "key": str(path) if path else None,
    }
    return Result(data, "\n".join([*lines, "", *below]))


def run_show() -> Result:
    """Say which keys you have here, and for which games."""
    home = the_home()
    rows: list[dict[str, Any]] = []
    lines = []
    for game, seat in keyrings.kept(home):
        row: dict[str, Any] = {"game": game, "seat": seat}
        try:
            ring = keyring.decode(keyrings.read(home, game, seat) or b"", game, seat)
        except PbemError as error:
            rows.append(row | {"key": None, "opened": False, "nr": 0, "why": error.line()})
            lines.append(f"game {game}, {seat}: {error.line()}")
            continue
        rows.append(row | {"key": key_id(ring.public), "opened": bool(ring.opened), "nr": ring.nr})
        lines.append(f"game {game}, {seat}: key {rows[-1]['key']}, {_stage(ring)}")
    folder = home.path / "players"
    lines.append(f"They lie in {folder}: keep a copy." if rows else f"No key lies in {folder}.")
    return Result({"keys": rows}, "\n".join(lines), 0 if rows else 1)


def _stage(ring: Keyring) -> str:
    if ring.nr:
        return f"orders signed up to number {ring.nr}"
    if ring.opened:
        return "contribution opened"
    return "joined, contribution sealed" if ring.r else "no contribution"
