"""``pbem status``: what each game needs, of the referee and of its players."""

from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.clock import now
from pbem.commands.arguments import RootsOrHere
from pbem.commands.worklist import table
from pbem.crypto.encoding import b64
from pbem.disk.folder import CONSENT, GameFolder, Mark
from pbem.disk.games import LEVELS, NO_GAMES, find_games
from pbem.disk.home import Home
from pbem.engine.row import all_of
from pbem.errors import BadInput, PbemError
from pbem.moderator.chain.clock import WAIT, seconds
from pbem.moderator.chain.link import CLOSED, Link
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.chain.spoken import in_prose
from pbem.moderator.report.rows import standings, waits_for, waits_of
from pbem.result import Result
from pbem.services.session.keys import the_home
from pbem.services.session.newest import newest, spectators_view, trusted_key
from pbem.services.session.worklist import (
    ELSEWHERE,
    asked_since,
    letters,
    letters_in,
    not_ticking,
    noted_of,
    unreached,
    with_orders,
)

if TYPE_CHECKING:
    from pbem.moderator.ruling.consent import Consent


def run(
    roots: RootsOrHere = None,
) -> Result:
    """Say what each game needs, what needs you first. It needs no key.

    `ready`: orders wait to be played. `letters`: emails of players that wait to be read. `post`:
    emails that are not sent. It looks for games 4 folders deep.
    """
    home, time = the_home(), now()
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    written = letters(home)
    for root in roots or [Path()]:
        folders, said = find_games(root)
        rows += [_row(folder, home, written, time) for folder in folders]
        notes += said
    if not rows:
        where = ", ".join(map(str, roots or ())) or "this folder"
        message = f"there is no game in {where} ({LEVELS} folders deep)"
        raise BadInput("game/none", message, NO_GAMES)
    notes += not_ticking(home, time)
    lines, colours = table(rows, time)
    text = "\n".join([*lines, *(f"note: {note}" for note in notes)])
    for row in rows:
        row.pop("said", None)
        row.pop("zone", None)
    bad = any("error" in row for row in rows)
    return Result({"games": rows, "notes": notes}, text, 1 if bad else 0, colours=colours)


def _row(folder: GameFolder, home: Home, written: Counter[str], time: str) -> dict[str, Any]:
    row: dict[str, Any] = {"dir": str(folder.root)}
    try:
        found = newest(folder, trusted_key(folder, home))
        link, asked = found.link, _asked(folder, found.raw, found.link.setup.seats)
        if (seen := _behind(home, link, found.raw)) is not None:
            row["behind"] = seen
        row |= {"game": link.game, "kind": link.setup.kind, "n": link.n, "since": link.time}
        if link.dealt:
            row |= _in_play(folder, link, asked, time)
        else:
            row |= _before_the_deal(folder, link)
        marks = {"unsent": Mark.WAITING, "unsure": Mark.SENDING, "failed": Mark.FAILED}
        row |= {key: len(folder.messages(mark)) for key, mark in marks.items()}
        row["letters"] = letters_in(folder, link.setup.seats, written)
        row["unreached"] = unreached(folder, link.setup.seats)
        names = [link.player(seat).shown for seat in row["unreached"]]
        if names:
            why = f"email to {all_of(names)} comes back; ask for another address"
            row["said"] = "; ".join(filter(None, [row["said"], why]))
        row["elsewhere"] = [
            {"seat": seat, "from": one[0], "time": one[1]}
            for seat, one in noted_of(folder, ELSEWHERE).items()
            if seat in link.setup.seats
        ]
        for one in row["elsewhere"]:
            who = f"{link.player(one['seat']).name} ({one['seat']})"
            why = f"an email for {who} came from {one['from']}, and counts"
            row["said"] = "; ".join(filter(None, [row["said"], why]))
        return row
    except PbemError as error:
        return {"dir": row["dir"], "error": error.code, "why": error.line()}


