"""``pbem archive``: writes a game into one file that proves how it was played.

Not allowed here: the format of an archive (proof/audit/archive.py).
Laws: a game that contradicts itself is not archived. While a game is not over, its archive has no
secret and no pending orders. It never has an address, email or password.
Source: docs/SPECIFICATION.md section 11.
"""

from pathlib import Path
from typing import NamedTuple

from pbem.disk import whole
from pbem.disk.system import stat_or_none
from pbem.disk.whole import read
from pbem.errors import BadInput, Refused
from pbem.proof.audit.archive import Archive, pack, unpack
from pbem.proof.audit.audit import Audit, TrustAnchors
from pbem.proof.audit.findings import is_over
from pbem.services.prove.audit import audit_archive, make_texts, read_all_pending
from pbem.services.session.session import Session, open_session


class ArchiveResult(NamedTuple):
    """A game that was written into an archive."""

    audit: Audit
    is_finished: bool
    notes: list[str]


def archive_game(directory: Path, output: Path, time: str, allow_unfinished: bool) -> ArchiveResult:
    """Write the archive of a game to ``output``. Raises Refused if it is not over, unless ``allow_unfinished``."""
    session = open_session(directory, time)
    with session.folder.lock():
        session = session.reread()
        if notice := session.folder.describe_unfinished():
            session.notes.append(notice)
        contents = read_game(session)
    audit, is_finished, data = pack_game(session, contents, allow_unfinished)
    _write_archive(output, data)
    return ArchiveResult(audit, is_finished, session.notes)


def read_game(session: Session) -> Archive:
    """Return what an archive is made of: states, secret and pending orders. The caller holds the lock."""
    states = {n: session.folder.read_state(n) or b"" for n in session.folder.list_state_numbers()}
    states[session.record.n] = session.newest.raw  # it may be in game.toml only
    return Archive(states, session.secret, pending_values=read_all_pending(session.folder))


class PackedGame(NamedTuple):
    """A game as the bytes of its archive."""

    audit: Audit
    is_finished: bool
    data: bytes


def pack_game(session: Session, contents: Archive, allow_unfinished: bool = False) -> PackedGame:
    """Return the archive of a game. Raises Refused if the game contradicts itself, or is not over although it must."""
    audit = _audit_or_refuse(contents)
    is_finished = audit.replay is not None and is_over(audit.replay, audit.states)
    if not is_finished and not allow_unfinished:
        hint = "add --unfinished; the archive then holds no secret and proves only the log"
        raise Refused("archive/unfinished", f"the game in {session.folder.root} is not over", hint)

    texts = make_texts(audit.replay if is_finished else None, audit.states)
    contents = contents._replace(secret=contents.secret if is_finished else b"", texts=texts)
    return PackedGame(audit, is_finished, pack(contents, audit.game, session.key.signing, session.key.public))


def _audit_or_refuse(contents: Archive) -> Audit:
    """Return the audit of a game. Raises Refused if it contradicts itself: its archive would accuse the referee."""
    audit = audit_archive(contents, TrustAnchors())
    contradiction = audit.first_contradiction
    if contradiction is not None:
        message = f"this game does not prove what it says: {contradiction.text}"
        raise Refused("archive/contradicted", message, "see `pbem audit DIR` and `pbem verify DIR`")
    return audit


def _write_archive(output: Path, data: bytes) -> None:
    """Write a new archive, or replace one. Raises Refused if any other file would be replaced."""
    if stat_or_none(output):
        try:
            unpack(read(output, 64 << 20))
        except BadInput:
            message = f"{output} is there already and is not an archive"
            raise Refused("archive/other-file", message, "name another file") from None
    whole.write_user_file(output, data)
