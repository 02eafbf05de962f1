"""What a kind of ruling is, and the kinds that leave the position as it is.

Not allowed here: a kind that changes the position. Each of those has its own module, and
kinds.py has the table.
Law: the entry of a kind says what it may change; `verify` accepts no other change.
Source: docs/SPECIFICATION.md section 9 (rulings); decision 0005.
"""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.loaded_game import LoadedGame
from pbem.chain.ruling_row import RESTORE_NAME, Ruling
from pbem.chain.seals import Seals
from pbem.chain.state_record import DEAL, StateRecord, Vote
from pbem.mail.identity import mark_words

if TYPE_CHECKING:
    from pbem.engine.game import Game


class RulingBasis(NamedTuple):
    """What the state of a ruling is built from: a changed record, a State, and the rulings."""

    previous: StateRecord
    state: Any
    rulings: tuple[Ruling, ...]
    consents: tuple[Vote, ...] = ()


class StateLookup(NamedTuple):
    """What the text of a ruling may look up, apart from the states before and after it."""

    game: "Game | None"
    #: returns the record of an older state; None if it is missing
    earlier_record: Callable[[int], StateRecord | None]
    #: returns the value of a slot in a state; "" while it is hidden
    hidden_value: Callable[[int, str], str] = lambda _, __: ""
    #: returns an order of a state by its number from 1; "" while it is hidden
    hidden_order: Callable[[int, int], str] = lambda _, __: ""
    #: whether times are in the game's zone; not in a transcript, which must not depend on the time
    #: zone tables of a machine
    in_local_time: bool = False

    def time_zone(self, record: StateRecord) -> str:
        """Return the zone in which to write times."""
        return record.clock.zone if self.in_local_time else ""


#: returns the game at a state
GameAt = Callable[[int], LoadedGame]


class RulingKind(NamedTuple):
    """One kind of ruling: its name, its operands, its text, and what it may change."""

    name: str
    #: describes a ruling without its reason, from the ruling alone
    describe: Callable[[Ruling], str]
    #: rebuilds what its state was built from, for an audit; None if that is impossible
    rebuild_basis: Callable[[LoadedGame, StateRecord, GameAt, Seals], RulingBasis | None]
    #: the names of its operands, in each allowed combination
    operand_forms: tuple[str, ...] = ("",)
    #: whether the values of its operands are well formed
    are_operands_valid: Callable[[Ruling], bool] = lambda _: True
    #: describes a ruling in full, with the states before and after it
    describe_in_full: Callable[[Ruling, StateRecord, StateRecord, StateLookup], str] | None = None
    #: describes what is wrong with its state beyond what all rulings need; "" if nothing
    find_fault: Callable[[StateRecord, StateRecord, Mapping[int, StateRecord]], str] = lambda _, __, ___: ""
    #: changes the record before it for the next ruling of the same state
    apply: Callable[[StateRecord, Ruling], StateRecord] = lambda previous, _: previous
    #: whether a seat's report opens again all that it may know
    reopens_secrets: Callable[[Ruling, str | None], bool] = lambda _, __: False
    has_reason: bool = True  #: whether its text is a reason; if not, it is the whole ruling
    #: returns the options of the clock that it changes
    changed_options: Callable[[Ruling], tuple[str, ...]] = lambda _: ()
    #: returns by how many seconds it moves a seat's deadline at least; None if it moves none
    deadline_shift: Callable[[StateRecord, StateRecord, str], int] | None = None
    #: returns the seats that must agree, signed if they have a key; None if states needed to decide
    #: that are missing
    required_consents: Callable[[StateRecord, StateRecord, Mapping[int, StateRecord]], tuple[str, ...] | None] = (
        lambda *_: ()
    )
    is_repeatable: bool = False  #: a state may have more than one
    voids_orders: bool = False  #: whether it makes the orders of all seats void
    changes_position: bool = False  #: whether it may change the position, hidden values and whom the game asks
    changes_player: bool = False  #: whether it may change the player of its operand ``seat``
    changes_referee: bool = False  #: whether it changes who signs
    closes_game: bool = False  #: whether its state is the last and reveals the secret
    rewrites_history: bool = False  #: whether it changes or cancels what was played before

    def make_ruling(self, reason: str, *operands: tuple[str, str]) -> Ruling:
        """Return a ruling of this kind."""
        return Ruling(self.name, operands, reason)

    def changes_actors(self, ruling: Ruling) -> bool:
        """Whether it changes a player or the referee, or how one of them is authenticated."""
        changed_facts = {*ruling.operand("what").split(",")}
        return self.changes_referee or (self.changes_player and bool(changed_facts & {"name", "known"}))

    def full_text(self, ruling: Ruling, description: str = "") -> str:
        """Return the ruling as everybody reads it, with its reason. ``description`` replaces the
        kind's own. The referee's words are marked, so that they cannot pass for a sentence of pbem.
        """
        description = description or self.describe(ruling)
        description = description[:1].upper() + description[1:]
        return f"{description}{'. Reason' * self.has_reason}:\n{mark_words(ruling.reason)}"


def unchanged_basis(position: LoadedGame, ruling: Ruling) -> RulingBasis:
    """Return the basis of a ruling that leaves the game as it is."""
    return RulingBasis(position.record, position.state, (ruling,))


