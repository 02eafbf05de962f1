"""What every order of a case must keep besides what the case says: points, slots, rows, sentences.

What lives here: the laws of pbem/engine, held to the positions of cases, which whole games at
random may never come to. Not allowed here: a rule of the game.
"""

import re
from random import Random
from typing import TYPE_CHECKING, Any

from pbem import catalog
from pbem.engine import laws
from pbem.engine.chang_cheng import GAME
from pbem.engine.decision import Step
from pbem.engine.laws_of_secrecy import Ledger, as_opened, forced_is_public, same_for_the_twin, seen_by_its_audience
from pbem.engine.rulebook import list_rule_numbers
from pbem.engine.settings import Config

from .in_words import told

if TYPE_CHECKING:
    from pbem.engine.game import Game

RULED = {kind: frozenset(list_rule_numbers(catalog.read_rules(kind))) for kind in catalog.BUILT_IN}
#: a capital letter, a full stop; nothing left empty, as in ``'s wall`` or ``( )``
SENTENCE = re.compile(r"[A-Z](?!.*(  | 's|''|\(\)|\{|: \.| \.)).*\.", re.DOTALL)
OF_POSITIONS = (*laws.POSITION_LAWS, seen_by_its_audience)


class Held:
    """A case on its way, its positions and steps under the laws."""

    def __init__(self, config: Config, state: Any, game: "Game" = GAME) -> None:
        self.config, self.game = config, game
        self.ledger = Ledger()
        hidden = game.encode(state).hidden
        self.ledger.used_slots = set(hidden)
        self.ledger.audience_by_slot = {slot: set(one.audience) for slot, one in hidden.items()}

    def place(self, state: Any) -> laws.LawContext:
        """A position, and chance that is the same in every run."""
        return laws.LawContext(self.game, self.config, state, Random(1).randrange)

    def position(self, state: Any) -> None:
        """Every law of a position that does not draw twins: counters of a case may be any."""
        for law in OF_POSITIONS:
            broken = law(self.place(state))
            assert broken is None, broken
        broken = as_opened(self.place(state), self.ledger)
        assert broken is None, broken

    def twins(self, state: Any) -> None:
        """The laws that draw twins, where a case leaves open only what nobody can know."""
        place = self.place(state)
        broken = forced_is_public(place)
        assert broken is None, broken
        for seat in place.viewers():
            twin = self.game.guess(place.view(seat), place.below)
            broken = same_for_the_twin(place, seat, twin)
            assert broken is None, broken

    def step(self, state: Any, step: Step) -> None:
        """Every law of a step, and of what is told of it."""
        place = self.place(state)
        for law in laws.STEP_LAWS:
            broken = law(place, step)
            assert broken is None, broken
        before, after = (self.game.encode(one).hidden for one in (state, step.state))
        broken = self.ledger.enter(step.events, before, after)
        assert broken is None, broken
        for happened in step.events:
            assert happened.ruling in RULED[self.game.kind], f"{happened.kind}: {happened.ruling}"
            for seat in place.viewers():
                text = told(self.game, happened, self.game.view(step.state, seat))
                assert SENTENCE.fullmatch(text), f"{happened.kind}: {text!r}"
