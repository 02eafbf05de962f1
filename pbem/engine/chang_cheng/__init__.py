"""Chang Cheng by Walter Obert, for 2 to 4 players; ``GAME`` is the entry point.

Players build a wall on a row of boards. A board has squares, which make up provinces (scored when
full) and regions (attacked by the Mongols at the end). RULES.md has the rules, by numbers such as CC-10.

layout.py has the wall and its names, editions.py the differences between rulebooks, state.py the
values. spelling.py reads orders, legal.py lists and checks them, refusals.py explains refusals.
turn.py carries orders out, with placing.py, effects.py (cards) and scoring.py. opening.py opens a
game with the parts in box.py. codec.py makes plain data, rows.py, description.py and standings.py
what players read, foresight.py defaults and possible States.
"""

from pbem.engine.chang_cheng import (
    box,
    codec,
    description,
    foresight,
    opening,
    refusals,
    rows,
    scoring,
    spelling,
    standings,
    turn,
)
from pbem.engine.chang_cheng import legal as orders
from pbem.engine.chang_cheng.editions import RULINGS
from pbem.engine.chang_cheng.layout import COLOURS, WORDS
from pbem.engine.chang_cheng.state import State, View, view_of
from pbem.engine.decision import Outcome, Step
from pbem.engine.settings import Option
from pbem.engine.table import SingleQuestionGame


class ChangCheng(SingleQuestionGame):
    """The game. Its methods are documented in engine/game.py (Game)."""

    kind = "chang-cheng"
    title = "Chang Cheng"
    credits = "by Walter Obert (Tenki Games, 2007)"
    rulings: tuple[str, ...] = RULINGS
    players = (2, 4)
    seats: tuple[str, ...] = COLOURS
    options: tuple[Option, ...] = opening.OPTIONS
    words = WORDS
    vocabulary = spelling.VOCABULARY
    field_titles = codec.TITLES
    field_names = codec.FIELD_NAMES
    question_words = codec.QUESTIONS

    configure = staticmethod(opening.configure)
    piles = staticmethod(opening.piles)
    setup = staticmethod(opening.setup)
    legal = staticmethod(orders.legal)
    check = staticmethod(orders.check)
    complete = staticmethod(orders.complete)
    default = staticmethod(foresight.default_line)
    encode = staticmethod(codec.encode)
    decode = staticmethod(codec.decode)
    watch = staticmethod(codec.watch)
    encode_view = staticmethod(codec.encode_view)
    decode_view = staticmethod(codec.decode_view)
    spell = staticmethod(spelling.spell)
    is_name = staticmethod(spelling.is_name)
    fits = staticmethod(orders.fits)
    too_many = staticmethod(orders.too_many)
    never = staticmethod(refusals.never)
    why_never = staticmethod(refusals.why_never)
    event_row = staticmethod(rows.event_row)
    ask = staticmethod(rows.ask)
    soon = staticmethod(foresight.soon)
    may_ask = staticmethod(foresight.may_ask)
    describe = staticmethod(description.describe)
    board_text = staticmethod(description.board_text)
    standings = staticmethod(standings.standings)
    notices = staticmethod(rows.notices)
    foresee = staticmethod(turn.foresee)
    guess = staticmethod(foresight.guess)
    prospects = staticmethod(foresight.prospects)
    from_script = staticmethod(opening.from_script)
    to_script = staticmethod(opening.to_script)
    misfit = staticmethod(box.misfit)
    slot_words = staticmethod(box.slot_words)
    piles_now = staticmethod(box.piles_now)
    remember = staticmethod(box.remember)

    def view(self, state: State, seat: str | None) -> View:
        return view_of(state, None if seat is None else state.public.rules.seats.index(seat))

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:
        public = state.public
        seat_number = public.rules.seats.index(seat)
        refusal = orders.find_refusal(public, seat_number, state.hands[public.colour] or 0, line)
        if refusal is not None:
            raise refusal.error(line)
        return turn.apply(state, line, link)

    def outcome(self, view: View) -> Outcome | None:
        return scoring.outcome(view.public)

    def scores(self, view: View) -> tuple[tuple[str, int], ...]:
        return scoring.seat_scores(view.public)

    def public_words(self, line: str) -> str:
        parts = line.split()
        return f"card ? {parts[2]}" if parts[0] == "card" else line


GAME = ChangCheng()
