"""Reads the inputs of an audit: games, archives, and the saved emails that are compared with them.

A report, or another email of pbem, ends with a signed block. An audit looks for such blocks in the emails
that a player saved.
Not allowed here: the blocks in an email (saved_emails.py), the audit itself (audit.py).
Laws: whatever may hide an email is mentioned. No emails are looked for in a game's own folder. Games are
read one at a time, however many there are.
Source: docs/SPECIFICATION.md section 12.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pbem.crypto.encoding import digest
from pbem.disk.folder import GameFolder
from pbem.disk.mailboxes import list_maildir, read_saved_emails
from pbem.disk.system import is_file, is_folder, list_names
from pbem.disk.whole import open_to_read, read_input
from pbem.errors import BadInput, PbemError
from pbem.mail.identity import GAME_ID
from pbem.mail.text import UTF_16, decode
from pbem.proof.audit.saved_emails import SavedEmail

LIMIT = 64 << 20
#: a line that only an email of pbem or a signed block has
REPORT = (
    rf"(?m)^[> ]*(?:(?:receipt )?pbem 1 {GAME_ID} |"
    r"\[pbem [0-9A-Z]{4}-[0-9A-Z]{4}\]|Subject: .*\[pbem )"
).encode()


class AuditInput(NamedTuple):
    """A game to audit."""

    path: Path
    data: bytes | PbemError | None  #: of an archive, or why it cannot be read; None for a game's folder


#: the emails, reports and receipts that were given, or why one cannot be read
SavedEmails = Mapping[Path, SavedEmail | PbemError]
#: how gzip and bzip2 files begin. They may have no zero byte, by which other packed files are known
_PACKED = (b"\x1f\x8b", b"BZh")
_SKIPPED = BadInput(
    "audit/skipped", "what is in it was not looked at", "unpack it, or save its emails as text, and name that too"
)
_FOLDER_ERROR = BadInput(
    "audit/cluster-folder",
    "this is a folder, and a cluster audits only archives",
    "leave --cluster out, or make an archive of it",
)


def is_archive(path: Path) -> bool:
    """Return whether a path is a file that begins as a tar file does."""
    if not is_file(path):
        return False
    try:
        with open_to_read(path) as fd:
            return os.read(fd, 512)[257:262] == b"ustar"
    except PbemError:
        return False


def read_emails_in(paths: Sequence[Path]) -> SavedEmails:
    """Read the saved emails that are named, or are in a named folder that is not a game.

    In a folder of emails, a file or folder that may hide more of them is reported as an error of its own.
    Raises BadInput ``audit/none`` for a folder with neither games nor emails.
    """
    emails = dict[Path, SavedEmail | PbemError]()
    for path in paths:
        inner_paths = _paths_inside(path)
        is_named = inner_paths == [path]
        path_emails = dict[Path, SavedEmail | PbemError]()
        for inner_path in inner_paths:
            if not is_file(inner_path) or is_archive(inner_path):
                continue
            email = _read_email(inner_path, is_named)
            if email is not None:
                path_emails[inner_path] = email
        if path_emails and not is_named:  # a folder of emails
            other_paths = [inner_path for inner_path in inner_paths if inner_path not in path_emails]
            path_emails |= {other_path: _SKIPPED for other_path in other_paths if _is_opaque(other_path)}
        emails |= path_emails
        if not is_named and not path_emails and not any(map(_is_game, inner_paths)):
            message = f"there is no game and no archive in {path}"
            raise BadInput("audit/none", message, "name an archive; `pbem archive` makes them")
    return emails


def list_inputs(
    paths: Sequence[Path], only_archives: bool = False, saved_emails: SavedEmails = MappingProxyType({})
) -> Iterator[AuditInput]:
    """Yield every game and archive that is named or is in a named folder, one at a time."""
    for named_path in paths:
        for path in _paths_inside(named_path):
            if path in saved_emails or not (path == named_path or _is_game(path)):
                continue
            if is_folder(path):
                yield AuditInput(path, _FOLDER_ERROR if only_archives else None)
                continue
            try:
                yield AuditInput(path, read_input(str(path), LIMIT))
            except PbemError as error:
                yield AuditInput(path, error)


def list_emails(path: Path) -> Iterator[tuple[Path, bytes | None]]:
    """Yield the emails in a mailbox, or in a folder that is not a game, with their bytes.

    For a game, or for a file that is ``path`` itself, yield None in place of the bytes.
    """
    for inner_path in _paths_inside(path):
        if _is_game(inner_path):
            yield inner_path, None
        elif is_folder(inner_path) and inner_path != path and not inner_path.is_symlink():
            yield from list_emails(inner_path)
        elif not is_folder(inner_path):
            for name, data, _ in read_saved_emails(str(inner_path)):
                is_loaded = data is not None or inner_path == path
                yield Path(name), data if is_loaded else read_input(name, LIMIT)


def _read_email(path: Path, is_named: bool) -> SavedEmail | PbemError | None:
    """Return the signed blocks in an email, report, receipt or mailbox, or None for any other file."""
    from pbem.mail.parsed import is_mail
    from pbem.services.prove.saved_emails import read_signed_blocks

    data = read_input(str(path), LIMIT)
    text = decode(data).encode() if data.startswith(UTF_16) else data.replace(b"\r", b"\n")
    is_report = is_mail(text) or re.search(REPORT, text) is not None
    if not is_report and b"pbem" not in text:
        return None
    try:
        blocks, receipts, unread = read_signed_blocks(data)
    except PbemError as error:
        return error if is_report or error.code.endswith("/block") else None
    email = SavedEmail(str(path), (*blocks, *receipts), unread, is_named, digest(data).hex())
    return email if is_report or email.blocks or unread.possibly_missing else None


def _is_opaque(path: Path) -> bool:
    """Return whether a path may hide emails: as a folder that is not a game, or as a file that is not text."""
    if is_folder(path):
        return not _is_game(path) and bool(list_names(path))
    data = b"" if is_archive(path) else read_input(str(path), LIMIT)
    return not data.startswith(UTF_16) and (b"\0" in data or data.startswith(_PACKED))


def _paths_inside(path: Path) -> list[Path]:
    """Return the emails of a Maildir, the contents of another folder, or the path itself for a file or a game."""
    if not is_folder(path) or GameFolder(path).is_game():
        return [path]
    if is_folder(path / "cur"):
        return [*list_maildir(path).values()]
    return [path / name for name in list_names(path) if not name.startswith(".")]


def _is_game(path: Path) -> bool:
    """Return whether a path is a game's folder or an archive."""
    return GameFolder(path).is_game() if is_folder(path) else is_archive(path)
