"""Two histories of one game: where they part, and whether a ruling `restore` explains it.

A referee who lost the newest states goes on from a backup, with the ruling `restore`. Then two
different states have the same number.

Not allowed here: signatures, blocks, files. Only state hashes are compared.
Laws: a ruling `restore` is the referee's word that newer states were lost. Histories that differ
without one were rewritten. From the state of a succession on, nothing signed by the old key counts.
Nobody is accused of stealing a key: it signed two histories.
Source: docs/SPECIFICATION.md section 12 (histories); P5, P7.
"""

from collections.abc import Mapping
from typing import NamedTuple

from pbem.chain.referees import RECOVERY, RefereeKeys, keys_in_force
from pbem.chain.state_record import StateRecord
from pbem.crypto.signing import key_id
from pbem.errors import Refused
from pbem.proof.verify import sentences


class Divergence(NamedTuple):
    """Where the second of two histories of one game parts from the first."""

    n: int  #: the first state that differs; if ``is_lost``, the state with the ruling
    is_genuine: bool = False  #: whether the second history is still genuine
    is_lost: bool = False  #: whether a ruling `restore` in one history says that states of the other were lost
    last_lost: int = 0  #: if ``is_lost``, the last known of the lost states
    restores_differ: bool = False  #: whether each may know a ruling `restore` that the other does not
    key_ids: tuple[str, ...] = ()  #: the keys that signed state n, if one history has a new referee

    @property
    def is_by_ruling(self) -> bool:
        """Whether a ruling explains, or may explain, the divergence. Then nobody is accused."""
        return self.is_lost or self.restores_differ

    def describe(self, other_name: str) -> str:
        """Return the sentence about the second history; ``other_name`` names the first."""
        if self.restores_differ:
            sentence = sentences.RESTORES_DIFFER
        elif self.key_ids:
            sentence = sentences.SIGNED_TWO_HISTORIES if len(self.key_ids) == 1 else sentences.TWO_KEYS_SIGNED
        elif not self.is_lost:
            sentence = sentences.REWRITTEN
        elif self.is_genuine:
            sentence = sentences.STATES_LOST_THERE if self.last_lost > self.n else sentences.STATE_LOST_THERE
        else:
            sentence = sentences.STATES_LOST_HERE if self.last_lost > self.n else sentences.STATE_LOST_HERE
        return sentence.format(
            other=other_name,
            n=self.n,
            previous=self.n - 1,
            last=self.last_lost,
            key=self.key_ids[0] if self.key_ids else "",
            other_key=self.key_ids[-1] if self.key_ids else "",
        )

    @property
    def hint(self) -> str:
        """The advice on what to do with the two histories."""
        if self.restores_differ:
            return sentences.KEEP_UNTIL_NEWEST
        if self.key_ids:
            return sentences.ASK_REFEREES
        return sentences.KEEP_AND_COMPARE if self.is_lost else sentences.KEEP_AS_PROOF

    def refusal(self, other_name: str) -> Refused:
        """Return the error which says why the second history is not genuine."""
        code = "verify/lost" if self.is_by_ruling else "verify/two-histories"
        return Refused(code, self.describe(other_name), self.hint)


class StateFingerprint(NamedTuple):
    """The hash of a state, and of the newest ruling `restore` up to it (b"" for none).

    Chains, single states, reports and receipts are all compared by these.
    """

    state_hash: bytes
    restore_hash: bytes = b""


class History(NamedTuple):
    """The states of one game that a chain, a report or a receipt names, by number."""

    states: Mapping[int, StateFingerprint]
    referees: tuple[RefereeKeys, ...] = ()  #: empty for a report or receipt

    def new_referees(self, other: "History", n: int) -> tuple[RefereeKeys, ...]:
        """Return the referees appointed since this history parted from ``other`` in state ``n``.

        Returns () if one of the two names no referees. An earlier referee appoints each later one, but
        only a genesis proves the first.
        """
        if not other.referees or not self.referees:
            return ()
        if self.referees[0] != other.referees[0] and 0 not in self.states:
            return () if 0 in other.states else self.referees[:1]
        return tuple(row for row in self.referees if row not in other.referees or row.added_in >= n)


def history_of(records: Mapping[int, StateRecord], state_hashes: Mapping[int, bytes]) -> History:
    """Return the history that these states, by number, show."""
    states = {
        n: StateFingerprint(state_hash, records[n].latest_restored_hash(state_hash))
        for n, state_hash in state_hashes.items()
    }
    return History(states, records[max(records)].referees if records else ())


def find_discarding_restores(states: Mapping[int, StateFingerprint], n: int, restore_hash: bytes) -> list[int]:
    """Return the numbers of the states with rulings `restore` by which state ``n`` of another history was lost.

    ``restore_hash`` is the newest ruling `restore` that the lost state knows, or b"". A ruling in state
    k continues from state k-1. So all states from k on are lost if they know neither it nor a later one.
    """
    restores = sorted(
        number for number, fingerprint in states.items() if fingerprint.state_hash == fingerprint.restore_hash
    )
    newest_known = max((number for number in restores if states[number].state_hash == restore_hash), default=0)
    return [number for number in restores if newest_known < number <= n]


def find_divergence(first: History, second: History) -> Divergence | None:
    """Return where two histories of one game part, or None if they agree."""
    common_numbers = first.states.keys() & second.states.keys()
    differing_numbers = [n for n in common_numbers if first.states[n].state_hash != second.states[n].state_hash]
    if not differing_numbers:
        return None
    n = min(differing_numbers)
    first_new, second_new = first.new_referees(second, n), second.new_referees(first, n)
    if not second_new:
        restores = find_discarding_restores(first.states, n, second.states[n].restore_hash)
        if restores:
            return Divergence(restores[-1], is_lost=True, last_lost=max(second.states))
    if not first_new:
        restores = find_discarding_restores(second.states, n, first.states[n].restore_hash)
        if restores:
            return Divergence(restores[-1], is_genuine=True, is_lost=True, last_lost=max(first.states))
    if not first_new and not second_new:
        return Divergence(n, restores_differ=first.states[n].restore_hash != second.states[n].restore_hash)
    key_ids = [key_id(keys_in_force(history.referees, n).acting) for history in (first, second)]
    unique_key_ids = tuple(dict.fromkeys(key_ids))
    return Divergence(n, is_genuine=_outranks(second_new, first_new, n), key_ids=unique_key_ids)


def _outranks(referees: tuple[RefereeKeys, ...], other_referees: tuple[RefereeKeys, ...], n: int) -> bool:
    """Return whether only the history with the new ``referees`` counts, of two that part in state ``n``.

    A referee appointed by the recovery key outranks the others. Otherwise, the history with a new
    referee wins from the state that appointed them.
    """
    has_recovery = any(row.appointed_by == RECOVERY for row in referees)
    other_has_recovery = any(row.appointed_by == RECOVERY for row in other_referees)
    if has_recovery or other_has_recovery:
        return has_recovery and not other_has_recovery
    return bool(referees) and not other_referees and n >= referees[0].added_in
