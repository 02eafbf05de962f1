"""A game played again from its secret and the orders in it: what each state must be.

What lives here: ``play_again``: the roster, the deal and every later link made again, with the
very functions that made them. What must never be here: files, keys that sign, the verdict in words
(audit.py).
Law: what comes from outside (times, wraps, what players signed) is taken from the state; all the
rest follows, and the whole body is compared byte for byte.
Source: docs/SPECIFICATION.md section 12; P9.
"""

from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.crypto.encoding import game_id
from pbem.engine.event import Event
from pbem.errors import BadInput, PbemError
from pbem.files import state_file
from pbem.moderator.audit.findings import PlayedOrder, Replay, ReplayedState, SignedState
from pbem.moderator.audit.orders import checked, order_in
from pbem.moderator.chain.link import CLOSED, Link, config_of, write_link
from pbem.moderator.chain.position import Next, Played, Position, Seals, next_link
from pbem.moderator.opening import opening
from pbem.moderator.ruling.correct import SHOWN, slot_words
from pbem.moderator.ruling.kinds import basis_of, ruled_link, ruling_words

if TYPE_CHECKING:
    from pbem.engine.game import Game

#: table of a state: the words for it
TABLES = {
    "phase": "what kind of state it is",
    "time": "its time",
    "prev": "the state it follows",
    "game": "the game's id",
    "n": "its number",
    "referees": "the referees' keys",
    "wraps": "the wrapped secret",
    "people": "the players",
    "roster": "what was answered to the invitation",
    "opened": "the contributions to the deal",
    "contributions": "what each seat gave to the deal",
    "answered": "the count of answers",
    "heads": "the heads it names",
    "replaced": "what stands in for what was corrected",
    "sealed": "what is hidden",
    "commits": "what was newly hidden",
    "openings": "what was turned up",
    "entries": "the orders",
    "rulings": "the referee's rulings",
    "events": "what happened",
    "position": "the board",
    "setup": "what was settled at the start",
    "secret": "the secret",
}
SLOTS = ("sealed", "commits", "openings")

#: the words for a slot, and the value of a token found in one ("" where it does not open)
Words = Callable[[str], str]
Opens = Callable[[str, str], str]


class Difference(NamedTuple):
    """The first part in which a state is not what it should be."""

    table: str
    words: str


def difference(
    wanted: Mapping[str, Any], found: Mapping[str, Any], slots: Words, opens: Opens
) -> Difference:
    """The first difference, in the order of the document; both are read as TOML gives them."""
    for key in {**wanted, **found}:
        right, other = wanted.get(key), found.get(key)
        if right != other:
            name = TABLES.get(key, key)
            return Difference(key, f"{name}: {_inside(key, right, other, slots, opens)}")
    return Difference("", "it is spelt otherwise than pbem writes it")


def _inside(key: str, right: Any, other: Any, slots: Words, opens: Opens) -> str:
    if isinstance(right, Mapping) and isinstance(other, Mapping):
        for inner in {**right, **other}:
            wanted, found = right.get(inner), other.get(inner)
            if wanted != found:
                return f"{inner}: {_inside(inner, wanted, found, slots, opens)}"
    if isinstance(right, list) and isinstance(other, list):
        for number, (row, told) in enumerate(zip_longest(right, other), 1):
            if row != told:
                return _row(key, number, row, told, slots, opens)
    return f"{_shown(other)} where the game gives {_shown(right)}"


def _row(key: str, number: int, row: Any, told: Any, slots: Words, opens: Opens) -> str:
    if key in SLOTS:
        return _slot_row(key, str(row or ""), str(told or ""), slots, opens)
    if key == "entries":
        return f"order {number}: {_entry(row, told)}"
    said = f"{_shown(told)} where the game gives {_shown(row)}"
    return f"fact {number}: {said}" if key == "events" else said


