"""A state as a document: what stands in every link, and reading it back strictly.

What lives here: Setup, Sealed, Link and their rows. What must never be here: keys, signatures, the
rules of a game, a hidden value in the clear.
Law: ``read(write(link)) == link``; unknown or missing keys are refused with their path.
Source: docs/SPECIFICATION.md section 5; FORMAT.md.
"""

import functools
from typing import Any, NamedTuple

from pbem.crypto.encoding import b64, unb64
from pbem.engine.event import Event, read_event
from pbem.engine.settings import Config
from pbem.errors import BadInput
from pbem.files.toml_text import TableReader
from pbem.moderator.chain import people
from pbem.moderator.chain.people import (
    Joined,
    Opened,
    Referees,
    Seated,
    read_number,
    read_referees,
    read_time,
)
from pbem.moderator.chain.ruling import Ruling, read_ruling
from pbem.moderator.chain.setup import Setup, read_setup, write_setup

#: what kind of link it is, by the first numbers of the chain; every later one is "play"
PHASES = ("genesis", "roster", "deal", "play")
#: the last link of a game that was given up, or closed: it opens the secret
CLOSED = "closed"
MOST_LINKS = 999_999


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


class Link(NamedTuple):
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
    roster: tuple[Joined, ...] = ()  #: in link 1: what each seat answered
    opened: tuple[Opened, ...] = ()  #: in link 2: the contributions, opened
    contributions: tuple[tuple[str, str], ...] = ()  #: (seat, class), from the deal on
    secret: bytes = b""  #: the game's secret, in the link that closes it
    answered: tuple[tuple[str, int], ...] = ()  #: questions of each seat answered so far
    heads: tuple[tuple[int, bytes], ...] = ()  #: (link that made a slot, head of the one before)
    replaced: tuple[tuple[str, str], ...] = ()  #: (slot of the game, slot that stands in for it)
    sealed: tuple[Sealed, ...] = ()
    commits: tuple[tuple[str, bytes], ...] = ()  #: of the slots made in this link
    openings: tuple[Opening, ...] = ()
    entries: tuple[Entry, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    events: tuple[Event, ...] = ()
    position: dict[str, Any] = {}  # noqa: RUF012  (never changed; empty before the deal)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, in the order of seats."""
        return tuple(player.name for player in self.people)

    def stands_for(self, slot: str) -> str:
        """The slot that holds what the game calls ``slot``: another one, if it was corrected."""
        return dict(self.replaced).get(slot, slot)

    @property
    def dealt(self) -> bool:
        """Whether there is a position: from the deal on."""
        return bool(self.position)

    def player(self, seat: str) -> Seated:
        """Who sits there."""
        return self.people[self.setup.seats.index(seat)]


def config_of(link: Link) -> Config:
    """Seats, options and rulings as they were settled in the genesis."""
    return Config(link.setup.seats, link.setup.options, link.setup.rulings)


SOURCES = ("signed", "reply", "password", "typed", "forced", "default", "ruling")


def write_link(link: Link) -> dict[str, Any]:
    """The document of a link, in the order of FORMAT.md."""
    document: dict[str, Any] = {"pbem": 1, "n": link.n}
    if link.n:
        document |= {"game": link.game, "prev": link.prev}
    document |= {"phase": link.phase, "time": link.time}
    document |= {
        "referees": [row.row() for row in link.referees],
        "wraps": [f"{key} {b64(wrap)}" for key, wrap in link.wraps],
        "people": [player.row() for player in link.people],
    }
    if link.roster:
        document["roster"] = [joined.row() for joined in link.roster]
    if link.phase == PHASES[2]:
        document["opened"] = [opened.row() for opened in link.opened]
    if link.secret:
        document["secret"] = b64(link.secret)
    if link.dealt:
        document |= _write_dealt(link)
    if link.dealt or link.phase == CLOSED:
        document["rulings"] = [made.row() for made in link.rulings]
    document["setup"] = write_setup(link.setup)
    if link.dealt:
        document["position"] = link.position
    return document


def _write_dealt(link: Link) -> dict[str, Any]:
    return {
        "contributions": [f"{seat} {what}" for seat, what in link.contributions],
        "answered": [f"{seat} {number}" for seat, number in link.answered],
        "heads": [f"{n} {b64(head)}" for n, head in link.heads],
        **({"replaced": [" ".join(pair) for pair in link.replaced]} if link.replaced else {}),
        "sealed": [f"{s.slot} {b64(s.commitment)} {s.token}" for s in link.sealed],
        "commits": [f"{slot} {b64(c)}" for slot, c in link.commits],
        "openings": [f"{o.slot} {o.value} {b64(o.k)} {b64(o.commitment)}" for o in link.openings],
        "entries": [
            f"{e.seat} {e.source} {b64(e.commitment)} {e.token} {e.words}" for e in link.entries
        ],
        "events": [event.row() for event in link.events],
    }


def read_link(document: dict[str, Any], where: str = "") -> Link:
    """The link of a document; BadInput ``document/…`` names what is wrong and where."""
    where = where or (f"state {n}" if isinstance(n := document.get("n"), int) else "state")
    reader = TableReader(document, where)
    try:
        return _read(reader, document)
    except (ValueError, IndexError) as error:
        raise BadInput(
            "document/row",
            f"{where}: a row is not of the expected shape",
            "take the file again from where it came",
        ) from error


def _read(reader: TableReader, document: dict[str, Any]) -> Link:
    reader.number("pbem", 1, 1)
    n = reader.number("n", 0, MOST_LINKS)
    phase = _phase(reader.text("phase"), n)
    dealt = phase in PHASES[2:] or (phase == CLOSED and "position" in document)
    link = Link(
        n=n,
        game=reader.text("game") if n else "",
        prev=b64(unb64(reader.text("prev"), 32)) if n else "",
        phase=phase,
        time=read_time(reader.text("time"), n),
        referees=tuple(map(read_referees, reader.rows("referees"))),
        wraps=tuple(map(_wrap, _pairs(reader.rows("wraps")))),
        people=tuple(map(people.read_seated, reader.rows("people"))),
        roster=tuple(map(people.read_joined, reader.rows("roster"))) if phase == PHASES[1] else (),
        opened=tuple(map(people.read_opened, reader.rows("opened"))) if phase == PHASES[2] else (),
        secret=unb64(reader.text("secret"), 32) if phase == CLOSED else b"",
        rulings=tuple(map(read_ruling, reader.rows("rulings") if dealt or phase == CLOSED else ())),
        setup=read_setup(reader.table("setup")),
    )
    if dealt:
        link = _read_dealt(link, reader, document)
    reader.done()
    _check_seats(link)
    people.refuse_wrong(link.referees, link.game, n)
    return link


def _check_seats(link: Link) -> None:
    """Whatever is said of each seat is said of each once, in turn order; ValueError where not."""
    seats = link.setup.seats
    told = [tuple(player.seat for player in link.people)]
    if link.dealt:
        told += [tuple(seat for seat, _ in rows) for rows in (link.answered, link.contributions)]
    given = {row.seat for row in link.roster} | {row.seat for row in link.opened}
    if any(rows != seats for rows in told) or len(set(seats)) != len(seats) or given - {*seats}:
        raise ValueError("seats")
    if any(what not in people.CLASSES for _, what in link.contributions):
        raise ValueError("contributions")


def _phase(phase: str, n: int) -> str:
    if phase != PHASES[min(n, 3)] and not (phase == CLOSED and n):
        raise BadInput(
            "document/phase",
            f"state {n} calls itself {phase[:20]!r}",
            "take the file again from where it came",
        )
    return phase


def _read_dealt(link: Link, reader: TableReader, document: dict[str, Any]) -> Link:
    seats = link.setup.seats
    return link._replace(
        contributions=people.read_given(seats, _pairs(reader.shown("contributions"))),
        answered=people.read_answered(seats, _pairs(reader.shown("answered"))),
        heads=tuple((read_number(k), unb64(h, 32)) for k, h in _pairs(reader.shown("heads"))),
        replaced=_pairs(reader.shown("replaced") if reader.has("replaced") else []),
        sealed=tuple(map(_read_sealed, reader.shown("sealed"))),
        commits=tuple((s, unb64(c, 32)) for s, c in _pairs(reader.shown("commits"))),
        openings=tuple(map(_read_opening, reader.shown("openings"))),
        entries=tuple(_read_entry(row, seats) for row in reader.shown("entries")),
        events=tuple(map(read_event, reader.shown("events"))),
        position=_position(reader, document),
    )


def _position(reader: TableReader, document: dict[str, Any]) -> dict[str, Any]:
    reader.table("position")  # a table; its keys are the game's business
    return dict(document["position"])


def _pairs(rows: list[str]) -> tuple[tuple[str, str], ...]:
    return tuple((first, second) for first, second in (row.split(" ") for row in rows))


def _wrap(row: tuple[str, str]) -> tuple[str, bytes]:
    key, wrap = row
    unb64(key, 16)
    return key, unb64(wrap)


@functools.lru_cache(4096)
def _commitment(text: str) -> bytes:
    """Remembered: whoever reads a whole chain meets each commitment in state after state."""
    return unb64(text, 32)


def _read_sealed(row: str) -> Sealed:
    slot, commitment, token = row.split(" ")
    return Sealed(slot, _commitment(commitment), token)


def _read_opening(row: str) -> Opening:
    slot, value, k, commitment = row.split(" ")
    return Opening(slot, value, unb64(k, 32), unb64(commitment, 32))


def _read_entry(row: str, seats: tuple[str, ...]) -> Entry:
    seat, source, commitment, token, words = row.split(" ", 4)
    if source not in SOURCES or seat not in seats:
        raise ValueError(source)
    return Entry(seat, source, unb64(commitment, 32), token, words)
