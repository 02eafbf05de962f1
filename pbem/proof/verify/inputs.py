"""Chains, reports and receipts compared with each other: do they belong to one history of a game?

A report tells a player what happened; a receipt says which lines of an email were accepted. Each has
a block: a part that the referee signed, which names a state of the game by its hash.

Not allowed here: the secret, the rules of a game, files.
Laws: anything that could not be checked is reported. A ruling `restore` is the referee's word that
newer states were lost. It is reported, and called neither proven nor forged: players judge it.
Source: docs/SPECIFICATION.md sections 10 and 12; P5, P7.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

from pbem.chain.clock_words import count_text
from pbem.chain.names import unchecked_name_warning
from pbem.chain.referees import ACTING, keys_in_force
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import digest
from pbem.crypto.signing import key_id
from pbem.crypto.tokens import opens_commitment
from pbem.engine.settings import SPECTATORS
from pbem.errors import PbemError, Refused
from pbem.proof.verify import sentences
from pbem.proof.verify.changes import state_number_of_slot
from pbem.proof.verify.histories import (
    Divergence,
    History,
    StateFingerprint,
    find_discarding_restores,
    find_divergence,
    history_of,
)
from pbem.proof.verify.pending_orders import (
    ONE_LIES,
    PendingComparison,
    check_and_describe_pending,
    find_receipt_fault,
)
from pbem.proof.verify.verify import Chain
from pbem.report.block import Block, commitments_file_name, encode_commitments_file
from pbem.report.receipt_block import Receipt, ReceiptBlock, SignedBlock


class StateClaim(NamedTuple):
    """What a single state, a report or a receipt says about its newest state, and the path of its file."""

    fingerprint: StateFingerprint
    key: bytes  #: of the referee who signed it
    path: str

    @classmethod
    def from_block(cls, path: str, block: SignedBlock) -> "StateClaim":
        return cls(StateFingerprint(block.state_hash, block.restore_hash), block.key, path)

    def located_history(self, n: int) -> "LocatedHistory":
        return LocatedHistory(self.path, History({n: self.fingerprint}))


class LocatedHistory(NamedTuple):
    """A history, and the path of its file."""

    path: str
    history: History


#: the errors of a report or receipt whose state is not in the chain: a ruling says that the state was lost,
#: or the chain ends before it. They contradict nothing
OFF_CHAIN = ("verify/lost", "verify/not-there")


class ChainRegistry(dict[str, Chain]):
    """All files that were given together; by game, the chain that reports and receipts are compared with.

    By path, ``refusals`` has the errors of files that are not genuine, and ``notes`` has additional
    remarks. ``doubtful_paths`` has the paths of files whose state another key has signed differently.
    """

    def __init__(self) -> None:
        super().__init__()
        self.refusals: dict[str, Refused] = {}
        self.notes: dict[str, str] = {}
        self.doubtful_paths: set[str] = set()
        self._chains: dict[str, list[LocatedHistory]] = {}
        #: by game and state number: the first claim for each bucket of ``_add_claim``
        self._claims: dict[tuple[str, int], dict[tuple[bytes, ...], StateClaim]] = {}
        self._path_by_game: dict[str, str] = {}
        self.pending_comparison = PendingComparison()

    def add_chain(self, path: str, chain: Chain) -> str:
        """Add a verified chain; return a warning about its players' names, or "".

        If a game has several chains, reports are compared with the one that ``_rank`` puts highest.
        """
        history = self._compare_with_chains(path, chain)
        self._chains.setdefault(chain.game, []).append(LocatedHistory(path, history))
        current_chain, current_path = self.get(chain.game), self._path_by_game.get(chain.game, "")
        if current_chain is None or self._rank(path, chain) > self._rank(current_path, current_chain):
            self[chain.game], self._path_by_game[chain.game] = chain, path
        warning = unchecked_name_warning(chain.last_record.names) if chain.last_record else ""
        return f"; {warning}" if warning else ""

    def _rank(self, path: str, chain: Chain) -> tuple[bool, bool, int, int]:
        """Return a sort key: genuine chains are highest, then complete ones, new referees, and long ones."""
        is_accepted = path not in self.refusals
        return is_accepted, chain.from_genesis, len(chain.referees), len(chain.state_hashes)

    def add_state(self, path: str, chain: Chain) -> None:
        """Add a single verified state."""
        self._compare_with_chains(path, chain)
        if chain.last_record is not None:
            state_hash = chain.state_hashes[chain.last_record.n]
            fingerprint = StateFingerprint(state_hash, chain.last_record.latest_restored_hash(state_hash))
            self._add_claim(chain.game, chain.last_record.n, StateClaim(fingerprint, chain.key, path))

    def _compare_with_chains(self, path: str, chain: Chain) -> History:
        """Note where a chain differs from those of its game so far, and return its history."""
        history = history_of(chain.records, chain.state_hashes)
        for other in self._chains.get(chain.game, ()):
            self._compare(other, LocatedHistory(path, history))
        return history

    def _compare(self, earlier: LocatedHistory, later: LocatedHistory) -> None:
        """Compare two histories both ways. Add a note or a refusal to the path of each one that differs."""
        for first, second in ((earlier, later), (later, earlier)):
            divergence = find_divergence(first.history, second.history)
            if divergence is None:
                continue
            if divergence.is_genuine:
                self._note(second.path, divergence.describe(first.path))
            elif second is later or not divergence.restores_differ:
                self.refusals.setdefault(second.path, divergence.refusal(first.path))

    def explain_refusal(self, path: str, block: SignedBlock, error: PbemError) -> PbemError:
        """Return why a block is not genuine: ``error``, or that another file has a different state there."""
        if error.code not in OFF_CHAIN:
            return error
        self._add_claim(block.game, block.n, StateClaim.from_block(path, block))
        return self.refusals.get(path, error)

    def _note(self, path: str, text: str) -> None:
        self.notes[path] = f"{self.notes.get(path, '')}; {text}"

    def add_blocks(self, path: str, *blocks: SignedBlock) -> str:
        """Add the blocks of a file, even if their chain is not here. Return the notes on pending orders, or "".

        Raises Refused if they contradict other receipts or reports.
        """
        for block in blocks:
            self._add_claim(block.game, block.n, StateClaim.from_block(path, block))
        return self.pending_comparison.compare_blocks(path, self, *blocks)

    def _add_claim(self, game: str, n: int, claim: StateClaim) -> None:
        """Compare a claim with three earlier claims about the same state: the first, the first by the same
        key, and the first that also names the same ruling `restore`. If two keys signed different states,
        and no chain is here to show which key was in force, both files are doubtful.
        """
        claims = self._claims.setdefault((game, n), {})
        for bucket in ((claim.key, claim.fingerprint.restore_hash), (claim.key,), ()):
            first_claim = claims.setdefault(bucket, claim)
            if claim.key == first_claim.key or game in self:
                self._compare(first_claim.located_history(n), claim.located_history(n))
            elif claim.fingerprint.state_hash != first_claim.fingerprint.state_hash:
                for this_claim, other_claim in ((claim, first_claim), (first_claim, claim)):
                    if this_claim.path not in self.doubtful_paths:
                        self._note(
                            this_claim.path, sentences.OTHER_STATE_BY_OTHER_KEY.format(other=other_claim.path, n=n)
                        )
                    self.doubtful_paths.add(this_claim.path)


def refuse_other_game(kind: str, game: str, expected_games: Collection[str]) -> None:
    """Raise Refused ``verify/other-game`` if a report or receipt belongs to none of the expected games."""
    if expected_games and game not in expected_games:
        message = f"this is a {kind} of game {game}, not of {' or '.join(expected_games)}"
        raise Refused("verify/other-game", message, "is it the right file?")


def find_lost_refusal(name: str, n: int, restore_hash: bytes, chain: Chain) -> Refused | None:
    """Return the error for a block of state ``n`` if a ruling of this chain says that the state was lost, or None."""
    restores = find_discarding_restores(history_of(chain.records, chain.state_hashes).states, n, restore_hash)
    if not restores:
        return None
    rulings = "; ".join(sentences.RULING_RESTORE.format(n=number, previous=number - 1) for number in restores)
    message = sentences.BLOCK_LOST.format(block=name, rulings=rulings, n=n)
    hint = "keep both, and compare what it says with what was played since"
    return Refused("verify/lost", message, hint)


def check_signature(name: str, code: str, block: SignedBlock, key: bytes | None) -> None:
    """Raise Refused ``code`` if a block was changed, and ``verify/other-key`` if ``key`` did not sign it."""
    if not block.is_genuine():
        message = f"{name} was changed after it was signed"
        raise Refused(code, message, "save it again from the email")
    if key is not None and block.key != key:
        message = f"{name} is signed by key {key_id(block.key)}, not by {key_id(key)}"
        raise Refused("verify/other-key", message, "is it this referee's game?")


def check_in_force(name: str, block: SignedBlock, chain: Chain) -> None:
    """Raise Refused unless a block was signed by the referee of its state, or by the next referee.

    The next referee writes the last reports again. The error is ``verify/not-in-force`` for another key of
    the game's referees, and ``verify/other-key`` for any other key. A receipt is written after its
    state: a referee who hands the game over in that state no longer signs receipts for it. A referee
    who is replaced by the recovery key may still have signed some.
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
    """Raise Refused ``verify/seat`` if a block is for a seat that the game does not have."""
    if chain.last_record and seat not in (*chain.last_record.setup.seats, *other_names):
        raise Refused("verify/seat", f"{name} is for a seat that this game has not", ONE_LIES)


