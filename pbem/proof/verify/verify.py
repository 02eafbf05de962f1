"""Is this chain of states genuine? It is checked with public keys alone.

A chain is the signed states of one game, from state 0 (the genesis) on. Each has the hash of the one
before. A "fault" is the end of a sentence that begins with "state N"; "" means that nothing is wrong.

Not allowed here: the secret, the rules of a game, files.
Law: only public data is needed, and anything that could not be checked is reported.
Source: docs/SPECIFICATION.md section 12; P1, P5, P7.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pbem.chain.referees import RefereeKeys, find_succession_fault, keys_in_force
from pbem.chain.rulings.kinds import check_operands
from pbem.chain.signed_state import read_self_signed_record, read_verified_record, signer_of, state_hash_of
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.crypto.encoding import b64, game_id
from pbem.crypto.signing import key_id
from pbem.errors import PbemError, Refused
from pbem.play.joining import contribution
from pbem.proof.verify import changes
from pbem.proof.verify.changes import CommitmentsBySlot, EarlierStates
from pbem.proof.verify.clock import find_clock_fault


class Unreadable(Exception):
    """Raised when the rules cannot put the rows of a genuine state into words."""

    def __init__(self, n: int) -> None:
        super().__init__(f"state {n}")
        self.n = n


#: returns the fault of a state that follows ``previous`` (None if that state is missing)
FindFault = Callable[[StateRecord, StateRecord | None, EarlierStates], str]


class Check(NamedTuple):
    """One check of a state, which runs after its signature was verified."""

    item: str  #: the item of an audit that a fault contradicts
    kind: str  #: the kind of this fault (SPECIFICATION section 12)
    find_fault: FindFault


def run_check(check: Check, record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> None:
    """Run one check of one state. Raise Refused ``verify/KIND`` if it finds a fault or cannot be run."""
    try:
        fault = check.find_fault(record, previous, earlier_states)
    except PbemError:
        raise
    except Exception as error:
        raise state_refusal(record.n, "has rows that nobody can read", check.kind) from error
    if fault:
        raise state_refusal(record.n, fault, check.kind)


class Chain(NamedTuple):
    """Verified states without a gap, by number."""

    game: str
    key: bytes  #: the public key of the referee who signed the last state
    state_hashes: dict[int, bytes]
    first_number: int
    last_record: StateRecord | None
    opening_count: int
    from_genesis: bool
    commitments: CommitmentsBySlot
    referees: tuple[RefereeKeys, ...] = ()
    records: dict[int, StateRecord] = {}  # noqa: RUF012 - each chain has its own


def genesis_key(raw: bytes) -> bytes:
    """Return the acting referee's key that a genesis names. Raise Refused if that key did not sign it."""
    record = read_self_signed_record(raw)
    if record.n != 0:
        message = f"this is state {record.n}, not the genesis"
        raise Refused("verify/not-genesis", message, "the genesis is states/0000.toml")
    return record.referees[0].acting


def check_chain(states: Mapping[int, bytes], key: bytes | None, game: str | None) -> Chain:
    """Check these states in the order of their numbers, and return their chain.

    ``states`` has at least one state. ``key`` and ``game`` are the public key and the game id that the
    caller trusts, or None. States may be missing only at the beginning, and then ``key`` is required.
    Raises Refused, which names the first wrong state. Source: docs/SPECIFICATION.md section 12.
    """
    numbers = sorted(states)
    first = numbers[0]
    if first == 0:
        acting_key = genesis_key(states[0])
        _check_genesis(states[0], acting_key, key, game)
        key = acting_key
        game = game_id(states[0])
    elif key is None:
        message = f"states before {first} are missing, so nobody can know who may sign this game"
        hint = "add states/0000.toml, or the referee's public key: --key"
        raise Refused("verify/no-key", message, hint)
    chain = Chain(
        game=game or "",
        key=key or b"",
        state_hashes={},
        first_number=first,
        last_record=None,
        opening_count=0,
        from_genesis=first == 0,
        commitments={},
        records={},
    )
    for n in numbers:
        chain = _add_state(chain, n, states[n])
    return chain


