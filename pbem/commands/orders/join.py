"""``pbem orders join`` and ``show``: for players, offline, with their own keys."""

from typing import Annotated, Any

from typer import Argument, Option

from pbem.crypto.signing import key_id
from pbem.errors import PbemError
from pbem.play.joining.contribution import Keyring
from pbem.result import Result
from pbem.services.player.joining import JoinAnswer, join, list_keys
from pbem.services.session.keys import open_home


def run_join(
    file: Annotated[str, Argument(metavar="FILE", help="The referee's email as you saved it, or a state.")],
    text: Annotated[str, Option(metavar="LINE", help="A plain line instead of a key. All players will read it.")] = "",
    seat: Annotated[str, Option(metavar="SEAT", help="Your seat or name, if FILE is a state.")] = "",
) -> Result:
    """Join a game with a key and a sealed addition to the shuffle, then open the addition.

    Run it for the invitation, and again for the email that lists all additions. pbem checks the
    email first. Send what pbem prints as your answer. Your key stays on this machine.
    """
    return _join_result(join(file, text, seat))


def _join_result(answer: JoinAnswer) -> Result:
    """Return the lines to send, and below them what the player should do."""
    invitation, lines, key_path = answer
    instructions = [f"[pbem {invitation.code}]"] if invitation.code else []
    instructions += [
        "Reply to the referee's email with these lines at the top."
        if len(lines) > 1
        else "Reply to the referee's email with this line at the top."
    ]
    if key_path is not None:
        instructions += ["Your key is on this machine (see `pbem orders show`). Make a copy of it."]
    data: dict[str, Any] = {
        "game": invitation.game,
        "seat": invitation.seat,
        "code": invitation.code,
        "lines": list(lines),
        "key": str(key_path) if key_path else None,
    }
    return Result(data, "\n".join([*lines, "", *instructions]))


def run_show() -> Result:
    """List your keys on this machine and their games."""
    home = open_home()
    rows: list[dict[str, Any]] = []
    lines = []
    for game, seat, keyring in list_keys(home):
        row: dict[str, Any] = {"game": game, "seat": seat}
        if isinstance(keyring, PbemError):
            rows.append(row | {"key": None, "opened": False, "nr": 0, "why": keyring.as_line()})
            lines.append(f"game {game}, {seat}: {keyring.as_line()}")
            continue
        key_name, is_opened = key_id(keyring.public), bool(keyring.opened_roster_hash)
        rows.append(row | {"key": key_name, "opened": is_opened, "nr": keyring.last_email_number})
        lines.append(_stage_text(keyring).format(game=game, seat=seat, key=key_name, number=keyring.last_email_number))
    folder = home.path / "players"
    lines.append(f"They are in {folder}. Keep a copy." if rows else f"There is no key in {folder}.")
    return Result({"keys": rows}, "\n".join(lines), 0 if rows else 1)


def _stage_text(keyring: Keyring) -> str:
    """Return the sentence that says how far a player has come with a key."""
    if keyring.last_email_number:
        return "game {game}, {seat}: key {key}, orders signed up to number {number}"
    if keyring.opened_roster_hash:
        return "game {game}, {seat}: key {key}, addition opened"
    if keyring.contribution:
        return "game {game}, {seat}: key {key}, joined, addition sealed"
    return "game {game}, {seat}: key {key}, no addition"
