"""A game played again from its secret and the orders in it: what each state must be.

What lives here: ``play_again``: the roster, the deal and every later link made again, with the
very functions that made them; ``difference``: where a state is another, in words that a player
understands. What must never be here: files, keys that sign, a rule of one game, the verdict in
words (audit.py).
Law: what comes from outside (times, wraps, what players signed) is taken from the state; all the
rest follows, and the whole body is compared byte for byte.
Source: docs/SPECIFICATION.md section 12; P9.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any

from pbem.chain.loaded_game import Next, LoadedGame, Seals, hidden_values, next_link
from pbem.chain.rulings.fields import SHOWN, slot_words
from pbem.chain.rulings.kinds import basis_of, ruled_link, ruling_words
from pbem.chain.state_record import CLOSED, DEAL, StateRecord, config_of, write_link
from pbem.crypto.encoding import game_id
from pbem.engine.decision import Event
from pbem.errors import BadInput, PbemError
from pbem.formats import state_file
from pbem.play.joining import opening
from pbem.play.pending_orders import Hand
from pbem.proof.audit.findings import PlayedOrder, Replay, ReplayedState, SignedState
from pbem.proof.audit.orders import checked, chosen, cut_short, order_in
from pbem.proof.audit.pending_orders import ByRules, wrong_hands

#: table of a state: the words for it, and the item of an audit to which a difference in it belongs
TABLES = {
    "phase": ("what kind of state it is", "chain"),
    "time": ("its time", "orders"),
    "prev": ("the state it follows", "chain"),
    "restored": ("the newest ruling that states were lost", "chain"),
    "game": ("the game's id", "chain"),
    "n": ("its number", "orders"),
    "referees": ("the referees' keys", "referees"),
    "wraps": ("the wrapped secret", "referees"),
    "people": ("the players", "rulings"),
    "roster": ("what was answered to the invitation", "contributions"),
    "opened": ("the contributions to the deal", "contributions"),
    "contributions": ("what each seat gave to the deal", "contributions"),
    "answered": ("the count of answers", "orders"),
    "hands": ("the commitments to waiting orders", "hands"),
    "heads": ("the heads it names", "sealed"),
    "replaced": ("what stands in for what was corrected", "rulings"),
    "sealed": ("what is hidden", "sealed"),
    "commits": ("what was newly hidden", "sealed"),
    "openings": ("what was turned up", "openings"),
    "entries": ("the orders", "orders"),
    "rulings": ("the referee's rulings", "rulings"),
    "events": ("what happened", "orders"),
    "position": ("the board", "orders"),
    "consents": ("what players agreed to", "rulings"),
    "setup": ("what was settled at the start", "chain"),
    "clock": ("the clock", "chain"),
    "secret": ("the secret", "secret"),
}
SLOTS = ("sealed", "commits", "openings")

#: the words for a slot, and the value of a token found in one ("" where it does not open)
Words = Callable[[str], str]
Opens = Callable[[str, str], str]


def difference(
    wanted: Mapping[str, Any], found: Mapping[str, Any], slots: Words, opens: Opens
) -> tuple[str, str]:
    """The table with the first difference, in the order of the document, and what it is, in the
    smallest part; both are read as TOML gives them.
    """
    for key in {**wanted, **found}:
        right, other = wanted.get(key), found.get(key)
        if right != other:
            name, _ = TABLES.get(key, (key, ""))
            return key, f"{name}: {_inside(key, right, other, slots, opens)}"
    return "", "it is spelt otherwise than pbem writes it"


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

    def __init__(self, item: str, n: int, what: str, kind: str = "") -> None:
        super().__init__(what)
        self.item, self.n, self.what = item, n, what
        self.kind = "rules" if isinstance(what, ByRules) else kind


def play_again(run: Replay, found: SignedState) -> ReplayedState:
    """The next link made again and compared; Contradicted where the state says otherwise."""
    record, n = found.link, found.link.n
    state, orders, waiting = None, tuple[PlayedOrder, ...](), dict[str, tuple[Hand, int] | None]()
    if n:
        if record.phase == CLOSED and not record.dealt:
            wanted = _given_up(run, record)
        elif n == 1:
            wanted = opening.roster_link(run.past[0].link, run.genesis, record.roster, record.time)
        elif n == DEAL:
            wanted, state = _dealt(run, record)
        elif record.rulings:
            wanted, state = _ruled(run, record)
        else:
            wanted, state, orders = _played(run, record)
        # what the referee's clock said, and what players signed, comes from outside
        wanted = wanted._replace(clock=record.clock, consents=record.consents)
        if n > DEAL and record.dealt:  # no state tells what waits: that is held against the hands
            wanted = wanted._replace(hands=record.hands)
        _same(run, wanted, found)
        if state is not None and record.clock.on and record.phase != CLOSED:
            _due_of_all(run, record, state)
        if run.hands is not None and n > DEAL and record.dealt:
            for what in wrong_hands(run, _position(run, n - 1), record, orders, waiting):
                raise Contradicted("hands", n, what)
    run.past[n] = ReplayedState(record, found.head, state, orders, waiting)
    return run.past[n]


def _due_of_all(run: Replay, record: StateRecord, state: Any) -> None:
    """Whoever is asked has a deadline, and nobody else: one set before would be over too soon."""
    asked = {question.seat for question in run.game.questions(run.game.view(state, None))}
    due = {row.seat for row in record.clock.seats if row.due}
    if wrong := sorted(asked ^ due):
        what = f"{wrong[0]} {'has no' if wrong[0] in asked else 'has a'} deadline"
        raise Contradicted(
            "orders", record.n, f"the clock: {what}, and is {_asked(wrong[0], asked)}"
        )


def _asked(seat: str, asked: set[str]) -> str:
    return "asked" if seat in asked else "not asked"


def _given_up(run: Replay, record: StateRecord) -> StateRecord:
    """A round that was closed before its deal: the same state, with the secret."""
    before = run.past[record.n - 1]
    reason = record.rulings[0].reason if record.rulings else ""
    game = game_id(run.genesis)
    return opening.given_up_link(before.link, game, before.head, run.secret, reason, record.time)


def _dealt(run: Replay, record: StateRecord) -> tuple[StateRecord, Any]:
    before = run.past[1]
    seals = Seals(run.secret, record.game, 2, before.head)
    dealer = run.game, run.secret, record.time
    try:
        return opening.dealt_link(before.link, before.head, record.opened, *dealer, seals)
    except (KeyError, PbemError):
        what = "a contribution is missing: nobody can deal like this"
        raise Contradicted("contributions", 2, what) from None


def _ruled(run: Replay, record: StateRecord) -> tuple[StateRecord, Any]:
    """A link of rulings: the game as they leave it."""
    n, newest = record.n, _position(run, record.n - 1)
    seals = Seals(run.secret, record.game, n, newest.head)
    why = "; ".join(ruling_words(ruling) for ruling in record.rulings)
    try:
        basis = basis_of(newest, record, lambda m: _position(run, m), seals)
    except PbemError as error:  # what a correction makes of the game cannot be
        basis, why = None, error.message
    if basis is None:
        raise Contradicted("rulings", n, f"it cannot come of its ruling: {why}")
    for player, old in zip(record.people, newest.record.people, strict=True):
        if player.key != old.key:  # another key begins to count anew
            run.used.pop(player.seat, None)
    return ruled_link(newest, basis, run.secret, record.time, seals, {}), basis.state


def _position(run: Replay, n: int) -> LoadedGame:
    record, head, state, *_ = run.past[n]
    return LoadedGame(run.game, record, head, config_of(record), state)


def _played(run: Replay, record: StateRecord) -> tuple[StateRecord, Any, tuple[PlayedOrder, ...]]:
    """A link of the running game: its orders, one after the other."""
    n, prev = record.n, run.past[record.n - 1]
    seals = Seals(run.secret, record.game, n, prev.head)
    state, told, events = prev.state, list[PlayedOrder](), list[Event]()
    values, answered = hidden_values(run.game, state), Counter(dict(prev.link.answered))
    for number, entry in enumerate(record.entries, 1):
        order = order_in(f"{n}/order/{number}", entry, seals, run.game, state)
        wrong = checked(run, state, prev.link, order)
        wrong = wrong or chosen(run, state, record.game, answered[order.seat], order)
        if wrong:
            item, what = wrong
            raise Contradicted(item, n, f"order {number}, {order.words} of {order.seat}: {what}")
        try:
            step = run.game.apply(state, order.seat, order.line, n)
        except BadInput as error:
            what = f"order {number} of {order.seat} was not allowed: {error.message}"
            raise Contradicted("orders", n, what) from None
        told.append(PlayedOrder(order, tuple(step.events), state))
        state = step.state
        answered[order.seat] += 1
        values |= hidden_values(run.game, state)
        events += step.events
    parts = Next(n, record.game, prev.head, "play", record.time, prev.link, values)
    played = [one.played for one in told]
    if seat := cut_short(run, state, prev.link, played):
        raise Contradicted("orders", n, f"the missed turn of {seat} was not played to its end")
    return next_link(parts, run.game, state, played, events, seals), state, tuple(told)


#: tables of a state that the deal makes
DEALT = ("sealed", "commits", "position", "events", "openings")


def _same(run: Replay, wanted: StateRecord, found: SignedState) -> None:
    """Contradicted unless the state is, byte for byte, the one that must follow."""
    should = write_link(wanted)
    if state_file.spell(should) == found.body:
        return
    told, n = state_file.parse(found.body), wanted.n
    seals = Seals(run.secret, wanted.game, n, run.past[n - 1].head)

    def opens(slot: str, token: str) -> str:
        try:
            return seals.open(slot, token)
        except (BadInput, UnicodeDecodeError):
            return ""

    def slots(slot: str) -> str:
        return slot_words(run.game, wanted.position, slot)

    table, words = difference(should, told, slots, opens)
    _, item = TABLES.get(table, ("", "orders"))
    item = "deal" if n == DEAL and table in DEALT else item
    dealt = item == "deal" and table not in SLOTS
    raise Contradicted(item, n, words, "rules" if dealt else "")
