"""``pbem status``: what each game needs, of the referee and of its players."""

from collections import Counter
from pathlib import Path
from typing import Any

from pbem.chain.clock import WAIT, seconds
from pbem.chain.clock_words import in_prose
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.clock import now
from pbem.commands.arguments import RootsOrHere
from pbem.commands.worklist import Shown, table
from pbem.disk.folder import GameFolder
from pbem.disk.games import LEVELS, NO_GAMES, find_games
from pbem.disk.home import Home
from pbem.engine.row import all_of
from pbem.errors import BadInput, PbemError
from pbem.result import Result
from pbem.services.session.keys import the_home
from pbem.services.session.needs import Needs, needs_of
from pbem.services.session.worklist import letters, not_ticking

UNREACHED = (
    "email to {who} comes back; ask for another address, then `{act} player {seat} --address "
    "ADDRESS --reason …` sends it; `{act} extend --player {seat} --by 7d --reason …` gives time"
)


def run(
    roots: RootsOrHere = None,
) -> Result:
    """Say what each game needs, what needs you first. It needs no key.

    `ready`: orders wait to be played. `letters`: emails of players that wait to be read. `post`:
    emails that are not sent. It looks for games 4 folders deep.
    """
    home, time = the_home(), now()
    games: list[Shown] = []
    notes: list[str] = []
    written = letters(home)
    for root in roots or [Path()]:
        folders, said = find_games(root)
        games += [_shown(folder, home, written, time) for folder in folders]
        notes += said
    if not games:
        where = ", ".join(map(str, roots or ())) or "this folder"
        message = f"there is no game in {where} ({LEVELS} folders deep)"
        raise BadInput("game/none", message, NO_GAMES)
    notes += not_ticking(home, time)
    lines, colours = table(games, time)
    text = "\n".join([*lines, *(f"note: {note}" for note in notes)])
    rows = [one.row for one in games]
    bad = any("error" in row for row in rows)
    return Result({"games": rows, "notes": notes}, text, 1 if bad else 0, colours=colours)


def _shown(folder: GameFolder, home: Home, written: Counter[str], time: str) -> Shown:
    root = str(folder.root)
    try:
        needs = needs_of(folder, home, written)
        said = "; ".join(filter(None, _said(needs, root, time)))
        return Shown({"dir": root} | _document(needs), said, needs.link.clock.zone)
    except PbemError as error:
        return Shown({"dir": root, "error": error.code, "why": error.line()})


def _document(needs: Needs) -> dict[str, Any]:
    """As ``--json`` has it."""
    record, course = needs.link, needs.course
    behind = {} if needs.behind is None else {"behind": needs.behind}
    return behind | {
        "game": record.game,
        "kind": record.setup.kind,
        "n": record.n,
        "since": record.time,
        "waits_for": course.waits_for,
        "over": course.over,
        "closed": record.phase == CLOSED,
        "winners": list(course.outcome.winners) if course.outcome else [],
        "scores": {one.seat: one.points for one in course.standing if one.points is not None},
        "standing": {one.seat: one.text for one in course.standing},
        "ready": course.ready,
        "unsent": needs.unsent,
        "unsure": needs.unsure,
        "failed": needs.failed,
        "letters": needs.letters,
        "unreached": needs.unreached,
        "held": [{"seat": seat, "proposed": sent} for seat, sent in needs.held.items()],
        "handed_over": needs.handed_over,
        "elsewhere": [
            {"seat": seat, "from": sender, "time": when}
            for seat, (sender, when, _) in needs.elsewhere.items()
        ],
    }


def _said(needs: Needs, root: str, time: str) -> list[str]:
    """What stands below a game's line."""
    record = needs.link
    if needs.handed_over:
        return ["handed over to another referee; take it out of the folder of your games"]
    said = [_in_play(needs, root, time) if record.dealt else _before_the_deal(needs)]
    for seat in needs.unreached:
        who, act = record.player(seat).shown, f"pbem amend {root}"
        said.append(UNREACHED.format(who=who, act=act, seat=seat))
    for seat, proposed in needs.held.items():
        proposal = "proposal sent" if proposed else "waiting for clear orders"
        said.append(f"{record.player(seat).shown}: email held, {proposal}")
    for seat, (sender, *_) in needs.elsewhere.items():
        said.append(f"an email for {record.player(seat).shown} came from {sender}, and counts")
    return said


def _in_play(needs: Needs, root: str, time: str) -> str:
    record, outcome, said = needs.link, needs.course.outcome, ""
    if needs.asked is not None:
        from pbem.play.consent import about  # few games ever have one

        names = dict(zip(record.setup.seats, record.names, strict=True))
        said = about(needs.asked, names, root)
    if outcome is not None:
        won = all_of([record.player(seat).shown for seat in outcome.winners])
        said = said or f"won by {won or 'nobody'}"
    elif record.phase == CLOSED:
        when = in_prose(record.time, record.clock.zone)
        said = f"closed by the referee on {when}: {record.rulings[0].reason}"
    if not said:
        seats = {one["seat"] for one in needs.course.waits_for}
        over = _of_clock(record, seats, time, root) if seats else ""
        said = "; ".join(filter(None, [_open_seats(record, root), over]))
    return said


def _before_the_deal(needs: Needs) -> str:
    """Whose answers are missing."""
    from pbem.play.joining import opening  # once in a game

    record, no = needs.link, needs.course.declined
    said = opening.waits(record, tuple(one["seat"] for one in needs.course.waits_for))
    return (
        f"{'; '.join(opening.declined(record, no))}: no deal" if no else said[0].lower() + said[1:]
    )


def _open_seats(record: StateRecord, root: str) -> str:
    """Whose seats others may have, by turns that were missed in a row, and how they get one."""
    gone = [row.seat for row in record.clock.seats if record.clock.opened(row)]
    if not gone:
        return ""
    who = all_of([record.player(seat).shown for seat in gone])
    way = f"pbem amend {root} player {gone[0]} --name NAME --address ADDRESS --reason …"
    return (
        f"missed {record.clock.strikes} turns in a row, so the seat is open: {who}; "
        f"`{way}` seats another player"
    )


def _of_clock(record: StateRecord, seats: set[str], time: str, root: str) -> str:
    """A pause, or turns that are over and were not played."""
    clock, now = record.clock, seconds(time)
    if clock.pause_left(time):
        return f"paused until {in_prose(clock.paused, clock.zone, time)}"
    over = [x.seat for x in clock.seats if x.seat in seats and x.due]
    over = [seat for seat in over if now >= clock.missed_at(seat)]
    if not over or not clock.on or clock.missed == WAIT:
        return ""
    who = all_of([record.player(seat).shown for seat in over])
    return (
        f"the turn of {who} is over: `pbem tick {root}` plays it, or says why not; "
        f"`pbem resolve {root} --missed {over[0]}` plays it in any case"
    )
