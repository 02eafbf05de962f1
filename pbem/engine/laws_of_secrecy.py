"""What every game must keep secret: laws over the protocol, like those of laws.py.

Two ways of looking: the *ledger* follows what events opened to whom, and holds every View and every
encoded position to it; the *twin* is another State that a seat cannot tell from this one, and all
that the seat is told must be the same for both.
Source: docs/DESIGN.md P2, P3; decision 0001 (events carry slots, not secrets).
"""

from itertools import zip_longest
from typing import Any

from pbem.engine.decision import ALL, Event
from pbem.engine.hidden import Hidden
from pbem.engine.laws import Broken, Move, Place
from pbem.engine.optional_parts import never
from pbem.errors import BadInput

TRIES = 20  # twins looked at before "no twin differs" is believed


class Ledger:
    """Which slots there ever were, and to whom events opened them."""

    def __init__(self) -> None:
        self.opened: dict[str, set[str]] = {}
        self.slots: set[str] = set()

    def enter(
        self,
        events: tuple[Event, ...],
        before: dict[str, Hidden],
        after: dict[str, Hidden],
        link: int | None = None,
    ) -> Broken:
        """Take a step down: a slot that comes is new, one that goes is opened to all, once.

        ``link`` is the one made by it, where it is known: each new slot begins with it.
        """
        now: set[str] = set()
        for happened in events:
            for who, slot in happened.opens:
                if ALL in self.opened.get(slot, ()):
                    return f"the slot {slot} is opened though all know it"
                self.opened.setdefault(slot, set()).add(who)
                now |= {slot} if who == ALL else set()
        for slot in after.keys() - before.keys():
            if slot in self.slots:
                return f"the slot {slot} is used again"
            if link is not None and not slot.startswith(f"{link}/"):
                return f"the slot {slot} is made in link {link} and does not begin with {link}/"
        for slot in before.keys() - after.keys():
            if slot not in now:
                return f"the slot {slot} went and was not opened to all in that step"
        self.slots |= after.keys()
        return None


def as_opened(place: Place, ledger: Ledger) -> Broken:
    """The audience of every hidden slot is exactly the seats that events opened it to."""
    for slot, hidden in place.game.encode(place.state).hidden.items():
        to = ledger.opened.get(slot, set())
        if ALL in to:
            return f"{slot} was opened to all and is still hidden"
        if hidden.audience != to:
            return f"{slot} may be known to {sorted(hidden.audience)}, was opened to {sorted(to)}"
    return None


def seen_by_its_audience(place: Place) -> Broken:
    """Two slots of a kind change places: whoever may know one of them sees it, nobody else does."""
    game = place.game
    position = game.encode(place.state)
    for mine, other in _pairs(position.hidden, place):
        values = {slot: hidden.for_sealing() for slot, hidden in position.hidden.items()}
        values[mine], values[other] = values[other], values[mine]
        try:
            changed = game.decode(place.config, position.public, values)
        except BadInput:
            continue  # the game does not have such a position
        knowing = position.hidden[mine].audience | position.hidden[other].audience
        for seat in place.seats():
            differs = game.view(changed, seat) != place.view(seat)
            if differs != (seat in knowing):
                what = "sees" if differs else "does not see"
                return f"{seat or 'a spectator'} {what} {mine} or {other}, against their audience"
    return None


def _pairs(hidden: dict[str, Hidden], place: Place) -> list[tuple[str, str]]:
    """For some slots, another one of the same kind with another value."""
    found = []
    slots = sorted(hidden)
    for slot in slots:
        kind = slot.split("/")[1]
        others = [
            other
            for other in slots
            if other.split("/")[1] == kind
            and hidden[other].for_sealing() != hidden[slot].for_sealing()
        ]
        if others and place.below(3) == 0:
            found.append((slot, others[place.below(len(others))]))
    return found


def forced_is_public(place: Place) -> Broken:
    """``forced`` exactly when one order alone is legal, whatever a spectator cannot see (R-1)."""
    game = place.game
    for number, question in enumerate(game.questions(place.view(None))):
        legal = len(game.legal(place.view(question.seat)))
        twin = legal
        for _ in range(1 if legal > 1 or question.forced else TRIES):
            other = game.guess(place.view(None), place.below)
            if game.questions(game.view(other, None))[number].forced != question.forced:
                return f"`forced` of {question.seat} depends on what is hidden"
            twin = max(twin, len(game.legal(game.view(other, question.seat))))
        if question.forced != (max(legal, twin) == 1):
            return (
                f"{question.seat} has {legal} orders (a twin {twin}), forced is {question.forced}"
            )
    return None


