"""Taking one answer before the deal: to the invitation, or to the roster.

What lives here: ``receive_answer``. What must never be here: reading files, printing, judging
(moderator/opening/answers.py).
Laws: received and durable comes before the receipt (P8); the same mail again changes nothing; what
is said is a function of the answer and of the signed states (P2); a contribution that was opened is
shown to nobody before the deal. Source: FORMAT.md "Before the deal"; decision 0005.
"""

from pbem.crypto.encoding import unb64
from pbem.moderator.chain.link import CLOSED
from pbem.moderator.chain.people import read_joined
from pbem.moderator.chain.signed_state import head_of
from pbem.moderator.opening.answers import JoiningAnswer, is_rules, to_invitation, to_roster
from pbem.moderator.opening.rounds import anew
from pbem.moderator.report.receipt import replies_to
from pbem.moderator.turn.hand import Hand
from pbem.moderator.turn.intake import handled
from pbem.render import render
from pbem.services.intake.answered import Answered, again, who
from pbem.services.intake.judging import receipt_written
from pbem.services.intake.knowing import free_ask
from pbem.services.intake.reading import Sent
from pbem.services.intake.storing import storable
from pbem.services.intake.taking import came_before, check_claims, forgotten, guarded
from pbem.services.post.reports import rulebook
from pbem.services.session.clock import now
from pbem.services.session.session import Session

HELP = (
    "Before the deal each player may give something to it: a line, or, with pbem, a sealed value.",
    "A sealed value proves that the deal was fair. The referee's mail says how it is done.",
    "`no` declines. `withdraw` takes your answer back, `resend` brings that mail again.",
    "`rules` and a number explains a rule, such as `rules R-2`.",
)
SAID = {"key": "a key and a sealed contribution", "none": "nothing for the deal"}
SHOWN = 60  #: letters of a line, on the referee's screen


def receive_answer(session: Session, seat: str, name: str, data: bytes, sent: Sent) -> Answered:
    """Under the lock: judge, keep, write the receipt; then what the referee reads."""
    hand, sent = session.hands[seat], guarded(session, seat, sent)
    if came_before(hand, sent) or (sent.unique and forgotten(session, seat, sent)):
        return again(session, seat, name)
    check_claims(session, seat, sent)

    answer = _judged(session, seat, sent)
    session.folder.keep_mail(f"{sent.digest[:32]}.eml", storable(data, sent.whole, sent.guarded))
    number = _keep(session, seat, sent, answer)
    return _told(session, seat, name, answer, number)


def keep_unread(session: Session, seat: str, sent: Sent, why: str) -> str:
    """A mail that could not be read: its receipt says why. The receipt's name."""
    session.folder.keep_mail(f"{sent.digest[:32]}.eml", storable(b"", sent.whole, sent.guarded))
    return _keep(session, seat, sent, JoiningAnswer(why=why))


def _judged(session: Session, seat: str, sent: Sent) -> JoiningAnswer:

    link, head = session.link, head_of(session.newest.raw)
    own, below = [x.text for x in sent.lines], [x.text for x in sent.below]
    if link.phase == CLOSED:
        return JoiningAnswer(
            why="this round was given up; if there is a next one, it invites you anew"
        )
    if ask := free_ask(sent):  # it needed no proof, so nothing else of it counts
        return JoiningAnswer(ask=ask)
    if not link.n:
        return to_invitation(link, head, seat, own, below)
    return to_roster(link, unb64(link.prev, 32), head, seat, own, below)


def _keep(session: Session, seat: str, sent: Sent, answer: JoiningAnswer) -> str:
    """The answer, durably, together with its receipt; then the receipt. Its name."""
    hand = session.hands[seat]
    if answer.row or answer.no or answer.ask == "withdraw":
        hand = hand._replace(answer=answer.row, declined=answer.no)
    there = session.hands[seat]
    headline = _headline(answer, bool(there.answer or there.declined))
    unproven = (answer.ask == "help" or is_rules(answer.ask)) and session.link.player(
        seat
    ).known == "password"
    stands = "" if unproven or session.link.n else _stands(hand)
    receipt = _receipt(session, seat, answer, headline, stands)
    session.put_hand(seat, handled(hand, sent.digest, receipt))
    return receipt_written(session, seat)