def _in_play(folder: GameFolder, link: Link, asked: "Consent | None", time: str) -> dict[str, Any]:
    game, view = spectators_view(link)
    outcome, questions, said = game.outcome(view), game.questions(view), ""
    waits = () if link.phase == CLOSED else waits_for(link, questions)
    seats = {one["seat"] for one in waits}
    if asked is not None:
        from pbem.moderator.ruling.consent import about  # few games ever have one

        names = dict(zip(link.setup.seats, link.names, strict=True))
        waits, said = waits_of(link, asked.given(""), "undo"), about(asked, names, str(folder.root))
        since = dict.fromkeys({one["seat"] for one in waits}, link.time)
    else:
        since = asked_since(folder, link, seats)
    if outcome is not None:
        won = all_of([link.player(seat).shown for seat in outcome.winners])
        said = said or f"won by {won or 'nobody'}"
    elif link.phase == CLOSED:
        when = in_prose(link.time, link.clock.zone)
        said = f"closed by the referee on {when}: {link.rulings[0].reason}"
    dues, root = {row.seat: row.due for row in link.clock.seats}, str(folder.root)
    if not said:
        over = _of_clock(link, seats, time, root) if waits else ""
        said = "; ".join(filter(None, [_open_seats(link, root), over]))
    rows = [
        one | {"since": since[s], "due": dues.get(s, "")} for one in waits if (s := one["seat"])
    ]
    standing = standings(game, view)
    return {
        "waits_for": rows,
        "over": outcome is not None,
        "closed": link.phase == CLOSED,
        "winners": list(outcome.winners) if outcome else [],
        "scores": {one.seat: one.points for one in standing if one.points is not None},
        "standing": {one.seat: one.text for one in standing},
        "ready": bool(asked is None and with_orders(folder, link.n, seats)),
        "said": said,
        "zone": link.clock.zone,
    }


def _open_seats(link: Link, root: str) -> str:
    """Whose seats others may have, by turns that were missed in a row, and how they get one."""
    gone = [row.seat for row in link.clock.seats if link.clock.opened(row)]
    if not gone:
        return ""
    who = all_of([link.player(seat).shown for seat in gone])
    way = f"pbem amend {root} player {gone[0]} --name NAME --address ADDRESS --reason …"
    return (
        f"missed {link.clock.strikes} turns in a row, so the seat is open: {who}; "
        f"`{way}` seats another player"
    )


def _of_clock(link: Link, seats: set[str], time: str, root: str) -> str:
    """A pause, or turns that are over and were not played."""
    clock, now = link.clock, seconds(time)
    if clock.pause_left(time):
        return f"paused until {in_prose(clock.paused, clock.zone, time)}"
    over = [x.seat for x in clock.seats if x.seat in seats and x.due]
    over = [seat for seat in over if now >= clock.missed_at(seat)]
    if not over or not clock.on or clock.missed == WAIT:
        return ""
    who = all_of([link.player(seat).shown for seat in over])
    return (
        f"the turn of {who} is over: `pbem tick {root}` plays it, or says why not; "
        f"`pbem resolve {root} --missed {over[0]}` plays it in any case"
    )


def _behind(home: Home, link: Link, raw: bytes) -> int | None:
    """The newer (or other) state of this game that this machine has seen; None where none."""
    mark = None
    with suppress(PbemError):  # the mark is damaged: what writes says so
        mark = home.read_mark(link.game)
    here = (link.n, b64(head_of(raw)))
    return mark[0] if mark is not None and mark != here and mark[0] >= link.n else None


def _asked(folder: GameFolder, raw: bytes, seats: tuple[str, ...]) -> "Consent | None":
    """The undo that players are asked about now; a player's copy of a game has no desk."""
    data = folder.desk_file(CONSENT) if (folder.root / "desk").is_dir() else b""
    if not data:
        return None
    from pbem.moderator.ruling.consent import current

    return current(data, raw, seats)


def _before_the_deal(folder: GameFolder, link: Link) -> dict[str, Any]:
    """Whose answers are missing: as far as the desk is here, else all that are asked."""
    from pbem.moderator.opening import opening  # once in a game

    over, answers = link.phase == CLOSED, folder.hand(link.n)
    no = opening.declined_in(answers, link)
    seats = () if over else opening.waited_for(link, opening.answers_in(answers, link) | no)
    said = opening.waits(link, seats)
    said = f"{'; '.join(opening.declined(link, no))}: no deal" if no else said[0].lower() + said[1:]
    waits = [one | {"since": link.time, "due": ""} for one in opening.waits_for(link, seats)]
    return {
        "waits_for": waits,
        "over": over,
        "closed": over,
        "winners": [],
        "scores": {},
        "standing": {},
        "ready": not (over or seats or no),
        "said": said,
    }
