"""What a kind of ruling is, and what the link of a ruling is made of.

What lives here: Kind, Basis, what the functions of a kind are given; the kinds that leave the game
as it is: NOTE, RESTORE, VOID, CLOSE, END. What must never be here: a kind that moves anything; each
has its file, and kinds.py has the table.
Law: what a kind may change stands in its entry; `verify` lets it change nothing else.
Source: docs/SPECIFICATION.md section 9 (rulings); decision 0005.
"""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.loaded_game import LoadedGame, Seals
from pbem.chain.ruling_row import RESTORE_NAME, Ruling
from pbem.chain.state_record import DEAL, StateRecord, Vote
from pbem.mail.identity import mark_words

if TYPE_CHECKING:
    from pbem.engine.game import Game


class RulingBasis(NamedTuple):
    """What the link of a ruling is made of: the link it stands on, the State, the rulings."""

    previous: StateRecord
    state: Any
    rulings: tuple[Ruling, ...]
    consents: tuple[Vote, ...] = ()


class StateLookup(NamedTuple):
    """What the teller can look up besides the two states."""

    game: "Game | None"
    #: an older state; None where it is not here
    earlier_record: Callable[[int], StateRecord | None]
    #: what the game calls a slot, and a state: the value in it, "" while it is hidden
    hidden_value: Callable[[int, str], str] = lambda _, __: ""
    #: a state, and the number of an order in it, from 1: the order whole, "" while that is hidden
    hidden_order: Callable[[int, int], str] = lambda _, __: ""
    #: whether moments are told by the clocks of the game's zone: a transcript, which others make
    #: again, has nothing that hangs on the tables of a machine, or on what a government changes
    in_local_time: bool = False

    def time_zone(self, record: StateRecord) -> str:
        """By whose clocks moments are told."""
        return record.clock.zone if self.in_local_time else ""


#: the game after each link that was played again
GameAt = Callable[[int], LoadedGame]


class RulingKind(NamedTuple):
    """One kind of ruling."""

    name: str
    #: what it says to all, from the ruling alone and without its reason
    describe: Callable[[Ruling], str]
    #: what a link with its rulings is made of, for an audit; None where they cannot be carried out
    rebuild_basis: Callable[[LoadedGame, StateRecord, GameAt, Seals], RulingBasis | None]
    #: its operands, in the ways it may have them
    operand_forms: tuple[str, ...] = ("",)
    #: whether its operands are of their shape
    are_operands_valid: Callable[[Ruling], bool] = lambda _: True
    #: what it says to all, with the state before it and the states that can be looked up
    describe_in_full: Callable[[Ruling, StateRecord, StateRecord, StateLookup], str] | None = None
    #: what is wrong with a link of it besides what every ruling must keep; "" if nothing
    find_fault: Callable[[StateRecord, StateRecord, Mapping[int, StateRecord]], str] = lambda _, __, ___: ""
    #: the state before, as the next ruling of the same link finds it
    apply: Callable[[StateRecord, Ruling], StateRecord] = lambda previous, _: previous
    #: whether the block of a seat opens all that it may know, once more
    reopens_secrets: Callable[[Ruling, str | None], bool] = lambda _, __: False
    has_reason: bool = True  #: its text is a reason; else it is all that the ruling is about
    #: the keys of the clock that are another
    changed_options: Callable[[Ruling], tuple[str, ...]] = lambda _: ()
    #: by how many seconds it moves the deadline of a seat at least; None: it moves none
    deadline_shift: Callable[[StateRecord, StateRecord, str], int] | None = None
    #: the seats that must agree, signed where they have a key; None: states are missing to tell
    required_consents: Callable[[StateRecord, StateRecord, Mapping[int, StateRecord]], tuple[str, ...] | None] = (
        lambda *_: ()
    )
    is_repeatable: bool = False  #: a link may have more than one
    voids_orders: bool = False  #: orders of all seats are void
    changes_position: bool = False  #: the game may be another: what lies there, what is hidden, who is asked
    changes_player: bool = False  #: the player of its operand ``seat`` may be another
    changes_referee: bool = False  #: others may sign
    closes_game: bool = False  #: its link is the last, and opens the secret
    rewrites_history: bool = False  #: what was played before it counts no more, or differs

    def make_ruling(self, reason: str, *operands: tuple[str, str]) -> Ruling:
        """One of this kind."""
        return Ruling(self.name, operands, reason)

    def changes_actors(self, ruling: Ruling) -> bool:
        """Whether another plays or signs by it, or the same with another key."""
        changed_facts = {*ruling.operand("what").split(",")}
        return self.changes_referee or (self.changes_player and bool(changed_facts & {"name", "known"}))

    def full_text(self, ruling: Ruling, description: str = "") -> str:
        """The ruling as all read it, with its reason; ``description``: in these words.

        What the referee wrote cannot pass for a sentence of pbem's.
        """
        description = description or self.describe(ruling)
        description = description[:1].upper() + description[1:]
        return f"{description}{'. Reason' * self.has_reason}:\n{mark_words(ruling.reason)}"


def unchanged_basis(position: LoadedGame, ruling: Ruling) -> RulingBasis:
    """A ruling that leaves the game as it is."""
    return RulingBasis(position.record, position.state, (ruling,))


def void_written_orders(record: StateRecord) -> StateRecord:
    """Orders written for this link or an older one count no more, whoever's they are."""
    people = tuple(player._replace(orders_since=record.n + 1) for player in record.people)
    return advance_questions(record._replace(people=people), frozenset(record.setup.seats))


def advance_questions(record: StateRecord, seats: frozenset[str]) -> StateRecord:
    """The next question of these seats: the code of the one before is good no longer."""
    answered = tuple((seat, number + (seat in seats)) for seat, number in record.answered)
    return record._replace(answered=answered)


def commitments_by_slot(record: StateRecord) -> dict[str, bytes]:
    """What a state hides, by slot."""
    return {sealed.slot: sealed.commitment for sealed in record.sealed}


def is_unchanged(record: StateRecord, previous: StateRecord) -> bool:
    """The game stands as it stood: what is public, what is hidden, what stands in for what."""
    return (
        record.position == previous.position
        and commitments_by_slot(record) == commitments_by_slot(previous)
        and record.replaced == previous.replaced
        and not record.commits
    )


STATE_NUMBER = re.compile("[1-9][0-9]{0,5}")  #: the number of a state, as an operand


def rebuild_unchanged(position: LoadedGame, record: StateRecord, _: GameAt, __: Seals) -> RulingBasis:
    return unchanged_basis(position, record.rulings[0])


def _find_restore_fault(record: StateRecord, previous: StateRecord, _: Mapping[int, StateRecord]) -> str:
    is_same = record.rulings[0].operand("from") == str(previous.n)
    return "" if is_same else "goes on from another state than the one before it"


#: something that all players read
NOTE = RulingKind("note", describe=lambda _: "a note of the referee", rebuild_basis=rebuild_unchanged, has_reason=False)
#: states after that of its operand were lost
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
    """The ruling that waiting orders were lost."""
    return RulingBasis(void_written_orders(position.record), position.state, (ruling,))


def _rebuild_void(position: LoadedGame, record: StateRecord, _: GameAt, __: Seals) -> RulingBasis:
    return build_void_basis(position, record.rulings[0])


def _find_void_fault(record: StateRecord, previous: StateRecord, _: Mapping[int, StateRecord]) -> str:
    if not DEAL <= int(record.rulings[0].operand("from")) <= previous.n:
        return "rules that orders of a state were lost that had none"
    return ""


#: waiting orders were lost with the desk: nobody can say which they were
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
#: the players ended it
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
