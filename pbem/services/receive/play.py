"""A message while its game is played: orders, questions, an answer to the asking about an undo.

What lives here: how it is shown to be the player's, what its orders are worth, its receipt. What
must never be here: keeping anything; finding out that they are signed (authentication.py), the
number of those that are (order_numbers.py); the legality of an order.
Laws: what is said is a function of the seat's own View and lines and of the rules (P2); where the
mail was not shown to be the player's, of the rules alone. Of signed orders: authenticate, then the
number, then whether they are in time, then if they are legal; the same orders again get the same
receipt again, another list under a number that came is refused.
Source: docs/DESIGN.md "Email"; docs/SPECIFICATION.md section 9; FORMAT.md "Signed receipts".
"""

from typing import NamedTuple

from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import b64
from pbem.engine.row import Row, Sentence, say
from pbem.errors import Missing
from pbem.mail.compose import date_in_prose
from pbem.mail.set_apart import marked
from pbem.notation.absence import Away, is_absence
from pbem.notation.asks import WITHDRAW
from pbem.notation.lines import Sheet
from pbem.play import validate_email, validation
from pbem.play.consent import Asking
from pbem.play.email_order import VOTE, noted, overtaken, touched
from pbem.play.half_action import half_way
from pbem.play.pending_orders import hand_lines, in_time
from pbem.play.reply_codes import VOID
from pbem.play.validate_email import Taken
from pbem.report.frequency import FEW
from pbem.report.receipt import (
    COMPLETE,
    STILL_OPEN,
    asks_in_words,
    judged_lines,
    more_wanted,
    public_verdicts,
    receipt_headline,
    receipt_values,
    replaced,
    verdict_lines,
    votes_in,
    withdrawals,
)
from pbem.report.receipt_block import Receipt, write_receipt_block
from pbem.report.report import winners
from pbem.report.subjects import receipt_subject
from pbem.services import html, sentences
from pbem.services.receipts import KeptReceipt, receipt_for, receipt_name
from pbem.services.receive import confirmation
from pbem.services.receive.absences import absences, dated
from pbem.services.receive.authentication import Known, known_by
from pbem.services.receive.order_numbers import number_of
from pbem.services.receive.submission import (
    REPEATED,
    Case,
    Judged,
    answers_to,
    asks_rules,
    check_claims,
)
from pbem.services.session.history import older


def judge_late(case: Case, _: Known) -> Judged:
    """How it ended; the report goes out again."""
    session, record, game = case.session, case.session.link, case.session.game
    outcome = game.outcome(game.view(session.position.state, None))
    values = {
        "closed": marked(record.rulings[0].reason) if record.phase == CLOSED else "",
        "over": outcome is not None,
        "winners": winners(session.position, outcome),
        "n": record.n,
        "date": date_in_prose(record.time),
    }
    what = "the game is over" if outcome else "the game is closed"
    receipt = receipt_for(session, case.seat, "", what, "ended.txt", values, resend=True)
    how = "closed" if record.phase == CLOSED else "over"
    said = f"ignored: the game is {how}; its player gets the last report again"
    # whoever writes is answered alike (P6): that there is a letter is not told
    mine = session.link.player(case.seat).way.code
    return Judged(case.hand, "ended", said, receipt, 1, letter=case.letter if mine else ())


RULES = "rules"  #: nobody need be known for what stands in the rules
SAID = {
    "stale": "not accepted: that question is settled (the report goes out again)",
    "refused": "not accepted, the receipt says why",
}


class Weighed(NamedTuple):
    """What a mail's orders are worth."""

    taken: Taken
    stale: bool = False
    ruled: bool = False  #: stale by a ruling
    unclear: bool = False  #: it answers an open asking, and says neither `yes` nor `no`
    proven: bool = True  #: shown to be the player's; else it is told nothing but the rules
    nr: int = 0  #: that the player gave his orders, where he signed them
    proposal: tuple[str, ...] = ()  #: what its player may have meant, for him to confirm
    confirms: str = ""  #: what becomes of its `yes` or `no`, by kind


def known(case: Case) -> Known:
    """How the state says this player is known, and whether the mail shows it."""
    check_claims(case)
    message = case.message
    if case.stale and not case.typed and not message.signed and (why := _of_another(case)):
        return Known("", why, silent=True)
    found = known_by(case)
    return Known(RULES) if not found.source and asks_rules(case.sheet) else found


