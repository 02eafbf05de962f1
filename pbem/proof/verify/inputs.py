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

from pbem.chain.names import unchecked_name_warning
from pbem.chain.referees import ACTING, keys_in_force
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import digest
from pbem.crypto.signing import key_id
from pbem.crypto.tokens import check_opening
from pbem.engine.settings import SPECTATORS
from pbem.errors import PbemError, Refused
from pbem.proof.verify.changes import state_number_of_slot
from pbem.proof.verify.histories import (
    Divergence,
    History,
    StateFingerprint,
    find_discarding_restores,
    find_divergence,
    history_of,
)
from pbem.proof.verify.pending_orders import ONE_LIES, PendingComparison, check_pending, find_receipt_fault
from pbem.proof.verify.verify import Chain
from pbem.report.block import Block, commitments_file_name, encode_commitments_file
from pbem.report.receipt_block import Receipt, ReceiptBlock, SignedBlock


class StateClaim(NamedTuple):
    """What a report or receipt says of its newest state, and where it was given."""

    fingerprint: StateFingerprint
    key: bytes
    path: str


BY_ANOTHER = "signed by another key: name the game's folder too, which tells whose key counts"
#: what is said of a report or receipt of a state that is not in the chain given: a ruling there
#: says that it was lost, or the files given end before it. It is no contradiction
OFF_CHAIN = ("verify/lost", "verify/not-there")


class ChainRegistry(dict[str, Chain]):
    """What is given together: by game the chain that letters are held against; by path what is
    ``refused``, what is said besides, and whose key may be another's (``doubts``).
    """

    def __init__(self) -> None:
        super().__init__()
        self.refusals: dict[str, Refused] = {}
        self.notes: dict[str, str] = {}
        self.doubtful_paths: set[str] = set()
        self._chains: dict[str, list[tuple[str, History]]] = {}
        self._claims: dict[tuple[str, int], dict[tuple[bytes, ...], StateClaim]] = {}
        self._path_by_game: dict[str, str] = {}
        self.pending_comparison = PendingComparison()

    def add_chain(self, path: str, chain: Chain) -> str:
        """One more chain; what is to be said besides. Letters are held against the one with the
        newest referee, the longest of these.
        """
        history = self._compare_with_chains(path, chain)
        self._chains.setdefault(chain.game, []).append((path, history))
        current_chain, current_path = self.get(chain.game), self._path_by_game.get(chain.game, "")
        if current_chain is None or self._rank(path, chain) > self._rank(current_path, current_chain):
            self[chain.game], self._path_by_game[chain.game] = chain, path
        return (
            f"; {warning}" if chain.last_record and (warning := unchecked_name_warning(chain.last_record.names)) else ""
        )

    def _rank(self, path: str, chain: Chain) -> tuple[bool, bool, int, int]:
        is_accepted = path not in self.refusals
        return is_accepted, chain.from_genesis, len(chain.referees), len(chain.state_hashes)

    def add_state(self, path: str, chain: Chain) -> None:
        """One more single state."""
        self._compare_with_chains(path, chain)
        if chain.last_record is not None:
            fingerprint = StateFingerprint(
                state_hash := chain.state_hashes[chain.last_record.n],
                chain.last_record.latest_restored_hash(state_hash),
            )
            self._add_claim(chain.game, chain.last_record.n, StateClaim(fingerprint, chain.key, path))

    def _compare_with_chains(self, path: str, chain: Chain) -> History:
        """What a chain or a state tells, compared with each chain."""
        history = history_of(chain.records, chain.state_hashes)
        for other_path, other_history in self._chains.get(chain.game, ()):
            self._compare((other_path, other_history), (path, history))
        return history

    def _compare(self, entry: tuple[str, History], other_entry: tuple[str, History]) -> None:
        """Two histories of one game; each is told of the other."""
        for first, second in ((entry, other_entry), (other_entry, entry)):
            divergence, path = find_divergence(first[1], second[1]), second[0]
            if divergence is not None and divergence.is_genuine:
                self._note(path, divergence.describe(first[0]))
            elif divergence is not None and not (divergence.restores_differ and second is entry):
                self.refusals.setdefault(path, divergence.refusal(first[0]))

    def explain_refusal(self, path: str, block: SignedBlock, error: PbemError) -> PbemError:
        """Why a letter is not genuine: ``error``, or that another one of its state differs."""
        if error.code in OFF_CHAIN:
            self._add_claim(
                block.game, block.n, StateClaim(StateFingerprint(block.state_hash, block.restore_hash), block.key, path)
            )
        return self.refusals.get(path, error) if error.code in OFF_CHAIN else error

    def _note(self, path: str, text: str) -> None:
        self.notes[path] = f"{self.notes.get(path, '')}; {text}"

    def add_blocks(self, path: str, *blocks: SignedBlock) -> str:
        """One more letter, whose chain need not be here; what is to be said of what waited."""
        for block in blocks:
            self._add_claim(
                block.game, block.n, StateClaim(StateFingerprint(block.state_hash, block.restore_hash), block.key, path)
            )
        return self.pending_comparison.compare_blocks(path, self, *blocks)

    def _add_claim(self, game: str, n: int, claim: StateClaim) -> None:
        """Compared with the first of each kind: by its key, and by the ruling that it knows."""
        claims = self._claims.setdefault((game, n), {})
        for bucket in ((claim.key, claim.fingerprint.restore_hash), (claim.key,), ()):
            first_claim = claims.setdefault(bucket, claim)
            if claim.key == first_claim.key or game in self:
                pair = (
                    (first_claim.path, History({n: first_claim.fingerprint})),
                    (claim.path, History({n: claim.fingerprint})),
                )
                self._compare(*pair)
            elif claim.fingerprint.state_hash != first_claim.fingerprint.state_hash:
                for this_claim, other_claim in ((claim, first_claim), (first_claim, claim)):
                    if this_claim.path not in self.doubtful_paths:
                        self._note(this_claim.path, f"{other_claim.path} has another state {n}, {BY_ANOTHER}")
                    self.doubtful_paths.add(this_claim.path)


