"""One game's folder: game.toml and states/ for everybody, and the desk, its private half, with the
lock that lies in it.

What must never be here: what any of these bytes mean, or whether they are genuine.
The laws: the link of states/NNNN.toml IS the save; what comes before it can be thrown away, what
comes after it can be done again from it. desk/ is 0700 whenever we touch it and every file in it
0600; orders in hand change only under the lock, or an order could be gone with a save beside it.
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
    """The value is the name of the folder, in desk/."""

    WAITING = "outbox"  #: it is to be sent
    SENDING = "sending"  #: sending it has begun; after a kill, it may have gone or not
    SENT = "sent"  #: the post has it
    FAILED = "failed"  #: the post will not take it
    UNREAD = "letters"  #: words to the referee, who has not read them
    READ = "letters-read"


SECRET_FILE, CODES_FILE, PLAYERS_FILE = ("secret", "codes", "players.toml")  #: files that every desk has
NEXT_ROUND_FILE = "next"  #: of a round that was cancelled: the ids of the rounds that were begun after it
FORMER_CODES_FILE = "codes.former"  #: the codes that `restore --go-on` made void, one secret a line
CONSENT_FILE, LOST_ORDERS_FILE = ("consent.toml", "lost")  #: an undo that players are asked about; lost orders
PASSWORD_PREFIX = "password-"  #: an email whose name begins so has one: no copy is kept (P11)
MAX_FILE_SIZE = 8 << 20  # no file of a game comes near; a larger one is not ours


class GameFolder:
    """One game's folder. States and game.toml are public bytes; all others in and out are secret.

    Raises, everywhere: BadInput or Refused in one line (system.py), ``file/symlink`` for a link
    anywhere below ``root``, ``file/name`` for a name that is not plain (whole.py).
    """

    def __init__(self, root: Path, saved_number: int | None = None) -> None:
        """``saved_number``: the newest state that this command saved, under the lock that it holds."""
        system.refuse_unprintable(root)
        self.root, self.saved_number, self._lock_depth = root, saved_number, 0

    @contextmanager
    def lock(self, wait_seconds: float = 10.0) -> Iterator[None]:
        """Holds this game's lock; may be nested in one object. Raises Refused ``game/busy``."""
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
        """What fails inside the block says that a state was saved before."""
        try:
            yield
        except PbemError as error:
            if self.saved_number is None or not error.code.startswith("file/"):
                raise
            raise unfinished_save_error(error, self.saved_number, self.root) from error

    def read_desk_file(self, name: str) -> bytes | None:
        """The file desk/``name`` (``secret``, ``players.toml``), None if it is not there."""
        return read_if_present(self._desk_folder() / safe_name(name), MAX_FILE_SIZE)

    def put_desk_file(self, name: str, data: bytes) -> None:
        """Writes desk/``name`` whole and durably."""
        if name == "lock":
            raise OurFault("disk/lock-replaced", "the lock must never be written over")
        self._put((), safe_name(name), data)

    def has_pending(self, n: int) -> bool:
        return system.refuse_link(self._desk_folder("hand") / str(n))

    def read_pending(self, n: int) -> dict[str, bytes]:
        """The orders in hand for state ``n``: seat to bytes, in order of seats; may be empty."""
        folder, seats = (self._desk_folder("hand", str(n)), self._list_names(("hand", str(n)), ".toml"))
        data_by_seat = {seat: read_if_present(folder / f"{seat}.toml", MAX_FILE_SIZE) for seat in seats}
        return {seat: data for seat, data in data_by_seat.items() if data is not None}

    def put_pending(self, n: int, seat: str, data: bytes) -> None:
        """Takes in the orders of one seat for state ``n``, which must be the newest. Durable.

        Raises OurFault without the lock, or if state ``n + 1`` is there: the orders would be lost.
        """
        self._require_lock()
        if self.has_state(n + 1):
            raise OurFault("disk/stale-hand", f"orders for state {n} came after state {n + 1}")
        self._put(("hand", str(n)), f"{safe_name(seat)}.toml", data)

    def put_report(self, n: int, name: str, data: bytes, durable: bool = True) -> None:
        """Writes a report of state ``n``; its name is waited for if it is the last one."""
        self._put(("reports", f"{n:04d}"), safe_name(name), data, durable)

    def read_report(self, n: int, name: str) -> bytes | None:
        """A report of state ``n``, None if it was not written."""
        return read_if_present(self._desk_folder("reports", f"{n:04d}") / safe_name(name), MAX_FILE_SIZE)

    def put_outbox(self, name: str, data: bytes) -> None:
        """Lays out a message to be sent, desk/outbox/``name``.eml, in the place of one of that name
        that waits. After a kill a message is made again: where it has another mark, it keeps that.
        """
        later_statuses = (MessageStatus.SENDING, MessageStatus.SENT, MessageStatus.FAILED)
        copies = (
            (status, copy_name) for status in later_statuses for copy_name in self._copies_of(status, safe_name(name))
        )
        if not any(self.read_message(*copy) == data for copy in copies):
            self._put((MessageStatus.WAITING.value,), f"{safe_name(name)}.eml", data)

    def put_referee_message(self, name: str, data: bytes) -> None:
        """Keeps words to the referee, once: after a kill they come again."""
        if all(self.read_message(status, name) is None for status in (MessageStatus.UNREAD, MessageStatus.READ)):
            self._put((MessageStatus.UNREAD.value,), f"{safe_name(name)}.eml", data)

    def list_messages(self, status: MessageStatus) -> tuple[str, ...]:
        """The names of the messages with this mark, without ``.eml``, sorted."""
        return self._list_names((status.value,), ".eml")

    def read_message(self, status: MessageStatus, name: str) -> bytes | None:
        """A message, None if none of this name has the mark."""
        return read_if_present(self._message_path(status, name), MAX_FILE_SIZE)

    def move_message(self, name: str, old_status: MessageStatus, new_status: MessageStatus) -> str:
        """Gives a message another mark, durably, by one rename; one with a password is removed once
        it is sent. Once it is sent, copies that failed before are removed. Gives its name there:
        ``name``, or ``name.2`` and so on where earlier ones that were called so lie.

        Raises BadInput ``file/missing`` if it is not there, OurFault without the lock.
        """
        self._require_lock()
        source, new_name = self._message_path(old_status, name), name
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
        """Takes a message out of the outbox, or from under another mark, if it is there."""
        self._require_lock()
        with os_errors("remove", path := self._message_path(status, name)):
            system.remove_tree(path)

    def read_receipt(self, name: str) -> bytes | None:
        """The receipt, None if it was not written."""
        return read_if_present(self._desk_folder("receipts") / f"{safe_name(name)}.txt", MAX_FILE_SIZE)

    def put_receipt(self, name: str, data: bytes) -> None:
        """Writes a receipt, after what it confirms (P8)."""
        self._put(("receipts",), f"{safe_name(name)}.txt", data)

    def store_parsed_email(self, name: str, data: bytes) -> None:
        """Keeps what was understood of a mail. Its name is its hash: what is there stays, though a
        command that was killed may have understood it otherwise.
        """
        path = self._desk_folder("mails", make=True) / safe_name(name)
        try:
            whole.create(path, data, 0o600, temp_folder=self.root / "desk")
        except Refused as error:
            if error.code != "save/number-taken":
                raise

    def read_parsed_email(self, name: str) -> bytes | None:
        """What was understood of a mail, None if there is none of this name."""
        return read_if_present(self._desk_folder("mails") / safe_name(name), MAX_FILE_SIZE)

    def _message_path(self, status: MessageStatus, name: str) -> Path:
        return self._desk_folder(status.value) / f"{safe_name(name)}.eml"

    def _copies_of(self, status: MessageStatus, name: str) -> list[str]:
        """What was put as ``name`` and has this mark: ``name``, ``name.2`` and so on."""
        names = chain([name], (f"{name}.{n}" for n in count(2)))
        return list(takewhile(lambda n: system.refuse_link(self._message_path(status, n)), names))

    def _require_lock(self) -> None:
        if not self._lock_depth:
            raise OurFault("disk/no-lock", "this changes a game without holding its lock")

    def _desk_folder(self, *parts: str, make: bool = False) -> Path:
        """The folder desk/``parts``, each part looked at; closed to others; made if asked."""
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
        """The names without ``suffix``; what is not ours (temporary files too) is passed over."""
        names = (file_name for file_name in system.list_names(self._desk_folder(*parts)) if file_name.endswith(suffix))
        return tuple(sorted(filter(is_safe_name, (name.removesuffix(suffix) for name in names))))

    def is_game(self) -> bool:
        """Does a game lie here (game.toml or states/)?"""
        return any(system.stat_or_none(self.root / name) for name in ("game.toml", "states"))

    def list_state_numbers(self) -> tuple[int, ...]:
        """The numbers of the states present, sorted; files of other names are ignored."""
        states = self.root / "states"
        system.refuse_link(states)
        matches = (_STATE_NAME.fullmatch(name) for name in system.list_names(states))
        return tuple(sorted(int(match[1]) for match in matches if match))

    def read_state(self, n: int) -> bytes | None:
        """State ``n``, not verified; None if it is not there."""
        return read_if_present(self._state_path(n), MAX_FILE_SIZE)

    def has_state(self, n: int) -> bool:
        """Is there a state ``n``? Looks, reads nothing."""
        return system.refuse_link(self._state_path(n))

    def create_state(self, n: int, data: bytes) -> None:
        """Puts state ``n`` where none is, durably; Refused ``save/number-taken`` else."""
        system.make_folder(self.root / "states")
        whole.create(self._state_path(n), data, temp_folder=self.root)

    def read_newest(self) -> bytes | None:
        """game.toml, not verified; None if it is not there."""
        return read_if_present(self.root / "game.toml", MAX_FILE_SIZE)

    def describe_unfinished(self) -> str:
        """What a killed command left undone of the newest state, for who has no key; or ""."""
        if not (numbers := self.list_state_numbers()):
            return ""
        n, missing = numbers[-1], list[str]()
        if self.read_newest() != self.read_state(n):
            missing.append("game.toml is not that state yet")
        if self.has_pending(n) and not self.read_report(n, "spectators.txt"):
            missing.append("not all its reports are there")
        text = f"a command was cut short after state {n} was saved: {' and '.join(missing)}"
        return f"{text}; `pbem resolve {self.root}` writes what is missing" if missing else ""

    def repair_newest(self, data: bytes) -> None:
        """Writes game.toml: the newest state once more, after a kill between the two."""
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
        """Saves state ``n`` with the orders then in hand, and what changes in the ``desk_changes`` with it,
        by path; ``set_mark`` sets the high-water mark.

        Raises Refused ``save/number-taken`` or any trouble of the drive with nothing changed;
        ``save/unfinished`` when the save is real but mark or game.toml failed: the next command
        calls ``set_mark``, ``repair_newest``, ``adopt``, ``tidy``. ``state`` is public, not ``pending``.
        """
        self._require_lock()
        for seat in pending:
            safe_name(seat)
        system.refuse_link(self.root / "game.toml")
        if system.stat_or_none(path := self._state_path(n)):  # before anything: hand n may be in use
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
        with suppress(PbemError, OSError):  # the save is done; what is left over does no harm
            self.remove_leftovers(n)

    def store_orders_before(self, n: int, data: bytes) -> None:
        """What was in hand before state ``n``, durably and for good: call it before ``commit``."""
        self._require_lock()
        self._put(("hands",), f"{n}.toml", data)

    def read_orders_before(self, n: int) -> bytes | None:
        """It, None if it is not there."""
        return read_if_present(self._desk_folder("hands") / f"{n}.toml", MAX_FILE_SIZE)

    def states_with_orders_before(self) -> set[int]:
        """The states before which it is there."""
        return {int(name) for name in self._list_names(("hands",), ".toml") if name.isdecimal()}

    def remove_leftovers(self, n: int, with_next: bool = False) -> None:
        """Removes what killed commands left behind, and hands older than state ``n``, the newest;
        ``with_next``: also those for a next state. Only where none was ever seen, or they may be lost.

        Under the lock: a temporary file of a command still running looks the same. They lie where
        few others do: what this costs must not grow with the game.
        """
        self._require_lock()
        pending_folder = self._desk_folder("hand")
        for folder in (self.root, pending_folder.parent, pending_folder):
            if system.refuse_link(folder):
                system.remove_temps(folder)
        for name in system.list_names(pending_folder):
            if name.isdecimal() and name.isascii() and (int(name) < n or (with_next and int(name) > n)):
                with suppress(OSError):  # it does no harm, and is left for the next time
                    system.remove_tree(pending_folder / name)
        if with_next and system.refuse_link(next_file := self._desk_folder("hands") / f"{n + 1}.toml"):
            with os_errors("delete", next_file):
                next_file.unlink()

    def stage_desk_changes(self, n: int, desk_changes: Mapping[str, bytes]) -> None:
        """What changes in the desk, by path, while state ``n`` stays: it counts from here on."""
        self._require_lock()
        pending_folder = self._desk_folder("hand", str(n), make=True)
        temp_folder = pending_folder.parent / f"{system.TEMP_PREFIX}desk"
        with os_errors("write", pending_folder / "desk"):
            system.remove_tree(temp_folder)
            with system.removed_on_failure(temp_folder):
                whole.write_tree(temp_folder, desk_changes)
                os.rename(temp_folder, pending_folder / "desk")
        sync_folder(pending_folder)
        self.apply_staged(n)

    def apply_staged(self, n: int) -> bool:
        """Puts in its place what changed in the desk with state ``n``. Was there anything?"""
        staged = self._desk_folder("hand", str(n)) / "desk"
        if not system.refuse_link(staged):
            return False
        with os_errors("list", staged):  # unlike rglob, walk can be told to raise what it meets
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
        """desk/hand/``n`` whole and durable. It counts for nothing until state ``n`` is there."""
        pending_folder = self._desk_folder("hand", make=True)
        temp_folder, final, old_folder = (
            pending_folder / f"{system.TEMP_PREFIX}{n}",
            pending_folder / str(n),
            pending_folder / str(n - 1),
        )
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
                system.remove_tree(final)  # of a save killed before its link
                os.rename(temp_folder, final)
        sync_folder(pending_folder)

    def _state_path(self, n: int) -> Path:
        """Where state ``n`` lies, there or not."""
        system.refuse_link(self.root / "states")
        return self.root / "states" / state_file_name(n)
