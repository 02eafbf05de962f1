"""The laws can be broken: a game with a planted fault is found out, by the law meant for it."""

from random import Random
from typing import Any

import pytest

from pbem.engine.chang_cheng import ChangCheng
from pbem.engine.chang_cheng.state import OpenQuestion, State
from pbem.engine.decision import Question
from pbem.engine.game import Game
from pbem.engine.laws import MOVE_LAWS, POSITION_LAWS, STEP_LAWS, LawContext
from pbem.engine.laws_of_secrecy import forced_is_public
from pbem.engine.random_play import WalkResult, deal_piles, walk

from .conserved import conserved
from .faults import FAULTS

SEEDS = 5


def first_broken(game: Game, bound: int = 400, only: str = "") -> WalkResult:
    """The first broken law of a few games at random, or how the last one went."""
    found = WalkResult(0)
    for seed in range(SEEDS):
        below = Random(seed).randrange
        seats = game.seats[: 2 + seed % 3]
        found = walk(game, seats, below, bound=bound, only=only, extra=(conserved,))
        if found.broken:
            return found
    return found


def test_a_sound_game_breaks_none() -> None:
    assert not first_broken(ChangCheng()).broken


PAIRS = [(fault, law) for fault, laws in FAULTS for law in laws.split()]


@pytest.mark.parametrize(("fault", "law"), PAIRS, ids=lambda one: one if isinstance(one, str) else one.__name__)
def test_this_law_alone_finds_the_fault(fault: type[ChangCheng], law: str) -> None:
    assert first_broken(fault(), only=law).broken


def test_every_law_is_shown_to_catch_something() -> None:
    laws = (*POSITION_LAWS, *MOVE_LAWS, *STEP_LAWS)
    assert {law.__name__ for law in laws} <= {law for _, law in PAIRS}


def test_a_game_without_end_is_found() -> None:
    assert first_broken(ChangCheng(), bound=10).law == "ends"


def forced_place(flip: Any) -> LawContext:
    """A position in which red holds one card more, with ``forced`` as ``flip`` has it."""
    game, random = ChangCheng(), Random(1)
    config = game.configure(("red", "green"), {})
    state: State = game.setup(config, deal_piles(game, config, random.randrange), 1).state
    table = state.public.draft()
    question = table.asked.questions[0]._replace(forced=flip(state))
    table.asked = OpenQuestion(0, (question,), table.asked.placements, table.asked.lines)
    return LawContext(game, config, state._replace(public=table.frozen()), random.randrange)


def test_forced_with_a_choice_is_found() -> None:
    assert forced_is_public(forced_place(lambda _: False)) is None
    assert forced_is_public(forced_place(lambda _: True)) is not None


class ForcedByHand(ChangCheng):
    """Who holds the warrior has to place it first: one order, and nobody else can see why."""

    def legal(self, view: Any) -> tuple[str, ...]:
        lines = super().legal(view)
        return lines[:1] if view.hand() & 1 else lines

    def questions(self, view: Any) -> tuple[Question, ...]:
        asked = super().questions(view)
        forced = bool((self.hands[asked[0].seat] or 0) & 1) if asked else False
        return tuple(one._replace(forced=forced) for one in asked)

    def view(self, state: State, seat: str | None) -> Any:
        seats = state.public.rules.seats
        self.hands = dict(zip(seats, state.hands, strict=True))  # what a View must not get
        return super().view(state, seat)


def test_forced_by_a_hidden_hand_is_found() -> None:
    found = first_broken(ForcedByHand(), only="forced_is_public")
    assert "depends on what is hidden" in found.broken