def judge(case: Case, by: Known) -> Judged:
    """What is kept of its orders, and what its player is told."""
    if by.source == RULES:
        told = Taken(case.hand, True, False, (), case.sheet.asks)
        return judged(case, Weighed(told, proven=False), None)
    if by.signed is not None:
        return _judge_signed(case, by, by.signed.nr)
    if by.fault is not None:
        return judged(case, refused(case, by.fault, Sheet()), case.asking)
    reply = confirmation.reply_of(case)
    weighed = _in_order(case, weigh(case, by, reply.sheet, case.age, case.asking))
    weighed = _holding(case, weighed, reply)
    return judged(case, weighed, case.asking)._replace(signature=by.vote)


def _holding(case: Case, weighed: Weighed, reply: confirmation.Reply) -> Weighed:
    """With what waits for its player's `yes` from now on."""
    taken, hand = weighed.taken, weighed.taken.hand
    held = not taken.accepted and bool(taken.read.suspects)
    if weighed.proposal or held:
        by_key = case.session.link.player(case.seat).way.key
        rows = () if by_key else weighed.proposal
        name = f"r{receipt_name(case.seat, case.hand.receipts + 1)}"
        hand = hand.holding(case.session.position.answered(case.seat), rows, name)
    elif taken.changed or reply.drops:
        hand = hand.without_held()
    elif reply.kind in confirmation.AGAIN or (
        not (reply.kind or taken.asks) and confirmation.waits(case)
    ):
        # its receipt shows once more what was proposed
        name = f"r{receipt_name(case.seat, case.hand.receipts + 1)}"
        hand = hand._replace(shown=(*hand.shown, name))
        weighed = weighed._replace(proposal=hand.proposal)
    return weighed._replace(taken=taken._replace(hand=hand), confirms=reply.kind)


def _in_order(case: Case, weighed: Weighed) -> Weighed:
    """What changes anything, unless a newer email did; what is signed has its number for that."""
    taken = weighed.taken
    if not taken.accepted or weighed.stale:
        return weighed
    names = touched(case.hand, taken.hand, taken.asks)
    if case.asking is not None and votes_in(taken.asks):
        names.add(VOTE)
    if not names:
        return weighed
    if overtaken(case.hand, names, case.came, case.session.time):
        return refused(case, say(sentences.OVERTAKEN), Sheet())
    return weighed._replace(taken=taken._replace(hand=noted(taken.hand, names, case.came)))


def _judge_signed(case: Case, by: Known, nr: int) -> Judged:
    """The number first, then whether they are in time, then what they are worth."""
    number = number_of(case, by)
    if number.again:
        return Judged(case.hand, "repeated", REPEATED, again=number.again)
    if why := number.refused or number.late:
        weighed = refused(case, why, number.sheet)
    else:
        weighed = weigh(case, by, number.sheet, number.age, None)
    if not number.refused:
        taken = weighed.taken
        names = touched(case.hand, taken.hand, taken.asks)
        hand = noted(taken.hand, names, case.came) if names else taken.hand
        weighed = weighed._replace(taken=taken._replace(hand=hand._replace(seen=nr)))
    used = 0 if number.refused else nr  # the receipt of another email may have the number
    return judged(case, weighed._replace(nr=used), None)._replace(
        marks=(number.mark,) if number.mark else ()
    )


def refused(case: Case, why: Sentence, sheet: Sheet) -> Weighed:
    """The whole mail is refused, and nothing in hand changes."""
    verdicts = (validation.Verdict(0, "", "refused", why),)
    return Weighed(Taken(case.hand, False, False, verdicts, (), sheet))


def _of_another(case: Case) -> str:
    """Why a mail is one of the player who sat there before, for the referee; "" if it is not.

    It answers a report from before the ruling, and did not come from the address of today's player:
    he wrote nothing, and is sent nothing.
    """
    session, seat, sender = case.session, case.seat, case.message.headers.sender
    since = session.link.player(seat).since
    if not since or session.position.answered(seat) - case.age >= case.hand.ruled:
        return ""
    if not sender or session.players.seats[seat].has(sender):
        return ""
    try:
        before = older(session, since - 1).player(seat).name
    except Missing:
        return ""
    now = session.link.player(seat).name
    if before == now:
        return ""
    sender = "another address" if case.message.guarded else sender
    return (
        f"it answers an email to {before}, who played there before, and comes from {sender}; "
        f"pbem sends {now} nothing"
    )