def all_that_a_seat_gets(place: Place, state: Any, seat: str | None) -> dict[str, Any]:
    """Everything a seat is ever told of a position: a function of its View, or so it should be."""
    game = place.game
    view = game.view(state, seat)
    said: dict[str, Any] = {
        "View": view,
        "view file": game.encode_view(view),
        "questions": game.questions(view),
        "legal orders": game.legal(view),
        "checks": [game.check(view, line) for line in place.lines],
        "orders that can never be": [never(game, view, line) for line in place.lines],
        "question in words": game.ask(view),
        "description": game.describe(view),
        "asked ahead": game.soon(view),
        "scores": game.scores(view),
        "outcome": game.outcome(view),
        "public part": game.encode(state).public,
    }
    if said["legal orders"]:
        said["default"] = game.default(view)
    return said


def same_for_the_twin(place: Place, seat: str | None, twin: Any) -> Broken:
    """All that a seat is told is the same for a twin of the state; so is how its orders look."""
    here, there = (
        all_that_a_seat_gets(place, place.state, seat),
        all_that_a_seat_gets(place, twin, seat),
    )
    for name, value in here.items():
        if there[name] != value:
            return f"{seat or 'a spectator'} can tell a twin by the {name}"
    pairs = ((place.state, twin), (twin, place.state))
    broken = (_looks_tell(place, seat, here, other) for here, other in pairs)
    return next((text for text in broken if text), None)


def _looks_tell(place: Place, seat: str | None, state: Any, other: Any) -> Broken:
    """An order that can be given in one of two twins only hides nothing of itself.

    A card laid face down looks the same in both. A card played open from the hand does not, and
    everybody may read it; its slot stays closed to the end, for that would tell when it was drawn.
    """
    game = place.game
    for question in game.questions(place.view(None)):
        here, there = (
            {game.public_words(line): line for line in game.legal(game.view(truth, question.seat))}
            for truth in (state, other)
        )
        for looks, line in here.items():
            if looks in there:
                continue
            if looks != line or _hides(place, seat, state, question.seat, line):
                return f"`{line}` of {question.seat} tells {seat or 'a spectator'} what is hidden"
    return None


def _hides(place: Place, seat: str | None, state: Any, who: str, line: str) -> bool:
    """Whether an order makes something that the onlooker may not know: a card laid face down."""
    before = place.game.encode(state).hidden
    after = place.game.encode(place.game.apply(state, who, line, 0).state).hidden
    return any(seat not in after[slot].audience for slot in after.keys() - before.keys())


def same_after_the_twin(place: Place, move: Move, seat: str | None, twin: Any) -> Broken:
    """An order that looks the same, carried out in both: the same events, the same View after.

    Only where nothing was opened to the onlooker, for then the twins part.
    """
    game = place.game
    looks = game.public_words(move.line)
    same = [
        line for line in game.legal(game.view(twin, move.seat)) if game.public_words(line) == looks
    ]
    if not same or seat == move.seat:
        return None
    line = same[place.below(len(same))]  # another one mostly: that is what the words must hide
    steps = [
        game.apply(place.state, move.seat, move.line, move.link),
        game.apply(twin, move.seat, line, move.link),
    ]
    told = (happened.opens for step in steps for happened in step.events)
    if any(who in (ALL, seat) for opens in told for who, _ in opens):
        return None
    for one, other in zip_longest(steps[0].events, steps[1].events):
        if one != other:
            two = " and ".join(f"`{event.row()}`" if event else "none" for event in (one, other))
            both = f"`{move.line}` and `{line}` of {move.seat}"
            return f"{both} look the same to {seat or 'a spectator'}, their events differ: {two}"
    views = [game.view(step.state, seat) for step in steps]
    if views[0] != views[1]:
        return f"the View of {seat or 'a spectator'} after {looks!r} tells what is hidden"
    return None
