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
from pbem.disk.home import Home, read_own
from pbem.disk.whole import checked, fits, read_if_there
from pbem.errors import Refused

_ACCOUNTS = 256 << 10
_LIMIT = 16 << 20


def accounts_path(home: Home) -> Path:
    """Where the accounts stand, there or not."""
    return home.path / "post.toml"


def read_accounts(home: Home) -> bytes | None:
    """The accounts, None if there are none. Secret. Refused ``file/open`` if others can read it."""
    return read_own(home, accounts_path(home).name)


def write_accounts(home: Home, data: bytes) -> None:
    """Writes them whole and durably, 0600."""
    with system.hold(home.make() / "lock"):
        whole.write(accounts_path(home), data, 0o600)


@contextmanager
def hold_tick(home: Home) -> Iterator[bool]:
    """One `pbem tick` at a time; False where another one runs."""
    with ExitStack() as held:
        try:
            held.enter_context(system.hold(home.make("post") / "tick.lock", 0.0))
        except Refused as error:
            if error.code != "game/busy":
                raise
            yield False
        else:
            system.remove_temps(home.path / "post")  # of one that was killed
            yield True


_TICKED = "ticked.txt"  # no name of an account has a dot


class LastTick(NamedTuple):
    """What the last `pbem tick` noted of itself, a line each; "" where there was none."""

    time: str = ""
    mark: str = ""  #: of what it told
    told: str = ""  #: when that was told last
    heard: str = ""  #: when a run last fetched all email
    gaps: str = ""  #: seconds between the newest of these runs, newest last


def read_ticked(home: Home) -> LastTick:
    """What the last run noted; a line that is not there is empty."""
    data = read_if_there(home.path / "post" / _TICKED, _ACCOUNTS) or b""
    return LastTick(*data.decode("utf-8", "replace").splitlines()[: len(LastTick._fields)])


def write_ticked(home: Home, rows: LastTick) -> None:
    """Notes it, whole."""
    whole.write(home.make("post") / _TICKED, "".join(f"{row}\n" for row in rows).encode(), 0o600)


def letter_files(home: Home, *marks: "Kept") -> list[Path]:
    """The letters with these marks that no game took, of all accounts."""
    accounts = home.path / "post"
    there = [accounts / name / mark.value for name in system.list_names(accounts) for mark in marks]
    there = [folder for folder in there if system.is_folder(folder)]
    names = [folder / name for folder in there for name in system.list_names(folder)]
    return [path for path in names if path.name.endswith(".eml")]


def taken_since(home: Home, day: str) -> int:
    """How many mails that came since ``day`` (2026-11-01) were taken, of all accounts."""
    accounts, first = home.path / "post", day.replace("-", "")
    folders = [accounts / name / Kept.TAKEN.value for name in system.list_names(accounts)]
    names = [name for one in folders if system.is_folder(one) for name in system.list_names(one)]
    return sum(fits(name) and name >= first for name in names)


class Kept(Enum):
    """What became of a mail. The value is the name of its folder."""

    NEW = "new"  #: nobody has read it
    TAKEN = "taken"  #: a game has taken it: its name is left, and no bytes
    LETTER = "letter"  #: for the referee to read
    READ = "read"  #: a letter that was shown to the referee
    NOT_OURS = "not-ours"  #: it has the code of a game that nobody has seen here
    BROKEN = "broken"  #: pbem failed with it; the reason lies beside it


class Journal:
    """What came in at one account: PBEM_HOME/post/<account>/. All bytes are private."""

    def __init__(self, home: Home, account: str) -> None:
        self.folder = home.make("post", checked(account))

    @contextmanager
    def hold(self) -> Iterator[None]:
        """One command at a time on an account. Refused ``post/busy``."""
        with ExitStack() as held:
            try:
                held.enter_context(system.hold(self.folder / "lock", 0.0))
            except Refused as error:
                if error.code != "game/busy":
                    raise
                why = f"another pbem is using the account {self.folder.name}"
                raise Refused("post/busy", why, error.hint) from None
            yield

    def read(self, name: str) -> bytes | None:
        """A file about the account itself."""
        return read_if_there(self.folder / checked(name), _LIMIT)

    def write(self, name: str, data: bytes) -> None:
        """Writes it whole and durably."""
        whole.write(self.folder / checked(name), data, 0o600)

    def names(self, mark: Kept) -> tuple[str, ...]:
        """The names of the mails with this mark, sorted, without ``.eml``."""
        found = (name for name in system.list_names(self.folder / mark.value) if fits(name))
        return tuple(name.removesuffix(".eml") for name in found if name.endswith(".eml"))

    def path(self, mark: Kept, name: str) -> Path:
        """Where a mail lies, there or not."""
        return self.folder / mark.value / f"{checked(name)}.eml"

    def put(self, mark: Kept, name: str, data: bytes) -> None:
        """Keeps a mail, durably."""
        system.make_folder(self.folder / mark.value, 0o700)
        whole.write(self.path(mark, name), data, 0o600)

    def move(self, name: str, old: Kept, new: Kept, called: str = "") -> None:
        """Another mark, or another name, durably, by one rename."""
        system.make_folder(self.folder / new.value, 0o700)
        whole.move(self.path(old, name), self.path(new, called or name))

    def remove(self, name: str, mark: Kept) -> None:
        """Takes a mail away; what is not there is no error."""
        path = self.path(mark, name)
        with system.os_errors("delete", path):
            system.remove_tree(path)
        system.sync_folder(path.parent)

    def tidy(self) -> None:
        """Removes what a command that was killed left half written."""
        for folder in (self.folder, *(self.folder / mark.value for mark in Kept)):
            system.remove_temps(folder)

    def explain(self, name: str, why: str) -> None:
        """Why a mail is broken, beside it."""
        system.make_folder(self.folder / Kept.BROKEN.value, 0o700)
        path = self.folder / Kept.BROKEN.value / f"{checked(name)}.txt"
        whole.write(path, f"{why}\n".encode(), 0o600)
