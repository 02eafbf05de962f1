"""An email from an account to itself: to the referee, and not to a player.

What must never be here: anything of a game.
Source: docs/POST.md "To try an account", "tick".
"""

import os

from pbem.errors import Refused
from pbem.report.message_ids import message_id
from pbem.services.outbox import own_mail
from pbem.transport.accounts import Account
from pbem.transport.backends import carrier_of
from pbem.transport.connection import Limits
from pbem.transport.smtp import Kind


def to_oneself(account: Account, what: str, about: str, values: dict[str, str], time: str) -> str:
    """The Message-ID of an email in the words of the template ``what``; ``about``: its subject.
    Refused ``post/refused`` if it is not taken.
    """
    called = message_id(os.urandom(32), account.name, what, account.address)
    sender = (account.sender, account.address)
    data = own_mail(sender, about, f"{what}.txt", values, called, time)
    with carrier_of(account, Limits()) as carrier:
        answer = carrier.deliver(account.address, account.address, data)
    if answer.kind is not Kind.TAKEN:
        hint = "see what it asks for"
        raise Refused("post/refused", f"the email was not taken: {answer.said}", hint)
    return called
