"""Laws of secrecy for every game, in the form of those in laws.py.

They use two tools. Each hidden value has a *slot*, a name such as ``2/threat/07``, and an event may
*open* a slot to a seat. The *ledger* records which slots were opened to whom, and every View and
encoded position must agree with it. A *twin* is another State that gives a seat the same View, so
everything that pbem tells this seat must be the same in both. The docstring of a law states it.
Source: docs/DESIGN.md P2, P3; decision 0001 (events carry slots, not secrets).
"""

from itertools import zip_longest
from typing import Any

from pbem.engine.decision import ALL, Event
from pbem.engine.hidden import Hidden
from pbem.engine.laws import LawContext, Move, Violation
from pbem.engine.optional_parts import never
from pbem.errors import BadInput

TWIN_TRIES = 20  # twins to try before "no twin differs" counts as true


class Ledger:
    """All slots that the game has used, and by slot, the seats to which events opened it."""

    def __init__(self) -> None:
        self.audience_by_slot: dict[str, set[str]] = {}
        self.used_slots: set[str] = set()

    def enter(
        self,
        events: tuple[Event, ...],
        before: dict[str, Hidden],
        after: dict[str, Hidden],
        state_number: int | None = None,
    ) -> Violation:
        """Record a step. Return how it breaks the law of slots, or None.

        The law: a slot that appears has a name never used before, which begins with the number of
        the new state (``state_number``, if known). A slot that disappears is opened to all in that
        step. No slot is opened once all know it.
        """
        opened_to_all: set[str] = set()
        for event in events:
            for recipient, slot in event.opens:
                if ALL in self.audience_by_slot.get(slot, ()):
                    return f"the slot {slot} is opened though all know it"
                self.audience_by_slot.setdefault(slot, set()).add(recipient)
                if recipient == ALL:
                    opened_to_all.add(slot)
        for slot in after.keys() - before.keys():
            if slot in self.used_slots:
                return f"the slot {slot} is used again"
            if state_number is not None and not slot.startswith(f"{state_number}/"):
                return f"the slot {slot} is made in link {state_number} and does not begin with {state_number}/"
        for slot in before.keys() - after.keys():
            if slot not in opened_to_all:
                return f"the slot {slot} went and was not opened to all in that step"
        self.used_slots |= after.keys()
        return None


def as_opened(context: LawContext, ledger: Ledger) -> Violation:
    """The audience of every hidden slot is exactly the seats to which events opened it."""
    for slot, hidden in context.game.encode(context.state).hidden.items():
        audience = ledger.audience_by_slot.get(slot, set())
        if ALL in audience:
            return f"{slot} was opened to all and is still hidden"
        if hidden.audience != audience:
            return f"{slot} may be known to {sorted(hidden.audience)}, was opened to {sorted(audience)}"
    return None


def seen_by_its_audience(context: LawContext) -> Violation:
    """If two slots of a kind swap values, the Views of their audiences change, and no others."""
    game = context.game
    encoded = game.encode(context.state)
    for first_slot, second_slot in _slots_to_swap(encoded.hidden, context):
        values = {slot: hidden.for_sealing() for slot, hidden in encoded.hidden.items()}
        values[first_slot], values[second_slot] = values[second_slot], values[first_slot]
        try:
            swapped_state = game.decode(context.config, encoded.public, values)
        except BadInput:
            continue  # such a position is impossible in this game
        audience = encoded.hidden[first_slot].audience | encoded.hidden[second_slot].audience
        for seat in context.viewers():
            is_different = game.view(swapped_state, seat) != context.view(seat)
            if is_different != (seat in audience):
                verb = "sees" if is_different else "does not see"
                return f"{seat or 'a spectator'} {verb} {first_slot} or {second_slot}, against their audience"
    return None


def _slots_to_swap(hidden: dict[str, Hidden], context: LawContext) -> list[tuple[str, str]]:
    """Pair about a third of the slots with a random slot of the same kind and a different value."""
    pairs = []
    slots = sorted(hidden)
    for slot in slots:
        kind = slot.split("/")[1]  # "threat" of 2/threat/07
        others = [
            other
            for other in slots
            if other.split("/")[1] == kind and hidden[other].for_sealing() != hidden[slot].for_sealing()
        ]
        if others and context.below(3) == 0:
            pairs.append((slot, others[context.below(len(others))]))
    return pairs


