"""Chains, reports and receipts given together: of one game, in one history; one left by a ruling.

What lives here: what is given, compared; the signed block of a report or a receipt against the
states. What must never be here: the secret, the rules of a game, files.
Laws: what could not be checked is said. A ruling `restore` is the referee's word that newer states
were lost. It is told with what it gave up, never called proven, and never called a forgery: players
judge it.
Source: docs/SPECIFICATION.md sections 10 and 12; P5, P7.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

from pbem.chain.names import not_checked
from pbem.chain.referees import ACTING, in_force
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import digest
from pbem.crypto.signing import key_id
from pbem.crypto.tokens import check_opening
from pbem.engine.settings import SPECTATORS
from pbem.errors import PbemError, Refused
from pbem.proof.verify.changes import maker_or_none
from pbem.proof.verify.histories import (
    History,
    Parting,
    Seen,
    history_of,
    lost_by,
    parting,
)
from pbem.proof.verify.pending_orders import ONE_LIES, Waits, check_hands, wrong_receipt
from pbem.proof.verify.verify import Chain
from pbem.report.block import Block, apart, commits_file
from pbem.report.receipt_block import Receipt, ReceiptBlock, SignedBlock


class Told(NamedTuple):
    """What a report or receipt says of its newest state, and where it was given."""

    seen: Seen
    key: bytes
    path: str


BY_ANOTHER = "signed by another key: name the game's folder too, which tells whose key counts"
#: what is said of a report or receipt of a state that is not in the chain given: a ruling there
#: says that it was lost, or the files given end before it. It is no contradiction
OFF_CHAIN = ("verify/lost", "verify/not-there")


class Given(dict[str, Chain]):
    """What is given together: by game the chain that letters are held against; by path what is
    ``refused``, what is said besides, and whose key may be another's (``doubts``).
    """

    def __init__(self) -> None:
        super().__init__()
        self.refused: dict[str, Refused] = {}
        self.notes: dict[str, str] = {}
        self.doubts: set[str] = set()
        self._chains: dict[str, list[tuple[str, History]]] = {}
        self._told: dict[tuple[str, int], dict[tuple[bytes, ...], Told]] = {}
        self._path: dict[str, str] = {}
        self.waits = Waits()

    def keep(self, path: str, found: Chain) -> str:
        """One more chain; what is to be said besides. Letters are held against the one with the
        newest referee, the longest of these.
        """
        mine = self._agrees(path, found)
        self._chains.setdefault(found.game, []).append((path, mine))
        known, old = self.get(found.game), self._path.get(found.game, "")
        if known is None or self._rank(path, found) > self._rank(old, known):
            self[found.game], self._path[found.game] = found, path
        return f"; {odd}" if found.last and (odd := not_checked(found.last.names)) else ""

    def _rank(self, path: str, found: Chain) -> tuple[bool, bool, int, int]:
        counts = path not in self.refused
        return counts, found.from_genesis, len(found.referees), len(found.heads)

    def state(self, path: str, found: Chain) -> None:
        """One more single state."""
        self._agrees(path, found)
        if found.last is not None:
            seen = Seen(head := found.heads[found.last.n], found.last.knows(head))
            self._tells(found.game, found.last.n, Told(seen, found.key, path))

    def _agrees(self, path: str, found: Chain) -> History:
        """What a chain or a state tells, compared with each chain."""
        mine = history_of(found.links, found.heads)
        for other, theirs in self._chains.get(found.game, ()):
            self._compare((other, theirs), (path, mine))
        return mine

    def _compare(self, one: tuple[str, History], two: tuple[str, History]) -> None:
        """Two histories of one game; each is told of the other."""
        for first, second in ((one, two), (two, one)):
            parted, path = parting(first[1], second[1]), second[0]
            if parted is not None and parted.genuine:
                self._note(path, parted.words(first[0]))
            elif parted is not None and not (parted.untold and second is one):
                self.refused.setdefault(path, parted.refusal(first[0]))

    def why(self, path: str, one: SignedBlock, error: PbemError) -> PbemError:
        """Why a letter is not genuine: ``error``, or that another one of its state differs."""
        if error.code in OFF_CHAIN:
            self._tells(one.game, one.n, Told(Seen(one.head, one.knows), one.key, path))
        return self.refused.get(path, error) if error.code in OFF_CHAIN else error

    def _note(self, path: str, said: str) -> None:
        self.notes[path] = f"{self.notes.get(path, '')}; {said}"

    def tells(self, path: str, *found: SignedBlock) -> str:
        """One more letter, whose chain need not be here; what is to be said of what waited."""
        for one in found:
            self._tells(one.game, one.n, Told(Seen(one.head, one.knows), one.key, path))
        return self.waits.agree(path, self, *found)

    def _tells(self, game: str, n: int, told: Told) -> None:
        """Compared with the first of each kind: by its key, and by the ruling that it knows."""
        known = self._told.setdefault((game, n), {})
        for mark in ((told.key, told.seen.knows), (told.key,), ()):
            old = known.setdefault(mark, told)
            if told.key == old.key or game in self:
                two = (old.path, History({n: old.seen})), (told.path, History({n: told.seen}))
                self._compare(*two)
            elif told.seen.head != old.seen.head:
                for one, other in ((told, old), (old, told)):
                    if one.path not in self.doubts:
                        self._note(one.path, f"{other.path} has another state {n}, {BY_ANOTHER}")
                    self.doubts.add(one.path)


def same_game(what: str, game: str, given: Collection[str]) -> None:
    """Refused ``verify/other-game`` where a report or receipt is of none of the games given."""
    if given and game not in given:
        wrong = f"this is a {what} of game {game}, not of {' or '.join(given)}"
        raise Refused("verify/other-game", wrong, "is it the right file?")


def lost(name: str, n: int, knows: bytes, known: Chain) -> Refused | None:
    """Of a report or receipt of state ``n`` that is not in a chain: whether a ruling there names it
    as lost. None where none does: then it was rewritten, or cut off.
    """
    ruled = lost_by(history_of(known.links, known.heads).states, n, knows)
    if not ruled:
        return None
    says = "says that newer states were lost and the game went on from state"
    told = "; ".join(f"his ruling in state {at} {says} {at - 1}" for at in ruled)
    played = f"So it shows a state {n} that was played and counts no more"
    what = f"{name} is signed by the referee, and not in this chain: {told}. {played}"
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


def check_in_force(name: str, found: SignedBlock, known: Chain) -> None:
    """Refused ``verify/other-key`` unless who acted at its state signed it, or who took over then
    and wrote its reports again; ``verify/not-in-force`` where the key is another one of the game's.

    A receipt comes after its state: with a state that hands the game over the former key is done;
    but until one that recovers it, who acted before wrote them.
    """
    n = found.n
    rows = known.referees[known.referees.index(in_force(known.referees, n)) :]
    acted = [row for row in rows if row.since <= n + 1]
    here = isinstance(found, ReceiptBlock) and known.heads.get(n) == found.head
    while here and len(acted) > 1 and acted[1].by == ACTING:
        del acted[0]
    if found.key in {row.acting for row in acted}:
        return
    if found.key in {key for row in known.referees for key in (row.acting, row.recovery)}:
        what = f"{name} is signed by a key of this game's referees that did not act in state {n}"
        raise Refused("verify/not-in-force", what, "keep it, and ask whoever has that key")
    what = f"{name} is signed by another key than the game"
    way = "somebody else wrote it, or a later referee, whose states are not in this copy"
    raise Refused("verify/other-key", what, way)


def _check_seat(name: str, seat: str, known: Chain, *others: str) -> None:
    """Refused ``verify/seat`` where it is for nobody who plays."""
    if known.last and seat not in (*known.last.setup.seats, *others):
        raise Refused("verify/seat", f"{name} is for a seat that this game has not", ONE_LIES)


def not_compared(name: str, found: SignedBlock) -> str:
    """What is said of it where its chain is not here."""
    said = f"{name} is signed by key {key_id(found.key)}"
    return f"{said}; not compared with a chain (give the game's folder too)"


def called(found: SignedBlock) -> str:
    """A report or receipt, in words."""
    if isinstance(found, ReceiptBlock):
        said = found.receipt
        return f"the receipt of {said.seat} for orders number {said.nr}, {said.time}"
    states = f"states {found.first} to {found.n}" if found.first < found.n else f"state {found.n}"
    return f"the report of {states} for {found.seat}"


def check_receipt(found: ReceiptBlock, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What a receipt says, checked; Refused where it is forged or of another history."""
    said, name = found.receipt, called(found)
    check_signature(name, "verify/receipt", found, key)
    known, lines = chains.get(said.game), _lines(said)
    if known is None:
        return f"{not_compared(name, found)}{lines}"
    check_in_force(name, found, known)
    _check_seat(name, said.seat, known)
    place = _place(name, said.n, Seen(said.head, said.knows), known)
    if wrong := wrong_receipt(said, known):
        raise Refused("verify/receipt-says", f"{name} {wrong}", ONE_LIES)
    return f"{name} {place}{f', at state {said.n}' if said.n in known.heads else ''}{lines}"


