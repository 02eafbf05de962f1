"""Two histories of one game: where they part, and whether a ruling gave one of them up.

What must never be here: a signature, a block, a file. What is compared is a head and what it knows.
Laws: a ruling `restore` is the referee's word that newer states were lost; what differs without one
was rewritten. From a succession's own state on nothing counts that the old key signed, and no
ruling of that key either. Nobody is accused of a theft: a key signed two histories.
Source: docs/SPECIFICATION.md section 12 (histories); P5, P7.
"""

from collections.abc import Mapping
from typing import NamedTuple

from pbem.chain.referees import RECOVERY, RefereeKeys, keys_in_force
from pbem.chain.state_record import StateRecord
from pbem.crypto.signing import key_id
from pbem.errors import Refused


class Divergence(NamedTuple):
    """Two histories of one game, as the second is told: the first state of which there are two."""

    n: int
    is_genuine: bool = False  #: the second is still called so
    is_lost: bool = False  #: by a ruling `restore` that one of them has in state n
    last_lost: int = 0  #: the last state that is known of those lost
    restores_differ: bool = False  #: they do not know the same ruling `restore`, and none is here
    key_ids: tuple[str, ...] = ()  #: who signed state n, where one of the two has a new referee

    @property
    def is_by_ruling(self) -> bool:
        """Whether a ruling gave one of the two up, or may have: nobody is accused then."""
        return self.is_lost or self.restores_differ

    def describe(self, other_name: str) -> str:
        """The sentence for the second of them, beside the first, which is ``other_name``."""
        if self.restores_differ:
            sentence = f"{other_name} has another state {self.n} of this game, and the two do not know the same"
            return f"{sentence} ruling `restore`: by that ruling one of them may count no more"
        if self.key_ids:
            sentence = f"key {' and key '.join(self.key_ids)} signed two histories of this game"
            return f"{sentence}, from state {self.n} on: this one and that of {other_name}"
        if not self.is_lost:
            return f"{other_name} has another state {self.n} of this game: one of the two was rewritten"
        lost_states = f"states {self.n} to {self.last_lost}" if self.last_lost > self.n else f"state {self.n}"
        verb = "count" if self.last_lost > self.n else "counts"
        reason = f"newer states were lost, and went on from state {self.n - 1}"
        sentence = f"the referee ruled in state {self.n} that {reason}: {lost_states}"
        if self.is_genuine:
            return f"{sentence} of {other_name} {verb} no more"
        return f"in {other_name} {sentence} here {verb} no more"

    @property
    def hint(self) -> str:
        if self.restores_differ:
            return "keep both; the newest copy of the game's folder tells which one counts"
        if self.key_ids:
            return "keep both, and ask each referee; an old copy that was restored looks the same"
        advice = ", and compare what was played" if self.is_lost else ": together they prove it"
        return f"keep both{advice}"

    def refusal(self, other_name: str) -> Refused:
        """Why the second of them is not called genuine."""
        code = "verify/lost" if self.is_by_ruling else "verify/two-histories"
        return Refused(code, self.describe(other_name), self.hint)


class StateFingerprint(NamedTuple):
    """What is known of one state: its head, and that of the newest `restore` it knows (b"": none).

    A chain, a single state, a report and a receipt are all compared as these, by number.
    """

    state_hash: bytes
    restore_hash: bytes = b""


class History(NamedTuple):
    """The states of one game that a chain, a report or a receipt tells of."""

    states: Mapping[int, StateFingerprint]
    referees: tuple[RefereeKeys, ...] = ()  #: its referees; a report and a receipt name none

    def new_referees(self, other: "History", n: int) -> tuple[RefereeKeys, ...]:
        """Its new referees since it parted from another one in state ``n``, as far as is known.
        Rows are only as good as the first one, which a genesis alone vouches for.
        """
        if not other.referees or not self.referees:
            return ()
        if self.referees[0] != other.referees[0] and 0 not in self.states:
            return () if 0 in other.states else self.referees[:1]
        return tuple(row for row in self.referees if row not in other.referees or row.added_in >= n)


def history_of(records: Mapping[int, StateRecord], state_hashes: Mapping[int, bytes]) -> History:
    """What a chain tells."""
    states = {
        n: StateFingerprint(state_hash, records[n].latest_restored_hash(state_hash))
        for n, state_hash in state_hashes.items()
    }
    return History(states, records[max(records)].referees if records else ())


def find_discarding_restores(states: Mapping[int, StateFingerprint], n: int, restore_hash: bytes) -> list[int]:
    """The states with a ruling `restore` that names a state ``n`` off this history as lost.

    The ruling in state k goes on from state k-1: lost is what is of state k or later and does not
    know that ruling, or one after it. ``restore_hash``: the newest that it does know.
    """
    restores = sorted(
        number for number, fingerprint in states.items() if fingerprint.state_hash == fingerprint.restore_hash
    )
    newest_known = max((number for number in restores if states[number].state_hash == restore_hash), default=0)
    return [number for number in restores if newest_known < number <= n]


def find_divergence(first: History, second: History) -> Divergence | None:
    """Where two histories of one game part; None where neither contradicts."""
    first_states, second_states = first.states, second.states
    n = min(
        (
            n
            for n in first_states.keys() & second_states.keys()
            if first_states[n].state_hash != second_states[n].state_hash
        ),
        default=None,
    )
    if n is None:
        return None
    new_referees = first.new_referees(second, n), second.new_referees(first, n)
    for is_second, ruling_states, lost_states in (
        (False, first_states, second_states),
        (True, second_states, first_states),
    ):
        restores = find_discarding_restores(ruling_states, n, lost_states[n].restore_hash)
        if restores and not new_referees[not is_second]:
            return Divergence(restores[-1], is_second, is_lost=True, last_lost=max(lost_states))
    if not any(new_referees):
        return Divergence(n, restores_differ=first_states[n].restore_hash != second_states[n].restore_hash)
    key_ids = {key_id(keys_in_force(history.referees, n).acting): None for history in (first, second)}
    return Divergence(n, _outranks(new_referees[1], new_referees[0], n), key_ids=tuple(key_ids))


def _outranks(referees: tuple[RefereeKeys, ...], other_referees: tuple[RefereeKeys, ...], n: int) -> bool:
    """Whether a history that has these new referees counts beside one that has the others, and
    parts from it in state ``n``: by a recovery, or since the old key was replaced by then.
    """
    has_recovery, other_has_recovery = (
        any(row.appointed_by == RECOVERY for row in candidates) for candidates in (referees, other_referees)
    )
    if has_recovery or other_has_recovery:
        return has_recovery and not other_has_recovery
    return bool(referees) and not other_referees and n >= referees[0].added_in
