"""A state as a document: what stands in every link, and reading it back strictly.

What lives here: Setup, Sealed, Link and their rows. What must never be here: keys, signatures, the
rules of a game, a hidden value in the clear.
Law: ``read(write(link)) == link``; unknown or missing keys are refused with their path.
Source: construction.md "State n", "0 genesis"; FORMAT.md.
"""

from typing import Any, NamedTuple

from pbem.crypto.encoding import b64, unb64
from pbem.engine.event import Event
from pbem.engine.event import read as read_event
from pbem.engine.settings import Config
from pbem.errors import BadInput
from pbem.files.strict import Reader

#: what kind of link it is, by the first numbers of the chain; every later one is "play"
PHASES = ("genesis", "roster", "deal", "play")
MOST_LINKS = 999_999


class Setup(NamedTuple):
    """What was settled in the genesis and stands in every state, so that the newest is enough."""

    kind: str
    rulings: str
    version: str  #: of the package the game comes from
    seats: tuple[str, ...]
    names: tuple[str, ...]  #: the players' names, in the order of seats
    options: tuple[tuple[str, str], ...]
    acting: bytes  #: public keys, 32 bytes each: signing (Ed25519) and wrapping (X25519)
    acting_wrap: bytes
    recovery: bytes
    recovery_wrap: bytes
    commit: bytes  #: commitment to the game's secret
    wraps: tuple[tuple[str, bytes], ...]  #: (key id, the secret wrapped to that referee)
    round: int
    previous: str  #: game id of the genesis that this one replaces, or "none"


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
    contributions: tuple[
        tuple[str, str], ...
    ]  #: (seat, class: opened, plain, none), from link 1 on
    answered: tuple[tuple[str, int], ...]  #: questions of each seat answered so far
    heads: tuple[tuple[int, bytes], ...]  #: (link that made a slot, head of the link before it)
    sealed: tuple[Sealed, ...]
    commits: tuple[tuple[str, bytes], ...]  #: of the slots made in this link
    openings: tuple[Opening, ...]
    entries: tuple[Entry, ...]
    rulings: tuple[str, ...]  #: the referee's acts of this link, a sentence each, named first
    events: tuple[Event, ...]
    position: dict[str, Any]


def config_of(link: Link) -> Config:
    """Seats and options as they were settled in the genesis."""
    return Config(link.setup.seats, link.setup.options)


SOURCES = ("signed", "reply", "password", "typed", "forced", "default", "ruling")


def write(link: Link) -> dict[str, Any]:
    """The document of a link, in the order of FORMAT.md."""
    document: dict[str, Any] = {"pbem": 1, "n": link.n}
    if link.n:
        document |= {"game": link.game, "prev": link.prev}
    document |= {"phase": link.phase, "time": link.time}
    if link.n:
        document["contributions"] = [f"{seat} {what}" for seat, what in link.contributions]
    if link.n >= 2:
        document |= {
            "answered": [f"{seat} {number}" for seat, number in link.answered],
            "heads": [f"{n} {b64(head)}" for n, head in link.heads],
            "sealed": [f"{s.slot} {b64(s.commitment)} {s.token}" for s in link.sealed],
            "commits": [f"{slot} {b64(c)}" for slot, c in link.commits],
            "openings": [
                f"{o.slot} {o.value} {b64(o.k)} {b64(o.commitment)}" for o in link.openings
            ],
            "entries": [
                f"{e.seat} {e.source} {b64(e.commitment)} {e.token} {e.words}" for e in link.entries
            ],
            "rulings": list(link.rulings),
            "events": [event.row() for event in link.events],
        }
    document["setup"] = _write_setup(link.setup)
    if link.n >= 2:
        document["position"] = link.position
    return document


def _write_setup(setup: Setup) -> dict[str, Any]:
    return {
        "kind": setup.kind,
        "rulings": setup.rulings,
        "version": setup.version,
        "seats": [f"{seat} {name}" for seat, name in zip(setup.seats, setup.names, strict=True)],
        "options": [f"{name}={value}" for name, value in setup.options],
        "keys": [f"0 {' '.join(map(b64, _keys(setup)))}"],
        "commit": b64(setup.commit),
        "wraps": [f"{key} {b64(wrap)}" for key, wrap in setup.wraps],
        "round": setup.round,
        "previous": setup.previous,
    }


def _keys(setup: Setup) -> tuple[bytes, bytes, bytes, bytes]:
    return setup.acting, setup.acting_wrap, setup.recovery, setup.recovery_wrap


