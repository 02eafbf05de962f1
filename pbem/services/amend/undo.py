"""What ``pbem amend DIR undo`` does, and ``pbem resolve`` once everybody has agreed to an undo.

What must never be here: emails to players and their answers (consent.py), printing.
Laws: orders that were played together are undone together; a report lists what its own player has
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
from pbem.services.amend.consent import ask_players, find_open_consent, question_for, refuse_if_denied
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
    """What an undo did or would do, or that players are asked about it."""

    session: Session
    undo: Undo
    effects: UndoEffects  #: as everybody may read them
    ruling_result: RulingResult | None = None  #: None: nothing is undone yet
    request: Consent | None = None  #: what players are asked now
    unanswered_seats: tuple[str, ...] = ()  #: players who must agree and have not answered


def preview_undo(session: Session, to_state: int | None, order_count: int | None, reason: str) -> UndoResult:
    """Return what ``undo_orders`` would do with these arguments. Nothing is signed or sent."""
    check_may_sign(session)
    _refuse_repeated_undo(session, to_state, order_count, reason)
    to_state, reason = _complete_from_request(find_open_consent(session), to_state, order_count, reason)
    undo = plan_undo(session, to_state, order_count)
    reason_text = check_reason(reason)
    seats_to_agree = required_consents(undo)
    if order_count is not None or not seats_to_agree:
        _refuse_larger_undo(session, undo, to_state, order_count)
    effects = undo_effects_for(session, undo, FOR_EVERYBODY)
    basis = undo_basis(session, undo, reason_text)
    return UndoResult(session, undo, effects, preview_ruling(session, basis), unanswered_seats=seats_to_agree)


def undo_orders(session: Session, to_state: int | None, order_count: int | None, reason: str) -> UndoResult:
    """Undo orders if nobody learned anything hidden from them, or if all who must agree have.
    Otherwise ask those players.

    ``to_state``: the state to go back to. ``order_count``: how many orders to undo, if that is
    None.
    """
    with open_for_writing(session) as session:
        _refuse_repeated_undo(session, to_state, order_count, reason)
        return _undo_or_ask(session, to_state, order_count, reason)


def _complete_from_request(
    request: Consent | None, to_state: int | None, order_count: int | None, reason: str
) -> tuple[int | None, str]:
    """Return the target and the reason of the undo that players are asked about, if no other was named."""
    if request is None or to_state is not None or order_count is not None:
        return to_state, reason
    return request.target_state, reason or request.reason


def _refuse_repeated_undo(session: Session, to_state: int | None, order_count: int | None, reason: str) -> None:
    def is_same_undo(ruling: Ruling) -> bool:
        if (ruling.name, ruling.reason) != (UNDO.name, reason.strip()):
            return False
        if to_state is not None:
            return ruling.operand("to") == str(to_state)
        newest_undo = read_undo(session.record, partial(read_older_record, session))
        return order_count is None or order_count == len(newest_undo.orders)

    refuse_repeated_ruling(session, is_same_undo)


def _undo_or_ask(session: Session, to_state: int | None, order_count: int | None, reason: str) -> UndoResult:
    request = find_open_consent(session)
    to_state, reason = _complete_from_request(request, to_state, order_count, reason)
    undo = plan_undo(session, to_state, order_count)
    reason_text = check_reason(reason)
    seats_to_agree = required_consents(undo)
    if order_count is not None or not seats_to_agree:
        _refuse_larger_undo(session, undo, to_state, order_count)
    if seats_to_agree:
        if request is None or request.target_state != undo.target_number:
            return _result_of_asking(session, undo, ask_players(session, undo, seats_to_agree, reason_text))
        refuse_if_denied(session, request)
        if not request.is_complete:
            return _result_of_asking(session, undo, request)
        reason_text = request.reason
    effects = undo_effects_for(session, undo, FOR_EVERYBODY)
    basis = undo_basis(session, undo, reason_text, request)
    session = carry_out(RulingPlan(session, basis, pending_after_undo(session, undo)))
    return UndoResult(session, undo, effects, result_of_ruling(session, basis))


def _result_of_asking(session: Session, undo: Undo, request: Consent) -> UndoResult:
    seats = tuple(seat for seat, _ in request.answers)
    return UndoResult(
        session, undo, undo_effects_for(session, undo, FOR_EVERYBODY), request=request, unanswered_seats=seats
    )


def _refuse_larger_undo(session: Session, undo: Undo, to_state: int | None, order_count: int | None) -> None:
    """Refused ``undo/together`` if more orders would be undone than the referee asked for."""
    undone_count = len(undo.orders)
    if to_state is None and undone_count > (1 if order_count is None else order_count):
        undone_orders = "; ".join(undo_effects_for(session, undo, FOR_EVERYBODY).back)
        problem = f"these {undone_count} orders can only be undone together: {undone_orders}"
        raise Refused("undo/together", problem, f"--orders {undone_count}")


class UndoDecision(NamedTuple):
    """What ``resolve`` does about an undo."""

    may_play: bool
    summary: str = ""
    state: Any = None
    unanswered_seats: tuple[str, ...] = ()  #: seats whose answer is missing
    status_text: str = ""  #: a sentence for the referee


def decide_undo(session: Session, dry_run: bool) -> tuple[Session, UndoDecision]:
    """For ``resolve``, under the lock: carry out an undo to which everybody agreed.

    While an answer is missing, the game waits. With ``dry_run`` nothing is carried out or played.
    """
    request = find_open_consent(session)
    if request is None:
        return session, UndoDecision(True)
    if request.is_complete and dry_run:
        summary = f"the undo would be done, back to state {request.target_state} (nothing was changed)"
        return session, UndoDecision(
            False, summary, game_at(session, read_older_record(session, request.target_state)).state
        )
    if request.is_complete:
        undo = plan_undo(session, request.target_state, None)
        basis = undo_basis(session, undo, request.reason, request)
        session = carry_out(RulingPlan(session, basis, pending_after_undo(session, undo)))
        session.notes.append(f"all agreed: the game went back to state {request.target_state}")
        return session, UndoDecision(True, f"the undo is done, back to state {request.target_state}")
    game_folder = session.folder.root
    name_by_seat = {player.seat: player.name for player in session.record.people}
    status = describe_consent(request, name_by_seat, str(game_folder))
    if request.seats_answering(NO):
        return session, UndoDecision(False, status_text=f"{status}; nothing is played before that.")
    drop_hint = f"`pbem amend {game_folder} undo --drop` stops asking."
    status_text = f"It {status}. Nothing is played before that; {drop_hint}"
    return session, UndoDecision(False, unanswered_seats=request.seats_answering(""), status_text=status_text)


def plan_undo(session: Session, to_state: int | None, order_count: int | None) -> Undo:
    """Which states an undo takes back."""
    if to_state is None:
        return plan_undo_of_orders(
            session.record, 1 if order_count is None else order_count, partial(read_older_record, session)
        )
    return plan_undo_to(session.record, to_state, partial(read_older_record, session))


def undo_basis(session: Session, undo: Undo, reason: str, request: Consent | None = None) -> RulingBasis:
    """What the state of the undo is made of. The older state is verified."""
    target = game_at(session, read_older_record(session, undo.target_number))
    ruling = UNDO.make_ruling(reason, ("to", str(undo.target_number)))
    votes = collect_votes(session, request, required_consents(undo)) if request else ()
    return build_undo_basis(session.position, target, ruling, votes)


def collect_votes(session: Session, request: Consent, seats_to_agree: tuple[str, ...]) -> tuple[Vote, ...]:
    """The signed consents of these seats. Refused ``undo/unsigned`` if one is missing, since the
    state would not pass `verify`.
    """
    record = session.record
    vote_by_seat = {vote.seat: vote for vote in request.signed_votes(session.record)}
    for seat in (seat for seat in seats_to_agree if record.player(seat).key):
        question = question_for(session, request, seat)
        if seat not in vote_by_seat or not question.is_genuine(
            YES, b64(vote_by_seat[seat].signature), record.player(seat).key
        ):
            problem = f"{seat} plays with a key, and its consent in desk/consent.toml is not signed"
            raise Refused("undo/unsigned", problem, f"`pbem amend {session.folder.root} undo --drop`, then ask again")
    return tuple(vote for vote in vote_by_seat.values() if vote.seat in seats_to_agree)


def pending_after_undo(session: Session, undo: Undo) -> dict[str, PendingOrders]:
    """No orders are pending. Each seat's report lists what its player saw in the undone states."""
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
            event_sentences = render_sentences(
                session.game, [session.game.event_row(record.events[number], view).plain()]
            )
            seen_notes += [str(say(SEEN_BEFORE_UNDO, what=sentence)) for sentence in event_sentences]
        pending_by_seat[seat] = pending_by_seat[seat]._replace(notes=(*pending_by_seat[seat].notes, *seen_notes))
    return pending_by_seat
