"""The accounts in PBEM_HOME/post.toml: reading them, and finding the one that serves a game.

Not allowed here: a connection.
Laws: a secret is read only when it is needed, and is in no error, log or process argument; a URL with
a password is refused; an error in the file names account and key in one line.
Source: docs/decisions/0014-the-post.md; docs/EMAIL.md "The file of accounts".
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
from pbem.services.session.keys import read_secret

#: the schemes for fetching and sending, with their ports; 0 if there is no server
FETCH_PORTS = {"imaps": 993, "imap+starttls": 143, "maildir": 0, "mbox": 0, "none": 0}
SEND_PORTS = {"smtps": 465, "smtp+starttls": 587, "smtp": 25, "sendmail": 0, "none": 0}
LOOPBACK = ("localhost", "127.0.0.1", "::1")
STRICT, ANY = "strict", "any"  #: `from`: a reply code counts from its player's address only, or from any
DEFAULT_PER_HOUR = 100  #: emails sent per hour, unless the account says otherwise

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?")


class Url(NamedTuple):
    """How to fetch or send email."""

    scheme: str
    user: str = ""
    host: str = ""
    port: int = 0
    path: str = ""  #: a folder of the mailbox, or a path on this machine


NOWHERE = Url("none")


class Account(NamedTuple):
    """One mailbox and how its email is sent. Secret: never print it whole."""

    name: str
    sender_name: str
    address: str
    fetch_url: Url
    send_url: Url
    secret: tuple[str, ...] | str = ""  #: the command that prints it, or the secret itself
    is_token: bool = False  #: the secret is an OAuth token
    trusted_hosts: tuple[str, ...] = ()  #: hosts whose Received headers count
    per_hour: int = DEFAULT_PER_HOUR
    is_strict: bool = False  #: a reply code counts only if its player's own address sent it

    @property
    def label(self) -> str:
        """The account as referees read it."""
        return f"{self.name} ({self.address})"

    @property
    def ways(self) -> dict[str, Url]:
        """Return how email is fetched and sent: ``fetch``, ``send`` or both, unless the referee does it by hand."""
        urls = {"fetch": self.fetch_url, "send": self.send_url}
        return {name: url for name, url in urls.items() if url.scheme != "none"}


def read_account(name: str, table: TableReader) -> Account:
    """Return the account that one table of the file describes. Raises BadInput ``post/account`` if a value is wrong."""
    sender_name, address = parseaddr(table.text("address"))
    if not ADDRESS.fullmatch(address):
        raise _account_error(name, "address", "expected an address", '"Rita <rita@example.org>"')
    account = Account(
        name=name,
        sender_name=sender_name,
        address=address,
        fetch_url=parse_url(name, "fetch", table.maybe_text("fetch") or "none", FETCH_PORTS),
        send_url=parse_url(name, "send", table.maybe_text("send") or "none", SEND_PORTS),
        secret=_read_secret(table),
        is_token=table.has_key("token") and _read_token_flag(name, "token", table),
        trusted_hosts=tuple(host.lower() for host in table.maybe_rows("trusted") or ()),
        per_hour=table.maybe_number("per_hour", 1, 100_000) or DEFAULT_PER_HOUR,
        is_strict=_read_strict(name, table),
    )
    table.refuse_unknown_keys()
    for host in account.trusted_hosts:
        if not _HOST.fullmatch(host):
            raise _account_error(name, "trusted", f"{host[:40]!r} is not the name of a host", "mx.example.org")
    _check_login(account)
    return account


def _read_strict(name: str, table: TableReader) -> bool:
    value = table.maybe_text("from") or ANY
    if value not in (ANY, STRICT):
        raise _account_error(name, "from", f"{value[:20]!r} is neither {STRICT!r} nor {ANY!r}", STRICT)
    return value == STRICT


def _read_secret(table: TableReader) -> tuple[str, ...] | str:
    """Return the command that prints the secret, or the secret itself if the value is a text."""
    try:
        return tuple(table.maybe_rows("secret") or ())
    except BadInput:
        return table.text("secret")


def _read_token_flag(name: str, key: str, table: TableReader) -> bool:
    value = table.flag(key)
    if value and not table.has_key("secret"):
        raise _account_error(name, key, "a token needs a secret", 'secret = ["oauth2-token", "rita"]')
    return value


def _check_login(account: Account) -> None:
    for key, url in (("fetch", account.fetch_url), ("send", account.send_url)):
        if url.user and not account.secret:
            message = f"the user {url.user[:60]!r} needs a secret"
            raise _account_error(account.name, key, message, 'secret = ["pass", "show", "mail/rita"]')
        if url.scheme.startswith("imap") and not url.user:
            raise _account_error(account.name, key, "the URL names no user", f"{url.scheme}://rita@{url.host}/INBOX")


def parse_url(account: str, key: str, text: str, ports: dict[str, int]) -> Url:
    """Parse the URL of `fetch` or `send`. Raises BadInput ``post/…`` never quotes it, since it may hold a password."""
    if text == "none":
        return NOWHERE
    example = "imaps://rita@imap.example.org/INBOX" if key == "fetch" else "smtps://rita@smtp.example.org"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _account_error(account, key, "this is not a URL", example) from None
    if parts.scheme not in ports:
        schemes = ", ".join(ports)
        raise _account_error(account, key, f"{parts.scheme[:20]!r} is not a way; the ways are {schemes}", example)
    if parts.password is not None:
        raise _account_error(account, key, "the URL has a password", 'secret = ["pass", "show", "mail/rita"]')
    if parts.query or parts.fragment:
        raise _account_error(account, key, "nothing may follow '?' or '#'", example)
    if not ports[parts.scheme]:
        return _make_local_url(account, key, parts.scheme, parts.netloc, unquote(parts.path))
    url = Url(
        scheme=parts.scheme,
        user=unquote(parts.username or ""),
        host=parts.hostname or "",
        port=port or ports[parts.scheme],
        path=unquote(parts.path).strip("/"),
    )
    _check_server_url(account, key, url, example)
    return url._replace(path="INBOX") if key == "fetch" and not url.path else url


def _check_server_url(account: str, key: str, url: Url, example: str) -> None:
    """Raise BadInput ``post/account`` if pbem cannot use the URL of a server."""
    host, path = url.host, url.path
    if not _HOST.fullmatch(host):
        raise _account_error(account, key, "the URL names no host", example)
    if key == "send" and path:
        raise _account_error(account, key, "nothing may follow the host", example)
    if url.scheme == "smtp" and host not in LOOPBACK:
        raise _account_error(account, key, "smtp: has no TLS, so it is for this machine alone", f"smtps://{host}")
    if not (path.isascii() and path.isprintable()):
        raise _account_error(account, key, "a folder's name must be plain letters", example)
    if not url.user.isprintable():
        raise _account_error(account, key, "the user's name has signs that cannot be printed", example)


def _make_local_url(account: str, key: str, scheme: str, netloc: str, path: str) -> Url:
    examples = {"maildir": "maildir:~/Maildir", "mbox": "mbox:/var/mail/rita"}
    if netloc or (not path and scheme != "sendmail"):
        message = "expected a path of this machine"
        raise _account_error(account, key, message, examples.get(scheme, "sendmail:/usr/sbin/sendmail"))
    return Url(scheme, path=path or "/usr/sbin/sendmail")


def _account_error(account: str, key: str, message: str, example: str) -> BadInput:
    return BadInput("post/account", f"[{account}] {key}: {message}", f"for example {example}")


def parse_accounts(data: bytes) -> dict[str, Account]:
    """Return all accounts by name. BadInput names account and key, never a value that may be secret."""
    hint = "correct it there"
    accounts_by_name = {}
    document = load(utf8(data, "post", hint).replace("\r\n", "\n"), "post")
    reader = TableReader(document, "")
    for name in document:
        if not _NAME.fullmatch(name):
            message = f"{name[:40]!r} cannot be the name of a mail account"
            raise BadInput("post/name", message, "use a-z, 0-9 and '-', for example club")
        try:
            accounts_by_name[name] = read_account(name, reader.table(name))
        except BadInput as error:
            raise BadInput(error.code, error.message, error.hint if error.code == "post/account" else hint) from None
    for account in accounts_by_name.values():
        same_address = [
            other.name for other in accounts_by_name.values() if other.address.lower() == account.address.lower()
        ]
        if len(same_address) > 1:
            message = f"{' and '.join(same_address)} have one address, so nobody can tell which serves a game"
            raise BadInput("post/twice", message, "keep one of them, with both ways")
    return accounts_by_name


def load_accounts(home: Home) -> dict[str, Account]:
    """Return every account of this home, or none if there is no file."""
    data = read_accounts(home)
    path = accounts_path(home)
    try:
        return parse_accounts(data) if data is not None else {}
    except BadInput as error:
        raise BadInput(error.code, f"{path}: {error.message}", error.hint) from None


def find_account(home: Home, name: str) -> Account:
    """Return the account with this name. Raises BadInput ``post/none`` if there is none."""
    accounts_by_name = load_accounts(home)
    if name not in accounts_by_name:
        hint = (
            f"the mail accounts are {', '.join(accounts_by_name)}"
            if accounts_by_name
            else f"pbem account add {_valid_name_or_example(name)}"
        )
        raise BadInput("post/none", f"there is no mail account {name[:40]!r}", hint)
    return accounts_by_name[name]


def _valid_name_or_example(name: str) -> str:
    return name if _NAME.fullmatch(name) else "club"


def find_account_for(accounts_by_name: dict[str, Account], address: str) -> Account:
    """Return the account with this address, or the only account. Otherwise Refused ``post/no-account``."""
    if not accounts_by_name:
        raise Refused("post/no-account", "there is no mail account", "pbem account add club")
    for account in accounts_by_name.values():
        if account.address.lower() == address.lower():
            return account
    if len(accounts_by_name) > 1:
        message = f"no mail account has the referee's address {address or '(none)'}"
        hint = "write an account's address under [referee] in desk/players.toml"
        raise Refused("post/no-account", f"{message}; the mail accounts are {', '.join(accounts_by_name)}", hint)
    return next(iter(accounts_by_name.values()))


def complete_referee(home: Home, text: str) -> str:
    """Complete ``NAME,ADDRESS`` of a new game's referee from the only account. ``NAME,`` stays as it is."""
    if "," in text:
        return text
    accounts = [*load_accounts(home).values()]
    if len(accounts) != 1:
        return text
    name = text or accounts[0].sender_name.replace(",", " ") or "Referee"
    return f"{name},{accounts[0].address}"


