"""Night Market: sealed bids for goods, for 2 to 4 players; ``GAME`` is the entry point.

Every method delegates. Modules that only some commands need are imported inside methods, because
every command waits for the imports at the top.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from night_market import bidding, codec, rows, scoring, selling, setup
from night_market.state import State, View, view_of
from pbem.engine.decision import Event, Outcome, Question, Refusal, Soon, Step
from pbem.engine.row import Asking, Row
from pbem.engine.settings import Config, EncodedState, Option, Pile, Script
from pbem.engine.standings import Standings


class NightMarket:
    """The game. Its methods are documented in ``pbem.engine.game``."""

    kind = "night-market"
    title = "Night Market"
    credits = "an example game of pbem"
    rulings: tuple[str, ...] = setup.RULINGS
    players: tuple[int, int] = (2, 4)
    seats: tuple[str, ...] = setup.SEATS
    options: tuple[Option, ...] = setup.OPTIONS
    words: frozenset[str] = frozenset({"bid"})
    vocabulary: frozenset[str] = frozenset({"high", "low"})
    field_titles: Mapping[str, str] = codec.TITLES

    def configure(self, seats: Sequence[str], options: Mapping[str, str], rulings: str = "") -> Config:
        return setup.configure(seats, options, rulings)

    def piles(self, config: Config) -> tuple[Pile, ...]:
        return setup.piles(config)

    def setup(self, config: Config, deal: Mapping[str, Sequence[str]], link: int) -> Step:
        return setup.setup(config, deal, link)

    def view(self, state: State, seat: str | None) -> View:
        return view_of(state, seat)

    def questions(self, view: View) -> tuple[Question, ...]:
        return bidding.questions(view.public)

    def legal(self, view: View) -> tuple[str, ...]:
        return bidding.legal(view)

    def check(self, view: View, line: str) -> Refusal | None:
        return bidding.check(view, line)

    def complete(self, view: View, line: str) -> str:
        return bidding.complete(view, line)

    def default(self, view: View) -> str:
        return bidding.legal(view)[0]  # the lowest token

    def foresee(self, view: View, line: str) -> View | None:
        from night_market import foresight

        return foresight.foresee(view, line)

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        return selling.apply(state, seat, line, link)

    def outcome(self, view: View) -> Outcome | None:
        return scoring.outcome(view.public)

    def scores(self, view: View) -> tuple[tuple[str, int], ...]:
        return scoring.scores(view.public)

    def turn(self, view: View) -> int:
        return bidding.turn(view)

    def round(self, view: View) -> int:
        return len(view.public.sold)

    def piles_now(self, state: State) -> dict[str, tuple[str, ...]]:
        return {"goods": tuple(str(worth) for worth in state.goods)}

    def encode(self, state: State) -> EncodedState:
        return codec.encode(state)

    def decode(self, config: Config, public: Mapping[str, Any], values: Mapping[str, str]) -> State:
        return codec.decode(config, public, values)

    def watch(self, config: Config, public: Mapping[str, Any]) -> View:
        return codec.watch(config, public)

    def encode_view(self, view: View) -> dict[str, Any]:
        return codec.encode_view(view)

    def decode_view(self, config: Config, data: Mapping[str, Any]) -> View:
        return codec.decode_view(config, data)

    def spell(self, tokens: tuple[str, ...]) -> str | None:
        from night_market import spelling

        return spelling.spell(tokens)

    def is_name(self, token: str) -> bool:
        from night_market import spelling

        return spelling.is_name(token)

    def concerns(self, view: View, name: str) -> bool:
        return bidding.is_asked(view) and view.public.lot == name

    def why_never(self, view: View, name: str) -> str:
        return bidding.why_never(view, name)

    def never(self, view: View, line: str) -> Refusal | None:
        return bidding.never(view, line)

    def fits(self, view: View, line: str) -> bool:
        return bidding.is_asked(view) and line.startswith("bid ")

    def public_words(self, line: str) -> str:  # noqa: ARG002 - all bids look the same
        return "bid ?"

    def event_row(self, happened: Event, view: View) -> Row:
        return rows.event_row(happened, view)

    def ask(self, view: View) -> Asking | None:
        return rows.ask(view)

    def describe(self, view: View) -> dict[str, Any]:
        return rows.describe(view)

    def board_text(self, described: Mapping[str, Any]) -> list[str]:
        return rows.board_text(described)

    def standings(self, view: View) -> Standings:
        return rows.standings(view)

    def notices(self, config: Config) -> tuple[Row, ...]:  # noqa: ARG002 - the same for all
        return rows.NOTICES

    def guess(self, view: View, below: Callable[[int], int]) -> State:
        from night_market import foresight

        return foresight.guess(view, below)

    def prospects(self, view: View) -> int:
        from night_market import prospects

        return prospects.prospects(view)

    def soon(self, view: View) -> tuple[Soon, ...]:
        return bidding.soon(view)

    def from_script(self, document: Mapping[str, Any]) -> Script:
        from night_market import script

        return script.from_script(document)

    def to_script(self, config: Config, deal: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        from night_market import script

        return script.to_script(config, deal)


GAME = NightMarket()
