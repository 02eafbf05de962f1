"""``pbem show``: the public board."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pbem.chain.clock_words import in_prose
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.clock import now
from pbem.commands.arguments import Directory, Page
from pbem.disk.folder import GameFolder
from pbem.disk.whole import write_there
from pbem.engine.decision import Outcome, Question
from pbem.engine.optional_parts import slot_words
from pbem.engine.row import all_of
from pbem.errors import Refused
from pbem.play.deadlines.options import in_sentences
from pbem.play.waiting import waits_for
from pbem.report.game_rows import Standing, standings, timed
from pbem.result import Result
from pbem.services.session.keys import the_home
from pbem.services.session.newest import (
    newest,
    playing,
    refuse_no_game,
    spectators_view,
    trusted_key,
)

if TYPE_CHECKING:
    from pbem.engine.game import Game


def run(
    directory: Directory,
    secret: Annotated[
        bool,
        typer.Option("--secret", help="Show hands and hidden items too (needs the referee's key)."),
    ] = False,
    html: Page = None,
) -> Result:
    """Show the public board, as a spectator sees it."""
    refuse_no_game(directory)
    record = newest(GameFolder(directory), trusted_key(GameFolder(directory), the_home())).link
    if not record.dealt:
        if html is not None:
            raise Refused("show/no-board", "the game is not dealt, so it has no board yet", "")
        return _before_the_deal(GameFolder(directory), record, secret)
    shown = _shown(record)
    hands, hidden = _hidden(directory) if secret else ([], [])
    data = _data(record, shown) | ({"hidden": hidden} if secret else {})
    lines = [*_heading(record, shown), "", *_board(record, shown), *_deadlines(record)]
    more = list[str]()
    if secret:
        told = [
            _hidden_line(record, one, slot_words(shown.game, record.position, one["slot"]))
            for one in hidden
        ]
        more += ["", "HANDS (for your eyes alone)", *hands] if hands else []
        more += ["", "HIDDEN ITEMS, BY SLOT (for your eyes alone)", *told]
    if html is not None:
        _write_page(html, record, shown, more)
    return Result(data, "\n".join([*lines, *more]))


def _write_page(path: Path, record: StateRecord, shown: "_Shown", secret: list[str]) -> None:
    """The same as a page; for the referee alone where it has secrets."""
    from pbem.catalog import templates  # Jinja, for a page alone
    from pbem.report.render import render

    kind, table = record.setup.kind, shown.board
    values = {"kind": kind, "table": table, "board": shown.game.board_text(table)}
    values |= {
        "heading": _heading(record, shown),
        "scores": _scores(record, shown),
        "secret": secret,
    }
    values |= {"names": {one.seat: one.name for one in record.people}}
    page = render("show.html", *templates(kind), **values)
    write_there(path, page.encode(), 0o600 if secret else 0o644)


class _Shown(NamedTuple):
    """What everybody sees of a game that is dealt."""

    game: "Game"
    view: Any
    asked: tuple[Question, ...]  #: none where it is closed
    outcome: Outcome | None
    rows: tuple[Standing, ...]
    board: Mapping[str, Any]  #: as plain data


def _shown(record: StateRecord) -> _Shown:
    game, view = spectators_view(record)
    asked = () if record.phase == CLOSED else game.questions(view)
    rows, board = standings(game, view), game.describe(view)
    return _Shown(game, view, asked, game.outcome(view), rows, board)


def _of(record: StateRecord) -> dict[str, Any]:
    return {"game": record.game, "kind": record.setup.kind, "n": record.n, "time": record.time}


def _when(record: StateRecord) -> str:
    return in_prose(record.time, record.clock.zone)


def _data(record: StateRecord, shown: _Shown) -> dict[str, Any]:
    """The answer as a document, without anything hidden."""
    return _of(record) | {
        "waits_for": list(waits_for(record, shown.asked)),
        "over": shown.outcome is not None,
        "closed": record.phase == CLOSED,
        "scores": {one.seat: one.points for one in shown.rows if one.points is not None},
        "standing": {one.seat: one.text for one in shown.rows},
        "position": record.position,
        "board": shown.board,
    }


def _heading(record: StateRecord, shown: _Shown) -> list[str]:
    """Which game, and whom it waits for or how it ended."""
    waits = [record.player(one.seat).shown for one in shown.asked]
    won = [record.player(seat).name for seat in shown.outcome.winners] if shown.outcome else []
    said = "The game is closed." if record.phase == CLOSED else f"It waits for {', '.join(waits)}."
    said = f"The game is over. {all_of(won)} won." if won else said
    return [f"{shown.game.title}, state {record.n} of {_when(record)}", said]


def _board(record: StateRecord, shown: _Shown) -> list[str]:
    """The board, and the scores as everybody sees them."""
    return ["THE BOARD", *shown.game.board_text(shown.board), "", "SCORES", *_scores(record, shown)]


def _deadlines(record: StateRecord) -> list[str]:
    """Everybody's deadline and reserve, and the rules of the clock, where it runs."""
    if not record.clock.on or record.phase == CLOSED:
        return []
    from pbem.report.render import render  # Jinja, where there are deadlines

    zone, time = record.clock.zone, record.time
    paused = in_prose(record.clock.paused, zone, time) if record.clock.pause_left(time) else ""
    values = {
        "seat": "",  # it is nobody's own
        "timed": timed(record, zone),
        "paused": paused,
        "terms": in_sentences(record.clock),
    }
    return ["", *render("deadlines.txt", **values).splitlines()]


