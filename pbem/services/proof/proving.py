"""What ``pbem archive`` and ``pbem audit`` share: a game's states and secret, and its audit.

What lives here: reading a folder, the audit with all that an archive holds. What must never be
here: printing.
Law: who audits needs no key and no desk; a desk that is there is the referee's own.
Source: docs/DESIGN.md "Command line".
"""

from pathlib import Path

from pbem.disk.folder import SECRET, GameFolder
from pbem.disk.whole import read_if_there
from pbem.moderator.audit.archive import (
    FOR_PEOPLE,
    MANIFEST,
    TRANSCRIPT,
    Archive,
    Words,
    made_by,
    secret_of,
)
from pbem.moderator.audit.audit import Audit, TrustAnchors, audit
from pbem.services.proof.wording import rules, words_of

LIMIT = 1 << 30


def look_into(contents: Archive, known: TrustAnchors) -> Audit:
    """The audit of one game."""
    return audit(contents, rules, known, words_of)


def contents_of(folder: GameFolder) -> Archive:
    """A game's folder, as if it were an archive: states and secret; all of one that was unpacked.

    In an unpacked one nothing is taken from a desk: what its manifest tells of is checked.
    """
    states = {n: folder.state(n) or b"" for n in folder.numbers()}
    data = read_if_there(folder.root / "secret", 1024)
    found = {name: read_if_there(folder.root / name, LIMIT) for name in FOR_PEOPLE}
    manifest = read_if_there(folder.root / MANIFEST, LIMIT)
    told = found[TRANSCRIPT] is not None
    words = {name: text for name, text in found.items() if told and text is not None}
    torn = told != (manifest is not None)
    if data is None and manifest is None and (folder.root / "desk").is_dir():
        data = folder.desk_file(SECRET)
    secret, listed = secret_of(data) if data is not None else b"", manifest or b""
    return Archive(states, secret, Words(made_by(listed), words), listed, torn)


def is_game(path: Path) -> bool:
    """Whether a game's folder lies there."""
    return GameFolder(path).is_game()
