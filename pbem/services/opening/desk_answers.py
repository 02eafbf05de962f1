"""What players answered before the deal, as far as a desk is here.

What lives here: reading it for `status` and `show`. What must never be here: printing an answer:
each is its player's secret until the roster is closed. Source: decision 0005.
"""

from pbem.disk.folder import GameFolder
from pbem.moderator.chain.link import Link
from pbem.moderator.turn.hand import Hand, decode_hand


def answers_of(folder: GameFolder, link: Link) -> dict[str, str]:
    """What lies in the desk, if there is one, of answers before the deal. Each is secret."""
    return {seat: one.answer for seat, one in _hands_of(folder, link).items()}


def declined_of(folder: GameFolder, link: Link) -> dict[str, str]:
    """Who does not play, as he said it, by seat."""
    return {seat: one.declined for seat, one in _hands_of(folder, link).items() if one.declined}


def _hands_of(folder: GameFolder, link: Link) -> dict[str, Hand]:

    found = folder.hand(link.n)
    return {seat: decode_hand(found[seat], seat) for seat in link.setup.seats if seat in found}