def _scores(record: StateRecord, shown: _Shown) -> list[str]:
    return [f"{record.player(x.seat).shown}: {x.text}" for x in shown.rows]


def _before_the_deal(folder: "GameFolder", record: StateRecord, secret: bool) -> Result:
    """There is no board yet: who plays, and whose answer is missing."""
    from pbem.play.joining import opening  # once in a game
    from pbem.services.sentences import said as in_words

    over = record.phase == CLOSED
    desk = folder.hand(record.n)
    no = opening.declined_in(desk, record)
    seats = () if over else opening.waited_for(record, opening.answers_in(desk, record) | no)
    data = _of(record) | {"waits_for": list(opening.waits_for(record, seats)), "over": over}
    data |= {"closed": over, "scores": {}, "standing": {}, "position": {}, "board": {}}
    if secret:
        data["hidden"] = []
    lines = [f"{playing(record).title}, state {record.n} of {_when(record)}: not dealt"]
    said = (
        f"{'; '.join(opening.declined(record, no))}: no deal"
        if no
        else opening.waits(record, seats)
    )
    lines += [f"{said}.", "", "WHO PLAYS, IN TURN ORDER"]
    lines += [one.shown for one in record.people]
    given = [opening.gave(record, answer).plain() for answer in record.roster]
    told = in_words(None, given, "gave")
    lines += ["", "WHAT EACH GAVE TO THE DEAL", *told] if told else []
    return Result(data, "\n".join(lines))


def _hidden_line(record: StateRecord, one: dict[str, Any], what: str) -> str:
    seats = ", ".join(record.player(seat).shown for seat in one["known_to"])
    known = f", known to {seats}" if seats else ""
    return f"{one['slot']}: {one['value']}{known}{f' ({what})' if what else ''}"


def _hidden(directory: Path) -> tuple[list[str], list[dict[str, Any]]]:
    """Each player's hand in a line; then every hidden value, first what somebody knows. Secret."""
    from pbem.services.session.session import open_session  # the board alone needs no cipher

    session = open_session(directory, now())
    game, state = session.game, session.position.state
    hands = []
    for one in session.link.people:
        hand = game.describe(game.view(state, one.seat)).get("hand")
        if not isinstance(hand, list | tuple):  # a game without hands
            continue
        cards = ", ".join(map(_in_hand, hand))
        hands.append(f"{one.shown}: {cards or 'no cards'}")
    found = sorted(game.encode(state).hidden.items(), key=lambda row: (not row[1].audience, row[0]))
    return hands, [
        {"slot": slot, "value": one.for_sealing(), "known_to": sorted(one.audience)}
        for slot, one in found
    ]


def _in_hand(card: Any) -> str:
    """A row of a hand: its kind, and how many there are of it where there are more."""
    if not isinstance(card, dict):
        return str(card)
    number = card.get("number", 1)
    return f"{card.get('kind', card)}{f' ({number})' if number != 1 else ''}"
