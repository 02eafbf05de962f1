"""A message before the deal: an answer to the invitation, or to the roster.

What lives here: how it is shown to be the player's, what it is taken for, its receipt in words.
What must never be here: keeping anything; reading the answer itself (play/joining/answers.py).
Laws: what is said is a function of the answer and of the signed states (P2); a contribution that
was opened is shown to nobody before the deal.
Source: docs/DESIGN.md "Email"; decision 0005.
"""

import re

from pbem.chain.contributions import PLAIN, SEALED, read_joined
from pbem.chain.signed_state import head_of
from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import unb64
from pbem.engine.row import Row, say
from pbem.mail.identity import password_on
from pbem.mail.set_apart import marked
from pbem.mail.text import folded
from pbem.play.email_order import ANSWER, noted, overtaken
from pbem.play.joining.answers import (
    JoiningAnswer,
    accepts,
    declines,
    is_answer,
    is_rules,
    to_invitation,
    to_roster,
)
from pbem.play.joining.opening import anew
from pbem.play.pending_orders import Hand
from pbem.report.subjects import ANSWER_SUBJECTS
from pbem.services.receipts import KeptReceipt, receipt_for
from pbem.services.receive.authentication import Known, by_code, by_password, password_in
from pbem.services.receive.submission import Case, Judged, answers_to, check_claims, free_ask
from pbem.services.sentences import CANCELLED, OVERTAKEN

SHOWN = 60  #: letters of a line, on the referee's screen


def known(case: Case) -> Known:
    """By the code of its email, and where the seat has a password by that, unless the email only
    asks, or the referee typed it.
    """
    password = case.session.link.player(case.seat).way.password
    if password and not case.typed and not free_ask(case):
        return by_password(case)
    return by_code(case)


def judge(case: Case, _: Known) -> Judged:
    """What it is taken for."""
    check_claims(case)
    answer = _answer(case)
    if not (answer.row or answer.no or answer.ask == "withdraw"):
        return judged(case, answer)
    if overtaken(case.hand, {ANSWER}, case.came, case.session.time):
        return judged(case, JoiningAnswer(why=say(OVERTAKEN)))
    found = judged(case, answer)
    return found._replace(hand=noted(found.hand, {ANSWER}, case.came))


def _answer(case: Case) -> JoiningAnswer:
    session, seat, message = case.session, case.seat, case.message
    record, head = session.link, head_of(session.newest.raw)
    written = [line.text for line in message.lines if line.text.strip()]
    secret = password_in(case) if message.guarded else ""
    own = [
        text
        for text in written
        if password_on(text) is None and (_answers(text) or not _shares(text, secret))
    ]
    below = [] if written else [line.text for line in message.below]
    if record.phase == CLOSED:
        return JoiningAnswer(why=say(CANCELLED))
    if ask := free_ask(case):  # it needed no proof, so nothing else of it counts
        return JoiningAnswer(ask=ask)
    if not record.n:
        answer = to_invitation(record, head, seat, own, below)
        return answer._replace(no="no") if answer.no and message.guarded else answer
    return to_roster(record, unb64(record.prev, 32), head, seat, own, below)


def _answers(text: str) -> bool:
    """Whether a line is a plain yes or no, whatever its letters are."""
    return accepts(text) or bool(declines([text]))


def _shares(text: str, secret: str) -> bool:
    """Whether a word of the password is in a line that all players would read."""
    letters = re.sub("[^a-z]+", "", folded(text).lower())
    return any(word in letters for word in re.findall("[a-z]+", secret.lower()))


