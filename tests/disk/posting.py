"""A sender as a command will be, to be killed: loads nothing but pbem.disk."""

from pathlib import Path

from pbem.disk.folder import GameFolder, Mark

MAILS = {"0001-red": b"red" * 500, "0001-blue": b"blue" * 500}
REFUSED = "0001-blue"


def post(root: Path) -> None:
    """Lays out the messages of a report that may be there, then sends all that wait."""
    game = GameFolder(root)
    with game.lock():
        game.tidy(0)
        for name, data in MAILS.items():
            game.put_outbox(name, data)
        for name in game.messages(Mark.WAITING):
            game.move(name, Mark.WAITING, Mark.SENDING)
        for name in game.messages(Mark.SENDING):
            game.move(name, Mark.SENDING, Mark.FAILED if name == REFUSED else Mark.SENT)
