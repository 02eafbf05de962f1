"""One run of `pbem tick`: fetch, resolve, send, and once a day a backup.

What must never be here: how any of these is done; what is printed.
Laws: one game, email or account in trouble stops nothing else; nothing is done that the referee
could not do by hand with the same commands.
Source: docs/decisions/0014-the-post.md.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from pbem.disk.home import Home
from pbem.errors import PbemError
from pbem.post.accounts import accounts
from pbem.post.fetching import Fetched, fetch
from pbem.post.nightly import backup
from pbem.post.sending import Sent, outboxes, send
from pbem.services.resolve.playing import Came, Resolved, resolve_ripe, tried
from pbem.services.session.session import Session

REGRET = 10  #: minutes for which orders may be replaced, where the game's clock says nothing
_T = TypeVar("_T")
BY_HAND = "post/no-way"  #: of an account that fetches, or sends, nothing


class Ticked(NamedTuple):
    """What came of it; of resolving, what changed a game or failed."""

    fetched: Sequence[Fetched] = ()
    sent: Sequence[Sent] = ()
    resolved: Sequence[Came] = ()
    backups: Sequence[Path] = ()
    notes: Sequence[str] = ()  #: of games
    trouble: Sequence[str] = ()


def tick(
    home: Home, roots: Sequence[Path], games: list[Session], time: str, dry_run: bool
) -> Ticked:
    """Everything that can be done now in these games, which lie in ``roots``."""
    trouble, posted = list[str](), False
    try:
        posted = bool(accounts(home))
    except PbemError as error:
        trouble.append(error.line())
    fetched, sent, backups = list[Fetched](), list[Sent](), list[Path]()
    if posted and not dry_run:
        _each(fetched, fetch(home, games, time), trouble)
    resolved = [came for game in [*games] if (came := _resolved(game, dry_run)) is not None]
    if posted:
        _each(sent, send(home, outboxes(roots)[0], time, dry_run), trouble)
    for root in () if dry_run else roots:
        try:
            made = backup(home, root, time)
        except PbemError as error:
            trouble.append(f"no backup of {root}: {error.line()}")
        else:
            backups += [made] if made else []
    trouble += [_not_done("fetched", one.account, one.error) for one in fetched if one.error]
    trouble += [_not_done("sent", one.account, one.error) for one in sent if one.error]
    trouble = [line for line in trouble if line]
    notes = [f"{game.label}: {note}" for game in games for note in game.notes]
    return Ticked(fetched, sent, resolved, backups, notes, trouble)


def _not_done(what: str, account: str, error: PbemError) -> str:
    """Empty where the referee wants it to be done by hand."""
    if error.code == BY_HAND:
        return ""
    return f"{account}: not {what}: {error.line()}" if account else f"not {what}: {error.line()}"


def _each(found: list[_T], rows: Iterable[_T], trouble: list[str]) -> None:
    """All of them; what stops them is told, and the rest of the run goes on."""
    try:
        for row in rows:
            found.append(row)
    except PbemError as error:
        trouble.append(error.line())


def _resolved(game: Session, dry_run: bool) -> Came | None:
    """What became of a game; None where nothing did."""
    before, root = game.link.n, game.folder.root
    minutes = game.link.clock.regret or REGRET
    came = tried(root, game, lambda session: resolve_ripe(session, minutes, dry_run))
    if isinstance(came, Resolved):
        would = dry_run and came.said.startswith("would")
        if not (came.orders or would or came.session.link.n != before):
            return None
    return root, came