def refuse_other_game(kind: str, game: str, expected_games: Collection[str]) -> None:
    """Refused ``verify/other-game`` where a report or receipt is of none of the games given."""
    if expected_games and game not in expected_games:
        message = f"this is a {kind} of game {game}, not of {' or '.join(expected_games)}"
        raise Refused("verify/other-game", message, "is it the right file?")


def find_lost_refusal(name: str, n: int, restore_hash: bytes, chain: Chain) -> Refused | None:
    """Of a report or receipt of state ``n`` that is not in a chain: whether a ruling there names it
    as lost. None where none does: then it was rewritten, or cut off.
    """
    restores = find_discarding_restores(history_of(chain.records, chain.state_hashes).states, n, restore_hash)
    if not restores:
        return None
    clause = "says that newer states were lost and the game went on from state"
    rulings_text = "; ".join(f"his ruling in state {number} {clause} {number - 1}" for number in restores)
    consequence = f"So it shows a state {n} that was played and counts no more"
    message = f"{name} is signed by the referee, and not in this chain: {rulings_text}. {consequence}"
    hint = "keep both, and compare what it says with what was played since"
    return Refused("verify/lost", message, hint)


def check_signature(name: str, code: str, block: SignedBlock, key: bytes | None) -> None:
    """Refused ``code`` where it was changed, ``verify/other-key`` where ``key`` did not sign it."""
    if not block.is_genuine():
        message = f"{name} was changed after it was signed"
        raise Refused(code, message, "take it again from the email")
    if key is not None and block.key != key:
        message = f"{name} is signed by key {key_id(block.key)}, not by {key_id(key)}"
        raise Refused("verify/other-key", message, "is it this referee's game?")


def check_in_force(name: str, block: SignedBlock, chain: Chain) -> None:
    """Refused ``verify/other-key`` unless who acted at its state signed it, or who took over then
    and wrote its reports again; ``verify/not-in-force`` where the key is another one of the game's.

    A receipt comes after its state: with a state that hands the game over the former key is done;
    but until one that recovers it, who acted before wrote them.
    """
    n = block.n
    referees = chain.referees[chain.referees.index(keys_in_force(chain.referees, n)) :]
    allowed_referees = [row for row in referees if row.since <= n + 1]
    is_receipt_of_chain = isinstance(block, ReceiptBlock) and chain.state_hashes.get(n) == block.state_hash
    while is_receipt_of_chain and len(allowed_referees) > 1 and allowed_referees[1].appointed_by == ACTING:
        del allowed_referees[0]
    if block.key in {row.acting for row in allowed_referees}:
        return
    if block.key in {key for row in chain.referees for key in (row.acting, row.recovery)}:
        message = f"{name} is signed by a key of this game's referees that did not act in state {n}"
        raise Refused("verify/not-in-force", message, "keep it, and ask whoever has that key")
    message = f"{name} is signed by another key than the game"
    hint = "somebody else wrote it, or a later referee, whose states are not in this copy"
    raise Refused("verify/other-key", message, hint)


