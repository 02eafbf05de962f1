"""``pbem audit``: games gone through again, each by itself, and against the others given with it.

What lives here: finding what there is to audit, the audit of each, whether two files have one
history. What must never be here: what makes a game honest (moderator/audit); what is said of it.
Law: it needs no referee and no secret of his.
Source: docs/SPECIFICATION.md section 12.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pbem.disk.folder import GameFolder
from pbem.disk.whole import read_input
from pbem.errors import BadInput, PbemError
from pbem.moderator.audit.archive import Archive, unpack
from pbem.moderator.audit.audit import Audit, TrustAnchors
from pbem.moderator.verify.together import parting
from pbem.services.proof.archive import is_archive
from pbem.services.proof.proving import contents_of, is_game, look_into

LIMIT = 1 << 30
#: the line that a report's block begins with, also in a mail
REPORT = rb"(?m)^[> ]*(?:pbem 1 [a-z2-7]{26} |\[pbem [0-9A-Z]{4}-[0-9A-Z]{4}\]|Subject: .*\[pbem )"
#: by game: the files seen with it, and what was found in each
Seen = dict[str, list[tuple[Path, Audit]]]


class Audited(NamedTuple):
    """One game: its audit, or why it cannot be read; and what other files given have of it."""

    path: Path
    found: Audit | PbemError
    parted: str = ""  #: the verdict where another file has other states of the same game
    why: str = ""


def audits(paths: Sequence[Path], known: TrustAnchors) -> list[Audited]:
    """Every game and archive that is named or lies in a folder that is named."""
    seen: Seen = {}
    return [_one(path, known, seen) for given in paths for path in _inside(given)]


def _one(path: Path, known: TrustAnchors, seen: Seen) -> Audited:
    try:
        found = look_into(_contents(path), known)
    except PbemError as error:
        return Audited(path, error)
    return Audited(path, found, *_parted(path, found, seen))


def _inside(path: Path) -> list[Path]:
    """What there is to audit: a file, a game's folder, or what a folder holds of both."""
    if not path.is_dir() or is_game(path):
        return [path]
    found = [
        one
        for one in sorted(path.iterdir())
        if not one.name.startswith(".") and (is_game(one) if one.is_dir() else is_archive(one))
    ]
    if not found:
        raise BadInput(
            "audit/none",
            f"there is no game and no archive in {path}",
            "name an archive; `pbem archive` makes them",
        )
    return found


def _contents(path: Path) -> Archive:
    if path.is_dir():
        return contents_of(GameFolder(path))
    data = read_input(str(path), LIMIT)
    if data[257:262] != b"ustar" and re.search(REPORT, data):
        raise BadInput(
            "audit/report",
            "this is an email or a report, not an archive",
            f"check it with `pbem verify GAME {path}`, where GAME is the game's folder or archive",
        )
    return unpack(data)


def _parted(path: Path, found: Audit, seen: Seen) -> tuple[str, str]:
    """(verdict, why) where another file has other states of the same game: was one rewritten?"""
    before = seen.setdefault(found.game, [])
    known = before[:]
    before.append((path, found))
    excused = ("", "")
    for other, first in known:
        heads, links = [], []
        for one in (first, found):
            heads.append({n: state.head for n, state in one.states.items()})
            links.append({n: state.link for n, state in one.states.items()})
        parted = parting(heads[0], heads[1], links[0], links[1])
        if parted is not None and not parted.lost:
            return "contradicted", f"{parted.words(str(other))} ({parted.hint})"
        if parted is not None:
            excused = ("not checked", f"{parted.words(str(other))} ({parted.hint})")
    return excused
