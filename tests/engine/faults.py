"""Chang Cheng with one fault each: what a careless hand could do to a game.

What lives here: the faults, by name, and the laws that must notice each (test_laws_catch.py).
"""

from collections.abc import Sequence
from typing import Any

from pbem.engine.chang_cheng import ChangCheng
from pbem.engine.chang_cheng.layout import KINDS
from pbem.engine.chang_cheng.state import UNKNOWN_PILE, State, View
from pbem.engine.decision import Event, Outcome, Question, Refusal, Soon, Step
from pbem.engine.hidden import Hidden
from pbem.engine.row import Asking, Row
from pbem.engine.settings import EncodedState


class CounterForgotten(ChangCheng):
    """A field of the View is forgotten: who looked at a counter does not see it."""

    def view(self, state: State, seat: str | None) -> View:
        return super().view(state, seat)._replace(threat=UNKNOWN_PILE)


class CardsForAll(ChangCheng):
    """Face-down cards of everybody stand in every View."""

    def view(self, state: State, seat: str | None) -> View:
        return super().view(state, seat)._replace(kinds=state.kinds)


class SortedByKind(ChangCheng):
    """A list of what all see has the order of what is hidden."""

    def view(self, state: State, seat: str | None) -> View:
        view = super().view(state, seat)
        table = view.public.draft()
        order = sorted(range(len(table.cards)), key=lambda i: state.kinds[i] or 0)
        table.cards = tuple(table.cards[i] for i in order)
        kinds = tuple(view.kinds[i] for i in order)
        return view._replace(public=table.frozen(), kinds=kinds)


class EventTellsCard(ChangCheng):
    """The event of laying a card says which."""

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        step = super().apply(state, seat, line, link)
        told = tuple(
            one._replace(facts=(*one.facts, ("kind", line.split()[1]))) if one.kind == "card" else one
            for one in step.events
        )
        return step._replace(events=told)


class QuestionForOneself(ChangCheng):
    """Who holds the flood is asked in another way."""

    def questions(self, view: View) -> tuple[Question, ...]:
        asked = super().questions(view)
        holds = any((hand or 0) & 4 for hand in view.hands)
        return tuple(one._replace(about="flood") for one in asked) if holds else asked


class AudienceTooWide(ChangCheng):
    """A face-down card may be known to all seats, says the encoded position."""

    def encode(self, state: State) -> EncodedState:
        place = super().encode(state)
        seats = frozenset(state.public.rules.seats)
        wide = {
            slot: Hidden(one.for_sealing(), seats) if "/card/" in slot else one for slot, one in place.hidden.items()
        }
        return place._replace(hidden=wide)


class HandInTheClear(ChangCheng):
    """The public part of a position holds a hand."""

    def encode(self, state: State) -> EncodedState:
        place = super().encode(state)
        return place._replace(public={**place.public, "note": str(state.hands)})


class SlotsAgain(ChangCheng):
    """A slot is used a second time, once the card that lay in it is gone."""

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        step = super().apply(state, seat, line, link)
        table = step.state.public.draft()
        if len(table.cards) <= len(state.public.cards) or not line.startswith("card"):
            return step
        used = {card.slot for card in state.public.cards}
        slot = next(s for i in range(99) if (s := f"9/card/{i:02d}") not in used)
        last = table.cards[-1]
        table.cards = (*table.cards[:-1], last._replace(slot=slot))
        told = tuple(one._replace(opens=((seat, slot),)) if one.kind == "card" else one for one in step.events)
        return Step(step.state._replace(public=table.frozen()), told)


class NotOpened(ChangCheng):
    """Cards are turned up, but no event opens them."""

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        step = super().apply(state, seat, line, link)
        told = tuple(one._replace(opens=()) if one.kind == "turned" else one for one in step.events)
        return step._replace(events=told)


class ChangesItsInput(ChangCheng):
    """An order is carried out on the State it was given."""

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        step = super().apply(state, seat, line, link)
        state.public.__dict__["skips"] += 1
        return step