def _receipt(session: Session, seat: str, answer: JoiningAnswer, headline: str, stands: str) -> str:
    """Subject, time (and whether the mail before goes out again), text; kept with the answer.

    ``stands``: what the seat's answer is now, "" where nothing may be said of it.
    """
    link = session.link
    code = session.code(seat) if link.phase != CLOSED else ""
    values = {
        "label": session.label,
        "code": code,
        "player": link.player(seat).name,
        "seat": seat,
        "headline": headline,
        "help": HELP if answer.ask == "help" else _rule(session, seat, answer.ask),
        "stands": stands,
    }
    what = "not kept" if answer.why else "received"
    subject = f"[pbem {code}] {session.label}: {what}" if code else f"{session.label}: {what}"
    resend = " resend" if answer.ask == "resend" or answer.why else ""
    return f"{subject}\n{now()}{resend}\n{render('answer.txt', *session.templates, **values)}"


def _rule(session: Session, seat: str, ask: str) -> list[str]:
    """The rule that is asked for; none where nothing of the kind is."""

    def told(what: str) -> str:
        who = {"kind": session.game.kind, "known": session.link.player(seat).known, "seat": seat}
        return render("help.txt", *session.templates, what=what, **who).rstrip("\n")

    asks = (ask,) if is_rules(ask) else ()
    return replies_to(asks, rulebook(session, whole=True), told)


def _headline(answer: JoiningAnswer, there: bool) -> str:
    if answer.why:
        return f"Nothing of this mail was kept: {answer.why}."
    if answer.ask == "withdraw":
        return "Your answer is taken back." if there else "There was no answer to take back."
    if answer.ask:
        if is_rules(answer.ask):
            return "Here is what you asked for."
        return "The referee's mail is sent again." if answer.ask == "resend" else "Help:"
    return "You have declined." if answer.no else "Received, thank you."


def _stands(hand: Hand) -> str:
    """What the seat's answer is now, for its own receipt."""
    last = " The last answer counts, until all have answered."
    if hand.declined:
        return (
            f"Your answer now: `{hand.declined}`. You do not play, and the referee is told so. If "
            "that is wrong, answer again."
        )
    if not hand.answer:
        return f"You have not answered yet.{last}"
    one, wrong = read_joined(hand.answer), f" If that is wrong, answer `no`.{last}"
    if one.gave == "plain":
        line = f"You give the line `{one.text}` to the deal: all players will read it."
        return f"Your answer now: you are in the game. {line}{wrong}"
    if one.gave == "key":
        return (
            "Your answer now: you are in the game, with a key and a sealed contribution. The next "
            f"mail asks you to open it: that is done on the machine where you made it.{wrong}"
        )
    return f"Your answer now: you are in the game, and give nothing to the deal.{wrong}"


def _gave(row: str) -> str:
    """What was answered to the invitation; a line shortened."""
    _, gave, *rest = row.split(" ", 2)
    line = rest[0] if gave == "plain" else ""
    shown = line if len(line) <= SHOWN else f"{line[:SHOWN]}\u2026"
    return f'the line "{shown}"' if line else SAID[gave]


def _told(session: Session, seat: str, name: str, answer: JoiningAnswer, number: str) -> Answered:
    """What the referee's screen has: that it came, of what kind, and a line that all will read."""
    verdict = "kept" if answer.row or answer.no else "answered" if answer.ask else "refused"
    if answer.no:
        said = f'declines: "{answer.no}"'
    elif answer.row and not session.link.n:
        said = f"answered: {_gave(answer.row)}"
    else:
        said = "opened the contribution" if answer.row else f"asked for: {answer.ask}"
    if answer.why:
        said = f"not kept: {answer.why}"
    data = {
        "file": name,
        "verdict": verdict,
        "dir": str(session.folder.root),
        "game": session.link.game,
        "seat": seat,
        "lines": [],
        "asks": [answer.ask] if answer.ask else [],
        "receipt": number,
        "notes": list(session.notes),
    }
    lines = [f"{name}: {who(session, seat)}: {said}"]
    if answer.no:
        lines.append(
            f"  a game is played by all who are invited: {anew(session.folder.root, seat)}"
        )
    lines += [f"  note: {note}" for note in session.notes]
    session.notes.clear()
    return data, "\n".join(lines), 0 if verdict != "refused" else 1
