"""A report as one value: everything that one seat, or a spectator, reads about the newest states.

Not allowed here: a State handed to a template (a View is), another seat's pending orders, a sentence.
Source: docs/DESIGN.md "A report"; docs/SPECIFICATION.md section 7.
"""

from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Any, NamedTuple

from pbem.chain.loaded_game import LoadedGame
from pbem.chain.rulings.people import LAST_SIGNED
from pbem.chain.seals import Seals
from pbem.chain.sources import DEFAULT
from pbem.engine.row import Row, join_with_and
from pbem.engine.settings import SPECTATORS
from pbem.play.pending_orders import PendingOrders
from pbem.report import sentences
from pbem.report.game_rows import EventRow, Place, QuestionRow, SeatTime, UpcomingRow, to_plain

#: gives the sentence that explains a rule, by its number; "" where there is none
Rulebook = Callable[[str], str]


class Reader(NamedTuple):
    """For whom a report is: a seat with its code and pending orders, or the spectators."""

    name: str  #: the seat, or SPECTATORS
    code: str
    pending: PendingOrders
    zone: str = ""  #: the time zone of the reader's clocks; "" for UTC

    @property
    def seat(self) -> str | None:
        """None for the spectators."""
        return None if self.name == SPECTATORS else self.name


class ReportedState(NamedTuple):
    """One of the states that a report covers."""

    position: LoadedGame
    seals: Seals
    pending_before: Mapping[str, str]  #: by seat, the pending orders before it that are still on file; secret
    turn: int  #: the turn in which the state was made


class ReportRulings(NamedTuple):
    """What the referee's rulings change for the reader."""

    texts: tuple[str, ...] = ()  #: each ruling in full, for everybody
    undone: tuple[str, ...] = ()  #: orders that an undo took back
    restored: tuple[str, ...] = ()  #: orders that count again
    disclosures: tuple[str, ...] = ()  #: who saw what in the undone orders
    hand_over: tuple[Row, ...] = ()  #: who signs from now on: the macros ``key_KIND``
    former_player: str = ""  #: whose place the reader has taken in the newest state

    @property
    def ends_old_key(self) -> bool:
        """Whether the next report is signed by a new key, which makes the reader's code void."""
        return any(row.kind == LAST_SIGNED for row in self.hand_over)


class Recipient(NamedTuple):
    """Who reads the report."""

    seat: str  #: "" for the spectators
    player: str
    auth_method: str
    code: str  #: "" where no answer is expected
    is_new: bool = False  #: nobody has told this player what the game is and how to answer


class AwaitedPlayer(NamedTuple):
    """A player for whom the game waits."""

    seat: str
    player: str
    question: str  #: the kind of question
    what: str  #: the question in words, "" where its kind says everything


class Task(NamedTuple):
    """What the reader may write, and what is already pending."""

    question: QuestionRow | None
    repeats_pending: bool  #: whether the example repeats pending orders
    upcoming: list[UpcomingRow]
    awaited: list[AwaitedPlayer]
    pending: list[str]  #: orders that can still be played
    notes: list[str]  #: what became of pending orders


class Deadlines(NamedTuple):
    """The clock, on the reader's own clocks. In a game without deadlines only ``terms`` may have something."""

    due: str = ""  #: the reader's deadline
    missed_turn: str = ""  #: what happens when a turn is missed
    more_misses: int = 0  #: turns that the reader can still miss before the seat is opened; 0: none missed yet
    missed_at: str = ""  #: when the reader's turn is declared missed
    seats: list[SeatTime] = []  # noqa: RUF012 - never changed
    terms: list[str] = []  #: of deadlines and archive, where new to the reader  # noqa: RUF012 - never changed
    paused_until: str = ""


class TurnEvents(NamedTuple):
    """The events of one turn, as the reader saw them then."""

    when: str
    events: list[EventRow]
    names: dict[str, str]  #: who played at each seat in that turn


class SubstituteOrders(NamedTuple):
    """Orders that their player did not send: the macros ``given_KIND``."""

    answered: list[Row] = []  #: played for the reader, in full  # noqa: RUF012 - never changed
    typed: list[Row] = []  #: typed by the referee, who alone vouches for them (P6)  # noqa: RUF012 - never changed
    missed: list[Row] = []  #: played for others who missed their turn (R-2)  # noqa: RUF012 - never changed


class Score(NamedTuple):
    """The points of one seat."""

    seat: str
    player: str
    points: str


class Winner(NamedTuple):
    """A player who won."""

    player: str
    seat: str
    points: int


class Board(NamedTuple):
    """The game as the reader sees it now, and its result."""

    description: Mapping[str, Any]
    text: Any  #: the drawn board
    scores: list[Score]
    standings: dict[str, Any]  #: as plain data (engine/standings.py)
    winners: list[Winner]
    places: list[Place]


class Footer(NamedTuple):
    """Rules and proofs at the foot of a report."""

    notices: list[Row]  #: house rules, in the first report of a reader
    contributions: list[Row]  #: where the deal came from
    check_words: str
    cited_rules: list[tuple[str, str]]  #: number and text
    signed_block: str


