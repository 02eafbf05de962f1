"""Undoes orders, for ``pbem amend DIR undo`` and for ``pbem resolve`` once all players have agreed.

An undo is a ruling: a new state gets the position of an older one, the target. If players saw something
hidden meanwhile, the others must agree by email. Such a request is open until all have answered.
Not allowed here: emails to players and their answers (consent.py), printing.
Laws: orders that were played together are undone together. A report lists what its own player has
seen in the undone states, and nothing that only another player saw.
Source: docs/SPECIFICATION.md section 9 (rulings).
"""

from functools import partial
from typing import Any, NamedTuple

from pbem.chain.loaded_game import LoadedGame
from pbem.chain.ruling_row import Ruling, check_reason
from pbem.chain.rulings.kind import RulingBasis
from pbem.chain.rulings.undo import (
    UNDO,
    Undo,
    build_undo_basis,
    events_shown_to,
    plan_undo_of_orders,
    plan_undo_to,
    read_undo,
    required_consents,
)
from pbem.chain.state_record import Vote
from pbem.crypto.encoding import b64
from pbem.engine.row import say
from pbem.errors import Refused
from pbem.notation.asks import NO, YES
from pbem.play.consent import Consent, describe_consent
from pbem.play.pending_orders import PendingOrders
from pbem.services.amend.consent import ask_players, close_request, find_open_consent, question_for, refuse_if_denied
from pbem.services.amend.ruling import (
    RulingPlan,
    RulingResult,
    carry_out,
    preview_ruling,
    refuse_repeated_ruling,
    result_of_ruling,
)
from pbem.services.lock import check_may_sign, open_for_writing
from pbem.services.lost_orders import void_orders
from pbem.services.sentences import SEEN_BEFORE_UNDO, render_sentences
from pbem.services.session.history import FOR_EVERYBODY, UndoEffects, game_at, read_older_record, undo_effects_for
from pbem.services.session.session import Session


class UndoResult(NamedTuple):
    """What an undo did or would do, or which players are asked about it first."""

    session: Session
    undo: Undo
    effects: UndoEffects  #: as everybody may read them
    ruling_result: RulingResult | None = None  #: None: nothing is undone yet
    request: Consent | None = None  #: what players are asked now
    seats_to_agree: tuple[str, ...] = ()  #: seats that must agree first; empty if the undo is or would be made


def preview_undo(session: Session, to_state: int | None, order_count: int | None, reason: str) -> UndoResult:
    """Return what ``undo_orders`` would do with these arguments. Nothing is signed or sent."""
    check_may_sign(session)
    _refuse_repeated_undo(session, to_state, order_count, reason)
    plan = _plan_with_consent(session, to_state, order_count, reason)
    request = plan.request
    if request is not None:
        refuse_if_denied(session, request)
        if not request.is_complete:
            return _result_of_asking(session, plan.undo, request)
    effects = undo_effects_for(session, plan.undo, FOR_EVERYBODY)
    basis = undo_basis(session, plan.undo, plan.reason, request)
    seats_to_agree = () if request else plan.seats_to_agree
    return UndoResult(session, plan.undo, effects, preview_ruling(session, basis), seats_to_agree=seats_to_agree)


def undo_orders(session: Session, to_state: int | None, order_count: int | None, reason: str) -> UndoResult:
    """Undo orders if nobody learned anything hidden from them, or if everyone who must agree has agreed.
    Otherwise ask those players.

    ``to_state``: the state to go back to. ``order_count``: if that is None, how many orders to undo. If
    both are None, the open request to the players says what to undo, or else the last order is undone.
    """
    with open_for_writing(session) as session:
        _refuse_repeated_undo(session, to_state, order_count, reason)
        plan = _plan_with_consent(session, to_state, order_count, reason)
        if plan.seats_to_agree:
            request = plan.request or ask_players(session, plan.undo, plan.seats_to_agree, plan.reason)
            if request.seats_answering(NO):
                close_request(session, request)
            refuse_if_denied(session, request)
            if not request.is_complete:
                return _result_of_asking(session, plan.undo, request)
        effects = undo_effects_for(session, plan.undo, FOR_EVERYBODY)
        basis = undo_basis(session, plan.undo, plan.reason, plan.request)
        session = carry_out(RulingPlan(session, basis, pending_after_undo(session, plan.undo)))
        return UndoResult(session, plan.undo, effects, result_of_ruling(session, basis))


