"""Does a round follow the one that it says was given up? Two chains against each other.

What lives here: ``follows``. What must never be here: files, the secret, the rules of a game.
Law: what could not be checked is said. Source: docs/SPECIFICATION.md section 5; P4.
"""

from collections.abc import Mapping

from pbem.crypto.encoding import b64
from pbem.errors import Refused
from pbem.moderator.chain.link import CLOSED
from pbem.moderator.verify.verify import Chain

NONE = "none"


def follows(found: Chain, chains: Mapping[str, Chain]) -> str:
    """What is to be said of the round before this one, "" where it is the first.

    Refused ``verify/round`` where the one before is here and was not given up before its deal.
    """
    if found.last is None:
        return ""
    setup = found.last.setup
    if setup.previous == NONE:
        if setup.round != 1:
            raise _wrong(found, f"calls itself round {setup.round} and names none before it")
        return ""
    before = next((x for x in chains.values() if b64(x.heads.get(0, b"")) == setup.previous), None)
    if before is None or before.last is None:
        return f"; it is round {setup.round}, and the one before it is not here"
    if before.last.phase != CLOSED or before.last.dealt:
        raise _wrong(found, f"replaces game {before.game}, which was not given up before its deal")
    if before.last.setup.round != setup.round - 1:
        raise _wrong(found, f"is round {setup.round} after round {before.last.setup.round}")
    return f"; it is round {setup.round}, after game {before.game}, which was given up"


def _wrong(found: Chain, what: str) -> Refused:
    return Refused("verify/round", f"game {found.game} {what}", "keep both: together they prove it")
