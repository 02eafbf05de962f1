"""``pbem post``: accounts that fetch and send email."""

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
from pbem.services.session.keys import the_home
from pbem.transport.account_trial import Tried, try_account
from pbem.transport.accounts import ANY, PER_HOUR, add, named

Name = Annotated[str, typer.Argument(metavar="NAME", help="The account's name, such as club.")]
Address = Annotated[
    str, typer.Option(metavar="ADDRESS", help="Your address: Rita <rita@example.org>.")
]
Fetch = Annotated[
    str,
    typer.Option(
        metavar="URL",
        help="imaps://USER@HOST/FOLDER, imap+starttls://…, maildir:PATH, mbox:PATH or none.",
    ),
]
Send = Annotated[
    str,
    typer.Option(
        metavar="URL",
        help="smtps://USER@HOST, smtp+starttls://…, smtp://localhost, sendmail:PATH or none.",
    ),
]
Secret = Annotated[
    str,
    typer.Option(
        "--secret", metavar="COMMAND", help="A command that prints the password or token."
    ),
]
KeepSecret = Annotated[
    bool, typer.Option("--keep-secret", help="Keep the password itself in the file: asked for.")
]
Token = Annotated[bool, typer.Option("--token", help="The secret is an OAuth token (XOAUTH2).")]
Trusted = Annotated[
    list[str] | None,
    typer.Option(metavar="HOST", help="A server whose Received lines tell when email came."),
]
Whence = Annotated[
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
    command: Secret = "",
    keep_secret: KeepSecret = False,
    token: Token = False,
    trusted: Trusted = None,
    whence: Whence = ANY,
    per_hour: PerHour = PER_HOUR,
) -> Result:
    """Add an account. In a terminal, pbem asks for what you leave out.

    The account goes into post.toml in your PBEM_HOME, which only you can read. It names a command
    that prints the secret, such as `pass show mail/rita`, and not the secret.
    """
    shown = "Your address, as players see it (Rita <rita@example.org>)"
    address = _asked(address, "--address", shown)
    fetch = _asked(fetch, "--fetch", "Fetch from (imaps://USER@HOST/INBOX, maildir:PATH, none)")
    send = _asked(send, "--send", "Send by (smtps://USER@HOST, sendmail:PATH, none)")
    table: dict[str, object] = {"address": address, "fetch": fetch, "send": send}
    if keep_secret:
        table["secret"] = _password()
    elif command or "@" in fetch + send:
        question = "A command that prints the password (pass show mail/rita)"
        table["secret"] = _words(_asked(command, "--secret", question))
    if token:
        table["token"] = True
    if trusted:
        table["trusted"] = list(trusted)
    if whence != ANY:
        table["from"] = whence
    if per_hour != PER_HOUR:
        table["per_hour"] = per_hour
    place = the_home()
    add(place, name, table)
    path = accounts_path(place)
    lines = [f"The account {name} is in {path}.", f"To try it: pbem post try {name}"]
    return Result({"account": name, "file": str(path)}, "\n".join(lines))


def _asked(given: str, option: str, question: str) -> str:
    """What was given, or is typed now."""
    if given:
        return given
    if not (sys.stdin and sys.stdin.isatty()):
        why = f"{option} is missing, and there is no terminal to ask"
        raise BadInput("post/missing", why, f"{option} …")
    return str(typer.prompt(question, err=True)).strip()


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        why = "the command of --secret has a quote without its other half"
        raise BadInput("post/command", why, "write it as you would in a shell") from None


def _password() -> str:
    """Typed at a terminal, or the first line of standard input: never an argument."""
    if sys.stdin and sys.stdin.isatty():
        found = getpass.getpass("Password or token: ")
    else:
        found = sys.stdin.readline().rstrip("\r\n") if sys.stdin else ""
    if not found:
        hint = "type it, or give it on standard input"
        raise Refused("post/secret", "there is no secret to keep", hint)
    return found


def run_try(name: Name) -> Result:
    """Log in both ways, send yourself an email, and wait for it.

    Every step is named, with what is wrong and what to do.
    """
    steps = try_account(named(the_home(), name), now(), time.sleep, show_progress)
    good = all(step.good for step in steps)
    text = "\n".join(f"{step.step}: {'' if step.good else 'NO: '}{step.said}" for step in steps)
    data = {"account": name, "good": good, "steps": [_row(step) for step in steps]}
    return Result(data, text, 0 if good else 1)


def _row(step: Tried) -> dict[str, object]:
    return {"step": step.step, "good": step.good, "said": step.said}
