"""``pbem account``: mail accounts, which fetch and send email."""

import getpass
import os
import shlex
import sys
import time
from typing import Annotated

import typer
from typer import Argument, Option

from pbem.clock import now
from pbem.disk.journal import accounts_path
from pbem.errors import BadInput, Refused
from pbem.result import Result, show_progress
from pbem.services.session.keys import open_home
from pbem.transport.account_trial import TrialStep, describe_url, find_local_problems, try_account
from pbem.transport.accounts import (
    ANY,
    DEFAULT_PER_HOUR,
    Account,
    add_account,
    find_account,
    load_accounts,
    remove_account,
)

Name = Annotated[str, Argument(metavar="NAME", help="The account's name, such as club.")]
Address = Annotated[str, Option(metavar="ADDRESS", help="Your address, such as Rita <rita@example.org>.")]
Fetch = Annotated[
    str, Option(metavar="URL", help="imaps://USER@HOST/FOLDER, imap+starttls://…, maildir:PATH, mbox:PATH or none.")
]
Send = Annotated[
    str, Option(metavar="URL", help="smtps://USER@HOST, smtp+starttls://…, smtp://localhost, sendmail:PATH or none.")
]
CredentialCommand = Annotated[str, Option("--secret", metavar="COMMAND", help="A command that prints the password.")]
KeepSecret = Annotated[bool, Option("--keep-secret", help="Store the password itself. pbem asks for it.")]
IsToken = Annotated[bool, Option("--token", help="The secret is an OAuth token (XOAUTH2).")]
Trusted = Annotated[list[str] | None, Option(metavar="HOST", help="A server whose Received lines pbem trusts.")]
AcceptedFrom = Annotated[
    str,
    Option(
        "--from",
        metavar="WHENCE",
        help="Addresses from which a code alone is proof: any (default), or strict (the player's own).",
    ),
]
PerHour = Annotated[int, Option(metavar="NUMBER", help="How many emails to send in an hour at most.")]


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
    """Add a mail account. In a terminal, pbem asks for what you leave out.

    pbem stores it in post.toml in your PBEM_HOME, which only you can read. It stores a command that
    prints the password, such as `pass show mail/rita`, and not the password.
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
    account = add_account(home, name, table)
    path = accounts_path(home)
    lines = [f"The mail account {name} is in {path}.", f"To test it: pbem account try {name}"]
    lines += [f"note: {error.as_line()}" for error in find_local_problems(account)]
    return Result({"account": name, "file": str(path)}, "\n".join(lines))


def run_list() -> Result:
    """List your mail accounts. `pbem account` does the same. To change one, edit post.toml in your PBEM_HOME."""
    home = open_home()
    accounts = load_accounts(home).values()
    rows = [
        {
            "account": account.name,
            "address": account.address,
            "fetch": describe_url(account.fetch_url),
            "send": describe_url(account.send_url),
        }
        for account in accounts
    ]
    lines = [_account_line(account) for account in accounts]
    text = "\n".join(lines or ["there is no mail account yet (try: pbem account add club)"])
    return Result({"file": str(accounts_path(home)), "accounts": rows}, text)


def _account_line(account: Account) -> str:
    sender = f"{account.sender_name} <{account.address}>" if account.sender_name else account.address
    ways = f"fetch: {describe_url(account.fetch_url)}; send: {describe_url(account.send_url)}"
    return f"{account.name}: {sender}; {ways}"


def run_remove(name: Name) -> Result:
    """Remove a mail account. Emails that it fetched stay, and so do your games."""
    home = open_home()
    remove_account(home, name)
    path = accounts_path(home)
    return Result({"account": name, "file": str(path)}, f"The mail account {name} is removed from {path}.")


def _ask_if_missing(value: str, option: str, question: str) -> str:
    """Return the value, or what the user types now. Raises BadInput ``post/missing`` if there is no terminal."""
    if value:
        return value
    if not (sys.stdin and sys.stdin.isatty()):
        message = f"{option} is missing, and there is no terminal to ask"
        raise BadInput("post/missing", message, f"{option} …")
    return str(typer.prompt(question, err=True)).strip()


def _split_command(command: str) -> list[str]:
    """Split a command into words as a shell does. Raises BadInput ``post/command`` for an unclosed quote.

    On Windows a backslash is part of a path, and only " is a quotation mark.
    """
    lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if os.name == "nt":
        lexer.escape, lexer.quotes = "", '"'
    try:
        return list(lexer)
    except ValueError:
        message = "the command of --secret has an unclosed quote"
        raise BadInput("post/command", message, "write it as you would in a shell") from None


def _read_secret() -> str:
    """Read the password as typed, or from standard input: others could see it in an argument."""
    if sys.stdin and sys.stdin.isatty():
        secret = getpass.getpass("Password or token: ")
    else:
        secret = sys.stdin.readline().rstrip("\r\n") if sys.stdin else ""
    if not secret:
        hint = "type it, or give it on standard input"
        raise Refused("post/secret", "there is no password to store", hint)
    return secret


def run_try(name: Name) -> Result:
    """Log in both ways, send yourself an email, and wait for it.

    Each step has a line, with the error and what to do about it.
    """
    steps = try_account(find_account(open_home(), name), now(), time.sleep, show_progress)
    succeeded = all(step.is_ok for step in steps)
    text = "\n".join(f"{step.name}: {'' if step.is_ok else 'FAILED: '}{step.message}" for step in steps)
    data = {"account": name, "good": succeeded, "steps": [_step_document(step) for step in steps]}
    return Result(data, text, 0 if succeeded else 1)


def _step_document(step: TrialStep) -> dict[str, object]:
    return {"step": step.name, "good": step.is_ok, "said": step.message}
