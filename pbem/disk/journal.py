"""The mail accounts in PBEM_HOME, and for each the emails received, with their status.

Not allowed here: what any of these bytes mean.
Laws: an email is one file, and its folder is its status. Bytes are on the drive before anybody
reads them. Everything is private: 0600 in folders of 0700.
Source: docs/decisions/0014-the-post.md.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from pbem.disk import system, whole
from pbem.disk.home import Home, read_own_file
from pbem.disk.whole import is_safe_name, read_if_present, safe_name
from pbem.errors import Refused

_MAX_SMALL_FILE_SIZE = 256 << 10
_MAX_FILE_SIZE = 16 << 20


def accounts_path(home: Home) -> Path:
    """Return the path of the accounts file, whether it exists or not."""
    return home.path / "post.toml"


def read_accounts(home: Home) -> bytes | None:
    """Return the accounts, which are secret; None if there are none. Raises Refused ``file/open``."""
    return read_own_file(home, accounts_path(home).name)


def write_accounts(home: Home, data: bytes) -> None:
    """Write the accounts durably, 0600."""
    with system.hold(home.make_folder() / "lock"):
        whole.write(accounts_path(home), data, 0o600)


@contextmanager
def hold_tick(home: Home) -> Iterator[bool]:
    """Allow one `pbem tick` at a time; yields False if another one runs."""
    with ExitStack() as stack:
        try:
            stack.enter_context(system.hold(home.make_folder("post") / "tick.lock", 0.0))
        except Refused as error:
            if error.code != "game/busy":
                raise
            yield False
        else:
            system.remove_temps(home.path / "post")  # left by a killed run
            yield True


_LAST_TICK_FILE = "ticked.txt"  # account names have no dot


class LastTick(NamedTuple):
    """What the last `pbem tick` noted about itself, one line each; "" if there was none."""

    time: str = ""
    report_hash: str = ""  #: hash of what it reported
    reported_at: str = ""  #: when it last reported that
    fetched_at: str = ""  #: when a run last fetched all emails
    intervals: str = ""  #: seconds between the newest of these runs, newest last
    problems: str = ""  #: what it could not fetch, send or back up, apart by tabs


def read_last_tick(home: Home) -> LastTick:
    """Return what the last run noted."""
    data = read_if_present(home.path / "post" / _LAST_TICK_FILE, _MAX_SMALL_FILE_SIZE) or b""
    return LastTick(*data.decode("utf-8", "replace").splitlines()[: len(LastTick._fields)])


def write_last_tick(home: Home, last_tick: LastTick) -> None:
    """Replace what the last run noted."""
    whole.write(home.make_folder("post") / _LAST_TICK_FILE, "".join(f"{row}\n" for row in last_tick).encode(), 0o600)


def message_files(home: Home, *statuses: "EmailStatus") -> list[Path]:
    """Return the paths of the emails with these statuses that no game received, of all accounts."""
    accounts_folder = home.path / "post"
    folders = [
        accounts_folder / name / status.value for name in system.list_names(accounts_folder) for status in statuses
    ]
    folders = [folder for folder in folders if system.is_folder(folder)]
    paths = [folder / name for folder in folders for name in system.list_names(folder)]
    return [path for path in paths if path.name.endswith(".eml")]


def count_received_since(home: Home, day: str) -> int:
    """Return how many emails since ``day`` (2026-11-01) games received, of all accounts."""
    accounts_folder, first_name = home.path / "post", day.replace("-", "")
    folders = [accounts_folder / name / EmailStatus.RECEIVED.value for name in system.list_names(accounts_folder)]
    names = [name for folder in folders if system.is_folder(folder) for name in system.list_names(folder)]
    return sum(is_safe_name(name) and name >= first_name for name in names)


class EmailStatus(Enum):
    """The status of an email. The value is the name of its folder."""

    NEW = "new"  #: not read yet
    RECEIVED = "taken"  #: a game received it: only its name is left, no bytes
    UNREAD = "letter"  #: a message to the referee, not read yet
    READ = "read"  #: a message that the referee has read
    NOT_OURS = "not-ours"  #: it has the code of an unknown game
    BROKEN = "broken"  #: pbem failed to process it; the reason is in a file beside it


class AccountJournal:
    """The emails received at one account: PBEM_HOME/post/<account>/. All bytes are private."""

    def __init__(self, home: Home, account: str) -> None:
        self.folder = home.make_folder("post", safe_name(account))

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Lock the account for the block. Raises Refused ``post/busy``."""
        with ExitStack() as stack:
            try:
                stack.enter_context(system.hold(self.folder / "lock", 0.0))
            except Refused as error:
                if error.code != "game/busy":
                    raise
                message = f"another pbem is using the account {self.folder.name}"
                raise Refused("post/busy", message, error.hint) from None
            yield

    def read(self, name: str) -> bytes | None:
        """Return a file about the account itself; None if it is missing."""
        return read_if_present(self.folder / safe_name(name), _MAX_FILE_SIZE)

    def write(self, name: str, data: bytes) -> None:
        """Write a file about the account durably."""
        whole.write(self.folder / safe_name(name), data, 0o600)

    def list_emails(self, status: EmailStatus) -> tuple[str, ...]:
        """Return the names of the emails with this status, sorted, without ``.eml``."""
        file_names = (name for name in system.list_names(self.folder / status.value) if is_safe_name(name))
        return tuple(name.removesuffix(".eml") for name in file_names if name.endswith(".eml"))

    def email_path(self, status: EmailStatus, name: str) -> Path:
        """Return the path of an email, whether it exists or not."""
        return self.folder / status.value / f"{safe_name(name)}.eml"

    def put_email(self, status: EmailStatus, name: str, data: bytes) -> None:
        """Store an email durably."""
        system.make_folder(self.folder / status.value, 0o700)
        whole.write(self.email_path(status, name), data, 0o600)

    def move_email(self, name: str, old_status: EmailStatus, new_status: EmailStatus, new_name: str = "") -> None:
        """Give an email another status, and perhaps another name, durably by one rename."""
        system.make_folder(self.folder / new_status.value, 0o700)
        whole.move(self.email_path(old_status, name), self.email_path(new_status, new_name or name))

    def remove_email(self, name: str, status: EmailStatus) -> None:
        """Remove an email, if it is there."""
        path = self.email_path(status, name)
        with system.os_errors("delete", path):
            system.remove_tree(path)
        system.sync_folder(path.parent)

    def remove_leftovers(self) -> None:
        """Remove what a killed command left half written."""
        for folder in (self.folder, *(self.folder / status.value for status in EmailStatus)):
            system.remove_temps(folder)

    def write_reason(self, name: str, reason: str) -> None:
        """Write beside a broken email why it is broken."""
        system.make_folder(self.folder / EmailStatus.BROKEN.value, 0o700)
        path = self.folder / EmailStatus.BROKEN.value / f"{safe_name(name)}.txt"
        whole.write(path, f"{reason}\n".encode(), 0o600)
