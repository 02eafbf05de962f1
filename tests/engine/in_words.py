"""What a game's rows say, for tests: by the same templates as reports have; colours stay."""

from typing import Any

from pbem.engine.row import Asking, Row
from pbem.services.sentences import render_sentences


def told(game: Any, event: Any, view: Any) -> str:
    """The sentence about an event, as the View's seat hears it."""
    return render_sentences(game, [game.event_row(event, view).plain()])[0]


def in_words(game: Any, of: str, row: Row | Asking) -> str:
    """The sentence of a row; ``of`` is ``question``, ``hint``, ``soon`` or ``notice``."""
    return "\n".join(render_sentences(game, [Row(row.kind, row.facts).plain()], of))


def noticed(game: Any, config: Any) -> list[str]:
    """What the first report names."""
    return [in_words(game, "notice", row) for row in game.notices(config)]
