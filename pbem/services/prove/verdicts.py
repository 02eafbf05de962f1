"""The verdicts of ``pbem verify``: their sentences, and how they are written as JSON.

Not allowed here: files, and what makes anything genuine (proof/verify).
Source: docs/json.schema.json.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from pbem.engine.row import N_
from pbem.errors import PbemError, Refused
from pbem.proof.verify.verify import fault_kind_of

GENUINE_ARCHIVE = N_(
    "genuine: an archive of game {game}, states 0 to {last}, {openings} openings, signed by key {key}, state {last} in "
    "words: {words}; rules and orders are not checked here: pbem audit {path} does that"
)
GENUINE_GAME = N_(
    "genuine: game {game}, states {first} to {last}, {openings} openings, signed by key {key}, "
    "state {last} in words: {words}"
)
GENUINE_GAME_ONE_OPENING = N_(
    "genuine: game {game}, states {first} to {last}, 1 opening, signed by key {key}, state {last} in words: {words}"
)
RULINGS = N_("; rulings of the referee: {rulings}")
STATES_MISSING = N_("; states before {first} are missing and were not checked")
GENUINE_STATE = N_("genuine: state {n} of game {game}, signed by key {key}; the states before it were not checked")
GENUINE_BLOCK = N_("its signed block is genuine: {text}")
GENUINE_BLOCKS = N_("its signed blocks are genuine: {text}")
UNSIGNED_ABOVE = N_("; only the block at its foot is signed, not the text above")
UNREAD_PARTS = N_("; in it there are also {parts}")
NO_BLOCK = N_("it has no signed block: nothing was compared")
FILE_MISSING = N_("; {name} is not beside it, and was not compared")
FILE_DIFFERS = N_("; {name} beside it is NOT the file that came with it")
FILE_SAME = N_("; {name} beside it is the file that came with it; what it says was not checked")
REPORT_MISSING = N_("; no report of state {first} for {seat} was given with it")
REPORTS_MISSING = N_("; no report of states {first} to {last} for {seat} was given with it")


class ChainFacts(NamedTuple):
    """The facts about a chain of states, as JSON has them."""

    game: str
    first: int
    last: int
    openings: int
    words: str  #: the check words of the last state
    rulings: list[str]


class StateFacts(NamedTuple):
    """The facts about a single state."""

    game: str
    n: int


class ReportFacts(NamedTuple):
    """The facts about the first report in a file."""

    game: str
    n: int
    seat: str


class ReceiptFacts(NamedTuple):
    """The facts about the first receipt in a file."""

    game: str
    nr: int
    seat: str


class ReportedSpan(NamedTuple):
    """The states about which a report informs its seat."""

    game: str
    seat: str
    first: int
    last: int


class Verdict(NamedTuple):
    """The verdict on one path."""

    path: str
    verdict: str
    text: str
    facts: ChainFacts | StateFacts | ReportFacts | ReceiptFacts | None = None
    code: str = ""
    exit_code: int = 0
    kind: str = ""  #: the kind of fault (SPECIFICATION section 12); "" if the path is genuine
    is_by_another_key: bool = False  #: another file has the same state, signed by another key
    spans: tuple[ReportedSpan, ...] = ()  #: of the reports in it

    def plus(self, text: str) -> "Verdict":
        """Return the same with more text after its own."""
        return self._replace(text=self.text + text)

    def plain(self) -> dict[str, Any]:
        """Return the verdict as ``--json`` writes it."""
        row: dict[str, Any] = {"path": self.path, "verdict": self.verdict}
        if self.facts:
            row |= self.facts._asdict()
        if self.code:
            row["code"] = self.code
        row["says"] = self.text
        if self.kind:
            row["kind"] = self.kind
        if self.is_by_another_key:
            row["code"] = "verify/other-key"
        return row


LOST, NOT_GENUINE, UNREADABLE = "lost", "not genuine", "unreadable"


def refused(path: str, error: Refused) -> Verdict:
    """Return the verdict "lost" if a ruling says that the path was lost, or else "not genuine"."""
    if error.code == "verify/lost":
        return _faulty(path, LOST, error, f"LOST: {error.as_line()}")
    return _faulty(path, NOT_GENUINE, error, f"NOT genuine: {error.as_line()}")


def unreadable(path: str, error: PbemError) -> Verdict:
    return _faulty(path, UNREADABLE, error, error.as_line())


def _faulty(path: str, verdict: str, error: PbemError, text: str) -> Verdict:
    return Verdict(path, verdict, text, code=error.code, kind=fault_kind_of(error), exit_code=error.exit_code)


def with_missing_reports(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Add to the verdicts where a report of a seat is missing between those that were given."""
    notes = defaultdict[int, str](str)
    spans_by_seat = defaultdict[tuple[str, str], list[tuple[ReportedSpan, int]]](list)
    for index, verdict in enumerate(verdicts):
        for span in verdict.spans:
            spans_by_seat[span.game, span.seat].append((span, index))
    for spans in spans_by_seat.values():
        last_reported = min(span.first for span, _ in spans)  # whatever came before the first report is not missed
        for span, index in sorted(spans):
            first_missing, last_missing = last_reported + 1, span.first - 1
            if first_missing <= last_missing:
                sentence = REPORT_MISSING if first_missing == last_missing else REPORTS_MISSING
                notes[index] += sentence.format(first=first_missing, last=last_missing, seat=span.seat)
            last_reported = max(last_reported, span.last)
    return [verdict.plus(notes[index]) for index, verdict in enumerate(verdicts)]
