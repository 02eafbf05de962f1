"""Which question is open: who has to choose, about what, and among which orders.

Law: only what all see is read here, so ``forced`` tells nothing (R-1).
Source: R-1, CC-10 to CC-13, CC-22, CC-31, CC-60, CC-61.
"""

from pbem.engine.chang_cheng import board, colours, neutral
from pbem.engine.chang_cheng.asked import NOBODY, NOTHING_TO_PLACE, Asked, Possible
from pbem.engine.chang_cheng.effects import EFFECTS
from pbem.engine.chang_cheng.parts import KINDS
from pbem.engine.chang_cheng.possible import first_step, second_step
from pbem.engine.chang_cheng.state import Public, Scoring, new
from pbem.engine.decision import Question


def now_asked(public: Public) -> Asked:
    """The one question that ``public.stage`` stands for; nobody is asked when the game is over."""
    stage = public.stage
    if stage == "action":
        can = first_step(public, public.colour)
        ruling = "CC-11" if public.turns == 1 else "CC-10" if can.complete else "CC-12"
        return _placing(public, can, "", ruling)
    if stage == "second":
        return _placing(public, second_step(public), public.layout.provinces[public.where], "CC-13")
    if stage == "card" and public.scoring is not None:
        return _about_card(public, public.scoring)
    if stage == "board":
        return _choice(public, public.box[0].id, "CC-31", board.CHOICES)
    if stage == "neutral":
        return _choice(public, "", "CC-60", neutral.choices(public))
    if stage == "colour":
        return _choice(public, "", "CC-61", colours.choices(public))
    return NOBODY


def _choice(public: Public, about: str, ruling: str, lines: tuple[str, ...]) -> Asked:
    """The seat on turn chooses one of these lines."""
    seat = public.rules.seats[public.seat]
    question = new(Question, (seat, public.stage, about, ruling, len(lines) == 1))
    return new(Asked, (public.seat, (question,), NOTHING_TO_PLACE, lines))


def _placing(public: Public, can: Possible, about: str, ruling: str) -> Asked:
    """An action, or its second step. With nothing to place one can only pass (CC-12)."""
    seat = public.rules.seats[public.seat]
    if can.walls & (can.walls - 1):  # two walls are two orders: mostly there is no need to count
        question = new(Question, (seat, public.stage, about, ruling, False))
        return new(Asked, (public.seat, (question,), can, ()))
    number = can.count(public.held[public.colour])
    question = new(Question, (seat, public.stage, about, ruling, number <= 1))
    return new(Asked, (public.seat, (question,), can, () if number else ("pass",)))


def _about_card(public: Public, scoring: Scoring) -> Asked:
    """Its owner chooses what a card does (CC-22)."""
    kind, colour = scoring.cards[0]
    effect = EFFECTS[kind]
    lines = effect.choices(public, scoring)
    owner, about = public.rules.owner[colour], public.layout.provinces[scoring.province]
    question = new(Question, (owner, KINDS[kind], about, effect.ruling, len(lines) == 1))
    return new(Asked, (public.rules.seat_of[colour], (question,), NOTHING_TO_PLACE, lines))
