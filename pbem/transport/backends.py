"""Open an account's mailbox, or its carrier, which delivers emails; send an email to the account itself.

Not allowed here: a protocol.
Source: docs/EMAIL.md "The file of accounts", "An account".
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.errors import Refused
from pbem.report.message_ids import make_message_id
from pbem.services.outbox import build_referee_mail
from pbem.transport.accounts import Account
from pbem.transport.connection import Limits
from pbem.transport.imap import open_imap
from pbem.transport.mailbox import Mailbox, MaildirMailbox, MboxMailbox
from pbem.transport.smtp import Carrier, DeliveryStatus, ProgramCarrier, open_smtp


@contextmanager
def open_mailbox(account: Account, limits: Limits) -> Iterator[Mailbox]:
    """Open the mailbox of an account for a ``with`` block. Errors are ``post/…``."""
    url = account.fetch_url
    path = Path(url.path).expanduser()
    if url.scheme == "none":
        message = f"the account {account.name} fetches nothing (fetch = none)"
        raise Refused("post/no-way", message, "save the emails and give them to `pbem receive`")
    if url.scheme == "maildir":
        yield MaildirMailbox(path)
    elif url.scheme == "mbox":
        yield MboxMailbox(path, account.trusted_hosts)
    else:
        with open_imap(account, limits) as mailbox:
            yield mailbox


@contextmanager
def open_carrier(account: Account, limits: Limits) -> Iterator[Carrier]:
    """Open the carrier of an account for a ``with`` block. Errors before the first email are ``post/…``."""
    url = account.send_url
    if url.scheme == "none":
        message = f"the account {account.name} sends nothing (send = none)"
        raise Refused("post/no-way", message, "send by hand; then type `pbem sent DIR FILE`")
    if url.scheme == "sendmail":
        program = str(Path(url.path).expanduser())
        if shutil.which(program) is None:
            message = f"[{account.name}] send: there is no program {program}"
            raise Refused("post/program", message, "correct its path in post.toml, or install it")
        yield ProgramCarrier(program)
    else:
        with open_smtp(account, limits) as carrier:
            yield carrier


def send_to_self(account: Account, template: str, subject: str, values: dict[str, str], time: str) -> str:
    """Send the referee an email with the text of a template. Return its Message-ID.

    Raises Refused ``post/refused`` if the server does not accept it.
    """
    mail_id = make_message_id(os.urandom(32), account.name, template, account.address)
    sender = (account.sender_name, account.address)
    data = build_referee_mail(sender, subject, f"{template}.txt", values, mail_id, time)
    with open_carrier(account, Limits()) as carrier:
        answer = carrier.deliver(account.address, account.address, data)
    if answer.status is not DeliveryStatus.TAKEN:
        raise Refused("post/refused", f"the email was not accepted: {answer.message}", "see what it asks for")
    return mail_id
