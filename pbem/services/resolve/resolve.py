"""Playing out what is in hand, in one game or in many; what came of it.

What lives here: what ``pbem resolve`` does to games. What must never be here: the rules of play
(pbem/play); a game that is not dealt (rounds.py).
Laws: an undo that players are asked about comes first, and nothing is played before it is settled;
a state is saved before anybody is told of it.
Source: docs/DESIGN.md "One turn"; docs/JSON.md "resolve".
"""

import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.catalog import fault, traceback_wanted
from pbem.chain.clock import BOT, WAIT, seconds, written
from pbem.chain.clock_words import in_prose
from pbem.chain.sources import source_of
from pbem.chain.state_record import CLOSED
from pbem.disk.folder import CONSENT, Mark
from pbem.errors import BadInput, PbemError, Refused
from pbem.play.resolution import Absent, Course, by_default, next_state, play_out
from pbem.play.waiting import waits_for, waits_of
from pbem.report.game_rows import happened
from pbem.services import sentences
from pbem.services.lock import writing
from pbem.services.reports import write_reports
from pbem.services.resolve.result import Came, Resolved, named
from pbem.services.session.folders import open_games
from pbem.services.session.newest import seat_of
from pbem.services.session.session import Session
from pbem.services.session.timing import clocked

TOO_EARLY = "it is not yet time"  #: orders wait that may still be replaced

if TYPE_CHECKING:
    from pbem.services.amend.undo import Decided


def resolve_all(
    roots: Sequence[Path], missed: frozenset[str], dry_run: bool, time: str
) -> tuple[list[Came], list[str]]:
    """What became of every game that is named or lies in a folder that is named; and notes about
    the folders. What was done to one game is told even if the next one cannot be opened; of one
    folder that was typed alone, its error is raised.
    """
    games, notes = open_games(roots, time)
    alone = len(games) == 1 and games[0][0] == roots[0]
    for root, game in games:
        try:
            if isinstance(game, Session):
                _missed_in(game, missed)
        except PbemError as error:
            raise error if alone else _named(error, root) from error

    def act(game: Session) -> Resolved:
        return _resolve(game, _missed_in(game, missed), dry_run)

    found = [(root, tried(root, game, act)) for root, game in games]
    root, came = found[0]
    if len(found) == 1 and isinstance(came, PbemError):
        raise came if alone else _named(came, root)
    return found, notes


def _named(error: PbemError, root: Path) -> PbemError:
    """The same error, with the folder of the game it is about."""
    if re.search(rf"(?<!\S){re.escape(str(root))}(?![\w/.-])", error.message):  # not b in pbem
        return error
    return type(error)(error.code, f"{root}: {error.message}", error.hint)


def tried(
    root: Path, game: Session | PbemError, act: Callable[[Session], Resolved]
) -> Resolved | PbemError:
    """What became of a game, whatever goes wrong: it stops no other one."""
    if isinstance(game, PbemError):
        return game
    try:
        return act(game)
    except PbemError as error:
        return error
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        return BadInput("file/unusable", reason, "check the permissions and the disk")
    except Exception as error:  # what the others became is still told
        if traceback_wanted():
            raise
        return fault(error, f"run `PBEM_TRACEBACK=1 pbem resolve {root}`")


def _resolve(session: Session, missed: frozenset[str], dry_run: bool) -> Resolved:
    with nullcontext(session) if dry_run else writing(session, closed=True) as session:
        _refuse_again(session, missed)
        return resolve_now(session, missed, dry_run)


def resolve_ripe(
    session: Session, minutes: int, dry_run: bool, missed: frozenset[str] = frozenset()
) -> Resolved:
    """Play out, unless a player whose orders would be played wrote less than ``minutes`` ago and
    may still want to replace them; before the deal, unless any player did. ``missed``: the seats
    whose turn is.
    """
    with nullcontext(session) if dry_run else writing(session, closed=True) as session:
        planned, hands = resolve_now(session, missed, dry_run=True), session.hands
        mine = {one.seat for one in planned.orders} if session.link.dealt else {*hands}
        end = seconds(session.time) - 60 * minutes
        times = [hands[seat].taken for seat in mine]
        if any(seconds(time) > end for time in times if time):
            return Resolved(session, dry_run, TOO_EARLY, over=planned.over)
        return planned if dry_run else resolve_now(session, missed)


def _refuse_again(session: Session, missed: frozenset[str]) -> None:
    """Nobody can miss a question before it was sent: this may be the very command, typed again
    because it was cut short.
    """
    n, folder = session.link.n, session.folder
    given = {one.seat for one in session.link.entries if source_of(one.source).given}
    for seat in sorted(missed & given):
        mail = f"{n:04d}-{seat}"
        if session.cut_short or folder.message(Mark.WAITING, mail) is not None:
            who = session.link.player(seat).shown
            why = f"state {n} has played a missed turn of {who}, and nothing more was played"
            way = f"send {mail}.eml and take it out of the outbox; then {who} can miss another"
            raise Refused("missed/again", why, way)


