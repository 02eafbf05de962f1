"""Accounts: PBEM_HOME/post.toml, read strictly; which of them serves a game; its secret.

What must never be here: a connection.
Laws: a secret is asked for when it is needed, and stands in no error, log or argument of a process;
no URL holds a password; every fault of the file is one line that names account and key.
Source: docs/decisions/0014-the-post.md; docs/POST.md "The file of accounts".
"""

import functools
import re
from email.utils import parseaddr
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from pbem.disk.home import Home
from pbem.disk.journal import accounts_path, read_accounts, write_accounts
from pbem.errors import BadInput, Refused
from pbem.formats.toml import TableReader, dump, load, utf8
from pbem.mail.compose import ADDRESS
from pbem.services.session.secret_command import printed

#: how mail is fetched and sent: the port of each way, 0 where there is no server
FETCH = {"imaps": 993, "imap+starttls": 143, "maildir": 0, "mbox": 0, "none": 0}
SEND = {"smtps": 465, "smtp+starttls": 587, "smtp": 25, "sendmail": 0, "none": 0}
LOOPBACK = ("localhost", "127.0.0.1", "::1")
STRICT, ANY = "strict", "any"  #: of `from`: whence a code counts
PER_HOUR = 100  #: emails an hour where the account says nothing

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?")


class Url(NamedTuple):
    """A way to fetch or to send."""

    scheme: str
    user: str = ""
    host: str = ""
    port: int = 0
    path: str = ""  #: the folder of a mailbox, or a path of this machine


NOWHERE = Url("none")


class Account(NamedTuple):
    """One mailbox, and the way out beside it. Secret: never printed whole."""

    name: str
    sender: str  #: the name people read
    address: str
    fetch: Url
    send: Url
    secret: tuple[str, ...] | str = ""  #: the command that prints it, or the secret itself
    token: bool = False  #: the secret is an OAuth token
    trusted: tuple[str, ...] = ()  #: hosts whose Received lines count
    per_hour: int = PER_HOUR
    strict: bool = False  #: a code counts from its player's own address alone


def read_account(name: str, table: TableReader) -> Account:
    """One table of the file."""
    shown, address = parseaddr(table.text("address"))
    if not ADDRESS.fullmatch(address):
        raise _wrong(name, "address", "expected an address", '"Rita <rita@example.org>"')
    account = Account(
        name,
        shown,
        address,
        url_of(name, "fetch", table.maybe_text("fetch") or "none", FETCH),
        url_of(name, "send", table.maybe_text("send") or "none", SEND),
        _secret(table),
        table.has("token") and _flag(name, "token", table),
        tuple(host.lower() for host in table.maybe_rows("trusted") or ()),
        table.maybe_number("per_hour", 1, 100_000) or PER_HOUR,
        _strict(name, table),
    )
    table.done()
    for host in account.trusted:
        if not _HOST.fullmatch(host):
            raise _wrong(
                name, "trusted", f"{host[:40]!r} is not the name of a host", "mx.example.org"
            )
    _check_login(account)
    return account


def _strict(name: str, table: TableReader) -> bool:
    given = table.maybe_text("from") or ANY
    if given not in (ANY, STRICT):
        raise _wrong(name, "from", f"{given[:20]!r} is neither {STRICT!r} nor {ANY!r}", STRICT)
    return given == STRICT


def _secret(table: TableReader) -> tuple[str, ...] | str:
    try:
        return tuple(table.maybe_rows("secret") or ())
    except BadInput:
        return table.text("secret")


def _flag(name: str, key: str, table: TableReader) -> bool:
    value = table.flag(key)
    if value and not table.has("secret"):
        raise _wrong(name, key, "a token needs a secret", 'secret = ["oauth2-token", "rita"]')
    return value


def _check_login(account: Account) -> None:
    for key, url in (("fetch", account.fetch), ("send", account.send)):
        if url.user and not account.secret:
            why = f"the user {url.user[:60]!r} needs a secret"
            raise _wrong(account.name, key, why, 'secret = ["pass", "show", "mail/rita"]')
        if url.scheme.startswith("imap") and not url.user:
            why = "the URL names no user"
            raise _wrong(account.name, key, why, f"{url.scheme}://rita@{url.host}/INBOX")


def url_of(account: str, key: str, given: str, ways: dict[str, int]) -> Url:
    """A URL in its parts; BadInput ``post/…`` never quotes it: a password may stand in it."""
    if given == "none":
        return NOWHERE
    example = "imaps://rita@imap.example.org/INBOX"
    example = example if key == "fetch" else "smtps://rita@smtp.example.org"
    try:
        found = urlsplit(given)
        port = found.port
    except ValueError:
        raise _wrong(account, key, "this is not a URL", example) from None
    if found.scheme not in ways:
        ways_out = ", ".join(ways)
        why = f"{found.scheme[:20]!r} is not a way; the ways are {ways_out}"
        raise _wrong(account, key, why, example)
    if found.password is not None:
        why = "a password stands in the URL"
        raise _wrong(account, key, why, 'secret = ["pass", "show", "mail/rita"]')
    if found.query or found.fragment:
        raise _wrong(account, key, "nothing may follow '?' or '#'", example)
    if not ways[found.scheme]:
        return _local(account, key, found.scheme, found.netloc, unquote(found.path))
    url = Url(
        found.scheme,
        unquote(found.username or ""),
        found.hostname or "",
        port or ways[found.scheme],
        unquote(found.path).strip("/"),
    )
    return _of_server(account, key, url, example)


