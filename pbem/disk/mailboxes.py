"""The mailboxes of this machine, Maildir and mbox, which pbem only reads.

Not allowed here: which emails are wanted; changing an email, which stays as unread as it
was.
Source: docs/decisions/0014-the-post.md; maildir(5), mbox(5).
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbem.disk import system, whole
from pbem.errors import BadInput, PbemError, Refused

if TYPE_CHECKING:
    import mailbox

_STAMP = re.compile(r"[0-9]{9,11}(?=\.)")
#: headers that email programs change in an mbox, although the email is the same
_CHANGING_HEADERS = re.compile(rb"(?im)^(?:x-)?(?:status|keywords|uid|mozilla-[a-z0-9-]+):[^\n]*\n")
_MAX_SIZE = 256 << 20


def list_maildir(folder: Path) -> dict[str, Path]:
    """Return the emails in a Maildir by their unique names, which no flag changes. BadInput."""
    if not system.is_folder(folder / "cur"):
        path = system.printable_path(folder)
        folders = " ".join(f"{path}/{name}" for name in ("cur", "new", "tmp"))
        hint = f"make it with `mkdir -p {folders}`, or correct the path in post.toml"
        raise BadInput("post/maildir", f"{path} is not a Maildir: it has no folder cur", hint)
    paths_by_name = {}
    for subfolder in ("new", "cur"):  # in this order, an email that moves meanwhile is not missed
        for name in system.list_names(folder / subfolder):
            if not name.startswith("."):
                paths_by_name[re.split("[:;!]2,", name)[0]] = folder / subfolder / name
    return paths_by_name


def delivery_time(path: Path) -> int:
    """Return when an email was put into its Maildir, in seconds since 1970. Raises BadInput if it is gone."""
    stamp = _STAMP.match(path.name)
    with system.os_errors("look at", path):
        return int(stamp[0]) if stamp else int(os.stat(path).st_mtime)


def read_email(path: Path, limit: int) -> bytes | None:
    """Return an email of a Maildir, or its beginning if it is larger; None if it is gone meanwhile."""
    with system.os_errors("read", path), suppress(FileNotFoundError), path.open("rb") as file:
        return file.read(limit)
    return None


class MboxEmail(NamedTuple):
    """An email in an mbox."""

    identity: bytes  #: the same for the same email, whatever its flags
    data: bytes


def read_mbox(path: Path, limit: int) -> Iterator[MboxEmail]:
    """Yield the emails in an mbox, under the locks that email programs use."""
    check_mbox_file(path)
    with _locked_mbox(path) as box:
        for key in box.iterkeys():
            data = box.get_bytes(key, from_=True)
            postmark, _, mail = data.partition(b"\n")
            headers, separator, body = mail.partition(b"\n\n")
            stable_headers = _CHANGING_HEADERS.sub(b"", headers + b"\n")
            yield MboxEmail(postmark + b"\n" + stable_headers + separator + body, mail[:limit])


def check_mbox_file(path: Path) -> None:
    """Raise BadInput unless it is a readable file of a reasonable size."""
    with system.os_errors("read", path):
        file_stat = os.stat(path)
    if not stat.S_ISREG(file_stat.st_mode) or file_stat.st_size > _MAX_SIZE:
        message = f"{system.printable_path(path)} is not an mbox, or has over 256 MiB"
        raise BadInput("post/mbox", message, "look at the path in the account")


@contextmanager
def _locked_mbox(path: Path) -> "Iterator[mailbox.mbox]":
    import mailbox

    box: mailbox.mbox | None = None
    try:
        with system.os_errors("read", path):
            box = mailbox.mbox(path, factory=None, create=False)
            with suppress(PermissionError, OSError):  # a spool that pbem may only read
                box.lock()
    except mailbox.ExternalClashError:
        message = f"another program is writing into {system.printable_path(path)}"
        raise Refused("post/mbox-busy", message, "run the command again in a moment") from None
    except mailbox.Error:
        raise _unreadable_error(path) from None
    try:
        yield box
    except (OSError, mailbox.Error):
        raise _unreadable_error(path) from None
    finally:
        box.unlock()
        box.close()


def _unreadable_error(path: Path) -> PbemError:
    return BadInput("post/mbox", f"{system.printable_path(path)} cannot be read", "look at who owns it")


_POSTMARK = re.compile(
    rb"(?m)^From \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d(?::\d\d)?"
    rb"(?: [A-Z+\-\d]{1,5})? \d{4}(?: [+-]\d{4})?\r?$"
)


class SavedEmail(NamedTuple):
    """An email that a user named."""

    label: str  #: what messages call it
    data: bytes | None  #: None: the file called ``label`` has the bytes
    delivered_at: int | None = None  #: in seconds since 1970, if that is known


def read_saved_emails(name: str) -> list[SavedEmail]:
    """Return the emails in what a user named: a file, an mbox, a Maildir, a folder or ``-``. Those
    of a folder are sorted by name, those of an mbox are in its order.
    """
    path = Path(name)
    if name == "-":
        return _split_mbox(name, whole.read_input(name, _MAX_SIZE))
    if name and system.is_folder(path / "cur"):
        deliveries = [(delivery_time(file), file.name, file) for file in list_maildir(path).values()]
        return [SavedEmail(str(file), None, delivered_at) for delivered_at, _, file in sorted(deliveries)]
    if name and system.is_folder(path):
        files = [path / file_name for file_name in system.list_names(path) if not file_name.startswith(".")]
        emails = [email for file in files if system.is_file(file) for email in read_saved_emails(str(file))]
        if not emails:
            hint = "save the emails into it, or name their files"
            raise BadInput("file/folder", f"there is no file in the folder {system.printable_path(path)}", hint)
        return emails
    if name and system.is_file(path) and _POSTMARK.match(whole.read_beginning(name)):
        return _split_mbox(name, whole.read_input(name, _MAX_SIZE))
    return [SavedEmail(name, None)]


def _split_mbox(name: str, data: bytes) -> list[SavedEmail]:
    postmarks = [match.start() for match in _POSTMARK.finditer(data)]
    starts = [
        start for start in postmarks if not start or data[max(0, start - 4) : start].endswith((b"\n\n", b"\r\n\r\n"))
    ]
    if len(starts) < 2 or starts[0]:
        return [SavedEmail(name, data)]
    emails = [data[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    return [SavedEmail(f"{name}, email {n}", mail) for n, mail in enumerate(emails, 1)]
