"""What is given together: chains, reports, receipts. Of one game, in one history? And was a
history left by a ruling?

What lives here: where two chains part; the signed block of a report or a receipt against the
states. What must never be here: the secret, the rules of a game, files.
Laws: what could not be checked is said. A ruling `restore` is the referee's word that newer states
were lost. It is told with what it gave up, never called proven, and never called a forgery: players
judge it.
Source: docs/SPECIFICATION.md sections 10 and 12; P5, P7.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from pbem.crypto.signing import key_id
from pbem.crypto.tokens import check_opening
from pbem.errors import Refused
from pbem.moderator.chain import people
from pbem.moderator.chain.link import Link
from pbem.moderator.report.block import Block, ReceiptBlock
from pbem.moderator.ruling.kind import gone_on_from
from pbem.moderator.verify.changes import maker_or_none
from pbem.moderator.verify.verify import Chain

SignedBlock = Block | ReceiptBlock
ONE_LIES = "keep both: together they prove that one of them lies"


class Parting(NamedTuple):
    """Two histories of one game: the first state of which there are two, and how that came."""

    n: int
    lost: bool = False  #: by a ruling `restore` that one of them has in state n
    here: bool = False  #: it is the second of them that has the ruling
    last: int = 0  #: the last state that is known of those lost

    def words(self, other: str) -> str:
        """The sentence for the second of them, beside the first, which is ``other``."""
        if not self.lost:
            return f"{other} has another state {self.n} of this game: one of the two was rewritten"
        which = f"states {self.n} to {self.last}" if self.last > self.n else f"state {self.n}"
        count = "count" if self.last > self.n else "counts"
        ruled = f"newer states were lost, and went on from state {self.n - 1}"
        said = f"the referee ruled in state {self.n} that {ruled}: {which}"
        if self.here:
            return f"{said} of {other} {count} no more"
        return f"in {other} {said} here {count} no more"

    @property
    def hint(self) -> str:
        more = ", and compare what was played" if self.lost else ": together they prove it"
        return f"keep both{more}"


class Given(dict[str, Chain]):
    """The chains given together, by game, and the file that each came from."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: dict[str, str] = {}

    def keep(self, path: str, found: Chain) -> None:
        """One more, the longest of a game is compared with; Refused where two of them part."""
        self.agrees(found)
        known = self.get(found.game)
        if known is None or _reach(known) < _reach(found):
            self[found.game], self.paths[found.game] = found, path

    def agrees(self, found: Chain) -> None:
        """Refused ``verify/lost`` or ``verify/two-histories`` where it is no part of the same."""
        known = self.get(found.game)
        parted = known and parting(known.heads, found.heads, known.links, found.links)
        if parted:
            code = "verify/lost" if parted.lost else "verify/two-histories"
            raise Refused(code, parted.words(self.paths[found.game]), parted.hint)


def _reach(chain: Chain) -> tuple[bool, int]:
    return chain.from_genesis, len(chain.heads)


def same_game(what: str, game: str, given: Collection[str]) -> None:
    """Refused ``verify/other-game`` where a report or receipt is of none of the games given."""
    if given and game not in given:
        wrong = f"this is a {what} of game {game}, not of {' or '.join(given)}"
        raise Refused("verify/other-game", wrong, "is it the right file?")


def parting(
    mine: Mapping[int, bytes],
    other: Mapping[int, bytes],
    links: Mapping[int, Link],
    others: Mapping[int, Link],
) -> Parting | None:
    """Where two chains of one game part, by their heads; None where neither contradicts."""
    n = min((n for n in mine.keys() & other.keys() if mine[n] != other[n]), default=None)
    if n is None:
        return None
    # a restore excuses what parts at its own state; not what parts later, in states that both had
    sure = n - 1 in mine and n - 1 in other
    for here, by, left in ((False, links, other), (True, others, mine)):
        at = max((m for m in gone_on_from(by) if m == n or (m < n and not sure)), default=None)
        if at is not None:
            return Parting(at, True, here, max(left))
    return Parting(n)


def lost(name: str, n: int | None, links: Mapping[int, Link]) -> Refused | None:
    """Of a report of state ``n`` that is not in a chain: whether a ruling says that it was lost.

    ``n`` None: of a state whose number is not known. None where no ruling can have lost it.
    """
    by = {at: old for at, old in gone_on_from(links).items() if n is None or at <= n}
    if not by:
        return None
    says = "says that newer states were lost and the game went on from state"
    ruled = "; ".join(f"his ruling in state {at} {says} {old}" for at, old in by.items())
    played = f". So it shows a state {n} that was played and counts no more" if n else ""
    what = f"{name} is signed by the referee, and not in this chain: {ruled}{played}"
    hint = "keep both, and compare what it says with what was played since"
    return Refused("verify/lost", what, hint)


