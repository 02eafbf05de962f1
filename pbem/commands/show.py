"""``pbem show``: shows the public board, and for the referee the hidden items."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from typer import Option

from pbem.chain.clock_words import instant_in_prose
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.clock import now
from pbem.commands.arguments import Directory, PageFile
from pbem.disk.folder import GameFolder
from pbem.disk.whole import write_user_file
from pbem.engine.decision import Outcome, Question
from pbem.engine.optional_parts import slot_words
from pbem.engine.row import join_with_and
from pbem.engine.standings import Standings, plain_standings
from pbem.errors import Refused
from pbem.play.deadlines.options import describe_clock
from pbem.play.waiting import list_awaited_seats
from pbem.report.game_rows import list_seat_times, to_plain
from pbem.result import Result
from pbem.services.session.keys import open_home
from pbem.services.session.newest import game_of, read_newest, refuse_no_game, spectators_view, trusted_key

if TYPE_CHECKING:
    from pbem.engine.game import Game
    from pbem.services.session.session import Session


def run(
    directory: Directory,
    show_secret: Annotated[bool, Option("--secret", help="Also show hidden items (needs your key).")] = False,
    html: PageFile = None,
) -> Result:
    """Show the public board, as a spectator sees it."""
    refuse_no_game(directory)
    record = read_newest(GameFolder(directory), trusted_key(GameFolder(directory), open_home())).record
    if not record.is_dealt:
        if html is not None:
            raise Refused("show/no-board", "the game is not dealt, so it has no board yet", "")
        return _undealt_result(GameFolder(directory), record, show_secret)
    public_view = _public_view(record)
    data = _public_document(record, public_view)
    lines = [*_heading_lines(record, public_view), "", *_board_lines(record, public_view), *_deadline_lines(record)]
    secret_lines = list[str]()
    if show_secret:
        session = _open_secret_session(directory)
        hands, hidden_items = _list_hands(session), _list_hidden_items(session)
        data["hidden"] = [item._asdict() for item in hidden_items]
        secret_lines += ["", "HANDS (for your eyes only)", *hands] if hands else []
        secret_lines += ["", "HIDDEN ITEMS, BY SLOT (for your eyes only)"]
        secret_lines += [_hidden_line(record, public_view.game, item) for item in hidden_items]
    if html is not None:
        _write_page(html, record, public_view, secret_lines)
        secret_lines += ["", f"The page is in {html}."]
    return Result(data, "\n".join([*lines, *secret_lines]))


def _write_page(path: Path, record: StateRecord, public_view: "_PublicView", secret_lines: list[str]) -> None:
    """Write the board as a page. If it shows secrets, nobody else can read the file."""
    from pbem.catalog import template_folders  # loads Jinja
    from pbem.report.render import render

    kind, table = record.setup.kind, public_view.board
    values = {
        "kind": kind,
        "table": table,
        "board": public_view.game.board_text(table),
        "heading_lines": _heading_lines(record, public_view),
        "standings": plain_standings(public_view.standings),
        "secret": secret_lines,
    }
    values |= {"names": {person.seat: person.name for person in record.people}}
    page = render("show.html", *template_folders(kind), **values)
    write_user_file(path, page.encode(), 0o600 if secret_lines else 0o644)


class _PublicView(NamedTuple):
    """What everybody may see of a game after its deal."""

    game: "Game"
    view: Any
    questions: tuple[Question, ...]  #: what players must answer now; empty if the game is closed
    outcome: Outcome | None
    standings: Standings
    board: Mapping[str, Any]  #: as plain data


def _public_view(record: StateRecord) -> _PublicView:
    game, view = spectators_view(record)
    questions = () if record.phase == CLOSED else game.questions(view)
    return _PublicView(game, view, questions, game.outcome(view), game.standings(view), game.describe(view))


def _base_document(record: StateRecord) -> dict[str, Any]:
    return {"game": record.game, "kind": record.setup.kind, "n": record.n, "time": record.time}


def _time_text(record: StateRecord) -> str:
    return instant_in_prose(record.time, record.clock.zone)


def _public_document(record: StateRecord, public_view: _PublicView) -> dict[str, Any]:
    """Return the document for ``--json``, without anything hidden."""
    seat_standings = public_view.standings.seats
    return _base_document(record) | {
        "waits_for": list(list_awaited_seats(record, public_view.questions)),
        "over": public_view.outcome is not None,
        "closed": record.phase == CLOSED,
        "scores": {seat.seat: seat.points for seat in seat_standings if seat.points is not None},
        "standings": plain_standings(public_view.standings),
        "position": record.position,
        "board": public_view.board,
    }


def _heading_lines(record: StateRecord, public_view: _PublicView) -> list[str]:
    """Return the game's name, and whom it waits for or how it ended."""
    winners = [record.player(seat).name for seat in public_view.outcome.winners] if public_view.outcome else []
    if winners:
        status_line = f"The game is over. {join_with_and(winners)} won."
    elif record.phase == CLOSED:
        status_line = "The game is closed."
    else:
        asked_names = [record.player(question.seat).label for question in public_view.questions]
        status_line = f"It waits for {', '.join(asked_names)}."
    return [f"{public_view.game.title}, state {record.n} of {_time_text(record)}", status_line]