def weigh(case: Case, by: Known, sheet: Sheet, age: int, asking: Asking | None) -> Weighed:
    """What the orders are worth; ``age``: of the question they answer."""
    session, hand, game = case.session, case.hand, case.session.game
    stale, view = age > len(hand.done), game.view(session.position.state, case.seat)
    since = hand.done[-age:] if age and not stale else ()
    head, nr = b64(session.position.head), 0
    if by.signed is not None:
        head, nr = by.signed.head, by.signed.nr
    mail = by.source, nr, by.lines
    asked = validation.Asked(view, bool(game.legal(view)), head, since, *mail)
    answered = session.position.answered(case.seat)
    lost = age >= answered + VOID  # not even its standing orders count
    answers_old = stale and (lost or _answers(sheet, asking))
    sheet = sheet if stale else validate_email.continued(game, asked, hand, sheet)
    looked_at = Sheet() if answers_old else sheet._replace(unread=()) if stale else sheet
    taken = validate_email.take(game, asked, hand, looked_at)
    unclear = asking is not None and asking.open and not sheet.asks and not taken.changed
    ruled = answers_old and answered - age < hand.ruled
    taken = taken._replace(read=sheet) if answers_old else taken
    proposed = () if stale else _proposal(case, asked, taken)
    return Weighed(taken, answers_old, ruled, unclear, proposal=proposed)


def _proposal(case: Case, asked: validation.Asked, taken: Taken) -> tuple[str, ...]:
    """What pbem proposes for an email that is held, or whose words may be a command."""
    if case.message.automatic or (taken.accepted and not taken.read.offers):
        return ()
    from pbem.play.proposals.proposals import proposal
    from pbem.services.receive.prose import reader_of

    reader = reader_of(case.session, case.seat, case.message.guarded)
    offers = (dated(case.session, x) if is_absence(x) else x for x in taken.read.offers)
    return (*proposal(reader, asked, taken.read), *filter(None, offers))


def _answers(sheet: Sheet, asking: Asking | None) -> bool:
    """Whether it answers a question, or may: standing orders and `help` are tied to none."""
    about = asking is not None and not sheet.asks
    return about or bool(sheet.suspects) or any(not line.when for line in sheet.first)


def judged(case: Case, weighed: Weighed, asking: Asking | None) -> Judged:
    """The verdict and the receipt of orders that were weighed."""
    taken = weighed.taken
    kind = _kind(weighed)
    said = SAID | {
        "kept": "accepted" if taken.hand.lines else "all waiting orders withdrawn",
        "answered": "answered" if taken.asks else "no order in it",
    }
    if weighed.confirms in confirmation.NO_CHANGE and not taken.changed:
        said[kind] = confirmation.NO_CHANGE[weighed.confirms]
    if asking is not None and (weighed.stale or weighed.unclear):
        over = "not counted: it answers a question about an undo that has been decided"
        said[kind] = over if weighed.stale else "neither `yes` nor `no` to the undo"
    verdicts, asks = taken.verdicts, taken.asks
    if not case.secret:
        verdicts = public_verdicts(case.session.game, taken.read, verdicts)
        asks = tuple(dict.fromkeys(WITHDRAW if ask in withdrawals(asks) else ask for ask in asks))
    shown = () if weighed.stale else verdicts
    more = [f"  {line}" for line in verdict_lines(shown)]
    # what of a held email is answered all the same; of an absence nothing was noted
    heard = asks if taken.accepted else tuple(ask for ask in asks if not is_absence(ask))
    more += [f"  asked for: {asks_in_words(heard)}"] if heard else []
    return Judged(
        taken.hand,
        kind,
        said[kind],
        receipt_of(case, weighed, asking),
        0 if kind in ("kept", "answered") else 1,
        shown,
        asks,
        tuple(more),
        votes=taken.asks if taken.accepted and votes_in(taken.asks) else (),
        letter=_letter(case, weighed),
        away=_absences(case, weighed),
    )


def _letter(case: Case, weighed: Weighed) -> tuple[str, ...]:
    """What is for the referee to read."""
    return case.letter if weighed.proven else ()


def _absences(case: Case, weighed: Weighed) -> tuple[Away, ...] | None:
    """What is to be noted then of what its player says of being away, if that changes."""
    good = weighed.taken.accepted and weighed.proven
    return absences(case.session, case.seat, weighed.taken.asks if good else ()).days


def _kind(weighed: Weighed) -> str:
    if weighed.stale:
        return "stale"
    if weighed.taken.changed:
        return "kept"
    odd = weighed.unclear or weighed.confirms in ("nothing", *confirmation.AGAIN)
    return "answered" if weighed.taken.accepted and not odd else "refused"