def _slot_row(table: str, row: str, told: str, slots: Words, opens: Opens) -> str:
    """A hidden thing: is it there, is it committed as it should be, is it the same thing."""
    right, other = row.split(" "), told.split(" ")
    if right[0] != other[0]:
        if not told or (row and right[0] < other[0]):
            return f"{slots(right[0])} is missing"
        return f"{slots(other[0])} is there, and should not be"
    what = slots(right[0])
    commitment = 3 if table == "openings" else 1
    if len(right) != len(other):
        return f"{what}: its row is of another shape"
    if right[commitment] != other[commitment]:
        return f"{what}: its commitment is not of what the game gives"
    if table == "openings":
        return f"{what}: {_shown(other[1])} where the game gives {_shown(right[1])}"
    is_now, should = opens(right[0], other[-1]), opens(right[0], right[-1])
    if not is_now:
        return f"{what}: what is sealed there does not open"
    return f"{what} is sealed as {_shown(is_now)}, and is {_shown(should)}"


def _entry(row: Any, told: Any) -> str:
    if row is None or told is None:
        return "there is one more than was played" if row is None else "it is missing"
    right, other = str(row).split(" ", 4), str(told).split(" ", 4)
    names = ("whose it is", "where it came from", "its commitment", "what is sealed", "its words")
    for name, a, b in zip(names, right, other, strict=False):
        if a != b:
            secret = name in names[2:4]
            return f"{name} is another" if secret else f"{_shown(b)} where the game gives {a}"
    return "its row is of another shape"


def _shown(value: Any) -> str:
    """A part of a row, short and on one line; nothing at all is ``nothing``."""
    if value is None:
        return "nothing"
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return f"`{text if len(text) <= SHOWN else text[: SHOWN - 1] + '…'}`"


class Contradicted(Exception):
    """What a state says does not follow. ``item`` is the line of the audit it belongs to."""

    def __init__(self, item: str, n: int, what: str) -> None:
        super().__init__(what)
        self.item, self.n, self.what = item, n, what


def play_again(run: Replay, found: SignedState) -> ReplayedState:
    """The next link made again and compared; Contradicted where the state says otherwise."""
    link, n = found.link, found.link.n
    if n == 0:
        standing = ReplayedState(link, found.head, None)
    elif link.phase == CLOSED and not link.dealt:
        standing = _given_up(run, found)
    elif n == 1:
        standing = _roster(run, found)
    elif n == 2:
        standing = _dealt(run, found)
    elif link.rulings:
        standing = _ruled(run, found)
    else:
        standing = _played(run, found)
    run.past[n] = standing
    return standing


def _roster(run: Replay, found: SignedState) -> ReplayedState:
    before, link = run.past[0], found.link
    wanted = opening.roster_link(before.link, run.genesis, link.roster, link.time)
    _same(run, wanted, found, before.head)
    return ReplayedState(link, found.head, None)


def _given_up(run: Replay, found: SignedState) -> ReplayedState:
    """A round that was closed before its deal: the same state, with the secret."""
    link, before = found.link, run.past[found.link.n - 1]
    reason = link.rulings[0].reason if link.rulings else ""
    game = game_id(run.genesis)
    told = opening.given_up_link(before.link, game, before.head, run.secret, reason, link.time)
    _same(run, told, found, before.head)
    return ReplayedState(link, found.head, None)


def _dealt(run: Replay, found: SignedState) -> ReplayedState:
    before, link = run.past[1], found.link
    seals = Seals(run.secret, link.game, 2, before.head)
    try:
        wanted, state = opening.dealt_link(
            before.link, before.head, link.opened, run.game, run.secret, link.time, seals
        )
    except (KeyError, PbemError):
        raise Contradicted(
            "contributions", 2, "a contribution is missing: nobody can deal like this"
        ) from None
    _same(run, wanted, found, before.head)
    return ReplayedState(link, found.head, state, (), wanted.events)


