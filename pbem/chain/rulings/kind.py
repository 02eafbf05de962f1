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
from pbem.chain.ruling_row import GONE_ON, Ruling
from pbem.chain.state_record import DEAL, StateRecord, Vote
from pbem.mail.set_apart import marked

if TYPE_CHECKING:
    from pbem.engine.game import Game


class Basis(NamedTuple):
    """What the link of a ruling is made of: the link it stands on, the State, the rulings."""

    before: StateRecord
    state: Any
    rulings: tuple[Ruling, ...]
    consents: tuple[Vote, ...] = ()


class Sight(NamedTuple):
    """What the teller can look up besides the two states."""

    game: "Game | None"
    #: an older state; None where it is not here
    earlier: Callable[[int], StateRecord | None]
    #: what the game calls a slot, and a state: the value in it, "" while it is hidden
    value: Callable[[int, str], str] = lambda _, __: ""
    #: a state, and the number of an order in it, from 1: the order whole, "" while that is hidden
    order: Callable[[int, int], str] = lambda _, __: ""
    #: whether moments are told by the clocks of the game's zone: a transcript, which others make
    #: again, has nothing that hangs on the tables of a machine, or on what a government changes
    local: bool = False

    def zone(self, record: StateRecord) -> str:
        """By whose clocks moments are told."""
        return record.clock.zone if self.local else ""


#: the game after each link that was played again
PositionAt = Callable[[int], LoadedGame]


class Kind(NamedTuple):
    """One kind of ruling."""

    name: str
    #: what it says to all, from the ruling alone and without its reason
    words: Callable[[Ruling], str]
    #: what a link with its rulings is made of, for an audit; None where they cannot be carried out
    carry: Callable[[LoadedGame, StateRecord, PositionAt, Seals], Basis | None]
    #: its operands, in the ways it may have them
    ways: tuple[str, ...] = ("",)
    #: whether its operands are of their shape
    fits: Callable[[Ruling], bool] = lambda _: True
    #: what it says to all, with the state before it and the states that can be looked up
    in_full: Callable[[Ruling, StateRecord, StateRecord, Sight], str] | None = None
    #: what is wrong with a link of it besides what every ruling must keep; "" if nothing
    wrong: Callable[[StateRecord, StateRecord, Mapping[int, StateRecord]], str] = (
        lambda _, __, ___: ""
    )
    #: the state before, as the next ruling of the same link finds it
    after: Callable[[StateRecord, Ruling], StateRecord] = lambda before, _: before
    #: whether the block of a seat opens all that it may know, once more
    anew: Callable[[Ruling, str | None], bool] = lambda _, __: False
    explained: bool = True  #: its text is a reason; else it is all that the ruling is about
    #: the keys of the clock that are another
    sets: Callable[[Ruling], tuple[str, ...]] = lambda _: ()
    #: by how many seconds it moves the deadline of a seat at least; None: it moves none
    shift: Callable[[StateRecord, StateRecord, str], int] | None = None
    #: the seats that must agree, signed where they have a key; None: states are missing to tell
    agreed: Callable[
        [StateRecord, StateRecord, Mapping[int, StateRecord]], tuple[str, ...] | None
    ] = lambda *_: ()
    several: bool = False  #: a link may have more than one
    voids: bool = False  #: orders of all seats are void
    plays: bool = False  #: the game may be another: what lies there, what is hidden, who is asked
    reseats: bool = False  #: the player of its operand ``seat`` may be another
    appoints: bool = False  #: others may sign
    closes: bool = False  #: its link is the last, and opens the secret
    moved: bool = False  #: what was played before it counts no more, or differs

    def ruling(self, reason: str, *operands: tuple[str, str]) -> Ruling:
        """One of this kind."""
        return Ruling(self.name, operands, reason)

    def seats(self, ruling: Ruling) -> bool:
        """Whether another plays or signs by it, or the same with another key."""
        changed = {*ruling.operand("what").split(",")}
        return self.appoints or (self.reseats and bool(changed & {"name", "known"}))

    def says(self, ruling: Ruling, said: str = "") -> str:
        """The ruling as all read it, with its reason; ``said``: in these words.

        What the referee wrote cannot pass for a sentence of pbem's.
        """
        said = said or self.words(ruling)
        said = said[:1].upper() + said[1:]
        return f"{said}{'. Reason' * self.explained}:\n{marked(ruling.reason)}"


def standing(position: LoadedGame, ruling: Ruling) -> Basis:
    """A ruling that leaves the game as it is."""
    return Basis(position.record, position.state, (ruling,))


