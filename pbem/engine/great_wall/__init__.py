"""Great Wall of China by Reiner Knizia, for 2 to 5 players; ``GAME`` is the entry point.

Players play cards at sites of the wall. The player with the most influence at a site gets markers
there, which are worth points. RULES.md has the rules, by numbers such as GW-10.

parts.py has cards and sites, state.py the values. spelling.py reads orders, legal.py lists and
checks them, turn.py carries them out. opening.py opens a game. codec.py makes plain data, rows.py,
description.py and standings.py what players read, foresight.py defaults and possible States.
"""

from pbem.engine.decision import Outcome, Soon, Step
from pbem.engine.great_wall import codec, description, foresight, opening, rows, spelling, standings, turn
from pbem.engine.great_wall import legal as orders
from pbem.engine.great_wall.parts import COLOURS, WORDS
from pbem.engine.great_wall.state import State, View, view_of
from pbem.engine.settings import Option
from pbem.engine.table import SingleQuestionGame


class GreatWall(SingleQuestionGame):
    """The game. Its methods are documented in engine/game.py (Game)."""

    kind = "great-wall"
    title = "Great Wall of China"
    credits = "by Reiner Knizia"
    rulings: tuple[str, ...] = opening.RULINGS
    players = (2, 5)
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
    complete = staticmethod(spelling.complete)
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
    never = staticmethod(orders.never)
    why_never = staticmethod(orders.why_never)
    event_row = staticmethod(rows.event_row)
    ask = staticmethod(rows.ask)
    describe = staticmethod(description.describe)
    board_text = staticmethod(description.board_text)
    standings = staticmethod(standings.standings)
    notices = staticmethod(rows.notices)
    foresee = staticmethod(turn.foresee)
    guess = staticmethod(foresight.guess)
    prospects = staticmethod(foresight.prospects)
    from_script = staticmethod(opening.from_script)
    to_script = staticmethod(opening.to_script)
    misfit = staticmethod(codec.misfit)
    slot_words = staticmethod(opening.slot_words)
    piles_now = staticmethod(opening.piles_now)

    def view(self, state: State, seat: str | None) -> View:
        return view_of(state, None if seat is None else state.public.rules.seats.index(seat))

    def apply(self, state: State, seat: str, line: str, link: int) -> Step:  # noqa: ARG002
        seat_number = state.public.rules.seats.index(seat)
        refusal = orders.find_refusal(state.public, seat_number, state.hands[seat_number] or 0, line)
        if refusal is not None:
            raise refusal.error(line)
        return turn.apply(state, line)

    def outcome(self, view: View) -> Outcome | None:
        return turn.outcome(view.public)

    def scores(self, view: View) -> tuple[tuple[str, int], ...]:
        return turn.scores(view.public)

    def soon(self, view: View) -> tuple[Soon, ...]:  # noqa: ARG002 - GW-4: asked on one's own turn
        return ()

    def public_words(self, line: str) -> str:
        return line


GAME = GreatWall()
