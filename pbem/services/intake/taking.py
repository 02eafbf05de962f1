"""Taking one message under the lock: whose it is, what of it counts, keeping it, the receipt.

What lives here: owner, take. What must never be here: reading files, printing.
Laws: received and durable comes before the receipt (P8); the same mail again changes nothing.
Source: docs/DESIGN.md "Email"; docs/SPECIFICATION.md section 9.
"""

from pbem.errors import BadInput, PbemError
from pbem.files.orders.sheet import Sheet
from pbem.moderator.turn.codes import Owner, owner_before_deal, owner_of, owner_of_void_code
from pbem.moderator.turn.hand import MOST_HANDLED, Hand
from pbem.moderator.turn.intake import Taken
from pbem.render import render
from pbem.services.intake.answered import Answer
from pbem.services.intake.asking import about_undo, owner_of_asking, with_consent
from pbem.services.intake.judging import judged, keep, put
from pbem.services.intake.knowing import asks_rules, by_password, free_ask, known_by
from pbem.services.intake.reading import Sent, sheet_of
from pbem.services.intake.taking_signed import take_signed
from pbem.services.session.older import older
from pbem.services.session.session import Session


def owner(sessions: list[Session], sent: Sent) -> tuple[Session, str, int] | None:
    """Whose codes these are: one seat of one game, else BadInput; None if nobody's.

    The last is how many of the seat's questions were answered since the newest of the codes.
    """
    found: dict[tuple[str, str], tuple[Session, str, int]] = {}
    for session in sessions:
        if not session.codes_secret:
            continue
        for code in sent.codes:
            owner = _owner_of(session, code)
            if owner is not None:
                old = found.get((session.link.game, owner.seat))
                age = min(owner.age, old[2]) if old else owner.age
                found[session.link.game, owner.seat] = (session, owner.seat, age)
    if len(found) > 1:
        raise BadInput(
            "mail/two-codes",
            "it carries the codes of two different questions",
            "answer one report at a time, in its own mail",
        )
    return next(iter(found.values()), None)


def _owner_of(session: Session, code: str) -> Owner | None:
    """Whose code this is in this game."""
    link, secret = session.link, session.codes_secret
    if not link.dealt:
        return owner_before_deal(code, secret, link.game, link.setup.seats, link.phase)

    answered = dict(link.answered)
    found = owner_of(code, secret, link.game, answered) or owner_of_asking(session, code)
    return found or owner_of_void_code(code, session.former_codes, link.game, answered)


def take(
    session: Session, seat: str, data: bytes, sent: Sent, typed: bool = False
) -> Answer | None:
    """Under the lock: judge, keep, then write the receipt; None for what came before."""
    hand, sent = session.hands[seat], guarded(session, seat, sent)
    if came_before(hand, sent):
        return None
    check_claims(session, seat, sent)
    mine = owner([session], sent)  # looked up again: the lock is held only now
    age = 0 if typed else mine[2] if mine else len(hand.done) + 1
    stale = age > len(hand.done)  # what was forced leaves an earlier code good
    if (stale or sent.unique) and forgotten(session, seat, sent):
        return None
    if stale and not typed and not sent.signed and (why := of_another(session, seat, sent, age)):
        return Answer(Taken(hand, False, False, (), ()), Sheet(), stale, why=why)
    sheet, asking = with_consent(session, seat, sent, sheet_of(sent, session.game), stale, typed)
    known = known_by(session, seat, sent, sheet, typed, about_undo(asking, sheet))
    if not known.source and asks_rules(sheet):
        told = Taken(hand, True, False, (), sheet.asks)
        return keep(session, seat, data, sent, Answer(told, Sheet(), proven=False))
    if not known.source:
        return not_known(session, seat, data, sent, known.why)
    if known.signed is not None:
        return take_signed(session, seat, data, sent, sheet, known, age)
    answer = judged(session, seat, sent, sheet, age, asking)
    hand = answer.taken.hand
    if answer.taken.changed:  # else the lines in hand stay what they were, signatures and all
        hand = hand._replace(source=known.source, signed=())
    return keep(session, seat, data, sent, answer._replace(taken=answer.taken._replace(hand=hand)))


