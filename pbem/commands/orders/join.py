"""``pbem orders join`` and ``show``: for players, their own keys, offline."""

from typing import Annotated, Any

import typer

from pbem.crypto.signing import key_id
from pbem.errors import PbemError
from pbem.play.joining.contribution import Keyring
from pbem.result import Result
from pbem.services.player.joining import Answer, join, keys_here
from pbem.services.session.keys import the_home


def run_join(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The referee's email as you saved it, or a state.")
    ],
    text: Annotated[
        str,
        typer.Option(
            metavar="LINE", help="Give a plain line instead of a key. All players will read it."
        ),
    ] = "",
    seat: Annotated[
        str, typer.Option(metavar="SEAT", help="Your seat or name, if FILE is a state.")
    ] = "",
) -> Result:
    """Join a game with a key and a sealed contribution to the deal, then open it.

    Run it for the invitation, and again for the email that says what each player gave. Send what it
    prints as your answer. Your key stays here. It checks the email first.
    """
    return _told(join(file, text, seat))


def _told(answer: Answer) -> Result:
    """The mail to send; what stands below its code is for the player, and nobody reads it."""
    found, lines, path = answer
    what = "these lines" if lines[1:] else "this line"
    below = [f"[pbem {found.code}]"] if found.code else []
    below += [f"Reply to the referee's email with {what} at the top."]
    if path is not None:
        below += ["Your key is on this machine (see `pbem orders show`). Make a copy of it."]
    data: dict[str, Any] = {
        "game": found.game,
        "seat": found.seat,
        "code": found.code,
        "lines": list(lines),
        "key": str(path) if path else None,
    }
    return Result(data, "\n".join([*lines, "", *below]))


def run_show() -> Result:
    """List the keys you have here, and for which games they are."""
    home = the_home()
    rows: list[dict[str, Any]] = []
    lines = []
    for game, seat, ring in keys_here(home):
        row: dict[str, Any] = {"game": game, "seat": seat}
        if isinstance(ring, PbemError):
            rows.append(row | {"key": None, "opened": False, "nr": 0, "why": ring.line()})
            lines.append(f"game {game}, {seat}: {ring.line()}")
            continue
        rows.append(row | {"key": key_id(ring.public), "opened": bool(ring.opened), "nr": ring.nr})
        lines.append(f"game {game}, {seat}: key {rows[-1]['key']}, {_stage(ring)}")
    folder = home.path / "players"
    lines.append(f"They are in {folder}. Keep a copy." if rows else f"There is no key in {folder}.")
    return Result({"keys": rows}, "\n".join(lines), 0 if rows else 1)


def _stage(ring: Keyring) -> str:
    if ring.nr:
        return f"orders signed up to number {ring.nr}"
    if ring.opened:
        return "contribution opened"
    return "joined, contribution sealed" if ring.r else "no contribution"