class TwoResults(ChangCheng):
    """The result hangs on how often it was asked for."""

    calls = 0

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        type(self).calls += 1
        return super().apply(state, seat, line, link + self.calls)


class FieldNotWritten(ChangCheng):
    """The encoded position forgets what a tower keeps."""

    def encode(self, state: State) -> EncodedState:
        table = state.public.draft()
        table.reserve = (0,) * len(table.reserve)
        return super().encode(state._replace(public=table.frozen()))


class ViewNotWritten(ChangCheng):
    """A view file forgets the counters looked at."""

    def encode_view(self, view: View) -> dict[str, Any]:
        return {**super().encode_view(view), "known": []}


class AllAllowed(ChangCheng):
    """The check lets a wall go anywhere."""

    def check(self, view: View, line: str) -> Refusal | None:
        return None if line.startswith("wall") else super().check(view, line)


class ListedTwice(ChangCheng):
    """An order stands in the list twice."""

    def legal(self, view: View) -> tuple[str, ...]:
        lines = super().legal(view)
        return (*lines, *lines[:1])


class ListedForOthers(ChangCheng):
    """Who is not asked has orders, too."""

    def legal(self, view: View) -> tuple[str, ...]:
        return super().legal(view) or (("pass",) if view.seat == 0 else ())


class BreaksDownOnText(ChangCheng):
    """The check takes every text for an order with a name in it (so it was until 2026-11-21)."""

    def check(self, view: View, line: str) -> Refusal | None:
        return super().check(view, line if line.split(maxsplit=1)[0] else "")


class CompletesTooMuch(ChangCheng):
    """Whatever is written, the first of the list was meant."""

    def complete(self, view: View, line: str) -> str:
        return (*super().legal(view), line)[0]


class NeverConcerns(ChangCheng):
    """No question is ever about any name."""

    def why_never(self, view: View, name: str) -> str:
        return "it is not a name"


class NeverTooSoon(ChangCheng):
    """What is not legal now is never to be."""

    def never(self, view: View, line: str) -> Refusal | None:
        return super().check(view, line)


class NeverByTheTruth(ChangCheng):
    """Whether an order can never be legal hangs on a counter that nobody has seen."""

    last: State | None = None

    def view(self, state: State, seat: str | None) -> View:
        type(self).last = state
        return super().view(state, seat)

    def never(self, view: View, line: str) -> Refusal | None:
        found = super().never(view, line)
        return None if self.last is not None and (self.last.threat[-1] or 0) % 2 else found


class DefaultNotLegal(ChangCheng):
    """A missed turn always goes to A1."""

    def default(self, view: View) -> str:
        return "wall A1"


class AsksAheadForNothing(ChangCheng):
    """A card is asked about ahead in a province that is scored."""

    def soon(self, view: View) -> tuple[Soon, ...]:
        scored = [i for i in range(len(view.public.layout.provinces)) if view.public.scored_provinces >> i & 1]
        names = [view.public.layout.provinces[i] for i in scored]
        return tuple(Soon(name, Row("card"), "flood", ("flood +2",)) for name in names)


class AsksAheadInNoWords(ChangCheng):
    """What is proposed cannot be written."""

    def soon(self, view: View) -> tuple[Soon, ...]:
        return tuple(one._replace(orders=("flood 2",)) for one in super().soon(view))


class PointsUntold(ChangCheng):
    """The double's points stand in no event."""

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        step = super().apply(state, seat, line, link)
        told = tuple(one._replace(points=()) if one.kind == "double" else one for one in step.events)
        return step._replace(events=told)


class ForeseesTooMuch(ChangCheng):
    """Foreseeing thinks that nothing changes."""

    def foresee(self, view: View, line: str) -> View | None:
        return view


class ForeseesAnotherCard(ChangCheng):
    """Foreseeing takes every card it lays for the warrior."""

    def foresee(self, view: View, line: str) -> View | None:
        after = super().foresee(view, line)
        return after and after._replace(hands=tuple(hand and hand | 1 for hand in after.hands))


