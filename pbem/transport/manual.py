"""What a referee without an account needs: the outbox as one file, and filing what was sent.

What must never be here: a server. Source: docs/POST.md "By hand"; RFC 4155 (mbox).
"""

from collections.abc import Sequence
from pathlib import Path

from pbem.disk import system, whole
from pbem.disk.folder import PASSWORD_PREFIX, GameFolder, MessageStatus
from pbem.errors import BadInput, Refused
from pbem.mail.compose import format_date_in_prose
from pbem.transport.log import BY_HAND, OutboxLog, OutgoingMessage, parse_message


def write_mbox(messages: Sequence[OutgoingMessage], path: Path, time: str) -> None:
    """Writes the letters into a new file, 0600. Refused ``post/exists`` if it is there.

    No line of a letter begins with `From `: the moderator spells it otherwise.
    """
    day, number, month, year, time_of_day, _ = format_date_in_prose(time).replace(",", "").split(" ")
    from_line = f"From pbem@localhost {day} {month} {int(number):2d} {time_of_day}:00 {year}\n".encode()
    data = b"".join(from_line + message.content.rstrip(b"\n") + b"\n\n" for message in messages)
    with system.os_errors("write", path):
        system.sweep_temps(path.parent)
    try:
        whole.create(path, data, 0o600)
    except Refused as error:
        if error.code != "save/number-taken":
            raise
        raise Refused("post/exists", f"there is a file {path} already", "name a new file") from None


def mark_sent(folder: GameFolder, files: Sequence[str], time: str) -> list[str]:
    """What waits or was refused is sent; all of it, or none. What a command that was killed filed
    is filed. BadInput names what is not there.
    """
    names = [*dict.fromkeys(Path(file).name.removesuffix(".eml") for file in files)]
    with folder.lock():
        messages = list[OutgoingMessage]()
        filed_names = list[str]()
        for name in names:
            status = (
                MessageStatus.FAILED
                if folder.read_message(MessageStatus.WAITING, name) is None
                else MessageStatus.WAITING
            )
            if data := folder.read_message(status, name):
                messages.append(parse_message(status, name, data))
            elif name.startswith(PASSWORD_PREFIX) or folder.read_message(MessageStatus.SENT, name):
                filed_names.append(name)
            else:
                filed_names = []
                messages = []
                break
        if not messages:
            missing_name = next(name for name in names if folder.read_message(MessageStatus.WAITING, name) is None)
            problem = f"no email {missing_name[:80]!r} waits in {folder.root}/desk/outbox"
            raise BadInput("post/not-waiting", problem, f"pbem outbox {folder.root}")
        log = OutboxLog(folder)
        for message in messages:
            log.add_row(time, BY_HAND, message)
            folder.move_message(message.name, message.status, MessageStatus.SENT)
    return names
