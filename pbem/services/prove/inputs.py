"""What is named to be audited: games, archives, and the emails that are held against them.

What must never be here: what a letter says (saved_emails.py), what becomes of any (audit.py).
Laws: nothing is passed over in silence that could hide a letter; of a game's own folder nothing is
one; games are read one at a time, however many.
Source: docs/SPECIFICATION.md section 12.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from pbem.disk.folder import GameFolder
from pbem.disk.mailboxes import list_maildir, read_saved_emails
from pbem.disk.system import is_file, is_folder, list_names
from pbem.disk.whole import open_to_read, read_input
from pbem.errors import BadInput, PbemError
from pbem.mail.identity import GAME_ID
from pbem.mail.text import UTF_16, decode
from pbem.proof.audit.saved_emails import SavedEmail

LIMIT = 64 << 20
#: the line that the block of a report or receipt begins with, also in a mail
REPORT = (
    rf"(?m)^[> ]*(?:(?:receipt )?pbem 1 {GAME_ID} |"
    r"\[pbem [0-9A-Z]{4}-[0-9A-Z]{4}\]|Subject: .*\[pbem )"
).encode()
#: bytes of an archive, or a game's folder, which is read where it is audited
AuditInput = tuple[Path, bytes | PbemError | None]
#: emails, reports and receipts that were given, or why one cannot be read
SavedEmails = Mapping[Path, SavedEmail | PbemError]
#: how packed files begin that may have no byte 00: gzip, bzip2
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
    """Whether a file begins as a tar file does."""
    if not is_file(path):
        return False
    try:
        with open_to_read(path) as fd:
            return os.read(fd, 512)[257:262] == b"ustar"
    except PbemError:
        return False


def read_emails_in(paths: Sequence[Path]) -> SavedEmails:
    """Those that are named or lie in a folder that is named, and what there could hide some; none
    of a game's own folder.
    """
    emails = dict[Path, SavedEmail | PbemError]()
    for path in paths:
        inner_paths = _paths_inside(path)
        files = (inner_path for inner_path in inner_paths if is_file(inner_path) and not is_archive(inner_path))
        is_named = inner_paths == [path]
        path_emails = {
            inner_path: email for inner_path in files if (email := _read_email(inner_path, is_named)) is not None
        }
        if inner_paths != [path] and path_emails:  # a folder of letters
            path_emails |= {
                inner_path: _SKIPPED
                for inner_path in inner_paths
                if inner_path not in path_emails and _is_opaque(inner_path)
            }
        emails |= path_emails
        if inner_paths != [path] and not any(
            inner_path in emails or _is_game(inner_path) for inner_path in inner_paths
        ):
            message = f"there is no game and no archive in {path}"
            raise BadInput("audit/none", message, "name an archive; `pbem archive` makes them")
    return emails


def list_inputs(
    paths: Sequence[Path], only_archives: bool = False, saved_emails: SavedEmails = MappingProxyType({})
) -> Iterator[AuditInput]:
    """Every game and archive that is named or lies in a folder that is named, one at a time."""
    pairs = ((named_path, inner_path) for named_path in paths for inner_path in _paths_inside(named_path))
    for path in (inner_path for named_path, inner_path in pairs if inner_path == named_path or _is_game(inner_path)):
        if path in saved_emails:
            continue
        if is_folder(path):
            yield path, _FOLDER_ERROR if only_archives else None
            continue
        try:
            yield path, read_input(str(path), LIMIT)
        except PbemError as error:
            yield path, error


def list_emails(path: Path) -> Iterator[tuple[Path, bytes | None]]:
    """A path; of a mailbox, and of a folder that is no game, all in it, emails with their bytes."""
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
    """What is signed in a file, if it is an email, a report, a receipt, or a mailbox of them."""
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
    email = SavedEmail(str(path), (*blocks, *receipts), unread, is_named)
    return email if is_report or email.blocks or unread.possibly_missing else None


def _is_opaque(path: Path) -> bool:
    """Whether what lies in a folder of letters may have some that are not looked at: a folder that
    is no game, a file that is no text (packed, or of one mail program alone).
    """
    if is_folder(path):
        return not _is_game(path) and bool(list_names(path))
    data = b"" if is_archive(path) else read_input(str(path), LIMIT)
    return not data.startswith(UTF_16) and (b"\0" in data or data.startswith(_PACKED))


def _paths_inside(path: Path) -> list[Path]:
    """What is given with a path: a file, a game's folder, the emails of a Maildir, or what any
    other folder has in it.
    """
    if not is_folder(path) or GameFolder(path).is_game():
        return [path]
    if is_folder(path / "cur"):
        return [*list_maildir(path).values()]
    return [path / name for name in list_names(path) if not name.startswith(".")]


def _is_game(path: Path) -> bool:
    """Whether a path is a game, or the archive of one."""
    return GameFolder(path).is_game() if is_folder(path) else is_archive(path)
