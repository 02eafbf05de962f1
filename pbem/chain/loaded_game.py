"""A game at one link: verified, opened, decoded; and the making of the next link.

What lives here: Position, load, next_link; Seals, the moderator's only way to tokens and
commitments, so that a test can put random strings in their place (P2). What must never be here:
files, orders in hand, reports.
Laws: bytes are verified before they are parsed; what was written is read back and compared before
anybody gets it; a state that does not decode to what was meant is never written. A token is bound
to its slot, game and link; a commitment stays with its slot for ever.
Source: docs/DESIGN.md "One turn"; docs/SPECIFICATION.md sections 5 and 7 to 9.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.chain.clock import Clock
from pbem.chain.plausible import decoded
from pbem.chain.ruling_row import Ruling
from pbem.chain.signed_state import genuine_link, head_of, sign_state
from pbem.chain.state_record import Entry, StateRecord, Opening, Sealed, config_of, write_link
from pbem.crypto.encoding import b64, pae, unb64
from pbem.crypto.tokens import ORDER_SIZE, VALUE_SIZE, Sealer, commit, link_key, opening_key
from pbem.engine.decision import Event
from pbem.engine.settings import Config
from pbem.errors import BadInput, OurFault
from pbem.formats import state_file

if TYPE_CHECKING:
    from pbem.crypto.keys import RefereeKey
    from pbem.engine.game import Game


class Seals:
    """The Seals of one link of one game, from the game's secret."""

    def __init__(self, secret: bytes, game: str, n: int, prev: bytes) -> None:
        self._secret, self._game = secret, game
        self._sealer = Sealer(link_key(secret, game, n, prev), game, n)

    def seal(self, slot: str, value: str) -> str:
        """The token of a hidden value; public."""
        return self._sealer.seal(slot, value.encode(), VALUE_SIZE)

    def open(self, slot: str, token: str) -> str:
        """The value of a token of this link; the moderator's alone."""
        return self._sealer.open(slot, token, VALUE_SIZE).decode()

    def seal_order(self, slot: str, value: bytes) -> str:
        """The token of an order; public."""
        return self._sealer.seal(slot, value, ORDER_SIZE)

    def open_order(self, slot: str, token: str) -> bytes:
        """The order of a token of this link; the moderator's alone."""
        return self._sealer.open(slot, token, ORDER_SIZE)

    def commit(self, slot: str, value: str | bytes, head_before: bytes) -> tuple[bytes, bytes]:
        """(k, C): the opening key, for whoever may know the value, and the public commitment."""
        k = opening_key(self._secret, self._game, slot, head_before, value)
        return k, commit(self._game, slot, k, value)


def hand_slot(n: int, seat: str) -> str:
    """The slot of what a seat had waiting before state ``n``."""
    return f"{n}/hand/{seat}"


def commits_to_hand(seals: Seals, n: int, seat: str, value: str, head: bytes) -> bytes:
    """What state ``n``, after the one with this head, commits to if that is what waited."""
    return seals.commit(hand_slot(n, seat), value, head)[1]


def was_waiting(secret: bytes, record: StateRecord, head: bytes, seat: str, value: str) -> bool:
    """Whether a state, after the one with this head, commits to that as what a seat had waiting."""
    seals = Seals(secret, record.game, record.n, head)
    return commits_to_hand(seals, record.n, seat, value, head) == dict(record.hands).get(seat)


def hidden_values(game: "Game", state: Any) -> dict[str, str]:
    """Every hidden value of a State, by slot; the moderator's alone."""
    return {slot: thing.for_sealing() for slot, thing in game.encode(state).hidden.items()}


class LoadedGame(NamedTuple):
    """A game at its newest link. Holds everything; never leaves the moderator."""

    game: "Game"
    record: StateRecord
    head: bytes
    config: Config
    state: Any

    @property
    def id(self) -> str:
        return self.record.game

    def next_seals(self, secret: bytes) -> Seals:
        """Those of the link after this one."""
        return Seals(secret, self.id, self.record.n + 1, self.head)

    def after(
        self, time: str, before: StateRecord, values: Mapping[str, str], hands: Mapping[str, str]
    ) -> "Next":
        """What the next link of a game that was dealt is made of."""
        return Next(self.record.n + 1, self.id, self.head, "play", time, before, values, hands)

    def name(self, seat: str) -> str:
        return self.record.player(seat).name

    @property
    def names(self) -> dict[str, str]:
        """Who plays, by seat."""
        return {seat: self.name(seat) for seat in self.config.seats}

    def answered(self, seat: str) -> int:
        """How many questions of the seat have been answered, by itself or for it."""
        return dict(self.record.answered).get(seat, 0)