def _of_server(account: str, key: str, url: Url, example: str) -> Url:
    host, path = url.host, url.path
    if not _HOST.fullmatch(host):
        raise _wrong(account, key, "the URL names no host", example)
    if key == "send" and path:
        raise _wrong(account, key, "nothing may follow the host", example)
    if url.scheme == "smtp" and host not in LOOPBACK:
        why = "smtp: has no TLS, so it is for this machine alone"
        raise _wrong(account, key, why, f"smtps://{host}")
    if not (path.isascii() and path.isprintable()):
        raise _wrong(account, key, "a folder's name must be plain letters", example)
    if not url.user.isprintable():
        raise _wrong(account, key, "the user's name has signs that cannot be printed", example)
    return url._replace(path=path or ("INBOX" if key == "fetch" else ""))


def _local(account: str, key: str, scheme: str, netloc: str, path: str) -> Url:
    usual = {"maildir": "maildir:~/Maildir", "mbox": "mbox:/var/mail/rita"}
    if netloc or (not path and scheme != "sendmail"):
        why = "expected a path of this machine"
        raise _wrong(account, key, why, usual.get(scheme, "sendmail:/usr/sbin/sendmail"))
    return Url(scheme, path=path or "/usr/sbin/sendmail")


def _wrong(account: str, key: str, why: str, example: str) -> BadInput:
    return BadInput("post/account", f"[{account}] {key}: {why}", f"for example {example}")


def decode(data: bytes) -> dict[str, Account]:
    """All accounts by name. BadInput names account and key, never a value that may be secret."""
    hint = "correct it there"
    found = {}
    document = load(utf8(data, "post", hint).replace("\r\n", "\n"), "post")
    reader = TableReader(document, "")
    for name in document:
        if not _NAME.fullmatch(name):
            why = f"{name[:40]!r} cannot be the name of an account"
            raise BadInput("post/name", why, "use a-z, 0-9 and '-', for example club")
        try:
            found[name] = read_account(name, reader.table(name))
        except BadInput as error:
            way = error.hint if error.code == "post/account" else hint
            raise BadInput(error.code, error.message, way) from None
    for one in found.values():
        same = [two.name for two in found.values() if two.address.lower() == one.address.lower()]
        if len(same) > 1:
            why = f"{' and '.join(same)} have one address, so nobody can tell which serves a game"
            raise BadInput("post/twice", why, "keep one of them, with both ways")
    return found


def accounts(home: Home) -> dict[str, Account]:
    """Every account of this home; none where there is no file."""
    data = read_accounts(home)
    path = accounts_path(home)
    try:
        return decode(data) if data is not None else {}
    except BadInput as error:
        raise BadInput(error.code, f"{path}: {error.message}", error.hint) from None


def named(home: Home, name: str) -> Account:
    """The account of this name; BadInput ``post/none``."""
    found = accounts(home)
    if name not in found:
        hint = f"the accounts are {', '.join(found)}" if found else f"pbem post add {_plain(name)}"
        raise BadInput("post/none", f"there is no account {name[:40]!r}", hint)
    return found[name]


def _plain(name: str) -> str:
    return name if _NAME.fullmatch(name) else "club"


def serving(found: dict[str, Account], address: str) -> Account:
    """The account of the games whose referee has this address. Refused ``post/no-account``."""
    if not found:
        why = "there is no account to fetch or send email"
        raise Refused("post/no-account", why, "pbem post add club")
    for account in found.values():
        if account.address.lower() == address.lower():
            return account
    if len(found) > 1:
        why = f"no account has the referee's address {address or '(none)'}"
        hint = "write an account's address under [referee] in desk/players.toml"
        raise Refused("post/no-account", f"{why}; the accounts are {', '.join(found)}", hint)
    return next(iter(found.values()))


def referee_of(home: Home, given: str) -> str:
    """``NAME,ADDRESS`` of a new game's referee, as given; without an address (``NAME,`` says that
    there is none) it is that of an only account, which serves all games, and so is the name.
    """
    name, comma, _ = given.partition(",")
    found = [] if comma else [*accounts(home).values()]
    if len(found) != 1:
        return given
    name = name or found[0].sender.replace(",", " ") or "Referee"
    return f"{name},{found[0].address}"


def add(home: Home, name: str, table: dict[str, object]) -> Account:
    """Writes one more account below those that are there. Refused ``post/exists``."""
    before = read_accounts(home) or b""
    if name in accounts(home):
        why = f"there is an account {name} already"
        raise Refused("post/exists", why, f"edit {accounts_path(home)}")
    read_account(name, TableReader({name: table}, "").table(name))  # a file may not hold anything
    text = dump({name: table})
    data = before + (b"\n" if before else b"") + text.encode()
    account = decode(data)[name]
    write_accounts(home, data)
    return account


@functools.cache
def secret_of(account: Account) -> str:
    """The password or token. Secret. Refused ``post/secret`` names the program and nothing else."""
    if isinstance(account.secret, str):
        return account.secret
    return printed(account.secret, "post/secret", f"[{account.name}] secret")
