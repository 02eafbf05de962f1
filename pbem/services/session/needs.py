"""What a game needs, of its players and of its referee, worked out without a key.

What must never be here: words for people (commands/status.py).
Law: it is told from the folder and the home alone, and nothing is written.
Source: docs/decisions/0014-the-post.md.
"""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pbem.chain.referees import in_force
from pbem.chain.signed_state import head_of
from pbem.chain.state_record import CLOSED, StateRecord
from pbem.crypto.encoding import b64
from pbem.disk.folder import CONSENT, GameFolder, Mark
from pbem.disk.home import Home
from pbem.engine.decision import Outcome
from pbem.errors import BadInput
from pbem.play.waiting import Waits, waits_for, waits_of
from pbem.report.game_rows import Standing, standings
from pbem.services.session.keys import own_public
from pbem.services.session.newest import newest, spectators_view, trusted_key
from pbem.services.session.worklist import (
    ELSEWHERE,
    asked_since,
    held_emails,
    is_ready,
    letters_in,
    noted_of,
    unreached,
)

if TYPE_CHECKING:
    from pbem.play.consent import Consent


class Course(NamedTuple):
    """Who is waited for, or how it ended."""

    waits_for: tuple[Waits, ...]  #: with since when and until when
    ready: bool  #: whether there is something to resolve
    over: bool
    outcome: Outcome | None = None
    standing: tuple[Standing, ...] = ()
    declined: Mapping[str, str] = MappingProxyType({})  #: before the deal, by seat: in whose words


class Needs(NamedTuple):
    """Of one game."""

    link: StateRecord
    asked: "Consent | None"  #: the undo that players are asked about
    behind: int | None  #: the newer (or other) state that this machine has seen
    course: Course
    unsent: int  #: emails that wait to be sent
    unsure: int  #: .. of which nobody knows whether they went
    failed: int
    letters: int
    unreached: list[str]  #: seats whose email comes back
    elsewhere: dict[str, list[str]]  #: by seat whence an email came that counts, and when
    held: dict[str, bool]  #: seats with an email that is held; whether a proposal was sent
    handed_over: bool  #: from our key to another referee's, who alone can go on with it


def needs_of(folder: GameFolder, home: Home, written: Counter[str]) -> Needs:
    """``written``: how many letters lie in the home, by the address of who wrote them."""
    found = newest(folder, trusted_key(folder, home))
    record, seats = found.link, found.link.setup.seats
    asked = _asked(folder, found.raw, seats)
    course = _in_play(folder, record, asked) if record.dealt else _before_the_deal(folder, record)
    if gone := _handed_over(home, record):
        course = course._replace(waits_for=(), ready=False)
    return Needs(
        record,
        asked,
        behind=_behind(home, record, found.raw),
        course=course,
        unsent=len(folder.messages(Mark.WAITING)),
        unsure=len(folder.messages(Mark.SENDING)),
        failed=len(folder.messages(Mark.FAILED)),
        letters=letters_in(folder, seats, written),
        unreached=unreached(folder, seats),
        elsewhere={s: row for s, row in noted_of(folder, ELSEWHERE).items() if s in seats},
        held=held_emails(folder, record),
        handed_over=gone,
    )


def _handed_over(home: Home, record: StateRecord) -> bool:
    own = own_public(home) if home.read_key("acting") is not None else b""
    acting = in_force(record.referees, record.n + 1).acting
    return acting != own and any(row.acting == own for row in record.referees)


def _behind(home: Home, record: StateRecord, raw: bytes) -> int | None:
    mark = None
    with suppress(BadInput):  # the mark is damaged: what writes says so
        mark = home.read_mark(record.game)
    here = (record.n, b64(head_of(raw)))
    return mark[0] if mark is not None and mark != here and mark[0] >= record.n else None


def _asked(folder: GameFolder, raw: bytes, seats: tuple[str, ...]) -> "Consent | None":
    """A player's copy of a game has no desk."""
    data = folder.desk_file(CONSENT)
    if not data:
        return None
    from pbem.play.consent import current  # few games ever have one

    return current(data, raw, seats)


def _in_play(folder: GameFolder, record: StateRecord, asked: "Consent | None") -> Course:
    game, view = spectators_view(record)
    outcome, questions = game.outcome(view), game.questions(view)
    waits = () if record.phase == CLOSED else waits_for(record, questions)
    seats = {one["seat"] for one in waits}
    if asked is not None:
        waits = waits_of(record, asked.given(""), "undo")
        since = dict.fromkeys((one["seat"] for one in waits), record.time)
    else:
        since = asked_since(folder, record, seats)
    dues = {row.seat: row.due for row in record.clock.seats}
    rows = [
        one | {"since": since[s], "due": dues.get(s, "")} for one in waits if (s := one["seat"])
    ]
    ready = asked is None and is_ready(folder, record, seats)
    return Course(tuple(rows), ready, outcome is not None, outcome, standings(game, view))


def _before_the_deal(folder: GameFolder, record: StateRecord) -> Course:
    """Whose answers are missing: as far as the desk is here, else all that are asked."""
    from pbem.play.joining import opening  # once in a game

    over, answers = record.phase == CLOSED, folder.hand(record.n)
    no = opening.declined_in(answers, record)
    seats = () if over else opening.waited_for(record, opening.answers_in(answers, record) | no)
    waits = [one | {"since": record.time, "due": ""} for one in opening.waits_for(record, seats)]
    return Course(tuple(waits), not (over or seats or no), over, declined=no)