class Played(NamedTuple):
    """One order carried out: by whom, from what, and what of it all may read.

    ``quoted`` is the head it was written for (b64, "" for an answer given for the player).
    """

    seat: str
    source: str
    line: str
    words: str
    nr: int = 0
    number: int = 0
    quoted: str = ""
    sig: bytes = b""  #: of its player, b"" where he did not sign it
    signed: str = ""  #: the line as he signed it, "" where he did not
    of: int = 0  #: how many lines he signed with it


def load(raw: bytes, public: bytes, secret: bytes, game: "Game") -> LoadedGame:
    """Verify, parse, open and decode a state from the deal on.

    Raises what ``genuine_link`` raises; BadInput ``token/…``, ``position/…`` where the secret is
    another game's or the state does not hold together.
    """
    record = genuine_link(raw, public)
    if not record.dealt:
        wrong = f"state {record.n} is from before the deal"
        raise BadInput("state/not-dealt", wrong, "a game begins with state 2")
    seals = Seals(secret, record.game, record.n, unb64(record.prev, 32))
    return opened(record, head_of(raw), seals, game)


def opened(
    record: StateRecord, head: bytes, seals: Seals, game: "Game", past: bool = False
) -> LoadedGame:
    """Open the tokens of a link and decode its State; ``past``: an older one (plausible.py)."""
    values = {sealed.slot: seals.open(sealed.slot, sealed.token) for sealed in record.sealed}
    # the game knows its own names of slots alone: what stands in for one is put in its place
    values |= {slot: values[other] for slot, other in record.replaced if other in values}
    return LoadedGame(game, record, head, config_of(record), decoded(game, record, values, past))


class Next(NamedTuple):
    """What the next link is made of."""

    n: int
    game: str
    prev: bytes
    phase: str
    time: str
    before: StateRecord  #: for setup, contributions, answered; for what was sealed
    old_values: Mapping[str, str]  #: hidden values before: slot to value
    hands: Mapping[str, str] = MappingProxyType({})  #: by seat its waiting orders before; "" else


def next_link(
    made: Next,
    game: "Game",
    state: Any,
    played: Sequence[Played],
    events: Sequence[Event],
    seals: Seals,
    rulings: Sequence[Ruling] = (),
) -> StateRecord:
    """The link that follows ``made.before``: State encoded, hidden values sealed anew, openings.

    What is not named here (setup, referees, people, …) is carried on as it was.
    """
    position, slot_of = game.encode(state), made.before.stands_for
    hidden = {slot_of(slot): thing.for_sealing() for slot, thing in position.hidden.items()}
    made = made._replace(old_values={slot_of(s): v for s, v in made.old_values.items()})
    heads = dict(made.before.heads) | {made.n: made.prev}
    commitments = {sealed.slot: sealed.commitment for sealed in made.before.sealed}
    told = [(who, slot_of(slot)) for happened in events for who, slot in happened.opens]
    fresh = _fresh(hidden, made, told)
    new = {slot: seals.commit(slot, value, made.prev)[1] for slot, value in fresh.items()}
    commitments |= new
    openings = _openings(hidden, made, fresh, heads, seals)
    _all_told(openings, told)
    return made.before._replace(
        n=made.n,
        game=made.game,
        prev=b64(made.prev),
        restored=made.before.knows(made.prev),
        phase=made.phase,
        time=max(made.time, made.before.time),  # a clock that went back makes none older
        roster=(),
        opened=(),
        secret=b"",
        consents=(),
        answered=_answered(made.before, played),
        hands=tuple(
            (seat, commits_to_hand(seals, made.n, seat, made.hands.get(seat, ""), made.prev))
            for seat in made.before.setup.seats
        ),
        heads=tuple((n, heads[n]) for n in sorted({made_in(slot) for slot in hidden})),
        sealed=tuple(
            Sealed(slot, commitments[slot], seals.seal(slot, value))
            for slot, value in sorted(hidden.items())
        ),
        commits=tuple(sorted(new.items())),
        openings=openings,
        entries=tuple(_entry(made, number, order, seals) for number, order in enumerate(played, 1)),
        rulings=tuple(rulings),
        events=tuple(events),
        position=position.public,
    )


