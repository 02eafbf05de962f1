"""What an archive holds for people: the game in words, its rules, what the files are.

What lives here: ``words_of``, by the rules that are installed here. What must never be here: the
values of a transcript (moderator/audit/transcript.py), a sentence.
Law: the same states, secret and versions give the same bytes, so that an audit can compare them.
Source: docs/decisions/0010-archive.md.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import __version__, catalog
from pbem.disk.reading import read
from pbem.engine.rulebook import paragraph
from pbem.errors import PbemError
from pbem.moderator.audit import archive
from pbem.moderator.audit.archive import Words
from pbem.moderator.audit.findings import Replay, SignedState
from pbem.moderator.audit.transcript import Values, heading, told, unreadable
from pbem.moderator.chain.link import Link
from pbem.render import render
from pbem.services.session.newest import playing

if TYPE_CHECKING:
    from pbem.engine.game import Game

_PACKAGE = Path(__file__).parents[2]
#: in an installed pbem, and in a checkout
_SPECIFICATIONS = (
    _PACKAGE / archive.SPECIFICATION,
    _PACKAGE.parent / "docs" / archive.SPECIFICATION,
)


def rules(link: Link) -> tuple["Game", str]:
    """The rules a game is played by, and the version they come from here."""
    return playing(link), catalog.distribution(link.setup.kind)[1]


def words_of(replay: Replay | None, states: Mapping[int, SignedState]) -> Words:
    """All files for people; with all that was hidden where the game was played again."""
    game = rules(states[max(states)].link)[0]
    about = {**heading(game, states), "open": replay is not None}
    specification = next(path for path in _SPECIFICATIONS if path.is_file())
    files = {
        archive.README: render("archive_readme.txt", **about).encode(),
        archive.RULES: catalog.rules(game.kind).encode(),
        archive.SPECIFICATION: read(specification, 1 << 20),
        archive.TRANSCRIPT: transcript_of(replay, states),
    }
    return Words(_made(game.kind), files)


def _made(kind: str) -> str:
    """``pbem 0.1.0``; a plug-in's package stands behind it, since it has words too."""
    name, version = catalog.distribution(kind)
    own = f"pbem {__version__}"
    return own if name == "pbem" else f"{own}, {name} {version}"


def transcript_of(replay: Replay | None, states: Mapping[int, SignedState]) -> bytes:
    """The plain text of a game; Unreadable where a state tells of what its game does not know."""
    game = rules(states[max(states)].link)[0]
    values = told(game, replay, states, partial(_rule, catalog.rules(game.kind)))
    make = partial(_rendered, catalog.templates(game.kind))
    try:
        return make(values).encode()
    except PbemError as error:
        raise unreadable(values, make) or error from None


def _rendered(folders: tuple[str, ...], values: Values) -> str:
    return render("transcript.txt", *folders, **values)


def _rule(rulebook: str, number: str) -> str:
    return paragraph(rulebook, number) or ""
