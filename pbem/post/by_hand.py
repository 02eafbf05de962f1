"""What a referee without an account needs: the outbox as one file, and filing what was sent.

What must never be here: a server. Source: docs/POST.md "By hand"; RFC 4155 (mbox).
"""

from collections.abc import Sequence
from pathlib import Path

from pbem.disk import system, whole
from pbem.disk.folder import NOT_KEPT, GameFolder, Mark
from pbem.errors import BadInput, Refused
from pbem.files.mail.compose import date_in_prose
from pbem.post.log import BY_HAND, Letter, Log, letter_in


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
    """From the outbox to what was sent; all of them, or none. What a command that was killed filed
    is filed. BadInput names what is not there.
    """
    names = [*dict.fromkeys(Path(file).name.removesuffix(".eml") for file in files)]
    with folder.lock():
        found = {name: folder.message(Mark.WAITING, name) for name in names}
        letters = [letter_in(Mark.WAITING, name, data) for name, data in found.items() if data]
        for name in names:
            filed = name.startswith(NOT_KEPT) or folder.message(Mark.SENT, name)
            if not (found[name] or (filed and letters)):
                why = f"no email {name[:80]!r} waits in {folder.root}/desk/outbox"
                raise BadInput("post/not-waiting", why, f"pbem outbox {folder.root}")
        log = Log(folder)
        for letter in letters:
            log.add(time, BY_HAND, letter)
            folder.move(letter.name, Mark.WAITING, Mark.SENT)
    return names
