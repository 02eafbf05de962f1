"""The private half of a game's folder: desk/, and the lock that lies in it.

What lives here: secret, addresses, orders in hand, mails, receipts, reports, messages, as bytes;
a message's mark, which is the folder that it lies in, and changes by one rename.
What must never be here: the states (folder.py); what any of these bytes mean. The law: desk/ is
0700 whenever we touch it and every file in it 0600; orders in hand change only under the lock, or
an order could be written beside a save and be gone with it. Source: docs/DESIGN.md "One game's
folder", P8.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from pbem.disk import system, whole
from pbem.disk.whole import checked, fits, read_if_there, state_name
from pbem.errors import OurFault, Refused


class Mark(Enum):
    """The value is the name of the folder, in desk/."""

    WAITING = "outbox"  #: it is to be sent
    SENDING = "sending"  #: sending it has begun; after a kill, it may have gone or not
    SENT = "sent"  #: the post has it
    FAILED = "failed"  #: the post will not take it


SECRET, CODES, PLAYERS = "secret", "codes", "players.toml"  #: files that every desk has
FORMER = "codes.former"  #: the codes that `restore --go-on` made void, one secret a line
CONSENT = "consent.toml"  #: where players are, or were, asked about an undo
AT_ONCE = "at-once"  #: `pbem new --deal` was told to deal at once: what was cut short is finished
LIMIT = 8 << 20  # no file of a game comes near; a larger one is not ours
_HAND_END, _RECEIPT_END, _MAIL_END = ".toml", ".txt", ".eml"


class Desk:
    """What one game keeps to itself. All bytes in and out are secret unless said otherwise.

    Raises, everywhere: BadInput or Refused in one line (system.py), ``file/symlink`` for a link
    anywhere below ``root``, ``file/name`` for a name that is not plain (whole.py).
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._depth = 0

    @contextmanager
    def lock(self, wait_seconds: float = 10.0) -> Iterator[None]:
        """Holds this game's lock; may be nested in one object. Raises Refused ``game/busy``."""
        if self._depth:
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
            return
        with system.hold(self._desk(make=True) / "lock", wait_seconds):
            self._depth = 1
            try:
                yield
            finally:
                self._depth = 0

    def desk_file(self, name: str) -> bytes | None:
        """The file desk/``name`` (``secret``, ``players.toml``), None if it is not there."""
        return read_if_there(self._desk() / checked(name), LIMIT)

    def put_desk_file(self, name: str, data: bytes) -> None:
        """Writes desk/``name`` whole and durably."""
        if name == "lock":
            raise OurFault("disk/lock-replaced", "the lock must never be written over")
        self._put((), checked(name), data)

    def has_hand(self, n: int) -> bool:
        """Is there a folder of orders in hand for state ``n``?"""
        return system.refuse_link(self._desk("hand") / str(n))

    def hand(self, n: int) -> dict[str, bytes]:
        """The orders in hand for state ``n``: seat to bytes, in order of seats; may be empty."""
        folder = self._desk("hand", str(n))
        found = {seat: read_if_there(folder / f"{seat}{_HAND_END}", LIMIT)
                 for seat in self._names(("hand", str(n)), _HAND_END)}  # fmt: skip
        return {seat: data for seat, data in found.items() if data is not None}

    def put_hand(self, n: int, seat: str, data: bytes) -> None:
        """Takes in the orders of one seat for state ``n``, which must be the newest. Durable.

        Raises OurFault without the lock, or if state ``n + 1`` is there: the orders would be lost.
        """
        self._must_hold()
        if os.path.lexists(self.root / "states" / state_name(n + 1)):
            raise OurFault("disk/stale-hand", f"orders for state {n} came after state {n + 1}")
        self._put(("hand", str(n)), f"{checked(seat)}{_HAND_END}", data)

    def put_report(self, n: int, name: str, data: bytes, durable: bool = True) -> None:
        """Writes a report of state ``n``. It can be made again: not every one need be durable."""
        self._put(("reports", f"{n:04d}"), checked(name), data, durable)

    def report(self, n: int, name: str) -> bytes | None:
        """A report of state ``n``, None if it was not written."""
        return read_if_there(self._desk("reports", f"{n:04d}") / checked(name), LIMIT)

    def reports(self, n: int) -> tuple[str, ...]:
        """The names of the reports of state ``n``, sorted."""
        return self._names(("reports", f"{n:04d}"), "")

    def put_outbox(self, name: str, data: bytes, durable: bool = True) -> None:
        """Lays out a message to be sent, desk/outbox/``name``.eml, in the place of one of that name
        that waits. After a kill a message is made again: where it has another mark, it keeps that.
        """
        if not self._went(checked(name), data):
            self._put((Mark.WAITING.value,), f"{name}{_MAIL_END}", data, durable)

    def outbox(self) -> tuple[str, ...]:
        """The names of the messages that wait to be sent, without ``.eml``, sorted."""
        return self.messages(Mark.WAITING)

    def messages(self, mark: Mark) -> tuple[str, ...]:
        """The names of the messages with this mark, without ``.eml``, sorted."""
        return self._names((mark.value,), _MAIL_END)

    def message(self, mark: Mark, name: str) -> bytes | None:
        """A message, None if none of this name has the mark."""
        return read_if_there(self._message(mark, name), LIMIT)

    def move(self, name: str, old: Mark, new: Mark) -> str:
        """Gives a message another mark, durably, by one rename. Gives its name there: ``name``, or
        ``name.2`` and so on where earlier ones that were called so lie.

        Raises BadInput ``file/missing`` if it is not there, OurFault without the lock.
        """
        self._must_hold()
        source = self._message(old, name)
        self._desk(new.value, make=True)
        earlier = self._called(new, name)
        free = f"{name}.{len(earlier) + 1}" if earlier else name
        whole.move(source, self._message(new, free))
        return free

    def has_receipt(self, name: str) -> bool:
        """Was this receipt written?"""
        return system.refuse_link(self._desk("receipts") / f"{checked(name)}{_RECEIPT_END}")

    def receipt(self, name: str) -> bytes | None:
        """The receipt, None if it was not written."""
        return read_if_there(self._desk("receipts") / f"{checked(name)}{_RECEIPT_END}", LIMIT)

    def put_receipt(self, name: str, data: bytes) -> None:
        """Writes a receipt. Call it after what it confirms is durable (P8)."""
        self._put(("receipts",), f"{checked(name)}{_RECEIPT_END}", data)

    def keep_mail(self, name: str, data: bytes) -> None:
        """Keeps what was understood of a mail. Its name is its hash: what is there stays, though a
        command that was killed may have understood it otherwise.
        """
        path = self._desk("mails", make=True) / checked(name)
        try:
            whole.create(path, data, 0o600, temps=self.root / "desk")
        except Refused as error:
            if error.code != "save/number-taken":
                raise

    def mail(self, name: str) -> bytes | None:
        """What was understood of a mail, None if there is none of this name."""
        return read_if_there(self._desk("mails") / checked(name), LIMIT)

    def _message(self, mark: Mark, name: str) -> Path:
        return self._desk(mark.value) / f"{checked(name)}{_MAIL_END}"

    def _called(self, mark: Mark, name: str) -> list[str]:
        """What was put as ``name`` and has this mark: ``name``, ``name.2`` and so on."""
        found: list[str] = []
        called = name
        while system.refuse_link(self._message(mark, called)):
            found.append(called)
            called = f"{name}.{len(found) + 1}"
        return found

    def _went(self, name: str, data: bytes) -> bool:
        """Has this very message, put as ``name``, another mark than waiting?"""
        others = [mark for mark in Mark if mark is not Mark.WAITING]
        return any(
            self.message(mark, called) == data
            for mark in others
            for called in self._called(mark, name)
        )

    def _must_hold(self) -> None:
        if not self._depth:
            raise OurFault("disk/no-lock", "this changes a game without holding its lock")

    def _desk(self, *below: str, make: bool = False) -> Path:
        """The folder desk/``below``, each part looked at; closed to others; made if asked."""
        place = self.root
        for part in ("desk", *below):
            place = place / part
            if make:
                system.make_folder(place, 0o700)
            elif not system.refuse_link(place):
                break
            if part == "desk":
                system.keep_private(place)
        return self.root.joinpath("desk", *below)

    def _put(self, below: tuple[str, ...], name: str, data: bytes, durable: bool = True) -> None:
        path = self._desk(*below, make=True) / name
        whole.write(path, data, 0o600, durable, temps=self.root / "desk")

    def _names(self, below: tuple[str, ...], end: str) -> tuple[str, ...]:
        """The names without ``end``; what is not ours (temporary files too) is passed over."""
        found = (
            n[: len(n) - len(end)] for n in system.list_names(self._desk(*below)) if n.endswith(end)
        )
        return tuple(sorted(n for n in found if fits(n)))
