"""``pbem verify`` of an archive: its chain and its list, without the rules and the secret.

What lives here: whether a file is an archive, and what is genuine in it. What must never be here:
playing it again, which is ``pbem audit``.
Source: docs/SPECIFICATION.md sections 11 and 12.
"""

import os
from pathlib import Path
from typing import Any

from pbem.crypto.signing import key_id
from pbem.disk.whole import open_to_read, read_input
from pbem.errors import BadInput, PbemError, Refused
from pbem.moderator.audit.archive import unpack, wrong_manifest
from pbem.moderator.chain.signed_state import head_words
from pbem.moderator.verify.together import Given
from pbem.moderator.verify.verify import check_chain

LIMIT = 1 << 30


def is_archive(path: Path) -> bool:
    """Whether a file begins as a tar file does."""
    if not path.is_file():
        return False
    try:
        with open_to_read(path) as fd:
            return os.read(fd, 512)[257:262] == b"ustar"
    except PbemError:
        return False


def verify_archive(
    path: Path, key: bytes | None, game: str | None, chains: Given
) -> tuple[str, dict[str, Any]]:
    """What is said of it, and the same as data; Refused or BadInput where it is not genuine."""
    contents = unpack(read_input(str(path), LIMIT))
    if 0 not in contents.states:
        raise BadInput(
            "archive/changed",
            "its first state is missing",
            "get it again from where it came, unchanged",
        )
    found = check_chain(contents.states, key, game)
    if found.last is None or (wrong := wrong_manifest(contents, found.game, found.key)):
        raise Refused(
            "archive/changed", wrong, "get it again from where it came; `pbem audit` says more"
        )
    chains.keep(str(path), found)
    last = found.last.n
    in_words = head_words(found.heads[last])

    says = (
        f"genuine: an archive of game {found.game}, states 0 to {last}, {found.openings} openings, "
        f"signed by key {key_id(found.key)}, state {last} in words: {in_words}; rules and "
        f"orders are not checked here: pbem audit {path} does that"
    )
    data = {"game": found.game, "first": 0, "last": last, "openings": found.openings}
    ruled = [
        f"{one.name} (state {n})" for n, link in sorted(found.links.items()) for one in link.rulings
    ]
    return says, {**data, "words": in_words, "rulings": ruled}
