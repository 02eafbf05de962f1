"""``pbem verify``: checks whether files are genuine."""

import re
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pbem.crypto.encoding import unb64
from pbem.disk.system import printable_path
from pbem.errors import BadInput
from pbem.mail.identity import GAME_ID
from pbem.result import Result
from pbem.services.prove.verify import verify_paths


def run(
    paths: Annotated[
        list[Path], Argument(metavar="PATH...", help="Games, archives, states, reports, or folders of these.")
    ],
    key: Annotated[str, Option(metavar="KEY", help="The referee's public key (pbem key show).")] = "",
    game: Annotated[str, Option(metavar="ID", help="The game's id, from any report.")] = "",
) -> Result:
    """Check signatures, the log, openings and report blocks. It needs no secret.

    Give the game's id, or the referee's public key, to detect any change.
    """
    public = _read_public_key(key) if key else None
    if game and not re.fullmatch(GAME_ID, game.lower()):
        hint = "the id has 26 letters and digits, and is in every report after `pbem 1`"
        raise BadInput("verify/game-id", f"{game[:40]!r} is not the id of a game", hint)
    verdicts = verify_paths(paths, public, game.lower() or None)
    text = "\n".join(f"{printable_path(verdict.path)}: {verdict.text}" for verdict in verdicts)
    data = {"paths": [verdict.plain() for verdict in verdicts]}
    return Result(data, text, max(verdict.exit_code for verdict in verdicts))


def _read_public_key(key: str) -> bytes:
    try:
        return unb64(key, 32)
    except BadInput:
        message = f"{key[:60]!r} is not the public key of a referee"
        hint = "the key has 43 letters and digits, and the referee sees it with `pbem key show`"
        raise BadInput("verify/key", message, hint) from None
