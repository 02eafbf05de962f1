"""Playing out what is in hand: orders, forced answers, defaults, until the game waits.

What lives here: ``play_out``. What must never be here: files, mail, keys.
Laws: orders in hand go first (R-1); a forced answer is given only where everybody can see that one
order alone is legal; nothing here asks what another seat has in hand.
Source: docs/DESIGN.md "One turn"; R-1, R-2.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.loaded_game import (
    Clocked,
    Made,
    Played,
    LoadedGame,
    as_it_is,
    hidden_values,
    made,
    next_link,
)
from pbem.chain.sources import BY_BOT, DEFAULT, FORCED, SIGNED, source_of
from pbem.crypto.encoding import unb64
from pbem.crypto.keys import RefereeKey
from pbem.engine.decision import Event, Question
from pbem.engine.row import say
from pbem.errors import OurFault
from pbem.play.pending_file import hand_values
from pbem.play.pending_orders import NOT_STOPPED, Hand, Picked, in_turn, pick, without_old_turn
from pbem.play.sentences import USED_UP

if TYPE_CHECKING:
    from pbem.engine.game import Game

MOST_STEPS = 10_000  # a game that asks itself for ever is broken


class Course(NamedTuple):
    """What came of it: the new State, the orders used, the events, hands, hidden values passed."""

    state: Any
    played: tuple[Played, ...]
    events: tuple[Event, ...]
    hands: dict[str, Hand]
    values: dict[str, str]  #: every hidden value there was on the way; the moderator's alone
    before: Mapping[str, str] = MappingProxyType({})  #: hands before, as the link commits to them


#: what ties an order to its player: nr, number, quoted head, signature, line as signed, of how many
OrderProof = tuple[int, int, str, bytes, str, int]
NOTHING: OrderProof = (0, 0, "", b"", "", 0)


def _proof_of(found: Picked) -> OrderProof:
    part, kept = found.part, found.kept
    if part.source == SIGNED.name and not kept.sig:
        raise OurFault("hand/unsigned", "an order in hand has lost its signature", "report this")
    sig = unb64(kept.sig, 64) if kept.sig else b""
    return part.nr, kept.number, part.quoted, sig, kept.signed, kept.of


#: (game, seat, its View, questions it has answered): the source and the order in a missed turn
Absent = Callable[["Game", str, Any, int], tuple[str, str]]


def by_default(game: "Game", _: str, view: Any, __: int) -> tuple[str, str]:
    """R-2."""
    return DEFAULT.name, game.default(view)


class _Run:
    """The course as it grows; frozen into a Course at the end."""

    def __init__(
        self,
        position: LoadedGame,
        hands: Mapping[str, Hand],
        missed: frozenset[str],
        taken: Sequence[Played],
        absent: Absent,
    ) -> None:
        self.game, self.state, self.link = position.game, position.state, position.record.n + 1
        self.hands = {seat: hand._replace(notes=()) for seat, hand in hands.items()}
        self.answered = {seat: position.answered(seat) for seat in position.config.seats}
        self.missed, self.taken = self.turns_of(missed), [*taken]
        self.absent, self.played = absent, list[Played]()
        self.events: list[Event] = []
        self.values = hidden_values(self.game, self.state)

    def turns_of(self, missed: frozenset[str]) -> dict[str, int]:
        """The missed turn of each of these seats: whom the game does not wait for has none."""
        turn = self.game.turn(self.game.view(self.state, None))
        return {question.seat: turn for question in self.questions() if question.seat in missed}

    def questions(self) -> tuple[Question, ...]:
        return self.game.questions(self.game.view(self.state, None))

    def answer(self, question: Question) -> bool:
        """Answer one question if it can be answered now."""
        seat = question.seat
        view = self.game.view(self.state, seat)
        found, hand = pick(self.hands.get(seat, Hand()), self.game, view, self.answered[seat])
        self.hands[seat] = hand
        if found is not None:
            self.apply(seat, found.part.source, found.line, _proof_of(found))
        elif self.takes(view, question):
            one = self.taken.pop(0)
            proof = (one.nr, one.number, one.quoted, one.sig, one.signed, one.of)
            self.give(view, seat, one.source, one.line, proof)
        elif question.forced:
            self.give(view, seat, FORCED.name, self.game.legal(view)[0])
        elif self.missed.get(seat) == self.game.turn(view):
            # a missed turn is played to its end, and no further
            self.give(view, seat, *self.absent(self.game, seat, view, self.answered[seat]))
        else:
            return False
        return True

    def takes(self, view: Any, question: Question) -> bool:
        """Whether the next order that is taken as it stands answers this question; no bot is asked
        where one order alone is legal.
        """
        return any(
            one.seat == question.seat
            and not (question.forced and source_of(one.source) is BY_BOT)
            and self.game.check(view, one.line) is None
            for one in self.taken[:1]
        )

    def give(
        self, view: Any, seat: str, source: str, line: str, proof: OrderProof = NOTHING
    ) -> None:
        """R-1: an order given for the seat; an equal next order in hand is used up by it."""
        self.apply(seat, source, line, proof)
        hand = self.hands[seat]
        part = next((part for part in in_turn(hand, self.game, view) if part.lines), None)
        if part is not None and part.lines[0].line == line:
            note = str(say(USED_UP, line=line, ruling="R-1"))
            hand = hand.without(part, part.lines[0])._replace(notes=(*hand.notes, note))
        self.hands[seat] = hand._replace(done=(*hand.done, line)) if source == FORCED.name else hand

    def tidied(self) -> dict[str, Hand]:
        """The hands at the end: what was left of a first part does not outlive its turn."""
        turn = self.game.turn(self.game.view(self.state, None))
        return {seat: without_old_turn(hand, turn) for seat, hand in self.hands.items()}

    def apply(self, seat: str, source: str, line: str, proof: OrderProof = NOTHING) -> None:
        step = self.game.apply(self.state, seat, line, self.link)
        self.state = step.state
        self.events += step.events
        self.played.append(Played(seat, source, line, self.game.public_words(line), *proof))
        self.values |= hidden_values(self.game, self.state)
        hand = self.hands[seat]._replace(stopped=NOT_STOPPED)
        self.hands[seat] = hand if source == FORCED.name else hand._replace(done=())
        self.answered[seat] += 1
        if len(self.played) > MOST_STEPS:
            raise OurFault("game/endless", "the game does not come to a question", "report this")


def play_out(
    position: LoadedGame,
    hands: Mapping[str, Hand],
    missed: frozenset[str] = frozenset(),
    taken: Sequence[Played] = (),
    absent: Absent = by_default,
) -> Course:
    """Play until the game waits for somebody without an answer, or is over.

    ``missed`` names seats whose present turn is to be played by default orders (R-2). ``taken``:
    orders that an audit takes as they stand, in this order, where nothing in hand answers: those
    of bots, and of seats of which nobody knows what waited. ``absent``: what answers for the seats
    that missed. Pure: the same position and hands give
    the same course. Secrecy: the moderator alone.
    """
    run = _Run(position, hands, missed, taken, absent)
    while any(map(run.answer, run.questions())):
        pass  # after one answer, all is asked anew: the order may have changed what is asked
    done = tuple(run.played), tuple(run.events)
    return Course(run.state, *done, run.tidied(), run.values, hand_values(hands))


def next_state(
    position: LoadedGame,
    course: Course,
    secret: bytes,
    key: RefereeKey,
    time: str,
    clocked: Clocked = as_it_is,
) -> Made:
    """The link that follows ``position`` after a course, signed and read back."""
    state, played, events, _, values, before = course
    seals = position.next_seals(secret)
    parts = position.after(time, position.record, values, before)
    record = next_link(parts, position.game, state, played, events, seals)
    return made(position, record, state, seals, key, clocked)
