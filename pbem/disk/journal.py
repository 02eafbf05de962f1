"""The post's part of PBEM_HOME: its accounts, and for each what came in, with its marks.

What must never be here: what any of these bytes mean.
The laws: a mail is one file, and its folder is its mark; bytes are on the drive before anybody
reads them. All of it is private: 0600 in folders of 0700.
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
    """Where the accounts stand, there or not."""
    return home.path / "post.toml"


def read_accounts(home: Home) -> bytes | None:
    """The accounts, None if there are none. Secret. Refused ``file/open`` if others can read it."""
    return read_own_file(home, accounts_path(home).name)


def write_accounts(home: Home, data: bytes) -> None:
    """Writes them whole and durably, 0600."""
    with system.hold(home.make_folder() / "lock"):
        whole.write(accounts_path(home), data, 0o600)


@contextmanager
def hold_tick(home: Home) -> Iterator[bool]:
    """One `pbem tick` at a time; False where another one runs."""
    with ExitStack() as stack:
        try:
            stack.enter_context(system.hold(home.make_folder("post") / "tick.lock", 0.0))
        except Refused as error:
            if error.code != "game/busy":
                raise
            yield False
        else:
            system.remove_temps(home.path / "post")  # of one that was killed
            yield True


_LAST_TICK_FILE = "ticked.txt"  # no name of an account has a dot


class LastTick(NamedTuple):
    """What the last `pbem tick` noted of itself, a line each; "" where there was none."""

    time: str = ""
    report_hash: str = ""  #: of what it told
    reported_at: str = ""  #: when that was told last
    fetched_at: str = ""  #: when a run last fetched all email
    intervals: str = ""  #: seconds between the newest of these runs, newest last


def read_last_tick(home: Home) -> LastTick:
    """What the last run noted; a line that is not there is empty."""
    data = read_if_present(home.path / "post" / _LAST_TICK_FILE, _MAX_SMALL_FILE_SIZE) or b""
    return LastTick(*data.decode("utf-8", "replace").splitlines()[: len(LastTick._fields)])


def write_last_tick(home: Home, last_tick: LastTick) -> None:
    """Notes it, whole."""
    whole.write(home.make_folder("post") / _LAST_TICK_FILE, "".join(f"{row}\n" for row in last_tick).encode(), 0o600)


def message_files(home: Home, *statuses: "EmailStatus") -> list[Path]:
    """The letters with these marks that no game took, of all accounts."""
    accounts_folder = home.path / "post"
    folders = [
        accounts_folder / name / status.value for name in system.list_names(accounts_folder) for status in statuses
    ]
    folders = [folder for folder in folders if system.is_folder(folder)]
    paths = [folder / name for folder in folders for name in system.list_names(folder)]
    return [path for path in paths if path.name.endswith(".eml")]


def count_received_since(home: Home, day: str) -> int:
    """How many mails that came since ``day`` (2026-11-01) were taken, of all accounts."""
    accounts_folder, first_name = home.path / "post", day.replace("-", "")
    folders = [accounts_folder / name / EmailStatus.RECEIVED.value for name in system.list_names(accounts_folder)]
    names = [name for folder in folders if system.is_folder(folder) for name in system.list_names(folder)]
    return sum(is_safe_name(name) and name >= first_name for name in names)


class EmailStatus(Enum):
    """What became of a mail. The value is the name of its folder."""

    NEW = "new"  #: nobody has read it
    RECEIVED = "taken"  #: a game has taken it: its name is left, and no bytes
    UNREAD = "letter"  #: for the referee to read
    READ = "read"  #: a letter that was shown to the referee
    NOT_OURS = "not-ours"  #: it has the code of a game that nobody has seen here
    BROKEN = "broken"  #: pbem failed with it; the reason lies beside it


class AccountJournal:
    """What came in at one account: PBEM_HOME/post/<account>/. All bytes are private."""

    def __init__(self, home: Home, account: str) -> None:
        self.folder = home.make_folder("post", safe_name(account))

    @contextmanager
    def hold(self) -> Iterator[None]:
        """One command at a time on an account. Refused ``post/busy``."""
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
        """A file about the account itself."""
        return read_if_present(self.folder / safe_name(name), _MAX_FILE_SIZE)

    def write(self, name: str, data: bytes) -> None:
        """Writes it whole and durably."""
        whole.write(self.folder / safe_name(name), data, 0o600)

    def list_emails(self, status: EmailStatus) -> tuple[str, ...]:
        """The names of the mails with this mark, sorted, without ``.eml``."""
        file_names = (name for name in system.list_names(self.folder / status.value) if is_safe_name(name))
        return tuple(name.removesuffix(".eml") for name in file_names if name.endswith(".eml"))

    def email_path(self, status: EmailStatus, name: str) -> Path:
        """Where a mail lies, there or not."""
        return self.folder / status.value / f"{safe_name(name)}.eml"

    def put_email(self, status: EmailStatus, name: str, data: bytes) -> None:
        """Keeps a mail, durably."""
        system.make_folder(self.folder / status.value, 0o700)
        whole.write(self.email_path(status, name), data, 0o600)

    def move_email(self, name: str, old_status: EmailStatus, new_status: EmailStatus, new_name: str = "") -> None:
        """Another mark, or another name, durably, by one rename."""
        system.make_folder(self.folder / new_status.value, 0o700)
        whole.move(self.email_path(old_status, name), self.email_path(new_status, new_name or name))

    def remove_email(self, name: str, status: EmailStatus) -> None:
        """Takes a mail away; what is not there is no error."""
        path = self.email_path(status, name)
        with system.os_errors("delete", path):
            system.remove_tree(path)
        system.sync_folder(path.parent)

    def remove_leftovers(self) -> None:
        """Removes what a command that was killed left half written."""
        for folder in (self.folder, *(self.folder / status.value for status in EmailStatus)):
            system.remove_temps(folder)

    def write_reason(self, name: str, reason: str) -> None:
        """Why a mail is broken, beside it."""
        system.make_folder(self.folder / EmailStatus.BROKEN.value, 0o700)
        path = self.folder / EmailStatus.BROKEN.value / f"{safe_name(name)}.txt"
        whole.write(path, f"{reason}\n".encode(), 0o600)
