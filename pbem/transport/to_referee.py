"""An email from an account to itself: to the referee, and not to a player.

What must never be here: anything of a game.
Source: docs/POST.md "To try an account", "tick".
"""

import os

from pbem.errors import Refused
from pbem.report.message_ids import make_message_id
from pbem.services.outbox import build_referee_mail
from pbem.transport.accounts import Account
from pbem.transport.backends import open_carrier
from pbem.transport.connection import Limits
from pbem.transport.smtp import DeliveryStatus


def send_to_self(account: Account, template: str, subject: str, values: dict[str, str], time: str) -> str:
    """The Message-ID of an email in the words of the template ``template``; ``subject``: its subject.
    Refused ``post/refused`` if it is not taken.
    """
    mail_id = make_message_id(os.urandom(32), account.name, template, account.address)
    sender = (account.sender_name, account.address)
    data = build_referee_mail(sender, subject, f"{template}.txt", values, mail_id, time)
    with open_carrier(account, Limits()) as carrier:
        answer = carrier.deliver(account.address, account.address, data)
    if answer.status is not DeliveryStatus.TAKEN:
        hint = "see what it asks for"
        raise Refused("post/refused", f"the email was not imported: {answer.message}", hint)
    return mail_id
