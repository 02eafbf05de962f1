"""What a bot in a player's place draws by.

What must never be here: how a bot chooses (pbem/bots).
Law: it comes from the game's secret and what was signed before, so that nobody chose it, and an
audit draws it again. Source: docs/SPECIFICATION.md section 9 (Bots).
"""

from pbem.crypto.tokens import Words, bot_key
from pbem.engine.hidden import Below, Chance


def draws(
    secret: bytes, game: str, seat: str, entry: tuple[int, int], head: bytes, name: str
) -> Below:
    """For one ``entry``: the number of its state, and its own in it; ``head``: of the state before.

    ``name``: of the bot. Hidden: it tells what may be dealt to whom.
    """
    n, number = entry
    words = Words(bot_key(secret, game, seat, f"{n}/order/{number}", head))
    return Chance(words, name).below
