"""A message that cannot be read: whether its player is told, and what.

What must never be here: keeping anything of it but its headers (P11).
Law: what no person wrote is not answered; of two codes nobody can tell which is meant.
Source: docs/DESIGN.md "Email".
"""

from pbem.chain.state_record import CLOSED
from pbem.crypto.encoding import digest
from pbem.disk.folder import Mark
from pbem.engine.row import say
from pbem.errors import PbemError
from pbem.mail.identity import find_codes
from pbem.mail.parsed import read_heading
from pbem.notation.lines import Sheet
from pbem.play.joining.answers import JoiningAnswer
from pbem.report.render import render
from pbem.services.lock import writing
from pbem.services.outbox import send_of, to_seat
from pbem.services.receive import before_deal, play
from pbem.services.receive.authentication import Known, by_code
from pbem.services.receive.find_game import Games
from pbem.services.receive.message import Incoming
from pbem.services.receive.result import Received
from pbem.services.receive.submission import Case, Judged
from pbem.services.sentences import UNREAD, UNREAD_HINT

EMPTY = "mail/empty"
#: what is wrong with a mail itself, so that its player is told; of two codes nobody can tell which
#: is meant, and what no person wrote is not answered
ITS_OWN = ("mail/", "move/", "file/too-large")
TWO_CODES = "mail/two-codes"
NOT_TOLD = ("mail/automatic", "mail/own", TWO_CODES)


def case_of(games: Games, data: bytes, error: PbemError) -> Case | None:
    """What is known of a mail that cannot be read; None where nobody is told of it."""
    if error.code in NOT_TOLD or not error.code.startswith(ITS_OWN):
        return None
    heading = read_heading(data)
    if heading is None:
        return None
    codes, mark = find_codes(heading.subject), digest(data).hex()
    message = Incoming(mark, codes, (), (), listed=False, unique=True, headers=heading)
    message = games.coded(message)
    found = games.owner(message)
    if found is None:
        return None
    # before the deal an empty mail is an answer, as the invitation says
    answer = error.code == EMPTY and not found.session.link.dealt
    return Case(found.session, found.seat, message, error=None if answer else error)


def advise(games: Games, data: bytes, received: Received) -> None:
    """Tell a player how to write, once a day: no game took their email. It goes to the registered
    address and has no reply code, for anybody can write a sender.
    """
    code, headers = str(received.facts.get("code", "")), read_heading(data)
    two, own = code == TWO_CODES, code.startswith(ITS_OWN) and code not in NOT_TOLD
    if headers is None or headers.mass or not (two or (own and not find_codes(headers.subject))):
        return
    for session in sorted(games.all, key=lambda one: one.link.phase == CLOSED):
        people, sender = session.players, headers.sender or "-"
        seat = next((seat for seat, one in people.seats.items() if one.has(sender)), "")
        if not seat or not session.acts or people.referee.has(sender):
            continue
        with writing(session, closed=True) as now:
            games.replace(session, now)
            name, about = f"how-to-{seat}-{now.time[:10]}", f"{now.label}: how to write to me"
            if all(now.folder.message(mark, name) is None for mark in Mark):
                values = {"label": now.label, "player": now.link.player(seat).name, "two": two}
                text = render("how_to.txt", **values)
                message = to_seat(now, seat, text, about, file=name, called=name)
                send_of(now, message._replace(reply=True))
        return


def known_unread(case: Case) -> Known:
    """By its code, if the player is identified by that, or, but for a password, before the deal."""
    way, dealt = case.session.link.player(case.seat).way, case.session.link.dealt
    if way.password or (dealt and not way.code):
        return Known("", case.error.message if case.error else "")
    return by_code(case)


def judge_unread(case: Case, _: Known) -> Judged:
    """Its receipt says why it was not read."""
    assert case.error is not None
    error = case.error
    why = say(UNREAD_HINT if error.hint else UNREAD, why=error.message, hint=error.hint)
    if not case.session.link.dealt:
        return before_deal.judged(case, JoiningAnswer(why=why))
    return play.judged(case, play.refused(case, why, Sheet()), None)


def unread(case: Case, judged: Judged) -> Judged:
    """For the referee: why it was not read, whatever its player is told."""
    assert case.error is not None
    said = f"not taken, the receipt says so: {case.error.line()}"
    return judged._replace(
        kind="not read",
        said=said,
        exit_code=case.error.exit_code,
        lines=(),
        more=(),
        read=(f"(This email was not read: {case.error.message})",),
    )
