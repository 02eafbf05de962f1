"""Is this genuine? Signatures, the chain, openings and report blocks, from public keys alone.

What must never be here: the secret, the rules of a game, files.
Law: it needs nothing that is not public; what it could not check it says.
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
from pbem.proof.verify.changes import EarlierStates
from pbem.proof.verify.clock import find_clock_fault


class Unreadable(Exception):
    """A state, genuine and in its place, whose rows say nothing that its game could say."""

    def __init__(self, n: int) -> None:
        super().__init__(f"state {n}")
        self.n = n


#: what is wrong with a state after the one before it, "" if nothing
Check = Callable[[StateRecord, StateRecord | None, EarlierStates], str]


def run_check(
    kind: str, check: Check, record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates
) -> None:
    """One check of one state; Refused ``verify/…`` where it does not hold, or cannot be made."""
    try:
        fault = check(record, previous, earlier_states)
    except PbemError:
        raise
    except Exception as error:
        raise state_refusal(record.n, "has rows that nobody can read", kind) from error
    if fault:
        raise state_refusal(record.n, fault, kind)


class Chain(NamedTuple):
    """A verified run of links: heads by number, and what the last one holds."""

    game: str
    key: bytes  #: of the referee who signed the last of them
    state_hashes: dict[int, bytes]
    first_number: int
    last_record: StateRecord | None
    opening_count: int
    from_genesis: bool
    commitments: dict[str, tuple[int, bytes]]  #: slot to the link that made it and its commitment
    referees: tuple[RefereeKeys, ...] = ()
    records: dict[int, StateRecord] = {}


def genesis_key(raw: bytes) -> bytes:
    """The acting key a genesis names, if it signed the genesis with it."""
    record = read_self_signed_record(raw)
    if record.n != 0:
        message = f"this is state {record.n}, not the genesis"
        raise Refused("verify/not-genesis", message, "the genesis is states/0000.toml")
    return record.referees[0].acting


def check_chain(states: Mapping[int, bytes], key: bytes | None, game: str | None) -> Chain:
    """Check every state there is, in order. ``key`` and ``game``: what the asker knows for sure.

    Refused with the number of the first state that is wrong, and why. A gap is refused too: states
    may be missing at the beginning only (then the key must be known).
    """
    numbers = sorted(states)
    first = numbers[0]
    if first == 0:
        key = _check_genesis(states[0], key, game)
        game = game_id(states[0])
    elif key is None:
        message = f"states before {first} are missing, so it cannot be told who may sign this game"
        hint = "add states/0000.toml, or the referee's public key: --key"
        raise Refused("verify/no-key", message, hint)
    chain = Chain(game or "", key or b"", {}, first, None, 0, first == 0, {}, (), {})
    for n in numbers:
        chain = _add_state(chain, n, states[n])
    return chain


def _check_genesis(raw: bytes, key: bytes | None, game: str | None) -> bytes:
    acting_key = genesis_key(raw)
    if key is not None and key != acting_key:
        message = f"the genesis is of key {key_id(acting_key)}, not of {key_id(key)}"
        raise Refused("verify/other-key", message, "is it this referee's game?")
    if game is not None and game != game_id(raw):
        message = f"the genesis is of game {game_id(raw)}, not of {game}"
        raise Refused("verify/other-game", message, "is it the right folder?")
    return acting_key


def _add_state(chain: Chain, n: int, raw: bytes) -> Chain:
    """The next state of the chain, checked against the one before."""
    key = chain.key
    if chain.last_record is not None:  # who is in force, or whom the state appoints by the recovery key
        key = signer_of(raw, chain.referees, chain.game, n)
    record = check_operands(read_verified_record(raw, key, f"state {n}"))
    if record.n != n:
        raise state_refusal(n, f"calls itself state {record.n}", "number")
    game = chain.game or record.game
    previous = chain.last_record
    if previous is None and keys_in_force(record.referees, n).acting != key:
        raise state_refusal(n, "is signed by a key that was replaced before it", "signature")
    earlier_states = EarlierStates(chain.state_hashes, game, chain.records)
    for _, kind, check in CHECKS:
        run_check(kind, check, record, previous, earlier_states)
    if n:
        changes.remember_commitments(chain.commitments, record, previous)
    opening_count = chain.opening_count + len(record.openings)
    state_hashes = {**chain.state_hashes, n: state_hash_of(raw)}
    chain.records[n] = record
    longer_chain = chain._replace(game=game, key=key, state_hashes=state_hashes, opening_count=opening_count)
    return longer_chain._replace(last_record=record, referees=record.referees)


def _find_succession_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """Keys pass on by the signature of a referee only, and with them the wraps of the secret."""
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
        return "wraps the secret anew without a new referee"
    if record.referees != previous.referees and not previous.is_dealt:
        return "has other referees before the first order is played"
    return ""


def _find_game_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    if previous is not None and previous.n != record.n - 1:
        raise state_refusal(record.n - 1, "is missing", "missing")
    return "belongs to another game" if record.n and record.game != earlier_states.game else ""


def _find_follower_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """It follows the state before."""
    if previous is None:
        return ""
    state_hash = earlier_states.state_hashes[previous.n]
    if record.previous_hash != b64(state_hash):
        return f"does not follow this state {previous.n}: one of the two is from another history"
    restore_matches = record.restored_hash == previous.latest_restored_hash(state_hash)
    return "" if restore_matches else "does not name the newest ruling `restore` before it"


def _check_previous(is_wrong: Callable[[StateRecord, StateRecord], bool], message: str) -> Check:
    return lambda record, previous, _: message if previous is not None and is_wrong(record, previous) else ""


_find_after_close_fault = _check_previous(
    lambda _, previous: previous.phase == CLOSED, "comes after the state that closed the game"
)
_find_setup_fault = _check_previous(
    lambda record, previous: record.setup != previous.setup, "changes what was settled in the genesis"
)


def _find_roster_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """The roster is signed by who joined; later a ruling alone changes who plays."""
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
    is_same = record.people == previous.people or previous.is_dealt  # then a ruling may change it
    return "" if is_same else "changes who plays, without a ruling"


def _find_contribution_fault(record: StateRecord, previous: StateRecord | None, earlier_states: EarlierStates) -> str:
    """The deal is signed by who joined, and it stays what each of them gave."""
    if previous is None or record.phase == "roster":
        return ""
    if record.phase == "deal":
        state_hashes = earlier_states.state_hashes.get(0), earlier_states.state_hashes[record.n - 1]
        return contribution.find_deal_fault(
            *state_hashes, record.opened_contributions, record.contributions, previous.roster
        )
    is_same = record.contributions == previous.contributions
    return "" if is_same else "tells otherwise what each seat gave to the deal"


#: what is looked at in each state, after its signature: the line of an audit it belongs to, the
#: kind of the fault (SPECIFICATION section 12), how
CHECKS: tuple[tuple[str, str, Check], ...] = (
    ("referees", "succession", _find_succession_fault),
    ("chain", "game", _find_game_fault),
    ("chain", "closed", _find_after_close_fault),
    ("chain", "chain", _find_follower_fault),
    ("chain", "settled", _find_setup_fault),
    ("contributions", "roster", _find_roster_fault),
    ("contributions", "opened", _find_contribution_fault),
    ("chain", "heads", changes.find_hash_fault),
    ("rulings", "ruling", changes.find_ruling_fault),
    ("chain", "clock", find_clock_fault),
    ("openings", "slots", changes.find_slot_fault),
    ("openings", "opening", changes.find_opening_fault),
)


def state_refusal(n: int, message: str, kind: str) -> Refused:
    hint = "compare it with the copies of others; a chain was rewritten"
    return Refused(f"verify/{kind}", f"state {n} {message}", hint)


#: the kinds of faults that have other codes than ``verify/KIND``
_KINDS = {
    "state/other-key": "signature", "state/not-genuine": "signature", "state/toml": "document",
    "state/spelling": "document", "state/referees": "succession", "verify/no-key": "missing",
    "verify/not-genesis": "number", "verify/two-histories": "histories",
}  # fmt: skip
_PLACES = {"state": "frame", "document": "document", "event": "document", "archive": "container"}


def fault_kind_of(error: PbemError) -> str:
    """The kind of a fault (SPECIFICATION section 12), "" where its code says none."""
    prefix, _, detail = error.code.partition("/")
    kinds = {*(kind for _, kind, _ in CHECKS), "missing", "number", "lost", "round", "signature"}
    own_kind = detail if prefix == "verify" and detail in kinds else ""
    return _KINDS.get(error.code) or own_kind or _PLACES.get(prefix, "")


NO_PREVIOUS_ROUND = "none"


def describe_previous_round(chain: Chain, chains: Mapping[str, Chain]) -> str:
    """What is to be said of the round before this one, "" where it is the first.

    Refused ``verify/round`` where the one before is here and was not given up before its deal, or
    another that follows it is.
    """
    if chain.last_record is None:
        return ""
    setup = chain.last_record.setup
    if setup.previous == NO_PREVIOUS_ROUND:
        return ""
    for other in chains.values():
        if other.last_record and other.last_record.setup.previous == setup.previous and other.game != chain.game:
            raise _round_refusal(chain, f"and game {other.game} both follow one round that was cancelled")
    previous_chain = next(
        (candidate for candidate in chains.values() if b64(candidate.state_hashes.get(0, b"")) == setup.previous), None
    )
    if previous_chain is None or previous_chain.last_record is None:
        return f"; it is round {setup.round}, and the one before it is not here"
    if previous_chain.last_record.phase != CLOSED or previous_chain.last_record.is_dealt:
        raise _round_refusal(chain, f"replaces game {previous_chain.game}, which was not cancelled before its deal")
    if previous_chain.last_record.setup.round != setup.round - 1:
        raise _round_refusal(chain, f"is round {setup.round} after round {previous_chain.last_record.setup.round}")
    return f"; it is round {setup.round}, after game {previous_chain.game}, which was cancelled"


def _round_refusal(chain: Chain, message: str) -> Refused:
    return Refused("verify/round", f"game {chain.game} {message}", "keep both; together they prove it")