def _lines(said: Receipt) -> str:
    """What became of each line, in the words that are signed: the text above them is not."""
    found = ", ".join(f"{verdict} `{line}`" for verdict, line in said.lines)
    return f"; it says: {found or 'no orders'}"


def check_block(found: Block, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What one report's block says, checked; Refused where it is forged or of another history."""
    name = called(found)
    check_signature(name, "verify/report", found, key)
    known = chains.get(found.game)
    if known is None:
        return not_compared(name, found)
    check_in_force(name, found, known)
    _check_seat(name, found.seat, known, SPECTATORS)
    here = _place(name, found.n, Seen(found.head, found.knows), known)
    _check_once(name, found)
    _check_commits(name, found, known)
    checked = _check_openings(name, found, known)
    _check_promised(name, found, known)
    return f"{name} {here}{checked}{check_hands(name, found, known)}"


def _place(name: str, n: int, told: Seen, known: Chain) -> str:
    """Where in the chain it belongs, in words; Refused where it does not."""
    head = known.heads.get(n)
    if head is None and n < known.first:
        return f"is signed by the game's key; state {n} is not here to compare it with"
    if head == told.head:
        if told.knows != known.links[n].knows(head):
            what = f"{name} names another ruling `restore` than this chain has"
            raise Refused("verify/restore", what, ONE_LIES)
        return "belongs to this chain"
    if (gone := lost(name, n, told.knows, known)) is not None:
        raise gone
    if head is None and known.last is not None and known.last.phase == CLOSED:
        what = f"{name} tells of a state {n}, and state {known.last.n} closed the game here"
        raise Refused("verify/rewritten", what, ONE_LIES)
    if head is None:
        what = f"{name}: the chain here has no state {n}"
        raise Refused("verify/not-there", what, "the chain was cut, or it is an older copy")
    if told.knows != known.links[n].knows(head):
        raise Parting(n, untold=True).refusal(name)
    what = f"{name} belongs to another history than these states, so they were rewritten"
    raise Refused("verify/rewritten", what, "keep both; together they prove it")


def _check_once(name: str, found: Block) -> None:
    """Of two lines about one thing a reader might take the other one."""
    for code, rows in (
        ("commitments", found.commits),
        ("opening", found.openings),
        ("hands", found.hands),
        ("files", found.files),
    ):
        things = [row[0] for row in rows]
        if twice := [one for one, times in Counter(things).items() if times > 1]:
            raise Refused(f"verify/{code}", f"{name} says two things of {twice[0]}", ONE_LIES)


def _check_commits(name: str, found: Block, known: Chain) -> None:
    """The ``commit`` lines are the commitments made in these links: each, once, and no other."""
    told, numbers = dict(found.commits), range(found.first, found.n + 1)
    if (digest_of := dict(found.files).get(apart(found.seat))) is not None:
        records = [known.links[m] for m in numbers if m in known.links]
        if found.commits or (
            len(records) == len(numbers) and digest(commits_file(records)) != digest_of
        ):
            what = f"{name} has other new commitments than its states, in {apart(found.seat)}"
            raise Refused("verify/commitments", what, ONE_LIES)
        return
    here = [m for m in numbers if m in known.heads]
    made = {slot: c for slot, (m, c) in known.made.items() if m in numbers and m in known.heads}
    for slot, c in told.items():  # of a state that is missing what later ones have is compared
        maker = maker_or_none(slot)
        if maker in numbers and maker not in here:
            made[slot] = known.made.get(slot, (0, c))[1]
    wrong = [slot for slot in {**made, **told} if made.get(slot) != told.get(slot)]
    if wrong:
        n = maker_or_none(first := min(wrong)) or found.n
        what = f"{name} has other new commitments than state {n}: {first}"
        raise Refused("verify/commitments", what, ONE_LIES)


def _check_promised(name: str, found: Block, known: Chain) -> None:
    """What the states open to all, or by their events to this seat, its block opens."""
    told = {slot for slot, _, _ in found.openings}
    for n in range(found.first, found.n + 1):
        if (record := known.links.get(n)) is None:
            continue
        hidden = {one.slot for one in record.sealed}
        events = (pair for event in record.events for pair in event.opens)
        own = {record.stands_for(slot) for who, slot in events if who == found.seat}
        missing = ({one.slot for one in record.openings} | (own & hidden)) - told
        if missing:
            what = f"{name} does not open {min(missing)}, which state {n} says it shows"
            raise Refused("verify/opening", what, ONE_LIES)


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