def read(document: dict[str, Any]) -> Link:
    """The link of a document; BadInput ``document/…`` names what is wrong and where."""
    where = f"state {document.get('n')}" if isinstance(document.get("n"), int) else "state"
    reader = Reader(document, where)
    try:
        return _read(reader, document)
    except (ValueError, IndexError) as error:
        raise BadInput(
            "document/row",
            f"{where}: a row is not of the expected shape",
            "take the file again from where it came",
        ) from error


def _read(reader: Reader, document: dict[str, Any]) -> Link:
    reader.number("pbem", 1, 1)
    n = reader.number("n", 0, MOST_LINKS)
    later, dealt = n >= 1, n >= 2
    link = Link(
        n=n,
        game=reader.text("game") if later else "",
        prev=reader.text("prev") if later else "",
        phase=reader.text("phase"),
        time=reader.text("time"),
        contributions=_pairs(reader.rows("contributions")) if later else (),
        answered=tuple((s, int(k)) for s, k in _pairs(reader.rows("answered"))) if dealt else (),
        heads=tuple((int(k), unb64(h, 32)) for k, h in _pairs(reader.rows("heads")))
        if dealt
        else (),
        sealed=tuple(map(_read_sealed, reader.rows("sealed"))) if dealt else (),
        commits=tuple((s, unb64(c, 32)) for s, c in _pairs(reader.rows("commits")))
        if dealt
        else (),
        openings=tuple(map(_read_opening, reader.rows("openings"))) if dealt else (),
        entries=tuple(map(_read_entry, reader.rows("entries"))) if dealt else (),
        rulings=tuple(reader.rows("rulings")) if dealt else (),
        events=tuple(map(read_event, reader.rows("events"))) if dealt else (),
        setup=_read_setup(reader.table("setup")),
        position=_position(reader, document) if dealt else {},
    )
    reader.done()
    if link.phase != PHASES[min(n, 3)]:
        raise BadInput(
            "document/phase",
            f"state {n} calls itself {link.phase[:20]!r}",
            "take the file again from where it came",
        )
    return link


def _position(reader: Reader, document: dict[str, Any]) -> dict[str, Any]:
    reader.table("position")  # a table; its keys are the game's business
    return dict(document["position"])


def _pairs(rows: list[str]) -> tuple[tuple[str, str], ...]:
    found = []
    for row in rows:
        first, second = row.split(" ")
        found.append((first, second))
    return tuple(found)


def _read_sealed(row: str) -> Sealed:
    slot, commitment, token = row.split(" ")
    return Sealed(slot, unb64(commitment, 32), token)


def _read_opening(row: str) -> Opening:
    slot, value, k, commitment = row.split(" ")
    return Opening(slot, value, unb64(k, 32), unb64(commitment, 32))


def _read_entry(row: str) -> Entry:
    seat, source, commitment, token, words = row.split(" ", 4)
    if source not in SOURCES:
        raise ValueError(source)
    return Entry(seat, source, unb64(commitment, 32), token, words)


def _read_keys(rows: list[str]) -> tuple[bytes, bytes, bytes, bytes]:
    """The referees' keys, both halves of each: one row in this version, which knows no succession.

    ValueError for any other number of rows, parts, or state that they hold from.
    """
    (row,) = rows
    since, acting, acting_wrap, recovery, recovery_wrap = row.split(" ")
    if since != "0":
        raise ValueError(since)
    return unb64(acting, 32), unb64(acting_wrap, 32), unb64(recovery, 32), unb64(recovery_wrap, 32)


def _read_setup(reader: Reader) -> Setup:
    seats = [row.partition(" ") for row in reader.rows("seats")]
    acting, acting_wrap, recovery, recovery_wrap = _read_keys(reader.rows("keys"))
    setup = Setup(
        kind=reader.text("kind"),
        rulings=reader.text("rulings"),
        version=reader.text("version"),
        seats=tuple(seat for seat, _, _ in seats),
        names=tuple(name for _, _, name in seats),
        options=tuple(
            (name, value) for name, _, value in (r.partition("=") for r in reader.rows("options"))
        ),
        acting=acting,
        acting_wrap=acting_wrap,
        recovery=recovery,
        recovery_wrap=recovery_wrap,
        commit=unb64(reader.text("commit"), 32),
        wraps=tuple((key, unb64(wrap)) for key, wrap in _pairs(reader.rows("wraps"))),
        round=reader.number("round", 1, 999),
        previous=reader.text("previous"),
    )
    reader.done()
    return setup
