"""What a referee without an account needs: the outbox as one file, and filing what was sent.

What must never be here: a server. Source: docs/POST.md "By hand"; RFC 4155 (mbox).
"""

from collections.abc import Sequence
from pathlib import Path

from pbem.disk import system, whole
from pbem.disk.folder import NOT_KEPT, GameFolder, Mark
from pbem.errors import BadInput, Refused
from pbem.mail.compose import date_in_prose
from pbem.transport.log import BY_HAND, Letter, Log, letter_in


def as_mbox(letters: Sequence[Letter], path: Path, time: str) -> None:
    """Writes the letters into a new file, 0600. Refused ``post/exists`` if it is there.

    No line of a letter begins with `From `: the moderator spells it otherwise.
    """
    day, number, month, year, clock, _ = date_in_prose(time).replace(",", "").split(" ")
    line = f"From pbem@localhost {day} {month} {int(number):2d} {clock}:00 {year}\n".encode()
    data = b"".join(line + letter.bytes_sent.rstrip(b"\n") + b"\n\n" for letter in letters)
    with system.os_errors("write", path):
        system.sweep(path.parent)
    try:
        whole.create(path, data, 0o600)
    except Refused as error:
        if error.code != "save/number-taken":
            raise
        raise Refused("post/exists", f"there is a file {path} already", "name a new file") from None


def file_sent(folder: GameFolder, files: Sequence[str], time: str) -> list[str]:
    """What waits or was refused is sent; all of it, or none. What a command that was killed filed
    is filed. BadInput names what is not there.
    """
    names = [*dict.fromkeys(Path(file).name.removesuffix(".eml") for file in files)]
    with folder.lock():
        letters, filed = list[Letter](), list[str]()
        for name in names:
            mark = Mark.FAILED if folder.message(Mark.WAITING, name) is None else Mark.WAITING
            if data := folder.message(mark, name):
                letters.append(letter_in(mark, name, data))
            elif name.startswith(NOT_KEPT) or folder.message(Mark.SENT, name):
                filed.append(name)
            else:
                filed, letters = [], []
                break
        if not letters:
            absent = next(name for name in names if folder.message(Mark.WAITING, name) is None)
            why = f"no email {absent[:80]!r} waits in {folder.root}/desk/outbox"
            raise BadInput("post/not-waiting", why, f"pbem outbox {folder.root}")
        log = Log(folder)
        for letter in letters:
            log.add(time, BY_HAND, letter)
            folder.move(letter.name, letter.mark, Mark.SENT)
    return names