def _check_genesis(raw: bytes, acting_key: bytes, trusted_key: bytes | None, trusted_game: str | None) -> None:
    """Raise Refused if a genesis has another key or game id than the caller trusts; None trusts any."""
    if trusted_key is not None and trusted_key != acting_key:
        message = f"the genesis is of key {key_id(acting_key)}, not of {key_id(trusted_key)}"
        raise Refused("verify/other-key", message, "is it this referee's game?")
    if trusted_game is not None and trusted_game != game_id(raw):
        message = f"the genesis is of game {game_id(raw)}, not of {trusted_game}"
        raise Refused("verify/other-game", message, "is it the right folder?")


def _add_state(chain: Chain, n: int, raw: bytes) -> Chain:
    """Check a state against the one before it, and return the chain with that state added."""
    key = chain.key
    if chain.last_record is not None:
        # the referee in force, or a new referee whom the recovery key appointed
        key = signer_of(raw, chain.referees, chain.game, n)
    record = check_operands(read_verified_record(raw, key, f"state {n}"))
    if record.n != n:
        raise state_refusal(n, f"calls itself state {record.n}", "number")
    game = chain.game or record.game
    previous = chain.last_record
    if previous is None and keys_in_force(record.referees, n).acting != key:
        raise state_refusal(n, "is signed by a key that was replaced before it", "signature")
    earlier_states = EarlierStates(chain.state_hashes, game, chain.records)
    for check in CHECKS:
        run_check(check, record, previous, earlier_states)
    if n:
        changes.remember_commitments(chain.commitments, record, previous)
    opening_count = chain.opening_count + len(record.openings)
    state_hashes = {**chain.state_hashes, n: state_hash_of(raw)}
    chain.records[n] = record
    longer_chain = chain._replace(game=game, key=key, state_hashes=state_hashes, opening_count=opening_count)
    return longer_chain._replace(last_record=record, referees=record.referees)


def _find_succession_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """Return a fault unless each new referee was duly appointed, and the secret is wrapped for the newest.

    A wrapped secret is encrypted to the acting and to the recovery key of the newest referee.
    """
    if earlier_states.game:
        previous_referees = previous.referees if previous else None
        if fault := find_succession_fault(record.referees, previous_referees, earlier_states.game, record.n):
            return fault
    newest_row = record.referees[-1]
    if [name for name, _ in record.wrapped_secrets] != [key_id(newest_row.acting), key_id(newest_row.recovery)]:
        return "wraps the secret to others than its referees"
    if previous is None:
        return ""
    if record.referees == previous.referees and record.wrapped_secrets != previous.wrapped_secrets:
        return "wraps the secret again without a new referee"
    if record.referees != previous.referees and not previous.is_dealt:
        return "has other referees before the first order is played"
    return ""


def _find_game_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """Return a fault if a state belongs to another game. Raise Refused if the state before it is missing."""
    if previous is not None and previous.n != record.n - 1:
        raise state_refusal(record.n - 1, "is missing", "missing")
    return "belongs to another game" if record.n and record.game != earlier_states.game else ""


def _find_follower_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """Return a fault unless a state names the hash of the state before it, and the newest ruling `restore`."""
    if previous is None:
        return ""
    state_hash = earlier_states.state_hashes[previous.n]
    if record.previous_hash != b64(state_hash):
        return f"does not follow this state {previous.n}: one of the two is from another history"
    restore_matches = record.restored_hash == previous.latest_restored_hash(state_hash)
    return "" if restore_matches else "does not name the newest ruling `restore` before it"


def _find_after_close_fault(_: StateRecord, previous: StateRecord | None, __: EarlierStates) -> str:
    is_closed = previous is not None and previous.phase == CLOSED
    return "comes after the state that closed the game" if is_closed else ""


def _find_setup_fault(record: StateRecord, previous: StateRecord | None, _: EarlierStates) -> str:
    is_same = previous is None or record.setup == previous.setup
    return "" if is_same else "changes what was settled in the genesis"


def _find_roster_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """Return a fault unless its players signed the roster of a game, and only a ruling changes it after the deal."""
    was_cancelled = record.phase == CLOSED and not record.is_dealt
    fault = contribution.find_key_fault(record.people, record.n, was_cancelled)
    if fault or previous is None:
        return fault
    if record.phase == "roster":
        state_hash = earlier_states.state_hashes[record.n - 1]
        if fault := contribution.find_roster_fault(state_hash, record.roster, record.setup.seats):
            return fault
        is_same = record.people == contribution.seat_players(previous.people, record.roster)
        return "" if is_same else "has other keys of players than they joined with"
    may_differ = previous.is_dealt  # then _find_fault_without_ruling checks it
    return "" if may_differ or record.people == previous.people else "changes who plays, without a ruling"


