"""Try accounts: one step by step, with an email from it to itself, or all at once by logging in.

Not allowed here: a game; a clock (``pause`` is an argument).
Source: docs/EMAIL.md "An account"; docs/decisions/0035-doctor.md.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from threading import Thread
from time import monotonic
from typing import NamedTuple

from pbem.errors import PbemError, Refused
from pbem.mail.mime import header_value
from pbem.services.session.keys import TIMEOUT_SECONDS
from pbem.transport.accounts import NOWHERE, Account, Url, secret_of, with_secret
from pbem.transport.backends import open_carrier, open_mailbox, send_to_self
from pbem.transport.connection import Limits
from pbem.transport.headers import parse_headers
from pbem.transport.mailbox import Mailbox, Place
from pbem.transport.server_errors import as_pbem_error

PAUSES = (1.0, 1.0, 2.0, 3.0, *(5.0 for _ in range(16)))  #: seconds between looks at the mailbox
SECRET_SECONDS = 20.0  #: how long a secret's command may take where all accounts are tried
PATIENCE = 10.0  #: the same for each answer of a server
MOST_SECONDS = 20.0  #: the same for all servers together


class TrialStep(NamedTuple):
    """One step of the trial."""

    name: str
    is_ok: bool
    message: str


def try_account(
    account: Account, time: str, pause: Callable[[float], None], tell: Callable[[str], None]
) -> list[TrialStep]:
    """Log in, send an email and wait for it. Return the steps, up to the first that fails.

    ``pause``: waits for a number of seconds. ``tell``: shows what pbem is doing.
    """
    steps = list[TrialStep]()
    try:
        for step in _steps(account, time, pause, tell):
            steps.append(step)
    except PbemError as error:
        names = ("secret", "fetch", "send", "arrival")
        failed_name = names[len(steps)]  # the step after those that are done
        steps.append(TrialStep(failed_name, is_ok=False, message=error.as_line()))
    return steps


def _steps(
    account: Account, time: str, pause: Callable[[float], None], tell: Callable[[str], None]
) -> Iterator[TrialStep]:
    """Do the steps one by one, and yield each that is done. Raise PbemError if one fails."""
    if account.secret:
        if not isinstance(account.secret, str):  # a command prints it
            tell(f"Asking {account.secret[0]} for the secret, for up to {TIMEOUT_SECONDS} seconds …")
        secret_of(account)
    yield TrialStep("secret", True, "the secret can be read" if account.secret else "no secret is needed")
    with ExitStack() as stack:
        mailbox = None
        if account.fetch_url.scheme != "none":
            tell(f"Looking into {describe_url(account.fetch_url)} …")
            mailbox = stack.enter_context(open_mailbox(account, Limits()))
            place = mailbox.end_place(time)
        yield TrialStep("fetch", True, f"{describe_url(account.fetch_url)} can be read" if mailbox else _NO_FETCH)
        if account.send_url.scheme == "none":
            yield TrialStep("send", True, "nothing is sent (send = none)")
            return
        tell(f"Sending an email by {describe_url(account.send_url)} …")
        message_id = send_to_self(account, "trial", f"pbem: {account.name}", {"account": account.name}, time)
        yield TrialStep("send", True, f"{describe_url(account.send_url)} took an email to {account.address}")
        if mailbox is not None:
            tell(f"Waiting for that email, for up to {sum(PAUSES):.0f} seconds …")
            yield _await_arrival(mailbox, place, message_id, pause)


_NO_FETCH = "nothing is fetched (fetch = none)"


class WayResult(NamedTuple):
    """Whether one way of an account works: fetching or sending."""

    name: str
    url_text: str
    error: PbemError | None = None
    newest_arrival: str = ""  #: when the newest email there arrived by the server's clock; "" if unknown


def reach_accounts(accounts: Sequence[Account]) -> list[WayResult]:
    """Log in to all servers of these accounts at once. No email is sent, and nothing is written."""
    results, trials = list[WayResult](), list[_WayTrial]()
    for account in accounts:
        try:
            ready_account = with_secret(account, SECRET_SECONDS)
        except PbemError as error:
            results.append(WayResult(f"{account.name} secret", "", error))
        else:
            trials += [_WayTrial(ready_account, name, url) for name, url in account.ways.items()]
    deadline = monotonic() + MOST_SECONDS
    for trial in trials:
        trial.start()
    for trial in trials:
        trial.join(max(0.0, deadline - monotonic()))
    return [*results, *(trial.result for trial in trials)]


def find_local_problems(account: Account) -> list[PbemError]:
    """Return what is missing of the mailbox and the program on this machine that an account names."""
    servers = {f"{name}_url": NOWHERE for name, url in account.ways.items() if url.host}
    local_account = account._replace(secret="", **servers)  # type: ignore[arg-type]  # a command for servers alone
    return [result.error for result in reach_accounts([local_account]) if result.error]


class _WayTrial(Thread):
    """Logs in to one server. A name server may keep it waiting for longer than anybody waits for its result."""

    def __init__(self, account: Account, name: str, url: Url) -> None:
        super().__init__(daemon=True)
        self._account, self._way_name = account, name
        url_text = describe_url(url)
        why = f"{url_text}: no answer came within {MOST_SECONDS:.0f} seconds"
        error = Refused("post/slow", why, "see whether this machine is online")
        self.result = WayResult(f"{account.name} {name}", url_text, error)

    def run(self) -> None:
        """Replace the result."""
        newest_arrival = ""
        try:
            if self._way_name == "fetch":
                with open_mailbox(self._account, Limits(PATIENCE)) as mailbox:
                    newest_arrival = mailbox.newest_arrival()
            else:
                with open_carrier(self._account, Limits(PATIENCE)):
                    pass
        except Exception as error:  # noqa: BLE001 - a way does not stop the others
            self.result = self.result._replace(error=as_pbem_error(error))
        else:
            self.result = self.result._replace(error=None, newest_arrival=newest_arrival)


def describe_url(url: Url) -> str:
    """Return ``imaps: imap.example.org``, ``mbox: /var/mail/rita`` or ``none``."""
    place = url.host or url.path
    return f"{url.scheme}: {place}" if place else url.scheme


def _await_arrival(mailbox: Mailbox, place: Place, message_id: str, pause: Callable[[float], None]) -> TrialStep:
    """Look for the email after ``place`` until it is there. The step has failed if it does not come in time."""
    for delay in (0.0, *PAUSES):
        pause(delay)
        for mail in mailbox.read_headers(mailbox.new_uids(place)):
            if header_value(parse_headers(mail.headers), "message-id") == message_id:
                text = f"the email came, at {mail.arrival}" if mail.arrival else "the email came"
                return TrialStep("arrival", True, text)
    message = "the email was sent, but is not in the folder that is fetched; look into the spam folder"
    return TrialStep("arrival", False, message)