def receipt_of(case: Case, weighed: Weighed, asking: Asking | None) -> KeptReceipt:
    """What its player is told; it is kept with the orders so that it cannot be lost."""
    session, seat, taken = case.session, case.seat, weighed.taken
    code = asking.code if asking and asking.open else session.code(seat)
    player = session.link.player(seat)
    answers = answers_to(session, seat, taken.asks, taken.accepted) if taken.asks else []
    passed_on = _letter(case, weighed) if case.sheet.unread or case.message.beside else ()
    letter = case.told_of(passed_on)
    kept = letter.kind if letter else ""
    view = session.game.view(session.position.state, seat)
    asked = bool(session.game.legal(view))
    plain = receipt_headline(taken, weighed.stale, weighed.ruled, kept, asked)
    if weighed.confirms in confirmation.NO_CHANGE and not (taken.changed or weighed.stale):
        plain = Row(f"confirm_{weighed.confirms}", {"answer": case.answer})
    elif weighed.proposal and (not taken.accepted or plain.kind in ("no_order", "letter")):
        plain = Row("proposed")
    headlines = [plain]
    if asking is not None and (asking.open or weighed.stale):
        headlines = _headlines(plain, asking, taken, weighed.unclear)
    decided = asking is None or not asking.open  # while an undo is open nothing is played
    number = session.position.answered(seat)
    wanted = more_wanted(session.game, view, taken.hand, number) if decided else []
    headlines += wanted if taken.changed else []
    values = receipt_values(taken, weighed.stale, answers, case.hand, session.rule_in_short)
    values |= {
        "hand": hand_lines(in_time(taken.hand.parts, session.game, view)),
        "headline": [row.plain() for row in headlines],
        "way": player.identified,
        "proven": weighed.proven,
        "elsewhere": case.elsewhere,
        "letter": letter.plain() if letter and plain.kind != "letter" else None,
        "kind": session.game.kind,
        "names": {one.seat: one.name for one in session.link.people},
        "half": html.half(session, seat, taken.hand) if taken.changed else {},
        "proposal": list(weighed.proposal),
        "confirms": weighed.confirms,
        "not_read": list(case.message.not_read),
        "minutes": session.link.clock.replaceable if wanted == [COMPLETE] else 0,
        "block": _block(case, weighed),
    }
    what = receipt_subject(headlines[0])
    resend = weighed.stale or "resend" in taken.asks
    found = receipt_for(session, seat, code, what, "receipt.txt", values, resend)
    news = values["elsewhere"] or values["replaced"] or letter or asking or wanted == [STILL_OPEN]
    return found._replace(quiet=not news and _is_no_news(case, weighed))


def _is_no_news(case: Case, weighed: Weighed) -> bool:
    """Whether a player who wants few emails knows what became of the orders (0018): accepted as
    they were written, and what goes before what nobody can tell yet, or whole. A receipt for signed
    orders is a proof: it always goes.
    """
    taken, game = weighed.taken, case.session.game
    if taken.hand.mails != FEW or not taken.changed or taken.asks or weighed.nr:
        return False
    if case.answer or any(line.text != line.order for line in case.sheet.first):
        return False  # in words: the receipt shows what they mean
    half = half_way(game, game.view(case.session.position.state, case.seat), taken.hand)
    kept = all(verdict.what in ("kept", "not read") for verdict in taken.verdicts)
    return kept and not (half and half.known)


def _headlines(plain: Row, asking: Asking, taken: Taken, unclear: bool) -> list[Row]:
    """What became of a mail that answers an asking; ``plain``: of its orders alone."""
    if not asking.open:
        return [Row("undo_again" if asking.anew else "undo_over")]
    if unclear and asking.answer:
        return [Row("undo_same", {"answer": asking.answer})]
    if unclear:
        return [Row("undo_unclear")]
    said = taken.accepted and votes_in(taken.asks)
    return [plain] if said or asking.answer else [plain, Row("undo_open")]


def _block(case: Case, weighed: Weighed) -> str:
    """What the referee cannot deny to have had in hand."""
    session, taken, before = case.session, weighed.taken, case.hand
    asks = taken.asks if taken.accepted else ()
    noted = absences(session, case.seat, asks).lines
    found = Receipt(
        session.link.game,
        case.seat,
        weighed.nr or (taken.hand.nr if taken.changed else 0),
        session.time,
        session.link.n,
        session.position.head,
        session.link.knows(session.position.head),
        max((part.nr for part in replaced(before, taken.hand)), default=0),
        () if weighed.stale else judged_lines(taken, bool(weighed.nr), noted),
    )
    return write_receipt_block(found, session.key.signing, session.key.public)