def forced_is_public(context: LawContext) -> Violation:
    """``forced`` is true exactly if one order is legal, whatever the hidden values are (R-1).

    Where the seat has one order and ``forced`` is false, some twin must give the seat several.
    """
    game = context.game
    for number, question in enumerate(game.questions(context.view(None))):
        order_count = len(game.legal(context.view(question.seat)))
        twin_order_count = order_count
        tries = 1 if order_count > 1 or question.forced else TWIN_TRIES
        for _ in range(tries):
            twin_state = game.guess(context.view(None), context.below)
            if game.questions(game.view(twin_state, None))[number].forced != question.forced:
                return f"`forced` of {question.seat} depends on what is hidden"
            twin_order_count = max(twin_order_count, len(game.legal(game.view(twin_state, question.seat))))
        if question.forced != (max(order_count, twin_order_count) == 1):
            return f"{question.seat} has {order_count} orders (a twin {twin_order_count}), forced is {question.forced}"
    return None


def information_for_seat(context: LawContext, state: Any, seat: str | None) -> dict[str, Any]:
    """Return by name all that pbem tells a seat about a position. It must follow from the View alone."""
    game = context.game
    view = game.view(state, seat)
    information: dict[str, Any] = {
        "View": view,
        "view file": game.encode_view(view),
        "questions": game.questions(view),
        "legal orders": game.legal(view),
        "checks": [game.check(view, line) for line in context.sample_lines],
        "orders that can never be": [never(game, view, line) for line in context.sample_lines],
        "question in words": game.ask(view),
        "description": game.describe(view),
        "asked ahead": game.soon(view),
        "scores": game.scores(view),
        "outcome": game.outcome(view),
        "public part": game.encode(state).public,
    }
    if information["legal orders"]:
        information["default"] = game.default(view)
    return information


def same_for_the_twin(context: LawContext, seat: str | None, twin: Any) -> Violation:
    """A seat gets the same information in a twin of the state, and its orders look the same."""
    true_information = information_for_seat(context, context.state, seat)
    twin_information = information_for_seat(context, twin, seat)
    for name, value in true_information.items():
        if twin_information[name] != value:
            return f"{seat or 'a spectator'} can tell a twin by the {name}"
    pairs = ((context.state, twin), (twin, context.state))
    violations = (_find_telling_order(context, seat, state, other_state) for state, other_state in pairs)
    return next((text for text in violations if text), None)


def _find_telling_order(context: LawContext, seat: str | None, state: Any, other_state: Any) -> Violation:
    """Return how an order that is legal in ``state``, but not in ``other_state``, would tell a secret.

    For example, ``card ? AP1`` (a card laid face down) must be possible in both twins. A card played
    openly may be possible in one only, because everybody may read it anyway. But it must not make
    a new slot that the onlooker may not know. None if no order tells anything.
    """
    game = context.game
    for question in game.questions(context.view(None)):
        lines_by_appearance, other_lines = (
            {game.public_words(line): line for line in game.legal(game.view(possible_state, question.seat))}
            for possible_state in (state, other_state)
        )
        for appearance, line in lines_by_appearance.items():
            if appearance in other_lines:
                continue
            if appearance != line or _hides_something(context, seat, state, question.seat, line):
                return f"`{line}` of {question.seat} tells {seat or 'a spectator'} what is hidden"
    return None


def _hides_something(context: LawContext, onlooker: str | None, state: Any, player: str, line: str) -> bool:
    """Return whether an order makes a slot that the onlooker may not know, such as a face-down card."""
    before = context.game.encode(state).hidden
    after = context.game.encode(context.game.apply(state, player, line, 0).state).hidden
    return any(onlooker not in after[slot].audience for slot in after.keys() - before.keys())


def same_after_the_twin(context: LawContext, move: Move, seat: str | None, twin: Any) -> Violation:
    """An order and another that looks the same in a twin have the same events and lead to the same View.

    The law does not apply if one of them opens something to the onlooker: then the twins may differ.
    """
    game = context.game
    appearance = game.public_words(move.line)
    lookalikes = [line for line in game.legal(game.view(twin, move.seat)) if game.public_words(line) == appearance]
    if not lookalikes or seat == move.seat:
        return None
    line = lookalikes[context.below(len(lookalikes))]  # mostly not the same order, but nobody may notice
    steps = [
        game.apply(context.state, move.seat, move.line, move.state_number),
        game.apply(twin, move.seat, line, move.state_number),
    ]
    openings = (event.opens for step in steps for event in step.events)
    if any(recipient in (ALL, seat) for opens in openings for recipient, _ in opens):
        return None
    for first_event, second_event in zip_longest(steps[0].events, steps[1].events):
        if first_event != second_event:
            rows_text = " and ".join(f"`{event.row()}`" if event else "none" for event in (first_event, second_event))
            orders_text = f"`{move.line}` and `{line}` of {move.seat}"
            return f"{orders_text} look the same to {seat or 'a spectator'}, their events differ: {rows_text}"
    views = [game.view(step.state, seat) for step in steps]
    if views[0] != views[1]:
        return f"the View of {seat or 'a spectator'} after {appearance!r} tells what is hidden"
    return None