def void_written_orders(record: StateRecord) -> StateRecord:
    """Make all orders void that any seat wrote for this state or an earlier one."""
    people = tuple(player._replace(orders_since=record.n + 1) for player in record.people)
    return advance_questions(record._replace(people=people), frozenset(record.setup.seats))


def advance_questions(record: StateRecord, seats: frozenset[str]) -> StateRecord:
    """Move these seats to their next question, which makes the code of the last one invalid."""
    answered = tuple((seat, number + (seat in seats)) for seat, number in record.answer_counts)
    return record._replace(answer_counts=answered)


def commitments_by_slot(record: StateRecord) -> dict[str, bytes]:
    """Return the commitments to what a state hides, by slot."""
    return {sealed.slot: sealed.commitment for sealed in record.sealed_values}


def is_unchanged(record: StateRecord, previous: StateRecord) -> bool:
    """Whether the position, the hidden values and the replaced slots are as before."""
    return (
        record.position == previous.position
        and commitments_by_slot(record) == commitments_by_slot(previous)
        and record.replaced_slots == previous.replaced_slots
        and not record.new_commitments
    )


STATE_NUMBER = re.compile("[1-9][0-9]{0,5}")  #: the number of a state as an operand


def rebuild_unchanged(position: LoadedGame, record: StateRecord, _: GameAt, __: Seals) -> RulingBasis:
    return unchanged_basis(position, record.rulings[0])


def _find_restore_fault(record: StateRecord, previous: StateRecord, _: Mapping[int, StateRecord]) -> str:
    is_same = record.rulings[0].operand("from") == str(previous.n)
    return "" if is_same else "goes on from another state than the one before it"


#: a note that all players read
NOTE = RulingKind("note", describe=lambda _: "a note of the referee", rebuild_basis=rebuild_unchanged, has_reason=False)
#: the states after the one in its operand were lost
RESTORE = RulingKind(
    RESTORE_NAME,
    describe=lambda ruling: f"went on from state {ruling.operand('from')}, what came after it is lost",
    rebuild_basis=rebuild_unchanged,
    operand_forms=("from",),
    are_operands_valid=lambda ruling: bool(STATE_NUMBER.fullmatch(ruling.operand("from"))),
    find_fault=_find_restore_fault,
    rewrites_history=True,
)


def build_void_basis(position: LoadedGame, ruling: Ruling) -> RulingBasis:
    """Return the basis of the ruling that pending orders were lost."""
    return RulingBasis(void_written_orders(position.record), position.state, (ruling,))


def _rebuild_void(position: LoadedGame, record: StateRecord, _: GameAt, __: Seals) -> RulingBasis:
    return build_void_basis(position, record.rulings[0])


def _find_void_fault(record: StateRecord, previous: StateRecord, _: Mapping[int, StateRecord]) -> str:
    if not DEAL <= int(record.rulings[0].operand("from")) <= previous.n:
        return "rules that orders of a state were lost that had none"
    return ""


#: pending orders were lost with the private folder, and nobody knows which
VOID = RulingKind(
    "void",
    describe=lambda ruling: f"all orders that waited from state {ruling.operand('from')} on were lost",
    rebuild_basis=_rebuild_void,
    operand_forms=("from",),
    are_operands_valid=lambda ruling: bool(STATE_NUMBER.fullmatch(ruling.operand("from"))),
    find_fault=_find_void_fault,
    voids_orders=True,
)
RESULTS = {
    "conceded": "the others conceded, so {} won",
    "drawn": "the players agreed on a draw, which was not played",
    "agreed": "the players agreed that {} won, which was not played",
}


def _winners(ruling: Ruling) -> list[str]:
    return ruling.operand("winners").split(",") if ruling.operand("winners") else []


def _find_end_fault(record: StateRecord, previous: StateRecord, _: Mapping[int, StateRecord]) -> str:
    winners = _winners(record.rulings[0])
    if winners != [seat for seat in previous.setup.seats if seat in winners]:
        return "rules on seats that there are not, or in another order"
    all_won = len(winners) == len(previous.setup.seats)
    return "rules that nobody conceded" if _is_conceded(record) and all_won else ""


def _is_conceded(record: StateRecord) -> bool:
    return record.rulings[0].operand("result") == "conceded"


def _end_consents(record: StateRecord, previous: StateRecord, _: Mapping[int, StateRecord]) -> tuple[str, ...]:
    exempt_seats = _winners(record.rulings[0]) if _is_conceded(record) else []
    return tuple(seat for seat in previous.setup.seats if seat not in exempt_seats)


CLOSE = RulingKind("close", describe=lambda _: "the game is closed", rebuild_basis=rebuild_unchanged, closes_game=True)
#: the players ended the game
END = RulingKind(
    "end",
    describe=lambda ruling: RESULTS[ruling.operand("result")].format(" and ".join(_winners(ruling))),
    rebuild_basis=rebuild_unchanged,
    operand_forms=("result", "result winners"),
    are_operands_valid=lambda ruling: (
        ruling.operand("result") in RESULTS and bool(ruling.operand("winners")) == (ruling.operand("result") != "drawn")
    ),
    find_fault=_find_end_fault,
    required_consents=_end_consents,
    closes_game=True,
)
