"""A state as a document: the fields of every state, and reading them strictly.

Not allowed here: keys, signatures; the rules and options of a game; a hidden value in the
clear; a kind of ruling (chain/rulings/kinds.py checks those).
Law: ``read_record(write_record(record)) == record``. Unknown and missing keys are refused, with
their path.
Source: docs/SPECIFICATION.md sections 5 and 9 (rulings).
"""

import functools
import re
from typing import Any, NamedTuple

from pbem.chain import rows
from pbem.chain.clock import Clock, check_instant, read_clock, write_clock
from pbem.chain.names import find_names_fault
from pbem.chain.people import (
    CLASSES,
    OPENED_ROW,
    PEOPLE,
    OpenedContribution,
    RosterEntry,
    SeatedPlayer,
    read_roster_entry,
)
from pbem.chain.referees import REFEREES, RefereeKeys, check_succession
from pbem.chain.rows import BYTES_32, NUMBER, TEXT, WORD, Cell, RowFormat, check_one_line, choice_cell
from pbem.chain.ruling_row import RESTORE_NAME, Ruling, read_ruling
from pbem.chain.sources import Source, source_of
from pbem.crypto.encoding import b64, unb64
from pbem.engine.decision import ALL, Event, parse_event
from pbem.engine.settings import ARCHIVE_ATTACHED, Config, is_seat_name
from pbem.errors import BadInput
from pbem.formats.toml import TableReader
from pbem.notation.asks import VOTES

#: the phases of states 0, 1 and 2; every later state is "play"
PHASES = ("genesis", "roster", "deal", "play")
#: the number of the state with the deal, the first that can have a ruling or be undone
DEAL = PHASES.index("deal")
#: the phase of the last state of a game that was cancelled or closed: it reveals the secret
CLOSED = "closed"
MAX_STATES = 999_999
MAX_WORD_LENGTH = 60  #: characters in the name of a game or of a version


class Setup(NamedTuple):
    """What the genesis settles. It is part of every state and never changes."""

    kind: str
    rules_version: str
    version: str  #: version of the package that has the game
    seats: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    commit: bytes  #: commitment to the game's secret
    round: int
    previous: str  #: hash (b64) of the genesis that this one replaces, or "none"


class SealedValue(NamedTuple):
    """A hidden value in a state: its slot, its commitment, and its token in this state."""

    slot: str
    commitment: bytes
    token: str


class Opening(NamedTuple):
    """A value that was hidden and is now public; anyone can check it against ``commitment``."""

    slot: str
    value: str
    key: bytes
    commitment: bytes


class OrderEntry(NamedTuple):
    """An order that was played, as everybody may read it; the order itself is committed and sealed."""

    seat: str
    source: str
    commitment: bytes
    token: str
    public_words: str


class Vote(NamedTuple):
    """A signed answer to a ruling by a player with a key."""

    seat: str
    answer: str  #: YES or NO
    signature: bytes