def made_in(slot: str) -> int:
    """The number of the state that made a slot."""
    return int(slot.partition("/")[0])


def _fresh(
    hidden: Mapping[str, str], made: Next, told: Iterable[tuple[str, str]]
) -> dict[str, str]:
    """Slots made in this link, also those opened again in it (their value is in ``old_values``)."""
    slots = [slot for slot in (*hidden, *(slot for _, slot in told)) if made_in(slot) == made.n]
    return {slot: hidden[slot] if slot in hidden else made.old_values[slot] for slot in slots}


def _openings(
    hidden: Mapping[str, str],
    made: Next,
    fresh: Mapping[str, str],
    heads: Mapping[int, bytes],
    seals: Seals,
) -> tuple[Opening, ...]:
    """What was hidden, or made, and is hidden no more: open to all."""
    gone = [pair for pair in {**made.old_values, **fresh}.items() if pair[0] not in hidden]
    return tuple(Opening(s, v, *seals.commit(s, v, heads[made_in(s)])) for s, v in sorted(gone))


def _all_told(openings: Sequence[Opening], told: Iterable[tuple[str, str]]) -> None:
    """A game that opens a slot must say so by an event, and may not say it of a hidden one."""
    said = {slot for who, slot in told if who == "all"}
    if wrong := said ^ {opening.slot for opening in openings}:
        text = f"what the game opened and what its events say differ: {', '.join(sorted(wrong))}"
        raise OurFault("game/openings", text, "report this")


def _answered(before: StateRecord, played: Iterable[Played]) -> tuple[tuple[str, int], ...]:
    counts = dict(before.answered) or dict.fromkeys(before.setup.seats, 0)
    for order in played:
        counts[order.seat] += 1
    return tuple(counts.items())


def _entry(made: Next, number: int, order: Played, seals: Seals) -> Entry:
    """One order: public words for all, the order itself committed and sealed, all of one size."""
    slot = f"{made.n}/order/{number}"
    quoted = unb64(order.quoted, 32) if order.quoted else b""
    value = pae(order.nr, order.number, order.of, quoted, order.sig, order.signed or order.line)
    _, commitment = seals.commit(slot, value, made.prev)
    token = seals.seal_order(slot, value)
    if seals.open_order(slot, token) != value:
        wrong = f"the token of {slot} does not give back the order"
        raise OurFault("state/order", wrong, "report this")
    return Entry(order.seat, order.source, commitment, token, order.words)


def written(record: StateRecord, key: "RefereeKey") -> bytes:
    """The signed file of a link, read back and compared before it is given out."""
    try:
        body = state_file.spell(write_link(record))
    except ValueError as error:
        raise OurFault("state/spelling", f"a state cannot hold {error}", "report this") from error
    raw = sign_state(body, key.signing, key.public)
    if genuine_link(raw, key.public) != record:
        wrong = "the new state does not read back as it was meant"
        raise OurFault("state/read-back", wrong, "report this")
    return raw


class Made(NamedTuple):
    """The next state: its bytes, its link as read back, and the game at it."""

    raw: bytes
    link: StateRecord
    position: LoadedGame


#: the clock of a link that is made, from its State; the link has that of the one before
Clocked = Callable[[StateRecord, Any], Clock]


def as_it_is(record: StateRecord, _: Any) -> Clock:
    """Of a game without deadlines the clock stays."""
    return record.clock


def made(
    position: LoadedGame,
    record: StateRecord,
    state: Any,
    seals: Seals,
    key: "RefereeKey",
    clocked: Clocked = as_it_is,
) -> Made:
    """The state with this ``record``, after ``position``: decoded, signed and read back."""
    record = record._replace(clock=clocked(record, state))
    check_decodes(record, state, seals, position.game)
    raw = written(record, key)
    return Made(raw, record, position._replace(record=record, head=head_of(raw), state=state))


def check_decodes(record: StateRecord, state: Any, seals: Seals, game: "Game") -> None:
    """OurFault unless the link's tokens and position give back the very State that was meant."""
    if opened(record, b"", seals, game).state != state:
        wrong = "the new state does not decode to what was played"
        raise OurFault("state/decode", wrong, "report this")
