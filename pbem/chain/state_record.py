"""A state as a document: what stands in every link, and reading it back strictly.

What lives here: Setup, Sealed, Link and their rows (of a ruling: ruling.py). What must never be
here: keys, signatures, the rules of a game and what its options mean, a hidden value in the clear;
a kind of ruling: whoever checks a chain asks the table of them (``checked`` in
chain/rulings/kinds.py).
Law: ``read(write(link)) == link``; unknown or missing keys are refused with their path.
Source: docs/SPECIFICATION.md sections 5 and 9 (rulings).
"""

import functools
import re
from typing import Any, NamedTuple

from pbem.chain import rows
from pbem.chain.clock import Clock, instant, read_clock, write_clock
from pbem.chain.contributions import CLASSES, OPENED_ROW, Joined, Opened, read_joined
from pbem.chain.names import wrong_names
from pbem.chain.people import PEOPLE, Seated
from pbem.chain.referees import REFEREES, Referees, refuse_wrong
from pbem.chain.rows import BYTES_32, NUMBER, TEXT, WORD, Cell, Shape, among, one_line
from pbem.chain.ruling_row import GONE_ON, Ruling, read_ruling
from pbem.chain.sources import Source, source_of
from pbem.crypto.encoding import b64, unb64
from pbem.engine.decision import ALL, Event, read_event
from pbem.engine.settings import Config, is_seat
from pbem.errors import BadInput
from pbem.formats.toml import TableReader
from pbem.notation.asks import VOTES

#: what kind of link it is, by the first numbers of the chain; every later one is "play"
PHASES = ("genesis", "roster", "deal", "play")
#: the number of the state with the deal: nothing before it is taken back, or has a ruling
DEAL = PHASES.index("deal")
#: the last link of a game that was given up, or closed: it opens the secret
CLOSED = "closed"
MOST_LINKS = 999_999
LONGEST_WORD = 60  #: letters of a kind, a version


class Setup(NamedTuple):
    """What was settled in the genesis and stands in every state; nothing of it ever changes."""

    kind: str
    rulings: str
    version: str  #: of the package the game comes from
    seats: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    commit: bytes  #: commitment to the game's secret
    round: int
    previous: str  #: head (b64) of the genesis that this one replaces, or "none"


class Sealed(NamedTuple):
    """A hidden value in a state: its slot, its commitment, its token of this link."""

    slot: str
    commitment: bytes
    token: str


class Opening(NamedTuple):
    """What was hidden and is now open: anybody checks (slot, value, k) against ``commitment``."""

    slot: str
    value: str
    k: bytes
    commitment: bytes


class Entry(NamedTuple):
    """One order used in a link, as all may read it; the order itself is committed and sealed."""

    seat: str
    source: str
    commitment: bytes
    token: str
    words: str


class Vote(NamedTuple):
    """What the player of a seat with a key answered, signed, before a ruling."""

    seat: str
    answer: str  #: YES or NO
    sig: bytes


