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
from pbem.disk.mailboxes import maildir, saved_in
from pbem.disk.system import is_file, is_folder, list_names
from pbem.disk.whole import open_to_read, read_input
from pbem.errors import BadInput, PbemError
from pbem.mail.identity import GAME_ID
from pbem.mail.text import UTF_16, decode
from pbem.proof.audit.saved_emails import Letter

LIMIT = 64 << 20
#: the line that the block of a report or receipt begins with, also in a mail
REPORT = (
    rf"(?m)^[> ]*(?:(?:receipt )?pbem 1 {GAME_ID} |"
    r"\[pbem [0-9A-Z]{4}-[0-9A-Z]{4}\]|Subject: .*\[pbem )"
).encode()
#: bytes of an archive, or a game's folder, which is read where it is audited
Given = tuple[Path, bytes | PbemError | None]
#: emails, reports and receipts that were given, or why one cannot be read
Letters = Mapping[Path, Letter | PbemError]
#: how packed files begin that may have no byte 00: gzip, bzip2
_PACKED = (b"\x1f\x8b", b"BZh")
_PASSED_OVER = BadInput(
    "audit/skipped",
    "what is in it was not looked at",
    "unpack it, or save its emails as text, and name that too",
)
_FOLDER = BadInput(
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


def letters_in(paths: Sequence[Path]) -> Letters:
    """Those that are named or lie in a folder that is named, and what there could hide some; none
    of a game's own folder.
    """
    found = dict[Path, Letter | PbemError]()
    for path in paths:
        there = _inside(path)
        whole = (one for one in there if is_file(one) and not is_archive(one))
        named = there == [path]
        mine = {one: letter for one in whole if (letter := _letter(one, named)) is not None}
        if there != [path] and mine:  # a folder of letters
            mine |= {one: _PASSED_OVER for one in there if one not in mine and _opaque(one)}
        found |= mine
        if there != [path] and not any(one in found or _is_game(one) for one in there):
            why = f"there is no game and no archive in {path}"
            raise BadInput("audit/none", why, "name an archive; `pbem archive` makes them")
    return found


def given_in(
    paths: Sequence[Path], only_archives: bool = False, letters: Letters = MappingProxyType({})
) -> Iterator[Given]:
    """Every game and archive that is named or lies in a folder that is named, one at a time."""
    given = ((one, inside) for one in paths for inside in _inside(one))
    for path in (inside for one, inside in given if inside == one or _is_game(inside)):
        if path in letters:
            continue
        if is_folder(path):
            yield path, _FOLDER if only_archives else None
            continue
        try:
            yield path, read_input(str(path), LIMIT)
        except PbemError as error:
            yield path, error


def mails_in(path: Path) -> Iterator[tuple[Path, bytes | None]]:
    """A path; of a mailbox, and of a folder that is no game, all in it, emails with their bytes."""
    for one in _inside(path):
        if _is_game(one):
            yield one, None
        elif is_folder(one) and one != path and not one.is_symlink():
            yield from mails_in(one)
        elif not is_folder(one):
            for name, data, _ in saved_in(str(one)):
                whole = data is not None or one == path
                yield Path(name), data if whole else read_input(name, LIMIT)


def _letter(path: Path, by_itself: bool) -> Letter | PbemError | None:
    """What is signed in a file, if it is an email, a report, a receipt, or a mailbox of them."""
    from pbem.mail.parsed import is_mail
    from pbem.services.prove.saved_emails import signed_blocks

    data = read_input(str(path), LIMIT)
    text = decode(data).encode() if data.startswith(UTF_16) else data.replace(b"\r", b"\n")
    named = is_mail(text) or re.search(REPORT, text) is not None
    if not named and b"pbem" not in text:
        return None
    try:
        blocks, receipts, unread = signed_blocks(data)
    except PbemError as error:
        return error if named or error.code.endswith("/block") else None
    letter = Letter(str(path), (*blocks, *receipts), unread, by_itself)
    return letter if named or letter.blocks or unread.missing else None


def _opaque(path: Path) -> bool:
    """Whether what lies in a folder of letters may have some that are not looked at: a folder that
    is no game, a file that is no text (packed, or of one mail program alone).
    """
    if is_folder(path):
        return not _is_game(path) and bool(list_names(path))
    data = b"" if is_archive(path) else read_input(str(path), LIMIT)
    return not data.startswith(UTF_16) and (b"\0" in data or data.startswith(_PACKED))


def _inside(path: Path) -> list[Path]:
    """What is given with a path: a file, a game's folder, the emails of a Maildir, or what any
    other folder has in it.
    """
    if not is_folder(path) or GameFolder(path).is_game():
        return [path]
    if is_folder(path / "cur"):
        return [*maildir(path).values()]
    return [path / name for name in list_names(path) if not name.startswith(".")]


def _is_game(path: Path) -> bool:
    """Whether a path is a game, or the archive of one."""
    return GameFolder(path).is_game() if is_folder(path) else is_archive(path)
