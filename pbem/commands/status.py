"""``pbem status``: whom each game waits for, and since when."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.crypto.encoding import b64
from pbem.disk.folder import CONSENT, GameFolder
from pbem.disk.games import LEVELS, NO_GAMES, find_games
from pbem.engine.row import all_of
from pbem.errors import BadInput, PbemError
from pbem.moderator.chain.link import CLOSED, Link
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.report.rows import question_in_words, standings, waits_for, waits_of
from pbem.result import Result
from pbem.services.session.keys import the_home
from pbem.services.session.newest import newest, spectators_view, trusted_key

if TYPE_CHECKING:
    from pbem.moderator.ruling.consent import Consent


def run(
    roots: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[ROOT...]",
            help="Games' folders, or folders of games; without it, this folder.",
        ),
    ] = None,
) -> Result:
    """Say whom each game waits for, and since when. It needs no key.

    It looks for games 4 folders deep.
    """
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    for root in roots or [Path()]:
        folders, said = find_games(root)
        rows += [_row(folder) for folder in folders]
        notes += said
    if not rows:
        where = ", ".join(map(str, roots or ())) or "this folder"
        message = f"there is no game in {where} ({LEVELS} folders deep)"
        raise BadInput("game/none", message, NO_GAMES)
    text = "\n".join([*(_line(row) for row in rows), *(f"note: {note}" for note in notes)])
    bad = any("error" in row for row in rows)
    return Result({"games": rows, "notes": notes}, text, 1 if bad else 0)


def _row(folder: GameFolder) -> dict[str, Any]:
    row: dict[str, Any] = {"dir": str(folder.root)}
    try:
        found = newest(folder, trusted_key(folder, the_home()))
        link, asked = found.link, _asked(folder, found.raw, found.link.setup.seats)
        if (seen := _behind(link, found.raw)) is not None:
            row["behind"] = seen
        if not link.dealt:
            return row | _before_the_deal(folder, link)
        game, view = spectators_view(link)
    except PbemError as error:
        return row | {"error": error.code, "why": error.line()}
    names = dict(zip(link.setup.seats, link.names, strict=True))
    outcome = game.outcome(view)
    waits = () if link.phase == CLOSED else waits_for(link, game.questions(view))
    if asked is not None:
        waits = waits_of(link, asked.given(""), "undo")
        from pbem.moderator.ruling.consent import about  # few games ever have one

        row["said"] = about(asked, names, str(folder.root))
    else:
        for_whom = ", ".join(
            f"{names[one.seat]} ({one.seat}, {question_in_words(game, one)})"
            for one in game.questions(view)
        )
        ended = _ended(link, outcome.winners if outcome else None)
        row["said"] = ended or f"waits for {for_whom} since {link.time}"
    rows = standings(game, view)
    row |= {"game": link.game, "kind": link.setup.kind, "n": link.n, "since": link.time}
    return row | {
        "waits_for": list(waits),
        "over": outcome is not None,
        "closed": link.phase == CLOSED,
        "winners": list(outcome.winners) if outcome else [],
        "scores": {one.seat: one.points for one in rows if one.points is not None},
        "standing": {one.seat: one.text for one in rows},
        "unsent": len(folder.outbox()),
    }


def _behind(link: Link, raw: bytes) -> int | None:
    """The newer (or other) state of this game that this machine has seen; None where none."""
    mark = None
    with suppress(PbemError):  # the mark is damaged: what writes says so
        mark = the_home().read_mark(link.game)
    here = (link.n, b64(head_of(raw)))
    return mark[0] if mark is not None and mark != here and mark[0] >= link.n else None


def _ended(link: Link, winners: tuple[str, ...] | None) -> str:
    """How a game ended; "" while it goes on."""
    if winners is not None:
        won = all_of([f"{link.player(seat).name} ({seat})" for seat in winners])
        return f"over since {link.time}, won by {won or 'nobody'}"
    if link.phase != CLOSED:
        return ""
    return f"closed by the referee at {link.time}: {link.rulings[0].reason}"


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
    seats = () if over else opening.waited_for(link, opening.answers_in(answers, link))
    row = {"game": link.game, "kind": link.setup.kind, "n": link.n, "since": link.time}
    row |= {"waits_for": list(opening.waits_for(link, seats)), "over": over, "closed": over}
    row |= {"winners": [], "scores": {}, "standing": {}}
    said = opening.waits(link, seats)
    since = f" since {link.time}" if over or seats else ""
    if no := opening.declined_in(answers, link):
        said, since = f"{'; '.join(opening.declined(link, no))}: no deal", ""
    said = said if no else f"{said[0].lower()}{said[1:]}"
    return row | {"unsent": len(folder.outbox()), "said": f"{said}{since}"}


def _line(row: dict[str, Any]) -> str:
    if "error" in row:
        return f"{row['dir']}: cannot be read: {row['why']}"
    number = row["unsent"]
    mails = f"; {number} email{'s' if number > 1 else ''} in desk/outbox" if number else ""
    standing = _standing(row["standing"])
    score = f"; {standing}" if standing else ""
    if "behind" in row:
        mails += (
            f"; BEHIND: this machine has seen {'another ' * (row['behind'] == row['n'])}state "
            f"{row['behind']}, so put the newest files back"
        )
    state = row.pop("said")
    return f"{row['dir']}: {row['kind']}, state {row['n']}, {state}{score}{mails}"


def _standing(texts: dict[str, str]) -> str:
    """Of all seats in one line: what is the same of all is said once."""
    found = {seat: text.partition(", ") for seat, text in texts.items()}
    tails = {tail for _, _, tail in found.values()}
    if len(tails) > 1:
        return ", ".join(f"{seat} {text}" for seat, text in texts.items())
    tail = "".join(tails)
    said = ", ".join(f"{seat} {first}" for seat, (first, _, _) in found.items())
    return f"{said} ({tail})" if tail else said
