"""``pbem backup``: writes games with their private folders into one file."""

from pbem.chain.clock_words import count_text
from pbem.commands.arguments import Output, Root
from pbem.disk.backup import pack
from pbem.disk.games import NO_GAMES_HINT, find_games
from pbem.disk.system import is_file
from pbem.disk.whole import refuse_dash
from pbem.errors import BadInput, Refused
from pbem.result import Result
from pbem.services.session.keys import open_home


def run(root: Root, output: Output) -> Result:
    """Write games with their private folders into one file.

    The file is secret. Your keys are not in it.
    """
    refuse_dash(output, "a backup", "-o backup.tar.gz")
    games, _ = find_games(root)
    if not games:
        raise BadInput("game/none", f"there is no game in {root}", NO_GAMES_HINT)
    if is_file(output):
        message = f"{output} already exists, and a backup never replaces a file"
        raise Refused("backup/other-file", message, "name a new file")
    notes = pack(root, output)
    lines = [
        f"{count_text(len(games), 'game')} written to {output}.",
        "It has addresses and pending orders, so keep it to yourself.",
        f"Your key, address book and mail accounts are not in it. Copy {open_home().path} too.",
        *(f"note: {note}" for note in notes),
    ]
    data = {"file": str(output), "games": [str(game.root) for game in games], "notes": notes}
    return Result(data, "\n".join(lines))
