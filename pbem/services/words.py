"""What happened, in words, for a screen: of rows.

What lives here: ``said``. What must never be here: a report (services/post.py), a sentence.
Law: Jinja is loaded when there is something to say, not before.
Source: docs/decisions/0008.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem import catalog
from pbem.render import render

if TYPE_CHECKING:
    from pbem.engine.game import Game

_templates = cache(catalog.templates)  # looking for plug-ins takes longer than the sentence


def said(game: "Game", rows: Sequence[Mapping[str, Any]], of: str = "event") -> list[str]:
    """A sentence for each row (``Row.plain``), with colours for players.

    ``of`` is what its macro's name begins with. Whoever may have the View that the rows are made of
    may read them.
    """
    if not rows:
        return []
    folders = _templates(game.kind)
    text = render("sentences.txt", *folders, kind=game.kind, of=of, rows=list(rows), names={})
    return text.splitlines()
