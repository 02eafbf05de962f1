"""Chang Cheng by Walter Obert, for 2 to 4 players. ``GAME`` is what the entry point names.

What only some commands need is imported where it is asked for: status needs no sentences.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.engine.chang_cheng import codec, legal, scoring, turn
from pbem.engine.chang_cheng.configuration import OPTIONS
from pbem.engine.chang_cheng.editions import RULINGS
from pbem.engine.chang_cheng.layout import COLOURS, WORDS
from pbem.engine.chang_cheng.state import State, View
from pbem.engine.chang_cheng.view import view_of
from pbem.engine.decision import Outcome, Question, Refusal, Soon, Step
from pbem.engine.event import Event
from pbem.engine.settings import Config, EncodedState, Option, Pile, Script
from pbem.errors import BadInput


class ChangCheng:
    """The game as the moderator sees it (engine/game.py, Game); every method delegates."""

    kind = "chang-cheng"
    title = "Chang Cheng"
    credits = "by Walter Obert (Tenki Games, 2007)"
    rulings: tuple[str, ...] = RULINGS
    players: tuple[int, int] = (2, 4)
    seats: tuple[str, ...] = COLOURS
    options: tuple[Option, ...] = OPTIONS
    words: frozenset[str] = WORDS

    def configure(
        self, seats: Sequence[str], options: Mapping[str, str], rulings: str = ""
    ) -> Config:
        from pbem.engine.chang_cheng.configuration import configure

        return configure(seats, options, rulings)

    def piles(self, config: Config) -> tuple[Pile, ...]:
        from pbem.engine.chang_cheng import setup

        return setup.piles(config)

    def setup(self, config: Config, deal: Mapping[str, Sequence[str]], link: int) -> Step:
        from pbem.engine.chang_cheng import setup

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
        from pbem.engine.chang_cheng import foresight

        return foresight.default_line(view)

    def foresee(self, view: View, line: str) -> View | None:
        from pbem.engine.chang_cheng import foresight

        return foresight.foresee(view, line)

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        public = state.public
        at = public.rules.seats.index(seat)
        refusal = legal.refused(public, at, state.hands[public.colour] or 0, line)
        if refusal is not None:
            text = f"{line!r} is not legal: {refusal.text}"
            raise BadInput("order/illegal", text, f"see {refusal.ruling}")
        return turn.apply(state, line, link)

    def outcome(self, view: View) -> Outcome | None:
        return scoring.outcome(view.public)

    def scores(self, view: View) -> tuple[tuple[str, int], ...]:
        return scoring.seat_scores(view.public)

    def turn(self, view: View) -> int:
        return view.public.turns

    def encode(self, state: State) -> EncodedState:
        return codec.encode(state)

    def decode(self, config: Config, public: Mapping[str, Any], values: Mapping[str, str]) -> State:
        return codec.decode(config, public, values)

    def watch(self, config: Config, public: Mapping[str, Any]) -> View:
        return codec.watch(config, public)

    def slot_words(self, public: Mapping[str, Any], slot: str) -> str:
        from pbem.engine.chang_cheng import rules

        return rules.slot_words(public, slot)

    def piles_now(self, state: State) -> dict[str, tuple[str, ...]]:
        from pbem.engine.chang_cheng import rules

        return rules.piles_now(state)

    def misfit(self, state: State) -> str:
        from pbem.engine.chang_cheng import codec

        return codec.misfit(state)

    @property
    def field_titles(self) -> Mapping[str, str]:
        from pbem.engine.chang_cheng.titles import TITLES

        return TITLES

    @property
    def field_names(self) -> Mapping[str, str]:
        from pbem.engine.chang_cheng.titles import NAMES

        return NAMES

    @property
    def question_words(self) -> Mapping[str, str]:
        from pbem.engine.chang_cheng.titles import QUESTIONS

        return QUESTIONS

    def encode_view(self, view: View) -> dict[str, Any]:
        from pbem.engine.chang_cheng.view import encode_view

        return encode_view(view)

    def decode_view(self, config: Config, data: Mapping[str, Any]) -> View:
        from pbem.engine.chang_cheng import view

        return view.decode_view(config, data)

    def spell(self, tokens: tuple[str, ...]) -> str | None:
        from pbem.engine.chang_cheng import spelling

        return spelling.spell(tokens)

    def is_name(self, token: str) -> bool:
        from pbem.engine.chang_cheng import spelling

        return spelling.is_name(token)

    def concerns(self, view: View, name: str) -> bool:
        questions = view.public.asked.questions
        return any(question.about == name for question in questions)

    def can_concern(self, view: View, name: str) -> bool:
        return not self.why_never(view, name)

    def why_never(self, view: View, name: str) -> str:
        from pbem.engine.chang_cheng import legal

        return legal.why_never(view.public, name)

    def complete(self, view: View, line: str) -> str:
        from pbem.engine.chang_cheng import legal

        return legal.complete(view, line)

    def fits(self, view: View, line: str) -> bool:
        return legal.fits(view, line)

    def soon(self, view: View) -> tuple[Soon, ...]:
        from pbem.engine.chang_cheng.foresight import soon

        return soon(view)

    def public_words(self, line: str) -> str:
        parts = line.split()
        return f"card ? {parts[2]}" if parts[0] == "card" else line

    def tell(self, happened: Event, view: View) -> str:
        from pbem.engine.chang_cheng import event_text

        return event_text.tell(happened, view)

    def ask(self, view: View) -> dict[str, Any]:
        from pbem.engine.chang_cheng import words

        return words.ask(view)

    def describe(self, view: View) -> dict[str, Any]:
        from pbem.engine.chang_cheng import description

        return description.describe(view)

    def notices(self, config: Config) -> tuple[str, ...]:
        from pbem.engine.chang_cheng.event_text import notices

        return notices(config)

    def guess(self, view: View, below: Callable[[int], int]) -> State:
        from pbem.engine.chang_cheng import foresight

        return foresight.guess(view, below)

    def prospects(self, view: View) -> int:
        from pbem.engine.chang_cheng.foresight import prospects

        return prospects(view)

    def from_script(self, document: Mapping[str, Any]) -> Script:
        from pbem.engine.chang_cheng import script

        return script.from_script(document)

    def to_script(self, config: Config, deal: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        from pbem.engine.chang_cheng import script

        return script.to_script(config, deal)


GAME = ChangCheng()