def stale(now: StateRecord) -> StateRecord:
    """Orders written for this link or an older one count no more, whoever's they are."""
    people = tuple(player._replace(since=now.n + 1) for player in now.people)
    return one_more(now._replace(people=people), frozenset(now.setup.seats))


def one_more(now: StateRecord, seats: frozenset[str]) -> StateRecord:
    """The next question of these seats: the code of the one before is good no longer."""
    answered = tuple((seat, number + (seat in seats)) for seat, number in now.answered)
    return now._replace(answered=answered)


def commitments(record: StateRecord) -> dict[str, bytes]:
    """What a state hides, by slot."""
    return {sealed.slot: sealed.commitment for sealed in record.sealed}


def as_before(record: StateRecord, before: StateRecord) -> bool:
    """The game stands as it stood: what is public, what is hidden, what stands in for what."""
    return (
        record.position == before.position
        and commitments(record) == commitments(before)
        and record.replaced == before.replaced
        and not record.commits
    )


STATE = re.compile("[1-9][0-9]{0,5}")  #: the number of a state, as an operand


def as_it_was(newest: LoadedGame, record: StateRecord, _: PositionAt, __: Seals) -> Basis:
    return standing(newest, record.rulings[0])


def _wrong_restore(record: StateRecord, before: StateRecord, _: Mapping[int, StateRecord]) -> str:
    same = record.rulings[0].operand("from") == str(before.n)
    return "" if same else "goes on from another state than the one before it"


#: something that all players read
NOTE = Kind("note", words=lambda _: "a note of the referee", carry=as_it_was, explained=False)
#: states after that of its operand were lost
RESTORE = Kind(
    GONE_ON,
    words=lambda it: f"went on from state {it.operand('from')}, what came after it is lost",
    carry=as_it_was,
    ways=("from",),
    fits=lambda it: bool(STATE.fullmatch(it.operand("from"))),
    wrong=_wrong_restore,
    moved=True,
)


def voided(newest: LoadedGame, ruling: Ruling) -> Basis:
    """The ruling that waiting orders were lost."""
    return Basis(stale(newest.record), newest.state, (ruling,))


def _void_carry(newest: LoadedGame, record: StateRecord, _: PositionAt, __: Seals) -> Basis:
    return voided(newest, record.rulings[0])


def _void_wrong(record: StateRecord, before: StateRecord, _: Mapping[int, StateRecord]) -> str:
    if not DEAL <= int(record.rulings[0].operand("from")) <= before.n:
        return "rules that orders of a state were lost that had none"
    return ""


#: waiting orders were lost with the desk: nobody can say which they were
VOID = Kind(
    "void",
    words=lambda it: f"all orders that waited from state {it.operand('from')} on were lost",
    carry=_void_carry,
    ways=("from",),
    fits=lambda it: bool(STATE.fullmatch(it.operand("from"))),
    wrong=_void_wrong,
    voids=True,
)
RESULTS = {
    "conceded": "the others conceded, so {} won",
    "drawn": "the players agreed on a draw, which was not played",
    "agreed": "the players agreed that {} won, which was not played",
}


def _winners(ruling: Ruling) -> list[str]:
    return ruling.operand("winners").split(",") if ruling.operand("winners") else []


def _end_wrong(record: StateRecord, before: StateRecord, _: Mapping[int, StateRecord]) -> str:
    won = _winners(record.rulings[0])
    if won != [seat for seat in before.setup.seats if seat in won]:
        return "rules on seats that there are not, or in another order"
    all_won = len(won) == len(before.setup.seats)
    return "rules that nobody conceded" if _conceded(record) and all_won else ""


def _conceded(record: StateRecord) -> bool:
    return record.rulings[0].operand("result") == "conceded"


def _end_agreed(
    record: StateRecord, before: StateRecord, _: Mapping[int, StateRecord]
) -> tuple[str, ...]:
    free = _winners(record.rulings[0]) if _conceded(record) else []
    return tuple(seat for seat in before.setup.seats if seat not in free)


CLOSE = Kind("close", words=lambda _: "the game is closed", carry=as_it_was, closes=True)
#: the players ended it
END = Kind(
    "end",
    words=lambda it: RESULTS[it.operand("result")].format(" and ".join(_winners(it))),
    carry=as_it_was,
    ways=("result", "result winners"),
    fits=lambda it: (
        it.operand("result") in RESULTS
        and bool(it.operand("winners")) == (it.operand("result") != "drawn")
    ),
    wrong=_end_wrong,
    agreed=_end_agreed,
    closes=True,
)
