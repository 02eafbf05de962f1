"""One run of `pbem tick`: fetch, resolve, send, and once a day a backup.

What must never be here: how any of these is done; what is printed.
Laws: one game, email or account in trouble stops nothing else; nothing is done that the referee
could not do by hand with the same commands.
Source: docs/decisions/0014-the-post.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeVar

from pbem import __version__
from pbem.chain.clock import seconds
from pbem.disk.folder import GameFolder
from pbem.disk.home import Home
from pbem.disk.idle import read_idle, signs_of, write_idle
from pbem.disk.journal import read_ticked
from pbem.errors import PbemError
from pbem.play.deadlines.due import NEVER
from pbem.play.deadlines.outages import noted, silence_since
from pbem.services.resolve.deadlines import Listened, keep_time
from pbem.services.resolve.resolve import TOO_EARLY, tried
from pbem.services.resolve.result import Came, Resolved
from pbem.services.session.session import HANDED_OVER, Session
from pbem.services.session.worklist import not_ticking
from pbem.transport.accounts import accounts
from pbem.transport.fetch import Fetched, fetch
from pbem.transport.log import AGAIN, SENDING, SENT, Log
from pbem.transport.log import BY_HAND as FILED
from pbem.transport.nightly_backup import backup
from pbem.transport.send import Sent, send
from pbem.transport.server_errors import as_told
from pbem.transport.to_referee import to_oneself

_T = TypeVar("_T")
ALARM = "pbem: no run for a day"  #: a subject
BY_HAND = "post/no-way"  #: of an account that fetches, or sends, nothing


class Ticked(NamedTuple):
    """What came of it; of resolving, what changed a game or failed."""

    fetched: Sequence[Fetched] = ()
    sent: Sequence[Sent] = ()
    resolved: Sequence[Came] = ()
    backups: Sequence[Path] = ()
    notes: Sequence[str] = ()  #: of games
    trouble: Sequence[str] = ()
    listened: tuple[str, str] = ("", "")  #: as the next run should know of this one


def tick(
    home: Home,
    roots: Sequence[Path],
    folders: list[GameFolder],
    games: list[Session],
    time: str,
    dry_run: bool,
    failed: Sequence[PbemError] = (),
) -> Ticked:
    """Everything that can be done now in these games. ``roots``: where they lie; ``folders``: of
    all that lie there, also of those that cannot be opened: what waits in them is sent.
    """
    trouble, posted = list[str](), False
    try:
        posted = bool(accounts(home))
    except PbemError as error:
        trouble.append(error.line())
    fetched, sent, backups = list[Fetched](), list[Sent](), list[Path]()
    if posted and not dry_run:
        _each(fetched, fetch(home, games, time, failed=failed), trouble)
    heard = not trouble and not any(one.error for one in fetched if not _by_hand(one.error))
    trouble += _alarm(home, time) if posted and not dry_run else ()
    last = read_ticked(home)
    silence = silence_since(last.heard, last.gaps, time) if heard else None
    listened = Listened(silence, heard, _sent)
    ready = [game for game in games if not game.undecided]
    resolved = _all_resolved(home, ready, time, dry_run, listened)
    if posted:
        _each(sent, send(home, folders, time, dry_run), trouble)
    for root in () if dry_run else roots:
        try:
            made = backup(home, root, time)
        except Exception as error:  # noqa: BLE001 - one folder stops no other
            trouble.append(f"no backup of {root}: {as_told(error).line()}")
        else:
            backups += [made] if made else []
    trouble += [_not_done("fetched", one.account, one.error) for one in fetched if one.error]
    trouble += [_not_done("sent", one.account, one.error) for one in sent if one.error]
    trouble = [line for line in trouble if line]
    notes = [f"{game.label}: {note}" for game in games for note in game.notes]
    runs = (last.heard, last.gaps) if not heard else noted(last.heard, last.gaps, time)
    return Ticked(fetched, sent, resolved, backups, notes, trouble, runs)


def _alarm(home: Home, time: str) -> Iterator[str]:
    """An email to the referee where nothing ran for a day; what went wrong with it.

    It goes once, unless this run is cut short: the next one knows that this one ran.
    """
    for line in not_ticking(home, time):
        found = [one for one in accounts(home).values() if one.send.scheme != "none"]
        for account in found[:1]:
            try:
                to_oneself(account, "alarm", ALARM, {"line": line}, time)
            except PbemError as error:
                yield f"{account.name}: no email to you: {error.line()}"


def _sent(game: Session, _: str, message_id: str) -> str:
    """When a message of a game went out, or was begun with; "" where its log does not say."""
    rows, went = Log(game.folder).rows(message_id), (SENT, FILED, SENDING, AGAIN)
    return next((row.time for row in reversed(rows) if row.event in went), "")


def _by_hand(error: PbemError | None) -> bool:
    return error is not None and error.code == BY_HAND


def _not_done(what: str, account: str, error: PbemError) -> str:
    """Empty where the referee wants it to be done by hand."""
    if _by_hand(error):
        return ""
    return f"{account}: not {what}: {error.line()}" if account else f"not {what}: {error.line()}"


def _each(found: list[_T], rows: Iterable[_T], trouble: list[str]) -> None:
    """All of them; what stops them is told, and the rest of the run goes on."""
    try:
        for row in rows:
            found.append(row)
    except Exception as error:  # noqa: BLE001 - fetching does not stop sending
        trouble.append(as_told(error).line())


def _all_resolved(
    home: Home, games: list[Session], time: str, dry_run: bool, listened: Listened
) -> list[Came]:
    """What became of those in which something happened. A game in which nothing did is looked at
    again when the drive says that anything of it is another, and on every day: what comes by time
    alone comes with a day, or to orders that wait.
    """
    before, news = read_idle(home, time[:10]), list[Came]()
    idle = {**before.known}  # of other folders too; a line that is out of date fits no game
    now = seconds(time)
    for game in games:
        head, root = sha256(game.newest.raw).hexdigest(), game.folder.root
        signs = signs_of(game.folder, game.link.n, head, __version__)
        until = before.known.get(signs.digest, 0) if signs is not None else 0
        if until > now and not game.notes and listened.silence is None:
            continue
        moments = list[int]()
        act = partial(_resolved, dry_run=dry_run, listened=listened, moments=moments)
        came = tried(root, game, act)
        if isinstance(came, PbemError) and came.code == HANDED_OVER:
            continue  # said when it was, and to be said each time its players write
        if not isinstance(came, Resolved) or _happened(game, came):
            news.append((root, came))
        elif came.said != TOO_EARLY and not game.notes and signs and signs.old_enough(before):
            idle[signs.digest] = min(moments, default=NEVER)
    with suppress(PbemError):  # what is not noted is looked at once more
        if not dry_run:
            write_idle(home, time[:10], idle)
    return news


def _resolved(game: Session, dry_run: bool, listened: Listened, moments: list[int]) -> Resolved:
    """``moments`` gets the one at which there is something to do again."""
    came, following = keep_time(game, game.link.clock.replaceable, listened, dry_run)
    moments.append(following)
    return came


def _happened(game: Session, came: Resolved) -> bool:
    """Whether there is something to tell."""
    would = came.dry_run and came.said.startswith("would")
    return bool(came.orders or would or came.acted or came.session.link.n != game.link.n)
