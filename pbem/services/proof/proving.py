"""What ``pbem archive`` and ``pbem audit`` share: a game's states and secret, and its rules.

What lives here: reading a folder, the rules for an audit, the audit with its transcript. What must
never be here: printing.
Law: who audits needs no key and no desk; a desk that is there is the referee's own.
Source: docs/DESIGN.md "Command line".
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import catalog
from pbem.disk.desk import SECRET
from pbem.disk.folder import GameFolder
from pbem.disk.reading import read_if_there
from pbem.moderator.audit.archive import MANIFEST, TRANSCRIPT, Archive, secret_of
from pbem.moderator.audit.audit import Audit, TrustAnchors, audit
from pbem.moderator.audit.states import Replay, SignedState
from pbem.moderator.audit.transcript import transcript
from pbem.moderator.chain.link import Link
from pbem.services.session.newest import playing
from pbem.services.words import said

if TYPE_CHECKING:
    from pbem.engine.game import Game

LIMIT = 1 << 30


def rules(link: Link) -> tuple["Game", str]:
    """The rules a game is played by, and the version they come from here."""
    return playing(link), catalog.distribution(link.setup.kind)[1]


def transcript_of(replay: Replay | None, states: Mapping[int, SignedState]) -> bytes:
    """The plain text of a game: with all that was hidden where it was played again."""
    link = states[max(states)].link
    return transcript(rules(link)[0], replay, states, said)


def look_into(contents: Archive, known: TrustAnchors) -> Audit:
    """The audit of one game."""
    return audit(contents, rules, known, transcript_of)


def contents_of(folder: GameFolder) -> Archive:
    """A game's folder, as if it were an archive: states and secret; all of one that was unpacked.

    In an unpacked one nothing is taken from a desk: what its manifest tells of is checked.
    """
    states = {n: folder.state(n) or b"" for n in folder.numbers()}
    data = read_if_there(folder.root / "secret", 1024)
    text = read_if_there(folder.root / TRANSCRIPT, LIMIT)
    manifest = read_if_there(folder.root / MANIFEST, LIMIT)
    torn = (text is None) != (manifest is None)
    if data is None and manifest is None and (folder.root / "desk").is_dir():
        data = folder.desk_file(SECRET)
    return Archive(
        states, secret_of(data) if data is not None else b"", text or b"", manifest or b"", torn
    )


def is_game(path: Path) -> bool:
    """Whether a game's folder lies there."""
    return GameFolder(path).is_game()
