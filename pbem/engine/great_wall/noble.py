"""A noble in play, anyone's: every card in play at the site is worth 1, and guards do not rise.

Two nobles do no more than one, and a covered one does nothing: only cards in play are looked at. A
cover stays, a dragon may still cover, a horseman is still free. Source: GW-24.
"""

from collections.abc import Iterable

from pbem.engine.great_wall.parts import NOBLE

EACH = 1  #: what a card is worth beside a noble; a noble itself is worth that, too


def reigns(in_play: Iterable[tuple[int, int]]) -> bool:
    """Whether a noble is among these cards, (colour, kind) each."""
    for _, kind in in_play:  # noqa: SIM110  (any() would take twice as long)
        if kind == NOBLE:
            return True
    return False