def check_signature(name: str, code: str, found: SignedBlock, key: bytes | None) -> None:
    """Refused ``code`` where it was changed, ``verify/other-key`` where ``key`` did not sign it."""
    if not found.genuine():
        what = f"{name} was changed after it was signed"
        raise Refused(code, what, "take it again from the email")
    if key is not None and found.key != key:
        what = f"{name} is signed by key {key_id(found.key)}, not by {key_id(key)}"
        raise Refused("verify/other-key", what, "is it this referee's game?")


def check_in_force(name: str, found: SignedBlock, known: Chain, n: int | None) -> None:
    """Refused ``verify/other-key`` unless who acted at state ``n`` signed it, or who took over then
    and wrote its reports again; None: it cannot be told when.
    """
    if n is None:
        may = {row.acting for row in known.referees}
    else:
        may = {people.in_force(known.referees, m).acting for m in (n, n + 1)}
    if found.key not in may:
        what = f"{name} is signed by another key than the game"
        raise Refused("verify/other-key", what, "somebody else wrote it")


def not_compared(name: str, found: SignedBlock) -> str:
    """What is said of it where its chain is not here."""
    said = f"{name} is signed by key {key_id(found.key)}"
    return f"{said}; not compared with a chain (give the game's folder too)"


def check_receipt(found: ReceiptBlock, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What a receipt says, checked; Refused where it is forged or of another history."""
    said = found.receipt
    name = f"the receipt of {said.seat} for orders number {said.nr}, {said.time}"
    check_signature(name, "verify/receipt", found, key)
    known = chains.get(said.game)
    if known is None:
        return not_compared(name, found)
    n = next((n for n, head in known.heads.items() if head == said.head), None)
    check_in_force(name, found, known, n)
    if n is not None:
        return f"{name} belongs to this chain, at state {n}"
    if known.from_genesis:
        if (gone := lost(name, None, known.links)) is not None:
            raise gone
        what = f"{name} was written for a state that is not in this chain"
        hint = "the chain was cut or rewritten, or it is an older copy: keep both"
        raise Refused("verify/rewritten", what, hint)
    return f"{name} is signed by the game's key; its state is not here to compare it with"


def check_block(found: Block, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What one report's block says, checked; Refused where it is forged or of another history."""
    name = f"the report of state {found.n} for {found.seat}"
    check_signature(name, "verify/report", found, key)
    known = chains.get(found.game)
    if known is None:
        return not_compared(name, found)
    check_in_force(name, found, known, found.n)
    here = _place(name, found, known)
    _check_commits(name, found, known)
    return f"{name} {here}{_check_openings(name, found, known)}"


def _place(name: str, found: Block, known: Chain) -> str:
    """Where in the chain it belongs, in words; Refused where it does not."""
    head = known.heads.get(found.n)
    if head is None and found.n < known.first:
        return f"is signed by the game's key; state {found.n} is not here to compare it with"
    if head == found.head:
        return "belongs to this chain"
    if (gone := lost(name, found.n, known.links)) is not None:
        raise gone
    if head is None:
        what = f"{name}: the chain here has no state {found.n}"
        raise Refused("verify/not-there", what, "the chain was cut, or it is an older copy")
    what = f"{name} belongs to another history than these states, so they were rewritten"
    raise Refused("verify/rewritten", what, "keep both; together they prove it")


def _check_commits(name: str, found: Block, known: Chain) -> None:
    """The ``commit`` lines are the commitments made in this link: each, once, and no other."""
    if found.n in known.heads:
        made = {slot: c for slot, (n, c) in known.made.items() if n == found.n}
    else:  # the state is missing: what later ones still have of it is compared
        made = {slot: known.made.get(slot, (0, c))[1] for slot, c in found.commits}
    told = dict(found.commits)
    wrong = [slot for slot in {**made, **told} if made.get(slot) != told.get(slot)]
    if wrong or len(told) != len(found.commits):
        first = f": {min(wrong)}" if wrong else ""
        what = f"{name} has other new commitments than state {found.n}{first}"
        raise Refused("verify/commitments", what, ONE_LIES)


def _check_openings(name: str, found: Block, known: Chain) -> str:
    """P5: every opening against what was committed when it was dealt; how many could be checked."""
    checked = 0
    for slot, value, k in found.openings:
        n, commitment = known.made.get(slot, (maker_or_none(slot), None))
        if commitment is None and n is not None and n < known.first:
            continue  # its commitment was in a state that is missing, and is open since
        if commitment is None or n is None or n > found.n:
            what = f"{name} opens {slot}, which no state up to it commits to"
            raise Refused("verify/opening", what, ONE_LIES)
        if not check_opening(commitment, found.game, slot, k, value):
            what = f"{name} opens {slot} with a value that was not committed"
            hint = "keep it and the states: together they prove that the referee told a lie"
            raise Refused("verify/opening", what, hint)
        checked += 1
    left = len(found.openings) - checked
    said = f", {_counted(checked)} checked" if checked else ""
    if left:
        said += f"; {_counted(left)} not checked: the states that committed to them are missing"
    return said


def _counted(number: int) -> str:
    return f"{number} opening" if number == 1 else f"{number} openings"