def _ruled(run: Replay, found: SignedState) -> ReplayedState:
    """A link of rulings: the game as they leave it."""
    link, n = found.link, found.link.n
    newest = _position(run, n - 1)
    seals = Seals(run.secret, link.game, n, newest.head)
    why = "; ".join(ruling_words(ruling) for ruling in link.rulings)
    try:
        basis = basis_of(newest, link, lambda m: _position(run, m), seals)
    except PbemError as error:  # what a correction makes of the game cannot be
        basis, why = None, error.message
    if basis is None:
        raise Contradicted("rulings", n, f"it cannot come of its ruling: {why}")
    wanted = ruled_link(newest, basis, run.secret, link.time, seals)
    _same(run, wanted, found, newest.head)
    for player, old in zip(link.people, newest.link.people, strict=True):
        if player.key != old.key:  # another key begins to count anew
            run.used.pop(player.seat, None)
    return ReplayedState(link, found.head, basis.state)


def _position(run: Replay, n: int) -> Position:
    replayed = run.past[n]
    return Position(
        run.game, replayed.link, replayed.head, config_of(replayed.link), replayed.state
    )


def _played(run: Replay, found: SignedState) -> ReplayedState:
    """A link of the running game: its orders, one after the other."""
    link, n = found.link, found.link.n
    prev = run.past[n - 1]
    seals = Seals(run.secret, link.game, n, prev.head)
    state, told, events = prev.state, list[PlayedOrder](), list[Event]()
    values = _values(run.game, state)
    played = []
    for number, entry in enumerate(link.entries, 1):
        order = order_in(f"{n}/order/{number}", entry, seals, run.game, state)
        played.append(order)
        what = checked(run, state, prev.link, order, told)
        if what:
            raise Contradicted(
                what[0], n, f"order {number}, {order.words} of {order.seat}: {what[1]}"
            )
        step = _applied(run.game, state, order, n, number)
        told.append(PlayedOrder(order, tuple(step.events), state))
        state = step.state
        values |= _values(run.game, state)
        events += step.events
    made = Next(n, link.game, prev.head, "play", link.time, prev.link, values)
    wanted = next_link(made, run.game, state, played, events, seals)
    _same(run, wanted, found, prev.head)
    return ReplayedState(link, found.head, state, tuple(told))


def _applied(game: "Game", state: Any, order: Played, n: int, number: int) -> Any:
    try:
        return game.apply(state, order.seat, order.line, n)
    except BadInput as error:
        what = f"order {number} of {order.seat} was not allowed: {error.message}"
        raise Contradicted("orders", n, what) from None


def _values(game: "Game", state: Any) -> dict[str, str]:
    return {slot: thing.for_sealing() for slot, thing in game.encode(state).hidden.items()}


#: where a difference belongs, by the table it is in; the rest are the orders and what came of them
ITEMS = {
    "sealed": "sealed",
    "commits": "sealed",
    "heads": "sealed",
    "replaced": "rulings",
    "openings": "openings",
    "rulings": "rulings",
    "people": "rulings",
    "referees": "referees",
    "wraps": "referees",
    "setup": "chain",
    "prev": "chain",
    "game": "chain",
    "phase": "chain",
    "secret": "secret",
    "roster": "contributions",
    "opened": "contributions",
    "contributions": "contributions",
}
DEALT = ("sealed", "commits", "position", "events", "openings")


def _same(run: Replay, wanted: Link, found: SignedState, prev: bytes) -> None:
    """Contradicted unless the state is, byte for byte, the one that must follow."""
    should = write_link(wanted)
    if state_file.spell(should) == found.body:
        return
    told, n = state_file.parse(found.body), wanted.n
    seals = Seals(run.secret, wanted.game, n, prev)
    public: Mapping[str, Any] = wanted.position

    def opens(slot: str, token: str) -> str:
        try:
            return seals.open(slot, token)
        except (BadInput, UnicodeDecodeError):
            return ""

    part = difference(should, told, lambda slot: slot_words(run.game, public, slot), opens)
    item = "deal" if n == 2 and part.table in DEALT else ITEMS.get(part.table, "orders")
    raise Contradicted(item, n, part.words)
