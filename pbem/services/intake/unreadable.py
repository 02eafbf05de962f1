"""A mail that cannot be read, with a good code in its subject: its player is told so.

What lives here: how such a mail is judged. What must never be here: anything taken out of it.
Law: nothing of it is kept but its headers; where the code alone does not show that the mail is the
player's, the answer is the fixed one (P6). Source: docs/DESIGN.md "Email"; P11.
"""

from pbem.files.orders.sheet import Sheet
from pbem.files.password_words import cut_words
from pbem.moderator.opening.answers import JoiningAnswer
from pbem.services.intake import before_deal, play
from pbem.services.intake.case import Case, Judged
from pbem.services.intake.known import Known


def known(case: Case) -> Known:
    """By its code, if the player is known by that, or the game is not dealt."""
    how, dealt = case.session.link.player(case.seat).known, case.session.link.dealt
    proof_missing = how == "password" or (dealt and how != "reply")
    return Known("", case.error.message if case.error else "") if proof_missing else Known("reply")


def judge(case: Case, _: Known) -> Judged:
    """Its receipt says why it was not read."""
    assert case.error is not None
    error = case.error
    why = f"{error.message}: {error.hint}" if error.hint else error.message
    why = cut_words(why) if case.message.guarded else why
    if not case.session.link.dealt:
        return before_deal.judged(case, JoiningAnswer(why=why))
    return play.judged(case, play.refused(case, why, Sheet()), None)


def verdict(case: Case, judged: Judged) -> Judged:
    """For the referee: why it was not read, whatever its player is told."""
    assert case.error is not None
    said = f"not taken: {case.error.line()}; the receipt says so"
    return judged._replace(
        kind="not read", said=said, exit_code=case.error.exit_code, lines=(), more=()
    )
