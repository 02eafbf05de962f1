"""``pbem post try``: both ways of an account, step by step, with an email to oneself.

What must never be here: a game; a clock (pauses come in as a function).
Source: docs/POST.md "To try an account".
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import NamedTuple

from pbem.errors import PbemError
from pbem.mail.parts import header
from pbem.services.session.secret_command import SECONDS
from pbem.transport.accounts import Account, Url, secret_of
from pbem.transport.backends import mailbox_of
from pbem.transport.headers import heading
from pbem.transport.mailbox import Mailbox, Place
from pbem.transport.to_referee import to_oneself

PAUSES = (1.0, 1.0, 2.0, 3.0, *(5.0 for _ in range(16)))  #: between looks at the mailbox


class Tried(NamedTuple):
    """One step."""

    step: str
    good: bool
    said: str


def try_account(
    account: Account, time: str, pause: Callable[[float], None], tell: Callable[[str], None]
) -> list[Tried]:
    """Log in both ways, send a mail, wait for it. The first step that fails is the last; ``tell``
    is told what is waited for.
    """
    steps = list[Tried]()
    try:
        for step in _steps(account, time, pause, tell):
            steps.append(step)
    except PbemError as error:
        names = ("secret", "fetch", "send", "arrival")
        steps.append(Tried(names[len(steps)], False, error.line()))
    return steps


def _steps(
    account: Account, time: str, pause: Callable[[float], None], tell: Callable[[str], None]
) -> Iterator[Tried]:
    if account.secret:
        if not isinstance(account.secret, str):
            tell(f"Asking {account.secret[0]} for the secret, for up to {SECONDS} seconds …")
        secret_of(account)
    yield Tried(
        "secret", True, "the secret can be read" if account.secret else "no secret is needed"
    )
    with ExitStack() as line:
        mailbox = None
        if account.fetch.scheme != "none":
            tell(f"Looking into {_shown(account.fetch)} …")
            mailbox = line.enter_context(mailbox_of(account))
            place = mailbox.end(time)
        yield Tried("fetch", True, f"{_shown(account.fetch)} can be read" if mailbox else _NO_FETCH)
        if account.send.scheme == "none":
            yield Tried("send", True, "nothing is sent (send = none)")
            return
        tell(f"Sending an email by {_shown(account.send)} …")
        sent = to_oneself(
            account, "trial", f"pbem: {account.name}", {"account": account.name}, time
        )
        yield Tried("send", True, f"{_shown(account.send)} took an email to {account.address}")
        if mailbox is not None:
            tell(f"Waiting for that email, for up to {sum(PAUSES):.0f} seconds …")
            yield _awaited(mailbox, place, sent, pause)


_NO_FETCH = "nothing is fetched (fetch = none)"


def _shown(url: Url) -> str:
    return f"{url.scheme}: {url.host or url.path}"


def _awaited(mailbox: Mailbox, place: Place, sent: str, pause: Callable[[float], None]) -> Tried:
    for seconds in (0.0, *PAUSES):
        pause(seconds)
        for seen in mailbox.heads(mailbox.fresh(place)):
            if header(heading(seen.head), "message-id") == sent:
                return Tried("arrival", True, f"the email came, at {seen.arrival or 'some time'}")
    why = "the email was sent, but is not in the folder that is fetched; look into the spam folder"
    return Tried("arrival", False, why)