def describe_foreign_address(home: Home, address: str) -> str:
    """Return a note if this address of a game's referee belongs to no mail account, though there is one; else ""."""
    accounts = load_accounts(home).values()
    if not address or not accounts or address.lower() in (account.address.lower() for account in accounts):
        return ""
    if len(accounts) > 1:
        return f"players will reply to {address}, and none of your mail accounts has that address"
    return f"players will reply to {address}, and your mail account is {next(iter(accounts)).label}"


def remove_account(home: Home, name: str) -> Account:
    """Remove an account from the file. Return it. Raises BadInput ``post/none``; Refused ``post/by-hand`` if its
    lines cannot be told from the others.
    """
    account, accounts_by_name = find_account(home, name), load_accounts(home)
    text = (read_accounts(home) or b"").decode()
    remaining = re.sub(rf"(?ms)^\[\s*{name}\s*\].*?(?=^\[|\Z)", "", text).encode()
    try:
        is_removed = parse_accounts(remaining) == {key: row for key, row in accounts_by_name.items() if key != name}
    except BadInput:
        is_removed = False
    if not is_removed:
        problem = f"the lines of {name} are not a table of their own in {accounts_path(home)}"
        raise Refused("post/by-hand", problem, "remove it there by hand")
    write_accounts(home, remaining)
    return account


def add_account(home: Home, name: str, table: dict[str, object]) -> Account:
    """Add an account at the end of the file. Return it. Raises Refused ``post/exists`` if the name is taken."""
    old_data = read_accounts(home) or b""
    if name in load_accounts(home):
        raise Refused("post/exists", f"there is already a mail account {name}", f"edit {accounts_path(home)}")
    read_account(name, TableReader({name: table}, "").table(name))  # the file must stay valid
    text = dump({name: table})
    data = old_data + (b"\n" if old_data else b"") + text.encode()
    account = parse_accounts(data)[name]
    write_accounts(home, data)
    return account


def with_secret(account: Account, seconds: float) -> Account:
    """Return the account with its secret in place of the command that prints it within so many seconds. Secret."""
    if isinstance(account.secret, str) or not account.secret:
        return account
    secret = read_secret(account.secret, "post/secret", f"[{account.name}] secret", seconds)
    return account._replace(secret=secret)


@functools.cache
def secret_of(account: Account) -> str:
    """Return the password or token. Secret. Raises Refused ``post/secret`` names only the program that failed."""
    if isinstance(account.secret, str):
        return account.secret
    return read_secret(account.secret, "post/secret", f"[{account.name}] secret")
