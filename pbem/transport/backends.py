"""Which mailbox and which way out an account has.

What must never be here: how they are spoken to. Source: docs/POST.md "The file of accounts".
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pbem.errors import Refused
from pbem.transport.accounts import Account
from pbem.transport.connection import Limits
from pbem.transport.imap import open_imap
from pbem.transport.mailbox import Mailbox, MaildirMailbox, MboxMailbox
from pbem.transport.smtp import Carrier, ProgramCarrier, open_smtp


@contextmanager
def open_mailbox(account: Account) -> Iterator[Mailbox]:
    """The mailbox of an account, for the block. Every trouble is one line, ``post/…``."""
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
        with open_imap(account) as mailbox:
            yield mailbox


@contextmanager
def open_carrier(account: Account, limits: Limits) -> Iterator[Carrier]:
    """The way out of an account, for the block. Every trouble before a mail is one line."""
    url = account.send_url
    if url.scheme == "none":
        message = f"the account {account.name} sends nothing (send = none)"
        raise Refused("post/no-way", message, "send by hand; then type `pbem sent DIR FILE`")
    if url.scheme == "sendmail":
        yield ProgramCarrier(str(Path(url.path).expanduser()))
    else:
        with open_smtp(account, limits) as carrier:
            yield carrier