def _refuse_repeated_undo(session: Session, to_state: int | None, order_count: int | None, reason: str) -> None:
    """Refuse an undo that the newest state already has: its command may have been interrupted."""

    def is_same_undo(ruling: Ruling) -> bool:
        if (ruling.name, ruling.reason) != (UNDO.name, reason.strip()):
            return False
        if to_state is not None:
            return ruling.operand("to") == str(to_state)
        newest_undo = read_undo(session.record, partial(read_older_record, session))
        return order_count is None or order_count == len(newest_undo.orders)

    refuse_repeated_ruling(session, is_same_undo)


class _ConsentPlan(NamedTuple):
    """An undo before it is made, and who must agree to it."""

    undo: Undo
    reason: str
    seats_to_agree: tuple[str, ...]  #: empty if no player has to agree
    request: Consent | None  #: the open request about this very undo; None if players are not asked about it


def _plan_with_consent(session: Session, to_state: int | None, order_count: int | None, reason: str) -> _ConsentPlan:
    """Plan an undo. An open request gives target and reason if the referee names neither state nor count."""
    open_request = find_open_consent(session)
    if open_request is not None and to_state is None and order_count is None:
        to_state = open_request.target_state
        reason = reason or open_request.reason
    undo = plan_undo(session, to_state, order_count)
    reason_text = check_reason(reason)
    seats_to_agree = required_consents(undo)
    if order_count is not None or not seats_to_agree:
        _refuse_larger_undo(session, undo, to_state, order_count)
    if not seats_to_agree or open_request is None or open_request.target_state != undo.target_number:
        return _ConsentPlan(undo, reason_text, seats_to_agree, None)
    return _ConsentPlan(undo, open_request.reason, seats_to_agree, open_request)


def _result_of_asking(session: Session, undo: Undo, request: Consent) -> UndoResult:
    asked_seats = tuple(seat for seat, _ in request.answers)
    effects = undo_effects_for(session, undo, FOR_EVERYBODY)
    return UndoResult(session, undo, effects, request=request, seats_to_agree=asked_seats)


def _refuse_larger_undo(session: Session, undo: Undo, to_state: int | None, order_count: int | None) -> None:
    """Raise Refused ``undo/together`` if more orders would be undone than the referee asked for."""
    undone_count = len(undo.orders)
    wanted_count = 1 if order_count is None else order_count
    if to_state is None and undone_count > wanted_count:
        undone_orders = "; ".join(undo_effects_for(session, undo, FOR_EVERYBODY).back)
        problem = f"these {undone_count} orders can only be undone together: {undone_orders}"
        raise Refused("undo/together", problem, f"--orders {undone_count}")


class UndoDecision(NamedTuple):
    """What ``resolve`` did about an undo, and whether it may play orders now."""

    may_play: bool
    summary: str = ""  #: "" if nothing was or would be undone
    state: Any = None  #: the position after the undo, in a dry run only
    unanswered_seats: tuple[str, ...] = ()  #: seats whose answer is missing
    status_text: str = ""  #: a sentence for the referee; "" if the game does not wait for answers