def describe_uncompared(name: str, block: SignedBlock) -> str:
    """Return the sentence about a block whose chain is not here."""
    return sentences.BLOCK_UNCOMPARED.format(block=name, key=key_id(block.key))


def describe_block(block: SignedBlock) -> str:
    """Return the name of a report or receipt for use in sentences."""
    if isinstance(block, ReceiptBlock):
        receipt = block.receipt
        return sentences.RECEIPT.format(seat=receipt.seat, number=receipt.orders_number, time=receipt.time)
    sentence = sentences.REPORT_OF_STATES if block.first_n < block.n else sentences.REPORT_OF_STATE
    return sentence.format(first=block.first_n, n=block.n, seat=block.seat)


def check_receipt(block: ReceiptBlock, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """Check a receipt, and return a sentence with what it says. Raise Refused if it is forged or of another history."""
    receipt, name = block.receipt, describe_block(block)
    check_signature(name, "verify/receipt", block, key)
    chain, lines_text = chains.get(receipt.game), _describe_lines(receipt)
    if chain is None:
        return describe_uncompared(name, block) + lines_text
    check_in_force(name, block, chain)
    _check_seat(name, receipt.seat, chain)
    has_state = _match_state(name, receipt.n, StateFingerprint(receipt.state_hash, receipt.restore_hash), chain)
    if fault := find_receipt_fault(receipt, chain):
        raise Refused("verify/receipt-says", f"{name} {fault}", ONE_LIES)
    sentence = sentences.RECEIPT_IN_CHAIN if has_state else sentences.BLOCK_WITHOUT_STATE
    return sentence.format(block=name, n=receipt.n) + lines_text


def _describe_lines(receipt: Receipt) -> str:
    """Return a clause with the signed verdict on each line of orders."""
    lines = ", ".join(f"{verdict} `{line}`" for verdict, line in receipt.lines)
    return f"; it says: {lines}" if lines else "; it says: no orders"


def check_block(block: Block, chains: Mapping[str, Chain], key: bytes | None) -> str:
    """Check the signed block of a report, and return the sentence that says what was checked.

    ``key`` is the public key that the caller trusts, if any. Raises Refused if the block is forged or
    belongs to another history.
    """
    name = describe_block(block)
    check_signature(name, "verify/report", block, key)
    chain = chains.get(block.game)
    if chain is None:
        return describe_uncompared(name, block)
    check_in_force(name, block, chain)
    _check_seat(name, block.seat, chain, SPECTATORS)
    has_state = _match_state(name, block.n, StateFingerprint(block.state_hash, block.restore_hash), chain)
    _check_duplicates(name, block)
    _check_commits(name, block, chain)
    openings_text = _check_and_describe_openings(name, block, chain)
    _refuse_missing_openings(name, block, chain)
    sentence = sentences.BLOCK_IN_CHAIN if has_state else sentences.BLOCK_WITHOUT_STATE
    pending_text = check_and_describe_pending(name, block, chain)
    return sentence.format(block=name, n=block.n) + openings_text + pending_text


def _match_state(name: str, n: int, fingerprint: StateFingerprint, chain: Chain) -> bool:
    """Return whether the chain has the state of a block; False if the chain begins with a later state.

    Raises Refused if the chain has another state with that number, or ends before it.
    """
    state_hash = chain.state_hashes.get(n)
    if state_hash is None and n < chain.first_number:
        return False
    if state_hash == fingerprint.state_hash:
        if fingerprint.restore_hash != chain.records[n].latest_restored_hash(state_hash):
            message = f"{name} names another ruling `restore` than this log has"
            raise Refused("verify/restore", message, ONE_LIES)
        return True
    if (refusal := find_lost_refusal(name, n, fingerprint.restore_hash, chain)) is not None:
        raise refusal
    if state_hash is None and chain.last_record is not None and chain.last_record.phase == CLOSED:
        message = f"{name} names a state {n}, and state {chain.last_record.n} closed the game here"
        raise Refused("verify/rewritten", message, ONE_LIES)
    if state_hash is None:
        message = f"{name}: the log here has no state {n}"
        raise Refused("verify/not-there", message, "the log was cut, or it is an older copy")
    if fingerprint.restore_hash != chain.records[n].latest_restored_hash(state_hash):
        raise Divergence(n, restores_differ=True).refusal(name)
    message = f"{name} belongs to another history than these states, so they were rewritten"
    raise Refused("verify/rewritten", message, "keep both; together they prove it")


def _check_duplicates(name: str, block: Block) -> None:
    """Raise Refused if a block has two lines about the same thing: a reader might believe either."""
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
    """Raise Refused unless a report, or a file attached to it, has exactly the commitments that its states made."""
    block_commits, numbers = dict(block.commitments), range(block.first_n, block.n + 1)
    file_name = commitments_file_name(block.seat)
    if file_name in dict(block.files):
        records = [chain.records[number] for number in numbers if number in chain.records]
        has_all_states = len(records) == len(numbers)
        is_same_file = digest(encode_commitments_file(records)) == dict(block.files)[file_name]
        if block.commitments or (has_all_states and not is_same_file):
            message = f"{name} has other new commitments than its states, in {file_name}"
            raise Refused("verify/commitments", message, ONE_LIES)
        return
    known_numbers = [number for number in numbers if number in chain.state_hashes]
    chain_commits = {slot: made.commitment for slot, made in chain.commitments.items() if made.n in known_numbers}
    for slot, commitment in block_commits.items():
        # the state that made this commitment may be missing, and a later one may repeat it
        maker_number = state_number_of_slot(slot)
        if maker_number in numbers and maker_number not in known_numbers:
            repeated = chain.commitments.get(slot)
            chain_commits[slot] = repeated.commitment if repeated else commitment
    mismatched_slots = [
        slot for slot in {**chain_commits, **block_commits} if chain_commits.get(slot) != block_commits.get(slot)
    ]
    if mismatched_slots:
        slot = min(mismatched_slots)
        message = f"{name} has other new commitments than state {state_number_of_slot(slot) or block.n}: {slot}"
        raise Refused("verify/commitments", message, ONE_LIES)


def _refuse_missing_openings(name: str, block: Block, chain: Chain) -> None:
    """Raise Refused unless a report opens what its states open to everybody, and their events to its seat."""
    opened_slots = {slot for slot, _, _ in block.openings}
    for record in (chain.records[n] for n in range(block.first_n, block.n + 1) if n in chain.records):
        hidden_slots = {row.slot for row in record.sealed_values}
        opens = (pair for event in record.events for pair in event.opens)
        own_slots = {record.current_slot(slot) for seat, slot in opens if seat == block.seat}
        missing_slots = ({row.slot for row in record.openings} | (own_slots & hidden_slots)) - opened_slots
        if missing_slots:
            message = f"{name} does not open {min(missing_slots)}, which state {record.n} says it shows"
            raise Refused("verify/opening", message, ONE_LIES)


def _check_and_describe_openings(name: str, block: Block, chain: Chain) -> str:
    """Raise Refused if an opening does not fit its commitment (P5). Return a clause on how many were checked."""
    checked_count = 0
    for slot, value, k in block.openings:
        made, number = chain.commitments.get(slot), state_number_of_slot(slot)
        if made is None and number is not None and number < chain.first_number:
            continue  # the state that committed to it is missing
        if made is None or made.n > block.n:
            message = f"{name} opens {slot}, which no state up to it commits to"
            raise Refused("verify/opening", message, ONE_LIES)
        if not opens_commitment(made.commitment, block.game, slot, k, value):
            message = f"{name} opens {slot} with a value that was not committed"
            hint = "keep it and the states: together they prove that the referee lied"
            raise Refused("verify/opening", message, hint)
        checked_count += 1
    unchecked = len(block.openings) - checked_count
    summary = f"; {count_text(checked_count, 'opening')} checked" if checked_count else ""
    if unchecked:
        count = count_text(unchecked, "opening")
        summary += f"; {count} not checked: the states that committed to them are missing"
    return summary
