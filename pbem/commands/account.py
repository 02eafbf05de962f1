"""``pbem account``: accounts that fetch and send email."""

import getpass
import shlex
import sys
import time
from typing import Annotated

import typer

from pbem.clock import now
from pbem.disk.journal import accounts_path
from pbem.errors import BadInput, Refused
from pbem.result import Result, show_progress
from pbem.services.session.keys import open_home
from pbem.transport.account_trial import TrialStep, try_account
from pbem.transport.accounts import ANY, DEFAULT_PER_HOUR, add_account, find_account

Name = Annotated[str, typer.Argument(metavar="NAME", help="The account's name, such as club.")]
Address = Annotated[str, typer.Option(metavar="ADDRESS", help="Your address: Rita <rita@example.org>.")]
Fetch = Annotated[
    str,
    typer.Option(metavar="URL", help="imaps://USER@HOST/FOLDER, imap+starttls://…, maildir:PATH, mbox:PATH or none."),
]
Send = Annotated[
    str,
    typer.Option(metavar="URL", help="smtps://USER@HOST, smtp+starttls://…, smtp://localhost, sendmail:PATH or none."),
]
CredentialCommand = Annotated[
    str, typer.Option("--secret", metavar="COMMAND", help="A command that prints the password or token.")
]
KeepSecret = Annotated[bool, typer.Option("--keep-secret", help="Keep the password itself in the file: asked for.")]
IsToken = Annotated[bool, typer.Option("--token", help="The secret is an OAuth token (XOAUTH2).")]
Trusted = Annotated[
    list[str] | None, typer.Option(metavar="HOST", help="A server whose Received lines tell when email came.")
]
AcceptedFrom = Annotated[
    str,
    typer.Option(
        "--from",
        metavar="WHENCE",
        help="Where an order that only its code proves may come from: any (default), or strict: "
        "its player's own address.",
    ),
]
PerHour = Annotated[int, typer.Option(metavar="NUMBER", help="The most emails to send in an hour.")]


def run_add(
    name: Name,
    address: Address = "",
    fetch: Fetch = "",
    send: Send = "",
    credential_command: CredentialCommand = "",
    keep_secret: KeepSecret = False,
    is_token: IsToken = False,
    trusted: Trusted = None,
    accepted_from: AcceptedFrom = ANY,
    per_hour: PerHour = DEFAULT_PER_HOUR,
) -> Result:
    """Add an account. In a terminal, pbem asks for what you leave out.

    The account goes into post.toml in your PBEM_HOME, which only you can read. It names a command
    that prints the secret, such as `pass show mail/rita`, and not the secret.
    """
    address_question = "Your address, as players see it (Rita <rita@example.org>)"
    address = _ask_if_missing(address, "--address", address_question)
    fetch = _ask_if_missing(fetch, "--fetch", "Fetch from (imaps://USER@HOST/INBOX, maildir:PATH, none)")
    send = _ask_if_missing(send, "--send", "Send by (smtps://USER@HOST, sendmail:PATH, none)")
    table: dict[str, object] = {"address": address, "fetch": fetch, "send": send}
    if keep_secret:
        table["secret"] = _read_secret()
    elif credential_command or "@" in fetch + send:
        question = "A command that prints the password (pass show mail/rita)"
        table["secret"] = _split_command(_ask_if_missing(credential_command, "--secret", question))
    if is_token:
        table["token"] = True
    if trusted:
        table["trusted"] = list(trusted)
    if accepted_from != ANY:
        table["from"] = accepted_from
    if per_hour != DEFAULT_PER_HOUR:
        table["per_hour"] = per_hour
    home = open_home()
    add_account(home, name, table)
    path = accounts_path(home)
    lines = [f"The account {name} is in {path}.", f"To try it: pbem account try {name}"]
    return Result({"account": name, "file": str(path)}, "\n".join(lines))


def _ask_if_missing(value: str, option: str, question: str) -> str:
    """What was given, or is typed now."""
    if value:
        return value
    if not (sys.stdin and sys.stdin.isatty()):
        message = f"{option} is missing, and there is no terminal to ask"
        raise BadInput("post/missing", message, f"{option} …")
    return str(typer.prompt(question, err=True)).strip()


def _split_command(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        message = "the command of --secret has a quote without its other half"
        raise BadInput("post/command", message, "write it as you would in a shell") from None


def _read_secret() -> str:
    """Typed at a terminal, or the first line of standard input: never an argument."""
    if sys.stdin and sys.stdin.isatty():
        secret = getpass.getpass("Password or token: ")
    else:
        secret = sys.stdin.readline().rstrip("\r\n") if sys.stdin else ""
    if not secret:
        hint = "type it, or give it on standard input"
        raise Refused("post/secret", "there is no secret to keep", hint)
    return secret


def run_try(name: Name) -> Result:
    """Log in both ways, send yourself an email, and wait for it.

    Every step is named, with what is wrong and what to do.
    """
    steps = try_account(find_account(open_home(), name), now(), time.sleep, show_progress)
    succeeded = all(step.is_ok for step in steps)
    text = "\n".join(f"{step.name}: {'' if step.is_ok else 'NO: '}{step.message}" for step in steps)
    data = {"account": name, "good": succeeded, "steps": [_step_document(step) for step in steps]}
    return Result(data, text, 0 if succeeded else 1)


def _step_document(step: TrialStep) -> dict[str, object]:
    return {"step": step.name, "good": step.is_ok, "said": step.message}