def judged(case: Case, answer: JoiningAnswer) -> Judged:
    """The verdict and the receipt of an answer."""
    session, seat, before = case.session, case.seat, case.hand
    hand = before
    if answer.row or answer.no or answer.ask == "withdraw":
        hand = before._replace(answer=answer.row, declined=answer.no)
    headline = _headline(answer, bool(before.answer or before.declined))
    asks_alone = answer.ask == "help" or is_rules(answer.ask)
    unproven = asks_alone and session.link.player(seat).way.password
    stands = None if unproven or session.link.n else _stands(hand)
    kind = "kept" if answer.row or answer.no else "refused" if answer.why else "answered"
    invited = f"  all who are invited must play: {anew(session.folder.root, seat)}"
    return Judged(
        hand,
        kind,
        _said(case, answer),
        _receipt(case, answer, headline, stands),
        1 if kind == "refused" else 0,
        asks=(answer.ask,) if answer.ask else (),
        more=(invited,) if answer.no else (),
        read=tuple(one for one in (answer.row, answer.no, answer.ask) if one),
        letter=_letter(case, answer),
    )


def _letter(case: Case, answer: JoiningAnswer) -> tuple[str, ...]:
    """What else it says. Of one that asks and needed no proof nothing."""
    lines = () if case.typed or answer.ask else case.message.lines
    return case.letter_of(line.text for line in lines if not is_answer(line.text))


def _receipt(case: Case, answer: JoiningAnswer, headline: Row, stands: Row | None) -> KeptReceipt:
    """What its player is told, and whether the mail before goes out again.

    ``stands``: what the seat's answer is now, None where nothing may be said of it.
    """
    session, seat, record = case.session, case.seat, case.session.link
    code = session.code(seat) if record.phase != CLOSED else ""
    what = ANSWER_SUBJECTS[headline.kind]
    resend = answer.ask == "resend" or bool(answer.why)
    rules = answers_to(session, seat, (answer.ask,)) if is_rules(answer.ask) else []
    told = [Row("joining")] if answer.ask == "help" else rules
    letter = case.told_of(_letter(case, answer))
    values = {
        "headline": headline.plain(),
        "letter": letter.plain() if letter else None,
        "elsewhere": case.elsewhere,
        "answers": [row.plain() for row in told],
        "standing": stands.plain() if stands else None,
    }
    return receipt_for(session, seat, code, what, "answer.txt", values, resend)


def _headline(answer: JoiningAnswer, there: bool) -> Row:
    """The macro ``joining_KIND``; ``there``: whether there was an answer before."""
    if answer.why:
        return Row("refused", {"why": str(answer.why)})
    if answer.ask == "withdraw":
        return Row("withdrawn" if there else "nothing_to_withdraw")
    if is_rules(answer.ask):
        return Row("asked")
    if answer.ask:
        return Row("sent_again" if answer.ask == "resend" else "help")
    if answer.no:
        return Row("declined")
    return Row("received" if answer.row else "letter_too" if there else "letter")


def _stands(hand: Hand) -> Row:
    """What the seat's answer is now, for its own receipt: the macro ``standing_KIND``."""
    if hand.declined:
        return Row("declined", {"line": marked(hand.declined)})
    if not hand.answer:
        return Row("none")
    given = read_joined(hand.answer)
    if given.gave == PLAIN:
        return Row(PLAIN, {"line": marked(given.text)})
    return Row(SEALED if given.sealed else "nothing")


def _said(case: Case, answer: JoiningAnswer) -> str:
    """For the referee's screen: that it came, of what kind, and a line that all will read."""
    if answer.why:
        return f"not accepted: {answer.why}"
    if answer.no:
        return f'declines: "{answer.no}"'
    if answer.ask:
        return f"asked for: {answer.ask}"
    if not answer.row:
        there = case.hand.answer or case.hand.declined
        return f"neither yes nor no: {'the answer stays as it is' if there else 'asked again'}"
    if case.session.link.n:
        return "opened the contribution"
    given = read_joined(answer.row)
    if given.sealed:
        return "answered: a key and a sealed contribution"
    shown = given.text if len(given.text) <= SHOWN else f"{given.text[:SHOWN]}\u2026"
    return f'answered: the line "{shown}"' if shown else "said yes"