def undo_if_agreed(session: Session, dry_run: bool) -> tuple[Session, UndoDecision]:
    """Carry out the undo about which players were asked, if all have agreed. The caller holds the lock."""
    request = find_open_consent(session)
    if request is None:
        return session, UndoDecision(may_play=True)
    if request.is_complete and dry_run:
        summary = f"the undo would be done, back to state {request.target_state} (nothing was changed)"
        older_state = game_at(session, read_older_record(session, request.target_state)).state
        return session, UndoDecision(may_play=False, summary=summary, state=older_state)
    if request.is_complete:
        undo = plan_undo(session, request.target_state, None)
        basis = undo_basis(session, undo, request.reason, request)
        session = carry_out(RulingPlan(session, basis, pending_after_undo(session, undo)))
        summary = f"the undo is done, back to state {request.target_state}, since all agreed"
        return session, UndoDecision(may_play=True, summary=summary)
    game_folder = session.folder.root
    name_by_seat = {player.seat: player.name for player in session.record.people}
    status = describe_consent(request, name_by_seat, str(game_folder))
    if request.seats_answering(NO):
        return session, UndoDecision(may_play=False, status_text=f"{status}; nothing is played before that.")
    status_text = f"It {status}. Nothing is played before that; `pbem amend {game_folder} undo --drop` stops asking."
    unanswered_seats = request.seats_answering("")
    return session, UndoDecision(may_play=False, unanswered_seats=unanswered_seats, status_text=status_text)


def plan_undo(session: Session, to_state: int | None, order_count: int | None) -> Undo:
    """Plan an undo back to ``to_state``, or if that is None, an undo of ``order_count`` orders (None: one)."""
    read_record = partial(read_older_record, session)
    if to_state is None:
        return plan_undo_of_orders(session.record, 1 if order_count is None else order_count, read_record)
    return plan_undo_to(session.record, to_state, read_record)


def undo_basis(session: Session, undo: Undo, reason: str, request: Consent | None = None) -> RulingBasis:
    """Return what the state of the undo is made of. ``request``: the one to which players agreed, if any had to."""
    target = game_at(session, read_older_record(session, undo.target_number))
    ruling = UNDO.make_ruling(reason, ("to", str(undo.target_number)))
    votes = collect_votes(session, request, required_consents(undo)) if request else ()
    return build_undo_basis(session.position, target, ruling, votes)


def collect_votes(session: Session, request: Consent, seats_to_agree: tuple[str, ...]) -> tuple[Vote, ...]:
    """Return the consents of these seats that are signed. Raises Refused ``undo/unsigned`` if a player with a
    key has not signed, since the state would not pass `verify`.
    """
    record = session.record
    vote_by_seat = {vote.seat: vote for vote in request.signed_votes(record)}
    for seat in seats_to_agree:
        public_key = record.player(seat).key
        if not public_key:
            continue
        vote = vote_by_seat.get(seat)
        question = question_for(session, request, seat)
        if vote is None or not question.is_genuine(YES, b64(vote.signature), public_key):
            problem = f"{seat} plays with a key, and its consent in desk/consent.toml is not signed"
            raise Refused("undo/unsigned", problem, f"`pbem amend {session.folder.root} undo --drop`, then ask again")
    return tuple(vote for vote in vote_by_seat.values() if vote.seat in seats_to_agree)


def pending_after_undo(session: Session, undo: Undo) -> dict[str, PendingOrders]:
    """Return no pending orders for each seat, with notes of what its player saw in the undone states."""
    seats = session.record.setup.seats
    pending_by_seat = void_orders(session, frozenset(seats))
    game_by_state: dict[int, LoadedGame] = {}
    for seat in seats:
        seen_notes = []
        for record, number in events_shown_to(undo, seat):
            if record.player(seat).name != session.record.player(seat).name:
                continue  # it was shown to another player
            if record.n not in game_by_state:
                game_by_state[record.n] = game_at(session, record)
            view = session.game.view(game_by_state[record.n].state, seat)
            event_row = session.game.event_row(record.events[number], view).plain()
            event_sentences = render_sentences(session.game, [event_row])
            seen_notes += [str(say(SEEN_BEFORE_UNDO, what=sentence)) for sentence in event_sentences]
        pending = pending_by_seat[seat]
        pending_by_seat[seat] = pending._replace(notes=(*pending.notes, *seen_notes))
    return pending_by_seat
