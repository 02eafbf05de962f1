"""What an audit checks of a game whose rules are not here, or come out otherwise here.

What lives here: of each state that was not played again: its tokens and commitments, what is sealed
as an order and whose signature it has; the deal; the piles and the box after a correction. What
must never be here: what an order does (replay.py).
Laws: no version that a genesis names, and no rule that is missing, excuses any of this; each place
is looked at, whatever was found before it.
Source: docs/SPECIFICATION.md sections 6 to 9 and 12.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from pbem.chain.loaded_game import LoadedGame, Seals, made_in, opened
from pbem.chain.rows import is_part
from pbem.chain.rulings.correct import out_of_order
from pbem.chain.rulings.fields import slot_words
from pbem.chain.state_record import DEAL, Entry, StateRecord, config_of
from pbem.errors import BadInput, PbemError
from pbem.play.joining.opening import contributions, piles_dealt
from pbem.proof.audit.findings import Findings, SignedState, UsedNumbers
from pbem.proof.audit.orders import read_order, wrong_source

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: a finding: the item of the audit, and what is wrong
Wrong = tuple[str, str]


class Unruled(NamedTuple):
    """The states of a game, its secret, and its pieces if they are known here."""

    states: Mapping[int, SignedState]
    secret: bytes
    game: "Game | None"

    def seals(self, n: int) -> Seals:
        return Seals(self.secret, self.states[n].link.game, n, self.states[n - 1].head)


def check(whole: Unruled, begin: int, used: UsedNumbers, found: Findings) -> None:
    """Every state from ``begin`` on; ``used``: the numbers of signed orders used before it."""
    for n in range(max(begin, 1), len(whole.states)):
        record, before = whole.states[n].link, whole.states[n - 1].link
        for player, old in zip(record.people, before.people, strict=False):
            if player.key != old.key:  # another key begins to count anew
                used.pop(player.seat, None)
        if not record.dealt or record.n != n:  # of another number than its place: that is said
            continue
        for look in (_tokens, _deal, _box):
            try:
                wrongs = list(look(whole, record))
            except (PbemError, LookupError, ValueError, TypeError):
                continue  # rows that make no position: `verify` and the rules say so
            for item, what in wrongs:
                found.contradict(item, n, what)
        for number, entry in enumerate(record.entries, 1):
            for item, what in _entry(whole, record, number, entry, used):
                found.contradict(item, n, f"order {number} of {entry.seat}: {what}")


def _tokens(whole: Unruled, record: StateRecord) -> Iterator[Wrong]:
    """Each token opens, and each commitment is of what is in it."""
    seals = whole.seals(record.n)
    for row in record.sealed:
        what = slot_words(whole.game, record.position, row.slot)
        try:
            value = seals.open(row.slot, row.token)
            _, commitment = seals.commit(row.slot, value, _head_before(whole, row.slot))
        except (BadInput, ValueError, LookupError):
            yield "sealed", f"what is hidden: {what}: what is sealed there does not open"
            continue
        if not is_part(value):
            yield "sealed", f"what is hidden: {what}: no report could open it"
        if commitment != row.commitment:
            yield "sealed", f"what is hidden: {what}: its commitment is not of what is sealed"
    for opened_one in record.openings:  # what was never sealed has no token that would say so
        slot, value, *proof = opened_one
        if (*proof,) != seals.commit(slot, value, _head_before(whole, slot)):
            yield "sealed", f"{slot_words(whole.game, record.position, slot)} has a key of its own"


def _head_before(whole: Unruled, slot: str) -> bytes:
    return whole.states[made_in(slot) - 1].head


def _entry(
    whole: Unruled, record: StateRecord, number: int, entry: Entry, used: UsedNumbers
) -> Iterator[Wrong]:
    """What is sealed is an order, as it was committed to, and its player's own."""
    seals, slot = whole.seals(record.n), f"{record.n}/order/{number}"
    item = "sealed"
    try:
        value = seals.open_order(slot, entry.token)
        item = "signed"
        order = read_order(value)
    except (BadInput, ValueError):
        yield item, "what is sealed there is no order"
        return
    if seals.commit(slot, value, whole.states[record.n - 1].head)[1] != entry.commitment:
        yield "sealed", "its commitment is not of what is sealed"
    before = whole.states[record.n - 1].link
    heads = {state.head: n for n, state in whole.states.items() if n < record.n}
    if wrong := wrong_source(order, entry.seat, entry.source, before, heads, used):
        yield "signed", wrong


def _deal(whole: Unruled, record: StateRecord) -> Iterator[Wrong]:
    """Every pile is as the secret and the contributions give it, whoever's rules play with it."""
    if record.n != DEAL or whole.game is None:
        return
    roster = whole.states[1]
    given = {seat: what for seat, what, _ in contributions(roster.link, record.opened)}
    piles = piles_dealt(config_of(record), whole.game, whole.secret, roster.head, given)
    lies = {f"2/{name}/{i:02d}": v for name, pile in piles.items() for i, v in enumerate(pile)}
    seals = whole.seals(2)
    here, made = (
        {row.slot: row.value for row in record.openings},
        [slot for slot, _ in record.commits],
    )
    for row in record.sealed:
        try:
            here[row.slot] = seals.open(row.slot, row.token)
        except (BadInput, UnicodeDecodeError):
            continue  # it is of `sealed`
    names = {_pile_of(slot) for slot in (*made, *here)}
    wanted = {slot for slot in lies if _pile_of(slot) in names}
    for slot in sorted(wanted | here.keys()):
        if slot in here and here[slot] != lies.get(slot):
            what = slot_words(whole.game, record.position, slot)
            yield "deal", f"{what} is not what the secret and the contributions give"
            return
    if missing := wanted - {*made, *here}:
        yield "deal", f"{slot_words(whole.game, record.position, min(missing))} is missing"


def _pile_of(slot: str) -> str:
    return slot.partition("/")[2].rpartition("/")[0]


def _box(whole: Unruled, record: StateRecord) -> Iterator[Wrong]:
    """What is corrected leaves each pile made of the same things, and the table out of the box."""
    if not record.rulings or whole.game is None or not whole.states[record.n - 1].link.dealt:
        return
    old, new = (_position(whole, whole.game, n) for n in (record.n - 1, record.n))
    if wrong := out_of_order(old, new.state, record.rulings):
        yield "rulings", wrong


def _position(whole: Unruled, game: "Game", n: int) -> LoadedGame:
    state = whole.states[n]
    return opened(state.link, state.head, whole.seals(n), game)