def _board_lines(record: StateRecord, public_view: _PublicView) -> list[str]:
    return [
        "THE BOARD",
        *public_view.game.board_text(public_view.board),
        "",
        "SCORES",
        *_score_lines(record, public_view),
    ]


def _deadline_lines(record: StateRecord) -> list[str]:
    """Return all players' deadlines and time banks, and the rules of the clock; [] without deadlines."""
    if not record.clock.has_deadlines or record.phase == CLOSED:
        return []
    from pbem.report.render import render  # loads Jinja

    zone, time = record.clock.zone, record.time
    paused_until = instant_in_prose(record.clock.paused_until, zone, time) if record.clock.remaining_pause(time) else ""
    values = {
        "seat": "",  # not for a single player
        "timed": to_plain(list_seat_times(record, zone)),
        "paused": paused_until,
        "terms": describe_clock(record.clock),
    }
    return ["", *render("deadlines.txt", **values).splitlines()]


def _score_lines(record: StateRecord, public_view: _PublicView) -> list[str]:
    return [f"{record.player(standing.seat).label}: {standing.text}" for standing in public_view.standings.seats]


def _undealt_result(folder: "GameFolder", record: StateRecord, show_secret: bool) -> Result:
    """Return what can be shown before the deal: who plays, and whose answers are missing."""
    from pbem.play.joining import opening  # only before the deal
    from pbem.services.sentences import render_sentences

    is_closed = record.phase == CLOSED
    pending = folder.read_pending(record.n)
    declined_seats = opening.read_declined(pending, record)
    answers = opening.read_answers(pending, record) | declined_seats
    waiting_seats = () if is_closed else opening.list_unanswered_seats(record, answers)
    data = _base_document(record) | {
        "waits_for": list(opening.list_awaited_before_deal(record, waiting_seats)),
        "over": is_closed,
    }
    data |= {"closed": is_closed, "scores": {}, "standings": {}, "position": {}, "board": {}}
    if show_secret:
        data["hidden"] = []
    lines = [f"{game_of(record).title}, state {record.n} of {_time_text(record)}: not dealt"]
    waiting_text = (
        f"{'; '.join(opening.describe_declined(record, declined_seats))}: no deal"
        if declined_seats
        else opening.describe_waiting(record, waiting_seats)
    )
    lines += [f"{waiting_text}.", "", "WHO PLAYS, IN TURN ORDER"]
    lines += [person.label for person in record.people]
    contributions = [opening.make_answer_row(record, answer).plain() for answer in record.roster]
    contribution_lines = render_sentences(None, contributions, "gave")
    lines += ["", "ADDITIONS TO THE SHUFFLE", *contribution_lines] if contribution_lines else []
    return Result(data, "\n".join(lines))


class _HiddenItem(NamedTuple):
    """A hidden value. Secret."""

    slot: str
    value: str
    known_to: list[str]  #: the seats that have seen it


def _hidden_line(record: StateRecord, game: "Game", item: _HiddenItem) -> str:
    audience = ", ".join(record.player(seat).label for seat in item.known_to)
    description = slot_words(game, record.position, item.slot)
    line = f"{item.slot}: {item.value}, known to {audience}" if audience else f"{item.slot}: {item.value}"
    return f"{line} ({description})" if description else line


def _open_secret_session(directory: Path) -> "Session":
    from pbem.services.session.session import open_session  # loads ciphers, which the board does not need

    return open_session(directory, now())


def _list_hands(session: "Session") -> list[str]:
    """Return a line with each player's cards; [] if the game has no hands. Secret."""
    game, state = session.game, session.position.state
    hands = []
    for person in session.record.people:
        hand = game.describe(game.view(state, person.seat)).get("hand")
        if isinstance(hand, list | tuple):
            cards = ", ".join(map(_card_text, hand))
            hands.append(f"{person.label}: {cards or 'no cards'}")
    return hands


def _list_hidden_items(session: "Session") -> list[_HiddenItem]:
    """Return all hidden values, first those that players have seen. Secret."""
    hidden_values = session.game.encode(session.position.state).hidden
    items = [_HiddenItem(slot, value.for_sealing(), sorted(value.audience)) for slot, value in hidden_values.items()]
    return sorted(items, key=lambda item: (not item.known_to, item.slot))


def _card_text(card: Any) -> str:
    """Return the kind of a card, with the number of such cards: ``guard``, ``guard (2)``."""
    if not isinstance(card, dict):
        return str(card)
    number = card.get("number", 1)
    return f"{card.get('kind', card)}{f' ({number})' if number != 1 else ''}"