def _check_seat(name: str, seat: str, chain: Chain, *other_names: str) -> None:
    """Refused ``verify/seat`` where it is for nobody who plays."""
    if chain.last_record and seat not in (*chain.last_record.setup.seats, *other_names):
        raise Refused("verify/seat", f"{name} is for a seat that this game has not", ONE_LIES)


def describe_uncompared(name: str, block: SignedBlock) -> str:
    """What is said of it where its chain is not here."""
    sentence = f"{name} is signed by key {key_id(block.key)}"
    return f"{sentence}; not compared with a chain (give the game's folder too)"


def describe_block(block: SignedBlock) -> str:
    """A report or receipt, in words."""
    if isinstance(block, ReceiptBlock):
        receipt = block.receipt
        return f"the receipt of {receipt.seat} for orders number {receipt.orders_number}, {receipt.time}"
    states = f"states {block.first_n} to {block.n}" if block.first_n < block.n else f"state {block.n}"
    return f"the report of {states} for {block.seat}"


def check_receipt(block: ReceiptBlock, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What a receipt says, checked; Refused where it is forged or of another history."""
    receipt, name = block.receipt, describe_block(block)
    check_signature(name, "verify/receipt", block, key)
    chain, lines_text = chains.get(receipt.game), _describe_lines(receipt)
    if chain is None:
        return f"{describe_uncompared(name, block)}{lines_text}"
    check_in_force(name, block, chain)
    _check_seat(name, receipt.seat, chain)
    place = _check_place(name, receipt.n, StateFingerprint(receipt.state_hash, receipt.restore_hash), chain)
    if fault := find_receipt_fault(receipt, chain):
        raise Refused("verify/receipt-says", f"{name} {fault}", ONE_LIES)
    return f"{name} {place}{f', at state {receipt.n}' if receipt.n in chain.state_hashes else ''}{lines_text}"


def _describe_lines(receipt: Receipt) -> str:
    """What became of each line, in the words that are signed: the text above them is not."""
    lines = ", ".join(f"{verdict} `{line}`" for verdict, line in receipt.lines)
    return f"; it says: {lines or 'no orders'}"


def check_block(block: Block, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """What one report's block says, checked; Refused where it is forged or of another history."""
    name = describe_block(block)
    check_signature(name, "verify/report", block, key)
    chain = chains.get(block.game)
    if chain is None:
        return describe_uncompared(name, block)
    check_in_force(name, block, chain)
    _check_seat(name, block.seat, chain, SPECTATORS)
    place = _check_place(name, block.n, StateFingerprint(block.state_hash, block.restore_hash), chain)
    _check_duplicates(name, block)
    _check_commits(name, block, chain)
    openings_text = _check_openings(name, block, chain)
    _check_promised_openings(name, block, chain)
    return f"{name} {place}{openings_text}{check_pending(name, block, chain)}"


def _check_place(name: str, n: int, fingerprint: StateFingerprint, chain: Chain) -> str:
    """Where in the chain it belongs, in words; Refused where it does not."""
    state_hash = chain.state_hashes.get(n)
    if state_hash is None and n < chain.first_number:
        return f"is signed by the game's key; state {n} is not here to compare it with"
    if state_hash == fingerprint.state_hash:
        if fingerprint.restore_hash != chain.records[n].latest_restored_hash(state_hash):
            message = f"{name} names another ruling `restore` than this chain has"
            raise Refused("verify/restore", message, ONE_LIES)
        return "belongs to this chain"
    if (refusal := find_lost_refusal(name, n, fingerprint.restore_hash, chain)) is not None:
        raise refusal
    if state_hash is None and chain.last_record is not None and chain.last_record.phase == CLOSED:
        message = f"{name} tells of a state {n}, and state {chain.last_record.n} closed the game here"
        raise Refused("verify/rewritten", message, ONE_LIES)
    if state_hash is None:
        message = f"{name}: the chain here has no state {n}"
        raise Refused("verify/not-there", message, "the chain was cut, or it is an older copy")
    if fingerprint.restore_hash != chain.records[n].latest_restored_hash(state_hash):
        raise Divergence(n, restores_differ=True).refusal(name)
    message = f"{name} belongs to another history than these states, so they were rewritten"
    raise Refused("verify/rewritten", message, "keep both; together they prove it")


def _check_duplicates(name: str, block: Block) -> None:
    """Of two lines about one thing a reader might take the other one."""
    for code, rows in (
        ("commitments", block.commitments),
        ("opening", block.openings),
        ("hands", block.pending_openings),
        ("files", block.files),
    ):
        keys = [row[0] for row in rows]
        if duplicates := [key for key, times in Counter(keys).items() if times > 1]:
            raise Refused(f"verify/{code}", f"{name} says two things of {duplicates[0]}", ONE_LIES)


def _check_commits(name: str, block: Block, chain: Chain) -> None:
    """The ``commit`` lines are the commitments made in these links: each, once, and no other."""
    block_commits, numbers = dict(block.commitments), range(block.first_n, block.n + 1)
    if (expected_digest := dict(block.files).get(commitments_file_name(block.seat))) is not None:
        records = [chain.records[number] for number in numbers if number in chain.records]
        if block.commitments or (
            len(records) == len(numbers) and digest(encode_commitments_file(records)) != expected_digest
        ):
            message = f"{name} has other new commitments than its states, in {commitments_file_name(block.seat)}"
            raise Refused("verify/commitments", message, ONE_LIES)
        return
    known_numbers = [number for number in numbers if number in chain.state_hashes]
    chain_commits = {
        slot: commitment
        for slot, (number, commitment) in chain.commitments.items()
        if number in numbers and number in chain.state_hashes
    }
    for slot, commitment in block_commits.items():  # of a state that is missing what later ones have is compared
        maker_number = state_number_of_slot(slot)
        if maker_number in numbers and maker_number not in known_numbers:
            chain_commits[slot] = chain.commitments.get(slot, (0, commitment))[1]
    mismatched = [
        slot for slot in {**chain_commits, **block_commits} if chain_commits.get(slot) != block_commits.get(slot)
    ]
    if mismatched:
        n = state_number_of_slot(first_slot := min(mismatched)) or block.n
        message = f"{name} has other new commitments than state {n}: {first_slot}"
        raise Refused("verify/commitments", message, ONE_LIES)


def _check_promised_openings(name: str, block: Block, chain: Chain) -> None:
    """What the states open to all, or by their events to this seat, its block opens."""
    opened_slots = {slot for slot, _, _ in block.openings}
    for n in range(block.first_n, block.n + 1):
        if (record := chain.records.get(n)) is None:
            continue
        hidden_slots = {row.slot for row in record.sealed_values}
        opens = (pair for event in record.events for pair in event.opens)
        own_slots = {record.current_slot(slot) for seat, slot in opens if seat == block.seat}
        missing_slots = ({row.slot for row in record.openings} | (own_slots & hidden_slots)) - opened_slots
        if missing_slots:
            message = f"{name} does not open {min(missing_slots)}, which state {n} says it shows"
            raise Refused("verify/opening", message, ONE_LIES)


def _check_openings(name: str, block: Block, chain: Chain) -> str:
    """P5: every opening against what was committed when it was dealt; how many could be checked."""
    checked_count = 0
    for slot, value, k in block.openings:
        n, commitment = chain.commitments.get(slot, (state_number_of_slot(slot), None))
        if commitment is None and n is not None and n < chain.first_number:
            continue  # its commitment was in a state that is missing, and is open since
        if commitment is None or n is None or n > block.n:
            message = f"{name} opens {slot}, which no state up to it commits to"
            raise Refused("verify/opening", message, ONE_LIES)
        if not check_opening(commitment, block.game, slot, k, value):
            message = f"{name} opens {slot} with a value that was not committed"
            hint = "keep it and the states: together they prove that the referee lied"
            raise Refused("verify/opening", message, hint)
        checked_count += 1
    unchecked = len(block.openings) - checked_count
    summary = f", {_openings_text(checked_count)} checked" if checked_count else ""
    if unchecked:
        summary += f"; {_openings_text(unchecked)} not checked: the states that committed to them are missing"
    return summary


def _openings_text(number: int) -> str:
    return f"{number} opening" if number == 1 else f"{number} openings"
