"""A sender as a command will be, to be killed: loads nothing but pbem.disk."""

from pathlib import Path

from pbem.disk.folder import GameFolder, MessageStatus

MAILS = {"0001-red": b"red" * 500, "0001-blue": b"blue" * 500}
REFUSED = "0001-blue"


def post(root: Path) -> None:
    """Lays out the messages of a report that may be there, then sends all that wait."""
    game = GameFolder(root)
    with game.lock():
        game.remove_leftovers(0)
        for name, data in MAILS.items():
            game.put_outbox(name, data)
        for name in game.list_messages(MessageStatus.WAITING):
            game.move_message(name, MessageStatus.WAITING, MessageStatus.SENDING)
        for name in game.list_messages(MessageStatus.SENDING):
            game.move_message(
                name, MessageStatus.SENDING, MessageStatus.FAILED if name == REFUSED else MessageStatus.SENT
            )