def _find_contribution_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """Return a fault unless the players have signed what they added to the shuffle, and it never changes later."""
    if previous is None or record.phase == "roster":
        return ""
    if record.phase == "deal":
        genesis_hash = earlier_states.state_hashes.get(0)
        roster_hash = earlier_states.state_hashes[record.n - 1]
        return contribution.find_deal_fault(
            genesis_hash, roster_hash, record.opened_contributions, record.contributions, previous.roster
        )
    is_same = record.contributions == previous.contributions
    return "" if is_same else "changes what each seat added to the shuffle"


CHECKS = (
    Check("referees", "succession", _find_succession_fault),
    Check("chain", "game", _find_game_fault),
    Check("chain", "closed", _find_after_close_fault),
    Check("chain", "chain", _find_follower_fault),
    Check("chain", "settled", _find_setup_fault),
    Check("contributions", "roster", _find_roster_fault),
    Check("contributions", "opened", _find_contribution_fault),
    Check("chain", "heads", changes.find_hash_fault),
    Check("rulings", "ruling", changes.find_ruling_fault),
    Check("chain", "clock", find_clock_fault),
    Check("openings", "slots", changes.find_slot_fault),
    Check("openings", "opening", changes.find_opening_fault),
)


def state_refusal(n: int, fault: str, kind: str) -> Refused:
    """Return the error for a fault of state ``n``."""
    hint = "compare it with the copies of others; a log was rewritten"
    return Refused(f"verify/{kind}", f"state {n} {fault}", hint)


#: the kinds of faults, by error code, where the code is not ``verify/KIND``
_KINDS = {
    "state/other-key": "signature", "state/not-genuine": "signature", "state/toml": "document",
    "state/spelling": "document", "state/referees": "succession", "verify/no-key": "missing",
    "verify/not-genesis": "number", "verify/two-histories": "histories",
}  # fmt: skip
_KINDS_BY_PREFIX = {"state": "frame", "document": "document", "event": "document", "archive": "container"}


def fault_kind_of(error: PbemError) -> str:
    """Return the kind of fault that an error reports (SPECIFICATION section 12); "" if its code has no kind."""
    prefix, _, detail = error.code.partition("/")
    kinds = {*(check.kind for check in CHECKS), "missing", "number", "lost", "round", "signature"}
    own_kind = detail if prefix == "verify" and detail in kinds else ""
    return _KINDS.get(error.code) or own_kind or _KINDS_BY_PREFIX.get(prefix, "")


NO_PREVIOUS_ROUND = "none"


def describe_previous_round(chain: Chain, chains: Mapping[str, Chain]) -> str:
    """Return a clause about the round before this one, or "" if this is the first.

    If a game is cancelled before its deal, a new round replaces it. Raises Refused ``verify/round`` if
    the round before was not cancelled, or another of the ``chains`` replaces it too.
    """
    if chain.last_record is None:
        return ""
    setup = chain.last_record.setup
    if setup.previous == NO_PREVIOUS_ROUND:
        return ""
    for other in chains.values():
        if other.last_record and other.last_record.setup.previous == setup.previous and other.game != chain.game:
            raise _round_refusal(chain, f"and game {other.game} both follow one round that was cancelled")
    matching_chains = (other for other in chains.values() if b64(other.state_hashes.get(0, b"")) == setup.previous)
    previous_chain = next(matching_chains, None)  # setup.previous is the hash of its genesis
    if previous_chain is None or previous_chain.last_record is None:
        return f"; it is round {setup.round}, and the one before it is not here"
    last_record = previous_chain.last_record
    if last_record.phase != CLOSED or last_record.is_dealt:
        raise _round_refusal(chain, f"replaces game {previous_chain.game}, which was not cancelled before its deal")
    if last_record.setup.round != setup.round - 1:
        raise _round_refusal(chain, f"is round {setup.round} after round {last_record.setup.round}")
    return f"; it is round {setup.round}, after game {previous_chain.game}, which was cancelled"


def _round_refusal(chain: Chain, message: str) -> Refused:
    return Refused("verify/round", f"game {chain.game} {message}", "keep both; together they prove it")
