"""One game's folder: game.toml and states/ for everybody, and the private folder desk/ with the
lock.

Not allowed here: what any of these bytes mean, or whether they are genuine.
Laws: creating states/NNNN.toml saves a state. Everything before it can be discarded, everything
after it can be repeated. desk/ is 0700 whenever pbem uses it, and all files in it are 0600. Pending
orders change only under the lock, so that a save cannot lose one.
Source: SPECIFICATION section 5 (saving); DESIGN "One game's folder", P8; decisions/0001.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from enum import Enum
from itertools import chain, count, takewhile
from pathlib import Path
from types import MappingProxyType

from pbem.disk import system, whole
from pbem.disk.modes import keep_private
from pbem.disk.system import os_errors, sync_folder, unfinished_save_error
from pbem.disk.whole import is_safe_name, read_if_present, safe_name, state_file_name
from pbem.errors import OurFault, PbemError, Refused

_STATE_NAME = re.compile(r"([0-9]{4}|[1-9][0-9]{4,8})\.toml")  # 00001.toml would be a second 0001


class MessageStatus(Enum):
    """The status of a message. The value is the name of its folder in desk/."""

    WAITING = "outbox"  #: not sent yet
    SENDING = "sending"  #: sending has begun; after a kill it may or may not be sent
    SENT = "sent"  #: the mail server accepted it
    FAILED = "failed"  #: the mail server refused it
    UNREAD = "letters"  #: a message to the referee, not read yet
    READ = "letters-read"


SECRET_FILE, CODES_FILE, PLAYERS_FILE = ("secret", "codes", "players.toml")  #: files that every private folder has
NEXT_ROUND_FILE = "next"  #: in a cancelled round: the ids of the rounds begun after it
FORMER_CODES_FILE = "codes.former"  #: codes that `restore --go-on` made void, one secret per line
CONSENT_FILE, LOST_ORDERS_FILE = ("consent.toml", "lost")  #: an undo awaiting consent; lost orders
PASSWORD_PREFIX = "password-"  #: an email with such a name has a password: no copy is kept (P11)  # noqa: S105 - the name of a key
MAX_FILE_SIZE = 8 << 20  # far more than any file of a game


class GameFolder:
    """One game's folder. States and game.toml are public; everything else is secret. All methods
    raise BadInput or Refused in one line (system.py), ``file/symlink`` for a link below ``root``,
    and ``file/name`` for a name that is not plain (whole.py).
    """

    def __init__(self, root: Path, saved_number: int | None = None) -> None:
        """``saved_number`` is the newest state that this command saved under its lock."""
        system.refuse_unprintable(root)
        self.root = root
        self.saved_number = saved_number
        self._lock_depth = 0

    @contextmanager
    def lock(self, wait_seconds: float = 10.0) -> Iterator[None]:
        """Hold this game's lock; one object may nest it. Raises Refused ``game/busy``."""
        with ExitStack() as stack:
            if not self._lock_depth:
                self.saved_number = None
                stack.enter_context(system.hold(self._desk_folder(make=True) / "lock", wait_seconds))
            self._lock_depth += 1
            try:
                with self.reporting_saved_state():
                    yield
            finally:
                self._lock_depth -= 1

    @contextmanager
    def reporting_saved_state(self) -> Iterator[None]:
        """Make errors inside the block say that a state was saved before."""
        try:
            yield
        except PbemError as error:
            if self.saved_number is None or not error.code.startswith("file/"):
                raise
            raise unfinished_save_error(error, self.saved_number, self.root) from error

    def read_desk_file(self, name: str) -> bytes | None:
        """Return the file desk/``name`` (``secret``, ``players.toml``); None if it is missing."""
        return read_if_present(self._desk_folder() / safe_name(name), MAX_FILE_SIZE)

    def put_desk_file(self, name: str, data: bytes) -> None:
        """Write desk/``name`` durably."""
        if name == "lock":
            raise OurFault("disk/lock-replaced", "the lock must never be written over")
        self._put((), safe_name(name), data)

    def has_pending(self, n: int) -> bool:
        return system.refuse_link(self._desk_folder("hand") / str(n))

    def read_pending(self, n: int) -> dict[str, bytes]:
        """Return the pending orders for state ``n``, by seat."""
        folder = self._desk_folder("hand", str(n))
        seats = self._list_names(("hand", str(n)), ".toml")
        data_by_seat = {seat: read_if_present(folder / f"{seat}.toml", MAX_FILE_SIZE) for seat in seats}
        return {seat: data for seat, data in data_by_seat.items() if data is not None}

    def put_pending(self, n: int, seat: str, data: bytes) -> None:
        """Store the pending orders of a seat for state ``n``, which must be the newest. Durable.
        Raises OurFault without the lock, or if state ``n + 1`` exists: the orders would be lost.
        """
        self._require_lock()
        if self.has_state(n + 1):
            raise OurFault("disk/stale-hand", f"orders for state {n} came after state {n + 1}")
        self._put(("hand", str(n)), f"{safe_name(seat)}.toml", data)

    def put_report(self, n: int, name: str, data: bytes, durable: bool = True) -> None:
        """Write a report of state ``n``; ``durable`` waits until its name is on the drive."""
        self._put(("reports", f"{n:04d}"), safe_name(name), data, durable)

    def read_report(self, n: int, name: str) -> bytes | None:
        """Return a report of state ``n``; None if it was not written."""
        return read_if_present(self._desk_folder("reports", f"{n:04d}") / safe_name(name), MAX_FILE_SIZE)

    def put_outbox(self, name: str, data: bytes) -> None:
        """Put a message into the outbox, replacing an unsent one of that name. Does nothing if it
        already has a later status, since pbem makes messages again after a kill.
        """
        later_statuses = (MessageStatus.SENDING, MessageStatus.SENT, MessageStatus.FAILED)
        copies = ((status, copy) for status in later_statuses for copy in self._copies_of(status, safe_name(name)))
        if not any(self.read_message(status, copy) == data for status, copy in copies):
            self._put((MessageStatus.WAITING.value,), f"{safe_name(name)}.eml", data)

    def put_referee_message(self, name: str, data: bytes) -> None:
        """Store a message to the referee, unless it is already there: after a kill it comes again."""
        if all(self.read_message(status, name) is None for status in (MessageStatus.UNREAD, MessageStatus.READ)):
            self._put((MessageStatus.UNREAD.value,), f"{safe_name(name)}.eml", data)

    def list_messages(self, status: MessageStatus) -> tuple[str, ...]:
        """Return the names of the messages with this status, without ``.eml``, sorted."""
        return self._list_names((status.value,), ".eml")

    def read_message(self, status: MessageStatus, name: str) -> bytes | None:
        """Return a message; None if none of this name has the status."""
        return read_if_present(self._message_path(status, name), MAX_FILE_SIZE)

    def move_message(self, name: str, old_status: MessageStatus, new_status: MessageStatus) -> str:
        """Change a message's status durably, by one rename, and return its new name.

        That is ``name.2`` and so on if earlier messages have its name. Sending a message also
        removes its failed copies, and the message itself if it has a password. Raises BadInput
        ``file/missing``; OurFault without the lock.
        """
        self._require_lock()
        source = self._message_path(old_status, name)
        new_name = name
        if new_status is MessageStatus.SENT and name.startswith(PASSWORD_PREFIX):
            self.remove_message(name, old_status)
        else:
            self._desk_folder(new_status.value, make=True)
            earlier_names = self._copies_of(new_status, name)
            new_name = f"{name}.{len(earlier_names) + 1}" if earlier_names else name
            whole.move(source, self._message_path(new_status, new_name))
        for copy in self._copies_of(MessageStatus.FAILED, name) if new_status is MessageStatus.SENT else ():
            self.remove_message(copy, MessageStatus.FAILED)
        return new_name

    def remove_message(self, name: str, status: MessageStatus = MessageStatus.WAITING) -> None:
        """Remove a message with this status, if there is one."""
        self._require_lock()
        path = self._message_path(status, name)
        with os_errors("remove", path):
            system.remove_tree(path)

    def read_receipt(self, name: str) -> bytes | None:
        """Return the receipt; None if it was not written."""
        return read_if_present(self._desk_folder("receipts") / f"{safe_name(name)}.txt", MAX_FILE_SIZE)

    def put_receipt(self, name: str, data: bytes) -> None:
        """Write a receipt, after what it confirms (P8)."""
        self._put(("receipts",), f"{safe_name(name)}.txt", data)

    def store_parsed_email(self, name: str, data: bytes) -> None:
        """Store what was recognised in an email, under its hash, unless that is already there."""
        path = self._desk_folder("mails", make=True) / safe_name(name)
        try:
            whole.create(path, data, 0o600, temp_folder=self.root / "desk")
        except Refused as error:
            if error.code != "save/number-taken":
                raise

    def read_parsed_email(self, name: str) -> bytes | None:
        """Return what was recognised in an email; None if there is none of this name."""
        return read_if_present(self._desk_folder("mails") / safe_name(name), MAX_FILE_SIZE)

    def _message_path(self, status: MessageStatus, name: str) -> Path:
        return self._desk_folder(status.value) / f"{safe_name(name)}.eml"

    def _copies_of(self, status: MessageStatus, name: str) -> list[str]:
        """Return the names with this status that were put as ``name``: ``name``, ``name.2``, …."""
        names = chain([name], (f"{name}.{n}" for n in count(2)))
        return list(takewhile(lambda n: system.refuse_link(self._message_path(status, n)), names))

    def _require_lock(self) -> None:
        if not self._lock_depth:
            raise OurFault("disk/no-lock", "this changes a game without holding its lock")

    def _desk_folder(self, *parts: str, make: bool = False) -> Path:
        """Return the folder desk/``parts`` after checking each part; closed to others."""
        folder = self.root
        for part in ("desk", *parts):
            folder = folder / part
            if make:
                system.make_folder(folder, 0o700)
            elif not system.refuse_link(folder):
                break
            if part == "desk":
                keep_private(folder)
        return self.root.joinpath("desk", *parts)

    def _put(self, parts: tuple[str, ...], name: str, data: bytes, durable: bool = True) -> None:
        path = self._desk_folder(*parts, make=True) / name
        whole.write(path, data, 0o600, durable, temp_folder=self.root / "desk")

    def _list_names(self, parts: tuple[str, ...], suffix: str) -> tuple[str, ...]:
        """Return the names without ``suffix``; ignores temporary and foreign files."""
        names = (file_name for file_name in system.list_names(self._desk_folder(*parts)) if file_name.endswith(suffix))
        return tuple(sorted(filter(is_safe_name, (name.removesuffix(suffix) for name in names))))

    def is_game(self) -> bool:
        """Whether this is the folder of a game: it has game.toml or states/."""
        return any(system.stat_or_none(self.root / name) for name in ("game.toml", "states"))

    def list_state_numbers(self) -> tuple[int, ...]:
        """Return the numbers of the states present, sorted; ignores files with other names."""
        states = self.root / "states"
        system.refuse_link(states)
        matches = (_STATE_NAME.fullmatch(name) for name in system.list_names(states))
        return tuple(sorted(int(match[1]) for match in matches if match))

    def read_state(self, n: int) -> bytes | None:
        """Return state ``n``, not verified; None if it is missing."""
        return read_if_present(self._state_path(n), MAX_FILE_SIZE)

    def has_state(self, n: int) -> bool:
        """Whether there is a state ``n``; reads nothing."""
        return system.refuse_link(self._state_path(n))

    def create_state(self, n: int, data: bytes) -> None:
        """Write state ``n`` durably; Refused ``save/number-taken`` if it exists."""
        system.make_folder(self.root / "states")
        whole.create(self._state_path(n), data, temp_folder=self.root)

    def read_newest(self) -> bytes | None:
        """Return game.toml, not verified; None if it is missing."""
        return read_if_present(self.root / "game.toml", MAX_FILE_SIZE)

    def describe_unfinished(self) -> str:
        """Describe what a killed command left undone of the newest state, or "". Needs no key."""
        if not (numbers := self.list_state_numbers()):
            return ""
        n, missing = numbers[-1], list[str]()
        if self.read_newest() != self.read_state(n):
            missing.append("game.toml is not that state yet")
        if self.has_pending(n) and not self.read_report(n, "spectators.txt"):
            missing.append("some of its reports are missing")
        texts = [f"a command was cut short after state {n} was saved", *missing]
        return "; ".join([*texts, f"`pbem resolve {self.root}` writes what is missing"]) if missing else ""

    def repair_newest(self, data: bytes) -> None:
        """Write game.toml, the copy of the newest state, again after a kill."""
        system.refuse_link(self.root / "game.toml")
        whole.write(self.root / "game.toml", data)

    def commit(
        self,
        n: int,
        state: bytes,
        pending: Mapping[str, bytes],
        set_mark: Callable[[], None],
        desk_changes: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        """Save state ``n`` with the then pending orders and with ``desk_changes``, which are by
        path.

        ``set_mark`` sets the high-water mark. ``state`` is public, ``pending`` is not. Raises
        Refused ``save/number-taken`` or any trouble of the drive with nothing changed. Raises
        ``save/unfinished`` if the state is saved but the mark or game.toml is not: the next command
        then calls ``set_mark``, ``repair_newest``, ``apply_staged`` and ``remove_leftovers``.
        """
        self._require_lock()
        for seat in pending:
            safe_name(seat)
        system.refuse_link(self.root / "game.toml")
        if system.stat_or_none(path := self._state_path(n)):  # check this first: the pending orders of n may be in use
            raise whole.name_taken_error(path)
        self._write_pending(n, pending, desk_changes)
        try:
            self.create_state(n, state)
            self.saved_number = n
            set_mark()
            self.repair_newest(state)
            self.apply_staged(n)
        except PbemError as error:
            if self.saved_number != n and error.code != "file/not-durable":
                raise
            raise unfinished_save_error(error, n, self.root) from error
        with suppress(PbemError, OSError):  # the save is done; leftovers are harmless
            self.remove_leftovers(n)

    def store_orders_before(self, n: int, data: bytes) -> None:
        """Store the orders that were pending before state ``n``; call it before ``commit``."""
        self._require_lock()
        self._put(("hands",), f"{n}.toml", data)

    def read_orders_before(self, n: int) -> bytes | None:
        """Return the orders that were pending before state ``n``; None if they are missing."""
        return read_if_present(self._desk_folder("hands") / f"{n}.toml", MAX_FILE_SIZE)

    def states_with_orders_before(self) -> set[int]:
        """Return the states for which ``read_orders_before`` has an answer."""
        return {int(name) for name in self._list_names(("hands",), ".toml") if name.isdecimal()}

    def remove_leftovers(self, n: int, with_next: bool = False) -> None:
        """Remove what killed commands left, and pending orders older than the newest state ``n``.
        ``with_next`` also removes those for a next state; use it only if no such state was ever
        seen. Needs the lock, since temporary files of a running command look the same.
        """
        self._require_lock()
        pending_folder = self._desk_folder("hand")
        for folder in (self.root, pending_folder.parent, pending_folder):
            if system.refuse_link(folder):
                system.remove_temps(folder)
        for name in system.list_names(pending_folder):
            if name.isdecimal() and name.isascii() and (int(name) < n or (with_next and int(name) > n)):
                with suppress(OSError):  # harmless; the next command tries again
                    system.remove_tree(pending_folder / name)
        next_file = self._desk_folder("hands") / f"{n + 1}.toml"
        if with_next and system.refuse_link(next_file):
            with os_errors("delete", next_file):
                next_file.unlink()

    def stage_desk_changes(self, n: int, desk_changes: Mapping[str, bytes]) -> None:
        """Make changes in the private folder, by path, while state ``n`` stays the newest."""
        self._require_lock()
        pending_folder = self._desk_folder("hand", str(n), make=True)
        temp_folder = pending_folder.parent / f"{system.TEMP_PREFIX}desk"
        with os_errors("write", pending_folder / "desk"):
            system.remove_tree(temp_folder)
            with system.removed_on_failure(temp_folder):
                whole.write_tree(temp_folder, desk_changes)
                system.patiently(os.rename, temp_folder, pending_folder / "desk")
        sync_folder(pending_folder)
        self.apply_staged(n)

    def apply_staged(self, n: int) -> bool:
        """Apply the staged changes of state ``n`` to the private folder, if there are any."""
        staged = self._desk_folder("hand", str(n)) / "desk"
        if not system.refuse_link(staged):
            return False
        with os_errors("list", staged):  # unlike rglob, os.walk can raise errors
            walk = [*os.walk(staged, onerror=system.reraise)]
        for path in sorted(Path(folder, name) for folder, _, names in walk for name in names):
            *parents, name = path.relative_to(staged).parts
            data = whole.read(path, MAX_FILE_SIZE, follow=False)
            if parents == [MessageStatus.WAITING.value]:
                self.put_outbox(name.removesuffix(".eml"), data)
            else:
                self._put(tuple(parents), name, data)
        with os_errors("write", staged):
            system.remove_tree(staged)
        return True

    def _write_pending(self, n: int, pending: Mapping[str, bytes], desk_changes: Mapping[str, bytes]) -> None:
        """Write desk/hand/``n`` durably. It counts only once state ``n`` exists."""
        pending_folder = self._desk_folder("hand", make=True)
        temp_folder = pending_folder / f"{system.TEMP_PREFIX}{n}"
        final = pending_folder / str(n)
        old_folder = pending_folder / str(n - 1)
        with os_errors("write", final):
            system.remove_tree(temp_folder)
            with system.removed_on_failure(temp_folder):
                os.mkdir(temp_folder, 0o700)
                for seat in sorted(pending):
                    name = f"{seat}.toml"
                    if not whole.link_if_same(old_folder / name, temp_folder / name, pending[seat]):
                        whole.write_new_file(temp_folder / name, pending[seat])
                if desk_changes:
                    whole.write_tree(temp_folder / "desk", desk_changes)
                sync_folder(temp_folder)
                system.remove_tree(final)  # left by a save that was killed before the state existed
                system.patiently(os.rename, temp_folder, final)
        sync_folder(pending_folder)

    def _state_path(self, n: int) -> Path:
        """Return the path of state ``n``, whether it exists or not."""
        system.refuse_link(self.root / "states")
        return self.root / "states" / state_file_name(n)