class CardInPublicWords(ChangCheng):
    """The order as all may read it names the card."""

    def public_words(self, line: str) -> str:
        return line


class NotSpelled(ChangCheng):
    """Its own order is not understood."""

    def spell(self, tokens: tuple[str, ...]) -> str | None:
        return None if tokens[0] == "double" else super().spell(tokens)


class NoSentence(ChangCheng):
    """No sentence can be found for an event."""

    def event_row(self, happened: Event, view: View) -> Row:
        row = super().event_row(happened, view)
        return Row("not a name") if happened.kind == "looked" else row


class TellsFromElsewhere(ChangCheng):
    """What is told of a position hangs on something that is not in the View."""

    last: State | None = None

    def view(self, state: State, seat: str | None) -> View:
        type(self).last = state
        return super().view(state, seat)

    def describe(self, view: View) -> dict[str, Any]:
        kinds = self.last.kinds if self.last is not None else ()
        cards = [KINDS[kind] for kind in kinds if kind is not None]
        return {**super().describe(view), "note": cards}


class TurnsBack(ChangCheng):
    """The number of the turn starts again."""

    def turn(self, view: View) -> int:
        return super().turn(view) % 5


class BadExample(ChangCheng):
    """The example to copy is always the same."""

    def ask(self, view: View) -> Asking | None:
        asked = super().ask(view)
        return asked._replace(example=("wall A5",)) if asked else None


class NeverOver(ChangCheng):
    """The game is over and does not say so."""

    def outcome(self, view: View) -> Outcome | None:
        return None


class LosesWalls(ChangCheng):
    """A wall placed is not on its square afterwards."""

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        step = super().apply(state, seat, line, link)
        table = step.state.public.draft()
        if table.stage == "second" and table.first_step == "card" and table.single[0]:
            table.single = (table.single[0] & (table.single[0] - 1), *table.single[1:])
        return step._replace(state=step.state._replace(public=table.frozen()))


#: each fault, and every law that notices it by itself
FAULTS: Sequence[tuple[type[ChangCheng], str]] = (
    (CounterForgotten, "seen_by_its_audience"),
    (CardsForAll, "seen_by_its_audience same_for_the_twin same_after_the_twin"),
    (SortedByKind, "same_for_the_twin seen_by_its_audience"),
    (EventTellsCard, "same_after_the_twin"),
    (QuestionForOneself, "same_questions"),
    (AudienceTooWide, "as_opened seen_by_its_audience"),
    (HandInTheClear, "same_for_the_twin"),
    (SlotsAgain, "enter"),
    (NotOpened, "enter same_after_the_twin"),
    (ChangesItsInput, "repeatable"),
    (TwoResults, "repeatable"),
    (FieldNotWritten, "written_and_read"),
    (ViewNotWritten, "views_written_and_read"),
    (AllAllowed, "listed_is_allowed"),
    (BreaksDownOnText, "check_never_raises"),
    (CompletesTooMuch, "completed"),
    (NeverConcerns, "concerned"),
    (NeverTooSoon, "never_again"),
    (NeverByTheTruth, "same_for_the_twin"),
    (ListedTwice, "answerable"),
    (ListedForOthers, "answerable"),
    (DefaultNotLegal, "default_is_legal"),
    (AsksAheadForNothing, "asked_ahead"),
    (AsksAheadInNoWords, "asked_ahead"),
    (PointsUntold, "points_add_up"),
    (TurnsBack, "turns_go_on"),
    (ForeseesTooMuch, "foreseen"),
    (ForeseesAnotherCard, "foreseen"),
    (CardInPublicWords, "same_for_the_twin"),
    (NotSpelled, "spelled"),
    (NoSentence, "every_event_told"),
    (BadExample, "put_in_words"),
    (TellsFromElsewhere, "same_for_the_twin"),
    (NeverOver, "same_questions"),
    (LosesWalls, "conserved written_and_read"),
)
