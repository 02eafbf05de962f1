"""Sentences about an email as a whole; and events in words, rendered from templates.

Not allowed here: errors of a command; a report (services/reports.py).
Law: Jinja is loaded only when there is something to render.
Source: docs/decisions/0008.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem import catalog
from pbem.engine.row import N_
from pbem.report.render import render

if TYPE_CHECKING:
    from pbem.engine.game import Game


@cache
def _templates(kind: str) -> tuple[str, ...]:
    """Return a game's template folders; cached, since finding plug-ins takes longer than rendering a sentence."""
    return catalog.template_folders(kind)


def render_sentences(game: "Game | None", rows: Sequence[Mapping[str, Any]], macro_prefix: str = "event") -> list[str]:
    """Return a sentence for each row (``Row.plain``).

    ``macro_prefix``: how the names of the macros begin that render them. Anyone who may see the View
    behind the rows may read the sentences. Without a game, only pbem's own sentences are known.
    """
    if not rows:
        return []
    kind = game.kind if game else ""
    folders = _templates(kind) if kind else ()
    text = render("sentences.txt", *folders, kind=kind, of=macro_prefix, rows=list(rows), names={})
    return text.splitlines()


# subjects of emails without a signed block (``UNSIGNED_SUBJECT`` in report/sentences.py finds them), and of receipts
PASSWORD_SUBJECT = N_("{label}: your password")
REMINDER_SUBJECT = N_("{label}: reminder, by {due}")
HOW_TO_SUBJECT = N_("{label}: how to send your orders")
REPLACED_SUBJECT = N_("{label}: {player} plays {seat} from now on")
RECEIPT_AGAIN_SUBJECT = N_("{label}: your receipt again")
#: receipts that were held back, in one email: one, and more
ANSWERS_SUBJECTS = (N_("{label}: {number} answer"), N_("{label}: {number} answers"))

# reasons of rulings that pbem makes by itself
PBEM_DID_NOT_RUN = N_("pbem did not run, or could not fetch email, and a deadline fell into that time")
QUESTION_SENT_LATE = N_("the email that asked was sent only after its deadline")
PLAYERS_AWAY = N_("{players} said that they are away")
EMAIL_REFUSED = N_("email to {players} is refused, so their deadline moves by 7 days")
NO_MORE_DELAY = N_(
    "the deadline of {players} cannot move any further: rulings have moved deadlines by 30 days "
    "within 60; `pbem status` says what you can type when the turn is over"
)
# about signed orders
NUMBER_LEAPS = N_(
    "ask the referee for a new key at your seat; these are orders number {number}, and the last ones were number {last}"
)
LINE_TOO_LONG = N_("line {number} has more than {most} characters")
OTHER_GAMES_REPORT = N_("answer your newest report; they answer a report that is not from this game")
BEFORE_A_RULING = N_("sign them again for your newest report; they were written before a ruling of the referee")
NUMBER_REUSED = N_("sign them again, with a new number; number {number} came before with other orders")
NUMBER_OUTDATED = N_("these are orders number {number}, and number {last} has come already; this may be an older email")

NEWER_EMAIL_TAKEN = N_(
    "to use this email, send it again; a newer one from you has arrived already, so this one changes nothing"
)

# about an email that a former player of the seat may have sent; its sender is hidden if that may be a password
FORMER_PLAYER = N_(
    "it answers an email to {previous}, who played there before, and comes from {sender}; pbem sends {current} nothing"
)
FORMER_PLAYER_HIDDEN = N_(
    "it answers an email to {previous}, who played there before, and comes from another address; "
    "pbem sends {current} nothing"
)

# about the reply codes of a game
CODES_LOST = N_("the reply codes were lost, so they are void; send the new reports, which have new codes")
CODES_OF_OTHER_REFEREE = N_(
    "the reply codes are those of the referee before, so they are void; send the new reports, which have new codes"
)

# about an email that was not read
UNREAD = N_("{why}")
UNREAD_HINT = N_("{why}; {hint}")

# about an answer to an invitation
ROUND_CANCELLED = N_("the referee has cancelled this round; you get a new invitation if there is another")

# about something an undone order had shown, in the report of a player who saw it
SEEN_BEFORE_UNDO = N_("Undone, but you may remember it: {what}")

# about pending orders that a ruling made void, in the report of their player
ORDERS_VOID = N_(
    "Please send again what you still want: your pending orders were dropped because of a ruling "
    "of the referee. They were: {lines}."
)
