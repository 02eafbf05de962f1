"""What a bot in a player's place draws by.

What must never be here: how a bot chooses (pbem/bots).
Law: it comes from the game's secret and the place of the order, so that nobody chose it, and an
audit draws it again. Source: docs/SPECIFICATION.md section 9 (Bots).
"""

from pbem.crypto.tokens import DealWords, bot_key
from pbem.engine.hidden import Below, Chance

#: the bot that stands in; of any other an audit says nothing, for it would be a choice
BOT_NAME = "sensible"


def make_bot_draws(secret: bytes, game: str, seat: str, answered: int) -> Below:
    """For one order: ``answered`` questions of the seat were before it. No head is in it: with a
    note more it would be another, and so chosen. Hidden: it tells what may be dealt to whom.
    """
    return Chance(DealWords(bot_key(secret, game, seat, answered)), BOT_NAME).below