def of_another(session: Session, seat: str, sent: Sent, age: int) -> str:
    """Why a mail is one of the player who sat there before, for the referee; "" if it is not.

    It answers a report from before the ruling, and did not come from the address of today's player:
    he wrote nothing, and is sent nothing.
    """
    since, address = session.link.player(seat).since, session.players.seats[seat].address
    if not since or session.position.answered(seat) - age >= session.hands[seat].ruled:
        return ""
    if not sent.whole.sender or sent.whole.sender.lower() == address.lower():
        return ""
    try:
        before = older(session, since - 1).player(seat).name
    except PbemError:
        return ""
    now = session.link.player(seat).name
    if before == now:
        return ""
    return (
        f"it answers a mail to {before}, who sat there before, and comes from {sent.whole.sender}: "
        f"{now} is not told of it"
    )


def take_unknown(session: Session, seat: str, data: bytes, sent: Sent) -> Answer | None:
    """Before the deal: a mail without the password of a seat that has one gets the fixed answer."""
    if session.link.player(seat).known != "password" or came_before(session.hands[seat], sent):
        return None
    if free_ask(sent):  # answering.py then reads nothing else of it
        return None
    sent = guarded(session, seat, sent)
    known = by_password(session, seat, sent)
    return None if known.source else not_known(session, seat, data, sent, known.why)


def not_known(session: Session, seat: str, data: bytes, sent: Sent, why: str) -> Answer:
    """P6: one fixed answer, to the registered address alone; it says nothing of mail or game."""
    from pbem.services.session.clock import now

    hand, code, player = session.hands[seat], session.code(seat), session.link.player(seat)
    values: dict[str, object] = {"label": session.label, "seat": seat, "code": code}
    values |= {"kind": session.game.kind, "known": player.known, "player": player.name}
    values["dealt"] = session.link.dealt
    text = render("not_known.txt", *session.templates, **values)
    receipt = f"[pbem {code}] {session.label}: not kept\n{now()}\n{text}"
    number = put(session, seat, data, sent, hand, receipt)
    return Answer(Taken(session.hands[seat], False, False, (), ()), Sheet(), False, number, why)


def guarded(session: Session, seat: str, sent: Sent) -> Sent:
    """Without anything that may be the seat's password, where it has one, or had one once."""
    if sent.guarded:
        return sent
    known = session.link.player(seat).known == "password"
    return sent.for_password_seat() if known or session.players.seats[seat].password else sent


def came_before(hand: Hand, sent: Sent) -> bool:
    """Whether these bytes were taken already. A mail is one of its kind; the same words without a
    mail's id may be meant once more, when other orders came in between.
    """
    if sent.unique:
        return sent.digest in dict(hand.handled)
    return bool(hand.handled) and hand.handled[-1][0] == sent.digest


def forgotten(session: Session, seat: str, sent: Sent) -> bool:
    """Whether a mail came so long ago that its receipt is forgotten. Fed again it changes nothing:
    an old `withdraw` must not take new orders back.
    """
    full = len(session.hands[seat].handled) >= MOST_HANDLED
    return full and session.folder.mail(f"{sent.digest[:32]}.eml") is not None


def check_claims(session: Session, seat: str, sent: Sent) -> None:
    """What a move file says of itself must be so; its code has been found good."""
    if sent.game is not None and sent.game != session.link.game:
        raise BadInput(
            "move/game",
            "the move file names another game than its code",
            "take both from the same report",
        )
    if sent.seat is not None and sent.seat != seat:
        raise BadInput(
            "move/seat",
            "the move file names another seat than its code",
            "take both from the same report",
        )
