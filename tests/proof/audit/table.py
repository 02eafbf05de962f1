"""A game played in memory by a referee who may cheat: with all his keys, and the game's secret.

What lives here: Table: a deal to which red gave his part and for which he has a key, orders carried
out as the moderator does it, and what a cheat puts in between. Not allowed here: an
expectation; files.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from pbem import __version__, catalog
from pbem.chain.clock import BOT, Clock, clock_without_deadlines
from pbem.chain.loaded_game import LoadedGame, load_game
from pbem.chain.next_record import ExecutedOrder, NextRecordInputs, build_next_record, build_state
from pbem.chain.people import RosterEntry
from pbem.chain.ruling_row import Ruling
from pbem.chain.rulings.clock import CLOCK
from pbem.chain.rulings.kind import RulingBasis, unchanged_basis
from pbem.chain.rulings.kinds import build_ruling_state
from pbem.chain.seals import Seals
from pbem.chain.signed_state import sign_state, state_hash_of
from pbem.crypto.encoding import b64, unb64
from pbem.crypto.keys import RefereeKey
from pbem.crypto.secret import new_wrap
from pbem.crypto.signing import private_key, public_key, sign
from pbem.engine.settings import Config
from pbem.formats import state_file
from pbem.play.joining import contribution, opening
from pbem.play.joining.opening import GamePlan
from pbem.play.pending_file import committed_values
from pbem.play.pending_orders import (
    NOW,
    OrderGroup,
    PendingOrder,
    PendingOrders,
    after_new_state,
    group_name_of,
    order_of,
)
from pbem.play.resolution import Resolution, make_next_state, play_out
from pbem.proof.audit.archive import Archive
from pbem.proof.audit.audit import Audit, TrustAnchors
from pbem.services.prove.audit import audit_archive

ACTING, RECOVERY = RefereeKey(b"a" * 32), RefereeKey(b"r" * 32)
PLAYER = private_key(b"p" * 32)  #: red's own
SECRET, R = b"s" * 32, b"c" * 32
TIME = "2026-11-21T10:00:00Z"
#: chosen, since drawn ones are others whenever a byte of the genesis is
BOARDS = "2b,3b,4b,1b"
STOPS = ("what", "turn,missed")  #: turns off the clock of a game that was begun with bots


def wrapped(key: RefereeKey) -> tuple[str, bytes]:
    """The secret for one of the game's referees, the same bytes each time."""
    return key.id, new_wrap(SECRET, key.wrap_public, b"e" * 32)


