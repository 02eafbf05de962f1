"""Great Wall of China by Reiner Knizia, for 2 to 5 players. ``GAME`` is what the entry point names.

What only some commands need is imported where it is asked for: status needs no sentences.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.engine.decision import Outcome, Question, Refusal, Soon, Step
from pbem.engine.event import Event
from pbem.engine.great_wall import ending, legal, setup, turn
from pbem.engine.great_wall.parts import COLOURS, WORDS
from pbem.engine.great_wall.state import State, View
from pbem.engine.great_wall.view import view_of
from pbem.engine.settings import Config, EncodedState, Option, Pile, Script
from pbem.errors import BadInput


class GreatWall:
    """The game as the moderator sees it (engine/game.py, Game); every method delegates."""

    kind = "great-wall"
    title = "Great Wall of China"
    credits = "by Reiner Knizia"
    rulings: tuple[str, ...] = setup.RULINGS
    players: tuple[int, int] = (2, 5)
    seats: tuple[str, ...] = COLOURS
    options: tuple[Option, ...] = setup.OPTIONS
    words: frozenset[str] = WORDS

    def configure(
        self, seats: Sequence[str], options: Mapping[str, str], rulings: str = ""
    ) -> Config:
        return setup.configure(seats, options, rulings)

    def piles(self, config: Config) -> tuple[Pile, ...]:
        return setup.piles(config)

    def setup(self, config: Config, deal: Mapping[str, Sequence[str]], link: int) -> Step:
        return setup.setup(config, deal, link)

    def view(self, state: State, seat: str | None) -> View:
        return view_of(state, None if seat is None else state.public.rules.seats.index(seat))

    def questions(self, view: View) -> tuple[Question, ...]:
        return view.public.asked.questions

    def legal(self, view: View) -> tuple[str, ...]:
        return legal.legal(view)

    def check(self, view: View, line: str) -> Refusal | None:
        return legal.check(view, line)

    def default(self, view: View) -> str:
        from pbem.engine.great_wall import foresight

        return foresight.default_line(view)

    def foresee(self, view: View, line: str) -> View | None:
        from pbem.engine.great_wall import foresight

        return foresight.foresee(view, line)

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:  # noqa: ARG002
        at = state.public.rules.seats.index(seat)
        refusal = legal.refused(state.public, at, state.hands[at] or 0, line)
        if refusal is not None:
            text = f"{line!r} is not legal: {refusal.text}"
            raise BadInput("order/illegal", text, f"see {refusal.ruling}")
        return turn.apply(state, line)

    def outcome(self, view: View) -> Outcome | None:
        return ending.outcome(view.public)

    def scores(self, view: View) -> tuple[tuple[str, int], ...]:
        return ending.scores(view.public)

    def turn(self, view: View) -> int:
        return view.public.turns

    def encode(self, state: State) -> EncodedState:
        from pbem.engine.great_wall import codec

        return codec.encode(state)

    def decode(self, config: Config, public: Mapping[str, Any], values: Mapping[str, str]) -> State:
        from pbem.engine.great_wall import codec

        return codec.decode(config, public, values)

    def watch(self, config: Config, public: Mapping[str, Any]) -> View:
        from pbem.engine.great_wall import codec

        return codec.watch(config, public)

    def slot_words(self, public: Mapping[str, Any], slot: str) -> str:
        from pbem.engine.great_wall import slots

        return slots.slot_words(public, slot)

    def piles_now(self, state: State) -> dict[str, tuple[str, ...]]:
        from pbem.engine.great_wall import slots

        return slots.piles_now(state)

    def misfit(self, state: State) -> str:
        from pbem.engine.great_wall import codec

        return codec.misfit(state)

    @property
    def field_titles(self) -> Mapping[str, str]:
        from pbem.engine.great_wall.titles import TITLES

        return TITLES

    @property
    def field_names(self) -> Mapping[str, str]:
        from pbem.engine.great_wall.titles import NAMES

        return NAMES

    @property
    def question_words(self) -> Mapping[str, str]:
        from pbem.engine.great_wall.titles import QUESTIONS

        return QUESTIONS

    def encode_view(self, view: View) -> dict[str, Any]:
        from pbem.engine.great_wall import codec

        return codec.encode_view(view)

    def decode_view(self, config: Config, data: Mapping[str, Any]) -> View:
        from pbem.engine.great_wall import codec

        return codec.decode_view(config, data)

    def spell(self, tokens: tuple[str, ...]) -> str | None:
        from pbem.engine.great_wall import spelling

        return spelling.spell(tokens)

    def is_name(self, token: str) -> bool:
        from pbem.engine.great_wall import spelling

        return spelling.is_name(token)

    def concerns(self, view: View, name: str) -> bool:
        return any(question.about == name for question in view.public.asked.questions)

    def can_concern(self, view: View, name: str) -> bool:
        return not self.why_never(view, name)

    def why_never(self, view: View, name: str) -> str:
        from pbem.engine.great_wall import spelling

        return spelling.why_never(view.public, name)

    def complete(self, view: View, line: str) -> str:
        from pbem.engine.great_wall import spelling

        return spelling.complete(view, line)

    def fits(self, view: View, line: str) -> bool:
        return legal.fits(view, line)

    def soon(self, view: View) -> tuple[Soon, ...]:  # noqa: ARG002  (GW-4: asked on one's own turn)
        return ()

    def public_words(self, line: str) -> str:
        return line

    def tell(self, happened: Event, view: View) -> str:
        from pbem.engine.great_wall import event_text

        return event_text.tell(happened, view)

    def ask(self, view: View) -> dict[str, Any]:
        from pbem.engine.great_wall import words

        return words.ask(view)

    def describe(self, view: View) -> dict[str, Any]:
        from pbem.engine.great_wall import description

        return description.describe(view)

    def notices(self, config: Config) -> tuple[str, ...]:  # noqa: ARG002  (the same for all)
        from pbem.engine.great_wall.words import NOTICES

        return NOTICES

    def guess(self, view: View, below: Callable[[int], int]) -> State:
        from pbem.engine.great_wall import foresight

        return foresight.guess(view, below)

    def prospects(self, view: View) -> int:
        from pbem.engine.great_wall.foresight import prospects

        return prospects(view)

    def from_script(self, document: Mapping[str, Any]) -> Script:
        from pbem.engine.great_wall import script

        return script.from_script(document)

    def to_script(self, config: Config, deal: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        from pbem.engine.great_wall import script

        return script.to_script(config, deal)


GAME = GreatWall()