class StateRecord(NamedTuple):
    """One state, read. ``position`` is the game's own public part."""

    n: int
    game: str  #: "" in the genesis, whose hash is the game
    prev: str  #: head of the link before, b64; "" in the genesis
    phase: str
    time: str
    setup: Setup
    referees: tuple[Referees, ...]  #: who may sign, from which state on
    wraps: tuple[tuple[str, bytes], ...]  #: (key id, the secret wrapped to that referee)
    people: tuple[Seated, ...]  #: in the order of seats
    restored: bytes = b""  #: head of the newest state before it with a ruling GONE_ON
    roster: tuple[Joined, ...] = ()  #: in link 1: what each seat answered
    opened: tuple[Opened, ...] = ()  #: in link 2: the contributions, opened
    contributions: tuple[tuple[str, str], ...] = ()  #: (seat, class), from the deal on
    secret: bytes = b""  #: the game's secret, in the link that closes it
    answered: tuple[tuple[str, int], ...] = ()  #: questions of each seat answered so far
    hands: tuple[tuple[str, bytes], ...] = ()  #: (seat, C of its waiting orders before this link)
    heads: tuple[tuple[int, bytes], ...] = ()  #: (link that made a slot, head of the one before)
    replaced: tuple[tuple[str, str], ...] = ()  #: (slot of the game, slot that stands in for it)
    sealed: tuple[Sealed, ...] = ()
    commits: tuple[tuple[str, bytes], ...] = ()  #: of the slots made in this link
    openings: tuple[Opening, ...] = ()
    entries: tuple[Entry, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    consents: tuple[Vote, ...] = ()  #: to the ruling, of the seats with a key that it asks
    events: tuple[Event, ...] = ()
    clock: Clock = Clock()
    position: dict[str, Any] = {}  # noqa: RUF012  (never changed; empty before the deal)

    @property
    def options(self) -> dict[str, str]:
        """What the referee chose: the game's options, and what a missed turn is."""
        return {**dict(self.setup.options), "missed": self.clock.missed}

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, in the order of seats."""
        return tuple(player.name for player in self.people)

    def knows(self, head: bytes) -> bytes:
        """The head of the newest state with a ruling GONE_ON, b"" if none; ``head``: its own."""
        return head if any(one.name == GONE_ON for one in self.rulings) else self.restored

    def stands_for(self, slot: str) -> str:
        """The slot that holds what the game calls ``slot``: another one, if it was corrected."""
        return dict(self.replaced).get(slot, slot)

    @property
    def dealt(self) -> bool:
        """Whether there is a position: from the deal on."""
        return bool(self.position)

    def player(self, seat: str) -> Seated:
        return self.people[self.setup.seats.index(seat)]

    def sources(self, seat: str | None) -> list[Source]:
        """How each order of a seat came."""
        return [source_of(entry.source) for entry in self.entries if entry.seat == seat]


def _source(text: str) -> str:
    source_of(text)  # LookupError where there is none
    return text


_SLOT = re.compile(r"[1-9][0-9]{0,5}/(?!(?:order|hand)/)[a-z0-9-]{1,60}(?:/[a-z0-9-]{1,60}){1,2}")


@functools.lru_cache(4096)
def _slot(text: str) -> str:
    """That of a hidden thing; orders and hands have theirs, which stand in no row."""
    if not _SLOT.fullmatch(text):
        raise ValueError(text)
    return text


SLOT = Cell(read=_slot)
C, SOURCE, PAIR = ("C", BYTES_32), ("source", Cell(read=_source)), tuple
KEY_NAME = Cell(read=lambda text: b64(unb64(text, 16)))
WRAPS = Shape("wraps", PAIR, ("key's-name", KEY_NAME), ("wrap", rows.of_bytes(80)))
CONTRIBUTIONS = Shape("contributions", PAIR, ("seat", WORD), ("class", among(CLASSES)))
ANSWERED = Shape("answered", PAIR, ("seat", WORD), ("number", NUMBER))
HANDS = Shape("hands", PAIR, ("seat", WORD), C)
HEADS = Shape("heads", PAIR, ("m", NUMBER), ("head", BYTES_32))
REPLACED = Shape("replaced", PAIR, ("slot", SLOT), ("slot", SLOT))
SEALED = Shape("sealed", Sealed, ("slot", SLOT), C, ("token", WORD))
COMMITS = Shape("commits", PAIR, ("slot", SLOT), C)
OPENINGS = Shape("openings", Opening, ("slot", SLOT), ("value", WORD), ("k", BYTES_32), C)
ENTRIES = Shape("entries", Entry, ("seat", WORD), SOURCE, C, ("token", WORD), ("words", TEXT))
CONSENTS = Shape("consents", Vote, ("seat", WORD), ("answer", among(VOTES)), ("sig", rows.BYTES_64))
#: the rows of every dealt state, in their order; those of MAYBE only where something is
DEALT = (
    CONTRIBUTIONS, ANSWERED, HANDS, HEADS, REPLACED, SEALED, COMMITS, OPENINGS, ENTRIES, CONSENTS,
)  # fmt: skip
MAYBE = (REPLACED, CONSENTS)
SETS = (HEADS, REPLACED, SEALED, COMMITS, OPENINGS)


def config_of(record: StateRecord) -> Config:
    """Seats, options and rulings as they were settled in the genesis."""
    return Config(record.setup.seats, record.setup.options, record.setup.rulings)


def write_link(record: StateRecord) -> dict[str, Any]:
    """The document of a link, in the order of the specification; rows that are a set are sorted."""
    restored = {"restored": b64(record.restored)} if record.restored else {}
    chained = {"game": record.game, "prev": record.prev, **restored} if record.n else {}
    document: dict[str, Any] = {"pbem": 1, "n": record.n, **chained}
    document |= {"phase": record.phase, "time": record.time}
    document |= {
        "referees": REFEREES.rows(record.referees),
        "wraps": WRAPS.rows(record.wraps),
        "people": PEOPLE.rows(record.people),
    }
    if record.roster:
        document["roster"] = [joined.row() for joined in record.roster]
    if record.phase == PHASES[DEAL]:
        document["opened"] = OPENED_ROW.rows(record.opened)
    if record.secret:
        document["secret"] = b64(record.secret)
    if record.dealt:
        for shape in DEALT:
            values = getattr(record, shape.key)
            if values or shape not in MAYBE:
                ordered = sorted(values) if shape in SETS else values
                document[shape.key] = shape.rows(ordered)
        document["events"] = [event.row() for event in record.events]
    if record.dealt or record.phase == CLOSED:
        document["rulings"] = [made.row() for made in record.rulings]
    document["setup"] = write_setup(record.setup)
    document["clock"] = write_clock(record.clock)
    if record.dealt:
        document["position"] = dict(sorted(record.position.items()))
    return document


def write_setup(setup: Setup) -> dict[str, Any]:
    return {
        "kind": setup.kind,
        "rulings": setup.rulings,
        "version": setup.version,
        "seats": list(setup.seats),
        "options": [f"{name}={value}" for name, value in setup.options],
        "commit": b64(setup.commit),
        "round": setup.round,
        "previous": setup.previous,
    }


def read_link(document: dict[str, Any], where: str = "") -> StateRecord:
    """The link of a document; BadInput ``document/…`` names what is wrong and where."""
    where = where or (f"state {n}" if isinstance(n := document.get("n"), int) else "state")
    reader = TableReader(document, where)
    try:
        record = _read_frame(reader, where)
        if record.phase in PHASES[DEAL:] or (record.phase == CLOSED and record.n > DEAL):
            record = _read_dealt(record, reader, document, where)
        reader.done()
        _check_seats(record)
        refuse_wrong(record.referees, record.game, record.n)
    except (ValueError, IndexError) as error:
        wrong = f"{where}: a row is not of the expected shape"
        raise BadInput("document/row", wrong, rows.AGAIN) from error
    return record


def _read_frame(reader: TableReader, where: str) -> StateRecord:
    """What every state has, dealt or not."""
    reader.number("pbem", 1, 1)
    n = reader.number("n", 0, MOST_LINKS)
    phase = reader.text("phase")
    if phase != PHASES[min(n, 3)] and not (phase == CLOSED and n):
        raise BadInput("document/phase", f"state {n} calls itself {phase[:20]!r}", rows.AGAIN)
    ruled = phase in (*PHASES[DEAL:], CLOSED)
    return StateRecord(
        n=n,
        game=reader.text("game") if n else "",
        prev=b64(unb64(reader.text("prev"), 32)) if n else "",
        phase=phase,
        time=_read_time(reader.text("time"), n),
        referees=REFEREES.read(reader.rows("referees"), where),
        wraps=WRAPS.read(reader.rows("wraps"), where),
        people=PEOPLE.read(reader.rows("people"), where),
        roster=tuple(map(read_joined, reader.rows("roster"))) if phase == PHASES[1] else (),
        opened=OPENED_ROW.read(reader.rows("opened"), where) if phase == PHASES[DEAL] else (),
        restored=unb64(reader.text("restored"), 32) if n and reader.has("restored") else b"",
        secret=unb64(reader.text("secret"), 32) if phase == CLOSED else b"",
        rulings=tuple(map(read_ruling, reader.rows("rulings"))) if ruled else (),
        setup=(setup := _read_setup(reader.table("setup"))),
        clock=read_clock(reader.table("clock"), setup.seats, where),
    )


def _read_time(text: str, n: int) -> str:
    try:
        return instant(text)
    except ValueError:
        wrong = f"state {n}: its time is not like 2026-11-21T09:45:00Z"
        raise BadInput("document/time", wrong, rows.AGAIN) from None


def _read_setup(reader: TableReader) -> Setup:
    options = [one_line(row).partition("=") for row in reader.rows("options")]
    if len({name for name, sign, _ in options if name and sign and " " not in name}) < len(options):
        raise ValueError("options")
    previous = reader.text("previous")
    setup = Setup(
        kind=_word(reader.text("kind")),
        rulings=_word(reader.text("rulings")),
        version=_word(reader.text("version")),
        seats=tuple(reader.rows("seats")),
        options=tuple((name, value) for name, _, value in options),
        commit=unb64(reader.text("commit"), 32),
        round=reader.number("round", 1, 999),
        previous=previous if previous == "none" else b64(unb64(previous, 32)),
    )
    reader.done()
    if (setup.round == 1) != (setup.previous == "none"):
        raise ValueError("round")
    return setup


def _word(text: str) -> str:
    """A name that people read; ValueError where it is none."""
    if not 0 < len(text) <= LONGEST_WORD or " " in text:
        raise ValueError(text)
    return one_line(text)


def _check_seats(record: StateRecord) -> None:
    """Whatever is said of each seat is said of each once, in turn order; ValueError where not."""
    seats = record.setup.seats
    seated = tuple(player.seat for player in record.people)
    given = {row.seat for row in record.roster} | {row.seat for row in record.opened}
    if not seats or seated != seats or len(set(seats)) != len(seats) or given - {*seats}:
        raise ValueError("seats")
    if not all(map(is_seat, seats)):
        raise ValueError("seats")
    if wrong_names(record.names, seats):
        raise ValueError("names")


def _read_dealt(
    record: StateRecord, reader: TableReader, document: dict[str, Any], where: str
) -> StateRecord:
    """What a state has from the deal on."""
    reader.table("position")  # a table; its keys are the game's business
    shapes = [shape for shape in DEALT if shape not in MAYBE or reader.has(shape.key)]
    found: dict[str, Any] = {s.key: s.read(reader.rows(s.key), where) for s in shapes}
    events = tuple(map(read_event, reader.rows("events")))
    dealt = record._replace(**found, events=events, position=dict(document["position"]))
    if not dealt.dealt:
        raise ValueError("position")
    seats = record.setup.seats
    for told in (dealt.contributions, dealt.answered, dealt.hands):
        if tuple(seat for seat, _ in told) != seats:
            raise ValueError("seats")
    scored = {who for event in events for who, _ in event.points}
    shown = {who for event in events for who, slot in event.opens if _slot(slot)} - {ALL}
    if not {entry.seat for entry in dealt.entries} | scored | shown <= {*seats}:
        raise ValueError("seats")
    return dealt