class Report(NamedTuple):
    """One report, before it becomes text, HTML or a subject."""

    label: str  #: the game's name among its players
    title: str
    kind: str
    state_number: int
    time: str
    is_closed: bool
    names: dict[str, str]  #: the player at each seat
    recipient: Recipient
    task: Task
    deadlines: Deadlines
    rulings: ReportRulings
    turns: list[TurnEvents]
    substitutes: SubstituteOrders
    board: Board
    footer: Footer
    archive: str = ""  #: of a game that emails it: "later", "attached", "missing"; "" where players ask for it


def template_values(report: Report) -> dict[str, Any]:
    """The report as its templates get it: text, numbers, lists and dicts by the names of their variables."""
    recipient, task, deadlines, rulings, board, footer = (
        report.recipient, report.task, report.deadlines, report.rulings, report.board, report.footer
    )  # fmt: skip
    typed_values = {
        "label": report.label,
        "title": report.title,
        "kind": report.kind,
        "n": report.state_number,
        "time": report.time,
        "closed": report.is_closed,
        "names": report.names,
        "seats": list(report.names.items()),
        "seat": recipient.seat,
        "player": recipient.player,
        "way": recipient.auth_method,
        "code": recipient.code,
        "introduced": recipient.is_new,
        "welcome": rulings.former_player,
        "question": task.question or {},
        "repeated": task.repeats_pending,
        "soon": task.upcoming,
        "waiting": task.awaited,
        "hand": task.pending,
        "notes": task.notes,
        "due": deadlines.due,
        "missed_turn": deadlines.missed_turn,
        "more_misses": deadlines.more_misses,
        "last": deadlines.missed_at,
        "timed": deadlines.seats,
        "terms": deadlines.terms,
        "paused": deadlines.paused_until,
        "rulings": rulings.texts,
        "taken_back": rulings.undone,
        "counts_again": rulings.restored,
        "seen": rulings.disclosures,
        "new_referee": rulings.hand_over,
        "closes_key": rulings.ends_old_key,
        "happened": report.turns,
        **report.substitutes._asdict(),
        "table": board.description,
        "board": board.text,
        "scores": board.scores,
        "standings": board.standings,
        "winners": board.winners,
        "places": board.places,
        "notices": footer.notices,
        "dealt_by": footer.contributions,
        "head_words": footer.check_words,
        "cited": footer.cited_rules,
        "block": footer.signed_block,
        "archive": report.archive,
    }
    return {name: to_plain(value) for name, value in typed_values.items()}


MAX_NEWS_LETTERS = 50  #: of a sentence in a subject


def latest_deed(report: Report) -> EventRow | None:
    """The first thing that the player did who acted last; None if that is the reader, or nobody acted."""
    rows = [row for row in (report.turns[-1].events if report.turns else ()) if row.facts.get("by")]
    seats = [row.facts["by"]["seat"] for row in rows]
    if not rows or seats[-1] == report.recipient.seat:
        return None
    *_, deed = (
        row for row, _ in takewhile(lambda pair: pair[1] == seats[-1], zip(rows[::-1], seats[::-1], strict=True))
    )
    return deed


def report_subject(report: Report, news: str = "") -> str:
    """The subject of a report's email, without the reply code. ``news``: ``latest_deed`` in words."""
    return sentences.SUBJECT.format(label=report.label, summary=_summarize(report, news))


def _summarize(report: Report, news: str) -> str:
    """The most important thing in the report."""
    due = report.deadlines.due
    if report.is_closed:
        return sentences.GAME_CLOSED
    if report.board.winners:
        return _summarize_result(report.board)
    if report.task.question:
        if due:
            return sentences.YOUR_TURN_BY.format(due=due)
        has_news = news and len(news) <= MAX_NEWS_LETTERS
        return sentences.YOUR_TURN_AFTER.format(news=news) if has_news else sentences.YOUR_TURN
    if report.rulings.former_player:
        return sentences.WELCOME
    if _missed_own_turn(report):
        seat = report.recipient.seat
        is_open = any(row.is_open for row in report.deadlines.seats if row.seat == seat)
        return sentences.SEAT_OPEN if is_open else sentences.TURN_MISSED
    if report.rulings.hand_over:
        return sentences.NEW_REFEREE
    if report.rulings.texts:
        return sentences.REFEREE_RULED
    players = [awaited.player for awaited in report.task.awaited]
    if len(players) == 1:
        return sentences.TURN_OF.format(player=players[0])
    return sentences.TURN_OF_SEVERAL.format(players=join_with_and(players)) if players else sentences.NEWS


def _summarize_result(board: Board) -> str:
    """Who won, by their points and those of the next player."""
    players = join_with_and([winner.player for winner in board.winners])
    winning_seats = {winner.seat for winner in board.winners}
    other_points = [place.points for place in board.places if place.seat not in winning_seats]
    if not other_points:
        return sentences.WON_ALONE.format(players=players)
    return sentences.WON.format(players=players, points=board.winners[0].points, others=max(other_points))


def _missed_own_turn(report: Report) -> bool:
    seat, orders = report.recipient.seat, report.substitutes
    bot_seats = {row.facts["seat"] for row in orders.missed if row.kind == "bot"}
    return seat in bot_seats or any(row.kind == DEFAULT.name for row in orders.answered)