class Table:
    """Red (with a key) against blue (by reply); the referee may do what he likes."""

    def __init__(self, version: str = __version__, missed: str = "wait", kind: str = "chang-cheng") -> None:
        self.game, self.key, self.time = catalog.load(kind), ACTING, TIME
        options = {"boards": BOARDS} if kind == "chang-cheng" else {}
        config: Config = self.game.configure(("red", "blue"), options)
        recovery = (RECOVERY.public, RECOVERY.wrap_public)
        wraps = (wrapped(ACTING), wrapped(RECOVERY))
        clock = Clock(missed=missed, turn=int(missed == BOT))  # a bot plays by a clock alone
        plan = GamePlan(config, ("Ann", "Bob"), *recovery, wraps, version, TIME, clock)
        first, genesis = opening.open_round(plan, self.game, ACTING, SECRET)
        head = state_hash_of(genesis)
        gave = (
            contribution.make_join_answer(head, "red", R, PLAYER, public_key(PLAYER)),
            RosterEntry("blue", "plain", text="good luck to all"),
        )
        second, roster = opening.close_roster(first, genesis, gave, ACTING, TIME)
        given = (contribution.open_contribution(state_hash_of(roster), "red", R, PLAYER),)
        dealt = opening.deal(second, roster, given, self.game, ACTING, SECRET, TIME)
        self.states = {0: genesis, 1: roster, 2: dealt}
        self.nr = 0
        self.hands: dict[int, dict[str, str]] = {}  #: by state, what waited before it
        self.load()
        #: what the next state has
        self.clock = clock_without_deadlines("wait" if clock.has_deadlines else missed, config.seats)
        if clock.has_deadlines:  # it can be turned on again, and then bots play
            self.amend(unchanged_basis(self.position, CLOCK.make_ruling("so all asked", STOPS)))

    def load(self) -> None:
        """Go on from the newest state."""
        self.position = load_game(self.states[self.last], self.key.public, SECRET, self.game)

    @property
    def last(self) -> int:
        return max(self.states)

    def asked(self) -> str:
        """Who is to play."""
        return self.game.questions(self.game.view(self.position.state, None))[0].seat

    def legal(self, begins: str = "") -> str:
        """The first legal order that begins like this."""
        lines = self.game.legal(self.game.view(self.position.state, self.asked()))
        return next(line for line in lines if line.startswith(begins))

    def order(self, line: str, **other: Any) -> ExecutedOrder:
        """An order of whose turn it is, signed where its player is red."""
        seat = self.asked()
        words = self.game.public_words(line)
        if seat != "red":
            return ExecutedOrder(seat, "reply", line, words, self.last, 1, b64(self.position.state_hash))._replace(
                **other
            )
        self.nr += 1
        rulings, before = self.game.rulings[0], self.position.state_hash
        sig = sign(PLAYER, "order", self.position.game_id, "red", self.nr, 1, 1, before, rulings, line)
        one = ExecutedOrder(seat, "signed", line, words, self.nr, 1, b64(before), sig, line, 1)
        return one._replace(**other)

    def play(self, begins: str = "", twist: Callable[[Any], Any] | None = None, **other: Any) -> str:
        """One order, carried out; ``twist`` is what the referee does to the State in between."""
        line = self.legal(begins)
        self.carry(self.order(line, **other), twist)
        return line

    def carry(self, one: ExecutedOrder, twist: Callable[[Any], Any] | None = None) -> None:
        """An order as it stands, in a link of its own."""
        position, n = self.timed(), self.last + 1
        values = self.values(position.state)
        step = self.game.apply(position.state, one.seat, one.line, n)
        state = twist(step.state) if twist else step.state
        before = committed_values({one.seat: self.hand_of(one)})
        course = Resolution(state, (one,), step.events, {}, values | self.values(state), before)
        self.hands[n] = before
        self.save(make_next_state(position, course, SECRET, self.key, self.time).raw)

    def resolve(self, hands: dict[str, PendingOrders], *missed: str) -> dict[str, PendingOrders]:
        """What the moderator makes of these hands, in a link; what is left of them."""
        course = play_out(self.position, hands, frozenset(missed))
        self.hands[self.last + 1] = dict(course.committed_before)
        self.save(make_next_state(self.timed(), course, SECRET, self.key, self.time).raw)
        return {seat: after_new_state(hand) for seat, hand in course.pending_by_seat.items()}

    def hand_of(self, one: ExecutedOrder) -> PendingOrders:
        """As if this order alone had come since the state before; none, if it was given."""
        if not one.orders_number:
            return PendingOrders()
        name = group_name_of(one.signed_line)
        turn = self.game.turn(self.game.view(self.position.state, one.seat))
        sig = b64(one.signature) if one.signature else ""
        kept = PendingOrder(
            one.line_number, order_of(one.signed_line) or one.line, sig, one.signed_line, one.line_count
        )
        head = one.quoted_hash
        return PendingOrders(
            (OrderGroup(name, (kept,), one.orders_number, one.source, head, turn if name == NOW else 0),)
        )

    def rule(self, state: Any, *rulings: Ruling) -> None:
        """A link without orders, of another State."""
        position, n = self.position, self.last + 1
        values = self.values(position.state) | self.values(state)
        seals = Seals(SECRET, position.game_id, n, position.state_hash)
        parts = NextRecordInputs(n, position.game_id, position.state_hash, "play", self.time, position.record, values)
        record = build_next_record(parts, self.game, state, (), (), seals, rulings)
        self.save(build_state(position, record, state, seals, self.key).raw)

    def timed(self) -> LoadedGame:
        """The newest state, with the clock that the next one has."""
        return self.position._replace(record=self.position.record._replace(clock=self.clock))

    def amend(self, basis: RulingBasis, hands: Mapping[str, str] = MappingProxyType({})) -> None:
        """The link of a ruling, with that clock; ``hands``: what waited."""
        basis = basis._replace(previous=basis.previous._replace(clock=self.clock))
        self.hands |= {self.last + 1: dict(hands)} if hands else {}
        self.save(build_ruling_state(self.position, basis, SECRET, self.key, self.time, hands).raw)

    def save(self, raw: bytes) -> None:
        self.states[self.last + 1] = raw
        self.load()

    def values(self, state: Any) -> dict[str, str]:
        hidden = self.game.encode(state).hidden
        return {slot: one.for_sealing() for slot, one in hidden.items()}

    def decoded(self, change: Callable[[dict[str, Any], dict[str, str]], None]) -> Any:
        """The State with its public part or its hidden values changed."""
        found = self.game.encode(self.position.state)
        public = dict(found.public)
        values = self.values(self.position.state)
        change(public, values)
        return self.game.decode(self.position.config, public, values)

    def audit(self) -> Audit:
        """What anybody finds, from the states and the secret."""
        return audit_archive(Archive(self.states, SECRET, pending_values=self.hands), TrustAnchors())

    def verdicts(self) -> dict[str, str]:
        return {item.name: item.verdict for item in self.audit().items}


def first_difference(audit: Audit) -> str:
    """What an audit holds against a game, in its own words."""
    assert audit.verdict == "contradicted"
    assert audit.first_contradiction is not None
    return audit.first_contradiction.text


def rewritten(raw: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    """A state of another content, signed by the referee himself."""
    document = state_file.parse(state_file.split(raw).body)
    change(document)
    return sign_state(state_file.dump(document), ACTING.signing, ACTING.public)


def update_with(**fields: Any) -> Callable[[dict[str, Any]], None]:
    """A change for ``rewritten``: these fields are others."""
    return lambda document: document.update(fields)


def head(raw: bytes) -> str:
    """The head of a state as the next one names it."""
    return b64(unb64(b64(state_hash_of(raw)), 32))
