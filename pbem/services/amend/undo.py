"""An undo in a game's folder: asked about, taken back, what its link stands on, what each is told.

What lives here: what ``pbem amend DIR undo`` does, and ``pbem resolve`` where all have agreed. What
must never be here: the mails to the players and their answers (consent.py), printing.
Laws: orders that were played together fall together or not at all; the report of the undo lists for
each seat what it has seen in what is undone, and nothing that another one has seen alone; an order
stands there as its reader knows it.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from functools import partial
from typing import Any, NamedTuple

from pbem.chain.loaded_game import LoadedGame
from pbem.chain.ruling_row import Ruling, reason_of
from pbem.chain.rulings.kind import Basis
from pbem.chain.rulings.undo import (
    UNDO,
    Undo,
    shown_to,
    undo_last,
    undo_of_link,
    undo_to,
    undone,
    who_must_agree,
)
from pbem.chain.state_record import Vote
from pbem.crypto.encoding import b64
from pbem.engine.row import say
from pbem.errors import Refused
from pbem.notation.asks import NO, YES
from pbem.play.consent import Consent, about
from pbem.play.pending_orders import Hand
from pbem.services.amend.consent import ask, asked_of, open_consent, refuse_no
from pbem.services.amend.ruling import (
    Amended,
    carried_out,
    carry_out,
    foreseen,
    refuse_again,
)
from pbem.services.lock import check_acting, writing
from pbem.services.lost_orders import void
from pbem.services.sentences import SEEN, said
from pbem.services.session.history import Told, at, older, told_of
from pbem.services.session.session import Session


class Undone(NamedTuple):
    """What an undo did, or would do; or that players are asked about it."""

    session: Session
    wanted: Undo
    told: Told  #: the orders, as all may read them
    ruled: Amended | None = None  #: None: nothing is undone yet
    asked: Consent | None = None  #: what players are asked now
    asks: tuple[str, ...] = ()  #: who must agree, and has not been asked or has not answered


def would_undo(session: Session, to: int | None, orders: int | None, reason: str) -> Undone:
    """What ``undo_orders`` would do."""
    check_acting(session)
    _refuse_again(session, to, orders, reason)
    wanted = plan_of(session, to, orders)
    why, must = reason_of(reason), who_must_agree(wanted)
    if orders is not None or not must:  # it answers as the command itself would
        _refuse_more(session, wanted, to, orders)
    told, basis = told_of(session, wanted, ""), basis_of(session, wanted, why)
    return Undone(session, wanted, told, foreseen(session, basis), asks=must)


def undo_orders(session: Session, to: int | None, orders: int | None, reason: str) -> Undone:
    """Back, where nobody learned something hidden, or where all who must agree do."""
    with writing(session) as session:
        _refuse_again(session, to, orders, reason)
        return _undo(session, to, orders, reason)


def _refuse_again(session: Session, to: int | None, orders: int | None, reason: str) -> None:
    def same(ruling: Ruling) -> bool:
        if (ruling.name, ruling.reason) != (UNDO.name, reason.strip()):
            return False
        if to is not None:
            return ruling.operand("to") == str(to)
        taken_back = undo_of_link(session.link, partial(older, session))
        return orders is None or orders == len(taken_back.orders)

    refuse_again(session, same)


def _undo(session: Session, to: int | None, orders: int | None, reason: str) -> Undone:
    asked = open_consent(session)
    if asked is not None and to is None and orders is None:
        to, reason = asked.to, reason or asked.reason
    wanted = plan_of(session, to, orders)
    why = reason_of(reason)
    must = who_must_agree(wanted)
    if orders is not None or not must:
        _refuse_more(session, wanted, to, orders)
    if must:
        if asked is None or asked.to != wanted.to:
            return _asked(session, wanted, ask(session, wanted, must, why))
        refuse_no(session, asked)
        if not asked.complete:
            return _asked(session, wanted, asked)
        why = asked.reason
    told, basis = told_of(session, wanted, ""), basis_of(session, wanted, why, asked)
    session = carry_out(session, basis, hands_after(session, wanted))
    return Undone(session, wanted, told, carried_out(session, basis))


def _asked(session: Session, wanted: Undo, asked: Consent) -> Undone:
    seats = tuple(seat for seat, _ in asked.answers)
    return Undone(session, wanted, told_of(session, wanted, ""), asked=asked, asks=seats)


def _refuse_more(session: Session, wanted: Undo, to: int | None, orders: int | None) -> None:
    """Before anything is done: exactly which orders of whom fall, or are to be asked about."""
    number = len(wanted.orders)
    if to is None and number > (1 if orders is None else orders):  # a state is taken back whole
        back = "; ".join(told_of(session, wanted, "").back)
        why = f"these {number} orders can only be undone together: {back}"
        raise Refused("undo/together", why, f"--orders {number}")


class Decided(NamedTuple):
    """What ``resolve`` does about an undo: goes on or not, its headline, the state it comes to."""

    goes_on: bool
    said: str = ""
    state: Any = None
    waits: tuple[str, ...] = ()  #: the seats whose answer to the undo is missing
    about: str = ""  #: the same in a sentence, or what else is to be done about it


def decided(session: Session, dry_run: bool) -> tuple[Session, Decided]:
    """For ``resolve``, under the lock: an undo that all agree to is carried out first.

    It does not go on while an answer is missing: the game waits, and a note says so. With
    ``dry_run`` nothing is carried out, and it does not go on either.
    """
    asked = open_consent(session)
    if asked is None:
        return session, Decided(True)
    if asked.complete and dry_run:
        said = f"the undo would be done, back to state {asked.to} (nothing was changed)"
        return session, Decided(False, said, at(session, older(session, asked.to)).state)
    if asked.complete:
        wanted = plan_of(session, asked.to, None)
        basis = basis_of(session, wanted, asked.reason, asked)
        session = carry_out(session, basis, hands_after(session, wanted))
        session.notes.append(f"all agreed: the game went back to state {asked.to}")
        return session, Decided(True, f"the undo is done, back to state {asked.to}")
    where, names = session.folder.root, {one.seat: one.name for one in session.link.people}
    said = about(asked, names, str(where))
    if asked.given(NO):
        return session, Decided(False, about=f"{said}; nothing is played before that.")
    drop = f"`pbem amend {where} undo --drop` stops asking."
    about_it = f"It {said}. Nothing is played before that; {drop}"
    return session, Decided(False, waits=asked.given(""), about=about_it)


def plan_of(session: Session, to: int | None, orders: int | None) -> Undo:
    """How far it goes back."""
    if to is None:
        return undo_last(session.link, 1 if orders is None else orders, partial(older, session))
    return undo_to(session.link, to, partial(older, session))


def basis_of(session: Session, wanted: Undo, reason: str, agreed: Consent | None = None) -> Basis:
    """What the link of the undo is made of; the older state is verified and opened."""
    target = at(session, older(session, wanted.to))
    ruling = UNDO.ruling(reason, ("to", str(wanted.to)))
    consents = votes_for(session, agreed, who_must_agree(wanted)) if agreed else ()
    return undone(session.position, target, ruling, consents)


def votes_for(session: Session, agreed: Consent, must: tuple[str, ...]) -> tuple[Vote, ...]:
    """The signed consents of those who ``must`` agree; Refused ``undo/unsigned`` where one lacks:
    the state would be no good.
    """
    record, given = session.link, {vote.seat: vote for vote in agreed.votes(session.link)}
    for seat in (seat for seat in must if record.player(seat).key):
        asked = asked_of(session, agreed, seat)
        if seat not in given or not asked.genuine(
            YES, b64(given[seat].sig), record.player(seat).key
        ):
            why = f"{seat} plays with a key, and its consent in desk/consent.toml is not signed"
            way = f"`pbem amend {session.folder.root} undo --drop`, then ask again"
            raise Refused("undo/unsigned", why, way)
    return tuple(vote for vote in given.values() if vote.seat in must)


def hands_after(session: Session, wanted: Undo) -> dict[str, Hand]:
    """No orders in hand; every seat's report has what its player has seen in the states undone."""
    seats = session.link.setup.seats
    hands = void(session, frozenset(seats))
    games: dict[int, LoadedGame] = {}
    for seat in seats:
        told = []
        for record, number in shown_to(wanted, seat):
            if record.player(seat).name != session.link.player(seat).name:
                continue  # it was shown to whoever sat there before
            if record.n not in games:
                games[record.n] = at(session, record)
            view = session.game.view(games[record.n].state, seat)
            seen = said(session.game, [session.game.event_row(record.events[number], view).plain()])
            told += [str(say(SEEN, what=what)) for what in seen]
        hands[seat] = hands[seat]._replace(notes=(*hands[seat].notes, *told))
    return hands
