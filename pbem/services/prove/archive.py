"""``pbem archive``: a game as one file, as proof.

What must never be here: the form of an archive (proof/audit/archive.py).
Laws: what contradicts itself is not given out as proof; of a game that is not over no secret is in
it, and nothing that waits; no address, no mail, no password is ever in it.
Source: docs/SPECIFICATION.md section 11.
"""

from pathlib import Path
from typing import NamedTuple

from pbem.disk import whole
from pbem.disk.system import look
from pbem.disk.whole import read
from pbem.errors import BadInput, Refused
from pbem.proof.audit.archive import Archive, pack, unpack
from pbem.proof.audit.audit import Audit, TrustAnchors
from pbem.proof.audit.findings import is_over
from pbem.services.prove.audit import hands_kept, look_into, words_of
from pbem.services.session.session import open_session


class Archived(NamedTuple):
    """A game that was written into an archive."""

    audit: Audit
    over: bool
    notes: list[str]


def archive_game(directory: Path, output: Path, time: str, unfinished: bool) -> Archived:
    """Write it. ``unfinished``: also of a game that is not over."""
    session = open_session(directory, time)
    with session.folder.lock():
        session = session.reread()
        states = {n: session.folder.state(n) or b"" for n in session.folder.numbers()}
        states[session.link.n] = session.newest.raw  # game.toml may be all there is of it
        if left := session.folder.cut_short():
            session.notes.append(left)
        hands = hands_kept(session.folder)
    found = _audited(Archive(states, session.secret, hands=hands))
    over = found.replay is not None and is_over(found.replay, found.states)
    if not over and not unfinished:
        way = "add --unfinished; the archive then holds no secret and proves only the chain"
        raise Refused("archive/unfinished", f"the game in {directory} is not over", way)

    words = words_of(found.replay if over else None, found.states)
    contents = Archive(states, session.secret if over else b"", words, hands=hands)
    data = pack(contents, found.game, session.key.signing, session.key.public)
    _write(output, data)
    return Archived(found, over, session.notes)


def _audited(contents: Archive) -> Audit:
    """An archive of a game that does not hold would accuse its own referee: say so now."""
    found = look_into(contents, TrustAnchors())
    wrong = found.first
    if wrong is not None:
        why = f"this game does not prove what it says: {wrong.says}"
        raise Refused("archive/contradicted", why, "see `pbem audit DIR` and `pbem verify DIR`")
    return found


def _write(output: Path, data: bytes) -> None:
    """An older archive is replaced; a key, a state or a photograph is not."""
    if look(output):
        try:
            unpack(read(output, 64 << 20))
        except BadInput:
            why = f"{output} is there already and is not an archive"
            raise Refused("archive/other-file", why, "name another file") from None
    whole.write_there(output, data)
