"""A bot in the place of a player who missed a turn, where a game's clock says so.

What must never be here: how a bot chooses (pbem/bots).
Law: what it draws comes from the game's secret, so that nobody chose it, and an audit can draw it
again. Source: docs/SPECIFICATION.md section 9 (Bots).
"""

from typing import TYPE_CHECKING, Any

from pbem import __version__
from pbem.bots.player import choose_sensibly
from pbem.chain.sources import BY_BOT
from pbem.play.resolution import BOT_NAME, MissedTurnPolicy, make_bot_draws
from pbem.services.session.session import Session
from pbem.services.session.timing import refuse_bots

if TYPE_CHECKING:
    from pbem.engine.game import Game


def make_bot_chooser(session: Session) -> MissedTurnPolicy:
    """What answers in the next state of this game."""
    game_id = session.record.game

    def choose(game: "Game", seat: str, view: Any, answer_count: int) -> tuple[str, str]:
        refuse_bots(session, [seat])
        draw_below = make_bot_draws(session.secret, game_id, seat, answer_count)
        line = choose_sensibly(game, seat, view, draw_below)
        return f"{BY_BOT.name}:{BOT_NAME}:{__version__}", line

    return choose
