"""Mailboxes of this machine, read and never written: a Maildir, an mbox.

What must never be here: which mail is wanted; a mark on a mail: it stays as unread as it was.
Source: docs/decisions/0014-the-post.md; maildir(5), mbox(5).
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.disk import system, whole
from pbem.errors import BadInput, PbemError, Refused

if TYPE_CHECKING:
    import mailbox

_STAMP = re.compile(r"[0-9]{9,11}(?=\.)")
#: what mail programs change in an mbox, which makes no other mail of it
_CHANGING = re.compile(rb"(?im)^(?:x-)?(?:status|keywords|uid|mozilla-[a-z0-9-]+):[^\n]*\n")
_LARGEST = 256 << 20


def maildir(folder: Path) -> dict[str, Path]:
    """The mails in a Maildir by their unique names, which no mark changes. BadInput if none is."""
    if not (folder / "cur").is_dir():
        message = f"{system.shown(folder)} is not a Maildir: it has no folder cur"
        raise BadInput("post/maildir", message, "look at the path in the account")
    found = {}
    for below in ("new", "cur"):  # in this order: a mail that moves meanwhile is seen once or twice
        for name in system.list_names(folder / below):
            if not name.startswith("."):
                found[re.split("[:;!]2,", name)[0]] = folder / below / name
    return found


def delivered(path: Path) -> int:
    """When a mail was put into its Maildir, in seconds since 1970. BadInput if it is gone."""
    stamp = _STAMP.match(path.name)
    with system.os_errors("look at", path):
        return int(stamp[0]) if stamp else int(os.stat(path).st_mtime)


def mail_in(path: Path, limit: int) -> bytes | None:
    """A mail of a Maildir; its beginning where it is larger; None if it is gone meanwhile."""
    with system.os_errors("read", path), suppress(FileNotFoundError), path.open("rb") as file:
        return file.read(limit)
    return None


def mbox(path: Path, limit: int) -> Iterator[tuple[bytes, bytes]]:
    """Of each mail in an mbox: what tells it from others, however it is marked, and its bytes.

    Under the locks that others keep to, so that no mail is read that is half delivered.
    """
    read_size(path)
    with _locked(path) as box:
        for key in box.iterkeys():
            data = box.get_bytes(key, from_=True)
            line, _, mail = data.partition(b"\n")
            head, gap, body = mail.partition(b"\n\n")
            yield line + b"\n" + _CHANGING.sub(b"", head + b"\n") + gap + body, mail[:limit]


def read_size(path: Path) -> None:
    """BadInput unless it is a file that can be read and is not enormous."""
    with system.os_errors("read", path):
        size = os.stat(path).st_size
    if not path.is_file() or size > _LARGEST:
        message = f"{system.shown(path)} is not an mbox, or has over 256 MiB"
        raise BadInput("post/mbox", message, "look at the path in the account")


@contextmanager
def _locked(path: Path) -> "Iterator[mailbox.mbox]":
    import mailbox

    box: mailbox.mbox | None = None
    try:
        with system.os_errors("read", path):
            box = mailbox.mbox(path, factory=None, create=False)
            with suppress(PermissionError, OSError):  # a spool that we may only read
                box.lock()
    except mailbox.ExternalClashError:
        message = f"another program is writing into {system.shown(path)}"
        raise Refused("post/mbox-busy", message, "run the command again in a moment") from None
    except mailbox.Error:
        raise _unreadable(path) from None
    try:
        yield box
    except (OSError, mailbox.Error):
        raise _unreadable(path) from None
    finally:
        box.unlock()
        box.close()


def _unreadable(path: Path) -> PbemError:
    return BadInput("post/mbox", f"{system.shown(path)} cannot be read", "look at who owns it")


_POSTMARK = re.compile(
    rb"(?m)^From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d(?::\d\d)?"
    rb"(?: [A-Z+\-\d]{1,5})? \d{4}(?: [+-]\d{4})?\r?$"
)


def saved_in(name: str) -> list[tuple[str, bytes | None, int | None]]:
    """The mails in what a user named, which may be a file, an mbox, a Maildir, a folder or ``-``:
    what to call each, its bytes (None: the file itself has them), when it was delivered.

    Those of a folder are sorted by name, those of an mbox lie as they came.
    """
    path = Path(name)
    if name == "-":
        return _saved(name, whole.read_input(name, _LARGEST))
    if name and (path / "cur").is_dir():
        found = [(delivered(file), file.name, file) for file in maildir(path).values()]
        return [(str(file), None, when) for when, _, file in sorted(found)]
    if name and path.is_dir():
        files = [path / one for one in system.list_names(path) if not one.startswith(".")]
        rows = [row for file in files if file.is_file() for row in saved_in(str(file))]
        if not rows:
            hint = "save the emails into it, or name their files"
            raise BadInput(
                "file/folder", f"there is no file in the folder {system.shown(path)}", hint
            )
        return rows
    if name and path.is_file() and _POSTMARK.match(whole.read_beginning(name)):
        return _saved(name, whole.read_input(name, _LARGEST))
    return [(name, None, None)]


def _saved(name: str, data: bytes) -> list[tuple[str, bytes | None, int | None]]:
    begins = [found.start() for found in _POSTMARK.finditer(data)]
    starts = [
        at for at in begins if not at or data[max(0, at - 4) : at].endswith((b"\n\n", b"\r\n\r\n"))
    ]
    if len(starts) < 2 or starts[0]:
        return [(name, data, None)]
    mails = [data[at:end] for at, end in zip(starts, [*starts[1:], None], strict=True)]
    return [(f"{name}, email {n}", mail, None) for n, mail in enumerate(mails, 1)]