def resolve_now(
    session: Session, missed: frozenset[str] = frozenset(), dry_run: bool = False
) -> Resolved:
    """Play out and save, under the lock (lock.py), but for ``dry_run``."""
    if session.link.phase == CLOSED:  # there is nothing to go on with
        what = "closed" if session.link.dealt else "cancelled before its deal"
        said = f"passed over: it was {what} in state {session.link.n}"
        return Resolved(session, dry_run, said, over=True)
    if not session.link.dealt:
        from pbem.services.resolve.rounds import resolve_round  # once in a game

        return resolve_round(session, missed, dry_run)
    session, undo = _undo(session, dry_run)
    if undo and not undo.goes_on:  # the game waits for what players are asked about an undo
        state = undo.state or session.position.state
        return _answer(session, Course(state, (), (), session.hands, {}), dry_run, undo)
    _check_asked(session, missed)
    absent: Absent = by_default
    if missed and session.link.clock.missed == BOT:
        from pbem.services.resolve.bots import in_place  # few games ever have one

        absent = in_place(session)
    course = play_out(session.position, session.hands, missed, absent=absent)
    if course.played and not dry_run:
        keys, timed = (session.secret, session.key), clocked(session, course.played)
        made = next_state(session.position, course, *keys, session.time, timed)
        session = session.saved(made, course.hands)
        write_reports(session)
    elif not dry_run:
        session = _tell_dropped(session, course)
    return _answer(session, course, dry_run, undo)


def _undo(session: Session, dry_run: bool) -> "tuple[Session, Decided | None]":
    """What comes first where players are, or were, asked about an undo."""
    if not session.folder.desk_file(CONSENT):
        return session, None
    from pbem.services.amend.undo import decided  # few games ever have one

    return decided(session, dry_run)


def _tell_dropped(session: Session, course: Course) -> Session:
    """Nothing could be played, but a line in hand was not legal: its player's report says so, once.

    The hand stays as it is: what is played hangs on what came, and not on how often it was tried.
    """
    for seat, one in course.hands.items():
        before = session.hands[seat]
        if one.notes and before.nr > before.tried:  # a course begins without notes
            told = before._replace(notes=(*before.notes, *one.notes), tried=before.nr)
            session = session.with_hand(seat, told)
            write_reports(session, again=seat)
    return session


def _missed_in(session: Session, missed: frozenset[str]) -> frozenset[str]:
    """The seats that are meant in this game, which was opened with default orders (R-2)."""
    seats = frozenset(seat_of(session.link, one) for one in missed)
    if missed and session.link.dealt and session.link.clock.missed == WAIT:
        why = "this game was opened without --option missed=default, so pbem plays no missed turns"
        rule = f"pbem amend {session.folder.root} clock missed=default --reason …"
        way = f"wait for the player's orders, or type `{rule}`"
        raise Refused("missed/wait", why, way)
    clock = session.link.clock
    for seat in sorted(seats):
        end = clock.missed_at(seat) if clock.on and clock.of(seat).due else 0
        if seconds(session.time) < end:
            until = in_prose(written(end), clock.zone, session.time)
            why = f"{session.link.player(seat).shown} has time until {until}"
            raise Refused("missed/early", why, "wait until then")
    return seats


def _check_asked(session: Session, missed: frozenset[str]) -> None:
    """Only a turn that the game waits for can have been missed (R-2)."""
    watcher = session.game.view(session.position.state, None)
    asked = {question.seat for question in session.game.questions(watcher)}
    for seat in sorted(missed - asked):
        names = {one.seat: one.shown for one in session.link.people}
        waits = f"it waits for {', '.join(names[one] for one in sorted(asked))}"
        why = f"the game does not wait for {names[seat]}: {waits if asked else 'it is over'}"
        raise Refused("missed/not-asked", why, "pbem status")


def _answer(
    session: Session, course: Course, dry_run: bool, undo: "Decided | None" = None
) -> Resolved:
    game, position, undone = session.game, session.position, undo.said if undo else ""
    watcher = game.view(course.state, None)
    waits = waits_for(session.link, game.questions(watcher))
    if undo and undo.about:  # nothing is played before that is settled
        waits = waits_of(session.link, undo.waits, "undo")
    over = game.outcome(watcher) is not None
    events = happened(game, course.events, watcher)
    said = [undone] if undone else []
    said += [_headline(session, course, dry_run)] if course.played or not undone else []
    lines = []
    for p in course.played:
        how = source_of(p.source).screen
        lines.append(f"{position.name(p.seat)} ({p.seat}): {p.words}{f'  ({how})' if how else ''}")
    lines += [f"  {text}" for text in sentences.said(game, events)] if dry_run else []
    about = undo.about if undo else ""
    lines.append(about or ("The game is over." if over else f"It waits for {named(waits)}."))
    return Resolved(
        session, dry_run, "; ".join(said), tuple(lines), course.played, tuple(events), waits, over
    )


def _headline(session: Session, course: Course, dry_run: bool) -> str:
    if not course.played:
        return "nothing to resolve"
    number = len(course.played)
    orders = f"{number} order{'s' if number > 1 else ''}"
    if dry_run:
        return f"{orders} would be played (nothing was changed)"
    desk = session.folder.root / "desk"
    return f"{orders} played, state {session.link.n}, reports and emails in {desk}"
