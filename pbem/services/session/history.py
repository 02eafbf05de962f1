"""Older states of a game that its referee has open: as a game, in words; what an undo took back.

What lives here: looking back from the newest state. What must never be here: a change of the game.
Law: an older state counts where the newest one vouches for it, as far as it tells.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from functools import partial
from typing import NamedTuple

from pbem.chain.loaded_game import LoadedGame, Seals, opened
from pbem.chain.referees import in_force
from pbem.chain.rulings.correct import corrections
from pbem.chain.rulings.kind import Sight
from pbem.chain.rulings.kinds import rulings_in_full
from pbem.chain.rulings.people import newcomer
from pbem.chain.rulings.undo import Undo, back_to, undo_of_link, undone_to, what_was_learned
from pbem.chain.signed_state import genuine_link, head_of
from pbem.chain.sources import source_of
from pbem.chain.state_record import DEAL, Entry, StateRecord
from pbem.crypto.encoding import unb64, unpae
from pbem.errors import Missing, Refused, naming
from pbem.play.pending_orders import order_of
from pbem.services.session.session import Session


def older(session: Session, n: int) -> StateRecord:
    """The link of an older state, verified. Missing where it is not here: nothing else is lost."""
    name = f"states/{n:04d}.toml"
    raw = session.folder.state(n)
    if raw is None:
        way = "put it back from a backup or a copy of the folder"
        raise Missing("game/state-missing", f"{name} is not here", way)
    with naming(name):
        signed_by = in_force(session.link.referees, n).acting  # it may have been another
        record = genuine_link(raw, signed_by, f"state {n}")
    if (record.n, record.game) != (n, session.link.game) or not _on_chain(session, record, raw):
        why = f"{name} is not the state {n} of this game"
        raise Refused("state/number", why, "pbem verify DIR")
    return record


def link_at(session: Session, n: int) -> StateRecord | None:
    """The link of any state, the newest too; None where it is not here."""
    try:
        return session.link if n == session.link.n else older(session, n)
    except Missing:
        return None


def _on_chain(session: Session, record: StateRecord, raw: bytes) -> bool:
    """As far as the newest state tells: it names the head before each slot's link."""
    told = {made - 1: head for made, head in session.link.heads}
    if record.n == session.link.n - 1:
        return unb64(session.link.prev, 32) == head_of(raw)
    return told.get(record.n, head_of(raw)) == head_of(raw)


def at(session: Session, record: StateRecord) -> LoadedGame:
    """The game as it was at an older link."""
    return opened(record, b"", session.seals_of(record), session.game, past=True)


def counted(session: Session) -> tuple[StateRecord, ...]:
    """The states of the deal and after that count; none where one is lost.

    What an undo took back does not: before it comes the state that it goes back to.
    """
    found = [session.link]
    while found[-1].n > DEAL:
        back = undone_to(found[-1])
        record = link_at(session, found[-1].n - 1 if back is None else back)
        if record is None:
            return ()
        found.append(record)
    return tuple(reversed(found))


def sat_before(session: Session, seat: str) -> str:
    """Whose place the player of a seat has taken with the newest state; "" where nobody's.

    Where the state before is lost, it is not known whose.
    """
    if not newcomer(session.link, seat):
        return ""
    before = link_at(session, session.link.n - 1)
    return before.player(seat).name if before else "the player before"


def in_full(session: Session, record: StateRecord) -> tuple[str, ...]:
    """Every ruling of a state in words for all, with what was taken back and who was there."""
    return rulings_in_full(record, Sight(session.game, partial(link_at, session), local=True))


class Told(NamedTuple):
    """What an undo does to orders, a line for each, in the order they were played."""

    back: tuple[str, ...] = ()  #: these are taken back
    again: tuple[str, ...] = ()  #: these count again
    seen: tuple[str, ...] = ()  #: who saw what in them, a line for each


def told_of(session: Session, wanted: Undo, seat: str) -> Told:
    """In the words of one seat, which knows its own orders whole; "" for everybody."""
    seen = what_was_learned(wanted, session.game)
    return Told(_lines(session, wanted.links, seat), _lines(session, wanted.again, seat), seen)


def told_in_report(session: Session) -> tuple[tuple[str, ...], dict[str, Told]]:
    """The rulings of the newest link, and what they undid by reader; empty where it is no undo.

    From the states alone, so that a report can be written again; where one is lost, it says less.
    """
    to = undone_to(session.link)
    if to is None:
        return (), {}
    try:
        target = older(session, to)
        wanted = undo_of_link(session.link, partial(older, session))
    except Missing:
        return (), {}
    said = tuple(back_to(target, ruling) for ruling in session.link.rulings)
    return said, {seat: told_of(session, wanted, seat) for seat in (*session.link.setup.seats, "")}


def order_whole(record: StateRecord, number: int, entry: Entry, seals: Seals) -> str:
    """The order of an entry as its player gave it: for them, and the referee."""
    value = unpae(seals.open_order(f"{record.n}/order/{number}", entry.token))
    return order_of(value[-1].decode())


def _lines(session: Session, records: tuple[StateRecord, ...], seat: str) -> tuple[str, ...]:
    found = []
    for record in records:
        seals = session.seals_of(record)
        for number, entry in enumerate(record.entries, 1):
            own = entry.seat == seat  # as they gave it: all others know its public words alone
            order = order_whole(record, number, entry, seals) if own else entry.words
            source = source_of(entry.source)
            given = f" ({source.screen})" if source.given else ""
            who = record.player(entry.seat).shown
            found.append(f"{who}: {order}{given}")
        found += [f"the ruling: {text}" for text in corrections(record)]
    return tuple(found)