class StateRecord(NamedTuple):
    """The parsed document of a signed state. ``position`` is the game's own public part."""

    n: int
    game: str  #: id of the game; "" in the genesis, from whose hash it is made
    previous_hash: str  #: hash of the state before, b64; "" in the genesis
    phase: str
    time: str
    setup: Setup
    referees: tuple[RefereeKeys, ...]  #: whose keys sign, and from which state on
    wrapped_secrets: tuple[tuple[str, bytes], ...]  #: (key id, the secret wrapped for that referee)
    people: tuple[SeatedPlayer, ...]  #: in the order of the seats
    restored_hash: bytes = b""  #: hash of the newest earlier state with a ruling `restore`
    roster: tuple[RosterEntry, ...] = ()  #: in state 1: what each seat answered to the invitation
    opened_contributions: tuple[OpenedContribution, ...] = ()  #: in state 2: the contributions, opened
    contributions: tuple[tuple[str, str], ...] = ()  #: (seat, class), from the deal on
    secret: bytes = b""  #: the game's secret, in the state that closes the game
    answer_counts: tuple[tuple[str, int], ...] = ()  #: (seat, how many of its questions are answered)
    pending_commitments: tuple[tuple[str, bytes], ...] = ()  #: (seat, commitment to its pending orders before)
    state_hashes: tuple[tuple[int, bytes], ...] = ()  #: (state that created a slot, hash of the state before it)
    replaced_slots: tuple[tuple[str, str], ...] = ()  #: (slot, slot that replaces it since a correction)
    sealed_values: tuple[SealedValue, ...] = ()
    new_commitments: tuple[tuple[str, bytes], ...] = ()  #: (slot created in this state, its commitment)
    openings: tuple[Opening, ...] = ()
    entries: tuple[OrderEntry, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    consents: tuple[Vote, ...] = ()  #: to the ruling: votes of the seats with a key that must agree
    events: tuple[Event, ...] = ()
    clock: Clock = Clock()
    position: dict[str, Any] = {}  # noqa: RUF012 - never changed; empty before the deal

    @property
    def options(self) -> dict[str, str]:
        """The options that the referee chose, and what happens on a missed turn."""
        return {**dict(self.setup.options), "missed": self.clock.missed}

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names in the order of the seats."""
        return tuple(player.name for player in self.people)

    def latest_restored_hash(self, state_hash: bytes) -> bytes:
        """Return the hash of the newest state with a ruling `restore`, up to this one; b"" if none.
        ``state_hash`` is the hash of this state.
        """
        return state_hash if any(ruling.name == RESTORE_NAME for ruling in self.rulings) else self.restored_hash

    def current_slot(self, slot: str) -> str:
        """Return the slot that now holds what the game calls ``slot``."""
        return dict(self.replaced_slots).get(slot, slot)

    @property
    def is_dealt(self) -> bool:
        """Whether there is a position, as in every state from the deal on."""
        return bool(self.position)

    def player(self, seat: str) -> SeatedPlayer:
        return self.people[self.setup.seats.index(seat)]

    def sources(self, seat: str | None) -> list[Source]:
        """Return where each order of a seat came from."""
        return [source_of(entry.source) for entry in self.entries if entry.seat == seat]


def _check_source(text: str) -> str:
    source_of(text)  # raises LookupError if there is no such source
    return text


_SLOT = re.compile(r"[1-9][0-9]{0,5}/(?!(?:order|hand)/)[a-z0-9-]{1,60}(?:/[a-z0-9-]{1,60}){1,2}")


@functools.lru_cache(4096)
def _check_slot(text: str) -> str:
    """Return a slot of a hidden value; orders and pending orders have slots that no row contains."""
    if not _SLOT.fullmatch(text):
        raise ValueError(text)
    return text


SLOT = Cell(read=_check_slot)
COMMITMENT, SOURCE, PAIR = ("C", BYTES_32), ("source", Cell(read=_check_source)), tuple
KEY_NAME = Cell(read=lambda text: b64(unb64(text, 16)))
WRAPS = RowFormat("wraps", PAIR, ("key's-name", KEY_NAME), ("wrap", rows.bytes_cell(80)), field="wrapped_secrets")
CONTRIBUTIONS = RowFormat("contributions", PAIR, ("seat", WORD), ("class", choice_cell(CLASSES)))
ANSWERED = RowFormat("answered", PAIR, ("seat", WORD), ("number", NUMBER), field="answer_counts")
PENDING = RowFormat("hands", PAIR, ("seat", WORD), COMMITMENT, field="pending_commitments")
STATE_HASHES = RowFormat("heads", PAIR, ("m", NUMBER), ("head", BYTES_32), field="state_hashes")
REPLACED = RowFormat("replaced", PAIR, ("slot", SLOT), ("slot", SLOT), field="replaced_slots")
SEALED = RowFormat("sealed", SealedValue, ("slot", SLOT), COMMITMENT, ("token", WORD), field="sealed_values")
COMMITS = RowFormat("commits", PAIR, ("slot", SLOT), COMMITMENT, field="new_commitments")
OPENINGS = RowFormat("openings", Opening, ("slot", SLOT), ("value", WORD), ("k", BYTES_32), COMMITMENT)
ENTRIES = RowFormat("entries", OrderEntry, ("seat", WORD), SOURCE, COMMITMENT, ("token", WORD), ("words", TEXT))
CONSENTS = RowFormat("consents", Vote, ("seat", WORD), ("answer", choice_cell(VOTES)), ("sig", rows.BYTES_64))
#: the rows of every dealt state, in order; OPTIONAL_ROWS may be absent
DEALT_ROWS = (
    CONTRIBUTIONS, ANSWERED, PENDING, STATE_HASHES, REPLACED, SEALED, COMMITS, OPENINGS, ENTRIES, CONSENTS,
)  # fmt: skip
OPTIONAL_ROWS = (REPLACED, CONSENTS)
SORTED_ROWS = (STATE_HASHES, REPLACED, SEALED, COMMITS, OPENINGS)


def config_of(record: StateRecord) -> Config:
    """Return the seats, the game's own options and its rules version, which the genesis settled."""
    options = tuple(option for option in record.setup.options if option != ARCHIVE_ATTACHED)
    return Config(record.setup.seats, options, record.setup.rules_version)


def write_record(record: StateRecord) -> dict[str, Any]:
    """Return the document of a record, its keys in the order of the specification."""
    restored_field = {"restored": b64(record.restored_hash)} if record.restored_hash else {}
    chain_fields = {"game": record.game, "prev": record.previous_hash, **restored_field} if record.n else {}
    document: dict[str, Any] = {"pbem": 1, "n": record.n, **chain_fields}
    document |= {"phase": record.phase, "time": record.time}
    document |= {
        "referees": REFEREES.write_rows(record.referees),
        "wraps": WRAPS.write_rows(record.wrapped_secrets),
        "people": PEOPLE.write_rows(record.people),
    }
    if record.roster:
        document["roster"] = [roster_entry.row() for roster_entry in record.roster]
    if record.phase == PHASES[DEAL]:
        document["opened"] = OPENED_ROW.write_rows(record.opened_contributions)
    if record.secret:
        document["secret"] = b64(record.secret)
    if record.is_dealt:
        for row_format in DEALT_ROWS:
            values = getattr(record, row_format.field)
            if values or row_format not in OPTIONAL_ROWS:
                ordered = sorted(values) if row_format in SORTED_ROWS else values
                document[row_format.key] = row_format.write_rows(ordered)
        document["events"] = [event.row() for event in record.events]
    if record.is_dealt or record.phase == CLOSED:
        document["rulings"] = [ruling.row() for ruling in record.rulings]
    document["setup"] = write_setup(record.setup)
    document["clock"] = write_clock(record.clock)
    if record.is_dealt:
        document["position"] = dict(sorted(record.position.items()))
    return document


def write_setup(setup: Setup) -> dict[str, Any]:
    return {
        "kind": setup.kind,
        "rulings": setup.rules_version,
        "version": setup.version,
        "seats": list(setup.seats),
        "options": [f"{name}={value}" for name, value in setup.options],
        "commit": b64(setup.commit),
        "round": setup.round,
        "previous": setup.previous,
    }


def read_record(document: dict[str, Any], where: str = "") -> StateRecord:
    """Return the record of a document; BadInput ``document/…`` names the fault and its place.
    ``where`` is what error messages call the state.
    """
    number = document.get("n")
    where = where or (f"state {number}" if isinstance(number, int) else "state")
    reader = TableReader(document, where)
    try:
        record = _read_frame(reader, where)
        if record.phase in PHASES[DEAL:] or (record.phase == CLOSED and record.n > DEAL):
            record = _read_dealt(record, reader, document, where)
        reader.refuse_unknown_keys()
        _check_seats(record)
        check_succession(record.referees, record.game, record.n)
    except (ValueError, IndexError) as error:
        message = f"{where}: a row is not of the expected shape"
        raise BadInput("document/row", message, rows.GET_AGAIN_HINT) from error
    return record


def _read_frame(reader: TableReader, where: str) -> StateRecord:
    """Read what every state has, before the deal and after it."""
    reader.number("pbem", 1, 1)
    number = reader.number("n", 0, MAX_STATES)
    phase = reader.text("phase")
    if phase != PHASES[min(number, 3)] and not (phase == CLOSED and number):
        raise BadInput("document/phase", f"state {number} calls itself {phase[:20]!r}", rows.GET_AGAIN_HINT)
    has_rulings = phase in (*PHASES[DEAL:], CLOSED)
    setup = _read_setup(reader.table("setup"))
    return StateRecord(
        n=number,
        game=reader.text("game") if number else "",
        previous_hash=b64(unb64(reader.text("prev"), 32)) if number else "",
        phase=phase,
        time=_read_time(reader.text("time"), number),
        referees=REFEREES.read_rows(reader.rows("referees"), where),
        wrapped_secrets=WRAPS.read_rows(reader.rows("wraps"), where),
        people=PEOPLE.read_rows(reader.rows("people"), where),
        roster=tuple(map(read_roster_entry, reader.rows("roster"))) if phase == PHASES[1] else (),
        opened_contributions=OPENED_ROW.read_rows(reader.rows("opened"), where) if phase == PHASES[DEAL] else (),
        restored_hash=unb64(reader.text("restored"), 32) if number and reader.has_key("restored") else b"",
        secret=unb64(reader.text("secret"), 32) if phase == CLOSED else b"",
        rulings=tuple(map(read_ruling, reader.rows("rulings"))) if has_rulings else (),
        setup=setup,
        clock=read_clock(reader.table("clock"), setup.seats, where),
    )


def _read_time(text: str, number: int) -> str:
    try:
        return check_instant(text)
    except ValueError:
        message = f"state {number}: its time is not like 2026-11-21T09:45:00Z"
        raise BadInput("document/time", message, rows.GET_AGAIN_HINT) from None


def _read_setup(reader: TableReader) -> Setup:
    options = [check_one_line(row).partition("=") for row in reader.rows("options")]
    if len({name for name, sign, _ in options if name and sign and " " not in name}) < len(options):
        raise ValueError("options")
    previous = reader.text("previous")
    setup = Setup(
        kind=_word(reader.text("kind")),
        rules_version=_word(reader.text("rulings")),
        version=_word(reader.text("version")),
        seats=tuple(reader.rows("seats")),
        options=tuple((name, value) for name, _, value in options),
        commit=unb64(reader.text("commit"), 32),
        round=reader.number("round", 1, 999),
        previous=previous if previous == "none" else b64(unb64(previous, 32)),
    )
    reader.refuse_unknown_keys()
    if (setup.round == 1) != (setup.previous == "none"):
        raise ValueError("round")
    return setup


def _word(text: str) -> str:
    """Return a name that contains no blanks; ValueError if it is not one."""
    if not 0 < len(text) <= MAX_WORD_LENGTH or " " in text:
        raise ValueError(text)
    return check_one_line(text)


def _check_seats(record: StateRecord) -> None:
    """Raise ValueError unless each seat has one player, in turn order, and no row names an unknown seat.

    Seats and players must also have proper names.
    """
    seats = record.setup.seats
    seats_of_players = tuple(player.seat for player in record.people)
    contributing_seats = {row.seat for row in record.roster} | {row.seat for row in record.opened_contributions}
    has_duplicates = len(set(seats)) < len(seats)
    if not seats or has_duplicates or not all(map(is_seat_name, seats)):
        raise ValueError("seats")
    if seats_of_players != seats or not contributing_seats <= set(seats):
        raise ValueError("seats")
    if find_names_fault(record.names, seats):
        raise ValueError("names")


def _read_dealt(record: StateRecord, reader: TableReader, document: dict[str, Any], where: str) -> StateRecord:
    """Read what a state has from the deal on."""
    reader.table("position")  # a table; its keys are the game's business
    present_formats = [f for f in DEALT_ROWS if f not in OPTIONAL_ROWS or reader.has_key(f.key)]
    rows_by_field: dict[str, Any] = {f.field: f.read_rows(reader.rows(f.key), where) for f in present_formats}
    events = tuple(map(parse_event, reader.rows("events")))
    dealt_record = record._replace(**rows_by_field, events=events, position=dict(document["position"]))
    if not dealt_record.is_dealt:
        raise ValueError("position")
    seats = record.setup.seats
    for seat_rows in (dealt_record.contributions, dealt_record.answer_counts, dealt_record.pending_commitments):
        if tuple(seat for seat, _ in seat_rows) != seats:
            raise ValueError("seats")
    scored_seats = {recipient for event in events for recipient, _ in event.points}
    informed_seats = {recipient for event in events for recipient, slot in event.opens if _check_slot(slot)} - {ALL}
    if not {entry.seat for entry in dealt_record.entries} | scored_seats | informed_seats <= {*seats}:
        raise ValueError("seats")
    return dealt_record
